"""What is announced, and in which order: cues with urgencies become a speaking order and captions. Pure."""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Protocol, TypeVar

from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.ticking import LATE_TICK


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


class Cue(Struct, frozen=True):
    """Something to be said."""

    key: str
    """Cues with one key speak of one thing: a newer one takes the place of an older that still waits."""
    urgency: Urgency
    text: str
    """Each name in it between its marks (:mod:`pi_gm.naming`)."""
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
    """So long after ``at`` its turn comes: what is said before it needs its time."""

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
    all_of_them = list(captions)
    newest = captions[-1].number if captions else 0
    for number, cue in enumerate(cues, start=newest + 1):
        turn = _free_from(all_of_them, cue, at) + cue.pause_before
        all_of_them.append(Caption(number, at, cue, turn - at))
    return tuple(all_of_them[-CAPTIONS_KEPT:])


def _free_from(captions: Sequence[Caption], cue: Cue, at: Seconds) -> Seconds:
    """The table time at which all is said that goes before ``cue``, given at ``at``: whatever is as urgent and older."""
    if cue.urgency <= Urgency.TICK:
        return at
    free, waiting = _queue_at(captions, at)
    goes_before = (
        each.cue for each in waiting if each.cue.urgency <= cue.urgency and each.cue.key != cue.key
    )
    return max(free, at) + sum(each.pause_before + time_to_say(each.text) for each in goes_before)


def _queue_at(captions: Sequence[Caption], now: Seconds) -> tuple[Seconds, Sequence[Caption]]:
    """When that is over which is being said at ``now``, and what waits for it; what was replaced never needs its time."""
    free: Seconds = 0.0
    waiting: Sequence[Caption] = ()
    for caption in _still_standing(captions, now):
        free, waiting = _after_saying(free, waiting, caption.at)
        if caption.cue.urgency <= Urgency.TICK:
            free = caption.at
        waiting = (*(each for each in waiting if each.cue.key != caption.cue.key), caption)
    return _after_saying(free, waiting, now)


def _after_saying(
    free: Seconds, waiting: Sequence[Caption], until: Seconds
) -> tuple[Seconds, Sequence[Caption]]:
    """The same once everything was begun whose turn came before ``until``, the most urgent first."""
    left = sorted(waiting, key=lambda caption: (caption.cue.urgency, caption.number))
    while left:
        begins = max(free, left[0].at) + left[0].cue.pause_before
        if begins >= until:
            break
        free = begins + time_to_say(left.pop(0).cue.text)
    return free, left


def _said_by(caption: Caption) -> Seconds:
    return caption.at + caption.after + time_to_say(caption.cue.text)


def _still_standing(captions: Sequence[Caption], now: Seconds) -> Sequence[Caption]:
    """What the last buzzer left, less what comes from a time that was given back."""
    buzzers = [place for place, each in enumerate(captions) if each.cue.urgency is Urgency.BUZZER]
    since_buzzer = captions[buzzers[-1] :] if buzzers else captions
    return [caption for caption in since_buzzer if caption.at <= now]


def being_said(captions: Sequence[Caption], now: Seconds) -> tuple[Caption, ...]:
    """What may be being said at ``now`` or waits for it, the oldest first; the newest stays when all is said."""
    return tuple(
        caption
        for caption in _still_standing(captions, now)
        if _said_by(caption) > now or caption.number == captions[-1].number
    )


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
