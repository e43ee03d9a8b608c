"""Mats on real gpiozero devices with mock pins: nothing that happens to them is missed or guessed."""

import gc
import logging
import threading
from collections.abc import Callable

import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory

from hardware.mats import Mats, PinUnavailable
from hardware.pins import MatPin, mock_factory
from pi_gm.clock import FakeClock, Seconds
from pi_gm.errors import PiGmError
from pi_gm.floor import Reading, Sensor
from pi_gm.room import Room

PRESSED, CLEAR, UNKNOWN = Reading.PRESSED, Reading.CLEAR, Reading.UNKNOWN

A1 = Sensor(key="A1", pin=4, place="A")
A2 = Sensor(key="A2", pin=5, place="A")
ROOM = Room("two mats", (A1, A2))
SETTLED = 0.2
"""Seconds after which an edge has proved that it holds."""


def nothing() -> None:
    pass


def opened(
    factory: MockFactory,
    *,
    on_change: Callable[[], None] = nothing,
    grace: Seconds = 0.0,
    stamp: Callable[[Seconds], Seconds] = lambda ticks: ticks,
    keep: int = 128,
) -> Mats:
    return Mats(ROOM, factory, on_change=on_change, grace=grace, stamp=stamp, keep=keep)


class DeafPin(MatPin):
    """A pin whose edges can get lost."""

    deaf = False

    def _call_when_changed(self) -> None:
        if not self.deaf:
            super()._call_when_changed()


class SlowPin(MatPin):
    """A pin that tells of an edge only after its new level was read, from a thread of its own."""

    untold = 0
    teller: threading.Thread | None = None

    def _call_when_changed(self) -> None:
        self.untold += 1

    def _get_state(self) -> bool:
        if self.untold:
            self.untold -= 1
            self.teller = threading.Thread(target=super()._call_when_changed, daemon=True)
            self.teller.start()
        return bool(super()._get_state())


class ListeningPin(MatPin):
    """A pin that listens for edges until it is told not to, even when it is closed: as those of lgpio are."""

    listening = False

    def _enable_event_detect(self) -> None:
        self.listening = True

    def _disable_event_detect(self) -> None:
        self.listening = False

    def close(self) -> None:
        pass


class BrokenPin(MatPin):
    """A pin that can stop answering, with an error of its library's own."""

    broken = False

    def _get_state(self) -> bool:
        if self.broken:
            raise RuntimeError("bad handle")
        return bool(super()._get_state())


class TestTheInstant:
    @pytest.mark.parametrize(("late", "reading"), [(0.0, PRESSED), (0.001, CLEAR)])
    def test_a_press_counts_up_to_the_instant_itself(
        self, clock: FakeClock, late: Seconds, reading: Reading
    ) -> None:
        factory = mock_factory()
        mats = opened(factory)
        clock.turn(10)
        instant = clock.monotonic()
        clock.turn(late)
        factory.pin(4).drive_low()
        clock.turn(SETTLED)
        assert mats.at(instant).of(A1) is reading
        assert mats.at(instant).of(A2) is CLEAR

    @pytest.mark.parametrize(("late", "reading"), [(0.0, CLEAR), (0.001, PRESSED)])
    def test_a_release_counts_up_to_the_instant_itself(
        self, clock: FakeClock, late: Seconds, reading: Reading
    ) -> None:
        factory = mock_factory()
        mats = opened(factory)
        factory.pin(4).drive_low()
        clock.turn(10)
        instant = clock.monotonic()
        clock.turn(late)
        factory.pin(4).drive_high()
        clock.turn(SETTLED)
        assert mats.at(instant).of(A1) is reading

    def test_it_may_be_asked_about_long_after(self, clock: FakeClock) -> None:
        factory = mock_factory()
        mats = opened(factory)
        factory.pin(4).drive_low()
        instant = clock.monotonic()
        for _ in range(10):
            clock.turn(10)
            factory.pin(4).drive_high()
            clock.turn(10)
            factory.pin(4).drive_low()
        assert mats.at(instant).of(A1) is PRESSED

    def test_one_that_is_yet_to_come_is_unknown(self, clock: FakeClock) -> None:
        assert opened(mock_factory()).at(clock.monotonic() + 1).of(A1) is UNKNOWN

    def test_one_from_before_the_mats_were_opened_is_unknown(self, clock: FakeClock) -> None:
        assert opened(mock_factory()).at(clock.monotonic() - 1).of(A1) is UNKNOWN

    def test_each_mat_is_judged_by_its_own_press_and_release_times(self, clock: FakeClock) -> None:
        quick = Sensor(key="quick", pin=4, place="A", press=0.01)
        slow = Sensor(key="slow", pin=5, place="A", press=1.0)
        factory = mock_factory()
        mats = Mats(Room("two", (quick, slow)), factory, on_change=nothing)
        clock.turn(10)
        instant = clock.monotonic()
        for pin in (4, 5):
            factory.pin(pin).drive_low()
        clock.turn(0.5)
        for pin in (4, 5):
            factory.pin(pin).drive_high()
        clock.turn(10)
        reading = mats.at(instant)
        assert (reading.of(quick), reading.of(slow)) == (PRESSED, CLEAR)

    def test_it_is_a_time_of_the_tables_clock_and_so_are_the_stamps(self, clock: FakeClock) -> None:
        factory = mock_factory()
        mats = opened(factory, stamp=lambda ticks: (ticks - 1000) * 10)
        clock.turn(1)
        factory.pin(4).drive_low()
        clock.turn(1)
        assert mats.at(9.9).of(A1) is CLEAR
        assert mats.at(10.0).of(A1) is PRESSED
        assert mats.at(20.0).of(A1) is PRESSED
        assert mats.at(20.1).of(A1) is UNKNOWN

    def test_only_the_last_edges_are_kept_and_before_them_nothing_is_known(self, clock: FakeClock) -> None:
        factory = mock_factory()
        mats = opened(factory, keep=4)
        start = clock.monotonic()
        for _ in range(5):
            clock.turn(1)
            factory.pin(4).drive_low()
            clock.turn(1)
            factory.pin(4).drive_high()
        assert [mats.at(start + second).of(A1) for second in range(11)] == [
            *[UNKNOWN] * 6,
            *[CLEAR, PRESSED, CLEAR, PRESSED, CLEAR],
        ]
        assert mats.at(start).of(A2) is CLEAR


class TestThisMoment:
    def test_it_is_the_level_noise_and_all(self, clock: FakeClock) -> None:
        factory = mock_factory()
        mats = opened(factory)
        factory.pin(4).drive_low()
        assert (mats.now().of(A1), mats.now().of(A2)) == (PRESSED, CLEAR)
        factory.pin(4).drive_high()
        assert mats.now().of(A1) is CLEAR

    def test_a_mat_that_was_stood_on_before_the_mats_were_opened_is_pressed(
        self, clock: FakeClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        factory = mock_factory()
        factory.pin(4).drive_low()
        mats = opened(factory)
        start = clock.monotonic()
        clock.turn(10)
        assert mats.now().of(A1) is PRESSED
        assert mats.at(start).of(A1) is PRESSED
        assert mats.at(clock.monotonic()).of(A1) is PRESSED
        assert not caplog.records


class TestEveryEdge:
    def test_every_edge_is_told_of(self, clock: FakeClock) -> None:
        told: list[Seconds] = []
        factory = mock_factory()
        mats = opened(factory, on_change=lambda: told.append(clock.monotonic()))
        factory.pin(4).drive_low()
        factory.pin(5).drive_low()
        clock.turn(1)
        factory.pin(4).drive_high()
        assert told == [1000.0, 1000.0, 1001.0]
        mats.close()

    def test_one_who_is_told_can_ask_for_the_floor(self, clock: FakeClock) -> None:
        seen: list[Reading] = []
        factory = mock_factory()
        mats = opened(factory, on_change=lambda: seen.append(mats.now().of(A1)))
        factory.pin(4).drive_low()
        assert seen == [PRESSED]

    def test_edges_are_still_heard_after_the_garbage_was_collected(self, clock: FakeClock) -> None:
        told: list[int] = []
        factory = mock_factory()
        mats = opened(factory, on_change=lambda: told.append(1))
        gc.collect()
        factory.pin(4).drive_low()
        assert told == [1]
        mats.close()

    def test_an_error_in_whoever_is_told_stays_away_from_the_pin_library(
        self, clock: FakeClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        def stumble() -> None:
            raise RuntimeError("stumbled")

        factory = mock_factory()
        mats = opened(factory, on_change=stumble)
        factory.pin(4).drive_low()
        clock.turn(SETTLED)
        assert mats.at(clock.monotonic()).of(A1) is PRESSED
        assert [record.levelname for record in caplog.records] == ["ERROR"]
        assert "A1 (GPIO 4)" in caplog.text
        assert "stumbled" in caplog.text

    def test_none_is_missed_while_several_threads_press_and_others_ask(self) -> None:
        factory = mock_factory()
        told: list[int] = []
        mats = Mats(ROOM, factory, on_change=lambda: told.append(1), grace=10)

        def walk(pin: MatPin) -> None:
            for _ in range(300):
                pin.drive_low()
                pin.drive_high()
            pin.drive_low()

        walkers = [threading.Thread(target=walk, args=(factory.pin(pin),)) for pin in (4, 5)]
        for walker in walkers:
            walker.start()
        while any(walker.is_alive() for walker in walkers):
            mats.at(factory.ticks())
            mats.now()
        assert len(told) == 2 * 601
        assert {reading for _, reading in mats.now().readings} == {PRESSED}


class TestALostEdge:
    @pytest.fixture
    def factory(self) -> MockFactory:
        return MockFactory(pin_class=DeafPin)

    def press_unheard(self, factory: MockFactory) -> None:
        factory.pin(4).deaf = True
        factory.pin(4).drive_low()
        factory.pin(4).deaf = False

    def test_the_instant_is_unknown_if_it_may_have_been_before_it(
        self, clock: FakeClock, factory: MockFactory
    ) -> None:
        mats = opened(factory)
        clock.turn(10)
        instant = clock.monotonic()
        self.press_unheard(factory)
        clock.turn(SETTLED)
        reading = mats.at(instant)
        assert (reading.of(A1), reading.of(A2)) == (UNKNOWN, CLEAR)

    def test_the_instant_is_known_if_a_look_after_it_still_agreed(
        self, clock: FakeClock, factory: MockFactory
    ) -> None:
        mats = opened(factory)
        clock.turn(10)
        instant = clock.monotonic()
        mats.now()
        self.press_unheard(factory)
        clock.turn(SETTLED)
        assert mats.at(instant).of(A1) is CLEAR
        assert mats.at(instant).of(A1) is CLEAR

    def test_from_then_on_the_level_is_trusted(self, clock: FakeClock, factory: MockFactory) -> None:
        mats = opened(factory)
        self.press_unheard(factory)
        mats.at(clock.monotonic())
        clock.turn(10)
        instant = clock.monotonic()
        assert mats.at(instant).of(A1) is PRESSED
        factory.pin(4).drive_high()
        clock.turn(SETTLED)
        assert mats.at(clock.monotonic()).of(A1) is CLEAR

    def test_a_lost_release_leaves_nobody_stuck(self, clock: FakeClock, factory: MockFactory) -> None:
        mats = opened(factory)
        factory.pin(4).drive_low()
        clock.turn(10)
        mats.now()
        factory.pin(4).deaf = True
        factory.pin(4).drive_high()
        factory.pin(4).deaf = False
        for _ in range(2):
            mats.now()
            clock.turn(0.1)
        mats.now()
        assert mats.at(clock.monotonic()).of(A1) is CLEAR

    def test_it_is_logged_once_with_the_name_of_the_sensor(
        self, clock: FakeClock, factory: MockFactory, caplog: pytest.LogCaptureFixture
    ) -> None:
        mats = opened(factory)
        self.press_unheard(factory)
        for _ in range(3):
            clock.turn(1)
            mats.at(clock.monotonic())
        assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
            (logging.WARNING, "A1 (GPIO 4) is pressed, and no edge said so: one was lost")
        ]

    def test_live_looks_find_it_before_the_buzzer_does(
        self, clock: FakeClock, factory: MockFactory, caplog: pytest.LogCaptureFixture
    ) -> None:
        mats = opened(factory, grace=0.5)
        self.press_unheard(factory)
        mats.now()
        clock.turn(0.25)
        assert mats.now().of(A1) is PRESSED
        assert not caplog.records
        clock.turn(0.25)
        mats.now()
        assert len(caplog.records) == 1
        clock.turn(1)
        assert mats.at(clock.monotonic()).of(A1) is PRESSED

    def test_one_that_is_only_on_its_way_is_waited_for(
        self, clock: FakeClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        factory = MockFactory(pin_class=SlowPin)
        mats = opened(factory, grace=10)
        clock.turn(10)
        instant = clock.monotonic()
        factory.pin(4).drive_low()
        clock.turn(SETTLED)
        assert mats.at(instant - 0.001).of(A1) is CLEAR
        assert mats.at(instant).of(A1) is PRESSED
        assert not caplog.records
        factory.pin(4).teller.join(10)


class TestAPinThatCannotBeRead:
    @pytest.fixture
    def factory(self) -> MockFactory:
        return MockFactory(pin_class=BrokenPin)

    def test_its_mat_is_unknown_and_the_others_are_not(self, clock: FakeClock, factory: MockFactory) -> None:
        mats = opened(factory)
        factory.pin(4).broken = True
        clock.turn(10)
        for reading in (mats.now(), mats.at(clock.monotonic())):
            assert (reading.of(A1), reading.of(A2)) == (UNKNOWN, CLEAR)

    def test_that_is_logged_once(
        self, clock: FakeClock, factory: MockFactory, caplog: pytest.LogCaptureFixture
    ) -> None:
        mats = opened(factory)
        factory.pin(4).broken = True
        for _ in range(3):
            mats.now()
        assert [record.getMessage() for record in caplog.records] == ["A1 (GPIO 4) cannot be read"]

    def test_once_it_can_be_read_again_it_is_known_again(
        self, clock: FakeClock, factory: MockFactory
    ) -> None:
        mats = opened(factory)
        factory.pin(4).broken = True
        mats.now()
        factory.pin(4).broken = False
        assert mats.now().of(A1) is CLEAR
        assert mats.at(clock.monotonic()).of(A1) is CLEAR


class TestAPinThatCannotBeOpened:
    def test_the_error_names_the_sensor_the_pin_the_reason_and_the_cure(self) -> None:
        factory = mock_factory()
        with DigitalInputDevice(5, pin_factory=factory), pytest.raises(PinUnavailable) as raised:
            opened(factory)
        assert isinstance(raised.value, PiGmError)
        assert isinstance(raised.value, OSError)
        for part in ("A2", "GPIO 5", "already in use", "Stop whatever else uses it", "to another pin"):
            assert part in str(raised.value)

    def test_an_error_of_the_pin_library_while_it_is_opened_is_told_the_same_way(self) -> None:
        factory = MockFactory(pin_class=BrokenPin)
        factory.pin(5).broken = True
        with pytest.raises(PinUnavailable, match="A2, GPIO 5, cannot be opened: bad handle"):
            opened(factory)

    def test_no_pin_is_left_open(self) -> None:
        factory = MockFactory(pin_class=BrokenPin)
        factory.pin(5).broken = True
        with pytest.raises(PinUnavailable) as raised:
            opened(factory)
        factory.pin(5).broken = False
        mats = opened(factory)
        assert mats.now().of(A2) is CLEAR
        # Held until now: without the error, the garbage collector would have closed the pins.
        assert raised.value is not None


class TestClosing:
    def test_the_pins_are_free_and_mats_can_be_opened_again_as_they_are(self, clock: FakeClock) -> None:
        factory = mock_factory()
        first = opened(factory)
        factory.pin(4).drive_low()
        first.close()
        second = opened(factory)
        assert second.now().of(A1) is PRESSED

    def test_no_pin_is_left_listening_for_edges(self) -> None:
        factory = MockFactory(pin_class=ListeningPin)
        mats = opened(factory)
        assert factory.pin(4).listening
        mats.close()
        assert not factory.pin(4).listening

    def test_nobody_is_told_of_anything_after(self, clock: FakeClock) -> None:
        told: list[int] = []
        factory = mock_factory()
        mats = opened(factory, on_change=lambda: told.append(1))
        mats.close()
        factory.pin(4).drive_low()
        assert told == []


def test_the_reading_of_a_buzzer_comes_with_the_seconds_that_led_to_it(clock: FakeClock) -> None:
    factory = mock_factory()
    mats = opened(factory)
    clock.turn(10)
    factory.pin(4).drive_low()
    clock.turn(1.5)
    instant = clock.monotonic()
    clock.turn(0.4)
    strips = {strip.key: strip for strip in mats.at(instant).strips}
    assert strips["A1"].presses == ((-1.5, 0.4),)
    assert strips["A2"].presses == ()
