"""What the host can choose about a game of Animal Mind."""

from enum import Enum

from msgspec import Struct

from pi_gm.games.animal_mind.cards import AT_BOTTOM, produce
from pi_gm.players import SeatId

FEWEST, MOST = 2, 4
LONGEST_THINKING = 600
MOST_OF_A_VALUE = 20


class ScoringCards(Enum):
    """Where the scoring cards lie (M1)."""

    SPREAD = "spread"
    SHUFFLED = "shuffled"


class Leaning(Enum):
    """Whether a receiver can answer by leaning on a couch's mats, and what which couch means."""

    OFF = "off"
    A_ACCEPTS = "A accepts"
    """Raft A's mats accept, raft B's reject."""
    B_ACCEPTS = "B accepts"

    @property
    def places(self) -> tuple[str, str] | None:
        """Whose mats accept, and whose reject; None while leaning says nothing."""
        return {Leaning.OFF: None, Leaning.A_ACCEPTS: ("A", "B"), Leaning.B_ACCEPTS: ("B", "A")}[self]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every default; the host can change each before the game begins."""

    scoring: ScoringCards = ScoringCards.SPREAD
    per_value: tuple[int, int, int] = (5, 5, 3)
    """How many cards of value 0, 1 and 2 each kind has."""
    think_seconds: int = 0
    """After how long somebody is called on; 0: never."""
    players: tuple[SeatId, ...] = ()
    """Who plays, in playing order; empty: the first four at the table."""
    leaning: Leaning = Leaning.OFF


def mistakes(options: Options) -> tuple[str, ...]:
    """The keys of the phrases that say what is wrong with ``options``; empty where nothing is."""
    found: list[str] = []
    if not all(0 <= number <= MOST_OF_A_VALUE for number in options.per_value):
        found.append("options.per_value")
    elif len(produce(options.per_value)) < AT_BOTTOM + 3:
        found.append("options.too-few-cards")
    if not 0 <= options.think_seconds <= LONGEST_THINKING:
        found.append("options.think_seconds")
    if (
        len(options.players) > MOST
        or len(set(options.players)) < len(options.players)
        or len(options.players) == 1
    ):
        found.append("options.players")
    return tuple(found)
