"""The rulebook: who is scared, which raft goes under, who sinks, who scores, who is honoured. Pure.

>>> D, C, M, E = Animal.DOG, Animal.CAT, Animal.MOUSE, Animal.ELEPHANT
>>> sorted(kind.value for kind in scared_off([D, D, C, M, E]))
['cat', 'elephant', 'mouse']
>>> weight_after_scares([D, D, C, M, E])
6
"""

from collections.abc import Collection, Mapping, Sequence
from enum import Enum

from msgspec import Struct

from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.players import SeatId
from pi_gm.room import ISLAND, WATER

MOUSE, CAT, DOG, ELEPHANT = Animal.MOUSE, Animal.CAT, Animal.DOG, Animal.ELEPHANT


def scared_off(boarded: Collection[Animal]) -> frozenset[Animal]:
    """The kinds that leap off a raft that ``boarded`` got onto: all at once, judged on all who boarded (R4, R5)."""
    mice, cats, dogs = (sum(animal is kind for animal in boarded) for kind in (MOUSE, CAT, DOG))
    scares = {MOUSE: cats > 0, CAT: dogs > cats, ELEPHANT: mice > 0}
    return frozenset(kind for kind, scared in scares.items() if scared)


def weight_after_scares(boarded: Collection[Animal]) -> int:
    """What the animals weigh that remain on the raft (R6)."""
    scared = scared_off(boarded)
    return sum(animal.weight for animal in boarded if animal not in scared)


def goes_under(boarded: Collection[Animal], load: int) -> bool:
    """Whether what remains is heavier than the raft carries; exactly its load is still carried (R6)."""
    return weight_after_scares(boarded) > load


def points_for_crossing(animal: Animal, boarded: Collection[Animal]) -> int:
    """What ``animal`` gains on the far shore: its weight, but a mouse one for every mouse that boarded (R7)."""
    return sum(other is MOUSE for other in boarded) if animal is MOUSE else animal.weight


def points_on_island(animal: Animal, sunk: int) -> int:
    """What ``animal`` gains on the island: one for each player who sank this round, for a dog nothing (R9)."""
    return 0 if animal is DOG else sunk


class Boarding(Struct, frozen=True):
    """Where one player was at the buzzer, and as what."""

    seat: SeatId
    animal: Animal
    place: str
    """A raft's name, ``island`` or ``water``; nowhere is the water (R1)."""


class Fate(Enum):
    """What became of a player in a round."""

    CROSSED = "crossed"
    STAYED = "stayed on the island"
    SCARED_OFF = "scared off"
    WENT_UNDER = "went under with the raft"
    IN_WATER = "in the water"

    @property
    def is_sunk(self) -> bool:
        """Scared off, under with the raft, or in the water (R8)."""
        return self not in (Fate.CROSSED, Fate.STAYED)


class Outcome(Struct, frozen=True):
    """One player's round, as it is told when everything opens."""

    seat: SeatId
    animal: Animal
    place: str
    fate: Fate
    points: int


def fate_of(player: Boarding, all_boarded: Sequence[Boarding], loads: Mapping[str, int]) -> Fate:
    """What becomes of ``player`` among ``all_boarded``: only those on the same raft touch it (R1, R2, R4, R6, R9)."""
    if player.place == WATER:
        return Fate.IN_WATER
    if player.place == ISLAND:
        return Fate.STAYED
    aboard = animals_at(player.place, all_boarded)
    if player.animal in scared_off(aboard):
        return Fate.SCARED_OFF
    return Fate.WENT_UNDER if goes_under(aboard, loads[player.place]) else Fate.CROSSED


def animals_at(place: str, all_boarded: Sequence[Boarding]) -> tuple[Animal, ...]:
    """The animals of those who were at ``place`` at the buzzer."""
    return tuple(player.animal for player in all_boarded if player.place == place)


def settle(all_boarded: Sequence[Boarding], loads: Mapping[str, int]) -> tuple[Outcome, ...]:
    """The whole round, in the order of ``all_boarded``. Raises KeyError for a raft without a load.

    Sunk scores nothing (R8).
    """
    fates = [fate_of(player, all_boarded, loads) for player in all_boarded]
    sunk = sum(fate.is_sunk for fate in fates)
    return tuple(
        Outcome(player.seat, player.animal, player.place, fate, _points(player, fate, sunk, all_boarded))
        for player, fate in zip(all_boarded, fates, strict=True)
    )


def _points(player: Boarding, fate: Fate, sunk: int, all_boarded: Sequence[Boarding]) -> int:
    if fate is Fate.CROSSED:
        return points_for_crossing(player.animal, animals_at(player.place, all_boarded))
    if fate is Fate.STAYED:
        return points_on_island(player.animal, sunk)
    return 0


class Award(Struct, frozen=True):
    """What a player takes home from the night."""

    half_tokens: int
    """Two for the most points, one more for more than ten."""
    strike: bool


HALF_TOKEN_ABOVE = 10


def awards(totals: Mapping[SeatId, int]) -> dict[SeatId, Award]:
    """Most points a token, fewest a strike, more than ten half a token more; ties share.

    Where everyone ties all get the token and nobody the strike (R15).
    """
    if not totals:
        return {}
    most, fewest = max(totals.values()), min(totals.values())
    return {
        seat: Award(
            half_tokens=2 * (points == most) + (points > HALF_TOKEN_ABOVE),
            strike=points == fewest and most != fewest,
        )
        for seat, points in totals.items()
    }


def ranks(totals: Mapping[SeatId, int]) -> dict[SeatId, int]:
    """Each player's rank from 1; those who tie share the better one."""
    return {seat: 1 + sum(other > points for other in totals.values()) for seat, points in totals.items()}
