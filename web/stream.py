"""The live streams: one open answer for every page, over which it hears of each change at once. An ASGI application."""

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec
from msgspec import Struct

from pi_gm.clock import Clock, Seconds
from pi_gm.speaking.desk import SpeakerPage, VoiceDesk
from pi_gm.table import Table
from web.door import Badge, Door, Refused, Request, device_in
from web.headers import SECURITY_LINES
from web.live import Hub, Said, Shown
from web.screens import BOOTH, HOST, PLAYER, SCREENS, TV, VOICE, Screen, Screens

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PATH = "/live/"
SOUND = re.compile(rb"sound=(?P<sound>on|still|mute)&page=(?P<page>[0-9a-f]{16})")
"""Asks for the sounds too: the page is the speaker for as long as the stream is open, unless another page is since.

``page`` is what a page calls itself from when it is loaded until it is left: so it is known again by another address.
"""
JUST_SWITCHED_ON = b"on"
"""Somebody has just switched the sound of this page on: it is the speaker, whichever page was."""
IS_SPEAKER = {
    JUST_SWITCHED_ON: SpeakerPage.SOUNDS,
    b"still": SpeakerPage.SOUNDS,
    b"mute": SpeakerPage.MUTE,
}
WITH_SPEAKER = (HOST, TV, VOICE)
"""The pages with a switch for sound: a phone that nobody knows must not make itself the speaker."""
BEAT: Seconds = 10.0
"""A page that hears nothing for two and a half beats opens its stream anew."""
RETRY: Seconds = 5.0
MOST = 60
MOST_OF_A_DEVICE = 3
"""For one page on a device that the table knows; the newest takes the place of the oldest."""
MOST_OF_AN_ADDRESS = 20
"""For one page on devices that it does not know: all of a family may come by one address."""


class _Page(Struct, frozen=True):
    """The data of the event ``page``."""

    boot: str
    """Differs every time the program starts: versions of another start say nothing."""
    v: int
    now: Seconds
    runs: bool
    pace: float
    known: bool
    newest: int
    say: tuple[Said, ...]
    html: msgspec.Raw


class _Stream:
    """An open stream."""

    def __init__(self, screen: Screen, owner: str, is_known: bool) -> None:
        self.screen = screen
        self.called: bytes | None = None
        """What the page calls itself; None for one without sound."""
        self.must_hush = False
        """Another page is the speaker, and this one does not know it yet."""
        self.heard: tuple[object, ...] | None = None
        """The mark of the newest sound that it was told of."""
        self.owner = owner
        self.is_known = is_known
        self.wake = asyncio.Event()
        self.sent = 0
        self.is_replaced = False
        self.is_gone = False

    @property
    def place(self) -> tuple[str, str]:
        """What a page keeps that opens its stream anew."""
        return (self.screen.page, self.owner)

    def hush(self) -> None:
        self.must_hush = True
        self.wake.set()

    def replace(self) -> None:
        self.is_replaced = True
        self.wake.set()

    def end(self) -> None:
        self.is_gone = True
        self.wake.set()


class Streams:
    """Everything below ``/live/``. Belongs to one event loop; only the hub's wake-up comes from another thread."""

    def __init__(
        self,
        hub: Hub,
        screens: Screens,
        table: Table,
        door: Door,
        clock: Clock,
        *,
        boot: str,
        pace: float = 1.0,
        beat: Seconds = BEAT,
        voice: VoiceDesk | None = None,
    ) -> None:
        self._hub = hub
        self._screens = screens
        self._table = table
        self._door = door
        self._clock = clock
        self._boot = boot
        self._pace = pace
        self._beat = beat
        self._open: list[_Stream] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._voice = voice
        self._speaker: _Stream | None = None
        hub.listen(self._wake)
        if voice is not None:
            voice.call_when_sounding(self._wake_speaker)

    @property
    def number(self) -> int:
        """How many streams are open."""
        return len(self._open)

    def close(self) -> None:
        """End every stream: the server stops."""
        self._closed = True
        for stream in self._open:
            stream.end()

    def _wake(self) -> None:
        self._call_soon(self._deliver)

    def _wake_speaker(self) -> None:
        self._call_soon(self._let_sound)

    def _call_soon(self, work: Callable[[], None]) -> None:
        loop = self._loop
        if loop is not None:
            # The loop may be closed by now, and nobody listens any more.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(work)

    def _let_sound(self) -> None:
        if self._speaker is not None:
            self._speaker.wake.set()

    def _deliver(self) -> None:
        for stream in self._open:
            shown = self._hub.shown(stream.screen)
            if shown is not None and shown.version != stream.sent:
                stream.wake.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._loop = asyncio.get_running_loop()
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        server, client = scope.get("server"), scope.get("client")
        try:
            self._door.check(
                Request(
                    scheme=scope["scheme"],
                    host=headers.get("host"),
                    origin=headers.get("origin"),
                    reached=server[0] if server else None,
                    changes_something=scope["method"] != "GET",
                )
            )
            if scope["method"] != "GET":
                raise Refused(405, "A stream can only be listened to.")
            page = scope["path"].removeprefix(PATH)
            if page not in SCREENS:
                raise Refused(404, "There is no such stream. Open one of this table's pages.")
        except Refused as refused:
            await _refuse(send, refused)
            return
        address = client[0] if client else ""
        screen = screen_of(self._table, page, headers.get("cookie"))
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        if not self._screens.may_show(screen):
            await _last(send, _event("moved"))
            return
        is_known = screen.device is not None
        stream = _Stream(screen, screen.device or address, is_known)
        if not self._admit(stream):
            await _last(send, f"retry: {RETRY * 1000:.0f}\n".encode() + _event("full"))
            return
        if page in WITH_SPEAKER:
            self._let_speak(stream, scope.get("query_string", b""))
        await self._serve(stream, receive, send)

    def _admit(self, stream: _Stream) -> bool:
        """Let ``stream`` in, if need be in the place of an older one."""
        if self._closed:
            return False
        own = [each for each in self._open if each.place == stream.place]
        strangers = [each for each in self._open if not each.is_known]
        if len(own) >= (MOST_OF_A_DEVICE if stream.is_known else MOST_OF_AN_ADDRESS):
            self._replace(own[0])
        elif len(self._open) >= MOST:
            if not stream.is_known or not strangers:
                return False
            self._replace(strangers[0])
        self._open.append(stream)
        self._hub.watch(stream.screen)
        return True

    def _let_speak(self, stream: _Stream, query: bytes) -> None:
        """Two pages that speak at once are not understood: the one switched on last speaks, the other is hushed."""
        asked = SOUND.fullmatch(query)
        if self._voice is None or asked is None:
            return
        stream.called = asked["page"]
        before = self._speaker
        if before is not None and asked["sound"] != JUST_SWITCHED_ON and before.called != stream.called:
            stream.hush()
            return
        self._speaker = stream
        self._voice.page_is(IS_SPEAKER[asked["sound"]])
        if before is not None:
            before.hush()

    def _replace(self, stream: _Stream) -> None:
        self._leave(stream)
        stream.replace()

    def _leave(self, stream: _Stream) -> None:
        if stream in self._open:
            self._open.remove(stream)
            self._hub.unwatch(stream.screen)
        if stream is self._speaker and self._voice is not None:
            self._speaker = None
            self._voice.page_is(SpeakerPage.NONE)

    async def _serve(self, stream: _Stream, receive: Receive, send: Send) -> None:
        listening = asyncio.create_task(_until_gone(stream, receive))
        try:
            await send(_part(f"retry: {RETRY * 1000:.0f}\n\n".encode()))
            await self._tell(stream, send)
            if stream.is_replaced:
                await send(_part(_event("replaced")))
            await send(_part(b"", more=False))
        finally:
            listening.cancel()
            self._leave(stream)

    async def _tell(self, stream: _Stream, send: Send) -> None:
        """Send what is new, and between whiles a sign of life, until there is nobody to hear it."""
        loop = asyncio.get_running_loop()
        beat_at = loop.time() + self._beat
        while not (stream.is_replaced or stream.is_gone):
            stream.wake.clear()
            sound = self._sound(stream)
            if sound is not None:
                await send(_part(sound))
            shown = self._hub.shown(stream.screen)
            if shown is not None and shown.version != stream.sent:
                stream.sent = shown.version
                if shown.html is None:
                    await send(_part(_event("moved")))
                    return
                await send(_part(self._page(shown, shown.html)))
                continue
            try:
                async with asyncio.timeout_at(beat_at):
                    await stream.wake.wait()
            except TimeoutError:
                beat_at = loop.time() + self._beat
                await send(_part(_event("heartbeat")))

    def _sound(self, stream: _Stream) -> bytes | None:
        """What a page with sound is to do now; None where that is what it does already."""
        if stream.must_hush:
            stream.must_hush = False
            return _event("hushed")
        if self._voice is None or stream is not self._speaker:
            return None
        sound = self._voice.page_sound()
        if sound.mark == stream.heard:
            return None
        stream.heard = sound.mark
        return b"event: sound\ndata: " + msgspec.json.encode(sound) + b"\n\n"

    def _page(self, shown: Shown, html: msgspec.Raw) -> bytes:
        page = _Page(
            boot=self._boot,
            v=shown.version,
            now=round(shown.table_time(self._clock.monotonic()), 3),
            runs=shown.runs,
            pace=self._pace,
            known=shown.is_known,
            newest=shown.newest,
            say=shown.say,
            html=html,
        )
        return b"event: page\ndata: " + msgspec.json.encode(page) + b"\n\n"


def screen_of(table: Table, page: str, cookies: str | None) -> Screen:
    """The screen on which somebody with these ``cookies`` sees ``page``."""
    match page:
        case "host" | "teach" | "voice":
            return Screen(page, device_in(cookies, Badge.HOST))
        case "booth":
            return Screen(BOOTH, device_in(cookies, Badge.BOOTH))
        case "player":
            phone = device_in(cookies, Badge.PHONE)
            return Screen(PLAYER, phone if table.knows_phone(phone) else None)
        case _:
            return Screen(page)


async def _until_gone(stream: _Stream, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


def _event(name: str) -> bytes:
    return f"event: {name}\ndata: {{}}\n\n".encode()


def _part(body: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


async def _last(send: Send, body: bytes) -> None:
    await send(_part(body, more=False))


_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    *SECURITY_LINES,
]


async def _refuse(send: Send, refused: Refused) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *_HEADERS[1:]]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await _last(send, refused.why.encode())
