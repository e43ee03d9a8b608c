"""What the speaker needs from outside: news of what is announced, clips to play, and something that plays them."""

from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from pi_gm.announcer import Caption, Urgency
from pi_gm.clock import Seconds
from pi_gm.errors import PiGmError
from pi_gm.ticking import Ticking


class SpokenName(Struct, frozen=True):
    """What a player is called on the pages, and how that is said."""

    shown: str
    said: str


class Announced(Struct, frozen=True):
    """What has been announced up to now."""

    captions: tuple[Caption, ...]
    now: Seconds
    """Table time."""
    time_runs: bool
    is_quiet: bool
    is_on: bool
    """A game has begun and is not over."""
    names: tuple[SpokenName, ...] = ()
    ticking: Ticking | None = None
    """The countdown whose last seconds tick; None where none runs."""
    old: int = 0
    """The number of the newest caption from before the program was started; 0 where there is none."""


class Tone(Enum):
    """A sound that is no speech."""

    BUZZER = "buzzer"
    TICK = "tick"
    CHIME = "chime"


class Clip(Struct, frozen=True):
    """A sound in a file, ready to be played."""

    path: Path
    """Its name tells its content: another content has another name."""
    seconds: Seconds


class CannotSpeak(PiGmError, RuntimeError):
    """A sentence could not be made into a clip; the text says why, and what to do about it."""


class CannotPlay(PiGmError, RuntimeError):
    """A clip could not be played; the text says why, and what to do about it."""


class Voice(Protocol):
    """Makes clips. Safe for several threads; none of its methods waits for a clip to be made."""

    def tone(self, tone: Tone) -> Clip:
        """The clip of ``tone``. Raises CannotSpeak."""
        ...

    def words(self, text: str) -> Clip | None:
        """The clip that says ``text``, or None while it is being made, which this call begins.

        Raises CannotSpeak where making it failed.
        """
        ...

    def prepare(self, texts: Iterable[str]) -> None:
        """Make clips for ``texts`` in the background, when nothing more urgent is to be made."""
        ...

    def call_when_made(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` from any thread whenever a clip that :meth:`words` began is made, or has failed."""
        ...


class Outcome(Enum):
    """How the playing of a clip ended."""

    PLAYED = "played"
    FAILED = "failed"
    """The player gave up; or it ran on and had to be stopped."""


class Playing(Protocol):
    """A clip that is being played."""

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it plays."""
        ...

    @property
    def seconds(self) -> Seconds:
        """How long it lasts, with the silence that goes first."""
        ...

    def stop(self) -> None:
        """Fall silent at once; nothing happens where it has ended."""
        ...


class SpeakerState(Enum):
    """How a speaker is."""

    FINE = "fine"
    NONE = "none"
    """There is nothing that could sound, or sound was switched off on purpose."""
    FAILED = "failed"
    """There should be sound, and there is none."""


class SpeakerStatus(Struct, frozen=True):
    """How the speaker is, as it really is and not as it was asked to be."""

    state: SpeakerState
    says: str
    """A sentence for people; trouble that came up while playing names its cure itself."""
    cure: str | None = None
    """What to do about it; None where nothing needs doing, or ``says`` tells it."""

    @property
    def text(self) -> str:
        """All of it, for a log."""
        return self.says if self.cure is None else f"{self.says} {self.cure}"


class Player(Protocol):
    """Plays clips on one device."""

    def status(self) -> SpeakerStatus:
        """Look what is really there; may take a second."""
        ...

    def play(self, clip: Clip, over: Callable[[], None], urgency: Urgency) -> Playing:
        """Begin to play ``clip`` and call ``over``, from any thread, when that has ended by itself.

        What is not as urgent as a tick may have silence before it, to wake a device that swallows what comes after a
        rest. Raises CannotPlay where nothing can be begun.
        """
        ...

    def keep_awake(self, awake: bool) -> None:
        """Whether the device must not fall asleep, since something may have to sound at once."""
        ...

    def close(self) -> None:
        """Fall silent for good and let go of the device."""
        ...
