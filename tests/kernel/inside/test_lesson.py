"""A room of eighteen mats is taught on real pins: wires in any order, one of the other kind, one that chatters, one cut."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from hardware.listening import Listening
from hardware.pins import open_pins
from pi_gm.clock import RealClock, Seconds
from pi_gm.floor import Normally
from pi_gm.lesson import LISTENS_EVERY, Lesson
from pi_gm.rooms import own_mats
from pi_gm.settings import read_room
from pi_gm.teach import HOLDS, Step
from tests.kernel.inside.conftest import HEADER_LINES
from tests.kernel.simchip import SimChip

ROOM = own_mats()
WALK: Seconds = 9.0
CUT, OPENS, CHATTERS = "A3", "B2", "I4"
GAP: Seconds = 0.2


@pytest.fixture
def header() -> Iterator[SimChip]:
    with SimChip("header", lines=HEADER_LINES, label="pinctrl-bcm2711", hogs={2: "i2c"}) as chip:
        yield chip


def press(chip: SimChip, key: str, pin: int) -> None:
    """Somebody steps on a mat."""
    if key == CUT:
        return
    if key == OPENS:
        chip.release(pin)
        return
    chip.press(pin)
    if key == CHATTERS:
        time.sleep(0.05)
        chip.release(pin)
        time.sleep(GAP)
        chip.press(pin)


def test_eighteen_mats_in_less_than_five_minutes(header: SimChip, tmp_path: Path) -> None:
    wires = [sensor.pin for sensor in ROOM.sensors]
    Random(7).shuffle(wires)
    pin_of = dict(zip((sensor.key for sensor in ROOM.sensors), wires, strict=True))
    began = time.monotonic()
    with closing(open_pins(ROOM)) as pins, closing(Listening(ROOM, pins)) as ears:
        lesson = Lesson(ROOM, ears, RealClock(), into=tmp_path / "room.toml")
        assert [pin.pin for pin in ears.deaf] == [2]
        # The simulator forgets what pulls a line when a program opens it, so not before that.
        header.press(pin_of[OPENS])
        time.sleep(WALK)
        lesson.everybody_is_off()
        if lesson.view().step is Step.STUCK:
            lesson.leave_stuck()
        for key, pin in pin_of.items():
            time.sleep(WALK)
            press(header, key, pin)
            stood = time.monotonic()
            while lesson.view().turn == key and time.monotonic() - stood < 2 * HOLDS:
                time.sleep(LISTENS_EVERY)
                lesson.listen()
            if key == CUT:
                lesson.nothing_happens(key)
            elif key == OPENS:
                header.press(pin)
            else:
                header.release(pin)
        assert lesson.view().step is Step.DONE
        lesson.finish()
    assert time.monotonic() - began < 5 * 60
    taught = {sensor.key: sensor for sensor in read_room(tmp_path / "room.toml").room.sensors}
    assert {key: sensor.pin for key, sensor in taught.items()} == pin_of
    assert [key for key, sensor in taught.items() if sensor.normally is Normally.CLOSED] == [OPENS]
    assert taught[CHATTERS].release == pytest.approx(2 * GAP, abs=0.05)
