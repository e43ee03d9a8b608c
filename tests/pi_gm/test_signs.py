"""The lamps and the buzzer of a room: steady, then blinking, then dark; and a buzzer at the buzzer's instant."""

import threading
from collections.abc import Mapping

import pytest

from pi_gm import night as nights
from pi_gm.clock import Seconds
from pi_gm.games import Page
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.signalling import Signalling
from pi_gm.signs import BUZZ, Boarding, LampSign, changes_at, lamps_at
from tests.pi_gm.evening import Evening

STEADY, BLINKING = LampSign.STEADY, LampSign.BLINKING
OPEN = Boarding(("A", "B"), ends_at=100.0)


class TestLamps:
    def test_all_are_dark_while_nothing_is_open_to_board(self) -> None:
        assert lamps_at(0.0, None) == {}

    @pytest.mark.parametrize(
        ("now", "sign"),
        [(50.0, STEADY), (89.9, STEADY), (90.0, BLINKING), (99.9, BLINKING), (101.0, BLINKING)],
    )
    def test_they_blink_in_the_last_ten_seconds(self, now: Seconds, sign: LampSign) -> None:
        assert lamps_at(now, OPEN) == {"A": sign, "B": sign}

    def test_they_are_steady_where_no_time_runs_yet(self) -> None:
        assert lamps_at(50.0, Boarding(("A",), None)) == {"A": STEADY}

    @pytest.mark.parametrize(
        ("boarding", "due"), [(OPEN, 90.0), (None, None), (Boarding(("A",), None), None)]
    )
    def test_one_knows_when_to_look_again(self, boarding: Boarding | None, due: Seconds | None) -> None:
        assert changes_at(50.0, boarding) == due

    def test_once_they_blink_nothing_is_due(self) -> None:
        assert changes_at(90.0, OPEN) is None


class Room:
    """Lamps and a buzzer that remember what they did."""

    def __init__(self) -> None:
        self.lamps: Mapping[str, LampSign] = {}
        self.sounded: list[Seconds] = []
        self.shown = threading.Semaphore(0)

    def show(self, lamps: Mapping[str, LampSign]) -> None:
        self.lamps = dict(lamps)
        self.shown.release()

    def sound(self, seconds: Seconds) -> None:
        self.sounded.append(seconds)

    def close(self) -> None:
        pass


class Played:
    def __init__(self) -> None:
        self.evening = Evening("Ana", "Ben")
        self.room = Room()
        self.signalling = Signalling(self.evening.table, self.room, self.evening.clock)

    def look(self) -> Seconds | None:
        return self.signalling.look()

    def board(self) -> None:
        self.evening.begin()
        self.evening.pick(Ana=Animal.DOG, Ben=Animal.CAT)
        self.evening.host(commands.OpenBoarding())


class TestARound:
    def test_the_lamps_of_the_rafts_follow_the_boarding(self) -> None:
        played = Played()
        played.look()
        assert played.room.lamps == {}
        played.board()
        assert played.look() == pytest.approx(20.0)
        assert played.room.lamps == {"A": STEADY, "B": STEADY}
        played.evening.pass_time(20.5)
        assert played.look() is None
        assert played.room.lamps == {"A": BLINKING, "B": BLINKING}
        played.evening.pass_time(10)
        played.look()
        assert played.room.lamps == {}

    def test_more_time_makes_them_steady_again(self) -> None:
        played = Played()
        played.board()
        played.evening.pass_time(25)
        played.evening.host(commands.AddTime(30))
        played.look()
        assert played.room.lamps == {"A": STEADY, "B": STEADY}

    def test_in_a_pause_nothing_is_due(self) -> None:
        played = Played()
        played.board()
        played.evening.host(nights.Pause("snacks"))
        assert played.look() is None

    def test_the_lamps_never_tell_a_result(self) -> None:
        played = Played()
        played.board()
        played.evening.pass_time(31)
        played.evening.host(commands.SettleRound())
        played.look()
        assert played.room.lamps == {}

    def test_every_page_may_know_what_they_show(self) -> None:
        played = Played()
        played.board()
        assert {played.evening.on(page).boarding for page in (Page.HOST, Page.TV, Page.BOOTH)} == {
            Boarding(("A", "B"), 30.0)
        }


class TestTheBuzzer:
    def test_it_sounds_once_when_boarding_ends(self) -> None:
        played = Played()
        played.board()
        played.look()
        played.evening.host(commands.SoundBuzzer())
        played.look()
        played.look()
        assert played.room.sounded == [BUZZ]

    def test_not_in_quiet_mode(self) -> None:
        played = Played()
        played.board()
        played.evening.host(nights.SetQuiet(on=True), commands.SoundBuzzer())
        played.look()
        assert played.room.sounded == []

    def test_not_when_it_is_late(self) -> None:
        played = Played()
        played.board()
        played.evening.host(commands.SoundBuzzer())
        played.evening.clock.turn(2)
        played.look()
        assert played.room.sounded == []

    def test_not_for_a_boarding_that_ended_before_the_power_went(self) -> None:
        played = Played()
        played.board()
        played.evening.host(commands.SoundBuzzer())
        played.evening.power_cut()
        Signalling(played.evening.table, played.room, played.evening.clock).look()
        assert played.room.sounded == []


def test_it_follows_by_itself_and_goes_on_when_a_lamp_fails(caplog: pytest.LogCaptureFixture) -> None:
    class Failing(Room):
        def show(self, lamps: Mapping[str, LampSign]) -> None:
            super().show(lamps)
            if not lamps:
                raise OSError("the pin is gone")

    played = Played()
    played.room = Failing()
    played.signalling = Signalling(played.evening.table, played.room, played.evening.clock)
    played.evening.table.subscribe(played.signalling.wake)
    played.signalling.start()
    assert played.room.shown.acquire(timeout=10)
    played.board()
    while not played.room.lamps:
        assert played.room.shown.acquire(timeout=10)
    played.signalling.stop()
    assert "could not follow the game" in caplog.text
