"""Mock pins: as many boards as one likes, each on its own, with mats that stay as they are."""

import pytest
from gpiozero import Device, DigitalInputDevice
from gpiozero.exc import GPIOPinInUse

from hardware.pins import MatPin, mock_factory


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
