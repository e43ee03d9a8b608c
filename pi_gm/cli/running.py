"""``pi-gm run`` and ``pi-gm rehearse``: the whole of it, put together. The one place that knows pages and pins."""

import argparse
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import segno

from hardware.buttons import Buttons
from hardware.mats import Mats
from hardware.outputs import Outputs
from hardware.pins import AnyPins, mock_pins, open_pins
from hardware.simulated_room import SimulatedRoom
from hardware.watch import Watch
from pi_gm.cli import readiness, voice
from pi_gm.cli.alone import only_one
from pi_gm.cli.classroom import Lessons
from pi_gm.cli.own_room import asked_room, own_file, taught_file
from pi_gm.clock import Clock, FastClock, RealClock
from pi_gm.demo import Demo
from pi_gm.errors import BadInput, PiGmError
from pi_gm.floor import FloorSource, NoFloor
from pi_gm.folders import nights_folder
from pi_gm.games import DOOR, installed_games
from pi_gm.journal import (
    Journal,
    JournalDamaged,
    JournalOfAnotherVersion,
    new_path,
    newest,
    set_aside,
)
from pi_gm.leaning import Leaning
from pi_gm.night import House, SayAddress
from pi_gm.room import DecisionButton, LivingRoom, Room, StartButton
from pi_gm.rooms import ROOMS
from pi_gm.signalling import Signalling
from pi_gm.speaking.settings import SpeakerPlace
from pi_gm.table import Table
from web import HUB, create_app
from web.addresses import Addresses, is_address
from web.server import PortTaken, Server, listen

DEMO_SPEED = 10.0
PORTS_TRIED = range(8000, 8010)
CODE_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
"""Without those that are taken for another."""


def add_to(commands: Any) -> None:
    """Add the commands to those of the program."""
    run = commands.add_parser(
        "run",
        help="run a night: phones say who is where, or the host taps it",
        description="Runs a night for people in a room. Phones, the host's tablet and the TV open the addresses it prints.",
    )
    _add_common(run)
    run.add_argument(
        "--room", help=f"the room's wiring: {', '.join(ROOMS)}, or a room.toml (this machine's own, or none)"
    )
    run.set_defaults(command=_run)
    rehearse = commands.add_parser(
        "rehearse",
        help="the same with a living room on the screen, to try everything without hardware",
        description="Runs a night with a simulated living room: drag people onto couches and the rug, and the mats respond.",
    )
    _add_common(rehearse)
    rehearse.add_argument(
        "--room",
        help=f"the simulated room: {', '.join(ROOMS)}, or a room.toml (the one taught here, or mats)",
    )
    rehearse.add_argument("--demo", action="store_true", help="bots play a whole night, ten times as fast")
    rehearse.add_argument(
        "--no-browser", action="store_true", help="do not open the living room in a browser"
    )
    rehearse.set_defaults(command=_rehearse)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, help="the port of the pages (8000, or the next one that is free)")
    parser.add_argument("--bind", default="0.0.0.0", help="the address to listen on (0.0.0.0: every one)")
    parser.add_argument("--address", help="the address to show to phones, such as 192.168.1.5 or a name")
    parser.add_argument("--data", type=Path, help="the folder in which the nights are kept")
    parser.add_argument(
        "--new", action="store_true", help="begin a new night instead of going on with the last one"
    )
    voice.add_to(parser)
    parser.add_argument("--pin", help="the host's PIN, six digits (by default drawn for each night)")


def _run(asked: argparse.Namespace) -> int:
    folder = asked.data or nights_folder()
    taught = taught_file(folder)
    if asked.room is not None and taught.exists():
        print(f"pi-gm: a room was taught ({taught}): leave out --room to play in it.", file=sys.stderr)
    return _play(asked, folder, asked_room(asked.room, own_file(folder)) or ROOMS["none"], speed=None)


def _rehearse(asked: argparse.Namespace) -> int:
    folder = asked.data or nights_folder() / "rehearsals"
    speed = DEMO_SPEED if asked.demo else 1.0
    if asked.demo:
        asked.new = True
    room = asked_room(asked.room, taught_file(folder)) or ROOMS["mats"]
    return _play(asked, folder, room, speed=speed)


def _play(asked: argparse.Namespace, folder: Path, room: Room, *, speed: float | None) -> int:
    """Run a night until the program is told to stop; ``speed`` is that of a rehearsal, None in a real room."""
    if asked.address is not None and not is_address(asked.address):
        raise BadInput(
            f"--address {asked.address[:60]}: write only a name or an address such as 192.168.1.5, without http:// or a port"
        )
    with ExitStack() as opened:
        opened.enter_context(only_one(folder))
        listener = opened.enter_context(_listener(asked))
        simulated = mock_pins(room) if speed is not None else None
        living_room = SimulatedRoom(room, simulated) if simulated is not None else None
        lessons = Lessons(room, taught_file(folder), pins=simulated)
        goes_on = True
        while goes_on:
            goes_on = _serve(asked, folder, lessons, listener, simulated, living_room, speed=speed)
    return 0


def _serve(
    asked: argparse.Namespace,
    folder: Path,
    lessons: Lessons,
    listener: socket.socket,
    simulated: AnyPins | None,
    living_room: SimulatedRoom | None,
    *,
    speed: float | None,
) -> bool:
    """Serve the night, or a lesson of its room; true where it is to be served again, as ``lessons`` says then."""
    with ExitStack() as opened:
        is_first = not lessons.wants_to_reopen
        room, port = lessons.room, listener.getsockname()[1]
        fast = FastClock(speed) if speed is not None and speed != 1.0 else None
        clock: Clock = fast or RealClock()
        stamp = fast.from_real if fast else float
        bell = _Bell()
        pins: AnyPins | None = None
        if lessons.is_lesson_next:
            lessons.open(clock, opened, stamp=stamp)
        elif simulated is not None:
            pins = simulated
        elif room.wired_pins():
            pins = opened.enter_context(closing(open_pins(room)))
        floor: FloorSource = NoFloor() if pins is None else Mats(room, pins, on_change=bell.ring, stamp=stamp)
        opened.callback(floor.close)
        house = House(installed_games(), room)
        table, journal = _seated(folder, house, clock, floor, is_new=asked.new and is_first)
        opened.callback(journal.close)
        leaning = Leaning(floor, clock, on_lean=table.lean_on)
        leaning.start()
        opened.callback(leaning.stop)
        bell.rings = (table.floor_changed, leaning.ring)
        watch = Watch(
            floor, clock, on_trouble=table.floor_in_trouble, on_death=lambda _: table.floor_unwatched()
        )
        watch.start()
        opened.callback(watch.stop)
        if pins is not None:
            buttons = Buttons(room, pins, clock, on_press=partial(_press, table), stamp=stamp)
            opened.callback(buttons.close)
            buttons.start()
            outputs = Outputs(room, pins, clock)
            opened.callback(outputs.close)
            outputs.start()
            signalling = Signalling(table, outputs, clock)
            opened.callback(signalling.stop)
            signalling.start()
            table.subscribe(signalling.wake)
        pin, code = _pin(journal, asked.pin), _kept(journal, "code", _new_code)
        desk = voice.desk_for(table, voice.voice_settings(asked.speak, folder), folder, opened)
        app = create_app(
            table,
            pin=pin,
            code=code,
            port=port,
            clock=clock,
            pace=speed or 1.0,
            living_room=living_room,
            address=asked.address,
            classroom=None if speed == DEMO_SPEED else lessons,
            voice=desk,
        )
        lessons.attend(opened, on_change=app.extensions[HUB].changed)
        table.start()
        opened.callback(table.stop)
        # A copy, for a server closes its own: whoever calls while another is made waits a moment.
        server = Server(app, opened.enter_context(listener.dup()))
        lessons.serve_with(server.stop)
        readiness.tell_when(server.is_up)
        addresses = Addresses(port, clock, override=asked.address)
        if is_first:
            _tell(addresses, port, pin, code, is_rehearsal=speed is not None)
        if desk.view().settings.speaker is SpeakerPlace.MACHINE:
            print(f"Speaker   {desk.view().status.text}", flush=True)
        if is_first and not table.seats:
            table.submit(SayAddress(addresses.to_say(), code), DOOR)
        if living_room is not None and is_first:
            _rehearse_with(living_room, table, asked, server, port, opened)
        server.serve_pages()
        return lessons.wants_to_reopen and not server.was_told_to_end


def _press(table: Table, button: StartButton | DecisionButton) -> None:
    if isinstance(button, DecisionButton):
        table.press_answer(button.owner, button.answer.value)
    else:
        table.press_next()


class _Bell:
    """Lets the mats ring before there is a table to hear it."""

    rings: tuple[Callable[[], None], ...] = ()

    def ring(self) -> None:
        for each in self.rings:
            each()


def _rehearse_with(
    living_room: LivingRoom,
    table: Table,
    asked: argparse.Namespace,
    server: Server,
    port: int,
    opened: ExitStack,
) -> None:
    """Let the bots in, and show the living room on this machine's own screen, once there is something to see."""
    if asked.demo:
        demo = Demo(table, living_room, Random())
        opened.callback(demo.stop)
        demo.start()
    if not asked.no_browser:
        page = "tv" if asked.demo else "room"
        threading.Thread(target=_show, args=(server, f"http://127.0.0.1:{port}/{page}"), daemon=True).start()


def _show(server: Server, url: str) -> None:
    server.is_up.wait()
    webbrowser.open(url)


def _listener(asked: argparse.Namespace) -> socket.socket:
    """A socket at the port that was asked for, or at the first of ours that is free. Raises PortTaken."""
    if asked.port is not None:
        if not 0 <= asked.port <= 65535:
            raise BadInput(f"--port {asked.port}: choose a number from 1 to 65535")
        return listen(asked.port, asked.bind)
    for port in PORTS_TRIED[:-1]:
        with suppress(PortTaken):
            return listen(port, asked.bind)
    return listen(PORTS_TRIED[-1], asked.bind)


def _seated(
    folder: Path, house: House, clock: Clock, floor: FloorSource, *, is_new: bool
) -> tuple[Table, Journal]:
    """The table, going on with the newest night in ``folder``; a journal that cannot be read is set aside."""
    path = newest(folder)
    if path is None or is_new:
        path = new_path(folder)
    try:
        return _opened(path, house, clock, floor)
    except (JournalDamaged, JournalOfAnotherVersion) as fault:
        fresh = new_path(folder)
        aside = set_aside(path)
        print(f"pi-gm: {fault}. It was set aside as {aside}; a new night begins.", file=sys.stderr)
        return _opened(fresh, house, clock, floor)


def _opened(path: Path, house: House, clock: Clock, floor: FloorSource) -> tuple[Table, Journal]:
    journal = Journal(path, house)
    try:
        return Table(house, journal, clock, floor, SystemRandom()), journal
    except PiGmError:
        journal.close()
        raise


def _pin(journal: Journal, wanted: str | None) -> str:
    if wanted is None:
        return _kept(journal, "pin", lambda: f"{secrets.randbelow(10**6):06}")
    if len(wanted) != 6 or not wanted.isdecimal() or not wanted.isascii():
        raise BadInput("--pin: a PIN is six digits")
    journal.set_fact("pin", wanted)
    return wanted


def _kept(journal: Journal, name: str, make: Callable[[], str]) -> str:
    """What the night's journal knows under ``name``, made at its first start."""
    value = journal.fact(name)
    if value is None:
        value = make()
        journal.set_fact(name, value)
    return value


def _new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(4))


def _tell(addresses: Addresses, port: int, pin: str, code: str, *, is_rehearsal: bool) -> None:
    join = addresses.urls(f"/j/{code}")[0]
    segno.make(join, error="m", micro=False).terminal(compact=True, border=1)
    print(f"Phones    {join}   (code {code})")
    print(f"Host      {addresses.urls('/host')[0]}   PIN {pin}")
    print(f"TV        {addresses.urls('/tv')[0]}")
    print(f"Booth     {addresses.urls('/booth')[0]}   for picks without a phone, same PIN")
    if is_rehearsal:
        print(f"Room      http://127.0.0.1:{port}/room   the simulated living room")
    print("Stop with Ctrl+C; the night is kept.", flush=True)
