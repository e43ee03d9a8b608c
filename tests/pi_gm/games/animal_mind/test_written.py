"""Games that a person wrote by hand, and what ``pi-gm replay --json`` prints of them."""

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pi_gm.cli import main
from pi_gm.errors import BadInput
from pi_gm.games.animal_mind import GAME
from pi_gm.games.animal_mind.written import play_written
from tests.pi_gm.games.animal_mind.on_paper import KINDS, VALUES, Move, OnPaper

Run = Callable[..., tuple[int, str, str]]

ANA_OFFERS: Move = {"seat": "Ana", "move": "offer", "to": "Ben", "kind": "milk"}
BEN_OFFERS: Move = {"seat": "Ben", "move": "offer", "to": "Ana", "value": 0}
BEN_ACCEPTS: Move = {"seat": "Ben", "move": "accept"}
BEN_REJECTS: Move = {"seat": "Ben", "move": "reject"}
ANA_ACCEPTS: Move = {"seat": "Ana", "move": "accept"}
ANA_REJECTS: Move = {"seat": "Ana", "move": "reject"}


def head(*pile: object, seats: Sequence[str] = ("Ana", "Ben")) -> dict[str, Any]:
    return {"game": "animal-mind", "seats": list(seats), "pile": list(pile)}


# Ana holds a milk, an egg and a fur, and a pet that she offered was rejected.
ANA_MUST_CHOOSE = head(
    *(["milk", 1], ["milk", 0], ["milk", 0], ["egg", 2], ["milk", 0], ["fur", 1], ["pet", 2]),
    seats=("Ana", "Ben", "Chloe"),
)
TURNS_TO_THE_CHOICE: tuple[Move, ...] = tuple(
    move
    for name, to, answer in (
        ("Ana", "Ben", "reject"),
        ("Ben", "Chloe", "accept"),
        ("Chloe", "Ben", "accept"),
        ("Ana", "Chloe", "reject"),
        ("Ben", "Chloe", "accept"),
        ("Chloe", "Ana", "accept"),
        ("Ana", "Chloe", "reject"),
    )
    for move in (
        {"seat": name, "move": "offer", "to": to, "value": 0},
        {"seat": to, "move": answer},
    )
)


@pytest.fixture
def replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """``pi-gm replay --json`` of these lines: the exit code, what it prints, and what it complains of."""

    def run(*lines: object, json_wanted: bool = True) -> tuple[int, str, str]:
        file = tmp_path / "night.jsonl"
        texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
        file.write_text("\n".join(texts), encoding="utf-8")
        code = main(["replay", *(["--json"] if json_wanted else []), str(file)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def ends(replay: Run, *lines: object) -> dict[str, Any]:
    code, out, err = replay(*lines)
    assert (code, err) == (0, "")
    end: dict[str, Any] = json.loads(out)
    return end


class TestTheEnd:
    def test_a_game_with_three_scorings_is_printed_to_the_letter(self, replay: Run) -> None:
        code, out, err = replay(
            '{"game": "animal-mind", "seats": ["Ana", "Ben"], '
            '"pile": [["milk", 2], ["egg", 0], "scoring", "scoring", "scoring"]}',
            '{"seat": "Ana", "move": "offer", "to": "Ben", "kind": "milk"}',
            '{"seat": "Ben", "move": "accept"}',
            '{"seat": "Ben", "move": "offer", "to": "Ana", "value": 2}',
            '{"seat": "Ana", "move": "reject"}',
        )
        assert (code, err) == (0, "")
        assert out.count("\n") == 1
        assert out.endswith("\n")
        expected = (
            '{"over": true, "turn": null, "scorings": 3, "chips": {"Ana": 0, "Ben": 6}, '
            '"collections": {"Ana": {}, "Ben": {"milk": [2], "egg": [0]}}, '
            '"accepts": {"Ana": 3, "Ben": 1}, "winners": ["Ben"]}'
        )
        assert json.dumps(json.loads(out)) == expected

    def test_a_short_pile_ends_with_whose_turn_it_is_and_without_winners(self, replay: Run) -> None:
        end = ends(replay, head(["milk", 2], ["egg", 0]), ANA_OFFERS, BEN_ACCEPTS)
        assert end == {
            "over": False,
            "turn": "Ben",
            "scorings": 0,
            "chips": {"Ana": 0, "Ben": 0},
            "collections": {"Ana": {}, "Ben": {"milk": [2]}},
            "accepts": {"Ana": 2, "Ben": 1},
            "winners": None,
        }

    def test_a_pile_that_was_played_to_its_last_card_ends_with_whose_turn_it_would_be(
        self, replay: Run
    ) -> None:
        end = ends(replay, head(["milk", 2]), ANA_OFFERS, BEN_REJECTS)
        assert (end["over"], end["turn"], end["winners"]) == (False, "Ben", None)
        assert end["collections"] == {"Ana": {"milk": [2]}, "Ben": {}}

    def test_an_offer_that_nobody_has_answered_leaves_the_turn_with_the_drawer(self, replay: Run) -> None:
        end = ends(replay, head(["milk", 2]), ANA_OFFERS)
        assert (end["over"], end["turn"]) == (False, "Ana")
        assert end["collections"] == {"Ana": {}, "Ben": {}}

    def test_an_empty_pile_ends_before_it_began(self, replay: Run) -> None:
        end = ends(replay, head(seats=("Ana", "Ben", "Chloe", "Dora")))
        assert (end["over"], end["turn"], end["scorings"], end["winners"]) == (False, "Ana", 0, None)
        assert end["accepts"] == {"Ana": 2, "Ben": 2, "Chloe": 2, "Dora": 2}

    def test_a_pile_that_starts_with_a_scoring_card_scores_nothing_and_the_first_draws(
        self, replay: Run
    ) -> None:
        end = ends(replay, head("scoring", ["milk", 2]), ANA_OFFERS, BEN_ACCEPTS)
        assert (end["over"], end["turn"], end["scorings"]) == (False, "Ben", 1)
        assert end["chips"] == {"Ana": 0, "Ben": 0}

    def test_two_scoring_cards_in_a_row_are_scored_twice_and_the_turn_stays(self, replay: Run) -> None:
        end = ends(replay, head(["milk", 2], "scoring", "scoring", ["egg", 1]), ANA_OFFERS, BEN_ACCEPTS)
        assert (end["over"], end["turn"], end["scorings"]) == (False, "Ben", 2)
        assert end["chips"] == {"Ana": 0, "Ben": 4}

    def test_m8_what_lies_under_the_third_scoring_card_is_not_played(self, replay: Run) -> None:
        end = ends(replay, head("scoring", "scoring", "scoring", ["milk", 2], "scoring"))
        assert (end["over"], end["turn"], end["scorings"], end["winners"]) == (True, None, 3, ["Ana", "Ben"])

    def test_m5_a_lie_costs_a_chip_and_never_below_none(self, replay: Run) -> None:
        lie = {**ANA_OFFERS, "kind": "pet"}
        pile = (["milk", 1], ["egg", 0], "scoring", ["milk", 0], ["egg", 0], ["fur", 0])
        moves = (
            (lie, BEN_REJECTS),  # Ana keeps the milk and has no chip to lose
            (BEN_OFFERS, ANA_REJECTS),
            (lie, BEN_ACCEPTS),  # here she loses the chip of the scoring
            (BEN_OFFERS, ANA_ACCEPTS),
            (lie, BEN_ACCEPTS),
        )
        end = ends(replay, head(*pile), *(move for turn in moves for move in turn))
        assert end["chips"] == {"Ana": 0, "Ben": 0}
        one_lie_less = ends(replay, head(*pile), *(move for turn in moves[:2] for move in turn))
        assert one_lie_less["chips"] == {"Ana": 1, "Ben": 0}

    def test_m6_the_taker_chooses_on_a_tie(self, replay: Run) -> None:
        lines = (ANA_MUST_CHOOSE, *TURNS_TO_THE_CHOICE)
        before = ends(replay, *lines)
        assert (before["turn"], before["collections"]["Ana"]) == (
            "Ana",
            {"milk": [1], "egg": [2], "fur": [1]},
        )
        after = ends(replay, *lines, {"seat": "Ana", "move": "discard", "kind": "egg"})
        assert (after["turn"], after["collections"]["Ana"]) == (
            "Ben",
            {"milk": [1], "fur": [1], "pet": [2]},
        )

    def test_collections_list_the_oldest_card_first(self, replay: Run) -> None:
        pile = (["milk", 2], ["milk", 0], ["milk", 1])
        moves = (ANA_OFFERS, BEN_REJECTS, BEN_OFFERS, ANA_ACCEPTS, ANA_OFFERS, BEN_ACCEPTS)
        assert ends(replay, head(*pile), *moves)["collections"] == {
            "Ana": {"milk": [2, 0]},
            "Ben": {"milk": [1]},
        }

    def test_without_json_it_is_told_in_lines_for_people(self, replay: Run) -> None:
        code, out, _ = replay(
            head(["milk", 2], "scoring", "scoring", "scoring"), ANA_OFFERS, BEN_ACCEPTS, json_wanted=False
        )
        assert code == 0
        assert out.splitlines() == [
            "Ana                    0 chips,  0 cards: ",
            "Ben                    6 chips,  1 cards: milk 2",
            "Ben wins",
        ]

    def test_blank_lines_and_the_ends_of_lines_of_other_systems_do_not_matter(self) -> None:
        written = [
            json.dumps(line).encode() + b"\r\n" for line in (head(["milk", 2]), ANA_OFFERS, BEN_ACCEPTS)
        ]
        spaced = [line for each in written for line in (each, b"\r\n", b"   \n")]
        assert GAME.summary(*play_written(spaced)) == GAME.summary(*play_written(written))

    def test_a_night_is_read_from_standard_input_too(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = "\n".join(json.dumps(line) for line in (head(["milk", 2]), ANA_OFFERS, BEN_ACCEPTS))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        assert main(["replay", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["collections"]["Ben"] == {"milk": [2]}


PILE = head(["milk", 2], ["egg", 0])
FORCED = head(*([["milk", 0]] * 9))
TWO_TURNS_IN_WHICH_BEN_ACCEPTS = (ANA_OFFERS, BEN_ACCEPTS, BEN_OFFERS, ANA_ACCEPTS) * 2
ONE_TURN_IN_WHICH_BEN_REJECTS = (ANA_OFFERS, BEN_REJECTS, BEN_OFFERS, ANA_ACCEPTS)


class TestWhatIsImpossible:
    @pytest.mark.parametrize(
        ("lines", "number", "why"),
        [
            # offers
            ((PILE, {**ANA_OFFERS, "seat": "Ben", "to": "Ana"}), 2, "not your turn"),
            ((PILE, {**ANA_OFFERS, "to": "Ana"}), 2, "another player"),
            ((PILE, {**ANA_OFFERS, "to": "Zoe"}), 2, "to: Zoe does not play"),
            ((PILE, {**ANA_OFFERS, "seat": "Zoe"}), 2, "seat: Zoe does not play"),
            ((PILE, {**ANA_OFFERS, "value": 2}), 2, "either the kind or the value"),
            ((PILE, {"seat": "Ana", "move": "offer", "to": "Ben"}), 2, "either the kind or the value"),
            ((PILE, {"seat": "Ana", "move": "offer", "to": "Ben", "value": 3}), 2, "0, 1 or 2"),
            ((PILE, {"seat": "Ana", "move": "offer", "to": "Ben", "value": -1}), 2, "0, 1 or 2"),
            ((PILE, {"seat": "Ana", "move": "offer", "to": "Ben", "value": "2"}), 2, "Expected `int"),
            ((PILE, {"seat": "Ana", "move": "offer", "to": "Ben", "value": True}), 2, "Expected `int"),
            ((PILE, {**ANA_OFFERS, "kind": "wool"}), 2, "'wool'"),
            ((PILE, ANA_OFFERS, ANA_OFFERS), 3, "not your turn"),
            ((head(), ANA_OFFERS), 2, "no card to offer"),
            ((head(["milk", 2]), ANA_OFFERS, BEN_ACCEPTS, BEN_OFFERS), 4, "no card to offer"),
            # answers
            ((PILE, BEN_ACCEPTS), 2, "not offered to you"),
            ((PILE, ANA_OFFERS, ANA_ACCEPTS), 3, "not offered to you"),
            ((PILE, ANA_OFFERS, BEN_ACCEPTS, BEN_ACCEPTS), 4, "not offered to you"),
            ((PILE, ANA_OFFERS, {**BEN_ACCEPTS, "seat": "Zoe"}), 3, "seat: Zoe does not play"),
            ((FORCED, *TWO_TURNS_IN_WHICH_BEN_ACCEPTS, ANA_OFFERS, BEN_ACCEPTS), 11, "you can only reject"),
            ((FORCED, *ONE_TURN_IN_WHICH_BEN_REJECTS, ANA_OFFERS, BEN_REJECTS), 7, "you can only accept"),
            # discards
            ((PILE, {"seat": "Ana", "move": "discard", "kind": "milk"}), 2, "nothing to let go"),
            ((PILE, ANA_OFFERS, {"seat": "Ben", "move": "discard", "kind": "milk"}), 3, "nothing to let go"),
            ((PILE, {"seat": "Ana", "move": "discard"}), 2, "`kind`"),
            # after the end
            ((head("scoring", "scoring", "scoring"), ANA_OFFERS), 2, "game is over"),
            # what cannot be read
            ((PILE, {**ANA_OFFERS, "move": "steal"}), 2, "'steal'"),
            ((PILE, {"seat": "Ana"}), 2, "`move`"),
            ((PILE, {**BEN_ACCEPTS, "kind": "milk"}), 2, "unknown field `kind`"),
            ((PILE, '{"seat": "Ana", "move": '), 2, "truncated"),
            ((PILE, ANA_OFFERS, "Ben accepts"), 3, "malformed"),
            ((PILE, "[1, 2]"), 2, "Expected `object`"),
            ((PILE, '{"seat": ' + "[" * 200_000), 2, "line 2"),
            ((PILE, "", ANA_OFFERS, "", "", ANA_OFFERS), 6, "not your turn"),
            # the first line
            ((head(seats=("Ana",)),), 1, "name 2 to 4 players"),
            ((head(seats=("Ana", "Ben", "Chloe", "Dora", "Emil")),), 1, "name 2 to 4 players"),
            ((head(seats=("Ana", "Ana")),), 1, "each once"),
            ((head(seats=("Ana", "")),), 1, "name 2 to 4 players"),
            ((head("score"),), 1, "pile[0]"),
            ((head(["milk", 2], ["milk", 3]),), 1, "pile[1]: 3 is no value"),
            ((head(["wool", 1]),), 1, "pile[0]"),
            ((head(["milk"]),), 1, "pile[0]"),
            ((head(["milk", 1, 1]),), 1, "pile[0]"),
            ((head({"kind": "milk", "value": 1}),), 1, "pile[0]"),
            (({"game": "animal-mind", "seats": ["Ana", "Ben"]},), 1, "`pile`"),
            (({**PILE, "rounds": 3},), 1, "unknown field `rounds`"),
            (({**PILE, "game": "animal-farm"},), 1, "animal-farm"),
        ],
    )
    def test_it_stops_with_the_number_of_the_line_the_reason_and_exit_code_2(
        self, replay: Run, lines: tuple[object, ...], number: int, why: str
    ) -> None:
        code, out, err = replay(*lines)
        assert (code, out) == (2, "")
        assert f"line {number}: " in err
        assert why in err
        assert "Traceback" not in err

    @pytest.mark.parametrize(
        ("discard", "why"),
        [
            ({"seat": "Ana", "move": "discard", "kind": "pet"}, "kinds that you have most of"),
            ({"seat": "Ben", "move": "discard", "kind": "milk"}, "nothing to let go"),
            ({"seat": "Ana", "move": "accept"}, "not offered to you"),
            ({"seat": "Ben", "move": "offer", "to": "Ana", "kind": "egg"}, "not your turn"),
        ],
    )
    def test_while_the_taker_has_to_choose_nothing_else_is_possible(
        self, replay: Run, discard: Move, why: str
    ) -> None:
        lines = (ANA_MUST_CHOOSE, *TURNS_TO_THE_CHOICE)
        code, _, err = replay(*lines, discard)
        assert code == 2
        assert f"line {len(lines) + 1}: " in err
        assert why in err


def a_random_game(seed: int) -> tuple[dict[str, Any], list[Move], OnPaper]:
    """Some cards in any order, played at random as far as chance will have it."""
    chance = Random(seed)
    seats = ["Ana", "Ben", "Chloe", "Dora"][: chance.randint(2, 4)]
    every = [[kind, value] for kind in KINDS for value in VALUES for _ in range((5, 5, 3)[value])]
    pile: list[Any] = [*chance.sample(every, chance.randint(0, 52)), *["scoring"] * chance.randint(0, 4)]
    chance.shuffle(pile)
    game = OnPaper(seats, pile)
    moves: list[Move] = []
    most = chance.choice((chance.randint(0, 60), 1000))
    while len(moves) < most and (possible := list(game.possible())):
        moves.append(chance.choice(possible))
        game.play(moves[-1])
    return head(*pile, seats=seats), moves, game


def written(first: dict[str, Any], moves: list[Move]) -> list[bytes]:
    return [json.dumps(line).encode() for line in (first, *moves)]


@pytest.mark.parametrize("seed", range(200))
def test_a_written_game_ends_as_it_does_on_paper(seed: int) -> None:
    first, moves, game = a_random_game(seed)
    assert GAME.summary(*play_written(written(first, moves))) == game.end()


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_impossible_on_paper_stops_a_written_game_at_its_line(seed: int) -> None:
    first, moves, game = a_random_game(seed)
    chance = Random(seed)
    for move in chance.sample(game.impossible(), 12):
        with pytest.raises(BadInput, match=rf"^line {len(moves) + 2}: "):
            play_written(written(first, [*moves, move]))


def test_the_random_games_have_everything_in_them() -> None:
    """Otherwise the comparison would prove little."""
    games = [a_random_game(seed) for seed in range(200)]
    assert {len(game.seats) for _, _, game in games} == {2, 3, 4}
    assert {game.over for _, _, game in games} == {True, False}
    assert sum(move["move"] == "discard" for _, moves, _ in games for move in moves) > 50
    assert any(len(game.winners()) > 1 for _, _, game in games if game.over)
    assert any(len(set(game.chips.values())) < len(game.chips) for _, _, game in games if game.over)
