"""The room's lamps and buzzer: what each shows and when, who may board and never who did. Pure."""

from collections.abc import Mapping
from enum import Enum
from typing import Protocol

from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.ticking import LAST_SECONDS

BUZZ: Seconds = 1.0
"""For so long the buzzer sounds."""


class Boarding(Struct, frozen=True):
    """Which places are open to board, as everyone may know."""

    places: tuple[str, ...]
    ends_at: Seconds | None
    """Table time; None where no time runs yet."""
    begins_at: Seconds = 0.0
    """Table time at which that time begins to run at the latest: before it people hear that they may board."""


class LampSign(Enum):
    """What a raft's lamp shows."""

    STEADY = "steady"
    """Open to board."""
    BLINKING = "blinking"
    """Open, and closing soon."""
    OFF = "off"
    """Closed."""


class Signs(Protocol):
    """What can be shown and sounded in a room. Safe for use by several threads at once; nothing here waits."""

    def show(self, lamps: Mapping[str, LampSign]) -> None:
        """Let the lamp of each raft show its sign from now on; rafts that are not named are closed."""
        ...

    def sound(self, seconds: Seconds) -> None:
        """Sound the buzzer from now on, for so long."""
        ...

    def close(self) -> None:
        """Silence and darkness. Nothing happens the second time."""
        ...


class NoSigns:
    """A room without buzzer and lamps."""

    def show(self, lamps: Mapping[str, LampSign]) -> None:
        pass

    def sound(self, seconds: Seconds) -> None:
        pass

    def close(self) -> None:
        pass


def lamps_at(now: Seconds, boarding: Boarding | None) -> dict[str, LampSign]:
    """What the lamps of the places that are open to board show at ``now``, in table time; all others are off."""
    if boarding is None:
        return {}
    is_last_call = boarding.ends_at is not None and now >= boarding.ends_at - LAST_SECONDS
    return dict.fromkeys(boarding.places, LampSign.BLINKING if is_last_call else LampSign.STEADY)


def changes_at(now: Seconds, boarding: Boarding | None) -> Seconds | None:
    """The table time at which the lamps change by themselves after ``now``; None where they do not."""
    if boarding is None or boarding.ends_at is None or now >= boarding.ends_at - LAST_SECONDS:
        return None
    return boarding.ends_at - LAST_SECONDS
