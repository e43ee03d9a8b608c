"""What the doctor says of a machine."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hardware.doctor import Finding, Machine, Verdict, check_machine, exit_code

PI_4 = "Raspberry Pi 4 Model B Rev 1.2"
PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\n'


class Made:
    """A machine made for a test: a good Pi 4, but for what is said."""

    def __init__(
        self,
        root: Path,
        *,
        model: str | None = PI_4,
        os_release: str = BOOKWORM,
        packages: dict[str, str] | None = None,
        architecture: str = "aarch64",
        throttled: str | None = "throttled=0x0",
        today: datetime = datetime(2026, 11, 29, tzinfo=UTC),
        knows_time: bool = True,
    ) -> None:
        self._root = root
        if model is not None:
            self._write("proc/device-tree/model", f"{model}\0")
        self._write("etc/os-release", os_release)
        if knows_time:
            self._write("run/systemd/timesync/synchronized", "")
        there = {"gpiozero": "2.0.1.post3", "lgpio": "0.2.2.0"} if packages is None else packages

        def ask(command: Sequence[str]) -> str | None:
            return throttled if list(command) == ["vcgencmd", "get_throttled"] else None

        self.machine = Machine(
            root=root,
            ask=ask,
            installed=there.get,
            has_module=lambda module: module in there,
            python=(3, 11, 2),
            architecture=architecture,
            today=lambda: today,
        )

    def _write(self, path: str, text: str) -> None:
        (self._root / path).parent.mkdir(parents=True, exist_ok=True)
        (self._root / path).write_text(text)

    def found(self, check: str) -> Finding:
        findings = {one.check: one for one in check_machine(self.machine, self._root / "nights")}
        return findings[check]


def test_on_a_good_pi_nothing_that_hangs_on_the_pi_is_amiss(tmp_path: Path) -> None:
    made = Made(tmp_path)
    findings = check_machine(made.machine, tmp_path)
    about_here = {"speaker", "voice", "network", "disk", "working directory"}
    assert {one.verdict for one in findings if one.check not in about_here} == {Verdict.GOOD}
    assert made.found("board").says == f"{PI_4}."


def test_off_a_pi_it_says_what_it_could_not_check_and_that_is_not_bad(tmp_path: Path) -> None:
    made = Made(tmp_path, model=None, packages={"gpiozero": "2.0.1.post3"}, knows_time=False)
    unchecked = {
        one.check for one in check_machine(made.machine, tmp_path) if one.verdict is Verdict.UNCHECKED
    }
    assert unchecked == {"board", "pin library", "power"}


@pytest.mark.parametrize(
    ("model", "verdict"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", Verdict.GOOD),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", Verdict.GOOD),
        (PI_5, Verdict.GOOD),
        ("Raspberry Pi Zero W Rev 1.1", Verdict.WARNING),
        ("Raspberry Pi Model B Rev 2", Verdict.WARNING),
    ],
)
def test_boards_that_it_was_made_for_are_good(tmp_path: Path, model: str, verdict: Verdict) -> None:
    assert Made(tmp_path, model=model).found("board").verdict is verdict


def test_a_32_bit_system_and_one_that_it_was_not_made_for_are_warned_of(tmp_path: Path) -> None:
    assert "32-bit" in Made(tmp_path / "a", architecture="armv7l").found("system").says
    old = 'PRETTY_NAME="Raspbian GNU/Linux 11 (bullseye)"\nVERSION_ID="11"\n'
    assert Made(tmp_path / "b", os_release=old).found("system").verdict is Verdict.WARNING


class TestPinLibrary:
    def found(self, root: Path, model: str = PI_4, **packages: str) -> Finding:
        named = {
            name.replace("_", "-").replace("RPi-GPIO", "RPi.GPIO"): said for name, said in packages.items()
        }
        return Made(root, model=model, packages=named).found("pin library")

    def test_lgpio_is_good_whoever_brought_it(self, tmp_path: Path) -> None:
        assert self.found(tmp_path, lgpio="0.2.2.0").verdict is Verdict.GOOD
        of_the_system = Machine(
            root=tmp_path, has_module=lambda module: module == "lgpio", installed=lambda package: None
        )
        findings = {one.check: one for one in check_machine(of_the_system, tmp_path)}
        assert findings["pin library"].says == "lgpio (of the system)."

    def test_the_empty_package_is_not(self, tmp_path: Path) -> None:
        found = self.found(tmp_path, lgpio="0.0.0.2")
        assert (found.verdict, found.cure) == (Verdict.BAD, "pip install 'lgpio>=0.2.2.0'.")

    def test_rpi_gpio_alone_will_do_up_to_a_pi_4(self, tmp_path: Path) -> None:
        assert self.found(tmp_path / "4", RPi_GPIO="0.7.1").verdict is Verdict.WARNING
        assert self.found(tmp_path / "5", PI_5, RPi_GPIO="0.7.1").verdict is Verdict.BAD

    def test_two_packages_of_one_name_are_bad(self, tmp_path: Path) -> None:
        found = self.found(tmp_path, lgpio="0.2.2.0", RPi_GPIO="0.7.1", rpi_lgpio="0.6")
        assert found.verdict is Verdict.BAD

    def test_none_at_all_is_bad_and_the_cure_names_the_package(self, tmp_path: Path) -> None:
        found = self.found(tmp_path)
        assert found.verdict is Verdict.BAD
        assert any(package in str(found.cure) for package in ("python3-lgpio", "'.[pi]'"))

    @pytest.mark.parametrize(
        ("gpiozero", "verdict"),
        [
            ("2.0.1.post3", Verdict.GOOD),
            ("2.1", Verdict.GOOD),
            ("2.0.1", Verdict.BAD),
            ("2.0.1.post2", Verdict.BAD),
        ],
    )
    def test_gpiozero_must_be_new_enough_for_a_pi_5(
        self, tmp_path: Path, gpiozero: str, verdict: Verdict
    ) -> None:
        assert Made(tmp_path, packages={"gpiozero": gpiozero}).found("gpiozero").verdict is verdict


@pytest.mark.parametrize(
    ("throttled", "verdict"),
    [
        ("throttled=0x0", Verdict.GOOD),
        ("throttled=0x50000", Verdict.WARNING),
        ("throttled=0x50005", Verdict.BAD),
        (None, Verdict.UNCHECKED),
    ],
)
def test_too_little_power_is_found(tmp_path: Path, throttled: str | None, verdict: Verdict) -> None:
    assert Made(tmp_path, throttled=throttled).found("power").verdict is verdict


def test_a_clock_that_was_never_set_is_warned_of(tmp_path: Path) -> None:
    assert "1970" in Made(tmp_path / "a", today=datetime(1970, 1, 1, tzinfo=UTC)).found("clock").says
    assert Made(tmp_path / "b", knows_time=False).found("clock").verdict is Verdict.WARNING


def test_a_working_directory_that_may_not_be_written_to_is_bad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.doctor.machine.os.access", lambda path, mode: False)
    made = Made(tmp_path)
    assert made.found("working directory").verdict is Verdict.BAD
    assert made.found("disk").verdict is Verdict.BAD


@pytest.mark.parametrize(
    ("megabytes", "verdict"), [(5000, Verdict.GOOD), (900, Verdict.WARNING), (100, Verdict.BAD)]
)
def test_a_full_disk_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, megabytes: int, verdict: Verdict
) -> None:
    class Usage:
        free = megabytes * 1_000_000

    monkeypatch.setattr("hardware.doctor.machine.shutil.disk_usage", lambda path: Usage)
    assert Made(tmp_path).found("disk").verdict is verdict


def test_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.doctor.machine.ifaddr.get_adapters", list)
    made = Made(tmp_path)
    assert made.found("network").verdict is Verdict.BAD


def test_whatever_is_wrong_has_a_cure_and_only_what_is_bad_ends_with_1(tmp_path: Path) -> None:
    findings = check_machine(Made(tmp_path, packages={}, throttled="throttled=0x1").machine, tmp_path)
    assert all(one.cure for one in findings if one.verdict in (Verdict.BAD, Verdict.WARNING))
    assert exit_code(findings) == 1
    assert exit_code([one for one in findings if one.verdict is not Verdict.BAD]) == 0
