"""What there is to choose from is found out without anybody waiting for a sound system that hangs."""

import threading
from collections.abc import Iterator

import pytest

from hardware.voice.around import Lookout
from hardware.voice.sinks import Sink, SinkKind
from pi_gm.speaking.settings import VoiceSettings

SOON = 10.0


class Machine:
    """Devices that take as long to be listed as the test likes."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.is_asked = threading.Semaphore(0)
        self.times = 0
        self.is_broken = False

    def devices(self) -> tuple[Sink, ...]:
        self.times += 1
        self.is_asked.release()
        assert self.may_answer.wait(SOON)
        if self.is_broken:
            raise KeyError("broken")
        return (Sink(f"usb-{self.times}", "USB speaker", SinkKind.USB),)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    machine = Machine()
    monkeypatch.setattr("hardware.voice.around.devices_here", machine.devices)
    monkeypatch.setattr("hardware.voice.around.engines_here", lambda settings: ())
    yield machine
    machine.may_answer.set()


def test_a_look_that_is_quick_is_waited_for(machine: Machine) -> None:
    lookout = Lookout(lambda: None, waited_for=SOON)
    machine.may_answer.set()
    lookout.look(VoiceSettings(device="alsa:cap"))
    assert keys(lookout) == ["alsa:cap", "usb-1"]


def test_a_look_that_takes_long_is_told_when_it_is_done(machine: Machine) -> None:
    told = threading.Event()
    lookout = Lookout(told.set, waited_for=0.0)
    lookout.look(VoiceSettings())
    assert machine.is_asked.acquire(timeout=SOON)
    assert keys(lookout) == []
    machine.may_answer.set()
    assert told.wait(SOON)
    assert keys(lookout) == ["usb-1"]


def test_the_first_look_needs_nobody_who_waits_and_is_the_only_one_of_its_kind(machine: Machine) -> None:
    told = threading.Semaphore(0)
    lookout = Lookout(told.release, waited_for=SOON)
    machine.may_answer.set()
    lookout.look_first(VoiceSettings())
    assert told.acquire(timeout=SOON)
    lookout.look_first(VoiceSettings())
    lookout.look(VoiceSettings())
    assert keys(lookout) == ["usb-2"]


def test_whoever_asks_during_a_look_has_the_next_one_and_however_many_ask_have_one_together(
    machine: Machine,
) -> None:
    told = threading.Semaphore(0)
    lookout = Lookout(told.release, waited_for=0.0)
    lookout.look(VoiceSettings())
    assert machine.is_asked.acquire(timeout=SOON)
    for _ in range(5):
        lookout.look(VoiceSettings())
    looking = looking_now()
    machine.may_answer.set()
    looking.join(SOON)
    assert told.acquire(timeout=SOON)
    assert told.acquire(timeout=SOON)
    assert keys(lookout) == ["usb-2"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_look_that_broke_off_leaves_nobody_without_the_next(machine: Machine) -> None:
    told = threading.Event()
    lookout = Lookout(told.set, waited_for=0.0)
    machine.is_broken = True
    lookout.look(VoiceSettings())
    looking = looking_now()
    machine.may_answer.set()
    looking.join(SOON)
    machine.is_broken = False
    lookout.look(VoiceSettings())
    assert told.wait(SOON)


def looking_now() -> threading.Thread:
    (looking,) = (thread for thread in threading.enumerate() if thread.name == "voice looks around")
    return looking


def keys(lookout: Lookout) -> list[str]:
    return [device.key for device in lookout.found.devices]
