"""Lets the room's lamps and buzzer follow the game: they show what the TV's page shows, and nothing else."""

import logging
import threading

from pi_gm.announcer import Urgency, unheard
from pi_gm.clock import Clock, Seconds
from pi_gm.games import Page, Viewer
from pi_gm.signs import BUZZ, Signs, changes_at, lamps_at
from pi_gm.table import Table

log = logging.getLogger(__name__)

LATE: Seconds = 1.0
"""A buzzer that could not sound within this time would only confuse."""


class Signalling:
    """Keeps ``signs`` as ``table`` is, from a thread of its own that :meth:`start` begins.

    A buzzer from before is not sounded again, and none is in quiet mode.
    """

    def __init__(self, table: Table, signs: Signs, clock: Clock) -> None:
        self._table = table
        self._signs = signs
        self._clock = clock
        self._condition = threading.Condition()
        self._woken = False
        self._stopping = False
        self._thread: threading.Thread | None = None
        captions = table.view(Viewer(Page.TV)).captions
        self._last_heard = captions[-1].number if captions else 0

    def wake(self) -> None:
        """Something has changed; quick, from any thread."""
        with self._condition:
            self._woken = True
            self._condition.notify_all()

    def start(self) -> None:
        """Follow from now on."""
        self._thread = threading.Thread(target=self._keep_looking, name="signalling", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Follow no more; the signs stay as they are."""
        self._stopping = True
        self.wake()
        if self._thread is not None:
            self._thread.join()

    def look(self) -> Seconds | None:
        """Show and sound what is due; returns in how many seconds to look again, None for when something changes."""
        now, time_runs = self._table.now()
        page = self._table.view(Viewer(Page.TV))
        fresh = unheard(page.captions, self._last_heard)
        self._last_heard = page.captions[-1].number if page.captions else 0
        if not page.is_quiet and any(
            said.urgency is Urgency.BUZZER and now - said.at <= LATE for said in fresh
        ):
            self._signs.sound(BUZZ)
        self._signs.show(lamps_at(now, page.boarding))
        due = changes_at(now, page.boarding) if time_runs else None
        return None if due is None else due - now

    def _keep_looking(self) -> None:
        while not self._stopping:
            with self._condition:
                self._woken = False
            try:
                wait = self.look()
            # Whatever goes wrong with one sign, the game goes on and the next one is shown.
            except Exception:
                log.exception("the lamps or the buzzer could not follow the game")
                wait = None
            with self._condition:
                if not self._woken and not self._stopping:
                    self._clock.wait(self._condition, wait)
