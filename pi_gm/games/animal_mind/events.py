"""What happened in a game of Animal Mind. An event's base says who may know it."""

from typing import ClassVar

from pi_gm.clock import Seconds
from pi_gm.games import PublicEvent, SecretEvent
from pi_gm.games.animal_mind.cards import Card, Kind, Pile
from pi_gm.games.animal_mind.options import Options
from pi_gm.games.animal_mind.rules import Claim
from pi_gm.players import SeatId


class GameBegan(PublicEvent, frozen=True, tag="mind-began"):
    """So many play, in this order."""

    turns_phase: ClassVar[bool] = True

    options: Options
    players: tuple[SeatId, ...]


class PileShuffled(SecretEvent, frozen=True, tag="pile-shuffled"):
    """The order of the pile, which nobody knows."""

    pile: Pile


class TurnBegan(PublicEvent, frozen=True, tag="turn-began"):
    """It is somebody's turn, and they draw."""

    turns_phase: ClassVar[bool] = True

    seat: SeatId
    call_at: Seconds | None
    """When they are called on."""


class ScoringDrawn(PublicEvent, frozen=True, tag="scoring-drawn"):
    """A scoring card was drawn: everyone scores (M2, M7)."""

    opens: ClassVar[bool] = True

    seat: SeatId
    scores: tuple[tuple[SeatId, int], ...]
    go_on_at: Seconds


class Offered(PublicEvent, frozen=True, tag="offered"):
    """The drawer offered the card and said something of it (M2)."""

    # What was said of a secret cannot be unsaid: no draw before it can be taken back.
    opens: ClassVar[bool] = True

    seat: SeatId
    to: SeatId
    claim: Claim
    call_at: Seconds | None


class OfferWithdrawn(PublicEvent, frozen=True, tag="offer-withdrawn"):
    """The receiver left before answering, so the drawer offers anew."""

    seat: SeatId
    call_at: Seconds | None


class Answered(PublicEvent, frozen=True, tag="answered"):
    """The receiver answered (M3)."""

    seat: SeatId
    accepted: bool
    forced: bool


class CardShown(PublicEvent, frozen=True, tag="card-shown"):
    """Everyone sees the card (M4), and whether what was said was true (M5)."""

    opens: ClassVar[bool] = True

    card: Card
    said_by: SeatId
    taker: SeatId
    claim: Claim
    was_true: bool


class ChipLost(PublicEvent, frozen=True, tag="chip-lost"):
    """A lie cost a chip; ``lost`` is 0 for one who has none (M5)."""

    seat: SeatId
    lost: int


class ChoiceAsked(PublicEvent, frozen=True, tag="choice-asked"):
    """The taker must choose which of these kinds goes (M6)."""

    seat: SeatId
    kinds: tuple[Kind, ...]
    call_at: Seconds | None


class KindDiscarded(PublicEvent, frozen=True, tag="kind-discarded"):
    """A whole kind left the game to make room for a fourth (M6)."""

    seat: SeatId
    kind: Kind
    cards: int


class CardKept(PublicEvent, frozen=True, tag="card-kept"):
    """The card joined a collection (M4)."""

    seat: SeatId
    card: Card
    go_on_at: Seconds


class TurnSkipped(PublicEvent, frozen=True, tag="turn-skipped"):
    """The drawer left; the card lies on top of the pile again."""

    seat: SeatId


class CalledOn(PublicEvent, frozen=True, tag="called-on"):
    """Somebody is called by name; nothing is played for them."""

    seat: SeatId


class Waiting(PublicEvent, frozen=True, tag="waiting"):
    """Too few are left to go on. A card that was out lies on top of the pile again."""

    seat: SeatId
    """Whose turn it is once somebody is back."""


class GameEnded(PublicEvent, frozen=True, tag="mind-ended"):
    """The third scoring is over (M8)."""

    opens: ClassVar[bool] = True

    winners: tuple[SeatId, ...]


class TakerGone(PublicEvent, frozen=True, tag="taker-gone"):
    """Who had to choose a kind left, so their collection stays and the card leaves the game."""

    seat: SeatId
    card: Card
    go_on_at: Seconds


Event = (
    GameBegan
    | PileShuffled
    | TurnBegan
    | ScoringDrawn
    | Offered
    | OfferWithdrawn
    | Answered
    | CardShown
    | ChipLost
    | ChoiceAsked
    | KindDiscarded
    | CardKept
    | TurnSkipped
    | CalledOn
    | Waiting
    | GameEnded
    | TakerGone
)
