"""What the host can do about the mats: leave one out for tonight, find stuck ones, hear what is wrong with them."""

import pytest

from pi_gm import night as nights
from pi_gm.floor import Reading, Sensor, SensorKind, Trouble
from pi_gm.games import Page, Rejected
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_mind.options import Leaning
from pi_gm.room import Place, Room
from pi_gm.table import Accepted
from tests.pi_gm.evening import Evening
from tests.pi_gm.games.animal_mind.at_table import EveningOfMind
from tests.pi_gm.games.animal_mind.mind import pile_of

DOG = Animal.DOG
ROOM = Room(
    "two couches and a rug",
    (
        Sensor("A1", 4, "A"),
        Sensor("A2", 5, "A"),
        Sensor("B1", 16, "B", kind=SensorKind.BUTTON),
        Sensor("rug", 20, "island", counts=None),
    ),
    places=(Place("A", "the blue couch"), Place("B"), Place("island")),
)


def boarding() -> Evening:
    """Ana and Ben have picked and may board."""
    evening = Evening("Ana", "Ben", room=ROOM)
    evening.begin()
    evening.pick(Ana=DOG, Ben=DOG)
    evening.host(commands.OpenBoarding())
    return evening


def readings(evening: Evening) -> dict[str, Reading]:
    return {mat.key: mat.reading for place in evening.play_on(Page.HOST).places for mat in place.mats}


class TestLeavingOut:
    def test_a_mat_that_is_left_out_says_nothing_while_people_board(self) -> None:
        evening = boarding()
        evening.floor.press("A1")
        evening.host(nights.IgnoreSensor("A1"))
        assert readings(evening) == {
            "A1": Reading.IGNORED,
            "A2": Reading.CLEAR,
            "B1": Reading.CLEAR,
            "rug": Reading.CLEAR,
        }

    def test_a_mat_that_gives_no_answer_is_asked_about_until_it_is_left_out(self) -> None:
        evening = boarding()
        evening.floor.press("A2", unknown=("A1",))
        evening.check_in(Ana="A", Ben="A")
        evening.pass_time(31)
        assert evening.why_not(commands.SettleRound()) == "rule-first"
        evening.host(nights.IgnoreSensor("A1"), nights.IgnoreSensor("A2"))
        assert evening.play_on(Page.HOST).doubts == ()
        evening.host(commands.SettleRound())

    def test_it_counts_again_when_the_host_says_so(self) -> None:
        evening = boarding()
        evening.host(nights.IgnoreSensor("A1"), nights.HeedSensor("A1"))
        evening.floor.press("A1")
        assert readings(evening)["A1"] is Reading.PRESSED

    def test_saying_it_twice_changes_nothing(self) -> None:
        evening = boarding()
        step = evening.accepted(nights.IgnoreSensor("A1"))
        assert evening.accepted(nights.IgnoreSensor("A1")) == step
        evening.host(nights.HeedSensor("A1"))
        assert evening.night.ignored == ()

    def test_it_outlives_a_power_cut_but_not_the_night(self) -> None:
        evening = Evening("Ana", room=ROOM)
        evening.host(nights.IgnoreSensor("A1"))
        evening.power_cut()
        assert "A1" in evening.night.ignored
        evening.host(nights.ClearTable())
        assert evening.night.ignored == ()

    def test_only_a_mat_that_is_there_can_be_left_out(self) -> None:
        assert boarding().why_not(nights.IgnoreSensor("C7")) == "no-such-sensor"

    def test_leaning_on_it_says_nothing(self) -> None:
        evening = EveningOfMind("Ana", "Ben", pile=pile_of("milk2 egg1 scoring"), room=ROOM)
        evening.begin(leaning=Leaning.A_ACCEPTS.value)
        evening.offer("Ana", "Ben", value=1)
        evening.host(nights.IgnoreSensor("A1"))
        assert evening.table.lean_on("A1") == Rejected("no-such-button")
        evening.host(nights.HeedSensor("A1"))
        assert isinstance(evening.table.lean_on("A1"), Accepted)


class TestEverybodyIsOff:
    def test_a_mat_that_is_pressed_then_is_stuck_and_its_name_is_said(self) -> None:
        evening = Evening("Ana", room=ROOM)
        evening.floor.press("A1")
        evening.host(nights.EverybodyIsOff())
        assert evening.said[-1] == "Mat A1, the blue couch, seems to be stuck."
        assert evening.floor.trouble == {"A1": Trouble.STUCK}

    def test_where_all_are_free_that_is_said(self) -> None:
        evening = Evening("Ana", room=ROOM)
        evening.host(nights.EverybodyIsOff())
        assert evening.said[-1] == "All mats are free."

    def test_one_that_is_left_out_is_not_spoken_of(self) -> None:
        evening = Evening("Ana", room=ROOM)
        evening.floor.press("A1")
        evening.host(nights.IgnoreSensor("A1"), nights.EverybodyIsOff())
        assert evening.said[-1] == "All mats are free."

    def test_nobody_says_so_while_people_are_on_them(self) -> None:
        assert boarding().why_not(nights.EverybodyIsOff()) == "game-is-on"


class TestTrouble:
    @pytest.mark.parametrize(
        ("sensor", "trouble", "sentence"),
        [
            ("A1", Trouble.SILENT, "Mat A1, the blue couch, gives no answer."),
            ("B1", Trouble.STUCK, "Button B1, raft B, seems to be stuck."),
            ("rug", Trouble.NOISY, "Mat rug, the island, flickers."),
        ],
    )
    def test_the_host_sees_what_is_wrong_and_what_to_do(
        self, sensor: str, trouble: Trouble, sentence: str
    ) -> None:
        evening = Evening("Ana", room=ROOM)
        evening.floor.trouble = {sensor: trouble}
        (wrong,) = (each for each in evening.on(Page.HOST).sensors if each.trouble is not None)
        assert (wrong.key, wrong.wrong, wrong.level) == (sensor, sentence, Reading.UNKNOWN)
        assert len(wrong.cure) > 20

    def test_it_is_said_aloud_when_the_host_asks_for_it(self) -> None:
        evening = Evening("Ana", room=ROOM)
        evening.table.floor_in_trouble((("A1", Trouble.SILENT), ("rug", Trouble.NOISY)))
        evening.host(nights.SayTroubles())
        assert evening.said[-1] == "Mat A1, the blue couch, gives no answer. Mat rug, the island, flickers."

    def test_what_is_left_out_is_no_trouble_any_more(self) -> None:
        evening = Evening("Ana", room=ROOM)
        evening.floor.trouble = {"A1": Trouble.SILENT}
        evening.table.floor_in_trouble((("A1", Trouble.SILENT),))
        evening.host(nights.IgnoreSensor("A1"), nights.SayTroubles())
        assert evening.said[-1] == "All mats are fine."
        assert evening.on(Page.HOST).sensors[0].level is Reading.IGNORED
        assert all(each.trouble is None for each in evening.on(Page.HOST).sensors)

    def test_only_the_host_sees_how_the_mats_are(self) -> None:
        evening = Evening("Ana", room=ROOM)
        assert evening.on(Page.TV).sensors == ()
        assert evening.on_phone_of("Ana").sensors == ()

    def test_when_nobody_watches_them_any_more_the_host_is_told(self) -> None:
        evening = Evening("Ana", room=ROOM)
        assert evening.on(Page.HOST).trouble is None
        evening.table.floor_unwatched()
        assert evening.on(Page.HOST).trouble == (
            "Nobody looks after the mats any more. Start the program again: nothing is lost."
        )
