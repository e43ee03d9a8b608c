"""How names and sentences are written for a voice."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.players import LONGEST_NAME
from pi_gm.speaking.ports import SpokenName
from pi_gm.speaking.pronounced import sentences, speakable, spoken
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
    assert spoken(f"Open {address} on your phone.") == f"Open {said} on your phone."


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
    said = spoken(text, [SpokenName(name, speakable(name, number)) for name, number in names])
    assert not set(said) & set('[]<>&|{}\\"`$@#%^*=+~/\n\r\t\0')
    assert all(ord(character) < 0x180 for character in said)
    assert not said.startswith(" ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Raft A carries 4.", "Raft Eh carries 4."),
        ("Raft A, carries 4. Raft B, carries 5.", "Raft Eh, carries 4. Raft B, carries 5."),
        ("Raft A and Raft B.", "Raft Eh and Raft B."),
        ("A mat gives no answer. A cat sank.", "A mat gives no answer. A cat sank."),
        ("Back to the game – now.", "Back to the game, now."),
        ("Anabel sank, Ana did not.", "Anabel sank, Anna did not."),
    ],
)
def test_letters_and_names_in_a_sentence(text: str, said: str) -> None:
    assert spoken(text, [SpokenName("Ana", "Anna")]) == said


def test_the_longer_of_two_names_is_recognised() -> None:
    names = [SpokenName("Ana", "one"), SpokenName("Ana B", "two"), SpokenName("🦊", "three")]
    assert spoken("Ana B, Ana and 🦊 sank.", names) == "two, one and three sank."


def test_a_text_falls_into_sentences() -> None:
    assert sentences("Round 1. Raft Eh, carries 4. Choose!") == ("Round 1.", "Raft Eh, carries 4.", "Choose!")
    assert sentences("") == sentences("...") == ()


@pytest.mark.parametrize(
    "package", ["pi_gm.games.animal_crossing", "pi_gm.games.animal_mind", "pi_gm.phrases"]
)
def test_the_repertoire_is_what_will_be_said(package: str) -> None:
    fixed = repertoire(package)
    with_names = repertoire(package, [SpokenName("Zoë", "Zoë"), SpokenName("🦊", "player two")])
    assert fixed
    assert with_names
    assert all("Zoë" in sentence or "player two" in sentence for sentence in with_names if "Zoë" in sentence)
    for sentence in (*fixed, *with_names):
        assert sentence == spoken(sentence)
        assert "{" not in sentence
        assert "🦊" not in sentence


def test_the_loads_and_the_buzzer_are_made_in_advance() -> None:
    fixed = repertoire("pi_gm.games.animal_crossing")
    assert {"Stop!", "Nobody move.", "Ten seconds.", "Round 3.", "Practice round."} <= set(fixed)
    assert sum("carries 4" in sentence for sentence in fixed) == 3
    assert "Ana, please choose." in repertoire("pi_gm.games.animal_crossing", [SpokenName("Ana", "Ana")])
