"""What the rafts carry: as on screen (R16), typed in, or drawn fairly (R17)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.loads import (
    HEAVIEST,
    LIGHTEST,
    Loads,
    draw,
    lets_all_cross_as_elephants,
    names_of_rafts,
    on_screen,
    rafts_for,
)
from pi_gm.games.animal_crossing.options import LoadsFrom, Options, are_loads
from tests.pi_gm.games.animal_crossing.crossing import DOG, Crossing, night_of

seeds = st.integers(0, 2**32)


def drawn(players: int, rafts: int, rounds: int, seed: int) -> list[Loads]:
    """A game of random loads."""
    rng, before = Random(seed), list[Loads]()
    for _ in range(rounds):
        before.append(draw(players, rafts, before, rng))
    return before


def loads_of_a_night(night: Crossing) -> list[Loads]:
    """The loads of every round to the end, in which nobody does anything clever."""
    loads = [night.state.round.loads]
    while True:
        night.pick(**{seat.name: DOG for seat in night.seats})
        night.board()
        night.buzzer()
        night.settle()
        if night.state.round.number == night.options.rounds:
            return loads
        night.next_round()
        loads.append(night.state.round.loads)


class TestR16AsOnScreen:
    def test_r16_two_rafts_up_to_six_players_and_three_from_seven_on(self) -> None:
        assert [rafts_for(players) for players in range(2, 13)] == [2] * 5 + [3] * 6

    def test_r16_the_loads_of_the_show(self) -> None:
        assert loads_of_a_night(night_of(6, Options())) == [(4, 6), (4, 7), (5, 5), (2, 10), (6, 7), (8, 10)]

    def test_r16_without_a_practice_the_first_round_is_the_first_that_scores(self) -> None:
        assert loads_of_a_night(night_of(6))[0] == (4, 7)

    def test_r16_a_third_raft_leaves_the_loads_of_the_other_two_as_they_were(self) -> None:
        assert [loads[:2] for loads in loads_of_a_night(night_of(7))] == loads_of_a_night(night_of(6))

    @pytest.mark.parametrize("number", range(6))
    def test_r16_loads_are_whole_numbers_from_two_to_ten(self, number: int) -> None:
        loads = on_screen(number, 3)
        assert loads is not None
        assert are_loads(loads)

    def test_after_the_rounds_of_the_show_loads_are_drawn(self) -> None:
        loads = loads_of_a_night(night_of(6, Options(rounds=7)))
        assert loads[:6] == [on_screen(number, 2) for number in range(6)]
        assert all(are_loads(each) for each in loads[6:])

    @pytest.mark.parametrize(("players", "rafts"), [(4, 3), (9, 2)])
    def test_r16_the_host_may_choose_another_number_of_rafts(self, players: int, rafts: int) -> None:
        assert all(len(loads) == rafts for loads in loads_of_a_night(night_of(players, Options(rafts=rafts))))

    def test_rafts_are_called_a_b_and_c(self) -> None:
        assert (names_of_rafts(2), names_of_rafts(3)) == (("A", "B"), ("A", "B", "C"))


class TestTypedIn:
    def test_typed_loads_are_played_in_their_order_the_practice_first(self) -> None:
        typed = ((3, 3), (4, 5), (10, 2, 6))
        options = Options(loads=LoadsFrom.TYPED, typed=typed, rounds=2)
        assert loads_of_a_night(night_of(4, options)) == list(typed)

    def test_without_a_practice_the_first_line_is_round_one(self) -> None:
        options = Options(loads=LoadsFrom.TYPED, typed=((3, 3), (4, 5)), rounds=2, practice=False)
        assert loads_of_a_night(night_of(4, options)) == [(3, 3), (4, 5)]

    @pytest.mark.parametrize("loads", [(1, 5), (5, 11), (5,), (5, 5, 5, 5), (), (0, 0)])
    def test_r16_what_no_raft_carries_is_refused(self, loads: Loads) -> None:
        assert not are_loads(loads)

    @given(st.lists(st.integers(LIGHTEST, HEAVIEST), min_size=2, max_size=3))
    def test_r16_everything_else_is_not(self, loads: list[int]) -> None:
        assert are_loads(tuple(loads))


class TestR17Drawn:
    @given(st.integers(2, 12), st.sampled_from([2, 3]), st.integers(1, 8), seeds)
    def test_r17_every_draw_is_fair(self, players: int, rafts: int, rounds: int, seed: int) -> None:
        loads = drawn(players, rafts, rounds, seed)
        for number, each in enumerate(loads):
            assert len(each) == rafts
            assert are_loads(each)
            assert sum(load // 5 for load in each) < players, "everyone could cross as an elephant"
            assert number == 0 or each != loads[number - 1], "a round repeats the one before"

    @pytest.mark.parametrize(
        ("players", "rafts"), [*((p, 2) for p in range(3, 10)), *((p, 3) for p in range(4, 13))]
    )
    def test_r17_totals_average_about_twice_the_players(self, players: int, rafts: int) -> None:
        for seed in range(20):
            loads = drawn(players, rafts, 5, seed)
            assert abs(sum(map(sum, loads)) - 2 * players * len(loads)) <= 2

    @pytest.mark.parametrize(("players", "rafts"), [(2, 2), (10, 2), (3, 3)])
    def test_r17_where_one_pair_of_loads_alone_fits_the_average_is_near(
        self, players: int, rafts: int
    ) -> None:
        for seed in range(20):
            loads = drawn(players, rafts, 5, seed)
            assert abs(sum(map(sum, loads)) - 2 * players * len(loads)) <= len(loads)

    @pytest.mark.parametrize(("players", "rafts", "nearest"), [(12, 2, 20), (2, 3, 6)])
    def test_r17_where_loads_do_not_reach_that_far_they_come_as_near_as_they_can(
        self, players: int, rafts: int, nearest: int
    ) -> None:
        totals = [sum(loads) for loads in drawn(players, rafts, 20, seed=1)]
        assert all(abs(total - nearest) <= 1 for total in totals)

    def test_r17_draws_differ_from_night_to_night(self) -> None:
        assert len({tuple(drawn(6, 2, 5, seed)) for seed in range(50)}) == 50

    @pytest.mark.parametrize(
        ("loads", "players", "all_cross"),
        [
            ((4, 4), 1, False),
            ((5, 4), 1, True),
            ((10, 5), 3, True),
            ((10, 9), 4, False),
            ((9, 9, 9), 3, True),
        ],
    )
    def test_r17_all_cross_as_elephants_where_every_five_of_a_load_carries_one(
        self, loads: Loads, players: int, all_cross: bool
    ) -> None:
        assert lets_all_cross_as_elephants(loads, players) is all_cross

    def test_r17_round_one_does_not_repeat_the_practice(self) -> None:
        for seed in range(40):
            night = Crossing(night_of(2).seats, Options(loads=LoadsFrom.RANDOM, rounds=1), rng=Random(seed))
            night.begin()
            practice, first = loads_of_a_night(night)
            assert practice != first

    def test_r17_after_people_came_a_total_does_not_jump(self) -> None:
        before = [(4, 4), (3, 5), (4, 4)]
        assert all(sum(draw(8, 3, before, Random(seed))) <= 16 + 4 + 2 for seed in range(50))

    def test_r17_what_the_host_sets_for_a_round_is_made_up_for_by_the_next(self) -> None:
        night = night_of(6, Options(loads=LoadsFrom.RANDOM, rounds=3, practice=False))
        night.host(commands.ChangeLoads(2, (2, 2)))
        _, light, next_one = loads_of_a_night(night)
        assert light == (2, 2)
        assert sum(next_one) > 2 * 6
