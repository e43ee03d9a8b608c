"""Simple players and a simple host, for demonstrations and simulated nights."""

from random import Random

from pi_gm.games import Actor, Role, Surroundings
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.decide import missing_picks, participants, places_of, whereabouts
from pi_gm.games.animal_crossing.state import Phase, State
from pi_gm.players import SeatId
from pi_gm.room import ISLAND, WATER

_CLUMSY = 0.03
"""How likely a bot ends up with a foot on the floor."""


def bot(state: State, actor: Actor, around: Surroundings, rng: Random) -> commands.AnyCommand | None:
    """What a simple player or host would do now; None to wait. A player's bot looks at nothing secret of others."""
    if actor.role is Role.HOST:
        return _host_move(state, around)
    return _player_move(state, actor.seat, around, rng) if actor.seat is not None else None


def _player_move(
    state: State, seat: SeatId, around: Surroundings, rng: Random
) -> commands.PlayerCommand | None:
    if seat not in participants(state, around):
        return None
    picks = dict(state.round.picks)
    if state.phase in (Phase.PICKING, Phase.CALLING) and seat not in picks:
        return commands.PickAnimal(_choose_animal(max(state.round.loads), rng))
    if state.phase is Phase.BOARDING and seat not in dict(state.round.check_ins):
        return commands.CheckIn(_choose_place(picks[seat], state, rng))
    return None


def _choose_animal(heaviest_load: int, rng: Random) -> Animal:
    bold = 3 if heaviest_load >= 5 else 1
    return rng.choices([Animal.MOUSE, Animal.CAT, Animal.DOG, Animal.ELEPHANT], [3, 3, 4, bold])[0]


def _choose_place(animal: Animal, state: State, rng: Random) -> str:
    *rafts, _ = places_of(state.round)
    if rng.random() < _CLUMSY:
        return WATER
    if animal is not Animal.DOG and rng.random() < 0.2:
        return ISLAND
    weights = [load if load >= animal.weight else 0.5 for load in state.round.loads]
    return rng.choices(rafts, weights)[0]


def _host_move(state: State, around: Surroundings) -> commands.HostCommand | None:
    if state.phase in (Phase.PICKING, Phase.CALLING):
        return None if missing_picks(state, around) else commands.OpenBoarding()
    if state.phase is Phase.RULING:
        return _ruling_or_settling(state, around)
    if state.phase is Phase.SANK:
        is_last = state.round.number >= state.options.rounds
        return commands.OpenNight() if is_last else commands.NextRound()
    return None


def _ruling_or_settling(state: State, around: Surroundings) -> commands.HostCommand:
    """A host who believes what people say, and the mats where nobody says anything."""
    doubts = whereabouts(state, around).doubts
    if not doubts:
        return commands.SettleRound()
    seats, places, claimed = doubts[0].seats, doubts[0].places, doubts[0].claimed
    if seats and not claimed:
        return commands.RulePlace(seats[0], places[0])
    return commands.SetMatsAside(places[0])
