"""How a sentence tells a name from its words: each name stands in it between Unicode's own marks, its isolates.

So no name is ever taken for a word, nor a word for a name, whatever the players are called; and on a page a name that is
written from right to left leaves the sentence around it in order. No name holds such a mark.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pi_gm.players import Seat

_FIRST, _LAST = "\u2068", "\u2069"

NAMED = re.compile(f"{_FIRST}([^{_FIRST}{_LAST}]*){_LAST}")
"""A name in a sentence, between its marks. It splits a sentence into words and names, in turn."""

_MARKS = re.compile(f"[{_FIRST}{_LAST}]")


def named(name: str) -> str:
    """``name`` as it stands in a sentence."""
    return f"{_FIRST}{plain(name)}{_LAST}"


def plain(sentence: str) -> str:
    """``sentence`` without the marks, for whatever shows or compares plain text."""
    return _MARKS.sub("", sentence)


def as_named(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """``seats`` for those who make sentences: whatever they do with a name, it stays one."""
    return tuple(replace(seat, name=named(seat.name)) for seat in seats)
