"""What holds in every night, whoever plays it and however: nights drawn by chance, played by nobody in particular."""

from collections.abc import Mapping
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pi_gm.games import HOST, Actor, Rejected, Role
from pi_gm.games.animal_crossing import GAME, commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.bots import bot
from pi_gm.games.animal_crossing.options import LoadsFrom, Options
from pi_gm.games.animal_crossing.rules import Award, Boarding, settle
from pi_gm.games.animal_crossing.standings import standings, totals
from pi_gm.games.animal_crossing.state import Phase
from pi_gm.room import RAFTS, WATER
from tests.pi_gm.games.animal_crossing.crossing import NO_PRACTICE, PEOPLE, Crossing, night_of, seats_for

seeds = st.integers(0, 2**32)
THREE_ROUNDS = replace(NO_PRACTICE, rounds=3)

plans = st.integers(2, 8).flatmap(
    lambda players: st.tuples(
        st.just(players),
        st.lists(
            st.lists(
                st.tuples(st.sampled_from(Animal), st.sampled_from(["A", "B", "island", "water"])),
                min_size=players,
                max_size=players,
            ),
            min_size=1,
            max_size=3,
        ),
    )
)
Plan = tuple[int, list[list[tuple[Animal, str]]]]


def played(plan: Plan, order: Mapping[str, int] | None = None) -> Crossing:
    """A night of the plan's rounds, in which everyone does as planned; ``order`` seats people otherwise."""
    players, rounds = plan
    names = PEOPLE[:players]
    seated = sorted(names, key=(order or {}).__getitem__) if order is not None else names
    night = Crossing(seats_for(*seated), replace(NO_PRACTICE, rounds=len(rounds)))
    night.begin()
    for number, round_ in enumerate(rounds):
        if number:
            night.next_round()
        night.play_round(**dict(zip(names, round_, strict=True)))
    night.host(commands.OpenNight())
    return night


def played_by_bots(night: Crossing, seed: int) -> None:
    """Bots play the night to its end. A yes is all they ever get."""
    rng = Random(seed)
    for _ in range(500):
        if night.phase is Phase.OVER:
            return
        acted = False
        for actor in (*(Actor(Role.PLAYER, seat.id) for seat in night.seats), HOST):
            move = bot(night.state, actor, night.around, rng)
            if move is not None:
                answer = night.ask(move, actor)
                assert not isinstance(answer, Rejected), (move, answer)
                acted = True
        if not acted:
            night.pass_time(1)
    raise AssertionError("the night does not end")


class TestWhoeverPlays:
    @settings(max_examples=60)
    @given(plans, st.randoms(use_true_random=False))
    def test_seating_decides_nothing(self, plan: Plan, rng: Random) -> None:
        names = PEOPLE[: plan[0]]
        order = dict(zip(names, rng.sample(range(len(names)), len(names)), strict=True))
        straight, shuffled = played(plan), played(plan, order)
        for one, other in zip(straight.state.settled, shuffled.state.settled, strict=True):
            assert set(one.outcomes) == set(other.outcomes)
            assert set(one.sank) == set(other.sank)
        assert {(s.seat, s.rank, s.points, s.award) for s in standings(straight.state, straight.seats)} == {
            (s.seat, s.rank, s.points, s.award) for s in standings(shuffled.state, shuffled.seats)
        }

    @settings(max_examples=60)
    @given(plans)
    def test_nobody_is_lost(self, plan: Plan) -> None:
        night = played(plan)
        everyone = {seat.id for seat in night.seats}
        for round_ in night.state.settled:
            assert {outcome.seat for outcome in round_.outcomes} == everyone
        assert {each.seat for each in standings(night.state, night.seats)} == everyone

    @settings(max_examples=60)
    @given(plans)
    def test_totals_are_what_the_rules_gave_and_nothing_else(self, plan: Plan) -> None:
        night = played(plan)
        names = PEOPLE[: plan[0]]
        expected = dict.fromkeys(names, 0)
        for round_, did in zip(night.state.settled, plan[1], strict=True):
            boarded = [Boarding(seat, *what) for seat, what in zip(round_.players, did, strict=True)]
            loads = dict(zip(RAFTS, round_.loads, strict=False))
            for outcome in settle(boarded, loads):
                expected[outcome.seat] += outcome.points
        assert totals(night.state) == expected
        assert all(each.race[-1] == each.points for each in standings(night.state, night.seats))

    @settings(max_examples=60)
    @given(plans)
    def test_r15_who_wins_has_a_token_and_who_has_a_strike_did_not_win(self, plan: Plan) -> None:
        night = played(plan)
        for each in standings(night.state, night.seats):
            assert (each.rank == 1) is (each.award.half_tokens >= 2)
            assert not (each.rank == 1 and each.award.strike)
            assert (each.points > 10) is (each.award in {Award(3, False), Award(1, False), Award(1, True)})


class TestBots:
    @settings(max_examples=15)
    @given(st.integers(2, 12), st.sampled_from(LoadsFrom), seeds)
    def test_a_night_of_bots_comes_to_its_end(self, players: int, loads: LoadsFrom, seed: int) -> None:
        typed = ((4, 6),) * 4 if loads is LoadsFrom.TYPED else ()
        night = night_of(players, Options(rounds=3, loads=loads, typed=typed))
        played_by_bots(night, seed)
        assert [round_.number for round_ in night.state.settled] == [0, 1, 2, 3]

    def test_a_night_of_bots_is_the_same_each_time(self) -> None:
        nights = [night_of(6, THREE_ROUNDS) for _ in range(2)]
        for night in nights:
            played_by_bots(night, seed=5)
        assert nights[0].happened == nights[1].happened


class TestTheSummary:
    def test_it_tells_the_whole_night_as_plain_data(self) -> None:
        night = night_of(2, replace(NO_PRACTICE, rounds=1))
        night.play_round(Ana=(Animal.DOG, "A"), Ben=(Animal.CAT, WATER))
        night.host(commands.OpenNight())
        assert GAME.summary(night.state, night.seats) == {
            "over": True,
            "rounds": [
                {
                    "round": 1,
                    "loads": [4, 7],
                    "players": [
                        {
                            "name": "Ana",
                            "animal": "dog",
                            "place": "A",
                            "fate": "crossed",
                            "sank": False,
                            "points": 3,
                        },
                        {
                            "name": "Ben",
                            "animal": "cat",
                            "place": "water",
                            "fate": "in the water",
                            "sank": True,
                            "points": 0,
                        },
                    ],
                }
            ],
            "ranking": [
                {"name": "Ana", "rank": 1, "points": 3, "tokens": 1.0, "strike": False},
                {"name": "Ben", "rank": 2, "points": 0, "tokens": 0.0, "strike": True},
            ],
        }
