"""Where a night of Animal Crossing stands, and how each event moves it on. Evolving never decides."""

from enum import Enum
from functools import singledispatch
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pi_gm.clock import Seconds
from pi_gm.floor import FloorReading
from pi_gm.games.animal_crossing import events
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.loads import Loads
from pi_gm.games.animal_crossing.options import Options
from pi_gm.games.animal_crossing.rules import Outcome
from pi_gm.players import SeatId


class Phase(Enum):
    """What the table is doing."""

    PICKING = "picking"
    CALLING = "calling"
    """Time is up for picks and those without one are called on."""
    BOARDING = "boarding"
    READING = "reading"
    """The buzzer has sounded and the floor is about to be read."""
    RULING = "ruling"
    SANK = "sank"
    OVER = "over"


class Round(Struct, frozen=True):
    """One round; number 0 is the practice."""

    number: int
    loads: Loads
    players: tuple[SeatId, ...]
    picks: tuple[tuple[SeatId, Animal], ...] = ()
    check_ins: tuple[tuple[SeatId, str], ...] = ()
    rulings: tuple[tuple[SeatId, str], ...] = ()
    mats_set_aside: tuple[str, ...] = ()
    buzzer_at: Seconds | None = None
    floor: FloorReading | None = None
    """What the sensors said at the buzzer; None until it was read."""
    shows_film: bool = False
    """Whether the TV shows how the mats were around the buzzer."""
    is_settled: bool = False
    outcomes: tuple[Outcome, ...] = ()
    sank: tuple[SeatId, ...] = ()


class State(Struct, frozen=True):
    """A night."""

    options: Options
    phase: Phase
    round: Round
    past: tuple[Round, ...] = ()
    """The rounds before this one, the oldest first."""
    ends_at: Seconds | None = None
    warn_at: Seconds | None = None
    starts_by: Seconds | None = None
    """While the call to board is being said: when its time runs at the latest."""
    loads_to_come: tuple[tuple[int, Loads], ...] = ()
    """What the host set for rounds still to begin."""

    @property
    def full_time(self) -> Seconds | None:
        """The time to board, which waits for the end of the call; None where nothing waits."""
        return None if self.starts_by is None or self.ends_at is None else self.ends_at - self.starts_by

    @property
    def settled(self) -> tuple[Round, ...]:
        """Every round whose outcome is known, the practice included."""
        return (*self.past, self.round) if self.round.is_settled else self.past


_Value = TypeVar("_Value")


def _put(
    pairs: tuple[tuple[SeatId, _Value], ...], seat: SeatId, value: _Value
) -> tuple[tuple[SeatId, _Value], ...]:
    return (*((other, kept) for other, kept in pairs if other != seat), (seat, value))


_NO_ROUND = Round(-1, (), ())


def evolve(state: State | None, event: events.Event) -> State:
    """The state after ``event``.

    What was said before the host took its occasion back, for a round or a boarding that is no longer on, changes
    nothing.
    """
    if isinstance(event, events.NightBegan):
        return State(event.options, Phase.SANK, _NO_ROUND)
    if state is None:
        raise ValueError(f"a night begins with NightBegan, not with {type(event).__name__}")
    if getattr(event, "round", state.round.number) != state.round.number and not isinstance(
        event, _OF_OTHER_ROUNDS
    ):
        return state
    return _evolved(event, state)


_OF_OTHER_ROUNDS = (events.RoundBegan, events.LoadsChanged)


@singledispatch
def _evolved(event: object, state: State) -> State:
    raise TypeError(f"no night can take a {type(event).__name__}")


@_evolved.register
def _(event: events.RoundBegan, state: State) -> State:
    return replace(
        state,
        phase=Phase.PICKING,
        round=Round(event.round, event.loads, event.players),
        past=state.settled,
        ends_at=event.ends_at,
        warn_at=event.warn_at,
    )


@_evolved.register
def _(event: events.AnimalPicked, state: State) -> State:
    picks = _put(state.round.picks, event.seat, event.animal)
    return replace(state, round=replace(state.round, picks=picks))


@_evolved.register
def _(event: events.MinuteLeft, state: State) -> State:
    return replace(state, warn_at=None)


@_evolved.register
def _(event: events.TenSecondsLeft, state: State) -> State:
    return replace(state, warn_at=None)


@_evolved.register
def _(event: events.PicksCalledFor, state: State) -> State:
    return replace(state, phase=Phase.CALLING, ends_at=None, warn_at=None)


@_evolved.register
def _(event: events.BoardingOpened, state: State) -> State:
    return replace(
        state,
        phase=Phase.BOARDING,
        ends_at=event.ends_at,
        warn_at=event.warn_at,
        starts_by=event.starts_by,
    )


@_evolved.register
def _(event: events.CountdownStarted, state: State) -> State:
    return replace(state, ends_at=event.ends_at, warn_at=event.warn_at, starts_by=None)


@_evolved.register
def _(event: events.TimeAdded, state: State) -> State:
    phase = Phase.PICKING if state.phase is Phase.CALLING else state.phase
    return replace(state, phase=phase, ends_at=event.ends_at, warn_at=event.warn_at)


@_evolved.register
def _(event: events.CheckedIn, state: State) -> State:
    if state.phase is not Phase.BOARDING:
        return state
    check_ins = _put(state.round.check_ins, event.seat, event.place)
    return replace(state, round=replace(state.round, check_ins=check_ins))


@_evolved.register
def _(event: events.BoardingClosed, state: State) -> State:
    closed = replace(state.round, buzzer_at=event.at)
    return replace(
        state, phase=Phase.READING, round=closed, ends_at=event.read_at, warn_at=None, starts_by=None
    )


@_evolved.register
def _(event: events.FloorRead, state: State) -> State:
    return replace(state, phase=Phase.RULING, round=replace(state.round, floor=event.floor), ends_at=None)


@_evolved.register
def _(event: events.DoubtsFound, state: State) -> State:
    return state


@_evolved.register
def _(event: events.PlaceRuled, state: State) -> State:
    rulings = _put(state.round.rulings, event.seat, event.place)
    return replace(state, round=replace(state.round, rulings=rulings))


@_evolved.register
def _(event: events.RulingTakenBack, state: State) -> State:
    rulings = tuple(pair for pair in state.round.rulings if pair[0] != event.seat)
    return replace(state, round=replace(state.round, rulings=rulings))


@_evolved.register
def _(event: events.MatsSetAside, state: State) -> State:
    aside = (*state.round.mats_set_aside, event.place)
    return replace(state, round=replace(state.round, mats_set_aside=aside))


@_evolved.register
def _(event: events.FilmShown, state: State) -> State:
    return replace(state, round=replace(state.round, shows_film=True))


@_evolved.register
def _(event: events.FilmHidden, state: State) -> State:
    return replace(state, round=replace(state.round, shows_film=False))


@_evolved.register
def _(event: events.RoundSettled, state: State) -> State:
    return replace(state, round=replace(state.round, outcomes=event.outcomes))


@_evolved.register
def _(event: events.PlayersSank, state: State) -> State:
    return replace(state, phase=Phase.SANK, round=replace(state.round, is_settled=True, sank=event.sank))


@_evolved.register
def _(event: events.RoundOpened, state: State) -> State:
    return state


@_evolved.register
def _(event: events.TimesChanged, state: State) -> State:
    times = replace(state.options, pick_seconds=event.pick_seconds, board_seconds=event.board_seconds)
    return replace(state, options=times)


@_evolved.register
def _(event: events.LoadsChanged, state: State) -> State:
    kept = tuple(pair for pair in state.loads_to_come if pair[0] != event.round)
    return replace(state, loads_to_come=(*kept, (event.round, event.loads)))


@_evolved.register
def _(event: events.SettlingChanged, state: State) -> State:
    return replace(state, options=replace(state.options, settle_without_host=event.without_host))


@_evolved.register
def _(event: events.NightOpened, state: State) -> State:
    return replace(state, phase=Phase.OVER, ends_at=None, warn_at=None)
