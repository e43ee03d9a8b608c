"""Listening to every pin that a mat may be on, on mock pins."""

import pytest
from gpiozero import DigitalOutputDevice
from gpiozero.pins.mock import MockFactory

from hardware.listening import Listening
from hardware.pins import mock_factory
from pi_gm.clock import FakeClock
from pi_gm.floor import Edge, Sensor
from pi_gm.room import Buzzer, Room
from pi_gm.teach import Pin

ROOM = Room("one", (Sensor("A1", 4, "A"),), buzzer=Buzzer(13))


@pytest.fixture
def pins() -> MockFactory:
    return mock_factory()


def test_a_step_is_heard_on_whatever_pin_it_comes(clock: FakeClock, pins: MockFactory) -> None:
    listening = Listening(ROOM, pins)
    clock.turn(1.0)
    pins.pin(20).drive_low()
    heard = listening.histories()
    assert heard["header:20"].edges == (Edge(clock.monotonic(), True),)
    assert heard["header:4"].edges == ()
    assert "header:13" not in heard, "what drives something is left alone"
    listening.close()


def test_a_pin_that_something_else_holds_is_left_out_and_told(clock: FakeClock, pins: MockFactory) -> None:
    lamp = DigitalOutputDevice(17, pin_factory=pins)
    listening = Listening(ROOM, pins)
    assert listening.deaf == (Pin("header", 17),)
    assert "header:17" not in listening.histories()
    listening.close()
    lamp.close()


def test_all_pins_are_free_again_afterwards(clock: FakeClock, pins: MockFactory) -> None:
    Listening(ROOM, pins).close()
    again = Listening(ROOM, pins)
    assert again.deaf == ()
    again.close()
