"""The voice's settings and their file."""

import json
import os
from pathlib import Path

import pytest

from pi_gm.errors import BadInput
from pi_gm.speaking.settings import (
    SpeakerPlace,
    VoiceSettings,
    WrongVoice,
    pcm_in,
    read_voice,
    voice_from_toml,
    voice_to_toml,
    write_voice,
)

CHOSEN = VoiceSettings(
    speaker=SpeakerPlace.MACHINE, engine="piper", voice='C:\\"x".onnx', rate=150, device="Böse USB", volume=0
)


def test_what_is_written_reads_back_as_the_same() -> None:
    assert voice_from_toml(voice_to_toml(CHOSEN)) == CHOSEN
    assert voice_from_toml(voice_to_toml(VoiceSettings())) == VoiceSettings()


def test_without_a_file_there_are_the_usual_settings_and_pages_may_speak(tmp_path: Path) -> None:
    assert read_voice(tmp_path / "voice.toml") == VoiceSettings()
    assert VoiceSettings().speaker is SpeakerPlace.PAGE


def test_whoever_names_a_device_wants_to_hear_it() -> None:
    assert voice_from_toml('device = "USB"').speaker is SpeakerPlace.MACHINE
    assert voice_from_toml('device = "USB"\nspeaker = "nobody"').speaker is SpeakerPlace.NOBODY


def test_every_mistake_is_told_at_once_each_with_its_line() -> None:
    text = '# the voice\nspeaker = "moon"\nrate = 1000\n\nvolume = true\ngab = 8\nvoice = "a\\nb"\n'
    with pytest.raises(WrongVoice) as wrong:
        voice_from_toml(text)
    assert [line.partition(": ")[0] for line in str(wrong.value).splitlines()] == [
        "voice.toml:2",
        "voice.toml:3",
        "voice.toml:5",
        "voice.toml:6",
        "voice.toml:7",
    ]
    assert 'choose one of "machine", "page", "nobody".' in str(wrong.value)
    assert "did you mean gap?" in str(wrong.value)


@pytest.mark.parametrize("content", [b"rate = ", b"\xff", b"#" * 20_000])
def test_what_is_no_settings_file_is_said_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "voice.toml"
    file.write_bytes(content)
    with pytest.raises(WrongVoice, match=r"^.*voice\.toml: [A-Z].*\.$"):
        read_voice(file)


def test_a_file_that_cannot_be_written_leaves_the_old_one_whole(tmp_path: Path) -> None:
    file = tmp_path / "voice.toml"
    write_voice(file, CHOSEN)
    (tmp_path / ".voice.toml.part").mkdir()
    with pytest.raises(BadInput, match="cannot be written"):
        write_voice(file, VoiceSettings())
    assert read_voice(file) == CHOSEN


@pytest.mark.parametrize(
    "wrong", [{"engine": "hal"}, {"rate": 1000}, {"gap": -1}, {"volume": 101}, {"device": "x" * 400}]
)
def test_settings_that_cannot_be_right_name_what_can(wrong: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="choose"):
        VoiceSettings(**wrong)  # type: ignore[arg-type]


PROGRAMS = (
    "alsa:file:'|touch /tmp/x',raw",
    "alsa:file:x.raw",
    'alsa:{type file file "|id"}',
    "alsa:",
    "alsa:-x",
    "alsa:default;id",
    "alsa:default id",
    "alsa:../default",
    "alsa:x:FILE=y",
    "alsa:x:CARD=y:CARD=z",
    "alsa:x:CARD='|id'",
    "alsa:default\n",
)
"""What ALSA would take for more than the name of a PCM."""


@pytest.mark.parametrize("device", PROGRAMS)
def test_a_device_is_never_a_program_for_alsa(device: str) -> None:
    with pytest.raises(BadInput, match="choose a part of its name, or a plain name after alsa:"):
        VoiceSettings(device=device)
    with pytest.raises(BadInput, match="choose a part of its name, or a plain name after alsa:"):
        pcm_in(device)
    with pytest.raises(WrongVoice, match=r"voice\.toml:1: device is"):
        voice_from_toml(f"device = {json.dumps(device)}")


@pytest.mark.parametrize(
    ("device", "pcm"),
    [
        ("alsa:default", "default"),
        ("alsa:plughw:CARD=Device,DEV=0", "plughw:CARD=Device,DEV=0"),
        ("alsa:my-card_2.1", "my-card_2.1"),
        ("file:'|id',raw", None),
        ("USB", None),
        ("", None),
    ],
)
def test_a_plain_name_of_alsas_own_can_be_a_device(device: str, pcm: str | None) -> None:
    assert pcm_in(VoiceSettings(device=device).device) == pcm


def test_a_voice_is_never_an_option() -> None:
    with pytest.raises(BadInput, match="without a dash in front"):
        VoiceSettings(voice="-f/etc/passwd")


def test_a_file_with_mistakes_is_kept_beside_the_one_that_takes_its_place(tmp_path: Path) -> None:
    file = tmp_path / "voice.toml"
    file.write_text("rate = 1\n")
    write_voice(file, VoiceSettings(rate=150))
    write_voice(file, VoiceSettings(rate=160))
    assert (tmp_path / "voice.toml.1").read_text() == "rate = 1\n"
    assert read_voice(file).rate == 160
    file.write_text("rate = 2\n")
    write_voice(file, VoiceSettings(rate=170))
    assert (tmp_path / "voice.toml.1").read_text() == "rate = 1\n"
    assert (tmp_path / "voice.toml.2").read_text() == "rate = 2\n"
    assert read_voice(file).rate == 170


def test_what_is_no_file_is_not_read_and_not_waited_for(tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for path in (pipe, folder):
        with pytest.raises(WrongVoice, match="This is no file"):
            read_voice(path)
        write_voice(path, VoiceSettings(rate=150))
        assert read_voice(path).rate == 150
