"""A night in a process of its own, and the real browser to look at it with."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.devices import NAME, PIN, Room


class Night(Struct, frozen=True):
    """A running ``pi-gm rehearse``."""

    port: int
    code: str

    def url(self, path: str) -> str:
        return f"http://{NAME}:{self.port}{path}"


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).with_name("pi-gm")), "rehearse", "--no-browser", "--room", "mats"]
    where = ["--port", str(port), "--data", str(tmp_path), "--pin", PIN, "--address", NAME]
    with subprocess.Popen([*command, *where], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = ""
        for line in process.stdout:
            printed += line
            if "Ctrl+C" in line:
                break
        code = re.search(r"/j/([A-Z]{4})", printed)
        assert code is not None, printed
        urllib.request.urlopen(f"http://127.0.0.1:{port}/tv", timeout=20).read()
        yield Night(port, code.group(1))
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = os.environ.get("PI_GM_BROWSER") or shutil.which("chromium")
    if found is None:
        pytest.fail("these tests need Chromium: make test brings it, or says how to")
    # By a name, for a page at 127.0.0.1 may do more than one that a phone opens.
    started = playwright.chromium.launch(
        executable_path=found, args=[f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    )
    yield started
    started.close()


@pytest.fixture
def room(browser: Browser, night: Night) -> Iterator[Room]:
    """Everyone's devices; a device whose page has an error fails the test."""
    devices = Room(browser, night.url("/"), night.code)
    yield devices
    assert devices.errors == []
    devices.close()
