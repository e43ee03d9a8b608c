"""Voices: text in, WAV file out. Each runs in a process of its own, with a time-out, so that none can hang the game.

Every engine is handed text that went through :mod:`pi_gm.speaking.pronounced`, on standard input: never as an argument,
where a name could be an option.
"""

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from hardware.voice.complaints import last_line
from pi_gm.clock import Seconds
from pi_gm.installed import SERVICE, how_to_add, is_of_service
from pi_gm.speaking.ports import CannotSpeak
from pi_gm.speaking.settings import GAP, WORDS_A_MINUTE

GENTLY = ("nice", "-n", "10")
ONE_SENTENCE: Seconds = 15.0
"""A voice that needs longer for one sentence hangs."""
LONGEST_ANSWER = 10_000
"""Bytes of a line that Piper answers."""


class Engine(Protocol):
    """A voice of one kind, set up in one way."""

    @property
    def made_from(self) -> tuple[str, ...]:
        """What, besides the text, decides how it sounds: engine, voice, rate, gap."""
        ...

    @property
    def is_quick(self) -> bool:
        """Whether a sentence is made within a blink, when it is needed."""
        ...

    def missing(self) -> str | None:
        """What this machine lacks for it, with the cure, in a sentence; None where nothing."""
        ...

    def make(self, text: str, *, gently: bool = False) -> bytes:
        """``text`` as a WAV file; ``gently`` gives way to everything else on this machine. Raises CannotSpeak."""
        ...

    def close(self) -> None:
        """End whatever runs for it, at once and for good: what is being made cannot be, nor what is asked for later."""
        ...


class _Runs:
    """The commands that run for one engine, each for one sentence."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_closed = False

    def answer_of(self, command: list[str], asked: bytes) -> bytes:
        """What ``command`` printed when it was given ``asked``. Raises CannotSpeak."""
        run = self._started(command)
        with run:
            try:
                said, complaint = run.communicate(asked, ONE_SENTENCE)
            except subprocess.TimeoutExpired as fault:
                run.kill()
                raise CannotSpeak(
                    f"{self._name} took longer than {ONE_SENTENCE:.0f} seconds for a sentence"
                ) from fault
            finally:
                with self._lock:
                    self._running.discard(run)
        if run.returncode:
            raise CannotSpeak(
                f"{self._name} ended with {run.returncode} ({last_line(complaint) or 'no reason given'})"
            )
        return said

    def _started(self, command: list[str]) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        with self._lock:
            if self._is_closed:
                raise CannotSpeak(f"{self._name} was put away")
            try:
                run = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
            except OSError as fault:
                raise CannotSpeak(f"{self._name} cannot be started ({fault}): is it installed?") from fault
            self._running.add(run)
            return run

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            for run in tuple(self._running):
                run.kill()


def _lowly(command: list[str], gently: bool) -> list[str]:
    return [*GENTLY, *command] if gently and shutil.which(GENTLY[0]) else command


class EspeakNg:
    """The command espeak-ng."""

    is_quick = True

    def __init__(
        self, voice: str = "en", rate: int = WORDS_A_MINUTE, gap: int = GAP, *, command: str = "espeak-ng"
    ) -> None:
        self._command = command
        self._runs = _Runs("espeak-ng")
        self._options = ["-v", voice, "-s", str(rate), "-g", str(gap)]
        self.made_from = ("espeak-ng", voice, str(rate), str(gap))

    def missing(self) -> str | None:
        if shutil.which(self._command) is None:
            return f"The command {self._command} is not installed. On a Pi: sudo apt install espeak-ng"
        return None

    def make(self, text: str, *, gently: bool = False) -> bytes:
        command = _lowly([self._command, "--stdin", "--stdout", *self._options], gently)
        return self._runs.answer_of(command, text.encode())

    def close(self) -> None:
        self._runs.close()


class Pyttsx3:
    """The voice that the machine already has, through pyttsx3: SAPI5 on Windows, NSSpeech on macOS, espeak on Linux.

    It only ever writes one file in one process: its own speaking hangs, and says that all went well.
    """

    is_quick = True

    def __init__(
        self, voice: str = "", rate: int = WORDS_A_MINUTE, gap: int = GAP, *, python: str = sys.executable
    ) -> None:
        self._python = python
        self._runs = _Runs("pyttsx3")
        self._set_up = {"voice": voice, "rate": rate, "gap": gap}
        self.made_from = ("pyttsx3", voice, str(rate), str(gap))

    def missing(self) -> str | None:
        if importlib.util.find_spec("pyttsx3") is None:
            return f"pyttsx3 is not installed: {how_to_add('voice')}"
        return None

    def make(self, text: str, *, gently: bool = False) -> bytes:
        with _file_for_a_sentence() as path:
            asked = json.dumps({**self._set_up, "text": text, "path": str(path)}).encode()
            command = _lowly([self._python, "-m", "hardware.voice.pyttsx3_child"], gently)
            self._runs.answer_of(command, asked)
            return _sound_in(path, "pyttsx3")

    def close(self) -> None:
        self._runs.close()


@contextmanager
def _file_for_a_sentence() -> Iterator[Path]:
    """The path of a file that is not there yet; it is gone afterwards. Raises CannotSpeak where there is no room."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="pi-gm-voice-"))
    except OSError as fault:
        raise CannotSpeak(f"there is no room for a sentence ({fault}): make room on the disk") from fault
    try:
        yield folder / "sentence.wav"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sound_in(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise CannotSpeak(f"{name} wrote no sound: choose espeak-ng on the host page") from fault


class _PiperSaid(Struct, frozen=True):
    """What the process that holds a Piper voice answers."""

    trouble: str
    """Empty where there is none."""


class Piper:
    """A voice that sounds like a person; slow on a Pi, so everything that can be is made in advance.

    ``model`` is the path of its ``.onnx`` file, beside which lies the ``.onnx.json``. One process holds the voice ready.
    """

    is_quick = False

    def __init__(self, model: Path, rate: int = WORDS_A_MINUTE, *, python: str = sys.executable) -> None:
        self._model = model
        self._command = [python, "-m", "hardware.voice.piper_child", str(model), f"{_usual_rate(rate):.3f}"]
        self._lock = threading.Lock()
        """Held while a sentence is made: they are made one by one."""
        self._starting = threading.Lock()
        """Held only while the process is begun or ended."""
        self._child: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self.made_from = ("piper", _known_as(model), str(rate), "")

    @property
    def is_installed(self) -> bool:
        """Whether only the file of a voice could still be missing."""
        return importlib.util.find_spec("piper") is not None

    def missing(self) -> str | None:
        if not self.is_installed:
            return f"Piper is not installed: {how_to_add('piper')}"
        if self._model == Path():
            return "Piper speaks once the .onnx file of a voice is named"
        if self._model.suffix != ".onnx" or not _is_file(self._model):
            home = f" into {SERVICE.voices}, for the service sees no home folder" if is_of_service() else ""
            return f"There is no Piper voice at {self._model}: name the .onnx file of one that was downloaded{home}"
        return None

    def make(self, text: str, *, gently: bool = False) -> bytes:
        with self._lock, _file_for_a_sentence() as path:
            said = self._ask(json.dumps({"text": text, "path": str(path)}).encode() + b"\n")
            if said.trouble:
                raise CannotSpeak(f"Piper cannot say it ({said.trouble})")
            return _sound_in(path, "Piper")

    def _ask(self, line: bytes) -> _PiperSaid:
        child = self._ready()
        if child.stdin is None or child.stdout is None:
            raise CannotSpeak("Piper has no ears")
        give_up = threading.Timer(ONE_SENTENCE * 2, child.kill)
        give_up.start()
        try:
            child.stdin.write(line)
            child.stdin.flush()
            said = child.stdout.readline(LONGEST_ANSWER)
        except OSError:
            said = b""
        finally:
            give_up.cancel()
        if not said:
            self._end_child()
            raise CannotSpeak("Piper ended before it had answered: is its voice file whole?")
        try:
            return msgspec.json.decode(said, type=_PiperSaid)
        except ValueError as fault:
            self._end_child()
            raise CannotSpeak(
                f"Piper answered something that makes no sense ({last_line(said)}): install it anew"
            ) from fault

    def _ready(self) -> subprocess.Popen[bytes]:
        """The process that holds the voice, begun anew where it has ended. Raises CannotSpeak."""
        if self._child is not None and self._child.poll() is not None:
            self._end_child()
        with self._starting:
            if self._is_closed:
                raise CannotSpeak("Piper was put away")
            if self._child is None:
                # One process serves what is urgent and what is not: it always gives way.
                self._child = self._started()
            return self._child

    def _started(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                _lowly(self._command, True),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as fault:
            raise CannotSpeak(f"Piper cannot be started ({fault})") from fault

    def close(self) -> None:
        with self._starting:
            self._is_closed = True
            if self._child is not None:
                self._child.kill()  # before the lock: whoever makes a sentence holds it until the child has answered
        with self._lock:
            self._end_child()

    def _end_child(self) -> None:
        with self._starting:
            child, self._child = self._child, None
        if child is not None:
            child.kill()
            with suppress(OSError), child:  # closes its pipes and waits for its end
                child.wait()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # in a folder that may not be looked into, for one
        return False


def _known_as(model: Path) -> str:
    """What tells the voice in the file ``model`` from every other, one of the same name or place too."""
    try:
        about = model.stat()
    except OSError:
        return str(model)
    return f"{model.absolute()} {about.st_size} {about.st_mtime_ns}"


PIPERS_OWN_RATE = 165
"""About the words a minute of a Piper voice as it comes."""


def _usual_rate(rate: int) -> float:
    """How many times as long as the voice's own a sentence lasts at ``rate`` words a minute."""
    return PIPERS_OWN_RATE / rate
