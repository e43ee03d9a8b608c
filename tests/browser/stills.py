"""Pages as they stand at one moment: a night on a clock that stands still, shown by the real browser without its script."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route

from pi_gm.clock import Seconds
from pi_gm.floor import AFTER, BEFORE, FloorReading, NoFloor, Reading, Strip
from pi_gm.games import Actor, Role
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.night import BeginGame, ChooseOptions
from pi_gm.players import SeatId
from pi_gm.room import Room
from tests.browser.devices import SIZES
from tests.web.tabletop import ORIGIN, Device, Tabletop

NAMES: Mapping[str, Sequence[str]] = {
    "short": ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo", "Kim", "Li"),
    "long": tuple(f"Maximilian-{number:02}-Hohen" for number in range(1, 13)),
    "arabic": tuple(f"عبد الرحمن منصور {number}" for number in range(1, 13)),
    "emoji": tuple(f"🦄👩‍👧🐘👍🏽 {number}" for number in range(1, 13)),
}
"""Twelve names of each kind that makes trouble on a page."""


class StillFloor(NoFloor):
    """Mats that say the same at every instant."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self.pressed: tuple[str, ...] = ()
        self.unknown: tuple[str, ...] = ()

    def now(self) -> FloorReading:
        said = tuple((each.key, self._says(each.key)) for each in self._room.sensors)
        return FloorReading(said, tuple(self._strip(key, reading) for key, reading in said))

    def at(self, instant: Seconds) -> FloorReading:
        return self.now()

    def _says(self, key: str) -> Reading:
        if key in self.unknown:
            return Reading.UNKNOWN
        return Reading.PRESSED if key in self.pressed else Reading.CLEAR

    def _strip(self, key: str, reading: Reading) -> Strip:
        return Strip(key, -BEFORE, ((-2.0, AFTER),) if reading is Reading.PRESSED else (), ())


class Evening:
    """People at a table, and what its host makes happen."""

    def __init__(self, tabletop: Tabletop, names: Sequence[str]) -> None:
        self.tabletop = tabletop
        for name in names:
            tabletop.phone(name)
        self.seats: tuple[SeatId, ...] = tuple(seat.id for seat in tabletop.table.seats)

    def begin(self, **options: object) -> None:
        self.tabletop.order(ChooseOptions(dict(options)))
        self.tabletop.order(BeginGame())

    def pick(self, seats: Sequence[SeatId] | None = None) -> None:
        for number, seat in enumerate(self.seats if seats is None else seats):
            animal = tuple(Animal)[number % 4]
            self.tabletop.table.submit(commands.PickAnimal(animal), Actor(Role.PLAYER, seat))

    def board(self) -> None:
        self.pick()
        self.tabletop.order(commands.OpenBoarding())

    def stand(self, places: Mapping[str, int]) -> None:
        """So many at each place, in the order in which they sit; whoever is left over stays in the water."""
        waiting = list(self.seats)
        for place, many in places.items():
            for seat in waiting[:many]:
                self.tabletop.order(commands.RulePlace(seat, place))
            del waiting[:many]

    def buzz(self) -> None:
        self.tabletop.order(commands.SoundBuzzer())
        self.tabletop.pass_time(2)

    def settle(self) -> None:
        self.tabletop.order(commands.SettleRound())


@contextmanager
def shown(browser: Browser, device: Device, kind: str, path: str) -> Iterator[Page]:
    """A screen of that kind that shows ``path`` as ``device`` may see it; the page's script does not run."""
    width, height = SIZES[kind]
    context = browser.new_context(
        viewport={"width": width, "height": height}, java_script_enabled=False, reduced_motion="reduce"
    )

    def answer(route: Route) -> None:
        parts = urlsplit(route.request.url)
        found = device.get(parts.path)
        route.fulfill(status=found.status_code, headers=dict(found.headers), body=found.data)

    context.route("**/*", answer)
    page = context.new_page()
    page.goto(ORIGIN + path)
    yield page
    context.close()


def show_anew(page: Page, device: Device, path: str) -> None:
    """Let ``page``, which shows ``path`` already, show how it is now."""
    found = device.get(path).text
    inside = found[found.index("<main") : found.index("</main>")]
    page.evaluate("html => (document.querySelector('#page').outerHTML = html)", inside + "</main>")
