"""A sound device that keeps what is played on it."""

import shutil
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
