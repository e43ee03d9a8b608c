"""A table with pages, on a clock that stands still, and the devices that people hold around it."""

import json
import re
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct
from werkzeug.test import TestResponse

from pi_gm.classroom import Classroom
from pi_gm.clock import FakeClock
from pi_gm.floor import FloorSource, NoFloor
from pi_gm.games import HOST, Page, Rejected, Viewer, installed_games
from pi_gm.journal import Journal
from pi_gm.night import House
from pi_gm.page_view import PageView
from pi_gm.room import LivingRoom, Room, no_sensors
from pi_gm.speaking.desk import VoiceDesk
from pi_gm.table import Accepted, Table
from web import HUB, STREAMS, create_app
from web.addresses import Interface
from web.live import Hub
from web.stream import Streams

PIN = "042917"
CODE = "FERN"
PORT = 8000
ADDRESS = "192.168.7.20"
ORIGIN = f"http://{ADDRESS}:{PORT}"

_posts = count()


class Tabletop:
    """A table, its pages, and everything that a test turns by hand."""

    def __init__(
        self,
        folder: Path,
        *,
        seed: int = 1,
        room: Room | None = None,
        living_room: LivingRoom | None = None,
        floor: FloorSource | None = None,
        classroom: Classroom | None = None,
        voice: VoiceDesk | None = None,
        port: int = PORT,
    ) -> None:
        self.clock = FakeClock()
        self.house = House(installed_games(), room or no_sensors())
        self.journal = Journal(folder / "night-1.sqlite", self.house)
        self.table = Table(self.house, self.journal, self.clock, floor or NoFloor(), Random(seed))
        self.interfaces: list[Interface] = [Interface("lo", "127.0.0.1"), Interface("wlan0", ADDRESS)]
        self.app: Flask = create_app(
            self.table,
            pin=PIN,
            code=CODE,
            port=port,
            clock=self.clock,
            living_room=living_room,
            classroom=classroom,
            voice=voice,
            boot="0b00",
            find_interfaces=lambda: tuple(self.interfaces),
            find_default=lambda: ADDRESS,
            find_name=lambda: None,
        )
        self.hub: Hub = self.app.extensions[HUB]
        self.streams: Streams = self.app.extensions[STREAMS]

    def device(self, address: str = "192.168.7.100") -> "Device":
        return Device(self.app, address)

    def host(self) -> "Device":
        """A tablet that showed the PIN."""
        device = self.device("192.168.7.2")
        assert device.post("/host/pin", pin=PIN).status_code == 200
        return device

    def booth(self) -> "Device":
        device = self.device("192.168.7.3")
        assert device.post("/booth/pin", pin=PIN).status_code == 200
        return device

    def phone(self, name: str, *, address: str = "192.168.7.100") -> "Device":
        """A phone whose owner sat down."""
        device = self.device(address)
        answer = device.post("/join", code=CODE, name=name, token=None)
        assert answer.status_code == 200, answer.text
        return device

    def seat(self, name: str) -> str:
        return next(seat.id for seat in self.table.seats if seat.name == name)

    def order(self, command: Struct) -> Accepted:
        """Let the host do something that is no matter of pages."""
        answer = self.table.submit(command, HOST)
        assert not isinstance(answer, Rejected), answer
        return answer

    def requests(self) -> tuple[str, ...]:
        """Of those who ask for a seat, as the host's page knows them."""
        return tuple(request.request for request in self.table.view(Viewer(Page.HOST)).requests)

    def tv(self) -> PageView:
        """What everyone may see."""
        return self.table.view(Viewer(Page.TV))

    def pass_time(self, seconds: float) -> None:
        self.clock.turn(seconds)
        self.table.time_passed()

    def lines(self) -> list[str]:
        """The journal: whatever changed anything is in it."""
        return [msgspec.json.encode(step).decode() for step in self.journal.steps()]


class Device:
    """A browser with its own cookies, at an address of its own."""

    def __init__(self, app: Flask, address: str) -> None:
        self.client: FlaskClient = app.test_client()
        self.address = address

    def get(self, path: str, *, headers: Mapping[str, str] | None = None) -> TestResponse:
        return self.client.get(
            path,
            base_url=ORIGIN,
            headers=headers,
            environ_overrides={"REMOTE_ADDR": self.address, "SERVER_NAME": ADDRESS},
            buffered=True,
        )

    def post(self, path: str, **body: Any) -> TestResponse:
        """Send ``body`` as the page's script does; ``id`` is made up where it is not given."""
        sent = {"id": f"post-{next(_posts):08}", **body}
        return self.send(path, json.dumps(sent).encode())

    def send(
        self,
        path: str,
        body: bytes,
        *,
        origin: str | None = ORIGIN,
        kind: str = "application/json",
        host: str | None = None,
    ) -> TestResponse:
        return self.client.post(
            path,
            data=body,
            base_url=ORIGIN,
            content_type=kind,
            headers={
                name: value for name, value in (("Origin", origin), ("Host", host)) if value is not None
            },
            environ_overrides={"REMOTE_ADDR": self.address, "SERVER_NAME": ADDRESS},
            buffered=True,
        )

    def do(self, page: str, **command: Any) -> TestResponse:
        """A command from this device's page: ``play`` or ``host``."""
        return self.post(f"/{page}/act", do=command)

    def do_teach(self, do: str, **more: Any) -> TestResponse:
        """A command from the page on which the host teaches the room."""
        return self.post("/host/teach", do={"type": do, **more})

    def secret(self, name: str) -> str:
        cookie = self.client.get_cookie(name, domain=ADDRESS)
        assert cookie is not None, f"no cookie {name}"
        return cookie.value

    def lose_cookies(self) -> None:
        for name in ("pi-gm-phone", "pi-gm-host", "pi-gm-booth"):
            self.client.delete_cookie(name, domain=ADDRESS)


def commands_on(page: str) -> list[dict[str, Any]]:
    """Every command that a page offers on its buttons."""
    found = re.findall(r'<button[^>]* data-do="([^"]*)"', page)
    return [json.loads(text.replace("&#34;", '"').replace("&#39;", "'")) for text in found]
