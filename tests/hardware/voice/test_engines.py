"""Every engine: text in, sound out, whatever the text; and when it breaks, hangs or is missing, it says so in time."""

import importlib.util
import io
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.voice import engines
from hardware.voice.clips import checked_wav
from hardware.voice.engines import Engine, EspeakNg, Piper, Pyttsx3
from pi_gm.naming import named
from pi_gm.speaking.ports import CannotSpeak, SpokenName
from pi_gm.speaking.pronounced import speakable, spoken
from pi_gm.speaking.repertoire import repertoire
from tests.hardware.voice.piper_voice import MISSING, hum
from tests.pi_gm.hostile_names import HOSTILE_NAMES

PIPER_VOICE = "PI_GM_PIPER_VOICE"
"""Names the ``.onnx`` file of a Piper voice to test with; left out, it is one that hums."""


def espeak_ng() -> Engine:
    if shutil.which("espeak-ng") is None:
        pytest.skip("the command espeak-ng is not installed: apt install espeak-ng")
    return EspeakNg()


def pyttsx3() -> Engine:
    if importlib.util.find_spec("pyttsx3") is None:
        pytest.skip("pyttsx3 is not installed: pip install '.[voice]'")
    if sys.platform.startswith("linux") and shutil.which("espeak-ng") is None:
        pytest.skip("pyttsx3 needs the library of espeak-ng here: apt install espeak-ng")
    return Pyttsx3()


def piper() -> Engine:
    if PIPER_VOICE in os.environ and importlib.util.find_spec("piper") is not None:
        return Piper(Path(os.environ[PIPER_VOICE]))
    if MISSING is not None:
        pytest.skip(f"Piper, or what makes a voice for it to test with, is not installed: {MISSING}")
    return Piper(hum(Path(tempfile.mkdtemp(prefix="pi-gm-hum-"))))


@pytest.fixture(params=[espeak_ng, pyttsx3, piper], ids=lambda make: make.__name__)
def engine(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    make: Callable[[], Engine] = request.param
    made = make()
    yield made
    made.close()


def test_a_sentence_becomes_a_sound_of_about_its_length(engine: Engine) -> None:
    assert engine.missing() is None
    data, seconds = checked_wav(engine.make("Raft Eh, carries four. Raft B, carries five."), "engine")
    assert 2 < seconds < 10
    with wave.open(io.BytesIO(data)) as heard:
        samples = memoryview(heard.readframes(heard.getnframes())).cast("h")
    assert max(samples) > 2_000


def test_every_name_that_a_phone_may_send_is_said_within_a_breath(engine: Engine) -> None:
    for number, name in enumerate(HOSTILE_NAMES, start=1):
        said_name = SpokenName(name, speakable(name, number % 12 + 1))
        said = " ".join(spoken(f"{named(name)} sank.", (said_name,)))
        _, seconds = checked_wav(engine.make(said), "engine")
        assert 0.5 < seconds < 8, said


def test_text_is_never_taken_for_an_option(engine: Engine, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a long secret " * 40)
    _, seconds = checked_wav(engine.make(f"-f {secret}"), "engine")
    assert seconds < 25
    _, seconds = checked_wav(engine.make("--help"), "engine")
    assert seconds < 5


def test_the_same_words_are_the_same_sound() -> None:
    voice = espeak_ng()
    assert voice.make("Nobody move.") == voice.make("Nobody move.", gently=True)


def test_rate_and_gap_are_heard_and_are_part_of_what_a_clip_is_made_from() -> None:
    espeak_ng()
    usual, quick, close = EspeakNg(), EspeakNg(rate=250), EspeakNg(gap=0)
    lengths = [checked_wav(each.make("One two three four five."), "")[1] for each in (usual, quick, close)]
    assert lengths[0] > lengths[1]
    assert lengths[0] > lengths[2]
    assert len({each.made_from for each in (usual, quick, close)}) == 3


def phonemes(text: str) -> str:
    done = subprocess.run(
        ["espeak-ng", "-q", "-x", "--stdin"], input=text.encode(), capture_output=True, check=True
    )
    return done.stdout.decode()


@pytest.mark.parametrize(
    "text", ["Raft A, carries 4.", "Raft A carries 4.", "Raft A and Raft B.", f"{named('A')} sank."]
)
def test_the_letter_a_is_never_said_as_the_article(text: str) -> None:
    espeak_ng()

    heard = phonemes(" ".join(spoken(text, [SpokenName("A", speakable("A", 1))])))
    assert "eI" in heard
    assert "a#" not in heard


@pytest.mark.parametrize(
    "package", ["pi_gm.phrases", "pi_gm.games.animal_crossing", "pi_gm.games.animal_mind"]
)
def test_no_sentence_of_the_repertoire_is_silent_or_spelt_out(package: str) -> None:
    espeak_ng()
    said = "\n".join(repertoire(package))
    heard = phonemes(said)
    assert len(heard.split()) >= len(said.split()) * 0.8
    assert "l'Et3" not in heard


def script(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_an_engine_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "ONE_SENTENCE", 0.2)
    hangs = EspeakNg(command=script(tmp_path / "hangs", "exec sleep 60"))
    with pytest.raises(CannotSpeak, match="took longer"):
        hangs.make("Ana")


def test_an_engine_that_breaks_says_its_last_word(tmp_path: Path) -> None:
    breaks = EspeakNg(command=script(tmp_path / "breaks", "echo no such voice >&2; exit 3"))
    with pytest.raises(CannotSpeak, match=r"ended with 3 \(no such voice\)"):
        breaks.make("Ana")


def test_a_missing_engine_names_the_cure(tmp_path: Path) -> None:
    missing = EspeakNg(command=str(tmp_path / "not-there"))
    assert "apt install espeak-ng" in str(missing.missing())
    with pytest.raises(CannotSpeak, match="is it installed"):
        missing.make("Ana")
    piper = Piper(tmp_path / "no.onnx")
    cure = "name the .onnx file of one" if piper.is_installed else "pip install"
    assert cure in str(piper.missing())


def test_a_path_that_the_system_refuses_holds_no_piper_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Piper, "is_installed", True)
    assert "no Piper voice at" in str(Piper(Path(f"{'x' * 300}.onnx")).missing())


def test_piper_that_ends_is_started_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    python = script(tmp_path / "python", f"echo started >>{log}; read line; exit 1")
    voice = Piper(tmp_path / "voice.onnx", python=python)
    for _ in range(2):
        with pytest.raises(CannotSpeak, match="Piper"):
            voice.make("Ana")
    voice.close()
    assert log.read_text().splitlines() == ["started", "started"]


def test_piper_that_cannot_say_something_stays_ready(tmp_path: Path) -> None:
    python = script(tmp_path / "python", 'while read line; do echo \'{"trouble": "odd"}\'; done')
    voice = Piper(tmp_path / "voice.onnx", python=python)
    for _ in range(2):
        with pytest.raises(CannotSpeak, match="odd"):
            voice.make("Ana")
    voice.close()


@pytest.mark.parametrize("answer", ["INFO onnx loaded", "null", "[]", "{}", '{"trouble": 1}', "\\377"])
def test_piper_that_answers_without_sense_is_begun_anew(tmp_path: Path, answer: str) -> None:
    log = tmp_path / "log"
    body = f"echo started >>{log}; read line; printf '%b\\n' '{answer}'; exec sleep 60"
    voice = Piper(tmp_path / "voice.onnx", python=script(tmp_path / "python", body))
    for _ in range(2):
        with pytest.raises(CannotSpeak, match="makes no sense"):
            voice.make("Ana")
    voice.close()
    assert log.read_text().splitlines() == ["started", "started"]


def no_voice(folder: Path, body: str) -> tuple[Engine, ...]:
    """Every engine, with a command that does ``body`` in place of its own."""
    command = script(folder / "command", body)
    return (
        EspeakNg(command=command),
        Pyttsx3(python=command),
        Piper(folder / "voice.onnx", python=command),
    )


@pytest.mark.parametrize("number", range(3), ids=["espeak-ng", "pyttsx3", "piper"])
def test_an_engine_that_is_put_away_in_the_middle_ends_at_once(tmp_path: Path, number: int) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    voice = no_voice(tmp_path, f"echo begun >{begun}; exec sleep 600")[number]
    troubles: list[str] = []

    def make() -> None:
        try:
            voice.make("Ana")
        except CannotSpeak as trouble:
            troubles.append(str(trouble))

    making = threading.Thread(target=make)
    making.start()
    assert begun.read_text() == "begun\n"
    voice.close()
    making.join(10)
    assert not making.is_alive()
    assert len(troubles) == 1
    with pytest.raises(CannotSpeak, match="was put away"):
        voice.make("Ben")


@pytest.mark.parametrize("number", [1, 2], ids=["pyttsx3", "piper"])
def test_no_room_for_a_sentence_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    voice = no_voice(tmp_path, "exit 0")[number]
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "not-there"))
    with pytest.raises(CannotSpeak, match="make room on the disk"):
        voice.make("Ana")


def test_two_piper_voices_of_one_name_are_two_voices(tmp_path: Path) -> None:
    one, other = tmp_path / "one" / "en.onnx", tmp_path / "other" / "en.onnx"
    for model in (one, other):
        model.parent.mkdir()
        model.write_bytes(b"voice")
    first = Piper(one).made_from
    assert first == Piper(one).made_from
    assert first != Piper(other).made_from
    one.write_bytes(b"another voice")
    assert Piper(one).made_from != first, "another voice lies at that place now"


def test_a_piper_voice_is_a_file_of_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Piper, "is_installed", True)
    (tmp_path / "en.onnx").write_bytes(b"voice")
    (tmp_path / "passwd").write_bytes(b"secret")
    assert Piper(tmp_path / "en.onnx").missing() is None
    for other in (tmp_path / "passwd", tmp_path / "none.onnx", tmp_path):
        assert "There is no Piper voice at" in str(Piper(other).missing())
