"""The mats of a room, through gpiozero: edges recorded with their stamps, levels read to check on them."""

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from threading import Condition

from gpiozero import DigitalInputDevice, Factory

from hardware.contact import EDGES_KEPT, Contact
from hardware.health import LONGEST_SIT, MINUTE, ChangeRate
from hardware.pins import chips_of, is_listening
from pi_gm.clock import Seconds
from pi_gm.errors import PiGmError
from pi_gm.floor import (
    Edge,
    FloorReading,
    FloorSource,
    History,
    Normally,
    Reading,
    Sensor,
    SensorReport,
    Trouble,
    reading_at,
    strip_at,
)
from pi_gm.room import Room, WiredPin

log = logging.getLogger(__name__)


class PinUnavailable(PiGmError, OSError):
    """A pin cannot be opened; the text names what is wired to it, the pin and the cure."""


def pin_unavailable(wired: WiredPin, fault: Exception) -> PinUnavailable:
    """What to tell a person when the pin library would not open a pin, for whatever reason it gives."""
    on = "" if wired.chip == "header" else f" of {wired.chip}"
    return PinUnavailable(
        f"The pin of {wired.what}, GPIO {wired.pin}{on}, cannot be opened: {fault}. "
        f"Stop whatever else uses it (another program; or SPI, I2C or 1-Wire on that pin: pi-gm doctor tells), "
        f"or wire {wired.what} to another pin and say so in the room."
    )


def _unchanged(ticks: Seconds) -> Seconds:
    return ticks


class Mats(FloorSource):
    """The sensors of ``room`` on the pins of ``pins``, whose ticks must be seconds.

    ``pins`` is the header's factory, or one for each chip. ``on_change`` is called after every edge, in the
    pin library's thread, where it delays every other pin: it may set an event and no more. ``stamp`` turns
    the factory's ticks into the table's clock time. A level that no edge explains gets ``grace`` seconds for
    the edge to come in; then one counts as lost, a warning says so, and the time in which it may have been is
    unknown. The last ``keep`` edges of each sensor are kept. Raises PinUnavailable, with no pin left open,
    where one cannot be opened.
    """

    def __init__(
        self,
        room: Room,
        pins: Factory | Mapping[str, Factory],
        *,
        on_change: Callable[[], None],
        stamp: Callable[[Seconds], Seconds] = _unchanged,
        grace: Seconds = 0.2,
        keep: int = EDGES_KEPT,
    ) -> None:
        self._grace = grace
        self._heard = Condition()
        self._opened = ExitStack()
        self._mats: tuple[_Mat, ...] = ()
        factories = chips_of(pins)
        for sensor in room.sensors:
            try:
                factory = factories[sensor.chip]
                device = DigitalInputDevice(sensor.pin, pull_up=True, bounce_time=None, pin_factory=factory)
                self._opened.callback(_let_go, device)
                mat = _Mat(sensor, device, stamp, self._heard, on_change, keep)
            # Every pin library raises errors of its own, and they have no common base.
            except Exception as error:
                self.close()
                wired = WiredPin((), sensor.key, sensor.chip, sensor.pin)
                raise pin_unavailable(wired, error) from error
            self._mats = (*self._mats, mat)

    def now(self) -> FloorReading:
        with self._heard:
            self._look()
            return FloorReading(tuple((mat.sensor.key, mat.level) for mat in self._mats))

    def at(self, instant: Seconds) -> FloorReading:
        with self._heard:
            self._heard.wait_for(self._look, timeout=self._grace)
            known = [(mat.sensor, mat.contact.history(instant), mat.trouble) for mat in self._mats]
        return FloorReading(
            tuple(
                (
                    sensor.key,
                    reading_at(history, instant, press=sensor.press, release=sensor.release)
                    if trouble is None
                    else Reading.UNKNOWN,
                )
                for sensor, history, trouble in known
            ),
            tuple(strip_at(history, sensor, instant) for sensor, history, _ in known),
        )

    def histories(self, instant: Seconds) -> tuple[tuple[str, History], ...]:
        """Every edge that is still known and may speak of ``instant``, by sensor: to show how it came about."""
        with self._heard:
            return tuple((mat.sensor.key, mat.contact.history(instant)) for mat in self._mats)

    def report(self) -> tuple[SensorReport, ...]:
        with self._heard:
            self._look()
            return tuple(mat.report() for mat in self._mats)

    def nobody_is_on_anything(self) -> tuple[str, ...]:
        with self._heard:
            self._look()
            stuck = [mat for mat in self._mats if mat.level is Reading.PRESSED]
            for mat in stuck:
                mat.found_stuck = True
            return tuple(mat.sensor.key for mat in stuck)

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
        self.found_stuck = False
        self._device = device
        self._stamp = stamp
        self._heard = heard
        self._on_change = on_change
        self._doubted_since: Seconds | None = None
        self._changes = ChangeRate()
        self._changed_at: Seconds | None = None
        self._lost = 0
        with heard:
            # Before the first read, so that no edge falls between the two. gpiozero refers to it weakly: it
            # hears only as long as somebody keeps this mat.
            device.pin.when_changed = self._changed
            ticks, pressed = self._read()
            self._opened_at = self._seen_at = ticks
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
        self._seen_at = ticks
        self.level = Reading.PRESSED if pressed else Reading.CLEAR
        if not pressed:
            self.found_stuck = False
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
            self._lost += 1
            self._changed_at = ticks
            self.contact.start_again(self._stamp(ticks), pressed)
            self._doubted_since = None
        return self._doubted_since is None

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with it, by the last look and what was heard since."""
        if self.level is Reading.UNKNOWN or not is_listening(self._device.pin_factory):
            return Trouble.SILENT
        if self._changes.is_noisy(self._seen_at):
            return Trouble.NOISY
        since = self._opened_at if self._changed_at is None else self._changed_at
        if self.found_stuck or (self.contact.pressed and self._seen_at - since > LONGEST_SIT):
            return Trouble.STUCK
        return None

    def report(self) -> SensorReport:
        return SensorReport(
            key=self.sensor.key,
            place=self.sensor.place,
            pin=self.sensor.pin,
            chip=self.sensor.chip,
            level=self.level,
            trouble=self.trouble,
            edges_a_minute=self._changes.within(MINUTE, self._seen_at),
            last_change=None if self._changed_at is None else max(0.0, self._seen_at - self._changed_at),
            lost=self._lost,
        )

    def _read(self) -> tuple[Seconds, bool]:
        """When and what the level is; in this order, so that an edge between is known twice and not never."""
        ticks: Seconds = self._device.pin_factory.ticks()
        return ticks, bool(self._device.is_active) is (self.sensor.normally is Normally.OPEN)

    def _changed(self, ticks: Seconds, state: int) -> None:
        """Hear an edge to ``state``, which is 0 while the contact is closed and pulls the pin down."""
        try:
            pressed = (not state) is (self.sensor.normally is Normally.OPEN)
            with self._heard:
                self.contact.hear(Edge(self._stamp(ticks), pressed))
                self._changes.note(ticks)
                self._changed_at = ticks
                self._doubted_since = None
                self.found_stuck = self.found_stuck and pressed
                self._heard.notify_all()
            self._on_change()
        # One that gets out ends the pin library's only thread, and with it every pin, in silence.
        except Exception:
            log.exception(
                "%s (GPIO %s) changed, and that was not dealt with", self.sensor.key, self.sensor.pin
            )
