"""Whatever is typed, piped or named: a sentence with the cure and exit code 2, never a traceback."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import pytest

from pi_gm.cli import main
from pi_gm.games import installed_games
from pi_gm.journal import Journal
from pi_gm.night import House
from pi_gm.room import no_sensors

ROUND = (
    '{"loads": {"A": 7, "B": 10}, "players": [{"name": "Ana", "animal": "dog", "place": "A"},'
    ' {"name": "Ben", "animal": "cat", "place": "island"}]}\n'
)
DEEP = "[" * 3000
START = "import sys; from pi_gm.cli import main; sys.exit(main())"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is said of ``arguments`` that cannot be used."""
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("pi-gm: ")
    assert said.count("\n") == 1, "one sentence, on a line of its own"
    return said


@pytest.mark.parametrize("command", ["settle", "replay"])
class TestFilesThatCannotBeRead:
    def test_a_folder(self, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert str(tmp_path) in told(capsys, command, str(tmp_path))

    def test_one_that_is_not_there(
        self, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert "missing.jsonl" in told(capsys, command, str(tmp_path / "missing.jsonl"))

    def test_a_name_that_no_file_can_have(self, command: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert "cannot be the name of a file" in told(capsys, command, "night\0.jsonl")

    def test_a_program_that_was_started_without_standard_input(
        self, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr("sys.stdin", None)
        assert "no standard input" in told(capsys, command)


def test_a_round_saved_by_an_editor_that_marks_its_files_is_settled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(ROUND, encoding="utf-8-sig")
    assert main(["settle", "--json", str(file)]) == 0
    assert '"Ana"' in capsys.readouterr().out


def test_a_name_with_a_blank_behind_it_is_still_listed_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(ROUND.replace("Ben", "ANA "), encoding="utf-8")
    assert "listed twice" in told(capsys, "settle", str(file))


@pytest.mark.parametrize(
    "line",
    [
        '{"game": ["animal-mind"], "seats": []}',
        '{"seats": []}',
        f'{{"step": 1, "at": 0, "by": "host", "game": null, "event": {DEEP}',
        f'{{"step": 1, "at": 0, "by": "host", "game": null, "event": {DEEP}{DEEP.replace("[", "]")}}}',
        DEEP,
    ],
    ids=["game is a list", "no game", "too deep, broken off", "too deep", "deep from the start"],
)
def test_a_night_that_is_none_is_told_by_its_line(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "night.jsonl"
    file.write_text(f"{line}\n", encoding="utf-8")
    assert "line 1" in told(capsys, "replay", str(file))


@pytest.mark.parametrize("value", [DEEP, "\udcff", "", "two"], ids=["deep", "not UTF-8", "empty", "a word"])
def test_a_setting_that_is_no_number_is_told(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "rounds" in told(capsys, "simulate", "1", "--set", f"rounds={value}")


def test_a_night_cannot_be_exported_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "night-0001.sqlite"
    Journal(path, House(installed_games(), no_sensors())).close()
    assert f"{tmp_path} cannot be written" in told(capsys, "export", str(path), "--out", str(tmp_path))


class TestExportingOntoANight:
    """The night would be lost."""

    @pytest.fixture
    def night(self, tmp_path: Path) -> Path:
        path = tmp_path / "night-0001.sqlite"
        Journal(path, House(installed_games(), no_sensors())).close()
        return path

    def told_and_kept(self, capsys: pytest.CaptureFixture[str], night: Path, *arguments: str) -> None:
        before = night.read_bytes()
        assert "name another file" in told(capsys, "export", *arguments)
        assert night.read_bytes() == before

    def test_its_own_journal(self, night: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.told_and_kept(capsys, night, str(night), "--out", str(night))

    def test_the_newest_in_the_folder(self, night: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.told_and_kept(capsys, night, "--data", str(night.parent), "--out", str(night))

    def test_another_night(self, night: Path, capsys: pytest.CaptureFixture[str]) -> None:
        other = night.with_name("night-0002.sqlite")
        Journal(other, House(installed_games(), no_sensors())).close()
        self.told_and_kept(capsys, night, str(other), "--out", str(night))

    @pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
    def test_a_link_to_it(
        self, link: Callable[[Path, Path], None], night: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        also = night.with_name("night.jsonl")
        link(also, night)
        self.told_and_kept(capsys, night, str(night), "--out", str(also))

    def test_what_lies_beside_it(self, night: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.told_and_kept(capsys, night, str(night), "--out", f"{night}-wal")


def test_what_was_exported_before_is_kept_where_the_night_cannot_be_read_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "night-0001.sqlite", tmp_path / "night.jsonl"
    Journal(path, House(installed_games(), no_sensors())).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("INSERT INTO event VALUES (1, 1, 0.0, 'host', NULL, NULL, NULL, NULL, '{}', 0)")
    out.write_text("kept\n")
    assert "damaged" in told(capsys, "export", str(path), "--out", str(out))
    assert out.read_text() == "kept\n"


def test_a_night_is_exported_through_a_link_and_to_what_is_no_file(tmp_path: Path) -> None:
    path, out, link = tmp_path / "night-0001.sqlite", tmp_path / "night.jsonl", tmp_path / "link"
    Journal(path, House(installed_games(), no_sensors())).close()
    link.symlink_to(out)
    out.write_text("before\n")
    assert main(["export", str(path), "--out", str(link)]) == 0
    assert (out.read_bytes(), link.is_symlink()) == (b"", True)
    assert main(["export", str(path), "--out", os.devnull]) == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("address", ["http://pi.local/", "192.168.1.5:8000", "", "a b", "<pi>", "a" * 3000])
def test_what_no_phone_could_open_is_not_shown_as_the_address(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--address" in told(capsys, "run", "--data", str(tmp_path), "--address", address)
    assert not list(tmp_path.iterdir()), "nothing was begun"


@pytest.mark.parametrize("port", ["-1", "65536", "99999"])
def test_a_port_that_there_is_not(port: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "1 to 65535" in told(capsys, "run", "--data", str(tmp_path), "--port", port)


def test_somebody_without_a_home_is_told_where_nights_can_be_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("STATE_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert "--data" in told(capsys, "export")


class TestOutputThatGoesNowhere:
    """In processes of their own: what Python does at their end counts too."""

    @pytest.mark.parametrize("arguments", [["--help"], ["simulate", "1"], ["settle"]])
    def test_nobody_reads_along(self, arguments: list[str]) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as closed:
            ended = self.run(arguments, closed)
        assert (ended.returncode, ended.stderr) == (0, b"")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
    @pytest.mark.parametrize("arguments", [["simulate", "1"], ["settle"]])
    def test_the_disk_is_full(self, arguments: list[str]) -> None:
        with Path("/dev/full").open("wb") as full:
            ended = self.run(arguments, full)
        assert ended.returncode == 2
        assert ended.stderr.startswith(b"pi-gm: ")
        assert b"is the disk full?" in ended.stderr
        assert ended.stderr.count(b"\n") == 1

    def run(self, arguments: list[str], output: BinaryIO) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-c", START, *arguments],
            input=ROUND.encode() * 2000,
            stdout=output,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )


def test_ctrl_c_ends_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pi_gm.cli.simulating.play_nights", interrupted)
    assert main(["simulate", "1"]) == 130
    assert capsys.readouterr().err == ""
