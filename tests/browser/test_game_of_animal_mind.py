"""A game of Animal Mind as people play it: a host, four phones and the TV, in the real browser, to its end."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.devices import Host, Room
from tests.browser.test_night_of_animal_crossing import is_usable_by_all, picture

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Ben", "Chloe", "Dora")
TOLD_WITHIN = 180_000
"""Milliseconds in which the final ranking is told, rank by rank, after all that nobody here took the time to hear."""
MOST_TURNS = 60
ASKED_AGAIN = 200


def begin(host: Host) -> None:
    """Choose the game with as few cards as it can be played with."""
    page = host.page
    page.get_by_role("button", name="Animal Mind").click()
    expect(page.get_by_role("button", name="Animal Mind")).to_have_attribute("aria-pressed", "true")
    page.get_by_text("More", exact=True).first.click()
    cards = 13
    for value, fewer in ((0, 4), (1, 4), (2, 2)):
        for _ in range(fewer):
            cards -= 1
            page.get_by_role("button", name=f"One card worth {value} less").click()
            expect(page.get_by_text(f"{4 * cards} produce cards of four kinds")).to_be_visible()
    order = page.locator('[data-sort="players"] > [data-seat]')
    expect(order).to_have_count(len(NAMES))
    order.nth(3).locator("[data-grip]").drag_to(order.nth(0).locator("[data-grip]"))
    expect(order.nth(0)).to_contain_text("Dora")
    host.press("Start the game")


def test_a_game_with_four_phones_and_the_tv_to_its_end(room: Room) -> None:
    host = room.host()
    tv = room.device("tv", "/tv")
    phones = {name: room.phone(name).page for name in NAMES}
    begin(host)
    expect(phones["Dora"].locator("[data-open^='#say-']").first).to_be_visible()
    picture(tv, "mind-tv")
    picture(phones["Dora"], "mind-phone")
    is_usable_by_all(tv)
    is_usable_by_all(phones["Dora"])
    next_step, headline = host.page.locator("#next"), tv.locator("h1")
    for _ in range(4 * MOST_TURNS):
        told = headline.inner_text()
        if not move(next_step, phones):
            break
        expect(headline).not_to_have_text(told)
    expect(next_step).to_have_text("Play again")
    expect(tv.locator(".mind-ranks li").last).to_be_visible(timeout=TOLD_WITHIN)
    picture(tv, "mind-tv-rising")
    expect(headline).to_be_hidden()
    expect(tv.locator(".mind-winner .mind-tag").first).to_be_hidden()
    expect(headline).to_be_visible(timeout=TOLD_WITHIN)
    expect(headline).to_have_text(re.compile("wins?( together)?$"))
    picture(tv, "mind-tv-end")


def move(next_step: Locator, phones: dict[str, Page]) -> bool:
    """Whoever is waited for does the first thing that their device offers; False once the game is over."""
    page, offers, answers = waited_for(next_step, phones)
    if page is next_step.page:
        if next_step.inner_text() == "Play again":
            return False
        next_step.click()
    elif offers.count():
        offers.first.click()
        page.locator("dialog[open] [data-do]").first.click()
    else:
        answers.first.click()
    return True


def waited_for(next_step: Locator, phones: dict[str, Page]) -> tuple[Page, Locator, Locator]:
    """The device of whoever is waited for, with what it offers to say and to answer.

    The tablet and the phone each hear of the last move in their own time: until they agree, both are asked again.
    """
    label = ""
    for _ in range(ASKED_AGAIN):
        label = next_step.inner_text()
        page = next((phones[name] for name in phones if label.endswith(name)), next_step.page)
        offers = page.locator("[data-open^='#say-']")
        answers = page.locator(".phone-body [data-do]:not([disabled])")
        if page is next_step.page or offers.or_(answers).count():
            return page, offers, answers
        page.wait_for_timeout(50)
    raise AssertionError(f"the tablet says “{label}”, and that phone has nothing to do")
