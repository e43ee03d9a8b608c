"""Answers that are given by leaning on a mat: whoever presses one anew, and keeps it pressed, has leaned on it."""

import logging
import threading
from collections.abc import Callable

from pi_gm.clock import Clock, Seconds
from pi_gm.floor import FloorSource, Reading

log = logging.getLogger(__name__)

HELD: Seconds = 0.4
"""For so long a mat has to be pressed: less may be somebody who shifts in their seat."""


class Leaning:
    """Watches the mats of ``floor`` and calls ``on_lean`` with the key of each that was leaned on, once a press.

    ``on_lean`` is called from a thread of its own that :meth:`start` begins, and may take its time. What is pressed from
    the start does not count until it was let go.
    """

    def __init__(self, floor: FloorSource, clock: Clock, *, on_lean: Callable[[str], object]) -> None:
        self._floor = floor
        self._clock = clock
        self._on_lean = on_lean
        self._pressed_since: dict[str, Seconds | None] = dict.fromkeys(self._pressed())
        """When each pressed mat was pressed; None for one that has counted, or does not."""
        self._rung = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None

    def ring(self) -> None:
        """Something on the floor changed; quick, from any thread."""
        self._rung.set()

    def start(self) -> None:
        """Watch from now on."""
        self._thread = threading.Thread(target=self._keep_looking, name="leaning", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch no more."""
        self._stopping = True
        self._rung.set()
        if self._thread is not None:
            self._thread.join()

    def look(self) -> None:
        """Note what is pressed now, and act on what has been for long enough."""
        now = self._clock.monotonic()
        pressed = self._pressed()
        self._pressed_since = {key: self._pressed_since.get(key, now) for key in pressed}
        for key, since in self._pressed_since.items():
            if since is not None and now - since >= HELD:
                self._pressed_since[key] = None
                self._on_lean(key)

    def _pressed(self) -> tuple[str, ...]:
        return tuple(key for key, reading in self._floor.now().readings if reading is Reading.PRESSED)

    def _keep_looking(self) -> None:
        while not self._stopping:
            is_waiting = any(since is not None for since in self._pressed_since.values())
            self._rung.wait(HELD / 4 if is_waiting else None)
            self._rung.clear()
            try:
                self.look()
            # Whatever goes wrong with one answer, the next must find somebody who listens.
            except Exception:
                log.exception("somebody leaned on a mat, and that was not dealt with")
