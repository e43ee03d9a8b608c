"""The rulebook, ruling by ruling (R1, R2, R4 to R9, R15), and what must hold whatever happens on the rafts."""

import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.rules import (
    Award,
    Boarding,
    Fate,
    Outcome,
    awards,
    goes_under,
    points_for_crossing,
    points_on_island,
    ranks,
    scared_off,
    settle,
    weight_after_scares,
)
from pi_gm.players import SeatId
from tests.pi_gm.games.animal_crossing.crossing import CAT, DOG, ELEPHANT, MOUSE

LOADS = {"A": 7, "B": 10}


def settled(*boarded: tuple[Animal, str], loads: Mapping[str, int] = LOADS) -> tuple[Outcome, ...]:
    return settle(
        [Boarding(SeatId(f"p{n}"), animal, place) for n, (animal, place) in enumerate(boarded)], loads
    )


def fates(*boarded: tuple[Animal, str], loads: Mapping[str, int] = LOADS) -> list[Fate]:
    return [outcome.fate for outcome in settled(*boarded, loads=loads)]


def points(*boarded: tuple[Animal, str], loads: Mapping[str, int] = LOADS) -> list[int]:
    return [outcome.points for outcome in settled(*boarded, loads=loads)]


def leaping(*boarded: Animal) -> set[Animal]:
    """The kinds aboard that leap off."""
    return {animal for animal in boarded if animal in scared_off(boarded)}


class TestTheWorkedExample:
    ON_RAFT_A = ((DOG, "A"), (DOG, "A"), (CAT, "A"), (MOUSE, "A"), (ELEPHANT, "A"))

    def test_cat_mouse_and_elephant_are_scared_off_and_the_dogs_cross(self) -> None:
        assert fates(*self.ON_RAFT_A, (MOUSE, "island")) == [
            Fate.CROSSED,
            Fate.CROSSED,
            Fate.SCARED_OFF,
            Fate.SCARED_OFF,
            Fate.SCARED_OFF,
            Fate.STAYED,
        ]

    def test_the_two_dogs_weigh_six(self) -> None:
        assert weight_after_scares([animal for animal, _ in self.ON_RAFT_A]) == 6

    @pytest.mark.parametrize("islander", [MOUSE, CAT, ELEPHANT])
    def test_the_dogs_score_three_each_and_the_islander_three(self, islander: Animal) -> None:
        assert points(*self.ON_RAFT_A, (islander, "island")) == [3, 3, 0, 0, 0, 3]

    def test_a_dog_on_the_island_scores_nothing(self) -> None:
        assert points(*self.ON_RAFT_A, (DOG, "island")) == [3, 3, 0, 0, 0, 0]


class TestWeights:
    @pytest.mark.parametrize(("animal", "weight"), [(MOUSE, 1), (CAT, 2), (DOG, 3), (ELEPHANT, 5)])
    def test_every_animal_weighs_what_the_rulebook_says(self, animal: Animal, weight: int) -> None:
        assert animal.weight == weight


class TestR2TouchingTheWater:
    def test_r2_a_cat_in_the_water_scares_no_mouse(self) -> None:
        assert fates((CAT, "water"), (MOUSE, "A")) == [Fate.IN_WATER, Fate.CROSSED]

    def test_r2_a_dog_in_the_water_does_not_count_against_a_cat(self) -> None:
        assert fates((DOG, "A"), (DOG, "water"), (CAT, "A"))[2] is Fate.CROSSED

    def test_r2_a_mouse_in_the_water_gives_the_mouse_aboard_no_point(self) -> None:
        assert points((MOUSE, "A"), (MOUSE, "water"))[0] == 1

    def test_r2_an_elephant_in_the_water_weighs_nothing(self) -> None:
        assert fates((ELEPHANT, "A"), (ELEPHANT, "water"))[0] is Fate.CROSSED


class TestR4ScaresAreSimultaneous:
    def test_r4_a_cat_that_is_scared_off_still_scares_the_mouse(self) -> None:
        assert leaping(DOG, DOG, CAT, MOUSE) == {CAT, MOUSE}

    def test_r4_a_mouse_that_is_scared_off_still_scares_the_elephant(self) -> None:
        assert leaping(CAT, MOUSE, ELEPHANT) == {MOUSE, ELEPHANT}

    def test_r4_all_kinds_but_the_dog_can_leap_off_one_raft_at_once(self) -> None:
        assert leaping(DOG, DOG, CAT, MOUSE, ELEPHANT) == {CAT, MOUSE, ELEPHANT}

    def test_r4_nothing_is_scared_by_an_animal_on_another_raft(self) -> None:
        assert fates((MOUSE, "A"), (CAT, "B")) == [Fate.CROSSED, Fate.CROSSED]

    def test_r4_nothing_is_scared_by_an_animal_on_the_island(self) -> None:
        assert fates((ELEPHANT, "A"), (MOUSE, "island")) == [Fate.CROSSED, Fate.STAYED]

    def test_r4_nothing_is_scared_on_the_island(self) -> None:
        on_the_island = [(animal, "island") for animal in (CAT, MOUSE, ELEPHANT, DOG, DOG)]
        assert fates(*on_the_island) == [Fate.STAYED] * 5


class TestR5DogsAndCats:
    def test_r5_one_dog_does_not_scare_one_cat(self) -> None:
        assert leaping(DOG, CAT) == set()

    def test_r5_two_dogs_do_not_scare_two_cats(self) -> None:
        assert leaping(DOG, DOG, CAT, CAT) == set()

    def test_r5_two_dogs_scare_one_cat(self) -> None:
        assert leaping(DOG, DOG, CAT) == {CAT}

    def test_r5_outnumbered_cats_all_leap(self) -> None:
        assert fates(*[(DOG, "B")] * 3, *[(CAT, "B")] * 2)[3:] == [Fate.SCARED_OFF] * 2

    def test_r5_a_dog_is_never_scared(self) -> None:
        assert DOG not in leaping(MOUSE, CAT, CAT, CAT, ELEPHANT, DOG)


class TestR6WhatRemainsIsWeighed:
    def test_r6_exactly_the_load_is_carried(self) -> None:
        assert not goes_under([ELEPHANT, CAT], 7)

    def test_r6_one_more_than_the_load_is_not(self) -> None:
        assert goes_under([ELEPHANT, DOG], 7)

    def test_r6_a_raft_that_goes_under_takes_everyone_who_remained(self) -> None:
        assert fates((ELEPHANT, "A"), (DOG, "A")) == [Fate.WENT_UNDER, Fate.WENT_UNDER]

    def test_r6_those_who_were_scared_off_do_not_weigh(self) -> None:
        assert fates((ELEPHANT, "A"), (MOUSE, "A"), (MOUSE, "A"), loads={"A": 2}) == [
            Fate.SCARED_OFF,
            Fate.CROSSED,
            Fate.CROSSED,
        ]

    def test_r6_one_raft_that_goes_under_leaves_the_other_afloat(self) -> None:
        assert fates((ELEPHANT, "A"), (DOG, "A"), (DOG, "B"))[2] is Fate.CROSSED


class TestR7Mice:
    @pytest.mark.parametrize("mice", [1, 2, 3, 7])
    def test_r7_mice_score_as_many_points_as_mice_boarded(self, mice: int) -> None:
        assert points(*[(MOUSE, "A")] * mice) == [mice] * mice

    def test_r7_mice_on_another_raft_do_not_count(self) -> None:
        assert points((MOUSE, "A"), (MOUSE, "B"), (MOUSE, "B")) == [1, 2, 2]

    def test_r7_other_animals_score_their_weight(self) -> None:
        assert [
            points_for_crossing(animal, [MOUSE, CAT, DOG, ELEPHANT]) for animal in (CAT, DOG, ELEPHANT)
        ] == [
            2,
            3,
            5,
        ]


class TestR8SunkScoresNothing:
    def test_r8_scared_off(self) -> None:
        assert points((MOUSE, "A"), (CAT, "A"))[0] == 0

    def test_r8_under_with_the_raft(self) -> None:
        assert points((ELEPHANT, "A"), (DOG, "A")) == [0, 0]

    def test_r8_in_the_water(self) -> None:
        assert points((ELEPHANT, "water")) == [0]

    @pytest.mark.parametrize("fate", Fate)
    def test_r8_sunk_is_exactly_these_three(self, fate: Fate) -> None:
        assert fate.is_sunk is (fate in {Fate.SCARED_OFF, Fate.WENT_UNDER, Fate.IN_WATER})


class TestR9TheIsland:
    def test_r9_the_island_scores_all_who_sank_anywhere(self) -> None:
        sinking = ((MOUSE, "A"), (CAT, "A"), (DOG, "water"), (ELEPHANT, "B"), (ELEPHANT, "B"), (CAT, "B"))
        assert points(*sinking, (CAT, "island"))[-1] == 5

    def test_r9_every_islander_scores_them(self) -> None:
        assert points((DOG, "water"), (CAT, "island"), (MOUSE, "island"), (ELEPHANT, "island"))[1:] == [
            1,
            1,
            1,
        ]

    def test_r9_where_nobody_sinks_the_island_scores_nothing(self) -> None:
        assert points((DOG, "A"), (CAT, "island")) == [3, 0]

    @pytest.mark.parametrize("sunk", range(6))
    def test_r9_a_dog_never_scores_on_the_island(self, sunk: int) -> None:
        assert points_on_island(DOG, sunk) == 0

    def test_r9_the_island_carries_any_number(self) -> None:
        assert fates(*[(ELEPHANT, "island")] * 12) == [Fate.STAYED] * 12


class TestR15Awards:
    @staticmethod
    def given(*totals: int) -> list[Award]:
        return list(awards({SeatId(f"p{n}"): points for n, points in enumerate(totals)}).values())

    def test_r15_most_points_a_token_and_fewest_a_strike(self) -> None:
        assert self.given(9, 5, 2) == [Award(2, strike=False), Award(0, strike=False), Award(0, strike=True)]

    def test_r15_more_than_ten_points_half_a_token_more(self) -> None:
        assert self.given(15, 11, 10, 0) == [
            Award(3, strike=False),
            Award(1, strike=False),
            Award(0, strike=False),
            Award(0, strike=True),
        ]

    def test_r15_exactly_ten_points_are_not_more_than_ten(self) -> None:
        assert self.given(10, 3)[0].half_tokens == 2

    def test_r15_all_who_tie_share(self) -> None:
        assert self.given(9, 9, 4, 4) == [Award(2, strike=False)] * 2 + [Award(0, strike=True)] * 2

    def test_r15_where_everyone_ties_all_get_the_token_and_nobody_the_strike(self) -> None:
        assert self.given(12, 12) == [Award(3, strike=False)] * 2

    def test_r15_a_strike_can_come_with_half_a_token(self) -> None:
        assert self.given(20, 11) == [Award(3, strike=False), Award(1, strike=True)]

    def test_r15_nobody_played_nobody_is_honoured(self) -> None:
        assert awards({}) == {}

    def test_those_who_tie_share_the_better_rank(self) -> None:
        totals = {SeatId("a"): 5, SeatId("b"): 9, SeatId("c"): 5, SeatId("d"): 1}
        assert ranks(totals) == {"a": 2, "b": 1, "c": 2, "d": 4}


# What must always hold

places = st.sampled_from(["A", "B", "C", "island", "water"])
loads_of_three = st.fixed_dictionaries({raft: st.integers(2, 10) for raft in "ABC"})
boardings = st.lists(st.tuples(st.sampled_from(Animal), places), max_size=12).map(
    lambda pairs: [Boarding(SeatId(f"p{n}"), animal, place) for n, (animal, place) in enumerate(pairs)]
)


def by_the_book(boarded: Sequence[Boarding], loads: Mapping[str, int]) -> dict[str, tuple[bool, int]]:
    """Who sank and who scored what, worked out slowly, player by player, straight from the rulebook's table."""
    heavy = {"mouse": 1, "cat": 2, "dog": 3, "elephant": 5}
    leaps: set[str] = set()
    for me in boarded:
        if me.place in ("island", "water"):
            continue
        with_me = [other.animal.value for other in boarded if other.place == me.place]
        kind = me.animal.value
        if (
            (kind == "mouse" and "cat" in with_me)
            or (kind == "elephant" and "mouse" in with_me)
            or (kind == "cat" and with_me.count("dog") > with_me.count("cat"))
        ):
            leaps.add(me.seat)
    sank: set[str] = set()
    for me in boarded:
        stay = [o for o in boarded if o.place == me.place and o.seat not in leaps]
        too_heavy = me.place in loads and sum(heavy[o.animal.value] for o in stay) > loads[me.place]
        if me.place == "water" or me.seat in leaps or too_heavy:
            sank.add(me.seat)
    answer: dict[str, tuple[bool, int]] = {}
    for me in boarded:
        gain = heavy[me.animal.value]
        if me.animal.value == "mouse":
            gain = len([o for o in boarded if o.place == me.place and o.animal.value == "mouse"])
        if me.place == "island":
            gain = 0 if me.animal.value == "dog" else len(sank)
        answer[me.seat] = (me.seat in sank, 0 if me.seat in sank else gain)
    return answer


class TestWhateverHappensOnTheRafts:
    @given(boardings, loads_of_three)
    def test_the_round_ends_as_the_book_says(self, boarded: list[Boarding], loads: dict[str, int]) -> None:
        told = {outcome.seat: (outcome.fate.is_sunk, outcome.points) for outcome in settle(boarded, loads)}
        assert told == by_the_book(boarded, loads)

    @given(boardings, loads_of_three)
    def test_nobody_is_lost_and_nobody_is_moved(self, boarded: list[Boarding], loads: dict[str, int]) -> None:
        told = settle(boarded, loads)
        assert [(o.seat, o.animal, o.place) for o in told] == [(b.seat, b.animal, b.place) for b in boarded]

    @given(boardings, loads_of_three, st.randoms(use_true_random=False))
    def test_another_order_of_players_gives_the_same(
        self, boarded: list[Boarding], loads: dict[str, int], rng: random.Random
    ) -> None:
        shuffled = rng.sample(boarded, len(boarded))
        assert set(settle(shuffled, loads)) == set(settle(boarded, loads))

    @given(boardings, loads_of_three, st.permutations("ABC"))
    def test_other_names_for_the_rafts_give_the_same(
        self, boarded: list[Boarding], loads: dict[str, int], names: list[str]
    ) -> None:
        renamed = dict(zip("ABC", names, strict=True)) | {"island": "island", "water": "water"}
        moved = [Boarding(b.seat, b.animal, renamed[b.place]) for b in boarded]
        carried = {renamed[raft]: load for raft, load in loads.items()}
        assert [(o.fate, o.points) for o in settle(moved, carried)] == [
            (o.fate, o.points) for o in settle(boarded, loads)
        ]

    @given(boardings, loads_of_three)
    def test_points_come_only_from_the_rules(self, boarded: list[Boarding], loads: dict[str, int]) -> None:
        told = settle(boarded, loads)
        for outcome in told:
            match outcome.fate:
                case Fate.CROSSED if outcome.animal is not MOUSE:
                    assert outcome.points == outcome.animal.weight
                case Fate.CROSSED:
                    assert outcome.points == sum((o.animal, o.place) == (MOUSE, outcome.place) for o in told)
                case Fate.STAYED if outcome.animal is not DOG:
                    assert outcome.points == sum(o.fate.is_sunk for o in told)
                case _:
                    assert outcome.points == 0

    @given(boardings, loads_of_three)
    def test_what_crosses_was_never_heavier_than_the_load(
        self, boarded: list[Boarding], loads: dict[str, int]
    ) -> None:
        told = settle(boarded, loads)
        for raft, load in loads.items():
            crossed = [o.animal.weight for o in told if o.place == raft and o.fate is Fate.CROSSED]
            assert sum(crossed) <= load

    @given(st.dictionaries(st.text(max_size=3).map(SeatId), st.integers(0, 60), min_size=1, max_size=12))
    def test_somebody_is_always_first_and_gets_the_token(self, totals: dict[SeatId, int]) -> None:
        rank_of, award_of = ranks(totals), awards(totals)
        first = {seat for seat, rank in rank_of.items() if rank == 1}
        assert first == {seat for seat, award in award_of.items() if award.half_tokens >= 2} != set()
