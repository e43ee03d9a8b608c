"""The ways to a sound device: which commands list what there is, play a file, and set the volume."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Protocol

from hardware.voice.complaints import last_line
from hardware.voice.sinks import Sink, SinkKind, alsa_sinks, pipewire_sinks
from pi_gm.clock import Seconds
from pi_gm.speaking.ports import CannotPlay
from pi_gm.speaking.settings import pcm_in

ASKED_LONGEST: Seconds = 3.0
"""A sound system that does not answer by then is down."""


class Refused(CannotPlay):
    """A command of a sound system ended with a complaint."""

    def __init__(self, command: str, code: int, complaint: str) -> None:
        super().__init__(
            f"The sound system is down: {command} ended with {code} ({complaint}). Is it started?"
        )
        self.complaint = complaint


Ask = Callable[[list[str]], bytes]
"""Runs a command and returns what it printed; raises CannotPlay where that cannot be had, Refused where it complains."""


def ask(command: list[str]) -> bytes:
    """What ``command`` printed. Raises CannotPlay where it hangs or is not installed, Refused where it complains."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ASKED_LONGEST,
            check=False,
            env=os.environ | {"LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired as fault:
        raise CannotPlay(
            f"The sound system does not answer: {command[0]} hangs. Start the machine again."
        ) from fault
    except OSError as fault:
        raise CannotPlay(f"The command {command[0]} cannot be run ({fault}): is it installed?") from fault
    if done.returncode:
        raise Refused(command[0], done.returncode, last_line(done.stderr) or "no reason given")
    return done.stdout


class SoundSystem(Enum):
    """Which sound system it is."""

    PIPEWIRE = "PipeWire"
    ALSA = "ALSA"
    CORE_AUDIO = "Core Audio"


class Way(Protocol):
    """The way to sound through one sound system."""

    @property
    def system(self) -> SoundSystem: ...

    def sinks(self) -> tuple[Sink, ...]:
        """What there is; empty where nothing is. Raises CannotPlay where the sound system is down."""
        ...

    def play(self, sink: Sink, path: Path, volume: int) -> list[str]:
        """The command that plays the WAV file ``path`` once; ``volume`` in percent, where it is set that way."""
        ...

    def can_share(self, sink: Sink) -> bool:
        """Whether two commands can play on ``sink`` at once."""
        ...

    def set_volume(self, sink: Sink, volume: int) -> None:
        """Set the volume of the device itself, in percent, where that is possible."""
        ...


class PipeWire:
    """A PipeWire server of this user."""

    system = SoundSystem.PIPEWIRE

    def __init__(self, ask: Ask = ask) -> None:
        self._ask = ask

    def sinks(self) -> tuple[Sink, ...]:
        try:
            return pipewire_sinks(self._ask(["pw-dump"]))
        except ValueError as fault:
            raise CannotPlay("PipeWire gives no answer that makes sense. Start the machine again.") from fault

    def play(self, sink: Sink, path: Path, volume: int) -> list[str]:
        return ["pw-play", "--target", sink.name, str(path)]

    def can_share(self, sink: Sink) -> bool:
        return True

    def set_volume(self, sink: Sink, volume: int) -> None:
        if shutil.which("wpctl") is not None and sink.number is not None:
            self._ask(["wpctl", "set-volume", str(sink.number), f"{volume / 100:.2f}"])


VOLUME_CONTROLS = ("PCM", "Speaker", "Headphone", "Master", "HDMI")


KERNELS_CARDS = Path("/proc/asound/cards")
"""Where the kernel lists the sound cards, to everybody."""
_KERNELS_CARD = re.compile(r"^ *\d+ \[", re.MULTILINE)
_CARD_OF_PCM = re.compile(r"CARD=([A-Za-z0-9_-]+)")


class Alsa:
    """Plain ALSA, without a sound server. ``device`` names a PCM of its configuration instead of a card."""

    system = SoundSystem.ALSA

    def __init__(
        self, device: str | None = None, ask: Ask = ask, kernels_cards: Path = KERNELS_CARDS
    ) -> None:
        self._device = device
        self._ask = ask
        self._kernels_cards = kernels_cards
        self._opened = False

    def sinks(self) -> tuple[Sink, ...]:
        if self._device is None:
            return self._cards()
        card = _CARD_OF_PCM.search(self._device)
        if card is not None and card[1] not in {sink.name for sink in self._cards()}:
            raise CannotPlay(f"The sound card “{card[1]}” is not there. Plug it in, or choose another.")
        self._open(self._device)
        return (Sink(self._device, self._device, SinkKind.OTHER),)

    def _cards(self) -> tuple[Sink, ...]:
        try:
            listing = self._ask(["aplay", "-l"]).decode(errors="replace")
        except Refused as refusal:
            if "no soundcards found" not in refusal.complaint:
                raise
            listing = ""
        if not listing and self._kernel_has_a_card():
            raise CannotPlay(
                "There is a sound card, but Pi GM may not use it. On a Pi: sudo usermod -aG audio USER, with the "
                "name of whoever runs it, and log in again."
            )
        return alsa_sinks(listing)

    def _kernel_has_a_card(self) -> bool:
        try:
            return _KERNELS_CARD.search(self._kernels_cards.read_text(errors="replace")) is not None
        except OSError:
            return False

    def _open(self, device: str) -> None:
        """Find out once whether it can be played on: while it plays another might not be let in. Raises CannotPlay."""
        if self._opened:
            return
        nothing = ["-t", "raw", "-f", "S16_LE", "-c", "2", "-r", "48000", os.devnull]
        try:
            self._ask(["aplay", "-q", "-D", device, *nothing])
        except Refused as refusal:
            if "busy" not in refusal.complaint:
                raise CannotPlay(
                    f"ALSA cannot play on “{device}” ({refusal.complaint}): look whether it is plugged in, or choose "
                    "another."
                ) from refusal
        self._opened = True

    def play(self, sink: Sink, path: Path, volume: int) -> list[str]:
        return ["aplay", "-q", "-D", self._pcm(sink), str(path)]

    def _pcm(self, sink: Sink) -> str:
        return self._device if self._device is not None else f"sysdefault:CARD={sink.name}"

    def can_share(self, sink: Sink) -> bool:
        return sink.kind in (SinkKind.USB, SinkKind.JACK)

    def set_volume(self, sink: Sink, volume: int) -> None:
        if self._device is not None or shutil.which("amixer") is None:
            return
        card = ["amixer", "-q", "-D", f"sysdefault:CARD={sink.name}"]
        listed = self._ask([*card[:1], *card[2:], "scontrols"]).decode(errors="replace")
        for control in VOLUME_CONTROLS:
            if f"'{control}'" in listed:
                self._ask([*card, "sset", control, f"{volume}%", "unmute"])
                return


class CoreAudio:
    """The Mac's own sound, always through the output that is chosen in its settings."""

    system = SoundSystem.CORE_AUDIO

    def sinks(self) -> tuple[Sink, ...]:
        return (Sink("default", "this Mac", SinkKind.JACK, is_default=True),)

    def play(self, sink: Sink, path: Path, volume: int) -> list[str]:
        return ["afplay", "-v", f"{volume / 100:.2f}", str(path)]

    def can_share(self, sink: Sink) -> bool:
        return True

    def set_volume(self, sink: Sink, volume: int) -> None:
        pass


def ways_here(device: str = "") -> tuple[Way, ...]:
    """The ways to sound on this machine, the best first; none of them is asked yet whether it leads anywhere.

    PipeWire may be installed, as on a Pi with a desktop, and not run for this user: then ALSA plays. ``alsa:NAME`` is a
    PCM of ALSA's configuration; raises BadInput where that is more than a plain name.
    """
    pcm = pcm_in(device)
    if pcm is not None:
        return (Alsa(pcm),)
    if sys.platform == "darwin":
        return (CoreAudio(),) if shutil.which("afplay") else ()
    pipewire = (PipeWire(),) if shutil.which("pw-play") and shutil.which("pw-dump") else ()
    alsa = (Alsa(),) if shutil.which("aplay") else ()
    return (*pipewire, *alsa)
