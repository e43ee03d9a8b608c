"""``pi-gm teach``: somebody at a terminal is led from mat to mat."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pi_gm.cli import main
from pi_gm.cli.alone import only_one
from pi_gm.cli.own_room import asked_room, own_file
from pi_gm.cli.teach import room_to_teach, teach
from pi_gm.cli.terminal import ENTER, GONE, Terminal
from pi_gm.clock import Seconds
from pi_gm.errors import BadInput
from pi_gm.lesson import Written, progress_file
from pi_gm.rooms import ROOMS
from pi_gm.settings import read_room, room_to_toml
from tests.pi_gm.test_lesson import School

Deed = str | Callable[[], object]
"""A key, or what somebody does in the room between two keys."""


class Typed(Terminal):
    """A terminal at which these things happen one after the other."""

    def __init__(self, *deeds: Deed) -> None:
        self._deeds = list(deeds)
        self.lines: list[str] = []

    def say(self, line: str) -> None:
        self.lines.append(line)

    def key(self, within: Seconds) -> str | None:
        deed = self._deeds.pop(0)
        if isinstance(deed, str):
            return deed
        deed()
        return None

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@pytest.fixture
def school(tmp_path: Path) -> School:
    return School(tmp_path)


def steps(school: School, pins: Sequence[int]) -> list[Callable[[], object]]:
    return [lambda pin=pin: school.step_on(pin) for pin in pins]  # type: ignore[misc]


def test_a_step_is_heard_without_a_key_and_the_room_is_written(school: School) -> None:
    terminal = Typed(ENTER, *steps(school, [5, 4, 25]), ENTER)
    assert teach(school.lesson, terminal) == Written(school.into, None)
    assert [sensor.pin for sensor in read_room(school.into).room.sensors] == [5, 4, 25]
    assert "Step on raft A, seat 1 (token 1: red circle), and stay there.  [0 of 3]" in terminal.text
    assert "  ok  Raft A, seat 1  GPIO 5" in terminal.lines
    assert "- Raft A, seat 1 and raft A, seat 2 were swapped." in terminal.lines
    assert terminal.lines[-1].startswith(f"The room is in {school.into}.")


def test_nothing_happens_back_and_leave(school: School) -> None:
    terminal = Typed(ENTER, *steps(school, [4]), "s", "b", "s", "q")
    assert teach(school.lesson, terminal) is None
    assert not school.into.exists()
    assert progress_file(school.into).exists()
    assert terminal.lines.count("  --  Raft A, seat 2  says nothing") == 2


def test_what_is_silent_is_told_at_the_end_with_the_cure(school: School) -> None:
    terminal = Typed(ENTER, *steps(school, [4]), "s", *steps(school, [25]), ENTER)
    teach(school.lesson, terminal)
    at = terminal.lines.index("! Raft A, seat 2 says nothing when somebody is on it.")
    assert terminal.lines[at + 1].strip().startswith("Look at its plug")


def test_what_said_nothing_can_be_tried_once_more(school: School) -> None:
    terminal = Typed(ENTER, "s", *steps(school, [5, 25]), "a", *steps(school, [4]), ENTER)
    teach(school.lesson, terminal)
    assert "  ok  Raft A, seat 1  GPIO 4" in terminal.lines
    assert [sensor.pin for sensor in read_room(school.into).room.sensors] == [4, 5, 25]


def test_a_stuck_mat_is_told_at_once(school: School) -> None:
    school.wires.press(5)
    terminal = Typed(ENTER, lambda: school.wires.let_go(5), ENTER, GONE)
    teach(school.lesson, terminal)
    assert "! Raft A, seat 2 is pressed although nobody is on it." in terminal.lines
    assert "Step on raft A, seat 1" in terminal.text


def test_or_gone_on_with(school: School) -> None:
    school.wires.press(5)
    terminal = Typed(ENTER, "g", GONE)
    teach(school.lesson, terminal)
    assert "Step on raft A, seat 1" in terminal.text


def test_a_key_that_means_nothing_now_does_nothing(school: School) -> None:
    terminal = Typed("s", "g", "x", ENTER, "g", "q")
    teach(school.lesson, terminal)
    assert school.view.done == 0


class TestWhichRoom:
    @pytest.fixture(autouse=True)
    def place_of_its_own(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
        monkeypatch.delenv("CONFIGURATION_DIRECTORY", raising=False)

    def test_the_taught_one_comes_before_the_one_that_was_written(self, tmp_path: Path) -> None:
        nights, written = tmp_path / "nights", tmp_path / "config/pi-gm"
        assert asked_room(None, own_file(nights)) is None
        for folder, name in ((written, "mats"), (nights, "own-mats")):
            folder.mkdir(parents=True)
            (folder / "room.toml").write_text(room_to_toml(ROOMS[name]))
            assert asked_room(None, own_file(nights)) == ROOMS[name]
        assert asked_room("buttons", own_file(nights)) == ROOMS["buttons"]

    def test_a_user_without_a_home_has_none(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def nowhere() -> Path:
            raise RuntimeError("no home")

        monkeypatch.setattr("pi_gm.cli.own_room.room_file", nowhere)
        assert asked_room(None, own_file(tmp_path)) is None

    def test_a_room_with_nothing_to_teach_is_refused_with_the_cure(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match="--room own-mats"):
            room_to_teach(None, tmp_path)
        with pytest.raises(BadInput, match="no mats or buttons"):
            room_to_teach("none", tmp_path)
        assert room_to_teach("own-mats", tmp_path) == ROOMS["own-mats"]

    def test_off_a_pi_the_cure_is_to_rehearse(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["teach", "--room", "own-mats", "--data", str(tmp_path)]) == 2
        assert "pi-gm rehearse" in capsys.readouterr().err

    def test_not_while_the_same_pins_are_at_play(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with only_one(tmp_path):
            assert main(["teach", "--room", "own-mats", "--data", str(tmp_path)]) == 2
        assert "another Pi GM is running" in capsys.readouterr().err
