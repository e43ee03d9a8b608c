"""One Pi GM at a time: two at work on the same nights, or the same pins, would spoil both."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pi_gm.errors import BadInput, PiGmError


class AlreadyRunning(PiGmError, RuntimeError):
    """Another Pi GM is at work on the same nights; stop it, or give this one a folder of its own."""


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold ``folder`` for this process alone. Raises AlreadyRunning, and BadInput where the folder cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        held = (folder / "in-use").open("w")
    except OSError as fault:
        raise BadInput(
            f"{folder} cannot be used ({fault.strerror}): name another folder with --data"
        ) from fault
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            raise AlreadyRunning(
                f"another Pi GM is running with the nights in {folder}: stop it, or name another folder with --data"
            ) from fault
        yield
