"""How often somebody may guess: a few tries for mistakes, then waits that double; and how often all may together."""

from threading import Lock

from msgspec import Struct

from pi_gm.clock import Clock, Seconds

FORGOTTEN_AFTER: Seconds = 3600.0
KEPT = 1000
ANYBODY_ELSE = "anybody else"
"""Who comes when as many are kept as can be: they are counted as one, or a crowd would make itself forgotten."""
A_MISTAKE_FADES_IN: Seconds = 60.0
"""So fast mistakes go from the sum of everybody's."""


class _Wrong(Struct, frozen=True):
    times: int
    until: Seconds
    """No try before this counts."""


class Tries:
    """Counts wrong tries by whoever makes them. Safe for several threads.

    A right answer that comes while somebody has to wait is not looked at: guessing faster never helps. Nor does
    guessing as many, and yet nobody has to wait before the first try for the mistakes of others.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        free: int = 5,
        wait: Seconds = 30.0,
        longest: Seconds = 600.0,
        free_of_all: int | None = None,
    ) -> None:
        """``free`` wrong tries cost nothing; from then on each costs ``wait``, doubling up to ``longest``.

        Once everybody's come to ``free_of_all`` (None: never), the first of each costs as much.
        """
        self._clock = clock
        self._free = free
        self._wait = wait
        self._longest = longest
        self._free_of_all = free_of_all
        self._of_all = 0.0
        self._counted_at: Seconds = clock.monotonic()
        self._wrong: dict[str, _Wrong] = {}
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
            self._count(self._kept_as(who))
            return self._wait_of(who)

    def _kept_as(self, who: str) -> str:
        if who in self._wrong:
            return who
        if len(self._wrong) >= KEPT:
            now = self._clock.monotonic()
            for each in [each for each, wrong in self._wrong.items() if not _is_recent(wrong, now)]:
                del self._wrong[each]
        return who if len(self._wrong) < KEPT else ANYBODY_ELSE

    def _wait_of(self, who: str) -> Seconds:
        wrong = self._wrong.get(self._kept_as(who))
        return 0.0 if wrong is None else max(0.0, wrong.until - self._clock.monotonic())

    def _count(self, who: str) -> None:
        now = self._clock.monotonic()
        before = self._wrong.pop(who, None)
        times = before.times + 1 if before is not None and _is_recent(before, now) else 1
        over = times - self._free_now(now)
        costs = min(self._wait * 2.0 ** min(over, 30), self._longest) if over >= 0 else 0.0
        self._wrong[who] = _Wrong(times, now + costs)

    def _free_now(self, now: Seconds) -> int:
        """How many are free for one who makes another mistake ``now``, which counts with everybody's."""
        faded = (now - self._counted_at) / A_MISTAKE_FADES_IN
        self._of_all = max(0.0, self._of_all - faded) + 1
        self._counted_at = now
        return self._free if self._free_of_all is None or self._of_all < self._free_of_all else 1


def _is_recent(wrong: _Wrong, now: Seconds) -> bool:
    return now - wrong.until < FORGOTTEN_AFTER
