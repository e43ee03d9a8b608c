"""The speaker: takes what is announced from the table and gives it, the most urgent first. Nothing waits for it."""

import threading
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from pi_gm.announcer import Caption, Cue, Urgency, cuts_in, speaking_order, unheard
from pi_gm.clock import Clock, Seconds
from pi_gm.speaking.condition import Condition
from pi_gm.speaking.ports import (
    Announced,
    CannotPlay,
    CannotSpeak,
    Outcome,
    Player,
    Playing,
    SpeakerStatus,
    Tone,
    Voice,
)
from pi_gm.speaking.pronounced import spoken
from pi_gm.ticking import NEVER, SAME_SECOND

LONGER_THAN_THE_CLIP: Seconds = 2.0
"""A player that runs on for this long after the end of its clip is stopped."""
LONGEST_MAKING: Seconds = 4.0
"""A sentence that is not made by then is left to the caption."""
CHIME_AFTER: Seconds = 20.0
"""After so much silence a chime goes before words, so that people listen and a sleeping device wakes."""
LOOK_AGAIN: Seconds = 15.0
"""How often the device is looked at while nothing tells of a change."""
JUST_NOW: Seconds = 0.5
"""What was announced so shortly before the speaker started is still said: that the power was cut, for one."""
TRY_OUT = "try-out"


class _Run(Struct):
    """A cue that is being given."""

    caption: Caption
    parts: deque[Tone | str]
    playing: Playing | None = None
    since: Seconds = 0.0
    """Clock time at which the part was begun or asked for."""
    is_announced: bool = True
    """False for what is given on the side: a try-out, or one of the ticks of the last seconds."""

    @property
    def urgency(self) -> Urgency:
        return self.caption.cue.urgency


class Speaker:
    """Says what the table announces. Start it once; :meth:`wake` is the listener for the table's changes.

    ``announced`` reads the table; ``clock`` is the machine's own, for what takes too long. ``on_said`` hears of every
    caption that was said or given up, once, from the speaker's thread; ``on_status`` whenever :attr:`status` is another.
    """

    def __init__(
        self,
        announced: Callable[[], Announced],
        voice: Voice,
        player: Player,
        clock: Clock,
        *,
        on_said: Callable[[Caption], None] | None = None,
        on_status: Callable[[], None] | None = None,
    ) -> None:
        self._announced = announced
        self._voice = voice
        self._player = player
        self._clock = clock
        self._on_said = on_said
        self._how = Condition(on_status)
        self._condition = threading.Condition()
        self._woken = False
        self._stopping = False
        self._asked: deque[str] = deque()
        self._threads: list[threading.Thread] = []

        self._last_heard: int | None = None
        self._waiting: tuple[Caption, ...] = ()
        self._run: _Run | None = None
        self._ticked_at: Seconds = NEVER
        """Table time of the last tick."""
        self._last_words: Seconds | None = None
        self._is_awake = False

        self._next_player: Player | None = None
        self._is_looked_at = False

    # From outside

    def start(self) -> None:
        """Begin to speak, from threads of the speaker's own."""
        self._voice.call_when_made(self.wake)
        for work, name in ((self._speak, "speaker"), (self._watch, "speaker watch")):
            thread = threading.Thread(target=self._until_stopped, args=(work,), name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Fall silent and let go of the device. What was not said by then was not said: nobody is told of it."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        for thread in self._threads:
            thread.join()
        if self._run is not None and self._run.playing is not None:
            self._run.playing.stop()
        self._run = None
        self._waiting = ()
        self._player.close()
        if self._next_player is not None:
            self._next_player.close()

    def wake(self) -> None:
        """Something changed; quick, from any thread."""
        with self._condition:
            self._woken = True
            self._condition.notify_all()

    def try_out(self, text: str) -> None:
        """Say ``text`` when nothing else is to be said, in quiet mode too: somebody pressed "listen"."""
        if text not in self._asked:
            self._asked.append(text)
        self.wake()

    def use(self, player: Player) -> None:
        """Play on ``player`` from now on; the one before is closed, and what it was giving is given again."""
        with self._condition:
            never_used, self._next_player = self._next_player, player
        if never_used is not None:
            never_used.close()
        self.wake()

    def look_soon(self) -> None:
        """Have the device looked at in a moment; quick, from any thread."""
        with self._condition:
            self._is_looked_at = False
            self._condition.notify_all()

    @property
    def status(self) -> SpeakerStatus:
        """How the speaker really is."""
        return self._how.status

    def look_at_device(self) -> None:
        """Ask the player how its device is."""
        self._how.device_is(self._player.status())

    # One look

    def look(self) -> Seconds | None:
        """Give what is due; how long until there is something to do again, None until :meth:`wake`."""
        news = self._announced()
        self._change_player()
        self._take(news)
        self._see_how_it_runs()
        if news.is_quiet:
            self._be_quiet()
        else:
            self._choose(news)
        self._go_on(news)
        self._keep_awake(news.is_on and not news.is_quiet)
        return self._next_look(news)

    def _change_player(self) -> None:
        with self._condition:
            player, self._next_player = self._next_player, None
        if player is None:
            return
        run, self._run = self._run, None
        if run is not None and run.playing is not None:
            run.playing.stop()
        if run is not None and run.is_announced:
            self._waiting = (run.caption, *self._waiting)
        self._player.close()
        self._player = player
        self._is_awake = False
        self._how.has_another_player()
        self.look_soon()

    def _take(self, news: Announced) -> None:
        if self._last_heard is None:
            heard = [
                each.number
                for each in news.captions
                if each.number <= news.old or news.now - each.at > JUST_NOW
            ]
            self._last_heard = max(heard, default=0)
        fresh = unheard(news.captions, self._last_heard)
        self._last_heard = news.captions[-1].number if news.captions else 0
        if fresh and fresh[0].number <= min((each.number for each in self._waiting), default=0):
            self._waiting = ()  # counting has begun anew: another night
        self._waiting = (*self._waiting, *fresh)
        if news.now < self._ticked_at - SAME_SECOND:
            self._ticked_at = NEVER  # time was given back
        if not news.is_quiet:
            for caption in fresh:
                self._have_made(_words(caption, news))

    def _have_made(self, texts: tuple[str, ...]) -> None:
        for text in texts:
            try:
                self._voice.words(text)
            except CannotSpeak as trouble:
                self._how.spoke(str(trouble))

    def _see_how_it_runs(self) -> None:
        run = self._run
        if run is None or run.playing is None:
            return
        outcome = run.playing.outcome
        if outcome is None and self._clock.monotonic() >= _limit(run, run.playing):
            run.playing.stop()
            outcome = Outcome.FAILED
        if outcome is None:
            return
        self._last_words = self._clock.monotonic()
        run.playing = None
        if outcome is Outcome.FAILED:
            self._note_player("The speaker stopped in the middle. Is it still plugged in and switched on?")
            self._end()
            return
        self._note_player()
        self._part_is_over()

    def _be_quiet(self) -> None:
        unsaid = self._waiting
        self._waiting = ()
        if self._run is not None and self._run.caption.cue.key != TRY_OUT:
            self._end()
        for caption in unsaid:
            self._said(caption)
        self._choose_try_out()

    def _choose(self, news: Announced) -> None:
        order = speaking_order(self._waiting, news.now)
        dropped = tuple(each for each in self._waiting if each not in order)
        self._waiting = tuple(each for each in self._waiting if each in order)
        for caption in dropped:
            self._said(caption)
        first = order[0] if order else None
        if self._run is not None:
            replaced = any(each.cue.key == self._run.caption.cue.key for each in order)
            if first is not None and cuts_in(first.cue.urgency, self._run.urgency):
                self._cut(replaced=replaced)
            elif replaced and self._run.playing is None:
                self._end()
        if self._run is None and first is not None and not self._must_wait(first, news):
            self._waiting = tuple(each for each in self._waiting if each != first)
            self._run = _Run(first, self._parts(first, news), since=self._clock.monotonic())
        elif self._run is None and not _ticks(news):
            self._choose_try_out()

    def _must_wait(self, caption: Caption, news: Announced) -> bool:
        """A sentence would only be cut by the next tick; and what stands behind a silence keeps it."""
        is_cut = caption.cue.urgency > Urgency.TICK and _ticks(news)
        return is_cut or caption.must_wait(news.now)

    def _choose_try_out(self) -> None:
        if self._run is None and self._asked:
            text = self._asked.popleft()
            caption = Caption(0, 0.0, Cue(TRY_OUT, Urgency.INFORMATION, text))
            parts: deque[Tone | str] = deque([Tone.CHIME, *spoken(text)])
            self._run = _Run(caption, parts, since=self._clock.monotonic(), is_announced=False)

    def _parts(self, caption: Caption, news: Announced) -> deque[Tone | str]:
        words = _words(caption, news)
        match caption.cue.urgency:
            case Urgency.BUZZER:
                return deque([Tone.BUZZER, *words])
            case Urgency.TICK:
                has_ticked = news.now - self._ticked_at < SAME_SECOND
                self._ticked_at = news.now
                return deque(words if has_ticked else [Tone.TICK, *words])
            case _:
                now = self._clock.monotonic()
                is_new = self._last_words is None or now - self._last_words >= CHIME_AFTER
                return deque([Tone.CHIME, *words] if is_new else words)

    def _cut(self, *, replaced: bool) -> None:
        """Stop what runs; a ruling that a tick cut is said again, unless there is a newer one."""
        run = self._run
        if run is None:
            return
        if run.playing is not None:
            run.playing.stop()
        self._run = None
        by_buzzer = any(each.cue.urgency is Urgency.BUZZER for each in self._waiting)
        if run.urgency is Urgency.RESULT and not by_buzzer and not replaced:
            self._waiting = (run.caption, *self._waiting)
        else:
            self._gave(run)

    def _end(self) -> None:
        run = self._run
        if run is None:
            return
        if run.playing is not None:
            run.playing.stop()
        self._run = None
        self._gave(run)

    def _gave(self, run: _Run) -> None:
        if run.is_announced:
            self._said(run.caption)

    def _said(self, caption: Caption) -> None:
        if self._on_said is not None:
            self._on_said(caption)

    def _part_is_over(self) -> None:
        run = self._run
        if run is not None:
            run.parts.popleft()
            run.since = self._clock.monotonic()

    def _go_on(self, news: Announced) -> None:
        """Begin the next part of the cue that is being given, and the tick that is due."""
        while self._run is not None and self._run.playing is None:
            if not self._run.parts:
                self._end()
                if news.is_quiet:
                    self._choose_try_out()
                else:
                    self._choose(news)
                continue
            if not self._begin(self._run):
                break
        self._tick(news)

    def _begin(self, run: _Run) -> bool:
        """Begin the first part of ``run``; False while its words are being made."""
        part = run.parts[0]
        try:
            clip = self._voice.tone(part) if isinstance(part, Tone) else self._voice.words(part)
            if clip is None and self._clock.monotonic() - run.since < LONGEST_MAKING:
                return False
            if clip is None:
                raise CannotSpeak(
                    "The voice is too slow for this machine. Choose espeak-ng on the host page."
                )
        except CannotSpeak as trouble:
            self._how.spoke(str(trouble))
            self._part_is_over()
            return True
        if not isinstance(part, Tone):
            self._how.spoke()
        try:
            run.playing = self._player.play(clip, self.wake, run.urgency)
        except CannotPlay as trouble:
            self._note_player(str(trouble))
            self._end()
            return True
        run.since = self._clock.monotonic()
        return True

    def _tick(self, news: Announced) -> None:
        """Give the tick that is due; it cuts into whatever is no buzzer."""
        if news.ticking is None or not news.time_runs or news.is_quiet:
            return
        due = news.ticking.due_tick(news.now, self._ticked_at)
        if due is None:
            return
        self._ticked_at = due
        if self._run is not None and self._run.urgency is Urgency.BUZZER:
            return
        self._cut(replaced=False)
        cue = Cue("tick", Urgency.TICK, "")
        tick: deque[Tone | str] = deque([Tone.TICK])
        self._run = _Run(Caption(0, due, cue), tick, since=self._clock.monotonic(), is_announced=False)
        self._begin(self._run)

    def _keep_awake(self, awake: bool) -> None:
        if awake is not self._is_awake:
            self._is_awake = awake
            self._player.keep_awake(awake)

    def _next_look(self, news: Announced) -> Seconds | None:
        waits: list[Seconds] = []
        run, now = self._run, self._clock.monotonic()
        if run is not None and run.playing is not None:
            waits.append(_limit(run, run.playing) - now)
        elif run is not None:
            waits.append(run.since + LONGEST_MAKING - now)
        if news.ticking is not None and news.time_runs and not news.is_quiet:
            next_tick = news.ticking.next_tick(news.now)
            waits += [] if next_tick is None else [next_tick - news.now]
        if run is None and news.time_runs:
            waits += [each.at + each.after - news.now for each in self._waiting if each.must_wait(news.now)]
        return max(0.0, min(waits)) if waits else None

    def _note_player(self, trouble: str | None = None) -> None:
        if self._how.played(trouble):
            self.look_soon()

    # The threads

    def _until_stopped(self, work: Callable[[], None]) -> None:
        try:
            work()
        finally:
            if not self._stopping:
                self._how.ended(
                    "The speaker has stopped. Start the program again; the game goes on without it."
                )

    def _speak(self) -> None:
        while not self._stopping:
            self._woken = False
            seconds = self.look()
            with self._condition:
                if not self._woken and not self._stopping:
                    self._clock.wait(self._condition, seconds)

    def _watch(self) -> None:
        while not self._stopping:
            self._is_looked_at = True
            self.look_at_device()
            with self._condition:
                until = self._clock.monotonic() + LOOK_AGAIN
                while self._rests() and self._clock.monotonic() < until:
                    self._clock.wait(self._condition, until - self._clock.monotonic())

    def _rests(self) -> bool:
        return self._is_looked_at and not self._stopping


def _words(caption: Caption, news: Announced) -> tuple[str, ...]:
    return spoken(caption.cue.text, news.names)


def _ticks(news: Announced) -> bool:
    """Whether every second ticks now, so that no sentence can be said."""
    return news.time_runs and news.ticking is not None and news.ticking.is_on(news.now)


def _limit(run: _Run, playing: Playing) -> Seconds:
    """Clock time at which the player is given up."""
    return run.since + playing.seconds + LONGER_THAN_THE_CLIP
