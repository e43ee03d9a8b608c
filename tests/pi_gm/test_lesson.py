"""A lesson: somebody walks from mat to mat of a room that is wired otherwise than its file says."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from pi_gm.clock import FakeClock, Seconds
from pi_gm.errors import BadInput
from pi_gm.floor import Edge, History, Sensor
from pi_gm.lesson import Ears, Lesson, Written, progress_file
from pi_gm.lesson_view import LessonView, SensorStatus
from pi_gm.room import Place, Room
from pi_gm.rooms import own_mats
from pi_gm.settings import read_room, write_room
from pi_gm.teach import HOLDS, Pin, Step, pins_to_listen_to

A1, A2, RUG = Sensor("A1", 4, "A", owner=1), Sensor("A2", 5, "A"), Sensor("rug", 25, "island", counts=None)
ROOM = Room("three", (A1, A2, RUG))


class Wires(Ears):
    """The pins of a room, on which somebody steps by hand."""

    def __init__(self, room: Room, clock: FakeClock, *, deaf: tuple[Pin, ...] = ()) -> None:
        self._clock = clock
        self._deaf = deaf
        self._since = clock.monotonic()
        self._edges: dict[str, list[Edge]] = {pin.key: [] for pin in pins_to_listen_to(room)}

    @property
    def deaf(self) -> tuple[Pin, ...]:
        return self._deaf

    def histories(self) -> Mapping[str, History]:
        now = self._clock.monotonic()
        return {key: History(self._since, False, tuple(edges), now) for key, edges in self._edges.items()}

    def close(self) -> None:
        self._edges.clear()

    def press(self, pin: int) -> None:
        self._edges[f"header:{pin}"].append(Edge(self._clock.monotonic(), True))

    def let_go(self, pin: int) -> None:
        self._edges[f"header:{pin}"].append(Edge(self._clock.monotonic(), False))


class School:
    """A lesson of a room, and whoever walks about in it."""

    def __init__(self, folder: Path, room: Room = ROOM, *, deaf: tuple[Pin, ...] = ()) -> None:
        self.clock = FakeClock()
        self.wires = Wires(room, self.clock, deaf=deaf)
        self.into = folder / "room.toml"
        self.lesson = Lesson(room, self.wires, self.clock, into=self.into)

    def step_on(self, pin: int, *, for_: Seconds = HOLDS) -> bool:
        """Step on the mat at ``pin``, be heard, and step off."""
        self.clock.turn(0.1)
        self.wires.press(pin)
        self.clock.turn(for_)
        changed = self.lesson.listen()
        self.wires.let_go(pin)
        return changed

    @property
    def view(self) -> LessonView:
        return self.lesson.view()


@pytest.fixture
def school(tmp_path: Path) -> School:
    return School(tmp_path)


def statuses(view: LessonView) -> list[str]:
    return [one.status.value for one in view.sensors]


def test_everybody_off_then_one_mat_after_the_other(school: School) -> None:
    assert school.view.asks == "Everybody off every mat, every button let go."
    assert not school.step_on(4), "nothing counts before everybody was off"
    school.lesson.everybody_is_off()
    assert school.view.asks == "Step on raft A, seat 1 (token 1: red circle), and stay there."
    assert school.step_on(4)
    assert school.view.asks == "Step on raft A, seat 2, and stay there."
    assert school.step_on(5)
    assert school.view.asks == "Step on the island, and stay there."
    assert school.step_on(25)
    assert school.view.step is Step.DONE
    assert school.view.found == ()


def test_a_short_step_is_not_heard(school: School) -> None:
    school.lesson.everybody_is_off()
    assert not school.step_on(4, for_=HOLDS / 2)
    assert statuses(school.view) == ["now", "waiting", "waiting"]


def test_swapped_moved_and_silent_mats_are_told_with_what_to_do(school: School) -> None:
    school.lesson.everybody_is_off()
    school.step_on(5)
    school.lesson.nothing_happens("A2")
    school.step_on(20)
    told = [(one.says, one.cure, one.needs_care) for one in school.view.found]
    assert told == [
        (
            "Raft A, seat 1 is on the wire that was said to be that of raft A, seat 2.",
            "Nothing to do: the room knows now.",
            False,
        ),
        (
            "Raft A, seat 2 says nothing when somebody is on it.",
            "Look at its plug, its two wires and the mat itself; then let it have its turn again.",
            True,
        ),
        ("The island is on GPIO 20, not on GPIO 25.", "Nothing to do: the room knows now.", False),
    ]
    assert statuses(school.view) == ["learned", "silent", "learned"]


def test_two_that_were_swapped_with_each_other_are_told_once(school: School) -> None:
    school.lesson.everybody_is_off()
    for pin in (5, 4, 25):
        school.step_on(pin)
    assert [one.says for one in school.view.found] == ["Raft A, seat 1 and raft A, seat 2 were swapped."]


def test_a_stuck_mat_is_freed_first(school: School) -> None:
    school.wires.press(5)
    school.lesson.everybody_is_off()
    assert school.view.step is Step.STUCK
    assert statuses(school.view) == ["waiting", "stuck", "waiting"]
    assert [one.says for one in school.view.found] == ["Raft A, seat 2 is pressed although nobody is on it."]
    school.wires.let_go(5)
    school.clock.turn(HOLDS)
    assert not school.lesson.listen(), "a cushion that is taken away is no step"
    school.lesson.everybody_is_off()
    assert statuses(school.view) == ["now", "waiting", "waiting"]


def test_or_left_so_because_it_is_made_that_way(school: School) -> None:
    school.wires.press(4)
    school.lesson.everybody_is_off()
    school.lesson.leave_stuck()
    school.clock.turn(0.1)
    school.wires.let_go(4)
    school.clock.turn(HOLDS)
    assert school.lesson.listen()
    (found,) = school.view.found
    assert found.says == "Raft A, seat 1 opens when somebody steps on it; the room said that it closes."


def test_two_at_once_and_one_that_had_its_turn_are_remarked(school: School) -> None:
    school.lesson.everybody_is_off()
    school.clock.turn(0.1)
    for pin in (4, 5):
        school.wires.press(pin)
    school.clock.turn(HOLDS)
    assert school.lesson.listen()
    assert school.view.remark.startswith("Several moved at once (GPIO 4 and GPIO 5).")
    for pin in (4, 5):
        school.wires.let_go(pin)
    assert school.step_on(4)
    assert school.step_on(4)
    assert school.view.remark == "That one was learned as raft A, seat 1. Was that a mistake? Then go back."
    school.lesson.back("A2")
    assert school.view.remark == ""
    assert statuses(school.view) == ["now", "waiting", "waiting"]


def test_a_late_press_skips_nothing_newer(school: School) -> None:
    school.lesson.everybody_is_off()
    assert school.step_on(4)
    for late in (school.lesson.nothing_happens, school.lesson.back):
        with pytest.raises(BadInput, match="whose turn it is now"):
            late("A1")
    assert statuses(school.view) == ["learned", "now", "waiting"]


def test_one_that_had_its_turn_can_have_it_again_and_the_others_keep_theirs(school: School) -> None:
    school.lesson.everybody_is_off()
    school.lesson.nothing_happens("A1")
    for pin in (5, 25):
        school.step_on(pin)
    assert school.view.step is Step.DONE
    school.lesson.again("A1")
    assert statuses(school.view) == ["now", "learned", "learned"]
    school.step_on(4)
    assert school.view.found == ()


def test_pins_that_cannot_be_listened_to_are_told(tmp_path: Path) -> None:
    school = School(tmp_path, deaf=(Pin("header", 2), Pin("header", 3)))
    assert school.view.deaf == "GPIO 2 and GPIO 3 cannot be listened to: something else uses them."
    assert School(tmp_path).view.deaf == ""


def test_the_furniture_is_called_what_people_call_it(tmp_path: Path) -> None:
    places = (Place("A", "the blue couch"), Place("island"))
    school = School(tmp_path, msgspec.structs.replace(ROOM, places=places))
    assert [one.name for one in school.view.sensors] == [
        "The blue couch, seat 1",
        "The blue couch, seat 2",
        "The island",
    ]


class TestWhatIsKept:
    def test_a_lesson_left_half_way_goes_on_there_once_everybody_is_off(self, tmp_path: Path) -> None:
        half = School(tmp_path)
        half.lesson.everybody_is_off()
        half.step_on(20)
        half.lesson.nothing_happens("A2")
        rest = School(tmp_path)
        assert rest.view.step is Step.EVERYBODY_OFF
        assert statuses(rest.view) == ["learned", "silent", "waiting"]
        rest.lesson.everybody_is_off()
        assert rest.view.asks == "Step on the island, and stay there."

    def test_one_of_another_room_is_begun_anew(self, tmp_path: Path) -> None:
        half = School(tmp_path)
        half.lesson.everybody_is_off()
        half.step_on(20)
        assert statuses(School(tmp_path, own_mats()).view) == ["waiting"] * 18

    def test_so_is_one_that_cannot_be_read(self, tmp_path: Path) -> None:
        progress_file(tmp_path / "room.toml").write_text('{"room": {"name": "')
        assert School(tmp_path).view.done == 0

    def test_the_room_is_written_and_the_old_one_kept_beside_it(self, school: School) -> None:
        write_room(school.into, ROOM)
        old = school.into.read_bytes()
        school.lesson.everybody_is_off()
        for pin in (5, 4, 25):
            school.step_on(pin)
        written = school.lesson.finish()
        assert written.old is not None
        assert written == Written(school.into, written.old)
        assert written.old.read_bytes() == old
        assert [sensor.pin for sensor in read_room(school.into).room.sensors] == [5, 4, 25]
        assert not progress_file(school.into).exists()

    def test_a_folder_that_cannot_be_written_to_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        school = School(tmp_path / "file")
        with pytest.raises(BadInput, match="Choose a folder"):
            school.lesson.everybody_is_off()


def test_eighteen_mats_take_less_than_five_minutes(tmp_path: Path) -> None:
    """Ten seconds to walk to each, of which the mat has to be stood on for half a one."""
    school = School(tmp_path, own_mats())
    began = school.clock.monotonic()
    school.clock.turn(20.0)
    school.lesson.everybody_is_off()
    steps = 0
    for sensor in own_mats().sensors:
        school.clock.turn(10.0)
        steps += school.step_on(sensor.pin)
    assert steps == 18
    assert school.view.step is Step.DONE
    assert all(one.status is SensorStatus.LEARNED for one in school.view.sensors)
    assert school.clock.monotonic() - began < 5 * 60
