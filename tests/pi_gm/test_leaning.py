"""Answering by leaning on the mats of a couch, where the host mapped the couches so."""

import pytest

from pi_gm.clock import FakeClock
from pi_gm.floor import FloorReading, NoFloor, Reading, Sensor
from pi_gm.games import Rejected
from pi_gm.games.animal_mind import commands
from pi_gm.games.animal_mind.decide import lean
from pi_gm.games.animal_mind.options import Leaning as Mapped
from pi_gm.games.animal_mind.options import Options
from pi_gm.games.animal_mind.state import Phase, State
from pi_gm.leaning import HELD, Leaning
from pi_gm.players import Seat, SeatId
from tests.pi_gm.evening import Evening

ANA, BEN = Seat(SeatId("ana"), "Ana", 1), Seat(SeatId("ben"), "Ben", 2)


def asked(leaning: Mapped) -> State:
    """Ana has offered a card to Ben."""
    options = Options(leaning=leaning)
    return State(options, (), Phase.ANSWERING, turn=ANA.id, to=BEN.id)


@pytest.mark.parametrize(
    ("leaning", "place", "says"),
    [
        (Mapped.A_ACCEPTS, "A", commands.Accept()),
        (Mapped.A_ACCEPTS, "B", commands.Reject()),
        (Mapped.B_ACCEPTS, "A", commands.Reject()),
        (Mapped.B_ACCEPTS, "B", commands.Accept()),
    ],
)
def test_the_receiver_answers_by_leaning_as_the_host_mapped_the_couches(
    leaning: Mapped, place: str, says: commands.PlayerCommand
) -> None:
    assert lean(asked(leaning), Sensor("x", 4, place), (ANA, BEN)) == (BEN.id, says)


def test_nobody_answers_with_a_mat_that_is_anothers() -> None:
    state = asked(Mapped.A_ACCEPTS)
    assert lean(state, Sensor("x", 4, "A", owner=ANA.token), (ANA, BEN)) is None
    assert lean(state, Sensor("x", 4, "A", owner=BEN.token), (ANA, BEN)) is not None


def test_leaning_says_nothing_elsewhere_or_unmapped() -> None:
    assert lean(asked(Mapped.OFF), Sensor("x", 4, "A"), (ANA, BEN)) is None
    assert lean(asked(Mapped.A_ACCEPTS), Sensor("x", 4, "island"), (ANA, BEN)) is None


def test_a_game_without_leaning_takes_no_notice() -> None:
    evening = Evening("Ana", "Ben")
    evening.begin()
    assert evening.table.lean_on("A1") == Rejected("no-such-button")


class Floor(NoFloor):
    """Mats that a test presses."""

    def __init__(self) -> None:
        self.pressed: tuple[str, ...] = ()

    def now(self) -> FloorReading:
        return FloorReading(tuple((key, Reading.PRESSED) for key in self.pressed))

    def at(self, instant: float) -> FloorReading:
        return self.now()

    def close(self) -> None:
        pass


class TestWhatCountsAsLeaning:
    def test_a_press_that_is_held_counts_once(self) -> None:
        floor, clock = Floor(), FakeClock()
        leaned: list[str] = []
        leaning = Leaning(floor, clock, on_lean=leaned.append)
        floor.pressed = ("A1",)
        for _ in range(4):
            leaning.look()
            clock.turn(2 * HELD)
        assert leaned == ["A1"]

    def test_a_short_press_is_somebody_who_shifts(self) -> None:
        floor, clock = Floor(), FakeClock()
        leaned: list[str] = []
        leaning = Leaning(floor, clock, on_lean=leaned.append)
        floor.pressed = ("A1",)
        leaning.look()
        clock.turn(HELD / 2)
        floor.pressed = ()
        leaning.look()
        clock.turn(2 * HELD)
        leaning.look()
        assert leaned == []

    def test_who_sat_there_before_says_nothing_until_they_rose(self) -> None:
        floor, clock = Floor(), FakeClock()
        leaned: list[str] = []
        floor.pressed = ("A1",)
        leaning = Leaning(floor, clock, on_lean=leaned.append)
        clock.turn(2 * HELD)
        leaning.look()
        assert leaned == []
        floor.pressed = ()
        leaning.look()
        floor.pressed = ("A1",)
        leaning.look()
        clock.turn(2 * HELD)
        leaning.look()
        assert leaned == ["A1"]
