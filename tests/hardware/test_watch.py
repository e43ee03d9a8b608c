"""The watch over the mats finds what is wrong by itself, and does not die in silence."""

import threading

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.mats import Mats
from hardware.pins import MatPin, mock_factory
from hardware.watch import Watch
from pi_gm.clock import FakeClock
from pi_gm.floor import FloorHealth, NoFloor, Sensor, SensorReport, Trouble, Troubles
from pi_gm.room import Room

ROOM = Room("one mat", (Sensor("A1", 4, "A"),))


class Told:
    """Who is told by a watch, and can wait for that."""

    def __init__(self) -> None:
        self.troubles: list[Troubles] = []
        self.deaths: list[BaseException] = []
        self.died = threading.Event()

    def trouble(self, troubles: Troubles) -> None:
        self.troubles.append(troubles)

    def death(self, fault: BaseException) -> None:
        self.deaths.append(fault)
        self.died.set()


def watching(floor: FloorHealth, clock: FakeClock, told: Told) -> Watch:
    return Watch(floor, clock, on_trouble=told.trouble, on_death=told.death)


def test_trouble_is_told_once_when_it_comes_and_once_when_it_goes(clock: FakeClock) -> None:
    factory, told = mock_factory(), Told()
    mats = Mats(ROOM, factory, on_change=lambda: None)
    watch = watching(mats, clock, told)
    watch.look()
    factory.pin(4).drive_low()
    mats.nobody_is_on_anything()
    watch.look()
    watch.look()
    factory.pin(4).drive_high()
    watch.look()
    assert told.troubles == [(("A1", Trouble.STUCK),), ()]


class DeafPin(MatPin):
    def _call_when_changed(self) -> None:
        pass


def test_it_finds_a_lost_edge_long_before_anybody_asks(clock: FakeClock) -> None:
    factory = MockFactory(pin_class=DeafPin)
    mats = Mats(ROOM, factory, on_change=lambda: None)
    watch = watching(mats, clock, Told())
    factory.pin(4).drive_low()
    for _ in range(3):
        watch.look()
        clock.turn(0.1)
    (report,) = mats.report()
    assert report.lost == 1


class Looks(NoFloor):
    """A floor that counts the looks at it, and may be broken."""

    def __init__(self) -> None:
        self.looked = threading.Semaphore(0)
        self.broken = False

    def report(self) -> tuple[SensorReport, ...]:
        self.looked.release()
        if self.broken:
            raise RuntimeError("no more")
        return ()


def test_it_looks_again_and_again_until_it_is_stopped(clock: FakeClock) -> None:
    floor = Looks()
    watch = watching(floor, clock, Told())
    watch.start()
    for _ in range(5):
        while not floor.looked.acquire(timeout=0.01):
            clock.turn(0.1)
    watch.stop()
    assert not watch.is_alive


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_when_it_dies_somebody_is_told_and_the_log_says_so(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    floor, told = Looks(), Told()
    floor.broken = True
    watch = watching(floor, clock, told)
    watch.start()
    assert told.died.wait(10)
    watch.stop()
    assert [str(fault) for fault in told.deaths] == ["no more"]
    assert "the watch over the mats has ended" in caplog.text
    assert not watch.is_alive
