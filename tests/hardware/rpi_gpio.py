"""A stand-in for RPi.GPIO: as much of its interface as gpiozero uses, on pins that a test presses."""

from collections.abc import Callable
from types import ModuleType


class FakeRpiGpio(ModuleType):
    """The module ``RPi.GPIO`` with lines that are high unless pressed."""

    IN, OUT, I2C, SPI, HARD_PWM, SERIAL, UNKNOWN = 1, 0, 42, 41, 43, 40, -1
    PUD_UP, PUD_DOWN, PUD_OFF = 22, 21, 20
    RISING, FALLING, BOTH = 31, 32, 33
    BCM = 11

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self._functions: dict[int, int] = {}
        self._low: set[int] = set()
        self._listening: dict[int, Callable[[int], None]] = {}

    def press(self, pin: int, pressed: bool = True) -> None:
        (self._low.add if pressed else self._low.discard)(pin)
        if pin in self._listening:
            self._listening[pin](pin)

    def setmode(self, mode: int) -> None:
        pass

    def setwarnings(self, on: bool) -> None:
        pass

    def setup(self, pin: int, function: int, pull: int = PUD_OFF, initial: int | None = None) -> None:
        self._functions[pin] = function

    def gpio_function(self, pin: int) -> int:
        return self._functions[pin]

    def input(self, pin: int) -> int:
        return int(pin not in self._low)

    def add_event_detect(
        self, pin: int, edges: int, callback: Callable[[int], None], bouncetime: int
    ) -> None:
        assert bouncetime == -666, "RPi.GPIO's own debouncing loses releases"
        self._listening[pin] = callback

    def remove_event_detect(self, pin: int) -> None:
        self._listening.pop(pin, None)

    def cleanup(self, pin: int | None = None) -> None:
        self._functions.clear()
