"""What is wrong with a mat is said, is unknown to the ruling, and can be left out for tonight."""

from collections.abc import Sequence

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.health import LONGEST_SIT
from hardware.mats import Mats
from hardware.pins import MatPin, mock_factory, mock_pins
from pi_gm.clock import FakeClock, Seconds
from pi_gm.floor import FloorHealth, NoFloor, Normally, Reading, Sensor, SensorReport, Trouble
from pi_gm.room import Chip, Room

PRESSED, CLEAR, UNKNOWN, IGNORED = Reading.PRESSED, Reading.CLEAR, Reading.UNKNOWN, Reading.IGNORED

A1 = Sensor("A1", 4, "A")
A2 = Sensor("A2", 5, "A")
ROOM = Room("two mats", (A1, A2))
SETTLED = 0.2


def opened(factory: MockFactory, room: Room = ROOM) -> Mats:
    return Mats(room, factory, on_change=lambda: None, grace=0.0)


def reports(mats: FloorHealth) -> dict[str, SensorReport]:
    return {report.key: report for report in mats.report()}


def troubles(mats: FloorHealth) -> dict[str, Trouble]:
    return {report.key: report.trouble for report in mats.report() if report.trouble is not None}


def chatter(pin: MatPin, clock: FakeClock, *, times: int, every: Seconds) -> None:
    for _ in range(times):
        pin.drive_low()
        clock.turn(every / 2)
        pin.drive_high()
        clock.turn(every / 2)


def step(pin: MatPin, clock: FakeClock, *, bounces: int = 15) -> None:
    """A step onto a mat that bounces badly, and off it again."""
    chatter(pin, clock, times=bounces, every=0.002)
    pin.drive_low()
    clock.turn(1.0)
    chatter(pin, clock, times=bounces, every=0.002)


class TestNoise:
    def test_a_mat_that_changes_more_often_than_anybody_can_move_is_noisy_and_unknown(
        self, clock: FakeClock
    ) -> None:
        factory = mock_factory()
        mats = opened(factory)
        chatter(factory.pin(4), clock, times=90, every=0.08)
        assert troubles(mats) == {"A1": Trouble.NOISY}
        instant = clock.monotonic()
        clock.turn(SETTLED)
        assert (mats.at(instant).of(A1), mats.at(instant).of(A2)) == (UNKNOWN, CLEAR)

    def test_once_it_is_calm_it_counts_again(self, clock: FakeClock) -> None:
        factory = mock_factory()
        mats = opened(factory)
        chatter(factory.pin(4), clock, times=90, every=0.08)
        clock.turn(7)
        assert troubles(mats) == {}
        assert mats.at(clock.monotonic()).of(A1) is CLEAR

    def test_steps_on_mats_that_bounce_badly_are_no_noise(self, clock: FakeClock) -> None:
        factory = mock_factory()
        mats = opened(factory)
        for _ in range(3):
            step(factory.pin(4), clock)
            assert troubles(mats) == {}
            clock.turn(3)

    def test_how_often_it_changed_in_the_last_minute_is_told(self, clock: FakeClock) -> None:
        factory = mock_factory()
        mats = opened(factory)
        chatter(factory.pin(4), clock, times=20, every=2)
        assert (reports(mats)["A1"].edges_a_minute, reports(mats)["A2"].edges_a_minute) == (40, 0)
        clock.turn(62)
        assert reports(mats)["A1"].edges_a_minute == 0


class TestStuck:
    def test_what_is_pressed_when_nobody_is_on_anything_is_stuck_and_unknown_until_it_lets_go(
        self, clock: FakeClock
    ) -> None:
        factory = mock_factory()
        mats = opened(factory)
        factory.pin(4).drive_low()
        clock.turn(1)
        assert mats.nobody_is_on_anything() == ("A1",)
        assert troubles(mats) == {"A1": Trouble.STUCK}
        assert (mats.at(clock.monotonic()).of(A1), mats.at(clock.monotonic()).of(A2)) == (UNKNOWN, CLEAR)
        factory.pin(4).drive_high()
        clock.turn(SETTLED)
        assert troubles(mats) == {}
        factory.pin(4).drive_low()
        clock.turn(SETTLED)
        assert mats.at(clock.monotonic()).of(A1) is PRESSED

    @pytest.mark.parametrize(("longer", "expected"), [(-1.0, {}), (1.0, {"A1": Trouble.STUCK})])
    def test_nobody_sits_as_long_as_a_cushion(
        self, clock: FakeClock, longer: Seconds, expected: dict[str, Trouble]
    ) -> None:
        factory = mock_factory()
        mats = opened(factory)
        factory.pin(4).drive_low()
        clock.turn(LONGEST_SIT + longer)
        assert troubles(mats) == expected

    def test_nor_on_a_mat_that_was_pressed_from_the_start(self, clock: FakeClock) -> None:
        factory = mock_factory()
        factory.pin(4).drive_low()
        mats = opened(factory)
        clock.turn(LONGEST_SIT + 1)
        assert troubles(mats) == {"A1": Trouble.STUCK}

    def test_a_mat_that_is_free_all_night_is_no_trouble(self, clock: FakeClock) -> None:
        mats = opened(mock_factory())
        clock.turn(LONGEST_SIT * 4)
        assert troubles(mats) == {}
        assert reports(mats)["A1"].last_change is None


class BrokenPin(MatPin):
    broken = False

    def _get_state(self) -> bool:
        if self.broken:
            raise RuntimeError("bad handle")
        return bool(super()._get_state())


class DeafFactory(MockFactory):  # type: ignore[misc]
    is_listening = True


class TestSilence:
    def test_a_pin_that_cannot_be_read_is_silent(self, clock: FakeClock) -> None:
        factory = MockFactory(pin_class=BrokenPin)
        mats = opened(factory)
        factory.pin(4).broken = True
        assert troubles(mats) == {"A1": Trouble.SILENT}
        factory.pin(4).broken = False
        assert troubles(mats) == {}

    def test_when_the_pin_library_no_longer_hands_on_edges_all_are(self, clock: FakeClock) -> None:
        factory = DeafFactory(pin_class=MatPin)
        mats = opened(factory)
        factory.is_listening = False
        assert troubles(mats) == {"A1": Trouble.SILENT, "A2": Trouble.SILENT}
        assert mats.at(clock.monotonic()).of(A1) is UNKNOWN


def test_a_room_without_sensors_has_nothing_to_report() -> None:
    assert (NoFloor().report(), NoFloor().nobody_is_on_anything()) == ((), ())


class TestNormallyClosed:
    room = Room("alarm contacts", (Sensor("A1", 4, "A", normally=Normally.CLOSED), A2))

    def test_it_is_pressed_while_its_contact_is_open(self, clock: FakeClock) -> None:
        factory = mock_factory()
        factory.pin(4).drive_low()
        mats = opened(factory, self.room)
        assert [mats.now().of(sensor) for sensor in self.room.sensors] == [CLEAR, CLEAR]
        clock.turn(1)
        instant = clock.monotonic()
        factory.pin(4).drive_high()
        clock.turn(SETTLED)
        assert mats.at(instant - 0.5).of(A1) is CLEAR
        assert mats.at(instant).of(A1) is PRESSED
        assert mats.now().of(A1) is PRESSED

    def test_a_broken_wire_looks_like_somebody_and_is_found_when_nobody_is_on_anything(
        self, clock: FakeClock
    ) -> None:
        mats = opened(mock_factory(), self.room)
        assert mats.nobody_is_on_anything() == ("A1",)


def test_mats_on_two_chips_may_have_the_same_pin_numbers(clock: FakeClock) -> None:
    far = Sensor("far", 4, "B", chip="expander")
    room = Room("two chips", (A1, far), chips=(Chip("expander", label="mcp23017"),))
    pins = mock_pins(room)
    mats = Mats(room, pins, on_change=lambda: None)
    pins["expander"].pin(4).drive_low()
    assert read(mats, (A1, far)) == [CLEAR, PRESSED]


def read(mats: Mats, sensors: Sequence[Sensor]) -> list[Reading]:
    return [mats.now().of(sensor) for sensor in sensors]


def test_the_edges_before_an_instant_can_be_shown(clock: FakeClock) -> None:
    factory = mock_factory()
    mats = opened(factory)
    clock.turn(5)
    factory.pin(4).drive_low()
    clock.turn(1)
    known = dict(mats.histories(clock.monotonic()))
    assert [(edge.at, edge.pressed) for edge in known["A1"].edges] == [(1005.0, True)]
    assert known["A2"].edges == ()
