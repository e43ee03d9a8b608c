"""Which engines and voices there are to choose from on this machine."""

import json
import re
import subprocess
import sys
from collections.abc import Callable

from hardware.voice import engine_for
from hardware.voice.complaints import last_line
from hardware.voice.engines import Piper
from pi_gm.clock import Seconds
from pi_gm.speaking.desk import EngineView, VoiceName
from pi_gm.speaking.ports import CannotSpeak
from pi_gm.speaking.settings import VoiceSettings

LISTED_WITHIN: Seconds = 10.0
_TITLES = {
    "espeak-ng": ("Robot", "clear, and quick on any Pi"),
    "pyttsx3": ("This machine’s own", "the voice that a Mac or laptop already has"),
    "piper": ("Person", "sounds like a person; a Pi makes its sentences in advance"),
}
_NOT_LISTED = "Its voices cannot be listed ({}): it speaks with the usual one, if it speaks at all."
_ESPEAK_VOICE = re.compile(r"^ *\d+ +(?P<language>\S+) +\S+ +(?P<name>\S+) +(?P<file>\S+)")


def engines_here(settings: VoiceSettings) -> tuple[EngineView, ...]:
    """Every engine, with its voices where it can speak; Piper's is the file that ``settings`` name."""
    return tuple(_seen(key, settings) for key in _TITLES)


def _seen(key: str, settings: VoiceSettings) -> EngineView:
    title, manner = _TITLES[key]
    voice = settings.voice if settings.engine == key else ""
    engine = engine_for(VoiceSettings(engine=key, voice=voice))
    lacks = None if engine is None else engine.missing()
    voices, trouble = _listed(key) if lacks is None else ((), None)
    wants_file = isinstance(engine, Piper) and engine.is_installed
    return EngineView(key, title, manner, lacks, voices, wants_file, trouble)


def _listed(key: str) -> tuple[tuple[VoiceName, ...], str | None]:
    """Its voices, or why they cannot be listed."""
    try:
        return _VOICES[key](), None
    except CannotSpeak as trouble:
        return (), str(trouble)


def espeak_voices(listing: str) -> tuple[VoiceName, ...]:
    """The English voices in what ``espeak-ng --voices=en`` printed, the usual one first.

    Those that need recordings of another project, and mere changes of a voice's tone, are left out.
    """
    found = []
    for line in listing.splitlines():
        voice = _ESPEAK_VOICE.match(line)
        if voice is not None and voice["language"].startswith("en") and voice["file"].startswith("gmw/"):
            title = re.sub(r"^English \((.*)\)$", r"\1", voice["name"].replace("_", " "))
            found.append(VoiceName(voice["file"].removeprefix("gmw/"), title))
    return tuple(sorted(found, key=lambda voice: voice.key != "en"))


def pyttsx3_voices(listing: str) -> tuple[VoiceName, ...]:
    """The English voices in what :mod:`hardware.voice.pyttsx3_voices` printed, after the usual one."""
    voices = [VoiceName(voice["id"], voice["name"]) for voice in json.loads(listing)]
    return (VoiceName("", "The usual one"), *voices)


def _of_espeak() -> tuple[VoiceName, ...]:
    return espeak_voices(_printed_by(["espeak-ng", "--voices=en"]))


def _of_pyttsx3() -> tuple[VoiceName, ...]:
    listing = _printed_by([sys.executable, "-m", "hardware.voice.pyttsx3_voices"])
    try:
        return pyttsx3_voices(listing)
    except ValueError as fault:
        raise CannotSpeak(_NOT_LISTED.format(fault)) from fault


def _printed_by(command: list[str]) -> str:
    try:
        listed = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LISTED_WITHIN, check=False
        )
    except subprocess.TimeoutExpired as fault:
        raise CannotSpeak(_NOT_LISTED.format(f"no answer within {LISTED_WITHIN:.0f} seconds")) from fault
    except OSError as fault:
        raise CannotSpeak(_NOT_LISTED.format(fault)) from fault
    if listed.returncode:
        raise CannotSpeak(_NOT_LISTED.format(last_line(listed.stderr) or "no reason given"))
    return listed.stdout.decode(errors="replace")


def _of_piper() -> tuple[VoiceName, ...]:
    return ()


_VOICES: dict[str, Callable[[], tuple[VoiceName, ...]]] = {
    "espeak-ng": _of_espeak,
    "pyttsx3": _of_pyttsx3,
    "piper": _of_piper,
}
