"""Buttons that do something when they are pressed: the start button, and the players' buttons to accept and reject."""

import logging
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from threading import Condition, Thread

from gpiozero import DigitalInputDevice, Factory
from msgspec import Struct

from hardware.mats import pin_unavailable
from hardware.pins import chips_of
from pi_gm.clock import Clock, Seconds
from pi_gm.floor import Normally
from pi_gm.room import DecisionButton, Room, StartButton, WiredPin

log = logging.getLogger(__name__)

AnyButton = StartButton | DecisionButton

RELEASE: Seconds = 0.05
"""A button has to be let go for so long before another press of it counts."""


class _Heard(Struct, frozen=True):
    number: int
    pressed: bool
    at: Seconds


class Buttons:
    """The start and decision buttons of ``room`` on ``pins`` (the header's factory, or one for each chip).

    ``on_press`` is called with the button, once for each press that lasted as long as the room says, from a
    thread of its own that ``start`` begins; it may take its time. A press that was held when the buttons were
    opened does not count. Raises PinUnavailable, with no pin left open, where one cannot be opened.
    """

    def __init__(
        self,
        room: Room,
        pins: Factory | Mapping[str, Factory],
        clock: Clock,
        *,
        on_press: Callable[[AnyButton], None],
        stamp: Callable[[Seconds], Seconds] = lambda ticks: ticks,
    ) -> None:
        self._clock = clock
        self._on_press = on_press
        self._condition = Condition()
        self._heard: deque[_Heard] = deque()
        self._opened = ExitStack()
        self._stopping = False
        self._thread: Thread | None = None
        buttons: list[AnyButton] = [*room.decisions]
        if room.start is not None:
            buttons.append(room.start)
        self._buttons = [_Button(button) for button in buttons]
        self._ears: list[_Ear] = []
        factories = chips_of(pins)
        for number, button in enumerate(buttons):
            what = button.key if isinstance(button, DecisionButton) else "the start button"
            try:
                factory = factories[button.chip]
                device = DigitalInputDevice(button.pin, pull_up=True, bounce_time=None, pin_factory=factory)
                self._opened.callback(_let_go, device)
                self._ears.append(_Ear(number, button.normally, stamp, self._hear, device))
                if bool(device.is_active) is (button.normally is Normally.OPEN):
                    self._buttons[number].is_held()
            # Every pin library raises errors of its own, and they have no common base.
            except Exception as fault:
                self._opened.close()
                raise pin_unavailable(WiredPin((), what, button.chip, button.pin), fault) from fault

    def start(self) -> None:
        """Act on presses from now on, by a thread of its own."""
        self._thread = Thread(target=self._keep_acting, name="buttons", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let go of the buttons; nothing is called after that. Nothing happens the second time."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join()
        self._opened.close()

    def time_passed(self) -> Seconds | None:
        """Act on what has proved to be a press by now; returns when the next may have, None if none is pending."""
        with self._condition:
            pressed = []
            while self._heard:
                heard = self._heard.popleft()
                button = self._buttons[heard.number]
                if button.hear(heard.pressed, heard.at):
                    pressed.append(button)
            now = self._clock.monotonic()
            pressed += [button for button in self._buttons if button.counts(now)]
            due = min((button.due for button in self._buttons if button.due is not None), default=None)
        for button in pressed:
            try:
                self._on_press(button.button)
            # Whatever goes wrong with one press, the next one must find somebody who acts on it.
            except Exception:
                log.exception("a press of %s was not dealt with", button.button)
        return due

    def _hear(self, heard: _Heard) -> None:
        with self._condition:
            self._heard.append(heard)
            self._condition.notify_all()

    def _keep_acting(self) -> None:
        while True:
            due = self.time_passed()
            with self._condition:
                if self._stopping:
                    return
                if not self._heard:
                    now = self._clock.monotonic()
                    self._clock.wait(self._condition, None if due is None else max(0.0, due - now))


def _let_go(device: DigitalInputDevice) -> None:
    device.pin.when_changed = None
    device.close()


class _Ear:
    """Hears one button, in the pin library's thread, and only passes on what it heard."""

    def __init__(
        self,
        number: int,
        normally: Normally,
        stamp: Callable[[Seconds], Seconds],
        tell: Callable[[_Heard], None],
        device: DigitalInputDevice,
    ) -> None:
        self._number = number
        self._normally = normally
        self._stamp = stamp
        self._tell = tell
        # gpiozero refers to it weakly: it hears only as long as somebody keeps this ear.
        device.pin.when_changed = self._changed

    def _changed(self, ticks: Seconds, state: int) -> None:
        try:
            pressed = (not state) is (self._normally is Normally.OPEN)
            self._tell(_Heard(self._number, pressed, self._stamp(ticks)))
        # One that gets out ends the pin library's only thread, and with it every pin, in silence.
        except Exception:
            log.exception("a button changed, and that was not dealt with")


class _Button:
    """One button, and what was heard of it since a press of it last counted."""

    def __init__(self, button: AnyButton) -> None:
        self.button = button
        self._closed_since: Seconds | None = None
        self._open_since: Seconds | None = None
        self._is_armed = True

    def is_held(self) -> None:
        """Note that it is pressed from the start, which is no press."""
        self._is_armed = False

    def hear(self, pressed: bool, at: Seconds) -> bool:
        """Note an edge; whether that ended a press which nobody had counted."""
        if pressed:
            if self._open_since is not None and at - self._open_since >= RELEASE:
                self._is_armed = True
            self._closed_since = at
            return False
        missed = self.counts(at)
        self._closed_since, self._open_since = None, at
        return missed

    @property
    def due(self) -> Seconds | None:
        """When it will have proved to be pressed, if it stays as it is."""
        if self._closed_since is None or not self._is_armed:
            return None
        return self._closed_since + self.button.press

    def counts(self, now: Seconds) -> bool:
        """Whether a press has proved to be one by ``now``; true once for each."""
        due = self.due
        if due is None or now < due:
            return False
        self._is_armed = False
        return True
