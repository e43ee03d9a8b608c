"""Nights that bots play among themselves, without pages, journal or waiting, and what came of them in numbers."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from pi_gm.errors import BadInput
from pi_gm.floor import FloorReading
from pi_gm.games import CLOCK, HOST, Actor, Game, Rejected, Role, Surroundings
from pi_gm.players import Seat, SeatId
from pi_gm.room import no_sensors

NAMES = ("Ana", "Ben", "Chloe", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jana", "Kim", "Leo")
"""What bots are called."""

_PATIENCE = 10_000
"""Turns after which a game that does not come to its end is given up."""


def seats_for(players: int) -> tuple[Seat, ...]:
    """Seats for so many bots. Raises BadInput for more than twelve, or none."""
    if not 1 <= players <= len(NAMES):
        raise BadInput(f"{players} players cannot play: choose between 2 and {len(NAMES)}")
    return tuple(
        Seat(SeatId(f"bot-{number}"), name, number) for number, name in enumerate(NAMES[:players], start=1)
    )


def play_night(game: Game, seats: tuple[Seat, ...], options: Any, rng: Random) -> Any:
    """The state at the end of a night of ``game``. Raises BadInput where these seats and options cannot play it."""
    around = Surroundings(0.0, seats, no_sensors(), FloorReading())
    state = _after(game, None, game.begin(options, around, rng))
    actors = (*(Actor(Role.PLAYER, seat.id) for seat in seats), HOST)
    for _ in range(_PATIENCE):
        if game.is_over(state):
            return state
        before = state
        for actor in actors:
            command = game.bot(state, actor, around, rng)
            if command is not None:
                state = _after(game, state, game.decide(state, command, actor, around, rng))
        due = game.deadline(state)
        if state is before and due is not None and game.time_up is not None:
            around = Surroundings(due, seats, around.room, around.floor)
            state = _after(game, state, game.decide(state, game.time_up, CLOCK, around, rng))
    raise BadInput(f"the bots of {game.title} do not bring a night to its end")


def _after(game: Game, state: Any, decided: Any) -> Any:
    if isinstance(decided, Rejected):
        raise BadInput(game.phrase(decided.reason, **dict(decided.words)))
    for event in decided:
        state = game.evolve(state, event)
    return state


def play_nights(game: Game, nights: int, players: int, options: Any, rng: Random) -> Iterator[Counter[str]]:
    """So many nights, and of each what happened how often."""
    seats = seats_for(players)
    for _ in range(nights):
        yield game.tally(play_night(game, seats, options, rng))
