"""The cards: produce of four kinds and three values, and the pile that they are drawn from."""

from enum import Enum
from random import Random

from msgspec import Struct


class Kind(Enum):
    """What a produce card shows."""

    FUR = "fur"
    MILK = "milk"
    EGG = "egg"
    PET = "pet"


VALUES = (0, 1, 2)


class Card(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A produce card."""

    kind: Kind
    value: int
    """0, 1 or 2: what each card of its set counts while it is the newest."""


SCORING = "scoring"
"""The card at which everyone scores (M2)."""

SCORINGS = 3
"""The game ends after so many (M8)."""

PileCard = Card | str
Pile = tuple[PileCard, ...]
"""What is still to be drawn, the top first; a string is a scoring card."""


def produce(per_value: tuple[int, int, int]) -> tuple[Card, ...]:
    """Every produce card, with so many of value 0, 1 and 2 of each kind (M1: five, five and three)."""
    return tuple(
        Card(kind, value)
        for kind in Kind
        for value, number in zip(VALUES, per_value, strict=True)
        for _ in range(number)
    )


AT_BOTTOM = 5
"""So many produce cards lie at the bottom with the last scoring card among them (M1)."""


def spread(cards: tuple[Card, ...], rng: Random) -> Pile:
    """A pile in which scoring comes after about a third, two thirds and near the end (M1).

    Five produce cards and one scoring card, shuffled, lie at the bottom; the others in three near-equal parts, with a
    scoring card between each two.
    """
    shuffled = rng.sample(cards, len(cards))
    above = shuffled[:-AT_BOTTOM]
    bottom: Pile = (*shuffled[-AT_BOTTOM:], SCORING)
    third = -(-len(above) // 3)
    first, second, last = above[:third], above[third : -(len(above) // 3)], above[-(len(above) // 3) :]
    return (*first, SCORING, *second, SCORING, *last, *rng.sample(bottom, len(bottom)))


def shuffled_in(cards: tuple[Card, ...], rng: Random) -> Pile:
    """A pile with the three scoring cards anywhere (M1, the option)."""
    everything: list[PileCard] = [*cards, *[SCORING] * SCORINGS]
    return tuple(rng.sample(everything, len(everything)))
