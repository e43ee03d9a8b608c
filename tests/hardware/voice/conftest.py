"""A sound device that keeps what is played on it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def alsa_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is played on ALSA's device "cap" is added to this file, as bare samples."""
    if shutil.which("aplay") is None:
        pytest.skip("the command aplay is not installed: apt install alsa-utils")
    heard = tmp_path / "heard.raw"
    configuration = tmp_path / "asound.conf"
    configuration.write_text(
        "pcm.nothing { type null }\n"
        f'pcm.cap {{ type file slave.pcm nothing file "|cat >>{heard}" format raw }}\n'
    )
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(configuration))
    return heard


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 20 MB for the test alone."""
    if os.geteuid() != 0:
        pytest.skip("only root can put a small disk there, to fill it")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "pi-gm-test", disk], check=False)
    if mounted.returncode:
        pytest.skip("this machine lets nobody put a small disk there, to fill it")
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)
