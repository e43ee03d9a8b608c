"""The voice of this machine: engines that make clips, and players that sound. Knows nothing of games or pages."""

import os
from pathlib import Path

from msgspec import Struct

from hardware.voice.clips import ClipCache
from hardware.voice.engines import GAP, WORDS_A_MINUTE, Engine, EspeakNg, Piper, Pyttsx3
from hardware.voice.players import DevicePlayer, SilentPlayer
from hardware.voice.studio import Studio
from hardware.voice.ways import way_here
from pi_gm.clock import Clock
from pi_gm.errors import BadInput
from pi_gm.speaking.ports import Player

ENGINES = ("espeak-ng", "pyttsx3", "piper")


class VoiceSettings(Struct, frozen=True, kw_only=True):
    """How the voice is set up; everything has a default that works."""

    engine: str = ""
    """One of ENGINES; empty: the first that this machine has."""
    voice: str = ""
    """What the engine calls the voice, for Piper the path of its ``.onnx`` file; empty: its usual one."""
    rate: int = WORDS_A_MINUTE
    """Words a minute."""
    gap: int = GAP
    """Silence between words, in steps of about 10 ms, where the engine can."""
    device: str = ""
    """A part of the sound device's name; empty: the one that suits best; ``none``: no sound."""
    volume: int = 90
    """Per cent."""

    def __post_init__(self) -> None:
        if self.engine and self.engine not in ENGINES:
            raise BadInput(f"There is no voice engine {self.engine!r}: choose one of {', '.join(ENGINES)}.")
        if not 80 <= self.rate <= 300:
            raise BadInput(f"{self.rate} words a minute cannot be understood: choose 80 to 300.")
        if not 0 <= self.gap <= 50:
            raise BadInput(f"The gap between words is {self.gap}: choose 0 to 50.")
        if not 0 <= self.volume <= 100:
            raise BadInput(f"The volume is {self.volume} per cent: choose 0 to 100.")


def engine_for(settings: VoiceSettings) -> Engine | None:
    """The engine that ``settings`` ask for, or the first that nothing is missing for; None where there is none."""
    quick: tuple[Engine, ...] = (
        EspeakNg(settings.voice or "en", settings.rate, settings.gap),
        Pyttsx3(settings.voice, settings.rate, settings.gap),
    )
    match settings.engine:
        case "espeak-ng":
            return quick[0]
        case "pyttsx3":
            return quick[1]
        case "piper":
            return Piper(Path(settings.voice), settings.rate)
        case _:
            return next((engine for engine in quick if engine.missing() is None), None)


def studio_for(settings: VoiceSettings, clock: Clock, folder: Path | None = None) -> Studio:
    """Where clips are made; ``folder`` keeps them (None: where this machine keeps such things)."""
    engine = engine_for(settings)
    hurry = None
    if engine is not None and not engine.is_quick:
        hurry = engine_for(VoiceSettings(rate=settings.rate, gap=settings.gap))
    return Studio(engine, ClipCache(folder or clips_folder(), _spare_folder()), clock, in_a_hurry=hurry)


def player_for(settings: VoiceSettings, clock: Clock) -> Player:
    """The player on the device that ``settings`` ask for; it is made where there is no device too, and says so."""
    if settings.device == "none":
        return SilentPlayer()
    wanted = "" if settings.device.startswith("alsa:") else settings.device
    return DevicePlayer(way_here(settings.device), clock, wanted=wanted, volume=settings.volume)


def clips_folder() -> Path:
    """Where clips are kept on this machine: they can be thrown away at any time."""
    given = os.environ.get("CACHE_DIRECTORY")
    if given:
        return Path(given.split(":")[0]) / "clips"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pi-gm" / "clips"


def _spare_folder() -> Path | None:
    """One in memory, that a full disk leaves alone."""
    given = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or os.environ.get("XDG_RUNTIME_DIR", "")
    return Path(given) / "pi-gm-clips" if given else None
