"""The ticks of the last ten seconds: when each is due. Pure."""

from math import ceil, floor, inf

from msgspec import Struct

from pi_gm.clock import Seconds

LAST_SECONDS = 10
"""So many seconds before its end a countdown begins to tick, once a second."""
LATE_TICK: Seconds = 0.25
"""A tick that could not be given within this time is not given at all: it would only count wrong."""
SAME_SECOND: Seconds = 0.5
"""Two ticks that are no further apart are one."""
NEVER: Seconds = -inf
"""When the last tick was, before there was one."""
_LOST_BY_FLOATS: Seconds = 1e-6


class Ticking(Struct, frozen=True):
    """A countdown whose last seconds tick. Both are table times."""

    begins_at: Seconds
    """No tick comes before it: until then people hear what they are to do."""
    ends_at: Seconds
    """The buzzer."""

    def is_on(self, now: Seconds) -> bool:
        """Whether at ``now`` every second ticks, so that nothing longer can be said."""
        return now + _LOST_BY_FLOATS >= max(self.begins_at, self.ends_at - LAST_SECONDS)

    def next_tick(self, now: Seconds) -> Seconds | None:
        """The table time of the first tick after ``now``; None where there is none any more."""
        most = min(LAST_SECONDS, floor(self.ends_at - self.begins_at + _LOST_BY_FLOATS))
        left = min(most, ceil(self.ends_at - now - _LOST_BY_FLOATS) - 1)
        return self.ends_at - left if left >= 1 else None

    def due_tick(self, now: Seconds, last: Seconds) -> Seconds | None:
        """The table time of the tick that is to be given at ``now``, where the last was given at ``last``.

        None where none is: its time has not come, it was given, or it would be too late.
        """
        left = ceil(self.ends_at - now - _LOST_BY_FLOATS)
        tick = self.ends_at - left
        is_one = 1 <= left <= LAST_SECONDS and tick + _LOST_BY_FLOATS >= self.begins_at
        return tick if is_one and tick > last + SAME_SECOND and now - tick <= LATE_TICK else None
