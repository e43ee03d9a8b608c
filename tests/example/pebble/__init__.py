"""Pebble, the smallest game there is: in turn everyone takes one to three pebbles; who takes the last one loses."""

from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from pi_gm.announcer import Cue, Urgency
from pi_gm.games import Act, Actor, Game, Page, PublicEvent, Rejected, Surroundings, Viewer
from pi_gm.players import Seat, SeatId

PHRASES = {
    "not-your-turn": "It is not your turn.",
    "one-to-three": "Take one, two or three, and no more than there are.",
    "undo.tidy": "tidying the pebbles",
}


class Options(Struct, frozen=True):
    """How many pebbles there are."""

    pebbles: int = 7


class Take(Struct, frozen=True, tag="take", tag_field="type"):
    """A player takes pebbles."""

    pebbles: int


class Tidy(Struct, frozen=True, tag="tidy", tag_field="type"):
    """The host puts one pebble back."""


class Began(PublicEvent, frozen=True, tag="pebble-began"):
    """The heap is laid out."""

    pebbles: int
    players: tuple[SeatId, ...]


class Took(PublicEvent, frozen=True, tag="pebble-took"):
    """Somebody took pebbles."""

    seat: SeatId
    pebbles: int


class PutBack(PublicEvent, frozen=True, tag="pebble-put-back"):
    """One pebble more."""


class State(Struct, frozen=True):
    """The heap and whose turn it is."""

    pebbles: int
    players: tuple[SeatId, ...]
    turn: int = 0

    @property
    def to_move(self) -> SeatId:
        return self.players[self.turn % len(self.players)]


class PebbleView(Struct, frozen=True):
    """Everything is public."""

    pebbles: int
    to_move: SeatId
    can_take: tuple[int, ...]
    next: Act | None


def begin(options: Options, around: Surroundings, rng: Random) -> tuple[Began]:
    return (Began(options.pebbles, tuple(seat.id for seat in around.seats)),)


def decide(
    state: State, command: Take | Tidy, actor: Actor, around: Surroundings, rng: Random
) -> tuple[PublicEvent, ...] | Rejected:
    if isinstance(command, Tidy):
        return (PutBack(),)
    if actor.seat != state.to_move:
        return Rejected("not-your-turn")
    if not 1 <= command.pebbles <= min(3, state.pebbles):
        return Rejected("one-to-three")
    return (Took(state.to_move, command.pebbles),)


def evolve(state: State | None, event: Began | Took | PutBack) -> State:
    if isinstance(event, Began) or state is None:
        assert isinstance(event, Began)
        return State(event.pebbles, event.players)
    if isinstance(event, PutBack):
        return replace(state, pebbles=state.pebbles + 1)
    return replace(state, pebbles=state.pebbles - event.pebbles, turn=state.turn + 1)


def view(state: State | None, options: Options, viewer: Viewer, around: Surroundings) -> PebbleView | None:
    if state is None:
        return None
    mine = viewer.page is Page.PLAYER and viewer.seat == state.to_move and not is_over(state)
    can_take = tuple(range(1, min(3, state.pebbles) + 1)) if mine else ()
    return PebbleView(state.pebbles, state.to_move, can_take, Act("Put one back", Tidy()))


def script(event: PublicEvent, state: State, seats: Sequence[Seat]) -> tuple[Cue, ...]:
    return (Cue("heap", Urgency.INFORMATION, f"{state.pebbles} pebbles are left."),)


def is_over(state: State) -> bool:
    return state.pebbles == 0


def summary(state: State, seats: Sequence[Seat]) -> Mapping[str, object]:
    return {"over": is_over(state), "pebbles": state.pebbles}


def told(state: State, seats: Sequence[Seat]) -> tuple[str, ...]:
    return (f"{state.pebbles} pebbles are left.",)


def bot(state: State, actor: Actor, around: Surroundings, rng: Random) -> Take | None:
    return Take(1) if actor.seat == state.to_move and not is_over(state) else None


GAME = Game(
    key="pebble",
    title="Pebble",
    players=(2, 12),
    package=__name__,
    options=Options,
    player_commands=Take,
    host_commands=Tidy,
    events=Began | Took | PutBack,
    begin=begin,
    decide=decide,
    evolve=evolve,
    view=view,
    script=script,
    phrase=lambda key, **words: PHRASES[key],
    is_over=is_over,
    summary=summary,
    told=told,
    bot=bot,
)
