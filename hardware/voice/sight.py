"""How the sound device of this machine is, told in one place: to the speaker, the host page and the doctor alike."""

from msgspec import Struct

from hardware.voice.sinks import Sink, chosen
from hardware.voice.ways import Way
from pi_gm.speaking.ports import CannotPlay, SpeakerState, SpeakerStatus

_PLUG_IN = "Plug in a speaker (USB does well), or let a tablet or the TV speak."


class Seen(Struct, frozen=True):
    """What a look at the sound devices found."""

    status: SpeakerStatus
    sink: Sink | None = None
    """The one to play on."""
    sinks: tuple[Sink, ...] = ()
    """All there are."""


def look(way: Way | None, wanted: str) -> Seen:
    """The device to play on; ``way`` is the sound system, ``wanted`` a part of a name, empty for what suits best."""
    if way is None:
        return Seen(
            SpeakerStatus(
                SpeakerState.NONE,
                "Nothing on this machine can play a sound.",
                "On a Pi: sudo apt install alsa-utils, or let a tablet or the TV speak.",
            )
        )
    try:
        sinks = way.sinks()
    except CannotPlay as trouble:
        return Seen(SpeakerStatus(SpeakerState.FAILED, str(trouble)))
    sink = chosen(sinks, wanted)
    if sink is not None:
        return Seen(SpeakerStatus(SpeakerState.FINE, f"Sound comes out of {sink.title}."), sink, sinks)
    if wanted:
        there = ", ".join(each.title for each in sinks)
        cure = f"Plug it in, or choose another: there is {there}." if there else _PLUG_IN
        return Seen(
            SpeakerStatus(SpeakerState.FAILED, f"The speaker “{wanted}” is not there.", cure), None, sinks
        )
    return Seen(SpeakerStatus(SpeakerState.NONE, "No speaker is plugged in.", _PLUG_IN))
