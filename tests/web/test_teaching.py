"""The host's page on which the room is taught, with a classroom that only remembers what it was asked."""

import asyncio
from pathlib import Path

import pytest

from pi_gm.classroom import Classroom, ClassroomView, RoomChoice
from pi_gm.errors import BadInput
from pi_gm.lesson import Lesson
from pi_gm.night import AddSeat, BeginGame
from tests.pi_gm.test_lesson import School
from tests.web.ears import Ear, settle
from tests.web.tabletop import Tabletop, commands_on


class PaperClassroom(Classroom):
    """A lesson of three mats that begins and ends at once."""

    def __init__(self, folder: Path) -> None:
        self.school = School(folder)
        self.asked: list[str] = []
        self.is_on = False

    @property
    def lesson(self) -> Lesson | None:
        return self.school.lesson if self.is_on else None

    def view(self) -> ClassroomView:
        lesson = self.lesson
        choices = (RoomChoice("", "attic", "Three mats."), RoomChoice("mats", "mats", "Ten mats."))
        return ClassroomView(choices, lesson.view() if lesson is not None else None)

    def begin(self, room: str) -> None:
        if room == "moon":
            raise BadInput("There is no such room.")
        self.asked.append(f"begin {room}".strip())
        self.is_on = True

    def stop(self) -> None:
        self.asked.append("stop")
        self.is_on = False

    def use(self) -> None:
        self.asked.append("use")
        self.is_on = False


@pytest.fixture
def classroom(tmp_path: Path) -> PaperClassroom:
    return PaperClassroom(tmp_path)


@pytest.fixture
def tabletop(tmp_path: Path, classroom: PaperClassroom) -> Tabletop:
    return Tabletop(tmp_path, classroom=classroom)


def test_from_the_hosts_page_to_the_room_that_is_used(tabletop: Tabletop, classroom: PaperClassroom) -> None:
    host = tabletop.host()
    assert 'href="/host/teach"' in host.get("/host").text
    page = host.get("/host/teach").text
    assert commands_on(page) == [
        {"type": "begin-lesson", "room": ""},
        {"type": "begin-lesson", "room": "mats"},
    ]
    assert host.do_teach("begin-lesson", room="").status_code == 200
    assert "Everybody off every mat" in host.get("/host/teach").text
    host.do_teach("everybody-is-off")
    assert "Step on raft A, seat 1" in host.get("/host/teach").text
    classroom.school.step_on(4)
    host.do_teach("nothing-happens", at="A2")
    host.do_teach("go-back", at="rug")
    host.do_teach("nothing-happens", at="A2")
    assert host.do_teach("nothing-happens", at="A2").status_code == 409, "it was pressed once too often"
    classroom.school.step_on(25)
    page = host.get("/host/teach").text
    assert "Raft A, seat 2 says nothing" in page
    assert {"type": "use-room"} in commands_on(page)
    again = {"type": "let-again", "sensor": "A2"}
    assert again in commands_on(page)
    host.do_teach("let-again", sensor="A2")
    assert "Step on raft A, seat 2" in host.get("/host/teach").text
    host.do_teach("nothing-happens", at="A2")
    host.do_teach("use-room")
    assert classroom.asked == ["begin", "use"]


def test_a_stuck_mat_can_be_left_so(tabletop: Tabletop, classroom: PaperClassroom) -> None:
    host = tabletop.host()
    host.do_teach("begin-lesson")
    classroom.school.wires.press(5)
    host.do_teach("everybody-is-off")
    assert {"type": "leave-stuck"} in commands_on(host.get("/host/teach").text)
    host.do_teach("leave-stuck")
    assert "Step on raft A, seat 1" in host.get("/host/teach").text
    host.do_teach("stop-lesson")
    assert classroom.asked == ["begin", "stop"]


def test_only_the_host_teaches(tabletop: Tabletop, classroom: PaperClassroom) -> None:
    guest = tabletop.device()
    assert guest.get("/host/teach").status_code == 303
    assert guest.do_teach("begin-lesson").status_code == 403
    assert classroom.asked == []


def test_games_wait_until_the_lesson_is_over(tabletop: Tabletop) -> None:
    for name in ("Ana", "Ben"):
        tabletop.order(AddSeat(name))
    host = tabletop.host()
    host.do_teach("begin-lesson")
    lines = tabletop.lines()
    answer = host.do("host", type="begin-game")
    assert answer.status_code == 409
    assert "being taught" in answer.get_json()["why"]
    assert tabletop.lines() == lines
    assert "The room is being taught" in host.get("/host").text
    host.do_teach("stop-lesson")
    assert host.do("host", type="begin-game").status_code == 200


def test_and_lessons_until_the_game_is_over(tabletop: Tabletop, classroom: PaperClassroom) -> None:
    for name in ("Ana", "Ben"):
        tabletop.order(AddSeat(name))
    tabletop.order(BeginGame())
    host = tabletop.host()
    assert host.do_teach("begin-lesson").status_code == 409
    assert commands_on(host.get("/host/teach").text) == []
    assert 'href="/host/teach"' not in host.get("/host").text
    assert classroom.asked == []


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ({"type": "begin-lesson", "room": "moon"}, 409),
        ({"type": "everybody-is-off"}, 409),
        ({"type": "dance"}, 400),
        ({"type": "begin-lesson", "room": 7}, 400),
    ],
)
def test_what_cannot_be_done_says_why(tabletop: Tabletop, command: dict[str, object], status: int) -> None:
    answer = tabletop.host().post("/host/teach", do=command)
    assert answer.status_code == status
    assert answer.get_json()["why"]


def test_where_no_room_can_be_taught_there_is_no_such_page(tmp_path: Path) -> None:
    folder = tmp_path / "without"
    folder.mkdir()
    tabletop = Tabletop(folder)
    host = tabletop.host()
    assert host.get("/host/teach").status_code == 303
    assert host.do_teach("begin-lesson").status_code == 404
    assert 'href="/host/teach"' not in host.get("/host").text
    tabletop.journal.close()


def test_the_page_hears_of_every_step_and_strangers_of_none(
    tabletop: Tabletop, classroom: PaperClassroom
) -> None:
    async def test() -> None:
        host = tabletop.host()
        page = Ear(tabletop.streams, "teach", cookie=f"pi-gm-host={host.secret('pi-gm-host')}")
        stranger = Ear(tabletop.streams, "teach")
        tv = Ear(tabletop.streams, "tv")
        await settle(tabletop)
        host.do_teach("begin-lesson")
        await settle(tabletop)
        host.do_teach("everybody-is-off")
        await settle(tabletop)
        assert page.names() == ["page", "page", "page"]
        assert stranger.names() == ["moved"]
        assert tv.names() == ["page"]
        for ear in (page, tv):
            await ear.hang_up()

    asyncio.run(test())
