"""The rooms to start from, and what a room must not be."""

import msgspec
import pytest

from pi_gm.errors import BadInput
from pi_gm.floor import Sensor
from pi_gm.room import (
    ISLAND,
    PLACES,
    TOKENS,
    WATER,
    Answer,
    Bus,
    Buzzer,
    Chip,
    DecisionButton,
    Lamp,
    Place,
    Room,
    RoomPlan,
    StartButton,
    advice_on,
    mistakes_in,
    no_sensors,
)
from pi_gm.rooms import ROOMS, anonymous_mats, own_mats

A1 = Sensor(key="A1", pin=4, place="A")


def mistakes(*sensors: Sensor) -> list[str]:
    with pytest.raises(BadInput) as raised:
        Room("wrong", sensors)
    return str(raised.value).split("\n")


class TestRoomsToStartFrom:
    def test_each_has_a_word_for_the_command_line(self) -> None:
        assert set(ROOMS) == {"none", "mats", "own-mats", "buttons"}
        assert (ROOMS["none"], ROOMS["mats"], ROOMS["own-mats"]) == (
            no_sensors(),
            anonymous_mats(),
            own_mats(),
        )

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
    def test_none_uses_a_pin_of_i2c_or_of_the_serial_port(self, room: Room) -> None:
        assert not {one.pin for one in room.wired_pins()} & {2, 3, 14, 15}

    @pytest.mark.parametrize("word", ["mats", "own-mats", "buttons"])
    def test_start_button_and_buzzer_are_on_the_same_pins_in_each(self, word: str) -> None:
        room = ROOMS[word]
        assert (room.start, room.buzzer) == (StartButton(26), Buzzer(13))

    def test_each_raft_that_has_mats_has_a_lamp(self) -> None:
        for room in (ROOMS["mats"], anonymous_mats(2), own_mats(), ROOMS["buttons"]):
            assert {lamp.place for lamp in room.lamps} == {sensor.place for sensor in room.sensors} - {ISLAND}

    def test_buttons_are_three_on_each_of_two_couches_and_two_for_each_of_six_players(self) -> None:
        room = ROOMS["buttons"]
        assert [len(room.sensors_at(place)) for place in ("A", "B", ISLAND)] == [3, 3, 0]
        assert {(button.owner, button.answer) for button in room.decisions} == {
            (token, answer) for token in range(1, 7) for answer in Answer
        }


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

    @pytest.mark.parametrize("seconds", [-0.1, 2.1, 150, float("nan"), float("inf")])
    @pytest.mark.parametrize("which", ["press", "release"])
    def test_a_press_or_release_time_below_zero_or_as_long_as_no_contact_bounces(
        self, seconds: float, which: str
    ) -> None:
        sensor = msgspec.structs.replace(A1, **{which: seconds})
        assert mistakes(sensor) == [
            f"A1 has a {which} time of {seconds:g} seconds: choose 0 to 2 (0.15 is 150 milliseconds)."
        ]

    def test_all_that_is_wrong_is_said_at_once(self) -> None:
        assert len(mistakes(A1, A1, Sensor(key="X", pin=99, place="sofa", owner=13, counts=0, press=-1))) == 7


def test_a_room_may_have_sensors_at_every_place_for_every_token() -> None:
    sensors = [
        *(Sensor(key=place, pin=pin, place=place) for pin, place in enumerate(PLACES, start=2)),
        *(Sensor(key=f"T{token}", pin=token + 10, place=WATER, owner=token) for token in TOKENS),
    ]
    assert len(Room("full", tuple(sensors)).sensors) == 17


def wrong(**said: object) -> list[str]:
    """What is wrong with a plan that has one good mat and what is ``said``."""
    plan = msgspec.structs.replace(RoomPlan("wrong", (A1,)), **said)
    return [mistake.text for mistake in mistakes_in(plan)]


class TestWhatElseIsWired:
    def test_two_things_of_any_kind_on_one_pin(self) -> None:
        assert wrong(
            start=StartButton(4),
            buzzer=Buzzer(16),
            lamps=(Lamp("A", 16),),
            decisions=(DecisionButton(1, Answer.ACCEPT, 4),),
        ) == [
            "A1, accept 1 and the start button share pin 4: wire each to a pin of its own.",
            "the lamp of A and the buzzer share pin 16: wire each to a pin of its own.",
        ]

    def test_pins_of_two_chips_are_not_the_same_pin(self) -> None:
        expander = Chip("expander", label="mcp23017")
        assert wrong(start=StartButton(4, chip="expander"), chips=(expander,)) == []

    def test_a_pin_that_an_expander_does_not_have(self) -> None:
        expander = Chip("expander", label="mcp23017", lines=8)
        assert wrong(start=StartButton(0, chip="expander"), chips=(expander,)) == []
        assert wrong(start=StartButton(8, chip="expander"), chips=(expander,)) == [
            "the start button is on pin 8, which expander does not have: choose a number from 0 to 7."
        ]

    def test_a_chip_that_the_room_does_not_have(self) -> None:
        assert wrong(buzzer=Buzzer(16, chip="hat")) == [
            (
                "the buzzer is on chip 'hat', which the room does not have: "
                "choose header, or say under [chips] which it is."
            )
        ]

    @pytest.mark.parametrize("chip", [Chip("x"), Chip("x", label="a", device="/dev/b")])
    def test_a_chip_that_cannot_be_found_or_can_be_found_in_two_ways(self, chip: Chip) -> None:
        (mistake,) = wrong(chips=(chip,))
        assert "give one of the two" in mistake

    def test_a_chip_without_lines_or_with_a_name_that_another_has(self) -> None:
        chips = (Chip("x", label="a", lines=0), Chip("x", label="b"))
        assert [mistake.partition(":")[0] for mistake in wrong(chips=chips)] == [
            "Chip x has 0 lines",
            "2 chips are called x",
        ]

    def test_a_lamp_for_what_is_no_raft_and_two_for_one(self) -> None:
        assert wrong(lamps=(Lamp("island", 12), Lamp("B", 13), Lamp("B", 16))) == [
            "A lamp is for 'island', which is no raft: choose one of A, B, C.",
            "There are 2 lamps for B: wire them to one pin.",
        ]

    def test_a_buzzer_on_a_pin_that_is_on_while_the_pi_starts(self) -> None:
        assert wrong(buzzer=Buzzer(8)) == [
            "the buzzer is on pin 8, which is on while the Pi starts: it would sound. Wire it to a pin from 9 up."
        ]
        assert wrong(buzzer=Buzzer(9)) == []

    def test_decision_buttons_for_no_token_and_two_with_one_meaning(self) -> None:
        twice = tuple(DecisionButton(2, Answer.REJECT, pin) for pin in (5, 6))
        assert wrong(decisions=(DecisionButton(13, Answer.ACCEPT, 7), *twice)) == [
            "accept 13 is for a token that there is not: choose 1 to 12.",
            "There are 2 buttons for reject 2: one will do.",
        ]

    def test_a_pin_of_a_bus_that_something_else_needs(self) -> None:
        assert wrong(start=StartButton(3), buses=(Bus.I2C, Bus.UART)) == [
            (
                "the start button is on pin 3, and the room says that I2C needs it: "
                "wire it to another pin, or take 'i2c' out of buses."
            )
        ]


class TestPlaces:
    def test_a_place_where_nobody_can_stand(self) -> None:
        (mistake,) = wrong(places=(Place("A"), Place("B")))
        assert mistake.startswith(
            "Nobody can stand on B: it has no sensor. Give it one, or say by_phone = true"
        )

    def test_a_place_may_be_by_phone_and_the_water_needs_no_sensor(self) -> None:
        assert wrong(places=(Place("A"), Place("B", by_phone=True), Place(WATER))) == []

    def test_in_a_room_without_sensors_every_place_is_by_phone(self) -> None:
        assert wrong(sensors=(), places=(Place("A"), Place("B"))) == []

    def test_a_place_by_phone_has_no_sensors(self) -> None:
        assert wrong(places=(Place("A", by_phone=True),)) == [
            "A is by phone, and A1 at it: take out the one or the other."
        ]

    def test_a_place_that_there_is_not(self) -> None:
        assert wrong(places=(Place("A"), Place("sofa"))) == [
            "'sofa' is no place: choose from A, B, C, island, water."
        ]

    def test_a_sensor_at_a_place_that_the_room_does_not_say_it_has(self) -> None:
        assert wrong(places=(Place("B", by_phone=True),)) == [
            "A1 lies at A, which is not under [places]: choose one of B, or put A there."
        ]

    def test_one_is_called_by_its_name_where_it_has_one(self) -> None:
        room = Room("named", (A1,), places=(Place("A", name="the blue couch"),))
        assert [room.name_of(place) for place in ("A", "B")] == ["the blue couch", "B"]


class TestAdvice:
    def test_it_names_the_pins_that_a_bus_uses_too(self) -> None:
        room = Room("spi", (Sensor("A1", 7, "A"), Sensor("A2", 8, "A")), start=StartButton(14))
        assert [(one.way, one.text) for one in advice_on(room)] == [
            (
                ("sensors", "A1", "pin"),
                (
                    "GPIO 7 and 8 (A1 and A2): SPI uses these pins too: "
                    "leave SPI switched off (sudo raspi-config, Interface Options)."
                ),
            ),
            (
                ("start", "pin"),
                (
                    "GPIO 14 (the start button): UART uses this pin too: "
                    "leave the serial port and its console switched off (sudo raspi-config, Interface Options)."
                ),
            ),
        ]

    def test_there_is_none_on_pins_that_are_for_nothing_else(self) -> None:
        assert advice_on(ROOMS["mats"]) == ()
