"""A night that needs no hands: bots join, choose, walk about the simulated room and run the rounds, for people to watch."""

import threading
from random import Random

from pi_gm.games import HOST, Actor, GoesTo, Rejected, Role
from pi_gm.night import AddSeat, BeginGame
from pi_gm.players import Seat
from pi_gm.room import LivingRoom
from pi_gm.simulate import NAMES
from pi_gm.table import Table

BOTS = 6
SECONDS_BETWEEN_BOTS = 0.35
"""Real seconds from one bot's move to the next, so that people can follow."""
SECONDS_TO_READ = 3.0
"""Real seconds for which the host lets everyone look before going on."""


class Demo:
    """Plays one night at ``table`` from a thread of its own."""

    def __init__(self, table: Table, living_room: LivingRoom, rng: Random) -> None:
        self._table = table
        self._living_room = living_room
        self._rng = rng
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, name="demo", daemon=True)

    def start(self) -> None:
        """Let the bots come in."""
        self._thread.start()

    def stop(self) -> None:
        """Let them stand still."""
        self._stop.set()
        self._thread.join()

    def _play(self) -> None:
        for name in NAMES[:BOTS]:
            self._table.submit(AddSeat(name), HOST)
            if self._stop.wait(SECONDS_BETWEEN_BOTS):
                return
        self._stop.wait(SECONDS_TO_READ)
        self._table.submit(BeginGame(), HOST)
        while not self._stop.is_set():
            moved = self._one_bot_moves()
            if not moved and not self._stop.wait(SECONDS_TO_READ):
                self._host_moves()
            self._stop.wait(SECONDS_BETWEEN_BOTS)

    def _one_bot_moves(self) -> bool:
        seats = list(self._table.seats)
        self._rng.shuffle(seats)
        return any(self._moves(seat) for seat in seats)

    def _moves(self, seat: Seat) -> bool:
        actor = Actor(Role.PLAYER, seat.id)
        command = self._table.suggestion(actor, self._rng)
        if command is None:
            return False
        if isinstance(command, GoesTo):
            self._living_room.put(seat.id, command.place, token=seat.token)
        return not isinstance(self._table.submit(command, actor), Rejected)

    def _host_moves(self) -> None:
        command = self._table.suggestion(HOST, self._rng)
        if command is not None:
            self._table.submit(command, HOST)
