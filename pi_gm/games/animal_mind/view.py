"""What one viewer may see of a game, built up from nothing. The only door from the state to any page."""

from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.games import Act, Page, Surroundings, Viewer
from pi_gm.games.animal_mind import cards, commands, rules
from pi_gm.games.animal_mind.cards import Card, Kind
from pi_gm.games.animal_mind.decide import present, whose_move
from pi_gm.games.animal_mind.options import Options
from pi_gm.games.animal_mind.phrasebook import BOOK, name_of_card, name_of_claim, score_of_set
from pi_gm.games.animal_mind.rules import Claim
from pi_gm.games.animal_mind.script import sentence_of_winners
from pi_gm.games.animal_mind.state import Hand, Phase, State, Statement
from pi_gm.players import SeatId


class SetView(Struct, frozen=True):
    """The cards of one kind, the oldest first; the last is the newest and counts."""

    kind: Kind
    name: str
    values: tuple[int, ...]
    worth: int
    score: str
    """How it scores, in words."""


class HandView(Struct, frozen=True):
    """What lies before a player."""

    seat: SeatId
    chips: int
    accepts: int
    rejects: int
    is_away: bool
    sets: tuple[SetView, ...]
    cards: int
    """How many produce cards they hold."""
    rank: int
    """From 1, as it would be if the game ended now."""
    scored: int | None
    """What they got at the scoring that is being shown; None at any other time."""


class StatementView(Struct, frozen=True):
    """What was said of a card that everyone has seen since."""

    said_by: SeatId
    to: SeatId
    claim: str
    card: Card
    card_name: str
    was_true: bool
    accepted: bool
    forced: bool


class SayingView(Struct, frozen=True):
    """Something that the drawer can say; the truth is marked for the drawer alone."""

    label: str
    kind: Kind | None
    value: int | None
    is_true: bool


class MindView(Struct, frozen=True):
    """A game of Animal Mind for one viewer."""

    phase: Phase
    headline: str
    hands: tuple[HandView, ...]
    turn: SeatId
    waiting_for: SeatId | None
    was_called: bool
    cards_left: int
    """In the pile, scoring cards included; which they are nobody knows."""
    scorings: int
    offered_to: SeatId | None
    claim: Claim | None
    claim_name: str | None
    shown: StatementView | None
    """The card that everyone looks at now."""
    chip_lost: bool
    card_left: bool
    """The card that everyone looks at left the game, because whoever was to keep it had left."""
    discard: tuple[SeatId, Kind, int] | None
    """Who let go of which kind and how many cards, to keep the card that everyone looks at."""
    discards: tuple[Card, ...]
    """Everything that left the game, in the order in which it did."""
    said: tuple[StatementView, ...]
    """The last statements, the newest first."""
    winners: tuple[SeatId, ...]
    call_at: Seconds | None
    """When whoever is waited for is called on."""
    card: Card | None
    """For the drawer alone, until it is shown."""
    receivers: tuple[SeatId, ...]
    """To whom this viewer may offer the card now."""
    sayings: tuple[SayingView, ...]
    lean: tuple[str, str] | None
    """The rafts whose mats accept and reject when leaned on; None unless the viewer answers and the host mapped them."""
    can_accept: bool
    can_reject: bool
    is_forced: bool
    """The viewer has but one answer, and still gives it."""
    choice: tuple[Kind, ...]
    """Of which kinds this viewer must let one go."""
    next: Act | None
    """The host's one big step."""


def view(state: State | None, options: Options, viewer: Viewer, around: Surroundings) -> MindView | None:
    """What ``viewer`` sees; None before a game has begun."""
    if state is None:
        return None
    me = viewer.seat if viewer.page is Page.PLAYER else None
    draws = state.phase is Phase.OFFERING and me == state.turn and state.drawn is not None
    holds = draws or (state.phase is Phase.ANSWERING and me == state.turn)
    answers = state.phase is Phase.ANSWERING and me is not None and me == state.to
    accepts = state.hand(me).accepts if me is not None and me in state.players else 0
    here = present(state, around)
    ranks = rules.ranks(
        {hand.seat: hand.chips for hand in state.hands}, {hand.seat: hand.collection for hand in state.hands}
    )
    is_open = state.phase in (Phase.SHOWING, Phase.CHOOSING)
    return MindView(
        phase=state.phase,
        headline=_headline(state, around),
        hands=tuple(_hand(hand, ranks[hand.seat], state, here) for hand in state.hands),
        turn=state.turn,
        waiting_for=whose_move(state),
        was_called=state.called,
        cards_left=len(state.pile),
        scorings=state.scorings,
        offered_to=state.to if state.phase is Phase.ANSWERING or is_open else None,
        claim=state.claim,
        claim_name=name_of_claim(state.claim) if state.claim is not None else None,
        shown=_statement(state.said[-1]) if is_open and state.said else None,
        chip_lost=is_open and state.chip_lost,
        card_left=is_open and state.card_left,
        discard=state.last_discard if is_open else None,
        discards=state.discards,
        said=tuple(_statement(said) for said in reversed(state.said)),
        winners=state.winners,
        call_at=state.call_at,
        card=state.drawn if holds else None,
        receivers=tuple(seat for seat in here if seat != me) if draws else (),
        sayings=_sayings(state.drawn) if draws and state.drawn is not None else (),
        lean=state.options.leaning.places if answers else None,
        can_accept=answers and rules.may_accept(accepts),
        can_reject=answers and rules.may_reject(accepts),
        is_forced=answers and rules.is_forced(accepts),
        choice=state.choice if state.phase is Phase.CHOOSING and me == state.taker else (),
        next=_next_step(state, around) if viewer.page is Page.HOST else None,
    )


def _headline(state: State, around: Surroundings) -> str:
    name = {seat.id: seat.name for seat in around.seats}
    match state.phase:
        case Phase.OFFERING:
            return BOOK.say("headline.offering", name=name[state.turn])
        case Phase.ANSWERING if state.claim is not None and state.to is not None:
            claim = name_of_claim(state.claim)
            return BOOK.say("headline.answering", name=name[state.turn], to=name[state.to], claim=claim)
        case Phase.CHOOSING if state.taker is not None:
            return BOOK.say("headline.choosing", name=name[state.taker])
        case Phase.SHOWING if state.said and state.taker is not None:
            key = "headline.gone" if state.card_left else "headline.showing"
            return BOOK.say(key, card=name_of_card(state.said[-1].card), taker=name[state.taker])
        case Phase.SCORING:
            return BOOK.say("headline.scoring", number=state.scorings)
        case Phase.OVER:
            return sentence_of_winners(state, around.seats)
        case _:
            return BOOK.say("headline.waiting")


def _hand(hand: Hand, rank: int, state: State, here: tuple[SeatId, ...]) -> HandView:
    scored = dict(state.scores) if state.phase is Phase.SCORING else {}
    return HandView(
        seat=hand.seat,
        chips=hand.chips,
        accepts=hand.accepts,
        rejects=rules.DECISION_CARDS - hand.accepts,
        is_away=hand.seat not in here,
        sets=tuple(
            SetView(
                held.kind,
                BOOK.say(f"kind.{held.kind.value}"),
                held.values,
                rules.worth(held),
                score_of_set(held),
            )
            for held in hand.collection
        ),
        cards=rules.cards_in(hand.collection),
        rank=rank,
        scored=scored.get(hand.seat),
    )


def _statement(said: Statement) -> StatementView:
    return StatementView(
        said.said_by,
        said.to,
        name_of_claim(said.claim),
        said.card,
        name_of_card(said.card),
        said.was_true,
        said.accepted,
        said.forced,
    )


def _sayings(card: Card) -> tuple[SayingView, ...]:
    """The same seven things at every turn, in the same order."""
    kinds = [
        SayingView(BOOK.say(f"kind.{kind.value}"), kind, None, is_true=kind is card.kind) for kind in Kind
    ]
    values = [SayingView(str(value), None, value, is_true=value == card.value) for value in cards.VALUES]
    return (*kinds, *values)


def _next_step(state: State, around: Surroundings) -> Act | None:
    if state.go_on_at is not None:
        return Act(BOOK.say("step.go-on"), commands.GoOn(state.go_on_at))
    waited_for = whose_move(state)
    if waited_for is not None:
        name = {seat.id: seat.name for seat in around.seats}[waited_for]
        return Act(BOOK.say("step.call", name=name), commands.CallOn())
    return Act(BOOK.say("step.waiting"), None)
