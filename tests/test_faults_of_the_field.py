"""What goes wrong in living rooms, brought about on the pins, and what it leads to at the host's tablet.

Each test is a boarding of Animal Crossing on mock pins, from the fault to who counts as where and what is asked. Faults
of the machine rather than of the room are brought about where they belong: ELSEWHERE says in which test.
"""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory

from hardware.mats import Mats
from hardware.pins import MatPin
from hardware.watch import Watch
from pi_gm import night as nights
from pi_gm.clock import Seconds
from pi_gm.floor import Normally
from pi_gm.games import Page
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.room import Room
from pi_gm.rooms import anonymous_mats, own_mats
from pi_gm.table import Table
from tests.pi_gm.evening import Evening

BOARDING: Seconds = 30.0
NAMES = ("Ana", "Ben", "Cleo")
"""Their tokens are 1, 2 and 3, and so the mat of Ana on raft A is A1."""

KERNEL = "tests/kernel/inside/test_faults.py"
KERNELS_DOCTOR = "tests/kernel/inside/test_doctor.py"
CHIPS = "tests/hardware/test_chips.py"
WIRING = "tests/hardware/doctor/test_wiring.py"
MACHINE = "tests/hardware/doctor/test_machine.py"
PINS = "tests/hardware/test_pins.py"
TEACHING = "tests/pi_gm/test_teach.py"
WHEREABOUTS = "tests/pi_gm/test_whereabouts.py"
ELSEWHERE = {
    "chip number moved": (
        (KERNEL, "test_wherever_its_number_moved_it_is_found_by_its_label"),
        (CHIPS, "test_it_has_one_of_three_labels_and_any_number"),
    ),
    "GPIO busy": (
        (KERNEL, "test_another_program_that_holds_a_pin_is_in_the_way_and_named"),
        (KERNELS_DOCTOR, "test_the_program_that_holds_a_pin_is_named_with_its_process"),
    ),
    "overlay owns the pin": (
        (KERNEL, "test_a_line_that_the_kernel_itself_uses_is_in_the_way_and_its_user_is_named"),
        (KERNELS_DOCTOR, "test_an_overlay_that_holds_a_pin_is_named"),
    ),
    "no permission": (
        (KERNEL, "test_a_user_who_may_not_open_it_is_told_of_the_group"),
        (WIRING, "test_a_chip_that_may_not_be_opened_is_bad_and_the_cure_is_the_group"),
    ),
    "no lgpio": (
        (PINS, "test_without_lgpio_its_package_is_named"),
        (MACHINE, "test_none_at_all_is_bad_and_the_cure_names_the_package"),
    ),
    "unwritable working directory": (
        (KERNEL, "test_a_working_directory_that_may_not_be_written_to_is_named"),
        (MACHINE, "test_a_working_directory_that_may_not_be_written_to_is_bad"),
    ),
    "handler that throws": (
        (KERNEL, "test_one_that_throws_stops_no_pin"),
        (KERNEL, "test_when_somebody_elses_handler_ends_the_librarys_thread_every_mat_says_so"),
    ),
    "slow handler": ((KERNEL, "test_a_slow_one_delays_the_news_but_moves_no_instant"),),
    "killed in the middle": ((KERNEL, "test_killed_in_the_middle_it_leaves_the_pins_free_at_once"),),
    "floating input": ((KERNEL, "test_a_line_that_floats_is_noisy_and_the_others_stay_good"),),
    "mats swapped in the wiring": ((TEACHING, "test_swapped_mats"),),
    "mat that never closes": (
        (TEACHING, "test_a_dead_mat_keeps_its_place_and_the_next_has_its_turn"),
        (TEACHING, "test_a_mat_of_the_other_kind"),
    ),
    "silent or without battery": ((WHEREABOUTS, "test_unknown_is_never_taken_for_empty"),),
}


class FaultyPin(MatPin):
    """A pin whose edges can get lost, and that can stop answering."""

    deaf = False
    broken = False

    def _call_when_changed(self) -> None:
        if not self.deaf:
            super()._call_when_changed()

    def _get_state(self) -> bool:
        if self.broken:
            raise OSError("no answer")
        return bool(super()._get_state())


class Boarding(Evening):
    """Three players and a room whose contacts are closed and opened by hand."""

    def __init__(self, room: Room, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self._pin_of = {sensor.key: sensor.pin for sensor in room.sensors}
        self._factory = MockFactory(pin_class=FaultyPin)
        super().__init__(*NAMES, room=room)

    def _new_table(self) -> Table:
        self._patch.setattr("gpiozero.pins.mock.monotonic", self.clock.monotonic)
        mats = Mats(self.house.room, self._factory, on_change=lambda: None, grace=0.0)
        table = Table(self.house, self.journal, self.clock, mats, Random(1))
        self._watch = Watch(
            mats, self.clock, on_trouble=table.floor_in_trouble, on_death=lambda _: table.floor_unwatched()
        )
        return table

    def open_rafts(self) -> None:
        self.begin(practice=False, rafts=2)
        self.pick(Ana=Animal.DOG, Ben=Animal.DOG, Cleo=Animal.DOG)
        self.host(commands.OpenBoarding())
        self._buzzer_at = self.clock.monotonic() + BOARDING

    def pin(self, mat: str) -> FaultyPin:
        pin: FaultyPin = self._factory.pin(self._pin_of[mat])
        return pin

    def close_contact(self, *mats: str) -> None:
        for mat in mats:
            self.pin(mat).drive_low()

    def open_contact(self, *mats: str) -> None:
        for mat in mats:
            self.pin(mat).drive_high()

    def chatter(self, mat: str, *, times: int, every: Seconds) -> None:
        """The contact closes and opens again ``times``, and is open in the end."""
        for _ in range(times):
            self.close_contact(mat)
            self.clock.turn(every / 2)
            self.open_contact(mat)
            self.clock.turn(every / 2)

    def watch_for(self, seconds: Seconds) -> None:
        """The watch looks ten times a second, as it does in a night."""
        for _ in range(round(10 * seconds)):
            self.clock.turn(0.1)
            self._watch.look()

    def until_buzzer(self, *, left: Seconds = 0.0) -> None:
        """Until boarding has only ``left`` seconds to go."""
        self.pass_time(self._buzzer_at - self.clock.monotonic() - left)

    def buzz(self) -> None:
        """The buzzer sounds, and everybody's edges have time to come in."""
        self.pass_time(max(0.0, self._buzzer_at - self.clock.monotonic()) + 1)

    @property
    def wrong(self) -> list[str]:
        """What the host's page says of the mats."""
        return [sensor.wrong for sensor in self.on(Page.HOST).sensors if sensor.wrong]

    @property
    def doubts(self) -> list[str]:
        return [doubt.sentence for doubt in self.play_on(Page.HOST).doubts]

    @property
    def answers(self) -> list[str]:
        return [answer.label for doubt in self.play_on(Page.HOST).doubts for answer in doubt.answers]

    @property
    def places(self) -> dict[str, str]:
        return {
            self.name_of(one.seat): place.key
            for place in self.play_on(Page.HOST).places
            for one in place.people
        }


@pytest.fixture
def in_room(monkeypatch: pytest.MonkeyPatch) -> Callable[[Room], Boarding]:
    return lambda room: Boarding(room, monkeypatch)


@pytest.fixture
def before(in_room: Callable[[Room], Boarding]) -> Boarding:
    """Before the game, in the room in which each player has a mat of their own everywhere."""
    return in_room(own_mats())


@pytest.fixture
def boarding(before: Boarding) -> Boarding:
    """In the same room, while the rafts are open."""
    before.open_rafts()
    return before


@pytest.fixture
def counting(in_room: Callable[[Room], Boarding]) -> Boarding:
    """While the rafts are open, in the room whose mats tell how many are there."""
    counting = in_room(anonymous_mats(2))
    counting.open_rafts()
    return counting


class TestContactsThatAreNotClean:
    def test_bounces_of_a_step_just_before_the_buzzer_are_a_step(self, boarding: Boarding) -> None:
        boarding.close_contact("B2", "I3")
        boarding.until_buzzer(left=0.05)
        boarding.chatter("A1", times=10, every=0.003)
        boarding.close_contact("A1")
        boarding.buzz()
        assert (boarding.doubts, boarding.places) == ([], {"Ana": "A", "Ben": "B", "Cleo": "island"})

    def test_bounces_of_a_step_off_just_before_the_buzzer_are_a_step_off(self, boarding: Boarding) -> None:
        boarding.close_contact("A1", "B2", "I3")
        boarding.until_buzzer(left=0.05)
        boarding.open_contact("A1")
        boarding.chatter("A1", times=10, every=0.003)
        boarding.buzz()
        assert (boarding.doubts, boarding.places["Ana"]) == ([], "water")

    def test_a_foot_that_only_shifts_across_the_buzzer_never_left(self, boarding: Boarding) -> None:
        boarding.close_contact("A1", "B2", "I3")
        boarding.until_buzzer(left=0.02)
        boarding.open_contact("A1")
        boarding.clock.turn(0.04)
        boarding.close_contact("A1")
        boarding.buzz()
        assert (boarding.doubts, boarding.places["Ana"]) == ([], "A")

    def test_phantom_presses_across_the_buzzer_put_nobody_anywhere(self, boarding: Boarding) -> None:
        boarding.close_contact("A1", "B2", "I3")
        boarding.until_buzzer(left=0.005)
        boarding.close_contact("B1", "A2", "A3")
        boarding.clock.turn(0.01)
        boarding.open_contact("B1", "A2", "A3")
        boarding.buzz()
        assert (boarding.doubts, boarding.places) == ([], {"Ana": "A", "Ben": "B", "Cleo": "island"})

    def test_a_long_wire_that_picks_up_its_neighbour_is_counted_and_puts_nobody_anywhere(
        self, boarding: Boarding
    ) -> None:
        boarding.close_contact("A1", "B2", "I3")
        for _ in range(40):
            boarding.chatter("A2", times=1, every=0.002)
            boarding.watch_for(0.3)
        edges = {sensor.key: sensor.edges_a_minute for sensor in boarding.on(Page.HOST).sensors}
        assert (edges["A2"], boarding.wrong) == (80, [])
        boarding.buzz()
        assert (boarding.doubts, boarding.places["Ben"]) == ([], "B")

    def test_a_floating_input_is_asked_about_and_nobody_else_is(self, boarding: Boarding) -> None:
        boarding.close_contact("B2", "I3")
        boarding.until_buzzer(left=8)
        for _ in range(45):
            boarding.chatter("A1", times=4, every=0.02)
            boarding.watch_for(0.1)
        assert boarding.wrong == ["Mat A1, raft A, flickers."]
        boarding.buzz()
        assert boarding.doubts == ["The mat of Ana on Raft A gives no answer. Where does it count?"]


class TestEdgesThatGetLost:
    def test_a_lost_release_leaves_nobody_stuck(self, boarding: Boarding) -> None:
        boarding.close_contact("A1", "B2", "I3")
        boarding.watch_for(5)
        boarding.pin("A1").deaf = True
        boarding.open_contact("A1")
        boarding.watch_for(0.3)
        boarding.buzz()
        assert (boarding.doubts, boarding.places["Ana"]) == ([], "water")

    def test_one_lost_just_before_the_buzzer_is_asked_about(self, boarding: Boarding) -> None:
        boarding.close_contact("A1", "B2", "I3")
        boarding.until_buzzer(left=0.01)
        boarding.pin("A1").deaf = True
        boarding.open_contact("A1")
        boarding.buzz()
        assert boarding.doubts == ["The mat of Ana on Raft A gives no answer. Where does it count?"]


class TestMatsThatStayClosed:
    def test_one_under_a_couchs_foot_is_found_when_everybody_is_off_and_can_be_left_out_for_tonight(
        self, before: Boarding
    ) -> None:
        before.close_contact("A1")
        before.host(nights.EverybodyIsOff())
        assert before.said[-1] == before.wrong[0] == "Mat A1, raft A, seems to be stuck."
        before.host(nights.IgnoreSensor("A1"))
        before.open_rafts()
        before.close_contact("B1", "B2", "I3")
        before.buzz()
        assert (before.doubts, before.places["Ana"]) == ([], "B")

    def test_found_and_not_left_out_it_is_asked_about(self, before: Boarding) -> None:
        before.close_contact("A1")
        before.host(nights.EverybodyIsOff())
        before.open_rafts()
        before.buzz()
        assert before.doubts == ["The mat of Ana on Raft A gives no answer. Where does it count?"]

    def test_not_found_it_cannot_put_a_player_who_is_elsewhere_on_that_raft(self, boarding: Boarding) -> None:
        boarding.close_contact("A1", "B1", "B2", "I3")
        boarding.buzz()
        assert boarding.doubts == ["Ana seems to be on Raft A and on Raft B at once. Where does it count?"]

    def test_one_of_the_normally_closed_kind_that_the_room_does_not_know_of_is_found_likewise(
        self, before: Boarding
    ) -> None:
        before.close_contact("I2")
        before.host(nights.EverybodyIsOff())
        assert before.wrong == ["Mat I2, the island, seems to be stuck."]

    def test_a_cushion_on_a_mat_that_counts_people_is_one_of_the_answers(self, counting: Boarding) -> None:
        counting.close_contact("A1", "A2", "B1", "B2")
        counting.check_in(Ana="A", Ben="B", Cleo="B")
        counting.buzz()
        assert counting.answers == ["Nobody, a cushion"]


class TestMatsThatNeverClose:
    def test_a_broken_foil_does_not_drown_who_stands_on_it(self, boarding: Boarding) -> None:
        boarding.close_contact("B2", "I3")
        boarding.check_in(Ana="A")
        boarding.buzz()
        assert boarding.doubts == ["The mats and the phone of Ana say different things. Where does it count?"]
        assert boarding.answers == ["Raft A", "the water"]

    def test_a_broken_wire_of_a_normally_closed_mat_looks_like_somebody_until_everybody_is_off(
        self, in_room: Callable[[Room], Boarding]
    ) -> None:
        room = own_mats()
        closed = tuple(
            msgspec.structs.replace(sensor, normally=Normally.CLOSED) if sensor.key == "A1" else sensor
            for sensor in room.sensors
        )
        before = in_room(msgspec.structs.replace(room, sensors=closed))
        before.close_contact("A1")
        before.host(nights.EverybodyIsOff())
        assert before.said[-1] == "All mats are free."
        before.open_contact("A1")
        before.host(nights.EverybodyIsOff())
        assert before.wrong == ["Mat A1, raft A, seems to be stuck."]


class TestPeopleAndMats:
    def test_two_on_one_mat(self, counting: Boarding) -> None:
        counting.close_contact("A1", "B1")
        counting.check_in(Ana="A", Ben="A", Cleo="B")
        counting.buzz()
        assert counting.doubts == [
            "Raft A: Ana and Ben say they are there, but one mat is pressed. Who is really there?"
        ]

    def test_one_on_two_mats(self, counting: Boarding) -> None:
        counting.close_contact("A1", "A2", "B1", "B2")
        counting.check_in(Ana="A", Ben="B", Cleo="B")
        counting.buzz()
        assert counting.doubts == [
            "Raft A: 2 mats are pressed, and only Ana counts as being there. Who else is?"
        ]

    def test_mats_swapped_in_the_wiring_contradict_the_phones(self, boarding: Boarding) -> None:
        boarding.close_contact("A2", "B1", "I3")
        boarding.check_in(Ana="A", Ben="B")
        boarding.buzz()
        assert boarding.doubts == [
            "The mats and the phone of Ana say different things. Where does it count?",
            "The mats and the phone of Ben say different things. Where does it count?",
        ]


class TestMatsThatAreSilent:
    """Whatever the cause: no answer is never taken for empty, be it a chip, a wire, a radio or a battery."""

    def test_one_that_gives_no_answer_is_asked_about(self, boarding: Boarding) -> None:
        boarding.close_contact("A1", "B2", "I3")
        boarding.watch_for(1)
        boarding.pin("A1").broken = True
        boarding.watch_for(1)
        assert boarding.wrong == ["Mat A1, raft A, gives no answer."]
        boarding.buzz()
        assert boarding.doubts == ["The mat of Ana on Raft A gives no answer. Where does it count?"]

    def test_it_counts_again_once_it_answers(self, boarding: Boarding) -> None:
        boarding.close_contact("A1", "B2", "I3")
        boarding.pin("A1").broken = True
        boarding.watch_for(1)
        boarding.pin("A1").broken = False
        boarding.watch_for(1)
        assert boarding.wrong == []
        boarding.buzz()
        assert (boarding.doubts, boarding.places["Ana"]) == ([], "A")


@pytest.mark.parametrize(("file", "name"), [test for tests in ELSEWHERE.values() for test in tests])
def test_what_is_proved_elsewhere_is_still_proved_there(file: str, name: str) -> None:
    assert re.search(rf"^ *def {name}\(", (Path(__file__).parents[1] / file).read_text(), re.MULTILINE)
