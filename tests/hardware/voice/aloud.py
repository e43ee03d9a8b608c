"""An evening at a real table whose speaker plays into a file: what is in it, sample by sample."""

import threading
from array import array
from pathlib import Path

from hardware.voice import device_player_for, studio_for
from hardware.voice.engines import EspeakNg
from hardware.voice.tones import tone_wav
from pi_gm.announcer import Caption
from pi_gm.clock import RealClock, Seconds
from pi_gm.journal import Journal
from pi_gm.naming import plain
from pi_gm.speaking.at_table import Hearing
from pi_gm.speaking.ports import SpeakerState, Tone
from pi_gm.speaking.settings import SpeakerPlace, VoiceSettings
from pi_gm.speaking.speaker import Speaker
from tests.hardware.voice.listening import frames_in
from tests.pi_gm.evening import Evening

PATIENCE = 20.0
VOICE = VoiceSettings(speaker=SpeakerPlace.MACHINE, engine="espeak-ng", device="alsa:cap")


class AloudEvening(Evening):
    """An evening with a speaker; ``heard`` is the file to which ALSA's device adds whatever is played on it.

    The clips are made for nights in ``folder``. Only what is played takes real time.
    """

    def __init__(self, heard: Path, folder: Path, journal: Journal | None = None) -> None:
        self._file = heard
        self._taken = 0
        self._heard = b""
        self._expected = b""
        self._said: list[str] = []
        self._over = threading.Condition()
        super().__init__(journal=journal)
        clock = RealClock()
        self._studio = studio_for(VOICE, self.clock, folder)
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
            self._said.append(plain(caption.cue.text))
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

    def speaker_state(self) -> SpeakerState:
        return self.speaker.status.state

    def until_over(self, text: str) -> None:
        """Wait until the speaker has done with that caption, said or given up."""
        with self._over:
            assert self._over.wait_for(lambda: text in self._said, PATIENCE), (text, self._said)

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
