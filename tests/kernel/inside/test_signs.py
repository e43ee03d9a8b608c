"""Buzzer, lamps and buttons on lines of a real chip: what is driven, and that it ends with the program."""

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from hardware.buttons import AnyButton, Buttons
from hardware.outputs import BLINK, Outputs
from hardware.pins import Pins, open_pins
from pi_gm.clock import RealClock
from pi_gm.room import Answer, Buzzer, DecisionButton, Lamp, Room, StartButton
from pi_gm.signs import LampSign
from tests.kernel.simchip import SimChip

ROOM = Room(
    "signs",
    lamps=(Lamp("A", 12), Lamp("B", 27)),
    buzzer=Buzzer(13),
    start=StartButton(26),
    decisions=(DecisionButton(1, Answer.ACCEPT, 5), DecisionButton(1, Answer.REJECT, 6)),
)

SOUND_AND_STOP = """
import sys
from hardware.outputs import Outputs
from hardware.pins import open_pins
from pi_gm.clock import RealClock
from pi_gm.signs import LampSign
from tests.kernel.inside.test_signs import ROOM
outputs = Outputs(ROOM, open_pins(ROOM), RealClock())
outputs.start()
outputs.show({"A": LampSign.STEADY})
outputs.sound(60)
raise SystemExit("something went wrong")
"""


@pytest.fixture
def pins(header: SimChip) -> Iterator[Pins]:
    opened = open_pins(ROOM)
    yield opened
    opened.close()


def lit(header: SimChip) -> list[int]:
    return [pin for pin in (12, 27, 13) if header.value(pin)]


def test_the_buzzer_sounds_and_ends_and_lamps_blink(header: SimChip, pins: Pins) -> None:
    outputs = Outputs(ROOM, pins, RealClock())
    outputs.start()
    assert lit(header) == []
    outputs.show({"A": LampSign.STEADY, "B": LampSign.BLINKING})
    outputs.sound(1.0)
    time.sleep(BLINK / 2)
    seen = []
    for _ in range(6):
        seen.append(lit(header))
        time.sleep(BLINK)
    assert seen == [[12, 27, 13], [12, 13], [12, 27, 13], [12, 13], [12, 27], [12]]
    outputs.sound(60)
    outputs.close()
    assert lit(header) == []


def test_a_program_that_ends_by_an_error_leaves_nothing_sounding(header: SimChip) -> None:
    done = subprocess.run([sys.executable, "-c", SOUND_AND_STOP], capture_output=True, text=True, check=False)
    assert "something went wrong" in done.stderr
    assert lit(header) == []


def test_each_press_of_a_button_is_acted_on_once(header: SimChip, pins: Pins) -> None:
    acts: list[AnyButton] = []
    buttons = Buttons(ROOM, pins, RealClock(), on_press=acts.append)
    buttons.start()
    for pin in (26, 6, 5, 26):
        for bounce in (0.002, 0.003, 0.2):
            header.press(pin)
            time.sleep(bounce)
            header.release(pin)
            time.sleep(0.002)
        time.sleep(0.2)
    buttons.close()
    assert ROOM.start is not None
    accept, reject = ROOM.decisions
    assert acts == [ROOM.start, reject, accept, ROOM.start]
