"""What the speaker says, in which order, and what cuts into what: a fake player, and a clock that is turned by hand."""

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pi_gm.announcer import Caption, Cue, Urgency, captioned, cuts_in, time_to_say, unheard
from pi_gm.clock import FakeClock, Seconds
from pi_gm.naming import named
from pi_gm.speaking.ports import (
    Announced,
    CannotPlay,
    CannotSpeak,
    Clip,
    Outcome,
    Playing,
    SpeakerState,
    SpeakerStatus,
    SpokenName,
    Tone,
)
from pi_gm.speaking.speaker import LONGER_THAN_THE_CLIP, LONGEST_MAKING, Speaker
from pi_gm.ticking import LATE_TICK, Ticking

CLIP: Seconds = 3.0
CHIME, BUZZER, TICK = "(chime)", "(buzzer)", "(tick)"


class FakeVoice:
    """Says everything at once, but for what is ``slow`` or ``broken``."""

    def __init__(self) -> None:
        self.slow: set[str] = set()
        self.lasts: dict[str, Seconds] = {}
        self.broken: set[str] = set()
        self.asked: list[str] = []
        self.listeners: list[Callable[[], None]] = []

    def tone(self, tone: Tone) -> Clip:
        return Clip(Path(f"({tone.value})"), 0.09 if tone is Tone.TICK else 0.5)

    def words(self, text: str) -> Clip | None:
        self.asked.append(text)
        if text in self.broken:
            raise CannotSpeak("the voice broke")
        return None if text in self.slow else Clip(Path(text), self.lasts.get(text, CLIP))

    def prepare(self, texts: Iterable[str]) -> None:
        raise AssertionError("a speaker prepares nothing")

    def call_when_made(self, listener: Callable[[], None]) -> None:
        self.listeners.append(listener)


class FakePlaying:
    def __init__(self, clip: Clip, over: Callable[[], None], began: Seconds) -> None:
        self.clip = clip
        self.began = began
        self.over = over
        self.seconds = clip.seconds
        self.outcome: Outcome | None = None
        self.was_stopped = False

    def is_over(self, now: Seconds) -> bool:
        return self.outcome is None and now >= self.began + self.seconds - 1e-6

    def stop(self) -> None:
        if self.outcome is None:
            self.was_stopped = True
            self.outcome = Outcome.FAILED


class FakePlayer:
    def __init__(self, now: Callable[[], Seconds] = lambda: 0.0) -> None:
        self.now = now
        self.played: list[FakePlaying] = []
        self.urgent: list[str] = []
        self.is_broken = False
        self.is_awake = False
        self.is_closed = False
        self.is_there = True

    def status(self) -> SpeakerStatus:
        if self.is_there:
            return SpeakerStatus(SpeakerState.FINE, "sounds")
        return SpeakerStatus(SpeakerState.NONE, "nothing plugged in")

    def play(self, clip: Clip, over: Callable[[], None], urgency: Urgency) -> Playing:
        if self.is_broken:
            raise CannotPlay("the player broke")
        if urgency <= Urgency.TICK:
            self.urgent.append(str(clip.path))
        self.played.append(FakePlaying(clip, over, self.now()))
        return self.played[-1]

    def keep_awake(self, awake: bool) -> None:
        self.is_awake = awake

    def close(self) -> None:
        self.is_closed = True

    @property
    def heard(self) -> list[str]:
        """What was played, cut or not."""
        return [str(playing.clip.path) for playing in self.played]

    def cut(self) -> list[str]:
        """What of that was stopped."""
        return [str(playing.clip.path) for playing in self.played if playing.was_stopped]


class Evening:
    """A table that announces, and its speaker."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.voice = FakeVoice()
        self.player = FakePlayer(lambda: self.now)
        self.captions: tuple[Caption, ...] = ()
        self.now: Seconds = 100.0
        self.time_runs = True
        self.old = 0
        self.is_quiet = False
        self.is_on = True
        self.names: tuple[SpokenName, ...] = ()
        self.ticking: Ticking | None = None
        self.said: list[str] = []
        self.speaker = Speaker(
            self.announced,
            self.voice,
            self.player,
            self.clock,
            on_said=lambda caption: self.said.append(caption.cue.text),
        )
        self.speaker.look_at_device()
        self.next_look = self.speaker.look()

    def announced(self) -> Announced:
        return Announced(
            self.captions,
            self.now,
            self.time_runs,
            self.is_quiet,
            self.is_on,
            self.names,
            self.ticking,
            self.old,
        )

    def last_seconds(self, left: Seconds = 10.0) -> None:
        """A countdown runs that ends in so many seconds."""
        self.ticking = Ticking(0.0, self.now + left)
        self.look()

    def tick_away(self, seconds: int) -> None:
        """So many seconds go by, each a tenth at a time; whatever plays ends by itself after its time."""
        for _ in range(seconds * 10):
            self.turn(0.1)
            playing = self.player.played[-1] if self.player.played else None
            if playing is not None and playing.is_over(self.now):
                self.finish()

    def announce(self, urgency: Urgency, text: str, key: str = "") -> None:
        self.captions = captioned(self.captions, [Cue(key or text, urgency, text)], self.now)
        self.look()

    def look(self) -> None:
        self.next_look = self.speaker.look()

    def turn(self, seconds: Seconds) -> None:
        self.clock.turn(seconds)
        if self.time_runs:
            self.now += seconds
        self.look()

    def state(self) -> SpeakerState:
        return self.speaker.status.state

    def finish(self, outcome: Outcome = Outcome.PLAYED) -> None:
        """The clip that plays ends by itself."""
        self.player.played[-1].outcome = outcome
        self.look()

    def finish_all(self) -> None:
        """Everything is played to its end, as far as nothing new is announced."""
        while self.player.played and self.player.played[-1].outcome is None:
            self.finish()


@pytest.fixture
def evening() -> Evening:
    """The chime of the first words has been heard."""
    evening = Evening()
    evening.announce(Urgency.INFORMATION, "Welcome.")
    evening.finish_all()
    evening.player.played.clear()
    evening.player.urgent.clear()
    evening.said.clear()
    return evening


def test_a_chime_goes_before_the_first_words_and_after_a_long_rest_only() -> None:
    evening = Evening()
    evening.announce(Urgency.INFORMATION, "Welcome.")
    evening.finish_all()
    evening.announce(Urgency.INFORMATION, "Choose your animals.")
    evening.finish_all()
    evening.turn(60)
    evening.announce(Urgency.INFORMATION, "One minute left.")
    evening.finish_all()
    assert evening.player.heard == [
        CHIME, "Welcome.", "Choose your animals.", CHIME, "One minute left."
    ]  # fmt: skip


def test_no_chime_and_no_silence_go_before_the_buzzer() -> None:
    evening = Evening()
    evening.announce(Urgency.BUZZER, "Stop!")
    assert evening.player.heard == [BUZZER]
    assert evening.player.urgent == [BUZZER]


def test_the_buzzer_cuts_into_a_sentence_and_empties_what_waits(evening: Evening) -> None:
    evening.announce(Urgency.INFORMATION, "A long sentence.")
    evening.announce(Urgency.RESULT, "Ana sank.")
    evening.announce(Urgency.BUZZER, "Stop! Nobody move.")
    assert evening.player.played[0].was_stopped
    evening.finish_all()
    assert evening.player.heard == ["A long sentence.", BUZZER, "Stop!", "Nobody move."]
    assert evening.said == ["Ana sank.", "A long sentence.", "Stop! Nobody move."]


def test_what_comes_after_the_buzzer_waits_for_its_words(evening: Evening) -> None:
    evening.announce(Urgency.BUZZER, "Stop!")
    evening.announce(Urgency.RESULT, "Nobody sank.")
    evening.finish_all()
    assert evening.player.heard == [BUZZER, "Stop!", "Nobody sank."]


def test_a_second_buzzer_cuts_into_the_first(evening: Evening) -> None:
    evening.announce(Urgency.BUZZER, "Stop!")
    evening.announce(Urgency.BUZZER, "Stop again!")
    assert evening.player.heard == [BUZZER, BUZZER]
    assert evening.player.played[0].was_stopped


def test_a_tick_cuts_into_information_which_is_not_said_again(evening: Evening) -> None:
    evening.announce(Urgency.INFORMATION, "A long sentence.")
    evening.announce(Urgency.TICK, "Ten seconds.", "time")
    evening.finish()
    evening.finish()
    assert evening.player.heard == ["A long sentence.", TICK, "Ten seconds."]
    assert evening.player.played[0].was_stopped


def test_a_result_that_a_tick_cuts_is_said_again(evening: Evening) -> None:
    evening.announce(Urgency.RESULT, "Ana sank.")
    evening.announce(Urgency.TICK, "Ten seconds.", "time")
    evening.finish_all()
    assert evening.player.heard == ["Ana sank.", TICK, "Ten seconds.", "Ana sank."]
    assert evening.said == ["Ten seconds.", "Ana sank."]


def test_a_result_goes_before_information_and_cuts_into_none(evening: Evening) -> None:
    evening.announce(Urgency.INFORMATION, "First.")
    evening.announce(Urgency.INFORMATION, "Second.")
    evening.announce(Urgency.RESULT, "Ana sank.")
    assert evening.player.heard == ["First."]
    evening.finish_all()
    assert evening.player.heard == ["First.", "Ana sank.", "Second."]


def test_a_newer_message_takes_the_place_of_one_with_its_key_that_waits(evening: Evening) -> None:
    evening.announce(Urgency.INFORMATION, "First.")
    evening.announce(Urgency.INFORMATION, "Ana, please choose.", "call")
    evening.announce(Urgency.INFORMATION, "Everyone has chosen.", "call")
    evening.finish_all()
    assert evening.player.heard == ["First.", "Everyone has chosen."]
    assert evening.said == ["Ana, please choose.", "First.", "Everyone has chosen."]


def test_a_tick_that_could_not_be_given_in_time_is_dropped() -> None:
    evening = Evening()
    evening.captions = captioned((), [Cue("time", Urgency.TICK, "Ten seconds.")], evening.now)
    evening.now += LATE_TICK - 0.1
    late = Speaker(evening.announced, evening.voice, evening.player, evening.clock)
    late.look()
    assert evening.player.heard == [TICK]
    evening.announce(Urgency.BUZZER, "Stop!")
    evening.captions = captioned(evening.captions, [Cue("time", Urgency.TICK, "Late.")], evening.now)
    evening.now += LATE_TICK + 0.1
    evening.look()
    evening.finish_all()
    assert "Late." not in evening.player.heard


def test_the_last_ten_seconds_tick_once_a_second_and_the_buzzer_ends_them(evening: Evening) -> None:
    evening.last_seconds(12.0)
    assert evening.next_look == pytest.approx(2.0)
    evening.tick_away(12)
    assert evening.player.heard == [TICK] * 10
    ends_at = evening.now
    assert [round(ends_at - tick.began, 1) for tick in evening.player.played] == list(range(10, 0, -1))
    evening.ticking = None
    evening.announce(Urgency.BUZZER, "Stop!")
    evening.tick_away(20)
    assert evening.player.heard == [TICK] * 10 + [BUZZER, "Stop!"]


def test_ten_is_said_between_two_ticks_and_swallows_none(evening: Evening) -> None:
    evening.voice.lasts["Ten!"] = 0.8
    evening.last_seconds(10.0)
    evening.announce(Urgency.TICK, "Ten!", "time")
    evening.tick_away(10)
    assert evening.player.heard == [TICK, "Ten!"] + [TICK] * 9
    assert evening.player.cut() == []


def test_ten_that_comes_a_moment_before_the_tick_is_one_with_it(evening: Evening) -> None:
    evening.last_seconds(10.1)
    evening.announce(Urgency.TICK, "Ten!", "time")
    evening.voice.lasts["Ten!"] = 0.8
    evening.tick_away(10)
    assert evening.player.heard == [TICK, "Ten!"] + [TICK] * 9


def test_a_tick_cuts_into_words_of_a_countdown_that_are_too_long(evening: Evening) -> None:
    evening.last_seconds(10.0)
    evening.announce(Urgency.TICK, "Ten seconds, and not one more.", "time")
    evening.tick_away(10)
    assert evening.player.heard == [TICK, "Ten seconds, and not one more."] + [TICK] * 9
    assert evening.player.cut() == ["Ten seconds, and not one more."]


@pytest.mark.parametrize(("left", "ticks"), [(3.0, 3), (3.4, 3), (7.0, 7), (9.9, 10), (11.0, 10)])
def test_however_short_a_countdown_is_its_last_seconds_tick(
    evening: Evening, left: Seconds, ticks: int
) -> None:
    evening.last_seconds(left)
    evening.tick_away(12)
    assert evening.player.heard == [TICK] * ticks


def test_no_tick_comes_while_people_hear_what_they_are_to_do(evening: Evening) -> None:
    evening.announce(Urgency.INFORMATION, "Board now.")
    evening.ticking = Ticking(evening.now + 4, evening.now + 7)
    evening.tick_away(3)
    assert evening.player.heard == ["Board now."]
    assert evening.player.cut() == []
    evening.tick_away(4)
    assert evening.player.heard == ["Board now."] + [TICK] * 3


def test_time_that_is_added_in_the_last_second_ticks_again_at_its_end(evening: Evening) -> None:
    evening.last_seconds(3.0)
    evening.tick_away(2)
    evening.last_seconds(11.0)
    assert len(evening.player.heard) == 3
    evening.tick_away(11)
    assert evening.player.heard == [TICK] * 13


def test_the_ticks_stand_still_while_the_game_is_paused_and_the_pause_is_said(evening: Evening) -> None:
    evening.last_seconds(10.0)
    evening.tick_away(1)
    heard = len(evening.player.heard)
    evening.time_runs = False
    evening.announce(Urgency.INFORMATION, "A short break.")
    evening.finish_all()
    evening.turn(30.0)
    assert evening.next_look is None
    assert evening.player.heard[heard:] == ["A short break."]
    evening.time_runs = True
    evening.turn(1.0)
    assert evening.player.heard[heard:] == ["A short break.", TICK]


def test_time_that_was_given_back_ticks_again(evening: Evening) -> None:
    evening.last_seconds(10.0)
    evening.tick_away(4)
    before = len(evening.player.heard)
    evening.now -= 4
    evening.tick_away(4)
    assert len(evening.player.heard) == 2 * before


def test_a_late_tick_is_dropped_and_the_next_is_on_time(evening: Evening) -> None:
    evening.last_seconds(10.0)
    evening.finish()
    evening.turn(1.0 + LATE_TICK + 0.05)
    assert evening.player.heard == [TICK]
    assert evening.next_look == pytest.approx(2.0 - (1.0 + LATE_TICK + 0.05))
    evening.turn(2.0 - (1.0 + LATE_TICK + 0.05))
    assert evening.player.heard == [TICK, TICK]


def test_sentences_wait_while_the_last_seconds_tick_and_the_buzzer_empties_them(evening: Evening) -> None:
    evening.last_seconds(10.0)
    evening.announce(Urgency.INFORMATION, "Chloe is at the table.")
    evening.announce(Urgency.RESULT, "The host takes back: a pick.")
    evening.speaker.try_out("Listen.")
    evening.tick_away(9)
    assert set(evening.player.heard) == {TICK}
    evening.ticking = None
    evening.announce(Urgency.BUZZER, "Stop!")
    evening.finish_all()
    assert evening.player.heard[10:] == [BUZZER, "Stop!", CHIME, "Listen."]


def test_a_result_into_which_a_tick_cuts_is_said_once_the_ticking_is_over(evening: Evening) -> None:
    evening.announce(Urgency.RESULT, "The host takes back: a pick.")
    evening.last_seconds(10.0)
    assert evening.player.cut() == ["The host takes back: a pick."]
    evening.tick_away(5)
    evening.ticking = None
    evening.tick_away(1)
    assert evening.player.heard[-1] == "The host takes back: a pick."


def test_a_tick_cuts_into_no_buzzer(evening: Evening) -> None:
    evening.announce(Urgency.BUZZER, "Stop!")
    evening.last_seconds(10.0)
    assert evening.player.heard == [BUZZER]
    assert evening.player.cut() == []


def test_in_quiet_mode_nothing_ticks(evening: Evening) -> None:
    evening.is_quiet = True
    evening.last_seconds(10.0)
    evening.tick_away(10)
    assert evening.player.heard == []


def test_quiet_mode_is_silent_and_nothing_is_said_afterwards(evening: Evening) -> None:
    evening.announce(Urgency.INFORMATION, "A long sentence.")
    evening.is_quiet = True
    evening.announce(Urgency.BUZZER, "Stop!")
    evening.announce(Urgency.TICK, "Ten seconds.", "time")
    evening.turn(1.0)
    assert evening.player.heard == ["A long sentence."]
    assert evening.player.played[0].was_stopped
    assert evening.said == ["A long sentence.", "Stop!", "Ten seconds."]
    evening.is_quiet = False
    evening.turn(1.0)
    assert len(evening.player.played) == 1
    evening.announce(Urgency.RESULT, "Nobody sank.")
    assert evening.player.heard[-1] == "Nobody sank."


def test_listen_is_heard_in_quiet_mode_and_waits_for_the_game_otherwise(evening: Evening) -> None:
    evening.is_quiet = True
    evening.speaker.try_out("Ana")
    evening.look()
    evening.finish_all()
    assert evening.player.heard == [CHIME, "Ana"]
    evening.is_quiet = False
    evening.announce(Urgency.RESULT, "Nobody sank.")
    evening.speaker.try_out("Ben")
    evening.look()
    evening.finish_all()
    assert evening.player.heard[2:] == ["Nobody sank.", CHIME, "Ben"]
    assert evening.said == ["Nobody sank."]


def test_a_player_that_runs_on_is_stopped_and_the_speaker_is_said_to_have_failed(evening: Evening) -> None:
    evening.announce(Urgency.INFORMATION, "First.")
    evening.announce(Urgency.INFORMATION, "Second.")
    assert evening.next_look == pytest.approx(CLIP + LONGER_THAN_THE_CLIP)
    evening.turn(CLIP + LONGER_THAN_THE_CLIP - 0.1)
    assert evening.player.cut() == []
    evening.turn(0.1)
    assert evening.player.cut() == ["First."]
    assert evening.state() is SpeakerState.FAILED
    assert evening.player.heard[-1] == "Second."
    evening.finish()
    assert evening.state() is SpeakerState.FINE


def test_a_broken_player_drops_everything_and_delays_nothing(evening: Evening) -> None:
    evening.player.is_broken = True
    for number in range(5):
        evening.announce(Urgency.RESULT, f"Result {number}.")
    assert evening.said == [f"Result {number}." for number in range(5)]
    assert evening.next_look is None
    assert evening.speaker.status == SpeakerStatus(SpeakerState.FAILED, "the player broke")
    evening.player.is_broken = False
    evening.announce(Urgency.RESULT, "Back.")
    evening.finish()
    assert evening.state() is SpeakerState.FINE


def test_a_clip_that_failed_is_not_tried_over_and_over(evening: Evening) -> None:
    evening.announce(Urgency.RESULT, "Ana sank.")
    evening.finish(Outcome.FAILED)
    assert evening.player.heard == ["Ana sank."]
    assert evening.next_look is None
    assert evening.state() is SpeakerState.FAILED


def test_no_device_is_none_and_not_failed(evening: Evening) -> None:
    evening.player.is_broken = True
    evening.player.is_there = False
    evening.speaker.look_at_device()
    evening.announce(Urgency.RESULT, "Ana sank.")
    assert evening.speaker.status == SpeakerStatus(SpeakerState.NONE, "nothing plugged in")


def test_words_that_are_not_made_yet_are_waited_for_and_given_up_in_the_end(evening: Evening) -> None:
    evening.voice.slow = {"Ana sank.", "Ben sank."}
    evening.announce(Urgency.RESULT, "Ana sank.")
    assert evening.player.heard == []
    assert evening.next_look == pytest.approx(LONGEST_MAKING)
    evening.turn(1.0)
    evening.voice.slow.remove("Ana sank.")
    evening.look()
    assert evening.player.heard == ["Ana sank."]
    evening.finish()
    evening.announce(Urgency.RESULT, "Ben sank.")
    evening.turn(LONGEST_MAKING)
    assert evening.said == ["Ana sank.", "Ben sank."]
    assert evening.state() is SpeakerState.FAILED


def test_the_buzzer_cuts_into_the_wait_for_words(evening: Evening) -> None:
    evening.voice.slow = {"Ana sank."}
    evening.announce(Urgency.RESULT, "Ana sank.")
    evening.announce(Urgency.BUZZER, "Stop!")
    assert evening.player.heard == [BUZZER]


def test_the_words_of_the_buzzer_are_made_while_it_sounds(evening: Evening) -> None:
    evening.voice.asked.clear()
    evening.announce(Urgency.BUZZER, "Stop! Nobody move.")
    assert evening.voice.asked[:2] == ["Stop!", "Nobody move."]


def test_a_voice_that_fails_still_leaves_the_tones(evening: Evening) -> None:
    evening.voice.broken = {"Stop!"}
    evening.announce(Urgency.BUZZER, "Stop! Nobody move.")
    evening.finish_all()
    assert evening.player.heard == [BUZZER, "Nobody move."]


def test_names_are_said_as_they_are_said_and_letters_as_letters(evening: Evening) -> None:
    evening.names = (SpokenName("Nguyễn", "Win"), SpokenName("🦊", "player two"))
    evening.announce(Urgency.RESULT, f"{named('Nguyễn')} and {named('🦊')} sank, Raft A carries 4.")
    assert evening.player.heard == ["Win and player two sank, Raft Eh carries 4."]


def test_what_was_said_before_the_program_started_is_not_said_again_but_the_power_cut_is() -> None:
    evening = Evening()
    evening.captions = captioned((), [Cue("sank", Urgency.RESULT, "Ana sank.")], evening.now - 5)
    evening.captions = captioned(
        evening.captions, [Cue("pause", Urgency.RESULT, "Switched off.")], evening.now
    )
    later = Speaker(evening.announced, evening.voice, evening.player, evening.clock)
    for _ in range(2):
        later.look()
        if evening.player.played:
            evening.player.played[-1].outcome = Outcome.PLAYED
    later.look()
    assert evening.player.heard == [CHIME, "Switched off."]


def test_what_was_said_right_before_a_power_cut_is_not_said_again() -> None:
    evening = Evening()
    evening.captions = captioned((), [Cue("sank", Urgency.RESULT, "Ana sank.")], evening.now)
    evening.old = evening.captions[-1].number
    evening.captions = captioned(
        evening.captions, [Cue("pause", Urgency.RESULT, "Switched off.")], evening.now
    )
    later = Speaker(evening.announced, evening.voice, evening.player, evening.clock)
    for _ in range(3):
        later.look()
        for playing in evening.player.played:
            playing.outcome = Outcome.PLAYED
    assert evening.player.heard == [CHIME, "Switched off."]


def test_captions_that_count_anew_are_all_said(evening: Evening) -> None:
    for number in range(5):
        evening.announce(Urgency.INFORMATION, f"Sentence {number}.")
    evening.finish_all()
    evening.captions = ()
    evening.announce(Urgency.INFORMATION, "Another night.")
    assert evening.player.heard[-1] == "Another night."


@pytest.mark.parametrize(("is_on", "is_quiet"), [(True, False), (True, True), (False, False)])
def test_the_device_is_kept_awake_during_a_game_that_is_not_quiet(
    evening: Evening, is_on: bool, is_quiet: bool
) -> None:
    evening.is_on = is_on
    evening.is_quiet = is_quiet
    evening.look()
    assert evening.player.is_awake is (is_on and not is_quiet)


def test_the_threads_say_what_is_announced_and_end_when_told() -> None:
    evening = Evening()
    heard = threading.Event()
    play = evening.player.play

    def playing(clip: Clip, over: Callable[[], None], urgency: Urgency) -> Playing:
        started = play(clip, over, urgency)
        if str(clip.path) == BUZZER:
            heard.set()
        return started

    evening.player.play = playing  # type: ignore[method-assign]
    evening.speaker.start()
    evening.captions = captioned((), [Cue("buzzer", Urgency.BUZZER, "Stop!")], evening.now)
    evening.speaker.wake()
    assert heard.wait(10)
    evening.speaker.stop()
    assert evening.player.is_closed
    assert evening.player.played[-1].was_stopped


def test_a_speaker_that_dies_says_so(caplog: pytest.LogCaptureFixture) -> None:
    evening = Evening()

    def broken() -> Announced:
        raise LookupError("no such table")

    caught: list[threading.ExceptHookArgs] = []
    hook, threading.excepthook = threading.excepthook, caught.append
    speaker = Speaker(broken, evening.voice, evening.player, evening.clock)
    try:
        speaker.look_at_device()
        speaker.start()
        for thread in threading.enumerate():
            if thread.name == "speaker":
                thread.join(10)
    finally:
        threading.excepthook = hook
    assert speaker.status.state is SpeakerState.FAILED
    assert "Start the program again" in speaker.status.text
    assert len(caught) == 1
    speaker.stop()


def test_a_watch_that_dies_says_so(evening: Evening) -> None:
    def broken() -> SpeakerStatus:
        raise LookupError("no such device")

    evening.player.status = broken  # type: ignore[method-assign]
    caught: list[threading.ExceptHookArgs] = []
    hook, threading.excepthook = threading.excepthook, caught.append
    try:
        evening.speaker.start()
        for thread in threading.enumerate():
            if thread.name == "speaker watch":
                thread.join(10)
    finally:
        threading.excepthook = hook
    assert "Start the program again" in evening.speaker.status.text
    assert len(caught) == 1
    evening.speaker.stop()


URGENCIES = st.sampled_from(Urgency)
STEPS = st.lists(
    st.one_of(
        st.tuples(URGENCIES, st.sampled_from(["one", "two", "three"])),
        st.sampled_from(["finish", "fail", "turn"]),
    ),
    max_size=40,
)


@given(STEPS)
def test_whatever_happens_each_caption_is_said_or_given_up_once_and_a_buzzer_sounds_at_once(
    steps: list[tuple[Urgency, str] | str],
) -> None:
    evening = Evening()
    announced = []
    for number, step in enumerate(steps):
        if isinstance(step, tuple):
            urgency, key = step
            announced.append(f"Sentence {number}.")
            evening.announce(urgency, announced[-1], key)
            if urgency is Urgency.BUZZER:
                assert evening.player.heard[-1] == BUZZER
                assert evening.player.played[-1].outcome is None
        elif step == "turn":
            evening.turn(0.7)
        elif evening.player.played and evening.player.played[-1].outcome is None:
            evening.finish(Outcome.PLAYED if step == "finish" else Outcome.FAILED)
        running = [playing for playing in evening.player.played if playing.outcome is None]
        assert len(running) <= 1
    for _ in range(200):
        evening.finish_all()
        evening.turn(1.0)
    assert sorted(evening.said) == sorted(announced)


def test_only_buzzer_and_tick_cut_in() -> None:
    cuts = {(one.name, other.name) for one in Urgency for other in Urgency if cuts_in(one, other)}
    assert cuts == {
        *(("BUZZER", other.name) for other in Urgency),
        *(("TICK", other) for other in ("RESULT", "INFORMATION", "READING")),
    }


def test_unheard_are_those_after_the_last_heard() -> None:
    captions = captioned((), [Cue("", Urgency.RESULT, str(number)) for number in range(5)], 0.0)
    assert [caption.cue.text for caption in unheard(captions, 3)] == ["3", "4"]
    assert unheard(captions, 9) == captions
    assert unheard((), 9) == ()


def test_more_words_take_longer_to_say() -> None:
    assert time_to_say("") < time_to_say("Nobody sank.") < time_to_say("Ana, Ben and Chloe sank.")


@given(st.floats(0, 100_000))
@example(7.232753387141089)  # a second later less than a second has passed, by the arithmetic of floats
def test_a_tick_is_given_once_whenever_the_last_seconds_begin(began: Seconds) -> None:
    evening = Evening()
    evening.now = began
    evening.last_seconds(10.0)
    for second in range(1, 4):
        evening.finish()
        evening.now = began + second
        evening.look()
        evening.look()
        assert evening.player.heard == [TICK] * (second + 1)


def test_before_a_cue_that_is_waited_for_there_is_silence_however_fast_the_one_before_was_said() -> None:
    evening = Evening()
    evening.captions = captioned(
        evening.captions,
        [Cue("rank-2", Urgency.RESULT, "On 4 points, Ben."), Cue("rank-1", Urgency.RESULT, "Ana wins.", 2.0)],
        evening.now,
    )
    evening.look()
    turn = evening.now + evening.captions[-1].after
    evening.finish_all()
    assert "Ana wins." not in evening.player.heard
    assert evening.next_look == pytest.approx(turn - evening.now)
    evening.now = turn
    evening.look()
    assert evening.player.heard[-1] == "Ana wins."


def test_another_player_takes_over_in_the_middle_and_nothing_is_lost(evening: Evening) -> None:
    evening.player.is_broken = True
    evening.announce(Urgency.RESULT, "Lost to a broken speaker.")
    evening.player.is_broken = False
    evening.announce(Urgency.INFORMATION, "Ana sank.")
    before, other = evening.player, FakePlayer()
    evening.speaker.use(other)
    evening.look()
    assert before.cut() == ["Ana sank."]
    assert before.is_closed
    assert other.heard == ["Ana sank."]
    assert evening.state() is SpeakerState.FINE, "what was wrong with the other says nothing of this one"


def test_a_player_that_never_came_into_use_is_closed(evening: Evening) -> None:
    never, used, pending = FakePlayer(), FakePlayer(), FakePlayer()
    evening.speaker.use(never)
    evening.speaker.use(used)
    assert never.is_closed
    evening.look()
    was_closed = used.is_closed
    evening.speaker.use(pending)
    evening.speaker.stop()
    assert (was_closed, used.is_closed, pending.is_closed) == (False, True, True)


def test_what_is_cut_because_the_program_ends_counts_as_not_said(evening: Evening) -> None:
    evening.announce(Urgency.INFORMATION, "Board now.")
    evening.announce(Urgency.INFORMATION, "Another.")
    evening.speaker.stop()
    assert evening.player.cut() == ["Board now."]
    assert evening.said == []


def test_a_device_that_came_back_is_fine_before_anything_is_played_on_it(evening: Evening) -> None:
    evening.player.is_broken = True
    evening.announce(Urgency.RESULT, "Ana sank.")
    states = []
    for is_there in (True, False, True):
        evening.player.is_there = is_there
        evening.speaker.look_at_device()
        states.append(evening.state())
    assert states == [SpeakerState.FAILED, SpeakerState.NONE, SpeakerState.FINE], (
        "one that only says that it is fine did not play"
    )


def test_a_try_out_is_not_said_again_by_the_next_player(evening: Evening) -> None:
    evening.speaker.try_out("Hello.")
    evening.speaker.try_out("Hello.")
    evening.look()
    assert evening.player.heard == ["(chime)"]
    other = FakePlayer()
    evening.speaker.use(other)
    evening.look()
    assert other.heard == []


def test_whoever_wants_to_know_hears_of_each_change_of_how_the_speaker_is() -> None:
    evening = Evening()
    states: list[SpeakerState] = []
    speaker = Speaker(
        evening.announced,
        evening.voice,
        evening.player,
        evening.clock,
        on_status=lambda: states.append(speaker.status.state),
    )
    speaker.look_at_device()
    speaker.look_at_device()
    evening.player.is_there = False
    speaker.look_at_device()
    assert states == [SpeakerState.FINE, SpeakerState.NONE]
