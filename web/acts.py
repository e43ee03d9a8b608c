"""What pages send: every POST there is. Whatever is not exactly what a page may send is turned away with a sentence."""

import hmac
from collections import OrderedDict
from threading import Lock
from typing import Annotated, Any, TypeVar

import msgspec
from flask import Blueprint, Response, request
from msgspec import Meta, Struct

from pi_gm.classroom import Classroom
from pi_gm.clock import Clock
from pi_gm.errors import BadInput, PiGmError
from pi_gm.games import DOOR, GUEST, HOST, Actor, Page, Rejected, Role, Viewer
from pi_gm.night import (
    AskForSeat,
    HostNightCommand,
    OpenBooth,
    PlayerNightCommand,
    SayAddress,
    SayAs,
    SeatHost,
    SetSecret,
    TakeSeat,
    hashed,
)
from pi_gm.page_view import picks_in_booth
from pi_gm.players import SeatId, seat_of
from pi_gm.room import LivingRoom
from pi_gm.speaking.desk import ChangeVoice, Listen, LookAround, VoiceDesk
from pi_gm.table import Answer, Table
from web.addresses import Addresses
from web.answers import answer_json, yes
from web.door import COOKIE_LASTS, Badge, Refused, device_in, is_secret, new_secret, secret_in
from web.live import Hub
from web.screens import CUSHIONS
from web.teaching import BeginLesson, TeachCommand, obey
from web.tries import Tries

LARGEST_BODY = 4096
SECRETS_KEPT = 200
ASKS_AT_ONCE = 24
"""So often one address may ask for seats before it has to wait: a whole table may come by one."""

Id = Annotated[str, Meta(min_length=8, max_length=64)]
"""Made up by the page for each thing it sends. The same one again means: sent again, in case it was not heard."""
Text = Annotated[str, Meta(max_length=200)]


class Post(Struct, frozen=True, forbid_unknown_fields=True):
    """Anything that a page sends."""

    id: Id


class Do(Post, frozen=True):
    """A command to the table or to the game that is on."""

    do: msgspec.Raw


class Join(Post, frozen=True):
    """Sit down."""

    code: Text
    name: Text
    token: int | None = None


class Ask(Post, frozen=True):
    """Go on, on this phone, as the player of that name."""

    code: Text
    name: Text


class ComeBack(Post, frozen=True):
    """Be known again by a secret that the page has kept, where the cookie got lost."""

    page: str
    secret: Text


class ShowPin(Post, frozen=True):
    """Be let in as the host, or as the booth."""

    pin: Text


class AskForAddress(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="say-address"):
    """The host wants the address said aloud; which it is, the page does not know better than its server."""


class Teach(Post, frozen=True):
    """Something in the lesson of the room."""

    do: TeachCommand


class DoInBooth(Post, frozen=True):
    """A command of a player who stands in the booth."""

    seat: Text
    digits: Text
    do: msgspec.Raw


class Move(Post, frozen=True):
    """Put a figure of the simulated room somewhere else: at a place, or onto one mat; at the place "" it is outside."""

    figure: Text
    place: Text | None = None
    mat: Text | None = None


P = TypeVar("P", bound=Post)

_BADGES = {"player": Badge.PHONE, "host": Badge.HOST, "booth": Badge.BOOTH}


class Decoders:
    """What each page may send, for the table and every game. A fault in a game's commands shows when this is made."""

    def __init__(self, table: Table) -> None:
        self._table = table
        games = table.house.games
        self._host = {
            key: _decoder(HostNightCommand | AskForAddress | game.host_commands)
            for key, game in games.items()
        }
        self._player = {
            key: _decoder(PlayerNightCommand | game.player_commands) for key, game in games.items()
        }
        self._booth = {key: _decoder(SetSecret | game.player_commands) for key, game in games.items()}

    def host(self, do: msgspec.Raw) -> Struct:
        """Raises Refused for what is no command of a host."""
        return _command(self._host[self._table.game_key], do)

    def player(self, do: msgspec.Raw) -> Struct:
        """Raises Refused for what is no command of a player."""
        return _command(self._player[self._table.game_key], do)

    def booth(self, do: msgspec.Raw) -> Struct:
        """Raises Refused for what is no command of a player in the booth."""
        return _command(self._booth[self._table.game_key], do)


def _decoder(union: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(union)


def _command(decoder: msgspec.json.Decoder[Any], do: msgspec.Raw) -> Struct:
    try:
        command: Struct = decoder.decode(do)
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise _not_understood(wrong, "in what is to be done, ") from wrong
    return command


def _not_understood(wrong: Exception, where: str = "") -> Refused:
    return Refused(400, f"That cannot be understood: {where}{wrong}. Load the page again and try once more.")


_AT_VOICE_DESK = _decoder(ChangeVoice | Listen | LookAround | SayAs)


class _Secrets:
    """Which secret went with which request, for one that is sent again because the answer got lost."""

    def __init__(self) -> None:
        self._given: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def given_for(self, post_id: str, known: str | None) -> str:
        with self._lock:
            secret = self._given.setdefault(post_id, known or new_secret())
            while len(self._given) > SECRETS_KEPT:
                self._given.popitem(last=False)
            return secret


def acts(
    table: Table,
    hub: Hub,
    *,
    clock: Clock,
    addresses: Addresses,
    pin: str,
    code: str,
    pin_tries: Tries,
    living_room: LivingRoom | None,
    classroom: Classroom | None,
    voice: VoiceDesk | None = None,
) -> Blueprint:
    """Every address to which pages send."""
    routes = Blueprint("acts", __name__)
    decoders = Decoders(table)
    secrets = _Secrets()
    code_tries = Tries(clock, free=20, wait=5.0, longest=60.0)
    digit_tries = Tries(clock)
    asks = Tries(clock, free=ASKS_AT_ONCE, wait=10.0, longest=300.0)

    def check_code(shown: str) -> None:
        wait = code_tries.attempt(request.remote_addr or "", _is_same(shown.strip().upper(), code.upper()))
        if wait:
            raise Refused(429, f"Too many wrong table codes. Wait {wait:.0f} seconds.", "wrong-code", wait)
        if wait is not None:
            raise Refused(
                403,
                "That is not this table's code. Scan the code on the TV or the host's tablet.",
                "wrong-code",
            )

    def check_pin(shown: str) -> None:
        wait = pin_tries.attempt(guesser(table), _is_same(shown.strip(), pin))
        if wait:
            raise Refused(429, f"Too many wrong PINs. Wait {wait:.0f} seconds and try again.", "wait", wait)
        if wait is not None:
            raise Refused(403, "That is not the PIN. It stands where Pi GM was started.", "wrong-pin")

    def check_asks() -> None:
        address = request.remote_addr or ""
        wait = asks.wait(address)
        if wait:
            raise Refused(429, f"Too many have asked for seats. Wait {wait:.0f} seconds.", "wait", wait)
        # Each costs the host a look and the journal a line, whatever becomes of it.
        asks.attempt(address, is_right=False)

    @routes.post("/join")
    def join() -> Response:
        asked = _read(Join)
        check_code(asked.code)
        secret = secrets.given_for(asked.id, _known_secret(table))
        answer = table.submit(TakeSeat(asked.name, asked.token, hashed(secret)), GUEST, asked.id)
        if not isinstance(answer, Rejected) and table.viewer_with_phone(hashed(secret)).seat is None:
            # Sent again after a restart: the seat was taken, by a secret that went under with its answer.
            answer = Rejected("name-taken", (("name", asked.name),))
        return _with_secret(table, answer, "player", secret)

    @routes.post("/ask")
    def ask() -> Response:
        asked = _read(Ask)
        check_code(asked.code)
        known = _known_secret(table)
        if known is not None and table.viewer_with_phone(hashed(known)).seat is not None:
            return answer_json(table, Rejected("already-yours"))
        check_asks()
        secret = secrets.given_for(asked.id, known)
        answer = table.submit(AskForSeat(asked.name, hashed(secret)), GUEST, asked.id)
        return _with_secret(table, answer, "player", secret)

    @routes.post("/rejoin")
    def rejoin() -> Response:
        asked = _read(ComeBack)
        device = hashed(asked.secret) if is_secret(asked.secret) else None
        match asked.page:
            case "player" if table.knows_phone(device):
                pass
            case "host" if table.is_host(device):
                pass
            case "booth" if table.is_booth(device):
                pass
            case "player":
                raise Refused(
                    409, "This phone has no seat at the table any more. Sit down again, or ask for your seat."
                )
            case "host":
                raise Refused(409, "Another device is the host's now. With the PIN the place is yours again.")
            case "booth":
                raise Refused(409, "Another device is the booth now. With the PIN this one is again.")
            case _:
                raise Refused(400, "There is no such page to come back to. Open this table's address anew.")
        response = yes()
        _set_cookie(response, _BADGES[asked.page], asked.secret)
        return response

    @routes.post("/play/act")
    def play() -> Response:
        asked = _read(Do)
        actor = _player(table)
        return answer_json(table, table.submit(decoders.player(asked.do), actor, asked.id))

    @routes.post("/host/pin")
    def take_host() -> Response:
        asked = _read(ShowPin)
        if table.is_host(device_in(request.headers.get("Cookie"), Badge.HOST)):
            return yes()
        check_pin(asked.pin)
        addresses.prove(request.headers.get("Host", ""))
        secret = new_secret()
        return _with_secret(table, table.submit(SeatHost(hashed(secret)), DOOR), "host", secret)

    def check_host() -> None:
        if not table.is_host(device_in(request.headers.get("Cookie"), Badge.HOST)):
            raise Refused(
                403, "This device is not the host's. Open the host's page and type the PIN.", "moved"
            )

    @routes.post("/host/act")
    def host() -> Response:
        asked = _read(Do)
        check_host()
        if classroom is not None and classroom.lesson is not None:
            raise Refused(409, "The room is being taught just now. Finish that first, or stop it.")
        command = decoders.host(asked.do)
        if isinstance(command, AskForAddress):
            said = SayAddress(addresses.to_say(), code)
            return answer_json(table, table.submit(said, DOOR, asked.id))
        return answer_json(table, table.submit(command, HOST, asked.id))

    @routes.post("/host/teach")
    def teach() -> Response:
        asked = _read(Teach)
        check_host()
        if classroom is None:
            raise Refused(404, "No room can be taught here.")
        if isinstance(asked.do, BeginLesson) and table.view(Viewer(Page.HOST)).is_on:
            raise Refused(409, "A game is on. The room can be taught once it is over.")
        obey(asked.do, classroom)
        hub.changed()
        return yes()

    @routes.post("/host/voice/act")
    def at_voice_desk() -> Response:
        asked = _read(Do)
        check_host()
        if voice is None:
            raise Refused(404, "There is no speaker here.")
        command = _command(_AT_VOICE_DESK, asked.do)
        if isinstance(command, SayAs):
            return answer_json(table, table.submit(command, HOST, asked.id))
        try:
            match command:
                case ChangeVoice():
                    voice.change(command)
                case Listen(seat=seat):
                    voice.listen(seat)
                case _:
                    voice.look_around()
        except PiGmError as wrong:
            raise Refused(409, str(wrong)) from wrong
        return yes()

    @routes.post("/booth/pin")
    def open_booth() -> Response:
        asked = _read(ShowPin)
        if table.is_booth(device_in(request.headers.get("Cookie"), Badge.BOOTH)):
            return yes()
        check_pin(asked.pin)
        secret = new_secret()
        return _with_secret(table, table.submit(OpenBooth(hashed(secret)), DOOR), "booth", secret)

    @routes.post("/booth/act")
    def booth() -> Response:
        asked = _read(DoInBooth)
        if not table.is_booth(device_in(request.headers.get("Cookie"), Badge.BOOTH)):
            raise Refused(
                403,
                "This device is not the booth. Open the booth's page and let the host type the PIN.",
                "moved",
            )
        command = decoders.booth(asked.do)
        seat = SeatId(asked.seat)
        found = seat_of(table.seats, seat)
        if found is None:
            return answer_json(table, Rejected("no-such-seat"))
        if not picks_in_booth(found):
            raise Refused(409, f"{found.name} picks on the phone. A secret for the booth can be set there.")
        wait = digit_tries.attempt(seat, table.opens_booth_for(seat, asked.digits))
        if wait:
            raise Refused(429, f"Too many wrong tries. Wait {wait:.0f} seconds.", "wait", wait)
        if wait is not None:
            raise Refused(403, "Those are not the four digits of this seat.", "wrong-digits")
        return answer_json(table, table.submit(command, Actor(Role.PLAYER, seat), asked.id))

    @routes.post("/room/act")
    def move() -> Response:
        asked = _read(Move)
        if living_room is None:
            raise Refused(
                404, "There is no simulated room here. Start Pi GM with pi-gm rehearse to have one."
            )
        token = _token_of(table, asked.figure)
        try:
            if asked.mat is not None and asked.place is None:
                living_room.put_on(asked.figure, asked.mat)
            elif asked.place == "" and asked.mat is None:
                living_room.remove(asked.figure)
            elif asked.place is not None and asked.mat is None:
                living_room.put(asked.figure, asked.place, token=token)
            else:
                raise Refused(400, "Say where the figure goes: either a place or a mat.")
        except BadInput as wrong:
            raise Refused(400, str(wrong)) from wrong
        hub.changed()
        return yes()

    return routes


def guesser(table: Table) -> str:
    """Whose tries at the PIN are counted together: those of a seated phone, or of an address.

    Everyone at the table may come by one address, and must not have to wait for the mistakes of one of them. One that
    only asks for a seat is nobody yet: as many phones can ask as somebody makes up.
    """
    phone = device_in(request.headers.get("Cookie"), Badge.PHONE)
    is_seated = table.viewer_with_phone(phone).seat is not None
    return f"phone {phone}" if is_seated else f"address {request.remote_addr}"


def _is_same(shown: str, right: str) -> bool:
    """Takes as long wherever the two differ."""
    return hmac.compare_digest(shown.encode("utf-8", "replace"), right.encode())


def _read(kind: type[P]) -> P:
    """What was sent, or Refused with what is wrong, where, and what to do."""
    if request.mimetype != "application/json":
        raise Refused(415, "Only application/json is understood here. Use the buttons of the page.")
    body = request.get_data(cache=False)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise _not_understood(wrong) from wrong


def _known_secret(table: Table) -> str | None:
    """The secret of this phone if the table knows it; any other was perhaps put there by somebody else."""
    shown = secret_in(request.headers.get("Cookie"), Badge.PHONE)
    return shown if shown is not None and table.knows_phone(hashed(shown)) else None


def _player(table: Table) -> Actor:
    viewer = table.viewer_with_phone(device_in(request.headers.get("Cookie"), Badge.PHONE))
    if viewer.seat is None:
        raise Refused(
            403, "This phone has no seat at the table. Sit down first, or ask for your seat.", "moved"
        )
    return Actor(Role.PLAYER, viewer.seat)


def _token_of(table: Table, figure: str) -> int | None:
    """The token of that figure. Raises Refused for a figure that is neither at the table nor a cushion."""
    seat = seat_of(table.seats, SeatId(figure))
    if seat is None and figure not in CUSHIONS:
        raise Refused(400, f"There is no figure {figure!r}: move a player at the table, or a cushion.")
    return seat.token if seat is not None else None


def _with_secret(table: Table, answer: Answer, page: str, secret: str) -> Response:
    """A yes with the cookie; its copy is for the page to keep, in case the browser loses the cookie."""
    if isinstance(answer, Rejected):
        return answer_json(table, answer)
    response = yes(page=page, secret=secret)
    _set_cookie(response, _BADGES[page], secret)
    return response


def _set_cookie(response: Response, badge: Badge, secret: str) -> None:
    response.set_cookie(
        badge.value, secret, max_age=int(COOKIE_LASTS), httponly=True, samesite="Lax", path="/"
    )
