"""The voice of this machine: engines that make clips, and players that sound. Knows nothing of games or pages."""

import os
from collections.abc import Callable
from pathlib import Path

from hardware.voice.clips import ClipCache
from hardware.voice.engines import Engine, EspeakNg, Piper, Pyttsx3
from hardware.voice.players import DevicePlayer
from hardware.voice.sight import look
from hardware.voice.sinks import Sink
from hardware.voice.studio import Studio
from hardware.voice.ways import Way, ways_here
from pi_gm.clock import Clock
from pi_gm.speaking.ports import SpeakerStatus
from pi_gm.speaking.settings import VoiceSettings, pcm_in


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


def studio_for(settings: VoiceSettings, clock: Clock, nights: Path) -> Studio:
    """Where clips are made, for the nights in the folder ``nights``."""
    # A path that begins with a dash would be an option of the player.
    cache = ClipCache(clips_folder(nights).absolute(), _spare_folder())
    return Studio(engine_for(settings), cache, clock, in_a_hurry=hurry_for(settings))


def hurry_for(settings: VoiceSettings) -> Engine | None:
    """What speaks in place of a slow engine where a sentence was not made in advance; None for a quick one."""
    engine = engine_for(settings)
    if engine is None or engine.is_quick:
        return None
    return engine_for(VoiceSettings(rate=settings.rate, gap=settings.gap))


def device_player_for(settings: VoiceSettings, clock: Clock) -> DevicePlayer:
    """The player on the device that ``settings`` ask for; it is made where there is no device too, and says so."""
    return DevicePlayer(
        _ways(settings.device), clock, wanted=_wanted(settings.device), volume=settings.volume
    )


def _ways(device: str) -> Callable[[], tuple[Way, ...]]:
    """The ways to ``device``, whenever they are asked for: a sound system may be installed while this program runs."""
    if pcm_in(device) is None:
        return lambda: ways_here(device)
    ways = ways_here(device)
    return lambda: ways


def device_status(settings: VoiceSettings) -> SpeakerStatus:
    """How the device is that ``settings`` ask for, as :func:`device_player_for` would tell it."""
    return look(ways_here(settings.device), _wanted(settings.device)).status


def devices_here() -> tuple[Sink, ...]:
    """Every device there is to choose from."""
    return look(ways_here(), "").sinks


def _wanted(device: str) -> str:
    return device if pcm_in(device) is None else ""


def clips_folder(nights: Path) -> Path:
    """Where clips are kept that are made for ``nights``: they can be thrown away at any time, so no backup needs them.

    Where the service is told to keep such things, or beside the nights.
    """
    given = os.environ.get("CACHE_DIRECTORY")
    return Path(given.split(":")[0]) / "clips" if given else nights / "voice"


def _spare_folder() -> Path | None:
    """One in memory, that a full disk leaves alone."""
    given = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or os.environ.get("XDG_RUNTIME_DIR", "")
    return Path(given) / "pi-gm-clips" if given else None
