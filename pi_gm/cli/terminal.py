"""A terminal in which single keys are heard, without Enter."""

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from pi_gm.clock import Seconds
from pi_gm.errors import BadInput

ENTER = "\n"
GONE = "\x04"
"""What is heard of somebody who closed the terminal."""


class Terminal(Protocol):
    """Says lines, and hears keys."""

    def say(self, line: str) -> None:
        """Show ``line``."""
        ...

    def key(self, within: Seconds) -> str | None:
        """The key that is pressed next; None where none was ``within`` that time."""
        ...


@contextmanager
def own_terminal() -> Iterator[Terminal]:
    """The terminal that the program was started in. Raises BadInput where it was started without one."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise BadInput(
            "this needs a terminal to hear keys: start it in one, or teach the room on the host's page (More)"
        )
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    tty.setcbreak(number)
    try:
        yield _Keys(number)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


class _Keys(Terminal):
    def __init__(self, number: int) -> None:
        self._number = number

    def say(self, line: str) -> None:
        print(line, flush=True)

    def key(self, within: Seconds) -> str | None:
        ready, _, _ = select.select([self._number], [], [], within)
        if not ready:
            return None
        return os.read(self._number, 1).decode("latin-1").lower() or GONE
