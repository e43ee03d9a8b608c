"""The whole program on the pins of the simulated kernel: ``pi-gm run``, and the host's tablet."""

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.client import Device

PORT = 8000
PIN = "123456"
LONGEST_START = 30.0


@contextmanager
def running(folder: Path, *, room: str = "own-mats") -> Iterator[subprocess.Popen[bytes]]:
    """``pi-gm run`` on the night in ``folder``, from its first page on; killed at the end unless it ended before."""
    command = [sys.executable, "-m", "pi_gm", "run", "--room", room, "--bind", "127.0.0.1"]
    command += ["--port", str(PORT), "--data", str(folder), "--pin", PIN]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            _wait_for_page(process)
            yield process
        finally:
            process.kill()


def _wait_for_page(process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + LONGEST_START
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/tv", timeout=5).read()
        except urllib.error.URLError:
            assert process.poll() is None, f"it ended with {process.returncode}"
            assert time.monotonic() < until, "no page came"
            time.sleep(0.05)
        else:
            return


async def host_at_table() -> Device:
    """The host's tablet, which has typed the PIN and listens."""
    host = Device(PORT, "host")
    await host.post("/host/pin", {"pin": PIN})
    await host.listen()
    return host


async def act(host: Device, **said: object) -> None:
    """The host says ``said``, which must be accepted."""
    answer = await host.post("/host/act", {"do": said})
    assert answer["ok"], (said, answer)


async def open_rafts(host: Device, *names: str) -> None:
    """Begin a game in which ``names``, each with a phone, have picked a dog, and open the rafts for ten minutes."""
    found = re.search(r"/j/([A-Z]{4})", host.html)
    assert found is not None, "the host page shows no join code"
    phones = []
    for name in names:
        phone = Device(PORT, "player")
        assert (await phone.post("/join", {"code": found.group(1), "name": name, "token": None}))["ok"]
        phones.append(phone)
    await act(host, type="begin-game")
    for phone in phones:
        assert (await phone.post("/play/act", {"do": {"type": "pick", "animal": "dog"}}))["ok"]
        await phone.close()
    await act(host, type="open-boarding")
    await act(host, type="add-time", seconds=600)


def text_of(html: str) -> str:
    """What people read on a page that came in a live stream."""
    without_tags = re.sub(r"<[^>]*>", " ", json.loads(html)["html"])
    return re.sub(r"\s+", " ", without_tags)
