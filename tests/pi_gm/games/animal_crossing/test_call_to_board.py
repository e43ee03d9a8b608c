"""The time to board runs once everyone has heard that they may, and never later than the call can take."""

import pytest

from pi_gm.announcer import time_to_say
from pi_gm.games import CLOCK, HOST, Page
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.script import after_speech
from pi_gm.games.animal_crossing.state import Phase
from tests.pi_gm.games.animal_crossing.crossing import DOG, Crossing, night_of, reason

LIMIT = time_to_say("Board now. You have 30 seconds.")


def called(*, is_heard: bool = True) -> Crossing:
    night = night_of(2)
    night.is_heard = is_heard
    night.pick(Ana=DOG, Ben=DOG)
    night.board()
    return night


def said(night: Crossing) -> None:
    """The speaker has come to the end of the call."""
    command = after_speech("board")
    assert command is not None
    night.ask(command, CLOCK)


class TestWhereASpeakerSpeaks:
    def test_the_time_runs_from_the_end_of_the_call(self) -> None:
        night = called()
        night.pass_time(2)
        said(night)
        night.pass_time(29.9)
        assert night.on(Page.TV).phase is Phase.BOARDING
        night.pass_time(0.1)
        assert night.phase is Phase.READING

    def test_a_speaker_that_never_comes_to_the_end_is_waited_for_no_longer_than_the_call_can_take(
        self,
    ) -> None:
        night = called()
        night.pass_time(LIMIT + 29.9)
        assert night.on(Page.TV).phase is Phase.BOARDING
        night.pass_time(0.1)
        assert night.phase is Phase.READING

    @pytest.mark.parametrize("late", [LIMIT, LIMIT + 10])
    def test_a_call_that_takes_longer_moves_nothing(self, late: float) -> None:
        night = called()
        night.pass_time(late)
        before = night.state
        said(night)
        assert night.state == before

    def test_the_pages_show_the_full_time_until_it_runs(self) -> None:
        night = called()
        assert {night.on(page).full_time for page in Page} == {30}
        night.pass_time(2)
        said(night)
        assert {night.on(page).full_time for page in Page} == {None}
        assert night.on(Page.TV).ends_at == night.now + 30

    def test_rafts_may_be_boarded_while_the_call_is_said(self) -> None:
        night = called()
        night.check_in(Ana="A")
        assert dict(night.state.round.check_ins) == {"Ana": "A"}

    def test_time_that_the_host_adds_meanwhile_is_not_lost(self) -> None:
        night = called()
        night.host(commands.AddTime(15))
        said(night)
        assert night.on(Page.TV).ends_at == night.now + 45

    def test_the_host_can_end_it_meanwhile(self) -> None:
        night = called()
        night.buzzer()
        said(night)
        assert night.phase is Phase.RULING

    def test_a_call_that_ends_during_a_pause_is_not_waited_for_after_it(self) -> None:
        night = called()
        night.is_paused = True
        said(night)
        assert night.on(Page.TV).ends_at == night.now + 30

    def test_ten_seconds_before_the_end_are_told_as_ever(self) -> None:
        night = called()
        said(night)
        night.pass_time(20)
        assert night.said[-1] == "Ten!"

    def test_only_the_clock_can_say_that_the_call_was_said(self) -> None:
        assert reason(called().ask(commands.CallWasSaid(), HOST)) == "not-yours-to-say"


class TestWhereNoneSpeaks:
    def test_the_time_runs_at_once(self) -> None:
        night = called(is_heard=False)
        assert night.on(Page.TV).ends_at == night.now + 30
        assert night.on(Page.TV).full_time is None
        night.pass_time(30)
        assert night.phase is Phase.READING


def test_nothing_else_is_waited_for() -> None:
    assert after_speech("round") is None
