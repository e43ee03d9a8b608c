"""The rulebook, ruling by ruling (M2 to M9), and an oracle that counts chips and winners the slow way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.games.animal_mind import rules
from pi_gm.games.animal_mind.cards import Card, Kind
from pi_gm.games.animal_mind.rules import Claim, Collection, Set
from pi_gm.players import SeatId
from tests.pi_gm.games.animal_mind.mind import EGG, FUR, MILK, PET, card

ANA, BEN, CHLOE, DORA = (SeatId(name) for name in ("Ana", "Ben", "Chloe", "Dora"))


def collected(*cards: str) -> Collection:
    """What somebody holds who took these cards one after the other, and never four kinds."""
    collection: Collection = ()
    for text in cards:
        collection = rules.with_card(collection, card(text))
    return collection


class TestM2WhatIsSaid:
    @pytest.mark.parametrize("kind", Kind)
    def test_m2_a_kind_that_is_said_is_true_of_every_card_of_that_kind_and_of_no_other(
        self, kind: Kind
    ) -> None:
        said = Claim(kind=kind)
        assert {shown for shown in Kind for value in (0, 1, 2) if said.is_true_of(Card(shown, value))} == {
            kind
        }

    @pytest.mark.parametrize("value", [0, 1, 2])
    def test_m2_a_value_that_is_said_is_true_of_every_card_of_that_value_and_of_no_other(
        self, value: int
    ) -> None:
        said = Claim(value=value)
        assert {shown for kind in Kind for shown in (0, 1, 2) if said.is_true_of(Card(kind, shown))} == {
            value
        }

    def test_m2_the_value_nothing_is_not_the_same_as_no_value(self) -> None:
        assert not Claim(value=0).is_true_of(card("milk2"))


class TestM3DecisionCards:
    @pytest.mark.parametrize(
        ("on_accept", "may_accept", "may_reject"),
        [(0, False, True), (1, True, True), (2, True, True), (3, True, False)],
    )
    def test_m3_accepting_needs_a_card_on_accept_and_rejecting_one_on_reject(
        self, on_accept: int, may_accept: bool, may_reject: bool
    ) -> None:
        assert (rules.may_accept(on_accept), rules.may_reject(on_accept)) == (may_accept, may_reject)

    @pytest.mark.parametrize(("on_accept", "forced"), [(0, True), (1, False), (2, False), (3, True)])
    def test_m3_with_only_one_side_left_there_is_no_choice(self, on_accept: int, forced: bool) -> None:
        assert rules.is_forced(on_accept) is forced

    def test_m3_accepting_turns_one_card_to_reject(self) -> None:
        assert rules.accepts_after(2, accepted=True) == 1

    def test_m3_rejecting_turns_one_card_to_accept(self) -> None:
        assert rules.accepts_after(2, accepted=False) == 3


class TestM5ALie:
    @pytest.mark.parametrize(("before", "after"), [(7, 6), (1, 0), (0, 0)])
    def test_m5_a_lie_costs_a_chip_and_never_below_none(self, before: int, after: int) -> None:
        assert rules.chips_after_lie(before) == after


class TestM6ThreeKindsAtMost:
    def test_m6_a_first_second_and_third_kind_need_no_room(self) -> None:
        for held in ((), ("fur1",), ("fur1", "milk1")):
            assert rules.to_discard(collected(*held), card("pet0")) == ()

    def test_m6_a_card_of_a_kind_already_held_needs_no_room(self) -> None:
        assert rules.to_discard(collected("fur1", "milk1", "egg1"), card("egg0")) == ()

    def test_m6_a_fourth_kind_takes_the_place_of_the_one_held_most(self) -> None:
        held = collected("fur1", "milk2", "milk0", "milk2", "egg1", "egg1")
        assert rules.to_discard(held, card("pet0")) == (MILK,)

    def test_m6_the_greatest_number_counts_and_not_what_it_is_worth(self) -> None:
        assert rules.to_discard(collected("fur0", "fur0", "milk2", "egg2"), card("pet0")) == (FUR,)

    def test_m6_on_a_tie_each_of_those_held_most_may_go_and_none_held_less(self) -> None:
        held = collected("fur1", "fur1", "milk1", "egg1", "egg1")
        assert rules.to_discard(held, card("pet0")) == (FUR, EGG)

    def test_m6_three_single_kinds_are_a_tie_of_three(self) -> None:
        assert rules.to_discard(collected("milk0", "pet1", "egg2"), card("fur0")) == (MILK, PET, EGG)

    def test_m6_a_kind_goes_whole(self) -> None:
        held = collected("fur1", "milk1", "fur2", "fur0")
        assert rules.without(held, FUR) == (Set(MILK, (1,)),)
        assert rules.cards_of(held, FUR) == (card("fur1"), card("fur2"), card("fur0"))


class TestM7Scoring:
    def test_m7_four_milk_with_a_two_as_the_newest_bring_eight(self) -> None:
        assert rules.worth(Set(MILK, (0, 1, 1, 2))) == 8

    def test_m7_four_milk_with_a_nothing_as_the_newest_bring_nothing(self) -> None:
        assert rules.worth(Set(MILK, (2, 2, 2, 0))) == 0

    def test_m7_every_kind_counts_by_the_newest_card_of_its_own(self) -> None:
        held = collected("milk2", "fur0", "milk1", "egg1", "fur2", "egg0")
        assert rules.score(held) == 2 * 1 + 2 * 2 + 2 * 0

    def test_m7_nothing_held_brings_nothing(self) -> None:
        assert rules.score(()) == 0


class TestM8Winners:
    def test_m8_most_chips_wins_however_few_cards(self) -> None:
        held = {ANA: collected("fur2"), BEN: collected("milk0", "milk0", "milk0")}
        assert rules.winners({ANA: 5, BEN: 4}, held) == (ANA,)

    def test_m8_tied_most_cards_held_wins(self) -> None:
        held = {ANA: collected("fur2"), BEN: collected("milk0", "pet1"), CHLOE: collected("egg1")}
        assert rules.winners({ANA: 5, BEN: 5, CHLOE: 5}, held) == (BEN,)

    def test_m8_cards_break_a_tie_of_those_with_most_chips_and_of_nobody_else(self) -> None:
        held = {ANA: collected("fur2"), BEN: collected("milk0"), CHLOE: collected("egg1", "egg1", "egg1")}
        assert rules.winners({ANA: 5, BEN: 5, CHLOE: 4}, held) == (ANA, BEN)

    def test_m8_still_tied_they_share(self) -> None:
        held = {seat: collected("fur1") for seat in (ANA, BEN, CHLOE, DORA)}
        assert rules.winners({ANA: 3, BEN: 0, CHLOE: 3, DORA: 3}, held) == (ANA, CHLOE, DORA)

    def test_m8_where_nobody_has_anything_everybody_wins(self) -> None:
        assert rules.winners({ANA: 0, BEN: 0}, {ANA: (), BEN: ()}) == (ANA, BEN)


class TestM9ToTheLeft:
    def test_m9_the_left_is_the_next_in_seating_order_and_the_last_passes_to_the_first(self) -> None:
        order = (BEN, ANA, DORA)
        assert [rules.to_the_left(seat, order) for seat in order] == [ANA, DORA, BEN]


CARDS = st.builds(Card, st.sampled_from(Kind), st.sampled_from((0, 1, 2)))
THREE_KINDS = st.permutations(list(Kind)).flatmap(
    lambda kinds: st.lists(
        st.builds(Card, st.sampled_from(kinds[:3]), st.sampled_from((0, 1, 2))), max_size=15
    )
)


def held_after(taken: list[Card]) -> Collection:
    collection: Collection = ()
    for each in taken:
        collection = rules.with_card(collection, each)
    return collection


def counted_slowly(taken: list[Card]) -> int:
    """Chips of one who took these cards: for each card on the table, the value of the last of its kind."""
    chips = 0
    for each in taken:
        for newest in reversed(taken):
            if newest.kind is each.kind:
                chips += newest.value
                break
    return chips


@given(THREE_KINDS)
def test_m7_the_score_is_what_the_slow_count_says(taken: list[Card]) -> None:
    assert rules.score(held_after(taken)) == counted_slowly(taken)


@given(THREE_KINDS)
def test_m4_a_collection_keeps_every_card_in_the_order_it_grew(taken: list[Card]) -> None:
    collection = held_after(taken)
    assert rules.cards_in(collection) == len(taken)
    assert [held.kind for held in collection] == list(dict.fromkeys(each.kind for each in taken))
    for held in collection:
        assert rules.cards_of(collection, held.kind) == tuple(
            each for each in taken if each.kind is held.kind
        )


@given(THREE_KINDS, CARDS)
def test_m6_what_goes_is_only_ever_a_kind_of_which_nobody_holds_more(taken: list[Card], new: Card) -> None:
    collection = held_after(taken)
    numbers = {kind: sum(each.kind is kind for each in taken) for kind in Kind}
    kinds = {kind for kind in Kind if numbers[kind]}
    goes = rules.to_discard(collection, new)
    if len(kinds | {new.kind}) <= 3:
        assert goes == ()
    else:
        assert set(goes) == {
            kind for kind in kinds if all(numbers[kind] >= numbers[other] for other in kinds)
        }


TABLES = st.lists(st.tuples(st.integers(0, 3), THREE_KINDS), min_size=2, max_size=4)


def beats(one: tuple[int, list[Card]], other: tuple[int, list[Card]]) -> bool:
    """Whether the first is ahead: by chips, or where those are equal by cards."""
    return one[0] > other[0] or (one[0] == other[0] and len(one[1]) > len(other[1]))


@given(TABLES)
def test_m8_the_winners_are_exactly_those_whom_nobody_beats(table: list[tuple[int, list[Card]]]) -> None:
    seats = (ANA, BEN, CHLOE, DORA)[: len(table)]
    chips = {seat: row[0] for seat, row in zip(seats, table, strict=True)}
    held = {seat: held_after(row[1]) for seat, row in zip(seats, table, strict=True)}
    unbeaten = tuple(
        seat for seat, row in zip(seats, table, strict=True) if not any(beats(other, row) for other in table)
    )
    assert rules.winners(chips, held) == unbeaten
