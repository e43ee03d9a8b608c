"""What sound can come out of on this machine, by name: card numbers change when something is plugged in. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from types import MappingProxyType
from typing import TypeVar

import msgspec
from msgspec import Struct

from pi_gm.clock import Seconds


class SinkKind(Enum):
    """What a sink is, as far as that decides how it wakes."""

    USB = "usb"
    BLUETOOTH = "bluetooth"
    HDMI = "hdmi"
    JACK = "jack"
    OTHER = "other"


LEAD_IN: Mapping[SinkKind, Seconds] = MappingProxyType(
    {
        SinkKind.USB: 0.5,
        SinkKind.BLUETOOTH: 1.0,
        SinkKind.HDMI: 1.5,
        SinkKind.JACK: 0.1,
        SinkKind.OTHER: 0.3,
    }
)
"""How much each swallows after a rest: so much silence goes first."""

_LIKED = tuple(SinkKind)
"""Which is taken where nobody chose, the first first: whoever plugs in a USB speaker wants to hear it."""


class Sink(Struct, frozen=True):
    """Something that sound can come out of."""

    name: str
    """What the sound system calls it; stays the same when others are plugged in."""
    title: str
    """What people call it."""
    kind: SinkKind
    is_default: bool = False
    number: int | None = None
    """Its number in PipeWire, until that starts again; None elsewhere."""

    def is_called(self, wanted: str) -> bool:
        """Whether somebody who asks for ``wanted`` means this one: a part of its name or title."""
        return wanted.casefold() in self.name.casefold() or wanted.casefold() in self.title.casefold()


NULL_SINKS = frozenset({"auto_null"})
"""What PipeWire plays into where it has nothing: everything succeeds, and nobody hears a thing."""

# The kernel allows a card no other name, and ALSA would take more for a program.
_ALSA_CARD = re.compile(
    r"^card \d+: (?P<name>[A-Za-z0-9_-]+) \[(?P<title>[^\]]*)\], device \d+: (?P<device>.*)$"
)


def alsa_sinks(listing: str) -> tuple[Sink, ...]:
    """The sinks in what ``aplay -l`` printed."""
    found: dict[str, Sink] = {}
    for line in listing.splitlines():
        card = _ALSA_CARD.match(line)
        if card is not None and card["name"] not in found:
            kind = _kind_of(f"{card['name']} {card['title']} {card['device']}")
            found[card["name"]] = Sink(card["name"], card["title"], kind)
    return tuple(found.values())


T = TypeVar("T")


class _Props(Struct, frozen=True):
    name: str = msgspec.field(name="node.name")
    title: str | None = msgspec.field(name="node.description", default=None)
    media_class: str = msgspec.field(name="media.class", default="")
    bus: str = msgspec.field(name="device.bus", default="")
    api: str = msgspec.field(name="device.api", default="")


class _Info(Struct, frozen=True):
    props: _Props


class _Node(Struct, frozen=True):
    info: _Info
    id: int | None = None


class _Named(Struct, frozen=True):
    name: str


class _DefaultSink(Struct, frozen=True, tag_field="key", tag="default.audio.sink"):
    value: _Named


class _Metadata(Struct, frozen=True):
    metadata: tuple[msgspec.Raw, ...]


def pipewire_sinks(dump: bytes) -> tuple[Sink, ...]:
    """The sinks in what ``pw-dump`` printed; what else is in it is passed over. Raises ValueError where it is no list."""
    objects = msgspec.json.decode(dump, type=tuple[msgspec.Raw, ...])
    entries = [entry for each in _all_of(_Metadata, objects) for entry in each.metadata]
    defaults = [default.value.name for default in _all_of(_DefaultSink, entries)]
    return tuple(
        Sink(
            name=props.name,
            title=props.title or props.name,
            kind=_kind_of(f"{props.name} {props.bus} {props.api}"),
            is_default=props.name in defaults[:1],
            number=node.id,
        )
        for node in _all_of(_Node, objects)
        if (props := node.info.props).media_class == "Audio/Sink" and props.name not in NULL_SINKS
    )


def _all_of(kind: type[T], objects: Iterable[msgspec.Raw]) -> list[T]:
    found: list[T] = []
    for each in objects:
        with suppress(msgspec.ValidationError):
            found.append(msgspec.json.decode(each, type=kind))
    return found


def _kind_of(words: str) -> SinkKind:
    said = words.casefold()
    for kind, signs in (
        (SinkKind.BLUETOOTH, ("bluez", "bluetooth")),
        (SinkKind.HDMI, ("hdmi", "displayport")),
        (SinkKind.USB, ("usb",)),
        (SinkKind.JACK, ("headphones", "analog")),
    ):
        if any(sign in said for sign in signs):
            return kind
    return SinkKind.OTHER


def chosen(sinks: Sequence[Sink], wanted: str) -> Sink | None:
    """The sink that is ``wanted``; where that is empty the system's default, or the kind that is liked most."""
    if wanted:
        exact = [sink for sink in sinks if wanted in (sink.name, sink.title)]
        return next(iter([*exact, *(sink for sink in sinks if sink.is_called(wanted))]), None)
    liked = sorted(sinks, key=lambda sink: (not sink.is_default, _LIKED.index(sink.kind)))
    return next(iter(liked), None)
