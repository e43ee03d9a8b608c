"""The pins: whether what the room says is wired can be reached, who is in the way, and how each mat does."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from msgspec import Struct

from hardware.chips import (
    ChipUnavailable,
    KernelChip,
    Line,
    find_chip,
    find_header,
    holders,
    kernel_chips,
    line_of,
)
from hardware.doctor.findings import Finding, bad, good, unchecked, warning
from hardware.doctor.machine import Machine
from hardware.mats import Mats
from hardware.pins import Pins, open_pins
from pi_gm.clock import Seconds
from pi_gm.errors import PiGmError
from pi_gm.floor import HEADER, Reading, SensorReport, Trouble
from pi_gm.room import BUS_PINS, Bus, Room

_ONE_WIRE_PIN = 4
_BETWEEN_LOOKS: Seconds = 0.1
_CONFIGS = ("boot/firmware/config.txt", "boot/config.txt")
_SWITCHED_ON = {
    Bus.SPI: re.compile(r"dtparam=(.*,)?spi(=on)?(,.*)?$"),
    Bus.I2C: re.compile(r"dtparam=(.*,)?i2c(_arm)?(=on)?(,.*)?$"),
    Bus.UART: re.compile(r"(enable_uart=1|dtparam=(.*,)?uart0(=on)?(,.*)?)$"),
}


class Wires(Struct, frozen=True):
    """How to get at pins; a test gets at others."""

    chips: Callable[[], tuple[KernelChip, ...]] = kernel_chips
    line: Callable[[KernelChip, int], Line] = line_of
    holders: Callable[[], tuple[str, ...]] = holders
    open: Callable[[Room], Pins] = open_pins
    sleep: Callable[[Seconds], None] = time.sleep


def check_wiring(
    room: Room, machine: Machine, *, listen: Seconds, wires: Wires | None = None
) -> tuple[Finding, ...]:
    """Whether every pin of ``room`` works; listens to its sensors for so long, on which nobody should be."""
    if not room.wired_pins():
        return (unchecked("pins", "The room has nothing wired, so there are no pins to check."),)
    wires = wires or Wires()
    findings = [*_overlays(room, machine)]
    try:
        chips = wires.chips()
        found = {chip.key: find_chip(chips, chip) for chip in room.chips}
        if HEADER not in found and any(one.chip == HEADER for one in room.wired_pins()):
            found[HEADER] = find_header(chips)
    except ChipUnavailable as fault:
        if machine.model is None:
            return (
                unchecked("chip", "This is no Raspberry Pi, so the room's pins were not checked."),
                *findings,
            )
        return (*findings, bad("chip", fault.what, fault.cure))
    findings.append(
        good("chip", f"{', '.join(f'{key} is {chip.device} ({chip.label})' for key, chip in found.items())}.")
    )
    busy = [*_busy(room, found, wires)]
    if busy:
        return (
            *findings,
            *busy,
            unchecked("mats", "They are not heard while something else holds their pins."),
        )
    findings.append(good("busy pins", f"All {len(room.wired_pins())} pins are free."))
    return (*findings, *_mats(room, listen, wires))


def _busy(room: Room, chips: dict[str, KernelChip], wires: Wires) -> Iterator[Finding]:
    for wired in room.wired_pins():
        try:
            line = wires.line(chips[wired.chip], wired.pin)
        except ChipUnavailable as fault:
            yield bad("busy pins", f"{wired.what}: {fault.what}", "Check the number of the pin in the room.")
            continue
        if line.is_used:
            yield _in_use(f"{wired.what} (GPIO {wired.pin})", line.consumer, wires.holders())


def _in_use(what: str, consumer: str, programs: Sequence[str]) -> Finding:
    # lgpio calls every line "lg"; then a program holds it, and the kernel tells which do.
    if consumer in ("lg", "gpiod", "") and programs:
        return bad(
            "busy pins", f"{what} is held by {', '.join(programs)}.", "Stop it: is Pi GM itself running?"
        )
    cure = f"Stop it, or take the overlay that asks for it out of /{_CONFIGS[0]} and start again."
    return bad("busy pins", f"{what} is held by {consumer or 'something that does not tell its name'}.", cure)


def _overlays(room: Room, machine: Machine) -> Iterator[Finding]:
    config = next((text for path in _CONFIGS if (text := machine.text(path)) is not None), None)
    if config is None:
        yield unchecked("overlays", "There is no config.txt here to look into.")
        return
    lines = [line.partition("#")[0].replace(" ", "") for line in config.splitlines()]
    taken = {
        pin: f"{bus.name} ({bus.value})"
        for bus, pins in BUS_PINS.items()
        if _is_on(bus, lines)
        for pin in pins
    }
    one_wire = next((line for line in lines if line.startswith("dtoverlay=w1-gpio")), None)
    if one_wire is not None:
        said = re.search(r"gpiopin=(\d+)", one_wire)
        taken[int(said[1]) if said else _ONE_WIRE_PIN] = "1-Wire (w1-gpio)"
    in_the_way = [
        (wired, taken[wired.pin])
        for wired in room.wired_pins()
        if wired.chip == HEADER and wired.pin in taken
    ]
    for wired, user in in_the_way:
        cure = "Switch it off: sudo raspi-config, Interface Options; then start again."
        yield warning(
            "overlays", f"{wired.what} is on GPIO {wired.pin}, which {user} is switched on for.", cure
        )
    if not in_the_way:
        yield good("overlays", "None takes a pin of the room.")


def _is_on(bus: Bus, lines: Sequence[str]) -> bool:
    return any(_SWITCHED_ON[bus].match(line) for line in lines)


def _mats(room: Room, listen: Seconds, wires: Wires) -> Iterator[Finding]:
    try:
        with closing(wires.open(room)) as pins, closing(Mats(room, pins, on_change=lambda: None)) as mats:
            for _ in range(round(listen / _BETWEEN_LOOKS)):
                wires.sleep(_BETWEEN_LOOKS)
                mats.now()
            reports = mats.report()
    except PiGmError as fault:
        yield bad("mats", f"{fault}", "Put that right first; then they can be heard.")
        return
    yield from (_mat(report, listen) for report in reports)


def _mat(report: SensorReport, listened: Seconds) -> Finding:
    check = f"mat {report.key}"
    rate = f"{report.edges_a_minute} edges in {listened:g} s"
    if report.trouble is Trouble.SILENT:
        return bad(check, f"GPIO {report.pin} cannot be read.", "Check the wire, or wire it to another pin.")
    if report.trouble is Trouble.NOISY or report.edges_a_minute > 0:
        say = bad if report.trouble is Trouble.NOISY else warning
        cure = "If nobody moved: check its contact and its ground; a long wire wants 1k to 3V3 and 100 nF to ground."
        return say(check, f"GPIO {report.pin} changed by itself: {rate}.", cure)
    if report.level is Reading.PRESSED:
        cure = 'If nobody is on it: move the furniture, look for a short, or say normally = "closed" in the room.'
        return warning(check, f"GPIO {report.pin} is pressed.", cure)
    return good(check, f"GPIO {report.pin} is free and quiet ({rate}).")
