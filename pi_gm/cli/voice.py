"""The announcer's voice out of this machine's own speaker: chosen with ``--speak`` or kept in the voice's settings."""

import argparse
import logging
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from msgspec.structs import replace

from hardware.voice import device_player_for, studio_for
from pi_gm.announcer import Caption
from pi_gm.clock import RealClock
from pi_gm.journal import JournalFailed
from pi_gm.speaking.at_table import Hearing
from pi_gm.speaking.ports import SpeakerState
from pi_gm.speaking.settings import VOICE_FILE, SpeakerPlace, VoiceSettings, WrongVoice, read_voice
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


def voice_settings(device: str | None, folder: Path) -> VoiceSettings:
    """What the file in ``folder`` says, and what ``--speak DEVICE`` says over it (None: nothing).

    A file with mistakes is told, and the voice is as usual: it must not keep anybody from playing.
    """
    try:
        settings = read_voice(folder / VOICE_FILE)
    except WrongVoice as wrong:
        print(f"pi-gm: {wrong}", file=sys.stderr)
        settings = VoiceSettings()
    if device is None:
        return settings
    return replace(settings, speaker=SpeakerPlace.MACHINE, device=device or settings.device)


def speak(table: Table, settings: VoiceSettings, folder: Path, opened: ExitStack) -> str:
    """Let ``table`` be heard until ``opened`` is closed; returns how the speaker is, for people.

    A speaker that is not there or fails never hinders the game.
    """
    # How the speaker is belongs into the log when it is fine, too.
    logging.getLogger("pi_gm.speaking").setLevel(logging.INFO)
    clock = RealClock()
    studio = studio_for(settings, clock, folder / "voice")
    hearing = Hearing(table, studio)
    player = device_player_for(settings, clock)
    speaker = Speaker(hearing, studio, player, clock, on_said=_telling(table))
    studio.start()
    opened.callback(studio.stop)
    hearing.prepare()
    speaker.look_at_device()
    speaker.start()
    opened.callback(speaker.stop)
    table.subscribe(speaker.wake)
    table.heard_while(lambda: speaker.status.state is SpeakerState.FINE)
    return speaker.status.text


def _telling(table: Table) -> Callable[[Caption], None]:
    """Tells the table what was said. A journal that cannot be written is told by the table's own clock."""

    def tell(caption: Caption) -> None:
        with suppress(JournalFailed):
            table.was_said(caption)

    return tell
