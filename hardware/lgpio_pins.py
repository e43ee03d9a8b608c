"""Pins of one kernel chip through lgpio. Only for machines that have lgpio: importing it starts its thread."""

from collections import defaultdict
from threading import Lock, Thread
from typing import Any

import lgpio
from gpiozero.pins.lgpio import LGPIOFactory

from hardware.chips import KernelChip


class ChipPins(LGPIOFactory):  # type: ignore[misc]
    """The pins of ``chip`` alone: those of another chip may have the same numbers."""

    def __init__(self, chip: KernelChip) -> None:
        super().__init__(chip=chip.number)
        # gpiozero keeps these for all factories of a process in common, and would mix up the chips.
        self.pins: dict[Any, Any] = {}
        self._reservations: dict[Any, list[Any]] = defaultdict(list)
        self._res_lock = Lock()

    @property
    def is_listening(self) -> bool:
        """Whether edges are still handed on: a handler's error ends the one thread that does so, in silence."""
        thread: Thread | None = getattr(lgpio, "_notify_thread", None)
        return thread is None or thread.is_alive()
