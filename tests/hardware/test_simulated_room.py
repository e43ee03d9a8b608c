"""Figures in a simulated living room press exactly the mats that they stand on."""

import threading

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from hardware.mats import Mats
from hardware.pins import MatPin, mock_factory, mock_pins
from hardware.simulated_room import SimulatedRoom
from pi_gm.clock import FakeClock
from pi_gm.errors import BadInput
from pi_gm.floor import Reading, Sensor
from pi_gm.room import ISLAND, PLACES, WATER, Chip, LivingRoom, Room, Standing, no_sensors
from pi_gm.rooms import ROOMS, anonymous_mats, own_mats


class Floor:
    """A simulated room, with the mats that sense it."""

    def __init__(self, room: Room) -> None:
        factory = mock_factory()
        self.told = 0
        self.mats = Mats(room, factory, on_change=self._tell)
        self.room: LivingRoom = SimulatedRoom(room, factory)

    def _tell(self) -> None:
        self.told += 1

    @property
    def pressed(self) -> list[str]:
        return [key for key, reading in self.mats.now().readings if reading is Reading.PRESSED]


class TestMatsOfTheirOwn:
    def test_a_figure_stands_on_the_mat_of_its_token(self) -> None:
        floor = Floor(own_mats())
        floor.room.put("ana", "B", token=3)
        assert floor.pressed == ["B3"]
        assert floor.room.where() == (Standing("ana", "B", "B3"),)

    def test_a_figure_without_a_mat_there_stands_beside_the_others_mats(self) -> None:
        floor = Floor(own_mats())
        floor.room.put("gil", "A", token=7)
        floor.room.put("cushion", "A", token=None)
        assert floor.pressed == []
        assert floor.room.where() == (Standing("gil", "A"), Standing("cushion", "A"))

    def test_a_token_without_a_mat_of_its_own_takes_an_anonymous_one_where_there_is_one(self) -> None:
        own, anyones = Sensor(key="own", pin=4, place="A", owner=1), Sensor(key="anyone's", pin=5, place="A")
        floor = Floor(Room("both kinds", (own, anyones)))
        floor.room.put("ana", "A", token=1)
        floor.room.put("ben", "A", token=2)
        assert [standing.sensor for standing in floor.room.where()] == ["own", "anyone's"]


class TestAnonymousMats:
    def test_each_figure_takes_the_first_free_mat(self) -> None:
        floor = Floor(anonymous_mats())
        for token, figure in enumerate(("ana", "ben", "cleo"), start=1):
            floor.room.put(figure, "A", token=token)
        assert floor.pressed == ["A1", "A2", "A3"]
        floor.room.remove("ben")
        floor.room.put("dan", "A", token=4)
        assert floor.room.where()[-1] == Standing("dan", "A", "A2")

    def test_so_does_a_figure_without_a_token(self) -> None:
        floor = Floor(anonymous_mats())
        for figure in ("ana", "cushion", "bag"):
            floor.room.put(figure, "A", token=None)
        assert floor.pressed == ["A1", "A2", "A3"]

    def test_when_all_are_taken_the_last_is_shared(self) -> None:
        floor = Floor(anonymous_mats())
        for token in range(1, 6):
            floor.room.put(f"figure {token}", "A", token=token)
        assert [standing.sensor for standing in floor.room.where()] == ["A1", "A2", "A3", "A3", "A3"]

    def test_a_figure_that_stands_there_already_stays_on_its_mat(self) -> None:
        floor = Floor(anonymous_mats())
        floor.room.put("ana", "A", token=1)
        floor.room.put("ben", "A", token=2)
        floor.room.remove("ana")
        told = floor.told
        floor.room.put("ben", "A", token=2)
        assert floor.room.where() == (Standing("ben", "A", "A2"),)
        assert floor.told == told

    def test_a_rug_has_room_for_all(self) -> None:
        floor = Floor(anonymous_mats())
        for token in range(1, 7):
            floor.room.put(f"figure {token}", ISLAND, token=token)
        assert {standing.sensor for standing in floor.room.where()} == {"rug"}
        assert floor.pressed == ["rug"]

    def test_a_mat_for_two_is_filled_before_the_next(self) -> None:
        sensors = (
            Sensor(key="wide", pin=4, place="A", counts=2),
            Sensor(key="narrow", pin=5, place="A"),
        )
        floor = Floor(Room("wide and narrow", sensors))
        for token in range(1, 4):
            floor.room.put(f"figure {token}", "A", token=token)
        assert [standing.sensor for standing in floor.room.where()] == ["wide", "wide", "narrow"]


class TestLeaving:
    def test_a_mat_is_let_go_only_when_the_last_one_leaves_it(self) -> None:
        floor = Floor(anonymous_mats())
        floor.room.put("ana", ISLAND, token=1)
        floor.room.put("ben", ISLAND, token=2)
        floor.room.remove("ana")
        assert floor.pressed == ["rug"]
        floor.room.put("ben", WATER, token=2)
        assert floor.pressed == []

    def test_one_who_goes_elsewhere_leaves_the_old_mat_before_stepping_on_the_new(
        self, clock: FakeClock
    ) -> None:
        factory = mock_factory()
        seen: list[list[str]] = []
        room = SimulatedRoom(own_mats(), factory)
        mats = Mats(
            own_mats(),
            factory,
            on_change=lambda: seen.append(
                [key for key, reading in mats.now().readings if reading is Reading.PRESSED]
            ),
        )
        room.put("ana", "A", token=1)
        room.put("ana", "B", token=1)
        assert seen == [["A1"], [], ["B1"]]

    def test_the_water_and_places_without_sensors_press_nothing(self) -> None:
        floor = Floor(own_mats())
        for place in (WATER, "C"):
            floor.room.put("ana", "A", token=1)
            floor.room.put("ana", place, token=1)
            assert floor.pressed == []
            assert floor.room.where() == (Standing("ana", place),)

    def test_removing_one_who_is_not_there_changes_nothing(self) -> None:
        floor = Floor(own_mats())
        floor.room.put("ana", "A", token=1)
        floor.room.remove("ben")
        assert floor.room.where() == (Standing("ana", "A", "A1"),)

    def test_removed_figures_are_nowhere(self) -> None:
        floor = Floor(own_mats())
        floor.room.put("ana", "A", token=1)
        floor.room.remove("ana")
        assert floor.room.where() == ()
        assert floor.pressed == []


class TestOnExactlyThisSensor:
    def test_a_figure_can_stand_on_anothers_mat(self) -> None:
        floor = Floor(own_mats())
        floor.room.put("ana", "A", token=1)
        floor.room.put_on("cushion", "A2")
        assert floor.pressed == ["A1", "A2"]
        assert floor.room.where()[1] == Standing("cushion", "A", "A2")

    def test_one_mat_can_hold_two_whoever_it_counts(self) -> None:
        floor = Floor(anonymous_mats())
        floor.room.put_on("ana", "A1")
        floor.room.put_on("ben", "A1")
        floor.room.remove("ana")
        assert floor.pressed == ["A1"]

    def test_a_sensor_that_there_is_not_is_refused(self) -> None:
        room = Floor(anonymous_mats()).room
        with pytest.raises(
            BadInput, match=r"no sensor 'A9' to stand on: choose one of those there are \(A1, A2"
        ):
            room.put_on("ana", "A9")
        with pytest.raises(BadInput, match="this room has none"):
            Floor(no_sensors()).room.put_on("ana", "A1")
        assert room.where() == ()


def test_a_place_that_there_is_not_is_refused_and_the_figure_stays() -> None:
    floor = Floor(own_mats())
    floor.room.put("ana", "A", token=1)
    with pytest.raises(BadInput, match="'sofa' is no place to stand: choose one of A, B, C, island, water"):
        floor.room.put("ana", "sofa", token=1)
    assert floor.room.where() == (Standing("ana", "A", "A1"),)


def test_in_a_room_without_sensors_figures_are_simply_there() -> None:
    floor = Floor(no_sensors())
    for place in PLACES:
        floor.room.put(f"at {place}", place, token=1)
    assert floor.room.where() == tuple(Standing(f"at {place}", place) for place in PLACES)


def test_figures_that_came_in_before_the_mats_were_opened_are_felt() -> None:
    factory = mock_factory()
    room = SimulatedRoom(own_mats(), factory)
    room.put("ana", "A", token=1)
    mats = Mats(own_mats(), factory, on_change=lambda: None)
    assert [key for key, reading in mats.now().readings if reading is Reading.PRESSED] == ["A1"]


def test_one_who_is_told_of_an_edge_can_ask_where_everyone_is() -> None:
    factory = mock_factory()
    seen: list[tuple[Standing, ...]] = []
    room = SimulatedRoom(own_mats(), factory)
    mats = Mats(own_mats(), factory, on_change=lambda: seen.append(room.where()))
    room.put("ana", "A", token=1)
    assert seen == [(Standing("ana", "A", "A1"),)]
    mats.close()


figures = st.sampled_from(["ana", "ben", "cleo", "dan", "cushion"])
moves = st.one_of(
    st.tuples(st.just("put"), figures, st.sampled_from(PLACES), st.one_of(st.none(), st.integers(1, 12))),
    st.tuples(st.just("put on"), figures, st.integers(0, 17), st.none()),
    st.tuples(st.just("remove"), figures, st.none(), st.none()),
)


def _move(room: Room, living: LivingRoom, move: tuple[str, str, str | int | None, int | None]) -> None:
    what, figure, target, token = move
    if what == "remove":
        living.remove(figure)
    elif isinstance(target, str):
        living.put(figure, target, token=token)
    elif target is not None and room.sensors:
        living.put_on(figure, room.sensors[target % len(room.sensors)].key)


@pytest.mark.parametrize("key", ROOMS)
@given(st.lists(moves, max_size=30))
def test_after_any_moves_the_pressed_mats_are_those_that_somebody_stands_on(
    key: str, moves: list[tuple[str, str, str | int | None, int | None]]
) -> None:
    room = ROOMS[key]
    floor = Floor(room)
    for move in moves:
        _move(room, floor.room, move)
        stood_on = {standing.sensor for standing in floor.room.where()} - {None}
        assert set(floor.pressed) == stood_on
        assert len({standing.figure for standing in floor.room.where()}) == len(floor.room.where())
        places = {sensor.key: sensor.place for sensor in room.sensors}
        assert all(
            standing.sensor is None or places[standing.sensor] == standing.place
            for standing in floor.room.where()
        )


class InterruptedPin(MatPin):
    """A pin in the middle of whose release somebody else has a moment to act."""

    interruption: threading.Thread | None = None

    def drive_high(self) -> None:
        thread, self.interruption = self.interruption, None
        if thread is not None:
            thread.start()
            thread.join(0.1)
        super().drive_high()


def test_one_who_steps_on_a_mat_while_the_last_one_leaves_it_is_felt() -> None:
    factory = MockFactory(pin_class=InterruptedPin)
    room = SimulatedRoom(anonymous_mats(), factory)
    mats = Mats(anonymous_mats(), factory, on_change=lambda: None)
    (rug,) = anonymous_mats().sensors_at(ISLAND)
    room.put("ana", ISLAND, token=1)
    ben = threading.Thread(target=room.put, args=("ben", ISLAND), kwargs={"token": 2}, daemon=True)
    factory.pin(rug.pin).interruption = ben
    room.remove("ana")
    ben.join(10)
    assert room.where() == (Standing("ben", ISLAND, "rug"),)
    assert mats.now().of(rug) is Reading.PRESSED


def test_people_can_stand_on_mats_of_a_second_chip() -> None:
    far = Sensor("far", 4, "B", chip="expander")
    room = Room("two chips", (Sensor("A1", 4, "A"), far), chips=(Chip("expander", label="mcp23017"),))
    pins = mock_pins(room)
    SimulatedRoom(room, pins).put("ana", "B", token=1)
    mats = Mats(room, pins, on_change=lambda: None)
    assert [mats.now().of(sensor) for sensor in room.sensors] == [Reading.CLEAR, Reading.PRESSED]
