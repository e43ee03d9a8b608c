"""Runs the figures of real pins under the simulated kernel, where one can be had."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.bench.figures import left_out

HERE = Path(__file__).parent
RUN = HERE.parent / "kernel" / "run.sh"
CANNOT_BE_BUILT = 77
LONGEST = "400"


def real_pin_figures() -> None:
    """Print them; where there is no such kernel, say so."""
    if find_spec("lgpio") is None:
        left_out("real pins", "lgpio is not installed")
        return
    done = subprocess.run(
        [str(RUN), sys.executable, "-m", "tests.bench.real_pins"],
        cwd=HERE.parents[1],
        env=os.environ | {"UML_TIMEOUT": LONGEST, "PYTHONPATH": str(HERE.parents[1])},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    print(done.stdout, end="", flush=True)
    if done.returncode == CANNOT_BE_BUILT:
        left_out("real pins", "see above")
    elif done.returncode:
        left_out("real pins", f"it ended with {done.returncode}")
