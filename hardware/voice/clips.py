"""Clips as files: checked, written whole or not at all, and no more of them than there is room for."""

import errno
import hashlib
import io
import json
import os
import shutil
import tempfile
import threading
import wave
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.speaking.ports import CannotSpeak, Clip

MOST_BYTES = 64 * 1024 * 1024
"""About 25 minutes of speech."""
KEPT_FREE = 16 * 1024 * 1024
"""So many bytes of a disk no clip takes: without room for the next step of a night the game would stop."""
ENDING = ".wav"
UNFINISHED = ".part"


def checked_wav(data: bytes, source: str) -> tuple[bytes, Seconds]:
    """``data`` as a WAV file whose header tells the truth, and how long it sounds.

    Some voices write the header before they know the length, and some report success with nothing in the file:
    raises CannotSpeak, naming ``source``, where there is no sound in it.
    """
    rate, channels, width, frames = _heard(data, source)
    return wav(frames, rate, channels, width), len(frames) // (channels * width) / rate


def _heard(data: bytes, source: str) -> tuple[int, int, int, bytes]:
    """The rate, channels, bytes a sample and frames of the WAV file ``data``. Raises CannotSpeak where none is heard."""
    try:
        with wave.open(io.BytesIO(data)) as heard:
            layout, frames = heard.getparams(), heard.readframes(heard.getnframes())
    except (wave.Error, EOFError) as fault:
        raise CannotSpeak(
            f"{source} gave something that is no WAV file ({fault}): choose another voice"
        ) from fault
    if len(frames) < layout.nchannels * layout.sampwidth or not layout.framerate:
        raise CannotSpeak(f"{source} gave an empty sound: choose another voice")
    return layout.framerate, layout.nchannels, layout.sampwidth, frames


def wav(frames: bytes, rate: int, channels: int = 1, width: int = 2) -> bytes:
    """A WAV file of ``frames``; ``rate`` in frames a second, ``width`` in bytes a sample."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(channels)
        out.setsampwidth(width)
        out.setframerate(rate)
        out.writeframes(frames)
    return file.getvalue()


def with_silence_first(data: bytes, silence: Seconds) -> bytes:
    """The WAV file ``data`` with ``silence`` before its sound. Raises CannotSpeak where there is none in it."""
    rate, channels, width, frames = _heard(data, "the clip")
    still = bytes(round(silence * rate) * channels * width)
    return wav(still + frames, rate, channels, width)


class _Kept(Struct, frozen=True):
    """A clip in its folder."""

    key: str
    clip: Clip
    size: int
    """Bytes."""


class ClipCache:
    """Folders of clips by what they were made from. Safe for several threads.

    Where ``folder`` takes no file, ``spare`` does, such as one in memory: a full disk makes nobody mute. Both together
    hold no more than ``most_bytes``, and neither fills its disk to the last byte.
    """

    def __init__(self, folder: Path, spare: Path | None = None, *, most_bytes: int = MOST_BYTES) -> None:
        self._folders = (folder,) if spare is None else (folder, spare)
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._held: OrderedDict[str, _Kept] = OrderedDict()
        """By what each was made from, the longest unused first."""
        self._by_name: dict[str, Clip] = {}
        self._pinned: set[str] = set()
        for path in _oldest_first(path for folder in self._folders for path in _files_in(folder)):
            kept = _kept_at(path)
            if kept is None:
                _throw_away(path)
            else:
                self._hold(kept)
        self._make_room()

    def find(self, made_from: Sequence[str]) -> Clip | None:
        """The clip that was made from exactly these words; None where there is none."""
        key = clip_key(made_from)
        with self._lock:
            held = self._held.get(key)
            if held is None:
                return None
            self._held.move_to_end(key)
            return held.clip

    def named(self, name: str) -> Clip | None:
        """The clip whose file has that name, for pages that play it themselves; None for any other name."""
        with self._lock:
            return self._by_name.get(name)

    def forget(self, made_from: Sequence[str]) -> None:
        """Make it anew next time: its file is gone."""
        with self._lock:
            held = self._held.pop(clip_key(made_from), None)
            if held is not None:
                self._by_name.pop(held.clip.path.name, None)

    def keep(
        self, made_from: Sequence[str], data: bytes, seconds: Seconds, *, for_good: bool = False
    ) -> Clip:
        """Keep the WAV file ``data``; ``for_good`` whatever else there is no room for.

        Raises CannotSpeak where no folder takes it.
        """
        key = clip_key(made_from)
        with self._lock:
            clip = Clip(self._write(clip_name(made_from, data), data), seconds)
            self._hold(_Kept(key, clip, len(data)))
            if for_good:
                self._pinned.add(key)
            self._make_room(key)
        return clip

    def _hold(self, kept: _Kept) -> None:
        """Hold ``kept`` as the newest, in the place of one that was made from the same."""
        before = self._held.pop(kept.key, None)
        if before is not None and before.clip.path != kept.clip.path:
            self._by_name.pop(before.clip.path.name, None)
            _throw_away(before.clip.path)
        self._held[kept.key] = kept
        self._by_name[kept.clip.path.name] = kept.clip

    def _write(self, name: str, data: bytes) -> Path:
        trouble: OSError | None = None
        for folder in self._folders:
            try:
                return _written_whole(folder, name, data)
            except OSError as fault:
                trouble = fault
        raise CannotSpeak(
            f"no clip can be kept in {self._folders[0]} ({trouble}): make room on the disk"
        ) from trouble

    def _make_room(self, newest: str | None = None) -> None:
        taken = sum(kept.size for kept in self._held.values())
        for key in list(self._held):
            if taken <= self._most_bytes:
                return
            if key != newest and key not in self._pinned:
                kept = self._held.pop(key)
                self._by_name.pop(kept.clip.path.name, None)
                _throw_away(kept.clip.path)
                taken -= kept.size


def is_there(clip: Clip) -> bool:
    """Whether the file of ``clip`` can be found; false on a disk that fails, too."""
    try:
        clip.path.stat()
    except OSError:
        return False
    return True


def clip_key(made_from: Sequence[str]) -> str:
    """What stands for these words in the name of a clip."""
    return _digest(json.dumps(list(made_from)).encode())


def clip_name(made_from: Sequence[str], data: bytes) -> str:
    """The name of the file of a clip that is made from these words and sounds like ``data``."""
    return f"{clip_key(made_from)}-{_digest(data)}{ENDING}"


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _files_in(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.suffix in (ENDING, UNFINISHED)]
    except OSError:
        return []  # not there yet, or no folder: whoever writes to it is told


def _oldest_first(paths: Iterable[Path]) -> list[Path]:
    def age(path: Path) -> tuple[float, Path]:
        try:
            return path.stat().st_mtime, path
        except OSError:
            return 0.0, path

    return sorted(paths, key=age)


def _kept_at(path: Path) -> _Kept | None:
    """The clip in the file ``path``; None where that is not whole, or no clip."""
    key, _, digest = path.stem.partition("-")
    if path.suffix != ENDING:
        return None
    try:
        data = path.read_bytes()
        if _digest(data) != digest:
            return None
        _, seconds = checked_wav(data, path.name)
    except (OSError, CannotSpeak):
        return None
    return _Kept(key, Clip(path, seconds), len(data))


def _throw_away(path: Path) -> None:
    # What cannot be deleted, on a disk that only reads or in a folder of that name, is only not used.
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _written_whole(folder: Path, name: str, data: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(folder).free < KEPT_FREE + len(data):
        raise OSError(errno.ENOSPC, "what is left of it is for the nights")
    handle, unfinished = tempfile.mkstemp(dir=folder, suffix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # Not forced onto the disk: a clip that a power cut spoils is found out when it is read back.
        path = folder / name
        Path(unfinished).replace(path)
    except OSError:
        _throw_away(Path(unfinished))
        raise
    return path
