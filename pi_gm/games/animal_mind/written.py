"""A game that a person wrote by hand: the pile in the order drawn, then a move a line. Pure."""

from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from pi_gm.errors import BadInput
from pi_gm.floor import FloorReading
from pi_gm.games import HOST, Actor, Rejected, Role, Surroundings
from pi_gm.games.animal_mind import commands
from pi_gm.games.animal_mind.cards import SCORING, VALUES, Card, Kind, Pile
from pi_gm.games.animal_mind.decide import begin_with, decide
from pi_gm.games.animal_mind.options import FEWEST, MOST, Options
from pi_gm.games.animal_mind.phrasebook import BOOK
from pi_gm.games.animal_mind.state import State, evolve
from pi_gm.players import Seat, SeatId
from pi_gm.room import no_sensors

_HEAD = 'write {"game": "animal-mind", "seats": ["Ana", "Ben"], "pile": [["milk", 2], "scoring"]}'
_MOVE = (
    'write {"seat": "Ana", "move": "offer", "to": "Ben", "kind": "milk"} (or "value": 2), '
    '{"seat": "Ben", "move": "accept"}, "reject", or {"seat": "Ben", "move": "discard", "kind": "fur"}'
)


class _Head(Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    seats: tuple[str, ...]
    pile: tuple[Any, ...]


class _Offer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="move", tag="offer"):
    seat: str
    to: str
    kind: Kind | None = None
    value: int | None = None


class _Accept(Struct, frozen=True, forbid_unknown_fields=True, tag_field="move", tag="accept"):
    seat: str


class _Reject(Struct, frozen=True, forbid_unknown_fields=True, tag_field="move", tag="reject"):
    seat: str


class _Discard(Struct, frozen=True, forbid_unknown_fields=True, tag_field="move", tag="discard"):
    seat: str
    kind: Kind


_Move = _Offer | _Accept | _Reject | _Discard

_heads = msgspec.json.Decoder(_Head)
_moves: msgspec.json.Decoder[_Move] = msgspec.json.Decoder(_Move)


def play_written(lines: Iterable[bytes]) -> tuple[State, tuple[Seat, ...]]:
    """Where the game stands after every move. Raises BadInput with the line's number, the reason and the cure."""
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    number, text = next(numbered, (1, b""))
    head = _decoded(_heads, number, text, _HEAD)
    seats = _seats(head, number)
    around = Surroundings(0.0, seats, no_sensors(), FloorReading())
    state: State | None = None
    for event in begin_with(_pile(head, number), tuple(seat.id for seat in seats), Options(), around):
        state = evolve(state, event)
    if state is None:
        raise BadInput(f"line {number}: nothing begins here: {_HEAD}")
    state = _looked_at(state, around)
    for number, text in numbered:
        move = _decoded(_moves, number, text, _MOVE)
        state = _looked_at(_moved(state, move, number, around), around)
    return state, seats


def _decoded(decoder: msgspec.json.Decoder[Any], number: int, text: bytes, cure: str) -> Any:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadInput(f"line {number}: {fault}: {cure}") from fault


def _seats(head: _Head, number: int) -> tuple[Seat, ...]:
    if not FEWEST <= len(head.seats) <= MOST or len(set(head.seats)) < len(head.seats) or "" in head.seats:
        raise BadInput(f"line {number}: seats: name {FEWEST} to {MOST} players, each once")
    return tuple(Seat(SeatId(name), name, token) for token, name in enumerate(head.seats, start=1))


def _pile(head: _Head, number: int) -> Pile:
    pile: list[Card | str] = []
    for place, written in enumerate(head.pile):
        if written == SCORING:
            pile.append(SCORING)
            continue
        try:
            card = msgspec.convert(written, Card)
        except msgspec.ValidationError as fault:
            raise BadInput(
                f'line {number}: pile[{place}]: {fault}: write ["milk", 2] or "scoring"'
            ) from fault
        if card.value not in VALUES:
            raise BadInput(f"line {number}: pile[{place}]: {card.value} is no value: write 0, 1 or 2")
        pile.append(card)
    return tuple(pile)


def _moved(state: State, move: _Move, number: int, around: Surroundings) -> State:
    known = {seat.id for seat in around.seats}
    named = [("seat", move.seat)] + ([("to", move.to)] if isinstance(move, _Offer) else [])
    for field, name in named:
        if name not in known:
            raise BadInput(
                f"line {number}: {field}: {name} does not play: name one of {', '.join(sorted(known))}"
            )
    decided = decide(state, _command(move), Actor(Role.PLAYER, SeatId(move.seat)), around, Random(0))
    if isinstance(decided, Rejected):
        raise BadInput(f"line {number}: {BOOK.say(decided.reason, **dict(decided.words))}")
    for event in decided:
        state = evolve(state, event)
    return state


def _command(move: _Move) -> commands.PlayerCommand:
    match move:
        case _Offer(to=to, kind=kind, value=value):
            return commands.Offer(SeatId(to), kind, value)
        case _Accept():
            return commands.Accept()
        case _Reject():
            return commands.Reject()
        case _Discard(kind=kind):
            return commands.Discard(kind)


def _looked_at(state: State, around: Surroundings) -> State:
    """On paper nobody has to wait until everyone has looked at a card."""
    while state.go_on_at is not None:
        decided = decide(state, commands.GoOn(), HOST, around, Random(0))
        if isinstance(decided, Rejected):
            break
        for event in decided:
            state = evolve(state, event)
    return state
