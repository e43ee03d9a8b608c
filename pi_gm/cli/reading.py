"""What a command reads: the lines of a file, or of standard input."""

import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pi_gm.errors import BadInput

STANDARD_INPUT = "-"


@contextmanager
def lines_of(file: str, cure: str) -> Iterator[Iterable[bytes]]:
    """The lines of ``file``, or of standard input where it is ``-``.

    Raises BadInput, with ``cure``, where it cannot be read.
    """
    if file == STANDARD_INPUT:
        # None where the program was started without one.
        if sys.stdin is None:
            raise BadInput(f"there is no standard input to read: {cure}")
        yield _unmarked(sys.stdin.buffer)
        return
    with ExitStack() as held:
        try:
            opened = held.enter_context(Path(file).open("rb"))
        except OSError as fault:
            raise BadInput(f"{file} cannot be read ({fault.strerror}): {cure}") from fault
        except ValueError as fault:
            raise BadInput(f"{file!r} cannot be the name of a file ({fault}): {cure}") from fault
        yield _unmarked(opened)


def _unmarked(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Without the mark that some editors put before the first line of UTF-8."""
    for place, line in enumerate(lines):
        yield line.removeprefix(BOM_UTF8) if place == 0 else line
