import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_gm.errors import BadInput
from pi_gm.floor import Sensor
from pi_gm.night import AddSeat, RemoveSeat
from pi_gm.players import SeatId
from pi_gm.room import PLACES, LivingRoom, Room, Standing
from tests.web.ears import Ear, settle
from tests.web.tabletop import ORIGIN, Tabletop

MATS = Room("two mats", (Sensor(key="A1", pin=4, place="A"), Sensor(key="B1", pin=16, place="B", owner=1)))


class PaperRoom(LivingRoom):
    """A living room that only remembers."""

    def __init__(self) -> None:
        self.figures: dict[str, Standing] = {}
        self.tokens: list[int | None] = []

    def put(self, figure: str, place: str, *, token: int | None) -> None:
        if place not in PLACES:
            raise BadInput(f"{place!r} is no place to stand: choose one of {', '.join(PLACES)}.")
        self.tokens.append(token)
        self.figures[figure] = Standing(figure, place)

    def put_on(self, figure: str, sensor_key: str) -> None:
        sensor = next((sensor for sensor in MATS.sensors if sensor.key == sensor_key), None)
        if sensor is None:
            raise BadInput(f"There is no sensor {sensor_key!r} to stand on.")
        self.figures[figure] = Standing(figure, sensor.place, sensor_key)

    def remove(self, figure: str) -> None:
        self.figures.pop(figure, None)

    def where(self) -> tuple[Standing, ...]:
        return tuple(self.figures.values())


@pytest.fixture
def room() -> PaperRoom:
    return PaperRoom()


@pytest.fixture
def rehearsal(tmp_path: Path, room: PaperRoom) -> Iterator[Tabletop]:
    tabletop = Tabletop(tmp_path, room=MATS, living_room=room)
    tabletop.order(AddSeat("Ana", 7))
    yield tabletop
    tabletop.journal.close()


def test_a_player_is_put_at_a_place_with_the_token_whose_mat_is_theirs(
    rehearsal: Tabletop, room: PaperRoom
) -> None:
    ana = rehearsal.seat("Ana")
    assert rehearsal.device().post("/room/act", figure=ana, place="A").status_code == 200
    assert room.where() == (Standing(ana, "A"),)
    assert room.tokens == [7]


def test_a_cushion_is_nobodys_and_can_lie_on_a_mat(rehearsal: Tabletop, room: PaperRoom) -> None:
    device = rehearsal.device()
    assert device.post("/room/act", figure="cushion-1", mat="B1").status_code == 200
    assert device.post("/room/act", figure="cushion-2", place="island").status_code == 200
    assert room.where() == (Standing("cushion-1", "B", "B1"), Standing("cushion-2", "island"))
    assert room.tokens == [None]


def test_what_is_carried_out_of_the_room_is_in_it_no_more(rehearsal: Tabletop, room: PaperRoom) -> None:
    device = rehearsal.device()
    device.post("/room/act", figure="cushion-1", place="A")
    assert device.post("/room/act", figure="cushion-1", place="").status_code == 200
    assert room.where() == ()


@pytest.mark.parametrize(
    "move",
    [
        {"figure": "nobody", "place": "A"},
        {"figure": "cushion-99", "place": "A"},
        {"figure": "cushion-1", "place": "the moon"},
        {"figure": "cushion-1", "mat": "Z9"},
        {"figure": "cushion-1"},
        {"figure": "cushion-1", "place": "A", "mat": "A1"},
        {"figure": "cushion-1", "place": "", "mat": "A1"},
        {"figure": "cushion-1", "place": 7},
        {"place": "A"},
        {"figure": "cushion-1", "place": "A", "token": 3},
    ],
)
def test_an_impossible_move_says_what_is_wrong(
    rehearsal: Tabletop, room: PaperRoom, move: dict[str, object]
) -> None:
    answer = rehearsal.device().send("/room/act", json.dumps({"id": "12345678", **move}).encode())
    assert answer.status_code == 400
    assert answer.get_json()["why"]
    assert room.where() == ()


def test_another_site_cannot_move_anyone(rehearsal: Tabletop, room: PaperRoom) -> None:
    move = b'{"id": "12345678", "figure": "cushion-1", "place": "A"}'
    assert rehearsal.device().send("/room/act", move, origin="http://evil.example").status_code == 403
    assert rehearsal.device().send("/room/act", move, origin=ORIGIN).status_code == 200


def test_moving_about_sends_nothing_to_the_table(rehearsal: Tabletop) -> None:
    lines = rehearsal.lines()
    rehearsal.device().post("/room/act", figure=rehearsal.seat("Ana"), place="A")
    assert rehearsal.lines() == lines


def test_every_page_of_the_room_shows_a_move_at_once_and_no_other_page_does(rehearsal: Tabletop) -> None:
    async def test() -> None:
        rooms = [Ear(rehearsal.streams, "room") for _ in range(2)]
        tv = Ear(rehearsal.streams, "tv")
        await settle(rehearsal)
        rehearsal.device().post("/room/act", figure="cushion-1", mat="A1")
        await settle(rehearsal)
        for ear in rooms:
            assert ear.names() == ["page", "page"]
        assert tv.names() == ["page"]
        for ear in (*rooms, tv):
            await ear.hang_up()

    asyncio.run(test())


def test_who_leaves_the_table_leaves_the_room_and_cushions_stay(rehearsal: Tabletop, room: PaperRoom) -> None:
    ana, device = rehearsal.seat("Ana"), rehearsal.device()
    device.post("/room/act", figure=ana, place="A")
    device.post("/room/act", figure="cushion-1", place="B")
    rehearsal.order(RemoveSeat(SeatId(ana)))
    rehearsal.hub.refresh()
    assert room.where() == (Standing("cushion-1", "B"),)


def test_the_room_is_shown_to_whoever_rehearses(rehearsal: Tabletop) -> None:
    page = rehearsal.device().get("/room")
    assert page.status_code == 200
    assert 'data-figure="cushion-1"' in page.text
    assert f'data-figure="{rehearsal.seat("Ana")}"' in page.text
    assert 'data-mat="A1"' in page.text
