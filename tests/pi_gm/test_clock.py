"""Clocks that can be hurried and turned, and the stopwatch that table time runs by."""

import threading
import time
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.clock import Clock, FakeClock, FastClock, RealClock, Seconds, Stopwatch


class NotingCondition(threading.Condition):
    """Notes how long it was to wait, and does not."""

    def __init__(self) -> None:
        super().__init__()
        self.waited: list[Seconds | None] = []

    def wait(self, timeout: Seconds | None = None) -> bool:
        self.waited.append(timeout)
        return False


@dataclass
class Waiter:
    """Waits once on a clock, in a thread of its own."""

    clock: Clock
    seconds: Seconds | None
    condition: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self._holds_condition = threading.Event()
        self.thread = threading.Thread(target=self._wait, daemon=True)
        self.thread.start()
        self._holds_condition.wait(10)
        # Had only once the thread lets go of it, in its wait.
        with self.condition:
            pass

    def _wait(self) -> None:
        with self.condition:
            self._holds_condition.set()
            self.clock.wait(self.condition, self.seconds)

    def came_back(self) -> bool:
        self.thread.join(10)
        return not self.thread.is_alive()


class TestRealClock:
    def test_it_is_the_monotonic_clock(self) -> None:
        before = time.monotonic()
        assert before <= RealClock().monotonic() <= time.monotonic()

    @pytest.mark.parametrize("seconds", [None, 2.5])
    def test_it_waits_as_long_as_it_is_told(self, seconds: Seconds | None) -> None:
        condition = NotingCondition()
        RealClock().wait(condition, seconds)
        assert condition.waited == [seconds]


class TestFastClock:
    def test_it_starts_level_with_the_real_clock(self) -> None:
        before = time.monotonic()
        clock = FastClock(10)
        after = time.monotonic()
        # Away from the moment at which the two are level, the faster one shows a time further away from it.
        assert clock.from_real(before) <= before
        assert after <= clock.from_real(after)

    @given(st.floats(0.1, 100), st.floats(0, 1e6))
    def test_it_runs_speed_times_as_fast(self, speed: float, real: Seconds) -> None:
        clock = FastClock(speed)
        start = time.monotonic()
        assert clock.from_real(start + real) - clock.from_real(start) == pytest.approx(real * speed, abs=1e-3)

    def test_it_reads_what_the_real_clock_translates_to(self) -> None:
        clock = FastClock(10)
        before = time.monotonic()
        now = clock.monotonic()
        assert clock.from_real(before) <= now <= clock.from_real(time.monotonic())

    def test_it_waits_a_fraction_of_the_time(self) -> None:
        condition = NotingCondition()
        FastClock(10).wait(condition, 25.0)
        FastClock(10).wait(condition, None)
        assert condition.waited == [2.5, None]


class TestFakeClock:
    def test_it_stands_still_until_it_is_turned(self) -> None:
        clock = FakeClock(100.0)
        assert (clock.monotonic(), clock.monotonic()) == (100.0, 100.0)
        clock.turn(2.5)
        assert clock.monotonic() == 102.5

    def test_one_who_waits_on_it_looks_again_when_it_was_turned(self) -> None:
        clock = FakeClock()
        waiter = Waiter(clock, 5.0)
        clock.turn(5.0)
        assert waiter.came_back()

    def test_one_who_reckoned_how_long_to_wait_before_it_was_turned_looks_again_at_once(self) -> None:
        clock = FakeClock()
        condition = threading.Condition()

        def reckon_and_wait() -> None:
            seconds = 1005.0 - clock.monotonic()
            clock.turn(5.0)
            with condition:
                clock.wait(condition, seconds)

        thread = threading.Thread(target=reckon_and_wait, daemon=True)
        thread.start()
        thread.join(10)
        assert not thread.is_alive()

    def test_one_who_waits_on_it_for_no_time_comes_back_at_once(self) -> None:
        assert Waiter(FakeClock(), 0.0).came_back()

    @pytest.mark.parametrize("seconds", [None, 5.0])
    def test_one_who_waits_on_it_comes_back_when_notified(self, seconds: Seconds | None) -> None:
        waiter = Waiter(FakeClock(), seconds)
        with waiter.condition:
            waiter.condition.notify_all()
        assert waiter.came_back()

    def test_one_who_waits_until_notified_does_not_care_how_far_it_is_turned(self) -> None:
        clock = FakeClock()
        forever, timed = Waiter(clock, None), Waiter(clock, 5.0)
        clock.turn(1e9)
        assert timed.came_back()
        assert forever.thread.is_alive()
        with forever.condition:
            forever.condition.notify_all()
        assert forever.came_back()


class TestStopwatch:
    def test_it_stands_at_zero_until_it_is_started(self) -> None:
        clock = FakeClock()
        stopwatch = Stopwatch(clock)
        clock.turn(60)
        assert (stopwatch.now(), stopwatch.is_running) == (0.0, False)

    def test_it_can_stand_at_another_time(self) -> None:
        assert Stopwatch(FakeClock(), at=42.0).now() == 42.0

    def test_it_runs_with_its_clock(self) -> None:
        clock = FakeClock()
        stopwatch = Stopwatch(clock, at=10.0)
        stopwatch.start()
        clock.turn(5)
        assert (stopwatch.now(), stopwatch.is_running) == (15.0, True)

    def test_it_stands_while_it_is_stopped(self) -> None:
        clock = FakeClock()
        stopwatch = Stopwatch(clock)
        stopwatch.start()
        clock.turn(5)
        stopwatch.stop()
        clock.turn(1000)
        stopwatch.start()
        clock.turn(2)
        assert stopwatch.now() == 7.0

    def test_starting_it_while_it_runs_and_stopping_it_while_it_stands_change_nothing(self) -> None:
        clock = FakeClock()
        stopwatch = Stopwatch(clock)
        stopwatch.start()
        clock.turn(5)
        stopwatch.start()
        clock.turn(5)
        stopwatch.stop()
        clock.turn(5)
        stopwatch.stop()
        assert stopwatch.now() == 10.0

    def test_set_makes_it_stand_at_that_time(self) -> None:
        clock = FakeClock()
        stopwatch = Stopwatch(clock)
        stopwatch.start()
        clock.turn(5)
        stopwatch.set(300.0)
        clock.turn(5)
        assert (stopwatch.now(), stopwatch.is_running) == (300.0, False)

    @given(st.lists(st.tuples(st.sampled_from(["start", "stop", "turn"]), st.integers(0, 100)), max_size=30))
    def test_it_shows_the_sum_of_the_time_in_which_it_ran(self, steps: list[tuple[str, int]]) -> None:
        clock = FakeClock()
        stopwatch = Stopwatch(clock)
        running, ran = False, 0
        for step, seconds in steps:
            if step == "turn":
                clock.turn(seconds)
                ran += seconds if running else 0
            else:
                running = step == "start"
                stopwatch.start() if running else stopwatch.stop()
            assert stopwatch.now() == ran
            assert stopwatch.is_running is running


class TestClockTimeOfATableTime:
    def test_it_is_the_clock_when_the_table_showed_that_time(self) -> None:
        clock = FakeClock(1000.0)
        stopwatch = Stopwatch(clock)
        clock.turn(100)
        stopwatch.start()
        clock.turn(30)
        assert stopwatch.clock_time_of(30.0) == 1130.0
        assert stopwatch.clock_time_of(10.0) == 1110.0

    def test_it_lies_in_the_run_in_which_the_time_was_shown(self) -> None:
        clock = FakeClock(1000.0)
        stopwatch = Stopwatch(clock)
        stopwatch.start()
        clock.turn(10)
        stopwatch.stop()
        clock.turn(500)
        stopwatch.start()
        clock.turn(10)
        assert stopwatch.clock_time_of(9.0) == 1009.0
        assert stopwatch.clock_time_of(11.0) == 1511.0

    def test_it_is_known_still_after_the_stopwatch_was_stopped(self) -> None:
        clock = FakeClock(1000.0)
        stopwatch = Stopwatch(clock)
        stopwatch.start()
        clock.turn(10)
        stopwatch.stop()
        clock.turn(500)
        assert stopwatch.clock_time_of(10.0) == 1010.0

    def test_while_it_runs_a_time_to_come_is_where_it_will_be_unless_it_stops(self) -> None:
        clock = FakeClock(1000.0)
        stopwatch = Stopwatch(clock)
        stopwatch.start()
        assert stopwatch.clock_time_of(30.0) == 1030.0

    def test_there_is_none_for_a_time_to_come_while_it_stands(self) -> None:
        clock = FakeClock()
        stopwatch = Stopwatch(clock)
        stopwatch.start()
        clock.turn(10)
        stopwatch.stop()
        assert stopwatch.clock_time_of(12.0) is None

    def test_there_is_none_for_a_time_before_this_process_ran(self) -> None:
        clock = FakeClock()
        stopwatch = Stopwatch(clock)
        stopwatch.start()
        clock.turn(10)
        stopwatch.set(300.0)
        assert stopwatch.clock_time_of(5.0) is None
        stopwatch.start()
        clock.turn(10)
        assert stopwatch.clock_time_of(299.0) is None
        assert stopwatch.clock_time_of(305.0) == clock.monotonic() - 5.0

    @given(st.lists(st.integers(1, 100), min_size=1, max_size=60))
    def test_at_any_moment_in_a_night_of_many_pauses_it_gives_that_moment_back(
        self, stretches: list[int]
    ) -> None:
        clock = FakeClock()
        stopwatch = Stopwatch(clock)
        for seconds in stretches:
            stopwatch.start()
            clock.turn(seconds)
            assert stopwatch.clock_time_of(stopwatch.now()) == clock.monotonic()
            stopwatch.stop()
            clock.turn(7)
