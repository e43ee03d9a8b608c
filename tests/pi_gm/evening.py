"""A whole evening at one table, with a clock and a floor that a test turns by hand."""

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct

from pi_gm import night as nights
from pi_gm.chronicle import Step
from pi_gm.clock import FakeClock, Seconds
from pi_gm.floor import Edge, FloorReading, History, Reading, Sensor, SensorReport, Trouble, strip_at
from pi_gm.games import DOOR, GUEST, HOST, Actor, Game, Page, Rejected, Role, Viewer
from pi_gm.games.animal_crossing import GAME, commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.view import CrossingView
from pi_gm.journal import Journal, JournalFailed
from pi_gm.night import House, hashed
from pi_gm.page_view import PageView
from pi_gm.players import SeatId
from pi_gm.room import Room, no_sensors
from pi_gm.table import Accepted, Answer, Table


class MemoryJournal(Journal):
    """A journal that outlives its table, as a disk would, and can be full."""

    def __init__(self) -> None:
        self.path = Path("in-memory")
        self.written: list[Step] = []
        self.facts: dict[str, str] = {}
        self.is_full = False

    def append(self, step: Step) -> None:
        self._fail_if_full()
        self.written.append(step)

    def steps(self) -> Iterator[Step]:
        return iter(tuple(self.written))

    def fact(self, name: str) -> str | None:
        return self.facts.get(name)

    def set_fact(self, name: str, value: str) -> None:
        self._fail_if_full()
        self.facts[name] = value

    def close(self) -> None:
        pass

    def _fail_if_full(self) -> None:
        if self.is_full:
            raise JournalFailed("the journal cannot be written: is the disk full?")


class Floor:
    """A floor that remembers since when each mat says what it says."""

    def __init__(self, room: Room, clock: FakeClock) -> None:
        self._room = room
        self._clock = clock
        self._history: list[tuple[Seconds, FloorReading]] = []
        self.asked_for: list[Seconds] = []
        """The instants for which the table wanted the floor."""
        self.trouble: dict[str, Trouble] = {}
        """What is wrong with which mat."""
        self.press()

    def press(self, *mats: str, unknown: Iterable[str] = ()) -> None:
        """From now on exactly these mats are pressed; of the ``unknown`` ones nothing is heard."""
        silent = tuple(unknown)
        self._history.append(
            (
                self._clock.monotonic(),
                FloorReading(
                    tuple(
                        (
                            sensor.key,
                            Reading.UNKNOWN
                            if sensor.key in silent
                            else Reading.PRESSED
                            if sensor.key in mats
                            else Reading.CLEAR,
                        )
                        for sensor in self._room.sensors
                    )
                ),
            )
        )

    def now(self) -> FloorReading:
        return self._history[-1][1]

    def at(self, instant: Seconds) -> FloorReading:
        self.asked_for.append(instant)
        said = [reading for since, reading in self._history if since <= instant]
        if not said:
            return FloorReading()
        return FloorReading(
            said[-1].readings,
            tuple(strip_at(self._history_of(sensor), sensor, instant) for sensor in self._room.sensors),
        )

    def _history_of(self, sensor: Sensor) -> History:
        levels = [(since, reading.of(sensor) is Reading.PRESSED) for since, reading in self._history]
        changes = [
            Edge(at, pressed) for (_, before), (at, pressed) in pairwise(levels) if pressed is not before
        ]
        return History(levels[0][0], levels[0][1], tuple(changes), self._clock.monotonic())

    def report(self) -> tuple[SensorReport, ...]:
        return tuple(
            SensorReport(
                key=sensor.key,
                place=sensor.place,
                pin=sensor.pin,
                chip=sensor.chip,
                level=self.now().of(sensor),
                trouble=self.trouble.get(sensor.key),
                edges_a_minute=0,
                last_change=None,
                lost=0,
            )
            for sensor in self._room.sensors
        )

    def nobody_is_on_anything(self) -> tuple[str, ...]:
        stuck = tuple(key for key, reading in self.now().readings if reading is Reading.PRESSED)
        self.trouble |= dict.fromkeys(stuck, Trouble.STUCK)
        return stuck

    def close(self) -> None:
        pass


class Evening:
    """A table, its people and its room. Whatever is said here must be accepted, unless it is ``asked``."""

    def __init__(
        self,
        *names: str,
        room: Room | None = None,
        journal: Journal | None = None,
        seed: int = 1,
        other_games: Iterable[Game] = (),
    ) -> None:
        self.house = House({game.key: game for game in (GAME, *other_games)}, room or no_sensors())
        self.clock = FakeClock()
        self.floor = Floor(self.house.room, self.clock)
        self.journal = journal or MemoryJournal()
        self._seed = seed
        self.table = self._new_table()
        for name in names:
            self.sit_down(name)

    def _new_table(self) -> Table:
        return Table(self.house, self.journal, self.clock, self.floor, random.Random(self._seed))

    def power_cut(self) -> None:
        """The machine goes off and on again: what is left is the journal."""
        self.table = self._new_table()

    # Who is there

    @property
    def night(self) -> nights.Night:
        return self.table._night  # noqa: SLF001

    def seat(self, name: str) -> SeatId:
        """The seat of ``name``, who must be at the table."""
        (found,) = (seat.id for seat in self.night.seats if seat.name == name)
        return found

    def name_of(self, seat: SeatId) -> str:
        (found,) = (each.name for each in self.night.seats if each.id == seat)
        return found

    def sit_down(self, name: str, token: int | None = None) -> None:
        """``name`` joins with a phone that is known by their name."""
        self.accepted(nights.TakeSeat(name, token, phone(name)), GUEST)

    def be_host(self, device: str = "tablet") -> None:
        self.accepted(nights.SeatHost(hashed(device)), DOOR)

    # What is said

    def asked(self, command: Struct, actor: Actor = HOST, command_id: str | None = None) -> Answer:
        return self.table.submit(command, actor, command_id)

    def accepted(self, command: Struct, actor: Actor = HOST, command_id: str | None = None) -> int:
        """The number of the step."""
        answer = self.asked(command, actor, command_id)
        assert isinstance(answer, Accepted), (command, answer)
        return answer.step

    def why_not(self, command: Struct, actor: Actor = HOST) -> str | None:
        """The reason for a no; None where it was a yes."""
        answer = self.asked(command, actor)
        return answer.reason if isinstance(answer, Rejected) else None

    def host(self, *said: Struct) -> None:
        for command in said:
            self.accepted(command, HOST)

    def actor(self, name: str) -> Actor:
        return Actor(Role.PLAYER, self.seat(name))

    def begin(self, **options: object) -> None:
        if options:
            self.host(nights.ChooseOptions(options))
        self.host(nights.BeginGame())

    def pick(self, **animals: Animal) -> None:
        for name, animal in animals.items():
            self.accepted(commands.PickAnimal(animal), self.actor(name))

    def check_in(self, **places: str) -> None:
        for name, place in places.items():
            self.accepted(commands.CheckIn(place), self.actor(name))

    def sit_out(self, name: str) -> None:
        self.host(nights.SitOut(self.seat(name)))

    def undo(self) -> None:
        """The host takes back what the page offers to take back."""
        offered = self.on(Page.HOST).undo
        assert offered is not None, "there is nothing to take back"
        self.host(nights.Undo(offered.step))

    def board(self, **where_as: tuple[Animal, str]) -> None:
        """All pick, and go where they go."""
        self.pick(**{name: animal for name, (animal, _) in where_as.items()})
        self.host(commands.OpenBoarding())
        self.check_in(**{name: place for name, (_, place) in where_as.items()})

    def play_round(self, **where_as: tuple[Animal, str]) -> None:
        """A round to the announcement of who sank."""
        self.board(**where_as)
        self.pass_time(31)
        self.host(commands.SettleRound())

    # Time

    @property
    def due(self) -> Seconds | None:
        return nights.deadline(self.night, self.house)

    @property
    def now(self) -> Seconds:
        return self.table.now()[0]

    def pass_time(self, seconds: Seconds) -> None:
        """Let time pass; what is due on the way happens when it is due."""
        left = seconds
        while self.due is not None and (step := max(0.0, self.due - self.now)) <= left:
            self.clock.turn(step)
            while self.now < self.due:
                self.clock.turn(1e-6)
            left -= step
            before = self.due
            self.table.time_passed()
            assert self.due != before, f"nothing happened at {before}, when something was due"
        self.clock.turn(left)
        self.table.time_passed()

    # What is seen and said

    def on(self, page: Page) -> PageView:
        return self.table.view(Viewer(page))

    def on_phone_of(self, name: str) -> PageView:
        return self.table.view(self.table.viewer_with_phone(phone(name)))

    def play_on(self, page: Page) -> CrossingView:
        play: CrossingView = self.on(page).play
        return play

    @property
    def said(self) -> list[str]:
        """The captions that are still kept, the oldest first."""
        return [caption.text for caption in self.on(Page.TV).captions]


def phone(name: str) -> str:
    """What the secret of the phone of ``name`` hashes to."""
    return hashed(f"the phone of {name}")


def encoded(view: Struct) -> bytes:
    """What goes out to a page."""
    return msgspec.json.encode(view)
