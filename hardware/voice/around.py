"""What there is to choose from on this machine, found out beside whatever else goes on: a sound system may hang."""

import threading
from collections.abc import Callable

from msgspec import Struct

from hardware.voice import devices_here
from hardware.voice.catalogue import engines_here
from pi_gm.clock import Seconds
from pi_gm.speaking.desk import DeviceView, EngineView
from pi_gm.speaking.settings import VoiceSettings, pcm_in

WAITED_FOR: Seconds = 1.0
"""A page is shown with what is known after that; the rest follows."""


class Around(Struct, frozen=True):
    """What was found."""

    engines: tuple[EngineView, ...] = ()
    devices: tuple[DeviceView, ...] = ()


class Lookout:
    """Finds out what is around, in a thread of its own; ``on_found`` hears from there of every find."""

    def __init__(self, on_found: Callable[[], None], *, waited_for: Seconds = WAITED_FOR) -> None:
        self._on_found = on_found
        self._waited_for = waited_for
        self._condition = threading.Condition()
        self._wanted: VoiceSettings | None = None
        self._asked = 0
        self._answered = 0
        self._thread: threading.Thread | None = None
        self._found = Around()

    @property
    def found(self) -> Around:
        """What the last look found; nothing before the first."""
        return self._found

    def look(self, settings: VoiceSettings) -> None:
        """Look around, as ``settings`` have it; returns when that is done, or goes on by itself where it takes long."""
        with self._condition:
            number = self._begin(settings)
            self._condition.wait_for(lambda: self._answered >= number, self._waited_for)

    def look_first(self, settings: VoiceSettings) -> None:
        """Look around where nobody has asked yet; quick."""
        with self._condition:
            if self._asked == 0:
                self._begin(settings)

    def _begin(self, settings: VoiceSettings) -> int:
        self._asked += 1
        self._wanted = settings
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._look, name="voice looks around", daemon=True)
            self._thread.start()
        return self._asked

    def _look(self) -> None:
        while (asked := self._next()) is not None:
            number, settings = asked
            found = around(settings)
            with self._condition:
                self._found, self._answered = found, number
                self._condition.notify_all()
            self._on_found()

    def _next(self) -> tuple[int, VoiceSettings] | None:
        with self._condition:
            settings, self._wanted = self._wanted, None
            if settings is None:
                self._thread = None
                return None
            return self._asked, settings


def around(settings: VoiceSettings) -> Around:
    """What there is, now; takes as long as it takes."""
    return Around(engines_here(settings), devices_for(settings))


def devices_for(settings: VoiceSettings) -> tuple[DeviceView, ...]:
    """The devices there are, now, and the PCM that ``settings`` name: that is on no list."""
    own = () if pcm_in(settings.device) is None else (DeviceView(settings.device, settings.device),)
    return (*own, *(DeviceView(sink.name, sink.title) for sink in devices_here()))
