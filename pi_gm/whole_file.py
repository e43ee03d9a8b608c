"""Files that are there whole or not at all, whenever the power goes."""

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Put ``content`` into the file ``path``, in a folder that is made where it is missing.

    Raises OSError where that cannot be done; then what was there before is there still.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
