"""A whole night as people play it: host, six phones, a TV and the simulated room, in the real browser."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.rules import Boarding, settle
from pi_gm.players import SeatId
from tests.browser.devices import Host, LivingRoom, Phone, Room

pytestmark = pytest.mark.browser

PICTURES = os.environ.get("PI_GM_PICTURES")
"""The folder for pictures of the pages; none are taken where it is not set."""

SHIPPED = ("host", "tv-sank", "phone-pick", "photo-finish")
"""The pictures that docs/ shows."""

NAMES = ("Ana", "Ben", "Chloe", "Dora", "Emil", "Fay")

TOLD_WITHIN = 60_000
"""Milliseconds in which the final ranking is told, rank by rank."""

Boarded = Mapping[str, tuple[str, str]]
"""Who was what, and where at the buzzer."""

LOADS = (
    {"A": 4, "B": 6},
    {"A": 4, "B": 7},
    {"A": 5, "B": 5},
    {"A": 2, "B": 10},
    {"A": 6, "B": 7},
    {"A": 8, "B": 10},
)

NIGHT: tuple[Boarded, ...] = (
    {
        "Ana": ("dog", "A"),
        "Ben": ("dog", "A"),
        "Chloe": ("cat", "A"),
        "Dora": ("mouse", "B"),
        "Emil": ("elephant", "B"),
        "Fay": ("dog", "island"),
    },
    {
        "Ana": ("mouse", "A"),
        "Ben": ("mouse", "A"),
        "Chloe": ("mouse", "A"),
        "Dora": ("elephant", "B"),
        "Emil": ("cat", "B"),
        "Fay": ("cat", "island"),
    },
    {
        "Ana": ("elephant", "A"),
        "Ben": ("elephant", "B"),
        "Chloe": ("cat", "island"),
        "Dora": ("cat", "island"),
        "Emil": ("mouse", "island"),
        "Fay": ("dog", "water"),
    },
    {
        "Ana": ("cat", "A"),
        "Ben": ("dog", "B"),
        "Chloe": ("dog", "B"),
        "Dora": ("dog", "B"),
        "Emil": ("mouse", "island"),
        "Fay": ("elephant", "island"),
    },
    {
        "Ana": ("cat", "A"),
        "Ben": ("cat", "A"),
        "Chloe": ("cat", "A"),
        "Dora": ("dog", "B"),
        "Emil": ("dog", "B"),
        "Fay": ("mouse", "island"),
    },
    {
        "Ana": ("elephant", "A"),
        "Ben": ("dog", "A"),
        "Chloe": ("elephant", "B"),
        "Dora": ("elephant", "B"),
        "Emil": ("cat", "island"),
        "Fay": ("mouse", "water"),
    },
)


def outcomes(number: int) -> dict[str, tuple[bool, int]]:
    """Who sank and who scored what, by the rules."""
    boarded = [
        Boarding(SeatId(name), Animal(animal), place) for name, (animal, place) in NIGHT[number].items()
    ]
    return {str(o.seat): (o.fate.is_sunk, o.points) for o in settle(boarded, LOADS[number])}


def sentence(number: int) -> str:
    sank = [name for name, (is_sunk, _) in outcomes(number).items() if is_sunk]
    if not sank:
        return "Nobody sank"
    return f"{', '.join(sank[:-1])} and {sank[-1]} sank" if len(sank) > 1 else f"{sank[0]} sank"


def picture(page: Page, name: str) -> None:
    if PICTURES and (name in SHIPPED or PICTURES != "docs"):
        page.screenshot(path=Path(PICTURES) / f"{name}.png")


def is_usable_by_all(page: Page) -> None:
    """No barrier that axe can see."""
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
    assert found.violations_count == 0, found.generate_report()


class Evening:
    """The people of the night and their devices."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.host: Host = room.host()
        self.tv: Page = room.device("tv", "/tv")
        expect(self.tv.locator(".qr")).to_be_visible()
        self.phones: dict[str, Phone] = {name: room.phone(name) for name in NAMES}
        self.living_room: LivingRoom = room.simulated()

    def pick(self, number: int) -> None:
        for name, (animal, _) in NIGHT[number].items():
            self.phones[name].pick(animal)

    def board(self, number: int, *, on_foot_only: tuple[str, ...] = ()) -> None:
        """Everyone goes where they go and says so on the phone, but for those who forget to."""
        self.host.press("Everybody board")
        self.host.page.get_by_role("button", name="+1 min").click()
        for name, (_, place) in NIGHT[number].items():
            if name not in on_foot_only:
                self.phones[name].check_in(place)
            self.living_room.walk(name, place)

    def buzz(self) -> None:
        self.host.press("Buzzer now")

    def hear_who_sank(self, number: int) -> None:
        self.host.press("Say who sank")
        said = sentence(number)
        expect(self.tv.get_by_role("heading", level=1)).to_have_text(said)
        for name, (is_sunk, _) in outcomes(number).items():
            heading = "You sank" if is_sunk else "You are dry"
            expect(self.phones[name].page.get_by_role("heading", name=heading)).to_be_visible()

    def play_round(self, number: int, *, on_foot_only: tuple[str, ...] = ()) -> None:
        self.pick(number)
        self.board(number, on_foot_only=on_foot_only)
        self.buzz()


def test_a_whole_night_with_host_six_phones_tv_and_room(room: Room) -> None:
    evening = Evening(room)
    host, tv, phones = evening.host, evening.tv, evening.phones
    picture(tv, "tv-joining")
    picture(host.page, "host-setup")
    is_usable_by_all(host.page)
    is_usable_by_all(tv)
    host.press("Start the game")

    # The practice round: a cushion lies on a couch, and the host rules that nobody sits there.
    evening.pick(0)
    assert phones["Ana"].peek() == "dog"
    is_usable_by_all(phones["Ana"].page)
    picture(phones["Ben"].page, "phone-pick")
    evening.board(0)
    evening.living_room.drag("cushion-1", '[data-mat="B3"]')
    picture(host.page, "host")
    picture(tv, "tv-boarding")
    picture(evening.living_room.page, "room")
    evening.buzz()
    host.answer("Raft B: 3 mats are pressed", "Nobody, a cushion")
    evening.hear_who_sank(0)
    picture(tv, "tv-sank")
    evening.living_room.drag("cushion-1", '[data-place=""]')

    # Round 1: Ben forgets to say where he is; he is the only one left, and so is his mat.
    host.press("Round 1")
    evening.play_round(1, on_foot_only=("Ben",))
    evening.hear_who_sank(1)
    host.page.get_by_role("button", name="Photo finish").click()
    is_usable_by_all(host.page)
    picture(host.page, "photo-finish")
    host.page.get_by_role("button", name="Close").click()

    # Round 2: Ana reloads her phone and has still chosen; Emil's phone is gone, and he comes back on another.
    host.press("Round 2")
    evening.pick(2)
    phones["Ana"].reload()
    assert phones["Ana"].peek() == "elephant"
    another = room.device("phone", f"/j/{room.code}")
    another.get_by_text("I have a seat already").click()
    another.get_by_role("button", name="Emil").click()
    expect(another.get_by_role("heading", name="One moment")).to_be_visible()
    host.page.get_by_role("button", name="Let Emil in").click()
    expect(another.locator(".phone-head .name")).to_have_text("Emil")
    expect(phones["Emil"].page.get_by_role("heading", name="Sit down with us")).to_be_visible()
    phones["Emil"] = Phone(another, "Emil")
    assert phones["Emil"].peek() == "mouse"
    evening.board(2)
    evening.buzz()
    evening.hear_who_sank(2)

    # Round 3: Dora's phone says Raft B, but nobody presses a third mat there; the host saw her on the couch.
    host.press("Round 3")
    evening.pick(3)
    evening.board(3)
    evening.living_room.walk("Dora", "water")
    evening.buzz()
    host.answer("Raft B: Ben, Chloe and Dora say they are there, but 2 mats", "It is as they say")
    evening.hear_who_sank(3)

    # Round 4: Fay sits on Raft A when the mats are read, and the host calls her back to the island, by hand.
    host.press("Round 4")
    evening.pick(4)
    evening.board(4)
    evening.buzz()
    host.rule("Fay", "The water")
    host.page.get_by_role("button", name="Undo").click()
    evening.hear_who_sank(4)

    # Round 5, and the whole story.
    host.press("Round 5")
    evening.play_round(5)
    evening.hear_who_sank(5)
    secret = tv.content() + host.page.content()
    assert "elephant" not in secret.lower().replace("elephant.svg", "")
    host.press("Open the whole story")
    totals = {name: sum(outcomes(number)[name][1] for number in range(1, 6)) for name in NAMES}
    last, *_, first = sorted(totals, key=lambda name: totals[name])
    expect(tv.locator("tr", has_text=last).first).to_be_visible(timeout=TOLD_WITHIN)
    expect(tv.locator("tr", has_text=first).first).to_be_hidden()
    expect(tv.get_by_role("heading", level=1)).to_be_hidden()
    picture(tv, "tv-rising")
    expect(tv.get_by_role("heading", level=1)).to_be_visible(timeout=TOLD_WITHIN)
    for name, points in totals.items():
        expect(tv.locator("tr", has_text=name).first).to_contain_text(str(points))
        expect(phones[name].page.get_by_role("heading", level=1)).to_contain_text(f"with {points} point")
    picture(tv, "tv-story")
    picture(host.page, "host-story")
    picture(phones["Ana"].page, "phone-story")
    is_usable_by_all(tv)
    is_usable_by_all(phones["Ana"].page)
