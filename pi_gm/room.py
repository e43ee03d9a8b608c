"""The living room: which places have which sensors, rooms to start from, and how to move about in one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct

from pi_gm.errors import BadInput
from pi_gm.floor import Sensor

RAFTS = ("A", "B", "C")
ISLAND = "island"
WATER = "water"
PLACES = (*RAFTS, ISLAND, WATER)

HEADER_PINS = range(2, 28)
"""The BCM numbers of the Pi's 40-pin header that a sensor can be wired to."""
TOKENS = range(1, 13)
"""The numbers of the players' tokens."""


class Room(Struct, frozen=True):
    """A room and its sensors. Raises BadInput, with every mistake in its text, where they cannot be right."""

    name: str
    sensors: tuple[Sensor, ...] = ()

    def __post_init__(self) -> None:
        mistakes = tuple(_mistakes(self.sensors))
        if mistakes:
            raise BadInput("\n".join(mistakes))

    def sensors_at(self, place: str) -> tuple[Sensor, ...]:
        """The sensors that lie at ``place``."""
        return tuple(sensor for sensor in self.sensors if sensor.place == place)


def _mistakes(sensors: Sequence[Sensor]) -> Iterator[str]:
    """A sentence, with the cure, for everything that is wrong with ``sensors``."""
    for key, times in Counter(sensor.key for sensor in sensors).items():
        if not key.strip():
            yield "A sensor has no name: give it one, such as A1."
        elif times > 1:
            yield f"{times} sensors are called {key}: give each a name of its own."
    for pin in dict.fromkeys(sensor.pin for sensor in sensors):
        sharing = [sensor.key for sensor in sensors if sensor.pin == pin]
        if len(sharing) > 1:
            yield f"{_listed(sharing)} share pin {pin}: wire each to a pin of its own."
    for sensor in sensors:
        yield from _mistakes_of(sensor)


def _mistakes_of(sensor: Sensor) -> Iterator[str]:
    if sensor.pin not in HEADER_PINS:
        yield (
            f"{sensor.key} is on pin {sensor.pin}, which the header does not have: "
            f"choose a BCM number from {HEADER_PINS[0]} to {HEADER_PINS[-1]}."
        )
    if sensor.place not in PLACES:
        yield f"{sensor.key} lies at {sensor.place!r}, which is no place: choose one of {', '.join(PLACES)}."
    if sensor.owner is not None and sensor.owner not in TOKENS:
        yield (
            f"{sensor.key} belongs to token {sensor.owner}, which there is not: "
            f"choose {TOKENS[0]} to {TOKENS[-1]}, or nobody."
        )
    if sensor.counts is not None and sensor.counts < 1:
        yield f"{sensor.key} counts {sensor.counts} people: choose 1 or more, or any number."
    # Written so that it is true of nan as well.
    if not (sensor.press >= 0 and sensor.release >= 0):
        yield f"{sensor.key} has a press or release time below zero: choose 0 seconds or more."


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def no_sensors() -> Room:
    """People say where they are on their phones, or the host taps it."""
    return Room("no sensors")


def anonymous_mats(rafts: int = 3) -> Room:
    """Three mats on each of two or three couches, and a rug on the island that any number can stand on.

    They tell how many are there, not who. With two couches, each mat is on a pin that :func:`own_mats` uses
    for the same place, so that no wire has to move when the room gets more mats.
    """
    if rafts not in (2, 3):
        raise BadInput(f"There are no pins for mats on {rafts} rafts: choose 2 or 3.")
    pins = {"A": (4, 5, 6), "B": (16, 17, 18), "C": (20, 21, 22)}
    mats = (
        Sensor(key=f"{raft}{number}", pin=pin, place=raft)
        for raft in RAFTS[:rafts]
        for number, pin in enumerate(pins[raft], start=1)
    )
    return Room("mats", (*mats, Sensor(key="rug", pin=25, place=ISLAND, counts=None)))


def own_mats() -> Room:
    """Six players with a mat of their own on each of two couches and the island: the mats tell who is where.

    A mat's name ends in the number of its owner's token. All fit on one header, with I2C and UART left free.
    """
    pins = {
        "A": (4, 5, 6, 7, 8, 9),
        "B": (10, 11, 16, 17, 18, 19),
        ISLAND: (20, 21, 22, 23, 24, 25),
    }
    return Room(
        "own mats",
        tuple(
            Sensor(key=f"{place[0].upper()}{token}", pin=pin, place=place, owner=token)
            for place, row in pins.items()
            for token, pin in enumerate(row, start=1)
        ),
    )


ROOMS: Mapping[str, Room] = MappingProxyType(
    {"none": no_sensors(), "mats": anonymous_mats(), "own-mats": own_mats()}
)
"""The rooms to start from, by the word that chooses one on the command line."""


class Standing(Struct, frozen=True):
    """Where a figure of a simulated room stands."""

    figure: str
    place: str
    sensor: str | None = None
    """The key of the sensor under it; None where it stands on none."""


class LivingRoom(Protocol):
    """A simulated room: figures (people, cushions) are put onto its sensors. Safe for several threads."""

    def put(self, figure: str, place: str, *, token: int | None) -> None:
        """Stand ``figure`` at ``place``, having left wherever it stood.

        There it stands on the mat that belongs to ``token`` (None: nobody's) if there is one, else on the
        first anonymous one with room left, else on the last of them together with others; with no mat for
        it, beside them. One who stands on an anonymous mat there already stays on it. Raises BadInput for
        an unknown place.
        """
        ...

    def put_on(self, figure: str, sensor_key: str) -> None:
        """Stand ``figure`` on exactly this sensor, whoever's it is. Raises BadInput for an unknown one."""
        ...

    def remove(self, figure: str) -> None:
        """Take ``figure`` out of the room; nothing happens if it is not there."""
        ...

    def where(self) -> tuple[Standing, ...]:
        """Where everyone stands, in the order in which they first came in."""
        ...
