"""The photo finish, as a host plays it and everyone sees it on the TV."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.devices import Room

pytestmark = pytest.mark.browser


def test_the_host_settles_an_argument_with_the_photo_finish(room: Room) -> None:
    host, tv, living_room = room.host(), room.device("tv", "/tv"), room.simulated()
    phones = {name: room.phone(name) for name in ("Ana", "Ben")}
    host.press("Start the game")
    for phone in phones.values():
        phone.pick("dog")
    host.press("Everybody board")
    living_room.walk("Ana", "A")
    host.press("Buzzer now")
    tool = host.page.locator(".tool", has_text="Photo finish")
    tool.click()
    film = host.page.locator("#photo-finish")
    expect(film.locator(".film-row.is-pressed")).to_have_count(1)
    expect(film.locator(".film-row.is-pressed .film-told")).to_have_text(re.compile("^on "))
    expect(film.locator(".film-row.lit")).to_have_count(1)

    scrub = film.locator(".film-scrub")
    scrub.focus()
    host.page.keyboard.press("Home")
    expect(film.locator(".film-at")).to_have_text("5.00 s before")
    host.page.keyboard.press("End")
    expect(film.locator(".film-row.lit")).to_have_count(1)

    film.get_by_role("button", name="Play").click()
    expect(film.get_by_role("button", name="Pause")).to_be_visible()
    film.get_by_role("button", name="Show it on the TV").click()
    expect(tv.locator("h1")).to_have_text("Photo finish")
    expect(tv.locator(".film-row")).to_have_count(7)
    film.get_by_role("button", name="Take it off the TV").click()
    expect(tv.locator(".film-row")).to_have_count(0)
