"""What each viewer may see (M10): everything on the table, and nothing of what only the drawer knows."""

import pytest

from pi_gm.games import Page, Viewer
from pi_gm.games.animal_mind import commands
from pi_gm.games.animal_mind.cards import Kind
from pi_gm.games.animal_mind.options import Options
from pi_gm.games.animal_mind.state import STATEMENTS_KEPT, Phase
from pi_gm.games.animal_mind.view import MindView, view
from pi_gm.players import SeatId
from tests.pi_gm.games.animal_mind.mind import EGG, FUR, MILK, PET, Mind, as_bytes, card, game_of

MANY = "milk2 egg0 fur1 pet0 milk1"
SHARED = (Page.TV, Page.HOST, Page.BOOTH)


def views_of_others(mind: Mind, *besides: str) -> list[MindView]:
    """Every page but the phones of ``besides``; a phone without a seat too."""
    phones = [mind.on_phone_of(seat.name) for seat in mind.seats if seat.name not in besides]
    return [*phones, *(mind.on(page) for page in SHARED), mind.seen_by(Viewer(Page.PLAYER, None, "x"))]


class TestM10WhatIsSecret:
    def test_m10_the_drawer_alone_sees_the_card(self) -> None:
        mind = game_of(3, MANY, watching=1)
        assert mind.on_phone_of("Ana").card == card("milk2")
        assert {seen.card for seen in views_of_others(mind, "Ana")} == {None}

    def test_m10_the_drawer_sees_it_until_the_answer_and_nobody_else_does(self) -> None:
        mind = game_of(3, MANY, watching=1)
        mind.offer("Ana", "Ben", kind=EGG)
        assert mind.on_phone_of("Ana").card == card("milk2")
        assert {seen.card for seen in views_of_others(mind, "Ana")} == {None}

    @pytest.mark.parametrize("page", SHARED)
    def test_m10_a_shared_page_in_the_name_of_the_drawer_shows_no_card(self, page: Page) -> None:
        seen = game_of(2, MANY).seen_by(Viewer(page, SeatId("Ana")))
        assert (seen.card, seen.sayings, seen.receivers) == (None, (), ())

    def test_m10_the_truth_is_marked_for_the_drawer_alone(self) -> None:
        mind = game_of(3, MANY, watching=1)
        assert [saying.label for saying in mind.on_phone_of("Ana").sayings if saying.is_true] == ["milk", "2"]
        assert {seen.sayings for seen in views_of_others(mind, "Ana")} == {()}

    def test_m10_the_same_seven_things_can_be_said_of_any_card_in_the_same_order(self) -> None:
        said = {
            tuple(
                (saying.label, saying.kind, saying.value)
                for saying in game_of(2, f"{kind.value}{value}").on_phone_of("Ana").sayings
            )
            for kind in Kind
            for value in (0, 1, 2)
        }
        (every,) = said
        assert [label for label, _, _ in every] == ["fur", "milk", "egg", "pet", "0", "1", "2"]
        assert all((kind is None) != (value is None) for _, kind, value in every)

    def test_m10_how_many_cards_are_left_is_public_and_which_is_not(self) -> None:
        one, other = game_of(2, "milk2 egg0 scoring"), game_of(2, "milk2 scoring pet1")
        assert {seen.cards_left for seen in views_of_others(one)} == {2}
        for seen, also_seen in zip(views_of_others(one), views_of_others(other), strict=True):
            assert as_bytes(seen) == as_bytes(also_seen)


class TestM10WhatIsPublic:
    def test_m10_collections_are_shown_in_the_order_they_grew_the_newest_last(self) -> None:
        mind = game_of(2, "milk2 egg0 milk1 milk0 pet0")
        for _ in range(4):
            mind.keeps("Ben")
        for seen in views_of_others(mind):
            (hand,) = (hand for hand in seen.hands if hand.seat == "Ben")
            assert [(held.kind, held.values, held.worth) for held in hand.sets] == [
                (MILK, (2, 1, 0), 0),
                (EGG, (0,), 0),
            ]
            assert hand.sets[0].score == "3 milks, newest is 0: 0."

    def test_m10_decision_cards_are_public(self) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Chloe", kind=MILK)
        mind.reject("Chloe")
        for seen in views_of_others(mind):
            assert [(hand.accepts, hand.rejects) for hand in seen.hands] == [(2, 1), (2, 1), (3, 0)]

    def test_m10_chips_are_public(self) -> None:
        mind = game_of(2, "milk2 scoring egg0")
        mind.keeps("Ben")
        for seen in views_of_others(mind):
            assert [hand.chips for hand in seen.hands] == [0, 2]

    def test_m10_what_was_said_is_public_while_it_is_answered(self) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Chloe", value=1)
        for seen in views_of_others(mind):
            assert (seen.turn, seen.offered_to, seen.claim_name) == ("Ana", "Chloe", "it is worth 1")
            assert (seen.shown, seen.said) == (None, ())

    @pytest.mark.parametrize(("kind", "was_true"), [(MILK, True), (EGG, False)])
    @pytest.mark.parametrize("accepted", [True, False])
    def test_m10_a_card_that_was_shown_is_public_with_what_was_said_of_it(
        self, kind: Kind, was_true: bool, accepted: bool
    ) -> None:
        mind = game_of(2, MANY)
        mind.offer("Ana", "Ben", kind=kind)
        mind.by("Ben", commands.Accept() if accepted else commands.Reject())
        for seen in views_of_others(mind):
            assert seen.shown is not None
            assert (seen.shown.said_by, seen.shown.to, seen.shown.claim) == (
                "Ana",
                "Ben",
                f"it is {kind.value}",
            )
            assert (seen.shown.card, seen.shown.card_name) == (card("milk2"), "milk of value 2")
            assert (seen.shown.was_true, seen.shown.accepted, seen.shown.forced) == (
                was_true,
                accepted,
                False,
            )
            assert seen.said == (seen.shown,)

    def test_m10_the_last_statements_stay_the_newest_first(self) -> None:
        mind = game_of(2, "milk0 milk1 " * STATEMENTS_KEPT)
        for _ in range(STATEMENTS_KEPT + 1):
            mind.keeps("Ben")
        for seen in views_of_others(mind):
            assert len(seen.said) == STATEMENTS_KEPT
            assert [said.card.value for said in seen.said][:2] == [0, 1]
            assert seen.shown is None

    def test_m10_discards_are_public(self) -> None:
        mind = game_of(2, "milk2 milk0 egg0 fur1 pet1 egg1")
        for _ in range(4):
            mind.keeps("Ben")
        mind.takes("Ben")
        for seen in views_of_others(mind):
            assert seen.discard == ("Ben", MILK, 2)
            assert seen.discards == (card("milk2"), card("milk0"))
        mind.go_on()
        for seen in views_of_others(mind):
            assert seen.discard is None
            assert seen.discards == (card("milk2"), card("milk0"))
        mind.takes("Ana")
        assert {seen.discard for seen in views_of_others(mind)} == {None}

    def test_m5_a_chip_lost_is_shown_with_the_card_and_not_longer(self) -> None:
        mind = game_of(2, "milk2 scoring egg0 fur0 fur1")
        mind.keeps("Ana")
        mind.go_on()
        mind.takes("Ben", kind=EGG)
        assert not any(seen.chip_lost for seen in views_of_others(mind))
        mind.go_on()
        mind.takes("Ben", kind=EGG)
        assert all(seen.chip_lost for seen in views_of_others(mind))
        assert mind.chips["Ana"] == 1
        mind.go_on()
        mind.takes("Ben")
        assert not any(seen.chip_lost for seen in views_of_others(mind))

    def test_m7_what_each_got_is_shown_during_the_scoring_alone(self) -> None:
        mind = game_of(2, "milk2 scoring egg0")
        assert [hand.scored for hand in mind.on(Page.TV).hands] == [None, None]
        mind.keeps("Ben")
        assert [hand.scored for hand in mind.on(Page.TV).hands] == [0, 2]
        mind.go_on()
        assert [hand.scored for hand in mind.on(Page.TV).hands] == [None, None]

    @pytest.mark.parametrize("leaving", [(), ("Ana",)])
    def test_m7_what_each_got_is_shown_neither_at_the_end_nor_while_the_game_waits(
        self, leaving: tuple[str, ...]
    ) -> None:
        mind = game_of(2, f"milk2 scoring {'egg0' if leaving else 'scoring scoring'}")
        mind.keeps("Ben")
        mind.sit_out(*leaving)
        while mind.phase is Phase.SCORING:
            mind.go_on()
        assert [hand.scored for hand in mind.on(Page.TV).hands] == [None, None]

    def test_who_is_away_is_shown(self) -> None:
        mind = game_of(3, MANY)
        mind.sit_out("Ben")
        assert [hand.is_away for hand in mind.on(Page.TV).hands] == [False, True, False]


class TestWhatAPlayerMayDo:
    def test_the_drawer_may_offer_to_all_others_who_are_there(self) -> None:
        mind = game_of(4, MANY)
        mind.sit_out("Chloe")
        assert mind.on_phone_of("Ana").receivers == ("Ben", "Dora")
        assert {seen.receivers for seen in views_of_others(mind, "Ana")} == {()}

    def test_an_offer_once_made_nothing_more_is_to_be_said(self) -> None:
        mind = game_of(2, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        assert (mind.on_phone_of("Ana").receivers, mind.on_phone_of("Ana").sayings) == ((), ())

    def test_the_receiver_alone_may_answer(self) -> None:
        mind = game_of(3, MANY, watching=1)
        mind.offer("Ana", "Ben", kind=MILK)
        seen = mind.on_phone_of("Ben")
        assert (seen.can_accept, seen.can_reject, seen.is_forced) == (True, True, False)
        for other in views_of_others(mind, "Ben"):
            assert (other.can_accept, other.can_reject, other.is_forced) == (False, False, False)

    @pytest.mark.parametrize("accepts", [0, 3])
    def test_m3_a_forced_answer_is_shown_as_forced_and_is_the_only_one(self, accepts: int) -> None:
        mind = game_of(2, "milk2 " * 9)
        while mind.accepts["Ben"] != accepts:
            mind.offer("Ana", "Ben", kind=MILK)
            mind.by("Ben", commands.Reject() if accepts else commands.Accept())
            mind.go_on()
            mind.keeps("Ben")
        mind.offer("Ana", "Ben", kind=MILK)
        seen = mind.on_phone_of("Ben")
        assert (seen.can_accept, seen.can_reject, seen.is_forced) == (accepts == 3, accepts == 0, True)

    def test_m6_the_taker_alone_has_the_choice(self) -> None:
        mind = game_of(2, "milk2 egg0 fur1 pet0")
        for _ in range(3):
            mind.keeps("Ben")
        mind.takes("Ben")
        assert mind.on_phone_of("Ben").choice == (MILK, EGG, FUR)
        assert {seen.choice for seen in views_of_others(mind, "Ben")} == {()}
        mind.discard("Ben", EGG)
        assert mind.on_phone_of("Ben").choice == ()

    @pytest.mark.parametrize("step", ["offering", "answering", "showing"])
    def test_who_is_waited_for_is_public(self, step: str) -> None:
        mind = game_of(3, MANY)
        if step != "offering":
            mind.offer("Ana", "Ben", kind=MILK)
        if step == "showing":
            mind.accept("Ben")
        expected = {"offering": "Ana", "answering": "Ben", "showing": None}[step]
        assert {seen.waiting_for for seen in views_of_others(mind)} == {expected}


class TestTheHostsStep:
    def test_nobody_but_the_host_has_one(self) -> None:
        mind = game_of(2, MANY)
        assert [mind.on(page).next is None for page in (Page.TV, Page.BOOTH)] == [True, True]
        assert mind.on_phone_of("Ana").next is None

    def test_calls_on_whoever_is_waited_for(self) -> None:
        mind = game_of(2, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        step = mind.on(Page.HOST).next
        assert step is not None
        assert (step.label, step.command) == ("Call on Ben", commands.CallOn())

    @pytest.mark.parametrize("pile", ["scoring milk2", MANY])
    def test_goes_on_from_a_card_or_a_scoring(self, pile: str) -> None:
        mind = game_of(2, pile)
        if mind.phase is Phase.OFFERING:
            mind.takes("Ben")
        step = mind.on(Page.HOST).next
        assert step is not None
        assert (step.label, step.command) == ("Go on", commands.GoOn(mind.state.go_on_at))

    def test_says_what_is_missing_where_too_few_are_left(self) -> None:
        mind = game_of(2, MANY)
        mind.sit_out("Ana")
        step = mind.on(Page.HOST).next
        assert step is not None
        assert (step.label, step.command) == ("Bring a second player back in", None)


class TestHeadline:
    def test_tells_what_the_table_does(self) -> None:
        mind = game_of(2, "milk2 egg0 fur1 pet0 scoring scoring scoring")
        heard = [mind.on(Page.TV).headline]
        mind.offer("Ana", "Ben", kind=EGG)
        heard.append(mind.on(Page.TV).headline)
        mind.accept("Ben")
        heard.append(mind.on(Page.TV).headline)
        mind.go_on()
        mind.keeps("Ben")
        mind.keeps("Ben")
        mind.takes("Ben")
        heard.append(mind.on(Page.TV).headline)
        mind.discard("Ben", EGG)
        for _ in range(3):
            mind.go_on()
            heard.append(mind.on(Page.TV).headline)
        mind.go_on()
        heard.append(mind.on(Page.TV).headline)
        assert heard == [
            "Ana has drawn a card",
            "Ana says to Ben: it is egg",
            "It is milk of value 2: Ben keeps it",
            "Ben chooses what to let go",
            "Scoring 1 of 3",
            "Scoring 2 of 3",
            "Scoring 3 of 3",
            "Ben wins",
        ]

    def test_tells_that_the_game_waits(self) -> None:
        mind = game_of(2, MANY)
        mind.sit_out("Ben")
        assert mind.on(Page.TV).headline == "Waiting for players"

    def test_does_not_say_that_one_who_left_keeps_a_card_that_leaves_the_game(self) -> None:
        mind = game_of(3, "milk2 egg0 fur1 pet0 milk0")
        for _ in range(3):
            mind.keeps("Ben")
        mind.takes("Ben")
        mind.sit_out("Ben")
        for seen in views_of_others(mind):
            assert seen.headline == "The pet of value 0 leaves the game"
            assert seen.card_left
            assert seen.discards == (card("pet0"),)
        mind.go_on()
        assert not mind.on(Page.TV).card_left
        mind.takes("Ana")
        assert not mind.on(Page.TV).card_left


class TestAfterAnOfferIsGone:
    def test_nothing_of_a_withdrawn_offer_is_left_on_any_page(self) -> None:
        mind = game_of(3, MANY)
        before = [as_bytes(mind.on(page)) for page in SHARED]
        mind.offer("Ana", "Ben", kind=PET)
        mind.sit_out("Ben")
        mind.sit_in("Ben")
        assert [as_bytes(mind.on(page)) for page in SHARED] == before

    def test_nothing_of_an_offer_is_left_where_the_game_waits(self) -> None:
        mind = game_of(2, MANY)
        mind.offer("Ana", "Ben", kind=PET)
        mind.sit_out("Ben")
        for seen in views_of_others(mind):
            assert (seen.phase, seen.claim, seen.offered_to) == (Phase.WAITING, None, None)

    def test_who_saw_a_card_and_was_skipped_is_not_shown_it_again_as_their_own(self) -> None:
        mind = game_of(3, MANY)
        mind.sit_out("Ana")
        mind.sit_in("Ana")
        assert mind.on_phone_of("Ana").card is None
        assert mind.on_phone_of("Ben").card == card("milk2")


def test_before_a_game_has_begun_there_is_nothing_to_see() -> None:
    mind = game_of(2, MANY)
    assert view(None, Options(), Viewer(Page.TV), mind.around) is None
