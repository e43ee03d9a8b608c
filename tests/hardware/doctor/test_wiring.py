"""What the doctor says of a room's pins."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.chips import ChipUnavailable, KernelChip, Line
from hardware.doctor import Finding, Machine, Verdict, check_wiring, exit_code
from hardware.doctor.wiring import Wires
from hardware.pins import MatPin, PinLibrary, Pins, mock_factory
from pi_gm.clock import FakeClock, Seconds
from pi_gm.floor import Sensor
from pi_gm.room import Chip, Room, StartButton
from pi_gm.rooms import ROOMS

A1, A2 = Sensor("A1", 4, "A"), Sensor("A2", 7, "A")
ROOM = Room("two mats", (A1, A2))
HEADER = KernelChip(Path("/dev/gpiochip11"), "pinctrl-rp1", 54)
FREE = Line("", is_used=False, consumer="")


class Made:
    """A Pi 5 with mock pins, on which something may be wrong."""

    def __init__(self, root: Path, clock: FakeClock, *, config: str | None = "", is_pi: bool = True) -> None:
        self.machine = Machine(root=root)
        self.clock = clock
        self.factory = mock_factory()
        self.chips: tuple[KernelChip, ...] = (HEADER,)
        self.lines: Mapping[int, Line] = {}
        self.programs: tuple[str, ...] = ()
        self.moves: list[MatPin] = []
        if is_pi:
            (root / "proc/device-tree").mkdir(parents=True)
            (root / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
        if config is not None:
            (root / "boot/firmware").mkdir(parents=True)
            (root / "boot/firmware/config.txt").write_text(config)

    def _sleep(self, seconds: Seconds) -> None:
        for pin in self.moves:
            pin.drive_low()
            self.clock.turn(0.001)
            pin.drive_high()
        self.clock.turn(seconds)

    def findings(self, room: Room = ROOM, *, listen: Seconds = 3.0) -> tuple[Finding, ...]:
        wires = Wires(
            chips=lambda: self.chips,
            line=lambda chip, number: self.lines.get(number, FREE),
            holders=lambda: self.programs,
            open=lambda room: Pins(PinLibrary.LGPIO, {"header": self.factory}),
            sleep=self._sleep,
        )
        return check_wiring(room, self.machine, listen=listen, wires=wires)

    def found(self, check: str, room: Room = ROOM, *, listen: Seconds = 3.0) -> Finding:
        (first, *_) = [one for one in self.findings(room, listen=listen) if one.check == check]
        return first


@pytest.fixture
def made(tmp_path: Path, clock: FakeClock) -> Made:
    return Made(tmp_path, clock)


def test_where_all_is_well_each_mat_is_free_and_quiet(made: Made) -> None:
    findings = made.findings()
    assert {one.verdict for one in findings} == {Verdict.GOOD}
    assert [one.check for one in findings] == ["overlays", "chip", "busy pins", "mat A1", "mat A2"]
    assert "/dev/gpiochip11 (pinctrl-rp1)" in made.found("chip").says


def test_a_room_without_wires_has_nothing_to_check(made: Made) -> None:
    (finding,) = made.findings(ROOMS["none"])
    assert finding.verdict is Verdict.UNCHECKED


def test_off_a_pi_it_says_that_pins_were_not_checked(tmp_path: Path, clock: FakeClock) -> None:
    made = Made(tmp_path, clock, config=None, is_pi=False)
    made.chips = ()
    findings = made.findings()
    assert {one.verdict for one in findings} == {Verdict.UNCHECKED}
    assert exit_code(findings) == 0


def test_on_a_pi_a_header_that_is_not_found_is_bad(made: Made) -> None:
    made.chips = (KernelChip(Path("/dev/gpiochip0"), "odd", 54),)
    found = made.found("chip")
    assert found.verdict is Verdict.BAD
    assert "/dev/gpiochip0 (odd)" in found.says


def test_a_chip_that_may_not_be_opened_is_bad_and_the_cure_is_the_group(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> tuple[KernelChip, ...]:
        raise ChipUnavailable("/dev/gpiochip11 may not be opened.", "Add this user to the group gpio.")

    findings = check_wiring(ROOM, made.machine, listen=0, wires=Wires(chips=refuse))
    assert findings[-1] == Finding(
        "chip", Verdict.BAD, "/dev/gpiochip11 may not be opened.", "Add this user to the group gpio."
    )


class TestBusyPins:
    def test_the_program_that_holds_one_is_named(self, made: Made) -> None:
        made.lines = {7: Line("GPIO7", is_used=True, consumer="lg")}
        made.programs = ("python3 (process 812)",)
        found = made.found("busy pins")
        assert (found.verdict, found.says) == (Verdict.BAD, "A2 (GPIO 7) is held by python3 (process 812).")

    def test_so_is_the_part_of_the_kernel(self, made: Made) -> None:
        made.lines = {4: Line("GPIO4", is_used=True, consumer="onewire@0")}
        made.programs = ("python3 (process 812)",)
        found = made.found("busy pins")
        assert found.says == "A1 (GPIO 4) is held by onewire@0."
        assert "config.txt" in str(found.cure)

    def test_the_mats_are_left_alone_then(self, made: Made) -> None:
        made.lines = {4: Line("GPIO4", is_used=True, consumer="")}
        assert made.findings()[-1].verdict is Verdict.UNCHECKED


class TestOverlays:
    @pytest.mark.parametrize(
        ("config", "says"),
        [
            ("dtparam=spi=on", "A2 is on GPIO 7, which SPI (spi) is switched on for."),
            ("dtparam=i2c_arm=on,spi=on\n", "A2 is on GPIO 7, which SPI (spi) is switched on for."),
            ("dtoverlay=w1-gpio", "A1 is on GPIO 4, which 1-Wire (w1-gpio) is switched on for."),
            (
                "dtoverlay=w1-gpio,gpiopin=7  # attic",
                "A2 is on GPIO 7, which 1-Wire (w1-gpio) is switched on for.",
            ),
        ],
    )
    def test_one_that_wants_a_pin_of_the_room_is_warned_of(
        self, tmp_path: Path, clock: FakeClock, config: str, says: str
    ) -> None:
        found = Made(tmp_path, clock, config=f"[all]\n{config}\n").found("overlays")
        assert (found.verdict, found.says) == (Verdict.WARNING, says)

    @pytest.mark.parametrize(
        "config", ["#dtparam=spi=on", "dtparam=spi=off", "dtparam=i2c_arm=on", "enable_uart=1"]
    )
    def test_those_that_want_others_are_not(self, tmp_path: Path, clock: FakeClock, config: str) -> None:
        assert Made(tmp_path, clock, config=config).found("overlays").verdict is Verdict.GOOD

    def test_the_serial_port_wants_14_and_15(self, tmp_path: Path, clock: FakeClock) -> None:
        made = Made(tmp_path, clock, config="enable_uart=1")
        assert "UART" in made.found("overlays", Room("start", start=StartButton(15))).says

    def test_an_expanders_pins_are_no_bus_pins(self, tmp_path: Path, clock: FakeClock) -> None:
        made = Made(tmp_path, clock, config="dtparam=spi=on")
        far = Sensor("far", 7, "A", chip="more")
        made.chips = (HEADER, KernelChip(Path("/dev/gpiochip2"), "mcp23017", 16))
        room = Room("far", (far,), chips=(Chip("more", label="mcp23017"),))
        assert made.found("overlays", room).verdict is Verdict.GOOD


class TestMats:
    def test_one_that_is_pressed_is_warned_of(self, made: Made) -> None:
        made.factory.pin(4).drive_low()
        found = made.found("mat A1")
        assert found.verdict is Verdict.WARNING
        assert "furniture" in str(found.cure)

    def test_one_that_changes_by_itself_is_warned_of_with_how_often(self, made: Made) -> None:
        made.moves = [made.factory.pin(4)]
        found = made.found("mat A1")
        assert (found.verdict, found.says) == (
            Verdict.WARNING,
            "GPIO 4 changed by itself: 60 edges in 3 s.",
        )
        assert made.found("mat A2").verdict is Verdict.GOOD

    def test_one_that_never_rests_is_bad(self, made: Made) -> None:
        made.moves = [made.factory.pin(4)] * 3
        assert made.found("mat A1", listen=8).verdict is Verdict.BAD

    def test_one_whose_pin_cannot_be_opened_is_named(self, made: Made) -> None:
        class BusyPin(MatPin):
            def _get_state(self) -> bool:
                raise RuntimeError("GPIO busy")

        made.factory = MockFactory(pin_class=BusyPin)
        assert "A1, GPIO 4, cannot be opened: GPIO busy" in made.found("mats").says

    def test_afterwards_the_pins_are_free_again(self, made: Made) -> None:
        assert made.findings() == made.findings()


def test_whatever_is_wrong_has_a_cure(made: Made) -> None:
    made.lines = {4: Line("GPIO4", is_used=True, consumer="")}
    assert all(one.cure for one in made.findings() if one.verdict in (Verdict.BAD, Verdict.WARNING))
