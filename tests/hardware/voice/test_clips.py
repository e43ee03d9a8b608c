"""Clips in their cache: whole or not at all, and no more than there is room for."""

import io
import wave
from pathlib import Path

import pytest

from hardware.voice.clips import ClipCache, checked_wav, clip_name, wav, with_silence_first
from hardware.voice.tones import RATE, tone_wav
from pi_gm.speaking.ports import CannotSpeak, Tone

SECOND = wav(bytes(2 * 1000), 1000)


def kept(cache: ClipCache, text: str, data: bytes = SECOND) -> Path:
    return cache.keep(("voice", text), data, 1.0).path


def test_a_clip_is_found_by_all_that_it_was_made_from(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path / "clips")
    path = kept(cache, "Ana sank.")
    found = cache.find(("voice", "Ana sank."))
    assert found is not None
    assert found.path == path
    assert path.read_bytes() == SECOND
    assert cache.named(path.name) == found
    assert cache.find(("other voice", "Ana sank.")) is None
    assert cache.named("../../etc/passwd") is None


def test_words_do_not_run_into_each_other_in_a_name() -> None:
    assert clip_name(("a", "bc")) != clip_name(("ab", "c"))


def test_clips_are_found_again_after_a_restart_and_spoilt_ones_are_thrown_away(tmp_path: Path) -> None:
    whole, cut, empty = (kept(ClipCache(tmp_path), text) for text in ("whole", "cut", "empty"))
    cut.write_bytes(SECOND[:-500])
    empty.write_bytes(b"")
    again = ClipCache(tmp_path)
    found = again.find(("voice", "whole"))
    assert found is not None
    assert found.seconds == 1.0
    assert again.find(("voice", "cut")) is None
    assert again.find(("voice", "empty")) is None
    assert list(tmp_path.iterdir()) == [whole]


def test_the_longest_unused_make_room_and_what_is_kept_for_good_stays(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path, most_bytes=3 * len(SECOND))
    for_good = cache.keep(("tone",), SECOND, 1.0, for_good=True).path
    first, second = kept(cache, "first"), kept(cache, "second")
    assert cache.find(("voice", "first")) is not None
    third = kept(cache, "third")
    assert set(tmp_path.iterdir()) == {for_good, first, third}
    assert cache.find(("voice", "second")) is None
    assert not second.exists()


def test_one_clip_that_is_too_big_by_itself_is_kept_all_the_same(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path, most_bytes=10)
    assert kept(cache, "long").exists()


def test_a_folder_that_takes_nothing_is_stood_in_for_by_the_spare_one(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert kept(ClipCache(blocked, tmp_path / "spare"), "Ana").parent == tmp_path / "spare"
    with pytest.raises(CannotSpeak, match="make room on the disk"):
        kept(ClipCache(blocked), "Ana")


def test_nothing_unfinished_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(CannotSpeak, match="No space left"):
        kept(ClipCache(tmp_path), "Ana")
    assert list(tmp_path.iterdir()) == []


def test_a_header_that_does_not_know_the_length_is_put_right() -> None:
    header, sound = SECOND[:44], SECOND[44:]
    streamed = header[:4] + b"\x24\xf0\xff\x7f" + header[8:40] + b"\x00\xf0\xff\x7f" + sound
    assert checked_wav(streamed, "voice") == (SECOND, 1.0)


@pytest.mark.parametrize("data", [b"", b"hello", SECOND[:20], wav(b"", 1000)])
def test_what_has_no_sound_in_it_is_no_clip(data: bytes) -> None:
    with pytest.raises(CannotSpeak, match="choose another voice"):
        checked_wav(data, "voice")


def test_silence_goes_first() -> None:
    sound = wav(b"\x01\x00" * 100, 100)
    with wave.open(io.BytesIO(with_silence_first(sound, 0.5))) as longer:
        assert longer.readframes(999) == bytes(100) + b"\x01\x00" * 100


@pytest.mark.parametrize("tone", Tone)
def test_a_tone_is_loud_begins_at_once_and_is_always_the_same(tone: Tone) -> None:
    data, seconds = tone_wav(tone)
    assert tone_wav(tone)[0] == data
    checked, length = checked_wav(data, "tone")
    assert checked == data
    assert length == pytest.approx(seconds, abs=0.001)
    with wave.open(io.BytesIO(data)) as heard:
        samples = memoryview(heard.readframes(heard.getnframes())).cast("h")
    assert max(samples) > 8_000
    assert max(map(abs, samples)) < 32_767
    assert max(map(abs, samples[: RATE // 100])) > 3_000
    assert abs(samples[0]) < 100
    assert abs(samples[-1]) < 100
