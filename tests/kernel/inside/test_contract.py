"""The contract of floor readings, on real lines of a real chip through the real lgpio."""

import time
from collections.abc import Iterator

import pytest

from hardware.mats import Mats
from hardware.pins import open_pins
from pi_gm.clock import Seconds
from pi_gm.floor import Normally, Sensor
from pi_gm.room import Room
from pi_gm.rooms import ROOMS
from tests.hardware.floor_contract import SensedFloorContract, World
from tests.kernel.simchip import SimChip

BOTH_KINDS = Room(
    "both kinds", (Sensor("open", 4, "A"), Sensor("closed", 5, "B", normally=Normally.CLOSED, press=0.1))
)
SENSED = [room for room in (*ROOMS.values(), BOTH_KINDS) if room.sensors]


class KernelWorld:
    """A world in the kernel's own time, which is skipped while everybody sleeps."""

    exact: Seconds = 0.002

    def __init__(self, room: Room, chip: SimChip, source: Mats) -> None:
        self.room = room
        self.source = source
        self._chip = chip

    def now(self) -> Seconds:
        return time.monotonic()

    def pass_time(self, seconds: Seconds) -> None:
        time.sleep(seconds)

    def press(self, sensor: Sensor) -> None:
        self._close(sensor, sensor.normally is Normally.OPEN)

    def release(self, sensor: Sensor) -> None:
        self._close(sensor, sensor.normally is Normally.CLOSED)

    def _close(self, sensor: Sensor, closed: bool) -> None:
        (self._chip.press if closed else self._chip.release)(sensor.pin)


class TestLgpio(SensedFloorContract):
    @pytest.fixture(params=SENSED, ids=lambda room: room.name)
    def world(self, request: pytest.FixtureRequest, header: SimChip) -> Iterator[World]:
        room: Room = request.param
        pins = open_pins(room)
        mats = Mats(room, pins, on_change=lambda: None)
        world = KernelWorld(room, header, mats)
        for sensor in room.sensors:
            world.release(sensor)
        world.pass_time(0.5)
        yield world
        mats.close()
        pins.close()
