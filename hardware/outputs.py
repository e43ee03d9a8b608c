"""The room's buzzer and lamps: what they do follows from what they were told and the clock, and ends with the program."""

import logging
from collections.abc import Mapping
from contextlib import ExitStack
from threading import Condition, Thread
from typing import Any

from gpiozero import DigitalOutputDevice, Factory, PWMOutputDevice

from hardware.mats import pin_unavailable
from hardware.pins import chips_of
from pi_gm.clock import Clock, Seconds
from pi_gm.room import BuzzerKind, Room, WiredPin
from pi_gm.signs import LampSign, Signs

log = logging.getLogger(__name__)

BLINK: Seconds = 0.25
"""How long a blinking lamp is on, and then off."""
TONE_HERTZ = 2000
"""At about this pitch a passive buzzer is loudest."""


class Outputs(Signs):
    """The buzzer and lamps of ``room`` on ``pins`` (the header's factory, or one for each chip), all off at first.

    ``start`` lets a thread of its own blink the lamps and end the sound; without that, :meth:`time_passed` does.
    Raises PinUnavailable, with no pin left open, where one cannot be opened.
    """

    def __init__(self, room: Room, pins: Factory | Mapping[str, Factory], clock: Clock) -> None:
        self._clock = clock
        self._condition = Condition()
        self._opened = ExitStack()
        self._lamps: dict[str, Any] = {}
        self._buzzer: Any = None
        self._signs: Mapping[str, LampSign] = {}
        self._blinking_since: Seconds = 0.0
        self._sounds_until: Seconds | None = None
        self._stopping = False
        self._thread: Thread | None = None
        factories = chips_of(pins)
        for lamp in room.lamps:
            wired = WiredPin((), f"the lamp of {lamp.place}", lamp.chip, lamp.pin)
            self._lamps[lamp.place] = self._open(wired, factories, DigitalOutputDevice)
        if room.buzzer is not None:
            wired = WiredPin((), "the buzzer", room.buzzer.chip, room.buzzer.pin)
            if room.buzzer.kind is BuzzerKind.ACTIVE:
                self._buzzer = self._open(wired, factories, DigitalOutputDevice)
            else:
                self._buzzer = self._open(wired, factories, PWMOutputDevice, frequency=TONE_HERTZ)
        self._loudness = 1 if room.buzzer is None or room.buzzer.kind is BuzzerKind.ACTIVE else 0.5

    def _open(self, wired: WiredPin, factories: Mapping[str, Factory], kind: Any, **more: Any) -> Any:
        try:
            device = kind(wired.pin, initial_value=0, pin_factory=factories[wired.chip], **more)
        # Every pin library raises errors of its own, and they have no common base.
        except Exception as fault:
            self._opened.close()
            raise pin_unavailable(wired, fault) from fault
        self._opened.callback(_switch_off, device)
        return device

    def start(self) -> None:
        """Blink and fall silent by a thread of its own."""
        self._thread = Thread(target=self._keep_going, name="lamps and buzzer", daemon=True)
        self._thread.start()

    def show(self, lamps: Mapping[str, LampSign]) -> None:
        with self._condition:
            if LampSign.BLINKING in lamps.values() and LampSign.BLINKING not in self._signs.values():
                self._blinking_since = self._clock.monotonic()
            self._signs = dict(lamps)
            self._drive()
            self._condition.notify_all()

    def sound(self, seconds: Seconds) -> None:
        with self._condition:
            self._sounds_until = self._clock.monotonic() + seconds
            self._drive()
            self._condition.notify_all()

    def time_passed(self) -> None:
        """Let everything be as it should be at this moment."""
        with self._condition:
            self._drive()

    def close(self) -> None:
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join()
        with self._condition:
            self._lamps, self._buzzer = {}, None
            self._opened.close()

    def _drive(self) -> Seconds | None:
        """Set every pin; returns after how many seconds one has to change, None if none has."""
        now = self._clock.monotonic()
        waits = []
        beat, into_beat = divmod(now - self._blinking_since, BLINK)
        for place, lamp in self._lamps.items():
            sign = self._signs.get(place, LampSign.OFF)
            lamp.value = sign is LampSign.STEADY or (sign is LampSign.BLINKING and beat % 2 == 0)
            if sign is LampSign.BLINKING:
                waits.append(BLINK - into_beat)
        if self._sounds_until is not None and now >= self._sounds_until:
            self._sounds_until = None
        if self._buzzer is not None:
            self._buzzer.value = self._loudness if self._sounds_until is not None else 0
        if self._sounds_until is not None:
            waits.append(self._sounds_until - now)
        return min(waits, default=None)

    def _keep_going(self) -> None:
        with self._condition:
            while not self._stopping:
                try:
                    wait = self._drive()
                # A pin that fails must not leave the others as they are: a buzzer that never ends.
                except Exception:
                    log.exception("a lamp or the buzzer cannot be switched")
                    wait = 1.0
                self._clock.wait(self._condition, wait)


def _switch_off(device: Any) -> None:
    try:
        device.off()
    finally:
        device.close()
