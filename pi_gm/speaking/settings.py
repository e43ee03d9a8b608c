"""How the voice is set up, and the file that keeps it: read with every mistake at once, written whole or not at all."""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from enum import Enum
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

from pi_gm.errors import BadInput
from pi_gm.settings import Remark, located
from pi_gm.toml_lines import lines_of_keys
from pi_gm.whole_file import write_whole

VOICE_FILE = "voice.toml"
"""Its name, in the folder of the nights."""
ENGINES = ("espeak-ng", "pyttsx3", "piper")
WORDS_A_MINUTE = 140
SLOWEST, FASTEST = 80, 300
GAP = 8
"""Silence between words, in the voice's own steps of about 10 ms; with it many more words are understood."""
LARGEST_GAP = 50
LONGEST_TEXT = 300
_LARGEST_FILE = 10_000


class SpeakerPlace(Enum):
    """Where sound comes out: in one place at a time, or two voices talk over each other."""

    MACHINE = "machine"
    """The sound device of the machine that runs the game master."""
    PAGE = "page"
    """A tablet or TV whose page has its sound switched on by a tap."""
    NOBODY = "nobody"
    """Nowhere: the captions tell everything."""


class VoiceSettings(Struct, frozen=True, kw_only=True):
    """How the voice is set up; everything has a default that works. Raises BadInput with every mistake at once."""

    speaker: SpeakerPlace = SpeakerPlace.PAGE
    engine: str = ""
    """One of ENGINES; empty: the first that this machine has."""
    voice: str = ""
    """What the engine calls the voice, for Piper the path of its ``.onnx`` file; empty: its usual one."""
    rate: int = WORDS_A_MINUTE
    """Words a minute."""
    gap: int = GAP
    """Silence between words, in steps of about 10 ms, where the engine can."""
    device: str = ""
    """A part of the sound device's name; ``alsa:NAME`` a PCM of ALSA's own; empty: the one that suits best."""
    volume: int = 90
    """Per cent."""

    def __post_init__(self) -> None:
        mistakes = _mistakes_in(_as_written(self))
        if mistakes:
            raise BadInput(" ".join(mistakes.values()))


class WrongVoice(BadInput):
    """A voice's file that cannot be used. Its text has a line for each mistake."""


def read_voice(path: Path) -> VoiceSettings:
    """What the file at ``path`` says; where there is none, the usual settings. Raises WrongVoice."""
    if path.exists() and not path.is_file():  # reading from a pipe would wait for somebody who writes
        raise WrongVoice(f"{path}: This is no file: take it away, and choose anew.")
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        return VoiceSettings()
    except OSError as fault:
        raise WrongVoice(f"{path}: It cannot be read: {fault.strerror}.") from fault
    except UnicodeDecodeError as fault:
        raise WrongVoice(f"{path}: This is no text in UTF-8: save the file as UTF-8.") from fault
    if len(content) > _LARGEST_FILE:
        raise WrongVoice(f"{path}: It is too long for a voice's settings: delete it, and choose anew.")
    return voice_from_toml(text, str(path))


def mistakes_in(path: Path) -> str | None:
    """What is wrong with the file at ``path``, a line for each mistake; None where it can be used or is not there."""
    try:
        read_voice(path)
    except WrongVoice as wrong:
        return str(wrong)
    return None


def voice_from_toml(text: str, source: str = VOICE_FILE) -> VoiceSettings:
    """What ``text`` says; ``source`` is named in mistakes. Raises WrongVoice, with every mistake in it.

    Whoever names a device and no speaker wants to hear that device.
    """
    try:
        said = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise WrongVoice(f"{source}: This is no TOML: {fault}.") from fault
    mistakes = {key: _meaningless(key) for key in said if key not in _WANTED} | _mistakes_in(said)
    if mistakes:
        lines = lines_of_keys(text)
        remarks = [Remark(lines.get((key,)), mistake) for key, mistake in mistakes.items()]
        remarks.sort(key=lambda remark: remark.line or 0)
        raise WrongVoice("\n".join(located(source, remark) for remark in remarks))
    if said.get("device"):
        said.setdefault("speaker", SpeakerPlace.MACHINE.value)
    return msgspec.convert(said, VoiceSettings)


def voice_to_toml(settings: VoiceSettings) -> str:
    """``settings`` as a file that reads back as the same."""
    lines = [f"{key} = {msgspec.json.encode(value).decode()}" for key, value in _as_written(settings).items()]
    return "\n".join(["# Written by Pi GM: the voice page of the host.", *lines]) + "\n"


def write_voice(path: Path, settings: VoiceSettings) -> None:
    """Write ``settings`` to ``path``, whole or not at all. Raises BadInput where that cannot be done.

    What is there already and cannot be used, such as a file that somebody mistyped, is kept beside it, with ``.1`` or the
    first number that is free.
    """
    try:
        if mistakes_in(path) is not None:
            path.replace(_kept_as(path))
        write_whole(path, voice_to_toml(settings).encode())
    except OSError as fault:
        raise BadInput(
            f"{path} cannot be written ({fault.strerror}), so the voice is as it was: make room on the disk."
        ) from fault


def _kept_as(path: Path) -> Path:
    numbered = (path.with_name(f"{path.name}.{number}") for number in count(1))
    return next(each for each in numbered if not os.path.lexists(each))


def _as_written(settings: VoiceSettings) -> dict[str, Any]:
    said: dict[str, Any] = msgspec.to_builtins(settings)
    return said


# What each may be


def _one_of(*values: str) -> tuple[Callable[[Any], bool], str]:
    named = ", ".join(f'"{value}"' for value in values if value)
    return lambda value: isinstance(value, str) and value in values, f"one of {named}"


def _whole(least: int, most: int, unit: str) -> tuple[Callable[[Any], bool], str]:
    def is_right(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

    return is_right, f"a whole number from {least} to {most}{unit}"


def _is_line(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and (not value or value.isprintable())


PCM = "alsa:"
"""With this begins a device that is a PCM of ALSA's configuration."""
# ALSA takes whole programs in a PCM's name, even ones that it hands to a shell: nothing but a plain name gets there.
_PLAIN = "[A-Za-z0-9_][A-Za-z0-9_.-]*"
_PCM_NAME = re.compile(f"{_PLAIN}(:(CARD|DEV|SUBDEV)={_PLAIN}(,(CARD|DEV|SUBDEV)={_PLAIN})*)?")


def pcm_in(device: str) -> str | None:
    """The PCM that ``device`` names; None where it is a part of a device's name. Raises BadInput."""
    if not device.startswith(PCM):
        return None
    name = device.removeprefix(PCM)
    if _PCM_NAME.fullmatch(name) is None:
        raise BadInput(f"device is {device!r}: choose {_A_DEVICE}.")
    return name


def _is_device(value: Any) -> bool:
    if not _is_line(value):
        return False
    return not value.startswith(PCM) or _PCM_NAME.fullmatch(value.removeprefix(PCM)) is not None


def _is_voice(value: Any) -> bool:
    # A dash in front would make an option of it.
    return _is_line(value) and not value.startswith("-")


_A_DEVICE = (
    f'a part of its name, or a plain name after {PCM} such as "{PCM}default" or "{PCM}plughw:CARD=Device"'
)
_WANTED: Mapping[str, tuple[Callable[[Any], bool], str]] = MappingProxyType(
    {
        "speaker": _one_of(*(place.value for place in SpeakerPlace)),
        "engine": _one_of("", *ENGINES),
        "voice": (_is_voice, f"a text in quotes without a dash in front, at most {LONGEST_TEXT} letters"),
        "rate": _whole(SLOWEST, FASTEST, " words a minute"),
        "gap": _whole(0, LARGEST_GAP, ""),
        "device": (_is_device, f"{_A_DEVICE}; at most {LONGEST_TEXT} letters"),
        "volume": _whole(0, 100, " per cent"),
    }
)


def _mistakes_in(said: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with which key, of those that are known."""
    found = {}
    for key, (is_right, wanted) in _WANTED.items():
        if key in said and not is_right(said[key]):
            found[key] = f"{key} is {said[key]!r}: choose {wanted}."
    return found


def _meaningless(key: str) -> str:
    near = get_close_matches(key, _WANTED, n=1)
    cure = f"did you mean {near[0]}?" if near else f"there are {', '.join(_WANTED)}."
    return f"{key} means nothing here: {cure}"
