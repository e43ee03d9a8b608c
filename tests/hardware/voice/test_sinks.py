"""What sound can come out of: read from what the sound systems print, chosen by name."""

import json
from typing import Any

import pytest

from hardware.voice.sinks import Sink, SinkKind, alsa_sinks, chosen, pipewire_sinks

PI_4 = """\
**** List of PLAYBACK Hardware Devices ****
card 0: vc4hdmi0 [vc4-hdmi-0], device 0: MAI PCM i2s-hifi-0 [MAI PCM i2s-hifi-0]
  Subdevices: 1/1
  Subdevice #0: subdevice #0
card 1: Headphones [bcm2835 Headphones], device 0: bcm2835 Headphones [bcm2835 Headphones]
  Subdevices: 8/8
card 2: Device [USB Audio Device], device 0: USB Audio [USB Audio]
card 2: Device [USB Audio Device], device 1: USB Audio [USB Audio #1]
"""


def node(number: int, name: str, title: str, **props: str) -> dict[str, Any]:
    about = {"media.class": "Audio/Sink", "node.name": name, "node.description": title, **props}
    return {"id": number, "type": "PipeWire:Interface:Node", "info": {"props": about}}


def default(name: str) -> dict[str, Any]:
    return {"id": 33, "info": None, "metadata": [{"key": "default.audio.sink", "value": {"name": name}}]}


HDMI = node(40, "alsa_output.platform-fef00700.hdmi.hdmi-stereo", "Built-in Audio Digital Stereo (HDMI)")
USB = node(
    41, "alsa_output.usb-Generic_USB2.0_Device-00.analog-stereo", "USB2.0 Device", **{"device.bus": "usb"}
)
BLUE = node(42, "bluez_output.AA_BB.1", "JBL Go")
NOTHING = node(43, "auto_null", "Dummy Output")
MICROPHONE = node(44, "alsa_input.usb", "Microphone", **{"media.class": "Audio/Source"})


def dump(*objects: object) -> bytes:
    return json.dumps(objects).encode()


def test_the_cards_of_a_pi_are_known_by_name() -> None:
    assert alsa_sinks(PI_4) == (
        Sink("vc4hdmi0", "vc4-hdmi-0", SinkKind.HDMI),
        Sink("Headphones", "bcm2835 Headphones", SinkKind.JACK),
        Sink("Device", "USB Audio Device", SinkKind.USB),
    )
    assert alsa_sinks(PI_4.replace("Headphones [", "x',raw:'|id' [")) == alsa_sinks(PI_4)[::2]
    assert alsa_sinks("aplay: device_list:274: no soundcards found...") == ()


def test_pipewires_sinks_are_known_by_name_and_kind() -> None:
    sinks = pipewire_sinks(dump(HDMI, USB, BLUE, MICROPHONE, default("bluez_output.AA_BB.1")))
    assert [(sink.kind, sink.is_default, sink.number) for sink in sinks] == [
        (SinkKind.HDMI, False, 40),
        (SinkKind.USB, False, 41),
        (SinkKind.BLUETOOTH, True, 42),
    ]


def test_pipewires_stand_in_for_nothing_is_nothing() -> None:
    assert pipewire_sinks(dump(NOTHING, default("auto_null"))) == ()


@pytest.mark.parametrize(
    "printed", [b"", b"{", b"pw-dump: no", b"null", b"{}", b'{"a": 1}', b"[]\n[]", b"\xff"]
)
def test_an_answer_without_sense_is_a_value_error(printed: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        pipewire_sinks(printed)


@pytest.mark.parametrize(
    "odd",
    [
        None,
        7,
        "x",
        {"id": "x", "info": {"props": {"node.name": "y", "media.class": "Audio/Sink"}}},
        {"id": 1, "info": {"props": {"node.name": 9, "media.class": "Audio/Sink"}}},
        {"id": 1, "info": [], "metadata": None},
        {"id": 1, "metadata": [None, {"key": "default.audio.sink", "value": 3}]},
        {"id": 1, "metadata": {"key": "default.audio.sink"}},
    ],
)
def test_what_is_odd_in_pipewires_answer_is_passed_over(odd: object) -> None:
    sinks = pipewire_sinks(dump(odd, USB, default(USB["info"]["props"]["node.name"])))
    assert [(sink.kind, sink.is_default) for sink in sinks] == [(SinkKind.USB, True)]


def test_a_sink_without_a_number_or_a_title_is_known_by_its_name() -> None:
    bare = {"info": {"props": {"node.name": "x", "media.class": "Audio/Sink"}}}
    assert pipewire_sinks(dump(bare)) == (Sink("x", "x", SinkKind.OTHER),)


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("", "Device"),
        ("usb", "Device"),
        ("vc4hdmi0", "vc4hdmi0"),
        ("headphones", "Headphones"),
        ("JBL", None),
    ],
)
def test_a_device_is_chosen_by_a_part_of_its_name(wanted: str, name: str | None) -> None:
    sink = chosen(alsa_sinks(PI_4), wanted)
    assert (sink.name if sink else None) == name


def test_where_nobody_chose_the_systems_default_is_taken_before_the_kind() -> None:
    sinks = pipewire_sinks(dump(USB, HDMI, default(HDMI["info"]["props"]["node.name"])))
    taken = chosen(sinks, "")
    assert taken is not None
    assert taken.kind is SinkKind.HDMI
    assert chosen((), "") is None


def test_a_whole_name_goes_before_a_part_of_one() -> None:
    longer, exact = Sink("Device_1", "", SinkKind.USB), Sink("Device", "", SinkKind.USB)
    assert chosen((longer, exact), "Device") == exact
