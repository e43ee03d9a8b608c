"""How the sound device of this machine is, told in one place: to the speaker, the host page and the doctor alike."""

from collections.abc import Sequence

from msgspec import Struct

from hardware.voice.sinks import Sink, chosen
from hardware.voice.ways import Way
from pi_gm.speaking.ports import CannotPlay, SpeakerState, SpeakerStatus

_PLUG_IN = "Plug in a speaker (USB does well), or let a tablet or the TV speak."


class Seen(Struct, frozen=True):
    """What a look at the sound devices found."""

    status: SpeakerStatus
    way: Way | None = None
    """The sound system that answered."""
    sink: Sink | None = None
    """The device to play on."""
    sinks: tuple[Sink, ...] = ()
    """All there are."""


def look(ways: Sequence[Way], wanted: str, last: Seen | None = None) -> Seen:
    """The device to play on, of the first of ``ways`` that answers.

    ``wanted`` is a part of a device's name, empty for what suits best. ``last`` is what the last look saw that found a
    device, None where none did: it is not unplugged where the sound system that knew it is in trouble.
    """
    if not ways:
        return Seen(
            SpeakerStatus(
                SpeakerState.NONE,
                "Nothing on this machine can play a sound.",
                "On a Pi: sudo apt install alsa-utils, or let a tablet or the TV speak.",
            )
        )
    troubles: list[str] = []
    lost: SpeakerStatus | None = None
    for way in ways:
        try:
            sinks = way.sinks()
        except CannotPlay as trouble:
            troubles.append(str(trouble))
            lost = lost or _lost(last, way, str(trouble))
        else:
            sink = chosen(sinks, wanted)
            if sink is not None:
                fine = SpeakerStatus(SpeakerState.FINE, f"Sound comes out of {sink.title}.")
                return Seen(fine, way, sink, sinks)
            return Seen(lost or _nothing_in(sinks, wanted, troubles), way, None, sinks)
    return Seen(lost or SpeakerStatus(SpeakerState.FAILED, troubles[0]))


def _lost(last: Seen | None, way: Way, trouble: str) -> SpeakerStatus | None:
    """That the device of the ``last`` look cannot be reached, by ``trouble`` of ``way``; None where another knew it."""
    if last is None or last.sink is None or last.way is None or last.way.system is not way.system:
        return None
    return SpeakerStatus(SpeakerState.FAILED, f"The speaker “{last.sink.title}” cannot be reached.", trouble)


def _nothing_in(sinks: Sequence[Sink], wanted: str, troubles: Sequence[str]) -> SpeakerStatus:
    """Why none of ``sinks`` is played on. One that is missing may be known to a better way alone, which is in trouble."""
    there = ", ".join(each.title for each in sinks)
    if not wanted:
        cure = " ".join((_PLUG_IN, *troubles))
        return SpeakerStatus(SpeakerState.NONE, "No speaker is plugged in.", cure)
    cure = f"Plug it in, or choose another: there is {there}." if there else _PLUG_IN
    return SpeakerStatus(
        SpeakerState.FAILED, f"The speaker “{wanted}” is not there.", " ".join((cure, *troubles))
    )
