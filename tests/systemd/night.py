"""``python -m tests.systemd.night PIN begin|goes-on``: people at a table that the service on port 80 has laid.

``begin``: two of them begin a game. ``goes-on``: they find it as it was, paused for the power cut, and go on.
"""

import asyncio
import re
import sys
from collections.abc import Callable

from tests.bench.client import Device
from tests.kernel.program import act, text_of

PORT = 80
SOON = 10.0
PEOPLE = ("Ana", "Ben")
PAUSED = "The game master was switched off, and nothing is lost"


async def _host(pin: str) -> Device:
    host = Device(PORT, "host")
    answer = await host.post("/host/pin", {"pin": pin})
    assert answer["ok"], answer
    await host.listen()
    return host


async def _until(host: Device, is_so: Callable[[str], bool]) -> None:
    try:
        async with asyncio.timeout(SOON):
            while not is_so(text_of(host.html)):
                host.heard.clear()
                await host.heard.wait()
    except TimeoutError:
        raise AssertionError(f"the host's page says: {text_of(host.html)}") from None


async def _begin(pin: str) -> None:
    host = await _host(pin)
    code = re.search(r"/j/([A-Z]{4})", host.html)
    assert code is not None, "the host page shows no join code"
    for name in PEOPLE:
        phone = Device(PORT, "player")
        joined = await phone.post("/join", {"code": code.group(1), "name": name, "token": None})
        assert joined["ok"], joined
        await phone.close()
    await act(host, type="begin-game")
    await _until(host, lambda page: all(name in page for name in PEOPLE) and PAUSED not in page)
    await host.close()


async def _go_on(pin: str) -> None:
    host = await _host(pin)
    await _until(host, lambda page: all(word in page for word in (*PEOPLE, PAUSED)))
    await act(host, type="resume", reason="power-cut")
    await _until(host, lambda page: PAUSED not in page)
    await host.close()


if __name__ == "__main__":
    asyncio.run({"begin": _begin, "goes-on": _go_on}[sys.argv[2]](sys.argv[1]))
