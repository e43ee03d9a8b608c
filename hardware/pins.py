"""Where pins come from: lgpio, RPi.GPIO where a Pi has only that, or the mock ones that a simulated room presses."""

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from enum import Enum
from pathlib import Path
from typing import Any

from gpiozero import Factory
from gpiozero.exc import PinUnknownPi
from gpiozero.pins.local import get_pi_revision
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.chips import ChipUnavailable, KernelChip, find_chip, find_header, kernel_chips
from pi_gm.errors import PiGmError
from pi_gm.floor import HEADER
from pi_gm.installed import how_to_add, is_of_service
from pi_gm.room import Room

_PI_4B = "c03111"
_TYPE_OF_A_PI_5 = (0x17, 0x18, 0x19, 0x1A)
_LINES_OF_LGPIO = 64


class PinsUnavailable(PiGmError, OSError):
    """The pins of this machine cannot be used; the text says why, and the cure."""


class PinLibrary(Enum):
    """What can reach a Pi's pins."""

    LGPIO = "lgpio"
    """By the kernel's own interface, with the kernel's time stamps; on every Pi."""
    RPI_GPIO = "RPi.GPIO"
    """Past the kernel, up to a Pi 4; an edge has the time at which Python heard of it."""


class Pins(Mapping[str, Factory]):
    """The factories of a room's chips, by what the room calls each."""

    def __init__(self, library: PinLibrary, factories: Mapping[str, Factory]) -> None:
        self.library = library
        self._factories = dict(factories)

    def __getitem__(self, chip: str) -> Factory:
        return self._factories[chip]

    def __iter__(self) -> Iterator[str]:
        return iter(self._factories)

    def __len__(self) -> int:
        return len(self._factories)

    def close(self) -> None:
        """Let go of every chip."""
        with ExitStack() as closing:
            for factory in self._factories.values():
                closing.callback(factory.close)


AnyPins = Factory | Mapping[str, Factory]
"""The header's factory, or one for each chip of a room."""


def chips_of(pins: Factory | Mapping[str, Factory]) -> Mapping[str, Factory]:
    """``pins`` by chip; a single factory is the header's."""
    return pins if isinstance(pins, Mapping) else {HEADER: pins}


def is_listening(factory: Factory) -> bool:
    """Whether ``factory`` still hands on edges, as far as it can tell."""
    return bool(getattr(factory, "is_listening", True))


def open_pins(room: Room, library: PinLibrary | None = None, *, devices: Path = Path("/dev")) -> Pins:
    """The chips that ``room`` is wired to, with ``library``, or with the best that is there where that is None.

    Raises PinsUnavailable (or ChipUnavailable) rather than fall back to anything else.
    """
    revision = board_revision()
    if library is None:
        library = _best_library(revision)
    if library is PinLibrary.RPI_GPIO:
        return _open_rpi_gpio(room, revision)
    return _open_lgpio(room, devices)


def board_revision() -> int:
    """The revision code of this Pi. Raises PinsUnavailable on a machine that is none."""
    try:
        return int(get_pi_revision())
    except (PinUnknownPi, OSError) as fault:
        raise PinsUnavailable(
            "This machine is no Raspberry Pi, so it has no pins. "
            "Play with pi-gm rehearse, or choose a room without sensors."
        ) from fault


def is_pi_5(revision: int) -> bool:
    """Whether a board is of the kind whose pins hang on the RP1, which RPi.GPIO does not know."""
    return (revision & 0xFF0) >> 4 in _TYPE_OF_A_PI_5


def _best_library(revision: int) -> PinLibrary:
    try:
        import_lgpio()
    except PinsUnavailable:
        if is_pi_5(revision) or not _has_rpi_gpio():
            raise
        return PinLibrary.RPI_GPIO
    return PinLibrary.LGPIO


def import_lgpio() -> Any:
    """Import lgpio. Raises PinsUnavailable, with the cure, where it is not there or cannot work."""
    folder = Path.cwd()
    if "lgpio" not in sys.modules and not os.access(folder, os.W_OK):
        raise PinsUnavailable(
            f"lgpio must make a file in the working directory, and {folder} may not be written to: "
            "start Pi GM in a folder of yours (a service: WorkingDirectory = its RuntimeDirectory)."
        )
    try:
        return importlib.import_module("lgpio")
    except ImportError as fault:
        raise PinsUnavailable(f"The pin library lgpio is missing: {lgpio_cure()}.") from fault
    except OSError as fault:
        raise PinsUnavailable(
            f"lgpio cannot work in {folder}: {fault}. Start Pi GM in another folder."
        ) from fault


def lgpio_cure() -> str:
    """How lgpio gets into the environment that runs this."""
    if is_of_service():
        return "sudo apt install python3-lgpio"
    if sys.version_info >= (3, 13):
        return (
            "sudo apt install python3-lgpio, and an environment that sees it "
            "(python3 -m venv --system-site-packages)"
        )
    return how_to_add("pi")


def _rpi_gpio_cure() -> str:
    return "sudo apt install python3-rpi.gpio" if is_of_service() else how_to_add("rpi-gpio")


def _has_rpi_gpio() -> bool:
    try:
        importlib.import_module("RPi.GPIO")
    # Off a Pi, and on a Pi 5, it refuses to be imported.
    except (ImportError, RuntimeError):
        return False
    return True


def _open_lgpio(room: Room, devices: Path) -> Pins:
    import_lgpio()
    chip_pins: Callable[[KernelChip], Factory] = importlib.import_module("hardware.lgpio_pins").ChipPins
    inputs = len(room.sensors) + len(room.decisions) + (room.start is not None)
    if inputs > _LINES_OF_LGPIO:
        raise PinsUnavailable(
            f"lgpio watches {_LINES_OF_LGPIO} inputs at most, and the room has {inputs}: wire fewer."
        )
    there = kernel_chips(devices)
    said = {chip.key: chip for chip in room.chips}
    chips = {key: find_chip(there, chip) for key, chip in said.items()}
    if HEADER not in chips and (not chips or any(one.chip == HEADER for one in room.wired_pins())):
        chips[HEADER] = find_header(there)
    with ExitStack() as opened:
        factories = {}
        for key, chip in chips.items():
            try:
                factories[key] = chip_pins(chip)
            # lgpio's errors have no base but Exception.
            except Exception as fault:
                raise ChipUnavailable(
                    f"{chip.device}, the room's {key}, cannot be opened: {fault}.", "pi-gm doctor tells more."
                ) from fault
            opened.callback(factories[key].close)
        opened.pop_all()
    return Pins(PinLibrary.LGPIO, factories)


def _open_rpi_gpio(room: Room, revision: int) -> Pins:
    if is_pi_5(revision):
        raise PinsUnavailable(f"RPi.GPIO does not work on a Pi 5. Use lgpio: {lgpio_cure()}.")
    if room.chips:
        raise PinsUnavailable(
            f"RPi.GPIO reaches the header alone, and the room has {room.chips[0].key}. Use lgpio: {lgpio_cure()}."
        )
    if not _has_rpi_gpio():
        raise PinsUnavailable(
            f"RPi.GPIO is missing: {_rpi_gpio_cure()}. Better than that is lgpio: {lgpio_cure()}."
        )
    return Pins(
        PinLibrary.RPI_GPIO, {HEADER: importlib.import_module("gpiozero.pins.rpigpio").RPiGPIOFactory()}
    )


class MatPin(MockPWMPin):  # type: ignore[misc]
    """A mock pin with a mat on it: low while the mat is stood on, whether or not a program has the pin open.

    A plain mock pin forgets that it was driven low as soon as its pull-up is switched on.
    """

    _stood_on = False

    def drive_low(self) -> None:
        self._stood_on = True
        super().drive_low()

    def drive_high(self) -> None:
        self._stood_on = False
        super().drive_high()

    def _set_pull(self, value: str) -> None:
        stood_on = self._stood_on
        super()._set_pull(value)
        if stood_on:
            self.drive_low()


def mock_factory() -> MockFactory:
    """Mock pins of a Pi's 40-pin header, none of them in use; no other factory shares them."""
    # Both named, so that the environment variables of gpiozero's tests have no say.
    return MockFactory(revision=_PI_4B, pin_class=MatPin)


def mock_pins(room: Room) -> dict[str, MockFactory]:
    """Mock pins for each chip of ``room``."""
    return {key: mock_factory() for key in {HEADER: None} | {chip.key: None for chip in room.chips}}
