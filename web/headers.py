"""The headers that every answer carries, whichever way it goes out."""

from collections.abc import Mapping
from types import MappingProxyType

SECURITY: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": (
            "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        ),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
)
"""Nothing from elsewhere is loaded, no other page frames ours, and no address of ours is told to anyone."""

SECURITY_LINES = tuple((name.lower().encode(), value.encode()) for name, value in SECURITY.items())
"""The same for what goes out beside Flask."""
