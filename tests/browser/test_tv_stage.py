"""What the TV shows stays on the TV: nothing runs off its edge, below the captions or into the sun, whoever plays."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pi_gm.games.animal_crossing import commands
from pi_gm.rooms import ROOMS
from tests.browser.stills import NAMES, Evening, StillFloor, show_anew, shown
from tests.web.tabletop import Device, Tabletop

pytestmark = pytest.mark.browser

ASTRAY = """() => {
  const strip = document.querySelector(".caption").getBoundingClientRect().top;
  const astray = [];
  const holds = (frame, inner) => inner.left >= frame.left - 1 && inner.right <= frame.right + 1
    && inner.top >= frame.top - 1 && inner.bottom <= frame.bottom + 1;
  const stage = { left: 0, top: 0, right: innerWidth, bottom: strip };
  const told = `.tv-scene :is(h1, h2, .tv-round, .token, .name, .clock, .raft, .place, .place-top, .qr-card,
    .tv-words p, .empty, .nobody, .film-row, table, .legend, .race)`;
  for (const each of document.querySelectorAll(told)) {
    const box = each.getBoundingClientRect();
    if (box.width === 0) continue;
    const frame = each.closest(".place-top")?.getBoundingClientRect() ?? stage;
    if (!holds(stage, box) || !holds(frame, box)) {
      const at = [box.left, box.top, box.right, box.bottom].map(Math.round);
      astray.push(`${each.nodeName}.${each.className.baseVal ?? each.className} ${each.textContent.slice(0, 30)} ${at}`);
    }
  }
  const sun = document.querySelector(".sun")?.getBoundingClientRect();
  const headline = document.querySelector(".tv-head h1")?.getBoundingClientRect();
  if (sun && headline && headline.bottom > sun.top + 1) astray.push("the headline runs into the sun");
  const words = document.querySelector(".caption span")?.getBoundingClientRect();
  const below = { ...stage, top: strip, bottom: innerHeight };
  if (words && !holds(below, words)) astray.push("the caption leaves its strip");
  return astray;
}"""
"""What of the TV's page reaches beyond its stage, in words."""


class Stage:
    """The TV's page, without its script."""

    def __init__(self, page: Page, device: Device) -> None:
        self.page = page
        self._device = device

    def holds(self, where: str) -> None:
        """Fails where something of what is shown now is not to be seen whole."""
        show_anew(self.page, self._device, "/tv")
        assert self.page.evaluate(ASTRAY) == [], where


@pytest.fixture
def stage(browser: Browser, tabletop: Tabletop) -> Iterator[Stage]:
    device = tabletop.device()
    with shown(browser, device, "tv", "/tv") as page:
        yield Stage(page, device)


@pytest.fixture
def tabletop(tmp_path: Path) -> Iterator[Tabletop]:
    room = ROOMS["mats"]
    table = Tabletop(tmp_path, room=room, floor=StillFloor(room))
    yield table
    table.journal.close()


@pytest.mark.parametrize("many", [2, 3, 6, 12])
@pytest.mark.parametrize("kind", NAMES)
def test_a_night_stays_on_its_stage(stage: Stage, tabletop: Tabletop, kind: str, many: int) -> None:
    stage.holds("nobody at the table")
    evening = Evening(tabletop, NAMES[kind][:many])
    stage.holds("joining")
    evening.begin(rounds=many, practice=True)
    for sunk in range(many + 1):
        evening.pick(evening.seats[:1])
        stage.holds("picking")
        tabletop.order(commands.CallOn())
        stage.holds("calling")
        evening.board()
        evening.stand({"A": min(sunk, 3), "B": min(max(sunk - 3, 0), 3)})
        stage.holds(f"boarding, {sunk} of them aboard")
        evening.buzz()
        stage.holds("nobody move")
        evening.stand({"water": sunk, "island": many - sunk})
        stage.holds(f"{sunk} in the water")
        tabletop.order(commands.ShowFilm())
        stage.holds("photo finish")
        tabletop.order(commands.HideFilm())
        evening.settle()
        stage.holds(f"{sunk} sank")
        tabletop.order(commands.OpenNight() if sunk == many else commands.NextRound())
    stage.holds("over")


@pytest.mark.parametrize("letters", [20, 100, 150, 151, 250, 360, 361, 500])
def test_a_caption_has_room_in_its_strip(stage: Stage, letters: int) -> None:
    said = ("Maximilian, please choose. " * 20)[:letters]
    size = "longest" if letters > 360 else "long" if letters > 150 else ""
    caption = f"<span class='{size}'>{said}</span>"
    stage.page.evaluate("html => (document.querySelector('.caption').innerHTML = html)", caption)
    assert stage.page.evaluate(ASTRAY) == []
