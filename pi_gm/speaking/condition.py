"""How a speaker really is: what its device says of itself, and what went wrong when it was to play or to speak."""

import logging
from collections.abc import Callable

from pi_gm.speaking.ports import SpeakerState, SpeakerStatus

log = logging.getLogger("pi_gm.speaking.speaker")


class Condition:
    """What is known of a speaker; each change is logged, and told to ``on_change``."""

    def __init__(self, on_change: Callable[[], None] | None = None) -> None:
        self._on_change = on_change
        self._device = SpeakerStatus(SpeakerState.NONE, "It is being found out where sound can come out.")
        self._player_trouble: str | None = None
        self._voice_trouble: str | None = None
        self._end: str | None = None

    @property
    def status(self) -> SpeakerStatus:
        """How the speaker is. Trouble of a device that is not there anyway is not told."""
        if self._end is not None:
            return SpeakerStatus(SpeakerState.FAILED, self._end)
        trouble = self._player_trouble or self._voice_trouble
        if trouble is not None and self._device.state is SpeakerState.FINE:
            return SpeakerStatus(SpeakerState.FAILED, trouble)
        return self._device

    def device_is(self, device: SpeakerStatus) -> None:
        """The device was looked at. One that came back has left behind what was wrong with it."""
        before = self.status
        came_back = device.state is SpeakerState.FINE and self._device.state is not SpeakerState.FINE
        self._device = device
        if came_back:
            self._player_trouble = None
        self._tell(before)

    def played(self, trouble: str | None = None) -> bool:
        """A clip was played, or it was not, with the reason; whether the device should be looked at now."""
        before = self.status
        self._player_trouble = trouble
        self._tell(before)
        return trouble is not None and before.state is SpeakerState.FINE

    def spoke(self, trouble: str | None = None) -> None:
        """A sentence was made into a clip, or it was not, with the reason."""
        before = self.status
        self._voice_trouble = trouble
        self._tell(before)

    def has_another_player(self) -> None:
        """What was wrong with the one before says nothing of this one."""
        before = self.status
        self._player_trouble = self._voice_trouble = None
        self._tell(before)

    def ended(self, why: str) -> None:
        """Nothing will be said any more, though nobody told the speaker to be silent."""
        before = self.status
        self._end = why
        self._tell(before)

    def _tell(self, before: SpeakerStatus) -> None:
        after = self.status
        if after == before:
            return
        level = logging.WARNING if after.state is SpeakerState.FAILED else logging.INFO
        log.log(level, "speaker %s: %s", after.state.value, after.text)
        if self._on_change is not None:
            self._on_change()
