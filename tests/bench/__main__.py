"""Prints every figure as ``name value unit``."""

import asyncio
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from pi_gm.clock import FakeClock
from pi_gm.floor import NoFloor
from pi_gm.games import HOST, Actor, Role, installed_games
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.commands import PickAnimal
from pi_gm.journal import Journal
from pi_gm.night import AddSeat, BeginGame, ChooseGame, House
from pi_gm.room import no_sensors
from pi_gm.simulate import NAMES, play_nights
from pi_gm.table import Table
from tests.bench.client import Device
from tests.bench.figures import figure, percentiles
from tests.bench.idle import idle_figures, resident
from tests.bench.kernel import real_pin_figures
from tests.bench.voice import voice_figures

PIN = "123456"
PRESSES = 300


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running_night(folder: str, *options: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """``pi-gm rehearse`` in a process of its own, from its start on."""
    port = free_port()
    command = [
        str(Path(sys.executable).with_name("pi-gm")),
        "rehearse",
        "--no-browser",
        "--bind",
        "127.0.0.1",
    ]
    with subprocess.Popen(
        [*command, *options, "--port", str(port), "--data", folder, "--pin", PIN], stdout=subprocess.DEVNULL
    ) as process:
        try:
            yield process, port
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(10)


def wait_for_page(port: int) -> None:
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/tv", timeout=5).read()
        except OSError:
            time.sleep(0.002)
        else:
            return


def start_to_first_page() -> None:
    took = []
    for _ in range(5):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            with running_night(folder) as (_, port):
                wait_for_page(port)
                took.append(time.perf_counter() - began)
    figure("start to first page", statistics.median(took), "s")


async def until_all_show(act: Callable[[], Awaitable[object]], pages: Sequence[Device]) -> float:
    """Seconds from ``act`` until the last of ``pages`` got a new page."""
    for page in pages:
        page.heard.clear()
    began = time.perf_counter()
    await act()
    await asyncio.gather(*(asyncio.wait_for(page.heard.wait(), 5) for page in pages))
    return max(page.heard_at for page in pages) - began


async def seat_everyone(port: int, game: str) -> tuple[Device, Device, Device, list[Device]]:
    """A host, a TV, the simulated room, and twelve phones, all listening."""
    host, tv, room = Device(port, "host"), Device(port, "tv"), Device(port, "room")
    await host.post("/host/pin", {"pin": PIN})
    await host.listen()
    found = re.search(r"/j/([A-Z]{4})", host.html)
    assert found is not None, "the host page shows no join code"
    code = found.group(1)
    await host.post("/host/act", {"do": {"type": "choose-game", "game": game}})
    phones = []
    for name in NAMES:
        phone = Device(port, "player")
        assert (await phone.post("/join", {"code": code, "name": name, "token": None}))["ok"]
        phones.append(phone)
    for device in (tv, room, *phones):
        await device.listen()
    return host, tv, room, phones


async def live_pages(process: subprocess.Popen[bytes], port: int) -> None:
    host, tv, room, phones = await seat_everyone(port, "animal-crossing")
    assert (await host.post("/host/act", {"do": {"type": "begin-game"}}))["ok"]
    for phone in phones:
        assert (await phone.post("/play/act", {"do": {"type": "pick", "animal": "dog"}}))["ok"]
    await host.post("/host/act", {"do": {"type": "open-boarding"}})
    await host.post("/host/act", {"do": {"type": "add-time", "seconds": 600}})
    await asyncio.sleep(0.3)
    # A cushion is pressed onto mats and taken off again: the pages that show the floor must show it.
    presses = []
    for number in range(PRESSES):
        move = {"figure": "cushion-1", "mat": f"A{number % 3 + 1}"}
        presses.append(await until_all_show(lambda move=move: room.post("/room/act", move), (host, tv, room)))  # type: ignore[misc]
    percentiles("press to host, TV and room", presses)
    pauses = []
    for number in range(PRESSES):
        kind = "pause" if number % 2 == 0 else "resume"
        act = {"do": {"type": kind, "reason": "snacks"}}
        everyone = (host, tv, room, *phones)
        pauses.append(await until_all_show(lambda act=act: host.post("/host/act", act), everyone))  # type: ignore[misc]
    percentiles("host's tap to all 15 pages", pauses)
    figure("resident memory with 15 pages", resident(process.pid), "MB")
    for device in (host, tv, room, *phones):
        await device.close()


async def offers_to_all(port: int) -> None:
    host, tv, room, phones = await seat_everyone(port, "animal-mind")
    assert (await host.post("/host/act", {"do": {"type": "begin-game"}}))["ok"]
    took: list[float] = []
    everyone = (host, tv, room, *phones)
    while len(took) < 60:
        for drawer in phones[:4]:
            offer = re.search(r"offer[^}]*?to[^0-9a-f]*([0-9a-f]{16})", drawer.html)
            if offer is None:
                continue
            say = {"do": {"type": "offer", "to": offer.group(1), "kind": "milk"}}
            took.append(await until_all_show(lambda d=drawer, say=say: d.post("/play/act", say), everyone))  # type: ignore[misc]
            for reply in ("accept", "reject"):
                for phone in phones[:4]:
                    await phone.post("/play/act", {"do": {"type": reply}})
        for phone in phones[:4]:
            for kind in ("fur", "milk", "egg", "pet"):
                await phone.post("/play/act", {"do": {"type": "discard", "kind": kind}})
        answer = await host.post("/host/act", {"do": {"type": "go-on"}})
        if not answer["ok"] and "over" in answer.get("why", ""):
            break
        await asyncio.sleep(0.02)
    percentiles("Animal Mind: offer to all 15 pages", took)
    for device in everyone:
        await device.close()


def journal_moves() -> None:
    """Moves a second into a journal on this disk, at the start of a night and after many moves."""
    house = House(installed_games(), no_sensors())
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        journal = Journal(Path(folder) / "night-0001.sqlite", house)
        table = Table(house, journal, FakeClock(), NoFloor(), Random(1))
        for name in NAMES[:6]:
            table.submit(AddSeat(name), HOST)
        table.submit(ChooseGame("animal-crossing"), HOST)
        table.submit(BeginGame(), HOST)
        players = [Actor(Role.PLAYER, seat.id) for seat in table.seats]
        rates = []
        for _ in range(5):
            began = time.perf_counter()
            for number in range(500):
                animal = tuple(Animal)[number % 4]
                table.submit(PickAnimal(animal), players[number % 6], f"{began}-{number}")
            rates.append(500 / (time.perf_counter() - began))
        figure("moves into the journal", statistics.median(rates), "per second")
        figure("cost of a move after 2000 against the first 500", rates[0] / rates[-1], "times")
        journal.close()


def simulated_nights() -> None:
    for key, game in installed_games().items():
        players = min(6, 4 if key == "animal-mind" else 6)
        began = time.perf_counter()
        nights = sum(1 for _ in play_nights(game, 400, players, game.options(), Random(1)))
        figure(
            f"simulate {key}, {players} players", nights / (time.perf_counter() - began), "nights per second"
        )


def mock_pins_idle() -> None:
    """A night that nobody looks at, with eighteen sensors on mock pins."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_night(folder, "--room", "own-mats") as (process, port),
    ):
        wait_for_page(port)
        time.sleep(2)
        idle_figures("mock pins, 18 sensors", process.pid)


def main() -> None:
    figure("processors", os.cpu_count() or 0, "cores")
    start_to_first_page()
    with tempfile.TemporaryDirectory() as folder, running_night(folder) as (process, port):
        wait_for_page(port)
        asyncio.run(live_pages(process, port))
    if "animal-mind" in installed_games():
        with tempfile.TemporaryDirectory() as folder, running_night(folder) as (_, port):
            wait_for_page(port)
            asyncio.run(offers_to_all(port))
    journal_moves()
    simulated_nights()
    mock_pins_idle()
    real_pin_figures()
    voice_figures()


if __name__ == "__main__":
    main()
