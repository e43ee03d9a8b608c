"""The photo finish: how every mat was in the seconds around the buzzer, in bars and in words that no two cousins can
read differently. Pure.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.floor import AFTER, BEFORE, FloorReading, Reading, Sensor, Strip
from pi_gm.phrases import SHARED
from pi_gm.room import Room
from pi_gm.sensor_view import place_name


class FilmRow(Struct, frozen=True):
    """One mat's line in the photo finish. Times are seconds before (negative) and after the buzzer."""

    key: str
    place: str
    """The name of its place, such as ``the blue couch``."""
    owner: int | None
    """The token that it belongs to; None where it is anybody's."""
    reading: Reading
    """What it said at the buzzer: what the round is ruled by."""
    told: str
    """In words: ``on 1.4 s before``."""
    since: Seconds
    presses: tuple[tuple[Seconds, Seconds], ...]
    edges: tuple[tuple[Seconds, bool], ...]


class FilmView(Struct, frozen=True):
    """A round's photo finish."""

    rows: tuple[FilmRow, ...]
    begins: Seconds
    ends: Seconds
    is_on_tv: bool


def film_of(floor: FloorReading, sensors: Iterable[Sensor], room: Room, *, is_on_tv: bool) -> FilmView:
    """The photo finish of ``sensors``, of which ``floor`` has the readings and strips of the buzzer."""
    strips = {strip.key: strip for strip in floor.strips}
    rows = tuple(
        _row(sensor, floor.of(sensor), strips[sensor.key], room) for sensor in sensors if sensor.key in strips
    )
    return FilmView(rows, -BEFORE, AFTER, is_on_tv)


def _row(sensor: Sensor, reading: Reading, strip: Strip, room: Room) -> FilmRow:
    return FilmRow(
        key=sensor.key,
        place=place_name(sensor.place, room),
        owner=sensor.owner,
        reading=reading,
        told=told(reading, strip),
        since=strip.since,
        presses=strip.presses,
        edges=strip.edges,
    )


def told(reading: Reading, strip: Strip) -> str:
    """A mat's seconds around the buzzer in words, which say what ``reading`` says."""
    if reading is Reading.UNKNOWN:
        return SHARED.say("film.unknown")
    if reading is Reading.IGNORED:
        return SHARED.say("film.ignored")
    return ", ".join(_told_pressed(strip) if reading is Reading.PRESSED else _told_clear(strip))


def _told_pressed(strip: Strip) -> Sequence[str]:
    """Since when somebody was on it, and when they left if they did right after."""
    on, off = next(press for press in strip.presses if press[0] <= 0 < press[1])
    words = [_told_since(on, strip)]
    return words if off >= AFTER else [*words, SHARED.say("film.off-after", seconds=_seconds(off))]


def _told_since(on: Seconds, strip: Strip) -> str:
    if on > strip.since:
        return SHARED.say("film.on-before", seconds=_seconds(on))
    is_known_whole = strip.since <= -BEFORE
    return SHARED.say("film.on-all-the-time" if is_known_whole else "film.on-at-buzzer")


def _told_clear(strip: Strip) -> Sequence[str]:
    """When the last one left before the buzzer, and when the first one came too late."""
    words = []
    left = [off for _, off in strip.presses if off <= 0]
    came = [on for on, _ in strip.presses if on > 0]
    if left:
        words.append(SHARED.say("film.off-before", seconds=_seconds(left[-1])))
    if came:
        words.append(SHARED.say("film.on-after", seconds=_seconds(came[0])))
    return words or [SHARED.say("film.nobody")]


def _seconds(offset: Seconds) -> str:
    """As exact as it matters: 1.4, but 0.03 and 0.004."""
    seconds = abs(offset)
    return f"{seconds:.1f}" if seconds >= 0.1 else f"{seconds:.2f}" if seconds >= 0.01 else f"{seconds:.3f}"
