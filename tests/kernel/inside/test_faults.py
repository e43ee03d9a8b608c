"""Faults that only a kernel can bring about, each with the answer that a person gets."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gpiozero import DigitalInputDevice

from hardware.chips import ChipUnavailable, find_header, holders, kernel_chips, line_of
from hardware.mats import Mats, PinUnavailable
from hardware.pins import Pins, PinsUnavailable, open_pins
from pi_gm.errors import PiGmError
from pi_gm.floor import Reading, Sensor, Trouble
from pi_gm.room import Chip, Room
from tests.kernel.simchip import SimChip

A1 = Sensor("A1", 4, "A")
A2 = Sensor("A2", 5, "A")
ROOM = Room("two mats", (A1, A2))
SETTLED = 0.3

PLAY = """
import sys, time
from hardware.mats import Mats
from hardware.pins import open_pins
from tests.kernel.inside.test_faults import ROOM
pins = open_pins(ROOM)
mats = Mats(ROOM, pins, on_change=lambda: None)
print("ready", flush=True)
time.sleep(60)
"""


@contextmanager
def opened(room: Room = ROOM) -> Iterator[tuple[Mats, Pins]]:
    pins = open_pins(room)
    try:
        mats = Mats(room, pins, on_change=lambda: None)
        yield mats, pins
        mats.close()
    finally:
        pins.close()


@contextmanager
def another_program() -> Iterator[subprocess.Popen[bytes]]:
    """Another Pi GM, which has the room's pins open."""
    program = subprocess.Popen([sys.executable, "-c", PLAY], stdout=subprocess.PIPE)
    assert program.stdout is not None
    assert program.stdout.readline() == b"ready\n"
    try:
        yield program
    finally:
        program.kill()
        program.communicate()


def opened_by_nobody(folder: Path) -> str:
    """What is said when a user without any rights opens the room in ``folder``."""
    code = "from tests.kernel.inside.test_faults import ROOM, open_pins; open_pins(ROOM)"
    nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    command = [*nobody, sys.executable, "-c", code]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def pressed(mats: Mats) -> list[str]:
    return [key for key, reading in mats.now().readings if reading is Reading.PRESSED]


class TestTheChip:
    def test_wherever_its_number_moved_it_is_found_by_its_label(self) -> None:
        with (
            SimChip("one", lines=32, label="gpio-brcmstb@107d508500"),
            SimChip("two", lines=8, label="raspberrypi-exp-gpio"),
            SimChip("header", label="pinctrl-rp1") as header,
            opened() as (mats, _),
        ):
            assert header.number == 2
            assert find_header(kernel_chips()).device == header.device
            header.press(4)
            time.sleep(SETTLED)
            assert pressed(mats) == ["A1"]

    def test_where_no_label_tells_the_room_says_which_it_is(self) -> None:
        with SimChip("odd", label="pinctrl-of-tomorrow") as header:
            with pytest.raises(ChipUnavailable, match=r"there are: /dev/gpiochip\d+ \(pinctrl-of-tomorrow\)"):
                open_pins(ROOM)
            room = Room("said", (A1, A2), chips=(Chip("header", device=str(header.device)),))
            with opened(room) as (mats, _):
                header.press(5)
                time.sleep(SETTLED)
                assert pressed(mats) == ["A2"]

    def test_header_and_expander_do_not_get_mixed_up(self, header: SimChip) -> None:
        far = Sensor("far", 4, "B", chip="expander")
        room = Room("two chips", (A1, far), chips=(Chip("expander", label="mcp23017"),))
        with SimChip("expander", lines=16, label="mcp23017") as expander, opened(room) as (mats, _):
            expander.press(4)
            time.sleep(SETTLED)
            instant = time.monotonic()
            assert pressed(mats) == ["far"]
            header.press(4)
            expander.release(4)
            time.sleep(SETTLED)
            assert pressed(mats) == ["A1"]
            assert (mats.at(instant).of(A1), mats.at(instant).of(far)) == (Reading.CLEAR, Reading.PRESSED)

    def test_an_expander_that_does_not_answer_is_named(self, header: SimChip) -> None:
        room = Room("gone", (A1,), chips=(Chip("expander", label="mcp23017"),))
        with pytest.raises(ChipUnavailable, match=r"expander \(label mcp23017\).*Check its wiring"):
            open_pins(room)

    def test_a_user_who_may_not_open_it_is_told_of_the_group(self, header: SimChip) -> None:
        said = opened_by_nobody(Path("/dev/shm"))
        assert "ChipUnavailable: " in said
        assert f"{header.device} may not be opened. Add this user to the group gpio" in said

    def test_a_working_directory_that_may_not_be_written_to_is_named(self, header: SimChip) -> None:
        folder = Path("/run/read-only")
        folder.mkdir(mode=0o755)
        said = opened_by_nobody(folder)
        assert "PinsUnavailable: lgpio must make a file in the working directory" in said
        assert str(folder) in said


class TestBusyPins:
    def test_another_program_that_holds_a_pin_is_in_the_way_and_named(self, header: SimChip) -> None:
        with another_program() as program:
            with (
                pytest.raises(PinUnavailable, match=r"The pin of A1, GPIO 4, cannot be opened: 'GPIO busy'"),
                opened(),
            ):
                pass
            assert holders() == (f"python (process {program.pid})",)
            line = line_of(find_header(kernel_chips()), 4)
            assert line.is_used
            assert line.consumer == "lg"

    def test_killed_in_the_middle_it_leaves_the_pins_free_at_once(self, header: SimChip) -> None:
        with another_program() as program:
            header.press(5)
            os.kill(program.pid, signal.SIGKILL)
            program.wait()
            began = time.monotonic()
            with opened() as (mats, _):
                assert time.monotonic() - began < 1
                header.press(4)
                time.sleep(SETTLED)
                assert "A1" in pressed(mats)

    def test_a_line_that_the_kernel_itself_uses_is_in_the_way_and_its_user_is_named(self) -> None:
        with SimChip("header", label="pinctrl-bcm2711", hogs={5: "onewire@0"}):
            with pytest.raises(PinUnavailable, match="The pin of A2, GPIO 5, cannot be opened"), opened():
                pass
            assert line_of(find_header(kernel_chips()), 5).consumer == "onewire@0"


class TestHandlers:
    def test_one_that_throws_stops_no_pin(self, header: SimChip, caplog: pytest.LogCaptureFixture) -> None:
        def stumble() -> None:
            raise RuntimeError("stumbled")

        pins = open_pins(ROOM)
        mats = Mats(ROOM, pins, on_change=stumble)
        header.press(4)
        header.press(5)
        time.sleep(SETTLED)
        assert mats.at(time.monotonic()).readings == (("A1", Reading.PRESSED), ("A2", Reading.PRESSED))
        assert [report.lost for report in mats.report()] == [0, 0]
        assert "stumbled" in caplog.text
        mats.close()
        pins.close()

    def test_a_slow_one_delays_the_news_but_moves_no_instant(self, header: SimChip) -> None:
        pins = open_pins(ROOM)
        mats = Mats(ROOM, pins, on_change=lambda: time.sleep(0.1))
        before = time.monotonic()
        time.sleep(0.005)
        for pin in (4, 5):
            header.press(pin)
        time.sleep(0.005)
        after = time.monotonic()
        time.sleep(SETTLED + 0.2)
        assert [mats.at(at).of(sensor) for at in (before, after) for sensor in (A1, A2)] == [
            *[Reading.CLEAR] * 2,
            *[Reading.PRESSED] * 2,
        ]
        mats.close()
        pins.close()


class TestNoise:
    def test_a_line_that_floats_is_noisy_and_the_others_stay_good(self, header: SimChip) -> None:
        with opened() as (mats, _):
            header.press(5)
            until = time.monotonic() + 7
            while time.monotonic() < until:
                header.press(4)
                time.sleep(0.01)
                header.release(4)
                time.sleep(0.01)
            reports = {report.key: report for report in mats.report()}
            assert reports["A1"].trouble is Trouble.NOISY
            assert reports["A1"].edges_a_minute > 200
            reading = mats.at(time.monotonic())
            assert (reading.of(A1), reading.of(A2)) == (Reading.UNKNOWN, Reading.PRESSED)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
class TestZTheEndOfTheThread:
    """Last of all, since in this process no edge is heard any more after it."""

    def test_when_somebody_elses_handler_ends_the_librarys_thread_every_mat_says_so(
        self, header: SimChip
    ) -> None:
        with opened() as (mats, pins):

            def throw(ticks: float, state: int) -> None:
                raise RuntimeError("thrown")

            other = DigitalInputDevice(6, pull_up=True, pin_factory=pins["header"])
            other.pin.when_changed = throw
            assert {report.trouble for report in mats.report()} == {None}
            header.press(6)
            time.sleep(SETTLED)
            header.press(4)
            time.sleep(SETTLED)
            mats.now()
            time.sleep(SETTLED)
            assert pressed(mats) == ["A1"]
            assert {report.key: (report.trouble, report.lost) for report in mats.report()} == {
                "A1": (Trouble.SILENT, 1),
                "A2": (Trouble.SILENT, 0),
            }
            assert {reading for _, reading in mats.at(time.monotonic()).readings} == {Reading.UNKNOWN}
            other.close()


def test_every_error_here_is_one_that_a_person_can_put_right() -> None:
    for kind in (ChipUnavailable, PinUnavailable, PinsUnavailable):
        assert issubclass(kind, PiGmError)
