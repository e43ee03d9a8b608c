"""How soon something is heard: from a cue to the first sample that comes out of a sound server's speaker."""

import importlib.util
import io
import os
import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import wave
from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch

from hardware.voice.clips import ClipCache, wav
from hardware.voice.engines import EspeakNg
from hardware.voice.players import DevicePlayer
from hardware.voice.studio import Studio
from hardware.voice.ways import PipeWire
from pi_gm.announcer import Caption, Cue, Urgency, captioned
from pi_gm.clock import RealClock
from pi_gm.speaking.ports import Announced, SpeakerState, SpokenName
from pi_gm.speaking.repertoire import repertoire
from pi_gm.speaking.speaker import Speaker
from tests.bench.figures import figure, left_out
from tests.bench.idle import resident
from tests.hardware.voice import sound_server
from tests.hardware.voice.sound_server import SoundServer

TIMES = 8
TEN_SECONDS = (
    "This is a sentence that takes ten seconds to say, since it goes on and on and on, and nobody at the table is "
    "listening to it any more, but it goes on all the same."
)
NAMES = ("Ana", "Ben", "Chloe", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jonas", "Klara", "Leo")
PACKAGES = ("pi_gm.phrases", "pi_gm.games.animal_crossing")
SOFTER = 24
"""The sentences are made so much softer that a tone is told from them by its loudness."""
AUDIBLE = 60
LOUD_WORD = "Splash"
"""What has it in it is as loud as it comes, and so is told from another sentence that still sounds."""
TONE = 4000
GIVE_UP = 20.0
NAIVE_TIMES = 3

Figure = tuple[str, float, str]

OVER = "over"
NAIVE = f"""
import sys
import pyttsx3
engine = pyttsx3.init()
for line in sys.stdin:
    engine.say(line)
    engine.runAndWait()
    print({OVER!r}, flush=True)
"""
"""Says each line it is told, one after the other as pyttsx3's manual shows it, and tells when one is over."""


class _SoftVoice(EspeakNg):
    def make(self, text: str, *, gently: bool = False) -> bytes:
        with wave.open(io.BytesIO(super().make(text, gently=gently))) as heard:
            samples = array("h", heard.readframes(1 << 26))
            softer = 1 if LOUD_WORD in text else SOFTER
            return wav(array("h", (sample // softer for sample in samples)).tobytes(), heard.getframerate())


class _Ear:
    """Hears a recording while it grows."""

    def __init__(self, server: SoundServer, folder: Path) -> None:
        self._path = folder / "ear.wav"
        self._server = server
        self._recording = server.record(self._path, latency="3ms")
        self._place = 0

    def listen(self) -> None:
        """From now on."""
        self._place = self._path.stat().st_size & ~1

    def hears(self, loud: int, within: float = 30.0) -> float:
        """The monotonic time at which something as ``loud`` came; TimeoutError where nothing did."""
        limit = time.monotonic() + within
        while time.monotonic() < limit:
            with self._path.open("rb") as file:
                file.seek(self._place)
                block = file.read()
            at = time.monotonic()
            whole = array("h", block[: len(block) & ~1])
            self._place += len(whole) * 2
            if whole and max(map(abs, whole)) > loud:
                return at
            time.sleep(0.0005)
        raise TimeoutError(f"nothing was heard within {within} s")

    def close(self) -> None:
        self._server.end(self._recording)


class _Evening:
    def __init__(self, folder: Path) -> None:
        self.clock = RealClock()
        self.captions: tuple[Caption, ...] = ()
        self.studio = Studio(_SoftVoice(), ClipCache(folder), self.clock)
        self.said_at: dict[str, float] = {}
        """When which text was over, by the monotonic clock."""
        player = DevicePlayer(lambda: (PipeWire(),), self.clock)
        self.speaker = Speaker(self._announced, self.studio, player, self.clock, on_said=self._was_said)
        self.studio.start()
        self.speaker.start()
        while self.speaker.status.state is not SpeakerState.FINE:
            time.sleep(0.01)

    def _was_said(self, caption: Caption) -> None:
        self.said_at[caption.cue.text] = self.clock.monotonic()

    def until_said(self, text: str) -> None:
        while text not in self.said_at:
            time.sleep(0.01)

    def _announced(self) -> Announced:
        return Announced(self.captions, self.clock.monotonic(), time_runs=True, is_quiet=False, is_on=True)

    def announce(self, urgency: Urgency, text: str) -> None:
        key = f"{urgency.name} {len(self.captions)} {text}"
        self.captions = captioned(self.captions, [Cue(key, urgency, text)], self.clock.monotonic())
        self.speaker.wake()

    def close(self) -> None:
        self.speaker.stop()
        self.studio.stop()


def voice_figures() -> None:
    """Print every figure; none, with a reason on standard error, where this machine lacks what they need."""
    lacks = sound_server.missing() or (None if shutil.which("espeak-ng") else "espeak-ng is not installed")
    if lacks:
        left_out("the voice", lacks)
        return
    with tempfile.TemporaryDirectory(prefix="pi-gm-bench-") as name, _server(Path(name)) as server:
        for told, value, unit in _figures(server, Path(name)):
            figure(told, value, unit)


def _figures(server: SoundServer, folder: Path) -> Iterator[Figure]:
    yield from _making(folder)
    with closing(_Evening(folder / "clips")) as evening, closing(_Ear(server, folder)) as ear:
        yield from _hearing(evening, ear)
        yield "voice: memory of the program that speaks", resident(os.getpid()), "MB"
        if importlib.util.find_spec("pyttsx3") is None:
            left_out("naive pyttsx3", "it is not installed")
        else:
            yield from _naive(ear)


@contextmanager
def _server(folder: Path) -> Iterator[SoundServer]:
    server = SoundServer(folder)
    with patch.dict("os.environ", server.changes):
        server.start(period=0)
        try:
            yield server
        finally:
            server.kill()


def _making(folder: Path) -> Iterator[Figure]:
    clock, names = RealClock(), [SpokenName(name, name) for name in NAMES]
    with closing(_Making(Studio(EspeakNg(), ClipCache(folder / "made"), clock))) as making:
        texts = [text for package in PACKAGES for who in ((), names) for text in repertoire(package, who)]
        start = time.monotonic()
        making.studio.prepare(texts)
        while making.studio.left_to_prepare:
            time.sleep(0.01)
        yield "voice: made in advance for 12 players", len(texts), "clips"
        yield "voice: making them took", time.monotonic() - start, "s"
    yield "voice: they take up", sum(clip.stat().st_size for clip in (folder / "made").iterdir()) / 1e6, "MB"


class _Making:
    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        studio.start()

    def close(self) -> None:
        self.studio.stop()


def _hearing(evening: _Evening, ear: _Ear) -> Iterator[Figure]:
    evening.announce(Urgency.INFORMATION, "Welcome.")
    time.sleep(4)

    def sentence_runs() -> None:
        evening.announce(Urgency.INFORMATION, TEN_SECONDS)
        ear.listen()
        ear.hears(AUDIBLE)
        time.sleep(0.4)

    def silence() -> None:
        time.sleep(1.6)

    for what, before in (("idle", silence), ("during a sentence", sentence_runs)):
        for urgency in (Urgency.BUZZER, Urgency.TICK):
            took = []
            for _ in range(TIMES):
                before()
                ear.listen()
                start = time.monotonic()
                evening.announce(urgency, "")
                took.append(ear.hears(TONE) - start)
                time.sleep(1.3)
                evening.announce(Urgency.BUZZER, "")  # ends the ticks
                time.sleep(1.6)
            yield from _spread(f"voice: {urgency.name.lower()} {what}", took)
    took = []
    for number in range(TIMES):
        silence()
        ear.listen()
        start = time.monotonic()
        text = f"{NAMES[number % 12]} and {NAMES[(number + 5) % 12]} sank {number}."
        evening.announce(Urgency.RESULT, text)
        took.append(ear.hears(AUDIBLE) - start)
        evening.until_said(text)
    yield from _spread("voice: new sentence idle", took)
    took = []
    for number in range(TIMES // 2):
        silence()
        evening.said_at.clear()
        sentence_runs()
        text = f"{LOUD_WORD}! {NAMES[number]} sank {number}."
        evening.announce(Urgency.RESULT, text)
        evening.until_said(TEN_SECONDS)
        took.append(ear.hears(TONE) - evening.said_at[TEN_SECONDS])
        evening.until_said(text)
    yield from _spread("voice: new sentence during a sentence, after that one's end", took)


def _spread(name: str, seconds: list[float]) -> Iterator[Figure]:
    yield f"{name} p50", 1000 * statistics.median(seconds), "ms"
    yield f"{name} worst", 1000 * max(seconds), "ms"


class _Naive:
    """A program that speaks with pyttsx3 as its manual shows it."""

    def __init__(self) -> None:
        self._told: queue.Queue[str] = queue.Queue()
        self._child = subprocess.Popen(
            [sys.executable, "-c", NAIVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self._child.stdout or ():
            self._told.put(line.strip())

    def tell(self, text: str) -> None:
        if self._child.stdin is not None:
            self._child.stdin.write(f"{text}\n")

    def until_over(self) -> None:
        """Until the text told before all others is over; raises TimeoutError where it hangs."""
        try:
            while self._told.get(timeout=GIVE_UP) != OVER:
                pass
        except queue.Empty:
            raise TimeoutError(f"naive pyttsx3 was not done within {GIVE_UP} s") from None

    def close(self) -> None:
        self._child.kill()
        self._child.wait()
        self._reader.join()


def _naive(ear: _Ear) -> Iterator[Figure]:
    with closing(_Naive()) as naive:
        try:
            naive.tell("Ready.")
            naive.until_over()
            idle = [_stop_heard_idle(ear, naive) for _ in range(NAIVE_TIMES)]
            during = [_stop_heard_during_a_sentence(ear, naive) for _ in range(NAIVE_TIMES)]
        except TimeoutError as error:
            left_out("naive pyttsx3", f"{error} (apt install pipewire-alsa, through which it plays)")
            return
    yield from _spread("voice: naive pyttsx3 idle", idle)
    yield from _spread("voice: naive pyttsx3 during a sentence", during)


def _stop_heard_idle(ear: _Ear, naive: _Naive) -> float:
    time.sleep(1.6)
    ear.listen()
    start = time.monotonic()
    naive.tell("Stop.")
    took = ear.hears(AUDIBLE, GIVE_UP) - start
    naive.until_over()
    return took


def _stop_heard_during_a_sentence(ear: _Ear, naive: _Naive) -> float:
    """From what comes after the sentence is over; every clip ends in silence, so its own tail is not taken for it."""
    time.sleep(1.6)
    ear.listen()
    naive.tell(TEN_SECONDS)
    ear.hears(AUDIBLE, GIVE_UP)
    time.sleep(0.4)
    start = time.monotonic()
    naive.tell("Stop.")
    naive.until_over()
    ear.listen()
    took = ear.hears(AUDIBLE, GIVE_UP) - start
    naive.until_over()
    return took


if __name__ == "__main__":
    voice_figures()
