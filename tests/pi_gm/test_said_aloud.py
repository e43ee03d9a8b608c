"""What anyone can have said aloud at any time: where to sit down, and the rules."""

import itertools

import pytest
from msgspec.structs import replace

from pi_gm import night as nights
from pi_gm.announcer import Urgency, time_to_say
from pi_gm.games import DOOR, Page, RulesLength, installed_games
from pi_gm.games.animal_crossing import GAME
from pi_gm.night import House
from pi_gm.page_view import CaptionView
from pi_gm.room import no_sensors
from tests.pi_gm.evening import Evening

ADDRESS = nights.SayAddress("pi-gm.local:8000", "FERN")


def being_said(evening: Evening) -> tuple[CaptionView, ...]:
    return evening.on(Page.TV).being_said


def quiet_evening() -> Evening:
    """Ana is welcomed, and nothing is being said any more."""
    evening = Evening("Ana")
    evening.pass_time(60)
    return evening


class TestTheAddress:
    def test_at_an_empty_table_it_comes_with_a_welcome(self) -> None:
        evening = Evening()
        evening.accepted(ADDRESS, DOOR)
        assert evening.said == ["Welcome. Open pi-gm.local:8000 on your phone. The code is F E R N."]

    def test_later_it_is_for_those_who_join(self) -> None:
        evening = Evening("Ana")
        evening.accepted(ADDRESS, DOOR)
        assert evening.said[-1] == "To join, open pi-gm.local:8000 on your phone. The code is F E R N."

    def test_it_changes_nothing_at_the_table(self) -> None:
        evening = Evening("Ana")
        before = evening.night
        evening.accepted(ADDRESS, DOOR)
        assert nights.with_captions(evening.night, before.captions) == before


class TestTheRules:
    def test_each_sentence_is_a_caption_whose_turn_comes_when_the_one_before_was_said(self) -> None:
        evening = quiet_evening()
        evening.host(nights.SayRules(RulesLength.MINUTE))
        told = being_said(evening)
        assert len(told) > 3
        assert told[0].after == 0
        for before, after in itertools.pairwise(told):
            assert after.after == before.after + time_to_say(before.text)

    def test_anything_else_goes_before_them(self) -> None:
        evening = quiet_evening()
        evening.host(nights.SayRules(RulesLength.REMINDER))
        assert {said.urgency for said in being_said(evening)} == {Urgency.READING}

    def test_they_can_be_heard_in_the_middle_of_a_game_and_in_a_pause(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin()
        evening.host(nights.Pause("talk"), nights.SayRules(RulesLength.REMINDER))
        assert [said.key for said in being_said(evening)][-2:] == ["rules-1", "rules-2"]

    def test_they_are_nothing_to_take_back(self) -> None:
        evening = Evening("Ana")
        evening.host(nights.SayRules(RulesLength.MINUTE))
        assert evening.on(Page.HOST).undo is None

    def test_only_the_host_is_offered_them(self) -> None:
        evening = Evening("Ana")
        assert evening.on(Page.HOST).rules_aloud == tuple(RulesLength)
        assert evening.on(Page.TV).rules_aloud == ()

    @pytest.mark.parametrize("key", installed_games())
    def test_every_game_tells_them_in_a_minute_and_in_two_sentences(self, key: str) -> None:
        aloud = dict(installed_games()[key].rules_aloud)
        assert 45 <= sum(map(time_to_say, aloud[RulesLength.MINUTE])) <= 75
        assert len(aloud[RulesLength.REMINDER]) == 2

    def test_a_game_that_has_none_says_so(self) -> None:
        evening = Evening("Ana")
        without = replace(GAME, rules_aloud=())
        evening.house = House({without.key: without}, no_sensors())
        evening.power_cut()
        assert evening.why_not(nights.SayRules(RulesLength.MINUTE)) == "no-rules-aloud"


def test_who_sits_down_while_the_rules_are_read_costs_nobody_a_sentence() -> None:
    evening = quiet_evening()
    evening.host(nights.SayRules(RulesLength.MINUTE))
    rules = being_said(evening)
    evening.pass_time(3)
    evening.sit_down("Ben")
    assert [said.text for said in being_said(evening)] == [*(said.text for said in rules), "Welcome, Ben."]


def test_what_two_events_of_one_step_say_is_all_shown() -> None:
    evening = quiet_evening()
    evening.sit_down("Ben")
    evening.pass_time(60)
    evening.begin()
    night, first_round = being_said(evening)
    assert (night.key, first_round.key) == ("night", "round")
    assert first_round.after == night.after + time_to_say(night.text)


def test_what_was_said_and_over_is_shown_no_more_but_for_the_last() -> None:
    evening = quiet_evening()
    evening.sit_down("Ben")
    assert [said.text for said in being_said(evening)] == ["Welcome, Ben."]
    evening.pass_time(60)
    assert [said.text for said in being_said(evening)] == ["Welcome, Ben."]


def test_before_anything_was_said_there_is_nothing_to_show() -> None:
    assert being_said(Evening()) == ()
