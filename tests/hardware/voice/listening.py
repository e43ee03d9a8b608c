"""Finding clips in a recording: where each begins, and how well what was heard matches it."""

import io
import math
import operator
import wave
from collections.abc import Sequence
from pathlib import Path

from pi_gm.clock import Seconds

FRAME = 220
"""Samples whose loudness is taken together, about 10 ms."""
LOOSELY = 26_000
"""Samples whose loudness is compared: a sound that repeats itself is found only where it begins."""
CLOSELY = 6_000
"""Samples that are compared one by one."""
LIKELY = 6
"""How many of the places whose loudness fits are compared closely."""
THINNED = 7
"""Of so many samples one is compared, until the place is nearly known."""
LOUD = 300.0


def samples_of(path: Path) -> Sequence[int]:
    """The samples of a WAV file, one channel of 16 bits."""
    return memoryview(frames_in(path.read_bytes())).cast("h")


def frames_in(data: bytes) -> bytes:
    """The same as bytes, of a WAV file that was read already."""
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        return bytes(file.readframes(1 << 30))


def onset(samples: Sequence[int], rate: int) -> Seconds:
    """When the first sound is heard."""
    return next(place for place, sample in enumerate(samples) if abs(sample) > LOUD) / rate


def found_at(clip: Sequence[int], heard: Sequence[int]) -> tuple[int, float]:
    """At which sample of ``heard`` the ``clip`` begins, and how well its beginning matches, 1 at best."""
    begins = next(place for place, sample in enumerate(clip) if abs(sample) > LOUD)
    head = clip[begins : begins + CLOSELY]
    loud_head, loud_heard = _loudness(clip[begins : begins + LOOSELY]), _loudness(heard)
    by_loudness = sorted(
        range(len(loud_heard) - len(loud_head) + 1),
        key=lambda place: -_match(loud_head, loud_heard[place : place + len(loud_head)]),
    )
    last = len(heard) - len(head)
    near = {
        place
        for frame in by_loudness[:LIKELY]
        for place in range(max(0, (frame - 1) * FRAME), min(last, (frame + 2) * FRAME))
    }
    rough = max(near, key=lambda place: _match(head[::THINNED], heard[place : place + len(head) : THINNED]))
    around = range(max(0, rough - THINNED), min(last, rough + THINNED) + 1)
    best = max(around, key=lambda place: _match(head, heard[place : place + len(head)]))
    return best - begins, _match(head, heard[best : best + len(head)])


def _loudness(samples: Sequence[int]) -> list[float]:
    return [
        math.sqrt(sum(sample * sample for sample in samples[start : start + FRAME]) / FRAME)
        for start in range(0, len(samples) - FRAME + 1, FRAME)
    ]


def _match(one: Sequence[float], other: Sequence[float]) -> float:
    power = math.sqrt(sum(map(operator.mul, one, one)) * sum(map(operator.mul, other, other)))
    return sum(map(operator.mul, one, other)) / power if power else 0.0
