"""Who may come in: the checks that every request passes, whichever way it came, and the secrets that devices carry."""

import re
import secrets
from collections.abc import Callable, Collection
from enum import Enum
from threading import Lock

from msgspec import Struct
from werkzeug.http import parse_cookie

from pi_gm.clock import Clock, Seconds
from pi_gm.errors import PiGmError
from pi_gm.night import hashed
from web.addresses import Interface, names_of_this_machine

COOKIE_LASTS: Seconds = 7 * 24 * 3600
LOOK_AGAIN_AFTER: Seconds = 3.0
"""So often at most are this machine's addresses looked up for the sake of a name that is not known."""

_SECRET = re.compile(r"[0-9a-f]{32}")
_HOST = re.compile(r"([a-z0-9._-]+)(?::[0-9]{1,5})?")


class Badge(Enum):
    """What a device can be to the table; the value names the cookie that shows it."""

    PHONE = "pi-gm-phone"
    HOST = "pi-gm-host"
    BOOTH = "pi-gm-booth"


class Refused(PiGmError, PermissionError):
    """A request that is turned away at the door, with the status of the answer and a sentence for a person."""

    def __init__(self, status: int, why: str, reason: str = "", wait: Seconds | None = None) -> None:
        super().__init__(why)
        self.status = status
        self.why = why
        self.reason = reason
        """A word for the page's script, where it can do something about it; otherwise empty."""
        self.wait = wait
        """After how many seconds another try is worthwhile; None where it never is, or at once."""


def new_secret() -> str:
    """128 random bits that a device shows to be known again."""
    return secrets.token_hex(16)


def is_secret(text: str) -> bool:
    """Whether ``text`` looks like something that :func:`new_secret` gave."""
    return _SECRET.fullmatch(text) is not None


def secret_in(cookies: str | None, badge: Badge) -> str | None:
    """The secret in a request's Cookie header; None where there is none, or none that we could have given."""
    try:
        shown = parse_cookie(cookies).get(badge.value, "")
    except UnicodeDecodeError:  # bytes that are no text are none of ours
        return None
    return shown if is_secret(shown) else None


def device_in(cookies: str | None, badge: Badge) -> str | None:
    """What the secret in a request's Cookie header hashes to, as the table keeps it; None where there is none."""
    secret = secret_in(cookies, badge)
    return hashed(secret) if secret is not None else None


class Request(Struct, frozen=True):
    """Of a request, what the door looks at."""

    scheme: str
    host: str | None
    """The Host header: which name the browser was asked to open."""
    origin: str | None
    """The Origin header: whose page sends this; None where the browser names none."""
    reached: str | None
    """The address of this machine at which the request came in."""
    changes_something: bool
    """Whether it is a POST."""


class Door:
    """Turns away requests of other sites' pages. Safe for several threads.

    A page of another site can make a browser call this machine, and by a name that its owner points here it can even
    read the answers. The Host header tells the one, the Origin header the other.
    """

    def __init__(
        self, clock: Clock, interfaces: Callable[[], Collection[Interface]], names: Collection[str] = ()
    ) -> None:
        """``names`` are trusted beside this machine's own names and addresses."""
        self._clock = clock
        self._interfaces = interfaces
        self._always = names_of_this_machine() | {"localhost", "127.0.0.1"} | {name.lower() for name in names}
        self._own: frozenset[str] = frozenset()
        self._looked_at: Seconds | None = None
        self._lock = Lock()

    def check(self, request: Request) -> None:
        """Raises Refused for a request that does not come from one of our own pages."""
        if not self._trusts(request.host, request.reached):
            raise Refused(
                400,
                "This name does not lead here. Open the address that the host's page or the TV shows, or its QR code.",
            )
        own = f"{request.scheme}://{request.host}".lower()
        if request.origin is None and not request.changes_something:
            return
        if request.origin is None or request.origin.lower() != own:
            raise Refused(
                403, "This was sent by another page. Open this table's own page and try again there."
            )

    def _trusts(self, host_header: str | None, reached: str | None) -> bool:
        parsed = _HOST.fullmatch((host_header or "").lower())
        if parsed is None:
            return False
        host = parsed[1]
        return host in self._always or host == reached or host in self._own_addresses()

    def _own_addresses(self) -> frozenset[str]:
        with self._lock:
            now = self._clock.monotonic()
            if self._looked_at is None or now - self._looked_at >= LOOK_AGAIN_AFTER:
                self._looked_at = now
                self._own = frozenset(interface.address for interface in self._interfaces())
            return self._own
