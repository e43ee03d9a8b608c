"""The command line: where the core, the pages and the pins are put together."""

import argparse
import logging
import os
import sys
from collections.abc import Sequence

from pi_gm import __version__
from pi_gm.cli import doctor, nights, paper, running, simulating, teach
from pi_gm.errors import PiGmError

BAD_INPUT = 2
INTERRUPTED = 130
"""What a shell expects of a program that Ctrl+C ended."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that ``arguments`` name (None: those of the process); returns its exit code."""
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    try:
        asked = _parser().parse_args(arguments)
        code: int = asked.command(asked)
        if sys.stdout is not None:
            # Now, while it can still be told that it did not work.
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _say_no_more()
        return 0
    except PiGmError as fault:
        print(f"pi-gm: {fault}", file=sys.stderr)
        return BAD_INPUT
    except OSError as fault:
        _say_no_more()
        where = fault.filename or "the answer"
        print(f"pi-gm: {where} cannot be read or written ({fault}): is the disk full?", file=sys.stderr)
        return BAD_INPUT
    return code


def _say_no_more() -> None:
    """Let what is still held back go nowhere: whoever read along has gone, or there is no room for it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pi-gm",
        description="A game master for living-room games with real furniture.",
        epilog="Start with: pi-gm rehearse   (everything on this machine, with a living room on the screen)",
    )
    parser.add_argument("--version", action="version", version=f"pi-gm {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    running.add_to(commands)
    doctor.add_to(commands)
    teach.add_to(commands)
    simulating.add_to(commands)
    nights.add_to(commands)
    paper.add_to(commands)
    return parser
