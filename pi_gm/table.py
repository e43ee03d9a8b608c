"""The table: the one writer. It decides, records, evolves and then tells everyone, one command after the other."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from random import Random

from msgspec import Struct

from pi_gm import night as nights
from pi_gm.announcer import Caption
from pi_gm.chronicle import Chronicle, Step
from pi_gm.clock import Clock, Seconds, Stopwatch
from pi_gm.floor import FloorReading, FloorSource, Troubles
from pi_gm.games import CLOCK, DOOR, HOST, Actor, GameEvent, Page, Rejected, Role, Viewer
from pi_gm.journal import Journal, JournalDamaged, JournalFailed
from pi_gm.naming import named
from pi_gm.night import House, Night, NightCommand, Rewound, Undo
from pi_gm.page_view import PageView, page_view, picks_in_booth
from pi_gm.phrases import SHARED
from pi_gm.players import Seat, SeatId, seat_of

log = logging.getLogger(__name__)

ANSWERS_KEPT = 2000
_SEATING = (nights.SatOut, nights.SatIn)
NOTE_TIME_EVERY: Seconds = 1.0
_TIME_NOTED = "table time"
"""In the journal: the last step, and the table time that was noted since."""


class Accepted(Struct, frozen=True):
    """A yes: the command counts, as this step; a command that changed nothing has the step before."""

    step: int


Answer = Accepted | Rejected


def _unheard() -> bool:
    return False


class Table:
    """A night under way. Every method may be called by any thread."""

    def __init__(self, house: House, journal: Journal, clock: Clock, floor: FloorSource, rng: Random) -> None:
        """Read ``journal`` back and go on where it ends; a game that was on is paused.

        Raises JournalDamaged where the journal's events do not make a night.
        """
        self.house = house
        self._journal = journal
        self._clock = clock
        self._floor = floor
        self._rng = rng
        self._condition = threading.Condition()
        self._listeners: list[Callable[[], None]] = []
        self._answers: OrderedDict[tuple[Actor, str], Answer] = OrderedDict()
        self._watch = Stopwatch(clock)
        self._chronicle = Chronicle(house)
        self._stopping = False
        self._timekeeper: threading.Thread | None = None
        self._trouble: str | None = None
        self._floor_troubles: Troubles = ()
        self._floor_is_watched = True
        self._is_heard: Callable[[], bool] = _unheard
        self._noted_at: Seconds = 0.0
        self._newest_old_caption = 0
        self._resume()

    def _resume(self) -> None:
        at: Seconds = 0.0
        try:
            for step in self._journal.steps():
                self._chronicle.take(step)
                at = step.at
                if step.command_id is not None:
                    self._remember((Actor(step.role, step.seat), step.command_id), Accepted(step.number))
            if self._goes_on():
                at = max(at, self._noted_time())
        except (ValueError, TypeError, LookupError, AttributeError) as fault:
            if isinstance(fault, JournalDamaged):
                raise
            raise JournalDamaged(
                f"the journal {self._journal.path} does not make a night ({fault})"
            ) from fault
        self._watch = Stopwatch(self._clock, at=at)
        captions = self._night.captions
        self._newest_old_caption = captions[-1].number if captions else 0
        with self._condition:
            self._submit(nights.SwitchedOn(), DOOR, None)
            self._let_time_run()

    def _noted_time(self) -> Seconds:
        """The table time noted since the last step; 0 where none was. An older note may be of time given back since."""
        step, _, seconds = (self._journal.fact(_TIME_NOTED) or "").partition(" ")
        return float(seconds) if step == str(self._chronicle.next_number - 1) else 0.0

    def _goes_on(self) -> bool:
        return self._night.is_on(self.house)

    @property
    def _night(self) -> Night:
        return self._chronicle.night

    # Commands

    def submit(self, command: Struct, actor: Actor, command_id: str | None = None) -> Answer:
        """Let ``command`` happen, or say why not.

        A ``command_id`` that this actor sent before gets the answer that it got then, and changes nothing. Raises
        JournalFailed where nothing can be recorded; then nothing happened.
        """
        with self._condition:
            key = None if command_id is None else (actor, command_id)
            if key is not None and key in self._answers:
                return self._answers[key]
            answer = self._submit(command, actor, command_id)
            if key is not None:
                self._remember(key, answer)
            self._condition.notify_all()
        self._publish()
        return answer

    def _submit(self, command: Struct, actor: Actor, command_id: str | None) -> Answer:
        if isinstance(command, Undo):
            return self._undo(command, actor, command_id)
        now = self._watch.now()
        decided = nights.decide(
            self._night,
            command,
            actor,
            house=self.house,
            now=now,
            floor=self._floor_for(command, actor),
            troubles=self._floor_troubles,
            is_heard=self._is_heard(),
            rng=self._rng,
        )
        if isinstance(decided, Rejected):
            return decided
        if decided:
            what = self._in_words(command) if actor.role is Role.HOST else None
            self._record(
                Step(
                    number=self._chronicle.next_number,
                    at=now,
                    role=actor.role,
                    game=self._night.game,
                    events=decided,
                    seat=actor.seat,
                    command_id=command_id,
                    what=what,
                )
            )
            self._tell_game_of(decided)
            if any(isinstance(event, nights.FloorFoundFree) for event in decided):
                self._floor.nobody_is_on_anything()
        return Accepted(self._chronicle.next_number - 1)

    def _tell_game_of(self, events: tuple[GameEvent, ...]) -> None:
        """Whoever must answer follows from who is present, so a game hears at once when somebody left."""
        notice = self.house.games[self._night.game].seats_changed
        if notice is not None and self._goes_on() and any(isinstance(event, _SEATING) for event in events):
            self._submit(notice, CLOCK, None)

    def _floor_for(self, command: Struct, actor: Actor) -> FloorReading:
        """The floor at the instant for which the game asked, if the clock speaks; otherwise as it is now."""
        game = self.house.games[self._night.game]
        if actor.role is not Role.CLOCK or self._night.play is None:
            return self._floor.now()
        instant = game.floor_instant(self._night.play)
        if instant is None:
            return self._floor.now()
        clock_time = self._watch.clock_time_of(instant)
        return FloorReading() if clock_time is None else self._floor.at(clock_time)

    def _in_words(self, command: Struct) -> str | None:
        """What the host's undo button says of ``command``; None where it is taken back in other ways."""
        match command:
            case nights.BeginGame():
                return SHARED.say("undo.begin")
            case nights.StopGame():
                return SHARED.say("undo.stop")
            case nights.SitOut(seat=seat):
                return SHARED.say("undo.sit-out", name=self._name_of(seat))
            case nights.SitIn(seat=seat):
                return SHARED.say("undo.sit-in", name=self._name_of(seat))
            case NightCommand():
                return None
            case _:
                tag = str(command.__struct_config__.tag)
                return self.house.games[self._night.game].phrase(f"undo.{tag}")

    def _name_of(self, seat: SeatId) -> str:
        found = seat_of(self._night.seats, seat)
        return named(found.name) if found is not None else ""

    def _undo(self, command: Undo, actor: Actor, command_id: str | None) -> Answer:
        if actor.role is not Role.HOST:
            return Rejected("not-yours-to-say")
        offered = self._chronicle.undoable
        if offered is None:
            return Rejected("nothing-to-undo")
        if offered.of_host != command.step:
            return Rejected("undo-too-late")
        last = offered.step
        gives_time_back = any(event.turns_phase for event in last.events)
        step = Step(
            number=self._chronicle.next_number,
            at=last.at if gives_time_back else self._watch.now(),
            role=actor.role,
            game=self._night.game,
            events=(Rewound(last.number, last.what or ""),),
            command_id=command_id,
        )
        self._journal.append(step)
        if gives_time_back:
            self._watch.set(step.at)
        self._take(step)
        return Accepted(step.number)

    def _record(self, step: Step) -> None:
        self._journal.append(step)
        self._take(step)

    def _take(self, step: Step) -> None:
        self._chronicle.take(step)
        self._let_time_run()

    def _let_time_run(self) -> None:
        if self._night.pauses:
            self._watch.stop()
        else:
            self._watch.start()

    def _remember(self, key: tuple[Actor, str], answer: Answer) -> None:
        self._answers[key] = answer
        while len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)

    def press_answer(self, token: int, answer: str) -> Answer:
        """The player of ``token`` pressed a wired button that says ``answer``; a no where the game has no use for it."""
        command = dict(self.house.games[self._night.game].buttons).get(answer)
        seat = next((seat.id for seat in self._night.seats if seat.token == token), None)
        if command is None or seat is None:
            return Rejected("no-such-button")
        return self.submit(command, Actor(Role.PLAYER, seat))

    def lean_on(self, sensor_key: str) -> Answer:
        """Somebody leaned on a mat; a no where that says nothing."""
        sensor = next((sensor for sensor in self.house.room.sensors if sensor.key == sensor_key), None)
        with self._condition:
            night = self._night
        if sensor is None or night.play is None or sensor_key in night.ignored:
            return Rejected("no-such-button")
        said = self.house.games[night.game].lean(night.play, sensor, night.seats)
        if said is None:
            return Rejected("no-such-button")
        seat, command = said
        return self.submit(command, Actor(Role.PLAYER, seat))

    def press_next(self) -> Answer:
        """Somebody pressed the wired start button: it does what the host's big button does."""
        step = self.view(Viewer(Page.HOST)).next
        if step is None or step.command is None:
            return Rejected("nothing-to-press")
        return self.submit(step.command, HOST)

    # Speech

    def heard_while(self, is_heard: Callable[[], bool]) -> None:
        """From now on a speaker says the captions as long as ``is_heard()``, and tells of each by :meth:`was_said`."""
        self._is_heard = is_heard

    @property
    def newest_old_caption(self) -> int:
        """The number of the newest caption from before this start, which whoever was there heard; 0: there is none."""
        return self._newest_old_caption

    def was_said(self, caption: Caption) -> None:
        """The speaker has said ``caption``, or given it up. What was said too late, or is said anew, moves nothing.

        Raises JournalFailed where a countdown was to begin and cannot be recorded; it then begins when its limit passes.
        """
        with self._condition:
            night = self._night
        of_its_key = [each.number for each in night.captions if each.cue.key == caption.cue.key]
        if not of_its_key or caption.number != of_its_key[-1] or night.play is None:
            return
        command = self.house.games[night.game].after_speech(caption.cue.key)
        if command is not None:
            self.submit(command, CLOCK)

    # Time

    def start(self) -> None:
        """Let the clock send what is due, from a thread of the table's own."""
        self._timekeeper = threading.Thread(target=self._keep_time, name="timekeeper", daemon=True)
        self._timekeeper.start()

    def stop(self) -> None:
        """Stop the clock; the journal holds everything."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        if self._timekeeper is not None:
            self._timekeeper.join()

    def time_passed(self) -> None:
        """Send what is due now, and everything that is due after it."""
        published = False
        while self._fire():
            published = True
        if published:
            self._publish()

    def _fire(self) -> bool:
        with self._condition:
            due = nights.deadline(self._night, self.house)
            if due is None or self._watch.now() < due:
                return False
            before = self._chronicle.next_number
            time_up = self.house.games[self._night.game].time_up
            if time_up is None:
                return False
            self._submit(time_up, CLOCK, None)
            return self._chronicle.next_number > before

    def _keep_time(self) -> None:
        try:
            while not self._stopping:
                self._keep_time_once()
        finally:
            if not self._stopping:
                self._be_in_trouble(SHARED.say("trouble.clock"))

    def _keep_time_once(self) -> None:
        """A journal that cannot be written stops the game, not the clock: it is tried again until it can."""
        try:
            self.time_passed()
            if self._trouble is not None:
                self.note_time()
                self._be_in_trouble(None)
            self._wait()
        except JournalFailed as fault:
            self._be_in_trouble(str(fault))
            with self._condition:
                self._clock.wait(self._condition, NOTE_TIME_EVERY)

    def _be_in_trouble(self, trouble: str | None) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._publish()

    def _wait(self) -> None:
        with self._condition:
            if self._stopping:
                return
            due = nights.deadline(self._night, self.house)
            if due is None:
                self._clock.wait(self._condition, None)
                return
            left = due - self._watch.now()
            if left > 0:
                self._clock.wait(self._condition, min(left, NOTE_TIME_EVERY))
            if abs(self._watch.now() - self._noted_at) >= NOTE_TIME_EVERY:
                self.note_time()

    def note_time(self) -> None:
        """Write down how far table time has come: so much of it a power cut does not cost. Raises JournalFailed."""
        with self._condition:
            now = self._watch.now()
            self._journal.set_fact(_TIME_NOTED, f"{self._chronicle.next_number - 1} {now:.3f}")
            self._noted_at = now

    # What everyone sees

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` after every change, from whichever thread brought it about; it must be quick."""
        self._listeners.append(listener)

    def floor_changed(self) -> None:
        """A sensor moved: pages may show something else."""
        self._publish()

    def floor_in_trouble(self, troubles: Troubles) -> None:
        """What is wrong with the sensors has changed to ``troubles``."""
        self._floor_troubles = troubles
        self._publish()

    def floor_unwatched(self) -> None:
        """Nobody finds out any more what is wrong with the sensors: the host is told."""
        self._floor_is_watched = False
        self._publish()

    def _publish(self) -> None:
        for listener in self._listeners:
            listener()

    def now(self) -> tuple[Seconds, bool]:
        """Table time, and whether it runs."""
        with self._condition:
            return self._watch.now(), self._watch.is_running

    def view(self, viewer: Viewer) -> PageView:
        """What ``viewer`` may see at this moment."""
        with self._condition:
            night, undoable, now = self._night, self._chronicle.undoable, self._watch.now()
        return page_view(
            night,
            viewer,
            house=self.house,
            now=now,
            floor=self._floor.now(),
            reports=self._floor.report() if viewer.page is Page.HOST else (),
            undoable=undoable if viewer.page is Page.HOST else None,
            trouble=self._trouble or (None if self._floor_is_watched else SHARED.say("trouble.watch")),
        )

    def viewer_with_phone(self, device: str | None) -> Viewer:
        """Who holds the phone whose secret hashes to ``device``: a player, or somebody without a seat."""
        seat = next(
            (seat.id for seat in self._night.seats if device is not None and seat.phone == device), None
        )
        return Viewer(Page.PLAYER, seat, device)

    def knows_phone(self, device: str | None) -> bool:
        """Whether the phone whose secret hashes to ``device`` has a seat, or has asked for one."""
        night = self._night
        return device is not None and (
            any(seat.phone == device for seat in night.seats)
            or any(request.phone == device for request in night.requests)
        )

    def is_host(self, device: str | None) -> bool:
        """Whether the device whose secret hashes to ``device`` is the host."""
        return device is not None and self._night.host == device

    def is_booth(self, device: str | None) -> bool:
        """Whether the device whose secret hashes to ``device`` is the pick booth."""
        return device is not None and self._night.booth == device

    def opens_booth_for(self, seat: SeatId, digits: str) -> bool:
        """Whether ``digits`` are what ``seat`` guards its pick with; anything does where nothing was set.

        A seat with a phone and without a secret has nothing to do in the booth.
        """
        found = seat_of(self._night.seats, seat)
        return (
            found is not None
            and picks_in_booth(found)
            and (found.secret is None or found.secret == nights.booth_secret(seat, digits))
        )

    def phrase(self, no: Rejected) -> str:
        """Why not, in words that a player can read."""
        words = dict(no.words)
        if no.reason in SHARED.keys:
            return SHARED.say(no.reason, **words)
        return self.house.games[self._night.game].phrase(no.reason, **words)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Everyone at the table, in seating order."""
        return self._night.seats

    def suggestion(self, actor: Actor, rng: Random) -> Struct | None:
        """What the game's bot would do in ``actor``'s part; None while there is nothing to do."""
        night = self._night
        if night.play is None or night.pauses:
            return None
        around = nights.surroundings(night, self.house, self.now()[0], self._floor.now())
        return self.house.games[night.game].bot(night.play, actor, around, rng)

    @property
    def game_key(self) -> str:
        """The game that is on, or that would be begun."""
        return self._night.game
