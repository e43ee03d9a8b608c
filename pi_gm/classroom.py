"""Where the host's page begins a lesson of the room, follows it, and ends it."""

from typing import Protocol

from msgspec import Struct

from pi_gm.lesson import Lesson
from pi_gm.lesson_view import LessonView


class RoomChoice(Struct, frozen=True):
    """A room that can be taught."""

    key: str
    """The word that chooses it; empty for the room that is played in."""
    title: str
    about: str


class ClassroomView(Struct, frozen=True):
    """What the host's page shows of it."""

    choices: tuple[RoomChoice, ...]
    lesson: LessonView | None = None
    """The lesson that is under way; None while there is none."""
    news: str = ""
    """What came of the last lesson; empty before."""


class Classroom(Protocol):
    """The pins can be open for one thing at a time: the floor of the games, or a lesson. Safe for several threads."""

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is under way; None while there is none."""
        ...

    def view(self) -> ClassroomView:
        """How it stands."""
        ...

    def begin(self, room: str) -> None:
        """Close the floor and open a lesson of ``room``, the key of a choice; every page is gone for a moment.

        Nothing happens while one is under way. Raises BadInput for a room that is none of the choices, and another
        PiGmError where this machine has no pins.
        """
        ...

    def stop(self) -> None:
        """End the lesson and open the floor as it was; how far the lesson came is kept.

        Raises BadInput where none is under way: a game may be on.
        """
        ...

    def use(self) -> None:
        """End the lesson, write the room and open it. Raises BadInput where none is under way or it cannot be written;
        then nothing ends.
        """
        ...
