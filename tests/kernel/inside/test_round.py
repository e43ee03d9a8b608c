"""A round of Animal Crossing from the first pick to who sank, on real pins, with six people who jump at the last moment."""

import time
from random import Random

from hardware.mats import Mats
from hardware.pins import open_pins
from hardware.watch import Watch
from pi_gm import night as nights
from pi_gm.clock import RealClock, Seconds
from pi_gm.floor import Troubles
from pi_gm.games import HOST, Actor, Page, Role, Viewer
from pi_gm.games.animal_crossing import GAME, commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.view import CrossingView
from pi_gm.night import House
from pi_gm.players import SeatId
from pi_gm.rooms import own_mats
from pi_gm.table import Accepted, Table
from tests.kernel.simchip import SimChip
from tests.pi_gm.evening import MemoryJournal

ROOM = own_mats()
PIN_OF = {sensor.key: sensor.pin for sensor in ROOM.sensors}
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")


class Evening:
    """A table on real pins with its own clock."""

    def __init__(self, chip: SimChip) -> None:
        self.chip = chip
        self.pins = open_pins(ROOM)
        self.mats = Mats(ROOM, self.pins, on_change=lambda: None)
        self.house = House({GAME.key: GAME}, ROOM)
        self.table = Table(self.house, MemoryJournal(), RealClock(), self.mats, Random(1))
        self.troubles: list[Troubles] = []
        self.deaths: list[BaseException] = []
        self.watch = Watch(
            self.mats, RealClock(), on_trouble=self.troubles.append, on_death=self.deaths.append
        )
        self.table.start()
        self.watch.start()

    def end(self) -> None:
        self.watch.stop()
        self.table.stop()
        self.mats.close()
        self.pins.close()

    def host(self, *said: object) -> None:
        for command in said:
            assert isinstance(self.table.submit(command, HOST), Accepted), command  # type: ignore[arg-type]

    def seat(self, name: str) -> SeatId:
        (found,) = (seat.id for seat in self.table.seats if seat.name == name)
        return found

    def pick(self, name: str, animal: Animal) -> None:
        answer = self.table.submit(commands.PickAnimal(animal), Actor(Role.PLAYER, self.seat(name)))
        assert isinstance(answer, Accepted)

    def step(self, *on: str, off: tuple[str, ...] = ()) -> None:
        for mat in off:
            self.chip.release(PIN_OF[mat])
        for mat in on:
            self.chip.press(PIN_OF[mat])

    @property
    def play(self) -> CrossingView:
        play: CrossingView = self.table.view(Viewer(Page.HOST)).play
        return play

    def places(self) -> dict[str, set[str]]:
        names = {seat.id: seat.name for seat in self.table.seats}
        return {place.key: {names[one.seat] for one in place.people} for place in self.play.places}


def sleep_until(instant: Seconds) -> None:
    time.sleep(max(0.0, instant - time.monotonic()))


def test_everyone_is_judged_to_be_where_they_were_at_the_buzzer(header: SimChip) -> None:
    evening = Evening(header)
    try:
        for name in NAMES:
            evening.host(nights.AddSeat(name))
        evening.host(nights.ChooseOptions({"practice": False, "rounds": 1, "rafts": 2}), nights.BeginGame())
        for name, animal in zip(NAMES, (Animal.MOUSE, Animal.CAT, Animal.DOG) * 2, strict=True):
            evening.pick(name, animal)
        evening.host(commands.OpenBoarding())
        opened = time.monotonic()
        buzzer = opened + 30
        evening.step("A1", "A2", "B3", "I4", "I5")
        sleep_until(buzzer - 10)
        evening.step("I1", off=("A1",))
        sleep_until(buzzer - 0.02)
        # Ben leaves the raft and Dan boards one just in time; Cleo and Finn think better of it a moment too late.
        evening.step("I2", "A4", off=("A2", "I4"))
        sleep_until(buzzer + 0.02)
        evening.step("I3", "B6", off=("B3",))
        sleep_until(buzzer + 5)
        assert evening.places() == {
            "A": {"Dan"},
            "B": {"Cleo"},
            "island": {"Ana", "Ben", "Eva"},
            "water": {"Finn"},
        }
        evening.host(commands.SettleRound())
        assert evening.troubles == []
        assert evening.deaths == []
        assert evening.watch.is_alive
        assert {report.lost for report in evening.mats.report()} == {0}
    finally:
        evening.end()
