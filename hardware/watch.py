"""Somebody who looks at the mats all the time, so that what went wrong is known before the buzzer sounds."""

import logging
from collections.abc import Callable
from threading import Condition, Thread

from pi_gm.clock import Clock, Seconds
from pi_gm.floor import FloorHealth, Troubles

log = logging.getLogger(__name__)


class Watch:
    """Looks at ``floor`` every ``every`` seconds, from a thread of its own once started.

    A look finds lost edges, and calls ``on_trouble`` with all that is wrong whenever that changed. Should the
    thread end by a fault, the log says so and ``on_death`` is called with it: from then on nothing is watched.
    """

    def __init__(
        self,
        floor: FloorHealth,
        clock: Clock,
        *,
        on_trouble: Callable[[Troubles], None],
        on_death: Callable[[BaseException], None],
        every: Seconds = 0.1,
    ) -> None:
        self._floor = floor
        self._clock = clock
        self._on_trouble = on_trouble
        self._on_death = on_death
        self._every = every
        self._troubles: Troubles = ()
        self._condition = Condition()
        self._stopping = False
        self._thread: Thread | None = None

    def start(self) -> None:
        """Look from now on."""
        self._thread = Thread(target=self._keep_looking, name="mat watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join()

    @property
    def is_alive(self) -> bool:
        """Whether its thread is looking."""
        return self._thread is not None and self._thread.is_alive()

    def look(self) -> None:
        """Look once."""
        troubles = tuple(
            (report.key, report.trouble) for report in self._floor.report() if report.trouble is not None
        )
        if troubles != self._troubles:
            self._troubles = troubles
            self._on_trouble(troubles)

    def _keep_looking(self) -> None:
        try:
            while not self._stopping:
                self.look()
                with self._condition:
                    if not self._stopping:
                        self._clock.wait(self._condition, self._every)
        except BaseException as fault:
            log.critical("the watch over the mats has ended", exc_info=fault)
            self._on_death(fault)
            raise
