"""The service's files: what the machine reads at boot, and the script that puts them there.

A whole installation is tried by ``in_debian.sh`` beside this file.
"""

import configparser
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from pi_gm.speaking.settings import SpeakerPlace, read_voice

SYSTEMD = Path(__file__).parents[2] / "systemd"
INSTALL = SYSTEMD / "install.sh"


class Unit(configparser.RawConfigParser):
    def optionxform(self, optionstr: str) -> str:
        return optionstr


@pytest.fixture
def unit() -> Unit:
    read = Unit()
    read.read(SYSTEMD / "pi-gm.service")
    return read


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


def test_the_service_is_nobody_special_and_still_has_port_80(unit: Unit) -> None:
    service = unit["Service"]
    assert service["User"] == "pi-gm"
    assert service["AmbientCapabilities"] == service["CapabilityBoundingSet"] == "CAP_NET_BIND_SERVICE"
    assert service["NoNewPrivileges"] == "yes"


def test_the_pin_library_and_the_night_have_folders_that_can_be_written(unit: Unit) -> None:
    service = unit["Service"]
    assert service["WorkingDirectory"] == f"%t/{service['RuntimeDirectory']}"
    assert service["StateDirectory"] == service["CacheDirectory"] == "pi-gm"


def test_nothing_of_it_outlives_it_and_it_comes_back(unit: Unit) -> None:
    service = unit["Service"]
    assert service["KillMode"] == "control-group"
    assert service["Restart"] == "always"
    assert unit["Install"]["WantedBy"] == "multi-user.target"


def test_the_user_has_pins_and_sound() -> None:
    lines = (SYSTEMD / "pi-gm.sysusers.conf").read_text().splitlines()
    assert {"m pi-gm gpio", "m pi-gm audio"} <= set(lines)
    assert {line.split()[1] for line in lines if line.startswith(("u", "g"))} == {"pi-gm", "gpio", "audio"}


def test_the_network_is_told_of_the_port_that_is_served(unit: Unit) -> None:
    told = ElementTree.parse(SYSTEMD / "pi-gm.avahi.service").getroot()
    port = told.findtext("service/port")
    assert told.findtext("service/type") == "_http._tcp"
    assert f"PI_GM_PORT={port}" in unit["Service"]["Environment"]


def test_every_setting_of_the_environment_file_is_one_that_the_unit_uses(unit: Unit) -> None:
    text = (SYSTEMD / "environment").read_text()
    settings = re.findall(r"^#?([A-Z_]+)=", text, flags=re.MULTILINE)
    assert settings
    for setting in settings:
        assert setting in unit["Service"]["ExecStart"]


def run(*arguments: str, script: Path = INSTALL) -> "subprocess.CompletedProcess[str]":
    command = ["bash", str(script), *arguments]
    if os.geteuid() == 0 and shutil.which("setpriv"):
        command = ["setpriv", "--reuid", "65534", "--clear-groups", *command]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that everybody may read."""
    folder = tmp_path_factory.mktemp("checkout")
    copy = Path(shutil.copy(INSTALL, folder))
    for path in (copy, folder, folder.parent, folder.parent.parent):
        path.chmod(0o755)
    return copy


def test_the_script_needs_root_and_says_how(script: Path) -> None:
    done = run(script=script)
    assert done.returncode == 1
    assert "sudo" in done.stderr


@pytest.mark.parametrize("option", ["--help", "--nonsense"])
def test_the_script_explains_its_options_to_anybody(script: Path, option: str) -> None:
    done = run(option, script=script)
    assert "--uninstall" in done.stdout + done.stderr
    assert done.returncode == (0 if option == "--help" else 1)


def test_the_script_puts_every_file_of_its_folder_somewhere() -> None:
    text = INSTALL.read_text()
    for path in SYSTEMD.iterdir():
        if path != INSTALL:
            assert f"systemd/{path.name}" in text, path.name


def test_a_machine_that_starts_by_itself_speaks_out_of_its_own_speaker() -> None:
    assert read_voice(SYSTEMD / "voice.toml").speaker is SpeakerPlace.MACHINE
