"""A night at the table: who sits there, which game is on, what is paused. The part of the core that no game owns. Pure.

Like a game it has commands and events, ``decide`` and an ``evolve`` that never decides; the game that is on lives in it.
"""

import hashlib
from collections.abc import Iterable, Mapping
from functools import singledispatch
from random import Random
from typing import Any, ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pi_gm.announcer import Caption, Cue, Urgency, captioned
from pi_gm.clock import Seconds
from pi_gm.floor import FloorReading, Reading, Sensor, Trouble, Troubles
from pi_gm.games import (
    Actor,
    Game,
    GameEvent,
    PublicEvent,
    Rejected,
    Role,
    RulesLength,
    SecretEvent,
    Surroundings,
)
from pi_gm.naming import as_named
from pi_gm.phrases import SHARED
from pi_gm.players import (
    MOST_SEATS,
    Seat,
    SeatId,
    free_tokens,
    is_same_name,
    names_of,
    seat_of,
    tidy_name,
)
from pi_gm.room import Room
from pi_gm.sensor_view import sentence_of_trouble

PAUSE_REASONS = ("break", "snacks", "door", "talk", "hurt")
"""What a host can pause for."""
POWER_CUT = "power-cut"


class House(Struct, frozen=True):
    """What does not change during a night: the games that can be played, and the room."""

    games: Mapping[str, Game]
    room: Room


class Request(Struct, frozen=True):
    """Somebody with another phone says that a seat is theirs; the host answers."""

    id: str
    seat: SeatId
    phone: str


class Night(Struct, frozen=True):
    """Where the night stands."""

    game: str
    """The key of the game that is on, or that would be begun."""
    seats: tuple[Seat, ...] = ()
    """In seating order."""
    requests: tuple[Request, ...] = ()
    host: str | None = None
    """What the host device's secret hashes to."""
    booth: str | None = None
    chosen: tuple[tuple[str, Any], ...] = ()
    """Options by game, where the host changed them."""
    play: Any = None
    """The state of the game that is on; None before one has begun."""
    pauses: tuple[str, ...] = ()
    is_quiet: bool = False
    ignored: tuple[str, ...] = ()
    """The keys of the sensors that are left out tonight."""
    captions: tuple[Caption, ...] = ()

    def options(self, house: House) -> Any:
        """The options with which the chosen game is, or would be, played."""
        return dict(self.chosen).get(self.game) or house.games[self.game].options()

    def is_on(self, house: House) -> bool:
        """Whether a game has begun and is not over."""
        return self.play is not None and not house.games[self.game].is_over(self.play)


def first_night(house: House) -> Night:
    """An empty table."""
    return Night(game=min(house.games))


def hashed(secret: str) -> str:
    """What is kept of a secret: enough to recognise it, not enough to give it away."""
    return hashlib.blake2b(secret.encode(), digest_size=16).hexdigest()


# What can be asked of the table


class NightCommand(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything that can be asked of the table itself."""


class TakeSeat(NightCommand, frozen=True, tag="take-seat"):
    """Somebody sits down with a phone."""

    name: str
    token: int | None
    phone: str
    """What the phone's secret hashes to."""


class AskForSeat(NightCommand, frozen=True, tag="ask-for-seat"):
    """Somebody with a new phone says that they are the player of that name."""

    name: str
    phone: str


class AddSeat(NightCommand, frozen=True, tag="add-seat"):
    """The host seats somebody who has no phone."""

    name: str
    token: int | None = None


class RemoveSeat(NightCommand, frozen=True, tag="remove-seat"):
    """The host takes a seat away while no game is on."""

    seat: SeatId


class RenameSeat(NightCommand, frozen=True, tag="rename-seat"):
    """The host mends a name."""

    seat: SeatId
    name: str


class SayAs(NightCommand, frozen=True, tag="say-as"):
    """The host tells how a name is said; nothing: as it is written."""

    seat: SeatId
    text: str


class ReleasePhone(NightCommand, frozen=True, tag="release-phone"):
    """The host lets a player go on without their phone."""

    seat: SeatId


class ForgetDigits(NightCommand, frozen=True, tag="forget-digits"):
    """The host lets a player pick in the booth without the digits that they, or a prankster, set."""

    seat: SeatId


class AnswerRequest(NightCommand, frozen=True, tag="answer-request"):
    """The host says whether somebody really is who they say."""

    request: str
    allow: bool


class SitOut(NightCommand, frozen=True, tag="sit-out"):
    """A player sits out until the host brings them back in."""

    seat: SeatId


class SitIn(NightCommand, frozen=True, tag="sit-in"):
    """A player is back."""

    seat: SeatId


class ChooseToken(NightCommand, frozen=True, tag="choose-token"):
    """A player takes another token while no game is on."""

    token: int


class SetSecret(NightCommand, frozen=True, tag="set-secret"):
    """A player sets four digits that guard their pick in the booth."""

    digits: str


class ChooseGame(NightCommand, frozen=True, tag="choose-game"):
    """The host chooses what is played."""

    game: str


class ChooseOptions(NightCommand, frozen=True, tag="choose-options"):
    """The host sets some of the game's options; those not named stay as they are."""

    options: dict[str, Any]


class BeginGame(NightCommand, frozen=True, tag="begin-game"):
    """The host starts the game."""


class PlayAgain(NightCommand, frozen=True, tag="play-again"):
    """The host goes back to setting up, with everyone seated and the options as they were."""


class StopGame(NightCommand, frozen=True, tag="stop-game"):
    """The host breaks the game off: it counts for nothing, nothing secret opens, and everyone stays seated."""


class ClearTable(NightCommand, frozen=True, tag="clear-table"):
    """The host ends the night: everyone gets up."""


class Pause(NightCommand, frozen=True, tag="pause"):
    """Time stands still until the same reason is lifted."""

    reason: str


class Resume(NightCommand, frozen=True, tag="resume"):
    """One reason to pause is gone."""

    reason: str


class SetQuiet(NightCommand, frozen=True, tag="set-quiet"):
    """Nothing sounds; captions go on."""

    on: bool


class IgnoreSensor(NightCommand, frozen=True, tag="ignore-sensor"):
    """The host leaves a sensor out for tonight: it counts as if it were not in the room."""

    sensor: str


class HeedSensor(NightCommand, frozen=True, tag="heed-sensor"):
    """The host lets a sensor count again."""

    sensor: str


class EverybodyIsOff(NightCommand, frozen=True, tag="everybody-is-off"):
    """The host says that nobody is on any mat: one that is pressed all the same is stuck."""


class SayTroubles(NightCommand, frozen=True, tag="say-troubles"):
    """The host wants to hear aloud what is wrong with the mats."""


class SayRules(NightCommand, frozen=True, tag="say-rules"):
    """The host has the rules of the chosen game read aloud."""

    length: RulesLength


class SayAddress(NightCommand, frozen=True, tag="say-address"):
    """Everyone is to hear where to sit down."""

    address: str
    """What a phone opens, such as ``pi-gm.local:8000``."""
    code: str


class Undo(NightCommand, frozen=True, tag="undo"):
    """The host takes their last step back."""

    step: int
    """Which of the host's own steps they mean, the first being 1."""


class SeatHost(NightCommand, frozen=True, tag="seat-host"):
    """A device showed the PIN and is the host from now on."""

    device: str


class OpenBooth(NightCommand, frozen=True, tag="open-booth"):
    """A device showed the PIN and is the pick booth from now on."""

    device: str


class SwitchedOn(NightCommand, frozen=True, tag="switched-on"):
    """The program starts on a night that was under way."""


PlayerNightCommand = ChooseToken | SetSecret
HostNightCommand = (
    AddSeat
    | RemoveSeat
    | RenameSeat
    | SayAs
    | ReleasePhone
    | ForgetDigits
    | AnswerRequest
    | SitOut
    | SitIn
    | ChooseGame
    | ChooseOptions
    | BeginGame
    | PlayAgain
    | StopGame
    | ClearTable
    | Pause
    | Resume
    | SetQuiet
    | IgnoreSensor
    | HeedSensor
    | EverybodyIsOff
    | SayTroubles
    | SayRules
    | Undo
)
GuestCommand = TakeSeat | AskForSeat
DoorCommand = SeatHost | OpenBooth | SayAddress | SwitchedOn
AnyNightCommand = PlayerNightCommand | HostNightCommand | GuestCommand | DoorCommand

_MEANT_FOR: tuple[tuple[Any, Role], ...] = (
    (PlayerNightCommand, Role.PLAYER),
    (HostNightCommand, Role.HOST),
    (GuestCommand, Role.GUEST),
    (DoorCommand, Role.DOOR),
)


# What happened at the table


class SeatTaken(PublicEvent, frozen=True, tag="seat-taken"):
    """Somebody sat down; ``phone`` is None for one without."""

    seat: SeatId
    name: str
    token: int
    phone: str | None


class SeatAsked(SecretEvent, frozen=True, tag="seat-asked"):
    """Somebody says that a seat is theirs."""

    request: str
    seat: SeatId
    phone: str


class RequestAnswered(SecretEvent, frozen=True, tag="request-answered"):
    """The host answered; where allowed, the new phone has the seat and the old one has not."""

    request: str
    allowed: bool


class SeatRemoved(PublicEvent, frozen=True, tag="seat-removed"):
    """A seat is gone."""

    seat: SeatId


class SeatRenamed(PublicEvent, frozen=True, tag="seat-renamed"):
    """A player is called something else."""

    seat: SeatId
    name: str


class SaidAs(PublicEvent, frozen=True, tag="said-as"):
    """A player's name is said another way than it is written; empty: as it is written."""

    seat: SeatId
    text: str


class PhoneReleased(PublicEvent, frozen=True, tag="phone-released"):
    """A player goes on without a phone."""

    seat: SeatId


class SatOut(PublicEvent, frozen=True, tag="sat-out"):
    """A player sits out."""

    seat: SeatId


class SatIn(PublicEvent, frozen=True, tag="sat-in"):
    """A player is back."""

    seat: SeatId


class TokenChosen(PublicEvent, frozen=True, tag="token-chosen"):
    """A player has another token."""

    seat: SeatId
    token: int


class SecretSet(SecretEvent, frozen=True, tag="secret-set"):
    """A player guards their pick in the booth."""

    seat: SeatId
    secret: str
    """What the digits hash to."""


class DigitsForgotten(PublicEvent, frozen=True, tag="digits-forgotten"):
    """A player picks in the booth without digits."""

    seat: SeatId


class GameChosen(PublicEvent, frozen=True, tag="game-chosen"):
    """Another game is to be played."""

    game: str


class OptionsChosen(PublicEvent, frozen=True, tag="options-chosen"):
    """The game is to be played with these options."""

    game: str
    options: dict[str, Any]


class TableSetAgain(PublicEvent, frozen=True, tag="table-set-again"):
    """The game that is over is put away; everyone stays."""


class GameStopped(PublicEvent, frozen=True, tag="game-stopped"):
    """The game that was on is put away as it was; everyone stays."""


class TableCleared(PublicEvent, frozen=True, tag="table-cleared"):
    """Everyone got up; the host stays the host."""

    opens: ClassVar[bool] = True


class Paused(PublicEvent, frozen=True, tag="paused"):
    """Time stands still."""

    reason: str


class Resumed(PublicEvent, frozen=True, tag="resumed"):
    """One reason to pause is gone."""

    reason: str


class QuietSet(PublicEvent, frozen=True, tag="quiet-set"):
    """Whether sounds are off."""

    on: bool


class SensorIgnored(PublicEvent, frozen=True, tag="sensor-ignored"):
    """A sensor is left out tonight."""

    sensor: str


class SensorHeeded(PublicEvent, frozen=True, tag="sensor-heeded"):
    """A sensor counts again."""

    sensor: str


class FloorFoundFree(PublicEvent, frozen=True, tag="floor-found-free"):
    """Nobody was on anything, and these sensors were pressed all the same."""

    stuck: tuple[str, ...]


class TroublesSaid(PublicEvent, frozen=True, tag="troubles-said"):
    """The host had it said aloud what was wrong with which sensor."""

    troubles: Troubles


class RulesSaid(PublicEvent, frozen=True, tag="rules-said"):
    """The host had the rules read aloud."""

    length: RulesLength


class AddressSaid(PublicEvent, frozen=True, tag="address-said"):
    """It was said where to sit down."""

    address: str
    code: str


class HostSeated(SecretEvent, frozen=True, tag="host-seated"):
    """A device is the host."""

    device: str


class BoothOpened(SecretEvent, frozen=True, tag="booth-opened"):
    """A device is the pick booth."""

    device: str


class Rewound(PublicEvent, frozen=True, tag="rewound"):
    """A step of the host was taken back, with what followed from it but what players did since."""

    step: int
    what: str
    """What was taken back, in words."""


NightEvent = (
    SeatTaken
    | SeatAsked
    | RequestAnswered
    | SeatRemoved
    | SeatRenamed
    | SaidAs
    | PhoneReleased
    | SatOut
    | SatIn
    | TokenChosen
    | SecretSet
    | DigitsForgotten
    | GameChosen
    | OptionsChosen
    | TableSetAgain
    | GameStopped
    | TableCleared
    | Paused
    | Resumed
    | QuietSet
    | SensorIgnored
    | SensorHeeded
    | FloorFoundFree
    | TroublesSaid
    | RulesSaid
    | AddressSaid
    | HostSeated
    | BoothOpened
    | Rewound
)


# Deciding


class _Asked(Struct, frozen=True):
    actor: Actor
    house: House
    now: Seconds
    floor: FloorReading
    troubles: Troubles
    rng: Random


Decision = tuple[GameEvent, ...] | Rejected


def surroundings(
    night: Night, house: House, now: Seconds, floor: FloorReading, *, is_heard: bool = False
) -> Surroundings:
    """What the table tells its game at ``now``, in table time. ``is_heard``: a speaker is there and works."""
    return Surroundings(
        now,
        night.seats,
        house.room,
        floor.ignoring(night.ignored),
        is_paused=bool(night.pauses),
        is_heard=is_heard and not night.is_quiet,
        ignored=night.ignored,
    )


def decide(
    night: Night,
    command: Struct,
    actor: Actor,
    *,
    house: House,
    now: Seconds,
    floor: FloorReading,
    troubles: Troubles = (),
    is_heard: bool = False,
    rng: Random,
) -> Decision:
    """The events that follow from ``command``, of the table or of the game that is on, or the reason for a no.

    ``floor`` and ``troubles`` are what the sensors say, and what is wrong with them, ignored ones included.
    """
    if not isinstance(command, NightCommand):
        if night.play is None:
            return Rejected("no-game-on")
        around = surroundings(night, house, now, floor, is_heard=is_heard)
        return house.games[night.game].decide(night.play, command, actor, around, rng)
    if not any(isinstance(command, union) and actor.role is role for union, role in _MEANT_FOR):
        return Rejected("not-yours-to-say")
    return _decided(command, night, _Asked(actor, house, now, floor, troubles, rng))


@singledispatch
def _decided(command: object, night: Night, asked: _Asked) -> Decision:
    raise TypeError(f"not a command of the table: {type(command).__name__}")


def _new_id(rng: Random) -> str:
    return f"{rng.getrandbits(64):016x}"


def _seating(night: Night, name: str, token: int | None, phone: str | None, asked: _Asked) -> Decision:
    tidy = tidy_name(name)
    free = free_tokens(night.seats)
    if not tidy:
        return Rejected("name-empty")
    if _named(night, tidy) is not None:
        return Rejected("name-taken", (("name", tidy),))
    if len(night.seats) >= MOST_SEATS or not free:
        return Rejected("table-full")
    if token is not None and token not in {each.number for each in free}:
        return Rejected("token-taken")
    return (SeatTaken(SeatId(_new_id(asked.rng)), tidy, token or free[0].number, phone),)


def _named(night: Night, name: str) -> Seat | None:
    return next((seat for seat in night.seats if is_same_name(seat.name, name)), None)


@_decided.register
def _(command: TakeSeat, night: Night, asked: _Asked) -> Decision:
    if any(seat.phone == command.phone for seat in night.seats):
        return Rejected("already-yours")
    return _seating(night, command.name, command.token, command.phone, asked)


@_decided.register
def _(command: AddSeat, night: Night, asked: _Asked) -> Decision:
    return _seating(night, command.name, command.token, None, asked)


@_decided.register
def _(command: AskForSeat, night: Night, asked: _Asked) -> Decision:
    seat = _named(night, tidy_name(command.name))
    if seat is None:
        return Rejected("no-such-seat")
    if seat.phone == command.phone:
        return Rejected("already-yours")
    own = tuple(request for request in night.requests if request.phone == command.phone)
    if any(request.seat == seat.id for request in own):
        return ()
    if any(request.seat == seat.id for request in night.requests):
        return Rejected("seat-asked-for", (("name", seat.name),))
    # A phone waits for one seat, and one phone for each: the host looks at no more of them than there are seats.
    withdrawn = (RequestAnswered(request.id, False) for request in own)
    return (*withdrawn, SeatAsked(_new_id(asked.rng), seat.id, command.phone))


@_decided.register
def _(command: AnswerRequest, night: Night, asked: _Asked) -> Decision:
    if not any(request.id == command.request for request in night.requests):
        return Rejected("no-such-request")
    return (RequestAnswered(command.request, command.allow),)


def _about(seat: SeatId, night: Night, event: GameEvent) -> Decision:
    return (event,) if seat_of(night.seats, seat) else Rejected("no-such-seat")


@_decided.register
def _(command: RemoveSeat, night: Night, asked: _Asked) -> Decision:
    if night.play is not None:
        return Rejected("game-is-on")
    return _about(command.seat, night, SeatRemoved(command.seat))


@_decided.register
def _(command: RenameSeat, night: Night, asked: _Asked) -> Decision:
    name = tidy_name(command.name)
    if not name:
        return Rejected("name-empty")
    other = _named(night, name)
    if other is not None and other.id != command.seat:
        return Rejected("name-taken", (("name", name),))
    return _about(command.seat, night, SeatRenamed(command.seat, name))


@_decided.register
def _(command: SayAs, night: Night, asked: _Asked) -> Decision:
    return _about(command.seat, night, SaidAs(command.seat, tidy_name(command.text)))


@_decided.register
def _(command: ReleasePhone, night: Night, asked: _Asked) -> Decision:
    return _about(command.seat, night, PhoneReleased(command.seat))


@_decided.register
def _(command: ForgetDigits, night: Night, asked: _Asked) -> Decision:
    return _about(command.seat, night, DigitsForgotten(command.seat))


@_decided.register
def _(command: SitOut, night: Night, asked: _Asked) -> Decision:
    return _about(command.seat, night, SatOut(command.seat))


@_decided.register
def _(command: SitIn, night: Night, asked: _Asked) -> Decision:
    return _about(command.seat, night, SatIn(command.seat))


@_decided.register
def _(command: ChooseToken, night: Night, asked: _Asked) -> Decision:
    if night.play is not None:
        return Rejected("game-is-on")
    if command.token not in {token.number for token in free_tokens(night.seats)}:
        return Rejected("token-taken")
    seat = asked.actor.seat
    return Rejected("no-such-seat") if seat is None else _about(seat, night, TokenChosen(seat, command.token))


@_decided.register
def _(command: SetSecret, night: Night, asked: _Asked) -> Decision:
    if len(command.digits) != 4 or not command.digits.isdecimal() or not command.digits.isascii():
        return Rejected("bad-secret")
    seat = asked.actor.seat
    if seat is None:
        return Rejected("no-such-seat")
    return _about(seat, night, SecretSet(seat, booth_secret(seat, command.digits)))


def booth_secret(seat: SeatId, digits: str) -> str:
    """What is kept of a player's four digits."""
    return hashed(f"{seat}:{digits}")


@_decided.register
def _(command: ChooseGame, night: Night, asked: _Asked) -> Decision:
    if night.play is not None:
        return Rejected("game-is-on")
    if command.game not in asked.house.games:
        return Rejected("no-such-game")
    return (GameChosen(command.game),)


@_decided.register
def _(command: ChooseOptions, night: Night, asked: _Asked) -> Decision:
    if night.play is not None:
        return Rejected("game-is-on")
    game = asked.house.games[night.game]
    merged = {**msgspec.to_builtins(night.options(asked.house)), **command.options}
    try:
        options = msgspec.convert(merged, game.options)
    except msgspec.ValidationError as wrong:
        return Rejected("bad-options", (("what", str(wrong)),))
    found = game.mistakes(options)
    if found:
        return Rejected("bad-options", (("what", " ".join(found)),))
    return (OptionsChosen(night.game, msgspec.to_builtins(options)),)


@_decided.register
def _(command: BeginGame, night: Night, asked: _Asked) -> Decision:
    if night.play is not None:
        return Rejected("game-is-on")
    around = surroundings(night, asked.house, asked.now, asked.floor)
    return asked.house.games[night.game].begin(night.options(asked.house), around, asked.rng)


@_decided.register
def _(command: PlayAgain, night: Night, asked: _Asked) -> Decision:
    if night.play is None:
        return Rejected("no-game-on")
    return Rejected("game-is-on") if night.is_on(asked.house) else (TableSetAgain(),)


@_decided.register
def _(command: StopGame, night: Night, asked: _Asked) -> Decision:
    return (GameStopped(),) if night.is_on(asked.house) else Rejected("no-game-on")


@_decided.register
def _(command: ClearTable, night: Night, asked: _Asked) -> Decision:
    return Rejected("game-is-on") if night.is_on(asked.house) else (TableCleared(),)


@_decided.register
def _(command: Pause, night: Night, asked: _Asked) -> Decision:
    if not night.is_on(asked.house):
        return Rejected("no-game-on")
    if command.reason not in PAUSE_REASONS:
        return Rejected("no-such-pause")
    if command.reason in night.pauses:
        return Rejected("already-paused")
    return (Paused(command.reason),)


@_decided.register
def _(command: Resume, night: Night, asked: _Asked) -> Decision:
    return (Resumed(command.reason),) if command.reason in night.pauses else Rejected("not-paused")


@_decided.register
def _(command: SetQuiet, night: Night, asked: _Asked) -> Decision:
    return (QuietSet(command.on),)


@_decided.register
def _(command: IgnoreSensor, night: Night, asked: _Asked) -> Decision:
    if _sensor(command.sensor, asked.house) is None:
        return Rejected("no-such-sensor", (("sensor", command.sensor[:20]),))
    return () if command.sensor in night.ignored else (SensorIgnored(command.sensor),)


@_decided.register
def _(command: HeedSensor, night: Night, asked: _Asked) -> Decision:
    return (SensorHeeded(command.sensor),) if command.sensor in night.ignored else ()


@_decided.register
def _(command: EverybodyIsOff, night: Night, asked: _Asked) -> Decision:
    if night.is_on(asked.house):
        return Rejected("game-is-on")
    heeded = asked.floor.ignoring(night.ignored).readings
    return (FloorFoundFree(tuple(key for key, reading in heeded if reading is Reading.PRESSED)),)


@_decided.register
def _(command: SayTroubles, night: Night, asked: _Asked) -> Decision:
    return (TroublesSaid(tuple(pair for pair in asked.troubles if pair[0] not in night.ignored)),)


@_decided.register
def _(command: SayRules, night: Night, asked: _Asked) -> Decision:
    told = dict(asked.house.games[night.game].rules_aloud).get(command.length)
    return (RulesSaid(command.length),) if told else Rejected("no-rules-aloud")


@_decided.register
def _(command: SayAddress, night: Night, asked: _Asked) -> Decision:
    return (AddressSaid(command.address, command.code),)


def _sensor(key: str, house: House) -> Sensor | None:
    return next((sensor for sensor in house.room.sensors if sensor.key == key), None)


@_decided.register
def _(command: SeatHost, night: Night, asked: _Asked) -> Decision:
    return (HostSeated(command.device),)


@_decided.register
def _(command: OpenBooth, night: Night, asked: _Asked) -> Decision:
    return (BoothOpened(command.device),)


@_decided.register
def _(command: SwitchedOn, night: Night, asked: _Asked) -> Decision:
    """After a power cut the game waits for the host, exactly where it was."""
    return (Paused(POWER_CUT),) if night.is_on(asked.house) and POWER_CUT not in night.pauses else ()


def deadline(night: Night, house: House) -> Seconds | None:
    """The table time at which the clock must tell the game that time is up; None while nothing runs."""
    return None if night.play is None or night.pauses else house.games[night.game].deadline(night.play)


# Evolving


def evolve(night: Night, event: GameEvent, *, house: House, at: Seconds) -> Night:
    """The night after ``event``, which happened at ``at`` in table time."""
    if isinstance(event, NightEvent):
        after = _evolved(event, night, house)
        return replace(after, captions=captioned(after.captions, _script(event, after, house, at), at))
    game = house.games[night.game]
    after = replace(night, play=game.evolve(night.play, event))
    if not isinstance(event, PublicEvent):
        return after
    cues = game.script(event, after.play, as_named(after.seats))
    return replace(after, captions=captioned(after.captions, cues, at)) if cues else after


@singledispatch
def _evolved(event: object, night: Night, house: House) -> Night:
    raise TypeError(f"no table can take {event}")


def _changed(night: Night, seat_id: SeatId, **fields: Any) -> Night:
    return replace(
        night, seats=tuple(replace(seat, **fields) if seat.id == seat_id else seat for seat in night.seats)
    )


@_evolved.register
def _(event: SeatTaken, night: Night, house: House) -> Night:
    seat = Seat(event.seat, event.name, event.token, phone=event.phone)
    return replace(_asking_no_more(night, event.phone), seats=(*night.seats, seat))


def _asking_no_more(night: Night, phone: str | None) -> Night:
    """``night`` without what ``phone`` still asked for: a phone has one seat."""
    return replace(night, requests=tuple(request for request in night.requests if request.phone != phone))


@_evolved.register
def _(event: SeatAsked, night: Night, house: House) -> Night:
    return replace(night, requests=(*night.requests, Request(event.request, event.seat, event.phone)))


@_evolved.register
def _(event: RequestAnswered, night: Night, house: House) -> Night:
    request = next((request for request in night.requests if request.id == event.request), None)
    if request is None:
        return night
    if not event.allowed:
        return replace(night, requests=tuple(other for other in night.requests if other.id != event.request))
    answered = _asking_no_more(night, request.phone)
    for seat in answered.seats:
        if seat.phone == request.phone:
            answered = _changed(answered, seat.id, phone=None)
    return _changed(answered, request.seat, phone=request.phone)


@_evolved.register
def _(event: SeatRemoved, night: Night, house: House) -> Night:
    return replace(
        night,
        seats=tuple(seat for seat in night.seats if seat.id != event.seat),
        requests=tuple(request for request in night.requests if request.seat != event.seat),
    )


@_evolved.register
def _(event: SeatRenamed, night: Night, house: House) -> Night:
    return _changed(night, event.seat, name=event.name)


@_evolved.register
def _(event: SaidAs, night: Night, house: House) -> Night:
    return _changed(night, event.seat, said_as=event.text)


@_evolved.register
def _(event: PhoneReleased, night: Night, house: House) -> Night:
    return _changed(night, event.seat, phone=None)


@_evolved.register
def _(event: SatOut, night: Night, house: House) -> Night:
    return _changed(night, event.seat, sits_out=True)


@_evolved.register
def _(event: SatIn, night: Night, house: House) -> Night:
    return _changed(night, event.seat, sits_out=False)


@_evolved.register
def _(event: TokenChosen, night: Night, house: House) -> Night:
    return _changed(night, event.seat, token=event.token)


@_evolved.register
def _(event: SecretSet, night: Night, house: House) -> Night:
    return _changed(night, event.seat, secret=event.secret)


@_evolved.register
def _(event: DigitsForgotten, night: Night, house: House) -> Night:
    return _changed(night, event.seat, secret=None)


@_evolved.register
def _(event: GameChosen, night: Night, house: House) -> Night:
    return replace(night, game=event.game)


@_evolved.register
def _(event: OptionsChosen, night: Night, house: House) -> Night:
    options = msgspec.convert(event.options, house.games[event.game].options)
    others = tuple(pair for pair in night.chosen if pair[0] != event.game)
    return replace(night, chosen=(*others, (event.game, options)))


@_evolved.register
def _(event: TableSetAgain, night: Night, house: House) -> Night:
    return replace(night, play=None, pauses=())


@_evolved.register
def _(event: GameStopped, night: Night, house: House) -> Night:
    return replace(night, play=None, pauses=())


@_evolved.register
def _(event: TableCleared, night: Night, house: House) -> Night:
    return replace(night, seats=(), requests=(), play=None, pauses=(), ignored=(), captions=())


@_evolved.register
def _(event: Paused, night: Night, house: House) -> Night:
    return replace(night, pauses=(*night.pauses, event.reason))


@_evolved.register
def _(event: Resumed, night: Night, house: House) -> Night:
    return replace(night, pauses=tuple(reason for reason in night.pauses if reason != event.reason))


@_evolved.register
def _(event: QuietSet, night: Night, house: House) -> Night:
    return replace(night, is_quiet=event.on)


@_evolved.register
def _(event: SensorIgnored, night: Night, house: House) -> Night:
    return replace(night, ignored=(*night.ignored, event.sensor))


@_evolved.register
def _(event: SensorHeeded, night: Night, house: House) -> Night:
    return replace(night, ignored=tuple(key for key in night.ignored if key != event.sensor))


@_evolved.register
def _(event: FloorFoundFree, night: Night, house: House) -> Night:
    return night


@_evolved.register
def _(event: TroublesSaid, night: Night, house: House) -> Night:
    return night


@_evolved.register
def _(event: RulesSaid, night: Night, house: House) -> Night:
    return night


@_evolved.register
def _(event: AddressSaid, night: Night, house: House) -> Night:
    return night


@_evolved.register
def _(event: HostSeated, night: Night, house: House) -> Night:
    return replace(night, host=event.device)


@_evolved.register
def _(event: BoothOpened, night: Night, house: House) -> Night:
    return replace(night, booth=event.device)


@_evolved.register
def _(event: Rewound, night: Night, house: House) -> Night:
    return night if night.is_on(house) else replace(night, pauses=())


def recap(night: Night, house: House, now: Seconds) -> tuple[str, ...]:
    """Where the game stands, in sentences that everyone may hear; empty where none is on."""
    if not night.is_on(house):
        return ()
    around = surroundings(night, house, now, FloorReading())
    return house.games[night.game].recap(night.play, around)


def _script(event: GameEvent, night: Night, house: House, at: Seconds) -> Iterable[Cue]:
    match event:
        case SeatTaken(seat=seat):
            (name,) = names_of(as_named(night.seats), (seat,))
            yield Cue(
                f"seat-{seat}",
                Urgency.INFORMATION,
                SHARED.say_in_turn("say.welcome", len(night.seats), name=name),
            )
        case Paused(reason=reason) if reason == POWER_CUT:
            yield Cue("pause", Urgency.RESULT, SHARED.say("say.power-cut"))
            where = " ".join(recap(replace(night, seats=as_named(night.seats)), house, at))
            if where:
                yield Cue("recap", Urgency.RESULT, where)
        case Paused(reason=reason):
            said = SHARED.say("say.paused", reason=SHARED.say(f"pause.{reason}"))
            yield Cue("pause", Urgency.RESULT, said)
        case Resumed() if not night.pauses:
            yield Cue("pause", Urgency.RESULT, SHARED.say("say.resumed"))
        case GameStopped():
            yield Cue("stopped", Urgency.RESULT, SHARED.say("say.stopped"))
        case Rewound(what=what):
            yield Cue("undo", Urgency.RESULT, SHARED.say("say.undone", what=what))
        case AddressSaid(address=address, code=code):
            key = "say.address" if night.seats else "say.address-first"
            said = SHARED.say(key, address=address, code=" ".join(code))
            yield Cue("address", Urgency.INFORMATION, said)
        case RulesSaid(length=length):
            told = dict(house.games[night.game].rules_aloud).get(length, ())
            for number, text in enumerate(told, start=1):
                yield Cue(f"rules-{number}", Urgency.READING, text)
        case FloorFoundFree(stuck=stuck):
            yield _floor_cue(tuple((key, Trouble.STUCK) for key in stuck), "say.floor-free", house)
        case TroublesSaid(troubles=troubles):
            yield _floor_cue(troubles, "say.no-troubles", house)
        case _:
            return


def _floor_cue(troubles: Troubles, none: str, house: House) -> Cue:
    told = [
        sentence_of_trouble(sensor, trouble, house.room)
        for key, trouble in troubles
        if (sensor := _sensor(key, house)) is not None
    ]
    return Cue("floor", Urgency.INFORMATION, " ".join(told) or SHARED.say(none))


def with_captions(night: Night, captions: tuple[Caption, ...]) -> Night:
    """``night`` with what was said up to now: words cannot be taken back."""
    return replace(night, captions=captions)
