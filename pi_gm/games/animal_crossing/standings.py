"""Totals, ranking and the sentences that name who sank and who won."""

from collections.abc import Sequence

from msgspec import Struct

from pi_gm.games.animal_crossing.phrasebook import BOOK
from pi_gm.games.animal_crossing.rules import Award, awards, ranks
from pi_gm.games.animal_crossing.state import Round, State
from pi_gm.players import Seat, SeatId, names_of


class Standing(Struct, frozen=True):
    """A player's night in numbers."""

    seat: SeatId
    rank: int
    points: int
    award: Award
    race: tuple[int, ...]
    """The total after each scored round."""


def scored_rounds(state: State) -> tuple[Round, ...]:
    """The settled rounds that count: all but the practice (R15)."""
    return tuple(played for played in state.settled if played.number > 0)


def totals(state: State) -> dict[SeatId, int]:
    """The points of everyone who played in a round that counts."""
    sums: dict[SeatId, int] = {}
    for played in scored_rounds(state):
        for outcome in played.outcomes:
            sums[outcome.seat] = sums.get(outcome.seat, 0) + outcome.points
    return sums


def standings(state: State, seats: Sequence[Seat]) -> tuple[Standing, ...]:
    """The ranking, the best first, those who tie in seating order."""
    sums = totals(state)
    rank_of, award_of = ranks(sums), awards(sums)
    seated = [seat.id for seat in seats if seat.id in sums]
    return tuple(
        Standing(seat, rank_of[seat], sums[seat], award_of[seat], _race(seat, state))
        for seat in sorted(seated, key=lambda seat: rank_of[seat])
    )


def _race(seat: SeatId, state: State) -> tuple[int, ...]:
    race: list[int] = []
    for played in scored_rounds(state):
        gained = sum(outcome.points for outcome in played.outcomes if outcome.seat == seat)
        race.append((race[-1] if race else 0) + gained)
    return tuple(race)


def dry(round_: Round) -> tuple[SeatId, ...]:
    """Who did not sink in a settled round, in seating order."""
    return tuple(outcome.seat for outcome in round_.outcomes if not outcome.fate.is_sunk)


def sentence_of_sunk(state: State, seats: Sequence[Seat]) -> str:
    """The one sentence that secret mode tells of a round (R13)."""
    names = names_of(seats, state.round.sank)
    if not names:
        return BOOK.say("sank.nobody")
    if not dry(state.round):
        return BOOK.say("sank.everybody")
    return BOOK.say("sank.some", names=BOOK.list_of(names))


def sentence_of_winners(state: State, seats: Sequence[Seat]) -> str:
    """Who has the most points."""
    best = [standing.seat for standing in standings(state, seats) if standing.rank == 1]
    if not best:
        return BOOK.say("won.unplayed")
    return BOOK.say("won.one" if len(best) == 1 else "won.several", names=BOOK.list_of(names_of(seats, best)))
