"""What the host can choose about a night of Animal Crossing, before it and between its rounds."""

from enum import Enum

from msgspec import Struct

from pi_gm.games.animal_crossing import loads as loads_of
from pi_gm.games.animal_crossing.loads import Loads


class LoadsFrom(Enum):
    """Where the loads of the rounds come from."""

    SCREEN = "screen"
    RANDOM = "random"
    TYPED = "typed"


class Openness(Enum):
    """When picks and points are shown to everyone."""

    SECRET = "secret"
    """At the end of the night (R13)."""
    OPEN = "open"
    """After each round (R14)."""


MOST_ROUNDS = 20
LONGEST_PICK_SECONDS = 3600
LONGEST_BOARD_SECONDS = 600


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every default of the night; the host can change each before the game begins."""

    openness: Openness = Openness.SECRET
    practice: bool = True
    rounds: int = 5
    rafts: int | None = None
    """2 or 3; None: by the number of players (R16)."""
    loads: LoadsFrom = LoadsFrom.SCREEN
    typed: tuple[Loads, ...] = ()
    """The host's own loads, the practice round first where there is one."""
    pick_seconds: int = 420
    board_seconds: int = 30
    own_points: bool = False
    """Whether players may see their own points of past rounds in secret mode (R13)."""
    settle_without_host: bool = False
    """Whether a round without a doubt settles by itself."""
    games_master: bool = False
    """Whether the host does not play and sees everything."""


def mistakes(options: Options) -> tuple[str, ...]:
    """The keys of the phrases that say what is wrong with ``options``; empty where nothing is."""
    found: list[str] = []
    if not 1 <= options.rounds <= MOST_ROUNDS:
        found.append("options.rounds")
    if options.rafts not in (None, 2, 3):
        found.append("options.rafts")
    if not 5 <= options.pick_seconds <= LONGEST_PICK_SECONDS:
        found.append("options.pick_seconds")
    if not 3 <= options.board_seconds <= LONGEST_BOARD_SECONDS:
        found.append("options.board_seconds")
    if not all(are_loads(loads) for loads in options.typed):
        found.append("options.typed")
    return tuple(found)


def are_loads(loads: Loads) -> bool:
    """Whether ``loads`` are whole numbers from 2 to 10 for two or three rafts (R16)."""
    return len(loads) in (2, 3) and all(loads_of.LIGHTEST <= load <= loads_of.HEAVIEST for load in loads)
