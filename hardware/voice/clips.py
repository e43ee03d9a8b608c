"""Clips as files: checked, written whole or not at all, and no more of them than there is room for."""

import hashlib
import io
import json
import os
import tempfile
import threading
import wave
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from pi_gm.clock import Seconds
from pi_gm.speaking.ports import CannotSpeak, Clip

MOST_BYTES = 64 * 1024 * 1024
"""About 25 minutes of speech."""
ENDING = ".wav"


def checked_wav(data: bytes, source: str) -> tuple[bytes, Seconds]:
    """``data`` as a WAV file whose header tells the truth, and how long it sounds.

    Some voices write the header before they know the length, and some report success with nothing in the file:
    raises CannotSpeak, naming ``source``, where there is no sound in it.
    """
    try:
        with wave.open(io.BytesIO(data)) as heard:
            layout, frames = heard.getparams(), heard.readframes(heard.getnframes())
    except (wave.Error, EOFError) as fault:
        raise CannotSpeak(
            f"{source} gave something that is no WAV file ({fault}): choose another voice"
        ) from fault
    whole = len(frames) // (layout.nchannels * layout.sampwidth)
    if not whole:
        raise CannotSpeak(f"{source} gave an empty sound: choose another voice")
    return wav(frames, layout.framerate, layout.nchannels, layout.sampwidth), whole / layout.framerate


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
    """The WAV file ``data`` with ``silence`` before its sound."""
    with wave.open(io.BytesIO(data)) as heard:
        layout, frames = heard.getparams(), heard.readframes(heard.getnframes())
    still = bytes(round(silence * layout.framerate) * layout.nchannels * layout.sampwidth)
    return wav(still + frames, layout.framerate, layout.nchannels, layout.sampwidth)


class ClipCache:
    """A folder of clips by what they were made from. Safe for several threads.

    Where ``folder`` takes no file, ``spare`` does, such as one in memory: a full disk makes nobody mute.
    """

    def __init__(self, folder: Path, spare: Path | None = None, *, most_bytes: int = MOST_BYTES) -> None:
        self._folders = (folder,) if spare is None else (folder, spare)
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._held: OrderedDict[str, tuple[Clip, int]] = OrderedDict()
        """The longest unused first, each with its size in bytes."""
        self._pinned: set[str] = set()
        self._read_folders()

    def _read_folders(self) -> None:
        found: list[tuple[float, Path, int]] = []
        for folder in self._folders:
            if folder.is_dir():
                for path in folder.glob(f"*{ENDING}"):
                    about = path.stat()
                    found.append((about.st_mtime, path, about.st_size))
        for _, path, size in sorted(found):
            try:
                self._held[path.name] = (Clip(path, _seconds_of(path, size)), size)
            except (wave.Error, EOFError, OSError):
                path.unlink(missing_ok=True)

    def find(self, made_from: Sequence[str]) -> Clip | None:
        """The clip that was made from exactly these words; None where there is none."""
        name = clip_name(made_from)
        with self._lock:
            held = self._held.get(name)
            if held is None:
                return None
            self._held.move_to_end(name)
            return held[0]

    def named(self, name: str) -> Clip | None:
        """The clip whose file has that name, for pages that play it themselves; None for any other name."""
        with self._lock:
            held = self._held.get(name)
            return None if held is None else held[0]

    def forget(self, made_from: Sequence[str]) -> None:
        """Make it anew next time: its file is gone."""
        with self._lock:
            self._held.pop(clip_name(made_from), None)

    def keep(
        self, made_from: Sequence[str], data: bytes, seconds: Seconds, *, for_good: bool = False
    ) -> Clip:
        """Keep the WAV file ``data``; ``for_good`` whatever else there is no room for.

        Raises CannotSpeak where no folder takes it.
        """
        name = clip_name(made_from)
        with self._lock:
            clip = Clip(self._write(name, data), seconds)
            self._held[name] = (clip, len(data))
            self._held.move_to_end(name)
            if for_good:
                self._pinned.add(name)
            self._make_room(name)
        return clip

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

    def _make_room(self, newest: str) -> None:
        taken = sum(size for _, size in self._held.values())
        for name in list(self._held):
            if taken <= self._most_bytes:
                return
            if name != newest and name not in self._pinned:
                clip, size = self._held.pop(name)
                clip.path.unlink(missing_ok=True)
                taken -= size


def clip_name(made_from: Sequence[str]) -> str:
    """The name of the file of a clip that is made from these words."""
    return hashlib.blake2b(json.dumps(list(made_from)).encode(), digest_size=16).hexdigest() + ENDING


def _seconds_of(path: Path, size: int) -> Seconds:
    with wave.open(str(path)) as clip:
        if size < clip.getnframes() * clip.getnchannels() * clip.getsampwidth():
            raise EOFError
        seconds: Seconds = clip.getnframes() / clip.getframerate()
        return seconds


def _written_whole(folder: Path, name: str, data: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # Not forced onto the disk: a clip that a power cut spoils is found out when it is read back.
        path = folder / name
        Path(unfinished).replace(path)
    except OSError:
        Path(unfinished).unlink(missing_ok=True)
        raise
    return path
