"""The one server: Flask's pages in a few threads, the live streams in the event loop beside them."""

import asyncio
import contextlib
import errno
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any, cast

import msgspec
import uvicorn
from a2wsgi import WSGIMiddleware
from flask import Flask

from pi_gm.clock import Seconds
from pi_gm.errors import PiGmError
from web import HUB, STREAMS
from web.acts import LARGEST_BODY
from web.headers import SECURITY_LINES
from web.live import Hub
from web.stream import PATH, Receive, Scope, Send, Streams

THREADS = 16
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What ends the program: a key, a service manager, a terminal that was closed."""
BACKLOG = 128
GONE_AFTER: Seconds = 9.0
"""A phone that left the Wi-Fi without a word is given up after this time."""
BODY_WITHIN: Seconds = 10.0
SWITCH_INTERVAL: Seconds = 0.0005
"""So long one thread may compute before another gets its turn: short, for pages are drawn while answers go out."""


class PortTaken(PiGmError, OSError):
    """The port cannot be had; the text says why and what to do."""


def listen(port: int, address: str = "0.0.0.0") -> socket.socket:
    """A socket at which phones can call; port 0 takes any that is free. Raises PortTaken."""
    # Named, or asyncio takes it for something other than TCP and holds small answers back for 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(GONE_AFTER * 1000))
    try:
        listener.bind((address, port))
        # At once: until it listens, another program could still take the same port.
        listener.listen(BACKLOG)
    except OSError as fault:
        listener.close()
        raise PortTaken(
            f"port {port} at {address} cannot be had ({fault.strerror}): {_cure(fault)}"
        ) from fault
    except UnicodeError as fault:
        listener.close()
        raise PortTaken(f"{address} is no address: {_ONE_OF_OURS}") from fault
    return listener


_ONE_OF_OURS = "name an IPv4 address of this machine to listen on, or 0.0.0.0 for every one"


def _cure(fault: OSError) -> str:
    match fault.errno:
        case errno.EADDRINUSE:
            return "is Pi GM running already? Stop what uses it, or choose another port"
        case errno.EACCES:
            return "choose a port from 1024 on; those below are the system's"
        case _:
            return _ONE_OF_OURS


class _Site:
    """Hands each request to the streams or to Flask."""

    def __init__(self, app: Flask, streams: Streams) -> None:
        self._pages = WSGIMiddleware(cast("Any", app), workers=THREADS)
        self._streams = streams

    def close(self) -> None:
        """Let the threads go once they have answered."""
        self._pages.executor.shutdown(wait=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["path"].startswith(PATH):
            await self._streams(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD"):
            try:
                async with asyncio.timeout(BODY_WITHIN):
                    body = await _body(receive)
            except TimeoutError:
                await _too_slow(send)
                return
            scope, receive = _at_once(scope, body)
        await self._pages(cast("Any", scope), cast("Any", receive), cast("Any", send))


async def _body(receive: Receive) -> bytes:
    """What was sent, or as much of it as shows that it is too much."""
    body = b""
    while len(body) <= LARGEST_BODY:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return body[: LARGEST_BODY + 1]


def _at_once(scope: Scope, body: bytes) -> tuple[Scope, Receive]:
    """The same request with its body at hand, so that no thread ever waits for a slow sender."""
    others = [
        (name, value)
        for name, value in scope["headers"]
        if name not in (b"content-length", b"transfer-encoding")
    ]
    whole = {**scope, "headers": [*others, (b"content-length", str(len(body)).encode())]}

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    return whole, receive


async def _too_slow(send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close"), *SECURITY_LINES]
    why = "That took too long to arrive. Try again."
    await send({"type": "http.response.start", "status": 408, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode({"ok": False, "why": why})})


class Server(uvicorn.Server):
    """Serves an app made by :func:`web.create_app` at a socket made by :func:`listen`."""

    def __init__(self, app: Flask, listener: socket.socket) -> None:
        self._hub: Hub = app.extensions[HUB]
        self._streams: Streams = app.extensions[STREAMS]
        self._listener = listener
        self._site = _Site(app, self._streams)
        self.is_up = threading.Event()
        """Set once requests are answered."""
        self.was_told_to_end = False
        """Whether a signal to end came."""
        super().__init__(
            uvicorn.Config(
                self._site,
                http="h11",
                ws="none",
                loop="asyncio",
                lifespan="off",
                log_config=None,
                log_level="error",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=3,
            )
        )

    def serve_pages(self) -> None:
        """Serve until a signal to end comes, or :meth:`stop` is called; then return.

        In the main thread it takes those signals for as long, so that the program can end as any program does.
        """
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._hub.start()
        try:
            self.run(sockets=[self._listener])
        finally:
            self._hub.stop()
            self._site.close()
            sys.setswitchinterval(before)

    def stop(self) -> None:
        """Let :meth:`serve_pages` return; any thread may call this."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_up.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._streams.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals, and do not raise them again afterwards: that would skip what is to be done at exit."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {each: signal.signal(each, self.handle_exit) for each in SIGNALS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.was_told_to_end = True
        self.force_exit = self.should_exit
        self.should_exit = True
