"""A round at a real table, heard: what reached the sound device, held sample for sample against what the voice says."""

import shutil
import threading
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.voice import device_player_for, studio_for
from hardware.voice.engines import EspeakNg
from hardware.voice.tones import tone_wav
from pi_gm import night as nights
from pi_gm.announcer import Caption
from pi_gm.clock import RealClock, Seconds
from pi_gm.games import Page
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.speaking.at_table import Hearing
from pi_gm.speaking.ports import SpeakerState, Tone
from pi_gm.speaking.settings import SpeakerPlace, VoiceSettings
from pi_gm.speaking.speaker import Speaker
from tests.hardware.voice.listening import frames_in
from tests.pi_gm.evening import Evening

PATIENCE = 20.0
VOICE = VoiceSettings(speaker=SpeakerPlace.MACHINE, engine="espeak-ng", device="alsa:cap")


class AloudEvening(Evening):
    """An evening with a speaker; ``heard`` is the file that ALSA's device adds to whatever is played on it."""

    def __init__(self, heard: Path, folder: Path) -> None:
        self._file = heard
        self._taken = 0
        self._heard = b""
        self._expected = b""
        self._said: list[str] = []
        self._over = threading.Condition()
        super().__init__()
        clock = RealClock()
        self._studio = studio_for(VOICE, clock, folder)
        self.speaker = Speaker(
            Hearing(self.table, self._studio),
            self._studio,
            device_player_for(VOICE, clock),
            clock,
            on_said=self._was_said,
        )
        self.speaker.look_at_device()
        self.table.heard_while(lambda: self.speaker.status.state is SpeakerState.FINE)
        self.table.subscribe(self.speaker.wake)
        self._studio.start()
        self.speaker.start()

    def _was_said(self, caption: Caption) -> None:
        self.table.was_said(caption)
        with self._over:
            self._said.append(caption.cue.key)
            self._over.notify_all()

    def turn(self, seconds: Seconds) -> None:
        self.pass_time(seconds)
        self.speaker.wake()

    def hears(self, *sounds: Tone | str) -> None:
        """Wait until these were played next, from their first sample to their last, and nothing before them."""
        self._expected += b"".join(sounding(each) for each in sounds)
        pause = threading.Event()
        for _ in range(int(PATIENCE / 0.02)):
            self._listen()
            if len(self._heard) >= len(self._expected):
                break
            pause.wait(0.02)
        as_it_should = self._heard.startswith(self._expected)
        assert as_it_should, (sounds, self.said[-4:], self.speaker.status)

    def has_heard_all(self) -> None:
        self.speaker.stop()
        self._listen()
        is_all = self._heard == self._expected
        assert is_all, "something was played that nobody expected"

    def until_said(self, key: str) -> None:
        with self._over:
            assert self._over.wait_for(lambda: key in self._said, PATIENCE), (key, self._said)

    def _listen(self) -> None:
        if self._file.exists():
            with self._file.open("rb") as file:
                file.seek(self._taken)
                new = file.read()
            whole = len(new) // 2 * 2
            self._taken += whole
            self._heard += without_silence(new[:whole])

    def close(self) -> None:
        self.speaker.stop()
        self._studio.stop()


def sounding(sound: Tone | str) -> bytes:
    """What is heard of ``sound``, which another instance of the voice makes than that of the speaker."""
    made = tone_wav(sound)[0] if isinstance(sound, Tone) else EspeakNg().make(sound)
    return without_silence(frames_in(made))


def without_silence(frames: bytes) -> bytes:
    """A device is woken with silence: what sounds is compared, sample by sample."""
    return array("h", filter(None, memoryview(frames).cast("h"))).tobytes()


@pytest.fixture
def evening(alsa_file: Path, tmp_path: Path) -> Iterator[AloudEvening]:
    if shutil.which("espeak-ng") is None:
        pytest.skip("the command espeak-ng is not installed: apt install espeak-ng")
    aloud = AloudEvening(alsa_file, tmp_path)
    yield aloud
    aloud.close()


def test_a_night_of_one_round_is_heard_from_the_welcome_to_who_wins(evening: AloudEvening) -> None:
    evening.sit_down("Ana")
    evening.hears(Tone.CHIME, "Ana is at the table.")
    evening.sit_down("Ben")
    evening.hears("Welcome, Ben.")
    evening.sit_down("Chloe")
    evening.hears("Chloe has sat down.")

    evening.begin(practice=False, rounds=1, loads="typed", typed=[[4, 6]], pick_seconds=90)
    evening.hears("Welcome to Animal Crossing.", "Heavier animals score more, and nobody wants to get wet.")
    evening.hears("Round 1.", "Raft Eh, carries 4.", "Raft B, carries 6.", "Choose your animals in secret.")
    evening.pick(Chloe=Animal.MOUSE)
    evening.pass_time(31)
    evening.hears("One minute left to choose.")
    evening.pass_time(60)
    evening.hears("Ana and Ben, please choose.")
    evening.pick(Ana=Animal.DOG, Ben=Animal.ELEPHANT)

    evening.host(commands.OpenBoarding())
    evening.hears("Board now.", "You have 30 seconds.")
    evening.until_said("board")
    evening.check_in(Ana="A", Ben="A", Chloe="island")
    evening.turn(20)
    evening.hears(Tone.TICK, "Ten!")
    for _ in range(9):
        evening.turn(1)
        evening.hears(Tone.TICK)
    evening.turn(1)
    evening.hears(Tone.BUZZER, "Stop!", "Nobody move.")

    evening.turn(1)
    evening.host(commands.SettleRound())
    evening.hears("Ana and Ben sank.", "Chloe stayed dry.")
    evening.host(commands.OpenNight())
    evening.hears("The night is over.")
    evening.turn(60)
    evening.hears("Without a point: Ana and Ben.")
    evening.turn(60)
    evening.hears("And the winner is", "Chloe wins the night.")
    evening.until_said("rank-1")
    evening.has_heard_all()
