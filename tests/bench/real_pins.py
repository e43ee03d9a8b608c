"""The figures of real pins; runs inside the simulated kernel (``tests/kernel/run.sh``), whose speed is not a Pi's."""

import asyncio
import logging
import os
import subprocess
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

from pi_gm.clock import Seconds
from tests.bench.figures import figure, percentiles
from tests.bench.idle import idle_figures
from tests.kernel.buzzers import ROOM, full_load, judge_buzzers
from tests.kernel.program import host_at_table, open_rafts, running
from tests.kernel.simchip import SimChip

BUZZERS = 120
MOVES = 200
SPREAD: Seconds = 0.15
"""Moves do not come in a beat that the program could fall into step with."""


def wrong_readings(chip: SimChip) -> None:
    """How often a mat was read wrongly at the buzzer, beside reading the pins at the buzzer."""
    for name, load in (("idle", nullcontext), ("full load", full_load)):
        with tempfile.TemporaryDirectory() as folder, load():
            judged = judge_buzzers(chip, BUZZERS, Path(folder))
        figure(f"real pins, {name}: readings at the buzzer", judged.asked, "readings")
        each = 10_000 / judged.asked
        figure(f"real pins, {name}: wrong", len(judged.wrong) * each, "per 10000")
        figure(f"real pins, {name}: unknown, so asked about", judged.unknown * each, "per 10000")
        figure(f"real pins, {name}: wrong by reading the pins", judged.naively_wrong * each, "per 10000")
        figure(f"real pins, {name}: woken late by up to", 1000 * judged.latest, "ms")


async def edges_to_page(chip: SimChip) -> None:
    """From the order to close a contact to the host's page that shows it."""
    host = await host_at_table()
    await open_rafts(host, "Ana", "Ben")
    await asyncio.sleep(1)
    took = []
    for number in range(MOVES):
        pin = ROOM.sensors[number // 2 % len(ROOM.sensors)].pin
        host.heard.clear()
        began = time.perf_counter()
        (chip.press if number % 2 == 0 else chip.release)(pin)
        await asyncio.wait_for(host.heard.wait(), 5)
        took.append(host.heard_at - began)
        await asyncio.sleep(SPREAD + number % 7 / 100)
    percentiles("real pins: contact to host's page", took)
    await host.close()


def main() -> None:
    logging.disable(logging.WARNING)  # what got lost is counted
    os.chdir("/run")
    cpuinfo = Path("/run/cpuinfo")
    cpuinfo.write_text("Revision\t: c03112\n")
    subprocess.run(["/bin/mount", "--bind", cpuinfo, "/proc/cpuinfo"], check=True)
    with SimChip("header", label="pinctrl-bcm2711") as chip:
        for sensor in ROOM.sensors:
            chip.release(sensor.pin)
        with running(Path("/run/nights")) as program:
            time.sleep(2)
            idle_figures(f"real pins, {len(ROOM.sensors)} sensors", program.pid)
            asyncio.run(edges_to_page(chip))
        wrong_readings(chip)


if __name__ == "__main__":
    main()
