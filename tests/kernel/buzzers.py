"""Buzzers around which everybody jumps on and off, on simulated lines; what was read is held against what was done."""

import json
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

from msgspec import Struct

from hardware.mats import Mats
from hardware.pins import open_pins
from pi_gm.clock import Seconds
from pi_gm.floor import Edge, FloorReading, History, Reading, reading_at
from pi_gm.games.animal_crossing.decide import SECONDS_TO_READ_FLOOR
from pi_gm.rooms import own_mats
from tests.kernel.simchip import SimChip

BETWEEN: Seconds = 0.7
AROUND: Seconds = 0.04
"""Up to so long before and after a buzzer everybody jumps on or off."""
SETTLE: Seconds = SECONDS_TO_READ_FLOOR
_AT_LAST_TICK = 6
"""Linux's CLOCK_MONOTONIC_COARSE, which Python has no name for: the monotonic time at the kernel's last tick."""
ROOM = own_mats()
BURNERS = 3


class Wrong(Struct, frozen=True):
    """A mat that was read otherwise than it was at a buzzer."""

    mat: str
    instant: Seconds
    said: Reading
    was: Reading


class Judged(Struct, frozen=True):
    """What came of some buzzers. A reading is one mat at one buzzer."""

    asked: int
    wrong: tuple[Wrong, ...]
    unknown: int
    """How many were said to be unknown, so that the host is asked: none of them is wrong, and none is right."""
    naively_wrong: int
    """How many would have been wrong by reading the pins when the program woke up for the buzzer."""
    too_close: int
    """Readings left out: the simulator makes an edge at the kernel's next tick after it was told to, within a millisecond
    where the machine below has time, and the buzzer fell in between."""
    latest: Seconds
    """By how much the program woke up too late, at worst."""
    pressed: int
    """How many were read as pressed."""


@contextmanager
def full_load() -> Iterator[None]:
    """Programs that take whatever time there is."""
    burners = []
    for _ in range(BURNERS):
        child = os.fork()
        if child == 0:
            while True:
                pass
        burners.append(child)
    try:
        yield
    finally:
        for burner in burners:
            os.kill(burner, signal.SIGKILL)
            os.waitpid(burner, 0)


_Move = tuple[Seconds, Seconds, int, bool]
"""When the simulator was told and when it had done it at the latest, on which pin, and whether it was a press."""


def judge_buzzers(chip: SimChip, buzzers: int, folder: Path) -> Judged:
    """Let eighteen mats move around each of so many ``buzzers``, and read them at each; takes 0.7 s a buzzer."""
    log = folder / "moves"
    said, late = [], []
    with closing(open_pins(ROOM)) as pins, closing(Mats(ROOM, pins, on_change=lambda: None)) as mats:
        for sensor in ROOM.sensors:
            chip.release(sensor.pin)
        start = time.monotonic() + 1.0
        mover = os.fork()
        if mover == 0:
            try:
                os.nice(-10)
                _move_all(chip, _moves_from(start, buzzers), log)
            finally:
                os._exit(0)
        for instant in (start + number * BETWEEN for number in range(buzzers)):
            _sleep_until(instant)
            late.append(time.monotonic() - instant)
            naive = mats.now()
            time.sleep(SETTLE)
            said.append((instant, mats.at(instant), naive))
        os.waitpid(mover, 0)
    return _judged(said, json.loads(log.read_text()), start, max(late))


def _moves_from(start: Seconds, buzzers: int) -> list[tuple[Seconds, int, bool]]:
    """When which pin is pressed or let go: nearly every mat changes close to every buzzer."""
    random = Random(6)
    moves = []
    for sensor in ROOM.sensors:
        pressed = False
        for number in range(buzzers):
            if random.random() < 0.85:
                pressed = not pressed
                at = start + number * BETWEEN + random.uniform(-AROUND, AROUND)
                moves.append((at, sensor.pin, pressed))
    return sorted(moves)


def _move_all(chip: SimChip, moves: Sequence[tuple[Seconds, int, bool]], log: Path) -> None:
    """Make ``moves``, and note when each began and was done."""
    done: list[_Move] = []
    for at, pin, pressed in moves:
        _sleep_until(at)
        began, told = (chip.press if pressed else chip.release)(pin)
        done.append((began, _next_tick_after(told), pin, pressed))
    log.write_text(json.dumps(done))


def _next_tick_after(told: Seconds) -> Seconds:
    """When the kernel has ticked since ``told``: late where the machine below it was busy with something else."""
    while time.clock_gettime(_AT_LAST_TICK) <= told:
        pass
    return time.monotonic()


def _sleep_until(instant: Seconds) -> None:
    time.sleep(max(0.0, instant - time.monotonic()))


def _judged(
    said: Sequence[tuple[Seconds, FloorReading, FloorReading]],
    moved: Sequence[_Move],
    start: Seconds,
    latest: Seconds,
) -> Judged:
    asked = unknown = naively_wrong = too_close = 0
    wrong = []
    for sensor in ROOM.sensors:
        own = [move for move in moved if move[2] == sensor.pin]
        edges = tuple(Edge(ended, pressed) for _, ended, _, pressed in own)
        truth = History(start - 1, False, edges, start + 1e6)
        for instant, reading, naive in said:
            # A reading hangs on how long edges held as well, so every edge that could tip it must be clear of doubt.
            if any(began <= instant <= ended for began, ended, _, _ in own):
                too_close += 1
                continue
            asked += 1
            was = reading_at(truth, instant, press=sensor.press, release=sensor.release)
            unknown += reading.of(sensor) is Reading.UNKNOWN
            if reading.of(sensor) not in (was, Reading.UNKNOWN):
                wrong.append(Wrong(sensor.key, instant, reading.of(sensor), was))
            naively_wrong += naive.of(sensor) is not was
    pressed = sum(reading.of(sensor) is Reading.PRESSED for _, reading, _ in said for sensor in ROOM.sensors)
    return Judged(asked, tuple(wrong), unknown, naively_wrong, too_close, latest, pressed)
