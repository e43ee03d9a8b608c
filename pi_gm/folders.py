"""Where nights are kept on this machine."""

import os
from pathlib import Path

from pi_gm.errors import BadInput


def nights_folder() -> Path:
    """The folder of the nights: where the service is told to keep its state, or the user's own place for such things.

    Raises BadInput for a user without a home.
    """
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given.split(":")[0])
    base = os.environ.get("XDG_STATE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".local" / "state") / "pi-gm"
    except RuntimeError as fault:
        raise BadInput("you have no home folder to keep nights in: name a folder with --data") from fault
