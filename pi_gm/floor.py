"""The floor: what each sensor said at an instant, worked out from its history of edges. Pure."""

from collections.abc import Collection, Sequence
from enum import Enum
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Protocol

from msgspec import Struct

from pi_gm.clock import Seconds


class Reading(Enum):
    """What a sensor says. Unknown is an answer of its own and is never taken for clear."""

    PRESSED = "pressed"
    CLEAR = "clear"
    UNKNOWN = "unknown"
    IGNORED = "ignored"
    """The host leaves it out tonight, whatever it says."""


class Normally(Enum):
    """What a contact is while nobody presses it."""

    OPEN = "open"
    """As nearly all mats and buttons are: pressing closes it."""
    CLOSED = "closed"
    """As the contacts of alarms are: pressing opens it, and so does a broken wire."""


class SensorKind(Enum):
    """What somebody does with a sensor."""

    MAT = "mat"
    """Stands or sits on it."""
    BUTTON = "button"
    """Holds it down."""


HEADER = "header"
"""The chip of the Pi's own 40-pin header, as rooms call it."""


class Sensor(Struct, frozen=True):
    """A mat or button in the room that tells that somebody is at its place."""

    key: str
    """A name for people and for the journal, such as ``A1``; unique in the room."""
    pin: int
    """BCM number; on a chip other than the header, the number of its line."""
    place: str
    """The key of the place it lies at: ``A``, ``B``, ``C``, ``island`` or ``water``."""
    owner: int | None = None
    """The token (1 to 12) that it belongs to; None where it tells that somebody is there, not who."""
    counts: int | None = 1
    """How many people can stand on it at most; None where any number can."""
    press: Seconds = 0.05
    """A press that lasts less is noise."""
    release: Seconds = 0.15
    """A gap that lasts less is noise."""
    kind: SensorKind = SensorKind.MAT
    normally: Normally = Normally.OPEN
    chip: str = HEADER
    """Which of the room's chips its pin is on."""


class Edge(Struct, frozen=True):
    """A contact that changed, stamped with the clock time at which it did."""

    at: Seconds
    pressed: bool


class History(Struct, frozen=True):
    """What is known of one contact: its level at ``since`` and every edge after that up to ``until``."""

    since: Seconds
    pressed_at_start: bool
    edges: tuple[Edge, ...]
    """In any order."""
    until: Seconds


def reading_at(history: History, instant: Seconds, *, press: Seconds, release: Seconds) -> Reading:
    """What the contact says about ``instant`` once noise is taken out.

    An edge stamped at or before ``instant`` counts; a later one only tells whether an earlier one was
    noise. A gap shorter than ``release`` between two contacts is a bounce; contacts that bounce are one
    press, and it is noise if the contact was closed for less than ``press`` altogether. What was closed
    already when the history starts is a press, and what still holds when it ends is taken to hold. Unknown
    where the history does not reach back to ``instant``, or not yet up to it.
    """
    if not history.since <= instant <= history.until:
        return Reading.UNKNOWN
    pressed = any(one.start <= instant < one.end for one in _proved(history, press, release))
    return Reading.PRESSED if pressed else Reading.CLEAR


BEFORE: Seconds = 5.0
"""So much of the time before the buzzer is kept to be shown again."""
AFTER: Seconds = 0.4
"""So much of the time after it."""
EDGES_SHOWN = 60
"""A mat that chatters more has its last edges shown."""


class Strip(Struct, frozen=True):
    """What one sensor went through around an instant, in seconds before (negative) and after it."""

    key: str
    since: Seconds
    """From here on it is known."""
    presses: tuple[tuple[Seconds, Seconds], ...]
    """From when until when somebody was on it, noise taken out; the instant itself lies in one just where it counts."""
    edges: tuple[tuple[Seconds, bool], ...]
    """Every change of the contact as it was stamped, noise and all."""


def strip_at(history: History, sensor: Sensor, instant: Seconds) -> Strip:
    """The last five seconds of ``sensor`` before ``instant``, and what came right after it."""
    begin, end = -BEFORE, AFTER
    presses = _proved(history, sensor.press, sensor.release)
    edges = sorted(((edge.at - instant, edge.pressed) for edge in history.edges), key=itemgetter(0))
    return Strip(
        sensor.key,
        max(begin, history.since - instant),
        tuple(
            (max(begin, one.start - instant), min(end, one.end - instant))
            for one in presses
            if one.end - instant > begin and one.start - instant < end
        ),
        tuple(edge for edge in edges if begin <= edge[0] <= end)[-EDGES_SHOWN:],
    )


def _proved(history: History, press: Seconds, release: Seconds) -> tuple["_Press", ...]:
    """The presses of ``history`` that are none of them noise, the earliest first."""
    return tuple(
        one
        for one in _presses(_contacts(history), release)
        if one.closed_for >= press or (history.pressed_at_start and one.start == history.since)
    )


class _Press(Struct, frozen=True):
    """A contact closed from ``start`` to ``end`` (infinity if it still is), for ``closed_for`` seconds."""

    start: Seconds
    end: Seconds
    closed_for: Seconds


def _contacts(history: History) -> list[_Press]:
    """Each closing of the contact as it was reported, bounces and all."""
    contacts: list[_Press] = []
    closed_at = history.since if history.pressed_at_start else None
    for at, edges in groupby(sorted(history.edges, key=attrgetter("at")), key=attrgetter("at")):
        # Edges with one stamp have no order: as many presses as releases leave things as they were.
        presses = sum(1 if edge.pressed else -1 for edge in edges)
        if presses > 0 and closed_at is None:
            closed_at = at
        elif presses < 0 and closed_at is not None:
            contacts.append(_Press(closed_at, at, at - closed_at))
            closed_at = None
    if closed_at is not None:
        contacts.append(_Press(closed_at, float("inf"), float("inf")))
    return contacts


def _presses(contacts: Sequence[_Press], release: Seconds) -> list[_Press]:
    """``contacts``, those with too short a gap between them taken together."""
    presses: list[_Press] = []
    for contact in contacts:
        if presses and contact.start - presses[-1].end < release:
            before = presses.pop()
            presses.append(_Press(before.start, contact.end, before.closed_for + contact.closed_for))
        else:
            presses.append(contact)
    return presses


class FloorReading(Struct, frozen=True):
    """What every sensor of the room said at one instant."""

    readings: tuple[tuple[str, Reading], ...] = ()
    strips: tuple[Strip, ...] = ()
    """How it came to that, sensor by sensor, where it was asked for the instant of a buzzer."""

    def of(self, sensor: Sensor) -> Reading:
        """The reading of ``sensor``; unknown where nothing was heard of it."""
        return next((reading for key, reading in self.readings if key == sensor.key), Reading.UNKNOWN)

    def ignoring(self, keys: Collection[str]) -> "FloorReading":
        """The same, with the sensors of those ``keys`` left out whatever they said."""
        return FloorReading(
            tuple((key, Reading.IGNORED if key in keys else reading) for key, reading in self.readings),
            self.strips,
        )


class Trouble(Enum):
    """What is wrong with a sensor, as far as its pin can tell. While it lasts, the sensor's reading is unknown."""

    NOISY = "noisy"
    """It changes far more often than people can move: a loose contact, a long wire, an input that floats."""
    STUCK = "stuck"
    """It is pressed though nobody is on it, or for longer than anybody sits: furniture, or a shorted wire."""
    SILENT = "silent"
    """Its pin cannot be read, or edges are no longer handed on."""


class SensorReport(Struct, frozen=True):
    """How a sensor is doing, for the host."""

    key: str
    place: str
    pin: int
    chip: str
    level: Reading
    """What its pin says at this moment, noise and all."""
    trouble: Trouble | None
    edges_a_minute: int
    """How often it changed in the last minute; a step on a good mat is 2 to 20."""
    last_change: Seconds | None
    """How long ago it last changed; None where it has not changed since it was opened."""
    lost: int
    """How many edges got lost since it was opened."""


Troubles = tuple[tuple[str, Trouble], ...]
"""What is wrong with which sensor, by its key, in the room's order."""


class FloorHealth(Protocol):
    """What the host can ask and say about the sensors themselves. Safe for use by several threads at once."""

    def report(self) -> tuple[SensorReport, ...]:
        """How every sensor is doing, in the room's order."""
        ...

    def nobody_is_on_anything(self) -> tuple[str, ...]:
        """Hear from the host that every sensor is free: those that are pressed are stuck, until they let go.

        Returns their names.
        """
        ...


class FloorSource(FloorHealth, Protocol):
    """Where readings come from: pins, or nothing at all. Safe for use by several threads at once."""

    def now(self) -> FloorReading:
        """The level of each sensor at this moment, noise and all: for showing the room live.

        Asked often (ten times a second while it matters), it also finds out early that an edge got lost.
        """
        ...

    def at(self, instant: Seconds) -> FloorReading:
        """What each sensor says about ``instant`` (clock time), noise taken out, and its strip: for the buzzer.

        Ask once edges of that instant had time to come in and to prove that they hold.
        """
        ...

    def close(self) -> None:
        """Let go of the sensors; after that nothing is known of any. Nothing happens the second time."""
        ...


class NoFloor:
    """A room without sensors: nothing is ever known of the floor, and nothing is ever wrong with it."""

    def now(self) -> FloorReading:
        return FloorReading()

    def at(self, instant: Seconds) -> FloorReading:
        return FloorReading()

    def close(self) -> None:
        pass

    def report(self) -> tuple[SensorReport, ...]:
        return ()

    def nobody_is_on_anything(self) -> tuple[str, ...]:
        return ()
