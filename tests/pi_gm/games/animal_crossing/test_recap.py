"""What is told after a power cut: where the night stood, and nothing that was not public before."""

from itertools import permutations

import pytest

from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.options import Options
from pi_gm.games.animal_crossing.recap import recap
from tests.pi_gm.games.animal_crossing.crossing import CAT, DOG, ELEPHANT, MOUSE, Crossing, night_of


def told(night: Crossing) -> str:
    return " ".join(recap(night.state, night.around))


class TestWhileAnimalsAreChosen:
    @pytest.mark.parametrize(
        ("passed", "left"),
        [
            (0, "about 7 minutes"),
            (300, "about 2 minutes"),
            (350, "about a minute"),
            (400, "less than a minute"),
        ],
    )
    def test_the_time_that_is_left_and_who_is_missing_are_told(self, passed: int, left: str) -> None:
        night = night_of(3)
        night.pick(Ana=DOG)
        night.pass_time(passed)
        said = f"Round 1. Choosing was on, with {left} left. Ben and Chloe have not chosen yet."
        assert told(night) == said

    def test_one_who_is_missing_is_named_alone(self) -> None:
        night = night_of(2, Options())
        night.pick(Ana=DOG)
        night.host(commands.CallOn())
        assert told(night) == "Practice round. Ben has not chosen yet."

    def test_where_all_have_chosen_that_is_told(self) -> None:
        night = night_of(2)
        night.pick(Ana=DOG, Ben=DOG)
        assert told(night).endswith("Everyone has chosen.")

    def test_r13_what_was_chosen_changes_nothing(self) -> None:
        said = set()
        for ana, ben in permutations((MOUSE, CAT, DOG, ELEPHANT), 2):
            night = night_of(3)
            night.pick(Ben=ben, Ana=ana)
            said.add(told(night))
        assert len(said) == 1


class TestLaterInARound:
    def test_the_seconds_left_to_board_are_told(self) -> None:
        night = night_of(2)
        night.pick(Ana=DOG, Ben=DOG)
        night.board()
        night.pass_time(10)
        assert told(night) == "Round 1. The rafts were open, with 20 seconds left to board."

    def test_after_the_buzzer_it_is_told_that_nobody_knows_yet(self) -> None:
        night = night_of(2)
        night.pick(Ana=DOG, Ben=DOG)
        night.board()
        night.buzzer()
        assert told(night) == "Round 1. The buzzer had gone. Who sank is still to be said."

    def test_who_sank_is_told_again(self) -> None:
        night = night_of(2)
        night.play_round(Ana=(DOG, "A"), Ben=(CAT, "water"))
        assert told(night) == "Round 1. Ben sank."
