"""``--speak``: the announcer's voice out of this machine's own speaker."""

import argparse
import shutil
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from hardware.voice.clips import ClipCache
from hardware.voice.engines import Engine, EspeakNg, Pyttsx3
from hardware.voice.players import DevicePlayer
from hardware.voice.studio import Studio
from hardware.voice.ways import way_here
from pi_gm.clock import RealClock
from pi_gm.speaking.at_table import Hearing
from pi_gm.speaking.speaker import Speaker
from pi_gm.table import Table


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the option to a command."""
    parser.add_argument(
        "--speak",
        nargs="?",
        const="",
        metavar="DEVICE",
        help="speak out of this machine's speaker; DEVICE: a part of its name (left out: the usual one)",
    )


def speak(table: Table, device: str, folder: Path, opened: ExitStack) -> str:
    """Let ``table`` be heard until ``opened`` is closed; returns how the speaker is, for people.

    A speaker that is not there or fails never hinders the game.
    """
    clock = RealClock()
    studio = Studio(_engine(), ClipCache(folder / "voice"), clock)
    hearing = Hearing(table, studio)
    speaker = Speaker(hearing, studio, DevicePlayer(way_here(device), clock, wanted=device), clock)
    studio.start()
    opened.callback(studio.stop)
    hearing.prepare()
    speaker.look_at_device()
    speaker.start()
    opened.callback(speaker.stop)
    table.subscribe(speaker.wake)
    return speaker.status.text


def _engine() -> Engine | None:
    """The best voice that is installed; None where there is none, and only tones sound."""
    if shutil.which("espeak-ng"):
        return EspeakNg()
    return Pyttsx3() if find_spec("pyttsx3") is not None else None
