"""The pages as they are now: drawn once for everyone who sees the same, and only when something on them changed."""

import logging
import threading
from collections import Counter
from collections.abc import Callable

import msgspec
from msgspec import Struct

from pi_gm.announcer import Caption, Cue, speaking_order
from pi_gm.clock import Clock, Seconds
from pi_gm.page_view import PageView
from web.screens import BOOTH, ROOM, TEACH, Content, Screen, Screens

log = logging.getLogger(__name__)

LOOKS_AGAIN_EVERY: Seconds = 10.0
"""What no one tells, such as an address that the machine got, is found out this late at most."""

_SILENT = (BOOTH, ROOM, TEACH)


class Said(Struct, frozen=True):
    """A caption for a page that speaks, in speaking order."""

    number: int
    urgency: int
    key: str
    text: str
    pause: Seconds
    """Silence before it."""


class Shown(Struct, frozen=True):
    """What a screen shows."""

    version: int
    """Counts up with every change of this screen, and with nothing else: a gap would tell something."""
    html: msgspec.Raw | None
    """The fragment as a JSON string; None where the screen may show nothing any more."""
    is_known: bool
    newest: int
    """The number of the newest caption, spoken or not."""
    say: tuple[Said, ...]
    now: Seconds
    """Table time at ``taken_at``."""
    runs: bool
    taken_at: Seconds
    """Clock time."""

    def table_time(self, clock_time: Seconds) -> Seconds:
        """Table time at a ``clock_time`` up to which nothing changed."""
        return self.now + (clock_time - self.taken_at) if self.runs else self.now


class Hub:
    """Knows what every watched screen shows. Safe for several threads.

    Whoever changes something calls :meth:`changed`, which is quick. A thread of the hub's own then draws what became
    different and wakes the listener once. A screen that changes twice meanwhile shows the newest: nothing is queued.
    """

    def __init__(self, screens: Screens, time: Callable[[], tuple[Seconds, bool]], clock: Clock) -> None:
        """``time`` tells table time and whether it runs; ``clock`` is the clock by which it runs."""
        self._screens = screens
        self._time = time
        self._clock = clock
        self._condition = threading.Condition()
        self._drawing = threading.Lock()
        self._watchers: Counter[Screen] = Counter()
        self._stale: set[Screen] = set()
        self._contents: dict[Screen, Content] = {}
        self._shown: dict[Screen, Shown] = {}
        self._versions: Counter[Screen] = Counter()
        self._wake: Callable[[], None] | None = None
        self._thread: threading.Thread | None = None
        self._stopping = False

    def listen(self, wake: Callable[[], None]) -> None:
        """Call ``wake``, which must be quick, whenever any screen shows something new."""
        self._wake = wake

    def start(self) -> None:
        """Draw in a thread of the hub's own from now on."""
        self._thread = threading.Thread(target=self._keep_drawing, name="pages", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End that thread."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join()

    def watch(self, screen: Screen) -> None:
        """Somebody looks at ``screen``: keep it up to date."""
        with self._condition:
            self._watchers[screen] += 1
            if screen not in self._shown:
                self._stale.add(screen)
                self._condition.notify_all()

    def unwatch(self, screen: Screen) -> None:
        """One who looked at ``screen`` is gone."""
        with self._condition:
            self._watchers[screen] -= 1
            if self._watchers[screen] <= 0:
                del self._watchers[screen]
                self._stale.discard(screen)
                self._shown.pop(screen, None)
                self._contents.pop(screen, None)

    def changed(self) -> None:
        """Something may have changed on any screen."""
        with self._condition:
            self._stale.update(self._watchers)
            self._condition.notify_all()

    def shown(self, screen: Screen) -> Shown | None:
        """What a watched ``screen`` shows; None until it was drawn."""
        return self._shown.get(screen)

    def refresh(self) -> None:
        """Draw now what has changed; the hub's own thread does this all the time."""
        with self._drawing:
            with self._condition:
                stale = tuple(self._stale)
                self._stale.clear()
            self._screens.clear_room()
            renewed = [screen for screen in stale if self._renew(screen)]
        if renewed and self._wake is not None:
            self._wake()

    def _keep_drawing(self) -> None:
        while True:
            with self._condition:
                if not self._condition.wait_for(lambda: self._stale or self._stopping, LOOKS_AGAIN_EVERY):
                    self._stale.update(self._watchers)
                if self._stopping:
                    return
            try:
                self.refresh()
            except Exception:
                # Without this thread every page would stand still; the next change gives it another chance.
                log.exception("the pages could not be brought up to date")

    def _renew(self, screen: Screen) -> bool:
        try:
            return self._draw(screen)
        except Exception:
            # A fault in one page's template must not take the pages of all the others away.
            log.exception("the page %r could not be drawn", screen.page)
            return False

    def _draw(self, screen: Screen) -> bool:
        now, runs = self._time()
        taken_at = self._clock.monotonic()
        content = self._screens.content(screen)
        before = self._contents.get(screen)
        if screen in self._shown and content == before:
            return False
        html = (
            None if content is None else msgspec.Raw(msgspec.json.encode(self._screens.draw(screen, content)))
        )
        with self._condition:
            if screen not in self._watchers:
                return False
            self._versions[screen] += 1
            if content is None:
                self._contents.pop(screen, None)
            else:
                self._contents[screen] = content
            self._shown[screen] = Shown(
                version=self._versions[screen],
                html=html,
                is_known=content is not None and content.is_known,
                newest=0 if content is None else _newest(content.view),
                say=() if content is None or screen.page in _SILENT else spoken(content.view, now),
                now=now,
                runs=runs,
                taken_at=taken_at,
            )
        return True


def _newest(view: PageView) -> int:
    return view.captions[-1].number if view.captions else 0


def spoken(view: PageView, now: Seconds) -> tuple[Said, ...]:
    """What a page with sound says, the first first, of the captions that it has not said yet; nothing in quiet mode."""
    if view.is_quiet:
        return ()
    waiting = [
        Caption(
            caption.number,
            caption.at,
            Cue(caption.key, caption.urgency, caption.text, caption.pause_before),
            caption.after,
        )
        for caption in view.captions
    ]
    return tuple(
        Said(
            caption.number,
            caption.cue.urgency.value,
            caption.cue.key,
            caption.cue.text,
            caption.cue.pause_before,
        )
        for caption in speaking_order(waiting, now)
    )
