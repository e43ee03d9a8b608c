"""The rooms that come along, each in a file to start from."""

from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

from pi_gm.errors import BadInput
from pi_gm.room import RAFTS, Room
from pi_gm.settings import room_from_toml

WORDS = ("none", "mats", "own-mats", "buttons")


def text_of(word: str) -> str:
    """The file of the room that ``word`` (one of WORDS) chooses."""
    return (files(__name__) / f"{word}.toml").read_text(encoding="utf-8")


ROOMS: Mapping[str, Room] = MappingProxyType(
    {word: room_from_toml(text_of(word), f"{word}.toml").room for word in WORDS}
)
"""The rooms to start from, by the word that chooses one on the command line."""


def anonymous_mats(rafts: int = 3) -> Room:
    """Three mats on each of two or three couches, and a rug on the island that any number can stand on.

    They tell how many are there, not who. With two couches, each mat is on a pin that :func:`own_mats` uses
    for the same place, so that no wire has to move when the room gets more mats.
    """
    if rafts not in (2, 3):
        raise BadInput(f"There are no pins for mats on {rafts} rafts: choose 2 or 3.")
    room = ROOMS["mats"]
    left_out = RAFTS[rafts:]
    return Room(
        room.name,
        tuple(sensor for sensor in room.sensors if sensor.place not in left_out),
        start=room.start,
        lamps=tuple(lamp for lamp in room.lamps if lamp.place not in left_out),
        buzzer=room.buzzer,
    )


def own_mats() -> Room:
    """Six players with a mat of their own on each of two couches and the island: the mats tell who is where.

    A mat's name ends in the number of its owner's token. All fit on one header, with I2C and UART left free.
    """
    return ROOMS["own-mats"]
