"""What the rafts carry: as on screen, drawn at random, or typed in by the host. Pure."""

from collections.abc import Sequence
from itertools import product
from random import Random

from pi_gm.room import RAFTS

Loads = tuple[int, ...]
"""What rafts A, B (and C) carry in one round, in animal weight."""

LIGHTEST, HEAVIEST = 2, 10

PRACTICE_ON_SCREEN: Loads = (4, 6)
ON_SCREEN: tuple[Loads, ...] = ((4, 7), (5, 5), (2, 10), (6, 7), (8, 10))
"""The loads of the five rounds of the show, for two rafts."""

PRACTICE_THIRD = 5
THIRD: tuple[int, ...] = (6, 4, 8, 5, 3)
"""What raft C carries where there is a third: ours, the show had two."""


def rafts_for(players: int) -> int:
    """Two rafts up to six players, three from seven on (R16)."""
    return 2 if players <= 6 else 3


def names_of_rafts(rafts: int) -> tuple[str, ...]:
    """``A``, ``B`` and, where there are three, ``C``."""
    return RAFTS[:rafts]


def on_screen(round_number: int, rafts: int) -> Loads | None:
    """The loads of the show for a round (0 is the practice); None from the sixth round on."""
    if round_number == 0:
        return (*PRACTICE_ON_SCREEN, PRACTICE_THIRD)[:rafts]
    if round_number > len(ON_SCREEN):
        return None
    return (*ON_SCREEN[round_number - 1], THIRD[round_number - 1])[:rafts]


def lets_all_cross_as_elephants(loads: Loads, players: int) -> bool:
    """Whether every player could cross as an elephant, which is no fun (R17)."""
    return sum(load // 5 for load in loads) >= players


MOST_DRAWN_BACK = 4
"""How far a total strays to make up for the rounds before it, so that none jumps when people came or went."""


def draw(players: int, rafts: int, before: Sequence[Loads], rng: Random) -> Loads:
    """Random loads for the next round after the rounds ``before``, the practice included (R17).

    Totals swing around twice the number of players and are drawn back to it over the rounds, so far as loads from 2
    to 10 allow. Never the loads of the round before, and never enough for everyone to cross as an elephant.
    """
    fair = [
        loads
        for loads in product(range(LIGHTEST, HEAVIEST + 1), repeat=rafts)
        if not lets_all_cross_as_elephants(loads, players) and (not before or loads != before[-1])
    ]
    owed = 2 * players * len(before) - sum(map(sum, before))
    drawn_back = max(-MOST_DRAWN_BACK, min(owed, MOST_DRAWN_BACK))
    wanted = 2 * players + drawn_back + rng.choice((-2, -1, 0, 0, 1, 2))
    nearest = min(abs(sum(loads) - wanted) for loads in fair)
    return rng.choice([loads for loads in fair if abs(sum(loads) - wanted) == nearest])
