"""What was heard of one contact, and what a look at its level proves about that."""

from collections import deque

from pi_gm.clock import Seconds
from pi_gm.floor import Edge, History

EDGES_KEPT = 512
"""Ten seconds of a mat that chatters badly; an hour of a good one."""


class Contact:
    """The edges heard of one contact, as far back as they are kept, and up to when they are known to be all.

    Not safe for use by several threads at once; its owner holds the lock.
    """

    def __init__(self, at: Seconds, pressed: bool, *, keep: int = EDGES_KEPT) -> None:
        self._keep = keep
        self._before: History | None = None
        self._begin(at, pressed)

    def _begin(self, at: Seconds, pressed: bool) -> None:
        self._since = at
        self._pressed_at_start = pressed
        self._edges: deque[Edge] = deque()
        self._complete_until = at

    @property
    def pressed(self) -> bool:
        """Its level by what was heard."""
        return self._edges[-1].pressed if self._edges else self._pressed_at_start

    def hear(self, edge: Edge) -> None:
        """Note an edge. One from before the history starts is in the level it starts with."""
        if edge.at < self._since:
            return
        self._edges.append(edge)
        self._complete_until = max(self._complete_until, edge.at)
        if len(self._edges) > self._keep:
            oldest = self._edges.popleft()
            self._since, self._pressed_at_start = oldest.at, oldest.pressed

    def see(self, at: Seconds, pressed: bool) -> bool:
        """Note a level read at ``at`` or right after; false if what was heard does not explain it."""
        agrees = pressed == self.pressed
        if agrees:
            self._complete_until = max(self._complete_until, at)
        return agrees

    def start_again(self, at: Seconds, pressed: bool) -> None:
        """Trust a level read at ``at`` or right after over what was heard, since an edge was lost."""
        self._before = self._history()
        self._begin(at, pressed)

    def history(self, instant: Seconds) -> History:
        """What is known that may speak of ``instant``: from before an edge was lost, or from after."""
        if self._before is not None and instant < self._since:
            return self._before
        return self._history()

    def _history(self) -> History:
        return History(
            since=self._since,
            pressed_at_start=self._pressed_at_start,
            edges=tuple(self._edges),
            until=self._complete_until,
        )
