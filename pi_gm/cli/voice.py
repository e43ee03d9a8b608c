"""The announcer's voice: out of this machine's own speaker, a page's, or nowhere, as the host's voice page says."""

import argparse
import logging
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from msgspec.structs import replace

from hardware.voice import device_player_for, engine_for, hurry_for, studio_for
from hardware.voice.around import Lookout, devices_for
from hardware.voice.catalogue import engines_here
from hardware.voice.engines import Engine
from hardware.voice.players import PagePlayer, SilentPlayer
from pi_gm.announcer import Caption
from pi_gm.clock import RealClock
from pi_gm.errors import BadInput
from pi_gm.games import Page, Viewer
from pi_gm.journal import JournalFailed
from pi_gm.naming import named
from pi_gm.phrases import SHARED
from pi_gm.players import SeatId
from pi_gm.speaking.at_table import Hearing
from pi_gm.speaking.desk import (
    ChangeVoice,
    DeskView,
    PageSound,
    PageSpeech,
    SpeakerPage,
    changed,
    checked_choice,
)
from pi_gm.speaking.ports import CannotPlay, CannotSpeak, Player, SpeakerState, SpeakerStatus, Tone
from pi_gm.speaking.pronounced import speakable
from pi_gm.speaking.settings import (
    VOICE_FILE,
    SpeakerPlace,
    VoiceSettings,
    WrongVoice,
    mistakes_in,
    read_voice,
    write_voice,
)
from pi_gm.speaking.speaker import Speaker
from pi_gm.table import Table


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the option to a command."""
    parser.add_argument(
        "--speak",
        nargs="?",
        const="",
        metavar="DEVICE",
        help="speak out of this machine's speaker; DEVICE: a part of its name (left out: the usual one)",
    )


def voice_settings(device: str | None, folder: Path) -> VoiceSettings:
    """What the file in ``folder`` says, and what ``--speak DEVICE`` says over it (None: nothing).

    A file with mistakes is told, and the voice is as usual: it must not keep anybody from playing.
    """
    try:
        settings = read_voice(folder / VOICE_FILE)
    except WrongVoice as wrong:
        print(f"pi-gm: {wrong}", file=sys.stderr)
        settings = VoiceSettings()
    if device is None:
        return settings
    return replace(settings, speaker=SpeakerPlace.MACHINE, device=device or settings.device)


def desk_for(table: Table, settings: VoiceSettings, folder: Path, opened: ExitStack) -> "Desk":
    """The desk of ``table``'s speaker, which lives until ``opened`` is closed; ``folder`` keeps the nights."""
    # How the speaker is belongs into the log when it is fine, too.
    logging.getLogger("pi_gm.speaking").setLevel(logging.INFO)
    desk = Desk(table, settings, folder)
    opened.callback(desk.close)
    if settings.speaker is SpeakerPlace.MACHINE:
        desk.begin()
    return desk


class Desk:
    """A :class:`pi_gm.speaking.desk.VoiceDesk` on this machine.

    A speaker that is not there or fails never hinders the game. Nothing is made before somebody wants to hear it.
    """

    def __init__(self, table: Table, settings: VoiceSettings, folder: Path) -> None:
        self._table = table
        self._settings = settings
        self._file = folder / VOICE_FILE
        self._mistakes = mistakes_in(self._file)
        self._clock = RealClock()
        self._lock = threading.Lock()
        self._changing = threading.Lock()
        """Held while the voice is changed: what is written is what is used, however many hosts tap at once."""
        self._changed: list[Callable[[], None]] = []
        self._sounding: list[Callable[[], None]] = []
        self._lookout = Lookout(self._differs)
        self._page = PagePlayer(self._clock, self._page_sounds)
        self._has_voice = _has_voice(settings)
        self._studio = studio_for(settings, self._clock, folder)
        self._ready: tuple[str, ...] = ()
        self._hearing = Hearing(table, self._studio)
        self._speaker = Speaker(
            self._hearing,
            self._studio,
            self._player(),
            self._clock,
            on_said=self._was_said,
            on_status=self._differs,
        )
        # A machine's sound system may hang: there the speaker's own thread looks.
        if settings.speaker is not SpeakerPlace.MACHINE:
            self._speaker.look_at_device()
        self._beginning: threading.Thread | None = None
        self._is_closed = False

    def begin(self) -> None:
        """Speak from now on, if that has not begun; quick."""
        with self._lock:
            if self._beginning is None and not self._is_closed:
                self._beginning = threading.Thread(target=self._begin, name="voice begins", daemon=True)
                self._beginning.start()

    def _begin(self) -> None:
        # The speaker first: what is announced from now on is heard, once the first clips are made.
        self._table.subscribe(self._speaker.wake)
        self._table.heard_while(self._is_heard)
        self._speaker.start()
        self._studio.start()
        self._ready = tuple(self._tones())
        self._hearing.prepare()
        self._page_sounds()

    def _is_heard(self) -> bool:
        """Whether somebody hears what is said, so that the table waits for it."""
        return self._status().state is SpeakerState.FINE

    def _was_said(self, caption: Caption) -> None:
        if self._speech() is PageSpeech.WORDS:
            return  # the page's own voice may speak still: what follows waits for its limit
        # A journal that cannot be written is told by the table's own clock.
        with suppress(JournalFailed):
            self._table.was_said(caption)

    def _tones(self) -> list[str]:
        try:
            return [self._studio.tone(tone).path.name for tone in Tone]
        except CannotSpeak:
            return []

    def close(self) -> None:
        """Fall silent, and let go of the device."""
        with self._lock:
            self._is_closed = True
        if self._beginning is not None:
            self._beginning.join()
        self._speaker.stop()
        self._studio.stop()

    def _player(self) -> Player:
        match self._settings.speaker:
            case SpeakerPlace.MACHINE:
                return device_player_for(self._settings, self._clock)
            case SpeakerPlace.PAGE:
                return self._page if self._has_voice else SilentPlayer(_SPEAKS_BY_ITSELF)
            case SpeakerPlace.NOBODY:
                return SilentPlayer()

    # For the host's voice page

    def view(self) -> DeskView:
        engine = engine_for(self._settings)
        around = self._lookout.found
        return DeskView(
            settings=self._settings,
            engine="" if engine is None else engine.made_from[0],
            status=self._status(),
            engines=around.engines,
            devices=around.devices,
            mistakes=self._mistakes,
        )

    def _status(self) -> SpeakerStatus:
        speaker = self._speaker.status
        if self._settings.speaker is not SpeakerPlace.PAGE:
            return speaker
        page = self._page.status()
        if self._speech() is PageSpeech.WORDS:
            return _STATUS_OF_WORDS.get(page.state, page)
        has_failed = page.state is SpeakerState.FINE and speaker.state is SpeakerState.FAILED
        return speaker if has_failed else page

    def look_around(self) -> None:
        self._lookout.look(self._settings)

    def look_first(self) -> None:
        self._lookout.look_first(self._settings)

    def change(self, change: ChangeVoice) -> None:
        with self._changing:
            self._change(change)

    def _change(self, change: ChangeVoice) -> None:
        before, after = self._settings, changed(self._settings, change)
        engine = engine_for(after)
        lacks = None if engine is None or engine.made_from == _made_from(before) else engine.missing()
        if lacks is not None:
            raise BadInput(lacks)
        self._check(change, before, engine)
        write_voice(self._file, after)
        self._settings = after
        self._mistakes = None
        self.begin()
        had_voice = self._has_voice
        if (before.engine, before.voice, before.rate) != (after.engine, after.voice, after.rate):
            self._has_voice = _has_voice(after)
            self._studio.use(engine, in_a_hurry=hurry_for(after))
            self._hearing.prepare_anew()
        sounds_before = (had_voice, before.speaker, before.device, before.volume)
        if sounds_before != (self._has_voice, after.speaker, after.device, after.volume):
            self._speaker.use(self._player())
        self._page_sounds()
        if (before.engine, before.voice) != (after.engine, after.voice):
            self.look_around()
        self._differs()

    def _check(self, change: ChangeVoice, before: VoiceSettings, engine: Engine | None) -> None:
        key = "" if engine is None else engine.made_from[0]
        engines, devices = self._lookout.found.engines, self._lookout.found.devices
        if change.voice and not engines:
            engines = engines_here(before)
        if change.device and change.device not in {device.key for device in devices}:
            devices = devices_for(before)
        chosen = next((each for each in engines if each.key == key), None)
        checked_choice(change, before, chosen, devices)

    def listen(self, seat: SeatId | None) -> None:
        status = self._status()
        is_mute = (
            self._settings.speaker is SpeakerPlace.PAGE and self._page.status().state is not SpeakerState.FINE
        )
        if is_mute or status.state is SpeakerState.NONE:
            raise CannotPlay(status.text)
        if self._speech() is PageSpeech.WORDS:
            raise CannotPlay("There is no voice on this machine to listen to: choose one that is installed.")
        self.begin()
        self._speaker.try_out(self._sentence(seat))

    def _sentence(self, seat: SeatId | None) -> str:
        people = self._table.view(Viewer(Page.TV)).people
        for place, person in enumerate(people, start=1):
            if person.seat == seat:
                name = speakable(person.said_as or person.name, place)
                return SHARED.say("voice.listen-to-name", name=named(name))
        return SHARED.say("voice.listen")

    def call_when_changed(self, listener: Callable[[], None]) -> None:
        self._changed.append(listener)

    def _differs(self) -> None:
        for listener in self._changed:
            listener()

    # For a page that is the speaker

    def clip(self, name: str) -> Path | None:
        clip = self._studio.named(name)
        return None if clip is None else clip.path

    def page_sound(self) -> PageSound:
        speech = self._speech()
        sounding = self._page.sounding
        if speech is not PageSpeech.CLIPS or sounding is None:
            return PageSound(speech, self._settings.volume, self._ready)
        return PageSound(
            speech,
            self._settings.volume,
            self._ready,
            sounding.number,
            sounding.clip,
            self._clock.monotonic() - sounding.since,
            sounding.latest,
        )

    def _speech(self) -> PageSpeech:
        if self._settings.speaker is not SpeakerPlace.PAGE:
            return PageSpeech.SILENT
        return PageSpeech.CLIPS if self._has_voice else PageSpeech.WORDS

    def page_is(self, page: SpeakerPage) -> None:
        self._page.page_is(page)
        if page is SpeakerPage.SOUNDS:
            self.begin()
        self._speaker.look_soon()
        self._differs()

    def call_when_sounding(self, listener: Callable[[], None]) -> None:
        self._sounding.append(listener)

    def _page_sounds(self) -> None:
        for listener in self._sounding:
            listener()


_SPEAKS_BY_ITSELF = "There is no voice on this machine: the device that has its sound on speaks by itself."
_STATUS_OF_WORDS = {
    SpeakerState.FINE: SpeakerStatus(
        SpeakerState.FINE, "The device with its sound on has a voice of its own."
    ),
    SpeakerState.FAILED: SpeakerStatus(
        SpeakerState.FAILED,
        "The device with its sound on cannot speak by itself, and there is no voice on this machine.",
        "Tap its sound switch again, switch another device on, or install a voice here.",
    ),
}
"""Where the page has to speak by itself."""


def _made_from(settings: VoiceSettings) -> tuple[str, ...]:
    engine = engine_for(settings)
    return () if engine is None else engine.made_from


def _has_voice(settings: VoiceSettings) -> bool:
    engine = engine_for(settings)
    return engine is not None and engine.missing() is None
