"""Who may do what and when (M2 to M9), who is waited for, and what happens when somebody leaves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.games import CLOCK, HOST, Actor, Rejected, Role
from pi_gm.games.animal_mind import commands, events
from pi_gm.games.animal_mind.cards import Kind
from pi_gm.games.animal_mind.decide import SECONDS_TO_LOOK, SECONDS_TO_SCORE, deadline, whose_move
from pi_gm.games.animal_mind.options import Options
from pi_gm.games.animal_mind.state import Phase
from pi_gm.players import SeatId
from tests.pi_gm.games.animal_mind.mind import (
    EGG,
    FUR,
    MILK,
    PET,
    Mind,
    card,
    game_of,
    pile_of,
    player,
    reason,
)

MANY = "milk2 egg0 fur1 pet0 milk1 egg1 fur0 pet2 milk0"
MILKS = "milk2 " * 9
THINKING = Options(think_seconds=30)


def offer(to: str, kind: Kind | None = None, value: int | None = None) -> commands.Offer:
    return commands.Offer(SeatId(to), kind, value)


def answering_ben(accepts: int) -> Mind:
    """Ana has offered a card to Ben, of whose decision cards so many are on accept; he came to that by answering."""
    mind = game_of(2, MILKS)
    while mind.accepts["Ben"] != accepts:
        mind.offer("Ana", "Ben", kind=MILK)
        if mind.accepts["Ben"] > accepts:
            mind.accept("Ben")
        else:
            mind.reject("Ben")
        mind.go_on()
        mind.keeps("Ben")
    mind.offer("Ana", "Ben", kind=MILK)
    return mind


class TestM2ATurn:
    def test_m2_whoever_draws_has_the_top_card_in_hand(self) -> None:
        mind = game_of(3, MANY)
        assert mind.state.drawn == card("milk2")
        assert mind.state.pile == pile_of(MANY)[1:]

    def test_m2_the_first_in_playing_order_begins(self) -> None:
        assert game_of(3, MANY).turn == "Ana"

    @pytest.mark.parametrize("kind", Kind)
    def test_m2_any_kind_may_be_said_true_or_false(self, kind: Kind) -> None:
        assert reason(game_of(2, MANY).by("Ana", offer("Ben", kind))) is None

    @pytest.mark.parametrize("value", [0, 1, 2])
    def test_m2_any_value_may_be_said_true_or_false(self, value: int) -> None:
        assert reason(game_of(2, MANY).by("Ana", offer("Ben", value=value))) is None

    @pytest.mark.parametrize("value", [-1, 3])
    def test_m2_a_value_that_no_card_has_cannot_be_said(self, value: int) -> None:
        assert reason(game_of(2, MANY).by("Ana", offer("Ben", value=value))) == "no-such-value"

    def test_m2_kind_and_value_cannot_both_be_said(self) -> None:
        assert reason(game_of(2, MANY).by("Ana", offer("Ben", MILK, 2))) == "say-one-thing"

    def test_m2_something_must_be_said(self) -> None:
        assert reason(game_of(2, MANY).by("Ana", offer("Ben"))) == "say-one-thing"

    @pytest.mark.parametrize("name", ["Ben", "Chloe", "Dora"])
    def test_m2_only_the_drawer_offers(self, name: str) -> None:
        assert reason(game_of(3, MANY, watching=1).by(name, offer("Ana", MILK))) == "not-your-turn"

    @pytest.mark.parametrize("to", ["Ana", "Dora", "nobody"])
    def test_m2_the_card_goes_to_another_player_and_not_to_oneself_a_watcher_or_a_stranger(
        self, to: str
    ) -> None:
        assert reason(game_of(3, MANY, watching=1).by("Ana", offer(to, MILK))) == "no-such-receiver"

    @pytest.mark.parametrize("to", ["Ben", "Chloe", "Dora"])
    def test_m2_any_other_player_may_be_chosen(self, to: str) -> None:
        mind = game_of(4, MANY)
        mind.offer("Ana", to, kind=MILK)
        assert whose_move(mind.state) == to

    def test_m2_an_offer_stands_and_cannot_be_changed(self) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        assert reason(mind.by("Ana", offer("Chloe", MILK))) == "not-your-turn"

    def test_m2_a_scoring_card_is_scored_at_once_and_the_same_player_draws_again(self) -> None:
        mind = game_of(2, "milk2 scoring egg1 pet0")
        mind.keeps("Ben")
        assert (mind.phase, mind.turn, mind.chips) == (Phase.SCORING, "Ben", {"Ana": 0, "Ben": 2})
        mind.go_on()
        assert (mind.phase, mind.turn, mind.state.drawn) == (Phase.OFFERING, "Ben", card("egg1"))

    def test_m2_after_two_scoring_cards_in_a_row_the_same_player_still_draws(self) -> None:
        mind = game_of(2, "milk2 scoring scoring egg1")
        mind.keeps("Ben")
        mind.go_on()
        assert (mind.phase, mind.state.scorings, mind.chips["Ben"]) == (Phase.SCORING, 2, 4)
        mind.go_on()
        assert (mind.turn, mind.state.drawn) == ("Ben", card("egg1"))

    def test_m2_a_scoring_card_on_top_of_the_first_pile_is_scored_before_anyone_offers(self) -> None:
        mind = game_of(2, "scoring milk2")
        assert (mind.phase, mind.turn, mind.state.scorings) == (Phase.SCORING, "Ana", 1)
        mind.go_on()
        assert (mind.turn, mind.state.drawn) == ("Ana", card("milk2"))

    def test_m2_during_a_scoring_nobody_can_offer(self) -> None:
        assert reason(game_of(2, "scoring milk2").by("Ana", offer("Ben", MILK))) == "not-your-turn"

    def test_m2_where_the_pile_has_run_out_there_is_nothing_to_offer(self) -> None:
        assert reason(game_of(2, "").by("Ana", offer("Ben", MILK))) == "no-card"


class TestM3TheAnswer:
    def test_m3_everyone_starts_with_two_decision_cards_on_accept(self) -> None:
        assert game_of(4, MANY).accepts == {"Ana": 2, "Ben": 2, "Chloe": 2, "Dora": 2}

    def test_m3_accepting_turns_a_card_of_the_receiver_and_of_nobody_else(self) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Chloe", kind=MILK)
        mind.accept("Chloe")
        assert mind.accepts == {"Ana": 2, "Ben": 2, "Chloe": 1}

    def test_m3_rejecting_turns_a_card_of_the_receiver_and_of_nobody_else(self) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Chloe", kind=MILK)
        mind.reject("Chloe")
        assert mind.accepts == {"Ana": 2, "Ben": 2, "Chloe": 3}

    @pytest.mark.parametrize("name", ["Ana", "Chloe", "Dora"])
    @pytest.mark.parametrize("answer", [commands.Accept(), commands.Reject()])
    def test_m3_only_the_receiver_answers(self, name: str, answer: commands.PlayerCommand) -> None:
        mind = game_of(3, MANY, watching=1)
        mind.offer("Ana", "Ben", kind=MILK)
        assert reason(mind.by(name, answer)) == "not-yours-to-answer"

    @pytest.mark.parametrize("answer", [commands.Accept(), commands.Reject()])
    def test_m3_nothing_can_be_answered_before_an_offer_or_twice(
        self, answer: commands.PlayerCommand
    ) -> None:
        mind = game_of(2, MANY)
        assert reason(mind.by("Ben", answer)) == "not-yours-to-answer"
        mind.offer("Ana", "Ben", kind=MILK)
        assert reason(mind.by("Ben", answer)) is None
        assert reason(mind.by("Ben", answer)) == "not-yours-to-answer"

    def test_m3_with_none_on_accept_only_rejecting_is_possible(self) -> None:
        mind = answering_ben(0)
        assert reason(mind.by("Ben", commands.Accept())) == "must-reject"
        assert (mind.phase, mind.accepts["Ben"]) == (Phase.ANSWERING, 0)
        mind.reject("Ben")
        assert mind.accepts["Ben"] == 1

    def test_m3_with_none_on_reject_only_accepting_is_possible(self) -> None:
        mind = answering_ben(3)
        assert reason(mind.by("Ben", commands.Reject())) == "must-accept"
        assert (mind.phase, mind.accepts["Ben"]) == (Phase.ANSWERING, 3)
        mind.accept("Ben")
        assert mind.accepts["Ben"] == 2

    @pytest.mark.parametrize("accepts", [0, 3])
    def test_m3_a_forced_answer_still_waits_for_the_press(self, accepts: int) -> None:
        mind = answering_ben(accepts)
        mind.pass_time(3600)
        assert (mind.phase, whose_move(mind.state)) == (Phase.ANSWERING, "Ben")

    @pytest.mark.parametrize(
        ("accepts", "answer", "forced"),
        [
            (0, commands.Reject(), True),
            (1, commands.Accept(), False),
            (1, commands.Reject(), False),
            (2, commands.Accept(), False),
            (2, commands.Reject(), False),
            (3, commands.Accept(), True),
        ],
    )
    def test_m3_whether_an_answer_was_forced_is_told(
        self, accepts: int, answer: commands.PlayerCommand, forced: bool
    ) -> None:
        mind = answering_ben(accepts)
        mind.by("Ben", answer)
        answered = [event for event in mind.happened if isinstance(event, events.Answered)][-1]
        assert answered.forced is forced
        assert mind.state.said[-1].forced is forced


class TestM4WhoKeepsTheCard:
    def test_m4_accepted_the_receiver_keeps_it(self) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Ben", kind=PET)
        mind.accept("Ben")
        assert (mind.collection("Ana"), mind.collection("Ben")) == ({}, {"milk": (2,)})

    def test_m4_rejected_the_one_who_offered_keeps_it(self) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Ben", kind=PET)
        mind.reject("Ben")
        assert (mind.collection("Ana"), mind.collection("Ben")) == ({"milk": (2,)}, {})

    @pytest.mark.parametrize("accepted", [True, False])
    def test_m4_either_way_it_is_shown_to_all(self, accepted: bool) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        mind.by("Ben", commands.Accept() if accepted else commands.Reject())
        (shown,) = (event for event in mind.happened if isinstance(event, events.CardShown))
        assert (shown.card, shown.taker) == (card("milk2"), "Ben" if accepted else "Ana")
        assert shown.opens

    def test_m4_a_collection_grows_in_the_order_in_which_cards_were_kept(self) -> None:
        mind = game_of(2, "milk2 milk0 milk1 egg0")
        for _ in range(3):
            mind.keeps("Ben")
        assert mind.collection("Ben") == {"milk": (2, 0, 1)}

    def test_m4_the_card_stays_until_everyone_has_looked(self) -> None:
        mind = game_of(2, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        mind.accept("Ben")
        mind.pass_time(SECONDS_TO_LOOK - 0.1)
        assert mind.phase is Phase.SHOWING
        mind.pass_time(0.1)
        assert (mind.phase, mind.turn) == (Phase.OFFERING, "Ben")


class TestM5Lies:
    LIES = (offer("Ben", EGG), offer("Ben", value=0), offer("Ben", value=1))
    TRUTHS = (offer("Ben", MILK), offer("Ben", value=2))

    @pytest.fixture
    def mind(self) -> Mind:
        """Ana draws a milk of value 2, and she has two chips."""
        mind = game_of(2, "egg2 egg0 scoring milk2 fur0")
        mind.keeps("Ana")
        mind.keeps("Ben")
        mind.go_on()
        assert (mind.turn, mind.state.drawn, mind.chips) == ("Ana", card("milk2"), {"Ana": 2, "Ben": 0})
        return mind

    @pytest.mark.parametrize("answer", [commands.Accept(), commands.Reject()])
    @pytest.mark.parametrize("lie", LIES)
    def test_m5_a_false_kind_or_value_costs_a_chip_whatever_the_answer(
        self, mind: Mind, lie: commands.Offer, answer: commands.PlayerCommand
    ) -> None:
        mind.by("Ana", lie)
        assert mind.chips["Ana"] == 2, "a lie costs nothing before it is shown"
        mind.by("Ben", answer)
        assert mind.chips == {"Ana": 1, "Ben": 0}

    @pytest.mark.parametrize("answer", [commands.Accept(), commands.Reject()])
    @pytest.mark.parametrize("truth", TRUTHS)
    def test_m5_the_truth_costs_nothing(
        self, mind: Mind, truth: commands.Offer, answer: commands.PlayerCommand
    ) -> None:
        mind.by("Ana", truth)
        mind.by("Ben", answer)
        assert mind.chips == {"Ana": 2, "Ben": 0}
        assert mind.state.said[-1].was_true

    @pytest.mark.parametrize("answer", [commands.Accept(), commands.Reject()])
    def test_m5_one_who_has_no_chip_loses_none(self, answer: commands.PlayerCommand) -> None:
        mind = game_of(2, MANY)
        mind.by("Ana", offer("Ben", EGG))
        mind.by("Ben", answer)
        assert mind.chips == {"Ana": 0, "Ben": 0}
        assert not mind.state.said[-1].was_true
        assert not mind.state.chip_lost

    def test_m5_what_the_receiver_believed_costs_nobody_anything(self, mind: Mind) -> None:
        mind.keeps("Ben")
        before = dict(mind.chips)
        mind.offer("Ben", "Ana", kind=FUR)
        mind.reject("Ana")
        assert mind.chips == before


class TestM6ThreeKindsAtMost:
    def held_by_ben(self, cards: str, then: str) -> Mind:
        """Ben has kept ``cards`` one after the other; the next is ``then``."""
        mind = game_of(3, f"{cards} {then} milk0 milk0")
        for _ in cards.split():
            mind.keeps("Ben")
        return mind

    @pytest.fixture
    def choosing(self) -> Mind:
        """Ben holds two milk, two eggs and a fur, took a pet, and has to let go of milk or eggs."""
        mind = self.held_by_ben("milk2 milk1 egg0 egg1 fur1", "pet2")
        mind.takes("Ben")
        return mind

    def test_m6_the_kind_held_most_goes_whole_and_then_the_new_card_is_kept(self) -> None:
        mind = self.held_by_ben("milk2 milk1 egg0 fur1", "pet2")
        mind.takes("Ben")
        assert mind.phase is Phase.SHOWING
        assert mind.collection("Ben") == {"egg": (0,), "fur": (1,), "pet": (2,)}
        assert mind.state.discards == (card("milk2"), card("milk1"))

    def test_m6_a_card_of_a_kind_already_held_lets_nothing_go(self) -> None:
        mind = self.held_by_ben("milk2 egg0 egg1 fur1", "egg2")
        mind.takes("Ben")
        assert mind.collection("Ben") == {"milk": (2,), "egg": (0, 1, 2), "fur": (1,)}
        assert mind.state.discards == ()

    def test_m6_on_a_tie_the_taker_chooses(self, choosing: Mind) -> None:
        assert (choosing.phase, whose_move(choosing.state)) == (Phase.CHOOSING, "Ben")
        assert choosing.state.choice == (MILK, EGG)
        choosing.discard("Ben", EGG)
        assert choosing.phase is Phase.SHOWING
        assert choosing.collection("Ben") == {"milk": (2, 1), "fur": (1,), "pet": (2,)}
        assert choosing.state.discards == (card("egg0"), card("egg1"))

    @pytest.mark.parametrize("kind", [FUR, PET])
    def test_m6_neither_a_kind_held_less_nor_the_new_one_can_be_let_go(
        self, choosing: Mind, kind: Kind
    ) -> None:
        assert reason(choosing.by("Ben", commands.Discard(kind))) == "not-that-kind"

    @pytest.mark.parametrize("name", ["Ana", "Chloe"])
    def test_m6_nobody_else_chooses(self, choosing: Mind, name: str) -> None:
        assert reason(choosing.by(name, commands.Discard(MILK))) == "nothing-to-discard"

    def test_m6_a_choice_is_made_once(self, choosing: Mind) -> None:
        choosing.discard("Ben", MILK)
        assert reason(choosing.by("Ben", commands.Discard(EGG))) == "nothing-to-discard"

    def test_m6_without_a_tie_there_is_nothing_to_choose(self) -> None:
        mind = self.held_by_ben("milk2 milk1 egg0 fur1", "pet2")
        assert reason(mind.by("Ben", commands.Discard(MILK))) == "nothing-to-discard"
        mind.takes("Ben")
        assert reason(mind.by("Ben", commands.Discard(EGG))) == "nothing-to-discard"

    def test_m6_the_game_waits_for_the_choice(self, choosing: Mind) -> None:
        assert reason(choosing.host(commands.GoOn())) == "nothing-to-look-at"
        choosing.pass_time(3600)
        assert choosing.phase is Phase.CHOOSING

    def test_m6_the_drawer_whose_card_was_rejected_makes_room_too(self) -> None:
        mind = game_of(2, "milk2 fur0 egg0 fur0 fur1 fur0 pet1")
        for name in ("Ana", "Ben") * 3:
            mind.keeps(name)
        mind.takes("Ana")
        assert whose_move(mind.state) == "Ana"
        mind.discard("Ana", MILK)
        assert mind.collection("Ana") == {"egg": (0,), "fur": (1,), "pet": (1,)}

    def test_m6_a_lie_costs_its_chip_before_the_kind_is_chosen(self) -> None:
        mind = game_of(2, "milk2 fur0 egg2 fur0 scoring fur1 fur0 pet1")
        for name in ("Ana", "Ben"):
            mind.keeps(name)
        mind.keeps("Ana")
        mind.keeps("Ben")
        mind.go_on()
        mind.keeps("Ana")
        mind.keeps("Ben")
        assert mind.chips["Ana"] == 4
        mind.takes("Ana", kind=MILK)
        assert (mind.phase, mind.chips["Ana"]) == (Phase.CHOOSING, 3)

    def test_m6_the_choice_does_not_change_whose_turn_is_next(self, choosing: Mind) -> None:
        drawer = choosing.turn
        choosing.discard("Ben", MILK)
        choosing.go_on()
        order = ("Ana", "Ben", "Chloe")
        assert choosing.turn == order[(order.index(drawer) + 1) % 3]


class TestM7Scoring:
    def test_m7_everyone_gets_chips_and_the_cards_stay(self) -> None:
        mind = game_of(2, "milk1 fur0 milk2 fur1 scoring pet0")
        for name in ("Ana", "Ben") * 2:
            mind.keeps(name)
        assert mind.phase is Phase.SCORING
        assert mind.chips == {"Ana": 4, "Ben": 2}
        assert mind.state.scores == (("Ana", 4), ("Ben", 2))
        assert mind.collection("Ana") == {"milk": (1, 2)}

    def test_m7_the_same_cards_score_again_at_the_next_scoring(self) -> None:
        mind = game_of(2, "milk2 scoring fur1 scoring pet0")
        mind.keeps("Ana")
        mind.go_on()
        mind.keeps("Ben")
        assert mind.chips == {"Ana": 4, "Ben": 1}

    def test_m7_what_was_discarded_scores_nothing(self) -> None:
        mind = game_of(2, "milk2 milk2 egg0 fur0 pet1 scoring")
        for _ in range(5):
            mind.keeps("Ben")
        assert mind.chips == {"Ana": 0, "Ben": 1}

    def test_m7_a_scoring_stays_until_everyone_has_looked(self) -> None:
        mind = game_of(2, "scoring milk2")
        mind.pass_time(SECONDS_TO_SCORE - 0.1)
        assert (mind.phase, mind.state.drawn) == (Phase.SCORING, None)
        mind.pass_time(0.1)
        assert (mind.phase, mind.state.drawn) == (Phase.OFFERING, card("milk2"))

    def test_m7_one_who_sits_out_scores_what_they_hold(self) -> None:
        mind = game_of(3, "milk2 scoring fur0")
        mind.takes("Ben")
        mind.sit_out("Ben")
        mind.go_on()
        assert mind.chips["Ben"] == 2


class TestM8TheEnd:
    def test_m8_the_game_ends_after_the_third_scoring(self) -> None:
        mind = game_of(2, "milk2 scoring scoring scoring fur0")
        mind.keeps("Ben")
        for _ in range(2):
            mind.go_on()
        assert (mind.phase, mind.state.scorings) == (Phase.SCORING, 3)
        mind.go_on()
        assert (mind.phase, mind.state.winners) == (Phase.OVER, ("Ben",))
        assert mind.chips["Ben"] == 6

    def test_m8_it_ends_by_itself_when_everyone_has_looked(self) -> None:
        mind = game_of(2, "scoring scoring scoring")
        mind.pass_time(3 * SECONDS_TO_SCORE)
        assert mind.phase is Phase.OVER
        assert deadline(mind.state) is None

    def test_m8_it_does_not_end_before(self) -> None:
        mind = game_of(2, "scoring scoring fur0")
        mind.pass_time(3600)
        assert (mind.phase, mind.state.winners) == (Phase.OFFERING, ())

    def test_m8_tied_the_one_with_most_cards_wins(self) -> None:
        mind = game_of(2, "milk0 fur0 milk0 scoring scoring scoring")
        for name in ("Ana", "Ben", "Ana"):
            mind.keeps(name)
        mind.pass_time(3600)
        assert mind.state.winners == ("Ana",)

    def test_m8_still_tied_they_share(self) -> None:
        mind = game_of(3, "milk1 fur1 milk0 scoring scoring scoring")
        for name in ("Ana", "Ben", "Chloe"):
            mind.keeps(name)
        mind.pass_time(3600)
        assert mind.state.winners == ("Ana", "Ben")

    @pytest.mark.parametrize(
        ("actor", "command"),
        [
            (player("Ana"), offer("Ben", MILK)),
            (player("Ben"), commands.Accept()),
            (HOST, commands.GoOn()),
            (HOST, commands.CallOn()),
            (CLOCK, commands.TimeUp()),
            (CLOCK, commands.SeatsChanged()),
        ],
    )
    def test_m8_after_the_end_nothing_can_be_done(self, actor: Actor, command: commands.AnyCommand) -> None:
        mind = game_of(2, "scoring scoring scoring")
        mind.pass_time(3600)
        assert reason(mind.ask(command, actor)) == "game-is-over"


class TestM9ToTheLeft:
    @pytest.mark.parametrize("takers", [("Ana", "Ana", "Ana", "Ana"), ("Chloe", "Ana", "Ben", "Chloe")])
    def test_m9_the_turn_passes_to_the_left_whoever_took_the_card(self, takers: tuple[str, ...]) -> None:
        mind = game_of(3, MILKS)
        turns = []
        for taker in takers:
            turns.append(mind.turn)
            mind.keeps(taker)
        assert turns == ["Ana", "Ben", "Chloe", "Ana"]

    def test_m9_the_left_is_by_the_order_that_the_host_chose(self) -> None:
        mind = game_of(3, MILKS)
        mind.begin_with(pile_of(MILKS), players=3)
        backwards = Mind(tuple(reversed(mind.seats)))
        backwards.begin_with(pile_of(MILKS), players=3)
        assert backwards.turn == "Chloe"
        backwards.keeps("Ana")
        assert backwards.turn == "Ben"


class TestWhoMaySayWhat:
    @pytest.mark.parametrize(
        ("command", "roles"),
        [
            (offer("Ben", MILK), {Role.PLAYER}),
            (commands.Accept(), {Role.PLAYER}),
            (commands.Reject(), {Role.PLAYER}),
            (commands.Discard(MILK), {Role.PLAYER}),
            (commands.GoOn(), {Role.HOST}),
            (commands.CallOn(), {Role.HOST}),
            (commands.TimeUp(), {Role.CLOCK}),
            (commands.SeatsChanged(), {Role.CLOCK}),
        ],
    )
    def test_a_command_of_another_part_is_refused(
        self, command: commands.AnyCommand, roles: set[Role]
    ) -> None:
        refused = {
            role
            for role in Role
            if reason(game_of(2, MANY).ask(command, Actor(role, SeatId("Ana")))) == "not-yours-to-say"
        }
        assert refused == set(Role) - roles

    def test_the_host_has_nothing_to_go_on_from_while_somebody_is_waited_for(self) -> None:
        mind = game_of(2, MANY)
        assert reason(mind.host(commands.GoOn())) == "nothing-to-look-at"
        mind.offer("Ana", "Ben", kind=MILK)
        assert reason(mind.host(commands.GoOn())) == "nothing-to-look-at"


class TestPause:
    @pytest.mark.parametrize(
        ("actor", "command"),
        [
            (player("Ana"), offer("Ben", MILK)),
            (HOST, commands.CallOn()),
            (CLOCK, commands.TimeUp()),
        ],
    )
    def test_while_the_game_is_paused_nothing_is_played(
        self, actor: Actor, command: commands.AnyCommand
    ) -> None:
        mind = game_of(2, MANY)
        mind.is_paused = True
        assert reason(mind.ask(command, actor)) == "paused"

    def test_an_answer_waits_for_the_end_of_the_pause(self) -> None:
        mind = game_of(2, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        mind.is_paused = True
        assert reason(mind.by("Ben", commands.Accept())) == "paused"
        mind.is_paused = False
        mind.accept("Ben")

    def test_who_leaves_during_a_pause_is_not_waited_for_after_it(self) -> None:
        mind = game_of(3, MANY)
        mind.is_paused = True
        mind.sit_out("Ana")
        mind.is_paused = False
        assert mind.turn == "Ben"


class TestThinkingTime:
    def test_by_default_nobody_is_ever_called_on(self) -> None:
        mind = game_of(2, MANY)
        assert deadline(mind.state) is None
        mind.offer("Ana", "Ben", kind=MILK)
        assert deadline(mind.state) is None

    def test_the_drawer_is_called_by_name_and_nothing_is_played_for_them(self) -> None:
        mind = game_of(2, MANY, options=THINKING)
        before = mind.state
        mind.pass_time(29.9)
        assert mind.state == before
        mind.pass_time(0.1)
        assert mind.happened[-1] == events.CalledOn(SeatId("Ana"))
        assert mind.said[-1] == "Ana, it is your turn."
        assert (mind.phase, mind.state.drawn, mind.state.pile) == (
            Phase.OFFERING,
            before.drawn,
            before.pile,
        )
        mind.offer("Ana", "Ben", kind=MILK)

    def test_the_receiver_has_a_time_of_their_own(self) -> None:
        mind = game_of(2, MANY, options=THINKING)
        mind.pass_time(20)
        mind.offer("Ana", "Ben", kind=MILK)
        mind.pass_time(29)
        assert not mind.state.called
        mind.pass_time(1)
        assert mind.happened[-1] == events.CalledOn(SeatId("Ben"))
        assert mind.phase is Phase.ANSWERING
        mind.accept("Ben")

    def test_the_taker_who_must_choose_has_one_too(self) -> None:
        mind = game_of(2, "milk0 egg0 fur0 pet0", options=THINKING)
        for _ in range(3):
            mind.keeps("Ben")
        mind.takes("Ben")
        mind.pass_time(30)
        assert mind.happened[-1] == events.CalledOn(SeatId("Ben"))
        assert mind.phase is Phase.CHOOSING

    def test_who_was_called_is_not_called_again_by_the_clock(self) -> None:
        mind = game_of(2, MANY, options=THINKING)
        mind.pass_time(3600)
        assert sum(isinstance(event, events.CalledOn) for event in mind.happened) == 1

    def test_while_everyone_looks_at_a_card_nobody_is_called_on(self) -> None:
        mind = game_of(2, MANY, options=Options(think_seconds=1))
        mind.takes("Ben")
        mind.pass_time(SECONDS_TO_LOOK - 1)
        assert not any(isinstance(event, events.CalledOn) for event in mind.happened)

    def test_whoever_answered_after_being_called_is_no_longer_called(self) -> None:
        mind = game_of(2, "milk0 egg0 fur0 pet0 milk0")
        for _ in range(3):
            mind.keeps("Ben")
        mind.takes("Ben")
        mind.host(commands.CallOn())
        assert mind.on_phone_of("Ben").was_called
        mind.discard("Ben", MILK)
        assert not mind.on_phone_of("Ben").was_called

    def test_the_host_calls_on_whoever_is_waited_for(self) -> None:
        mind = game_of(2, MANY)
        mind.host(commands.CallOn())
        mind.offer("Ana", "Ben", kind=MILK)
        mind.host(commands.CallOn())
        called = [event.seat for event in mind.happened if isinstance(event, events.CalledOn)]
        assert called == ["Ana", "Ben"]

    def test_while_everyone_looks_there_is_nobody_to_call(self) -> None:
        mind = game_of(2, MANY)
        mind.takes("Ben")
        assert reason(mind.host(commands.CallOn())) == "nobody-to-call"


class TestWhoLeaves:
    def test_the_turn_of_a_drawer_who_leaves_is_skipped_and_the_next_draws_the_same_card(self) -> None:
        mind = game_of(3, MANY)
        mind.sit_out("Ana")
        assert (mind.phase, mind.turn, mind.state.drawn) == (Phase.OFFERING, "Ben", card("milk2"))
        assert mind.state.pile == pile_of(MANY)[1:]

    def test_the_turns_of_one_who_is_away_are_skipped(self) -> None:
        mind = game_of(3, MILKS)
        mind.sit_out("Ben")
        mind.keeps("Chloe")
        assert mind.turn == "Chloe"

    def test_a_card_cannot_be_offered_to_one_who_is_away(self) -> None:
        mind = game_of(3, MANY)
        mind.sit_out("Ben")
        assert reason(mind.by("Ana", offer("Ben", MILK))) == "receiver-gone"
        assert mind.on_phone_of("Ana").receivers == ("Chloe",)

    def test_the_collection_chips_and_decision_cards_of_one_who_is_away_stay(self) -> None:
        mind = game_of(3, "milk2 scoring egg0 egg0 egg0")
        mind.keeps("Ana")
        mind.go_on()
        before = mind.hand("Ana")
        mind.sit_out("Ana")
        mind.keeps("Ben")
        mind.keeps("Chloe")
        assert mind.hand("Ana") == before

    def test_an_offer_to_one_who_leaves_is_withdrawn_and_the_drawer_offers_anew(self) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        mind.sit_out("Ben")
        assert (mind.phase, mind.turn, mind.state.drawn) == (Phase.OFFERING, "Ana", card("milk2"))
        assert (mind.state.to, mind.state.claim, mind.state.said) == (None, None, ())
        assert mind.accepts["Ben"] == 2
        mind.offer("Ana", "Chloe", kind=EGG)
        mind.accept("Chloe")

    def test_an_offer_of_a_drawer_who_leaves_stands_and_is_answered(self) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        mind.sit_out("Ana")
        assert whose_move(mind.state) == "Ben"
        mind.reject("Ben")
        assert mind.collection("Ana") == {"milk": (2,)}
        mind.go_on()
        assert mind.turn == "Ben"

    @pytest.mark.parametrize("leaving", [("Ana", "Ben"), ("Ben", "Ana")])
    def test_where_drawer_and_receiver_leave_the_card_goes_back_and_the_next_draws_it(
        self, leaving: tuple[str, ...]
    ) -> None:
        mind = game_of(4, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        mind.sit_out(*leaving)
        assert (mind.phase, mind.turn, mind.state.drawn) == (Phase.OFFERING, "Chloe", card("milk2"))

    def test_who_is_not_waited_for_leaves_without_a_word(self) -> None:
        mind = game_of(3, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        before, said = mind.state, len(mind.said)
        mind.sit_out("Chloe")
        assert (mind.state, len(mind.said)) == (before, said)

    def test_a_watcher_who_leaves_changes_nothing(self) -> None:
        mind = game_of(2, MANY, watching=1)
        before = mind.state
        mind.sit_out("Chloe")
        assert mind.state == before

    def test_one_who_leaves_while_a_card_is_shown_is_passed_over_afterwards(self) -> None:
        mind = game_of(3, MILKS)
        mind.takes("Chloe")
        mind.sit_out("Ben")
        assert mind.phase is Phase.SHOWING
        mind.go_on()
        assert mind.turn == "Chloe"

    def test_one_who_drew_a_scoring_card_and_leaves_does_not_draw_again(self) -> None:
        mind = game_of(3, "scoring milk2")
        mind.sit_out("Ana")
        assert mind.phase is Phase.SCORING
        mind.go_on()
        assert (mind.turn, mind.state.drawn) == ("Ben", card("milk2"))

    def test_a_skipped_turn_gives_the_next_their_own_time_to_think(self) -> None:
        mind = game_of(3, MANY, options=THINKING)
        mind.pass_time(29)
        mind.sit_out("Ana")
        mind.pass_time(29)
        assert not mind.state.called
        mind.pass_time(1)
        assert mind.happened[-1] == events.CalledOn(SeatId("Ben"))


class TestATakerWhoIsAway:
    def absent_taker(self, cards: str) -> Mind:
        """Ana holds ``cards``, has offered a pet to Ben and left."""
        mind = game_of(3, f"{cards} pet1 egg0")
        for _ in cards.split():
            mind.keeps("Ana")
        mind.offer("Ana", "Ben", kind=PET)
        mind.sit_out("Ana")
        return mind

    def test_keeps_the_card_where_there_is_room(self) -> None:
        mind = self.absent_taker("milk0 milk1 milk2")
        mind.reject("Ben")
        assert mind.collection("Ana") == {"milk": (0, 1, 2), "pet": (1,)}

    def test_lets_the_kind_held_most_go_where_there_is_nothing_to_choose(self) -> None:
        mind = self.absent_taker("milk0 egg1 fur2 milk0 milk0 milk0")
        mind.reject("Ben")
        assert mind.collection("Ana") == {"egg": (1,), "fur": (2,), "pet": (1,)}

    def test_cannot_choose_on_a_tie_so_the_collection_stays_and_the_card_leaves_the_game(self) -> None:
        mind = self.absent_taker("milk0 egg1 fur2")
        mind.reject("Ben")
        assert mind.phase is Phase.SHOWING
        assert mind.collection("Ana") == {"milk": (0,), "egg": (1,), "fur": (2,)}
        assert mind.state.discards == (card("pet1"),)
        mind.go_on()
        assert (mind.turn, mind.state.drawn) == ("Ben", card("egg0"))

    def test_who_leaves_instead_of_choosing_gives_the_card_up(self) -> None:
        mind = game_of(3, "milk0 egg1 fur2 pet1 egg0")
        for _ in range(3):
            mind.keeps("Chloe")
        mind.takes("Chloe")
        mind.sit_out("Chloe")
        assert mind.phase is Phase.SHOWING
        assert mind.collection("Chloe") == {"milk": (0,), "egg": (1,), "fur": (2,)}
        assert mind.state.discards == (card("pet1"),)
        assert reason(mind.by("Chloe", commands.Discard(MILK))) == "nothing-to-discard"
        mind.pass_time(SECONDS_TO_LOOK)
        assert mind.turn == "Ben"


class TestTooFewAreLeft:
    def test_where_one_is_left_the_game_waits_and_the_card_lies_on_the_pile_again(self) -> None:
        mind = game_of(2, MANY)
        mind.sit_out("Ana")
        assert (mind.phase, whose_move(mind.state), deadline(mind.state)) == (Phase.WAITING, None, None)
        assert (mind.state.drawn, mind.state.pile) == (None, pile_of(MANY))

    @pytest.mark.parametrize(
        ("actor", "command"),
        [
            (player("Ben"), offer("Ana", MILK)),
            (player("Ben"), commands.Accept()),
            (player("Ben"), commands.Discard(MILK)),
            (HOST, commands.GoOn()),
            (HOST, commands.CallOn()),
        ],
    )
    def test_while_the_game_waits_nothing_can_be_played(
        self, actor: Actor, command: commands.AnyCommand
    ) -> None:
        mind = game_of(2, MANY)
        mind.sit_out("Ana")
        assert reason(mind.ask(command, actor)) is not None
        assert mind.phase is Phase.WAITING

    @pytest.mark.parametrize("has_offered", [False, True])
    def test_a_drawer_whom_all_others_leave_puts_the_card_back_and_has_the_turn_when_one_is_back(
        self, has_offered: bool
    ) -> None:
        mind = game_of(3, MANY)
        if has_offered:
            mind.offer("Ana", "Ben", kind=MILK)
        mind.sit_out("Chloe", "Ben")
        assert (mind.phase, mind.state.drawn, mind.state.claim) == (Phase.WAITING, None, None)
        mind.sit_in("Chloe")
        assert (mind.phase, mind.turn, mind.state.drawn) == (Phase.OFFERING, "Ana", card("milk2"))

    def test_a_drawer_who_left_was_skipped_and_the_next_to_the_left_draws_when_they_are_back(self) -> None:
        mind = game_of(2, MANY)
        mind.sit_out("Ana")
        mind.sit_in("Ana")
        assert (mind.phase, mind.turn, mind.state.drawn) == (Phase.OFFERING, "Ben", card("milk2"))

    @pytest.mark.parametrize("leaving", ["Ana", "Ben"])
    def test_m9_where_one_leaves_after_a_turn_the_turn_has_still_passed_to_the_left(
        self, leaving: str
    ) -> None:
        mind = game_of(2, MANY)
        mind.takes("Ben")
        mind.sit_out(leaving)
        mind.go_on()
        assert mind.phase is Phase.WAITING
        mind.sit_in(leaving)
        assert (mind.phase, mind.turn) == (Phase.OFFERING, "Ben")

    @pytest.mark.parametrize("leaving", ["Ana", "Ben"])
    def test_m2_where_one_leaves_during_a_scoring_the_drawer_of_it_still_draws_again(
        self, leaving: str
    ) -> None:
        mind = game_of(2, "scoring milk2")
        mind.sit_out(leaving)
        mind.go_on()
        assert mind.phase is Phase.WAITING
        mind.sit_in(leaving)
        assert (mind.phase, mind.turn) == (Phase.OFFERING, "Ana")

    def test_where_somebody_else_is_back_first_the_turn_is_theirs(self) -> None:
        mind = game_of(4, MANY)
        mind.sit_out("Ben", "Chloe", "Dora")
        mind.sit_out("Ana")
        mind.sit_in("Dora")
        assert mind.phase is Phase.WAITING
        mind.sit_in("Chloe")
        assert (mind.phase, mind.turn, mind.state.drawn) == (Phase.OFFERING, "Chloe", card("milk2"))

    def test_a_watcher_does_not_stand_in(self) -> None:
        mind = game_of(2, MANY, watching=2)
        mind.sit_out("Ana", "Dora")
        mind.sit_in("Dora")
        assert mind.phase is Phase.WAITING

    def test_a_receiver_left_alone_still_answers_and_then_the_game_waits(self) -> None:
        mind = game_of(2, MANY)
        mind.offer("Ana", "Ben", kind=MILK)
        mind.sit_out("Ana")
        mind.accept("Ben")
        mind.go_on()
        assert mind.phase is Phase.WAITING

    def test_a_scoring_card_on_top_waits_too_and_is_scored_when_somebody_is_back(self) -> None:
        mind = game_of(2, "milk2 scoring egg0")
        mind.takes("Ben")
        mind.sit_out("Ana")
        mind.go_on()
        assert (mind.phase, mind.state.scorings) == (Phase.WAITING, 0)
        mind.sit_in("Ana")
        assert (mind.phase, mind.turn, mind.chips["Ben"]) == (Phase.SCORING, "Ben", 2)

    def test_the_end_needs_nobody(self) -> None:
        mind = game_of(2, "scoring scoring scoring")
        mind.go_on()
        mind.go_on()
        mind.sit_out("Ana", "Ben")
        mind.pass_time(SECONDS_TO_SCORE)
        assert mind.phase is Phase.OVER

    def test_one_who_is_back_is_offered_cards_and_has_turns_again(self) -> None:
        mind = game_of(3, MILKS)
        mind.sit_out("Ben")
        mind.sit_in("Ben")
        mind.keeps("Ben")
        assert mind.turn == "Ben"


@given(st.permutations(["Ana", "Ben", "Chloe"]), st.permutations(["Ana", "Ben", "Chloe"]))
def test_in_whatever_order_all_leave_and_come_back_the_same_card_is_drawn(
    leaving: list[str], coming: list[str]
) -> None:
    mind = game_of(3, MANY)
    mind.sit_out(*leaving)
    assert (mind.phase, mind.state.pile) == (Phase.WAITING, pile_of(MANY))
    mind.sit_in(*coming)
    assert (mind.phase, mind.state.drawn) == (Phase.OFFERING, card("milk2"))


def test_a_late_press_skips_nothing_newer() -> None:
    mind = game_of(2, "milk1 scoring egg0")
    mind.takes("Ben")
    pressed_twice = commands.GoOn(mind.state.go_on_at)
    mind.pass_time(1)
    mind.host(pressed_twice)
    assert mind.phase is Phase.SCORING
    refused = mind.host(pressed_twice)
    assert isinstance(refused, Rejected)
    assert refused.reason == "nothing-to-look-at"
