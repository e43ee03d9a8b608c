"""What a night costs while nothing happens: processor, wake-ups, memory."""

import os
import re
import time
from pathlib import Path

from pi_gm.clock import Seconds
from tests.bench.figures import figure

WATCHED: Seconds = 10.0


def idle_figures(name: str, process: int) -> None:
    """Watch ``process``, which must have nothing to do, for ten seconds, and print what it used."""
    spent, woken, began = _spent(process), _woken(process), time.monotonic()
    time.sleep(WATCHED)
    passed = time.monotonic() - began
    figure(f"{name}: idle processor", 100 * (_spent(process) - spent) / passed, "% of a core")
    figure(f"{name}: idle wake-ups", (_woken(process) - woken) / passed, "per second")
    figure(f"{name}: memory", resident(process), "MB")


def resident(process: int) -> float:
    """The memory of ``process``, in megabytes."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found.group(1)) / 1024


def _spent(process: int) -> Seconds:
    after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _woken(process: int) -> int:
    """How often any of its threads went to sleep of itself, and so had to be woken."""
    return sum(
        int(found.group(1))
        for status in Path(f"/proc/{process}/task").glob("*/status")
        if (found := re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status.read_text(), re.MULTILINE))
    )
