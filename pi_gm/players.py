"""Who sits at the table: seats, their names, and the tokens by which everybody is known on every page."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import NewType

from msgspec import Struct

SeatId = NewType("SeatId", str)
"""The public name of a seat in commands and views. It cannot be guessed and it opens nothing."""

MOST_SEATS = 12
LONGEST_NAME = 20


class Token(Struct, frozen=True):
    """A colour and a shape that belong together, so that no one needs to tell red from green."""

    number: int
    colour: str
    shape: str


TOKENS: tuple[Token, ...] = tuple(
    Token(number, colour, shape)
    for number, (colour, shape) in enumerate(
        [
            ("red", "circle"),
            ("blue", "square"),
            ("green", "triangle"),
            ("purple", "diamond"),
            ("orange", "hexagon"),
            ("navy", "dome"),
            ("magenta", "star"),
            ("teal", "drop"),
            ("brown", "shield"),
            ("grey", "pentagon"),
            ("olive", "leaf"),
            ("black", "cross"),
        ],
        start=1,
    )
)
"""Twelve tokens; a token's number is what a sensor of a player's own is wired for."""


class Seat(Struct, frozen=True):
    """One player's place at the table, with or without a phone."""

    id: SeatId
    name: str
    token: int
    sits_out: bool = False
    phone: str | None = None
    """What the phone's secret hashes to; None where the player has no phone. Never leaves the core."""
    said_as: str = ""
    """How the name is said where that is not as it is written; stays when the name changes."""
    secret: str | None = None
    """What the player's four digits for the booth hash to; None where none were set. Never leaves the core."""

    @property
    def letter(self) -> str:
        """The letter on the token."""
        return self.name[0].upper()


def tidy_name(name: str) -> str:
    """``name`` as it is shown: composed, without control characters and runs of blanks, at most 20 characters.

    Empty where nothing that can be read is left.
    """
    composed = unicodedata.normalize("NFC", name)
    readable = "".join(" " if character.isspace() else character for character in composed)
    kept = "".join(character for character in readable if unicodedata.category(character) not in _UNREADABLE)
    return " ".join(kept.split())[:LONGEST_NAME].strip()


_UNREADABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def is_same_name(one: str, other: str) -> bool:
    """Whether two names would be heard as one at the table."""
    return one.casefold() == other.casefold()


def free_tokens(seats: Iterable[Seat]) -> tuple[Token, ...]:
    """The tokens that nobody has taken, in their order."""
    taken = {seat.token for seat in seats}
    return tuple(token for token in TOKENS if token.number not in taken)


def seat_of(seats: Sequence[Seat], seat_id: SeatId) -> Seat | None:
    """The seat with that id, or None."""
    return next((seat for seat in seats if seat.id == seat_id), None)


def names_of(seats: Sequence[Seat], ids: Iterable[SeatId]) -> tuple[str, ...]:
    """The names of those seats in seating order, whatever order ``ids`` has: an order could tell something."""
    wanted = set(ids)
    return tuple(seat.name for seat in seats if seat.id in wanted)
