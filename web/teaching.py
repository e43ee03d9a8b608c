"""What the page on which the room is taught can ask for."""

from typing import Annotated

from msgspec import Meta, Struct

from pi_gm.classroom import Classroom
from pi_gm.errors import PiGmError
from web.door import Refused

Key = Annotated[str, Meta(max_length=200)]


class _Command(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class BeginLesson(_Command, frozen=True, tag="begin-lesson"):
    """Teach that room; "" is the one that is played in."""

    room: Key = ""


class EverybodyIsOff(_Command, frozen=True, tag="everybody-is-off"):
    """Nobody is on any mat."""


class LeaveStuck(_Command, frozen=True, tag="leave-stuck"):
    """Go on although something is pressed that should not be."""


class NothingHappens(_Command, frozen=True, tag="nothing-happens"):
    """Somebody stands on the sensor whose turn it is, and nothing is heard."""

    at: Key


class GoBack(_Command, frozen=True, tag="go-back"):
    """The one before that whose turn it is ("": none's) has it again."""

    at: Key


class LetAgain(_Command, frozen=True, tag="let-again"):
    """That sensor has its turn again."""

    sensor: Key


class StopLesson(_Command, frozen=True, tag="stop-lesson"):
    """Leave it half way."""


class UseRoom(_Command, frozen=True, tag="use-room"):
    """Write the room as it was taught, and play in it."""


TeachCommand = (
    BeginLesson | EverybodyIsOff | LeaveStuck | NothingHappens | GoBack | LetAgain | StopLesson | UseRoom
)


def obey(command: TeachCommand, classroom: Classroom) -> None:
    """Let ``command`` happen. Raises Refused, with what to do, where it cannot."""
    try:
        match command:
            case BeginLesson(room=room):
                classroom.begin(room)
            case StopLesson():
                classroom.stop()
            case UseRoom():
                classroom.use()
            case _:
                _go_on(command, classroom)
    except PiGmError as fault:
        raise Refused(409, str(fault)) from fault


def _go_on(command: TeachCommand, classroom: Classroom) -> None:
    lesson = classroom.lesson
    if lesson is None:
        raise Refused(409, "No lesson is under way: begin one.")
    match command:
        case EverybodyIsOff():
            lesson.everybody_is_off()
        case LeaveStuck():
            lesson.leave_stuck()
        case NothingHappens(at=at):
            lesson.nothing_happens(at)
        case GoBack(at=at):
            lesson.back(at)
        case LetAgain(sensor=sensor):
            lesson.again(sensor)
        case _:
            pass
