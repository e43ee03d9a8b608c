"""The devices of a room as the benchmark plays them: raw connections, so that only the server is measured."""

import asyncio
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any


class Device:
    """A phone, tablet or TV: posts over one kept connection, and hears a live stream over another."""

    def __init__(self, port: int, page: str) -> None:
        self._port = port
        self._page = page
        self._cookies: dict[str, str] = {}
        self._posts: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._number = 0
        self.heard_at = 0.0
        """When the last page came, by the clock of this process."""
        self.heard = asyncio.Event()
        self.html = ""
        self._listening: asyncio.Task[None] | None = None

    async def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Send ``body`` with a fresh id; returns the answer."""
        if self._posts is None:
            self._posts = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._posts
        self._number += 1
        sent = json.dumps({"id": f"{id(self)}-{self._number}", **body}).encode()
        head = [
            f"POST {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            f"Origin: http://127.0.0.1:{self._port}",
            "Content-Type: application/json",
            f"Content-Length: {len(sent)}",
            f"Cookie: {self._cookie_header()}",
        ]
        writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + sent)
        await writer.drain()
        answered = await reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in answered.decode().split("\r\n"):
            name, _, value = line.partition(": ")
            if name.lower() == "content-length":
                length = int(value)
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self._cookies[key] = rest.partition(";")[0]
        answer: dict[str, Any] = json.loads(await reader.readexactly(length))
        return answer

    def _cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    async def listen(self) -> None:
        """Open the live stream and wait for its first page."""
        self._listening = asyncio.create_task(self._hear())
        await self.heard.wait()

    async def _hear(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        head = f"GET /live/{self._page} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nCookie: {self._cookie_header()}\r\n\r\n"
        writer.write(head.encode())
        event = b""
        try:
            while line := await reader.readline():
                if line.startswith(b"event:"):
                    event = line[6:].strip()
                elif line.startswith(b"data:") and event == b"page":
                    self.html = line[5:].decode()
                    self.heard_at = time.perf_counter()
                    self.heard.set()
        finally:
            await _closed(writer)

    async def close(self) -> None:
        """Hang up."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])
        if self._posts is not None:
            await _closed(self._posts[1])


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
