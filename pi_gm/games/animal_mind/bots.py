"""Simple players who bluff, and a simple host, for demonstrations and simulated games."""

from random import Random

from pi_gm.games import Actor, Role, Surroundings
from pi_gm.games.animal_mind import cards, commands, rules
from pi_gm.games.animal_mind.cards import Card, Kind
from pi_gm.games.animal_mind.decide import present
from pi_gm.games.animal_mind.state import Hand, Phase, State
from pi_gm.players import SeatId

_HONEST = 0.65


def bot(state: State, actor: Actor, around: Surroundings, rng: Random) -> commands.AnyCommand | None:
    """What a simple player or host would do now; None to wait. A player's bot looks at nothing secret of others."""
    if actor.role is Role.HOST:
        return commands.GoOn() if state.go_on_at is not None else None
    me = actor.seat
    if me is None or me not in present(state, around):
        return None
    if state.phase is Phase.OFFERING and me == state.turn and state.drawn is not None:
        return _offer(me, state.drawn, state, around, rng)
    if state.phase is Phase.ANSWERING and me == state.to:
        return _answer(state.hand(me), state, rng)
    if state.phase is Phase.CHOOSING and me == state.taker:
        return commands.Discard(rng.choice(state.choice))
    return None


def _offer(me: SeatId, card: Card, state: State, around: Surroundings, rng: Random) -> commands.Offer | None:
    others = [seat for seat in present(state, around) if seat != me]
    if not others:
        return None
    honest = rng.random() < _HONEST
    if rng.random() < 0.5:
        return commands.Offer(rng.choice(others), kind=card.kind if honest else rng.choice(list(Kind)))
    return commands.Offer(rng.choice(others), value=card.value if honest else rng.choice(cards.VALUES))


def _answer(hand: Hand, state: State, rng: Random) -> commands.PlayerCommand:
    wants = rng.random() < (0.6 if state.claim is not None and state.claim.value != 0 else 0.3)
    accepts = rules.may_accept(hand.accepts) and (wants or not rules.may_reject(hand.accepts))
    return commands.Accept() if accepts else commands.Reject()
