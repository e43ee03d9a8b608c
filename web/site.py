"""What the pages show that is not the table's: how to join, and the simulated room."""

from markupsafe import Markup
from msgspec import Struct

from pi_gm.classroom import ClassroomView
from pi_gm.floor import Sensor
from pi_gm.room import Standing
from pi_gm.speaking.desk import DeskView


class Site(Struct, frozen=True):
    """Given to every template as ``site``."""

    code: str
    """The join code; empty on the page of a phone that has to know it itself."""
    addresses: tuple[str, ...]
    """Full URLs to join at, the best first."""
    qr: Markup
    """The first of them as an inline SVG."""
    room: tuple[Standing, ...] | None
    """Where the figures of the simulated room stand, on its own page; None where there is no such room."""
    sensors: tuple[Sensor, ...]
    """The simulated room's sensors, on its own page."""
    classroom: ClassroomView | None = None
    """How the teaching of the room stands, on the host's pages; None where none can be taught."""
    sound_here: bool = True
    """Whether a page may be the speaker; otherwise another is."""
    desk: DeskView | None = None
    """How the speaker is set up and how it is, for the host."""
