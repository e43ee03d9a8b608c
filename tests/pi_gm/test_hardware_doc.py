"""The room that the manual shows is a good one, and says the wiring that comes along."""

import re
from pathlib import Path

from pi_gm.rooms import own_mats
from pi_gm.settings import room_from_toml

MANUAL = (Path(__file__).parents[2] / "docs" / "hardware.md").read_text()


def test_the_room_in_the_manual_can_be_read() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", MANUAL, re.DOTALL)
    room = room_from_toml(example).room
    assert room.chips
    assert room.decisions
    assert room.buzzer is not None


def test_the_map_in_the_manual_is_that_of_the_room_that_comes_along() -> None:
    for title, place in (("Raft A", "A"), ("Raft B", "B"), ("Island", "island")):
        (row,) = re.findall(rf"\| {title}, tokens 1 to 6 \| (.*) \|", MANUAL)
        assert row.split() == [str(sensor.pin) for sensor in own_mats().sensors_at(place)]
