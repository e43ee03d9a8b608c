"""Which voices there are to choose from."""

import json
from pathlib import Path

import pytest

from hardware.voice.catalogue import engines_here, espeak_voices, pyttsx3_voices
from hardware.voice.pyttsx3_voices import is_english
from pi_gm.speaking.settings import ENGINES, VoiceSettings

LISTED = """Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  en-gb-x-rp      --/M      English_(Received_Pronunciation) gmw/en-GB-x-rp       (en-gb 4)(en 5)
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 3  en-uk           --/M      english-mb-en1     mb/mb-en1            (en-gb 3)(en 2)
 5  variant         --/M      Storm              !v/Storm             (en-us 5)
"""


def test_english_voices_that_need_nothing_else_the_usual_one_first() -> None:
    assert [(voice.key, voice.title) for voice in espeak_voices(LISTED)] == [
        ("en", "Great Britain"),
        ("en-GB-x-rp", "Received Pronunciation"),
    ]


def test_the_machines_own_voices_come_after_its_usual_one() -> None:
    listed = json.dumps([{"id": "com.apple.daniel", "name": "Daniel"}])
    assert [voice.key for voice in pyttsx3_voices(listed)] == ["", "com.apple.daniel"]


@pytest.mark.parametrize(
    ("language", "expected"), [(b"\x05en-gb", True), ("en_US", True), (b"\x05de", False), ("fr_FR", False)]
)
def test_a_language_is_known_however_a_system_writes_it(language: bytes | str, expected: bool) -> None:
    assert is_english(language) is expected


def test_every_engine_is_listed_and_one_that_is_not_here_says_what_it_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hardware.voice.engines.shutil.which", lambda command: None)
    engines = {engine.key: engine for engine in engines_here(VoiceSettings())}
    assert tuple(engines) == ENGINES
    assert "apt install espeak-ng" in (engines["espeak-ng"].lacks or "")
    assert engines["espeak-ng"].voices == ()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("echo 'first'>&2; echo 'no voices here' >&2; exit 2", "no voices here"),
        ("exit 2", "no reason given"),
        ("sleep 60", "no answer"),
    ],
)
def test_an_engine_whose_voices_cannot_be_listed_tells_why_and_can_be_chosen_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, expected: str
) -> None:
    command = tmp_path / "espeak-ng"
    command.write_text(f"#!/bin/sh\n{body}\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("hardware.voice.catalogue.LISTED_WITHIN", 0.5)
    robot = engines_here(VoiceSettings())[0]
    assert (robot.lacks, robot.voices) == (None, ())
    assert expected in (robot.trouble or "")
