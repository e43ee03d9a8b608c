"""Where a game of Animal Mind stands, and how each event moves it on. Evolving never decides."""

from enum import Enum
from functools import singledispatch
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pi_gm.clock import Seconds
from pi_gm.games.animal_mind import events, rules
from pi_gm.games.animal_mind.cards import Card, Kind, Pile
from pi_gm.games.animal_mind.options import Options
from pi_gm.games.animal_mind.rules import Claim, Collection
from pi_gm.players import SeatId


class Phase(Enum):
    """What the table is doing."""

    OFFERING = "offering"
    ANSWERING = "answering"
    CHOOSING = "choosing"
    """The taker chooses which kind to discard."""
    SHOWING = "showing"
    """Everyone looks at the card that was shown."""
    SCORING = "scoring"
    WAITING = "waiting"
    """Too few are present."""
    OVER = "over"


class Hand(Struct, frozen=True):
    """What lies before one player, for all to see (M10)."""

    seat: SeatId
    chips: int = 0
    accepts: int = rules.ACCEPTS_AT_FIRST
    """How many of the three decision cards are on accept."""
    collection: Collection = ()


class Statement(Struct, frozen=True):
    """What somebody said of a card that was then shown."""

    said_by: SeatId
    to: SeatId
    claim: Claim
    card: Card
    was_true: bool
    accepted: bool
    forced: bool


STATEMENTS_KEPT = 8


class State(Struct, frozen=True):
    """A game."""

    options: Options
    hands: tuple[Hand, ...]
    """In playing order."""
    phase: Phase
    turn: SeatId
    pile: Pile = ()
    """Secret: the top first (M10)."""
    drawn: Card | None = None
    """Secret: what the drawer holds; None where there is nothing to draw, or no card is out."""
    to: SeatId | None = None
    """Whom the card was offered to."""
    claim: Claim | None = None
    answer: tuple[bool, bool] | None = None
    """Whether the receiver accepted, and whether that was forced."""
    choice: tuple[Kind, ...] = ()
    said: tuple[Statement, ...] = ()
    """The last statements, the oldest first."""
    discards: tuple[Card, ...] = ()
    """What left the game, face up, in the order in which it did (M6, M10)."""
    last_discard: tuple[SeatId, Kind, int] | None = None
    """Who let go of which kind and how many cards, when the card now shown was taken."""
    card_left: bool = False
    """Whether the card now shown left the game, because its taker had left."""
    chip_lost: bool = False
    scorings: int = 0
    scores: tuple[tuple[SeatId, int], ...] = ()
    """What everyone got at the last scoring."""
    call_at: Seconds | None = None
    go_on_at: Seconds | None = None
    called: bool = False
    winners: tuple[SeatId, ...] = ()

    def hand(self, seat: SeatId) -> Hand:
        """What lies before ``seat``. Raises KeyError for one who does not play."""
        return {hand.seat: hand for hand in self.hands}[seat]

    @property
    def players(self) -> tuple[SeatId, ...]:
        return tuple(hand.seat for hand in self.hands)

    @property
    def taker(self) -> SeatId | None:
        """Who keeps the card, once it was answered (M4)."""
        if self.answer is None:
            return None
        return self.to if self.answer[0] else self.turn


def evolve(state: State | None, event: events.Event) -> State:
    """The state after ``event``."""
    if isinstance(event, events.GameBegan):
        hands = tuple(Hand(seat) for seat in event.players)
        return State(event.options, hands, Phase.WAITING, turn=event.players[0])
    if state is None:
        raise ValueError(f"a game begins with GameBegan, not with {event}")
    return _evolved(event, state)


def _with_hand(state: State, seat: SeatId, **fields: Any) -> State:
    hands = tuple(replace(hand, **fields) if hand.seat == seat else hand for hand in state.hands)
    return replace(state, hands=hands)


@singledispatch
def _evolved(event: object, state: State) -> State:
    raise TypeError(f"no game can take {event}")


@_evolved.register
def _(event: events.PileShuffled, state: State) -> State:
    return replace(state, pile=event.pile)


@_evolved.register
def _(event: events.TurnBegan, state: State) -> State:
    top = state.pile[0] if state.pile else None
    return replace(
        state,
        phase=Phase.OFFERING,
        turn=event.seat,
        drawn=top if isinstance(top, Card) else None,
        pile=state.pile[1:],
        to=None,
        claim=None,
        answer=None,
        choice=(),
        last_discard=None,
        card_left=False,
        chip_lost=False,
        scores=(),
        call_at=event.call_at,
        go_on_at=None,
        called=False,
    )


@_evolved.register
def _(event: events.ScoringDrawn, state: State) -> State:
    for seat, points in event.scores:
        state = _with_hand(state, seat, chips=state.hand(seat).chips + points)
    return replace(
        state,
        phase=Phase.SCORING,
        turn=event.seat,
        pile=state.pile[1:],
        drawn=None,
        to=None,
        claim=None,
        answer=None,
        scorings=state.scorings + 1,
        scores=event.scores,
        call_at=None,
        go_on_at=event.go_on_at,
    )


@_evolved.register
def _(event: events.Offered, state: State) -> State:
    return replace(
        state, phase=Phase.ANSWERING, to=event.to, claim=event.claim, call_at=event.call_at, called=False
    )


@_evolved.register
def _(event: events.OfferWithdrawn, state: State) -> State:
    return replace(state, phase=Phase.OFFERING, to=None, claim=None, call_at=event.call_at, called=False)


@_evolved.register
def _(event: events.Answered, state: State) -> State:
    accepts = rules.accepts_after(state.hand(event.seat).accepts, event.accepted)
    answered = _with_hand(state, event.seat, accepts=accepts)
    return replace(answered, answer=(event.accepted, event.forced), call_at=None, called=False)


@_evolved.register
def _(event: events.CardShown, state: State) -> State:
    accepted, forced = state.answer or (False, False)
    said = Statement(
        event.said_by,
        state.to or event.taker,
        event.claim,
        event.card,
        event.was_true,
        accepted,
        forced,
    )
    return replace(state, said=(*state.said, said)[-STATEMENTS_KEPT:])


@_evolved.register
def _(event: events.ChipLost, state: State) -> State:
    chips = state.hand(event.seat).chips - event.lost
    return replace(_with_hand(state, event.seat, chips=chips), chip_lost=event.lost > 0)


@_evolved.register
def _(event: events.ChoiceAsked, state: State) -> State:
    return replace(state, phase=Phase.CHOOSING, choice=event.kinds, call_at=event.call_at, called=False)


@_evolved.register
def _(event: events.KindDiscarded, state: State) -> State:
    held = state.hand(event.seat).collection
    return replace(
        _with_hand(state, event.seat, collection=rules.without(held, event.kind)),
        choice=(),
        discards=(*state.discards, *rules.cards_of(held, event.kind)),
        last_discard=(event.seat, event.kind, event.cards),
    )


@_evolved.register
def _(event: events.CardKept, state: State) -> State:
    kept = rules.with_card(state.hand(event.seat).collection, event.card)
    return replace(
        _with_hand(state, event.seat, collection=kept),
        phase=Phase.SHOWING,
        drawn=None,
        call_at=None,
        go_on_at=event.go_on_at,
        called=False,
    )


@_evolved.register
def _(event: events.TakerGone, state: State) -> State:
    return replace(
        state,
        phase=Phase.SHOWING,
        drawn=None,
        choice=(),
        discards=(*state.discards, event.card),
        card_left=True,
        call_at=None,
        go_on_at=event.go_on_at,
        called=False,
    )


def _with_card_put_back(state: State) -> State:
    pile = state.pile if state.drawn is None else (state.drawn, *state.pile)
    return replace(state, pile=pile, drawn=None, to=None, claim=None, call_at=None, called=False)


@_evolved.register
def _(event: events.TurnSkipped, state: State) -> State:
    return _with_card_put_back(state)


@_evolved.register
def _(event: events.CalledOn, state: State) -> State:
    return replace(state, call_at=None, called=True)


@_evolved.register
def _(event: events.Waiting, state: State) -> State:
    return replace(_with_card_put_back(state), phase=Phase.WAITING, turn=event.seat, go_on_at=None)


@_evolved.register
def _(event: events.GameEnded, state: State) -> State:
    return replace(state, phase=Phase.OVER, winners=event.winners, call_at=None, go_on_at=None)
