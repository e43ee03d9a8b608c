"""What a command brings about, or why it does not."""

from collections.abc import Sequence
from functools import singledispatch
from random import Random

from msgspec import Struct

from pi_gm.floor import Sensor
from pi_gm.games import Actor, Rejected, Role, Surroundings
from pi_gm.games.animal_mind import cards, commands, events, rules
from pi_gm.games.animal_mind.cards import SCORING, SCORINGS, Card, Kind, Pile
from pi_gm.games.animal_mind.options import FEWEST, MOST, Options, ScoringCards, mistakes
from pi_gm.games.animal_mind.rules import Claim
from pi_gm.games.animal_mind.state import Phase, State, evolve
from pi_gm.players import Seat, SeatId

SECONDS_TO_LOOK = 8
"""For which a card that was shown stays before the next is drawn."""
SECONDS_TO_SCORE = 14
"""For which a scoring stays."""

Decision = tuple[events.Event, ...] | Rejected


class _Asked(Struct, frozen=True):
    """Who asks, and what the table knows at that moment."""

    actor: Actor
    around: Surroundings


def begin(options: Options, around: Surroundings, rng: Random) -> Decision:
    """A shuffled pile and the first turn; 2 to 4 of those at the table play."""
    found = mistakes(options)
    if found:
        return Rejected(found[0])
    present = [seat.id for seat in around.seats if not seat.sits_out]
    chosen = tuple(seat for seat in options.players if seat in present) or tuple(present[:MOST])
    if len(chosen) < FEWEST:
        return Rejected("too-few-players")
    shuffle = cards.spread if options.scoring is ScoringCards.SPREAD else cards.shuffled_in
    return begin_with(shuffle(cards.produce(options.per_value), rng), chosen, options, around)


def begin_with(
    pile: Pile, players: tuple[SeatId, ...], options: Options, around: Surroundings
) -> tuple[events.Event, ...]:
    """A game over a pile that lies ready."""
    began: tuple[events.Event, ...] = (events.GameBegan(options, players), events.PileShuffled(pile))
    return (*began, *_turn_of(players[0], _after(None, began), around))


def _after(state: State | None, happened: tuple[events.Event, ...]) -> State:
    for event in happened:
        state = evolve(state, event)
    if state is None:
        raise ValueError("nothing has happened")
    return state


def present(state: State, around: Surroundings) -> tuple[SeatId, ...]:
    """Those of the players who have not left, in playing order."""
    here = {seat.id for seat in around.seats if not seat.sits_out}
    return tuple(seat for seat in state.players if seat in here)


def _turn_of(seat: SeatId, state: State, around: Surroundings) -> tuple[events.Event, ...]:
    """``seat`` draws, or the next to the left who has not left; a scoring card is scored at once (M2)."""
    here = present(state, around)
    if len(here) < FEWEST:
        return (events.Waiting(seat),)
    while seat not in here:
        seat = rules.to_the_left(seat, state.players)
    if state.pile and state.pile[0] == SCORING:
        scores = tuple((hand.seat, rules.score(hand.collection)) for hand in state.hands)
        return (events.ScoringDrawn(seat, scores, around.now + SECONDS_TO_SCORE),)
    return (events.TurnBegan(seat, _call_at(state, around)),)


def _next_turn(state: State, around: Surroundings) -> tuple[events.Event, ...]:
    """The turn passes to the left, whoever took the card (M9)."""
    return _turn_of(rules.to_the_left(state.turn, state.players), state, around)


def _call_at(state: State, around: Surroundings) -> float | None:
    return around.now + state.options.think_seconds if state.options.think_seconds else None


def decide(
    state: State, command: commands.AnyCommand, actor: Actor, around: Surroundings, rng: Random
) -> Decision:
    """The events that follow from ``command``, or the reason why there are none."""
    if actor.role is not _role_of(command):
        return Rejected("not-yours-to-say")
    if state.phase is Phase.OVER:
        return Rejected("game-is-over")
    if around.is_paused and not isinstance(command, commands.SeatsChanged):
        return Rejected("paused")
    return _decided(command, state, _Asked(actor, around))


def _role_of(command: commands.AnyCommand) -> Role:
    if isinstance(command, commands.PlayerCommand):
        return Role.PLAYER
    return Role.HOST if isinstance(command, commands.HostCommand) else Role.CLOCK


@singledispatch
def _decided(command: object, state: State, asked: _Asked) -> Decision:
    raise TypeError(f"not a command of this game: {command}")


@_decided.register
def _(command: commands.Offer, state: State, asked: _Asked) -> Decision:
    """The drawer chooses one other player and says either the kind or the value; both may be false (M2)."""
    if state.phase is not Phase.OFFERING or asked.actor.seat != state.turn:
        return Rejected("not-your-turn")
    if state.drawn is None:
        return Rejected("no-card")
    if command.to == state.turn or command.to not in state.players:
        return Rejected("no-such-receiver")
    if command.to not in present(state, asked.around):
        return Rejected("receiver-gone")
    if (command.kind is None) == (command.value is None):
        return Rejected("say-one-thing")
    if command.value is not None and command.value not in cards.VALUES:
        return Rejected("no-such-value")
    claim = Claim(command.kind, command.value)
    return (events.Offered(state.turn, command.to, claim, _call_at(state, asked.around)),)


@_decided.register
def _(command: commands.Accept, state: State, asked: _Asked) -> Decision:
    return _answered(True, state, asked)


@_decided.register
def _(command: commands.Reject, state: State, asked: _Asked) -> Decision:
    return _answered(False, state, asked)


def _answered(accepted: bool, state: State, asked: _Asked) -> Decision:
    """The receiver turns a decision card (M3), the card is shown (M4), and a lie costs a chip (M5)."""
    if state.phase is not Phase.ANSWERING or asked.actor.seat != state.to:
        return Rejected("not-yours-to-answer")
    if state.to is None or state.claim is None or state.drawn is None:
        return Rejected("no-card")
    accepts = state.hand(state.to).accepts
    if accepted and not rules.may_accept(accepts):
        return Rejected("must-reject")
    if not accepted and not rules.may_reject(accepts):
        return Rejected("must-accept")
    card, claim = state.drawn, state.claim
    taker = state.to if accepted else state.turn
    was_true = claim.is_true_of(card)
    shown: tuple[events.Event, ...] = (
        events.Answered(state.to, accepted, rules.is_forced(accepts)),
        events.CardShown(card, state.turn, taker, claim, was_true),
    )
    if not was_true:
        chips = state.hand(state.turn).chips
        shown = (*shown, events.ChipLost(state.turn, chips - rules.chips_after_lie(chips)))
    return (*shown, *_taken(taker, card, state, asked.around))


def _taken(taker: SeatId, card: Card, state: State, around: Surroundings) -> tuple[events.Event, ...]:
    """Whoever takes a fourth kind first discards the one held most; on a tie the taker chooses (M6)."""
    choice = rules.to_discard(state.hand(taker).collection, card)
    if len(choice) > 1:
        if taker not in present(state, around):
            return (events.TakerGone(taker, card, around.now + SECONDS_TO_LOOK),)
        return (events.ChoiceAsked(taker, choice, _call_at(state, around)),)
    return _kept(taker, card, choice, state, around)


def _kept(
    taker: SeatId, card: Card, discarded: tuple[Kind, ...], state: State, around: Surroundings
) -> tuple[events.Event, ...]:
    held = {held.kind: len(held.values) for held in state.hand(taker).collection}
    let_go = tuple(events.KindDiscarded(taker, kind, held[kind]) for kind in discarded)
    return (*let_go, events.CardKept(taker, card, around.now + SECONDS_TO_LOOK))


@_decided.register
def _(command: commands.Discard, state: State, asked: _Asked) -> Decision:
    taker = state.taker
    if state.phase is not Phase.CHOOSING or taker is None or asked.actor.seat != taker or state.drawn is None:
        return Rejected("nothing-to-discard")
    if command.kind not in state.choice:
        return Rejected("not-that-kind")
    return _kept(taker, state.drawn, (command.kind,), state, asked.around)


@_decided.register
def _(command: commands.GoOn, state: State, asked: _Asked) -> Decision:
    if state.go_on_at is None or command.shown_until not in (None, state.go_on_at):
        return Rejected("nothing-to-look-at")
    return _gone_on(state, asked.around)


def _gone_on(state: State, around: Surroundings) -> tuple[events.Event, ...]:
    """After the third scoring the game ends (M8); after another the same player draws (M2); else the next (M9)."""
    if state.phase is not Phase.SCORING:
        return _next_turn(state, around)
    return (_ended(state),) if state.scorings >= SCORINGS else _turn_of(state.turn, state, around)


def _ended(state: State) -> events.GameEnded:
    chips = {hand.seat: hand.chips for hand in state.hands}
    collections = {hand.seat: hand.collection for hand in state.hands}
    return events.GameEnded(rules.winners(chips, collections))


@_decided.register
def _(command: commands.CallOn, state: State, asked: _Asked) -> Decision:
    waited_for = whose_move(state)
    return Rejected("nobody-to-call") if waited_for is None else (events.CalledOn(waited_for),)


def whose_move(state: State) -> SeatId | None:
    """Who is waited for; None while nobody is."""
    match state.phase:
        case Phase.OFFERING:
            return state.turn
        case Phase.ANSWERING:
            return state.to
        case Phase.CHOOSING:
            return state.taker
        case _:
            return None


@_decided.register
def _(command: commands.TimeUp, state: State, asked: _Asked) -> Decision:
    """A thinking time that runs out calls by name, and plays nothing for anyone."""
    now = asked.around.now
    if state.go_on_at is not None and now >= state.go_on_at:
        return _gone_on(state, asked.around)
    waited_for = whose_move(state)
    if state.call_at is not None and now >= state.call_at and waited_for is not None:
        return (events.CalledOn(waited_for),)
    return ()


@_decided.register
def _(command: commands.SeatsChanged, state: State, asked: _Asked) -> Decision:
    """Whoever left is not waited for: the turn is skipped, the offer withdrawn, the card given up."""
    here = present(state, asked.around)
    if state.phase is Phase.WAITING:
        return _turn_of(state.turn, state, asked.around) if len(here) >= FEWEST else ()
    waited_for = whose_move(state)
    if waited_for is None:
        return ()
    if waited_for in here and state.phase is not Phase.OFFERING:
        return ()
    if state.phase is Phase.CHOOSING and state.drawn is not None:
        return (events.TakerGone(waited_for, state.drawn, asked.around.now + SECONDS_TO_LOOK),)
    if state.turn not in here:
        skipped = (events.TurnSkipped(state.turn),)
        return (*skipped, *_next_turn(_after(state, skipped), asked.around))
    if len(here) < FEWEST:
        return (events.Waiting(state.turn),)
    if state.phase is Phase.ANSWERING:
        return (events.OfferWithdrawn(state.turn, _call_at(state, asked.around)),)
    return ()


def lean(state: State, sensor: Sensor, seats: Sequence[Seat]) -> tuple[SeatId, commands.PlayerCommand] | None:
    """What the receiver says by leaning on ``sensor``: on any mat of the couch, but not on one that is another's.

    None where the host has not mapped the couches, or nobody is asked.
    """
    places = state.options.leaning.places
    receiver = next((seat for seat in seats if seat.id == state.to), None)
    if places is None or receiver is None or state.phase is not Phase.ANSWERING or sensor.place not in places:
        return None
    if sensor.owner not in (None, receiver.token):
        return None
    return (receiver.id, commands.Accept() if sensor.place == places[0] else commands.Reject())


def deadline(state: State) -> float | None:
    """When the clock must send TimeUp; None while the game waits for people."""
    moments = [moment for moment in (state.call_at, state.go_on_at) if moment is not None]
    return min(moments, default=None)


def floor_instant(state: State) -> None:
    """This game has no buzzer."""
