"""The start button and the players' buttons: one press, one act, however the contact bounces."""

import threading
from collections.abc import Callable, Sequence

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import AnyButton, Buttons
from hardware.mats import PinUnavailable
from hardware.pins import MatPin, mock_factory
from pi_gm.clock import FakeClock
from pi_gm.floor import Normally
from pi_gm.room import Answer, DecisionButton, Room, StartButton

START = StartButton(26)
YES, NO = (DecisionButton(3, answer, pin) for answer, pin in ((Answer.ACCEPT, 5), (Answer.REJECT, 6)))
ROOM = Room("buttons", start=START, decisions=(YES, NO))


class Pressed:
    """Buttons on mock pins, and what was pressed."""

    def __init__(self, clock: FakeClock, room: Room = ROOM, factory: MockFactory | None = None) -> None:
        self.clock = clock
        self.factory = factory or mock_factory()
        self.acts: list[AnyButton] = []
        self.buttons = Buttons(room, self.factory, clock, on_press=self.acts.append)

    def toggle(self, pin: int, gaps: Sequence[float]) -> None:
        """Close the contact and then change it after each of ``gaps`` seconds; it ends open, and settles."""
        mat = self.factory.pin(pin)
        for number, gap in enumerate(gaps):
            (mat.drive_low if number % 2 == 0 else mat.drive_high)()
            self.clock.turn(gap)
            self.buttons.time_passed()
        mat.drive_high()
        self.clock.turn(0.2)
        self.buttons.time_passed()


def test_each_button_is_told_of_as_itself(clock: FakeClock) -> None:
    pressed = Pressed(clock)
    for pin in (6, 26, 5):
        pressed.toggle(pin, [0.1])
    assert pressed.acts == [NO, START, YES]


def test_it_acts_when_the_press_has_proved_to_be_one_not_when_it_is_let_go(clock: FakeClock) -> None:
    pressed = Pressed(clock)
    pressed.factory.pin(26).drive_low()
    assert pressed.buttons.time_passed() == pytest.approx(1000.03)
    clock.turn(0.029)
    pressed.buttons.time_passed()
    assert pressed.acts == []
    clock.turn(0.001)
    assert pressed.buttons.time_passed() is None
    assert pressed.acts == [START]


def test_holding_it_is_one_press(clock: FakeClock) -> None:
    pressed = Pressed(clock)
    pressed.toggle(26, [60.0])
    assert pressed.acts == [START]


def test_a_press_that_was_over_before_anybody_looked_counts(clock: FakeClock) -> None:
    pressed = Pressed(clock)
    pin = pressed.factory.pin(26)
    for _ in range(2):
        pin.drive_low()
        clock.turn(0.1)
        pin.drive_high()
        clock.turn(0.1)
    pressed.buttons.time_passed()
    assert pressed.acts == [START, START]


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.029])
def test_a_spark_is_no_press(clock: FakeClock, seconds: float) -> None:
    pressed = Pressed(clock)
    pressed.toggle(26, [seconds])
    assert pressed.acts == []


bounces = st.lists(st.floats(0.0001, 0.02), max_size=9).filter(lambda gaps: len(gaps) % 2 == 0)


@given(bounces, bounces)
def test_however_it_bounces_it_is_one_press(going_down: list[float], going_up: list[float]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        clock = FakeClock()
        monkeypatch.setattr("gpiozero.pins.mock.monotonic", clock.monotonic)
        pressed = Pressed(clock)
        pressed.toggle(26, [*going_down, 0.5, *going_up])
        assert pressed.acts == [START]


def test_one_that_is_held_from_the_start_is_not_pressed_until_it_was_let_go(clock: FakeClock) -> None:
    factory = mock_factory()
    factory.pin(26).drive_low()
    pressed = Pressed(clock, factory=factory)
    clock.turn(1)
    pressed.buttons.time_passed()
    factory.pin(26).drive_high()
    clock.turn(1)
    pressed.toggle(26, [0.1])
    assert pressed.acts == [START]


def test_a_normally_closed_one_is_pressed_when_it_opens(clock: FakeClock) -> None:
    button = StartButton(26, normally=Normally.CLOSED)
    factory = mock_factory()
    factory.pin(26).drive_low()
    pressed = Pressed(clock, Room("closed", start=button), factory)
    clock.turn(1)
    factory.pin(26).drive_high()
    clock.turn(0.1)
    pressed.buttons.time_passed()
    assert pressed.acts == [button]


def test_an_error_in_one_act_does_not_keep_the_next_from_happening(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    acts: list[AnyButton] = []

    def stumble(button: AnyButton) -> None:
        acts.append(button)
        raise RuntimeError("stumbled")

    factory = mock_factory()
    buttons = Buttons(ROOM, factory, clock, on_press=stumble)
    for _ in range(2):
        factory.pin(26).drive_low()
        clock.turn(0.1)
        factory.pin(26).drive_high()
        clock.turn(0.1)
    buttons.time_passed()
    assert acts == [START, START]
    assert "stumbled" in caplog.text


def acted(
    room: Room, factory: MockFactory, clock: FakeClock
) -> tuple[Buttons, Callable[[], threading.Thread | None]]:
    """Started buttons, and a wait for the next press that tells by which thread it was acted on."""
    done = threading.Semaphore(0)
    by: list[threading.Thread] = []

    def act(button: AnyButton) -> None:
        by.append(threading.current_thread())
        done.release()

    buttons = Buttons(room, factory, clock, on_press=act)
    buttons.start()
    return buttons, lambda: by[-1] if done.acquire(timeout=10) else None


def test_acts_happen_in_a_thread_of_their_own_so_that_no_pin_waits_for_them(clock: FakeClock) -> None:
    factory = mock_factory()
    buttons, next_act = acted(ROOM, factory, clock)
    factory.pin(26).drive_low()
    clock.turn(0.1)
    factory.pin(26).drive_high()
    thread = next_act()
    assert thread is not None
    assert thread is not threading.current_thread()
    buttons.close()
    assert not thread.is_alive()


def test_once_closed_nothing_happens_and_the_pins_are_free(clock: FakeClock) -> None:
    pressed = Pressed(clock)
    pressed.buttons.close()
    pressed.buttons.close()
    pressed.toggle(26, [0.1])
    assert pressed.acts == []
    Pressed(clock, factory=pressed.factory)


class BrokenPin(MatPin):
    def _get_state(self) -> bool:
        raise RuntimeError("bad handle")


def test_a_pin_that_cannot_be_opened_is_named(clock: FakeClock) -> None:
    with pytest.raises(PinUnavailable, match="accept 3, GPIO 5, cannot be opened: bad handle"):
        Buttons(ROOM, MockFactory(pin_class=BrokenPin), clock, on_press=print)
