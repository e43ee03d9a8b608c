"""Tells the service manager that the program has started: it waits for that, and so does whoever installs an upgrade."""

import logging
import os
import socket
import threading
from collections.abc import Mapping

_log = logging.getLogger(__name__)


def tell_when(is_up: threading.Event, environment: Mapping[str, str] = os.environ) -> None:
    """Say READY to systemd once ``is_up`` is set; returns at once. Nothing where nobody waits for it."""
    address = environment.get("NOTIFY_SOCKET")
    if address:
        threading.Thread(target=_tell, args=(is_up, address), name="tells systemd", daemon=True).start()


def _tell(is_up: threading.Event, address: str) -> None:
    is_up.wait()
    # An address that begins with @ is a name outside of the file system.
    name = "\0" + address[1:] if address.startswith("@") else address
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.sendto(b"READY=1", name)
    except OSError as fault:
        _log.warning("systemd cannot be told that the pages are up (%s): it will start them anew", fault)
