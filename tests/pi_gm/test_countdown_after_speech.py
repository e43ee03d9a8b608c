"""A countdown that follows speech, at a real table with a speaker: it waits for the words, and never for the speaker."""

import pytest

from pi_gm import night as nights
from pi_gm.announcer import time_to_say
from pi_gm.games import Page
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from tests.pi_gm.evening import Evening

LIMIT = time_to_say("Board now. You have 30 seconds.")


def heard_evening(*, works: bool = True) -> Evening:
    evening = Evening("Ana", "Ben")
    evening.table.heard_while(lambda: works)
    evening.begin(practice=False)
    evening.pick(Ana=Animal.DOG, Ben=Animal.CAT)
    evening.host(commands.OpenBoarding())
    return evening


def left(evening: Evening) -> float:
    ends_at = evening.play_on(Page.TV).ends_at
    assert ends_at is not None
    return ends_at - evening.now


def call_is_over(evening: Evening, which: int = -1) -> None:
    calls = [caption for caption in evening.night.captions if caption.cue.key == "board"]
    evening.table.was_said(calls[which])


def test_it_runs_from_the_end_of_the_words() -> None:
    evening = heard_evening()
    evening.pass_time(2.5)
    assert left(evening) == pytest.approx(LIMIT + 27.5)
    call_is_over(evening)
    assert left(evening) == pytest.approx(30)


def test_a_speaker_that_fails_is_not_waited_for() -> None:
    assert left(heard_evening(works=False)) == pytest.approx(30)


def test_in_quiet_mode_nobody_waits_for_words() -> None:
    evening = Evening("Ana", "Ben")
    evening.table.heard_while(lambda: True)
    evening.begin(practice=False)
    evening.host(nights.SetQuiet(True))
    evening.pick(Ana=Animal.DOG, Ben=Animal.CAT)
    evening.host(commands.OpenBoarding())
    assert left(evening) == pytest.approx(30)


def test_the_end_of_a_call_that_was_taken_back_moves_nothing() -> None:
    evening = heard_evening()
    evening.undo()
    evening.host(commands.OpenBoarding())
    before = left(evening)
    call_is_over(evening, which=0)
    assert left(evening) == pytest.approx(before)
    call_is_over(evening)
    assert left(evening) == pytest.approx(30)


def test_taking_the_rafts_back_takes_the_countdown_with_it() -> None:
    evening = heard_evening()
    evening.pass_time(2)
    call_is_over(evening)
    evening.undo()
    assert evening.play_on(Page.TV).picked == tuple(seat.id for seat in evening.night.seats)
    evening.host(commands.OpenBoarding())
    assert left(evening) == pytest.approx(LIMIT + 30)


def test_after_a_power_cut_in_the_middle_of_the_words_it_runs_when_their_limit_has_passed() -> None:
    evening = heard_evening()
    evening.pass_time(1)
    evening.table.note_time()
    evening.power_cut()
    evening.host(nights.Resume(nights.POWER_CUT))
    assert evening.play_on(Page.TV).full_time == pytest.approx(30)
    evening.pass_time(LIMIT - 1)
    assert left(evening) == pytest.approx(30)


def test_a_word_of_another_kind_moves_nothing() -> None:
    evening = heard_evening()
    before = evening.night.play
    evening.table.was_said(evening.night.captions[0])
    assert evening.night.play == before
