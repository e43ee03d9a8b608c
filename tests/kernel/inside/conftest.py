"""Tests that only the simulated kernel can run; outside of it there is nothing to collect here."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kernel.conftest import IS_GUEST, ROOT
from tests.kernel.simchip import SimChip

if not IS_GUEST:
    collect_ignore_glob = ["*"]

HEADER_LINES = 28


@pytest.fixture(scope="session", autouse=True)
def board() -> None:
    """Let this machine look like a Pi 4 to whoever reads its revision, and leave nothing in the project's folder."""
    os.environ["PYTHONPATH"] = str(ROOT)
    # Here lgpio, and whoever else is started, makes its file.
    os.chdir("/run")
    cpuinfo = Path("/run/cpuinfo")
    cpuinfo.write_text("Revision\t: c03112\n")
    subprocess.run(["/bin/mount", "--bind", cpuinfo, "/proc/cpuinfo"], check=True)


@pytest.fixture
def header() -> Iterator[SimChip]:
    with SimChip("header", lines=HEADER_LINES, label="pinctrl-bcm2711") as chip:
        yield chip
