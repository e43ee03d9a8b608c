"""The room is taught on the host's tablet, by somebody who walks from mat to mat of the simulated living room."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from pi_gm.rooms import ROOMS
from pi_gm.settings import read_room
from tests.browser.devices import Room
from tests.browser.test_night_of_animal_crossing import is_usable_by_all, picture

pytestmark = pytest.mark.browser

MATS = [sensor.key for sensor in ROOMS["mats"].sensors]


def test_two_swapped_mats_and_a_silent_one_are_found_and_the_night_goes_on(
    room: Room, tmp_path: Path
) -> None:
    tablet = room.host().page
    living_room = room.simulated()
    phone = room.phone("Ana")
    tablet.get_by_role("button", name="More").last.click()
    tablet.get_by_role("link", name="Teach the room").click()
    expect(tablet.get_by_role("heading", name="Teach the room")).to_be_visible()
    picture(tablet, "teach-begin")
    is_usable_by_all(tablet)

    tablet.get_by_role("button", name="Teach this room").click()
    expect(tablet.get_by_role("heading", name="Everybody off every mat")).to_be_visible()
    living_room.drag("cushion-3", '[data-mat="B3"]')
    tablet.get_by_role("button", name="Everybody is off").click()
    expect(tablet.get_by_text("Raft B, seat 3 is pressed although nobody is on it.")).to_be_visible()
    picture(tablet, "teach-stuck")
    living_room.drag("cushion-3", ".hall")
    tablet.get_by_role("button", name="Everybody is off").click()

    expect(tablet.get_by_role("heading", name="Step on raft A, seat 1, and stay there.")).to_be_visible()
    stepped_on = {"A1": "A2", "A2": "A1"}
    for number, mat in enumerate(MATS, start=1):
        if number == 5:
            picture(tablet, "teach-step")
            is_usable_by_all(tablet)
            tablet.set_viewport_size({"width": 390, "height": 844})
            picture(tablet, "teach-step-phone")
            tablet.set_viewport_size({"width": 1180, "height": 820})
        if mat == "C3":
            tablet.get_by_role("button", name="Nothing happens").click()
        else:
            living_room.drag("cushion-1", f'[data-mat="{stepped_on.get(mat, mat)}"]')
        expect(tablet.locator(".pill")).to_have_text(f"{number} of {len(MATS)}")
    expect(tablet.get_by_text("Raft A, seat 1 and raft A, seat 2 were swapped")).to_be_visible()
    expect(tablet.get_by_role("heading", name="Raft C, seat 3 says nothing")).to_be_visible()
    picture(tablet, "teach-done")

    silent = tablet.locator('[data-key="mat-C3"] button')
    silent.click()
    silent.click()
    expect(tablet.locator(".pill")).to_have_text(f"{len(MATS) - 1} of {len(MATS)}")
    living_room.drag("cushion-1", '[data-mat="C3"]')
    expect(tablet.locator(".pill")).to_have_text(f"{len(MATS)} of {len(MATS)}")
    expect(tablet.get_by_role("heading", name="Raft C, seat 3 says nothing")).to_have_count(0)
    tablet.get_by_role("button", name="Back").click()
    living_room.drag("cushion-1", '[data-mat="A3"]')
    expect(tablet.get_by_text("That one was learned as raft A, seat 3.")).to_be_visible()
    living_room.drag("cushion-1", '[data-mat="rug"]')
    tablet.get_by_role("button", name="Use this room").click()
    expect(tablet.get_by_text("The room is learned")).to_be_visible(timeout=10_000)
    pins = {sensor.key: sensor.pin for sensor in read_room(tmp_path / "room.toml").room.sensors}
    assert (pins["A1"], pins["A2"]) == (5, 4)

    tablet.get_by_role("link", name="To the host").click()
    expect(tablet.locator(".seats .piece", has_text="Ana")).to_be_visible()
    expect(phone.page.locator(".phone-head .name")).to_have_text("Ana")


def test_a_lesson_that_is_stopped_goes_on_where_it_was_left(room: Room) -> None:
    tablet = room.host().page
    living_room = room.simulated()
    tablet.goto(tablet.url + "/teach")
    for already in (0, 1):
        tablet.get_by_role("button", name="Teach this room").click()
        tablet.get_by_role("button", name="Everybody is off").click()
        expect(tablet.locator(".pill")).to_have_text(f"{already} of {len(MATS)}")
        living_room.drag("cushion-1", f'[data-mat="{MATS[already]}"]')
        expect(tablet.locator(".pill")).to_have_text(f"{already + 1} of {len(MATS)}")
        living_room.drag("cushion-1", ".hall")
        tablet.get_by_role("button", name="Stop here").click()
        expect(tablet.get_by_text("Stopped for now.")).to_be_visible(timeout=10_000)
