"""The rooms to start from, and what a room must not be."""

import pytest

from pi_gm.errors import BadInput
from pi_gm.floor import Sensor
from pi_gm.room import ISLAND, PLACES, ROOMS, TOKENS, WATER, Room, anonymous_mats, no_sensors, own_mats

A1 = Sensor(key="A1", pin=4, place="A")


def mistakes(*sensors: Sensor) -> list[str]:
    with pytest.raises(BadInput) as raised:
        Room("wrong", sensors)
    return str(raised.value).split("\n")


class TestRoomsToStartFrom:
    def test_each_has_a_word_for_the_command_line(self) -> None:
        assert dict(ROOMS) == {"none": no_sensors(), "mats": anonymous_mats(), "own-mats": own_mats()}

    def test_one_has_no_sensors(self) -> None:
        assert no_sensors().sensors == ()

    @pytest.mark.parametrize(("rafts", "places"), [(2, ["A", "B"]), (3, ["A", "B", "C"])])
    def test_anonymous_mats_are_three_on_each_couch_and_a_rug(self, rafts: int, places: list[str]) -> None:
        room = anonymous_mats(rafts)
        assert [len(room.sensors_at(place)) for place in places] == [3] * rafts
        assert len(room.sensors) == 3 * rafts + 1
        assert {sensor.owner for sensor in room.sensors} == {None}

    def test_each_mat_counts_one_and_the_rug_any_number(self) -> None:
        room = anonymous_mats()
        assert [rug.counts for rug in room.sensors_at(ISLAND)] == [None]
        assert {mat.counts for mat in room.sensors if mat.place != ISLAND} == {1}

    def test_anonymous_mats_are_for_two_or_three_rafts(self) -> None:
        with pytest.raises(BadInput, match="4 rafts: choose 2 or 3"):
            anonymous_mats(4)

    def test_own_mats_are_one_for_each_of_six_players_at_each_of_three_places(self) -> None:
        owners = {place: [mat.owner for mat in own_mats().sensors_at(place)] for place in ("A", "B", ISLAND)}
        assert owners == {place: [1, 2, 3, 4, 5, 6] for place in ("A", "B", ISLAND)}
        assert len(own_mats().sensors) == 18

    def test_own_mats_are_wired_as_the_map_of_the_header_says(self) -> None:
        pins = {place: [mat.pin for mat in own_mats().sensors_at(place)] for place in ("A", "B", ISLAND)}
        assert pins == {
            "A": [4, 5, 6, 7, 8, 9],
            "B": [10, 11, 16, 17, 18, 19],
            ISLAND: [20, 21, 22, 23, 24, 25],
        }

    def test_no_wire_moves_when_two_couches_with_anonymous_mats_get_mats_of_the_players_own(self) -> None:
        own = {(mat.place, mat.pin) for mat in own_mats().sensors}
        assert {(mat.place, mat.pin) for mat in anonymous_mats(2).sensors} <= own

    @pytest.mark.parametrize("room", ROOMS.values(), ids=ROOMS.keys())
    def test_none_uses_a_pin_that_i2c_uart_start_button_lamp_or_buzzer_needs(self, room: Room) -> None:
        assert not {sensor.pin for sensor in room.sensors} & {2, 3, 14, 15, 26, 12, 13}


class TestWhatARoomMustNotBe:
    def test_two_sensors_with_one_name(self) -> None:
        assert mistakes(A1, Sensor(key="A1", pin=5, place="A")) == [
            "2 sensors are called A1: give each a name of its own."
        ]

    def test_a_sensor_without_a_name(self) -> None:
        assert mistakes(Sensor(key=" ", pin=5, place="A")) == [
            "A sensor has no name: give it one, such as A1."
        ]

    def test_two_sensors_on_one_pin(self) -> None:
        assert mistakes(A1, Sensor(key="B1", pin=4, place="B"), Sensor(key="B2", pin=4, place="B")) == [
            "A1, B1 and B2 share pin 4: wire each to a pin of its own."
        ]

    @pytest.mark.parametrize("pin", [-1, 0, 1, 28])
    def test_a_pin_that_the_header_does_not_have(self, pin: int) -> None:
        assert mistakes(Sensor(key="A1", pin=pin, place="A")) == [
            f"A1 is on pin {pin}, which the header does not have: choose a BCM number from 2 to 27."
        ]

    def test_a_sensor_at_a_place_that_there_is_not(self) -> None:
        assert mistakes(Sensor(key="A1", pin=4, place="sofa")) == [
            "A1 lies at 'sofa', which is no place: choose one of A, B, C, island, water."
        ]

    @pytest.mark.parametrize("owner", [0, 13])
    def test_a_sensor_of_a_token_that_there_is_not(self, owner: int) -> None:
        assert mistakes(Sensor(key="A1", pin=4, place="A", owner=owner)) == [
            f"A1 belongs to token {owner}, which there is not: choose 1 to 12, or nobody."
        ]

    def test_a_mat_that_nobody_can_stand_on(self) -> None:
        assert mistakes(Sensor(key="A1", pin=4, place="A", counts=0)) == [
            "A1 counts 0 people: choose 1 or more, or any number."
        ]

    @pytest.mark.parametrize("times", [(-0.1, 0.1), (0.1, -0.1), (float("nan"), 0.1)])
    def test_a_press_or_release_time_below_zero(self, times: tuple[float, float]) -> None:
        press, release = times
        assert mistakes(Sensor(key="A1", pin=4, place="A", press=press, release=release)) == [
            "A1 has a press or release time below zero: choose 0 seconds or more."
        ]

    def test_all_that_is_wrong_is_said_at_once(self) -> None:
        assert len(mistakes(A1, A1, Sensor(key="X", pin=99, place="sofa", owner=13, counts=0, press=-1))) == 7


def test_a_room_may_have_sensors_at_every_place_for_every_token() -> None:
    sensors = [
        *(Sensor(key=place, pin=pin, place=place) for pin, place in enumerate(PLACES, start=2)),
        *(Sensor(key=f"T{token}", pin=token + 10, place=WATER, owner=token) for token in TOKENS),
    ]
    assert len(Room("full", tuple(sensors)).sensors) == 17
