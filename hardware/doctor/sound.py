"""Sound: whether the voice's settings can be read, and how its engine and its device are."""

from pathlib import Path

from hardware.doctor.findings import Finding, good, unchecked, warning
from hardware.voice import device_status, engine_for
from hardware.voice.clips import checked_wav
from pi_gm.speaking.ports import CannotSpeak, SpeakerState
from pi_gm.speaking.settings import SpeakerPlace, VoiceSettings, WrongVoice, read_voice

_A_SENTENCE = "Welcome."


def check_sound(settings_file: Path) -> tuple[Finding, ...]:
    """How the speaker and the voice are that ``settings_file`` asks for. A night can be played without either."""
    try:
        settings = read_voice(settings_file)
    except WrongVoice as wrong:
        cure = "Put that right in the file, or delete it and choose anew on the host's voice page."
        return (warning("voice", str(wrong), cure), _speaker(VoiceSettings()))
    return (_voice(settings), _speaker(settings))


def _voice(settings: VoiceSettings) -> Finding:
    engine = engine_for(settings)
    lacks = "There is no voice on this machine." if engine is None else engine.missing()
    if engine is None or lacks is not None:
        cure = "On a Pi: sudo apt install espeak-ng; or choose another voice on the host's voice page."
        return warning("voice", lacks or "", cure)
    try:
        checked_wav(engine.make(_A_SENTENCE), engine.made_from[0])
    except CannotSpeak as trouble:
        cure = "Choose another voice on the host's voice page."
        return warning("voice", f"It cannot speak: {trouble}.", cure)
    finally:
        engine.close()
    return good("voice", f"{engine.made_from[0]}, {settings.rate} words a minute.")


def _speaker(settings: VoiceSettings) -> Finding:
    status = device_status(settings)
    if settings.speaker is SpeakerPlace.NOBODY:
        return unchecked("speaker", "Sound was switched off on the host's voice page.")
    if status.state is SpeakerState.FINE:
        return good("speaker", f"fine: {status.says}")
    cure = status.cure or "Let a tablet or the TV speak: switch its sound on there."
    return warning("speaker", f"{status.state.value}: {status.says}", cure)
