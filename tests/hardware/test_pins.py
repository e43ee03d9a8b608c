"""Where pins come from: mock ones, as many boards as one likes, and those of a real machine, never by a guess."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from gpiozero import Device, DigitalInputDevice
from gpiozero.exc import GPIOPinInUse

from hardware.mats import Mats
from hardware.pins import MatPin, PinLibrary, PinsUnavailable, mock_factory, mock_pins, open_pins
from pi_gm.floor import Reading
from pi_gm.room import Chip, Room
from pi_gm.rooms import ROOMS
from tests.hardware.rpi_gpio import FakeRpiGpio

PI_4, PI_5 = 0xC03112, 0xC04170


def test_a_pin_that_one_factory_has_in_use_is_free_in_another() -> None:
    first, second = mock_factory(), mock_factory()
    with (
        DigitalInputDevice(4, pull_up=True, pin_factory=first),
        DigitalInputDevice(4, pull_up=True, pin_factory=second) as other,
    ):
        first.pin(4).drive_low()
        assert not other.is_active
        with pytest.raises(GPIOPinInUse):
            DigitalInputDevice(4, pin_factory=first)


def test_gpiozeros_own_factory_is_left_alone() -> None:
    before = Device.pin_factory
    DigitalInputDevice(4, pull_up=True, pin_factory=mock_factory()).close()
    assert Device.pin_factory is before


def test_the_environment_has_no_say_in_the_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_MOCK_PIN_CLASS", "mockpwmpin")
    monkeypatch.setenv("GPIOZERO_MOCK_REVISION", "0002")
    assert isinstance(mock_factory().pin(26), MatPin)


@pytest.mark.parametrize("bcm", range(2, 28))
def test_every_pin_of_the_header_can_be_a_mat(bcm: int) -> None:
    factory = mock_factory()
    with DigitalInputDevice(bcm, pull_up=True, pin_factory=factory) as mat:
        assert not mat.is_active
        factory.pin(bcm).drive_low()
        assert mat.is_active


def test_a_mat_that_is_stood_on_stays_so_when_its_pin_is_opened_closed_and_opened_again() -> None:
    factory = mock_factory()
    factory.pin(4).drive_low()
    for _ in range(2):
        with DigitalInputDevice(4, pull_up=True, pin_factory=factory) as mat:
            assert mat.is_active


def test_a_mat_that_was_left_while_its_pin_was_closed_is_clear_when_it_is_opened() -> None:
    factory = mock_factory()
    factory.pin(4).drive_low()
    factory.pin(4).drive_high()
    with DigitalInputDevice(4, pull_up=True, pin_factory=factory) as mat:
        assert not mat.is_active


class TestARealMachine:
    """What is tried, in which order, and that it is said what is missing rather than something else taken."""

    @pytest.fixture(autouse=True)
    def no_pin_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As on a machine where none is installed."""
        for name in ("lgpio", "RPi", "RPi.GPIO"):
            monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)

    @pytest.fixture
    def rpi_gpio(self, monkeypatch: pytest.MonkeyPatch) -> FakeRpiGpio:
        module, package = FakeRpiGpio(), ModuleType("RPi")
        package.GPIO = module  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "RPi", package)
        monkeypatch.setitem(sys.modules, "RPi.GPIO", module)
        return module

    @pytest.fixture
    def board(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
        def be(revision: int) -> None:
            monkeypatch.setattr("hardware.pins.get_pi_revision", lambda: revision)
            monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: revision)

        return be

    @pytest.mark.skipif(Path("/proc/device-tree/model").exists(), reason="this is a Pi")
    def test_a_laptop_has_no_pins_and_is_told_what_to_do_without(self) -> None:
        with pytest.raises(PinsUnavailable, match=r"no Raspberry Pi.* pi-gm rehearse"):
            open_pins(ROOMS["mats"])

    def test_without_lgpio_its_package_is_named(self, board: Callable[[int], None]) -> None:
        board(PI_4)
        with pytest.raises(PinsUnavailable, match=r"lgpio is missing: .*('\.\[pi\]'|python3-lgpio)"):
            open_pins(ROOMS["mats"])

    def test_from_python_3_13_on_lgpio_is_the_systems(
        self, board: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        board(PI_5)
        monkeypatch.setattr("hardware.pins.sys.version_info", (3, 13))
        with pytest.raises(PinsUnavailable, match=r"apt install python3-lgpio.*--system-site-packages"):
            open_pins(ROOMS["mats"])

    def test_a_pi_4_that_has_only_rpi_gpio_plays_with_that(
        self, board: Callable[[int], None], rpi_gpio: FakeRpiGpio
    ) -> None:
        board(PI_4)
        pins = open_pins(ROOMS["mats"])
        assert pins.library is PinLibrary.RPI_GPIO
        told: list[int] = []
        rpi_gpio.press(5)
        mats = Mats(ROOMS["mats"], pins, on_change=lambda: told.append(1))
        rpi_gpio.press(4)
        pressed = {key for key, reading in mats.now().readings if reading is Reading.PRESSED}
        assert pressed == {"A1", "A2"}
        assert told == [1]
        rpi_gpio.press(4, pressed=False)
        assert {key for key, reading in mats.now().readings if reading is Reading.PRESSED} == {"A2"}
        mats.close()
        pins.close()

    def test_a_pi_5_does_not(self, board: Callable[[int], None], rpi_gpio: FakeRpiGpio) -> None:
        board(PI_5)
        with pytest.raises(PinsUnavailable, match="lgpio is missing"):
            open_pins(ROOMS["mats"])
        with pytest.raises(PinsUnavailable, match=r"RPi\.GPIO does not work on a Pi 5"):
            open_pins(ROOMS["mats"], PinLibrary.RPI_GPIO)

    def test_rpi_gpio_knows_no_expander(self, board: Callable[[int], None], rpi_gpio: FakeRpiGpio) -> None:
        board(PI_4)
        room = Room("more", chips=(Chip("expander", label="mcp23017"),))
        with pytest.raises(PinsUnavailable, match="reaches the header alone, and the room has expander"):
            open_pins(room)

    def test_one_that_was_asked_for_and_is_missing_is_not_replaced(
        self, board: Callable[[int], None]
    ) -> None:
        board(PI_4)
        with pytest.raises(PinsUnavailable, match=r"RPi.GPIO is missing: .* install '\.\[rpi-gpio\]'"):
            open_pins(ROOMS["mats"], PinLibrary.RPI_GPIO)

    def test_the_service_gets_its_pin_library_from_the_system(
        self, board: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        board(PI_4)
        monkeypatch.setattr("hardware.pins.is_of_service", lambda: True)
        with pytest.raises(PinsUnavailable) as missing:
            open_pins(ROOMS["mats"], PinLibrary.RPI_GPIO)
        assert "sudo apt install python3-rpi.gpio" in str(missing.value)
        assert "sudo apt install python3-lgpio" in str(missing.value)
        assert "pip" not in str(missing.value)

    def test_lgpio_is_not_even_tried_where_it_could_not_make_its_file(
        self, board: Callable[[int], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        board(PI_4)
        monkeypatch.delitem(sys.modules, "lgpio")
        monkeypatch.setattr("hardware.pins.os.access", lambda path, mode: False)
        monkeypatch.chdir(tmp_path)
        with pytest.raises(PinsUnavailable, match=rf"{tmp_path} may not be written to.*WorkingDirectory"):
            open_pins(ROOMS["mats"], PinLibrary.LGPIO)


def test_mock_pins_are_made_for_every_chip_of_a_room() -> None:
    room = Room("more", chips=(Chip("expander", label="mcp23017"),))
    pins = mock_pins(room)
    assert set(pins) == {"header", "expander"}
    pins["header"].pin(4).drive_low()
    with DigitalInputDevice(4, pull_up=True, pin_factory=pins["expander"]) as mat:
        assert not mat.is_active
