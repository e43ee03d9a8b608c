"""The contract of floor readings, for mock pins, for RPi.GPIO's interface and for a room without sensors."""

import sys
from collections.abc import Mapping
from types import ModuleType

import pytest
from gpiozero import Factory

from hardware.mats import Mats
from hardware.pins import mock_pins
from pi_gm.clock import FakeClock, Seconds
from pi_gm.floor import FloorSource, NoFloor, Normally, Sensor
from pi_gm.room import Room
from pi_gm.rooms import ROOMS
from tests.hardware.floor_contract import FloorContract, SensedFloorContract, World
from tests.hardware.rpi_gpio import FakeRpiGpio

BOTH_KINDS = Room(
    "both kinds", (Sensor("open", 4, "A"), Sensor("closed", 5, "B", normally=Normally.CLOSED, press=0.1))
)
SENSED = [room for room in (*ROOMS.values(), BOTH_KINDS) if room.sensors]


class Turned:
    """A world whose time is turned by hand."""

    exact: Seconds = 0.0005

    def __init__(self, room: Room, source: FloorSource, clock: FakeClock) -> None:
        self.room = room
        self.source = source
        self._clock = clock

    def now(self) -> Seconds:
        return self._clock.monotonic()

    def pass_time(self, seconds: Seconds) -> None:
        self._clock.turn(seconds)

    def press(self, sensor: Sensor) -> None:
        raise NotImplementedError

    def release(self, sensor: Sensor) -> None:
        raise NotImplementedError


class MockWorld(Turned):
    """Mats on gpiozero's mock pins."""

    def __init__(self, room: Room, clock: FakeClock) -> None:
        self._pins = mock_pins(room)
        for sensor in room.sensors:
            self.release(sensor)
        super().__init__(room, Mats(room, self._pins, on_change=lambda: None), clock)

    def press(self, sensor: Sensor) -> None:
        self._close(sensor, sensor.normally is Normally.OPEN)

    def release(self, sensor: Sensor) -> None:
        self._close(sensor, sensor.normally is Normally.CLOSED)

    def _close(self, sensor: Sensor, closed: bool) -> None:
        pin = self._pins[sensor.chip].pin(sensor.pin)
        (pin.drive_low if closed else pin.drive_high)()


class RpiGpioWorld(Turned):
    """Mats on gpiozero's own way to RPi.GPIO, with a stand-in for that."""

    def __init__(self, room: Room, clock: FakeClock, gpio: FakeRpiGpio, factory: Factory) -> None:
        self._gpio = gpio
        for sensor in room.sensors:
            self.release(sensor)
        super().__init__(room, Mats(room, factory, on_change=lambda: None), clock)

    def press(self, sensor: Sensor) -> None:
        self._gpio.press(sensor.pin, sensor.normally is Normally.OPEN)

    def release(self, sensor: Sensor) -> None:
        self._gpio.press(sensor.pin, sensor.normally is Normally.CLOSED)


class TestWithoutSensors(FloorContract):
    @pytest.fixture(params=ROOMS)
    def world(self, request: pytest.FixtureRequest, clock: FakeClock) -> World:
        return Turned(ROOMS[str(request.param)], NoFloor(), clock)


class TestMockPins(SensedFloorContract):
    @pytest.fixture(params=SENSED, ids=lambda room: room.name)
    def world(self, request: pytest.FixtureRequest, clock: FakeClock) -> World:
        room: Room = request.param
        return MockWorld(room, clock)


class TestRpiGpio(SensedFloorContract):
    @pytest.fixture(params=SENSED, ids=lambda room: room.name)
    def world(
        self, request: pytest.FixtureRequest, clock: FakeClock, factory: tuple[FakeRpiGpio, Factory]
    ) -> World:
        room: Room = request.param
        return RpiGpioWorld(room, clock, *factory)

    @pytest.fixture
    def factory(self, monkeypatch: pytest.MonkeyPatch, clock: FakeClock) -> tuple[FakeRpiGpio, Factory]:
        gpio, package = FakeRpiGpio(), ModuleType("RPi")
        package.GPIO = gpio  # type: ignore[attr-defined]
        modules: Mapping[str, ModuleType] = {"RPi": package, "RPi.GPIO": gpio}
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
        monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC03112)
        monkeypatch.setattr("gpiozero.pins.local.monotonic", clock.monotonic)
        monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory.pins", {})
        rpigpio = __import__("gpiozero.pins.rpigpio", fromlist=["RPiGPIOFactory"])
        return gpio, rpigpio.RPiGPIOFactory()
