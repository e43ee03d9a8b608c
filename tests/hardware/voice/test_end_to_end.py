"""From a caption to sound that is recorded: through PipeWire in real time, and through ALSA into a file."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from hardware.voice.clips import ClipCache
from hardware.voice.engines import EspeakNg
from hardware.voice.players import DevicePlayer
from hardware.voice.sinks import Sink
from hardware.voice.studio import Studio
from hardware.voice.ways import Alsa, PipeWire, Refused, Way, ask
from pi_gm.announcer import Caption, Cue, Urgency, captioned
from pi_gm.clock import RealClock
from pi_gm.speaking.ports import Announced, SpeakerState, Tone
from pi_gm.speaking.speaker import Speaker
from tests.hardware.voice import sound_server
from tests.hardware.voice.listening import found_at, frames_in, samples_of
from tests.hardware.voice.processor import spent
from tests.hardware.voice.sound_server import RATE, SoundServer

PATIENCE = 20.0
ATTEMPTS = 4
"""On a machine that other tests keep busy, the recorder itself now and then misses a moment."""
ALIKE, OTHERS = 0.95, 0.8
"""At least so well what was played matches, and at most so well anything else."""
LATEST = 0.15
"""The sentence would go on for five seconds. How fast it really is, the benchmark tells on an idle machine."""
SENTENCE = "This is a sentence that goes on and on and on, and nobody at the table is listening any more."


@pytest.fixture
def engine() -> EspeakNg:
    if shutil.which("espeak-ng") is None:
        pytest.skip("the command espeak-ng is not installed: apt install espeak-ng")
    return EspeakNg()


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SoundServer]:
    lacks = sound_server.missing()
    if lacks:
        pytest.skip(lacks)
    server = SoundServer(tmp_path)
    for name, value in server.changes.items():
        monkeypatch.setenv(name, value)
    yield server
    server.kill()


class Evening:
    """Captions by hand, a real voice, a real player."""

    def __init__(self, way: Way, engine: EspeakNg, cache: ClipCache) -> None:
        self.clock = RealClock()
        self.captions: tuple[Caption, ...] = ()
        self.changed = threading.Condition()
        self.said: list[str] = []
        self.studio = Studio(engine, cache, self.clock)
        self.player = DevicePlayer(lambda: (way,), self.clock)
        self.speaker = Speaker(self.announced, self.studio, self.player, self.clock, on_said=self.was_said)
        self.studio.start()
        self.speaker.start()

    def announced(self) -> Announced:
        return Announced(self.captions, self.clock.monotonic(), time_runs=True, is_quiet=False, is_on=True)

    def was_said(self, caption: Caption) -> None:
        with self.changed:
            self.said.append(caption.cue.text)
            self.changed.notify_all()

    def announce(self, urgency: Urgency, text: str) -> None:
        self.captions = captioned(self.captions, [Cue(text, urgency, text)], self.clock.monotonic())
        self.speaker.wake()

    def until_said(self, text: str) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: text in self.said, PATIENCE)

    def until(self, is_so: Callable[[], bool]) -> None:
        pause = threading.Event()
        for _ in range(int(PATIENCE / 0.02)):
            if is_so():
                return
            pause.wait(0.02)
        raise AssertionError(f"not so within {PATIENCE} seconds: the speaker is {self.speaker.status}")

    def until_state(self, state: SpeakerState) -> None:
        self.until(lambda: self.speaker.status.state is state)

    def close(self) -> None:
        self.speaker.stop()
        self.studio.stop()

    def words(self, text: str) -> Path:
        clip = self.studio.words(text)
        assert clip is not None
        return clip.path


@pytest.fixture
def evening_on(engine: EspeakNg, tmp_path: Path) -> Iterator[Callable[[Way], Evening]]:
    evenings: list[Evening] = []

    def begin(way: Way) -> Evening:
        evenings.append(Evening(way, engine, ClipCache(tmp_path / "clips")))
        return evenings[-1]

    yield begin
    for evening in evenings:
        evening.close()


def test_a_round_is_heard_whole_in_order_and_the_buzzer_on_time(
    server: SoundServer, evening_on: Callable[[Way], Evening], tmp_path: Path
) -> None:
    server.start()
    evening = evening_on(PipeWire())
    evening.until_state(SpeakerState.FINE)
    evening.announce(Urgency.INFORMATION, "Welcome.")
    evening.until_said("Welcome.")
    heard = round_heard(server, evening, tmp_path / "heard.wav")
    for attempt in range(1, ATTEMPTS):
        if heard.worst < ALIKE or heard.late > LATEST:
            heard = round_heard(server, evening, tmp_path / f"heard-{attempt}.wav")
    assert heard.worst >= ALIKE, heard
    assert heard.starts == sorted(heard.starts)
    assert heard.late <= LATEST, heard
    assert heard.of_what_was_cut < OTHERS, heard
    assert heard.of_what_was_emptied < OTHERS, heard


class Heard(Struct, frozen=True):
    """What a recording of a round tells."""

    starts: list[float]
    """When each clip begins, in seconds, in the order in which they should."""
    worst: float
    """How well the one that matches least does."""
    late: float
    """How much longer the sentence was heard than until the buzzer was announced, in seconds."""
    of_what_was_cut: float
    """How well the best place matches the part of the sentence that the buzzer cut off."""
    of_what_was_emptied: float
    """How well the best place matches what should not be heard at all."""


def round_heard(server: SoundServer, evening: Evening, path: Path) -> Heard:
    evening.said.clear()
    recording = server.record(path)
    evening.announce(Urgency.INFORMATION, "Board now.")
    evening.until_said("Board now.")
    evening.announce(Urgency.INFORMATION, SENTENCE)
    evening.until(lambda: evening.studio.words(SENTENCE) is not None)
    sentence_at = time.monotonic()
    threading.Event().wait(1.5)
    evening.announce(Urgency.RESULT, "Everybody got wet.")
    evening.until(lambda: evening.studio.words("Everybody got wet.") is not None)
    buzzer_at = time.monotonic()
    evening.announce(Urgency.BUZZER, "Stop! Nobody move.")
    evening.announce(Urgency.RESULT, "Ana, Ben and Chloe sank.")
    evening.until_said("Ana, Ben and Chloe sank.")
    server.end(recording)
    heard = samples_of(path)
    order = [
        evening.words("Board now."),
        evening.words(SENTENCE),
        evening.studio.tone(Tone.BUZZER).path,
        evening.words("Stop!"),
        evening.words("Nobody move."),
        evening.words("Ana, Ben and Chloe sank."),
    ]
    places = [found_at(samples_of(clip), heard) for clip in order]
    starts = [place / RATE for place, _ in places]
    cut_off = samples_of(evening.words(SENTENCE))[round((buzzer_at - sentence_at + 2 * LATEST) * RATE) :]
    return Heard(
        starts,
        worst=min(match for _, match in places),
        late=abs(starts[2] - starts[1] - (buzzer_at - sentence_at)),
        of_what_was_cut=found_at(cut_off, heard)[1],
        of_what_was_emptied=found_at(samples_of(evening.words("Everybody got wet.")), heard)[1],
    )


def test_a_sound_server_that_is_killed_costs_no_time_and_comes_back(
    server: SoundServer, evening_on: Callable[[Way], Evening]
) -> None:
    server.start()
    evening = evening_on(PipeWire())
    evening.until_state(SpeakerState.FINE)
    evening.announce(Urgency.INFORMATION, SENTENCE)
    evening.until(lambda: evening.studio.words(SENTENCE) is not None)
    server.kill()
    evening.until_state(SpeakerState.FAILED)
    evening.until_said(SENTENCE)
    before = spent()
    for number in range(20):
        evening.announce(Urgency.BUZZER, f"Stop {number}!")
    evening.until_said("Stop 19!")
    assert spent() - before < 2.0
    server.start()
    evening.speaker.look_at_device()
    evening.announce(Urgency.RESULT, "Back.")
    evening.until_said("Back.")
    evening.until_state(SpeakerState.FINE)


def test_a_speaker_that_only_the_killed_sound_server_knew_is_lost_and_not_unplugged(
    server: SoundServer,
) -> None:
    def no_cards(command: list[str]) -> bytes:
        raise Refused(command[0], 1, "aplay: device_list:274: no soundcards found...")

    player = DevicePlayer(
        lambda: (PipeWire(), Alsa(ask=no_cards, kernels_cards=Path(os.devnull))), RealClock()
    )
    assert player.status().state is SpeakerState.NONE, "the server was never up"
    server.start()
    assert player.status().state is SpeakerState.FINE
    server.kill()
    lost = player.status()
    assert (lost.state, lost.says) == (
        SpeakerState.FAILED,
        "The speaker “Speaker of a test” cannot be reached.",
    )
    assert "Is it started?" in lost.text
    server.start(with_speaker=False)
    assert player.status().state is SpeakerState.NONE, "it is up, and knows of none"


def test_pipewire_without_a_speaker_is_no_speaker(
    server: SoundServer, evening_on: Callable[[Way], Evening]
) -> None:
    server.start(with_speaker=False)
    evening = evening_on(PipeWire())
    evening.announce(Urgency.BUZZER, "Stop!")
    evening.until_said("Stop!")
    evening.until(lambda: "plugged in" in evening.speaker.status.text)
    assert evening.speaker.status.state is SpeakerState.NONE


def frames_of(path: Path) -> bytes:
    return frames_in(path.read_bytes())


def sounding_bytes(path: Path) -> int:
    """How much of what was played is no silence: opening a device plays that."""
    return len(path.read_bytes().replace(b"\0", b"")) if path.exists() else 0


def test_every_sample_reaches_alsa_once_and_in_order(
    alsa_file: Path, evening_on: Callable[[Way], Evening]
) -> None:
    evening = evening_on(Alsa("cap"))
    evening.announce(Urgency.BUZZER, "Stop! Nobody move.")
    evening.announce(Urgency.RESULT, "Ana, Ben and Chloe sank.")
    evening.until_said("Ana, Ben and Chloe sank.")
    expected = b"".join(
        frames_of(path)
        for path in (
            evening.studio.tone(Tone.BUZZER).path,
            evening.words("Stop!"),
            evening.words("Nobody move."),
            evening.words("Ana, Ben and Chloe sank."),
        )
    )
    evening.until(lambda: alsa_file.exists() and alsa_file.stat().st_size >= len(expected))
    assert alsa_file.read_bytes().replace(b"\0\0", b"") == expected.replace(b"\0\0", b"")


def test_a_card_that_is_gone_fails_and_delays_nothing(
    alsa_file: Path, evening_on: Callable[[Way], Evening]
) -> None:
    asked: list[list[str]] = []

    def counted(command: list[str]) -> bytes:
        asked.append(command)
        return ask(command)

    evening = evening_on(Alsa("gone", counted))
    before = spent()
    results = [f"Result {number}." for number in range(20)]
    for result in results:
        evening.announce(Urgency.RESULT, result)
    evening.until_said(results[-1])
    assert evening.said == results
    evening.until_state(SpeakerState.FAILED)
    assert len(asked) < len(results), "no sentence asks again"
    assert spent() - before < 2.0


def test_a_full_disk_is_said_and_the_buzzer_still_sounds_from_memory(
    alsa_file: Path, engine: EspeakNg, tmp_path: Path
) -> None:
    full = tmp_path / "full"
    full.write_text("no folder, so nothing can be kept in it")
    mute = Evening(Alsa("cap"), engine, ClipCache(full))
    try:
        mute.announce(Urgency.BUZZER, "Stop!")
        mute.until_said("Stop!")
        mute.until_state(SpeakerState.FAILED)
        assert "make room on the disk" in mute.speaker.status.text
    finally:
        mute.close()
    assert sounding_bytes(alsa_file) == 0
    loud = Evening(Alsa("cap"), EspeakNg(), ClipCache(full, tmp_path / "memory"))
    try:
        loud.announce(Urgency.BUZZER, "Stop!")
        loud.until_said("Stop!")
        loud.until_state(SpeakerState.FINE)
    finally:
        loud.close()
    assert sounding_bytes(alsa_file) > RATE


class EndlessWay(Alsa):
    """Plays each clip for ten minutes, with a command that writes down its number."""

    def __init__(self, folder: Path) -> None:
        super().__init__("cap")
        self._script = folder / "play"
        self._script.write_text(f"echo $$ >>{folder}/begun\nexec sleep 600\n")

    def play(self, sink: Sink, path: Path, volume: int) -> list[str]:
        return ["sh", str(self._script)]


def runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_no_player_outlives_the_speaker(
    alsa_file: Path, evening_on: Callable[[Way], Evening], tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    evening = evening_on(EndlessWay(tmp_path))
    evening.announce(Urgency.INFORMATION, SENTENCE)
    evening.until(lambda: begun.exists() and begun.read_text().endswith("\n"))
    players = [int(number) for number in begun.read_text().split()]
    assert all(runs(player) for player in players)
    evening.close()
    players = [int(number) for number in begun.read_text().split()]
    assert not any(runs(player) for player in players)
    names = [thread.name for thread in threading.enumerate()]
    assert not {"speaker", "speaker watch", "voice", "voice in advance", "player"} & set(names)
