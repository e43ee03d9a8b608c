"""Tests that run under a kernel of their own, whose GPIO chips are simulated: everything above the voltage is real.

The kernel is built on demand by build-uml.sh, once, and kept outside the project.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CANNOT_BE_BUILT = 77
IS_GUEST = os.uname().release.endswith("-gpiosim")
"""Whether this is a run inside of the simulated kernel."""

Guest = Callable[..., None]
"""Runs the tests of a file in ``inside`` under the simulated kernel."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """Build the kernel before the first test's time is measured."""
    items = [item for item in session.items if HERE in item.path.parents]
    if IS_GUEST or not items or session.config.option.collectonly:
        return
    why_not = "" if find_spec("lgpio") else "lgpio is not installed"
    if not why_not:
        built = subprocess.run([str(HERE / "build-uml.sh")], stdout=subprocess.PIPE, check=False)
        if built.returncode not in (0, CANNOT_BE_BUILT):
            pytest.exit("the simulated kernel did not build: see above", returncode=1)
        why_not = "the simulated kernel cannot be built here" if built.returncode else ""
    if why_not:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=why_not))


@pytest.fixture
def guest(tmp_path: Path) -> Guest:
    def run(file: str, *, kernel: Sequence[str] = (), timeout: int = 120) -> None:
        command = [str(HERE / "run.sh"), sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command.append(f"tests/kernel/inside/{file}")
        environment = os.environ | {"UML_EXTRA": " ".join(kernel), "UML_TIMEOUT": str(timeout)}
        environment["TMPDIR"] = str(tmp_path)
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{file}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        assert " passed" in done.stdout

    return run
