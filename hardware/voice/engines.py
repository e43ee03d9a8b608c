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
from pathlib import Path
from typing import Protocol

from pi_gm.clock import Seconds
from pi_gm.speaking.ports import CannotSpeak
from pi_gm.speaking.settings import GAP, WORDS_A_MINUTE

GENTLY = ("nice", "-n", "10")
ONE_SENTENCE: Seconds = 15.0
"""A voice that needs longer for one sentence hangs."""


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
        """End whatever runs for it."""
        ...


def _lowly(command: list[str], gently: bool) -> list[str]:
    return [*GENTLY, *command] if gently and shutil.which(GENTLY[0]) else command


class EspeakNg:
    """The command espeak-ng."""

    is_quick = True

    def __init__(
        self, voice: str = "en", rate: int = WORDS_A_MINUTE, gap: int = GAP, *, command: str = "espeak-ng"
    ) -> None:
        self._command = command
        self._options = ["-v", voice, "-s", str(rate), "-g", str(gap)]
        self.made_from = ("espeak-ng", voice, str(rate), str(gap))

    def missing(self) -> str | None:
        if shutil.which(self._command) is None:
            return f"The command {self._command} is not installed. On a Pi: sudo apt install espeak-ng"
        return None

    def make(self, text: str, *, gently: bool = False) -> bytes:
        command = _lowly([self._command, "--stdin", "--stdout", *self._options], gently)
        return _answer_of(command, text.encode(), "espeak-ng")

    def close(self) -> None:
        pass


class Pyttsx3:
    """The voice that the machine already has, through pyttsx3: SAPI5 on Windows, NSSpeech on macOS, espeak on Linux.

    It only ever writes one file in one process: its own speaking hangs, and says that all went well.
    """

    is_quick = True

    def __init__(
        self, voice: str = "", rate: int = WORDS_A_MINUTE, gap: int = GAP, *, python: str = sys.executable
    ) -> None:
        self._python = python
        self._set_up = {"voice": voice, "rate": rate, "gap": gap}
        self.made_from = ("pyttsx3", voice, str(rate), str(gap))

    def missing(self) -> str | None:
        if importlib.util.find_spec("pyttsx3") is None:
            return "pyttsx3 is not installed: pip install 'pi-gm[voice]'"
        return None

    def make(self, text: str, *, gently: bool = False) -> bytes:
        with tempfile.TemporaryDirectory(prefix="pi-gm-voice-") as folder:
            path = Path(folder) / "sentence.wav"
            asked = json.dumps({**self._set_up, "text": text, "path": str(path)}).encode()
            command = _lowly([self._python, "-m", "hardware.voice.pyttsx3_child"], gently)
            _answer_of(command, asked, "pyttsx3")
            try:
                return path.read_bytes()
            except OSError as fault:
                raise CannotSpeak("pyttsx3 wrote no sound: choose espeak-ng on the host page") from fault

    def close(self) -> None:
        pass


def _answer_of(command: list[str], asked: bytes, name: str) -> bytes:
    try:
        done = subprocess.run(command, input=asked, capture_output=True, timeout=ONE_SENTENCE, check=False)
    except subprocess.TimeoutExpired as fault:
        raise CannotSpeak(f"{name} took longer than {ONE_SENTENCE:.0f} seconds for a sentence") from fault
    except OSError as fault:
        raise CannotSpeak(f"{name} cannot be started ({fault}): is it installed?") from fault
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise CannotSpeak(f"{name} ended with {done.returncode} ({said[-1] if said else 'no reason given'})")
    return done.stdout


class Piper:
    """A voice that sounds like a person; slow on a Pi, so everything that can be is made in advance.

    ``model`` is the path of its ``.onnx`` file, beside which lies the ``.onnx.json``. One process holds the voice ready.
    """

    is_quick = False

    def __init__(self, model: Path, rate: int = WORDS_A_MINUTE, *, python: str = sys.executable) -> None:
        self._model = model
        self._command = [python, "-m", "hardware.voice.piper_child", str(model), f"{_usual_rate(rate):.3f}"]
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self.made_from = ("piper", model.name, str(rate), "")

    @property
    def is_installed(self) -> bool:
        """Whether only the file of a voice could still be missing."""
        return importlib.util.find_spec("piper") is not None

    def missing(self) -> str | None:
        if not self.is_installed:
            return "Piper is not installed: pip install 'pi-gm[piper]'"
        if self._model == Path():
            return "Piper speaks once the .onnx file of a voice is named"
        if self._model.suffix != ".onnx" or not self._model.is_file():
            return f"There is no Piper voice at {self._model}: name the .onnx file of one that was downloaded"
        return None

    def make(self, text: str, *, gently: bool = False) -> bytes:
        with self._lock, tempfile.TemporaryDirectory(prefix="pi-gm-voice-") as folder:
            path = Path(folder) / "sentence.wav"
            said = self._ask(json.dumps({"text": text, "path": str(path)}).encode() + b"\n")
            trouble = said.get("trouble")
            if trouble:
                raise CannotSpeak(f"Piper cannot say it ({trouble})")
            try:
                return path.read_bytes()
            except OSError as fault:
                raise CannotSpeak("Piper wrote no sound: choose espeak-ng on the host page") from fault

    def _ask(self, line: bytes) -> dict[str, str]:
        child = self._child
        if child is None or child.poll() is not None:
            # One process serves what is urgent and what is not: it always gives way.
            child = self._child = self._started()
        if child.stdin is None or child.stdout is None:
            raise CannotSpeak("Piper has no ears")
        give_up = threading.Timer(ONE_SENTENCE * 2, child.kill)
        give_up.start()
        try:
            child.stdin.write(line)
            child.stdin.flush()
            said = child.stdout.readline()
        except OSError:
            said = b""
        finally:
            give_up.cancel()
        if not said:
            self._end_child()
            raise CannotSpeak("Piper ended before it had answered: is its voice file whole?")
        answer: dict[str, str] = json.loads(said)
        return answer

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
        with self._lock:
            self._end_child()

    def _end_child(self) -> None:
        if self._child is not None:
            self._child.kill()
            with self._child as ending:  # closes its pipes and waits for its end
                ending.wait()
            self._child = None


PIPERS_OWN_RATE = 165
"""About the words a minute of a Piper voice as it comes."""


def _usual_rate(rate: int) -> float:
    """How many times as long as the voice's own a sentence lasts at ``rate`` words a minute."""
    return PIPERS_OWN_RATE / rate
