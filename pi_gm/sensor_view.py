"""How the room's mats and buttons are doing, in words for the host and the speaker. Pure."""

from collections.abc import Collection, Iterable

from msgspec import Struct

from pi_gm.floor import Reading, Sensor, SensorReport, Trouble
from pi_gm.phrases import SHARED
from pi_gm.room import RAFTS, Room


class SensorView(Struct, frozen=True):
    """A mat or button as the host's page shows it."""

    key: str
    name: str
    """What people call it, such as ``Mat A1``."""
    place: str
    """The name of its place, such as ``raft A`` or ``the blue couch``."""
    owner: int | None
    """The token that it belongs to; None where it is anybody's."""
    level: Reading
    """What it says at this moment; ignored where the host leaves it out."""
    trouble: Trouble | None
    """What is wrong with it; None also while it is ignored, where nobody need mind."""
    wrong: str = ""
    """That in a sentence."""
    cure: str = ""
    edges_a_minute: int = 0


def sensor_views(
    room: Room, reports: Iterable[SensorReport], ignored: Collection[str]
) -> tuple[SensorView, ...]:
    """Every sensor of ``room`` of which there is a report, in the room's order."""
    reported = {report.key: report for report in reports}
    return tuple(
        _view(sensor, reported[sensor.key], room, is_ignored=sensor.key in ignored)
        for sensor in room.sensors
        if sensor.key in reported
    )


def _view(sensor: Sensor, report: SensorReport, room: Room, *, is_ignored: bool) -> SensorView:
    trouble = None if is_ignored else report.trouble
    return SensorView(
        key=sensor.key,
        name=_name(sensor),
        place=place_name(sensor.place, room),
        owner=sensor.owner,
        level=Reading.IGNORED if is_ignored else Reading.UNKNOWN if trouble is not None else report.level,
        trouble=trouble,
        wrong="" if trouble is None else sentence_of_trouble(sensor, trouble, room),
        cure="" if trouble is None else SHARED.say(f"cure.{trouble.value}"),
        edges_a_minute=report.edges_a_minute,
    )


def sentence_of_trouble(sensor: Sensor, trouble: Trouble, room: Room) -> str:
    """What is wrong with ``sensor``, and where it lies."""
    return SHARED.say(
        f"say.sensor-{trouble.value}", sensor=_name(sensor), place=place_name(sensor.place, room)
    )


def _name(sensor: Sensor) -> str:
    return SHARED.say(f"sensor.{sensor.kind.value}", called=sensor.key)


def place_name(place: str, room: Room) -> str:
    """What people call ``place``, such as ``raft A`` or ``the blue couch``."""
    called = room.name_of(place)
    if called != place:
        return called
    return SHARED.say("sensor.raft", raft=place) if place in RAFTS else SHARED.say(f"sensor.{place}")
