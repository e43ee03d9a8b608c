"""The voice's desk: what the host's voice page shows of the speaker and changes on it. The page knows no sound device.

Whatever makes clips and plays them is behind :class:`VoiceDesk`; only the command line puts the two together.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from pi_gm.clock import Seconds
from pi_gm.errors import BadInput
from pi_gm.players import SeatId
from pi_gm.speaking.ports import SpeakerState, SpeakerStatus
from pi_gm.speaking.settings import SpeakerPlace, VoiceSettings


class VoiceName(Struct, frozen=True):
    """A voice of an engine."""

    key: str
    """What the settings call it."""
    title: str
    """What people call it."""


class EngineView(Struct, frozen=True):
    """A kind of voice, here or not."""

    key: str
    title: str
    manner: str
    """How it sounds, in a few words."""
    lacks: str | None
    """What this machine lacks for it, with the cure; None where it can speak."""
    voices: tuple[VoiceName, ...] = ()
    """The usual one first."""
    wants_file: bool = False
    """Its voice is a file, which the host names."""
    trouble: str | None = None
    """Why its voices are not known, though it is here; None where they are."""


class DeviceView(Struct, frozen=True):
    """Something on this machine that sound can come out of."""

    key: str
    title: str


class DeskView(Struct, frozen=True):
    """Everything that the host's voice page shows of the speaker."""

    settings: VoiceSettings
    engine: str
    """The key of the engine that speaks; empty where there is none."""
    status: SpeakerStatus
    engines: tuple[EngineView, ...] = ()
    devices: tuple[DeviceView, ...] = ()
    mistakes: str | None = None
    """What is wrong with the file that keeps the settings, which the usual ones stand in for; None: nothing."""

    @property
    def is_amiss(self) -> bool:
        """Whether the host should know: there ought to be sound, and there is none."""
        return self.status.state is SpeakerState.FAILED or (
            self.status.state is SpeakerState.NONE and self.settings.speaker is SpeakerPlace.MACHINE
        )


# What can be asked of the desk


class DeskCommand(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything that the host's voice page asks of the desk."""


class ChangeVoice(DeskCommand, frozen=True, tag="change-voice"):
    """Set up some of it anew; None: as it is."""

    speaker: SpeakerPlace | None = None
    engine: str | None = None
    voice: str | None = None
    rate: int | None = None
    device: str | None = None
    volume: int | None = None


class Listen(DeskCommand, frozen=True, tag="listen"):
    """Let a sentence be heard, with the name of the player in that seat; None: one without a name."""

    seat: SeatId | None = None


class LookAround(DeskCommand, frozen=True, tag="look-around"):
    """Look what devices and voices there are now."""


def changed(settings: VoiceSettings, change: ChangeVoice) -> VoiceSettings:
    """``settings`` with ``change``; another engine begins with its usual voice. Raises BadInput with every mistake."""
    wanted = {
        field: value for field in change.__struct_fields__ if (value := getattr(change, field)) is not None
    }
    if "engine" in wanted and wanted["engine"] != settings.engine:
        wanted.setdefault("voice", "")
    return replace(settings, **wanted)


def checked_choice(
    change: ChangeVoice, before: VoiceSettings, engine: EngineView | None, devices: Iterable[DeviceView]
) -> None:
    """Raise BadInput unless a page may ask for ``change``: only for what was listed to it, or is set up already.

    ``engine`` is the one that is to speak. A name that a person writes reaches the commands that play and speak, so it
    is for the file of settings and the command line. The voice of an engine that wants a file is that file's path.
    """
    listed = {"", before.device, *(device.key for device in devices)}
    if change.device is not None and change.device not in listed:
        raise BadInput("That speaker is not there now: plug it in and look again, or choose another.")
    if change.voice is None or (engine is not None and engine.wants_file):
        return
    known = (
        {"", before.voice} if engine is None else {"", before.voice, *(voice.key for voice in engine.voices)}
    )
    if change.voice not in known:
        raise BadInput("That voice is not on this machine: choose one of those that are shown.")


# For a page that is the speaker


class SpeakerPage(Enum):
    """The page that somebody switched the sound on at."""

    NONE = "none"
    """There is none."""
    SOUNDS = "sounds"
    MUTE = "mute"
    """Its browser does not let it sound."""


class PageSpeech(Enum):
    """How a page with its sound switched on speaks."""

    CLIPS = "clips"
    """It plays the clips that are made here."""
    WORDS = "words"
    """It says the captions with a voice of its own, since there is none here."""
    SILENT = "silent"
    """Another is the speaker."""


class PageSound(Struct, frozen=True):
    """What a page with its sound switched on does now."""

    speech: PageSpeech
    volume: int = 100
    """Per cent."""
    ready: tuple[str, ...] = ()
    """Names of clips to have at hand."""
    number: int = 0
    """Of the clip that is to be heard, counting up; 0 for silence."""
    clip: str | None = None
    late: Seconds = 0.0
    """How long ago that began."""
    latest: Seconds = 0.0
    """It is not begun any more so long after that."""

    @property
    def mark(self) -> tuple[object, ...]:
        """What tells it from another, however late it is."""
        return (self.speech, self.volume, self.ready, self.number)


class VoiceDesk(Protocol):
    """The speaker, as the pages have it. Every method may be called by any thread, and none waits for speech."""

    def view(self) -> DeskView:
        """How it is set up and how it really is; quick."""
        ...

    def look_around(self) -> None:
        """Find out what devices and voices there are; takes a second at most, what is not known by then follows."""
        ...

    def look_first(self) -> None:
        """Begin to find that out where nobody has yet; quick."""
        ...

    def change(self, change: ChangeVoice) -> None:
        """Set it up anew, for good. Raises BadInput with every mistake, or where it cannot be kept."""
        ...

    def listen(self, seat: SeatId | None) -> None:
        """Let a sentence be heard when nothing else is said. Raises CannotPlay where nobody could hear it."""
        ...

    def clip(self, name: str) -> Path | None:
        """The file of that clip, for a page to play; None for any other name."""
        ...

    def page_sound(self) -> PageSound:
        """What a page with its sound switched on does now; quick."""
        ...

    def page_is(self, page: SpeakerPage) -> None:
        """How the page that is the speaker is now; quick."""
        ...

    def call_when_changed(self, listener: Callable[[], None]) -> None:
        """Call ``listener``, from any thread, whenever :meth:`view` may be another."""
        ...

    def call_when_sounding(self, listener: Callable[[], None]) -> None:
        """Call ``listener``, from any thread, whenever :meth:`page_sound` is another; it must be quick."""
        ...
