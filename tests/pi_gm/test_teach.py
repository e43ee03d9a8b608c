"""Teaching a room: which sensor is on which pin, how it is made, and which are stuck, swapped or dead."""

from collections.abc import Sequence
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.clock import Seconds
from pi_gm.errors import BadInput
from pi_gm.floor import Edge, History, Normally, Sensor
from pi_gm.room import Bus, Buzzer, Chip, Room, StartButton
from pi_gm.rooms import own_mats
from pi_gm.teach import (
    HOLDS,
    Finding,
    FindingKind,
    Learned,
    NobodyYet,
    OneAnswered,
    Pin,
    SeveralAnswered,
    Step,
    TakenAnswered,
    Teaching,
    pins_to_listen_to,
    room_to_listen_to,
)

A1, A2, A3 = (Sensor(f"A{number}", pin, "A") for number, pin in ((1, 4), (2, 5), (3, 6)))
ROOM = Room("three", (A1, A2, A3), start=StartButton(26), buzzer=Buzzer(13))


class Wires:
    """The room as it is really wired, heard from its beginning at 0."""

    def __init__(self, room: Room, *, closed: Sequence[int] = ()) -> None:
        self._pins = pins_to_listen_to(room)
        self._closed = {pin: pin.pin in closed for pin in self._pins}
        self._at_start = dict(self._closed)
        self._edges: dict[Pin, list[Edge]] = {pin: [] for pin in self._pins}
        self.now: Seconds = 0.0

    def change(self, pin: int, *waits: Seconds, chip: str = "header") -> None:
        """Change the contact, and once more after each of ``waits``; then all is still."""
        at = Pin(chip, pin)
        for wait in (*waits, 2 * HOLDS):
            self._closed[at] = not self._closed[at]
            self._edges[at].append(Edge(self.now, self._closed[at]))
            self.now += wait

    @property
    def histories(self) -> dict[str, History]:
        return {
            pin.key: History(0.0, self._at_start[pin], tuple(self._edges[pin]), self.now)
            for pin in self._pins
        }


def taught(room: Room, wires: Wires, steps: dict[str, int]) -> Teaching:
    """Teach ``room``: everybody off, then somebody steps on the pin of each sensor, and off again."""
    teaching = Teaching(room).everybody_is_off(wires.histories)
    for key, pin in steps.items():
        since = wires.now
        wires.change(pin)
        answer = teaching.answer(key, wires.histories, since=since, now=wires.now)
        assert isinstance(answer, OneAnswered)
        teaching = teaching.learn(answer.learned)
        wires.change(pin)
    return teaching


def test_what_drives_something_or_is_a_button_is_not_listened_to() -> None:
    heard = {sensor.pin for sensor in room_to_listen_to(ROOM).sensors}
    assert heard == set(range(2, 28)) - {13, 26}


def test_pins_that_cannot_be_opened_are_left_out() -> None:
    heard = room_to_listen_to(ROOM, leave_out=[Pin("header", 2), Pin("header", 3)])
    assert {sensor.pin for sensor in heard.sensors} == set(range(4, 28)) - {13, 26}


def test_pins_that_a_bus_needs_are_left_alone() -> None:
    room = msgspec.structs.replace(ROOM, buses=(Bus.I2C,))
    assert {one.pin for one in pins_to_listen_to(room)} == set(range(4, 28)) - {13, 26}


def test_an_expanders_pins_are_listened_to_as_well() -> None:
    room = msgspec.structs.replace(ROOM, chips=(Chip("more", label="mcp23017", lines=8),))
    assert [one.pin for one in pins_to_listen_to(room) if one.chip == "more"] == list(range(8))
    wires = Wires(room)
    teaching = Teaching(room).everybody_is_off(wires.histories)
    wires.change(0, chip="more")
    answer = teaching.answer("A1", wires.histories, since=0.0, now=wires.now)
    assert answer == OneAnswered(Learned("A1", Pin("more", 0), Normally.OPEN))


class TestOneStep:
    @pytest.fixture
    def wires(self) -> Wires:
        return Wires(ROOM, closed=[6])

    @pytest.fixture
    def teaching(self, wires: Wires) -> Teaching:
        return Teaching(ROOM).everybody_is_off(wires.histories)

    def test_the_pin_that_closes_and_stays_closed_is_the_sensors(
        self, wires: Wires, teaching: Teaching
    ) -> None:
        wires.change(17)
        answer = teaching.answer("A1", wires.histories, since=0.0, now=wires.now)
        assert answer == OneAnswered(Learned("A1", Pin("header", 17), Normally.OPEN))

    def test_one_that_opens_is_normally_closed(self, wires: Wires, teaching: Teaching) -> None:
        wires.change(6)
        answer = teaching.answer("A3", wires.histories, since=0.0, now=wires.now)
        assert answer == OneAnswered(Learned("A3", Pin("header", 6), Normally.CLOSED))

    def test_until_it_has_been_still_nobody_has_answered(self, wires: Wires, teaching: Teaching) -> None:
        wires.change(17)
        too_soon = wires.now - 2 * HOLDS + 0.9 * HOLDS
        assert teaching.answer("A1", wires.histories, since=0.0, now=too_soon) == NobodyYet()

    def test_a_touch_is_no_step(self, wires: Wires, teaching: Teaching) -> None:
        wires.change(17, 0.1)
        assert teaching.answer("A1", wires.histories, since=0.0, now=wires.now) == NobodyYet()

    def test_who_stood_there_already_when_it_was_asked_for_is_no_answer(
        self, wires: Wires, teaching: Teaching
    ) -> None:
        wires.change(17)
        asked = wires.now
        wires.change(4)
        answer = teaching.answer("A1", wires.histories, since=asked, now=wires.now)
        assert answer == OneAnswered(Learned("A1", Pin("header", 4), Normally.OPEN))

    def test_two_mats_at_once_are_not_guessed_between(self, wires: Wires, teaching: Teaching) -> None:
        wires.change(4)
        wires.change(5)
        answer = teaching.answer("A1", wires.histories, since=0.0, now=wires.now)
        assert answer == SeveralAnswered((Pin("header", 4), Pin("header", 5)))

    def test_a_pin_that_is_taken_is_said_to_be_whose(self, wires: Wires, teaching: Teaching) -> None:
        teaching = teaching.learn(Learned("A2", Pin("header", 5), Normally.OPEN))
        wires.change(5)
        assert teaching.answer("A1", wires.histories, since=0.0, now=wires.now) == TakenAnswered(
            Pin("header", 5), "A2"
        )
        again = teaching.answer("A2", wires.histories, since=0.0, now=wires.now)
        assert isinstance(again, OneAnswered)

    def test_who_shifts_on_a_mat_that_had_its_turn_is_not_in_the_way(
        self, wires: Wires, teaching: Teaching
    ) -> None:
        teaching = teaching.learn(Learned("A2", Pin("header", 5), Normally.OPEN))
        wires.change(5)
        wires.change(4)
        answer = teaching.answer("A1", wires.histories, since=0.0, now=wires.now)
        assert answer == OneAnswered(Learned("A1", Pin("header", 4), Normally.OPEN))

    def test_a_step_whose_edge_got_lost_counts_by_its_level(self, teaching: Teaching) -> None:
        anew = {"header:4": History(2.0, True, (), 3.0)}
        answer = teaching.answer("A1", anew, since=1.0, now=3.0)
        assert answer == OneAnswered(Learned("A1", Pin("header", 4), Normally.OPEN))

    def test_how_it_chatters_is_learned(self, wires: Wires, teaching: Teaching) -> None:
        wires.change(4, 0.01, 0.2, 0.01, 0.05)
        answer = teaching.answer("A1", wires.histories, since=0.0, now=wires.now)
        assert isinstance(answer, OneAnswered)
        assert answer.learned.longest_gap == pytest.approx(0.2)
        room = teaching.learn(answer.learned).taught_room()
        assert room.sensors[0].release == 0.4
        assert room.sensors[1].release == A2.release

    def test_before_everybody_was_off_nothing_can_be_learned(self, wires: Wires) -> None:
        with pytest.raises(BadInput, match="everybody is off"):
            Teaching(ROOM).answer("A1", wires.histories, since=0.0, now=1.0)


class TestWhatItBringsToLight:
    def test_a_room_that_is_wired_as_it_says_has_nothing_to_find(self) -> None:
        teaching = taught(ROOM, Wires(ROOM), {"A1": 4, "A2": 5, "A3": 6})
        assert teaching.findings() == ()
        assert teaching.taught_room() == ROOM
        assert teaching.next_sensor is None

    def test_swapped_mats(self) -> None:
        teaching = taught(ROOM, Wires(ROOM), {"A1": 5, "A2": 4, "A3": 6})
        assert teaching.findings() == (
            Finding("A1", FindingKind.SWAPPED, other="A2"),
            Finding("A2", FindingKind.SWAPPED, other="A1"),
        )
        assert [sensor.pin for sensor in teaching.taught_room().sensors] == [5, 4, 6]

    def test_a_mat_on_a_pin_that_was_nobodys(self) -> None:
        teaching = taught(ROOM, Wires(ROOM), {"A1": 20})
        assert teaching.findings() == (Finding("A1", FindingKind.MOVED),)

    def test_a_stuck_mat_before_anybody_stepped_on_it(self) -> None:
        teaching = Teaching(ROOM).everybody_is_off(Wires(ROOM, closed=[5]).histories)
        assert teaching.findings() == (Finding("A2", FindingKind.STUCK),)

    def test_what_is_stuck_is_freed_before_anybody_steps_on_anything_or_left_so(self) -> None:
        wires = Wires(ROOM, closed=[5])
        teaching = Teaching(ROOM).everybody_is_off(wires.histories)
        assert teaching.step is Step.STUCK
        assert teaching.leave_stuck().step is Step.STEP_ON
        wires.change(5)
        assert teaching.everybody_is_off(wires.histories).step is Step.STEP_ON

    def test_one_that_stays_pressed_whoever_steps_on_it_is_stuck_and_not_silent(self) -> None:
        teaching = Teaching(ROOM).everybody_is_off(Wires(ROOM, closed=[5]).histories).nothing_heard("A2")
        assert teaching.findings() == (Finding("A2", FindingKind.STUCK),)

    def test_a_mat_of_the_other_kind(self) -> None:
        teaching = taught(ROOM, Wires(ROOM, closed=[5]), {"A2": 5})
        assert teaching.findings() == (Finding("A2", FindingKind.OTHER_KIND_OF_CONTACT),)
        assert teaching.taught_room().sensors[1].normally is Normally.CLOSED

    def test_a_dead_mat_keeps_its_place_and_the_next_has_its_turn(self) -> None:
        teaching = taught(ROOM, Wires(ROOM), {"A1": 4}).nothing_heard("A2")
        assert teaching.findings() == (Finding("A2", FindingKind.DEAD),)
        assert teaching.next_sensor == A3
        assert teaching.forget("A2").next_sensor == A2

    def test_a_mat_that_chatters_for_longer_than_the_room_thought(self) -> None:
        teaching = Teaching(ROOM).learn(Learned("A1", Pin("header", 4), Normally.OPEN, longest_gap=0.2))
        assert teaching.findings() == (Finding("A1", FindingKind.CHATTERS),)


class TestHalfWay:
    def test_it_can_be_left_and_gone_on_with(self) -> None:
        half = taught(ROOM, Wires(ROOM), {"A1": 5, "A2": 4})
        kept = msgspec.json.decode(msgspec.json.encode(half), type=Teaching)
        assert kept == half
        assert kept.next_sensor == A3

    def test_what_was_not_taught_stays_as_it_was(self) -> None:
        teaching = taught(ROOM, Wires(ROOM), {"A1": 20})
        assert [sensor.pin for sensor in teaching.taught_room().sensors] == [20, 5, 6]

    def test_a_sensor_that_was_not_taught_gets_the_pin_that_a_swap_left_free(self) -> None:
        teaching = taught(ROOM, Wires(ROOM), {"A1": 5}).nothing_heard("A2")
        assert [sensor.pin for sensor in teaching.taught_room().sensors] == [5, 4, 6]

    @pytest.mark.parametrize(
        ("steps", "silent", "next_one"),
        [
            ({"A1": 4}, (), "A1"),
            ({"A1": 4, "A2": 5}, (), "A2"),
            ({"A1": 4}, ("A2",), "A2"),
            ({"A1": 4, "A2": 5, "A3": 6}, (), "A3"),
        ],
    )
    def test_back_lets_the_one_before_have_its_turn_again(
        self, steps: dict[str, int], silent: tuple[str, ...], next_one: str
    ) -> None:
        teaching = taught(ROOM, Wires(ROOM), steps)
        for key in silent:
            teaching = teaching.nothing_heard(key)
        back = teaching.back()
        assert back.next_sensor is not None
        assert back.next_sensor.key == next_one

    def test_before_the_first_one_back_is_everybody_off(self) -> None:
        assert taught(ROOM, Wires(ROOM), {}).back() == Teaching(ROOM)


@given(st.randoms(use_true_random=False), st.sets(st.integers(0, 17)))
def test_whatever_the_wiring_of_eighteen_mats_is_teaching_finds_it(shuffle: Random, closed: set[int]) -> None:
    room = own_mats()
    pins = [sensor.pin for sensor in room.sensors]
    shuffle.shuffle(pins)
    normally_closed = [pins[number] for number in closed]
    steps = {sensor.key: pin for sensor, pin in zip(room.sensors, pins, strict=True)}
    learned = taught(room, Wires(room, closed=normally_closed), steps).taught_room()
    assert {sensor.key: sensor.pin for sensor in learned.sensors} == steps
    assert {sensor.pin for sensor in learned.sensors if sensor.normally is Normally.CLOSED} == set(
        normally_closed
    )
    assert [(sensor.place, sensor.owner) for sensor in learned.sensors] == [
        (sensor.place, sensor.owner) for sensor in room.sensors
    ]
