"""A figure a line, as ``name value unit``."""

import statistics
import sys
from collections.abc import Sequence

from pi_gm.clock import Seconds


def figure(name: str, value: float, unit: str) -> None:
    """Print one."""
    print(f"{name} {value:.4g} {unit}", flush=True)


def percentiles(name: str, took: Sequence[Seconds]) -> None:
    """Print the middle of ``took``, and what one in a hundred exceeds."""
    in_order = sorted(took)
    figure(f"{name} p50", 1000 * statistics.median(in_order), "ms")
    figure(f"{name} p99", 1000 * in_order[int(0.99 * (len(in_order) - 1))], "ms")


def left_out(what: str, why: str) -> None:
    """Say on standard error that there are no figures of ``what`` here, and why."""
    print(f"no figures of {what}: {why}", file=sys.stderr, flush=True)
