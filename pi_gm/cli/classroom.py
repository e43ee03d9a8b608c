"""The lessons of the room that the host's page begins and ends, while the program runs."""

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from hardware.listening import Listening
from hardware.pins import AnyPins, open_pins
from pi_gm.classroom import Classroom, ClassroomView, RoomChoice
from pi_gm.clock import Clock, Seconds
from pi_gm.errors import BadInput
from pi_gm.lesson import AttentiveThread, Lesson
from pi_gm.phrases import SHARED
from pi_gm.room import Room
from pi_gm.rooms import ROOMS
from pi_gm.settings import read_room

_KITS = {"own-mats": "room.own-mats", "mats": "room.mats", "buttons": "room.buttons"}
"""The rooms that come along with something to teach, and the sentence about each."""
_NONE_IS_ON = "No lesson is under way: begin one."


class Lessons(Classroom):
    """Lets the program go from playing to a lesson, and back, by serving anew.

    ``reopen`` is called when what is served must end, to be served again with what :attr:`room` and
    :attr:`is_lesson_next` say then.
    """

    def __init__(self, room: Room, into: Path, *, pins: AnyPins | None) -> None:
        """``into`` is the file of a taught room; ``pins`` those of a simulated room, which has its wires already."""
        self.room = room
        self._into = into
        self._simulated = pins
        self._lesson: Lesson | None = None
        self._taught: Room | None = None
        self._reopen: Callable[[], None] = _nothing
        self._wants_to_reopen = False
        self._news = ""
        self._lock = threading.RLock()

    # What the program asks

    @property
    def is_lesson_next(self) -> bool:
        """Whether what is served next is a lesson."""
        return self._taught is not None

    def serve_with(self, reopen: Callable[[], None]) -> None:
        """From now on ``reopen`` ends what is served."""
        with self._lock:
            self._reopen = reopen
            self._wants_to_reopen = False

    @property
    def wants_to_reopen(self) -> bool:
        """Whether what was served ended in order to be served anew."""
        return self._wants_to_reopen

    def open(self, clock: Clock, opened: ExitStack, *, stamp: Callable[[Seconds], Seconds]) -> None:
        """Open the lesson that is next, until ``opened`` is closed. Raises PinsUnavailable."""
        if self._taught is None:
            raise BadInput("No lesson was begun: choose a room to teach first.")
        pins = self._simulated
        if pins is None:
            pins = real = open_pins(self._taught)
            opened.callback(real.close)
        ears = Listening(self._taught, pins, stamp=stamp)
        opened.callback(ears.close)
        self._lesson = Lesson(self._taught, ears, clock, into=self._into)
        opened.callback(self._forget_lesson)

    def attend(self, opened: ExitStack, *, on_change: Callable[[], None]) -> None:
        """Listen to whoever steps on mats until ``opened`` is closed; ``on_change`` is called when one was heard."""
        if self._lesson is not None:
            attentive = AttentiveThread(self._lesson, on_change=on_change)
            opened.callback(attentive.stop)
            attentive.start()

    def _forget_lesson(self) -> None:
        self._lesson = None

    # What the host's page asks

    @property
    def lesson(self) -> Lesson | None:
        return self._lesson

    def view(self) -> ClassroomView:
        lesson = self._lesson
        return ClassroomView(self._choices(), lesson.view() if lesson is not None else None, self._news)

    def _choices(self) -> tuple[RoomChoice, ...]:
        own = (RoomChoice("", self.room.name, SHARED.say("room.own", count=len(self.room.sensors))),)
        if self._simulated is not None:
            return own if self.room.sensors else ()
        kits = tuple(
            RoomChoice(key, ROOMS[key].name, SHARED.say(about))
            for key, about in _KITS.items()
            if ROOMS[key].name != self.room.name
        )
        return (*own, *kits) if self.room.sensors else kits

    def begin(self, room: str) -> None:
        with self._lock:
            if self._lesson is not None:
                return
            if room not in {choice.key for choice in self._choices()}:
                raise BadInput("There is no such room to teach: choose one of those on the page.")
            taught = ROOMS[room] if room else self.room
            if self._simulated is None and not self.room.wired_pins():
                # A machine without pins must say so while its pages are still there.
                open_pins(taught).close()
            self._taught = taught
            self._news = ""
            self._serve_anew()

    def stop(self) -> None:
        with self._lock:
            if self._lesson is None:
                raise BadInput(_NONE_IS_ON)
            self._news = SHARED.say("teach.stopped")
            self._end()

    def use(self) -> None:
        with self._lock:
            if self._lesson is None:
                raise BadInput(_NONE_IS_ON)
            written = self._lesson.finish()
            self.room = read_room(written.room).room
            self._news = (
                SHARED.say("teach.used")
                if written.old is None
                else SHARED.say("teach.used-old", old=written.old.name)
            )
            self._end()

    def _end(self) -> None:
        self._taught = None
        self._serve_anew()

    def _serve_anew(self) -> None:
        self._wants_to_reopen = True
        self._reopen()


def _nothing() -> None:
    """Nothing is served yet."""
