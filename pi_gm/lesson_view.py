"""How far a room has been taught, in words for whoever walks from mat to mat. Pure."""

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.floor import HEADER, Normally, Sensor, SensorKind
from pi_gm.phrases import SHARED
from pi_gm.players import TOKENS
from pi_gm.room import RAFTS, Room
from pi_gm.sensor_view import place_name
from pi_gm.teach import Answer, Finding, FindingKind, Pin, SeveralAnswered, Step, TakenAnswered, Teaching


class SensorStatus(Enum):
    """How far a sensor has come."""

    WAITING = "waiting"
    NOW = "now"
    """Somebody is to step on it."""
    LEARNED = "learned"
    SILENT = "silent"
    """Somebody stood on it, and nothing was heard."""
    STUCK = "stuck"
    """It is pressed although everybody is off, and is to be freed."""


class TaughtSensor(Struct, frozen=True):
    """A sensor of the room that is taught."""

    key: str
    name: str
    """Such as ``Raft A, seat 1``."""
    lies_at: str
    """The key of its place."""
    place: str
    """What people call that."""
    owner: int | None
    """The token that it belongs to; None where it is anybody's."""
    status: SensorStatus
    heard_on: str
    """The pin on which it was heard, such as ``GPIO 17``; empty where it was not."""


class Found(Struct, frozen=True):
    """Something that came to light, and what to do about it."""

    key: str
    says: str
    cure: str
    needs_care: bool
    """Somebody has to see to it; otherwise the taught room makes up for it."""


class LessonView(Struct, frozen=True):
    """What whoever teaches needs to see."""

    step: Step
    asks: str
    """What to do now, in a sentence."""
    turn: str
    """The key of the sensor that has its turn, or will have it once everybody was off; empty where all had theirs."""
    remark: str
    """Why what was heard does not count; empty where all is well."""
    sensors: tuple[TaughtSensor, ...]
    found: tuple[Found, ...]
    deaf: str
    """Which pins cannot be listened to; empty where all can."""

    @property
    def done(self) -> int:
        """How many sensors had their turn."""
        return sum(one.status in (SensorStatus.LEARNED, SensorStatus.SILENT) for one in self.sensors)


def lesson_view(teaching: Teaching, heard: Answer, deaf: Sequence[Pin]) -> LessonView:
    """``teaching`` in words; ``heard`` is what the step that is asked for has brought so far."""
    return LessonView(
        step=teaching.step,
        asks=_asks(teaching),
        turn=teaching.next_sensor.key if teaching.next_sensor is not None else "",
        remark=_remark(teaching, heard),
        sensors=tuple(_taught(sensor, teaching) for sensor in teaching.room.sensors),
        found=tuple(_found(finding, teaching) for finding in _told_once(teaching.findings())),
        deaf=SHARED.say("teach.deaf", pins=SHARED.list_of([_pin(pin) for pin in deaf])) if deaf else "",
    )


def name_in(room: Room, key: str) -> str:
    """What people call the sensor ``key`` within a sentence, by where it lies: ``raft A, seat 1``."""
    sensor = _sensor(room, key)
    there = room.sensors_at(sensor.place)
    place = place_name(sensor.place, room)
    if len(there) == 1:
        return place
    number = [one.key for one in there].index(key) + 1
    if sensor.place in RAFTS:
        return SHARED.say("teach.seat", place=place, number=number)
    return SHARED.say("teach.spot", place=place, number=number)


def begun(text: str) -> str:
    """``text`` as it begins a sentence."""
    return text[:1].upper() + text[1:]


def _sensor(room: Room, key: str) -> Sensor:
    return next(sensor for sensor in room.sensors if sensor.key == key)


def _asks(teaching: Teaching) -> str:
    sensor = teaching.next_sensor
    if sensor is None:
        return SHARED.say("teach.done")
    if teaching.step is Step.EVERYBODY_OFF:
        return SHARED.say("teach.everybody-off")
    if teaching.step is Step.STUCK:
        return SHARED.say("teach.free-it")
    name = name_in(teaching.room, sensor.key)
    key = "teach.hold" if sensor.kind is SensorKind.BUTTON else "teach.step-on"
    return SHARED.say(key, mat=name) if sensor.owner is None else _with_token(key, name, sensor.owner)


def _with_token(key: str, name: str, owner: int) -> str:
    token = TOKENS[owner - 1]
    mat = SHARED.say("teach.of-token", mat=name, number=token.number, colour=token.colour, shape=token.shape)
    return SHARED.say(key, mat=mat)


def _remark(teaching: Teaching, heard: Answer) -> str:
    match heard:
        case SeveralAnswered(pins=pins):
            return SHARED.say("teach.several", pins=SHARED.list_of([_pin(pin) for pin in pins]))
        case TakenAnswered(by=by):
            return SHARED.say("teach.taken", other=name_in(teaching.room, by))
        case _:
            return ""


def _pin(pin: Pin) -> str:
    return f"GPIO {pin.pin}" if pin.chip == HEADER else f"{pin.chip} {pin.pin}"


def _taught(sensor: Sensor, teaching: Teaching) -> TaughtSensor:
    learned = next((one for one in teaching.learned if one.key == sensor.key), None)
    if learned is not None:
        status = SensorStatus.LEARNED
    elif sensor.key in teaching.dead:
        status = SensorStatus.SILENT
    elif teaching.step is Step.STEP_ON and sensor == teaching.next_sensor:
        status = SensorStatus.NOW
    elif teaching.step is Step.STUCK and Finding(sensor.key, FindingKind.STUCK) in teaching.findings():
        status = SensorStatus.STUCK
    else:
        status = SensorStatus.WAITING
    room = teaching.room
    return TaughtSensor(
        sensor.key,
        begun(name_in(room, sensor.key)),
        sensor.place,
        begun(place_name(sensor.place, room)),
        sensor.owner,
        status,
        _pin(learned.pin) if learned is not None else "",
    )


def _told_once(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """``findings``, of two that were swapped with each other the first alone."""
    told: list[Finding] = []
    for finding in findings:
        mirrored = Finding(finding.other or "", FindingKind.SWAPPED, finding.key)
        if finding.kind is not FindingKind.SWAPPED or mirrored not in told:
            told.append(finding)
    return tuple(told)


def _is_swap_of_two(finding: Finding, teaching: Teaching) -> bool:
    return Finding(finding.other or "", FindingKind.SWAPPED, finding.key) in teaching.findings()


_NEEDS_CARE = (FindingKind.STUCK, FindingKind.DEAD)


def _found(finding: Finding, teaching: Teaching) -> Found:
    room = teaching.room
    learned = next((one for one in teaching.learned if one.key == finding.key), None)
    sensor = _sensor(room, finding.key)
    mat = name_in(room, finding.key)
    says = ""
    match finding.kind:
        case FindingKind.STUCK:
            says = SHARED.say("teach.stuck", mat=mat)
        case FindingKind.DEAD:
            says = SHARED.say("teach.silent", mat=mat)
        case FindingKind.SWAPPED if finding.other is not None and _is_swap_of_two(finding, teaching):
            says = SHARED.say("teach.swapped", mat=mat, other=name_in(room, finding.other))
        case FindingKind.SWAPPED if finding.other is not None:
            says = SHARED.say("teach.on-others-wire", mat=mat, other=name_in(room, finding.other))
        case FindingKind.OTHER_KIND_OF_CONTACT if sensor.normally is Normally.CLOSED:
            says = SHARED.say("teach.rests-open", mat=mat)
        case FindingKind.OTHER_KIND_OF_CONTACT:
            says = SHARED.say("teach.rests-closed", mat=mat)
        case FindingKind.CHATTERS if learned is not None:
            says = SHARED.say("teach.chatters", mat=mat, thousandths=_thousandths(learned.longest_gap))
        case _ if learned is not None:
            old = _pin(Pin(sensor.chip, sensor.pin))
            says = SHARED.say("teach.moved", mat=mat, pin=_pin(learned.pin), old=old)
    return Found(finding.key, begun(says), SHARED.say(_CURES[finding.kind]), finding.kind in _NEEDS_CARE)


_CURES = {
    FindingKind.STUCK: "teach.cure-stuck",
    FindingKind.DEAD: "teach.cure-silent",
    FindingKind.MOVED: "teach.cure-known",
    FindingKind.SWAPPED: "teach.cure-known",
    FindingKind.OTHER_KIND_OF_CONTACT: "teach.cure-known",
    FindingKind.CHATTERS: "teach.cure-chatters",
}


def _thousandths(seconds: Seconds) -> int:
    return round(seconds * 1000)
