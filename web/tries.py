"""How often somebody may guess: a few tries for mistakes, then waits that double."""

from collections import OrderedDict
from threading import Lock

from msgspec import Struct

from pi_gm.clock import Clock, Seconds

FORGOTTEN_AFTER: Seconds = 3600.0
KEPT = 1000


class _Wrong(Struct, frozen=True):
    times: int
    until: Seconds
    """No try before this counts."""


class Tries:
    """Counts wrong tries by whoever makes them. Safe for several threads.

    A right answer that comes while somebody has to wait is not looked at: guessing faster never helps.
    """

    def __init__(
        self, clock: Clock, *, free: int = 5, wait: Seconds = 30.0, longest: Seconds = 600.0
    ) -> None:
        """``free`` wrong tries cost nothing; from then on each costs ``wait``, doubling up to ``longest``."""
        self._clock = clock
        self._free = free
        self._wait = wait
        self._longest = longest
        self._wrong: OrderedDict[str, _Wrong] = OrderedDict()
        self._lock = Lock()

    def wait(self, who: str) -> Seconds:
        """How long ``who`` has to wait before the next try; 0 where not at all."""
        with self._lock:
            return self._wait_of(who)

    def attempt(self, who: str, is_right: bool) -> Seconds | None:
        """Take a try of ``who``: None lets them in, otherwise how long to wait before the next (0: not at all)."""
        with self._lock:
            waits = self._wait_of(who)
            if waits > 0:
                return waits
            if is_right:
                self._wrong.pop(who, None)
                return None
            self._count(who)
            return self._wait_of(who)

    def _wait_of(self, who: str) -> Seconds:
        wrong = self._wrong.get(who)
        return 0.0 if wrong is None else max(0.0, wrong.until - self._clock.monotonic())

    def _count(self, who: str) -> None:
        now = self._clock.monotonic()
        before = self._wrong.pop(who, None)
        is_recent = before is not None and now - before.until < FORGOTTEN_AFTER
        times = before.times + 1 if before is not None and is_recent else 1
        over = times - self._free
        costs = min(self._wait * 2.0 ** min(over, 30), self._longest) if over >= 0 else 0.0
        self._wrong[who] = _Wrong(times, now + costs)
        while len(self._wrong) > KEPT:
            self._wrong.popitem(last=False)
