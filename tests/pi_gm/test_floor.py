"""What a sensor said at an instant: edges count by their stamps, and noise by how long it held."""

import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.clock import Seconds
from pi_gm.floor import Edge, FloorReading, FloorSource, History, NoFloor, Reading, Sensor, reading_at

TICK = 1 / 1024
"""Times in the tests are whole numbers of this, so that no sum of them is rounded."""
PRESS = 50 * TICK
RELEASE = 150 * TICK
CLEAN = 150
"""Ticks between edges of which none is noise."""
START, END = 0, 3000


def toggling(*ticks: int, pressed_at_start: bool = False, until: int = END) -> History:
    """A contact that changed at each of ``ticks``."""
    edges = tuple(
        Edge(tick * TICK, pressed=(number % 2 == 0) is not pressed_at_start)
        for number, tick in enumerate(ticks)
    )
    return History(START * TICK, pressed_at_start, edges, until * TICK)


def said(history: History, tick: int, *, press: Seconds = PRESS, release: Seconds = RELEASE) -> Reading:
    return reading_at(history, tick * TICK, press=press, release=release)


def said_at(history: History, ticks: Iterable[int]) -> set[Reading]:
    return {said(history, tick) for tick in ticks}


ticks = st.integers(START, END)
toggles = st.lists(st.integers(START + 1, END), unique=True, max_size=12).map(sorted)
histories = st.builds(lambda at, closed: toggling(*at, pressed_at_start=closed), toggles, st.booleans())
edges_of_any_kind = st.lists(
    st.builds(lambda tick, pressed: Edge(tick * TICK, pressed), st.integers(START, 40), st.booleans()),
    max_size=12,
)


class TestTheInstant:
    def test_a_press_exactly_at_the_instant_counts(self) -> None:
        assert said(toggling(1000), 1000) is Reading.PRESSED

    def test_a_press_after_the_instant_does_not(self) -> None:
        assert said(toggling(1001), 1000) is Reading.CLEAR

    def test_a_release_exactly_at_the_instant_counts(self) -> None:
        assert said(toggling(500, 1000), 1000) is Reading.CLEAR

    def test_a_release_after_the_instant_does_not(self) -> None:
        assert said(toggling(500, 1001), 1000) is Reading.PRESSED

    @given(st.lists(st.integers(CLEAN, 600), max_size=8), st.booleans(), ticks)
    def test_without_noise_the_reading_is_the_level_of_the_instant_whatever_comes_later(
        self, gaps: list[int], closed: bool, instant: int
    ) -> None:
        at = [sum(gaps[: number + 1]) for number in range(len(gaps))]
        changes = sum(tick <= instant for tick in at)
        level = closed is (changes % 2 == 0)
        history = toggling(*at, pressed_at_start=closed, until=max([END, *at]))
        assert said(history, instant) is (Reading.PRESSED if level else Reading.CLEAR)


class TestNoise:
    @given(st.lists(st.integers(1, 149), min_size=2, max_size=10).filter(lambda gaps: len(gaps) % 2 == 0))
    def test_a_press_that_bounces_counts_from_its_first_touch(self, gaps: list[int]) -> None:
        bounces = [1000 + sum(gaps[: number + 1]) for number in range(len(gaps))]
        history = toggling(1000, *bounces)
        assert said(history, 999) is Reading.CLEAR
        assert said_at(history, range(1000, END)) == {Reading.PRESSED}

    @given(st.lists(st.integers(1, 149), min_size=2, max_size=10).filter(lambda gaps: len(gaps) % 2 == 0))
    def test_a_release_that_bounces_counts_from_its_last_touch(self, gaps: list[int]) -> None:
        bounces = [1000 + sum(gaps[: number + 1]) for number in range(len(gaps))]
        history = toggling(1000, *bounces, pressed_at_start=True)
        assert said_at(history, range(START, bounces[-1])) == {Reading.PRESSED}
        assert said_at(history, range(bounces[-1], END)) == {Reading.CLEAR}

    def test_a_contact_that_closes_for_the_press_time_is_a_press(self) -> None:
        assert said_at(toggling(1000, 1050), range(1000, 1050)) == {Reading.PRESSED}

    def test_a_contact_that_closes_for_less_is_a_phantom(self) -> None:
        assert said_at(toggling(1000, 1049), range(START, END)) == {Reading.CLEAR}

    def test_a_gap_that_lasts_the_release_time_is_a_gap(self) -> None:
        assert said_at(toggling(1000, 1150, pressed_at_start=True), range(1000, 1150)) == {Reading.CLEAR}

    def test_a_gap_that_lasts_less_is_a_bounce(self) -> None:
        assert said_at(toggling(1000, 1149, pressed_at_start=True), range(START, END)) == {Reading.PRESSED}

    @given(st.lists(st.tuples(st.integers(150, 400), st.integers(1, 49)), max_size=5))
    def test_phantom_presses_far_from_any_other_contact_are_never_seen(
        self, phantoms: list[tuple[int, int]]
    ) -> None:
        at: list[int] = []
        for gap, length in phantoms:
            before = at[-1] if at else START
            at += [before + gap, before + gap + length]
        assert said_at(toggling(*at), range(START, END, 7)) == {Reading.CLEAR}

    def test_two_phantoms_close_to_each_other_are_not_taken_for_a_press_as_long_as_the_time_between(
        self,
    ) -> None:
        assert said_at(toggling(1000, 1001, 1100, 1101), range(START, END)) == {Reading.CLEAR}

    def test_a_loose_contact_that_closes_again_and_again_is_a_press_all_along(self) -> None:
        on_and_off = [1000 + 20 * number for number in range(40)]
        assert said_at(toggling(*on_and_off), range(1000, on_and_off[-1])) == {Reading.PRESSED}

    def test_a_press_just_before_the_instant_that_is_let_go_just_after_is_a_phantom(self) -> None:
        assert said(toggling(990, 1020), 1000) is Reading.CLEAR

    def test_a_foot_lifted_across_the_instant_for_less_than_the_release_time_never_left(self) -> None:
        assert said(toggling(950, 1050, pressed_at_start=True), 1000) is Reading.PRESSED


class TestTheEndsOfTheHistory:
    def test_a_mat_that_was_stood_on_from_before_is_pressed_without_any_edge(self) -> None:
        assert said_at(toggling(pressed_at_start=True), range(START, END + 1)) == {Reading.PRESSED}

    def test_a_mat_that_was_stood_on_from_before_is_pressed_however_soon_it_is_left(self) -> None:
        history = toggling(1, pressed_at_start=True)
        assert said(history, 0) is Reading.PRESSED
        assert said(history, 1) is Reading.CLEAR

    def test_a_contact_that_closes_just_as_it_starts_has_to_hold_as_any_other(self) -> None:
        assert said_at(toggling(START, START + 49), range(START, END)) == {Reading.CLEAR}

    def test_what_still_holds_when_the_history_ends_is_taken_to_hold(self) -> None:
        assert said(toggling(END), END) is Reading.PRESSED
        assert said(toggling(END, pressed_at_start=True), END) is Reading.CLEAR

    @given(histories, st.integers(1, 5000))
    def test_before_it_starts_and_after_it_ends_nothing_is_known(self, history: History, beyond: int) -> None:
        assert said(history, START - beyond) is Reading.UNKNOWN
        assert said(history, END + beyond) is Reading.UNKNOWN

    @given(histories, ticks)
    def test_within_it_the_answer_is_never_unknown(self, history: History, instant: int) -> None:
        assert said(history, instant) is not Reading.UNKNOWN


class TestAnyHistory:
    @given(histories, ticks, st.randoms(use_true_random=False))
    def test_the_order_in_which_edges_are_given_makes_no_difference(
        self, history: History, instant: int, order: random.Random
    ) -> None:
        edges = list(history.edges)
        order.shuffle(edges)
        shuffled = History(history.since, history.pressed_at_start, tuple(edges), history.until)
        assert said(shuffled, instant) is said(history, instant)

    @given(edges_of_any_kind, st.booleans(), st.integers(START, 60), st.randoms(use_true_random=False))
    def test_nor_among_edges_with_one_stamp(
        self, edges: list[Edge], closed: bool, instant: int, order: random.Random
    ) -> None:
        shuffled = list(edges)
        order.shuffle(shuffled)
        answers = {
            said(History(START, closed, tuple(some), END * TICK), instant, press=2 * TICK, release=3 * TICK)
            for some in (edges, shuffled)
        }
        assert len(answers) == 1

    def test_a_press_and_a_release_with_one_stamp_leave_things_as_they_were(self) -> None:
        both = (Edge(1000 * TICK, pressed=True), Edge(1000 * TICK, pressed=False))
        for closed, reading in ((False, Reading.CLEAR), (True, Reading.PRESSED)):
            assert said_at(History(START, closed, both, END * TICK), range(999, 1002)) == {reading}

    @given(histories, ticks)
    def test_an_edge_heard_twice_counts_once(self, history: History, instant: int) -> None:
        doubled = History(
            history.since, history.pressed_at_start, (*history.edges, *history.edges), history.until
        )
        assert said(doubled, instant) is said(history, instant)

    @given(histories, ticks)
    def test_with_no_press_and_release_times_the_reading_is_the_level(
        self, history: History, instant: int
    ) -> None:
        changes = sum(edge.at <= instant * TICK for edge in history.edges)
        level = history.pressed_at_start is (changes % 2 == 0)
        expected = Reading.PRESSED if level else Reading.CLEAR
        assert said(history, instant, press=0.0, release=0.0) is expected

    @given(
        st.lists(st.integers(1, 120), unique=True, max_size=14).map(sorted),
        st.booleans(),
        st.integers(0, 20),
        st.integers(0, 20),
    )
    def test_it_says_what_filling_short_gaps_and_wiping_short_presses_on_a_strip_of_paper_says(
        self, at: list[int], closed: bool, press: int, release: int
    ) -> None:
        history = toggling(*at, pressed_at_start=closed, until=130)
        heard = [
            said(history, tick, press=press * TICK, release=release * TICK) is Reading.PRESSED
            for tick in range(130)
        ]
        assert heard == _on_paper(at, closed, press, release)


def _on_paper(at: Sequence[int], closed: bool, press: int, release: int) -> list[bool]:
    """The same rule, square by square on a strip with one square a tick."""
    strip = [closed is (sum(change <= tick for change in at) % 2 == 0) for tick in range(130)]
    filled = list(strip)
    for start, end in _runs(strip, of=False):
        if start > 0 and end < len(strip) and end - start < release:
            filled[start:end] = [True] * (end - start)
    wiped = list(filled)
    for start, end in _runs(filled, of=True):
        if sum(strip[start:end]) < press and end < len(strip) and not (start == 0 and closed):
            wiped[start:end] = [False] * (end - start)
    return wiped


def _runs(strip: Sequence[bool], *, of: bool) -> list[tuple[int, int]]:
    starts = [n for n, square in enumerate(strip) if square is of and (n == 0 or strip[n - 1] is not of)]
    ends = [n + 1 for n, square in enumerate(strip) if square is of and strip[n + 1 : n + 2] != [of]]
    return list(zip(starts, ends, strict=True))


MAT = Sensor(key="A1", pin=4, place="A")
OTHER = Sensor(key="A2", pin=5, place="A")


def test_a_floor_reading_gives_the_reading_of_each_sensor() -> None:
    floor = FloorReading((("A1", Reading.PRESSED), ("A2", Reading.CLEAR)))
    assert (floor.of(MAT), floor.of(OTHER)) == (Reading.PRESSED, Reading.CLEAR)


def test_a_sensor_of_which_nothing_was_heard_is_unknown() -> None:
    assert FloorReading((("A1", Reading.PRESSED),)).of(OTHER) is Reading.UNKNOWN


@pytest.mark.parametrize("instant", [0.0, 1000.0])
def test_without_sensors_nothing_is_known_of_the_floor(instant: Seconds) -> None:
    floor: FloorSource = NoFloor()
    assert floor.now() == floor.at(instant) == FloorReading()
    floor.close()
    floor.close()
