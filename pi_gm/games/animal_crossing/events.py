"""What happened in a night of Animal Crossing. An event's base says who may know it."""

from typing import ClassVar

from pi_gm.clock import Seconds
from pi_gm.floor import FloorReading
from pi_gm.games import PublicEvent, SecretEvent
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.loads import Loads
from pi_gm.games.animal_crossing.options import Options
from pi_gm.games.animal_crossing.rules import Outcome
from pi_gm.players import SeatId
from pi_gm.whereabouts import Doubt


class NightBegan(PublicEvent, frozen=True, tag="night-began"):
    """The host began with these options."""

    options: Options


class RoundBegan(PublicEvent, frozen=True, tag="round-began"):
    """The loads are announced and picking is open until ``ends_at``."""

    turns_phase: ClassVar[bool] = True

    round: int
    loads: Loads
    players: tuple[SeatId, ...]
    """Everyone at the table now; whoever joins later plays from the next round."""
    ends_at: Seconds
    warn_at: Seconds | None


class AnimalPicked(SecretEvent, frozen=True, tag="animal-picked"):
    """A player chose."""

    round: int
    seat: SeatId
    animal: Animal


class MinuteLeft(PublicEvent, frozen=True, tag="minute-left"):
    """One minute of picking is left."""


class PicksCalledFor(PublicEvent, frozen=True, tag="picks-called-for"):
    """The time for picks is over; ``missing`` are called on by name."""

    turns_phase: ClassVar[bool] = True

    missing: tuple[SeatId, ...]


class BoardingOpened(PublicEvent, frozen=True, tag="boarding-opened"):
    """Everyone may go to the rafts until ``ends_at``."""

    turns_phase: ClassVar[bool] = True

    ends_at: Seconds
    warn_at: Seconds | None
    starts_by: Seconds | None = None
    """The time runs from here, or from the end of the call to board if that is earlier; None: it runs at once."""


class CountdownStarted(PublicEvent, frozen=True, tag="countdown-started"):
    """The call to board was said, so its time runs."""

    ends_at: Seconds
    warn_at: Seconds | None


class TimeAdded(PublicEvent, frozen=True, tag="time-added"):
    """The phase that runs ends at ``ends_at`` instead."""

    ends_at: Seconds
    warn_at: Seconds | None


class CheckedIn(PublicEvent, frozen=True, tag="checked-in"):
    """A player said where they are."""

    round: int
    seat: SeatId
    place: str


class TenSecondsLeft(PublicEvent, frozen=True, tag="ten-seconds-left"):
    """Ten seconds of boarding are left."""


class BoardingClosed(PublicEvent, frozen=True, tag="boarding-closed"):
    """The buzzer sounded at ``at``; the floor is read for that instant at ``read_at``."""

    bars_undo: ClassVar[bool] = True
    turns_phase: ClassVar[bool] = True

    at: Seconds
    read_at: Seconds


class FloorRead(PublicEvent, frozen=True, tag="floor-read"):
    """What every sensor said at the instant of the buzzer."""

    floor: FloorReading


class DoubtsFound(PublicEvent, frozen=True, tag="doubts-found"):
    """Something about who was where does not add up: the table is asked, and the host rules (R3)."""

    round: int
    doubts: tuple[Doubt, ...]


class PlaceRuled(PublicEvent, frozen=True, tag="place-ruled"):
    """The host said where a player is."""

    round: int
    seat: SeatId
    place: str


class RulingTakenBack(PublicEvent, frozen=True, tag="ruling-taken-back"):
    """The host's word on a player no longer counts."""

    round: int
    seat: SeatId


class MatsSetAside(PublicEvent, frozen=True, tag="mats-set-aside"):
    """The mats of a place are not counted in this round."""

    round: int
    place: str


class FilmShown(PublicEvent, frozen=True, tag="film-shown"):
    """The TV shows how the mats were around the buzzer."""

    round: int


class FilmHidden(PublicEvent, frozen=True, tag="film-hidden"):
    """It does so no more."""

    round: int


class RoundSettled(SecretEvent, frozen=True, tag="round-settled"):
    """What became of everyone, and why."""

    round: int
    outcomes: tuple[Outcome, ...]


class PlayersSank(PublicEvent, frozen=True, tag="players-sank"):
    """Who sank, in seating order, and nothing else (R13)."""

    opens: ClassVar[bool] = True

    round: int
    sank: tuple[SeatId, ...]
    dry: tuple[SeatId, ...]


class RoundOpened(PublicEvent, frozen=True, tag="round-opened"):
    """In open mode everyone may see the round that was settled (R14)."""

    opens: ClassVar[bool] = True

    round: int


class TimesChanged(PublicEvent, frozen=True, tag="times-changed"):
    """The phases still to begin take this long."""

    pick_seconds: int
    board_seconds: int


class LoadsChanged(PublicEvent, frozen=True, tag="loads-changed"):
    """A round still to come has these loads."""

    round: int
    loads: Loads


class SettlingChanged(PublicEvent, frozen=True, tag="settling-changed"):
    """Whether rounds without a doubt settle by themselves from now on."""

    without_host: bool


class NightOpened(PublicEvent, frozen=True, tag="night-opened"):
    """The night is over and everything is open."""

    opens: ClassVar[bool] = True


Event = (
    NightBegan
    | RoundBegan
    | AnimalPicked
    | MinuteLeft
    | PicksCalledFor
    | BoardingOpened
    | CountdownStarted
    | TimeAdded
    | CheckedIn
    | TenSecondsLeft
    | BoardingClosed
    | FloorRead
    | DoubtsFound
    | PlaceRuled
    | RulingTakenBack
    | MatsSetAside
    | FilmShown
    | FilmHidden
    | RoundSettled
    | PlayersSank
    | RoundOpened
    | TimesChanged
    | LoadsChanged
    | SettlingChanged
    | NightOpened
)
