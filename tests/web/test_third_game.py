"""A game that is nothing but a folder, joined through its entry point, is played like the two that come along."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_gm import cli
from pi_gm.games import HOST, Page, Viewer
from pi_gm.journal import export, read_export
from pi_gm.night import Pause, Undo
from tests.web.tabletop import Tabletop

EXAMPLE = Path(__file__).parents[1] / "example"


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    yield
    sys.modules.pop("pebble", None)


@pytest.fixture
def tabletop(_installed: None, tmp_path: Path) -> Tabletop:
    return Tabletop(tmp_path)


def test_it_is_chosen_played_and_won_on_everyones_pages(tabletop: Tabletop) -> None:
    host = tabletop.host()
    ana, ben = tabletop.phone("Ana"), tabletop.phone("Ben", address="192.168.7.101")
    booth = tabletop.booth()
    assert host.do("host", type="choose-game", game="pebble").status_code == 200
    assert "Whoever takes the last of 7 pebbles loses" in host.get("/host").text
    host.do("host", type="choose-options", options={"pebbles": 4})
    assert host.do("host", type="begin-game").status_code == 200
    assert "Take 3" in ana.get("/play").text
    assert "Take 3" not in ben.get("/play").text
    assert ana.do("play", type="take", pebbles=3).status_code == 200
    for device, page in ((host, "/host"), (ana, "/play"), (ben, "/play"), (ana, "/tv")):
        assert "1 pebbles are left" in device.get(page).text
    assert booth.get("/booth").status_code == 200
    assert ana.get("/rules").status_code == 200
    refused = ana.do("play", type="take", pebbles=1)
    assert (refused.status_code, refused.get_json()["why"]) == (409, "It is not your turn.")
    assert ben.do("play", type="take", pebbles=1).status_code == 200
    assert tabletop.tv().is_over


def test_it_has_undo_pause_captions_and_the_journal_for_nothing(tabletop: Tabletop) -> None:
    host = tabletop.host()
    tabletop.phone("Ana")
    tabletop.phone("Ben", address="192.168.7.101")
    host.do("host", type="choose-game", game="pebble")
    host.do("host", type="begin-game")
    host.do("host", type="tidy")
    assert tabletop.tv().captions[-1].text == "8 pebbles are left."
    offered = tabletop.table.view(Viewer(Page.HOST)).undo
    assert offered is not None
    tabletop.order(Undo(offered.step))
    tabletop.order(Pause("snacks"))
    steps = read_export(export(tabletop.journal.steps()), tabletop.house)
    assert [step.number for step in steps]
    assert tabletop.table.suggestion(HOST, None) is None  # type: ignore[arg-type]


@pytest.mark.usefixtures("_installed")
def test_bots_play_it_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "3", "--game", "pebble", "--players", "2"]) == 0
    assert "3 nights of Pebble" in capsys.readouterr().out
