"""The chips with pins that the kernel knows of, and who holds a line of one: asked of the kernel itself."""

import fcntl
import os
import struct
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from pi_gm.errors import PiGmError
from pi_gm.room import Chip

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""What the kernel calls the chip behind the 40-pin header: of a Pi 5, of a Pi 4, of those before."""

# linux/gpio.h: struct gpiochip_info and struct gpio_v2_line_info, with the numbers of the calls that fill them.
_CHIP_INFO = struct.Struct("=32s32sI")
_GET_CHIP_INFO = 0x8044B401
_LINE_INFO = struct.Struct("=32s32sIIQ160s16s")
_GET_LINE_INFO = 0xC100B405
_LINE_IS_USED = 1


class ChipUnavailable(PiGmError, OSError):
    """A chip is not there, or may not be opened; the text names it and the cure."""

    def __init__(self, what: str, cure: str) -> None:
        super().__init__(f"{what} {cure}")
        self.what = what
        self.cure = cure


class KernelChip(Struct, frozen=True):
    """A chip as the kernel knows it."""

    device: Path
    label: str
    lines: int

    @property
    def number(self) -> int:
        """The number in its device's name, which another kernel may give to another chip."""
        return int(self.device.name.removeprefix("gpiochip"))


class Line(Struct, frozen=True):
    """A line of a chip, which the header's pins have the numbers of."""

    name: str
    is_used: bool
    consumer: str
    """What its user calls itself; empty where it is free, or says nothing."""


def kernel_chips(devices: Path = Path("/dev")) -> tuple[KernelChip, ...]:
    """The chips of this machine, by number. Raises ChipUnavailable where one may not be opened."""
    found = [device for device in devices.glob("gpiochip*") if device.name.removeprefix("gpiochip").isdigit()]
    chips = []
    # A second name for a chip (as some systems keep gpiochip4 on a Pi 5) is no second chip.
    for device in {device.resolve() for device in found}:
        _, label, lines = _CHIP_INFO.unpack(_ask(device, _GET_CHIP_INFO, bytes(_CHIP_INFO.size)))
        chips.append(KernelChip(device, _text(label), lines))
    return tuple(sorted(chips, key=lambda chip: chip.number))


def line_of(chip: KernelChip, number: int) -> Line:
    """What the kernel knows of line ``number``. Raises ChipUnavailable where it does not tell."""
    asked = _LINE_INFO.pack(b"", b"", number, 0, 0, b"", b"")
    name, consumer, _, _, flags, _, _ = _LINE_INFO.unpack(_ask(chip.device, _GET_LINE_INFO, asked))
    return Line(_text(name), bool(flags & _LINE_IS_USED), _text(consumer))


def _ask(device: Path, call: int, asked: bytes) -> bytes:
    try:
        handle = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
        try:
            return fcntl.ioctl(handle, call, asked)
        finally:
            os.close(handle)
    except PermissionError as fault:
        raise ChipUnavailable(
            f"{device} may not be opened.",
            "Add this user to the group gpio (sudo usermod -aG gpio $USER), then log out and in again.",
        ) from fault
    except OSError as fault:
        raise ChipUnavailable(
            f"{device} does not answer: {fault.strerror}.", "Check what is wired to it, and start again."
        ) from fault


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode(errors="replace")


def find_header(chips: Sequence[KernelChip]) -> KernelChip:
    """The chip behind the 40-pin header, whatever its number. Raises ChipUnavailable where that is not plain."""
    return _only_one(
        [chip for chip in chips if chip.label in HEADER_LABELS],
        chips,
        "the 40-pin header of a Raspberry Pi",
        "On a machine that is none, play with pi-gm rehearse; on one, name it in the room: "
        '[chips] header = { device = "/dev/gpiochip0" }',
    )


def find_chip(chips: Sequence[KernelChip], wanted: Chip) -> KernelChip:
    """The chip that the room means by ``wanted``. Raises ChipUnavailable where that is not plain."""
    if wanted.device is not None:
        device = Path(wanted.device).resolve()
        found = [chip for chip in chips if chip.device == device]
        what, cure = f"{wanted.key} ({wanted.device})", "Name one of those in the room."
    else:
        found = [chip for chip in chips if chip.label == wanted.label]
        what = f"{wanted.key} (label {wanted.label})"
        cure = "Check its wiring and its dtoverlay line in config.txt, or name its device in the room."
    return _only_one(found, chips, what, cure)


def _only_one(found: Sequence[KernelChip], chips: Sequence[KernelChip], what: str, cure: str) -> KernelChip:
    if len(found) == 1:
        return found[0]
    there = ", ".join(f"{chip.device} ({chip.label})" for chip in chips) or "none at all"
    how_many = "No chip" if not found else "More than one chip"
    raise ChipUnavailable(f"{how_many} of this machine is {what}; there are: {there}.", cure)


def holders(processes: Path = Path("/proc")) -> tuple[str, ...]:
    """The other programs that hold pins or chips, as ``name (process 123)``, as far as this user may see them."""
    found = []
    for process in processes.iterdir():
        if not process.name.isdigit() or process.name == str(os.getpid()):
            continue
        try:
            held = [str(handle.readlink()) for handle in (process / "fd").iterdir()]
            name = (process / "comm").read_text().strip()
        # It is another user's, or has ended meanwhile.
        except OSError:
            continue
        if any(one.startswith(("anon_inode:gpio", "/dev/gpiochip")) for one in held):
            found.append(f"{name} (process {process.name})")
    return tuple(found)
