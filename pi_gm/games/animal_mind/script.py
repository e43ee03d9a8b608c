"""What is said when something has happened."""

from collections.abc import Sequence
from functools import reduce

from pi_gm.announcer import Cue, Urgency
from pi_gm.games import PublicEvent
from pi_gm.games.animal_mind import events, rules
from pi_gm.games.animal_mind.cards import Kind
from pi_gm.games.animal_mind.phrasebook import BOOK, name_of_card, name_of_claim, score_of_set
from pi_gm.games.animal_mind.state import Hand, State
from pi_gm.players import Seat, names_of
from pi_gm.ranking import ranked, rising


def script(event: PublicEvent, state: State, seats: Sequence[Seat]) -> tuple[Cue, ...]:
    """The cues for ``event``; ``state`` is the one after it."""
    name = {seat.id: seat.name for seat in seats}
    match event:
        case events.GameBegan(players=players):
            return (
                _information("begin", BOOK.say("say.begin", names=BOOK.list_of(names_of(seats, players)))),
            )
        case events.TurnBegan(seat=seat):
            # How many cards are left lies open (M10), and is another number at every turn.
            said = BOOK.say_in_turn("say.turn", len(state.pile), name=name[seat])
            return (_information("turn", said),)
        case events.CalledOn(seat=seat):
            return (_information("call", BOOK.say("say.call", name=name[seat])),)
        case events.Offered(seat=seat, to=to, claim=claim):
            said = BOOK.say("say.offer", name=name[seat], to=name[to], claim=name_of_claim(claim))
            return (_result("offer", said),)
        case events.OfferWithdrawn(seat=seat):
            return (_information("offer", BOOK.say("say.withdrawn", name=name[seat])),)
        case events.Answered(seat=seat, accepted=accepted, forced=forced):
            key = ("say.accepted" if accepted else "say.rejected") + ("-forced" if forced else "")
            return (_result("answer", BOOK.say(key, name=name[seat])),)
        case events.CardShown(card=card, said_by=by, taker=taker, was_true=was_true):
            key = "say.shown-true" if was_true else "say.shown-lie"
            return (_result("card", BOOK.say(key, card=name_of_card(card), by=name[by], taker=name[taker])),)
        case events.ChipLost(seat=seat, lost=lost):
            return (_result("chip", BOOK.say("say.chip" if lost else "say.no-chip", name=name[seat])),)
        case events.ChoiceAsked(seat=seat, kinds=kinds):
            return (_result("choose", BOOK.say("say.choose", name=name[seat], kinds=_either(kinds))),)
        case events.KindDiscarded(seat=seat, kind=kind, cards=number):
            called = BOOK.say(f"kind.{kind.value}" if number == 1 else f"kinds.{kind.value}")
            said = BOOK.say("say.discard", name=name[seat], number=number, kind=called)
            return (_result("discard", said),)
        case events.ScoringDrawn():
            scores = [_result(f"scores-{hand.seat}", _scores(hand, name[hand.seat])) for hand in state.hands]
            return (_result("scoring", BOOK.say("say.scoring")), *scores)
        case events.TurnSkipped(seat=seat):
            return (_result("skipped", BOOK.say("say.skipped", name=name[seat])),)
        case events.TakerGone(seat=seat, card=card):
            return (_result("gone", BOOK.say("say.taker-gone", name=name[seat], card=name_of_card(card))),)
        case events.Waiting():
            return (_result("waiting", BOOK.say("say.waiting")),)
        case events.GameEnded():
            return (_result("end", BOOK.say("say.end")), *_ranking(state, seats))
        case _:
            return ()


def sentence_of_winners(state: State, seats: Sequence[Seat]) -> str:
    """Who won."""
    names = names_of(seats, state.winners)
    return BOOK.say("won.one" if len(names) == 1 else "won.several", names=BOOK.list_of(names))


def _ranking(state: State, seats: Sequence[Seat]) -> tuple[Cue, ...]:
    chips = {hand.seat: hand.chips for hand in state.hands}
    by_rank = ranked(rules.ranks(chips, {hand.seat: hand.collection for hand in state.hands}))
    others = [
        (rank, _rank(chips[those[0]], BOOK.list_of(names_of(seats, those))))
        for rank, those in by_rank
        if rank > 1
    ]
    won = BOOK.say("say.won", sentence=sentence_of_winners(state, seats))
    return rising(others, won, shared=len(state.winners) > 1)


def _rank(chips: int, names: str) -> str:
    if chips == 0:
        return BOOK.say("say.rank.none", names=names)
    if chips == 1:
        return BOOK.say("say.rank.one", names=names)
    return BOOK.say("say.rank.several", chips=chips, names=names)


def _either(kinds: Sequence[Kind]) -> str:
    names = [BOOK.say(f"kinds.{kind.value}") for kind in kinds]
    return reduce(lambda one, other: BOOK.say("either", one=one, other=other), names)


def _scores(hand: Hand, name: str) -> str:
    if not hand.collection:
        return BOOK.say("say.player-scores-nothing", name=name)
    sets = " ".join(score_of_set(held) for held in hand.collection)
    return BOOK.say("say.player-scores", name=name, sets=sets, points=rules.score(hand.collection))


def _information(key: str, text: str) -> Cue:
    return Cue(key, Urgency.INFORMATION, text)


def _result(key: str, text: str) -> Cue:
    return Cue(key, Urgency.RESULT, text)
