"""What the voice's desk changes, and when it wants the host."""

import pytest

from pi_gm.errors import BadInput
from pi_gm.speaking.desk import ChangeVoice, DeskView, PageSound, PageSpeech, changed
from pi_gm.speaking.ports import SpeakerState, SpeakerStatus
from pi_gm.speaking.settings import SpeakerPlace, VoiceSettings


def test_what_is_not_named_stays_as_it_is() -> None:
    settings = VoiceSettings(device="USB", rate=160)
    after = changed(settings, ChangeVoice(volume=0))
    assert after == VoiceSettings(device="USB", rate=160, volume=0)


def test_another_engine_begins_with_its_usual_voice_and_the_same_one_keeps_it() -> None:
    settings = VoiceSettings(engine="espeak-ng", voice="en-US")
    assert changed(settings, ChangeVoice(engine="pyttsx3")).voice == ""
    assert changed(settings, ChangeVoice(engine="piper", voice="a.onnx")).voice == "a.onnx"
    assert changed(settings, ChangeVoice(engine="espeak-ng", rate=100)).voice == "en-US"


def test_what_cannot_be_is_refused_with_every_mistake() -> None:
    with pytest.raises(BadInput, match=r"engine is 'hal'.*rate is 9:"):
        changed(VoiceSettings(), ChangeVoice(engine="hal", rate=9))


@pytest.mark.parametrize(
    ("place", "state", "is_amiss"),
    [
        (SpeakerPlace.MACHINE, SpeakerState.FINE, False),
        (SpeakerPlace.MACHINE, SpeakerState.NONE, True),
        (SpeakerPlace.PAGE, SpeakerState.NONE, False),
        (SpeakerPlace.PAGE, SpeakerState.FAILED, True),
        (SpeakerPlace.NOBODY, SpeakerState.NONE, False),
    ],
)
def test_the_host_is_told_where_there_ought_to_be_sound_and_is_none(
    place: SpeakerPlace, state: SpeakerState, is_amiss: bool
) -> None:
    view = DeskView(VoiceSettings(speaker=place), "", SpeakerStatus(state, "so it is"))
    assert view.is_amiss is is_amiss


def test_the_same_sound_told_later_is_no_news() -> None:
    one, later = (PageSound(PageSpeech.CLIPS, 90, (), 3, "a.wav", late) for late in (0.0, 2.0))
    assert one.mark == later.mark
    assert one.mark != PageSound(PageSpeech.CLIPS, 90).mark
