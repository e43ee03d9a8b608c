"""systemd hears that the program has started once its pages answer, and not before."""

import logging
import socket
import threading
from pathlib import Path

import pytest

from pi_gm.cli.readiness import tell_when

LONGEST = 10.0


def listening(address: str) -> socket.socket:
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(address)
    manager.settimeout(LONGEST)
    return manager


def test_systemd_is_told_once_the_pages_are_up(tmp_path: Path) -> None:
    is_up = threading.Event()
    with listening(str(tmp_path / "notify")) as manager:
        tell_when(is_up, {"NOTIFY_SOCKET": str(tmp_path / "notify")})
        manager.setblocking(False)
        with pytest.raises(BlockingIOError):
            manager.recv(100)
        manager.settimeout(LONGEST)
        is_up.set()
        assert manager.recv(100) == b"READY=1"


@pytest.mark.skipif(not hasattr(socket, "SO_PASSCRED"), reason="only Linux has such addresses")
def test_an_address_that_begins_with_an_at_sign_is_none_of_the_file_system(tmp_path: Path) -> None:
    is_up = threading.Event()
    is_up.set()
    with listening(f"\0{tmp_path}") as manager:
        tell_when(is_up, {"NOTIFY_SOCKET": f"@{tmp_path}"})
        assert manager.recv(100) == b"READY=1"


def test_where_nobody_waits_nothing_is_done() -> None:
    before = threading.active_count()
    tell_when(threading.Event(), {})
    assert threading.active_count() == before


def test_a_manager_that_is_gone_is_told_in_the_log_and_hinders_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    is_up = threading.Event()
    is_up.set()
    with caplog.at_level(logging.WARNING):
        tell_when(is_up, {"NOTIFY_SOCKET": str(tmp_path / "nobody")})
        for thread in threading.enumerate():
            if thread.name == "tells systemd":
                thread.join(LONGEST)
    assert "systemd cannot be told" in caplog.text
