"""Where clips are made: what is wanted now in one thread, what may be wanted later in another that gives way."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable

from hardware.voice.clips import ClipCache, checked_wav, is_there
from hardware.voice.engines import Engine
from hardware.voice.tones import tone_wav
from pi_gm.clock import Clock, Seconds
from pi_gm.speaking.ports import CannotSpeak, Clip, Tone

log = logging.getLogger(__name__)

TRY_AGAIN: Seconds = 30.0
"""A sentence that could not be made is not tried again before."""

_HAS_STOPPED = "The voice has stopped. Start the program again; the game goes on without it."


class Studio:
    """A :class:`pi_gm.speaking.ports.Voice` out of an engine and a cache.

    Where ``engine`` is slow, ``in_a_hurry`` makes what is wanted at once and was not made in advance. Without an
    engine there are tones, but no words.
    """

    def __init__(
        self, engine: Engine | None, cache: ClipCache, clock: Clock, *, in_a_hurry: Engine | None = None
    ) -> None:
        self._engine = engine
        self._quick = in_a_hurry if in_a_hurry is not None else engine
        self._cache = cache
        self._clock = clock
        self._condition = threading.Condition()
        self._wanted: deque[str] = deque()
        self._later: deque[str] = deque()
        self._under_way: set[str] = set()
        self._failed: dict[str, tuple[CannotSpeak, Seconds]] = {}
        self._listeners: list[Callable[[], None]] = []
        self._stopping = False
        self._ended: set[str] = set()
        """The threads that ended though nobody stopped them."""
        self._threads: list[threading.Thread] = []
        self._tones: dict[Tone, Clip] = {}

    def start(self) -> None:
        """Make the tones, then whatever is wanted, from threads of the studio's own."""
        for tone in Tone:
            try:
                self.tone(tone)
            except CannotSpeak as trouble:
                log.warning("%s", trouble)
        for work, name in ((self._make_wanted, "voice"), (self._make_later, "voice in advance")):
            thread = threading.Thread(target=self._until_the_end, args=(work, name), name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _until_the_end(self, work: Callable[[], None], name: str) -> None:
        try:
            work()
        finally:
            if not self._stopping:
                log.error("the thread “%s” has ended: %s", name, _HAS_STOPPED)
                with self._condition:
                    self._ended.add(name)
                self._tell()

    def stop(self) -> None:
        """Make no more; quick."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        _close(self._engine, self._quick)
        for thread in self._threads:
            thread.join()

    def use(self, engine: Engine | None, *, in_a_hurry: Engine | None = None) -> None:
        """Make clips with another engine from now on; those of the one before are kept for its return."""
        with self._condition:
            before = (self._engine, self._quick)
            self._engine, self._quick = engine, in_a_hurry if in_a_hurry is not None else engine
            self._later.clear()
            self._failed.clear()
        _close(*before)

    def call_when_made(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def tone(self, tone: Tone) -> Clip:
        clip = self._tones.get(tone)
        if clip is None or not is_there(clip):
            data, seconds = tone_wav(tone)
            clip = self._cache.keep(("tone", tone.value), data, seconds, for_good=True)
            self._tones[tone] = clip
        return clip

    def named(self, name: str) -> Clip | None:
        """The clip whose file has that name, for a page that plays it itself; None for any other name."""
        return self._cache.named(name)

    def words(self, text: str) -> Clip | None:
        if "voice" in self._ended:
            raise CannotSpeak(_HAS_STOPPED)
        if self._engine is None:
            raise CannotSpeak("There is no voice on this machine. On a Pi: sudo apt install espeak-ng")
        made = self._made(text)
        if made is not None:
            return made
        with self._condition:
            trouble = self._failed.get(text)
            if trouble is not None and self._clock.monotonic() < trouble[1]:
                raise trouble[0]
            if text not in self._under_way:
                self._under_way.add(text)
                self._wanted.append(text)
                self._condition.notify_all()
        return None

    def _made(self, text: str) -> Clip | None:
        engines = (self._engine, self._quick)
        found = (self._cache.find((*engine.made_from, text)) for engine in engines if engine is not None)
        clip = next((clip for clip in found if clip is not None), None)
        if clip is not None and not is_there(clip):
            for engine in engines:
                if engine is not None:
                    self._cache.forget((*engine.made_from, text))
            return None
        return clip

    def prepare(self, texts: Iterable[str]) -> None:
        with self._condition:
            known = set(self._later)
            self._later.extend(text for text in dict.fromkeys(texts) if text not in known)
            self._condition.notify_all()

    @property
    def left_to_prepare(self) -> int:
        """How many sentences wait to be made in advance."""
        return len(self._later)

    def _make_wanted(self) -> None:
        while (text := self._next(self._wanted)) is not None:
            trouble: CannotSpeak | None = None
            engine = self._quick
            try:
                self._make(text, engine, gently=False)
            except CannotSpeak as fault:
                trouble = fault
            with self._condition:
                self._under_way.discard(text)
                if trouble is None:
                    self._failed.pop(text, None)
                elif engine is self._quick:  # that of another engine says nothing of this one
                    self._failed[text] = (trouble, self._clock.monotonic() + TRY_AGAIN)
            self._tell()

    def _make_later(self) -> None:
        while (text := self._next(self._later)) is not None:
            engine = self._engine
            if engine is None or self._cache.find((*engine.made_from, text)) is not None:
                continue
            try:
                self._make(text, engine, gently=True)
            except CannotSpeak as trouble:
                log.info("not made in advance: %s", trouble)

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def _next(self, queue: deque[str]) -> str | None:
        with self._condition:
            while not queue and not self._stopping:
                self._condition.wait()
            return None if self._stopping else queue.popleft()

    def _make(self, text: str, engine: Engine | None, *, gently: bool) -> None:
        if engine is None:
            return
        data, seconds = checked_wav(engine.make(text, gently=gently), engine.made_from[0])
        self._cache.keep((*engine.made_from, text), data, seconds)


def _close(*engines: Engine | None) -> None:
    for engine in {id(each): each for each in engines if each is not None}.values():
        engine.close()
