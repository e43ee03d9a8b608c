import asyncio
from collections.abc import Awaitable, Callable

import pytest

from pi_gm.clock import FakeClock
from pi_gm.games import DOOR
from pi_gm.night import AnswerRequest, BeginGame, SeatHost, hashed
from tests.web.ears import Ear, settle
from tests.web.tabletop import ADDRESS, CODE, Device, Tabletop
from web.addresses import Addresses
from web.door import Door
from web.headers import SECURITY
from web.live import Hub
from web.rendering import Rendering
from web.screens import Screens
from web.stream import MOST, MOST_OF_A_DEVICE, MOST_OF_AN_ADDRESS, Streams


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(30):
            await test()

    asyncio.run(bounded())


def badge(device: Device, name: str) -> str:
    return f"{name}={device.secret(name)}"


def test_a_stream_begins_with_the_whole_page(tabletop: Tabletop) -> None:
    async def test() -> None:
        ear = Ear(tabletop.streams, "tv")
        await settle(tabletop)
        assert ear.status == 200
        assert ear.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert ear.headers["cache-control"] == "no-store"
        ((name, page),) = ear.events()
        assert name == "page"
        assert page["boot"] == "0b00"
        assert page["v"] == 1
        assert CODE in page["html"]
        await ear.hang_up()

    run(test)


def test_a_stream_carries_the_headers_of_every_answer(tabletop: Tabletop) -> None:
    async def test() -> None:
        ears = [Ear(tabletop.streams, "tv"), Ear(tabletop.streams, "tv", host="evil.example")]
        await settle(tabletop)
        for ear in ears:
            for name, value in SECURITY.items():
                assert ear.headers[name.lower()] == value
            await ear.hang_up()

    run(test)


def test_a_change_comes_to_all_who_see_it_and_to_nobody_else(tabletop: Tabletop) -> None:
    async def test() -> None:
        ana, ben = tabletop.phone("Ana"), tabletop.phone("Ben")
        tabletop.order(BeginGame())
        anas = Ear(tabletop.streams, "player", cookie=badge(ana, "pi-gm-phone"))
        others = [
            Ear(tabletop.streams, "tv"),
            Ear(tabletop.streams, "player", cookie=badge(ben, "pi-gm-phone")),
        ]
        await settle(tabletop)
        ana.do("play", type="pick", animal="dog")
        await settle(tabletop)
        assert [ear.names() for ear in (anas, *others)] == [["page", "page"]] * 3
        ana.do("play", type="pick", animal="cat")
        await settle(tabletop)
        assert anas.names() == ["page", "page", "page"]
        assert [ear.names() for ear in others] == [["page", "page"]] * 2
        for ear in (anas, *others):
            await ear.hang_up()

    run(test)


def test_nobody_keeps_a_stream_that_hung_up(tabletop: Tabletop) -> None:
    async def test() -> None:
        ears = [Ear(tabletop.streams, "tv") for _ in range(5)]
        await settle(tabletop)
        assert tabletop.streams.number == 5
        for ear in ears:
            await ear.hang_up()
        assert tabletop.streams.number == 0

    run(test)


def test_a_sign_of_life_is_an_event_and_the_same_for_everyone(tabletop: Tabletop) -> None:
    async def test() -> None:
        clock = FakeClock()
        rendering = Rendering(tabletop.house.games)
        addresses = Addresses(8000, clock, override=ADDRESS)
        screens = Screens(tabletop.table, rendering, addresses, CODE, None)
        hub = Hub(screens, tabletop.table.now, clock)
        door = Door(clock, lambda: (), (ADDRESS,))
        streams = Streams(hub, screens, tabletop.table, door, clock, boot="0b00", beat=0.01)
        phone = tabletop.phone("Ana")
        ears = [Ear(streams, "tv"), Ear(streams, "player", cookie=badge(phone, "pi-gm-phone"))]
        await asyncio.sleep(0)
        while any(len(ear.names()) < 3 for ear in ears):
            await asyncio.sleep(0.005)
        for ear in ears:
            assert ear.events()[:3] == [("heartbeat", {})] * 3
            await ear.hang_up()

    run(test)


def test_another_host_sends_the_old_one_away_and_tells_it(tabletop: Tabletop) -> None:
    async def test() -> None:
        first = Ear(tabletop.streams, "host", cookie=badge(tabletop.host(), "pi-gm-host"))
        await settle(tabletop)
        tabletop.table.submit(SeatHost(hashed("0a" * 16)), DOOR)
        await settle(tabletop)
        assert first.names() == ["page", "moved"]
        assert first.is_over

    run(test)


@pytest.mark.parametrize("page", ["host", "booth", "room"])
def test_a_page_that_is_not_for_this_device_tells_it_so_in_a_way_that_the_browser_hears(
    tabletop: Tabletop, page: str
) -> None:
    async def test() -> None:
        phone = tabletop.phone("Ana")
        secret = phone.secret("pi-gm-phone")
        for cookie in ("", f"pi-gm-host={'0' * 32}", f"pi-gm-host={secret}; pi-gm-booth={secret}"):
            ear = Ear(tabletop.streams, page, cookie=cookie)
            await settle(tabletop)
            assert ear.status == 200
            assert ear.events() == [("moved", {})]
            assert ear.is_over

    run(test)


def test_a_phone_whose_seat_went_to_another_phone_sees_that_at_once(tabletop: Tabletop) -> None:
    async def test() -> None:
        old, new = tabletop.phone("Ana"), tabletop.device()
        ear = Ear(tabletop.streams, "player", cookie=badge(old, "pi-gm-phone"))
        await settle(tabletop)
        assert ear.events()[-1][1]["known"]
        new.post("/ask", code=CODE, name="Ana")
        waiting = Ear(tabletop.streams, "player", cookie=badge(new, "pi-gm-phone"))
        await settle(tabletop)
        assert waiting.events()[-1][1]["known"]
        (request,) = tabletop.requests()
        tabletop.order(AnswerRequest(request, allow=True))
        await settle(tabletop)
        assert not ear.events()[-1][1]["known"]
        assert 'data-post="/join"' in ear.events()[-1][1]["html"]
        assert waiting.events()[-1][1]["known"]
        assert 'data-post="/join"' not in waiting.events()[-1][1]["html"]
        await ear.hang_up()
        await waiting.hang_up()

    run(test)


def test_a_fourth_page_of_one_kind_on_one_device_takes_the_place_of_the_first(tabletop: Tabletop) -> None:
    async def test() -> None:
        cookie = badge(tabletop.phone("Ana"), "pi-gm-phone")
        ears = [Ear(tabletop.streams, "player", cookie=cookie) for _ in range(MOST_OF_A_DEVICE + 1)]
        await settle(tabletop)
        await settle(tabletop)
        assert ears[0].names()[-1] == "replaced"
        assert ears[0].is_over
        assert not any(ear.is_over for ear in ears[1:])
        assert tabletop.streams.number == MOST_OF_A_DEVICE
        for ear in ears[1:]:
            await ear.hang_up()

    run(test)


def test_a_device_by_the_same_address_does_not_lose_its_page_to_another(tabletop: Tabletop) -> None:
    async def test() -> None:
        ana = Ear(tabletop.streams, "player", cookie=badge(tabletop.phone("Ana"), "pi-gm-phone"))
        others = [Ear(tabletop.streams, "player") for _ in range(MOST_OF_AN_ADDRESS + 5)]
        await settle(tabletop)
        assert not ana.is_over
        assert tabletop.streams.number == MOST_OF_AN_ADDRESS + 1
        for ear in (ana, *others):
            await ear.hang_up()

    run(test)


def test_a_made_up_cookie_gives_no_place_of_its_own(tabletop: Tabletop) -> None:
    async def test() -> None:
        ears = [
            Ear(tabletop.streams, "player", cookie=f"pi-gm-phone={number:032x}")
            for number in range(MOST_OF_AN_ADDRESS + 5)
        ]
        await settle(tabletop)
        assert tabletop.streams.number == MOST_OF_AN_ADDRESS
        for ear in ears:
            await ear.hang_up()

    run(test)


def test_when_the_house_is_full_a_stranger_is_told_to_come_again_in_a_way_that_the_browser_hears(
    tabletop: Tabletop,
) -> None:
    async def test() -> None:
        ears = [Ear(tabletop.streams, "tv", address=f"192.168.7.{number}") for number in range(MOST)]
        await settle(tabletop)
        late = Ear(tabletop.streams, "tv", address="192.168.8.1")
        await settle(tabletop)
        assert late.status == 200
        assert late.heard.startswith(b"retry: 5000\n")
        assert late.names() == ["full"]
        assert late.is_over
        assert tabletop.streams.number == MOST
        for ear in ears:
            await ear.hang_up()

    run(test)


def test_when_the_house_is_full_a_player_takes_the_place_of_a_stranger(tabletop: Tabletop) -> None:
    async def test() -> None:
        ears = [Ear(tabletop.streams, "tv", address=f"192.168.7.{number}") for number in range(MOST)]
        await settle(tabletop)
        ana = Ear(tabletop.streams, "player", cookie=badge(tabletop.phone("Ana"), "pi-gm-phone"))
        await settle(tabletop)
        await settle(tabletop)
        assert ana.names() == ["page"]
        assert ears[0].names()[-1] == "replaced"
        assert tabletop.streams.number == MOST
        for ear in (ana, *ears[1:]):
            await ear.hang_up()

    run(test)


def test_a_page_of_another_site_cannot_listen(tabletop: Tabletop) -> None:
    async def test() -> None:
        cookie = badge(tabletop.phone("Ana"), "pi-gm-phone")
        refused = [
            Ear(tabletop.streams, "player", cookie=cookie, origin="http://evil.example"),
            Ear(tabletop.streams, "player", cookie=cookie, origin=f"http://{ADDRESS}:9999"),
            Ear(tabletop.streams, "player", cookie=cookie, host="evil.example:8000"),
        ]
        await settle(tabletop)
        assert [ear.status for ear in refused] == [403, 403, 400]
        assert all(ear.is_over and b"Ana" not in ear.heard for ear in refused)
        assert tabletop.streams.number == 0

    run(test)


def test_a_stream_can_only_be_listened_to_and_there_are_no_others(tabletop: Tabletop) -> None:
    async def test() -> None:
        posted = Ear(tabletop.streams, "tv", method="POST", origin=f"http://{ADDRESS}:8000")
        unknown = Ear(tabletop.streams, "../host")
        await settle(tabletop)
        assert (posted.status, unknown.status) == (405, 404)

    run(test)


def test_a_server_that_stops_ends_every_stream_and_begins_none(tabletop: Tabletop) -> None:
    async def test() -> None:
        ears = [Ear(tabletop.streams, "tv") for _ in range(3)]
        await settle(tabletop)
        tabletop.streams.close()
        await settle(tabletop)
        assert all(ear.is_over for ear in ears)
        late = Ear(tabletop.streams, "tv")
        await settle(tabletop)
        assert late.is_over

    run(test)


def test_nothing_secret_is_in_a_stream(tabletop: Tabletop) -> None:
    async def test() -> None:
        host, booth, ana = tabletop.host(), tabletop.booth(), tabletop.phone("Ana")
        secrets = [host.secret("pi-gm-host"), booth.secret("pi-gm-booth"), ana.secret("pi-gm-phone")]
        ears = [
            Ear(tabletop.streams, "host", cookie=badge(host, "pi-gm-host")),
            Ear(tabletop.streams, "booth", cookie=badge(booth, "pi-gm-booth")),
            Ear(tabletop.streams, "player", cookie=badge(ana, "pi-gm-phone")),
            Ear(tabletop.streams, "tv"),
        ]
        await settle(tabletop)
        for ear in ears:
            assert ear.names() == ["page"]
            for secret in secrets:
                assert secret.encode() not in ear.heard
                assert hashed(secret).encode() not in ear.heard
            await ear.hang_up()

    run(test)
