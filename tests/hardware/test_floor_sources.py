"""What every source of floor readings must do, whichever the room has."""

from collections.abc import Callable

import pytest

from hardware.mats import Mats
from hardware.pins import mock_factory
from pi_gm.clock import FakeClock
from pi_gm.floor import FloorReading, FloorSource, NoFloor, Reading
from pi_gm.room import ROOMS, Room


def on_mock_pins(room: Room) -> FloorSource:
    return Mats(room, mock_factory(), on_change=lambda: None)


def without_sensors(room: Room) -> FloorSource:
    return NoFloor()


@pytest.fixture(params=[on_mock_pins, without_sensors])
def make_source(request: pytest.FixtureRequest) -> Callable[[Room], FloorSource]:
    make: Callable[[Room], FloorSource] = request.param
    return make


@pytest.fixture(params=ROOMS)
def room(request: pytest.FixtureRequest) -> Room:
    return ROOMS[str(request.param)]


def test_nobody_is_taken_to_be_in_an_empty_room(
    make_source: Callable[[Room], FloorSource], room: Room, clock: FakeClock
) -> None:
    source = make_source(room)
    clock.turn(1)
    for reading in (source.now(), source.at(clock.monotonic())):
        assert Reading.PRESSED not in {reading.of(sensor) for sensor in room.sensors}


def test_the_past_before_it_was_opened_and_the_time_to_come_are_unknown(
    make_source: Callable[[Room], FloorSource], room: Room, clock: FakeClock
) -> None:
    source = make_source(room)
    for instant in (clock.monotonic() - 1, clock.monotonic() + 1):
        assert {source.at(instant).of(sensor) for sensor in room.sensors} <= {Reading.UNKNOWN}


def test_asking_twice_about_one_instant_gives_one_answer(
    make_source: Callable[[Room], FloorSource], room: Room, clock: FakeClock
) -> None:
    source = make_source(room)
    clock.turn(1)
    assert source.at(clock.monotonic()) == source.at(clock.monotonic())


def test_once_closed_it_knows_nothing_and_can_be_closed_again(
    make_source: Callable[[Room], FloorSource], room: Room, clock: FakeClock
) -> None:
    source = make_source(room)
    source.close()
    source.close()
    assert source.now() == source.at(clock.monotonic()) == FloorReading()
