"""Which voice settings a night begins with."""

from pathlib import Path

import pytest

from pi_gm.cli.voice import voice_settings
from pi_gm.speaking.settings import SpeakerPlace, VoiceSettings, write_voice


def test_without_a_file_and_without_speak_the_machine_is_silent(tmp_path: Path) -> None:
    assert voice_settings(None, tmp_path).speaker is not SpeakerPlace.MACHINE


def test_a_saved_device_switches_the_speaker_on_and_speak_names_another(tmp_path: Path) -> None:
    saved = VoiceSettings(speaker=SpeakerPlace.MACHINE, device="USB", rate=160)
    write_voice(tmp_path / "voice.toml", saved)
    assert voice_settings(None, tmp_path) == saved
    assert voice_settings("", tmp_path) == saved
    assert voice_settings("HDMI", tmp_path).device == "HDMI"
    assert voice_settings("HDMI", tmp_path).rate == 160


def test_a_file_with_mistakes_is_told_and_keeps_nobody_from_playing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "voice.toml").write_text("rate = 1\n")
    assert voice_settings("", tmp_path) == VoiceSettings(speaker=SpeakerPlace.MACHINE)
    assert "voice.toml:1: rate is 1: choose" in capsys.readouterr().err
