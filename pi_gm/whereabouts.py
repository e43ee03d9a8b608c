"""Who is where: what sensors, phones and the host say becomes one place a player, and every doubt a question. Pure.

Evidence, strongest first: the host's ruling; a sensor that belongs to one player; anonymous sensors together with who
checked in there; elimination, when one player and one pressed mat are left; a check-in alone where a place has no sensors.
What does not add up is a doubt that the host answers. Unknown is never taken for empty.
"""

from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec import Struct

from pi_gm.floor import FloorReading, Reading, Sensor
from pi_gm.players import SeatId
from pi_gm.room import WATER


class Ground(Enum):
    """What the answer for a player rests on."""

    RULING = "ruling"
    OWN_MAT = "own mat"
    MATS_AND_CHECK_IN = "mats and check-in"
    ELIMINATION = "elimination"
    CHECK_IN = "check-in"
    NOWHERE = "nowhere"
    """No trace on any place: in the water (R1)."""


class Finding(Struct, frozen=True):
    """Where one player is, or seems to be as long as a doubt is open."""

    seat: SeatId
    place: str
    ground: Ground


class DoubtKind(Enum):
    """What does not add up."""

    TWO_PLACES = "two places"
    """A player's own mats are pressed at several places (R3)."""
    MAT_AGAINST_PHONE = "mat against phone"
    """A player's own mat and their check-in name different places."""
    OWN_MAT_SILENT = "own mat silent"
    """A mat of the player's own gives no answer, so they may be there."""
    TOO_MANY_PRESSED = "too many pressed"
    """More people seem to be at a place than say so."""
    TOO_FEW_PRESSED = "too few pressed"
    """Fewer people can be at a place than say so."""
    MAT_SILENT = "mat silent"
    """An anonymous mat gives no answer, so that nobody knows how many are at its place."""


class Doubt(Struct, frozen=True):
    """A question to the host: ``seats`` are those it is about, ``places`` where they may be, the likeliest first."""

    kind: DoubtKind
    places: tuple[str, ...]
    seats: tuple[SeatId, ...]
    claimed: tuple[SeatId, ...] = ()
    """Who is known, or says, to be at the place."""
    pressed: int = 0
    """How many people the mats there speak for."""


class Whereabouts(Struct, frozen=True):
    """The answer for every player, and the doubts that must be ruled on before it may be used."""

    findings: tuple[Finding, ...]
    doubts: tuple[Doubt, ...]

    def place_of(self, seat: SeatId) -> str:
        """Where ``seat`` is. Raises KeyError for one who was not asked about."""
        return {finding.seat: finding.place for finding in self.findings}[seat]


class Evidence(Struct, frozen=True):
    """All that is known at an instant about who is where."""

    tokens: tuple[tuple[SeatId, int], ...]
    """The players to be found, in seating order, each with the number of their token."""
    places: tuple[str, ...]
    """The rafts and the island."""
    sensors: tuple[Sensor, ...] = ()
    floor: FloorReading = FloorReading()
    check_ins: tuple[tuple[SeatId, str], ...] = ()
    rulings: tuple[tuple[SeatId, str], ...] = ()
    mats_set_aside: tuple[str, ...] = ()
    """Places whose anonymous mats the host told us not to count: a cushion, a bag, a dead mat."""


class _Count(Struct, frozen=True):
    """How many people the anonymous mats of a place speak for: at least ``low``, at most ``high`` (None: any number)."""

    low: int
    high: int | None
    silent: bool
    has_ignored: bool


def find(evidence: Evidence) -> Whereabouts:
    """Where everyone is, by the strongest evidence there is, and what the host must rule on.

    A sensor that the host ignores says nothing and is never asked about: whoever is on it is found by their phone.
    """
    known, doubts = _ruled_or_on_own_mats(evidence)
    doubted = {seat for doubt in doubts for seat in doubt.seats}
    check_ins = dict(evidence.check_ins)
    open_seats = [seat for seat, _ in evidence.tokens if seat not in known and seat not in doubted]
    claims = {place: tuple(s for s in open_seats if check_ins.get(s) == place) for place in evidence.places}
    counts = {place: _count(place, evidence) for place in evidence.places}
    unplaced = [seat for seat in open_seats if check_ins.get(seat) not in evidence.places]
    last = None if doubts else _last_one(unplaced, claims, counts, known)
    if last is not None:
        known[last.seat] = last
        unplaced.remove(last.seat)
    for place in evidence.places:
        count = counts[place]
        ground = Ground.CHECK_IN if count is None else Ground.MATS_AND_CHECK_IN
        known |= {seat: Finding(seat, place, ground) for seat in claims[place]}
        if count is not None:
            doubts += _doubts_about(place, count, claims[place], _put_onto(place, known), unplaced)
    for seat in (seat for seat, _ in evidence.tokens if seat not in known):
        known[seat] = Finding(seat, check_ins.get(seat, WATER) if seat in doubted else WATER, Ground.NOWHERE)
    findings = tuple(known[seat] for seat, _ in evidence.tokens)
    return Whereabouts(findings, (*doubts, *_doubts_about_water(findings, evidence)))


def _ruled_or_on_own_mats(evidence: Evidence) -> tuple[dict[SeatId, Finding], list[Doubt]]:
    """Those whom the two strongest kinds of evidence place, and what stands against each other in them."""
    rulings, check_ins = dict(evidence.rulings), dict(evidence.check_ins)
    known: dict[SeatId, Finding] = {}
    doubts: list[Doubt] = []
    for seat, token in evidence.tokens:
        if seat in rulings:
            known[seat] = Finding(seat, rulings[seat], Ground.RULING)
            continue
        answer = _by_own_mats(seat, token, check_ins.get(seat), evidence)
        if isinstance(answer, Finding):
            known[seat] = answer
        elif answer is not None:
            doubts.append(answer)
    return known, doubts


def _doubts_about(
    place: str,
    count: _Count,
    claimed: tuple[SeatId, ...],
    put: tuple[SeatId, ...],
    unplaced: Sequence[SeatId],
) -> list[Doubt]:
    """What does not add up between the anonymous mats of ``place`` and those who say that they are there."""
    here = len(claimed) + len(put)
    others = tuple(unplaced)
    if here < count.low:
        return [Doubt(DoubtKind.TOO_MANY_PRESSED, (place,), others, (*claimed, *put), count.low)]
    if count.high is not None and here > count.high and claimed:
        return [Doubt(DoubtKind.TOO_FEW_PRESSED, (place,), claimed, claimed, count.high)]
    if count.silent and (others or (claimed and here > count.low)):
        return [Doubt(DoubtKind.MAT_SILENT, (place,), others, claimed, count.low)]
    return []


def _doubts_about_water(findings: Sequence[Finding], evidence: Evidence) -> list[Doubt]:
    """Who of the others touches the water, where an anonymous mat in it is pressed by nobody known, or silent (R2)."""
    count = _count(WATER, evidence)
    dry = tuple(finding.seat for finding in findings if finding.place != WATER)
    if count is None or not dry:
        return []
    if count.low and len(dry) == len(findings):
        return [Doubt(DoubtKind.TOO_MANY_PRESSED, (WATER,), dry, pressed=count.low)]
    return [Doubt(DoubtKind.MAT_SILENT, (WATER,), dry, pressed=count.low)] if count.silent else []


def _by_own_mats(
    seat: SeatId, token: int, check_in: str | None, evidence: Evidence
) -> Finding | Doubt | None:
    """What the mats that belong to one player say, against what the player said; None where they say nothing."""
    if check_in == WATER:
        return Finding(seat, WATER, Ground.CHECK_IN)
    own = [
        sensor
        for sensor in evidence.sensors
        if sensor.owner == token and evidence.floor.of(sensor) is not Reading.IGNORED
    ]
    pressed = _places_reading(own, Reading.PRESSED, evidence.floor)
    silent = _places_reading(own, Reading.UNKNOWN, evidence.floor)
    if WATER in pressed:
        return Finding(seat, WATER, Ground.OWN_MAT)
    if WATER in silent:
        said = () if check_in is None else (check_in,)
        return Doubt(
            DoubtKind.OWN_MAT_SILENT, tuple(dict.fromkeys((WATER, *pressed, *said, *silent))), (seat,)
        )
    if len(pressed) > 1:
        return Doubt(DoubtKind.TWO_PLACES, (*pressed, WATER), (seat,))
    if pressed and check_in is not None and check_in not in pressed:
        return Doubt(DoubtKind.MAT_AGAINST_PHONE, (*pressed, check_in, WATER), (seat,))
    if pressed:
        return Finding(seat, pressed[0], Ground.OWN_MAT)
    if check_in is not None and any(sensor.place == check_in for sensor in own):
        kind = DoubtKind.OWN_MAT_SILENT if check_in in silent else DoubtKind.MAT_AGAINST_PHONE
        return Doubt(kind, (check_in, WATER), (seat,))
    if silent and check_in is None:
        return Doubt(DoubtKind.OWN_MAT_SILENT, (*silent, WATER), (seat,))
    return None


def _places_reading(own: Sequence[Sensor], reading: Reading, floor: FloorReading) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sensor.place for sensor in own if floor.of(sensor) is reading))


def _count(place: str, evidence: Evidence) -> _Count | None:
    """What the anonymous mats of ``place`` say; None where it has none, or the host leaves them all out."""
    mats = [sensor for sensor in evidence.sensors if sensor.place == place and sensor.owner is None]
    if not mats or place in evidence.mats_set_aside:
        return None
    readings = [(sensor.counts, evidence.floor.of(sensor)) for sensor in mats]
    if all(reading is Reading.IGNORED for _, reading in readings):
        return None
    low = sum(reading is Reading.PRESSED for _, reading in readings)
    able = [counts for counts, reading in readings if reading is not Reading.CLEAR]
    high = None if None in able else sum(counts for counts in able if counts is not None)
    said = {reading for _, reading in readings}
    return _Count(low, high, silent=Reading.UNKNOWN in said, has_ignored=Reading.IGNORED in said)


def _put_onto(place: str, known: Mapping[SeatId, Finding]) -> tuple[SeatId, ...]:
    """Who is known to stand on the anonymous mats of ``place`` without having said so."""
    return tuple(
        finding.seat
        for finding in known.values()
        if finding.place == place and finding.ground in (Ground.RULING, Ground.ELIMINATION)
    )


def _last_one(
    unplaced: Sequence[SeatId],
    claims: Mapping[str, tuple[SeatId, ...]],
    counts: Mapping[str, _Count | None],
    known: Mapping[SeatId, Finding],
) -> Finding | None:
    """The one player without a place, on the one pressed mat without a player, where every mat answers and none is short."""
    spare: dict[str, int] = {}
    for place, count in counts.items():
        if count is None:
            continue
        here = len(claims[place]) + len(_put_onto(place, known))
        if count.silent or count.has_ignored or (count.high is not None and here > count.high):
            return None
        spare[place] = max(0, count.low - here)
    if len(unplaced) != 1 or sum(spare.values()) != 1:
        return None
    place = next(place for place, left in spare.items() if left)
    return Finding(unplaced[0], place, Ground.ELIMINATION)
