"""Making clips: what is wanted now goes first, what failed is not tried without end, and nothing waits."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.voice.clips import ClipCache, wav
from hardware.voice.studio import TRY_AGAIN, Studio
from pi_gm.clock import FakeClock
from pi_gm.speaking.ports import CannotSpeak, Tone


class FakeEngine:
    is_quick = True

    def __init__(self, name: str = "fake") -> None:
        self.made_from = (name,)
        self.made: list[tuple[str, bool]] = []
        self.broken: set[str] = set()
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.is_closed = False

    def missing(self) -> str | None:
        return None

    def make(self, text: str, *, gently: bool = False) -> bytes:
        self.made.append((text, gently))
        if gently:
            assert self.may_go_on.wait(10)
        if text in self.broken:
            raise CannotSpeak("broken")
        return wav(b"\x01\x00" * 1000, 1000)

    def close(self) -> None:
        self.is_closed = True
        self.may_go_on.set()


class Making:
    def __init__(self, folder: Path, engine: FakeEngine | None, hurry: FakeEngine | None = None) -> None:
        self.clock = FakeClock()
        self.studio = Studio(engine, ClipCache(folder), self.clock, in_a_hurry=hurry)
        self.made = threading.Semaphore(0)
        self.studio.call_when_made(self.made.release)
        self.studio.start()

    def wait(self) -> None:
        assert self.made.acquire(timeout=10)


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def making(tmp_path: Path, engine: FakeEngine) -> Iterator[Making]:
    making = Making(tmp_path, engine)
    yield making
    making.studio.stop()


def test_words_are_made_once_and_then_ready(making: Making, engine: FakeEngine) -> None:
    assert making.studio.words("Ana sank.") is None
    making.wait()
    clip = making.studio.words("Ana sank.")
    assert clip is not None
    assert clip.seconds == 1.0
    assert making.studio.words("Ana sank.") == clip
    assert engine.made == [("Ana sank.", False)]


def test_what_is_wanted_now_does_not_wait_for_what_is_made_in_advance(
    making: Making, engine: FakeEngine
) -> None:
    engine.may_go_on.clear()
    making.studio.prepare(["one", "two", "one"])
    assert making.studio.words("now") is None
    making.wait()
    assert making.studio.words("now") is not None
    engine.may_go_on.set()


def test_what_was_made_in_advance_is_ready_and_gave_way(making: Making, engine: FakeEngine) -> None:
    making.studio.prepare(["one", "two"])
    making.studio.prepare(["two", "three"])
    making.studio.words("last")
    making.wait()
    for text in ("three", "one"):
        while making.studio.words(text) is None:
            making.wait()
    assert ("one", True) in engine.made
    assert sum(text == "two" for text, _ in engine.made) <= 2


def test_what_failed_says_why_and_is_tried_again_later(making: Making, engine: FakeEngine) -> None:
    engine.broken = {"Ana"}
    assert making.studio.words("Ana") is None
    making.wait()
    for _ in range(3):
        with pytest.raises(CannotSpeak, match="broken"):
            making.studio.words("Ana")
    assert engine.made == [("Ana", False)]
    engine.broken = set()
    making.clock.turn(TRY_AGAIN)
    assert making.studio.words("Ana") is None
    making.wait()
    assert making.studio.words("Ana") is not None


def test_a_clip_whose_file_is_gone_is_made_anew(making: Making) -> None:
    making.studio.words("Ana")
    making.wait()
    clip = making.studio.words("Ana")
    assert clip is not None
    clip.path.unlink()
    assert making.studio.words("Ana") is None
    making.wait()
    assert making.studio.words("Ana") == clip
    assert clip.path.exists()


def test_a_tone_whose_file_is_gone_is_made_anew(making: Making) -> None:
    making.studio.tone(Tone.BUZZER).path.unlink()
    assert making.studio.tone(Tone.BUZZER).path.exists()


def test_a_slow_voice_is_stood_in_for_by_a_quick_one_until_it_has_made_the_clip(tmp_path: Path) -> None:
    slow, quick = FakeEngine("slow"), FakeEngine("quick")
    slow.may_go_on.clear()
    making = Making(tmp_path, slow, quick)
    making.studio.words("Ana")
    making.wait()
    stand_in = making.studio.words("Ana")
    assert quick.made == [("Ana", False)]
    slow.may_go_on.set()
    making.studio.prepare(["Ana", "Ben"])
    making.studio.stop()
    assert slow.is_closed
    assert quick.is_closed
    cache = ClipCache(tmp_path)
    assert stand_in == cache.find(("quick", "Ana"))


def test_without_a_voice_there_are_tones_and_a_cure(tmp_path: Path) -> None:
    making = Making(tmp_path, None)
    assert making.studio.tone(Tone.BUZZER).path.exists()
    with pytest.raises(CannotSpeak, match="apt install espeak-ng"):
        making.studio.words("Ana")
    making.studio.stop()


class BrokenEngine(FakeEngine):
    """Breaks as nobody foresaw."""

    def make(self, text: str, *, gently: bool = False) -> bytes:
        raise ZeroDivisionError


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_voice_that_breaks_as_nobody_foresaw_says_so_instead_of_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    making = Making(tmp_path, BrokenEngine())
    assert making.studio.words("Ana") is None
    making.wait()
    with pytest.raises(CannotSpeak, match="The voice has stopped"):
        making.studio.words("Ana")
    with pytest.raises(CannotSpeak, match="The voice has stopped"):
        making.studio.words("Ben")
    assert "“voice” has ended" in caplog.text
    making.studio.stop()


# Another voice


def test_another_engine_makes_everything_anew_and_the_old_clips_wait_for_its_return(
    making: Making, engine: FakeEngine
) -> None:
    making.studio.words("Ana sank.")
    making.wait()
    first = making.studio.words("Ana sank.")
    other = FakeEngine("other")
    making.studio.use(other)
    assert engine.is_closed
    assert making.studio.words("Ana sank.") is None
    making.wait()
    assert other.made == [("Ana sank.", False)]
    making.studio.use(engine)
    assert making.studio.words("Ana sank.") == first


def test_what_one_engine_could_not_say_is_tried_at_once_by_the_next(
    making: Making, engine: FakeEngine
) -> None:
    engine.broken.add("Ana sank.")
    making.studio.words("Ana sank.")
    making.wait()
    making.studio.use(FakeEngine("other"))
    assert making.studio.words("Ana sank.") is None
    making.wait()
    assert making.studio.words("Ana sank.") is not None


def test_a_page_finds_a_clip_by_its_name_and_nothing_else(making: Making) -> None:
    tone = making.studio.tone(Tone.BUZZER)
    assert making.studio.named(tone.path.name) == tone
    assert making.studio.named("../night-1.sqlite") is None
