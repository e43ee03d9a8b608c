"""What one viewer may see of the whole table, built up from nothing; the game's own view is part of it. Pure."""

from typing import Any

from msgspec import Struct

from pi_gm import night as nights
from pi_gm.announcer import Caption, Urgency, being_said, time_to_say
from pi_gm.chronicle import Undoable
from pi_gm.clock import Seconds
from pi_gm.floor import FloorReading, SensorReport
from pi_gm.games import Act, Page, RulesLength, Viewer
from pi_gm.naming import plain
from pi_gm.night import House, Night
from pi_gm.phrases import SHARED
from pi_gm.players import TOKENS, Seat, SeatId, Token, free_tokens, seat_of
from pi_gm.sensor_view import SensorView, sensor_views
from pi_gm.signs import Boarding
from pi_gm.ticking import Ticking


class PersonView(Struct, frozen=True):
    """A player as everybody knows them."""

    seat: SeatId
    name: str
    letter: str
    token: int
    sits_out: bool
    has_phone: bool
    colour: str = ""
    """The token's colour and shape in words, for those who cannot see them."""
    shape: str = ""
    said_as: str = ""
    """How the name is said aloud; empty where as it is written."""


class CaptionView(Struct, frozen=True):
    """Something that was said."""

    number: int
    at: Seconds
    urgency: Urgency
    key: str
    told: str
    """As it was said: each name in it between its marks (:mod:`pi_gm.naming`)."""
    after: Seconds = 0.0
    """So long after ``at`` its turn comes."""
    pause_before: Seconds = 0.0
    """Silence that goes before it."""
    takes: Seconds = 0.0
    """How long it stands at least where another waits: as long as it is said."""

    @property
    def text(self) -> str:
        """What was said, as plain text."""
        return plain(self.told)


class PauseView(Struct, frozen=True):
    """Why time stands still."""

    reason: str
    text: str


class RequestView(Struct, frozen=True):
    """Somebody says that they are a player who has another phone already."""

    request: str
    name: str


class UndoView(Struct, frozen=True):
    """What the host can take back."""

    step: int
    """Which of the host's own steps it is."""
    what: str


class BoothSeatView(Struct, frozen=True):
    """Somebody who may pick in the booth."""

    seat: SeatId
    has_secret: bool


class GameView(Struct, frozen=True):
    """A game that can be chosen."""

    key: str
    title: str
    fewest: int
    most: int


class PageView(Struct, frozen=True):
    """A page's whole content."""

    page: Page
    game: GameView
    people: tuple[PersonView, ...]
    captions: tuple[CaptionView, ...]
    being_said: tuple[CaptionView, ...]
    """Of these, what may be being said or waits for it, the oldest first; the newest stays when all is said."""
    pauses: tuple[PauseView, ...]
    is_quiet: bool
    is_on: bool
    """A game has begun and is not over."""
    is_over: bool
    play: Any
    """The game's view; None before a game."""
    options: Any
    """How the chosen game is, or would be, played."""
    recap: tuple[str, ...] = ()
    """After a power cut, until the game goes on: where it stands."""
    boarding: Boarding | None = None
    """Which rafts are open to board, for the room's lamps."""
    me: PersonView | None = None
    """The player whose phone this is."""
    waits_for_host: bool = False
    """This phone has asked for a seat and nobody has answered yet."""
    has_secret: bool = False
    """The player whose phone this is guards their pick in the booth."""
    free_tokens: tuple[Token, ...] = ()
    """For a phone that could still choose."""
    booth: tuple[BoothSeatView, ...] = ()
    games: tuple[GameView, ...] = ()
    guarded: tuple[SeatId, ...] = ()
    """For the host: whose picks in the booth are guarded by digits."""
    requests: tuple[RequestView, ...] = ()
    undo: UndoView | None = None
    next: Act | None = None
    """The host's one big step."""
    pause_reasons: tuple[PauseView, ...] = ()
    rules_aloud: tuple[RulesLength, ...] = ()
    """For the host: what of the rules can be read aloud."""
    trouble: str | None = None
    """What the host must know about the machine."""
    sensors: tuple[SensorView, ...] = ()
    """For the host: how the room's mats and buttons are doing."""

    @property
    def ticking(self) -> Ticking | None:
        """The countdown whose last seconds tick; None where none runs."""
        if self.boarding is None or self.boarding.ends_at is None:
            return None
        return Ticking(self.boarding.begins_at, self.boarding.ends_at)

    def turn_of(self, key: str) -> Seconds | None:
        """The table time at which the newest caption of ``key`` has its turn; None where none is kept."""
        return next((said.at + said.after for said in reversed(self.captions) if said.key == key), None)

    def person(self, seat: SeatId) -> PersonView | None:
        """The player in that seat; None for one who has left the table."""
        return next((person for person in self.people if person.seat == seat), None)


def _caption(said: Caption) -> CaptionView:
    cue = said.cue
    return CaptionView(
        said.number,
        said.at,
        cue.urgency,
        cue.key,
        cue.text,
        said.after,
        cue.pause_before,
        time_to_say(cue.text),
    )


def page_view(
    night: Night,
    viewer: Viewer,
    *,
    house: House,
    now: Seconds,
    floor: FloorReading,
    reports: tuple[SensorReport, ...],
    undoable: Undoable | None,
    trouble: str | None,
) -> PageView:
    """The page of ``viewer`` at ``now``, in table time; ``reports`` tell of the sensors, for the host's page."""
    game = house.games[night.game]
    options = night.options(house)
    around = nights.surroundings(night, house, now, floor)
    play = game.view(night.play, options, viewer, around)
    shared = PageView(
        page=viewer.page,
        game=_game_view(house, night.game),
        people=tuple(_person(seat) for seat in night.seats),
        captions=tuple(map(_caption, night.captions)),
        being_said=tuple(map(_caption, being_said(night.captions, now))),
        pauses=tuple(_pause(reason) for reason in night.pauses),
        is_quiet=night.is_quiet,
        is_on=night.is_on(house),
        is_over=night.play is not None and game.is_over(night.play),
        play=play,
        options=options,
        recap=nights.recap(night, house, now) if nights.POWER_CUT in night.pauses else (),
        boarding=None if night.play is None else game.boarding(night.play),
    )
    match viewer.page:
        case Page.PLAYER:
            return _players_page(shared, night, viewer)
        case Page.HOST:
            sensors = sensor_views(house.room, reports, night.ignored)
            return _with(_hosts_page(shared, night, house, undoable), trouble=trouble, sensors=sensors)
        case Page.BOOTH:
            return _with(
                shared, booth=tuple(_booth_seat(seat) for seat in night.seats if picks_in_booth(seat))
            )
        case Page.TV:
            return shared


def picks_in_booth(seat: Seat) -> bool:
    """Whether the booth offers that seat: it has no phone, or a secret guards it."""
    return seat.phone is None or seat.secret is not None


def _with(page: PageView, **fields: Any) -> PageView:
    return PageView(**{name: getattr(page, name) for name in page.__struct_fields__} | fields)


def _players_page(shared: PageView, night: Night, viewer: Viewer) -> PageView:
    seat = seat_of(night.seats, viewer.seat) if viewer.seat is not None else None
    may_choose = seat is None or night.play is None
    return _with(
        shared,
        me=_person(seat) if seat is not None else None,
        waits_for_host=seat is None and any(request.phone == viewer.device for request in night.requests),
        has_secret=seat is not None and seat.secret is not None,
        free_tokens=free_tokens(night.seats) if may_choose else (),
    )


def _hosts_page(shared: PageView, night: Night, house: House, undoable: Undoable | None) -> PageView:
    names = {seat.id: seat.name for seat in night.seats}
    return _with(
        shared,
        games=tuple(_game_view(house, key) for key in house.games),
        rules_aloud=tuple(length for length, _ in house.games[night.game].rules_aloud),
        guarded=tuple(seat.id for seat in night.seats if seat.secret is not None),
        requests=tuple(RequestView(request.id, names[request.seat]) for request in night.requests),
        undo=UndoView(undoable.of_host, plain(undoable.step.what or "")) if undoable is not None else None,
        next=_next_step(shared, night),
        pause_reasons=tuple(_pause(reason) for reason in nights.PAUSE_REASONS) if shared.is_on else (),
    )


def _next_step(shared: PageView, night: Night) -> Act | None:
    """The one big button: lift a pause, start, go on in the game, or play again."""
    if night.pauses and shared.is_on:
        return Act(SHARED.say("step.resume"), nights.Resume(night.pauses[0]))
    if night.play is None:
        playing = sum(not seat.sits_out for seat in night.seats)
        if playing < shared.game.fewest:
            return Act(SHARED.say("step.too-few", have=playing, need=shared.game.fewest), None)
        return Act(SHARED.say("step.begin"), nights.BeginGame())
    if shared.is_over:
        return Act(SHARED.say("step.again"), nights.PlayAgain())
    step: Act | None = shared.play.next
    return step


def _person(seat: Seat) -> PersonView:
    token = TOKENS[seat.token - 1]
    return PersonView(
        seat.id,
        seat.name,
        seat.letter,
        seat.token,
        seat.sits_out,
        seat.phone is not None,
        token.colour,
        token.shape,
        seat.said_as,
    )


def _pause(reason: str) -> PauseView:
    return PauseView(reason, SHARED.say(f"pause.{reason}"))


def _booth_seat(seat: Seat) -> BoothSeatView:
    return BoothSeatView(seat.id, seat.secret is not None)


def _game_view(house: House, key: str) -> GameView:
    game = house.games[key]
    return GameView(game.key, game.title, *game.players)
