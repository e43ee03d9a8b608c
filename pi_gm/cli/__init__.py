"""The command line: where the core, the pages and the pins are put together."""

import argparse
import logging
import sys
from collections.abc import Sequence

from pi_gm import __version__
from pi_gm.cli import nights, paper, running, simulating
from pi_gm.errors import PiGmError

BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that ``arguments`` name (None: those of the process); returns its exit code."""
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    asked = _parser().parse_args(arguments)
    try:
        code: int = asked.command(asked)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except PiGmError as fault:
        print(f"pi-gm: {fault}", file=sys.stderr)
        return BAD_INPUT
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pi-gm",
        description="A game master for living-room games with real furniture.",
        epilog="Start with: pi-gm rehearse   (everything on this machine, with a living room on the screen)",
    )
    parser.add_argument("--version", action="version", version=f"pi-gm {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    running.add_to(commands)
    simulating.add_to(commands)
    nights.add_to(commands)
    paper.add_to(commands)
    return parser
