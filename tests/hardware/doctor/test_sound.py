"""What the doctor says of the speaker and the voice: the same as the host page, from the same look."""

import shutil
from pathlib import Path

import pytest

from hardware.doctor.findings import Finding, Verdict
from hardware.doctor.sound import check_sound
from hardware.voice.engines import EspeakNg
from hardware.voice.sinks import Sink, SinkKind
from pi_gm.speaking.ports import CannotSpeak
from pi_gm.speaking.settings import SpeakerPlace, VoiceSettings, write_voice


class FakeWay:
    sinks = staticmethod(lambda: (Sink("card", "USB speaker", SinkKind.USB),))


def found(file: Path, check: str) -> Finding:
    return {one.check: one for one in check_sound(file)}[check]


def test_a_speaker_that_is_there_is_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.voice.ways_here", lambda device: (FakeWay(),))
    speaker = found(tmp_path / "voice.toml", "speaker")
    assert (speaker.verdict, speaker.says) == (Verdict.GOOD, "fine: Sound comes out of USB speaker.")


def test_the_chosen_speaker_that_is_not_there_has_failed_and_no_speaker_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "voice.toml"
    monkeypatch.setattr("hardware.voice.ways_here", lambda device: (FakeWay(),))
    write_voice(file, VoiceSettings(speaker=SpeakerPlace.MACHINE, device="Kitchen"))
    speaker = found(file, "speaker")
    assert speaker.says == "failed: The speaker “Kitchen” is not there."
    assert speaker.cure == "Plug it in, or choose another: there is USB speaker."
    monkeypatch.setattr("hardware.voice.ways_here", lambda device: ())
    assert found(file, "speaker").says.startswith("none: ")
    assert found(file, "speaker").verdict is Verdict.WARNING


def test_sound_that_was_switched_off_is_nothing_to_mind(tmp_path: Path) -> None:
    file = tmp_path / "voice.toml"
    write_voice(file, VoiceSettings(speaker=SpeakerPlace.NOBODY))
    assert found(file, "speaker").verdict is Verdict.UNCHECKED


def test_a_voice_that_is_not_installed_and_a_file_with_mistakes_are_told_with_a_cure(tmp_path: Path) -> None:
    file = tmp_path / "voice.toml"
    write_voice(file, VoiceSettings(engine="piper", voice="/no/such.onnx"))
    assert found(file, "voice").verdict is Verdict.WARNING
    file.write_text('rate = "fast"\nvolumee = 3\n')
    voice = found(file, "voice")
    assert voice.says.splitlines() == [
        f"{file}:1: rate is 'fast': choose a whole number from 80 to 300 words a minute.",
        f"{file}:2: volumee means nothing here: did you mean volume?",
    ]
    assert voice.cure


def test_a_voice_that_cannot_say_a_sentence_is_not_fine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(EspeakNg):
        def missing(self) -> str | None:
            return None

        def make(self, text: str, *, gently: bool = False) -> bytes:
            raise CannotSpeak("espeak-ng ended with 1 (The specified espeak-ng voice does not exist.)")

    monkeypatch.setattr("hardware.doctor.sound.engine_for", lambda settings: Failing())
    voice = found(tmp_path / "voice.toml", "voice")
    assert voice.verdict is Verdict.WARNING
    assert "voice does not exist" in voice.says
    assert voice.cure


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_a_voice_that_espeak_does_not_know_is_found_out_by_speaking(tmp_path: Path) -> None:
    file = tmp_path / "voice.toml"
    write_voice(file, VoiceSettings(engine="espeak-ng", voice="nosuch"))
    assert found(file, "voice").verdict is Verdict.WARNING
    write_voice(file, VoiceSettings(engine="espeak-ng", voice="en"))
    assert found(file, "voice").verdict is Verdict.GOOD
