"""A game of Animal Mind over a pile that a test lays out, so that it can say what happens in a line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

import msgspec
from msgspec.structs import replace

from pi_gm.announcer import Cue
from pi_gm.clock import Seconds
from pi_gm.floor import FloorReading
from pi_gm.games import CLOCK, HOST, Actor, Game, Page, PublicEvent, Rejected, Role, Surroundings, Viewer
from pi_gm.games.animal_mind import GAME, commands
from pi_gm.games.animal_mind.cards import SCORING, Card, Kind, Pile
from pi_gm.games.animal_mind.decide import begin, begin_with, deadline, decide, present
from pi_gm.games.animal_mind.events import Event
from pi_gm.games.animal_mind.options import Options
from pi_gm.games.animal_mind.script import script
from pi_gm.games.animal_mind.state import Hand, Phase, State, evolve
from pi_gm.games.animal_mind.view import MindView, view
from pi_gm.players import Seat, SeatId
from pi_gm.room import no_sensors

FUR, MILK, EGG, PET = Kind.FUR, Kind.MILK, Kind.EGG, Kind.PET
PEOPLE = ("Ana", "Ben", "Chloe", "Dora", "Emil")

Answer = tuple[Event, ...] | Rejected


def card(text: str) -> Card:
    """``milk2``."""
    return Card(Kind(text[:-1]), int(text[-1]))


def pile_of(text: str) -> Pile:
    """``milk2 egg0 scoring``, the top first."""
    return tuple(SCORING if word == SCORING else card(word) for word in text.split())


def seats_for(*names: str) -> tuple[Seat, ...]:
    """A seat is known by its player's name, so that a failing test can be read."""
    return tuple(Seat(SeatId(name), name, token) for token, name in enumerate(names, start=1))


def player(name: str) -> Actor:
    return Actor(Role.PLAYER, SeatId(name))


def reason(answer: object) -> str | None:
    """Why not; None where it was a yes."""
    return answer.reason if isinstance(answer, Rejected) else None


@dataclass
class Mind:
    """A game under way. What is done happens at ``now``; nothing passes time but ``pass_time``."""

    seats: tuple[Seat, ...]
    options: Options = field(default_factory=Options)
    now: Seconds = 100.0
    is_paused: bool = False
    told: list[tuple[Event, tuple[Cue, ...]]] = field(default_factory=list)
    """Everything that happened, and what was said of it."""
    so_far: State | None = None

    # What is asked, and how it is answered

    def begin(self, seed: int = 7) -> Answer:
        return self._let_happen(begin(self.options, self.around, Random(seed)))

    def begin_with(self, pile: Pile, players: int) -> None:
        chosen = tuple(seat.id for seat in self.seats[:players])
        self._let_happen(begin_with(pile, chosen, self.options, self.around))

    def ask(self, command: commands.AnyCommand, actor: Actor) -> Answer:
        return self._let_happen(decide(self.state, command, actor, self.around, Random(7)))

    def host(self, command: commands.HostCommand) -> Answer:
        return self.ask(command, HOST)

    def by(self, name: str, command: commands.PlayerCommand) -> Answer:
        return self.ask(command, player(name))

    def _let_happen(self, decided: Answer) -> Answer:
        if isinstance(decided, Rejected):
            return decided
        for event in decided:
            self.so_far = evolve(self.so_far, event)
            cues = script(event, self.state, self.seats) if isinstance(event, PublicEvent) else ()
            self.told.append((event, cues))
        return decided

    # A game in short: each fails where it is refused

    def offer(self, name: str, to: str, *, kind: Kind | None = None, value: int | None = None) -> None:
        assert reason(self.by(name, commands.Offer(SeatId(to), kind, value))) is None

    def accept(self, name: str) -> None:
        assert reason(self.by(name, commands.Accept())) is None

    def reject(self, name: str) -> None:
        assert reason(self.by(name, commands.Reject())) is None

    def discard(self, name: str, kind: Kind) -> None:
        assert reason(self.by(name, commands.Discard(kind))) is None

    def go_on(self) -> None:
        assert reason(self.host(commands.GoOn())) is None

    def takes(self, name: str, *, kind: Kind | None = None, value: int | None = None) -> None:
        """``name`` takes the card that is drawn now; nothing else said, its kind is said of it.

        Decision cards are afterwards as they were, so that no test has to count what was answered before it began.
        """
        drawer, drawn = self.turn, self.state.drawn
        assert drawn is not None, "there is nothing to draw"
        here = present(self.state, self.around)
        to = next(each for each in here if each != drawer) if name == drawer else name
        accepts = self.accepts[to]
        self._set_accepts(to, 2)
        said_kind = drawn.kind if kind is None and value is None else kind
        self.offer(drawer, to, kind=said_kind, value=value)
        if name == drawer:
            self.reject(to)
        else:
            self.accept(to)
        self._set_accepts(to, accepts)

    def _set_accepts(self, name: str, accepts: int) -> None:
        hands = tuple(
            replace(hand, accepts=accepts) if hand.seat == name else hand for hand in self.state.hands
        )
        self.so_far = replace(self.state, hands=hands)

    def keeps(self, name: str) -> None:
        """``name`` takes the card that is drawn now, and the game goes on."""
        self.takes(name)
        self.go_on()

    def pass_time(self, seconds: Seconds) -> None:
        """Let time pass, and the clock do what is due on the way."""
        until = self.now + seconds
        while (due := deadline(self.state)) is not None and due <= until:
            self.now = max(self.now, due)
            assert self.ask(commands.TimeUp(), CLOCK), f"nothing happened at {due}, when something was due"
        self.now = until

    def sit_out(self, *names: str) -> None:
        self._seat(sits_out=True, names=names)

    def sit_in(self, *names: str) -> None:
        self._seat(sits_out=False, names=names)

    def _seat(self, *, sits_out: bool, names: tuple[str, ...]) -> None:
        """One after the other, as the host taps them, and each time a game that is on hears of it."""
        for name in names:
            self.seats = tuple(
                replace(seat, sits_out=sits_out) if seat.name == name else seat for seat in self.seats
            )
            if self.so_far is not None:
                self.ask(commands.SeatsChanged(), CLOCK)

    # Where it stands

    @property
    def around(self) -> Surroundings:
        return Surroundings(self.now, self.seats, no_sensors(), FloorReading(), self.is_paused)

    @property
    def state(self) -> State:
        assert self.so_far is not None, "the game has not begun"
        return self.so_far

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def turn(self) -> str:
        return self.state.turn

    @property
    def players(self) -> tuple[str, ...]:
        return self.state.players

    def hand(self, name: str) -> Hand:
        return self.state.hand(SeatId(name))

    @property
    def chips(self) -> Mapping[str, int]:
        return {hand.seat: hand.chips for hand in self.state.hands}

    @property
    def accepts(self) -> Mapping[str, int]:
        return {hand.seat: hand.accepts for hand in self.state.hands}

    def collection(self, name: str) -> Mapping[str, tuple[int, ...]]:
        return {held.kind.value: held.values for held in self.hand(name).collection}

    @property
    def happened(self) -> list[Event]:
        return [event for event, _ in self.told]

    @property
    def cues(self) -> list[Cue]:
        return [cue for _, cues in self.told for cue in cues]

    @property
    def said(self) -> list[str]:
        return [cue.text for cue in self.cues]

    def seen_by(self, viewer: Viewer) -> MindView:
        seen = view(self.so_far, self.options, viewer, self.around)
        assert seen is not None
        return seen

    def on_phone_of(self, name: str) -> MindView:
        return self.seen_by(Viewer(Page.PLAYER, SeatId(name)))

    def on(self, page: Page) -> MindView:
        return self.seen_by(Viewer(page))


def game_of(players: int, pile: str, *, watching: int = 0, options: Options | None = None) -> Mind:
    """A game over ``pile`` that has begun, with the first of :data:`PEOPLE`; those ``watching`` sit there too."""
    mind = Mind(seats_for(*PEOPLE[: players + watching]), options or Options())
    mind.begin_with(pile_of(pile), players)
    return mind


def over_pile(pile: Pile) -> Game:
    """The game as a table knows it, but over a pile that lies ready."""

    def begin_over_pile(options: Options, around: Surroundings, rng: Random) -> Answer:
        began = begin(options, around, rng)
        if isinstance(began, Rejected):
            return began
        (who,) = (event.players for event in began if hasattr(event, "players"))
        return begin_with(pile, who, options, around)

    return replace(GAME, begin=begin_over_pile)


_encode: Callable[[object], bytes] = msgspec.json.Encoder().encode


def as_bytes(page: object) -> bytes:
    """What goes to a page."""
    return _encode(page)
