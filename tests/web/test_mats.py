"""The host's page tells how the mats are doing, and lets the host play on without one."""

from pathlib import Path

import pytest

from pi_gm.clock import FakeClock
from pi_gm.floor import Sensor, Trouble
from pi_gm.room import Room
from tests.pi_gm.evening import Floor
from tests.web.tabletop import Tabletop, commands_on

ROOM = Room("two mats", (Sensor("A1", 4, "A", owner=1), Sensor("A2", 5, "A")))


class Played:
    def __init__(self, folder: Path) -> None:
        self.floor = Floor(ROOM, FakeClock())
        self.tabletop = Tabletop(folder, room=ROOM, floor=self.floor)
        self.host = self.tabletop.host()

    @property
    def page(self) -> str:
        return self.host.get("/host").text


@pytest.fixture
def played(tmp_path: Path) -> Played:
    return Played(tmp_path)


def test_every_mat_is_listed_and_can_be_left_out_and_taken_back_in(played: Played) -> None:
    assert {"type": "ignore-sensor", "sensor": "A1"} in commands_on(played.page)
    assert played.host.do("host", type="ignore-sensor", sensor="A1").status_code == 200
    assert {"type": "heed-sensor", "sensor": "A1"} in commands_on(played.page)
    assert "left out tonight" in played.page
    assert played.host.do("host", type="heed-sensor", sensor="A1").status_code == 200
    assert "left out tonight" not in played.page


def test_a_mat_of_ones_own_stands_with_its_owner(played: Played) -> None:
    played.tabletop.phone("Ana")
    assert '<span class="name">Ana</span></span>\n      <span class="mat-says">free' in played.page


def test_nothing_is_said_of_mats_that_are_fine(played: Played) -> None:
    assert "mat needs you" not in played.page
    assert "say-troubles" not in played.page


def test_what_is_wrong_stands_in_front_with_the_cure(played: Played) -> None:
    played.floor.trouble = {"A2": Trouble.SILENT}
    assert "A mat needs you" in played.page
    assert "Mat A2, raft A, gives no answer." in played.page
    assert "a wire or a plug has come off" in played.page
    played.host.do("host", type="ignore-sensor", sensor="A2")
    assert "A mat needs you" not in played.page


def test_a_mat_that_there_is_not_is_refused_with_a_sentence(played: Played) -> None:
    answer = played.host.do("host", type="ignore-sensor", sensor="C9")
    assert (answer.status_code, answer.json["why"]) == (  # type: ignore[index]
        409,
        "There is no mat or button C9 in this room.",
    )


def test_a_room_without_sensors_does_not_speak_of_mats(tmp_path: Path) -> None:
    assert "The mats" not in Tabletop(tmp_path).host().get("/host").text


def test_a_players_page_knows_nothing_of_it(played: Played) -> None:
    played.floor.trouble = {"A2": Trouble.SILENT}
    assert "gives no answer" not in played.tabletop.phone("Ana").get("/play").text
    assert "gives no answer" not in played.tabletop.device().get("/tv").text
