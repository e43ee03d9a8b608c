"""Every sentence that the code asks for is in a book, with the gaps that the code fills, and none lies there unused."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from msgspec import Struct

from pi_gm import night as nights
from pi_gm.floor import SensorKind, Trouble
from pi_gm.games.animal_crossing import GAME, commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.options import LoadsFrom, Options, mistakes
from pi_gm.games.animal_crossing.phrasebook import (
    BOOK,
    doubt_aloud,
    doubt_sentence,
    name_of_place,
    name_of_round,
)
from pi_gm.games.animal_crossing.rules import Fate
from pi_gm.games.animal_crossing.state import Phase
from pi_gm.phrases import SHARED, Phrasebook, UnknownPhrase
from pi_gm.room import ISLAND, WATER
from pi_gm.whereabouts import Doubt, DoubtKind
from tests.pi_gm.games.animal_crossing.crossing import seats_for

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "pi_gm" / "games"
CROSSING = sorted((GAMES / "animal_crossing").glob("*.py"))
TABLE = [path for package in ("pi_gm", "web", "hardware") for path in sorted((ROOT / package).rglob("*.py"))]


def tags(union: object) -> list[str]:
    return [str(kind.__struct_config__.tag) for kind in get_args(union)]


MADE_UP: dict[str, dict[str, list[str]]] = {
    "SHARED": {
        "say.welcome.": list("1234"),
        "pause.": [*nights.PAUSE_REASONS, nights.POWER_CUT],
        "say.sensor-": [trouble.value for trouble in Trouble],
        "cure.": [trouble.value for trouble in Trouble],
        "sensor.": [*(kind.value for kind in SensorKind), ISLAND, WATER],
    },
    "BOOK": {
        "say.round.": list("123"),
        "say.minute-left.": list("123"),
        "say.board.": list("123"),
        "undo.": tags(commands.HostCommand),
        "say.rules.": [str(number) for number in range(1, 8)],
        "say.reminder.": ["1", "2"],
        "headline.": [phase.value for phase in (Phase.BOARDING, Phase.READING, Phase.RULING)],
        "place.": [ISLAND, WATER],
        "paper.": [
            *(fate.name.lower().replace("_", "-") for fate in Fate if fate is not Fate.SCARED_OFF),
            *(f"scared-off.{animal.value}" for animal in Animal if animal is not Animal.DOG),
        ],
        "doubt.": [
            key.removeprefix("doubt.")
            for kind, number in product(DoubtKind, ("", ".none", ".one", ".several"))
            if (key := f"doubt.{kind.value.replace(' ', '-')}{number}") in BOOK.keys
        ],
    },
}
"""Keys that the code puts together: what they begin with, and everything that can follow."""


class Asked(Struct, frozen=True):
    """A place in the code that asks a book for a sentence, or says no with a reason."""

    where: str
    key: str
    words: frozenset[str] | None
    """What fills the gaps; None where that cannot be read off the code."""


def calls(paths: list[Path]) -> Iterator[tuple[Path, ast.Call]]:
    for path in paths:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call):
                yield path, node


def said_by(paths: list[Path], book: str) -> Iterator[Asked]:
    """Every ``book.say("a key", …)``; where an expression chooses between keys, each of them."""
    for path, call in calls(paths):
        match call.func:
            case ast.Attribute(attr="say", value=ast.Name(id=name)) if name == book:
                given = {keyword.arg for keyword in call.keywords}
                words = None if None in given else frozenset(word for word in given if word is not None)
                for node in ast.walk(call.args[0]):
                    if (
                        isinstance(node, ast.Constant)
                        and isinstance(node.value, str)
                        and not is_part(call, node)
                    ):
                        yield Asked(f"{path.name}:{call.lineno}", node.value, words)


def is_part(call: ast.Call, node: ast.Constant) -> bool:
    """Whether a string is only a piece of an f-string, or compared with something."""
    pieces = (n for n in ast.walk(call.args[0]) if isinstance(n, ast.JoinedStr | ast.Compare))
    return any(node in ast.walk(piece) for piece in pieces)


def refused_by(paths: list[Path]) -> Iterator[Asked]:
    """Every ``Rejected("a reason", (("word", …), …))``."""
    for path, call in calls(paths):
        if not (isinstance(call.func, ast.Name) and call.func.id == "Rejected" and call.args):
            continue
        words: frozenset[str] | None = frozenset()
        if len(call.args) > 1:
            pairs = call.args[1].elts if isinstance(call.args[1], ast.Tuple) else []
            words = frozenset(
                pair.elts[0].value
                for pair in pairs
                if isinstance(pair, ast.Tuple)
                and isinstance(pair.elts[0], ast.Constant)
                and isinstance(pair.elts[0].value, str)
            )
        for node in ast.walk(call.args[0]):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield Asked(f"{path.name}:{call.lineno}", node.value, words)


def strings_in(paths: list[Path]) -> set[str]:
    """Every string in the code."""
    return {
        node.value
        for path in paths
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def table_only() -> list[Path]:
    return [path for path in TABLE if GAMES not in path.parents or path.parent == GAMES]


SAID = [
    *((SHARED, asked) for asked in said_by(TABLE, "SHARED")),
    *((BOOK, asked) for asked in said_by(CROSSING, "BOOK")),
]


class TestWhatTheCodeAsksFor:
    def test_the_code_asks_for_sentences_at_all(self) -> None:
        assert len(SAID) > 40
        assert len(list(refused_by(CROSSING))) > 20

    @pytest.mark.parametrize(("book", "asked"), SAID, ids=lambda value: getattr(value, "key", None))
    def test_is_in_its_book_with_no_other_gaps_than_the_code_fills(
        self, book: Phrasebook, asked: Asked
    ) -> None:
        assert asked.key in book.keys, asked.where
        if asked.words is not None:
            filled = dict.fromkeys(asked.words, "x")
            assert book.say(asked.key, **filled), asked.where

    @pytest.mark.parametrize(
        "asked", [*refused_by(table_only()), *refused_by(CROSSING)], ids=lambda asked: asked.key
    )
    def test_every_no_has_words_for_its_reason(self, asked: Asked) -> None:
        book = SHARED if asked.key in SHARED.keys else BOOK
        assert asked.key in book.keys, asked.where
        if asked.words is not None:
            assert book.say(asked.key, **dict.fromkeys(asked.words, "x")), asked.where

    @pytest.mark.parametrize("book", MADE_UP)
    def test_keys_that_are_put_together_are_all_there(self, book: str) -> None:
        keys = (SHARED if book == "SHARED" else BOOK).keys
        for beginning, endings in MADE_UP[book].items():
            assert endings
            assert {beginning + ending for ending in endings} <= keys

    def test_and_every_place_that_puts_one_together_is_known_here(self) -> None:
        for book, paths in (("SHARED", TABLE), ("BOOK", CROSSING)):
            for path, call in calls(paths):
                match call:
                    case ast.Call(
                        func=ast.Attribute(attr="say", value=ast.Name(id=name)),
                        args=[ast.JoinedStr(values=[ast.Constant(value=str() as beginning), *_]), *_],
                    ) if name == book:
                        assert beginning in MADE_UP[book], f"{path.name}:{call.lineno}"


def made_up(book: str) -> set[str]:
    return {beginning + ending for beginning, endings in MADE_UP[book].items() for ending in endings}


class TestWhatIsInTheBooks:
    def test_the_table_uses_every_sentence_of_its_book(self) -> None:
        assert SHARED.keys - strings_in(TABLE) - made_up("SHARED") == set()

    def test_the_game_uses_every_sentence_of_its_book(self) -> None:
        assert BOOK.keys - strings_in(CROSSING) - made_up("BOOK") == set()

    def test_a_reason_that_both_books_know_is_said_alike(self) -> None:
        """The table looks into its own book first."""
        for key in {asked.key for asked in refused_by(CROSSING)} & SHARED.keys:
            assert SHARED.say(key) == BOOK.say(key)

    @pytest.mark.parametrize(
        "book", [ROOT / "pi_gm" / "phrases", GAMES / "animal_crossing"], ids=lambda p: p.name
    )
    def test_no_sentence_speaks_of_death_or_of_what_a_reader_cannot_know(self, book: Path) -> None:
        text = " ".join(tomllib.loads((book / "phrases.en.toml").read_text()).values()).lower()
        assert not re.search(r"\b(kill|killed|dead|die|died|dies|drown\w*|exception|error|null|none)\b", text)


class TestUndo:
    @pytest.mark.parametrize("tag", tags(commands.HostCommand))
    def test_whatever_the_host_does_in_the_game_can_be_named_when_it_is_taken_back(self, tag: str) -> None:
        assert GAME.phrase(f"undo.{tag}")


class TestSentencesThatNeedMore:
    def test_every_mistake_in_the_options_has_its_sentence(self) -> None:
        wrong = Options(
            rounds=0, rafts=9, pick_seconds=0, board_seconds=0, loads=LoadsFrom.TYPED, typed=((0, 0),)
        )
        assert len(mistakes(wrong)) == 5
        assert len(set(GAME.mistakes(wrong))) == 5
        assert GAME.mistakes(Options()) == ()

    def test_places_and_rounds(self) -> None:
        assert [name_of_place(place) for place in ("A", "C", "island", "water")] == [
            "Raft A",
            "Raft C",
            "the island",
            "the water",
        ]
        assert [name_of_round(number) for number in (0, 1, 12)] == ["Practice round", "Round 1", "Round 12"]

    @pytest.mark.parametrize(
        ("kind", "claimed"),
        [
            (kind, claimed)
            for kind, claimed in product(DoubtKind, (0, 1, 2))
            # Fewer than say so: somebody does.
            if claimed or kind is not DoubtKind.TOO_FEW_PRESSED
        ],
    )
    @pytest.mark.parametrize("pressed", [0, 1, 3])
    def test_every_doubt_is_a_question_without_a_gap(
        self, kind: DoubtKind, claimed: int, pressed: int
    ) -> None:
        seats = seats_for("Ana", "Ben")
        ids = tuple(seat.id for seat in seats)
        sentence = doubt_sentence(Doubt(kind, ("A", "B"), ids, ids[:claimed], pressed), seats)
        assert sentence.endswith("?")
        assert not set("{}") & set(sentence)
        assert sentence[0].isupper()

    @pytest.mark.parametrize("kind", DoubtKind)
    @pytest.mark.parametrize("claimed", [1, 2])
    @pytest.mark.parametrize("place", ["A", ISLAND, WATER])
    def test_every_doubt_can_be_asked_aloud(self, kind: DoubtKind, claimed: int, place: str) -> None:
        seats = seats_for("Ana", "Ben")
        ids = tuple(seat.id for seat in seats)
        sentence = doubt_aloud(Doubt(kind, (place, "B"), ids, ids[:claimed], claimed + 1), seats)
        assert sentence.endswith("?")
        assert not set("{}") & set(sentence)
        assert sentence[0].isupper()
        assert len(sentence.split()) < 16

    def test_a_doubt_names_people_in_seating_order(self) -> None:
        seats = seats_for("Zoe", "Ana")
        ids = tuple(seat.id for seat in seats)
        doubt = Doubt(DoubtKind.TOO_FEW_PRESSED, ("A",), ids[::-1], ids[::-1], 1)
        assert doubt_sentence(doubt, seats) == (
            "Raft A: Zoe and Ana say they are there, but one mat is pressed. Who is really there?"
        )


class TestABook:
    def test_a_sentence_that_is_not_there_says_what_to_do(self) -> None:
        with pytest.raises(UnknownPhrase, match="add it to the phrase book"):
            SHARED.say("no such key")

    @pytest.mark.parametrize(
        ("names", "listed"),
        [((), ""), (("Ana",), "Ana"), (("Ana", "Ben"), "Ana and Ben"), (("A", "B", "C"), "A, B and C")],
    )
    def test_names_are_listed_as_people_say_them(self, names: tuple[str, ...], listed: str) -> None:
        assert SHARED.list_of(names) == listed

    def test_what_fills_a_gap_is_never_taken_for_a_sentence(self) -> None:
        assert SHARED.say("say.welcome.1", name="{reason} {0}") == "{reason} {0} is at the table."

    def test_what_is_said_again_and_again_is_said_in_turn_and_the_same_turn_has_the_same(self) -> None:
        book = Phrasebook({"say.hello.1": "Hello, {name}.", "say.hello.2": "Welcome, {name}."})
        said = [book.say_in_turn("say.hello", turn, name="Ana") for turn in (0, 1, 2, 3)]
        assert said == ["Welcome, Ana.", "Hello, Ana.", "Welcome, Ana.", "Hello, Ana."]
        with pytest.raises(UnknownPhrase):
            book.say_in_turn("say.goodbye", 1)

    @pytest.mark.parametrize("book", ["SHARED", "BOOK"])
    def test_whichever_way_it_is_said_it_tells_the_same(self, book: str) -> None:
        package = "pi_gm/phrases" if book == "SHARED" else "pi_gm/games/animal_crossing"
        written = tomllib.loads((ROOT / package / "phrases.en.toml").read_text())
        for beginning in (each for each, ways in MADE_UP[book].items() if "1" in ways):
            gaps = {
                frozenset(re.findall(r"\{(\w+)\}", written[key]))
                for key in written
                if key.startswith(beginning)
            }
            assert len(gaps) == 1, beginning

    def test_a_ruling_and_who_sank_are_always_said_in_the_same_words(self) -> None:
        in_turn = [beginning for ways in MADE_UP.values() for beginning, ends in ways.items() if "1" in ends]
        assert not any(word in beginning for beginning in in_turn for word in ("sank", "dry", "doubt", "end"))

    def test_there_is_a_book_in_another_language_or_none(self) -> None:
        with pytest.raises(FileNotFoundError):
            Phrasebook.of("pi_gm.phrases", "tlh")
