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


def look(ways: Sequence[Way], wanted: str) -> Seen:
    """The device to play on, of the first of ``ways`` that answers.

    ``wanted`` is a part of a device's name, empty for what suits best.
    """
    status = SpeakerStatus(
        SpeakerState.NONE,
        "Nothing on this machine can play a sound.",
        "On a Pi: sudo apt install alsa-utils, or let a tablet or the TV speak.",
    )
    for way in ways:
        try:
            sinks = way.sinks()
        except CannotPlay as trouble:
            status = SpeakerStatus(SpeakerState.FAILED, str(trouble))
        else:
            sink = chosen(sinks, wanted)
            return Seen(_status(sink, sinks, wanted), way, sink, sinks)
    return Seen(status)


def _status(sink: Sink | None, sinks: tuple[Sink, ...], wanted: str) -> SpeakerStatus:
    if sink is not None:
        return SpeakerStatus(SpeakerState.FINE, f"Sound comes out of {sink.title}.")
    if wanted:
        there = ", ".join(each.title for each in sinks)
        cure = f"Plug it in, or choose another: there is {there}." if there else _PLUG_IN
        return SpeakerStatus(SpeakerState.FAILED, f"The speaker “{wanted}” is not there.", cure)
    return SpeakerStatus(SpeakerState.NONE, "No speaker is plugged in.", _PLUG_IN)
