"""The service's files: what the machine reads at boot, and the script that puts them there.

A whole installation, on a machine that its systemd boots, is tried by ``in_debian.sh`` beside this file.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_gm.speaking.settings import SpeakerPlace, read_voice

SYSTEMD = Path(__file__).parents[2] / "systemd"
INSTALL = SYSTEMD / "install.sh"


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: apt install systemd")
    text = (SYSTEMD / "pi-gm.service").read_text()
    copy = tmp_path / "pi-gm.service"
    copy.write_text(text.replace("/opt/pi-gm/current/bin/pi-gm", sys.executable))
    done = subprocess.run(
        ["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False
    )
    about_this = [line for line in done.stderr.splitlines() if "pi-gm" in line]
    assert about_this == []
    assert done.returncode == 0, done.stderr


def run(*arguments: str, script: Path = INSTALL) -> "subprocess.CompletedProcess[str]":
    command = ["bash", str(script), *arguments]
    if os.geteuid() == 0 and shutil.which("setpriv"):
        command = ["setpriv", "--reuid", "65534", "--clear-groups", *command]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def script() -> Iterator[Path]:
    """A copy that everybody may read; pytest's own folders are for one user alone."""
    with tempfile.TemporaryDirectory() as checkout:
        folder = Path(checkout, "systemd")
        folder.mkdir()
        copy = Path(shutil.copy(INSTALL, folder))
        for path in (copy, folder, folder.parent):
            path.chmod(0o755)
        yield copy


@pytest.mark.parametrize("asked", [[], ["--uninstall"], ["--with", "piper"]])
def test_the_script_needs_root_and_says_how(script: Path, asked: list[str]) -> None:
    done = run(*asked, script=script)
    assert done.returncode == 2
    assert "sudo" in done.stderr


def test_the_script_explains_its_options_to_anybody(script: Path) -> None:
    done = run("--help", script=script)
    assert done.returncode == 0
    assert "--uninstall" in done.stdout


@pytest.mark.parametrize("asked", [["--nonsense"], ["--purge"], ["--with"], ["--with", "nonsense"]])
def test_what_the_script_does_not_know_it_names(script: Path, asked: list[str]) -> None:
    done = run(*asked, script=script)
    assert done.returncode == 2
    assert asked[0] in done.stderr


def test_a_machine_that_starts_by_itself_speaks_out_of_its_own_speaker() -> None:
    assert read_voice(SYSTEMD / "voice.toml").speaker is SpeakerPlace.MACHINE
