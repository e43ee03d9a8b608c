"""Where a night stands, told after a power cut: never more than everyone knew before it (R13)."""

from pi_gm.clock import Seconds
from pi_gm.games import Surroundings
from pi_gm.games.animal_crossing.decide import missing_picks
from pi_gm.games.animal_crossing.phrasebook import BOOK, name_of_round
from pi_gm.games.animal_crossing.standings import sentence_of_sunk
from pi_gm.games.animal_crossing.state import Phase, State
from pi_gm.players import names_of


def recap(state: State, around: Surroundings) -> tuple[str, ...]:
    """The round, what was going on in it, and what is waited for."""
    return (f"{name_of_round(state.round.number)}.", *_what_was_on(state, around))


def _what_was_on(state: State, around: Surroundings) -> tuple[str, ...]:
    match state.phase:
        case Phase.PICKING:
            return (_time_to_choose(_left(state, around)), _who_is_missing(state, around))
        case Phase.CALLING:
            return (_who_is_missing(state, around),)
        case Phase.BOARDING:
            return (
                BOOK.say(
                    "say.recap.boarding",
                    left=round(min(_left(state, around), state.full_time or _left(state, around))),
                ),
            )
        case Phase.READING | Phase.RULING:
            return (BOOK.say("say.recap.ruling"),)
        case Phase.SANK:
            return (f"{sentence_of_sunk(state, around.seats)}.",)
        case Phase.OVER:
            return ()


def _left(state: State, around: Surroundings) -> Seconds:
    return 0.0 if state.ends_at is None else max(0.0, state.ends_at - around.now)


def _time_to_choose(left: Seconds) -> str:
    minutes = round(left / 60)
    match minutes:
        case 0:
            return BOOK.say("say.recap.under-a-minute")
        case 1:
            return BOOK.say("say.recap.a-minute")
        case _:
            return BOOK.say("say.recap.minutes", number=minutes)


def _who_is_missing(state: State, around: Surroundings) -> str:
    """Everyone sees on the big screen who has chosen; what, nobody hears."""
    missing = names_of(around.seats, missing_picks(state, around))
    if not missing:
        return BOOK.say("say.all-picked")
    key = "say.recap.missing.one" if len(missing) == 1 else "say.recap.missing.several"
    return BOOK.say(key, names=BOOK.list_of(missing))
