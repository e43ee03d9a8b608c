"""What players, the host and the clock can ask of a game of Animal Mind."""

from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.games.animal_mind.cards import Kind
from pi_gm.players import SeatId


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything that can be asked."""


class Offer(Command, frozen=True, tag="offer"):
    """The drawer offers the card to somebody and says its kind or its value: exactly one of the two."""

    to: SeatId
    kind: Kind | None = None
    value: int | None = None


class Accept(Command, frozen=True, tag="accept"):
    """The receiver turns a decision card from accept to reject."""


class Reject(Command, frozen=True, tag="reject"):
    """The receiver turns a decision card from reject to accept."""


class Discard(Command, frozen=True, tag="discard"):
    """The taker chooses which kind leaves the game."""

    kind: Kind


class GoOn(Command, frozen=True, tag="go-on"):
    """The host does not wait until everyone has looked."""

    shown_until: Seconds | None = None
    """Until when what the host means would be shown, so that a press that comes late skips nothing newer; None: whatever
    is shown."""


class CallOn(Command, frozen=True, tag="call-on"):
    """The host calls on whoever is waited for."""


class TimeUp(Command, frozen=True, tag="time-up"):
    """The time that the game waited for has come; only the clock can say so."""


class SeatsChanged(Command, frozen=True, tag="seats-changed"):
    """Somebody left or came back; only the table can say so."""


PlayerCommand = Offer | Accept | Reject | Discard
HostCommand = GoOn | CallOn
AnyCommand = PlayerCommand | HostCommand | TimeUp | SeatsChanged
