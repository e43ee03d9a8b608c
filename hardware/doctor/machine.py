"""The machine: what it is, what is installed, and what a night needs besides pins."""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import ifaddr
from msgspec import Struct, field

from hardware.doctor.findings import Finding, bad, good, unchecked, warning
from hardware.doctor.sound import check_sound
from hardware.pins import lgpio_cure
from pi_gm.speaking.settings import VOICE_FILE

_LEAST_FREE_MEGABYTES = 200
_ENOUGH_FREE_MEGABYTES = 1000
_DEBIANS = {"12": "Bookworm", "13": "Trixie"}
_FIRST_YEAR = 2026
"""A machine that thinks it is earlier has no clock of its own and has not asked the network yet."""
_UNDER_VOLTAGE_NOW, _UNDER_VOLTAGE_SINCE_START = 1 << 0, 1 << 16


def _ask(command: Sequence[str]) -> str | None:
    """What ``command`` prints; None where it is not there or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


class Machine(Struct, frozen=True):
    """Where to look; a test looks elsewhere."""

    root: Path = Path("/")
    ask: Callable[[Sequence[str]], str | None] = _ask
    installed: Callable[[str], str | None] = _installed
    """The version of an installed package; None where it is not."""
    has_module: Callable[[str], bool] = lambda module: find_spec(module) is not None
    python: tuple[int, ...] = field(default_factory=lambda: tuple(sys.version_info[:3]))
    architecture: str = field(default_factory=platform.machine)
    today: Callable[[], datetime] = lambda: datetime.now(UTC)

    def text(self, path: str) -> str | None:
        """What the file at ``path`` holds; None where there is none that can be read."""
        try:
            return (self.root / path).read_text(errors="replace").strip("\0\n ")
        except OSError:
            return None

    @property
    def model(self) -> str | None:
        """Which Raspberry Pi this is; None for any other machine."""
        model = self.text("proc/device-tree/model")
        return model if model is not None and model.startswith("Raspberry Pi") else None


def check_machine(machine: Machine, nights: Path | None) -> tuple[Finding, ...]:
    """Everything but the pins; ``nights`` is the folder in which nights are kept.

    None: they are another user's, and what that user can do is not to be told from here.
    """
    return (
        _board(machine),
        _system(machine),
        _python(machine),
        _gpiozero(machine),
        _pin_library(machine),
        *(() if nights is None else (_working_directory(), _disk(nights))),
        _clock(machine),
        _network(),
        *(() if nights is None else check_sound(nights / VOICE_FILE)),
        _power(machine),
    )


def _board(machine: Machine) -> Finding:
    model = machine.model
    if model is None:
        return unchecked("board", "This is no Raspberry Pi, so it has no pins to check.")
    if re.match(r"Raspberry Pi (Zero 2|[345]|Compute Module [345]|[45]00)", model):
        return good("board", f"{model}.")
    return warning("board", f"{model} is slower than any that was thought of.", "Use a Zero 2 W, 3, 4 or 5.")


def _system(machine: Machine) -> Finding:
    said = dict(
        line.partition("=")[::2]
        for line in (machine.text("etc/os-release") or "").splitlines()
        if "=" in line
    )
    name = said.get("PRETTY_NAME", "").strip('"') or platform.system()
    if machine.model is None:
        return good("system", f"{name}, {machine.architecture}.")
    if machine.architecture != "aarch64":
        cure = "Install the 64-bit system: some parts come for nothing else."
        return warning("system", f"{name} is a 32-bit system ({machine.architecture}).", cure)
    if said.get("VERSION_ID", "").strip('"') not in _DEBIANS:
        cure = f"Raspberry Pi OS {' or '.join(_DEBIANS.values())} is what this was made for."
        return warning("system", f"{name} is none that this was made for.", cure)
    return good("system", f"{name}, 64 bit.")


def _python(machine: Machine) -> Finding:
    said = ".".join(map(str, machine.python))
    return good("python", f"Python {said}, {sys.executable}.")


def _gpiozero(machine: Machine) -> Finding:
    there = machine.installed("gpiozero")
    if there is None or not _is_at_least(there, (2, 0, 1, 3)):
        says = (
            "gpiozero is missing."
            if there is None
            else f"gpiozero {there} fails on a Pi 5, or to find a chip."
        )
        return bad(
            "gpiozero", says, "pip install 'gpiozero>=2.0.1.post3' in the environment that runs Pi GM."
        )
    return good("gpiozero", f"gpiozero {there}.")


def _is_at_least(said: str, least: tuple[int, ...]) -> bool:
    return tuple(int(number) for number in re.findall(r"\d+", said)) >= least


def _pin_library(machine: Machine) -> Finding:
    check = "pin library"
    lgpio, rpi_gpio = machine.installed("lgpio"), machine.installed("RPi.GPIO")
    if rpi_gpio is not None and machine.installed("rpi-lgpio") is not None:
        says = "RPi.GPIO and rpi-lgpio are both installed, and each overwrites the other."
        return bad(check, says, "pip uninstall RPi.GPIO rpi-lgpio; neither is needed beside lgpio.")
    if lgpio is not None and not _is_at_least(lgpio, (0, 2, 2)):
        return bad(check, f"lgpio {lgpio} is too old, or an empty package.", "pip install 'lgpio>=0.2.2.0'.")
    if machine.has_module("lgpio"):
        return good(check, f"lgpio {lgpio or '(of the system)'}.")
    if machine.model is None:
        return unchecked(check, "lgpio is not installed; it is needed on a Pi only.")
    if rpi_gpio is not None and "Raspberry Pi 5" not in machine.model:
        says = "Only RPi.GPIO is there: it stamps edges when Python hears of them, some milliseconds late."
        return warning(check, says, f"{lgpio_cure()}.")
    return bad(check, "There is none for this Pi.", f"{lgpio_cure()}.")


def _working_directory() -> Finding:
    folder = Path.cwd()
    if not os.access(folder, os.W_OK):
        cure = "Start Pi GM in a folder of yours (a service: WorkingDirectory = its RuntimeDirectory)."
        return bad(
            "working directory", f"{folder} may not be written to, and lgpio makes a file there.", cure
        )
    return good("working directory", f"{folder}.")


def _disk(nights: Path) -> Finding:
    there = next(folder for folder in (nights.absolute(), *nights.absolute().parents) if folder.exists())
    free = shutil.disk_usage(there).free // 1_000_000
    if not os.access(there, os.W_OK):
        return bad(
            "disk", f"{there} may not be written to.", "Name another folder for the nights with --data."
        )
    if free < _ENOUGH_FREE_MEGABYTES:
        say = bad if free < _LEAST_FREE_MEGABYTES else warning
        return say("disk", f"Only {free} MB are free at {there}.", "Delete what is no longer needed.")
    return good("disk", f"{free / 1000:.0f} GB free for nights in {nights}.")


def _clock(machine: Machine) -> Finding:
    today = machine.today()
    if today.year < _FIRST_YEAR:
        says = f"This machine thinks that it is {today:%d %B %Y}. Only the dates of nights hang on that."
        return warning("clock", says, "Connect it to the internet once, or: sudo date -s '2026-01-31 20:00'.")
    if machine.model is not None and machine.text("run/systemd/timesync/synchronized") is None:
        says = f"It is {today:%d %B %Y}, but nobody confirmed that since the start; only the dates of nights hang on it."
        return warning("clock", says, "Connect it to the internet once, or check the date.")
    return good("clock", f"It is {today:%d %B %Y}.")


def _network() -> Finding:
    addresses = [
        ip.ip
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4 and isinstance(ip.ip, str) and not ip.ip.startswith(("127.", "169.254."))
    ]
    if not addresses:
        return bad(
            "network",
            "This machine has no address, so no phone can reach it.",
            "Join a network, or make one.",
        )
    return good("network", f"{', '.join(addresses)}.")


def _power(machine: Machine) -> Finding:
    if machine.model is None:
        return unchecked("power", "Only a Pi tells whether it gets enough.")
    said = re.search(r"throttled=(0x[0-9a-fA-F]+)", machine.ask(["vcgencmd", "get_throttled"]) or "")
    if said is None:
        return unchecked("power", "vcgencmd does not tell (this user may have to be in the group video).")
    flags = int(said[1], 16)
    cure = "Use the power supply made for this Pi, and a short, thick cable."
    if flags & _UNDER_VOLTAGE_NOW:
        return bad("power", "It gets too little at this moment, and may stop in the middle of a round.", cure)
    if flags & _UNDER_VOLTAGE_SINCE_START:
        return warning("power", "It got too little at some time since it was started.", cure)
    return good("power", "It has had enough ever since it was started.")
