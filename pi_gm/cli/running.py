"""``pi-gm run`` and ``pi-gm rehearse``: the whole of it, put together. The one place that knows pages and pins."""

import argparse
from pathlib import Path
from typing import Any

from pi_gm.clock import FastClock, RealClock
from pi_gm.errors import PiGmError
from pi_gm.folders import nights_folder
from pi_gm.room import ROOMS, no_sensors

DEMO_SPEED = 10
PORTS_TRIED = range(8000, 8010)
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


class AlreadyRunning(PiGmError, RuntimeError):
    """Another Pi GM is at work on the same nights; stop it, or give this one a folder of its own."""


def add_to(commands: Any) -> None:
    """Add the commands to those of the program."""
    run = commands.add_parser(
        "run",
        help="run a night: phones say who is where, or the host taps it",
        description="Runs a night for people in a room. Phones, the host's tablet and the TV open the addresses it prints.",
    )
    _add_common(run)
    run.set_defaults(command=_run)
    rehearse = commands.add_parser(
        "rehearse",
        help="the same with a living room on the screen, to try everything without hardware",
        description="Runs a night with a simulated living room: drag people onto couches and the rug, and the mats respond.",
    )
    _add_common(rehearse)
    rehearse.add_argument(
        "--room", choices=[*ROOMS], default="mats", help="which sensors the simulated room has (mats)"
    )
    rehearse.add_argument("--demo", action="store_true", help="bots play a whole night, ten times as fast")
    rehearse.add_argument(
        "--no-browser", action="store_true", help="do not open the living room in a browser"
    )
    rehearse.set_defaults(command=_rehearse)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, help="the port of the pages (8000, or the next one that is free)")
    parser.add_argument("--bind", default="0.0.0.0", help="the address to listen on (0.0.0.0: every one)")
    parser.add_argument("--address", help="the address to show to phones, such as 192.168.1.5 or a name")
    parser.add_argument("--data", type=Path, help="the folder in which the nights are kept")
    parser.add_argument(
        "--new", action="store_true", help="begin a new night instead of going on with the last one"
    )
    parser.add_argument("--pin", help="the host's PIN, six digits (by default drawn for each night)")


def _run(asked: argparse.Namespace) -> int:
    folder = asked.data or nights_folder()
    return _play(asked, folder, no_sensors(), RealClock(), simulated=False)


def _rehearse(asked: argparse.Namespace) -> int:
    folder = asked.data or nights_folder() / "rehearsals"
    clock = FastClock(DEMO_SPEED) if asked.demo else RealClock()
    return _play(asked, folder, ROOMS[asked.room], clock, simulated=True)
