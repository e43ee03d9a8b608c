"""In which order things are said: urgency, the buzzer, late ticks, and the newer in place of the older."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.announcer import (
    CAPTIONS_KEPT,
    Caption,
    Cue,
    Urgency,
    being_said,
    captioned,
    speaking_order,
    time_to_say,
)
from pi_gm.ticking import LATE_TICK

BUZZER, TICK, RESULT, INFORMATION, READING = Urgency


def waiting(*cues: tuple[str, Urgency], at: float = 10.0) -> list[Caption]:
    """Cues that wait, the oldest first; each is known by its key."""
    return [
        Caption(number, at, Cue(key, urgency, f"{key} {number}"))
        for number, (key, urgency) in enumerate(cues, start=1)
    ]


def said(captions: list[Caption], now: float = 10.0) -> list[str]:
    return [caption.cue.text for caption in speaking_order(captions, now)]


class TestSpeakingOrder:
    def test_nothing_waits_nothing_is_said(self) -> None:
        assert speaking_order([], 10.0) == ()

    def test_the_more_urgent_goes_first(self) -> None:
        assert said(
            waiting(("rules", READING), ("round", INFORMATION), ("sank", RESULT), ("time", TICK))
        ) == [
            "time 4",
            "sank 3",
            "round 2",
            "rules 1",
        ]

    def test_among_equals_the_older_goes_first(self) -> None:
        assert said(waiting(("b", INFORMATION), ("a", INFORMATION))) == ["b 1", "a 2"]

    def test_a_buzzer_empties_what_came_before_it(self) -> None:
        assert said(waiting(("board", INFORMATION), ("sank", RESULT), ("buzzer", BUZZER))) == ["buzzer 3"]

    def test_what_came_after_it_is_said_after_it(self) -> None:
        assert said(waiting(("board", INFORMATION), ("buzzer", BUZZER), ("sank", RESULT))) == [
            "buzzer 2",
            "sank 3",
        ]

    def test_of_two_buzzers_the_last_is_left(self) -> None:
        assert said(waiting(("buzzer", BUZZER), ("sank", RESULT), ("buzzer", BUZZER))) == ["buzzer 3"]

    def test_a_tick_in_time_is_given(self) -> None:
        assert said(waiting(("time", TICK)), now=10.0 + LATE_TICK) == ["time 1"]

    def test_a_late_tick_is_worthless(self) -> None:
        assert said(waiting(("time", TICK)), now=10.1 + LATE_TICK) == []

    def test_nothing_else_is_ever_too_late(self) -> None:
        assert said(waiting(("sank", RESULT), ("round", INFORMATION)), now=1000.0) == ["sank 1", "round 2"]

    def test_a_newer_cue_takes_the_place_of_an_older_of_the_same_thing(self) -> None:
        assert said(waiting(("pause", RESULT), ("seat", INFORMATION), ("pause", RESULT))) == [
            "pause 3",
            "seat 2",
        ]

    def test_a_late_tick_takes_the_place_of_nothing(self) -> None:
        captions = [*waiting(("time", INFORMATION)), Caption(2, 5.0, Cue("time", TICK, "late"))]
        assert said(captions) == ["time 1"]


class TestCaptions:
    def test_they_count_up_over_the_night(self) -> None:
        captions: tuple[Caption, ...] = ()
        for at in range(3):
            captions = captioned(captions, [Cue("a", INFORMATION, "x"), Cue("b", INFORMATION, "y")], at)
        assert [(caption.number, caption.at) for caption in captions] == [
            (1, 0),
            (2, 0),
            (3, 1),
            (4, 1),
            (5, 2),
            (6, 2),
        ]

    def test_the_oldest_fall_away_and_the_count_goes_on(self) -> None:
        captions: tuple[Caption, ...] = ()
        for at in range(60):
            captions = captioned(captions, [Cue("a", INFORMATION, "x")], at)
        assert [caption.number for caption in captions] == list(range(61 - CAPTIONS_KEPT, 61))

    def test_of_those_given_at_once_each_has_its_turn_after_the_one_before_it(self) -> None:
        first = Cue("a", RESULT, "One two three four.")
        then = Cue("b", RESULT, "Five six.", pause_before=1.5)
        last = Cue("c", RESULT, "Seven.")
        given = captioned((), [first, then, last], 10.0)
        assert [caption.after for caption in given] == [0.0, 3.0 + 1.5, 4.5 + 2.0]

    def test_only_what_stands_behind_a_silence_waits_for_its_turn(self) -> None:
        given = captioned(
            (), [Cue("a", RESULT, "x"), Cue("b", RESULT, "y"), Cue("c", RESULT, "z", 2.0)], 10.0
        )
        assert [caption.must_wait(10.0) for caption in given] == [False, False, True]
        assert not given[2].must_wait(10.0 + given[2].after)

    def test_what_is_given_while_another_is_said_has_its_turn_after_that(self) -> None:
        captions = captioned((), [Cue("a", INFORMATION, "One two three four.")], 10.0)
        later = captioned(captions, [Cue("b", INFORMATION, "Five.")], 11.0)
        assert later[-1].after == pytest.approx(2.0)

    def test_who_sank_waits_for_no_information_and_a_tick_and_the_buzzer_for_nothing(self) -> None:
        captions = captioned(
            (), [Cue("a", INFORMATION, "One two three four."), Cue("b", RESULT, "One two.")], 10
        )
        for urgency, after in ((RESULT, 2.0), (TICK, 0.0), (BUZZER, 0.0)):
            assert captioned(captions, [Cue("c", urgency, "x")], 10.0)[-1].after == pytest.approx(after)

    def test_what_a_buzzer_emptied_or_news_of_the_same_thing_replaced_is_not_waited_for(self) -> None:
        long = "One two three four five six seven eight."
        emptied = captioned((), [Cue("a", RESULT, long), Cue("b", BUZZER, "Stop.")], 10.0)
        assert captioned(emptied, [Cue("c", RESULT, "x")], 11.5)[-1].after == 0
        replaced = captioned((), [Cue("a", RESULT, long)], 10.0)
        assert captioned(replaced, [Cue("a", RESULT, "x")], 10.0)[-1].after == 0

    def test_a_caption_from_a_time_that_was_given_back_is_neither_waited_for_nor_said(self) -> None:
        captions = captioned((), [Cue("a", RESULT, "One two three four.")], 50.0)
        then = captioned(captions, [Cue("b", RESULT, "x")], 10.0)
        assert then[-1].after == 0
        assert being_said(then, 10.0) == then[-1:]

    def test_of_what_was_given_only_what_is_not_over_is_being_said(self) -> None:
        captions = captioned(
            (), [Cue("a", RESULT, "One."), Cue("b", RESULT, "Two."), Cue("c", RESULT, "Three.")], 10
        )
        assert [caption.cue.key for caption in being_said(captions, 11.4)] == ["a", "b", "c"]
        assert [caption.cue.key for caption in being_said(captions, 11.5)] == ["b", "c"]
        assert [caption.cue.key for caption in being_said(captions, 99.0)] == ["c"]

    def test_where_nothing_is_said_nothing_changes(self) -> None:
        captions = tuple(waiting(("a", RESULT)))
        assert captioned(captions, [], 20.0) == captions


cues = st.tuples(st.sampled_from("abc"), st.sampled_from(Urgency))


class TestWhateverWaits:
    @given(st.lists(cues, max_size=12), st.floats(10.0, 20.0))
    def test_nothing_is_made_up_and_nothing_is_said_twice(
        self, drawn: list[tuple[str, Urgency]], now: float
    ) -> None:
        captions = waiting(*drawn)
        order = speaking_order(captions, now)
        assert len(set(order)) == len(order)
        assert set(order) <= set(captions)

    @given(st.lists(cues, max_size=12), st.floats(10.0, 20.0))
    def test_a_result_is_dropped_only_by_a_buzzer_or_by_news_of_the_same_thing(
        self, drawn: list[tuple[str, Urgency]], now: float
    ) -> None:
        captions = waiting(*drawn)
        order = speaking_order(captions, now)
        for caption in captions:
            if caption.cue.urgency is not RESULT or caption in order:
                continue
            later = [other.cue for other in captions if other.number > caption.number]
            assert any(cue.urgency is BUZZER or cue.key == caption.cue.key for cue in later)

    @given(st.lists(cues, max_size=12), st.floats(10.0, 20.0))
    def test_the_last_buzzer_is_always_said_and_first(
        self, drawn: list[tuple[str, Urgency]], now: float
    ) -> None:
        captions = waiting(*(("buzzer" if urgency is BUZZER else key, urgency) for key, urgency in drawn))
        buzzers = [caption for caption in captions if caption.cue.urgency is BUZZER]
        assert speaking_order(captions, now)[:1] == tuple(buzzers[-1:]) or not buzzers


class TestHowLongACueWaits:
    def test_what_is_replaced_before_it_is_said_takes_no_time(self) -> None:
        captions: tuple[Caption, ...] = ()
        for turn in range(20):
            cues = [Cue(key, RESULT, f"{key} of turn {turn}") for key in ("offer", "answer")]
            captions = captioned(captions, cues, at=float(turn))
        captions = captioned(captions, [Cue("end", RESULT, "The game is over.")], at=20.0)
        longest = time_to_say("answer of turn 19")
        assert captions[-1].after <= 3 * longest, "what is being said, and the newest of each key"

    def test_whatever_is_as_urgent_and_still_waits_goes_first(self) -> None:
        captions = captioned((), [Cue(key, RESULT, "Ana sank.") for key in ("one", "two", "three")], at=5.0)
        takes = time_to_say("Ana sank.")
        assert [caption.after for caption in captions] == [0.0, takes, 2 * takes]
        captions = captioned(captions, [Cue("four", RESULT, "Ben sank.")], at=5.0 + takes)
        assert captions[-1].after == pytest.approx(2 * takes)

    def test_what_is_being_said_is_said_to_its_end_first_and_what_is_less_urgent_waits(self) -> None:
        captions = captioned((), [Cue("chat", INFORMATION, "Welcome to the table, everyone.")], at=5.0)
        captions = captioned(captions, [Cue("more", INFORMATION, "And more.")], at=5.5)
        captions = captioned(captions, [Cue("sank", RESULT, "Ana sank.")], at=6.0)
        assert captions[-1].after == pytest.approx(time_to_say("Welcome to the table, everyone.") - 1.0)
