"""Eighteen mats move around each of sixty buzzers while the processor has no time: no reading may be wrong."""

import sys
from pathlib import Path

from tests.kernel.buzzers import ROOM, full_load, judge_buzzers
from tests.kernel.simchip import SimChip

BUZZERS = 60


def test_none_is_wrong_but_what_the_simulator_itself_cannot_tell(header: SimChip, tmp_path: Path) -> None:
    with full_load():
        judged = judge_buzzers(header, BUZZERS, tmp_path)
    sys.stderr.write(
        f"{judged.asked} readings, {len(judged.wrong)} wrong, {judged.unknown} unknown; "
        f"{judged.naively_wrong} would be wrong by reading the pins at the buzzer; "
        f"{judged.too_close} too close to tell; woken up to {judged.latest * 1000:.1f} ms late\n"
    )
    assert judged.wrong == ()
    assert judged.asked - judged.unknown > 0.8 * BUZZERS * len(ROOM.sensors)
    assert judged.pressed > 0
