"""A PipeWire of a test's own, with one speaker that nobody hears and everybody can record."""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from pi_gm.clock import Seconds
from pi_gm.speaking.ports import CannotPlay

NEEDED = (
    "dbus-daemon",
    "pipewire",
    "wireplumber",
    "pw-cli",
    "pw-dump",
    "pw-metadata",
    "pw-play",
    "pw-record",
)
SPEAKER = "test_speaker"
RATE = 22_050
LONG_PERIOD = 4096
"""So long that a machine that is busy with other tests misses none."""
LONGEST_START: Seconds = 20.0


def missing() -> str | None:
    """What this machine lacks for it; None where nothing."""
    lacks = [command for command in NEEDED if shutil.which(command) is None]
    if lacks:
        return (
            f"not installed: {', '.join(lacks)} (apt install dbus-daemon pipewire pipewire-bin wireplumber)"
        )
    return None


class SoundServer:
    """Started by :meth:`start`; whatever runs in ``environment`` plays on it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._runs: list[subprocess.Popen[bytes]] = []
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        self.changes: Mapping[str, str] = {
            "XDG_RUNTIME_DIR": str(runtime),
            "HOME": str(folder),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={runtime / 'bus'}",
        }

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **self.changes}

    def start(self, *, with_speaker: bool = True, period: int = LONG_PERIOD) -> None:
        """Wait until it plays; ``period`` in frames, 0 for its own. Raises CannotPlay where it does not come up."""
        address = self.changes["DBUS_SESSION_BUS_ADDRESS"]
        self._run("dbus-daemon", "--session", "--nofork", f"--address={address}")
        self._until(lambda: (self._folder / "run" / "bus").exists())
        self._run("pipewire")
        self._until(lambda: (self._folder / "run" / "pipewire-0").exists())
        settings = ("pw-metadata", "-n", "settings", "0")
        self._until(lambda: self._asked(*settings, "clock.force-quantum", str(period)) == 0)
        self._run("wireplumber")
        if not with_speaker:
            self._until(lambda: b"WirePlumber" in self._dump())
            return
        about = (
            f"{{ factory.name=support.null-audio-sink node.name={SPEAKER} media.class=Audio/Sink "
            'node.description="Speaker of a test" object.linger=true audio.position=[MONO] }'
        )
        self._until(lambda: self._asked("pw-cli", "create-node", "adapter", about) == 0)
        self._until(lambda: self._dump().count(SPEAKER.encode()) >= 2)  # it is the default too

    def _dump(self) -> bytes:
        done = subprocess.run(["pw-dump"], env=self.environment, capture_output=True, check=False, timeout=10)
        return done.stdout

    def _asked(self, *command: str) -> int:
        return subprocess.run(
            command, env=self.environment, capture_output=True, check=False, timeout=10
        ).returncode

    def _until(self, is_so: Callable[[], bool]) -> None:
        pause = threading.Event()
        for _ in range(int(LONGEST_START / 0.05)):
            if is_so():
                return
            pause.wait(0.05)
        raise CannotPlay("PipeWire does not come up on this machine")

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        started = subprocess.Popen(
            command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._runs.append(started)
        return started

    def record(self, path: Path, *, latency: str = "100ms") -> subprocess.Popen[bytes]:
        """Record what the speaker plays into the WAV file ``path`` until it is told to end with SIGINT."""
        properties = "{ stream.capture.sink = true }"
        command = ["pw-record", "--target", SPEAKER, "-P", properties, "--rate", str(RATE), "--channels", "1"]
        recording = self._run(*command, "--latency", latency, "--format", "s16", str(path))
        self._until(lambda: path.exists() and path.stat().st_size > 8_000)
        return recording

    def end(self, recording: subprocess.Popen[bytes]) -> None:
        """Finish the file of ``recording``."""
        recording.send_signal(signal.SIGINT)
        recording.wait(10)

    def kill(self) -> None:
        """The server dies in the middle."""
        for run in reversed(self._runs):
            run.kill()
            run.wait(10)
        self._runs.clear()
        (self._folder / "run" / "pipewire-0").unlink(missing_ok=True)
        (self._folder / "run" / "bus").unlink(missing_ok=True)
