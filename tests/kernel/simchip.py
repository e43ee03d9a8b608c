"""Chips that the kernel simulates, made and pressed from inside the simulated kernel, where this runs as root."""

import os
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

_CONFIG = Path("/sys/kernel/config/gpio-sim")
_DEVICES = Path("/sys/devices/platform")


class SimChip:
    """A chip with ``lines`` lines and, unless the kernel is to choose one, a ``label``.

    ``hogs`` are lines that the kernel uses itself, and under which name, as those of an overlay are.
    """

    def __init__(
        self, name: str, *, lines: int = 28, label: str | None = None, hogs: Mapping[int, str] | None = None
    ) -> None:
        self._hogs = dict(hogs or {})
        self._folder = _CONFIG / name
        bank = self._folder / "bank0"
        self._folder.mkdir()
        bank.mkdir()
        (bank / "num_lines").write_text(str(lines))
        if label is not None:
            (bank / "label").write_text(label)
        for line, user in self._hogs.items():
            (bank / f"line{line}").mkdir()
            (bank / f"line{line}" / "hog").mkdir()
            (bank / f"line{line}" / "hog" / "name").write_text(user)
            (bank / f"line{line}" / "hog" / "direction").write_text("input")
        (self._folder / "live").write_text("1")
        chip = (bank / "chip_name").read_text().strip()
        self.device = Path("/dev") / chip
        self.number = int(chip.removeprefix("gpiochip"))
        self._lines = _DEVICES / (self._folder / "dev_name").read_text().strip() / chip
        self._pulls: dict[int, int] = {}

    def press(self, line: int) -> tuple[float, float]:
        """Close a mat's contact: it wins over the pull-up. Returns when that began and when it was done (monotonic)."""
        return self._pull(line, b"pull-down")

    def release(self, line: int) -> tuple[float, float]:
        """Open a mat's contact: the pull-up wins."""
        return self._pull(line, b"pull-up")

    def _pull(self, line: int, to: bytes) -> tuple[float, float]:
        if line not in self._pulls:
            self._pulls[line] = os.open(self._lines / f"sim_gpio{line}" / "pull", os.O_WRONLY)
        began = time.monotonic()
        os.pwrite(self._pulls[line], to, 0)
        return began, time.monotonic()

    def value(self, line: int) -> int:
        """What is on the line: what a program drives it to, or what pulls it."""
        return int((self._lines / f"sim_gpio{line}" / "value").read_text())

    def remove(self) -> None:
        """Take the chip out of the machine."""
        for handle in self._pulls.values():
            os.close(handle)
        (self._folder / "live").write_text("0")
        bank = self._folder / "bank0"
        for line in self._hogs:
            (bank / f"line{line}" / "hog").rmdir()
            (bank / f"line{line}").rmdir()
        bank.rmdir()
        self._folder.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()
