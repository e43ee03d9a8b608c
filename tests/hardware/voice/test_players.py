"""The contract of every player, and what only the one on a device has to mind."""

import shutil
import stat
import threading
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.voice import engine_for
from hardware.voice.clips import wav
from hardware.voice.players import ASLEEP_AFTER, DevicePlayer, PagePlayer, SilentPlayer
from hardware.voice.sinks import LEAD_IN, Sink, SinkKind
from hardware.voice.ways import Alsa, CoreAudio, PipeWire, Refused, SoundSystem, Way, ask, ways_here
from pi_gm.announcer import Urgency
from pi_gm.clock import FakeClock
from pi_gm.errors import BadInput
from pi_gm.speaking.desk import SpeakerPage
from pi_gm.speaking.ports import CannotPlay, Clip, Outcome, Player, SpeakerState
from pi_gm.speaking.settings import VoiceSettings

PLAYS = 'head -c 1 "$1" >/dev/null; exec sleep 0.05'
HANGS = "exec sleep 60"
BREAKS = "echo Host is down >&2; exit 1"
NOT_THERE = None


class FakeWay:
    """Plays with a script of its own."""

    system = SoundSystem.PIPEWIRE

    def __init__(self, folder: Path, body: str | None = PLAYS, kind: SinkKind = SinkKind.USB) -> None:
        self.there: tuple[Sink, ...] = (Sink("card", "A card", kind),)
        self.command = folder / "play"
        self.commands: list[list[str]] = []
        self.volumes: list[int] = []
        self.shares = True
        self.is_down = False
        if body is not None:
            self.command.write_text(f"#!/bin/sh\n{body}\n")
            self.command.chmod(self.command.stat().st_mode | stat.S_IXUSR)

    def sinks(self) -> tuple[Sink, ...]:
        if self.is_down:
            raise CannotPlay("the sound system is down")
        return self.there

    def play(self, sink: Sink, path: Path, volume: int) -> list[str]:
        self.commands.append([str(self.command), str(path)])
        return self.commands[-1]

    def can_share(self, sink: Sink) -> bool:
        return self.shares

    def set_volume(self, sink: Sink, volume: int) -> None:
        self.volumes.append(volume)


@pytest.fixture
def clip(tmp_path: Path) -> Clip:
    path = tmp_path / "clip.wav"
    path.write_bytes(wav(b"\x01\x00" * 100, 1000))
    return Clip(path, 0.1)


def on_a_device(folder: Path) -> Player:
    return DevicePlayer(lambda: (FakeWay(folder),), FakeClock())


def on_a_page(folder: Path) -> Player:
    player = PagePlayer(FakeClock(), lambda: None)
    player.page_is(SpeakerPage.SOUNDS)
    return player


def through_alsa(folder: Path) -> Player:
    if shutil.which("aplay") is None:
        pytest.skip("the command aplay is not installed: apt install alsa-utils")
    return DevicePlayer(lambda: (Alsa("null"),), FakeClock())


def nowhere(folder: Path) -> Player:
    return SilentPlayer()


@pytest.fixture(params=[on_a_device, through_alsa, on_a_page, nowhere], ids=lambda make: make.__name__)
def player(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Player]:
    make: Callable[[Path], Player] = request.param
    player = make(tmp_path)
    yield player
    player.close()


def test_every_player_says_how_it_is(player: Player) -> None:
    status = player.status()
    assert status.state is (SpeakerState.NONE if isinstance(player, SilentPlayer) else SpeakerState.FINE)
    assert status.text.endswith(".")


def test_every_player_tells_when_a_clip_is_over(player: Player, clip: Clip) -> None:
    over = threading.Event()
    playing = player.play(clip, over.set, Urgency.BUZZER)
    assert over.wait(10)
    if isinstance(player, PagePlayer):
        assert isinstance(player.clock, FakeClock)
        player.clock.turn(playing.seconds)
    assert playing.outcome is Outcome.PLAYED
    playing.stop()


def test_every_player_falls_silent_at_once_and_plays_on(player: Player, clip: Clip) -> None:
    first = player.play(clip, lambda: None, Urgency.INFORMATION)
    first.stop()
    first.stop()
    assert first.outcome is not None
    over = threading.Event()
    player.play(clip, over.set, Urgency.BUZZER)
    assert over.wait(10)


def test_every_player_plays_while_it_is_kept_awake(player: Player, clip: Clip) -> None:
    over = threading.Event()
    player.keep_awake(True)
    player.keep_awake(True)
    player.play(clip, over.set, Urgency.BUZZER)
    assert over.wait(10)
    player.keep_awake(False)


def test_every_player_is_silent_once_it_is_closed(player: Player, clip: Clip) -> None:
    playing = player.play(clip, lambda: None, Urgency.BUZZER)
    player.close()
    player.close()
    if isinstance(player, PagePlayer):
        assert player.sounding is None
    else:
        assert playing.outcome is not None


# On a device


class Playing:
    def __init__(self, folder: Path, body: str | None = PLAYS, kind: SinkKind = SinkKind.USB) -> None:
        self.clock = FakeClock()
        self.way = FakeWay(folder, body, kind)
        self.player = DevicePlayer(lambda: (self.way,), self.clock, volume=70)


def test_a_stopped_player_is_gone_and_tells_nobody(tmp_path: Path, clip: Clip) -> None:
    told = threading.Event()
    device = Playing(tmp_path, HANGS)
    playing = device.player.play(clip, told.set, Urgency.BUZZER)
    before = playing.outcome
    playing.stop()
    assert (before, playing.outcome) == (None, Outcome.FAILED)
    assert not told.is_set()
    device.player.close()


def test_a_player_that_breaks_has_failed(tmp_path: Path, clip: Clip) -> None:
    over = threading.Event()
    device = Playing(tmp_path, BREAKS)
    playing = device.player.play(clip, over.set, Urgency.BUZZER)
    assert over.wait(10)
    assert playing.outcome is Outcome.FAILED
    device.player.close()


def test_a_device_that_comes_and_goes_is_looked_for_again(tmp_path: Path, clip: Clip) -> None:
    device = Playing(tmp_path)
    card, device.way.there = device.way.there, ()
    assert device.player.status().state is SpeakerState.NONE
    with pytest.raises(CannotPlay):
        device.player.play(clip, lambda: None, Urgency.BUZZER)
    device.way.there = card
    assert device.player.status().state is SpeakerState.FINE
    device.player.play(clip, lambda: None, Urgency.BUZZER).stop()
    device.way.is_down = True
    status = device.player.status()
    assert (status.state, status.text) == (
        SpeakerState.FAILED,
        "The speaker “A card” cannot be reached. the sound system is down",
    )
    device.player.close()


def test_a_device_that_was_chosen_and_is_not_there_has_failed_and_names_what_is(tmp_path: Path) -> None:
    player = DevicePlayer(lambda: (FakeWay(tmp_path),), FakeClock(), wanted="JBL")
    status = player.status()
    assert status.state is SpeakerState.FAILED
    assert "A card" in status.text
    player.close()


def test_the_volume_is_set_once_for_each_device_that_comes(tmp_path: Path) -> None:
    device = Playing(tmp_path)
    for _ in range(3):
        device.player.status()
    assert device.way.volumes == [70]
    device.way.there = (Sink("other", "Another", SinkKind.HDMI),)
    device.player.status()
    assert device.way.volumes == [70, 70]
    device.player.close()


def lead_in(command: list[str], clip: Clip) -> float:
    """How much longer than the clip the file is that was played."""
    with wave.open(command[1]) as heard:
        seconds: float = heard.getnframes() / heard.getframerate()
        return seconds - clip.seconds


@pytest.mark.parametrize("kind", SinkKind)
def test_silence_wakes_a_device_that_rested_but_never_delays_what_is_urgent(
    tmp_path: Path, clip: Clip, kind: SinkKind
) -> None:
    device = Playing(tmp_path, kind=kind)
    urgent = device.player.play(clip, lambda: None, Urgency.BUZZER)
    assert lead_in(device.way.commands[-1], clip) == pytest.approx(0, abs=0.01)
    assert urgent.seconds == clip.seconds
    device.clock.turn(clip.seconds + 0.1)
    device.player.play(clip, lambda: None, Urgency.INFORMATION)
    assert lead_in(device.way.commands[-1], clip) == pytest.approx(0, abs=0.01)
    device.clock.turn(clip.seconds + ASLEEP_AFTER + 0.1)
    rested = device.player.play(clip, lambda: None, Urgency.INFORMATION)
    assert lead_in(device.way.commands[-1], clip) == pytest.approx(LEAD_IN[kind], abs=0.01)
    assert rested.seconds == pytest.approx(clip.seconds + LEAD_IN[kind])
    device.player.close()


def test_without_a_folder_for_its_own_files_a_device_plays_all_the_same(
    tmp_path: Path, clip: Clip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    device = Playing(tmp_path)
    device.player.keep_awake(True)
    over = threading.Event()
    device.player.play(clip, over.set, Urgency.INFORMATION)
    assert over.wait(10)
    assert device.way.commands == [[str(device.way.command), str(clip.path)]]
    device.player.close()


def test_a_device_that_is_kept_awake_needs_no_silence_first(tmp_path: Path, clip: Clip) -> None:
    device = Playing(tmp_path, HANGS)
    device.player.status()
    device.player.keep_awake(True)
    assert len(device.way.commands) == 1
    with wave.open(device.way.commands[0][1]) as still:
        assert still.getnframes() / still.getframerate() == pytest.approx(600)
        assert set(still.readframes(1000)) == {0}
    device.clock.turn(60)
    device.player.play(clip, lambda: None, Urgency.INFORMATION).stop()
    assert device.way.commands[-1][1] == str(clip.path)
    device.player.close()


def test_a_device_that_only_one_can_open_is_not_kept_awake(tmp_path: Path, clip: Clip) -> None:
    device = Playing(tmp_path)
    device.way.shares = False
    device.player.status()
    device.player.keep_awake(True)
    assert device.way.commands == []
    device.player.play(clip, lambda: None, Urgency.INFORMATION)
    assert lead_in(device.way.commands[-1], clip) > 0
    device.player.close()


def test_a_keep_alive_that_gets_in_the_way_is_given_up(tmp_path: Path, clip: Clip) -> None:
    device = Playing(tmp_path, f'case "$1" in *silence*) {HANGS};; *) exit 1;; esac')
    device.player.status()
    device.player.keep_awake(True)
    over = threading.Event()
    device.player.play(clip, over.set, Urgency.BUZZER)
    assert over.wait(10)
    device.player.play(clip, lambda: None, Urgency.BUZZER)
    assert ["silence" in path for _, path in device.way.commands] == [True, False, False]
    device.player.close()


def test_no_room_for_the_silence_means_no_silence(
    tmp_path: Path, clip: Clip, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    device = Playing(tmp_path)
    device.player.play(clip, lambda: None, Urgency.INFORMATION)
    assert device.way.commands[-1][1] == str(clip.path)
    device.player.close()


def test_a_command_that_is_not_there_cannot_play(tmp_path: Path, clip: Clip) -> None:
    device = Playing(tmp_path, NOT_THERE)
    over = threading.Event()
    try:
        playing = device.player.play(clip, over.set, Urgency.BUZZER)
    except CannotPlay:
        pass  # without setpriv
    else:
        assert over.wait(10)
        assert playing.outcome is Outcome.FAILED
    device.player.close()


# The sound systems' commands

USB = Sink("Device", "USB Audio Device", SinkKind.USB, number=41)


@pytest.mark.parametrize(
    ("way", "command"),
    [
        (Alsa(), ["aplay", "-q", "-D", "sysdefault:CARD=Device", "x.wav"]),
        (Alsa("null"), ["aplay", "-q", "-D", "null", "x.wav"]),
        (PipeWire(), ["pw-play", "--target", "Device", "x.wav"]),
        (CoreAudio(), ["afplay", "-v", "0.50", "x.wav"]),
    ],
    ids=["alsa", "alsa pcm", "pipewire", "mac"],
)
def test_each_way_plays_on_the_device_by_its_name(way: Way, command: list[str]) -> None:
    assert way.play(USB, Path("x.wav"), 50) == command


def test_pipewire_that_does_not_answer_is_down() -> None:
    def nonsense(command: list[str]) -> bytes:
        return b"no"

    with pytest.raises(CannotPlay, match="Start the machine again"):
        PipeWire(nonsense).sinks()


def refusing(reason: str) -> Callable[[list[str]], bytes]:
    def ask(command: list[str]) -> bytes:
        raise Refused(command[0], 1, reason)

    return ask


NO_CARDS = "aplay: device_list:274: no soundcards found..."


def test_alsa_without_a_card_has_no_sink(tmp_path: Path) -> None:
    none = tmp_path / "cards"
    none.write_text("--- no soundcards ---\n")
    for kernels in (none, tmp_path / "no such file"):
        assert Alsa(ask=refusing(NO_CARDS), kernels_cards=kernels).sinks() == ()
        assert Alsa(ask=lambda command: b"", kernels_cards=kernels).sinks() == ()


def test_a_card_that_this_user_may_not_use_is_told_as_that_and_not_as_missing(tmp_path: Path) -> None:
    cards = tmp_path / "cards"
    cards.write_text(" 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n")
    for answer in (refusing(NO_CARDS), lambda command: b""):
        with pytest.raises(CannotPlay, match="usermod -aG audio"):
            Alsa(ask=answer, kernels_cards=cards).sinks()


def test_an_alsa_that_hangs_is_down_and_not_without_a_speaker() -> None:
    def hangs(command: list[str]) -> bytes:
        raise CannotPlay(f"{command[0]} hangs")

    for way in (Alsa(ask=hangs), Alsa("usb", ask=hangs)):
        with pytest.raises(CannotPlay, match=r"^aplay hangs$"):
            way.sinks()


CARDS = b"card 1: Device [USB Audio Device], device 0: USB Audio [USB Audio]\n"


class AskedAlsa:
    """What ALSA answers about one card, and whether a device can be opened."""

    def __init__(self, refuses: str = "") -> None:
        self.refuses = refuses
        self.opened: list[str] = []

    def __call__(self, command: list[str]) -> bytes:
        if command[1] == "-l":
            return CARDS
        self.opened.append(command[3])
        if self.refuses:
            return refusing(self.refuses)(command)
        return b""


def test_a_named_alsa_device_that_is_not_there_is_not_fine() -> None:
    gone = DevicePlayer(lambda: (Alsa("gone", AskedAlsa("No such file or directory")),), FakeClock())
    assert gone.status().state is SpeakerState.FAILED
    assert gone.status().text == (
        "ALSA cannot play on “gone” (No such file or directory): look whether it is plugged in, or choose another."
    )
    unplugged = DevicePlayer(lambda: (Alsa("plughw:CARD=Other", AskedAlsa()),), FakeClock())
    assert unplugged.status().state is SpeakerState.FAILED
    assert "“Other” is not there" in unplugged.status().text
    for player in (gone, unplugged):
        player.close()


def test_a_named_alsa_device_is_tried_until_it_opens_and_then_left_alone() -> None:
    alsa = AskedAlsa("No such device")
    way = Alsa("plughw:CARD=Device", alsa)
    player = DevicePlayer(lambda: (way,), FakeClock())
    states = [player.status().state]
    alsa.refuses = ""
    states += [player.status().state for _ in range(3)]
    assert states == [SpeakerState.FAILED, *[SpeakerState.FINE] * 3]
    assert alsa.opened == ["plughw:CARD=Device"] * 2
    player.close()


def test_a_named_alsa_device_that_is_playing_is_there() -> None:
    assert Alsa("hw:CARD=Device", AskedAlsa("Device or resource busy")).sinks()


def test_a_sound_system_that_starts_later_is_found(tmp_path: Path) -> None:
    ways: list[tuple[Way, ...]] = [(), (FakeWay(tmp_path),)]
    player = DevicePlayer(lambda: ways[0], FakeClock())
    states = [player.status().state]
    ways.pop(0)
    states.append(player.status().state)
    assert states == [SpeakerState.NONE, SpeakerState.FINE]
    player.close()


def test_where_the_first_sound_system_is_down_the_next_plays(tmp_path: Path, clip: Clip) -> None:
    down, up = FakeWay(tmp_path), FakeWay(tmp_path)
    down.is_down = True
    player = DevicePlayer(lambda: (down, up), FakeClock())
    assert player.status().state is SpeakerState.FINE
    player.play(clip, lambda: None, Urgency.BUZZER).stop()
    assert (len(down.commands), len(up.commands)) == (0, 1)
    up.is_down = True
    assert player.status().state is SpeakerState.FAILED
    player.close()


def test_where_a_sound_system_is_down_and_the_next_has_no_device_the_trouble_is_told(tmp_path: Path) -> None:
    down, empty = FakeWay(tmp_path), FakeWay(tmp_path)
    down.is_down, empty.there = True, ()
    status = DevicePlayer(lambda: (down, empty), FakeClock()).status()
    assert (status.state, status.says) == (SpeakerState.NONE, "No speaker is plugged in.")
    assert status.text.endswith("the sound system is down")


def test_a_device_that_the_sound_system_in_trouble_may_know_is_not_only_unplugged(tmp_path: Path) -> None:
    down = FakeWay(tmp_path)
    down.is_down = True
    status = DevicePlayer(lambda: (down, FakeWay(tmp_path)), FakeClock(), wanted="alsa_output.usb").status()
    assert status.state is SpeakerState.FAILED
    assert status.says == "The speaker “alsa_output.usb” is not there."
    assert status.text.endswith("choose another: there is A card. the sound system is down")


def test_a_speaker_whose_sound_system_dies_is_lost_and_not_unplugged_where_no_other_has_one(
    tmp_path: Path,
) -> None:
    knows, empty = FakeWay(tmp_path), FakeWay(tmp_path)
    empty.there, empty.system = (), SoundSystem.ALSA
    player = DevicePlayer(lambda: (knows, empty), FakeClock())
    assert player.status().state is SpeakerState.FINE
    knows.is_down = True
    for _ in range(2):
        status = player.status()
        assert status.state is SpeakerState.FAILED
        assert status.text == "The speaker “A card” cannot be reached. the sound system is down"
    knows.is_down, knows.there = False, ()
    assert player.status().state is SpeakerState.NONE, "it is up again, and knows of none"


def test_a_speaker_that_is_unplugged_is_not_lost_by_another_sound_system_in_trouble(tmp_path: Path) -> None:
    down, knows = FakeWay(tmp_path), FakeWay(tmp_path)
    down.is_down, knows.system = True, SoundSystem.ALSA
    player = DevicePlayer(lambda: (down, knows), FakeClock())
    assert player.status().state is SpeakerState.FINE
    knows.there = ()
    assert player.status().says == "No speaker is plugged in."


def test_a_look_asks_each_sound_system_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answer(command: list[str]) -> bytes:
        asked.append(command[0])
        raise CannotPlay("down")

    player = DevicePlayer(lambda: (PipeWire(answer), Alsa(ask=answer)), FakeClock())
    player.status()
    assert asked == ["pw-dump", "aplay"]
    player.close()


def test_a_player_that_fails_tells_the_log_why(
    tmp_path: Path, clip: Clip, caplog: pytest.LogCaptureFixture
) -> None:
    class Complaining(FakeWay):
        def play(self, sink: Sink, path: Path, volume: int) -> list[str]:
            return ["sh", "-c", "echo first >&2; yes 'no such \033device' | head -c 300000 >&2; exit 3"]

    over = threading.Event()
    player = DevicePlayer(lambda: (Complaining(tmp_path),), FakeClock())
    playing = player.play(clip, over.set, Urgency.BUZZER)
    assert over.wait(10)
    assert playing.outcome is Outcome.FAILED
    (told,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "sh ended with 3 (" in told
    assert told.isprintable()
    player.close()


def test_alsas_volume_is_that_of_the_first_control_that_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def answer(command: list[str]) -> bytes:
        asked.append(command)
        return b"Simple mixer control 'Mic',0\nSimple mixer control 'Speaker',0\n"

    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    Alsa(ask=answer).set_volume(USB, 65)
    assert asked == [
        ["amixer", "-D", "sysdefault:CARD=Device", "scontrols"],
        ["amixer", "-q", "-D", "sysdefault:CARD=Device", "sset", "Speaker", "65%", "unmute"],
    ]


@pytest.mark.parametrize("command", [["false"], ["/no/such/command"]])
def test_a_command_that_fails_cannot_play(command: list[str]) -> None:
    with pytest.raises(CannotPlay):
        ask(command)


def test_a_sound_system_that_hangs_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.voice.ways.ASKED_LONGEST", 0.1)
    with pytest.raises(CannotPlay, match="does not answer"):
        ask(["sleep", "60"])


def test_a_machine_without_a_player_has_no_way_and_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert ways_here() == ()
    player = DevicePlayer(ways_here, FakeClock())
    assert "apt install alsa-utils" in player.status().text
    player.close()


def test_no_way_leads_to_a_program_that_alsa_would_run() -> None:
    with pytest.raises(BadInput):
        ways_here("alsa:file:'|id',raw")


# On a page


def test_a_page_hears_of_each_clip_and_of_silence(clip: Clip) -> None:
    published = threading.Semaphore(0)
    page = PagePlayer(FakeClock(), published.release)
    page.page_is(SpeakerPage.SOUNDS)
    first = page.play(clip, lambda: None, Urgency.BUZZER)
    second = page.play(clip, lambda: None, Urgency.BUZZER)
    first.stop()
    heard = page.sounding
    assert heard is not None
    assert (heard.number, heard.clip) == (2, "clip.wav")
    second.stop()
    assert page.sounding is None
    for _ in range(3):
        assert published.acquire(timeout=0)
    assert not published.acquire(timeout=0)


def test_a_page_lets_a_late_tick_be_sooner_than_anything_else(clip: Clip) -> None:
    page = PagePlayer(FakeClock(), lambda: None)
    page.page_is(SpeakerPage.SOUNDS)
    latest: dict[Urgency, float] = {}
    for urgency in Urgency:
        page.play(clip, lambda: None, urgency)
        assert page.sounding is not None
        latest[urgency] = page.sounding.latest
    assert latest.pop(Urgency.TICK) == 0.25
    assert set(latest.values()) == {1.0}


def test_without_a_page_that_has_sound_on_there_is_no_speaker(clip: Clip) -> None:
    player = PagePlayer(FakeClock(), lambda: None)
    player.page_is(SpeakerPage.SOUNDS)
    player.page_is(SpeakerPage.NONE)
    assert player.status().state is SpeakerState.NONE
    with pytest.raises(CannotPlay):
        player.play(clip, lambda: None, Urgency.BUZZER)


def test_a_page_that_its_browser_does_not_let_sound_is_a_speaker_that_failed(clip: Clip) -> None:
    player = PagePlayer(FakeClock(), lambda: None)
    player.page_is(SpeakerPage.MUTE)
    assert player.status().state is SpeakerState.FAILED
    with pytest.raises(CannotPlay, match="Tap its sound switch again"):
        player.play(clip, lambda: None, Urgency.INFORMATION)
    player.page_is(SpeakerPage.SOUNDS)
    assert player.status().state is SpeakerState.FINE


# Settings


def test_each_engine_can_be_chosen() -> None:
    for name in ("espeak-ng", "pyttsx3", "piper"):
        engine = engine_for(VoiceSettings(engine=name, voice="en", rate=150))
        assert engine is not None
        assert engine.made_from[:1] == (name,)
