"""Time: the machine's own clock, a fast one, a fake one for tests, and the stopwatch the table runs by."""

import threading
import time
from collections import deque
from typing import NamedTuple, Protocol

Seconds = float
"""A time or a duration in seconds. Table time counts from the start of a night; clock time is monotonic."""


class Clock(Protocol):
    """A monotonic clock that edges, deadlines and the table share."""

    def monotonic(self) -> Seconds:
        """Seconds since some fixed moment; never runs backwards."""
        ...

    def wait(self, condition: threading.Condition, seconds: Seconds | None) -> None:
        """Wait on a held ``condition`` until notified or, unless None, ``seconds`` of this clock have passed.

        As with any condition, it may come back early: look again at what was waited for.
        """
        ...


class RealClock:
    """CLOCK_MONOTONIC, the clock that the kernel stamps edges with."""

    def monotonic(self) -> Seconds:
        return time.monotonic()

    def wait(self, condition: threading.Condition, seconds: Seconds | None) -> None:
        condition.wait(seconds)


class FastClock:
    """The real clock, ``speed`` times as fast: a demonstration night in a few minutes.

    Edges are stamped by the real clock, so this one starts level with it and :meth:`from_real` translates.
    """

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._origin = time.monotonic()

    def monotonic(self) -> Seconds:
        return self.from_real(time.monotonic())

    def from_real(self, real: Seconds) -> Seconds:
        """The reading of this clock at ``real`` seconds of the machine's own clock."""
        return self._origin + (real - self._origin) * self._speed

    def wait(self, condition: threading.Condition, seconds: Seconds | None) -> None:
        condition.wait(None if seconds is None else seconds / self._speed)


class FakeClock:
    """A clock that stands still until a test turns it."""

    def __init__(self, start: Seconds = 1000.0) -> None:
        self._now = start
        self._lock = threading.Lock()
        self._waiting: list[threading.Condition] = []
        self._read = threading.local()

    def monotonic(self) -> Seconds:
        now = self._now
        self._read.last = now
        return now

    def turn(self, seconds: Seconds) -> None:
        """Let ``seconds`` pass at once. Whoever waits for time to pass looks again, whether or not it has."""
        with self._lock:
            self._now += seconds
            waiting = tuple(self._waiting)
        for condition in waiting:
            with condition:
                condition.notify_all()

    def wait(self, condition: threading.Condition, seconds: Seconds | None) -> None:
        if seconds is None:
            condition.wait()
            return
        with self._lock:
            # Turned since this thread last read it, the time to wait was reckoned from a time that is past.
            waits = seconds > 0 and getattr(self._read, "last", self._now) == self._now
            self._read.last = self._now
            if waits:
                self._waiting.append(condition)
        if not waits:
            condition.wait(0)
            return
        condition.wait()
        with self._lock:
            self._waiting.remove(condition)


class _Run(NamedTuple):
    """From when on table time ran, until it stood again."""

    table_start: Seconds
    clock_start: Seconds
    start_was_shown: bool
    """Table time had come to ``table_start`` before, and stood there until ``clock_start``."""


class Stopwatch:
    """Table time: runs while the game runs, stands while it is paused, and knows an instant's clock time.

    Not safe for use by several threads at once; its owner holds the lock.
    """

    def __init__(self, clock: Clock, *, at: Seconds = 0.0) -> None:
        """Stand at ``at``; a time above 0 was shown before, by an earlier process."""
        self._clock = clock
        self._stood_at = at
        self._was_shown = at > 0
        self._started_at: Seconds | None = None
        self._runs: deque[_Run] = deque(maxlen=16)

    @property
    def is_running(self) -> bool:
        return self._started_at is not None

    def now(self) -> Seconds:
        """Table time at this moment."""
        if self._started_at is None:
            return self._stood_at
        return self._stood_at + (self._clock.monotonic() - self._started_at)

    def start(self) -> None:
        """Let table time run; nothing happens if it runs already."""
        if self._started_at is None:
            self._started_at = self._clock.monotonic()
            self._runs.append(_Run(self._stood_at, self._started_at, self._was_shown))
            self._was_shown = True

    def stop(self) -> None:
        """Let table time stand; nothing happens if it stands already."""
        self._stood_at = self.now()
        self._started_at = None

    def set(self, table_time: Seconds) -> None:
        """Stand at ``table_time`` anew, with no clock times before it: time that was given back."""
        self._stood_at = table_time
        self._was_shown = False
        self._started_at = None
        self._runs.clear()

    def clock_time_of(self, table_time: Seconds) -> Seconds | None:
        """The clock's reading when the table showed ``table_time``, or will show it if nothing stops it.

        None if that was before this process ran, or is to come and the stopwatch stands.
        """
        if table_time > self.now() and not self.is_running:
            return None
        for run in reversed(self._runs):
            if run.table_start < table_time or (run.table_start == table_time and not run.start_was_shown):
                return run.clock_start + (table_time - run.table_start)
        return None
