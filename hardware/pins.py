"""Where pins come from: for now the mock ones of a laptop, which a simulated room presses."""

from gpiozero.pins.mock import MockFactory, MockPin

_PI_4B = "c03111"


class MatPin(MockPin):  # type: ignore[misc]
    """A mock pin with a mat on it: low while the mat is stood on, whether or not a program has the pin open.

    A plain mock pin forgets that it was driven low as soon as its pull-up is switched on.
    """

    _stood_on = False

    def drive_low(self) -> None:
        self._stood_on = True
        super().drive_low()

    def drive_high(self) -> None:
        self._stood_on = False
        super().drive_high()

    def _set_pull(self, value: str) -> None:
        stood_on = self._stood_on
        super()._set_pull(value)
        if stood_on:
            self.drive_low()


def mock_factory() -> MockFactory:
    """Mock pins of a Pi's 40-pin header, none of them in use; no other factory shares them."""
    # Both named, so that the environment variables of gpiozero's tests have no say.
    return MockFactory(revision=_PI_4B, pin_class=MatPin)
