import logging
from typing import Any

import pytest

from pi_gm.announcer import Urgency
from pi_gm.games import Page, Viewer
from pi_gm.night import AddSeat, BeginGame, ChooseOptions, Pause, SetQuiet, hashed
from tests.web.tabletop import Device, Tabletop
from web.live import Shown, spoken
from web.rendering import Rendering
from web.screens import Screen

TV = Screen("tv")


def shown(tabletop: Tabletop, screen: Screen) -> Shown:
    tabletop.hub.refresh()
    found = tabletop.hub.shown(screen)
    assert found is not None
    return found


def screen_of(phone: Device) -> Screen:
    return Screen("player", hashed(phone.secret("pi-gm-phone")))


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The name of each page that is drawn, in order."""
    names: list[str] = []
    fragment = Rendering.fragment

    def note(self: Rendering, name: str, **context: Any) -> str:
        names.append(name)
        return fragment(self, name, **context)

    monkeypatch.setattr(Rendering, "fragment", note)
    return names


def test_a_page_that_many_see_is_drawn_once(tabletop: Tabletop, drawn: list[str]) -> None:
    for _ in range(5):
        tabletop.hub.watch(TV)
    tabletop.hub.refresh()
    assert drawn == ["tv"]


def test_a_page_on_which_nothing_changed_is_not_drawn_and_nobody_is_woken(
    tabletop: Tabletop, drawn: list[str]
) -> None:
    woken: list[int] = []
    tabletop.hub.listen(lambda: woken.append(1))
    tabletop.hub.watch(TV)
    before = shown(tabletop, TV)
    tabletop.hub.changed()
    assert shown(tabletop, TV) is before
    assert (drawn, len(woken)) == (["tv"], 1)


def test_a_change_wakes_once_for_all_the_pages_it_changes(tabletop: Tabletop) -> None:
    woken: list[int] = []
    host = tabletop.host()
    for screen in (TV, Screen("host", hashed(host.secret("pi-gm-host"))), Screen("player")):
        tabletop.hub.watch(screen)
    tabletop.hub.refresh()
    tabletop.hub.listen(lambda: woken.append(1))
    tabletop.order(AddSeat("Ana"))
    tabletop.hub.refresh()
    assert len(woken) == 1


def test_two_changes_at_once_are_one_new_version(tabletop: Tabletop) -> None:
    tabletop.hub.watch(TV)
    before = shown(tabletop, TV).version
    tabletop.order(AddSeat("Ana"))
    tabletop.order(AddSeat("Ben"))
    after = shown(tabletop, TV)
    assert after.version == before + 1
    assert b"Ben" in bytes(after.html or b"")


def test_versions_of_one_page_do_not_tell_of_changes_on_another(tabletop: Tabletop) -> None:
    ana, ben = tabletop.phone("Ana"), tabletop.phone("Ben")
    tabletop.order(BeginGame())
    ana.do("play", type="pick", animal="dog")
    screen = screen_of(ben)
    tabletop.hub.watch(screen)
    before = shown(tabletop, screen)
    for animal in ("cat", "mouse", "dog"):
        ana.do("play", type="pick", animal=animal)
        tabletop.hub.refresh()
    assert shown(tabletop, screen) is before


def test_versions_go_on_where_they_were_when_somebody_looks_again(tabletop: Tabletop) -> None:
    tabletop.hub.watch(TV)
    first = shown(tabletop, TV)
    tabletop.hub.unwatch(TV)
    assert tabletop.hub.shown(TV) is None
    tabletop.hub.watch(TV)
    assert shown(tabletop, TV).version == first.version + 1


def test_what_nobody_looks_at_is_not_drawn(tabletop: Tabletop, drawn: list[str]) -> None:
    tabletop.hub.watch(TV)
    tabletop.hub.refresh()
    tabletop.hub.unwatch(TV)
    tabletop.order(AddSeat("Ana"))
    tabletop.hub.refresh()
    assert drawn == ["tv"]


def test_a_page_that_its_device_may_not_see_any_more_shows_nothing(tabletop: Tabletop) -> None:
    screen = Screen("host", hashed(tabletop.host().secret("pi-gm-host")))
    tabletop.hub.watch(screen)
    assert shown(tabletop, screen).html is not None
    tabletop.host()
    assert shown(tabletop, screen).html is None


def test_a_page_that_cannot_be_drawn_does_not_take_the_others_with_it(
    tabletop: Tabletop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fragment = Rendering.fragment

    def fail(self: Rendering, name: str, **context: Any) -> str:
        if name == "player":
            raise RuntimeError("a fault in a template")
        return fragment(self, name, **context)

    monkeypatch.setattr(Rendering, "fragment", fail)
    tabletop.hub.watch(Screen("player"))
    tabletop.hub.watch(TV)
    with caplog.at_level(logging.ERROR):
        assert shown(tabletop, TV).version == 1
    assert tabletop.hub.shown(Screen("player")) is None
    assert "'player'" in caplog.text


def test_time_is_told_as_of_now_though_the_page_was_drawn_a_while_ago(tabletop: Tabletop) -> None:
    tabletop.hub.watch(TV)
    drawn = shown(tabletop, TV)
    tabletop.clock.turn(60)
    assert drawn.runs
    assert drawn.table_time(tabletop.clock.monotonic()) == pytest.approx(tabletop.table.now()[0])


def test_time_that_stands_is_told_as_it_stands(tabletop: Tabletop) -> None:
    for name in ("Ana", "Ben"):
        tabletop.order(AddSeat(name))
    tabletop.order(BeginGame())
    tabletop.order(Pause("snacks"))
    tabletop.hub.watch(TV)
    drawn = shown(tabletop, TV)
    tabletop.clock.turn(60)
    assert not drawn.runs
    assert drawn.table_time(tabletop.clock.monotonic()) == pytest.approx(tabletop.table.now()[0])


# What is said aloud


def boarding(tabletop: Tabletop) -> None:
    phones = [tabletop.phone(name) for name in ("Ana", "Ben")]
    tabletop.order(ChooseOptions({"practice": False, "board_seconds": 30}))
    tabletop.order(BeginGame())
    for phone in phones:
        phone.do("play", type="pick", animal="dog")
    assert tabletop.host().do("host", type="open-boarding").status_code == 200


def test_the_tv_the_host_and_the_phones_can_speak_and_the_booth_is_silent(tabletop: Tabletop) -> None:
    phone, host, booth = tabletop.phone("Ana"), tabletop.host(), tabletop.booth()
    screens = {
        "tv": TV,
        "host": Screen("host", hashed(host.secret("pi-gm-host"))),
        "player": screen_of(phone),
        "booth": Screen("booth", hashed(booth.secret("pi-gm-booth"))),
    }
    for screen in screens.values():
        tabletop.hub.watch(screen)
    said = {page: [each.text for each in shown(tabletop, screen).say] for page, screen in screens.items()}
    assert said["tv"] == ["Ana is at the table."]
    assert said["tv"] == said["host"] == said["player"]
    assert said["booth"] == []


def test_nothing_is_said_in_quiet_mode_but_it_counts_as_said(tabletop: Tabletop) -> None:
    tabletop.phone("Ana")
    tabletop.order(SetQuiet(on=True))
    tabletop.hub.watch(TV)
    drawn = shown(tabletop, TV)
    assert drawn.say == ()
    assert drawn.newest == 1


def test_the_buzzer_comes_first_and_what_came_before_it_is_not_said(tabletop: Tabletop) -> None:
    boarding(tabletop)
    tabletop.pass_time(31)
    view = tabletop.table.view(Viewer(Page.TV))
    said = spoken(view, tabletop.table.now()[0])
    assert said[0].urgency == Urgency.BUZZER
    assert {each.key for each in said} == {"buzzer"}


def test_a_tick_that_comes_late_is_not_said(tabletop: Tabletop) -> None:
    boarding(tabletop)
    tabletop.pass_time(20.5)
    view = tabletop.table.view(Viewer(Page.TV))
    now = tabletop.table.now()[0]
    assert Urgency.TICK in [each.urgency for each in spoken(view, now)]
    assert Urgency.TICK not in [each.urgency for each in spoken(view, now + 5)]
