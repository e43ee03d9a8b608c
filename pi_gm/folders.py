"""Where nights are kept on this machine."""

import os
from pathlib import Path


def nights_folder() -> Path:
    """The folder of the nights: where the service is told to keep its state, or the user's own place for such things."""
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given.split(":")[0])
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "pi-gm"
