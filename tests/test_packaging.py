"""What is handed out holds everything that a night needs, and says why it needs what it brings along."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import pi_gm

ROOT = Path(__file__).parents[1]
PACKAGES = ("pi_gm", "hardware", "web")


def build(kind: str, folder: Path) -> Path:
    """The one file that a build of ``kind`` (``wheel`` or ``sdist``) leaves in ``folder``."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


def files_of(package: str) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The files of the wheel; what is no text stands there with its odd bytes replaced."""
    with zipfile.ZipFile(build("wheel", tmp_path_factory.mktemp("wheel"))) as archive:
        return {name: archive.read(name).decode(errors="replace") for name in archive.namelist()}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    with tarfile.open(build("sdist", tmp_path_factory.mktemp("sdist"))) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return table


def requirements_of(project: dict[str, Any]) -> list[str]:
    """What the project asks of others; one extra may ask for another of its own."""
    asked = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    return [each for each in asked if Requirement(each).name != project["name"]]


def dist_info(name: str) -> str:
    return f"pi_gm-{pi_gm.__version__}.dist-info/{name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wheel_holds_every_file_of_a_package(wheel: dict[str, str], package: str) -> None:
    on_disk = files_of(package)
    assert f"{package}/__init__.py" in on_disk
    assert on_disk <= wheel.keys()


def test_the_wheel_installs_no_other_package(wheel: dict[str, str]) -> None:
    assert {name.partition("/")[0] for name in wheel} == {*PACKAGES, dist_info("").rstrip("/")}


def test_the_wheel_brings_the_command_and_the_game(wheel: dict[str, str]) -> None:
    points = ConfigParser()
    points.read_string(wheel[dist_info("entry_points.txt")])
    assert points["console_scripts"]["pi-gm"] == "pi_gm.cli:main"
    assert points["pi_gm.games"]["animal-crossing"] == "pi_gm.games.animal_crossing:GAME"


def test_the_wheel_brings_its_licence(wheel: dict[str, str]) -> None:
    assert wheel[dist_info("licenses/LICENSE")] == (ROOT / "LICENSE").read_text()


def test_the_source_archive_can_be_tested_by_whoever_gets_it(sdist: set[str]) -> None:
    needed = {
        "pyproject.toml",
        "constraints.txt",
        "Makefile",
        "LICENSE",
        "tools/venv.sh",
        "tests/test_packaging.py",
    }
    assert needed.union(*map(files_of, PACKAGES)) <= sdist


def test_the_source_archive_holds_no_environment(sdist: set[str]) -> None:
    assert not {name for name in sdist if name.startswith((".venv", ".git/", "dist/"))}


def test_every_dependency_says_why_it_is_there(project: dict[str, Any]) -> None:
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    for requirement in requirements_of(project):
        (number,) = (index for index, line in enumerate(lines) if line.strip().startswith(f'"{requirement}"'))
        same_line = lines[number].rpartition('",')[2]
        reason = same_line if "#" in same_line else lines[number - 1]
        assert re.fullmatch(r"\s*# \S.{10,}", reason), f"{requirement} has no reason beside or above it"


def test_every_dependency_is_pinned_to_a_release_that_will_do(project: dict[str, Any]) -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    pinned = {canonicalize_name(name): version for name, version in pins.items()}
    for requirement in map(Requirement, requirements_of(project)):
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)])
