"""Players: a clip on the machine's own sound device, on a page that has sound switched on, or nowhere."""

import logging
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

from msgspec import Struct

from hardware.voice.clips import wav, with_silence_first
from hardware.voice.complaints import last_line
from hardware.voice.sight import Seen, look
from hardware.voice.sinks import LEAD_IN, Sink
from hardware.voice.ways import Way
from pi_gm.announcer import Urgency
from pi_gm.clock import Clock, Seconds
from pi_gm.speaking.desk import SpeakerPage
from pi_gm.speaking.ports import CannotPlay, Clip, Outcome, Playing, SpeakerState, SpeakerStatus

log = logging.getLogger(__name__)

ASLEEP_AFTER: Seconds = 3.0
"""A device that was silent for so long may have fallen asleep."""
SILENCE: Seconds = 600.0
"""How long the file is that keeps a device awake; it is begun again after that."""
SILENCE_RATE = 22_050
MOST_COMPLAINT = 4096
"""Bytes of a player's complaint that are listened to."""
LAST_WORDS: Seconds = 1.0
"""For so long a player that was stopped is listened to."""
LATE: Seconds = 1.0
"""A page that could begin a clip only so long after its moment lets it be."""
LATE_TICK: Seconds = 0.25
"""The same for a tick, which counts a second: late, it would count another."""

_WITH_US = ("setpriv", "--pdeathsig", "KILL", "--")
"""Kills the player where this program is killed: it would keep the device."""


def _with_us(command: list[str]) -> list[str]:
    return [*_WITH_US, *command] if shutil.which(_WITH_US[0]) else command


class _Process:
    """A clip that a command plays."""

    def __init__(self, command: list[str], seconds: Seconds, over: Callable[[], None]) -> None:
        self.seconds = seconds
        self._stopped = False
        self._name = command[0]
        try:
            self._process = subprocess.Popen(
                _with_us(command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        except OSError as fault:
            raise CannotPlay(f"The command {command[0]} cannot be run ({fault}): is it installed?") from fault
        self._waiter = threading.Thread(target=self._wait, args=(over,), name="player", daemon=True)
        self._waiter.start()

    def _wait(self, over: Callable[[], None]) -> None:
        complaint = self._complaint()
        code = self._process.wait()
        if self._stopped:
            return
        if code:
            log.warning("%s ended with %s (%s)", self._name, code, complaint or "no reason given")
        over()

    def _complaint(self) -> str:
        """What it has to complain about by its end, of all it says: a player without a server floods its standard error."""
        said = b""
        with self._process.stderr or BytesIO() as stream:
            while block := stream.read(MOST_COMPLAINT):
                said = said or block
        return last_line(said)

    @property
    def outcome(self) -> Outcome | None:
        code = self._process.poll()
        if code is None:
            return None
        return Outcome.PLAYED if code == 0 else Outcome.FAILED

    def stop(self) -> None:
        self._stopped = True
        self._process.kill()
        self._process.wait()
        self._waiter.join(LAST_WORDS)  # whatever it has begun itself may hold on to its standard error


class DevicePlayer:
    """Plays on a device of this machine, which is looked for by name again and again: it may come and go.

    ``find_ways`` gives the sound systems there are now, the best first; ``wanted`` is a part of the device's name, empty
    for the one that suits best; ``volume`` in percent.
    """

    def __init__(
        self, find_ways: Callable[[], Sequence[Way]], clock: Clock, *, wanted: str = "", volume: int = 90
    ) -> None:
        self._find_ways = find_ways
        self._way: Way | None = None
        self._clock = clock
        self._wanted = wanted
        self._volume = volume
        self._lock = threading.Lock()
        self._sink: Sink | None = None
        self._last_found: Seen | None = None
        self._has_looked = False
        self._scratch: Path | None = None
        """Made once it is needed: a disk without room must not keep anybody from playing."""
        self._awake_wanted = False
        self._silence: _Process | None = None
        self._cannot_share: set[str] = set()
        self._last: _Process | None = None
        self._sounded_until: Seconds | None = None

    def status(self) -> SpeakerStatus:
        seen = look(self._find_ways(), self._wanted, self._last_found)
        is_new = self._found(seen)
        if is_new and seen.way is not None and seen.sink is not None:
            try:
                seen.way.set_volume(seen.sink, self._volume)
            except CannotPlay as trouble:
                log.info("the volume of %s stays as it is: %s", seen.sink.title, trouble)
        return seen.status

    def _found(self, seen: Seen) -> bool:
        """Take note of the device; whether it is another than before."""
        with self._lock:
            is_new = seen.sink is not None and (self._sink is None or self._sink.name != seen.sink.name)
            self._way = seen.way
            self._sink = seen.sink
            if seen.sink is not None:
                self._last_found = seen
            self._has_looked = True
            return is_new

    def play(self, clip: Clip, over: Callable[[], None], urgency: Urgency) -> Playing:
        if not self._has_looked:
            self.status()
        with self._lock:
            way, sink = self._way, self._sink
        if way is None or sink is None:
            raise CannotPlay("There is no speaker to play on.")
        self._stay_awake(way, sink)
        path, seconds = clip.path, clip.seconds
        if urgency > Urgency.TICK and self._may_sleep():
            lead_in = LEAD_IN[sink.kind]
            path, seconds = self._with_lead_in(clip, lead_in), seconds + lead_in
        playing = _Process(way.play(sink, path, self._volume), seconds, over)
        self._last = playing
        self._sounded_until = self._clock.monotonic() + seconds
        return playing

    def _folder(self) -> Path:
        """Where this player's own files are. Raises OSError."""
        if self._scratch is None:
            self._scratch = Path(tempfile.mkdtemp(prefix="pi-gm-sound-"))
        return self._scratch

    def _may_sleep(self) -> bool:
        if self._silence is not None:
            return False
        if self._sounded_until is None:
            return True
        return self._clock.monotonic() - self._sounded_until > ASLEEP_AFTER

    def _with_lead_in(self, clip: Clip, lead_in: Seconds) -> Path:
        try:
            path = self._folder() / "with-lead-in.wav"
            path.unlink(missing_ok=True)  # a player that still reads the one before keeps reading that
            path.write_bytes(with_silence_first(clip.path.read_bytes(), lead_in))
        except OSError as fault:
            log.warning("the first word may be cut: no room for silence before it (%s)", fault)
            return clip.path
        return path

    def keep_awake(self, awake: bool) -> None:
        self._awake_wanted = awake
        with self._lock:
            way, sink = self._way, self._sink
        if not awake:
            self._let_sleep()
        elif way is not None and sink is not None:
            self._stay_awake(way, sink)

    def _stay_awake(self, way: Way, sink: Sink) -> None:
        if self._last is not None and self._last.outcome is Outcome.FAILED and self._silence is not None:
            self._cannot_share.add(sink.name)  # perhaps our own silence holds the device
            self._let_sleep()
            self._last = None
        if self._silence is not None and self._silence.outcome is not None:
            if self._silence.outcome is Outcome.FAILED:
                self._cannot_share.add(sink.name)
            self._silence = None
        if (
            self._awake_wanted
            and self._silence is None
            and way.can_share(sink)
            and sink.name not in self._cannot_share
        ):
            try:
                self._silence = _Process(way.play(sink, self._still(), 100), SILENCE, _nothing)
            except (CannotPlay, OSError) as fault:
                log.info("the device may fall asleep: %s", fault)
                self._cannot_share.add(sink.name)

    def _let_sleep(self) -> None:
        if self._silence is not None:
            self._silence.stop()
            self._silence = None

    def _still(self) -> Path:
        """A file of silence that takes up no room: all but its header is a hole."""
        path = self._folder() / "silence.wav"
        if not path.exists():
            length = round(SILENCE * SILENCE_RATE) * 2
            header = bytearray(wav(b"", SILENCE_RATE))
            header[4:8] = (length + len(header) - 8).to_bytes(4, "little")
            header[-4:] = length.to_bytes(4, "little")
            with path.open("wb") as file:
                file.write(header)
                file.truncate(len(header) + length)
        return path

    def close(self) -> None:
        self._let_sleep()
        if self._last is not None:
            self._last.stop()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)


def _nothing() -> None:
    pass


class _Silent:
    outcome = Outcome.PLAYED
    seconds: Seconds = 0.0

    def stop(self) -> None:
        pass


class SilentPlayer:
    """Plays nothing, at once; ``why`` says what for."""

    def __init__(self, why: str = "Sound is switched off; the captions tell everything.") -> None:
        self._why = why

    def status(self) -> SpeakerStatus:
        return SpeakerStatus(SpeakerState.NONE, self._why)

    def play(self, clip: Clip, over: Callable[[], None], urgency: Urgency) -> Playing:
        over()
        return _Silent()

    def keep_awake(self, awake: bool) -> None:
        pass

    def close(self) -> None:
        pass


class Sounding(Struct, frozen=True):
    """What the page that is the speaker plays now."""

    number: int
    """Counts up, so that a page begins each once."""
    clip: str
    """The name of the clip's file."""
    since: Seconds
    """Clock time."""
    latest: Seconds
    """A page that could begin it only so long after that lets it be."""


class _OnPage:
    def __init__(
        self, player: "PagePlayer", sounding: Sounding, seconds: Seconds, over: Callable[[], None]
    ) -> None:
        self.seconds = seconds
        self._player = player
        self._sounding = sounding
        self._stopped = False
        self._timer = threading.Timer(seconds, over)
        self._timer.daemon = True
        self._timer.start()

    @property
    def outcome(self) -> Outcome | None:
        is_over = self._stopped or self._player.clock.monotonic() >= self._sounding.since + self.seconds
        return Outcome.PLAYED if is_over else None

    def stop(self) -> None:
        self._stopped = True
        self._timer.cancel()
        self._player.silence(self._sounding)


_STATUS_OF_PAGE = {
    SpeakerPage.NONE: SpeakerStatus(
        SpeakerState.NONE,
        "No device has its sound switched on.",
        "Switch it on, on the TV's page or the host's.",
    ),
    SpeakerPage.SOUNDS: SpeakerStatus(
        SpeakerState.FINE, "Sound comes out of the device that has it switched on."
    ),
    SpeakerPage.MUTE: SpeakerStatus(
        SpeakerState.FAILED,
        "The device that has its sound switched on cannot sound.",
        "Tap its sound switch again, or switch another device on.",
    ),
}


class PagePlayer:
    """Plays on a page that somebody tapped sound on for. ``publish`` tells the pages to look at :attr:`sounding`."""

    def __init__(self, clock: Clock, publish: Callable[[], None]) -> None:
        self.clock = clock
        self._publish = publish
        self._page = SpeakerPage.NONE
        self._lock = threading.Lock()
        self._number = 0
        self._sounding: Sounding | None = None

    @property
    def sounding(self) -> Sounding | None:
        """What is to be heard; None where silence is. It stands until the next one, pages let late ones be."""
        return self._sounding

    def page_is(self, page: SpeakerPage) -> None:
        """Take note of the page that is the speaker now."""
        self._page = page

    def status(self) -> SpeakerStatus:
        return _STATUS_OF_PAGE[self._page]

    def play(self, clip: Clip, over: Callable[[], None], urgency: Urgency) -> Playing:
        status = self.status()
        if status.state is not SpeakerState.FINE:
            raise CannotPlay(status.text)
        with self._lock:
            self._number += 1
            latest = LATE_TICK if urgency is Urgency.TICK else LATE
            sounding = Sounding(self._number, clip.path.name, self.clock.monotonic(), latest)
            self._sounding = sounding
        self._publish()
        return _OnPage(self, sounding, clip.seconds, over)

    def silence(self, sounding: Sounding) -> None:
        """Stop ``sounding``, unless something newer is played."""
        with self._lock:
            if self._sounding != sounding:
                return
            self._sounding = None
        self._publish()

    def keep_awake(self, awake: bool) -> None:
        pass

    def close(self) -> None:
        with self._lock:
            self._sounding = None
        self._publish()
