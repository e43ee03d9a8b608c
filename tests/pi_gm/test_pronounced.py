"""How names and sentences are written for a voice."""

import re
import tomllib
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.naming import named
from pi_gm.players import LONGEST_NAME, tidy_name
from pi_gm.speaking.ports import SpokenName
from pi_gm.speaking.pronounced import SOMEBODY, speakable, spoken
from pi_gm.speaking.repertoire import repertoire
from tests.pi_gm.hostile_names import HOSTILE_NAMES

SAYABLE = re.compile(r"[^\W_](?:[^\W_]|[ '.-])*")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ana", "Ana"),
        ("Zoë", "Zoë"),
        ("Nguyễn", "Nguyen"),
        ("Ştefan", "Ştefan"),
        ("Łukasz", "Łukasz"),
        ("O’Neill", "O'Neill"),
        ("Ana-Maria", "Ana-Maria"),
        ("J. R.", "J. R."),
        ("\N{MATHEMATICAL BOLD CAPITAL B}\N{MATHEMATICAL BOLD SMALL O}ld", "Bold"),
        ("-f/etc/passwd", "f etc passwd"),
        ("[[h@'l'oU]]", "h 'l'oU"),
        ("🦊 Ana 🦊", "Ana"),
        ("A", "Eh"),
        ("Player123456", "Player1234"),
    ],
)
def test_a_name_is_said_in_letters_that_every_voice_knows(name: str, said: str) -> None:
    assert speakable(name, 1) == said


@pytest.mark.parametrize("name", ["🦊", "李小龙", "Владимир", "...", "- - -", "''", ""])
def test_a_player_whose_name_cannot_be_said_is_called_by_number(name: str) -> None:
    assert speakable(name, 3) == "player three"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("pi-gm.local:8000", "pi-gm dot local, port 8000"),
        ("192.168.1.5:8000", "1 9 2 dot 1 6 8 dot 1 dot 5, port 8000"),
        ("pi-gm.local", "pi-gm.local"),
    ],
)
def test_an_address_is_said_as_people_dictate_it(address: str, said: str) -> None:
    assert spoken(f"Open {address} on your phone.") == (f"Open {said} on your phone.",)


def test_a_number_past_twelve_is_said_in_digits() -> None:
    assert speakable("🦊", 13) == "player 13"


@given(st.one_of(st.text(max_size=40), st.sampled_from(HOSTILE_NAMES)), st.integers(1, 12))
def test_a_name_is_never_an_option_or_a_command_to_a_voice(name: str, number: int) -> None:
    said = speakable(name, number)
    assert SAYABLE.fullmatch(said)
    assert len(said) <= LONGEST_NAME
    assert all(ord(character) < 0x180 for character in said)


@given(st.text(), st.lists(st.tuples(st.text(max_size=20), st.integers(1, 12)), max_size=3))
def test_a_sentence_holds_nothing_that_a_voice_would_obey(text: str, names: list[tuple[str, int]]) -> None:
    whole = f"{text} {', '.join(named(name) for name, _ in names)} {text}"
    said = " ".join(spoken(whole, [SpokenName(name, speakable(name, number)) for name, number in names]))
    assert not set(said) & set('[]<>&|{}\\"`$@#%^*=+~/\n\r\t\0')
    assert all(ord(character) < 0x180 for character in said)
    assert not said.startswith(" ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Raft A carries 4.", "Raft Eh carries 4."),
        ("Raft A and Raft B.", "Raft Eh and Raft B."),
        ("A mat gives no answer.", "A mat gives no answer."),
        ("Back to the game – now.", "Back to the game, now."),
    ],
)
def test_letters_in_a_sentence(text: str, said: str) -> None:
    assert spoken(text) == (said,)


def test_a_text_falls_into_sentences() -> None:
    assert spoken("Round 1. Raft A, carries 4. A cat sank. Choose!") == (
        "Round 1.",
        "Raft Eh, carries 4.",
        "A cat sank.",
        "Choose!",
    )
    assert spoken("") == spoken("...") == ()


@pytest.mark.parametrize(
    ("name", "said_as", "text", "said"),
    [
        ("3", "Dad", "Raft A carries 3.", ("Raft Eh carries 3.",)),
        ("Nobody", "Nemo", "Nobody sank. Stop! Nobody move.", ("Nobody sank.", "Stop!", "Nobody move.")),
        ("A", "", "A mat in the water gives no answer.", ("A mat in the water gives no answer.",)),
        ("Raft B", "Rabbi", "Raft B carries 4.", ("Raft B carries 4.",)),
        ("and", "Andy", f"{named('and')} and Raft C.", ("Andy and Raft C.",)),
        ("Dr. Who. Jr", "", f"{named('Dr. Who. Jr')} sank.", ("Dr. Who. Jr sank.",)),
        ("J. R.", "", f"Hello, {named('J. R.')}. Sit down.", ("Hello, J. R.", "Sit down.")),
        ("J. R.", "", f"{named('J. R.')}, please choose.", ("J. R., please choose.",)),
        ("192.168.0.1:80", "", f"Hello, {named('192.168.0.1:80')}.", ("Hello, 192.168.0.1 80.",)),
        ("Team A is", "", f"{named('Team A is')} on raft A now.", ("Team A is on raft Eh now.",)),
        ("🦊", "Fox", f"It is milk. {named('🦊')} keeps it.", ("It is milk.", "Fox keeps it.")),
        ("ana", "", f"{named('ana')}’s card. {named('ana')} lied.", ("ana's card.", "ana lied.")),
    ],
)
def test_only_what_stands_as_a_name_is_said_as_one(
    name: str, said_as: str, text: str, said: tuple[str, ...]
) -> None:
    assert spoken(text, [SpokenName(name, speakable(said_as or name, 1))]) == said


def test_who_has_another_name_since_is_said_as_it_is_written() -> None:
    assert spoken(f"{named('Zoë')} sank.", [SpokenName("Chloe", "Chloe")]) == ("Zoë sank.",)
    assert spoken(f"{named('🦊')} sank.") == (f"{SOMEBODY} sank.",)


BOOKS = [
    tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted(Path(__file__).parents[2].joinpath("pi_gm").rglob("phrases.en.toml"))
]
PHRASES = [phrase for book in BOOKS for key, phrase in book.items() if key.startswith("say.")]
NAMES = st.one_of(
    st.sampled_from(
        (
            *HOSTILE_NAMES,
            "3",
            "Nobody",
            "Raft B",
            "and",
            "Dr. Who. Jr",
            "192.168.0.1:80",
            "Stop",
            "The island",
        )
    ),
    st.text(max_size=24),
).map(tidy_name)
PLAIN_NAMES = ("Qaa", "Qbb", "Qcc", "Qdd")


@given(
    st.sampled_from(PHRASES),
    st.lists(NAMES.filter(bool), min_size=4, max_size=4, unique_by=lambda name: name.casefold()),
    st.lists(NAMES, min_size=4, max_size=4),
)
def test_no_name_changes_a_word_of_any_phrase(phrase: str, names: list[str], said_as: list[str]) -> None:
    said = [
        speakable(told or name, place)
        for place, (name, told) in enumerate(zip(names, said_as, strict=True), 1)
    ]
    gaps = sorted({gap for _, gap, _, _ in Formatter().parse(phrase) if gap})

    def with_names(called: list[str], sounds: list[str]) -> tuple[str, ...]:
        marked = [named(name) for name in called]
        filled = dict(
            zip(gaps, (f"{marked[0]}, {marked[1]} and {marked[2]}", *marked[3:], *marked), strict=False)
        )
        spoken_names = [SpokenName(name, sound) for name, sound in zip(called, sounds, strict=True)]
        return spoken(phrase.format(**filled), spoken_names)

    sound = dict(zip(PLAIN_NAMES, said, strict=True))
    # One dot ends both a name and its sentence.
    expected = tuple(
        re.sub(r"(Q[a-d]{2})(\.?)", lambda gap: sound[gap[1]].removesuffix(gap[2]) + gap[2], sentence)
        for sentence in with_names(list(PLAIN_NAMES), list(PLAIN_NAMES))
    )
    assert with_names(names, said) == expected


@pytest.mark.parametrize(
    "package", ["pi_gm.games.animal_crossing", "pi_gm.games.animal_mind", "pi_gm.phrases"]
)
def test_the_repertoire_is_what_will_be_said(package: str) -> None:
    fixed = repertoire(package)
    with_names = repertoire(package, [SpokenName("Zoë", "Zoë"), SpokenName("🦊", "player two")])
    assert fixed
    assert with_names
    assert all(("Zoë" in sentence) is not ("player two" in sentence) for sentence in with_names)
    assert not any("Zoë" in sentence or "player two" in sentence for sentence in fixed)
    for sentence in (*fixed, *with_names):
        assert spoken(sentence) == (sentence,)
        assert "{" not in sentence
        assert "🦊" not in sentence


def test_the_loads_the_buzzer_and_the_results_are_made_in_advance() -> None:
    fixed = repertoire("pi_gm.games.animal_crossing")
    assert {"Nobody sank.", "Everybody sank.", "Welcome to Animal Crossing."} <= set(fixed)
    assert {"Stop!", "Nobody move.", "Ten!", "Round 3.", "Practice round."} <= set(fixed)
    assert sum("carries 4" in sentence for sentence in fixed) == 3
    with_ana = repertoire("pi_gm.games.animal_crossing", [SpokenName("Ana", "Ana")])
    assert {"Ana, please choose.", "Ana sank.", "Ana wins the night."} <= set(with_ana)
