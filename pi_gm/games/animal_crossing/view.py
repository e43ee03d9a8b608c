"""What one viewer may see of a night, built up from nothing. The only door from the state to any page."""

from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.floor import Reading
from pi_gm.games import Act, Page, Surroundings, Viewer
from pi_gm.games.animal_crossing import commands, loads
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.decide import (
    FEWEST,
    floor_of,
    has_film,
    missing_picks,
    participants,
    places_of,
    planned_loads,
    whereabouts,
)
from pi_gm.games.animal_crossing.loads import Loads
from pi_gm.games.animal_crossing.options import Openness, Options
from pi_gm.games.animal_crossing.phrasebook import BOOK, doubt_sentence, name_of_place, name_of_round
from pi_gm.games.animal_crossing.rules import Fate
from pi_gm.games.animal_crossing.standings import (
    Standing,
    dry,
    sentence_of_sunk,
    sentence_of_winners,
    standings,
    totals,
)
from pi_gm.games.animal_crossing.state import Phase, Round, State
from pi_gm.photo_finish import FilmView, film_of
from pi_gm.players import SeatId, names_of
from pi_gm.room import WATER
from pi_gm.whereabouts import Doubt, DoubtKind, Ground, Whereabouts


class MatView(Struct, frozen=True):
    """A sensor on the plan."""

    key: str
    reading: Reading
    owner: int | None
    """The token it belongs to; None for an anonymous mat."""
    counts: int | None = 1
    """How many people can stand on it at most; None where any number can."""


class StandingView(Struct, frozen=True):
    """A player at a place, as far as is known."""

    seat: SeatId
    ground: Ground


class PlaceView(Struct, frozen=True):
    """A place on the floor plan."""

    key: str
    name: str
    load: int | None
    """What a raft carries; None for the island and the water."""
    mats: tuple[MatView, ...]
    people: tuple[StandingView, ...]


class DoubtView(Struct, frozen=True):
    """A question to rule on and its answers."""

    sentence: str
    answers: tuple[Act, ...]


class RaftView(Struct, frozen=True):
    """A raft and its load."""

    key: str
    load: int


class RoundView(Struct, frozen=True):
    """A round that is over, as everyone at the table knows it."""

    number: int
    name: str
    rafts: tuple[RaftView, ...]
    sank: tuple[SeatId, ...]
    own_animal: Animal | None = None
    """What the viewer was; None for those who did not play it and on shared pages."""
    own_points: int | None = None
    """None unless the host allowed it (R13)."""


class OutcomeView(Struct, frozen=True):
    """One player's round, once it is open to this viewer."""

    seat: SeatId
    animal: Animal
    place: str
    place_name: str
    fate: Fate
    points: int


class OpenRoundView(Struct, frozen=True):
    """A round with everything in it."""

    number: int
    name: str
    rafts: tuple[RaftView, ...]
    outcomes: tuple[OutcomeView, ...]


class MasterRow(Struct, frozen=True):
    """What a games master sees of a player in the current round."""

    seat: SeatId
    animal: Animal | None
    outcome: OutcomeView | None
    """None until the round was settled."""
    total: int


class RoundToCome(Struct, frozen=True):
    """A round that has not begun, with its loads where they are known."""

    number: int
    name: str
    loads: Loads | None


class CrossingView(Struct, frozen=True):
    """A night of Animal Crossing for one viewer."""

    phase: Phase
    round: int
    round_name: str
    rounds: int
    openness: Openness
    games_master: bool
    headline: str
    """One sentence for the top of a big screen."""
    rafts: tuple[RaftView, ...]
    playing: tuple[SeatId, ...]
    picked: tuple[SeatId, ...]
    """Who has picked; never what."""
    waiting_for: tuple[SeatId, ...]
    ends_at: Seconds | None
    """Table time; None where no time runs."""
    full_time: Seconds | None
    """So much is shown, and stands, while more is left; None where the time runs."""
    places: tuple[PlaceView, ...]
    """The floor plan; empty unless people are on it."""
    film: FilmView | None
    """How the mats were around the buzzer; for the host's page, and for the TV while the host shows it there."""
    sank: tuple[SeatId, ...]
    dry: tuple[SeatId, ...]
    past: tuple[RoundView, ...]
    opened: tuple[OpenRoundView, ...]
    """Rounds that are open to everyone."""
    standings: tuple[Standing, ...]
    """Ranking, where totals are open; the best first."""
    animals: tuple[Animal, ...]
    """What may be picked now by this viewer; empty where nothing may."""
    own_animal: Animal | None
    """The viewer's pick of this round."""
    own_place: str | None
    """Where the viewer said that they are."""
    own_standing: str | None
    """Where the viewer is thought to be, in words; None unless boarding or ruling."""
    doubts: tuple[DoubtView, ...]
    master: tuple[MasterRow, ...]
    to_come: tuple[RoundToCome, ...]
    next: Act | None
    """The host's one big step."""
    options: Options | None
    """For the host's page."""


def view(state: State | None, options: Options, viewer: Viewer, around: Surroundings) -> CrossingView | None:
    """What ``viewer`` sees; None before a night has begun."""
    if state is None:
        return None
    is_host = viewer.page is Page.HOST
    playing = participants(state, around)
    picked = {seat for seat, _ in state.round.picks}
    found = whereabouts(state, around) if state.phase in _ON_THE_FLOOR else None
    everything = state.phase is Phase.OVER
    totals_are_open = everything or state.options.openness is Openness.OPEN
    return CrossingView(
        phase=state.phase,
        round=state.round.number,
        round_name=name_of_round(state.round.number),
        rounds=state.options.rounds,
        openness=state.options.openness,
        games_master=state.options.games_master,
        headline=_headline(state, around),
        rafts=_rafts(state.round),
        playing=playing,
        picked=tuple(seat for seat in playing if seat in picked),
        waiting_for=missing_picks(state, around) if state.phase in _CHOOSING else (),
        ends_at=state.ends_at if state.phase in (Phase.PICKING, Phase.BOARDING) else None,
        full_time=state.full_time,
        places=_places(state, found, around) if found is not None and viewer.page is not Page.BOOTH else (),
        film=_film(state, viewer, around),
        sank=state.round.sank if state.phase in _TOLD else (),
        dry=dry(state.round) if state.phase in _TOLD else (),
        past=tuple(_past(played, viewer, state) for played in state.settled),
        opened=tuple(_opened(played) for played in state.settled) if totals_are_open else (),
        standings=standings(state, around.seats) if totals_are_open else (),
        animals=tuple(Animal) if _may_pick(viewer, playing, state) else (),
        own_animal=dict(state.round.picks).get(viewer.seat)
        if viewer.page is Page.PLAYER and viewer.seat
        else None,
        own_place=dict(state.round.check_ins).get(viewer.seat)
        if viewer.page is Page.PLAYER and viewer.seat
        else None,
        own_standing=_own_standing(viewer, playing, found),
        doubts=_doubts(found, state, around) if is_host and found is not None else (),
        master=_master(state, around) if is_host and state.options.games_master else (),
        to_come=_to_come(state) if is_host else (),
        next=_next_step(state, found, around) if is_host else None,
        options=state.options if is_host else None,
    )


MOST_NAMES_ON_A_BUTTON = 3

_CHOOSING = (Phase.PICKING, Phase.CALLING)
_ON_THE_FLOOR = (Phase.BOARDING, Phase.READING, Phase.RULING)
_TOLD = (Phase.SANK, Phase.OVER)


def _film(state: State, viewer: Viewer, around: Surroundings) -> FilmView | None:
    may_see = viewer.page is Page.HOST or (viewer.page is Page.TV and state.round.shows_film)
    if not may_see or not has_film(state):
        return None
    places = (*places_of(state.round), WATER)
    mats = tuple(sensor for sensor in around.room.sensors if sensor.place in places)
    return film_of(floor_of(state.round, around), mats, around.room, is_on_tv=state.round.shows_film)


def _may_pick(viewer: Viewer, playing: tuple[SeatId, ...], state: State) -> bool:
    """Each choice looks the same, so the same four are offered at any time of picking to all who play."""
    if state.phase not in _CHOOSING:
        return False
    return (
        viewer.seat in playing
        or viewer.page is Page.BOOTH
        or (viewer.page is Page.HOST and state.options.games_master)
    )


def _rafts(round_: Round) -> tuple[RaftView, ...]:
    names = loads.names_of_rafts(len(round_.loads))
    return tuple(RaftView(name, load) for name, load in zip(names, round_.loads, strict=True))


def _headline(state: State, around: Surroundings) -> str:
    if state.phase in _CHOOSING:
        missing = names_of(around.seats, missing_picks(state, around))
        if not missing:
            return BOOK.say("headline.all-picked")
        called = state.phase is Phase.CALLING
        return (
            BOOK.say("headline.calling", names=BOOK.list_of(missing))
            if called
            else BOOK.say("headline.picking")
        )
    if state.phase is Phase.SANK:
        return sentence_of_sunk(state, around.seats)
    if state.phase is Phase.OVER:
        return sentence_of_winners(state, around.seats)
    return BOOK.say(f"headline.{state.phase.value}")


def _places(state: State, found: Whereabouts, around: Surroundings) -> tuple[PlaceView, ...]:
    floor = floor_of(state.round, around)
    carried = {raft.key: raft.load for raft in _rafts(state.round)}
    return tuple(
        PlaceView(
            key=place,
            name=name_of_place(place),
            load=carried.get(place),
            mats=tuple(
                MatView(mat.key, floor.of(mat), mat.owner, mat.counts)
                for mat in around.room.sensors_at(place)
            ),
            people=tuple(
                StandingView(finding.seat, finding.ground)
                for finding in found.findings
                if finding.place == place
            ),
        )
        for place in (*places_of(state.round), WATER)
    )


def _past(played: Round, viewer: Viewer, state: State) -> RoundView:
    """What a player may see of a past round: who sank, the own animal, and own points if the host allowed it (R13)."""
    is_own = viewer.page is Page.PLAYER
    own = next((outcome for outcome in played.outcomes if is_own and outcome.seat == viewer.seat), None)
    return RoundView(
        number=played.number,
        name=name_of_round(played.number),
        rafts=_rafts(played),
        sank=played.sank,
        own_animal=own.animal if own is not None else None,
        own_points=own.points if own is not None and state.options.own_points else None,
    )


def _opened(played: Round) -> OpenRoundView:
    return OpenRoundView(
        number=played.number,
        name=name_of_round(played.number),
        rafts=_rafts(played),
        outcomes=tuple(
            OutcomeView(o.seat, o.animal, o.place, name_of_place(o.place), o.fate, o.points)
            for o in played.outcomes
        ),
    )


def _own_standing(viewer: Viewer, playing: tuple[SeatId, ...], found: Whereabouts | None) -> str | None:
    if found is None or viewer.page is not Page.PLAYER or viewer.seat not in playing:
        return None
    return name_of_place(found.place_of(viewer.seat))


def _doubts(found: Whereabouts, state: State, around: Surroundings) -> tuple[DoubtView, ...]:
    return tuple(
        DoubtView(doubt_sentence(doubt, around.seats), _answers(doubt, state, around))
        for doubt in found.doubts
    )


def _answers(doubt: Doubt, state: State, around: Surroundings) -> tuple[Act, ...]:
    names = {seat.id: seat.name for seat in around.seats}
    place = doubt.places[0]
    if doubt.kind in (DoubtKind.TWO_PLACES, DoubtKind.MAT_AGAINST_PHONE, DoubtKind.OWN_MAT_SILENT):
        seat = doubt.seats[0]
        return tuple(Act(name_of_place(place), commands.RulePlace(seat, place)) for place in doubt.places)
    there = [
        Act(names[seat], commands.RulePlace(seat, place)) for seat in doubt.seats if seat not in doubt.claimed
    ]
    if doubt.kind is DoubtKind.TOO_MANY_PRESSED:
        return (*there, Act(BOOK.say("answer.cushion"), commands.SetMatsAside(place)))
    gone = [
        Act(BOOK.say("answer.not-there", name=names[seat]), commands.RulePlace(seat, WATER))
        for seat in doubt.claimed
    ]
    return (*there, *gone, Act(BOOK.say("answer.as-they-say"), commands.SetMatsAside(place)))


def _master(state: State, around: Surroundings) -> tuple[MasterRow, ...]:
    picks, sums = dict(state.round.picks), totals(state)
    outcomes = {outcome.seat: outcome for outcome in _opened(state.round).outcomes}
    return tuple(
        MasterRow(seat, picks.get(seat), outcomes.get(seat), sums.get(seat, 0))
        for seat in participants(state, around)
    )


def _to_come(state: State) -> tuple[RoundToCome, ...]:
    set_by_host, rafts = dict(state.loads_to_come), len(state.round.loads)
    return tuple(
        RoundToCome(
            number,
            name_of_round(number),
            set_by_host.get(number) or planned_loads(number, state.options, rafts),
        )
        for number in range(state.round.number + 1, state.options.rounds + 1)
    )


def _call_again(missing: tuple[str, ...]) -> str:
    if len(missing) > MOST_NAMES_ON_A_BUTTON:
        return BOOK.say("step.call-many-again", number=len(missing))
    return BOOK.say("step.call-again", names=BOOK.list_of(missing))


def _next_step(state: State, found: Whereabouts | None, around: Surroundings) -> Act:
    """The host's one big button: what to press now, or what is waited for."""
    if state.phase in _CHOOSING:
        missing = names_of(around.seats, missing_picks(state, around))
        if missing and state.phase is Phase.CALLING:
            return Act(_call_again(missing), commands.CallOn())
        if missing:
            return Act(BOOK.say("step.call"), commands.CallOn())
        if len(participants(state, around)) < FEWEST:
            return Act(BOOK.say("step.too-few"), None)
        return Act(BOOK.say("step.board"), commands.OpenBoarding())
    if state.phase is Phase.BOARDING:
        return Act(BOOK.say("step.buzzer"), commands.SoundBuzzer())
    if state.phase is Phase.READING:
        return Act(BOOK.say("step.reading"), None)
    if state.phase is Phase.RULING:
        open_doubts = len(found.doubts) if found is not None else 0
        if open_doubts:
            return Act(BOOK.say("step.rule-first"), None)
        return Act(BOOK.say("step.settle"), commands.SettleRound())
    if state.phase is Phase.SANK and state.round.number < state.options.rounds:
        return Act(BOOK.say("step.next", round=name_of_round(state.round.number + 1)), commands.NextRound())
    return Act(BOOK.say("step.open"), commands.OpenNight())
