"""What the doctor finds on real chips."""

import subprocess
import sys

from hardware.doctor import Finding, Machine, Verdict, check_wiring
from pi_gm.floor import Sensor
from pi_gm.room import Buzzer, Room
from tests.kernel.simchip import SimChip

ROOM = Room("two mats", (Sensor("A1", 4, "A"), Sensor("A2", 5, "A")), buzzer=Buzzer(13))

HOLD = """
import time
from gpiozero import DigitalInputDevice
from hardware.pins import open_pins
from tests.kernel.inside.test_doctor import ROOM
device = DigitalInputDevice(13, pin_factory=open_pins(ROOM)["header"])
print("ready", flush=True)
time.sleep(60)
"""


def found(room: Room = ROOM) -> dict[str, Finding]:
    return {finding.check: finding for finding in check_wiring(room, Machine(), listen=0.5)}


def test_a_good_room_is_found_good_and_its_pins_are_free_afterwards(header: SimChip) -> None:
    for _ in range(2):
        findings = found()
        assert {one.verdict for check, one in findings.items() if check != "overlays"} == {Verdict.GOOD}
        assert set(findings) == {"overlays", "chip", "busy pins", "mat A1", "mat A2"}


def test_the_program_that_holds_a_pin_is_named_with_its_process(header: SimChip) -> None:
    program = subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE)
    assert program.stdout is not None
    assert program.stdout.readline() == b"ready\n"
    try:
        finding = found()["busy pins"]
    finally:
        program.kill()
        program.communicate()
    assert finding.verdict is Verdict.BAD
    assert finding.says == f"the buzzer (GPIO 13) is held by python (process {program.pid})."


def test_an_overlay_that_holds_a_pin_is_named() -> None:
    with SimChip("header", label="pinctrl-bcm2711", hogs={4: "onewire@0"}):
        assert found()["busy pins"].says == "A1 (GPIO 4) is held by onewire@0."
