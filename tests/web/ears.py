"""Streams as a test hears them: within the test's own event loop, or over the wire from a real server."""

import asyncio
import http.client
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tests.web.tabletop import ADDRESS, PORT, Tabletop
from web.server import Server, listen
from web.stream import Message, Streams


class Ear:
    """A listener in this event loop, without a wire: what it hears is exactly what was sent."""

    def __init__(
        self,
        streams: Streams,
        page: str,
        *,
        cookie: str = "",
        address: str = "192.168.7.100",
        host: str = f"{ADDRESS}:{PORT}",
        origin: str | None = None,
        method: str = "GET",
        query: str = "",
    ) -> None:
        headers = [(b"host", host.encode()), (b"cookie", cookie.encode())]
        if origin is not None:
            headers.append((b"origin", origin.encode()))
        scope: dict[str, Any] = {
            "type": "http",
            "scheme": "http",
            "method": method,
            "path": f"/live/{page}",
            "query_string": query.encode(),
            "headers": headers,
            "server": (ADDRESS, PORT),
            "client": (address, 50000),
        }
        self.status = 0
        self.headers: dict[str, str] = {}
        self.heard = b""
        self.is_over = False
        self._hung_up = asyncio.Event()
        self._task = asyncio.create_task(streams(scope, self._receive, self._send))

    async def _receive(self) -> Message:
        await self._hung_up.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.heard += message["body"]
            self.is_over = not message["more_body"]

    def events(self) -> list[tuple[str, Any]]:
        """Everything heard so far, as (event, data)."""
        return list(events_in(self.heard.decode()))

    def names(self) -> list[str]:
        return [name for name, _ in self.events()]

    async def hang_up(self) -> None:
        self._hung_up.set()
        await self._task


def events_in(text: str) -> Iterator[tuple[str, Any]]:
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        if "event" in fields:
            yield fields["event"], json.loads(fields["data"])


async def settle(tabletop: Tabletop) -> None:
    """Let every page be drawn and every stream tell what it has to tell."""
    for _ in range(3):
        await asyncio.sleep(0)
    tabletop.hub.refresh()
    for _ in range(6):
        await asyncio.sleep(0)


class Wire:
    """A stream from a real server."""

    def __init__(self, port: int, page: str, *, cookie: str = "") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        self.connection.request("GET", f"/live/{page}", headers={"Cookie": cookie})
        self.response = self.connection.getresponse()

    def next_event(self) -> tuple[str, Any] | None:
        """The next event; None where the stream ends."""
        name = ""
        while line := self.response.readline().decode():
            if line.startswith("event: "):
                name = line.removeprefix("event: ").strip()
            elif line.startswith("data: "):
                return name, json.loads(line.removeprefix("data: "))
        return None

    def close(self) -> None:
        self.connection.close()
        self.response.close()


@contextmanager
def served(tabletop: Tabletop) -> Iterator[tuple[Server, int]]:
    """A real server in a thread of its own, and its port."""
    listener = listen(0, "127.0.0.1")
    port: int = listener.getsockname()[1]
    server = Server(tabletop.app, listener)
    thread = threading.Thread(target=server.serve_pages)
    thread.start()
    try:
        assert server.is_up.wait(10)
        yield server, port
    finally:
        server.stop()
        thread.join(10)
    assert not thread.is_alive()


def post(
    port: int, path: str, body: dict[str, Any], *, cookie: str = ""
) -> tuple[int, dict[str, Any], Sequence[str]]:
    """Send something over the wire: the status, the answer and the cookies that came with it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json", "Cookie": cookie}
    connection.request("POST", path, json.dumps(body), headers)
    response = connection.getresponse()
    answer = json.loads(response.read())
    cookies = [
        value.partition(";")[0] for name, value in response.getheaders() if name.lower() == "set-cookie"
    ]
    connection.close()
    return response.status, answer, cookies
