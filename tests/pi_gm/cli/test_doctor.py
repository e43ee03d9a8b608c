"""``pi-gm doctor``: one line a check, each with its cure; as JSON too; and an exit code."""

import argparse
import json
from pathlib import Path

import pytest

from hardware.doctor import Finding, Verdict
from pi_gm.cli import doctor


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    doctor.add_to(parser.add_subparsers())
    asked = parser.parse_args(["doctor", *arguments])
    code: int = asked.command(asked)
    return code


@pytest.fixture(autouse=True)
def place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CONFIGURATION_DIRECTORY", raising=False)
    # So that the answer does not hang on this machine's network.
    monkeypatch.setattr("hardware.doctor.machine._network", lambda: Finding("network", Verdict.GOOD, "Here."))


def test_one_line_a_check_and_off_a_pi_what_could_not_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--room", "own-mats") == 0
    said = capsys.readouterr().out
    assert "ok    room               own mats, which comes along.\n" in said
    assert "-     board              This is no Raspberry Pi" in said


def test_a_cure_stands_below_what_is_wrong(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.voice.ways_here", lambda device: ())
    run("--room", "none")
    lines = capsys.readouterr().out.splitlines()
    (number,) = (number for number, line in enumerate(lines) if line.startswith("mind  speaker"))
    assert lines[number + 1].strip().startswith("On a Pi: sudo apt install alsa-utils")


def test_every_mistake_in_the_rooms_file_is_bad_and_ends_with_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    room = tmp_path / "room.toml"
    room.write_text(
        'name = "x"\n[sensors]\nA1 = { pin = 4, place = "sofa" }\nA2 = { pin = 4, place = "A" }\n'
    )
    assert run("--room", str(room), "--json") == 1
    answer = json.loads(capsys.readouterr().out)
    wrong = [one["says"] for one in answer["findings"] if one["check"] == "room"]
    assert [says.removeprefix(f"{room}:")[0] for says in wrong] == ["3", "4"]
    assert answer["good"] is False


def test_as_json_each_finding_has_a_check_a_verdict_and_what_it_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("--room", "none", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["good"] is True
    assert {one["verdict"] for one in answer["findings"]} <= {"good", "warning", "unchecked"}
    assert all(one["says"] for one in answer["findings"])


def test_without_a_room_of_its_own_the_machine_is_checked_all_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run() == 0
    assert f"There is no {tmp_path / 'config/pi-gm/room.toml'}" in capsys.readouterr().out


def test_this_machines_own_room_is_the_one_that_is_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "config/pi-gm").mkdir(parents=True)
    (tmp_path / "config/pi-gm/room.toml").write_text(
        'name = "attic"\n[sensors]\nA1 = { pin = 7, place = "A" }'
    )
    run()
    said = capsys.readouterr().out
    assert "attic (" in said
    assert "SPI uses this pin too" in said
