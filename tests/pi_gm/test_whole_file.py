"""A file that is there whole or not at all."""

from pathlib import Path

import pytest

from pi_gm.whole_file import write_whole


def test_it_takes_the_place_of_what_was_there_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "room.toml"
    write_whole(path, b"old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


def test_where_it_cannot_be_written_what_was_there_is_there_still(tmp_path: Path) -> None:
    path = tmp_path / "room.toml"
    write_whole(path, b"old")
    (tmp_path / ".room.toml.part").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
