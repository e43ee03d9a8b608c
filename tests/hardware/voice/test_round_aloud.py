"""A round at a real table, heard: what reached the sound device, held sample for sample against what the voice says."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.speaking.ports import Tone
from tests.hardware.voice.aloud import AloudEvening


@pytest.fixture
def evening(alsa_file: Path, tmp_path: Path) -> Iterator[AloudEvening]:
    if shutil.which("espeak-ng") is None:
        pytest.skip("the command espeak-ng is not installed: apt install espeak-ng")
    aloud = AloudEvening(alsa_file, tmp_path)
    yield aloud
    aloud.close()


def test_a_night_of_one_round_is_heard_from_the_welcome_to_who_wins(evening: AloudEvening) -> None:
    evening.sit_down("Ana")
    evening.hears(Tone.CHIME, "Ana is at the table.")
    evening.sit_down("Ben")
    evening.hears("Welcome, Ben.")
    evening.sit_down("Chloe")
    evening.hears("Chloe has sat down.")

    evening.begin(practice=False, rounds=1, loads="typed", typed=[[4, 6]], pick_seconds=90)
    evening.hears("Welcome to Animal Crossing.", "Heavier animals score more, and nobody wants to get wet.")
    evening.hears("Round 1.", "Raft Eh, carries 4.", "Raft B, carries 6.", "Choose your animals in secret.")
    evening.pick(Chloe=Animal.MOUSE)
    evening.pass_time(31)
    evening.hears("One minute left to choose.")
    evening.pass_time(60)
    evening.hears("Ana and Ben, please choose.")
    evening.pick(Ana=Animal.DOG, Ben=Animal.ELEPHANT)

    evening.host(commands.OpenBoarding())
    evening.hears("Board now.", "You have 30 seconds.")
    evening.until_over("Board now. You have 30 seconds.")
    evening.check_in(Ana="A", Ben="A", Chloe="island")
    evening.turn(20)
    evening.hears(Tone.TICK, "Ten!")
    for _ in range(9):
        evening.turn(1)
        evening.hears(Tone.TICK)
    evening.turn(1)
    evening.hears(Tone.BUZZER, "Stop!", "Nobody move.")

    evening.turn(1)
    evening.host(commands.SettleRound())
    evening.hears("Ana and Ben sank.", "Chloe stayed dry.")
    evening.host(commands.OpenNight())
    evening.hears("The night is over.")
    evening.turn(60)
    evening.hears("Without a point: Ana and Ben.")
    evening.turn(60)
    evening.hears("And the winner is", "Chloe wins the night.")
    evening.until_over("Chloe wins the night.")
    evening.has_heard_all()
