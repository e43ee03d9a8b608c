"""How often a contact changes, and what that tells of it."""

from collections import deque

from pi_gm.clock import Seconds

MINUTE: Seconds = 60.0
NOISY_EDGES = 20
NOISY_SECONDS = 5
"""More than so many edges in each of so many seconds: the worst bounce of a step is over in a fraction of one."""
LONGEST_SIT: Seconds = 1800.0
"""After this long without a move it is more likely a cushion than somebody."""


class ChangeRate:
    """Counts the changes of one contact, by the second. Its owner holds the lock."""

    def __init__(self) -> None:
        self._by_second: deque[tuple[int, int]] = deque()

    def note(self, at: Seconds) -> None:
        """Count a change at ``at``."""
        second = int(at)
        if self._by_second and self._by_second[-1][0] >= second:
            last, count = self._by_second[-1]
            self._by_second[-1] = (last, count + 1)
        else:
            self._by_second.append((second, 1))
        while self._by_second[0][0] < second - MINUTE:
            self._by_second.popleft()

    def within(self, seconds: Seconds, now: Seconds) -> int:
        """How many changes there were in the last ``seconds``, to a second."""
        return sum(count for second, count in self._by_second if second > now - seconds - 1)

    def is_noisy(self, now: Seconds) -> bool:
        """Whether it changes more often than anybody can move, second after second."""
        busy = [second for second, count in self._by_second if count > NOISY_EDGES]
        # The second that has just begun may not have had its share yet.
        lately = range(int(now) - NOISY_SECONDS, int(now))
        return all(second in busy for second in lately)
