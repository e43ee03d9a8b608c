"""What a game is to the table, and which games there are.

A game is a value of :class:`Game` that its package offers under the entry-point group ``pi_gm.games``. Everything in it is
pure: no clock, no chance but the ``rng`` it is handed, no input or output.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from importlib.metadata import entry_points
from random import Random
from typing import Any, ClassVar, Protocol, runtime_checkable

import msgspec
from msgspec import Struct

from pi_gm.announcer import Cue
from pi_gm.clock import Seconds
from pi_gm.errors import PiGmError
from pi_gm.floor import FloorReading, Sensor
from pi_gm.players import Seat, SeatId
from pi_gm.room import Room
from pi_gm.signs import Boarding

ENTRY_POINTS = "pi_gm.games"


class GameEvent(Struct, frozen=True, tag_field="type"):
    """Something that happened in a game."""

    opens: ClassVar[bool] = False
    """Whether it tells something that was secret, so that nothing before it can be undone."""
    bars_undo: ClassVar[bool] = False
    """Whether, when the clock brought it about, nothing before it can be undone."""
    turns_phase: ClassVar[bool] = False
    """Whether it begins a phase, so that taking it back gives the time of the phase before it back too."""
    is_secret: ClassVar[bool] = False


class PublicEvent(GameEvent, frozen=True):
    """Everyone may know it, so it may be spoken."""


class SecretEvent(GameEvent, frozen=True):
    """Only the core knows it; a view may tell of it to those who may know."""

    is_secret: ClassVar[bool] = True


class Role(Enum):
    """In what part somebody speaks to the table."""

    HOST = "host"
    PLAYER = "player"
    GUEST = "guest"
    """Somebody who has no seat yet."""
    CLOCK = "clock"
    DOOR = "door"
    """The program itself: it checked a PIN, or it was switched on again."""


class Actor(Struct, frozen=True):
    """Who sends a command."""

    role: Role
    seat: SeatId | None = None
    """The player's seat; None for everyone else."""


HOST = Actor(Role.HOST)
GUEST = Actor(Role.GUEST)
CLOCK = Actor(Role.CLOCK)
DOOR = Actor(Role.DOOR)


class Page(Enum):
    """For which page a view is made."""

    HOST = "host"
    PLAYER = "player"
    TV = "tv"
    BOOTH = "booth"


class Viewer(Struct, frozen=True):
    """Who looks."""

    page: Page
    seat: SeatId | None = None
    """The player whose phone it is; None on every other page, and for a phone without a seat."""
    device: str | None = None
    """What the phone's secret hashes to."""


class Rejected(Struct, frozen=True):
    """A no: ``reason`` is the key of the phrase that tells why, ``words`` fill its gaps."""

    reason: str
    words: tuple[tuple[str, str], ...] = ()


class Surroundings(Struct, frozen=True):
    """What the table tells a game about the world at the moment of a command or a view."""

    now: Seconds
    """Table time."""
    seats: tuple[Seat, ...]
    """Everyone at the table, in seating order."""
    room: Room
    floor: FloorReading
    """In a command of the clock: the floor at the instant the game asked for; otherwise the floor now."""
    is_paused: bool = False
    is_heard: bool = False
    """Whether a speaker says what is announced, so that a countdown may wait for the end of a sentence."""
    ignored: tuple[str, ...] = ()
    """The keys of the sensors that the host leaves out tonight; ``floor`` says so of them already."""


@runtime_checkable
class GoesTo(Protocol):
    """A command by which a player says that they went somewhere."""

    @property
    def place(self) -> str:
        """The key of the place."""
        ...


class Act(Struct, frozen=True):
    """A command as a page offers it: a label and what pressing it sends."""

    label: str
    command: Struct | None
    """None where there is nothing to press yet; the label then says what is waited for."""


class RulesLength(Enum):
    """How much of the rules is read aloud."""

    MINUTE = "minute"
    REMINDER = "reminder"
    """Two sentences for those who know them and have forgotten."""


def _of_any_kind(value: Any) -> tuple[()]:
    return ()


def _never(state: Any) -> None:
    return None


def _does_nothing(state: Any, actor: Actor, around: Surroundings, rng: Random) -> None:
    return None


def _hears_no_mat(state: Any, sensor: Sensor, seats: Sequence[Seat]) -> None:
    return None


def _waits_for_no_word(cue_key: str) -> None:
    return None


def _counts_nothing(state: Any) -> "Counter[str]":
    return Counter()


def _tells_nothing(state: Any, around: Surroundings) -> tuple[()]:
    return ()


class Game(Struct, frozen=True, kw_only=True):
    """A game, as the table knows it. ``Any`` stands for the game's own state, options and views."""

    key: str
    """Its name in addresses, journals and on the command line, such as ``animal-crossing``."""
    title: str
    players: tuple[int, int]
    """Fewest who must, and most who can, be at the table."""
    package: str
    """The package whose folders ``templates`` and ``static`` hold its pages."""

    options: type[Struct]
    """Every field has a default."""
    player_commands: Any
    """The struct, or union of structs, that a player's page may send; each has a tag in the field ``type``."""
    host_commands: Any
    """The same for the host's page."""
    events: Any
    """The struct, or union of structs, that the game's events are."""

    begin: Callable[..., tuple[GameEvent, ...] | Rejected]
    """``begin(options, around, rng)``: the events that start a game."""
    decide: Callable[..., tuple[GameEvent, ...] | Rejected]
    """``decide(state, command, actor, around, rng)``: what the command brings about, or why it does not."""
    evolve: Callable[..., Any]
    """``evolve(state, event)``: the state after the event; the state before the first event is None."""
    view: Callable[..., Struct | None]
    """``view(state, options, viewer, around)``: what that viewer may see; None before a game, when the state is None.

    On the host's page its ``next`` is the host's one big step, an :class:`Act`.
    """
    script: Callable[..., tuple[Cue, ...]]
    """``script(event, state, seats)``: what is said when that public event has happened.

    The names of ``seats`` stand between their marks (:mod:`pi_gm.naming`) and go into texts as they are.
    """
    phrase: Callable[..., str]
    """``phrase(key, **words)``: the sentence for a Rejected reason, or for ``undo.<tag>`` of a host's command."""
    is_over: Callable[[Any], bool]
    summary: Callable[..., Mapping[str, object]]
    """``summary(state, seats)``: how a game ended, as plain data."""
    told: Callable[..., tuple[str, ...]]
    """``told(state, seats)``: how a game ended, in lines for people."""

    rules_aloud: tuple[tuple[RulesLength, tuple[str, ...]], ...] = ()
    """What the host can have read aloud; each text is a caption of its own, to be read along and cut short."""
    mistakes: Callable[[Any], tuple[str, ...]] = _of_any_kind
    """The sentences that say what is wrong with options; empty where nothing is."""
    deadline: Callable[[Any], Seconds | None] = _never
    """The table time at which the clock must send ``time_up``; None where the game waits for people."""
    time_up: Struct | None = None
    """The command that the clock sends at ``deadline``; None for a game without one."""
    after_speech: Callable[[str], Struct | None] = _waits_for_no_word
    """``after_speech(cue_key)``: the command that the clock sends when that cue was said, or given up by the speaker.

    None where nothing waits for it. A game must never wait for it longer than :func:`pi_gm.announcer.time_to_say`.
    """
    floor_instant: Callable[[Any], Seconds | None] = _never
    """The table time for which the next ``time_up`` must bring the floor; None where now will do."""
    seats_changed: Struct | None = None
    """The command that the clock sends when somebody sat out or came back; None where the game need not know at once."""
    buttons: tuple[tuple[str, Struct], ...] = ()
    """What a player says with a wired button of their own: ``accept`` or ``reject``, and the command that it stands for."""
    lean: Callable[..., tuple[SeatId, Struct] | None] = _hears_no_mat
    """``lean(state, sensor, seats)``: who says what by leaning on that mat now; None where that says nothing."""
    recap: Callable[..., tuple[str, ...]] = _tells_nothing
    """``recap(state, around)``: where the game stands, in sentences for everyone who was torn out of it by a power cut.

    Nothing that is not public already. ``around.floor`` says nothing.
    """
    boarding: Callable[[Any], Boarding | None] = _never
    """What is open to board now, for the room's lamps; None while nothing is."""
    bot: Callable[..., Struct | None] = _does_nothing
    """``bot(state, actor, around, rng)``: what a simple player or host would do now; None to wait."""
    tally: Callable[[Any], "Counter[str]"] = _counts_nothing
    """What happened how often in a game that is over, for the numbers of simulated nights."""
    written: Callable[[Iterable[bytes]], tuple[Any, tuple[Seat, ...]]] | None = None
    """``written(lines)``: the state and the seats of a night that a person wrote by hand; None where nights cannot be.

    Raises BadInput that names the line.
    """


class UnknownGame(PiGmError, LookupError):
    """A game was asked for that is not installed."""


def installed_games() -> dict[str, Game]:
    """Every game that an installed package offers, by key, in the order of their keys.

    Raises UnknownGame where an entry point does not lead to a :class:`Game`.
    """
    games: dict[str, Game] = {}
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name):
        game = entry.load()
        if not isinstance(game, Game):
            raise UnknownGame(
                f"the entry point {entry.name!r} leads to {entry.value!r}, which is no pi_gm.games.Game: "
                "point it at the game's value or uninstall the package"
            )
        games[game.key] = game
    return games


def decoder_of(union: Any) -> msgspec.json.Decoder[Any]:
    """A decoder that turns JSON into one of the structs of ``union`` and refuses everything else."""
    return msgspec.json.Decoder(union)
