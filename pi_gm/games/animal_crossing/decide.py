"""What a command brings about, or why it does not."""

from functools import singledispatch
from random import Random

from msgspec import Struct

from pi_gm.announcer import time_to_say
from pi_gm.floor import FloorReading
from pi_gm.games import Actor, Rejected, Role, Surroundings
from pi_gm.games.animal_crossing import commands, events, loads, rules
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.loads import Loads
from pi_gm.games.animal_crossing.options import (
    LONGEST_BOARD_SECONDS,
    LONGEST_PICK_SECONDS,
    LoadsFrom,
    Openness,
    Options,
    are_loads,
    mistakes,
)
from pi_gm.games.animal_crossing.phrasebook import BOOK, call_to_board
from pi_gm.games.animal_crossing.state import Phase, Round, State, evolve
from pi_gm.players import SeatId, names_of
from pi_gm.room import ISLAND, WATER
from pi_gm.signs import Boarding
from pi_gm.whereabouts import Evidence, Whereabouts, find

FEWEST, MOST = 2, 12
SECONDS_TO_READ_FLOOR = 0.4
"""After the buzzer, so that a contact made just before it has time to prove that it holds."""
WARN_PICKING, WARN_BOARDING = 60, 10
MOST_ADDED_SECONDS = 600

Decision = tuple[events.Event, ...] | Rejected


class _Asked(Struct, frozen=True):
    """Who asks, and what the table knows at that moment."""

    actor: Actor
    around: Surroundings
    rng: Random


def begin(options: Options, around: Surroundings, rng: Random) -> Decision:
    """The first round of a night, the practice where there is one; 2 to 12 players (R16)."""
    found = mistakes(options)
    if found:
        return Rejected(found[0])
    playing = sum(not seat.sits_out for seat in around.seats)
    if not FEWEST <= playing <= MOST:
        return Rejected("too-few-players" if playing < FEWEST else "too-many-players")
    rounds = options.rounds + options.practice
    if options.loads is LoadsFrom.TYPED and len(options.typed) < rounds:
        return Rejected("too-few-loads-typed", (("rounds", str(rounds)), ("typed", str(len(options.typed)))))
    first = 0 if options.practice else 1
    began = events.NightBegan(options)
    return (began, _round_began(first, options, (), (), around, rng))


def participants(state: State, around: Surroundings) -> tuple[SeatId, ...]:
    """Who plays this round, in seating order.

    Those who were at the table when it began, without those who sit it out (R10); once boarding has begun, only those who
    picked (R11).
    """
    picked = {seat for seat, _ in state.round.picks}
    is_picking = state.phase in (Phase.PICKING, Phase.CALLING)
    return tuple(
        seat.id
        for seat in around.seats
        if seat.id in state.round.players and not seat.sits_out and (is_picking or seat.id in picked)
    )


def missing_picks(state: State, around: Surroundings) -> tuple[SeatId, ...]:
    """Who still has to pick, in seating order."""
    picked = {seat for seat, _ in state.round.picks}
    return tuple(seat for seat in participants(state, around) if seat not in picked)


def places_of(round_: Round) -> tuple[str, ...]:
    """The rafts of the round and the island."""
    return (*loads.names_of_rafts(len(round_.loads)), ISLAND)


def floor_of(round_: Round, around: Surroundings) -> FloorReading:
    """What the sensors say: now while boarding, at the buzzer once the floor was read for it."""
    return around.floor if round_.floor is None else round_.floor.ignoring(around.ignored)


def whereabouts(state: State, around: Surroundings) -> Whereabouts:
    """Who is where: now while boarding, at the buzzer once the floor was read for it."""
    tokens = {seat.id: seat.token for seat in around.seats}
    places = places_of(state.round)
    return find(
        Evidence(
            tokens=tuple((seat, tokens[seat]) for seat in participants(state, around)),
            places=places,
            sensors=tuple(sensor for sensor in around.room.sensors if sensor.place in (*places, WATER)),
            floor=floor_of(state.round, around),
            check_ins=state.round.check_ins,
            rulings=state.round.rulings,
            mats_set_aside=state.round.mats_set_aside,
        )
    )


def decide(
    state: State, command: commands.AnyCommand, actor: Actor, around: Surroundings, rng: Random
) -> Decision:
    """The events that follow from ``command``, or the reason why there are none."""
    is_for_players = isinstance(command, commands.PlayerCommand)
    is_for_clock = isinstance(command, commands.ClockCommand)
    meant_for = Role.PLAYER if is_for_players else Role.CLOCK if is_for_clock else Role.HOST
    if actor.role is not meant_for:
        return Rejected("not-yours-to-say")
    if state.phase is Phase.OVER:
        return Rejected("night-is-over")
    if around.is_paused and isinstance(command, _NEEDS_TIME):
        return Rejected("paused")
    return _decided(command, state, _Asked(actor, around, rng))


_NEEDS_TIME = (
    commands.CheckIn,
    commands.OpenBoarding,
    commands.SoundBuzzer,
    commands.NextRound,
    commands.TimeUp,
)


@singledispatch
def _decided(command: object, state: State, asked: _Asked) -> Decision:
    raise TypeError(f"not a command of this game: {type(command).__name__}")


@_decided.register
def _(command: commands.PickAnimal, state: State, asked: _Asked) -> Decision:
    """Picks can be changed until boarding begins, and not after (R11)."""
    seat = asked.actor.seat
    if seat is None:
        return Rejected("not-yours-to-say")
    return _picked(seat, command.animal, state, asked)


@_decided.register
def _(command: commands.PickFor, state: State, asked: _Asked) -> Decision:
    if not state.options.games_master:
        return Rejected("no-games-master")
    return _picked(command.seat, command.animal, state, asked)


def _picked(seat: SeatId, animal: Animal, state: State, asked: _Asked) -> Decision:
    if state.phase not in (Phase.PICKING, Phase.CALLING):
        return Rejected("picking-is-over")
    if seat not in participants(state, asked.around):
        return Rejected("not-in-this-round")
    return (events.AnimalPicked(state.round.number, seat, animal),)


@_decided.register
def _(command: commands.CheckIn, state: State, asked: _Asked) -> Decision:
    if state.phase is not Phase.BOARDING or _is_late(state, asked.around):
        return Rejected("not-boarding")
    seat = asked.actor.seat
    if seat is None or seat not in participants(state, asked.around):
        return Rejected("not-in-this-round")
    if command.place not in (*places_of(state.round), WATER):
        return Rejected("no-such-place", (("place", command.place[:20]),))
    return (events.CheckedIn(state.round.number, seat, command.place),)


def _is_late(state: State, around: Surroundings) -> bool:
    """Whether the buzzer is due, though the clock has not sent it yet: a stamp decides, not who got here first."""
    return state.ends_at is not None and around.now > state.ends_at


@_decided.register
def _(command: commands.CallOn, state: State, asked: _Asked) -> Decision:
    if state.phase not in (Phase.PICKING, Phase.CALLING):
        return Rejected("picking-is-over")
    return (events.PicksCalledFor(missing_picks(state, asked.around)),)


@_decided.register
def _(command: commands.OpenBoarding, state: State, asked: _Asked) -> Decision:
    """Boarding cannot begin while a pick is missing (R11)."""
    if state.phase not in (Phase.PICKING, Phase.CALLING):
        return Rejected("picking-is-over")
    missing = missing_picks(state, asked.around)
    if missing:
        return Rejected("pick-missing", (("names", BOOK.list_of(names_of(asked.around.seats, missing))),))
    if len(participants(state, asked.around)) < FEWEST:
        return Rejected("too-few-players")
    starts_by = asked.around.now
    if asked.around.is_heard:
        starts_by += time_to_say(call_to_board(state.round.number, state.options.board_seconds))
    ends_at = starts_by + state.options.board_seconds
    warn_at = _warn_at(ends_at, starts_by, WARN_BOARDING)
    return (events.BoardingOpened(ends_at, warn_at, starts_by if asked.around.is_heard else None),)


@_decided.register
def _(command: commands.CallWasSaid, state: State, asked: _Asked) -> Decision:
    """What was still allowed for the call is taken off; a call that took longer is not waited for."""
    now = asked.around.now
    if state.starts_by is None or state.ends_at is None or now >= state.starts_by:
        return ()
    ends_at = state.ends_at - (state.starts_by - now)
    return (events.CountdownStarted(ends_at, _warn_at(ends_at, now, WARN_BOARDING)),)


def _warn_at(ends_at: float, now: float, before: float) -> float | None:
    """When to say that time runs short; None where that would be said at once."""
    return ends_at - before if ends_at - now > before + 2 else None


@_decided.register
def _(command: commands.SoundBuzzer, state: State, asked: _Asked) -> Decision:
    if state.phase is not Phase.BOARDING:
        return Rejected("not-boarding")
    now = asked.around.now
    return (_closed_at(now if state.ends_at is None else min(now, state.ends_at)),)


def _closed_at(instant: float) -> events.BoardingClosed:
    return events.BoardingClosed(instant, instant + SECONDS_TO_READ_FLOOR)


@_decided.register
def _(command: commands.AddTime, state: State, asked: _Asked) -> Decision:
    if state.phase not in (Phase.PICKING, Phase.CALLING, Phase.BOARDING):
        return Rejected("no-time-runs")
    if not 1 <= command.seconds <= MOST_ADDED_SECONDS:
        return Rejected("bad-seconds", (("most", str(MOST_ADDED_SECONDS)),))
    now = asked.around.now
    ends_at = (now if state.ends_at is None else state.ends_at) + command.seconds
    before = WARN_BOARDING if state.phase is Phase.BOARDING else WARN_PICKING
    return (events.TimeAdded(ends_at, _warn_at(ends_at, now, before)),)


@_decided.register
def _(command: commands.RulePlace, state: State, asked: _Asked) -> Decision:
    """The host's word goes before everything, a foul's place in the water included (R3, R12)."""
    refused = _cannot_rule(state) or _no_such_player(command.seat, state, asked)
    if refused is not None:
        return refused
    if command.place not in (*places_of(state.round), WATER):
        return Rejected("no-such-place", (("place", command.place[:20]),))
    return (events.PlaceRuled(state.round.number, command.seat, command.place),)


def _cannot_rule(state: State) -> Rejected | None:
    return (
        None if state.phase in (Phase.BOARDING, Phase.READING, Phase.RULING) else Rejected("nothing-to-rule")
    )


def _no_such_player(seat: SeatId, state: State, asked: _Asked) -> Rejected | None:
    return None if seat in participants(state, asked.around) else Rejected("not-in-this-round")


@_decided.register
def _(command: commands.TakeRulingBack, state: State, asked: _Asked) -> Decision:
    refused = _cannot_rule(state) or _no_such_player(command.seat, state, asked)
    if refused is not None:
        return refused
    return (events.RulingTakenBack(state.round.number, command.seat),)


@_decided.register
def _(command: commands.SetMatsAside, state: State, asked: _Asked) -> Decision:
    refused = _cannot_rule(state)
    if refused is not None:
        return refused
    if command.place not in (*places_of(state.round), WATER):
        return Rejected("no-such-place", (("place", command.place[:20]),))
    return (events.MatsSetAside(state.round.number, command.place),)


@_decided.register
def _(command: commands.ShowFilm, state: State, asked: _Asked) -> Decision:
    if not has_film(state):
        return Rejected("no-film")
    return () if state.round.shows_film else (events.FilmShown(state.round.number),)


@_decided.register
def _(command: commands.HideFilm, state: State, asked: _Asked) -> Decision:
    return (events.FilmHidden(state.round.number),) if state.round.shows_film else ()


def has_film(state: State) -> bool:
    """Whether it can be shown how the mats were around this round's buzzer."""
    read = state.round.floor
    return state.phase in (Phase.RULING, Phase.SANK) and read is not None and bool(read.strips)


@_decided.register
def _(command: commands.SettleRound, state: State, asked: _Asked) -> Decision:
    """A round is settled only when nothing about it is in doubt (R3)."""
    if state.phase is not Phase.RULING:
        return Rejected("nothing-to-settle")
    if whereabouts(state, asked.around).doubts:
        return Rejected("rule-first")
    return _settled(state, asked.around)


def _settled(state: State, around: Surroundings) -> tuple[events.Event, ...]:
    """The round's outcome: in secret mode who sank and nothing else leaves it (R13), in open mode all (R14)."""
    found = whereabouts(state, around)
    picks = dict(state.round.picks)
    carried = dict(zip(loads.names_of_rafts(len(state.round.loads)), state.round.loads, strict=True))
    boarded = [rules.Boarding(finding.seat, picks[finding.seat], finding.place) for finding in found.findings]
    outcomes = rules.settle(boarded, carried)
    number = state.round.number
    settled = (
        events.RoundSettled(number, outcomes),
        events.PlayersSank(
            number,
            sank=tuple(outcome.seat for outcome in outcomes if outcome.fate.is_sunk),
            dry=tuple(outcome.seat for outcome in outcomes if not outcome.fate.is_sunk),
        ),
    )
    return (*settled, events.RoundOpened(number)) if state.options.openness is Openness.OPEN else settled


@_decided.register
def _(command: commands.NextRound, state: State, asked: _Asked) -> Decision:
    if state.phase is not Phase.SANK:
        return Rejected("round-is-on")
    if state.round.number >= state.options.rounds:
        return Rejected("no-round-left")
    if sum(not seat.sits_out for seat in asked.around.seats) < FEWEST:
        return Rejected("too-few-players")
    before = tuple(played.loads for played in state.settled)
    number = state.round.number + 1
    return (_round_began(number, state.options, state.loads_to_come, before, asked.around, asked.rng),)


def _round_began(
    number: int,
    options: Options,
    to_come: tuple[tuple[int, Loads], ...],
    before: tuple[Loads, ...],
    around: Surroundings,
    rng: Random,
) -> events.RoundBegan:
    playing = sum(not seat.sits_out for seat in around.seats)
    rafts = options.rafts or loads.rafts_for(playing)
    chosen = dict(to_come).get(number) or planned_loads(number, options, rafts)
    ends_at = around.now + options.pick_seconds
    return events.RoundBegan(
        round=number,
        loads=chosen or loads.draw(playing, rafts, before, rng),
        players=tuple(seat.id for seat in around.seats),
        ends_at=ends_at,
        warn_at=_warn_at(ends_at, around.now, WARN_PICKING),
    )


def planned_loads(number: int, options: Options, rafts: int) -> Loads | None:
    """The loads of a round that are known in advance; None where they are drawn when it begins."""
    if options.loads is LoadsFrom.TYPED:
        return options.typed[number if options.practice else number - 1]
    return loads.on_screen(number, rafts) if options.loads is LoadsFrom.SCREEN else None


@_decided.register
def _(command: commands.OpenNight, state: State, asked: _Asked) -> Decision:
    """At the end everything opens (R13). A round that nobody has boarded for is given up: it was not played."""
    if state.phase not in (Phase.SANK, Phase.PICKING, Phase.CALLING):
        return Rejected("round-is-on")
    return (events.NightOpened(),)


@_decided.register
def _(command: commands.ChangeTimes, state: State, asked: _Asked) -> Decision:
    if not 5 <= command.pick_seconds <= LONGEST_PICK_SECONDS:
        return Rejected("options.pick_seconds")
    if not 3 <= command.board_seconds <= LONGEST_BOARD_SECONDS:
        return Rejected("options.board_seconds")
    return (events.TimesChanged(command.pick_seconds, command.board_seconds),)


@_decided.register
def _(command: commands.ChangeLoads, state: State, asked: _Asked) -> Decision:
    if not state.round.number < command.round <= state.options.rounds:
        return Rejected("round-has-begun")
    if not are_loads(command.loads):
        return Rejected("options.typed")
    return (events.LoadsChanged(command.round, command.loads),)


@_decided.register
def _(command: commands.SettleWithoutHost, state: State, asked: _Asked) -> Decision:
    return (events.SettlingChanged(command.on),)


@_decided.register
def _(command: commands.TimeUp, state: State, asked: _Asked) -> Decision:
    if state.warn_at is not None and asked.around.now >= state.warn_at:
        return (events.TenSecondsLeft(),) if state.phase is Phase.BOARDING else (events.MinuteLeft(),)
    if state.ends_at is None or asked.around.now < state.ends_at:
        return ()
    if state.phase is Phase.PICKING:
        return (events.PicksCalledFor(missing_picks(state, asked.around)),)
    if state.phase is Phase.BOARDING:
        return (_closed_at(state.ends_at),)
    return _floor_read(state, asked.around)


def _floor_read(state: State, around: Surroundings) -> tuple[events.Event, ...]:
    """What is in doubt is asked; without a doubt the round settles by itself where the host chose so."""
    read = events.FloorRead(around.floor)
    ruling = evolve(state, read)
    doubts = whereabouts(ruling, around).doubts
    if doubts:
        return (read, events.DoubtsFound(state.round.number, doubts))
    return (read, *_settled(ruling, around)) if ruling.options.settle_without_host else (read,)


def deadline(state: State) -> float | None:
    """When the clock must send TimeUp; None while the game waits for people."""
    moments = [moment for moment in (state.warn_at, state.ends_at) if moment is not None]
    return min(moments, default=None)


def floor_instant(state: State) -> float | None:
    """The buzzer's instant, once it has sounded and until the floor was read for it."""
    return state.round.buzzer_at if state.phase is Phase.READING else None


def boarding(state: State) -> Boarding | None:
    """The rafts that may be boarded now; None when none may."""
    if state.phase is not Phase.BOARDING:
        return None
    return Boarding(
        loads.names_of_rafts(len(state.round.loads)),
        state.ends_at,
        0.0 if state.starts_by is None else state.starts_by,
    )
