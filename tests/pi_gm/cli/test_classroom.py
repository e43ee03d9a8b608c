"""A lesson in the middle of a night: what is served ends, and is served anew with the pins for the one or the other."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from hardware.mats import Mats
from hardware.pins import PinsUnavailable, mock_factory
from hardware.simulated_room import SimulatedRoom
from pi_gm.cli.classroom import Lessons
from pi_gm.clock import RealClock
from pi_gm.errors import BadInput
from pi_gm.lesson import Lesson
from pi_gm.room import no_sensors
from pi_gm.rooms import ROOMS
from pi_gm.settings import read_room

MATS = ROOMS["mats"]


class Served:
    """Counts how often what is served had to end."""

    def __init__(self, lessons: Lessons) -> None:
        self.ends = 0
        lessons.serve_with(self.end)

    def end(self) -> None:
        self.ends += 1


@pytest.fixture
def lessons(tmp_path: Path) -> Lessons:
    return Lessons(MATS, tmp_path / "room.toml", pins=mock_factory())


def opened_lesson(lessons: Lessons, opened: ExitStack) -> Lesson:
    lessons.open(RealClock(), opened, stamp=float)
    lesson = lessons.lesson
    assert lesson is not None
    return lesson


def test_beginning_a_lesson_lets_the_night_be_served_anew(lessons: Lessons) -> None:
    served = Served(lessons)
    assert not lessons.wants_to_reopen
    lessons.begin("")
    assert (served.ends, lessons.wants_to_reopen, lessons.is_lesson_next) == (1, True, True)
    with ExitStack() as opened:
        opened_lesson(lessons, opened)
        served = Served(lessons)
        lessons.begin("")
        assert served.ends == 0, "one is under way"
        lessons.stop()
        assert (served.ends, lessons.wants_to_reopen, lessons.is_lesson_next) == (1, True, False)
    assert lessons.lesson is None
    assert lessons.view().news.startswith("Stopped for now.")


def test_a_taught_room_is_written_and_played_in_with_the_same_pins(tmp_path: Path) -> None:
    pins = mock_factory()
    lessons = Lessons(MATS, tmp_path / "room.toml", pins=pins)
    SimulatedRoom(MATS, pins)
    lessons.begin("")
    with ExitStack() as opened:
        lesson = opened_lesson(lessons, opened)
        lesson.everybody_is_off()
        for sensor in MATS.sensors:
            lesson.nothing_happens(sensor.key)
        lessons.use()
    assert read_room(tmp_path / "room.toml").room == lessons.room == MATS
    assert not lessons.is_lesson_next
    Mats(lessons.room, pins, on_change=lambda: None).close()


def test_the_simulated_room_is_the_one_that_can_be_taught_in_a_rehearsal(
    lessons: Lessons, tmp_path: Path
) -> None:
    assert [choice.key for choice in lessons.view().choices] == [""]
    assert Lessons(no_sensors(), tmp_path / "room.toml", pins=mock_factory()).view().choices == ()
    with pytest.raises(BadInput, match="no such room"):
        lessons.begin("own-mats")


def test_elsewhere_so_can_those_that_come_along(tmp_path: Path) -> None:
    lessons = Lessons(no_sensors(), tmp_path / "room.toml", pins=None)
    assert [choice.key for choice in lessons.view().choices] == ["own-mats", "mats", "buttons"]


def test_a_machine_without_pins_says_so_and_goes_on_serving(tmp_path: Path) -> None:
    lessons = Lessons(no_sensors(), tmp_path / "room.toml", pins=None)
    served = Served(lessons)
    with pytest.raises(PinsUnavailable, match="pi-gm rehearse"):
        lessons.begin("own-mats")
    assert (served.ends, lessons.is_lesson_next) == (0, False)


@pytest.mark.parametrize("end", [Lessons.stop, Lessons.use])
def test_a_lesson_that_nobody_began_cannot_end_what_is_served(
    end: Callable[[Lessons], None], lessons: Lessons
) -> None:
    served = Served(lessons)
    with pytest.raises(BadInput, match="No lesson is under way"):
        end(lessons)
    assert (served.ends, lessons.wants_to_reopen, lessons.view().news) == (0, False, "")


def test_a_lesson_that_nobody_began_cannot_be_opened(lessons: Lessons) -> None:
    with ExitStack() as opened, pytest.raises(BadInput, match="choose a room"):
        lessons.open(RealClock(), opened, stamp=float)
