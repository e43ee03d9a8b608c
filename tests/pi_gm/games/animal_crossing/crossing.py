"""A night of Animal Crossing without a table, so that a test can say what happens in a line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from msgspec.structs import replace

from pi_gm.clock import Seconds
from pi_gm.floor import FloorReading, Reading
from pi_gm.games import CLOCK, HOST, Actor, GameEvent, Page, PublicEvent, Rejected, Role, Surroundings, Viewer
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.decide import begin, deadline, decide, floor_instant
from pi_gm.games.animal_crossing.events import Event
from pi_gm.games.animal_crossing.options import Options
from pi_gm.games.animal_crossing.script import script
from pi_gm.games.animal_crossing.state import Phase, State, evolve
from pi_gm.games.animal_crossing.view import CrossingView, view
from pi_gm.players import Seat, SeatId
from pi_gm.room import Room, no_sensors

MOUSE, CAT, DOG, ELEPHANT = Animal.MOUSE, Animal.CAT, Animal.DOG, Animal.ELEPHANT
PEOPLE = ("Ana", "Ben", "Chloe", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jo", "Kim", "Lea")
NO_PRACTICE = Options(practice=False)


def seat_id(name: str) -> SeatId:
    """A seat is known by its player's name, so that a failing test can be read."""
    return SeatId(name)


def seats_for(*names: str) -> tuple[Seat, ...]:
    return tuple(Seat(seat_id(name), name, token) for token, name in enumerate(names, start=1))


@dataclass
class Crossing:
    """A night under way. What is done happens at ``now``; nothing passes time but ``pass_time``."""

    seats: tuple[Seat, ...]
    options: Options = NO_PRACTICE
    room: Room = field(default_factory=no_sensors)
    now: Seconds = 100.0
    floor: FloorReading = field(default_factory=FloorReading)
    is_paused: bool = False
    is_heard: bool = False
    rng: Random = field(default_factory=lambda: Random(7))
    said: list[str] = field(default_factory=list)
    happened: list[Event] = field(default_factory=list)
    so_far: State | None = None

    @property
    def state(self) -> State:
        assert self.so_far is not None, "the night has not begun"
        return self.so_far

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def around(self) -> Surroundings:
        return Surroundings(self.now, self.seats, self.room, self.floor, self.is_paused, self.is_heard)

    # What is asked, and how it is answered

    def begin(self) -> tuple[GameEvent, ...] | Rejected:
        return self.let_happen(begin(self.options, self.around, self.rng))

    def ask(self, command: commands.AnyCommand, actor: Actor) -> tuple[GameEvent, ...] | Rejected:
        return self.let_happen(decide(self.state, command, actor, self.around, self.rng))

    def host(self, command: commands.HostCommand) -> tuple[GameEvent, ...] | Rejected:
        return self.ask(command, HOST)

    def player(self, name: str, command: commands.PlayerCommand) -> tuple[GameEvent, ...] | Rejected:
        return self.ask(command, Actor(Role.PLAYER, seat_id(name)))

    def let_happen(self, decided: tuple[Event, ...] | Rejected) -> tuple[GameEvent, ...] | Rejected:
        if isinstance(decided, Rejected):
            return decided
        for event in decided:
            self.so_far = evolve(self.so_far, event)
            self.happened.append(event)
            if isinstance(event, PublicEvent):
                self.said += [cue.text for cue in script(event, self.state, self.seats)]
        return decided

    # A night in short

    def pick(self, **animals: Animal) -> None:
        for name, animal in animals.items():
            assert not isinstance(self.player(name, commands.PickAnimal(animal)), Rejected)

    def board(self) -> None:
        assert not isinstance(self.host(commands.OpenBoarding()), Rejected)

    def check_in(self, **places: str) -> None:
        for name, place in places.items():
            assert not isinstance(self.player(name, commands.CheckIn(place)), Rejected)

    def time_up(self) -> tuple[GameEvent, ...] | Rejected:
        """The clock sends what is due now."""
        return self.ask(commands.TimeUp(), CLOCK)

    def pass_time(self, seconds: Seconds) -> None:
        """Let time pass, and the clock do what is due on the way."""
        until = self.now + seconds
        while (due := deadline(self.state)) is not None and due <= until:
            self.now = max(self.now, due)
            assert self.time_up() != (), f"nothing happened at {due}, when something was due"
        self.now = until

    def buzzer(self) -> None:
        """The host ends boarding and the floor is read."""
        assert not isinstance(self.host(commands.SoundBuzzer()), Rejected)
        self.pass_time(1)

    def settle(self) -> None:
        assert not isinstance(self.host(commands.SettleRound()), Rejected)

    def next_round(self) -> None:
        assert not isinstance(self.host(commands.NextRound()), Rejected)

    def play_round(self, **where_as: tuple[Animal, str]) -> None:
        """A whole round from picking to who sank: ``Ana=(DOG, "A")``."""
        self.pick(**{name: animal for name, (animal, _) in where_as.items()})
        self.board()
        self.check_in(**{name: place for name, (_, place) in where_as.items()})
        self.buzzer()
        self.settle()

    def press(self, *mats: str, unknown: tuple[str, ...] = ()) -> None:
        """People step onto exactly these mats; of the ``unknown`` ones nothing is heard."""
        self.floor = FloorReading(
            tuple(
                (
                    sensor.key,
                    Reading.UNKNOWN
                    if sensor.key in unknown
                    else Reading.PRESSED
                    if sensor.key in mats
                    else Reading.CLEAR,
                )
                for sensor in self.room.sensors
            )
        )

    def sit_out(self, *names: str) -> None:
        self._seat(sits_out=True, names=names)

    def sit_in(self, *names: str) -> None:
        self._seat(sits_out=False, names=names)

    def _seat(self, *, sits_out: bool, names: tuple[str, ...]) -> None:
        self.seats = tuple(
            replace(seat, sits_out=sits_out) if seat.name in names else seat for seat in self.seats
        )

    def join(self, name: str) -> None:
        """Somebody comes late."""
        self.seats = (*self.seats, Seat(seat_id(name), name, len(self.seats) + 1))

    # What is known, and what is shown

    @property
    def sank(self) -> tuple[str, ...]:
        return tuple(self.state.round.sank)

    @property
    def points(self) -> Mapping[str, int]:
        return {outcome.seat: outcome.points for outcome in self.state.round.outcomes}

    @property
    def places(self) -> Mapping[str, str]:
        return {outcome.seat: outcome.place for outcome in self.state.round.outcomes}

    @property
    def due(self) -> Seconds | None:
        return deadline(self.state)

    @property
    def floor_instant(self) -> Seconds | None:
        return floor_instant(self.state)

    def seen_by(self, viewer: Viewer) -> CrossingView:
        seen = view(self.so_far, self.options, viewer, self.around)
        assert seen is not None
        return seen

    def on_phone_of(self, name: str) -> CrossingView:
        return self.seen_by(Viewer(Page.PLAYER, seat_id(name)))

    def on(self, page: Page) -> CrossingView:
        return self.seen_by(Viewer(page))


def night_of(players: int, options: Options = NO_PRACTICE, room: Room | None = None) -> Crossing:
    """A night that has begun, with the first ``players`` of :data:`PEOPLE`."""
    crossing = Crossing(seats_for(*PEOPLE[:players]), options, room or no_sensors())
    assert not isinstance(crossing.begin(), Rejected)
    return crossing


def reason(answer: object) -> str | None:
    """Why not; None where it was a yes."""
    return answer.reason if isinstance(answer, Rejected) else None
