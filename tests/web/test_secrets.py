"""Two nights that differ only in what others picked look the same, byte for byte, to everybody else."""

import asyncio
import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi_gm.games import DOOR, GUEST
from pi_gm.night import BeginGame, ChooseOptions, OpenBooth, SeatHost, TakeSeat, hashed
from tests.web.ears import Ear, settle
from tests.web.tabletop import ADDRESS, CODE, Device, Tabletop

HOST, BOOTH = "0a" * 16, "0b" * 16
NAMES = ("Ana", "Ben", "Chloe", "Dora")
PLACES = ("A", "B", "island", "water")
HEARTBEAT = b"event: heartbeat\ndata: {}\n\n"

Animals = Sequence[str]
ANIMALS = st.sampled_from(["mouse", "cat", "dog", "elephant"])


class Night:
    """One of the two nights, with everything that Ana, the TV, the host, the booth and a stranger get to see of it."""

    def __init__(self, folder: Path) -> None:
        self.tabletop = Tabletop(folder, seed=7)
        table = self.tabletop.table
        table.submit(SeatHost(hashed(HOST)), DOOR)
        table.submit(OpenBooth(hashed(BOOTH)), DOOR)
        self.phones: list[Device] = []
        for number, name in enumerate(NAMES):
            secret = f"{number:032x}"
            table.submit(TakeSeat(name, None, hashed(secret)), GUEST)
            self.phones.append(self._device("pi-gm-phone", secret))
        self.host, self.booth = self._device("pi-gm-host", HOST), self._device("pi-gm-booth", BOOTH)
        self.tabletop.order(ChooseOptions({"pick_seconds": 60, "rounds": 2}))
        self.tabletop.order(BeginGame())
        self.seen: list[bytes] = []
        self.before_settling: list[bytes] = []
        self.ears: list[Ear] = []

    def _device(self, cookie: str, secret: str) -> Device:
        device = self.tabletop.device()
        device.client.set_cookie(cookie, secret, domain=ADDRESS)
        return device

    async def listen(self) -> None:
        streams = self.tabletop.streams
        self.ears = [
            Ear(streams, "player", cookie=f"pi-gm-phone={0:032x}"),
            Ear(streams, "tv"),
            Ear(streams, "host", cookie=f"pi-gm-host={HOST}"),
            Ear(streams, "booth", cookie=f"pi-gm-booth={BOOTH}"),
            Ear(streams, "player", address="192.168.7.222"),
        ]
        await settle(self.tabletop)

    async def look(self) -> None:
        """Take down every page, as it is now."""
        await settle(self.tabletop)
        stranger = self.tabletop.device()
        for device, path in (
            (self.phones[0], "/play"),
            (stranger, "/tv"),
            (self.host, "/host"),
            (self.booth, "/booth"),
            (stranger, f"/j/{CODE}"),
            (stranger, "/"),
        ):
            answer = device.get(path)
            assert answer.status_code == 200
            self.seen.append(f"{path} {sorted(answer.headers.items())}".encode() + answer.data)

    async def do(self, device: Device, page: str, **command: object) -> None:
        answer = device.do(page, **command)
        assert answer.status_code == 200, (command, answer.text)
        self.seen.append(answer.data)
        await self.look()

    async def play_round(
        self, picks: Animals, others_again: Animals, places: Sequence[str]
    ) -> tuple[str, ...]:
        """A round up to where everyone hears who sank; the others change their minds as often as they like."""
        for phone, animal in zip(self.phones, picks, strict=True):
            await self.do(phone, "play", type="pick", animal=animal)
        for number, animal in enumerate(others_again):
            phone = self.phones[1 + number % (len(self.phones) - 1)]
            assert phone.do("play", type="pick", animal=animal).status_code == 200
        await self.look()
        await self.do(self.host, "host", type="open-boarding")
        for phone, place in zip(self.phones, places, strict=True):
            await self.do(phone, "play", type="check-in", place=place)
        for seconds in (10.0, 11.0, 10.0, 5.0):
            self.tabletop.pass_time(seconds)
            await self.look()
        self.before_settling = self.bytes_seen()
        answer = self.host.do("host", type="settle-round")
        assert answer.status_code == 200, answer.text
        await self.look()
        seats = {seat.id: seat.name for seat in self.tabletop.table.seats}
        return tuple(seats[seat] for seat in self.tabletop.tv().play.sank)

    def bytes_seen(self) -> list[bytes]:
        """All that was seen, of pages and answers first, then of each stream.

        Without signs of life: they come by the machine's time, whatever happens at the table.
        """
        return [*self.seen, *(bytes(ear.heard).replace(HEARTBEAT, b"") for ear in self.ears)]

    async def close(self) -> None:
        for ear in self.ears:
            await ear.hang_up()
        self.tabletop.journal.close()


def both_nights(
    ana: Animals, one: Sequence[Animals], other: Sequence[Animals], places: Sequence[Sequence[str]]
) -> tuple[list[bytes], list[bytes]]:
    """What is seen of two nights, as long as they may not differ: until others sink in one than in the other."""

    async def play() -> tuple[list[bytes], list[bytes]]:
        with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
            nights = (Night(Path(first)), Night(Path(second)))
            for night in nights:
                await night.listen()
                await night.look()
            for number, (mine, where) in enumerate(zip(ana, places, strict=True)):
                if number:
                    for night in nights:
                        await night.do(night.host, "host", type="next-round")
                sank = [
                    await night.play_round((mine, *picks[number][:3]), picks[number][3:], where)
                    for night, picks in zip(nights, (one, other), strict=True)
                ]
                if sank[0] != sank[1]:
                    seen = (nights[0].before_settling, nights[1].before_settling)
                    break
            else:
                seen = (nights[0].bytes_seen(), nights[1].bytes_seen())
            for night in nights:
                await night.close()
            return seen

    return asyncio.run(play())


ROUNDS = 3
PICKS = st.lists(st.lists(ANIMALS, min_size=3, max_size=8), min_size=ROUNDS, max_size=ROUNDS)
"""The first three picks, and whatever the others change them to afterwards."""
WHERE = st.lists(
    st.lists(st.sampled_from(PLACES), min_size=len(NAMES), max_size=len(NAMES)),
    min_size=ROUNDS,
    max_size=ROUNDS,
)


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(ana=st.lists(ANIMALS, min_size=ROUNDS, max_size=ROUNDS), one=PICKS, other=PICKS, places=WHERE)
def test_nobody_sees_what_others_picked_before_the_rules_open_it(
    caplog: pytest.LogCaptureFixture,
    ana: Animals,
    one: Sequence[Animals],
    other: Sequence[Animals],
    places: Sequence[Sequence[str]],
) -> None:
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        first, second = both_nights(ana, one, other, places)
    assert first == second
    for animal in ("mouse", "cat", "dog", "elephant"):
        assert animal not in caplog.text


def test_where_all_stay_dry_in_both_nights_they_are_the_same_for_three_rounds() -> None:
    first, second = both_nights(
        ["dog"] * ROUNDS,
        [["dog", "mouse", "cat", "dog", "dog", "dog"]] * ROUNDS,
        [["elephant", "dog", "mouse", "cat", "cat", "mouse", "dog", "cat"]] * ROUNDS,
        [["island"] * 4] * ROUNDS,
    )
    assert len(first) > 150
    assert first == second


def test_what_is_compared_does_show_a_difference_where_there_is_one() -> None:
    first, second = both_nights(
        ["dog"] * ROUNDS,
        [["dog", "mouse", "cat", "dog", "dog", "dog"]] * ROUNDS,
        [["dog", "mouse", "cat", "dog", "dog", "dog"]] * ROUNDS,
        [["island"] * 4] * ROUNDS,
    )
    assert first == second

    async def own_pick(animal: str) -> list[bytes]:
        with tempfile.TemporaryDirectory() as folder:
            night = Night(Path(folder))
            await night.listen()
            await night.do(night.phones[0], "play", type="pick", animal=animal)
            seen = night.bytes_seen()
            await night.close()
            return seen

    assert asyncio.run(own_pick("dog")) != asyncio.run(own_pick("cat"))
