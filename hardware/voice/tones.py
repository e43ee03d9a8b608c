"""The sounds that are no speech, made here so that nobody needs a file or a licence for them."""

import array
import math
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType

from hardware.voice.clips import wav
from pi_gm.clock import Seconds
from pi_gm.speaking.ports import Tone

RATE = 22_050
"""Frames a second: that of the voices, so that a device need not change over."""
LOUDEST = 0.8
EDGE: Seconds = 0.003
"""A tone swells and fades for so long, since a sudden edge clicks."""

Wave = Callable[[Seconds], float]
"""What is heard at a time, from -1 to 1."""


def tone_wav(tone: Tone) -> tuple[bytes, Seconds]:
    """``tone`` as a WAV file, and how long it sounds."""
    sound, seconds = _SOUNDS[tone]
    count = round(seconds * RATE)
    samples = array.array("h", (round(_at(sound, step, count) * 32767) for step in range(count)))
    if sys.byteorder == "big":
        samples.byteswap()
    return wav(samples.tobytes(), RATE), seconds


def _at(sound: Wave, step: int, count: int) -> float:
    edge = EDGE * RATE
    swell = min(1.0, step / edge, (count - 1 - step) / edge)
    return LOUDEST * swell * max(-1.0, min(1.0, sound(step / RATE)))


def _sine(hertz: float, at: Seconds) -> float:
    return math.sin(2 * math.pi * hertz * at)


def _buzzer(at: Seconds) -> float:
    """Two rough low notes that beat: heard through a room of people, and like nothing else."""
    return sum(_sine(hertz * order, at) / order for hertz in (196.0, 207.0) for order in (1, 3, 5))


def _tick(at: Seconds) -> float:
    return math.exp(-at * 45) * (_sine(1320.0, at) + 0.4 * _sine(2640.0, at))


def _chime(at: Seconds) -> float:
    """Two soft notes, rising."""
    first = math.exp(-at * 6) * _sine(659.3, at)
    second = math.exp(-(at - 0.16) * 6) * _sine(987.8, at) if at >= 0.16 else 0.0
    return 0.5 * (first + second)


_SOUNDS: Mapping[Tone, tuple[Wave, Seconds]] = MappingProxyType(
    {Tone.BUZZER: (_buzzer, 1.2), Tone.TICK: (_tick, 0.09), Tone.CHIME: (_chime, 0.6)}
)
