"""A disk that fills up in the middle of a night, which is kept on it like the clips."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hardware.voice.clips import KEPT_FREE, ClipCache
from pi_gm import night as nights
from pi_gm.games import DOOR
from pi_gm.games.animal_crossing import GAME
from pi_gm.journal import Journal, JournalFailed
from pi_gm.night import House
from pi_gm.room import no_sensors
from pi_gm.speaking.ports import CannotSpeak, SpeakerState, Tone
from tests.hardware.voice.aloud import AloudEvening
from tests.hardware.voice.processor import spent

HOUSE = House({GAME.key: GAME}, no_sensors())


def fill(disk: Path, *, leave: int = 0) -> Path:
    """Fill ``disk``, but for ``leave`` bytes; the night that is on may write meanwhile."""
    filler = disk / "filler"
    with filler.open("wb") as file:
        for _ in range(100):
            try:
                os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(disk).free - leave)
            except OSError as trouble:
                if trouble.errno != errno.ENOSPC:
                    raise
            else:
                return filler
    raise AssertionError(f"{disk} is written to without a pause.")


@pytest.fixture
def evening(alsa_file: Path, small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AloudEvening]:
    if shutil.which("espeak-ng") is None:
        pytest.skip("the command espeak-ng is not installed: apt install espeak-ng")
    for name in ("CACHE_DIRECTORY", "RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    with closing(Journal(small_disk / "night.sqlite", HOUSE)) as journal:
        aloud = AloudEvening(alsa_file, small_disk, journal)
        yield aloud
        aloud.close()


def test_clips_leave_room_for_the_night(small_disk: Path) -> None:
    cache = ClipCache(small_disk / "voice")

    def keep_many() -> None:
        for number in range(100):
            cache.keep(("voice", str(number)), bytes(100_000), 1.0)

    with pytest.raises(CannotSpeak, match="make room on the disk"):
        keep_many()
    assert KEPT_FREE <= shutil.disk_usage(small_disk).free < KEPT_FREE + 200_000


def test_a_night_goes_on_without_a_voice_and_has_it_back_when_there_is_room(
    evening: AloudEvening, small_disk: Path
) -> None:
    evening.sit_down("Ana")
    evening.hears(Tone.CHIME, "Ana is at the table.")
    filler = fill(small_disk, leave=500_000)
    before = spent()
    evening.sit_down("Ben")
    evening.until_over("Welcome, Ben.")
    for _ in range(20):
        evening.accepted(nights.SayAddress("pi-gm.local", "FERN"), DOOR)
        evening.turn(60)
    evening.begin(practice=False)
    evening.until_over(evening.said[-1])
    assert evening.speaker_state() is SpeakerState.FAILED
    assert "make room on the disk" in evening.speaker.status.text
    assert "Welcome, Ben." in evening.said
    assert spent() - before < 2.0
    filler.unlink()
    evening.turn(60)
    evening.sit_down("Chloe")
    evening.hears("Chloe has sat down.")
    assert evening.speaker_state() is SpeakerState.FINE


def test_nothing_that_was_not_written_down_is_said(evening: AloudEvening, small_disk: Path) -> None:
    evening.sit_down("Ana")
    evening.hears(Tone.CHIME, "Ana is at the table.")
    filler = fill(small_disk)
    with pytest.raises(JournalFailed, match="is the disk full"):
        evening.sit_down("Ben")
    known = [seat.name for seat in evening.night.seats]
    filler.unlink()
    evening.sit_down("Ben")
    evening.hears("Welcome, Ben.")
    evening.power_cut()
    assert [seat.name for seat in evening.night.seats] == [*known, "Ben"]
