"""Eighteen mats move around each of sixty buzzers while the processor has no time: every reading must be right."""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from hardware.mats import Mats
from hardware.pins import open_pins
from pi_gm.clock import Seconds
from pi_gm.floor import Edge, History, Reading, reading_at
from pi_gm.rooms import own_mats
from tests.kernel.simchip import SimChip

BUZZERS = 60
BETWEEN: Seconds = 0.4
AROUND: Seconds = 0.04
"""Up to so long before and after a buzzer everybody jumps on or off."""
SETTLE: Seconds = 0.2
CANNOT_TELL: Seconds = 0.001
"""The simulator stamps an edge up to a tick after it was told to make it."""
ROOM = own_mats()
BURNERS = 3


@pytest.fixture
def load() -> Iterator[None]:
    """Programs that take whatever time there is."""
    burners = []
    for _ in range(BURNERS):
        child = os.fork()
        if child == 0:
            while True:
                pass
        burners.append(child)
    yield
    for burner in burners:
        os.kill(burner, signal.SIGKILL)
        os.waitpid(burner, 0)


def moves_from(start: Seconds) -> list[tuple[Seconds, int, bool]]:
    """When which pin is pressed or let go: nearly every mat changes close to every buzzer."""
    random = Random(6)
    moves = []
    for sensor in ROOM.sensors:
        pressed = False
        for number in range(BUZZERS):
            if random.random() < 0.85:
                pressed = not pressed
                at = start + number * BETWEEN + random.uniform(-AROUND, AROUND)
                moves.append((at, sensor.pin, pressed))
    return sorted(moves)


def move_all(chip: SimChip, moves: Sequence[tuple[Seconds, int, bool]], log: Path) -> None:
    """Make ``moves``, and note when each began and was done."""
    done = []
    for at, pin, pressed in moves:
        wait = at - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        began, ended = (chip.press if pressed else chip.release)(pin)
        done.append((began, ended, pin, pressed))
    log.write_text(json.dumps(done))


def test_none_is_wrong_but_what_the_simulator_itself_cannot_tell(
    header: SimChip, load: None, tmp_path: Path
) -> None:
    log = tmp_path / "moves"
    pins = open_pins(ROOM)
    mats = Mats(ROOM, pins, on_change=lambda: None)
    for sensor in ROOM.sensors:
        header.release(sensor.pin)
    start = time.monotonic() + 1.0
    mover = os.fork()
    if mover == 0:
        os.nice(-10)
        move_all(header, moves_from(start), log)
        os._exit(0)
    said = []
    late = []
    for number in range(BUZZERS):
        instant = start + number * BETWEEN
        wait = instant - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        late.append(time.monotonic() - instant)
        naive = mats.now()
        time.sleep(SETTLE)
        said.append((instant, mats.at(instant), naive))
    os.waitpid(mover, 0)
    mats.close()
    pins.close()
    moved = json.loads(log.read_text())
    wrong, naively_wrong, asked, too_close = [], 0, 0, 0
    for instant, reading, naive in said:
        for sensor in ROOM.sensors:
            own = [move for move in moved if move[2] == sensor.pin]
            # A reading hangs on how long edges held as well, so every edge that could tip it must be clear of doubt.
            if any(began - CANNOT_TELL <= instant <= ended + CANNOT_TELL for began, ended, _, _ in own):
                too_close += 1
                continue
            asked += 1
            truth = History(
                start - 1, False, tuple(Edge(ended, pressed) for _, ended, _, pressed in own), start + 1e6
            )
            expected = reading_at(truth, instant, press=sensor.press, release=sensor.release)
            if reading.of(sensor) is not expected:
                wrong.append((sensor.key, instant, reading.of(sensor), expected))
            naively_wrong += naive.of(sensor) is not expected
    sys.stderr.write(
        f"{asked} readings, {len(wrong)} wrong ({naively_wrong} by reading the pins at the buzzer), "
        f"{too_close} too close to tell; woken up to {max(late) * 1000:.1f} ms late\n"
    )
    assert wrong == []
    assert asked > 0.9 * BUZZERS * len(ROOM.sensors)
    assert Reading.PRESSED in {reading.of(sensor) for _, reading, _ in said for sensor in ROOM.sensors}
