"""Where a game stands, told after a power cut: nothing but what lay open before it (M10)."""

from pi_gm.games import Surroundings
from pi_gm.games.animal_mind.phrasebook import BOOK, name_of_claim
from pi_gm.games.animal_mind.state import Phase, State


def recap(state: State, around: Surroundings) -> tuple[str, ...]:
    """Whose turn it is, and what is waited for."""
    name = {seat.id: seat.name for seat in around.seats}
    turn = name[state.turn]
    match state.phase:
        case Phase.OFFERING:
            return (BOOK.say("say.recap.offering", name=turn),)
        case Phase.ANSWERING if state.to is not None and state.claim is not None:
            claim = name_of_claim(state.claim)
            said = BOOK.say("say.offer", name=turn, to=name[state.to], claim=claim)
            return (said, BOOK.say("say.recap.answering", name=name[state.to]))
        case Phase.CHOOSING if state.taker is not None:
            return (BOOK.say("say.recap.choosing", name=name[state.taker]),)
        case Phase.SHOWING:
            return (BOOK.say("say.recap.showing", name=turn),)
        case Phase.SCORING:
            return (BOOK.say("say.recap.scoring", number=state.scorings),)
        case Phase.WAITING:
            return (BOOK.say("say.waiting"),)
        case _:
            return ()
