"""The speaker at a real table: what it hears of a night, and what is made for whom in advance."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from pi_gm import night as nights
from pi_gm.announcer import Urgency
from pi_gm.games import Page, animal_mind
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.state import Phase
from pi_gm.naming import plain
from pi_gm.speaking.at_table import Hearing
from pi_gm.speaking.ports import Clip, Outcome, Playing, SpeakerState, SpeakerStatus, Tone
from pi_gm.speaking.speaker import Speaker
from tests.pi_gm.evening import Evening


class Voice:
    """Makes everything at once, and notes what it was asked to make in advance."""

    def __init__(self) -> None:
        self.prepared: list[str] = []

    def tone(self, tone: Tone) -> Clip:
        return Clip(Path(f"({tone.value})"), 0.0)

    def words(self, text: str) -> Clip | None:
        return Clip(Path(text), 0.0)

    def prepare(self, texts: Iterable[str]) -> None:
        self.prepared += texts

    def call_when_made(self, listener: Callable[[], None]) -> None:
        raise AssertionError("only a started speaker listens")


class Played:
    seconds = 0.0

    def __init__(self) -> None:
        self.outcome: Outcome | None = Outcome.PLAYED

    def stop(self) -> None:
        pass


class Player:
    """Plays everything in no time."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def status(self) -> SpeakerStatus:
        return SpeakerStatus(SpeakerState.FINE, "sounds")

    def play(self, clip: Clip, over: Callable[[], None], urgency: Urgency) -> Playing:
        self.heard.append(str(clip.path))
        return Played()

    def keep_awake(self, awake: bool) -> None:
        pass

    def close(self) -> None:
        pass


class Spoken:
    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.voice = Voice()
        self.player = Player()
        self.hearing = Hearing(evening.table, self.voice)
        self.speaker = Speaker(
            self.hearing, self.voice, self.player, evening.clock, on_said=evening.table.was_said
        )
        evening.table.heard_while(lambda: self.speaker.status.state is SpeakerState.FINE)
        self.speaker.look()

    def heard(self) -> list[str]:
        """What is new."""
        before = len(self.player.heard)
        while True:
            at = len(self.player.heard)
            self.speaker.look()
            if len(self.player.heard) == at:
                return self.player.heard[before:]


@pytest.fixture
def evening() -> Evening:
    evening = Evening("Ana", "Nguyễn")
    evening.be_host()
    return evening


def test_a_round_is_spoken_as_the_captions_tell_it_with_names_that_can_be_said(evening: Evening) -> None:
    spoken = Spoken(evening)
    evening.begin()
    assert any("carries" in said for said in spoken.heard())
    evening.board(Ana=(Animal.CAT, "water"), Nguyễn=(Animal.DOG, "water"))
    spoken.heard()
    evening.pass_time(20)
    assert spoken.heard()[:2] == ["(tick)", "Ten!"]
    evening.pass_time(11)
    assert spoken.heard()[:3] == ["(buzzer)", "Stop!", "Nobody move."]


def test_the_time_to_board_runs_when_the_speaker_has_called(evening: Evening) -> None:
    spoken = Spoken(evening)
    spoken.speaker.look_at_device()
    evening.begin()
    spoken.heard()
    evening.board(Ana=(Animal.CAT, "water"), Nguyễn=(Animal.DOG, "water"))
    assert evening.play_on(Page.TV).full_time == pytest.approx(30)
    evening.clock.turn(2)
    assert spoken.heard()[-2:] == ["All aboard.", "You have 30 seconds."]
    assert evening.play_on(Page.TV).full_time is None
    assert evening.play_on(Page.TV).ends_at == evening.now + 30


def test_a_speaker_that_has_fallen_silent_is_not_waited_for(evening: Evening) -> None:
    spoken = Spoken(evening)
    spoken.speaker.look_at_device()
    evening.begin()
    spoken.heard()
    evening.board(Ana=(Animal.CAT, "water"), Nguyễn=(Animal.DOG, "water"))
    evening.pass_time(33.9)
    assert evening.play_on(Page.TV).phase is Phase.BOARDING
    evening.pass_time(0.1)
    assert evening.play_on(Page.TV).phase is not Phase.BOARDING


def test_everything_the_captions_show_is_heard_by_the_speaker(evening: Evening) -> None:
    hearing = Hearing(evening.table, Voice())
    evening.begin()
    announced = hearing()
    assert [plain(caption.cue.text) for caption in announced.captions] == evening.said
    assert {caption.cue.urgency for caption in announced.captions} <= set(Urgency)
    assert announced.is_on
    assert announced.time_runs
    evening.host(nights.SetQuiet(True), nights.Pause("snacks"))
    assert hearing().is_quiet
    assert not hearing().time_runs


def test_whoever_sits_down_has_clips_made_for_them_once(evening: Evening) -> None:
    spoken = Spoken(evening)
    assert "Ana is at the table." in spoken.voice.prepared
    assert "Nguyen, please choose." in spoken.voice.prepared
    spoken.voice.prepared.clear()
    spoken.heard()
    assert spoken.voice.prepared == []
    evening.sit_down("🦊")
    spoken.heard()
    assert "player three is at the table." in spoken.voice.prepared
    assert not any("Ana" in text for text in spoken.voice.prepared)


def test_what_never_changes_is_made_before_anybody_came(evening: Evening) -> None:
    voice = Voice()
    Hearing(evening.table, voice).prepare()
    assert {"Stop!", "Nobody move.", "Back to the game."} <= set(voice.prepared)


def test_the_sentences_of_another_game_are_made_when_it_is_chosen() -> None:
    evening = Evening("Ana", "Ben", other_games=[animal_mind.GAME])
    evening.be_host()
    spoken = Spoken(evening)
    spoken.hearing.prepare()
    spoken.voice.prepared.clear()
    evening.host(nights.ChooseGame(animal_mind.GAME.key))
    spoken.heard()
    assert {"The game waits.", "Ana draws a card."} <= set(spoken.voice.prepared)
    spoken.voice.prepared.clear()
    spoken.heard()
    assert spoken.voice.prepared == []


def test_a_name_is_said_as_the_host_wants_it_whatever_it_is_called(evening: Evening) -> None:
    seat = evening.seat("Nguyễn")
    evening.host(nights.SayAs(seat, " Win "), nights.RenameSeat(seat, "Nguyễn T."))
    spoken = Spoken(evening)
    spoken.heard()
    assert "Win, please choose." in spoken.voice.prepared
    assert not any("Nguyen" in text for text in spoken.voice.prepared)


def test_what_players_are_called_changes_no_word_that_is_said() -> None:
    evening = Evening("Nobody", "4", "A", "Raft B")
    evening.be_host()
    for name, said in {"Nobody": "Nemo", "4": "Dad", "Raft B": "Rabbi"}.items():
        evening.host(nights.SayAs(evening.seat(name), said))
    spoken = Spoken(evening)
    evening.begin()
    heard = spoken.heard()
    assert {"Raft Eh, carries 4.", "Raft B, carries 6."} <= set(heard), heard
    for name in ("Nobody", "4", "A", "Raft B"):
        evening.accepted(commands.PickAnimal(Animal.CAT), evening.actor(name))
    evening.host(commands.OpenBoarding())
    evening.pass_time(34)
    assert spoken.heard()[-3:] == ["(buzzer)", "Stop!", "Nobody move."]
    evening.host(commands.SettleRound(), commands.NextRound(), commands.CallOn())
    heard = spoken.heard()
    assert "Nemo, Dad, Eh and Rabbi, please choose." in heard, heard
    evening.host(nights.SitOut(evening.seat("Nobody")))
    evening.undo()
    assert "The host takes back: Nemo sits out." in spoken.heard()


def test_what_is_made_for_a_name_is_what_is_said_of_it_later() -> None:
    evening = Evening("J. R.", "nobody. And A")
    evening.be_host()
    spoken = Spoken(evening)
    assert {"Welcome, nobody. And A.", "J. R., please choose."} <= set(spoken.voice.prepared)
    evening.begin()
    spoken.heard()
    evening.accepted(commands.PickAnimal(Animal.CAT), evening.actor("nobody. And A"))
    evening.host(commands.CallOn())
    heard = spoken.heard()
    assert heard == ["J. R., please choose."]


def test_saying_it_as_nothing_says_it_as_it_is_written(evening: Evening) -> None:
    seat = evening.seat("Nguyễn")
    evening.host(nights.SayAs(seat, "Win"), nights.SayAs(seat, "  "))
    assert "Nguyen, please choose." in Spoken(evening).voice.prepared


def test_a_way_to_say_a_name_is_no_way_around_what_may_be_said(evening: Evening) -> None:
    evening.host(nights.SayAs(evening.seat("Ana"), "[[boo]] <x>"))
    assert "boo x, please choose." in Spoken(evening).voice.prepared


@pytest.mark.parametrize("seconds", [3, 7, 12, 30])
def test_the_last_seconds_of_a_real_boarding_tick_up_to_the_buzzer(seconds: int) -> None:
    evening = Evening("Ana", "Nguyễn")
    evening.be_host()
    spoken = Spoken(evening)
    spoken.speaker.look_at_device()
    evening.begin()
    evening.host(commands.ChangeTimes(60, seconds))
    spoken.heard()
    evening.board(Ana=(Animal.CAT, "water"), Nguyễn=(Animal.DOG, "water"))
    assert "(tick)" not in spoken.heard(), "first everyone hears the call"
    for _ in range(seconds * 10 + 1):
        evening.pass_time(0.1)
        spoken.heard()
    heard = spoken.player.heard
    assert heard.count("(tick)") == min(seconds, 10)
    assert "(buzzer)" in heard
