"""The mats of a room, through gpiozero: edges recorded with their stamps, levels read to check on them."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from threading import Condition

from gpiozero import DigitalInputDevice, Factory

from hardware.contact import EDGES_KEPT, Contact
from pi_gm.clock import Seconds
from pi_gm.errors import PiGmError
from pi_gm.floor import Edge, FloorReading, FloorSource, Reading, Sensor, reading_at
from pi_gm.room import Room

log = logging.getLogger(__name__)


class PinUnavailable(PiGmError, OSError):
    """A sensor's pin cannot be opened; the text names the sensor, the pin and the cure."""


def _unchanged(ticks: Seconds) -> Seconds:
    return ticks


class Mats(FloorSource):
    """The sensors of ``room`` on the pins of ``factory``, whose ticks must be seconds.

    ``on_change`` is called after every edge, in the pin library's thread, where it delays every other pin:
    it may set an event and no more. ``stamp`` turns the factory's ticks into the table's clock time. A
    level that no edge explains gets ``grace`` seconds for the edge to come in; then one counts as lost, a
    warning says so, and the time in which it may have been is unknown. The last ``keep`` edges of each
    sensor are kept. Raises PinUnavailable, with no pin left open, where one cannot be opened.
    """

    def __init__(
        self,
        room: Room,
        factory: Factory,
        *,
        on_change: Callable[[], None],
        stamp: Callable[[Seconds], Seconds] = _unchanged,
        grace: Seconds = 0.05,
        keep: int = EDGES_KEPT,
    ) -> None:
        self._grace = grace
        self._heard = Condition()
        self._opened = ExitStack()
        self._mats: tuple[_Mat, ...] = ()
        for sensor in room.sensors:
            try:
                device = DigitalInputDevice(sensor.pin, pull_up=True, bounce_time=None, pin_factory=factory)
                self._opened.callback(_let_go, device)
                mat = _Mat(sensor, device, stamp, self._heard, on_change, keep)
            # Every pin library raises errors of its own, and they have no common base.
            except Exception as error:
                self.close()
                raise PinUnavailable(
                    f"The pin of {sensor.key}, GPIO {sensor.pin}, cannot be opened: {error}. "
                    f"Stop whatever else uses it (another program; or SPI, I2C or 1-Wire on that pin), "
                    f"or wire {sensor.key} to another pin and say so in the room."
                ) from error
            self._mats = (*self._mats, mat)

    def now(self) -> FloorReading:
        with self._heard:
            self._look()
            return FloorReading(tuple((mat.sensor.key, mat.level) for mat in self._mats))

    def at(self, instant: Seconds) -> FloorReading:
        with self._heard:
            self._heard.wait_for(self._look, timeout=self._grace)
            known = [(mat.sensor, mat.contact.history(instant)) for mat in self._mats]
        return FloorReading(
            tuple(
                (sensor.key, reading_at(history, instant, press=sensor.press, release=sensor.release))
                for sensor, history in known
            )
        )

    def close(self) -> None:
        with self._heard:
            self._mats = ()
        # Without the lock: a pin library may wait for its handler to return, and the handler for the lock.
        self._opened.close()

    def _look(self) -> bool:
        """Read every level; false while one is at odds with what was heard and an edge may yet explain it."""
        explained = [mat.look(self._grace) for mat in self._mats]
        return all(explained)


def _let_go(device: DigitalInputDevice) -> None:
    device.pin.when_changed = None
    device.close()


class _Mat:
    """One sensor on its open pin, and what is known of it. Whoever touches that holds ``heard``."""

    def __init__(
        self,
        sensor: Sensor,
        device: DigitalInputDevice,
        stamp: Callable[[Seconds], Seconds],
        heard: Condition,
        on_change: Callable[[], None],
        keep: int,
    ) -> None:
        self.sensor = sensor
        self._device = device
        self._stamp = stamp
        self._heard = heard
        self._on_change = on_change
        self._doubted_since: Seconds | None = None
        with heard:
            # Before the first read, so that no edge falls between the two. gpiozero refers to it weakly: it
            # hears only as long as somebody keeps this mat.
            device.pin.when_changed = self._changed
            ticks, pressed = self._read()
            self.contact = Contact(stamp(ticks), pressed, keep=keep)
            self.level = Reading.PRESSED if pressed else Reading.CLEAR

    def look(self, grace: Seconds) -> bool:
        """Read the level; false while no edge explains it. After ``grace`` seconds of that it is believed."""
        try:
            ticks, pressed = self._read()
        # As at opening; and a pin that cannot be read is unknown, which must not end the game.
        except Exception:
            if self.level is not Reading.UNKNOWN:
                log.exception("%s (GPIO %s) cannot be read", self.sensor.key, self.sensor.pin)
            self.level = Reading.UNKNOWN
            return True
        self.level = Reading.PRESSED if pressed else Reading.CLEAR
        if self.contact.see(self._stamp(ticks), pressed):
            self._doubted_since = None
        elif self._doubted_since is None:
            self._doubted_since = ticks
        elif ticks - self._doubted_since >= grace:
            log.warning(
                "%s (GPIO %s) is %s, and no edge said so: one was lost",
                self.sensor.key,
                self.sensor.pin,
                self.level.value,
            )
            self.contact.start_again(self._stamp(ticks), pressed)
            self._doubted_since = None
        return self._doubted_since is None

    def _read(self) -> tuple[Seconds, bool]:
        """When and what the level is; in this order, so that an edge between is known twice and not never."""
        ticks: Seconds = self._device.pin_factory.ticks()
        return ticks, bool(self._device.is_active)

    def _changed(self, ticks: Seconds, state: int) -> None:
        """Hear an edge to ``state``, which is 0 while the mat pulls the pin down."""
        try:
            with self._heard:
                self.contact.hear(Edge(self._stamp(ticks), pressed=not state))
                self._doubted_since = None
                self._heard.notify_all()
            self._on_change()
        # One that gets out ends the pin library's only thread, and with it every pin, in silence.
        except Exception:
            log.exception(
                "%s (GPIO %s) changed, and that was not dealt with", self.sensor.key, self.sensor.pin
            )
