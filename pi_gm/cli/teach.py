"""``pi-gm teach``: somebody walks from mat to mat, and the room learns which is on which pin."""

import argparse
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from hardware.listening import Listening
from hardware.pins import open_pins
from pi_gm.cli.alone import only_one
from pi_gm.cli.own_room import asked_room, own_file, taught_file
from pi_gm.cli.terminal import ENTER, GONE, Terminal, own_terminal
from pi_gm.clock import RealClock
from pi_gm.errors import BadInput
from pi_gm.folders import nights_folder
from pi_gm.lesson import LISTENS_EVERY, Lesson, Written
from pi_gm.lesson_view import LessonView, SensorStatus, TaughtSensor
from pi_gm.room import Room
from pi_gm.rooms import ROOMS
from pi_gm.teach import Step

_KEYS = {
    Step.EVERYBODY_OFF: "Enter: everybody is off    q: leave",
    Step.STUCK: "Enter: everybody is off    g: go on as it is    q: leave",
    Step.STEP_ON: "s: nothing happens, skip it    b: back    q: leave, go on later",
    Step.DONE: "Enter: write the room    a: those that say nothing once more    b: back    q: leave, go on later",
}
_SIGNS = {SensorStatus.LEARNED: "ok", SensorStatus.SILENT: "--"}


def add_to(commands: Any) -> None:
    """Add the command to those of the program."""
    parser = commands.add_parser(
        "teach",
        help="teach the room which mat is on which pin, by stepping on each",
        description="Everybody off, then somebody steps on each mat in turn: which pin it is on and how it is made is heard. "
        "Can be left half way and gone on with. Stop pi-gm run first, or teach on its host page.",
    )
    parser.add_argument(
        "--room", help=f"{', '.join(ROOMS)}, or a room.toml (left out: this machine's own room)"
    )
    parser.add_argument(
        "--to", type=Path, help="the file to write (left out: the room that pi-gm run takes by itself)"
    )
    parser.add_argument("--data", type=Path, help="the folder in which the nights are kept")
    parser.set_defaults(command=_teach)


def _teach(asked: argparse.Namespace) -> int:
    folder: Path = asked.data or nights_folder()
    room = room_to_teach(asked.room, folder)
    with only_one(folder), closing(open_pins(room)) as pins, closing(Listening(room, pins)) as ears:
        lesson = Lesson(room, ears, RealClock(), into=asked.to or taught_file(folder))
        with own_terminal() as terminal:
            teach(lesson, terminal)
    return 0


def room_to_teach(asked: str | None, folder: Path) -> Room:
    """The room that ``asked`` names, or this machine's own. Raises BadInput where it has nothing to teach."""
    room = asked_room(asked, own_file(folder))
    if room is None:
        raise BadInput("say which room to teach: --room own-mats, mats, buttons, or a file of your own")
    if not room.sensors:
        raise BadInput(f"the room {room.name!r} has no mats or buttons to teach: choose another with --room")
    return room


def teach(lesson: Lesson, terminal: Terminal) -> Written | None:
    """Lead somebody from mat to mat; None where they leave half way."""
    shown: LessonView | None = None
    while True:
        view = lesson.view()
        if view != shown:
            for line in _news(view, shown):
                terminal.say(line)
            shown = view
        key = terminal.key(LISTENS_EVERY)
        if key in ("q", GONE):
            terminal.say("Left; the same command goes on here.")
            return None
        if key == ENTER and view.step is Step.DONE:
            written = lesson.finish()
            terminal.say(_told(written))
            return written
        _obey(key, view, lesson)
        lesson.listen()


def _obey(key: str | None, view: LessonView, lesson: Lesson) -> None:
    match key, view.step:
        case "\n", Step.EVERYBODY_OFF | Step.STUCK:
            lesson.everybody_is_off()
        case "g", Step.STUCK:
            lesson.leave_stuck()
        case "s", Step.STEP_ON:
            lesson.nothing_happens(view.turn)
        case "b", _:
            lesson.back(view.turn)
        case "a", Step.DONE:
            for sensor in view.sensors:
                if sensor.status is SensorStatus.SILENT:
                    lesson.again(sensor.key)
        case _:
            pass


def _news(view: LessonView, before: LessonView | None) -> Iterator[str]:
    """What ``view`` says that ``before`` did not."""
    if before is None and view.deaf:
        yield view.deaf
    known = before.sensors if before is not None else ()
    for sensor in view.sensors:
        if sensor.status in _SIGNS and sensor not in known:
            yield f"  {_SIGNS[sensor.status]}  {sensor.name}  {_heard(sensor)}"
    if view.step in (Step.STUCK, Step.DONE):
        yield from _found(view)
    if before is None or before.asks != view.asks or before.step is not view.step:
        yield f"\n{view.asks}  [{view.done} of {len(view.sensors)}]"
        yield f"    {_KEYS[view.step]}"
    elif view.remark and view.remark != before.remark:
        yield f"    {view.remark}"


def _heard(sensor: TaughtSensor) -> str:
    return sensor.heard_on or "says nothing"


def _found(view: LessonView) -> Iterator[str]:
    for found in view.found:
        yield f"{'!' if found.needs_care else '-'} {found.says}"
        yield f"  {found.cure}"


def _told(written: Written) -> str:
    beside = f" The old one is kept as {written.old}." if written.old is not None else ""
    return f"The room is in {written.room}.{beside} pi-gm doctor checks it; pi-gm run plays in it."
