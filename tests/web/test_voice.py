"""The host's voice page, and pages that are the speaker."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from pi_gm.errors import BadInput
from pi_gm.night import SetQuiet
from pi_gm.players import SeatId
from pi_gm.speaking.desk import (
    ChangeVoice,
    DeskView,
    DeviceView,
    EngineView,
    PageSound,
    PageSpeech,
    SpeakerPage,
    changed,
)
from pi_gm.speaking.ports import CannotPlay, SpeakerState, SpeakerStatus
from pi_gm.speaking.settings import SpeakerPlace, VoiceSettings
from tests.web.ears import Ear, settle
from tests.web.tabletop import Tabletop, commands_on

NO_SPEAKER = SpeakerStatus(SpeakerState.NONE, "No speaker is plugged in.", "Plug one in.")
FINE = SpeakerStatus(SpeakerState.FINE, "Sound comes out of USB.")


class FakeDesk:
    """Everything by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = VoiceSettings()
        self.status = FINE
        self.engines: tuple[EngineView, ...] = (
            EngineView("espeak-ng", "Robot", "clear", None),
            EngineView("piper", "Person", "like one", "Piper is not installed: pip install it"),
        )
        self.listened: list[SeatId | None] = []
        self.looked = 0
        self.page = SpeakerPage.NONE
        self.sound = PageSound(PageSpeech.CLIPS, 90, ("buzzer.wav",))
        self.on_change: Callable[[], None] = lambda: None
        self.on_sound: Callable[[], None] = lambda: None

    def view(self) -> DeskView:
        return DeskView(
            self.settings,
            "espeak-ng",
            self.status,
            self.engines,
            (DeviceView("usb-1", "USB speaker"),),
        )

    def look_around(self) -> None:
        self.looked += 1

    def look_first(self) -> None:
        self.looked = max(self.looked, 1)

    def change(self, change: ChangeVoice) -> None:
        self.settings = changed(self.settings, change)
        self.on_change()

    def listen(self, seat: SeatId | None) -> None:
        if self.status.state is SpeakerState.NONE:
            raise CannotPlay(self.status.text)
        self.listened.append(seat)

    def clip(self, name: str) -> Path | None:
        return self.folder / name if name in ("a.wav", "gone.wav") else None

    def page_sound(self) -> PageSound:
        return self.sound

    def page_is(self, page: SpeakerPage) -> None:
        self.page = page

    def knows_page_as(self, page: SpeakerPage) -> bool:
        return self.page is page

    def call_when_changed(self, listener: Callable[[], None]) -> None:
        self.on_change = listener

    def call_when_sounding(self, listener: Callable[[], None]) -> None:
        self.on_sound = listener

    def play(self, number: int, clip: str) -> None:
        self.sound = PageSound(PageSpeech.CLIPS, 90, ("buzzer.wav",), number, clip)
        self.on_sound()


@pytest.fixture
def desk(tmp_path: Path) -> FakeDesk:
    return FakeDesk(tmp_path)


@pytest.fixture
def tabletop(tmp_path: Path, desk: FakeDesk) -> Iterator[Tabletop]:
    table = Tabletop(tmp_path, voice=desk)
    yield table
    table.journal.close()


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(30):
            await test()

    asyncio.run(bounded())


# The page


def test_only_the_host_opens_it_and_it_shows_what_there_is_now(tabletop: Tabletop, desk: FakeDesk) -> None:
    assert tabletop.device().get("/host/voice").status_code == 303
    assert desk.looked == 0
    tabletop.phone("Ana")
    page = tabletop.host().get("/host/voice").text
    assert desk.looked == 1
    assert "Sound comes out of USB." in page
    assert 'data-act="/host/voice/act"' in page
    assert "Piper is not installed" in page
    offered = commands_on(page)
    assert {"type": "listen", "seat": tabletop.seat("Ana")} in offered
    assert {"type": "change-voice", "speaker": "machine"} in offered
    assert not any(command.get("engine") == "piper" for command in offered), "it cannot be chosen"


def test_while_voices_are_looked_for_the_page_says_so(tabletop: Tabletop, desk: FakeDesk) -> None:
    desk.engines = ()
    page = tabletop.host().get("/host/voice").text
    assert "Looking which voices there are" in page
    assert "Robot" not in page


def test_a_voice_that_is_here_and_in_trouble_says_so_and_can_be_chosen(
    tabletop: Tabletop, desk: FakeDesk
) -> None:
    desk.engines = (EngineView("espeak-ng", "Robot", "clear", None, trouble="Its voices cannot be listed"),)
    page = tabletop.host().get("/host/voice").text
    assert "Its voices cannot be listed" in page
    assert {"type": "change-voice", "engine": "espeak-ng"} in commands_on(page)


def test_a_page_that_stood_open_since_before_the_start_has_things_looked_for(
    tabletop: Tabletop, desk: FakeDesk
) -> None:
    async def test() -> None:
        ear = Ear(tabletop.streams, "voice", cookie=f"pi-gm-host={tabletop.host().secret('pi-gm-host')}")
        await settle(tabletop)
        assert desk.looked == 1
        await ear.hang_up()

    run(test)


def test_devices_are_offered_by_name_where_the_machine_is_the_speaker(
    tabletop: Tabletop, desk: FakeDesk
) -> None:
    desk.settings = VoiceSettings(speaker=SpeakerPlace.MACHINE)
    page = tabletop.host().get("/host/voice").text
    assert "USB speaker" in page
    assert {"type": "change-voice", "device": "usb-1"} in commands_on(page)
    assert "data-sound" not in page


def test_every_button_on_it_is_understood(tabletop: Tabletop) -> None:
    tabletop.phone("Ana")
    host = tabletop.host()
    for command in commands_on(host.get("/host/voice").text):
        assert host.post("/host/voice/act", do=command).status_code == 200, command


def test_it_changes_listens_and_says_names_another_way(tabletop: Tabletop, desk: FakeDesk) -> None:
    tabletop.phone("Siobhan")
    host, seat = tabletop.host(), tabletop.seat("Siobhan")
    host.post("/host/voice/act", do={"type": "change-voice", "rate": 160})
    assert desk.settings.rate == 160
    host.post("/host/voice/act", do={"type": "listen"})
    host.post("/host/voice/act", do={"type": "listen", "seat": seat})
    assert desk.listened == [None, seat]
    host.post("/host/voice/act", do={"type": "say-as", "seat": seat, "text": "Shivawn"})
    assert [person.said_as for person in tabletop.tv().people] == ["Shivawn"]


def test_what_cannot_be_is_answered_with_the_cure(tabletop: Tabletop, desk: FakeDesk) -> None:
    host = tabletop.host()
    wrong = host.post("/host/voice/act", do={"type": "change-voice", "rate": 9999})
    assert wrong.status_code == 409
    assert "choose a whole number from 80 to 300" in wrong.text
    desk.status = NO_SPEAKER
    silent = host.post("/host/voice/act", do={"type": "listen"})
    assert silent.status_code == 409
    assert "Plug one in." in silent.text
    assert host.post("/host/voice/act", do={"type": "undo", "step": 1}).status_code == 400


def test_nobody_but_the_host_changes_anything(tabletop: Tabletop, desk: FakeDesk) -> None:
    for device in (tabletop.phone("Ana"), tabletop.device(), tabletop.booth()):
        assert device.post("/host/voice/act", do={"type": "change-voice", "volume": 0}).status_code == 403
    assert desk.settings == VoiceSettings()


def test_without_a_desk_there_is_no_such_page_and_pages_may_speak_by_themselves(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Tabletop(tmp_path / "other")
    host = other.host()
    assert host.get("/host/voice").status_code == 404
    assert host.post("/host/voice/act", do={"type": "listen"}).status_code == 404
    assert "data-sound" in host.get("/tv").text
    assert "/host/voice" not in host.get("/host").text
    other.journal.close()


# On the other pages


def test_the_hosts_page_tells_of_the_speaker_only_when_something_is_wrong(
    tabletop: Tabletop, desk: FakeDesk
) -> None:
    host = tabletop.host()
    desk.settings = VoiceSettings(speaker=SpeakerPlace.MACHINE)
    assert "No sound" not in host.get("/host").text
    desk.status = NO_SPEAKER
    assert "No speaker is plugged in. Plug one in." in host.get("/host").text
    tabletop.order(SetQuiet(True))
    assert "No speaker is plugged in." not in host.get("/host").text, "nobody wants to hear it now"


def test_pages_offer_their_sound_only_where_a_page_is_the_speaker(tabletop: Tabletop, desk: FakeDesk) -> None:
    host = tabletop.host()
    assert "data-sound" in host.get("/tv").text
    assert "data-sound" in host.get("/host").text
    desk.settings = VoiceSettings(speaker=SpeakerPlace.MACHINE)
    assert "data-sound" not in host.get("/tv").text
    assert "data-sound" not in host.get("/host").text


def test_how_the_speaker_is_comes_to_the_hosts_pages_at_once(tabletop: Tabletop, desk: FakeDesk) -> None:
    async def test() -> None:
        secret = tabletop.host().secret("pi-gm-host")
        ears = [Ear(tabletop.streams, page, cookie=f"pi-gm-host={secret}") for page in ("host", "voice")]
        await settle(tabletop)
        desk.settings, desk.status = VoiceSettings(speaker=SpeakerPlace.MACHINE), NO_SPEAKER
        desk.on_change()
        await settle(tabletop)
        for ear in ears:
            assert "No speaker is plugged in." in ear.events()[-1][1]["html"]
            await ear.hang_up()

    run(test)


# A page that is the speaker


def sound(how: str, page: int = 1) -> str:
    """What a page asks for with its stream that sounds; ``page`` is which of them it is."""
    return f"sound={how}&page={page:016x}"


def test_a_clip_is_everybodys_and_never_changes(tabletop: Tabletop, tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(b"RIFF")
    answer = tabletop.device().get("/clips/a.wav")
    assert answer.status_code == 200
    assert answer.mimetype == "audio/wav"
    assert "immutable" in answer.headers["Cache-Control"]
    for name in ("gone.wav", "night-1.sqlite", "..%2fnight-1.sqlite"):
        assert tabletop.device().get(f"/clips/{name}").status_code == 404


def test_a_page_with_sound_hears_of_each_clip_and_the_others_of_none(
    tabletop: Tabletop, desk: FakeDesk
) -> None:
    async def test() -> None:
        speaker, other = Ear(tabletop.streams, "tv", query=sound("on")), Ear(tabletop.streams, "tv")
        await settle(tabletop)
        assert desk.knows_page_as(SpeakerPage.SOUNDS)
        desk.play(1, "a.wav")
        await settle(tabletop)
        desk.on_sound()
        await settle(tabletop)
        told = [data for name, data in speaker.events() if name == "sound"]
        assert [(each["number"], each["clip"]) for each in told] == [(0, None), (1, "a.wav")]
        assert told[0]["ready"] == ["buzzer.wav"]
        assert other.names() == ["page"]
        await speaker.hang_up()
        assert desk.knows_page_as(SpeakerPage.NONE)
        await other.hang_up()

    run(test)


def test_a_phone_that_nobody_knows_does_not_hush_the_speaker(tabletop: Tabletop, desk: FakeDesk) -> None:
    async def test() -> None:
        speaker = Ear(tabletop.streams, "tv", query=sound("on"))
        await settle(tabletop)
        stranger = Ear(tabletop.streams, "player", query=sound("on", 2))
        await settle(tabletop)
        assert "hushed" not in speaker.names()
        assert stranger.names() == ["page"]
        assert desk.knows_page_as(SpeakerPage.SOUNDS)
        await speaker.hang_up()
        await stranger.hang_up()

    run(test)


def test_one_page_speaks_at_a_time_the_one_switched_on_last(tabletop: Tabletop, desk: FakeDesk) -> None:
    async def test() -> None:
        first = Ear(tabletop.streams, "tv", query=sound("on"))
        await settle(tabletop)
        second = Ear(tabletop.streams, "tv", query=sound("on", 2))
        await settle(tabletop)
        desk.play(1, "a.wav")
        await settle(tabletop)
        assert [name for name in first.names() if name != "page"] == ["sound", "hushed"]
        assert second.names().count("sound") == 2
        assert desk.knows_page_as(SpeakerPage.SOUNDS)
        await first.hang_up()
        assert desk.knows_page_as(SpeakerPage.SOUNDS)
        await second.hang_up()
        assert desk.knows_page_as(SpeakerPage.NONE)

    run(test)


def test_a_page_that_wakes_does_not_hush_the_one_that_was_switched_on_since(
    tabletop: Tabletop, desk: FakeDesk
) -> None:
    async def test() -> None:
        speaker = Ear(tabletop.streams, "tv", query=sound("on"))
        await settle(tabletop)
        for how in ("still", "mute"):
            woken = Ear(tabletop.streams, "tv", query=sound(how, 2))
            await settle(tabletop)
            assert woken.names() == ["hushed", "page"]
            assert "hushed" not in speaker.names()
            await woken.hang_up()
            assert desk.knows_page_as(SpeakerPage.SOUNDS)
        await speaker.hang_up()
        again = Ear(tabletop.streams, "tv", query=sound("still", 2))
        await settle(tabletop)
        assert desk.knows_page_as(SpeakerPage.SOUNDS), "nobody was switched on since"
        await again.hang_up()

    run(test)


def test_a_page_that_opens_its_stream_anew_even_by_another_address_stays_the_speaker_and_tells_whether_it_may_sound(
    tabletop: Tabletop, desk: FakeDesk
) -> None:
    async def test() -> None:
        first = Ear(tabletop.streams, "tv", query=sound("on"))
        await settle(tabletop)
        mute = Ear(tabletop.streams, "tv", query=sound("mute"), address="192.168.7.101")
        await settle(tabletop)
        assert desk.knows_page_as(SpeakerPage.MUTE)
        await first.hang_up()
        assert desk.knows_page_as(SpeakerPage.MUTE)
        again = Ear(tabletop.streams, "tv", query=sound("still"))
        await settle(tabletop)
        assert desk.knows_page_as(SpeakerPage.SOUNDS)
        assert again.names() == ["sound", "page"]
        await mute.hang_up()
        await again.hang_up()
        assert desk.knows_page_as(SpeakerPage.NONE)

    run(test)


@pytest.mark.parametrize(
    "query", ["sound", "sound=on", sound("off"), sound("ON"), sound("on") + "&x=1", sound("on")[:-1], "%00"]
)
def test_any_other_query_makes_no_page_the_speaker(tabletop: Tabletop, desk: FakeDesk, query: str) -> None:
    async def test() -> None:
        ear = Ear(tabletop.streams, "tv", query=query)
        await settle(tabletop)
        assert ear.names() == ["page"]
        assert desk.knows_page_as(SpeakerPage.NONE)
        await ear.hang_up()

    run(test)


def test_a_fault_of_the_desk_is_a_no_with_a_sentence(tabletop: Tabletop, desk: FakeDesk) -> None:
    def fails(change: ChangeVoice) -> None:
        raise BadInput("voice.toml cannot be written: make room on the disk.")

    desk.change = fails  # type: ignore[method-assign]
    answer = tabletop.host().post("/host/voice/act", do={"type": "change-voice", "volume": 1})
    assert (answer.status_code, "make room" in answer.text) == (409, True)
