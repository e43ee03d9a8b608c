"""Every pin that a sensor may be on, listened to while a room is taught."""

from collections.abc import Callable, Mapping

from hardware.mats import Mats, PinUnavailable
from hardware.pins import AnyPins
from pi_gm.clock import Seconds
from pi_gm.floor import History
from pi_gm.lesson import Ears
from pi_gm.room import Room
from pi_gm.teach import Pin, pins_to_listen_to, room_to_listen_to


class Listening(Ears):
    """The pins of ``pins`` that a sensor of ``room`` may be on; those that cannot be opened are left out.

    ``stamp`` turns the ticks of ``pins`` into the time of the clock that the lesson goes by.
    """

    def __init__(self, room: Room, pins: AnyPins, *, stamp: Callable[[Seconds], Seconds] = float) -> None:
        self._deaf = tuple(pin for pin in pins_to_listen_to(room) if not _opens(pin, room, pins))
        heard = room_to_listen_to(room, leave_out=self._deaf)
        self._mats = Mats(heard, pins, on_change=_heard_later, stamp=stamp)

    @property
    def deaf(self) -> tuple[Pin, ...]:
        return self._deaf

    def histories(self) -> Mapping[str, History]:
        # A look at the levels first: it finds out that an edge was lost.
        self._mats.now()
        return dict(self._mats.histories(float("inf")))

    def close(self) -> None:
        self._mats.close()


def _opens(pin: Pin, room: Room, pins: AnyPins) -> bool:
    others = [other for other in pins_to_listen_to(room) if other != pin]
    try:
        Mats(room_to_listen_to(room, leave_out=others), pins, on_change=_heard_later).close()
    except PinUnavailable:
        return False
    return True


def _heard_later() -> None:
    """The lesson asks by itself what was heard."""
