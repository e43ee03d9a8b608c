"""A game at the table: who sits out, what the host takes back, the clock, a pause, a power cut, the journal."""

from pathlib import Path
from typing import get_args

import pytest

from pi_gm import night as nights
from pi_gm.games import HOST, Page, Rejected
from pi_gm.games.animal_mind import GAME, commands, events
from pi_gm.games.animal_mind.cards import SCORING
from pi_gm.games.animal_mind.decide import SECONDS_TO_LOOK, SECONDS_TO_SCORE
from pi_gm.games.animal_mind.state import Phase
from pi_gm.journal import Journal, export, read_export
from pi_gm.night import House
from pi_gm.players import SeatId
from pi_gm.room import no_sensors
from tests.pi_gm.games.animal_mind.at_table import EveningOfMind
from tests.pi_gm.games.animal_mind.mind import EGG, FUR, MILK, PET, card, pile_of

MANY = "milk2 egg0 fur1 pet0 milk1 egg1"


def evening(players: int = 3, pile: str = MANY, **options: object) -> EveningOfMind:
    """A game that has begun."""
    names = ("Ana", "Ben", "Chloe", "Dora", "Emil")[:players]
    it = EveningOfMind(*names, pile=pile_of(pile))
    it.begin(**options)
    return it


def phase(it: EveningOfMind) -> Phase:
    return it.game.phase


def ana_must_choose() -> EveningOfMind:
    """Ana holds a milk, a fur and a pet, and accepted an egg."""
    it = evening(3, "milk2 egg0 fur1 pet0 milk1 egg1 egg2")
    turns = (
        ("Ana", "Ben", commands.Reject()),
        ("Ben", "Chloe", commands.Accept()),
        ("Chloe", "Ana", commands.Accept()),
        ("Ana", "Chloe", commands.Reject()),
        ("Ben", "Chloe", commands.Accept()),
    )
    for name, to, answer in turns:
        it.offer(name, to, value=0)
        it.accepted(answer, it.actor(to))
        it.go_on()
    it.offer("Chloe", "Ana", value=0)
    it.accept("Ana")
    assert (phase(it), it.game.taker) == (Phase.CHOOSING, it.seat("Ana"))
    return it


class TestSittingOut:
    def test_when_the_drawer_sits_out_the_next_draws_at_once(self) -> None:
        it = evening()
        it.sit_out("Ana")
        assert (phase(it), it.turn) == (Phase.OFFERING, "Ben")
        assert it.mind_on_phone_of("Ben").card == card("milk2")

    def test_when_the_receiver_sits_out_the_offer_is_withdrawn_at_once(self) -> None:
        it = evening()
        it.offer("Ana", "Ben", kind=MILK)
        it.sit_out("Ben")
        assert (phase(it), it.turn) == (Phase.OFFERING, "Ana")
        assert it.mind_on_phone_of("Ana").receivers == (it.seat("Chloe"),)

    def test_when_the_taker_who_must_choose_sits_out_the_card_leaves_the_game(self) -> None:
        it = ana_must_choose()
        it.sit_out("Ana")
        assert (phase(it), it.game.discards) == (Phase.SHOWING, (card("egg1"),))
        assert it.said[-1] == "Ana is away, so the egg of value 1 leaves the game."

    def test_taking_back_that_the_taker_sits_out_lets_them_choose(self) -> None:
        it = ana_must_choose()
        before = it.game
        it.sit_out("Ana")
        it.undo()
        assert it.game == before
        it.discard("Ana", PET)

    @pytest.mark.parametrize("step", ["offering", "answering"])
    def test_taking_a_sitting_out_back_restores_what_it_changed(self, step: str) -> None:
        it = evening()
        leaving = "Ana"
        if step == "answering":
            it.offer("Ana", "Ben", kind=MILK)
            leaving = "Ben"
        before = it.game
        it.sit_out(leaving)
        assert it.game != before
        it.undo()
        assert it.game == before
        assert not any(seat.sits_out for seat in it.night.seats)

    def test_taking_a_coming_back_back_lets_the_game_wait_again(self) -> None:
        it = evening(2)
        it.sit_out("Ben")
        before = it.game
        assert before.phase is Phase.WAITING
        it.sit_in("Ben")
        assert phase(it) is Phase.OFFERING
        it.undo()
        assert it.game == before

    def test_once_the_next_drawer_has_offered_the_sitting_out_cannot_be_taken_back_any_more(self) -> None:
        it = evening()
        it.sit_out("Ana")
        it.offer("Ben", "Chloe", kind=MILK)
        assert it.on(Page.HOST).undo is None
        it.sit_in("Ana")
        it.accept("Chloe")
        assert it.game.hand(it.seat("Chloe")).collection

    def test_who_sits_out_while_the_game_is_paused_is_not_waited_for_after_it(self) -> None:
        it = evening()
        it.host(nights.Pause("snacks"))
        it.sit_out("Ana")
        it.host(nights.Resume("snacks"))
        assert it.turn == "Ben"

    def test_where_one_is_left_the_game_waits_and_goes_on_when_one_is_back(self) -> None:
        it = evening()
        it.sit_out("Ben")
        it.sit_out("Chloe")
        assert phase(it) is Phase.WAITING
        assert it.due is None
        it.sit_in("Ben")
        assert (phase(it), it.turn) == (Phase.OFFERING, "Ana")

    def test_a_watcher_who_sits_out_is_heard_of_and_changes_nothing(self) -> None:
        it = evening(5)
        before = it.game
        it.sit_out("Emil")
        assert it.game == before

    def test_before_a_game_and_after_it_nobody_is_told(self) -> None:
        it = EveningOfMind("Ana", "Ben", "Chloe", pile=pile_of("scoring scoring scoring"))
        it.sit_out("Chloe")
        it.begin()
        it.pass_time(3 * SECONDS_TO_SCORE)
        assert phase(it) is Phase.OVER
        it.sit_out("Ana")
        assert phase(it) is Phase.OVER


class TestTakingBack:
    def test_the_beginning_can_be_taken_back_until_somebody_has_offered(self) -> None:
        it = evening()
        it.undo()
        assert it.night.play is None
        it.begin()
        it.offer("Ana", "Ben", kind=MILK)
        assert it.on(Page.HOST).undo is None

    def test_going_on_can_be_taken_back_and_gives_the_time_to_look_back(self) -> None:
        it = evening()
        it.offer("Ana", "Ben", kind=MILK)
        it.accept("Ben")
        it.pass_time(3)
        before = it.game
        it.go_on()
        it.pass_time(60)
        it.undo()
        assert it.game == before
        it.pass_time(SECONDS_TO_LOOK - 3.1)
        assert phase(it) is Phase.SHOWING
        it.pass_time(0.1)
        assert (phase(it), it.turn) == (Phase.OFFERING, "Ben")

    def test_once_something_was_said_of_the_next_card_going_on_cannot_be_taken_back(self) -> None:
        it = evening()
        it.offer("Ana", "Ben", kind=MILK)
        it.accept("Ben")
        it.go_on()
        it.offer("Ben", "Ana", kind=EGG)
        assert it.on(Page.HOST).undo is None

    def test_calling_on_somebody_can_be_taken_back(self) -> None:
        it = evening()
        before = it.game
        it.host(commands.CallOn())
        assert it.on(Page.HOST).undo is not None
        it.undo()
        assert it.game == before

    def test_a_choice_that_was_made_meanwhile_stays(self) -> None:
        it = ana_must_choose()
        it.host(commands.CallOn())
        it.discard("Ana", PET)
        chosen = it.game
        it.undo()
        assert (phase(it), it.game.hands) == (Phase.SHOWING, chosen.hands)

    @pytest.mark.parametrize("opening", ["card", "scoring"])
    def test_nothing_from_before_a_card_was_shown_or_scored_can_be_taken_back(self, opening: str) -> None:
        it = evening(2, "milk2 scoring egg0")
        it.host(commands.CallOn())
        it.offer("Ana", "Ben", kind=MILK)
        it.host(commands.CallOn())
        it.accept("Ben")
        assert it.on(Page.HOST).undo is None
        if opening == "scoring":
            it.go_on()
            assert phase(it) is Phase.SCORING
            assert it.on(Page.HOST).undo is None

    @pytest.mark.parametrize("command", [commands.GoOn, commands.CallOn])
    def test_whatever_the_host_can_do_is_called_something_that_can_be_taken_back(
        self, command: type[commands.HostCommand]
    ) -> None:
        assert GAME.phrase(f"undo.{command.__struct_config__.tag}")


class TestTime:
    def test_a_card_and_a_scoring_pass_by_themselves(self) -> None:
        it = evening(2, "milk2 scoring egg0")
        it.offer("Ana", "Ben", kind=MILK)
        it.accept("Ben")
        it.pass_time(SECONDS_TO_LOOK)
        assert phase(it) is Phase.SCORING
        it.pass_time(SECONDS_TO_SCORE)
        assert (phase(it), it.turn) == (Phase.OFFERING, "Ben")

    def test_thinking_time_calls_by_name_and_plays_nothing(self) -> None:
        it = evening(think_seconds=20)
        it.pass_time(20)
        assert it.said[-1] == "Ana, it is your turn."
        assert it.on_phone_of("Ana").play.was_called
        assert (phase(it), it.turn) == (Phase.OFFERING, "Ana")
        it.offer("Ana", "Ben", kind=MILK)
        it.pass_time(20)
        assert it.said[-1] == "Ben, it is your turn."
        assert (phase(it), it.game.to) == (Phase.ANSWERING, it.seat("Ben"))

    def test_thinking_time_stands_still_during_a_pause(self) -> None:
        it = evening(think_seconds=20)
        it.pass_time(15)
        it.host(nights.Pause("door"))
        it.pass_time(600)
        it.host(nights.Resume("door"))
        it.pass_time(4)
        assert not it.game.called
        it.pass_time(1)
        assert it.game.called

    def test_nothing_can_be_offered_or_answered_during_a_pause(self) -> None:
        it = evening()
        it.host(nights.Pause("door"))
        said = commands.Offer(it.seat("Ben"), MILK)
        assert it.why_not(said, it.actor("Ana")) == "paused"
        it.host(nights.Resume("door"))
        it.accepted(said, it.actor("Ana"))
        it.host(nights.Pause("door"))
        assert it.why_not(commands.Accept(), it.actor("Ben")) == "paused"
        assert it.why_not(commands.CallOn(), HOST) == "paused"

    def test_an_offer_that_a_phone_sends_twice_counts_once(self) -> None:
        it = evening()
        said = commands.Offer(it.seat("Ben"), MILK)
        step = it.accepted(said, it.actor("Ana"), "one tap")
        assert it.accepted(said, it.actor("Ana"), "one tap") == step
        assert sum(text.startswith("Ana says") for text in it.said) == 1


class TestPowerCut:
    @pytest.mark.parametrize("step", ["offering", "answering", "showing", "waiting"])
    def test_the_game_is_exactly_there_and_waits_for_the_host(self, step: str) -> None:
        it = evening()
        if step == "waiting":
            it.sit_out("Ben")
            it.sit_out("Chloe")
        if step in ("answering", "showing"):
            it.offer("Ana", "Ben", kind=EGG)
        if step == "showing":
            it.reject("Ben")
        before, card_of_ana = it.game, it.mind_on_phone_of("Ana").card
        it.power_cut()
        assert it.game == before
        assert it.mind_on_phone_of("Ana").card == card_of_ana
        assert it.night.pauses == (nights.POWER_CUT,)
        it.host(nights.Resume(nights.POWER_CUT))
        assert it.game == before


class TestJournal:
    @pytest.fixture
    def played(self, tmp_path: Path) -> EveningOfMind:
        """A short game on a real journal in which everything happens that can."""
        house = House({GAME.key: GAME}, no_sensors())
        it = EveningOfMind(
            "Ana",
            "Ben",
            "Chloe",
            pile=pile_of("milk1 egg0 fur0 pet0 scoring milk0 egg1 pet2 scoring scoring"),
            journal=Journal(tmp_path / "night.sqlite", house),
        )
        it.begin()
        it.host(commands.CallOn())
        it.offer("Ana", "Ben", kind=EGG)
        it.sit_out("Ben")
        it.offer("Ana", "Chloe", kind=EGG)
        it.sit_in("Ben")
        it.accept("Chloe")
        it.go_on()
        it.offer("Ben", "Chloe", kind=EGG)
        it.accept("Chloe")
        it.go_on()
        it.offer("Chloe", "Ana", kind=FUR)
        it.reject("Ana")
        it.go_on()
        it.sit_out("Ana")
        it.sit_in("Ana")
        it.offer("Ben", "Ana", value=0)
        it.accept("Ana")
        it.go_on()
        it.go_on()
        it.offer("Chloe", "Ben", kind=MILK)
        it.accept("Ben")
        it.go_on()
        it.offer("Ana", "Ben", kind=EGG)
        it.accept("Ben")
        it.go_on()
        it.offer("Ben", "Chloe", kind=PET)
        it.reject("Chloe")
        it.go_on()
        it.sit_out("Ana")
        it.sit_out("Ben")
        it.go_on()
        it.sit_in("Ana")
        it.go_on()
        return it

    def test_a_night_read_back_from_the_disk_is_the_same(self, played: EveningOfMind) -> None:
        before = played.game
        assert before.phase is Phase.OVER
        played.power_cut()
        assert played.game == before

    def test_a_night_that_was_exported_ends_the_same(self, played: EveningOfMind) -> None:
        lines = list(export(played.journal.steps()))
        state = None
        for step in read_export(lines, played.house):
            for event in step.events:
                if isinstance(event, get_args(events.Event)):
                    state = GAME.evolve(state, event)
        assert state == played.game


def test_the_host_chooses_who_plays_in_which_order_and_how() -> None:
    it = EveningOfMind("Ana", "Ben", "Chloe", pile=(card("milk2"), SCORING))
    order: list[SeatId] = [it.seat("Chloe"), it.seat("Ana")]
    it.begin(players=order, scoring="shuffled", per_value=[5, 5, 3], think_seconds=60)
    assert it.game.players == tuple(order)
    assert it.turn == "Chloe"
    assert it.mind_on_phone_of("Chloe").receivers == (it.seat("Ana"),)


def test_options_that_cannot_be_played_are_refused_with_a_sentence() -> None:
    it = EveningOfMind("Ana", "Ben", pile=pile_of(MANY))
    answer = it.asked(nights.ChooseOptions({"per_value": [0, 0, 0]}))
    assert isinstance(answer, Rejected)
    assert it.table.phrase(answer) == "The pile needs at least two cards of each kind."
