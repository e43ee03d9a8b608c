"""A process that plays on and on at the table of a journal, and tells each step once it was acknowledged."""

import sys
from pathlib import Path
from random import Random

from pi_gm import night as nights
from pi_gm.clock import RealClock
from pi_gm.floor import NoFloor
from pi_gm.games import HOST, Actor, Role
from pi_gm.games.animal_crossing import GAME, commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.journal import Journal
from pi_gm.night import House
from pi_gm.room import no_sensors
from pi_gm.table import Accepted, Table


def main(path: Path, seed: int) -> None:
    rng = Random(seed)
    house = House({GAME.key: GAME}, no_sensors())
    table = Table(house, Journal(path, house), RealClock(), NoFloor(), rng)
    for name in ("Ana", "Ben"):
        table.submit(nights.AddSeat(name), HOST)
    table.submit(nights.BeginGame(), HOST)
    seats = [seat.id for seat in table._night.seats]  # noqa: SLF001
    while True:
        command_id = f"{rng.getrandbits(64):x}"
        player = Actor(Role.PLAYER, rng.choice(seats))
        answer = table.submit(commands.PickAnimal(rng.choice(list(Animal))), player, command_id)
        assert isinstance(answer, Accepted), answer
        sys.stdout.write(f"{answer.step} {command_id}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
