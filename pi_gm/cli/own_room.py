"""Which room the commands work in: the one that is asked for, or this machine's own."""

from pathlib import Path

from pi_gm.room import Room
from pi_gm.rooms import ROOMS
from pi_gm.settings import read_room, room_file


def taught_file(folder: Path) -> Path:
    """Where the room is kept that was taught for the nights in ``folder``."""
    return folder / "room.toml"


def own_file(folder: Path) -> Path:
    """This machine's own room: the one that was taught, or else the one that somebody wrote. It may not be there."""
    taught = taught_file(folder)
    try:
        return taught if _is_there(taught) else room_file()
    except RuntimeError:
        # A user without a home has written none.
        return taught


def asked_room(asked: str | None, own: Path) -> Room | None:
    """The room that ``asked`` names: one that comes along, or a file; for None the one in ``own``, None without one.

    Raises WrongRoom with every mistake in it.
    """
    if asked is not None:
        return ROOMS[asked] if asked in ROOMS else read_room(Path(asked)).room
    return read_room(own).room if _is_there(own) else None


def _is_there(path: Path) -> bool:
    """False as well for what nobody may look at."""
    try:
        return path.exists()
    except PermissionError:
        return False
