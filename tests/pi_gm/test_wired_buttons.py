"""Buttons that are wired to the room: they say what a phone or the host's page would."""

from pathlib import Path

import pytest

from hardware.buttons import Buttons
from hardware.pins import MatPin, mock_factory
from pi_gm.cli.running import _press
from pi_gm.games import Page, Rejected
from pi_gm.rooms import ROOMS
from pi_gm.table import Accepted
from tests.pi_gm.games.animal_mind.at_table import EveningOfMind
from tests.pi_gm.games.animal_mind.mind import pile_of


@pytest.fixture
def evening() -> EveningOfMind:
    evening = EveningOfMind("Ana", "Ben", pile=pile_of("milk2 egg1 scoring"))
    evening.begin()
    evening.offer("Ana", "Ben", value=1)
    return evening


def test_the_receiver_accepts_with_the_green_button(evening: EveningOfMind) -> None:
    assert isinstance(evening.table.press_answer(2, "accept"), Accepted)
    assert "Ben accepts." in evening.said


def test_nobody_answers_with_the_buttons_of_another(evening: EveningOfMind) -> None:
    refused = evening.table.press_answer(1, "accept")
    assert isinstance(refused, Rejected)
    assert refused.reason == "not-yours-to-answer"


def test_a_button_of_a_token_that_nobody_has_does_nothing(evening: EveningOfMind) -> None:
    assert evening.table.press_answer(7, "accept") == Rejected("no-such-button")


def test_the_start_button_does_what_the_big_button_does(evening: EveningOfMind) -> None:
    evening.accept("Ben")
    step = evening.on(Page.HOST).next
    assert step is not None
    assert step.label == "Go on"
    assert isinstance(evening.table.press_next(), Accepted)
    assert "Ben draws a card." in evening.said


def test_a_wired_button_reaches_the_game_through_its_pin(evening: EveningOfMind, tmp_path: Path) -> None:
    room, pins = ROOMS["buttons"], mock_factory()
    (reject,) = (b for b in room.decisions if b.owner == 2 and b.answer.value == "reject")
    buttons = Buttons(
        room,
        pins,
        evening.clock,
        on_press=lambda button: _press(evening.table, button),
        stamp=lambda _: evening.clock.monotonic(),
    )
    pin = pins.pin(reject.pin)
    assert isinstance(pin, MatPin)
    pin.drive_low()
    evening.clock.turn(1.0)
    buttons.time_passed()
    buttons.close()
    assert "Ben rejects." in evening.said
