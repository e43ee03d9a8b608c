"""Buzzer and lamps: what they were told, at the time, and nothing after the end."""

import threading
from collections.abc import Iterable

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.mats import PinUnavailable
from hardware.outputs import BLINK, Outputs
from hardware.pins import MatPin, mock_factory
from pi_gm.clock import FakeClock
from pi_gm.room import Buzzer, BuzzerKind, Lamp, Room
from pi_gm.signs import LampSign, NoSigns, Signs

ROOM = Room("signs", lamps=(Lamp("A", 12), Lamp("B", 27)), buzzer=Buzzer(13))
PASSIVE = Room("tone", buzzer=Buzzer(13, BuzzerKind.PASSIVE))
STEADY, BLINKING, OFF = LampSign.STEADY, LampSign.BLINKING, LampSign.OFF


def on(factory: MockFactory, pins: Iterable[int] = (12, 27, 13)) -> list[int]:
    """Which pins are driven high."""
    return [pin for pin in pins if factory.pin(pin).function == "output" and factory.pin(pin).state]


class HistoryPin(MatPin):
    """A pin that remembers whether it was ever high while it was an output."""

    was_high = False

    def _change_state(self, value: float) -> bool:
        self.was_high = self.was_high or (self.function == "output" and bool(value))
        return bool(super()._change_state(value))


def test_at_first_nothing_lights_or_sounds_not_even_for_an_instant(clock: FakeClock) -> None:
    for room in (ROOM, PASSIVE):
        factory = MockFactory(pin_class=HistoryPin)
        outputs = Outputs(room, factory, clock)
        assert on(factory) == []
        outputs.close()
        assert not factory.pin(13).was_high


class TestLamps:
    def test_each_shows_its_own_sign(self, clock: FakeClock) -> None:
        factory = mock_factory()
        outputs = Outputs(ROOM, factory, clock)
        outputs.show({"A": STEADY, "B": OFF})
        assert on(factory) == [12]
        outputs.show({"B": STEADY})
        assert on(factory) == [27]

    def test_a_blinking_one_begins_lit_and_changes_with_each_beat(self, clock: FakeClock) -> None:
        factory = mock_factory()
        outputs = Outputs(ROOM, factory, clock)
        outputs.show({"A": BLINKING, "B": STEADY})
        seen = []
        for _ in range(4):
            seen.append(on(factory))
            clock.turn(BLINK)
            outputs.time_passed()
        assert seen == [[12, 27], [27], [12, 27], [27]]

    def test_one_that_is_told_to_blink_again_does_not_miss_a_beat(self, clock: FakeClock) -> None:
        factory = mock_factory()
        outputs = Outputs(ROOM, factory, clock)
        outputs.show({"A": BLINKING})
        clock.turn(BLINK * 1.5)
        outputs.show({"A": BLINKING})
        assert on(factory) == []

    def test_a_raft_without_a_lamp_is_no_mistake(self, clock: FakeClock) -> None:
        factory = mock_factory()
        outputs = Outputs(ROOM, factory, clock)
        outputs.show({"C": STEADY})
        assert on(factory) == []


class TestBuzzer:
    @pytest.mark.parametrize("room", [ROOM, PASSIVE], ids=["active", "passive"])
    def test_it_sounds_for_as_long_as_it_is_told(self, clock: FakeClock, room: Room) -> None:
        factory = mock_factory()
        outputs = Outputs(room, factory, clock)
        outputs.sound(1.5)
        assert on(factory) == [13]
        clock.turn(1.4)
        outputs.time_passed()
        assert on(factory) == [13]
        clock.turn(0.1)
        outputs.time_passed()
        assert on(factory) == []

    def test_a_passive_one_gets_a_tone_and_no_steady_voltage(self, clock: FakeClock) -> None:
        factory = mock_factory()
        outputs = Outputs(PASSIVE, factory, clock)
        outputs.sound(1)
        assert factory.pin(13).frequency == 2000
        assert factory.pin(13).state == 0.5

    def test_lamps_do_not_end_it(self, clock: FakeClock) -> None:
        factory = mock_factory()
        outputs = Outputs(ROOM, factory, clock)
        outputs.sound(1)
        outputs.show({"A": OFF})
        assert on(factory) == [13]


class TestItsThread:
    def changes(
        self, outputs: Outputs, factory: MockFactory, clock: FakeClock, pin: int, to: list[int]
    ) -> bool:
        """Turn the clock by a little until ``pin`` is as in ``to``."""
        for _ in range(1000):
            if on(factory, [pin]) == to:
                return True
            clock.turn(0.01)
            threading.Event().wait(0.001)
        return False

    def test_it_blinks_and_falls_silent_by_itself(self, clock: FakeClock) -> None:
        factory = mock_factory()
        outputs = Outputs(ROOM, factory, clock)
        outputs.start()
        outputs.show({"A": BLINKING})
        outputs.sound(1)
        for pin, to in ((12, []), (12, [12]), (12, []), (13, [])):
            assert self.changes(outputs, factory, clock, pin, to)
        outputs.close()

    def test_the_end_is_silent_and_dark_even_in_the_middle_of_a_sound(self, clock: FakeClock) -> None:
        factory = mock_factory()
        outputs = Outputs(ROOM, factory, clock)
        outputs.start()
        outputs.show({"A": STEADY, "B": BLINKING})
        outputs.sound(60)
        assert on(factory) == [12, 27, 13]
        outputs.close()
        assert on(factory) == []


class TestTheEnd:
    @pytest.mark.parametrize("make", [NoSigns, lambda: Outputs(ROOM, mock_factory(), FakeClock())])
    def test_after_it_nothing_happens_any_more(self, make: type[NoSigns]) -> None:
        signs: Signs = make()
        signs.close()
        signs.close()
        signs.show({"A": STEADY})
        signs.sound(1)

    def test_the_pins_are_free(self, clock: FakeClock) -> None:
        factory = mock_factory()
        Outputs(ROOM, factory, clock).close()
        Outputs(ROOM, factory, clock)


class BusyPin(MatPin):
    def _set_function(self, value: str) -> None:
        if value == "output" and self.info.name == "GPIO13":
            raise RuntimeError("GPIO busy")
        super()._set_function(value)


def test_a_pin_that_cannot_be_opened_is_named_and_no_lamp_stays_open(clock: FakeClock) -> None:
    factory = MockFactory(pin_class=BusyPin)
    for _ in range(2):
        with pytest.raises(PinUnavailable, match="the buzzer, GPIO 13, cannot be opened: GPIO busy"):
            Outputs(ROOM, factory, clock)
