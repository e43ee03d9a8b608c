"""Teaching the room which sensor is on which pin: everybody off, then somebody on each in turn. Pure.

What is heard comes from every pin that could have a sensor on it, as histories of a :func:`room_to_listen_to`. A
:class:`Teaching` is a value: kept in a file, it can be left half way and gone on with.
"""

from collections.abc import Mapping, Sequence
from enum import Enum

import msgspec
from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.errors import BadInput
from pi_gm.floor import HEADER, History, Normally, Sensor
from pi_gm.room import BUS_PINS, HEADER_PINS, LONGEST_NOISE, WATER, Chip, Room

HOLDS: Seconds = 0.5
"""A mat that has been still for so long is stood on, or left."""
_SURE: float = 2.0
"""By how much longer a gap than the longest that was heard is still a bounce."""


class Pin(Struct, frozen=True):
    """A pin that a sensor may be on."""

    chip: str
    pin: int

    @property
    def key(self) -> str:
        """Its sensor's name in the room to listen to."""
        return f"{self.chip}:{self.pin}"


def pins_to_listen_to(room: Room) -> tuple[Pin, ...]:
    """Every pin of the room's chips that drives nothing, is not a button's and not needed by a bus."""
    sensors = {sensor.key for sensor in room.sensors}
    others = {(one.chip, one.pin) for one in room.wired_pins() if one.what not in sensors}
    others |= {(HEADER, pin) for bus in room.buses for pin in BUS_PINS[bus]}
    chips: Mapping[str, Sequence[int]] = {
        HEADER: HEADER_PINS,
        **{chip.key: range(chip.lines) for chip in room.chips if chip.key != HEADER},
    }
    return tuple(Pin(chip, pin) for chip, pins in chips.items() for pin in pins if (chip, pin) not in others)


def room_to_listen_to(room: Room, *, leave_out: Sequence[Pin] = ()) -> Room:
    """A room with a sensor, pressed while its contact is closed, on every pin that ``room`` may have one on.

    ``leave_out`` are pins that cannot be opened, such as those of a bus.
    """
    chips: tuple[Chip, ...] = room.chips
    return Room(
        "pins to listen to",
        tuple(
            Sensor(one.key, one.pin, WATER, chip=one.chip)
            for one in pins_to_listen_to(room)
            if one not in leave_out
        ),
        chips=chips,
    )


class Learned(Struct, frozen=True):
    """What is known of a sensor since somebody stood on it."""

    key: str
    pin: Pin
    normally: Normally
    longest_gap: Seconds = 0.0
    """For how long its contact let go at most while somebody stepped on it."""


class NobodyYet(Struct, frozen=True):
    """Nothing has moved, or not yet for long enough."""


class OneAnswered(Struct, frozen=True):
    """Exactly one pin did: that is the sensor's."""

    learned: Learned


class SeveralAnswered(Struct, frozen=True):
    """Several did: one stands on two mats, or somebody else moved. Everybody off, and once more."""

    pins: tuple[Pin, ...]


class TakenAnswered(Struct, frozen=True):
    """The pin that did is that of a sensor taught before: the wrong mat, or two on one pin."""

    pin: Pin
    by: str


Answer = NobodyYet | OneAnswered | SeveralAnswered | TakenAnswered


class Step(Enum):
    """What is to be done next."""

    EVERYBODY_OFF = "everybody-off"
    """Nobody is to be on anything."""
    STUCK = "stuck"
    """Something is pressed all the same: free it and let everybody be off once more, or leave it so."""
    STEP_ON = "step-on"
    """Somebody is to step on the next sensor."""
    DONE = "done"


class Teaching(Struct, frozen=True):
    """How far a room has been taught."""

    room: Room
    closed_at_rest: tuple[Pin, ...] | None = None
    """The pins that are closed while nobody is on anything; None until everybody was off."""
    stuck_is_left: bool = False
    """What is closed though the room says that it is open is not to be freed first: it may be made that way."""
    learned: tuple[Learned, ...] = ()
    dead: tuple[str, ...] = ()
    """Sensors on which somebody stood and nothing was heard."""

    @property
    def next_sensor(self) -> Sensor | None:
        """Onto which somebody is to step next; None once each had its turn."""
        done = {one.key for one in self.learned} | set(self.dead)
        return next((sensor for sensor in self.room.sensors if sensor.key not in done), None)

    def everybody_is_off(self, histories: Mapping[str, History]) -> "Teaching":
        """What is closed now is stuck, or normally closed; which of the two, the step onto it tells."""
        closed = tuple(pin for pin in pins_to_listen_to(self.room) if _is_closed(histories.get(pin.key)))
        return msgspec.structs.replace(self, closed_at_rest=closed, stuck_is_left=False)

    def leave_stuck(self) -> "Teaching":
        """Go on although something is pressed that should not be."""
        return msgspec.structs.replace(self, stuck_is_left=True)

    @property
    def step(self) -> Step:
        """What is to be done next.

        Nobody steps on anything while a stuck sensor may still be freed: that it opens would be taken for a step.
        """
        if self.next_sensor is None:
            return Step.DONE
        if self.closed_at_rest is None:
            return Step.EVERYBODY_OFF
        is_stuck = any(one.kind is FindingKind.STUCK and one.key not in self.dead for one in self.findings())
        return Step.STUCK if is_stuck and not self.stuck_is_left else Step.STEP_ON

    def answer(self, key: str, histories: Mapping[str, History], *, since: Seconds, now: Seconds) -> Answer:
        """Which pin belongs to the sensor ``key``, onto which somebody was asked to step at ``since``.

        Raises BadInput where nobody has said yet that everybody is off.
        """
        if self.closed_at_rest is None:
            raise BadInput("Nobody may be on a mat when teaching begins: say first that everybody is off.")
        answered = [
            pin
            for pin in pins_to_listen_to(self.room)
            if _is_held_away(histories.get(pin.key), pin in self.closed_at_rest, since, now)
        ]
        taken = {one.pin: one.key for one in self.learned if one.key != key}
        # Whoever stands on a mat that had its turn may shift their weight there.
        fresh = [pin for pin in answered if pin not in taken]
        if len(fresh) > 1:
            return SeveralAnswered(tuple(fresh))
        if not answered:
            return NobodyYet()
        if not fresh:
            return TakenAnswered(answered[0], taken[answered[0]])
        (pin,) = fresh
        rests_closed = pin in self.closed_at_rest
        return OneAnswered(
            Learned(
                key,
                pin,
                Normally.CLOSED if rests_closed else Normally.OPEN,
                longest_gap_in(histories[pin.key], rests_closed, since),
            )
        )

    def learn(self, learned: Learned) -> "Teaching":
        """Keep what was learned of a sensor, in place of what was before."""
        others = tuple(one for one in self.learned if one.key != learned.key)
        dead = tuple(key for key in self.dead if key != learned.key)
        return msgspec.structs.replace(self, learned=(*others, learned), dead=dead)

    def nothing_heard(self, key: str) -> "Teaching":
        """Somebody stood on the sensor and nothing came: it is dead, and the next one has its turn."""
        return msgspec.structs.replace(self.forget(key), dead=(*self.forget(key).dead, key))

    def forget(self, key: str) -> "Teaching":
        """Let the sensor have its turn again."""
        return msgspec.structs.replace(
            self,
            learned=tuple(one for one in self.learned if one.key != key),
            dead=tuple(dead for dead in self.dead if dead != key),
        )

    def back(self) -> "Teaching":
        """Let the sensor before the next one have its turn again; before the first one, everybody off."""
        keys = [sensor.key for sensor in self.room.sensors]
        done = keys if self.next_sensor is None else keys[: keys.index(self.next_sensor.key)]
        return self.forget(done[-1]) if done else msgspec.structs.replace(self, closed_at_rest=None)

    def taught_room(self) -> Room:
        """The room as it was taught; what was not taught stays as it was.

        One that was not taught, on a pin that turned out to be another's, gets a pin that this left free: two
        wires that were swapped are two.
        """
        learned = {one.key: one for one in self.learned}
        taken = {one.pin for one in self.learned}
        left = [_pin_of(sensor) for sensor in self.room.sensors if sensor.key in learned]
        free = [pin for pin in left if pin not in taken]
        sensors = []
        for sensor in self.room.sensors:
            if sensor.key in learned:
                sensors.append(_as_learned(sensor, learned[sensor.key]))
            elif _pin_of(sensor) in taken:
                pin = free.pop(0)
                sensors.append(msgspec.structs.replace(sensor, pin=pin.pin, chip=pin.chip))
            else:
                sensors.append(sensor)
        return msgspec.structs.replace(self.room, sensors=tuple(sensors))

    def findings(self) -> tuple["Finding", ...]:
        """What teaching has brought to light, by sensor."""
        return tuple(finding for sensor in self.room.sensors for finding in self._findings_of(sensor))

    def _findings_of(self, sensor: Sensor) -> list["Finding"]:
        learned = next((one for one in self.learned if one.key == sensor.key), None)
        old = _pin_of(sensor)
        if learned is None:
            is_anothers = any(one.pin == old for one in self.learned)
            if sensor.normally is Normally.OPEN and old in (self.closed_at_rest or ()) and not is_anothers:
                return [Finding(sensor.key, FindingKind.STUCK)]
            return [Finding(sensor.key, FindingKind.DEAD)] if sensor.key in self.dead else []
        found = []
        if learned.pin != old:
            was = next((one.key for one in self.room.sensors if _pin_of(one) == learned.pin), None)
            kind = FindingKind.MOVED if was is None else FindingKind.SWAPPED
            found.append(Finding(sensor.key, kind, other=was))
        if learned.normally is not sensor.normally:
            found.append(Finding(sensor.key, FindingKind.OTHER_KIND_OF_CONTACT))
        if learned.longest_gap >= sensor.release:
            found.append(Finding(sensor.key, FindingKind.CHATTERS))
        return found


class FindingKind(Enum):
    """What teaching can bring to light of a sensor."""

    STUCK = "stuck"
    """Its pin is closed while nobody is on it, and no step on it has opened it."""
    DEAD = "dead"
    """Somebody stood on it and nothing was heard: foil, wire or plug."""
    MOVED = "moved"
    """It is on a pin that was nobody's."""
    SWAPPED = "swapped"
    """It is on the pin that was another's."""
    OTHER_KIND_OF_CONTACT = "other-kind-of-contact"
    """It is normally closed where the room said open, or the other way round."""
    CHATTERS = "chatters"
    """It lets go for longer, while somebody steps on it, than the room took for a bounce."""


class Finding(Struct, frozen=True):
    """Something that teaching has brought to light."""

    key: str
    kind: FindingKind
    other: str | None = None
    """The sensor whose pin it was, where two were swapped."""


def _is_closed(history: History | None) -> bool:
    if history is None:
        return False
    return history.edges[-1].pressed if history.edges else history.pressed_at_start


def _is_held_away(history: History | None, rests_closed: bool, since: Seconds, now: Seconds) -> bool:
    """Whether a contact left its rest after ``since`` and has stayed away for long enough."""
    if history is None or _is_closed(history) is rests_closed:
        return False
    last = history.edges[-1].at if history.edges else history.since
    left = any(edge.at >= since for edge in history.edges if edge.pressed is not rests_closed)
    # After an edge that got lost, a history begins anew.
    left = left or (history.since >= since and history.pressed_at_start is not rests_closed)
    return left and now - last >= HOLDS


def longest_gap_in(history: History, rests_closed: bool, since: Seconds) -> Seconds:
    """For how long the contact went back to its rest at most, between its first and last change after ``since``."""
    longest: Seconds = 0.0
    rested_at: Seconds | None = None
    for edge in sorted(history.edges, key=lambda edge: edge.at):
        if edge.at < since:
            continue
        if edge.pressed is rests_closed:
            rested_at = edge.at
        elif rested_at is not None:
            longest = max(longest, edge.at - rested_at)
            rested_at = None
    return longest


def _pin_of(sensor: Sensor) -> Pin:
    return Pin(sensor.chip, sensor.pin)


def _as_learned(sensor: Sensor, learned: Learned) -> Sensor:
    release = min(max(sensor.release, round(learned.longest_gap * _SURE, 2)), LONGEST_NOISE)
    return msgspec.structs.replace(
        sensor, pin=learned.pin.pin, chip=learned.pin.chip, normally=learned.normally, release=release
    )
