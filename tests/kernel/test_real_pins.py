"""The pins as they are on a Pi, but for the voltage: real lgpio on real chips of a simulated kernel."""

import pytest

from tests.kernel.conftest import Guest

pytestmark = pytest.mark.kernel

VIRTUAL_TIME = ("time-travel=inf-cpu",)
"""While everybody sleeps, time is skipped; nothing in such a run may wait busily."""


def test_the_contract_of_floor_readings_holds_on_lgpio_as_on_mock_pins(guest: Guest) -> None:
    guest("test_contract.py", kernel=VIRTUAL_TIME)


def test_under_full_load_no_mat_is_judged_wrongly_at_any_buzzer(guest: Guest) -> None:
    guest("test_buzzers.py")


def test_every_fault_that_needs_a_kernel_has_its_answer(guest: Guest) -> None:
    guest("test_faults.py")


def test_the_doctor_names_who_is_in_the_way(guest: Guest) -> None:
    guest("test_doctor.py")


def test_buzzer_lamps_and_buttons_work_and_end_with_the_program(guest: Guest) -> None:
    guest("test_signs.py", kernel=VIRTUAL_TIME)


def test_a_whole_round_is_played_on_real_pins_in_virtual_time(guest: Guest) -> None:
    guest("test_round.py", kernel=VIRTUAL_TIME)


def test_a_room_is_taught_in_virtual_time(guest: Guest) -> None:
    guest("test_lesson.py", kernel=VIRTUAL_TIME)


def test_the_program_is_killed_in_the_middle_and_started_again(guest: Guest) -> None:
    guest("test_program.py")
