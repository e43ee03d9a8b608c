"""A room being taught: whoever walks from mat to mat is heard, and nothing that was learned gets lost."""

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from pi_gm.clock import Clock, Seconds
from pi_gm.errors import BadInput
from pi_gm.floor import History
from pi_gm.lesson_view import LessonView, lesson_view
from pi_gm.room import Room
from pi_gm.settings import write_room
from pi_gm.teach import Answer, NobodyYet, OneAnswered, Pin, Step, Teaching
from pi_gm.whole_file import write_whole

log = logging.getLogger(__name__)

LISTENS_EVERY: Seconds = 0.1


class Ears(Protocol):
    """Every pin that a sensor may be on, listened to. Safe for several threads."""

    @property
    def deaf(self) -> tuple[Pin, ...]:
        """Those that cannot be opened, such as a bus's."""
        ...

    def histories(self) -> Mapping[str, History]:
        """What was heard of each pin since it was opened, by :attr:`pi_gm.teach.Pin.key`."""
        ...

    def close(self) -> None:
        """Let go of the pins."""
        ...


class Written(Struct, frozen=True):
    """The files of a room that was taught."""

    room: Path
    old: Path | None
    """What the file was before; None where there was none."""


class Lesson:
    """``room`` being taught with what ``ears`` hear, for the file ``into``. Safe for several threads.

    After every step, how far it has come is kept beside that file; another lesson of the same room goes on there.
    """

    def __init__(self, room: Room, ears: Ears, clock: Clock, *, into: Path) -> None:
        self._ears = ears
        self._clock = clock
        self._into = into
        self._lock = threading.RLock()
        self._teaching = _half_way(progress_file(into), room)
        self._asked_at: Seconds = clock.monotonic()
        self._heard: Answer = NobodyYet()

    def view(self) -> LessonView:
        """Where it stands."""
        with self._lock:
            return lesson_view(self._teaching, self._heard, self._ears.deaf)

    def everybody_is_off(self) -> None:
        """Nobody is on anything: whatever is closed now is stuck or made that way."""
        with self._lock:
            self._turn_to(self._teaching.everybody_is_off(self._ears.histories()))

    def leave_stuck(self) -> None:
        """Go on although something is pressed that should not be."""
        with self._lock:
            self._turn_to(self._teaching.leave_stuck())

    def listen(self) -> bool:
        """Hear whether somebody has stepped onto what was asked for; true where the view changed."""
        with self._lock:
            sensor = self._teaching.next_sensor
            if sensor is None or self._teaching.step is not Step.STEP_ON:
                return False
            before = self._heard
            self._heard = self._teaching.answer(
                sensor.key, self._ears.histories(), since=self._asked_at, now=self._clock.monotonic()
            )
            if isinstance(self._heard, OneAnswered):
                self._turn_to(self._teaching.learn(self._heard.learned))
                return True
            return self._heard != before

    def nothing_happens(self, at: str) -> None:
        """Somebody stands on the sensor ``at``, and nothing is heard: the next one has its turn.

        Raises BadInput where another has its turn already: this one was heard after all.
        """
        with self._lock:
            self._check_turn(at)
            if self._teaching.step is Step.STEP_ON:
                self._turn_to(self._teaching.nothing_heard(at))

    def back(self, at: str) -> None:
        """The one before ``at``, which has its turn ("" for none), has it again.

        Raises BadInput where another has its turn already.
        """
        with self._lock:
            self._check_turn(at)
            self._turn_to(self._teaching.back())

    def again(self, key: str) -> None:
        """The sensor ``key`` has its turn again."""
        with self._lock:
            self._turn_to(self._teaching.forget(key))

    def _check_turn(self, at: str) -> None:
        sensor = self._teaching.next_sensor
        if at != (sensor.key if sensor is not None else ""):
            raise BadInput("Something was heard in that moment. See whose turn it is now, and press again.")

    def finish(self) -> Written:
        """Write the room as it was taught. Raises BadInput where that cannot be; then it can be tried again."""
        with self._lock:
            old = write_room(self._into, self._teaching.taught_room())
            progress_file(self._into).unlink(missing_ok=True)
            return Written(self._into, old)

    def _turn_to(self, teaching: Teaching) -> None:
        self._teaching = teaching
        self._asked_at = self._clock.monotonic()
        self._heard = NobodyYet()
        _keep(progress_file(self._into), teaching)


def progress_file(into: Path) -> Path:
    """Where it is kept how far the room for the file ``into`` has been taught."""
    return into.with_name(f"{into.name}.half-taught")


def _half_way(path: Path, room: Room) -> Teaching:
    """Where a lesson of ``room`` was left. Everybody has to be off once more: people and cushions moved since."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Teaching)
    except (OSError, msgspec.DecodeError, BadInput):
        return Teaching(room)
    if kept.room != room:
        return Teaching(room)
    return msgspec.structs.replace(kept, closed_at_rest=None)


def _keep(path: Path, teaching: Teaching) -> None:
    try:
        write_whole(path, msgspec.json.encode(teaching))
    except OSError as fault:
        raise BadInput(
            f"{path} cannot be written: {fault.strerror}. Choose a folder that may be written to."
        ) from fault


class AttentiveThread:
    """Listens to a lesson in a thread of its own; ``on_change``, which must be quick, is called when it went on."""

    def __init__(self, lesson: Lesson, *, on_change: Callable[[], None]) -> None:
        self._lesson = lesson
        self._on_change = on_change
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._keep_listening, name="lesson", daemon=True)

    def start(self) -> None:
        """Listen from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _keep_listening(self) -> None:
        while not self._stopping.wait(LISTENS_EVERY):
            try:
                if self._lesson.listen():
                    self._on_change()
            # Whatever goes wrong with one step, the next must find somebody who listens.
            except Exception:
                log.exception("a step in the lesson was not dealt with")
