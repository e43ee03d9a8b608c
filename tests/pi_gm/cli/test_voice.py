"""Which voice settings a night begins with, and the desk at which the host changes them."""

import logging
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from hardware.voice.clips import wav
from hardware.voice.sinks import Sink, SinkKind
from hardware.voice.studio import Studio
from hardware.voice.ways import SoundSystem
from pi_gm.announcer import time_to_say
from pi_gm.cli.voice import Desk, desk_for, voice_settings
from pi_gm.errors import BadInput
from pi_gm.games import Page
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.speaking.desk import ChangeVoice, PageSpeech, SpeakerPage
from pi_gm.speaking.ports import CannotPlay, Clip, SpeakerState
from pi_gm.speaking.settings import SpeakerPlace, VoiceSettings, read_voice, write_voice
from tests.pi_gm.evening import Evening


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


# The desk


class Way:
    """A sound system with one speaker, on which every clip is over at once."""

    system = SoundSystem.ALSA

    def __init__(self) -> None:
        self.played = threading.Semaphore(0)

    def sinks(self) -> tuple[Sink, ...]:
        return (Sink("usb-1", "USB speaker", SinkKind.USB),)

    def play(self, sink: Sink, path: Path, volume: int) -> list[str]:
        self.played.release()
        return ["true"]

    def can_share(self, sink: Sink) -> bool:
        return False

    def set_volume(self, sink: Sink, volume: int) -> None:
        pass


class Engine:
    """Says everything as the same short sound."""

    is_quick = True

    def __init__(self, name: str, lacks: str | None = None, rate: int | None = None) -> None:
        self.made_from = (name,) if rate is None else (name, str(rate))
        self._lacks = lacks

    def missing(self) -> str | None:
        return self._lacks

    def make(self, text: str, *, gently: bool = False) -> bytes:
        return wav(b"\x01\x00" * 100, 1000)

    def close(self) -> None:
        pass


def engine_for(settings: VoiceSettings) -> Engine | None:
    if settings.engine == "piper":
        return Engine("piper", "Piper is not installed: install it.")
    return Engine(settings.engine or "espeak-ng")


@pytest.fixture
def way(monkeypatch: pytest.MonkeyPatch) -> Way:
    """This machine has that speaker and those engines, whatever it really has."""
    way = Way()
    monkeypatch.setattr("hardware.voice.ways_here", lambda device="": (way,))
    for module in ("hardware.voice", "pi_gm.cli.voice"):
        monkeypatch.setattr(f"{module}.engine_for", engine_for)
    return way


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def desk(way: Way, tmp_path: Path, opened: ExitStack) -> Desk:
    return desk_for(Evening("Ana", "Ben").table, VoiceSettings(), tmp_path, opened)


def test_before_anybody_switches_sound_on_nothing_is_made_and_nothing_is_wrong(
    desk: Desk, tmp_path: Path
) -> None:
    assert desk.view().status.state is SpeakerState.NONE
    assert not desk.view().is_amiss
    assert not (tmp_path / "voice").exists()
    with pytest.raises(CannotPlay, match="No device has its sound switched on"):
        desk.listen(None)


def test_the_machine_becomes_the_speaker_for_good(desk: Desk, way: Way, tmp_path: Path) -> None:
    fine = threading.Event()
    desk.call_when_changed(lambda: fine.set() if desk.view().status.state is SpeakerState.FINE else None)
    desk.change(ChangeVoice(speaker=SpeakerPlace.MACHINE))
    assert fine.wait(10)
    assert desk.view().status.says == "Sound comes out of USB speaker."
    assert desk.page_sound().speech is PageSpeech.SILENT
    desk.listen(None)
    assert way.played.acquire(timeout=10)
    assert read_voice(tmp_path / "voice.toml").speaker is SpeakerPlace.MACHINE


def test_a_sound_system_that_hangs_keeps_nobody_from_playing(
    way: Way, tmp_path: Path, opened: ExitStack
) -> None:
    may_answer, sinks = threading.Event(), way.sinks
    opened.callback(may_answer.set)

    def hang() -> tuple[Sink, ...]:
        assert may_answer.wait(10)
        return sinks()

    way.sinks = hang  # type: ignore[method-assign]
    desk = desk_for(Evening("Ana").table, VoiceSettings(speaker=SpeakerPlace.MACHINE), tmp_path, opened)
    assert desk.view().status.says == "It is being found out where sound can come out."
    fine = threading.Event()
    desk.call_when_changed(lambda: fine.set() if desk.view().status.state is SpeakerState.FINE else None)
    may_answer.set()
    assert fine.wait(10)


def test_a_page_whose_sound_is_switched_on_is_the_speaker(desk: Desk) -> None:
    sounded = threading.Event()
    desk.call_when_sounding(lambda: sounded.set() if desk.page_sound().clip else None)
    desk.page_is(SpeakerPage.SOUNDS)
    desk.listen(None)
    assert sounded.wait(10)
    clip = desk.page_sound().clip
    assert clip is not None
    found = desk.clip(clip)
    assert found is not None
    assert found.read_bytes().startswith(b"RIFF")
    desk.page_is(SpeakerPage.NONE)
    assert desk.page_sound().speech is PageSpeech.CLIPS


def test_a_page_that_cannot_sound_is_a_speaker_that_failed_until_it_can(desk: Desk) -> None:
    told = threading.Event()
    desk.page_is(SpeakerPage.SOUNDS)
    desk.call_when_changed(told.set)
    desk.page_is(SpeakerPage.MUTE)
    assert told.is_set()
    assert desk.view().is_amiss
    with pytest.raises(CannotPlay, match="Tap its sound switch again"):
        desk.listen(None)
    desk.page_is(SpeakerPage.SOUNDS)
    assert not desk.view().is_amiss


def test_an_engine_that_is_not_here_cannot_be_chosen_and_nothing_changes(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Piper is not installed"):
        desk.change(ChangeVoice(engine="piper", voice="x.onnx"))
    assert desk.view().settings == VoiceSettings()
    assert not (tmp_path / "voice.toml").exists()


@pytest.mark.parametrize(
    "device",
    ["alsa:file:'|touch /tmp/x',raw", "alsa:default", "usb", "--help", "usb-1 "],
)
def test_a_page_chooses_no_device_that_is_not_on_the_list(desk: Desk, tmp_path: Path, device: str) -> None:
    desk.look_around()
    with pytest.raises(BadInput, match="choose"):
        desk.change(ChangeVoice(speaker=SpeakerPlace.MACHINE, device=device))
    assert desk.view().settings == VoiceSettings()
    assert not (tmp_path / "voice.toml").exists()


def test_a_page_chooses_a_device_that_was_plugged_in_since_somebody_looked(desk: Desk) -> None:
    desk.change(ChangeVoice(device="usb-1"))
    desk.change(ChangeVoice(device=""))
    assert desk.view().settings.device == ""


def test_a_device_of_the_settings_file_stays_on_the_list(way: Way, tmp_path: Path, opened: ExitStack) -> None:
    desk = desk_for(Evening("Ana").table, VoiceSettings(device="alsa:cap"), tmp_path, opened)
    desk.look_around()
    assert [device.key for device in desk.view().devices] == ["alsa:cap", "usb-1"]
    desk.change(ChangeVoice(device="alsa:cap", volume=10))
    assert desk.view().settings == VoiceSettings(device="alsa:cap", volume=10)


@pytest.mark.parametrize("voice", ["../../../../dev/zero", "-f/etc/passwd", "no-such-voice"])
def test_a_page_chooses_no_voice_that_is_not_on_the_list(desk: Desk, voice: str) -> None:
    with pytest.raises(BadInput, match="choose"):
        desk.change(ChangeVoice(engine="espeak-ng", voice=voice))
    assert desk.view().settings == VoiceSettings()


def test_devices_and_engines_are_found_when_somebody_looks(desk: Desk) -> None:
    assert desk.view().devices == ()
    desk.look_around()
    assert [device.title for device in desk.view().devices] == ["USB speaker"]
    assert [engine.key for engine in desk.view().engines] == ["espeak-ng", "pyttsx3", "piper"]


def test_without_a_voice_here_a_page_says_the_captions_by_itself(
    way: Way, tmp_path: Path, opened: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_gm.cli.voice.engine_for", lambda settings: None)
    desk = desk_for(Evening("Ana").table, VoiceSettings(), tmp_path, opened)
    desk.page_is(SpeakerPage.SOUNDS)
    assert desk.page_sound().speech is PageSpeech.WORDS
    assert desk.view().status.state is SpeakerState.FINE
    with pytest.raises(CannotPlay, match="no voice on this machine"):
        desk.listen(None)


@pytest.fixture
def worded(
    way: Way, tmp_path: Path, opened: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> tuple[Evening, Desk, threading.Event]:
    """A table, its desk on a machine without a voice, and whether boarding was to be said though no clip was made."""
    for module in ("hardware.voice", "pi_gm.cli.voice"):
        monkeypatch.setattr(f"{module}.engine_for", lambda settings: None)
    wanted, words = threading.Event(), Studio.words
    asked: list[str] = []

    def seen(studio: Studio, text: str) -> Clip | None:
        if text in asked and text.startswith("Board now"):
            wanted.set()
        asked.append(text)
        return words(studio, text)

    monkeypatch.setattr(Studio, "words", seen)
    evening = Evening("Ana", "Ben")
    desk = desk_for(evening.table, VoiceSettings(), tmp_path, opened)
    begun = threading.Event()
    desk.call_when_sounding(begun.set)
    desk.page_is(SpeakerPage.SOUNDS)
    assert begun.wait(10)
    return evening, desk, wanted


def let_board(evening: Evening) -> None:
    evening.begin(practice=False)
    evening.pick(Ana=Animal.DOG, Ben=Animal.CAT)
    evening.host(commands.OpenBoarding())


def test_what_follows_the_words_of_a_page_with_its_own_voice_waits_for_their_limit(
    worded: tuple[Evening, Desk, threading.Event], opened: ExitStack
) -> None:
    evening, _, wanted = worded
    let_board(evening)
    assert wanted.wait(10)
    opened.close()
    ends_at = evening.play_on(Page.TV).ends_at
    assert ends_at is not None
    assert ends_at - evening.now == pytest.approx(30 + time_to_say("Board now. You have 30 seconds."))


def test_a_page_that_speaks_with_its_own_voice_is_no_trouble_in_the_log(
    worded: tuple[Evening, Desk, threading.Event], opened: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    evening, desk, wanted = worded
    let_board(evening)
    assert wanted.wait(10)
    opened.close()
    assert desk.view().status.state is SpeakerState.FINE
    logged = [*caplog.get_records("setup"), *caplog.get_records("call")]
    assert [record.getMessage() for record in logged if record.levelno >= logging.WARNING] == []


def test_once_this_machine_has_a_voice_the_page_plays_its_clips(
    worded: tuple[Evening, Desk, threading.Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, desk, _ = worded
    for module in ("hardware.voice", "pi_gm.cli.voice"):
        monkeypatch.setattr(f"{module}.engine_for", engine_for)
    sounded = threading.Event()
    desk.call_when_sounding(lambda: sounded.set() if desk.page_sound().clip else None)
    desk.change(ChangeVoice(engine="espeak-ng"))
    desk.listen(None)
    assert sounded.wait(10)


def test_a_file_with_mistakes_is_told_until_something_is_chosen(
    way: Way, opened: ExitStack, tmp_path: Path
) -> None:
    (tmp_path / "voice.toml").write_text("rate = 1\n")
    desk = desk_for(Evening().table, VoiceSettings(), tmp_path, opened)
    assert "rate is 1" in (desk.view().mistakes or "")
    desk.change(ChangeVoice(rate=120))
    assert desk.view().mistakes is None
    assert (tmp_path / "voice.toml.1").read_text() == "rate = 1\n"


def test_however_many_hosts_change_the_voice_at_once_what_is_kept_is_what_is_used(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[tuple[str, ...]] = []
    first_has_written, second_is_done = threading.Event(), threading.Event()

    def written(path: Path, settings: VoiceSettings) -> None:
        write_voice(path, settings)
        if settings.rate == 100:
            first_has_written.set()
            second_is_done.wait(0.2)  # in vain, where the second host has to wait for the first

    monkeypatch.setattr("pi_gm.cli.voice.write_voice", written)
    monkeypatch.setattr(
        "pi_gm.cli.voice.engine_for", lambda settings: Engine("espeak-ng", rate=settings.rate)
    )
    monkeypatch.setattr(Studio, "use", lambda self, engine, in_a_hurry: used.append(engine.made_from))
    first = threading.Thread(target=desk.change, args=(ChangeVoice(rate=100),))
    first.start()
    assert first_has_written.wait(10)
    desk.change(ChangeVoice(rate=110))
    second_is_done.set()
    first.join()
    kept = read_voice(tmp_path / "voice.toml")
    assert kept == desk.view().settings
    assert used[-1] == ("espeak-ng", str(kept.rate))
