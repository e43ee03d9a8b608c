"""An evening of Animal Mind at a real table, over a pile that a test lays out."""

from pi_gm import night as nights
from pi_gm.clock import FakeClock
from pi_gm.games import Page, Viewer
from pi_gm.games.animal_mind import commands
from pi_gm.games.animal_mind.cards import Kind, Pile
from pi_gm.games.animal_mind.state import State
from pi_gm.games.animal_mind.view import MindView
from pi_gm.journal import Journal
from pi_gm.night import House
from pi_gm.page_view import PageView
from pi_gm.room import Room, no_sensors
from tests.pi_gm.evening import Evening, Floor, MemoryJournal
from tests.pi_gm.games.animal_mind.mind import over_pile


class EveningOfMind(Evening):
    """A table at which Animal Mind is played. Whatever is said here must be accepted, unless it is ``asked``."""

    def __init__(
        self, *names: str, pile: Pile, journal: Journal | None = None, room: Room | None = None
    ) -> None:
        game = over_pile(pile)
        self.house = House({game.key: game}, room or no_sensors())
        self.clock = FakeClock()
        self.floor = Floor(self.house.room, self.clock)
        self.journal = journal or MemoryJournal()
        self._seed = 1
        self.table = self._new_table()
        for name in names:
            self.sit_down(name)

    @property
    def game(self) -> State:
        state: State = self.night.play
        return state

    @property
    def turn(self) -> str:
        """Whose turn it is, by name."""
        return self.name_of(self.game.turn)

    def offer(self, name: str, to: str, *, kind: Kind | None = None, value: int | None = None) -> None:
        self.accepted(commands.Offer(self.seat(to), kind, value), self.actor(name))

    def accept(self, name: str) -> None:
        self.accepted(commands.Accept(), self.actor(name))

    def reject(self, name: str) -> None:
        self.accepted(commands.Reject(), self.actor(name))

    def discard(self, name: str, kind: Kind) -> None:
        self.accepted(commands.Discard(kind), self.actor(name))

    def go_on(self) -> None:
        self.host(commands.GoOn())

    def sit_in(self, name: str) -> None:
        self.host(nights.SitIn(self.seat(name)))

    def mind_on(self, page: Page) -> MindView:
        seen: MindView = self.on(page).play
        return seen

    def mind_on_phone_of(self, name: str) -> MindView:
        seen: MindView = self.on_phone_of(name).play
        return seen

    def pages(self, *phones: str) -> dict[str, PageView]:
        """Every shared page, the phones of those named, and one without a seat."""
        shared = {page.value: self.on(page) for page in (Page.TV, Page.HOST, Page.BOOTH)}
        stranger = self.table.view(Viewer(Page.PLAYER, None, "a phone that nobody knows"))
        return {**shared, "stranger": stranger, **{name: self.on_phone_of(name) for name in phones}}
