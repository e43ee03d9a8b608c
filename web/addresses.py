"""At which addresses phones can reach this machine, the best first, and the QR code of one."""

import re
import socket
import sys
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from pathlib import Path
from threading import Lock

import ifaddr
import segno
from markupsafe import Markup
from msgspec import Struct

from pi_gm.clock import Clock, Seconds

LOOK_AGAIN_AFTER: Seconds = 5.0

_NOT_FOR_PHONES = re.compile(
    r"lo\d*$|docker|br-|br\d|virbr|bridge|veth|vmnet|vboxnet|tun|utun|tap|wg|tailscale|zt|awdl|llw"
)
_ADDRESS = re.compile(r"(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)
_AVAHI = Path("/run/avahi-daemon/socket")


class Interface(Struct, frozen=True):
    """An address of this machine."""

    name: str
    """Of the network interface, such as ``eth0``."""
    address: str
    """IPv4, dotted."""


def is_address(text: str) -> bool:
    """Whether ``text`` can stand between ``http://`` and the port: a name, or an IPv4 address."""
    return _ADDRESS.fullmatch(text) is not None


def interfaces() -> tuple[Interface, ...]:
    """Every IPv4 address that this machine has now."""
    return tuple(
        Interface(adapter.nice_name, str(each.ip))
        for adapter in ifaddr.get_adapters()
        for each in adapter.ips
        if each.is_IPv4
    )


def default_address() -> str | None:
    """The address from which this machine would reach the internet; None where it has no way there. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def names_of_this_machine() -> frozenset[str]:
    """The names by which its neighbours may know this machine."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"}) if short else frozenset()


def local_name() -> str | None:
    """The name that this machine answers to in its own network; None where nothing here answers to one."""
    if sys.platform == "darwin" or _AVAHI.exists():
        return f"{socket.gethostname().lower().partition('.')[0]}.local"
    return None


def best_first(found: Iterable[Interface], default: str | None) -> tuple[str, ...]:
    """The addresses of ``found`` that a phone can reach, the one of the ``default`` route first.

    What belongs to containers and tunnels is left out, and what a machine gives itself where nobody else does goes last.
    """
    reachable = [
        each for each in found if not _NOT_FOR_PHONES.match(each.name) and not each.address.startswith("127.")
    ]
    in_order = sorted(
        reachable, key=lambda each: (each.address.startswith("169.254."), each.address != default)
    )
    return tuple(dict.fromkeys(each.address for each in in_order))


class Addresses:
    """The addresses of this table, looked up anew every few seconds: a Wi-Fi may come late. Safe for several threads."""

    def __init__(
        self,
        port: int,
        clock: Clock,
        *,
        override: str | None = None,
        find: Callable[[], Collection[Interface]] = interfaces,
        find_default: Callable[[], str | None] = default_address,
        find_name: Callable[[], str | None] = local_name,
    ) -> None:
        """``override``: the one address or name that is right, whatever this machine thinks."""
        self._port = port
        self._clock = clock
        self._override = override
        self._find = find
        self._find_default = find_default
        self._find_name = find_name
        self._proven: str | None = None
        self._hosts: tuple[str, ...] = ()
        self._looked_at: Seconds | None = None
        self._lock = Lock()

    def prove(self, host_header: str) -> None:
        """Take note that another device came by this Host header: what led one here leads others."""
        host = host_header.rpartition(":")[0] or host_header
        if re.fullmatch(r"[0-9.]+", host) and not host.startswith("127."):
            with self._lock:
                self._proven = host

    def urls(self, path: str = "/") -> tuple[str, ...]:
        """Where to find ``path``, the best address first; on this machine alone if it is in no network."""
        port = "" if self._port == 80 else f":{self._port}"
        return tuple(f"http://{host}{port}{path}" for host in self._current())

    def to_say(self) -> str:
        """What to open, as it is said aloud: this machine's name where it has one, for digits are hard to follow."""
        hosts = self._current()
        named = next((host for host in hosts if not re.fullmatch(r"[0-9.]+", host)), hosts[0])
        return named if self._port == 80 else f"{named}:{self._port}"

    def _current(self) -> tuple[str, ...]:
        if self._override is not None:
            return (self._override,)
        with self._lock:
            now = self._clock.monotonic()
            if self._looked_at is None or now - self._looked_at >= LOOK_AGAIN_AFTER:
                self._looked_at = now
                name = self._find_name()
                found = best_first(self._find(), self._find_default()) or ("127.0.0.1",)
                self._hosts = found if name is None else (*found, name)
            if self._proven in self._hosts:
                return (self._proven, *(host for host in self._hosts if host != self._proven))
            return self._hosts


@lru_cache(maxsize=8)
def qr_code(url: str) -> Markup:
    """``url`` as a QR code: an inline SVG of the class ``qr``, dark on whatever is behind it."""
    drawn: str = segno.make(url, error="m", micro=False).svg_inline(
        border=2, svgclass="qr", lineclass=None, omitsize=True, light="#fff"
    )
    return Markup(drawn)
