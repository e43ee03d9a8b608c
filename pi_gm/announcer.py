"""What is announced, and in which order: cues with urgencies become a speaking order and captions. Pure."""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import accumulate
from typing import Protocol, TypeVar

from msgspec import Struct

from pi_gm.clock import Seconds


class Urgency(IntEnum):
    """How much a cue may interrupt, the most urgent first."""

    BUZZER = 0
    """Cuts into anything and empties what was waiting before it."""
    TICK = 1
    """Cuts into sentences; worthless when late."""
    RESULT = 2
    """A ruling or who sank: goes before information, and is never dropped but by a buzzer."""
    INFORMATION = 3
    READING = 4
    """Read aloud on request, at leisure: everything else goes before it."""


LATE_TICK: Seconds = 1.0
"""A tick that could not be given within this time is not given at all."""


class Cue(Struct, frozen=True):
    """Something to be said."""

    key: str
    """Cues with one key speak of one thing: a newer one takes the place of an older that still waits."""
    urgency: Urgency
    text: str
    pause_before: Seconds = 0.0
    """Silence before it, for suspense. Until it is over nobody says it, however fast what went before was said."""


class Caption(Struct, frozen=True):
    """A cue that was given, as the pages show it."""

    number: int
    """Counts up over the night, so that a page says each caption once."""
    at: Seconds
    """Table time."""
    cue: Cue
    after: Seconds = 0.0
    """So long after ``at`` its turn comes where several cues were given at once: those before it need their time."""

    def must_wait(self, now: Seconds) -> bool:
        """Whether the silence before it is not over yet at ``now``, in table time."""
        return self.cue.pause_before > 0 and now < self.at + self.after


CAPTIONS_KEPT = 24
"""More than are ever given at once."""

WORDS_A_MINUTE = 120
"""How fast a speaker surely speaks, the gaps between words and sentences included."""


def time_to_say(text: str) -> Seconds:
    """How long a speaker needs for ``text`` at most, as far as words tell: the limit for whatever follows speech."""
    return 1.0 + len(text.split()) * 60 / WORDS_A_MINUTE


def captioned(captions: Sequence[Caption], cues: Iterable[Cue], at: Seconds) -> tuple[Caption, ...]:
    """``captions`` with ``cues`` added, the oldest falling away."""
    number = captions[-1].number if captions else 0
    given = tuple(cues)
    added = [
        Caption(number + step, at, cue, after)
        for step, (cue, after) in enumerate(zip(given, turns(given), strict=True), start=1)
    ]
    return (*captions, *added)[-CAPTIONS_KEPT:]


def turns(cues: Sequence[Cue]) -> tuple[Seconds, ...]:
    """How long after the first moment the turn of each of ``cues`` comes, given one after the other."""
    said = (0.0, *(time_to_say(cue.text) for cue in cues[:-1]))
    return tuple(accumulate(before + cue.pause_before for before, cue in zip(said, cues, strict=False)))


class Numbered(Protocol):
    """A caption, or what a page knows of one."""

    @property
    def number(self) -> int: ...


N = TypeVar("N", bound=Numbered)


def unheard(captions: Sequence[N], last_heard: int) -> tuple[N, ...]:
    """The captions after the one numbered ``last_heard``; all of them where counting has begun anew since."""
    if captions and captions[-1].number < last_heard:
        return tuple(captions)
    return tuple(caption for caption in captions if caption.number > last_heard)


def cuts_in(urgency: Urgency, running: Urgency) -> bool:
    """Whether a cue of ``urgency`` stops one that is being given: a buzzer anything, a tick the sentences."""
    match urgency:
        case Urgency.BUZZER:
            return True
        case Urgency.TICK:
            return running > Urgency.TICK
        case _:
            return False


def speaking_order(waiting: Sequence[Caption], now: Seconds) -> tuple[Caption, ...]:
    """What a speaker says next out of what waits, the first first.

    A buzzer empties what came before it, a late tick is dropped, a newer cue replaces an older one with its key, and
    the more urgent goes first; among equals the older.
    """
    buzzers = [caption.number for caption in waiting if caption.cue.urgency is Urgency.BUZZER]
    since_buzzer = [caption for caption in waiting if not buzzers or caption.number >= buzzers[-1]]
    in_time = [
        caption
        for caption in since_buzzer
        if caption.cue.urgency is not Urgency.TICK or now - caption.at <= LATE_TICK
    ]
    newest = {caption.cue.key: caption.number for caption in in_time}
    return tuple(
        sorted(
            (caption for caption in in_time if newest[caption.cue.key] == caption.number),
            key=lambda caption: (caption.cue.urgency, caption.number),
        )
    )
