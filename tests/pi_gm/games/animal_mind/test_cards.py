"""The pile (M1): what it holds, where the scoring cards lie, and what the host can change."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.games import Rejected
from pi_gm.games.animal_mind import GAME, cards
from pi_gm.games.animal_mind.cards import SCORING, Card, Kind, Pile
from pi_gm.games.animal_mind.events import PileShuffled
from pi_gm.games.animal_mind.options import Options, ScoringCards, mistakes
from pi_gm.players import SeatId
from tests.pi_gm.games.animal_mind.mind import PEOPLE, Mind, reason, seats_for

DEFAULT = (5, 5, 3)
SEEDS = st.integers(0, 2**32)
PER_VALUE = st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20)).filter(
    lambda numbers: sum(numbers) >= 2
)


def spread(seed: int, per_value: tuple[int, int, int] = DEFAULT) -> Pile:
    return cards.spread(cards.produce(per_value), Random(seed))


def shuffled_in(seed: int, per_value: tuple[int, int, int] = DEFAULT) -> Pile:
    return cards.shuffled_in(cards.produce(per_value), Random(seed))


def scorings_in(pile: Pile) -> tuple[int, int, int]:
    first, second, third = (place for place, each in enumerate(pile) if each == SCORING)
    return first, second, third


def pile_of_a_game(options: Options, seed: int = 1) -> Pile:
    mind = Mind(seats_for(*PEOPLE[:4]), options)
    mind.begin(seed)
    (shuffled,) = (event for event in mind.happened if isinstance(event, PileShuffled))
    return shuffled.pile


class TestM1WhatThePileHolds:
    def test_m1_fifty_two_produce_cards_of_four_kinds_with_five_nothings_five_ones_and_three_twos_each(
        self,
    ) -> None:
        counted = Counter((each.kind, each.value) for each in cards.produce(DEFAULT))
        assert counted == {
            (kind, value): number for kind in Kind for value, number in ((0, 5), (1, 5), (2, 3))
        }
        assert counted.total() == 52

    @given(SEEDS, PER_VALUE)
    def test_m1_both_piles_hold_every_produce_card_and_three_scoring_cards(
        self, seed: int, per_value: tuple[int, int, int]
    ) -> None:
        everything = Counter([*cards.produce(per_value), SCORING, SCORING, SCORING])
        assert Counter(spread(seed, per_value)) == everything
        assert Counter(shuffled_in(seed, per_value)) == everything

    @given(PER_VALUE)
    def test_m1_the_host_may_set_the_number_of_each_value(self, per_value: tuple[int, int, int]) -> None:
        pile = pile_of_a_game(Options(per_value=per_value))
        produce = [each for each in pile if isinstance(each, Card)]
        for kind in Kind:
            for value, number in enumerate(per_value):
                assert produce.count(Card(kind, value)) == number


class TestM1ScoringSpread:
    @given(SEEDS)
    def test_m1_scoring_comes_after_about_a_third_and_about_two_thirds_of_the_produce(
        self, seed: int
    ) -> None:
        first, second, _ = scorings_in(spread(seed))
        assert first / 52 == pytest.approx(1 / 3, abs=0.06)
        assert (second - 1) / 52 == pytest.approx(2 / 3, abs=0.06)

    @given(SEEDS, PER_VALUE)
    def test_m1_the_last_scoring_card_is_among_the_last_six(
        self, seed: int, per_value: tuple[int, int, int]
    ) -> None:
        pile = spread(seed, per_value)
        assert [each for each in pile[-6:] if each == SCORING] == [SCORING]

    @given(SEEDS, PER_VALUE)
    def test_m1_what_lies_above_the_last_six_is_in_three_near_equal_parts(
        self, seed: int, per_value: tuple[int, int, int]
    ) -> None:
        pile = spread(seed, per_value)
        first, second, _ = scorings_in(pile)
        parts = [first, second - first - 1, len(pile) - 6 - second - 1]
        assert sum(parts) == 4 * sum(per_value) - 5
        assert max(parts) - min(parts) <= 1

    def test_m1_of_fifty_two_the_parts_are_sixteen_sixteen_and_fifteen(self) -> None:
        assert scorings_in(spread(1))[:2] == (16, 33)

    def test_m1_the_last_scoring_card_may_lie_at_any_place_of_the_last_six(self) -> None:
        assert {scorings_in(spread(seed))[2] for seed in range(100)} == set(range(49, 55))

    def test_m1_which_cards_lie_at_the_bottom_is_left_to_chance(self) -> None:
        bottoms = Counter(each for seed in range(200) for each in spread(seed)[-6:] if each != SCORING)
        assert set(bottoms) == set(cards.produce(DEFAULT))

    def test_m1_which_card_lies_on_top_is_left_to_chance(self) -> None:
        assert {spread(seed)[0] for seed in range(200)} == set(cards.produce(DEFAULT))

    def test_m1_spread_is_what_is_played_unless_the_host_chooses(self) -> None:
        assert scorings_in(pile_of_a_game(Options()))[:2] == (16, 33)


class TestM1ScoringShuffledIn:
    def test_m1_shuffled_in_a_scoring_card_may_lie_anywhere(self) -> None:
        places = {place for seed in range(400) for place in scorings_in(shuffled_in(seed))}
        assert places == set(range(55))

    def test_m1_shuffled_in_is_what_is_played_when_the_host_chooses_it(self) -> None:
        options = Options(scoring=ScoringCards.SHUFFLED)
        piles = [scorings_in(pile_of_a_game(options, seed)) for seed in range(10)]
        assert any(places[:2] != (16, 33) for places in piles)

    @given(SEEDS)
    def test_m1_the_same_chance_makes_the_same_pile(self, seed: int) -> None:
        assert spread(seed) == spread(seed)
        assert shuffled_in(seed) == shuffled_in(seed)


class TestOptions:
    def test_the_defaults_have_no_mistake(self) -> None:
        assert mistakes(Options()) == ()

    @pytest.mark.parametrize(
        ("options", "mistake"),
        [
            (Options(per_value=(-1, 5, 3)), "options.per_value"),
            (Options(per_value=(5, 21, 3)), "options.per_value"),
            (Options(per_value=(0, 0, 0)), "options.too-few-cards"),
            (Options(per_value=(0, 1, 0)), "options.too-few-cards"),
            (Options(think_seconds=-1), "options.think_seconds"),
            (Options(think_seconds=601), "options.think_seconds"),
            (Options(players=(SeatId("Ana"),)), "options.players"),
            (Options(players=(SeatId("Ana"), SeatId("Ana"))), "options.players"),
            (Options(players=tuple(SeatId(name) for name in PEOPLE)), "options.players"),
        ],
    )
    def test_a_mistake_is_named_explained_and_keeps_the_game_from_beginning(
        self, options: Options, mistake: str
    ) -> None:
        assert mistakes(options) == (mistake,)
        (sentence,) = GAME.mistakes(options)
        assert sentence.endswith(".")
        assert reason(Mind(seats_for(*PEOPLE), options).begin()) == mistake

    @pytest.mark.parametrize("options", [Options(per_value=(0, 0, 2)), Options(per_value=(20, 20, 20))])
    def test_the_smallest_and_the_greatest_pile_can_be_played(self, options: Options) -> None:
        assert not isinstance(Mind(seats_for("Ana", "Ben"), options).begin(), Rejected)


class TestWhoPlays:
    def test_two_to_four_can_play(self) -> None:
        for number in (2, 3, 4):
            mind = Mind(seats_for(*PEOPLE[:number]))
            assert reason(mind.begin()) is None
            assert mind.players == PEOPLE[:number]

    def test_one_alone_cannot_play(self) -> None:
        assert reason(Mind(seats_for("Ana")).begin()) == "too-few-players"

    def test_of_more_the_first_four_play_and_the_others_watch(self) -> None:
        mind = Mind(seats_for(*PEOPLE))
        mind.begin()
        assert mind.players == PEOPLE[:4]

    def test_the_host_chooses_who_plays_and_in_which_order(self) -> None:
        mind = Mind(seats_for(*PEOPLE), Options(players=(SeatId("Emil"), SeatId("Ana"), SeatId("Chloe"))))
        mind.begin()
        assert mind.players == ("Emil", "Ana", "Chloe")
        assert mind.turn == "Emil"

    def test_who_sits_out_does_not_play(self) -> None:
        mind = Mind(seats_for(*PEOPLE))
        mind.sit_out("Ana")
        mind.begin()
        assert mind.players == ("Ben", "Chloe", "Dora", "Emil")

    def test_who_was_chosen_and_sits_out_is_left_out(self) -> None:
        mind = Mind(seats_for(*PEOPLE), Options(players=tuple(SeatId(name) for name in PEOPLE[:3])))
        mind.sit_out("Ben")
        mind.begin()
        assert mind.players == ("Ana", "Chloe")

    def test_where_only_one_of_the_chosen_is_there_the_game_does_not_begin(self) -> None:
        mind = Mind(seats_for(*PEOPLE), Options(players=(SeatId("Ana"), SeatId("Ben"))))
        mind.sit_out("Ben")
        assert reason(mind.begin()) == "too-few-players"
