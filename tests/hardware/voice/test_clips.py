"""Clips in their cache: whole or not at all, and no more than there is room for."""

import io
import os
import wave
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.voice import clips_folder
from hardware.voice.clips import ClipCache, checked_wav, clip_key, clip_name, wav, with_silence_first
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
    assert clip_key(("a", "bc")) != clip_key(("ab", "c"))


def zeroed(data: bytes) -> bytes:
    """What a power cut leaves of a file whose length was written down before its content."""
    return data[:44] + bytes(len(data) - 44)


def without_rate(data: bytes) -> bytes:
    return data[:24] + bytes(4) + data[28:]


@pytest.mark.parametrize(
    "spoil",
    [lambda data: data[:-500], lambda data: b"", lambda data: data[:20], zeroed, without_rate],
    ids=["cut", "empty", "header cut", "zeroed", "no rate"],
)
def test_clips_are_found_again_after_a_restart_and_spoilt_ones_are_thrown_away(
    tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    loud = wav(b"\x10\x20" * 1000, 1000)
    whole, spoilt = (kept(ClipCache(tmp_path), text, loud) for text in ("whole", "spoilt"))
    spoilt.write_bytes(spoil(loud))
    again = ClipCache(tmp_path)
    found = again.find(("voice", "whole"))
    assert found is not None
    assert (found.path, found.seconds) == (whole, 1.0)
    assert again.named(whole.name) == found
    assert again.find(("voice", "spoilt")) is None
    assert again.named(spoilt.name) is None
    assert list(tmp_path.iterdir()) == [whole]


def test_a_spoilt_clip_of_a_true_name_without_a_rate_is_no_clip(tmp_path: Path) -> None:
    data = without_rate(SECOND)
    (tmp_path / clip_name(("voice", "Ana"), data)).write_bytes(data)
    assert ClipCache(tmp_path).find(("voice", "Ana")) is None


def test_what_cannot_be_thrown_away_keeps_nobody_from_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.wav").mkdir()
    (tmp_path / "bad.wav").write_bytes(b"bad")

    def read_only(self: Path, missing_ok: bool = False) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "unlink", read_only)
    cache = ClipCache(tmp_path)
    assert cache.named("bad.wav") is None
    assert kept(cache, "Ana").exists()


def test_what_a_power_cut_left_half_written_is_thrown_away(tmp_path: Path) -> None:
    for folder in ("clips", "spare"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.part").write_bytes(bytes(1000))
    ClipCache(tmp_path / "clips", tmp_path / "spare")
    assert list(tmp_path.glob("*/*")) == []


def test_both_folders_together_hold_no_more_than_there_is_room_for(tmp_path: Path) -> None:
    disk, memory = tmp_path / "disk", tmp_path / "memory"
    os.utime(kept(ClipCache(memory), "Ana"), (1, 1))
    os.utime(kept(ClipCache(memory), "Ben"), (2, 2))
    newer = kept(ClipCache(disk), "Ana")
    both = ClipCache(disk, memory, most_bytes=2 * len(SECOND))
    assert len(list(tmp_path.glob("*/*"))) == 2, "the same clip is kept once"
    assert both.find(("voice", "Ana")) is not None
    assert newer.exists()
    kept(both, "Chloe")
    assert len(list(tmp_path.glob("*/*"))) == 2
    ClipCache(disk, memory, most_bytes=len(SECOND))
    assert len(list(tmp_path.glob("*/*"))) == 1


def test_another_sound_for_the_same_words_has_another_name(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path)
    first = kept(cache, "Ana")
    second = kept(cache, "Ana", wav(b"\1\0" * 1000, 1000))
    assert first.name != second.name
    assert list(tmp_path.iterdir()) == [second]
    assert cache.named(first.name) is None


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


@pytest.mark.parametrize(
    "data", [b"", b"hello", SECOND[:20], wav(b"", 1000), SECOND[:24] + bytes(4) + SECOND[28:]]
)
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


def test_the_services_clips_are_kept_apart_from_its_nights_and_anybody_elses_beside_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CACHE_DIRECTORY", str(tmp_path / "cache"))
    assert clips_folder(tmp_path / "nights").parent == tmp_path / "cache"
    monkeypatch.delenv("CACHE_DIRECTORY")
    assert clips_folder(tmp_path / "nights").parent == tmp_path / "nights"
