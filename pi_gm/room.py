"""The living room: its furniture and what is wired to it, and how to move about in a simulated one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Protocol

from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.errors import BadInput
from pi_gm.floor import HEADER, Normally, Sensor

RAFTS = ("A", "B", "C")
ISLAND = "island"
WATER = "water"
PLACES = (*RAFTS, ISLAND, WATER)

HEADER_PINS = range(2, 28)
"""The BCM numbers of the Pi's 40-pin header that something can be wired to."""
TOKENS = range(1, 13)
"""The numbers of the players' tokens."""
LONGEST_NOISE: Seconds = 2.0
"""No contact bounces for longer; a longer time was meant in milliseconds."""


class Place(Struct, frozen=True):
    """A piece of furniture that people stand or sit on."""

    key: str
    name: str = ""
    """What people call it, such as ``the blue couch``; empty where it is called by its key."""
    by_phone: bool = False
    """It has no sensors on purpose: people say on their phones that they are there."""


class Answer(Enum):
    """What a decision button says when it is pressed."""

    ACCEPT = "accept"
    REJECT = "reject"


class DecisionButton(Struct, frozen=True):
    """A button with which one player says yes or no, without a phone."""

    owner: int
    """The token (1 to 12) of the player."""
    answer: Answer
    pin: int
    chip: str = HEADER
    normally: Normally = Normally.OPEN
    press: Seconds = 0.03

    @property
    def key(self) -> str:
        """A name for people, such as ``accept 3``."""
        return f"{self.answer.value} {self.owner}"


class StartButton(Struct, frozen=True):
    """The button that does what the big button of the host's page does."""

    pin: int
    chip: str = HEADER
    normally: Normally = Normally.OPEN
    press: Seconds = 0.03


class Lamp(Struct, frozen=True):
    """The lamp of a raft: open to board, the last seconds of it, closed."""

    place: str
    pin: int
    chip: str = HEADER


class BuzzerKind(Enum):
    """What a buzzer needs in order to sound."""

    ACTIVE = "active"
    """Voltage."""
    PASSIVE = "passive"
    """A tone."""


class Buzzer(Struct, frozen=True):
    """What sounds at the instant that boarding ends."""

    pin: int
    kind: BuzzerKind = BuzzerKind.ACTIVE
    chip: str = HEADER


class Chip(Struct, frozen=True):
    """A chip with pins: the header's, where it must be found in some way of its own, or an expander."""

    key: str
    """What the room calls it; ``header`` for the Pi's own."""
    label: str | None = None
    """What the kernel calls it, such as ``mcp23017``; None where ``device`` says which it is."""
    device: str | None = None
    """Its device, such as ``/dev/gpiochip1``, where a label does not tell it from another."""
    lines: int = 16
    """How many pins it has, numbered from 0; the header has its own numbers whatever this says."""


class Bus(Enum):
    """What else some pins of the header are for."""

    I2C = "i2c"
    SPI = "spi"
    UART = "uart"


BUS_PINS = {Bus.I2C: (2, 3), Bus.SPI: (7, 8, 9, 10, 11), Bus.UART: (14, 15)}
"""The header's pins that each bus takes while it is switched on."""

PULLED_UP_AT_BOOT = range(9)
"""The header's pins that are high until a program opens them: whatever they drive is on while the Pi starts."""

Way = tuple[str | int, ...]
"""Where in a room something is said, such as ``("sensors", "A1", "pin")``."""


class Mistake(Struct, frozen=True):
    """Something that cannot be right, and the cure, in a sentence."""

    way: Way
    text: str


class WiredPin(Struct, frozen=True):
    """A pin that the room needs, and for what."""

    way: Way
    what: str
    chip: str
    pin: int


class RoomPlan(Struct, frozen=True):
    """A room as somebody said it, right or not."""

    name: str
    sensors: tuple[Sensor, ...] = ()
    places: tuple[Place, ...] = ()
    """The furniture, where the room says which there is; empty: the places of the sensors."""
    decisions: tuple[DecisionButton, ...] = ()
    start: StartButton | None = None
    lamps: tuple[Lamp, ...] = ()
    buzzer: Buzzer | None = None
    chips: tuple[Chip, ...] = ()
    """Chips to be found in a way of the room's own: expanders, and the header where its label does not tell."""
    buses: tuple[Bus, ...] = ()
    """The buses that something else needs: their pins are not for the room."""

    def sensors_at(self, place: str) -> tuple[Sensor, ...]:
        """The sensors that lie at ``place``."""
        return tuple(sensor for sensor in self.sensors if sensor.place == place)

    def name_of(self, place: str) -> str:
        """What people call ``place``; its key where the room does not say."""
        return next((known.name for known in self.places if known.key == place and known.name), place)

    def wired_pins(self) -> tuple[WiredPin, ...]:
        """Every pin that the room needs."""
        pins = [WiredPin(("sensors", s.key, "pin"), s.key, s.chip, s.pin) for s in self.sensors]
        pins += [
            WiredPin(("decisions", str(d.owner), d.answer.value), d.key, d.chip, d.pin)
            for d in self.decisions
        ]
        if self.start is not None:
            pins.append(WiredPin(("start", "pin"), "the start button", self.start.chip, self.start.pin))
        pins += [
            WiredPin(("lamps", lp.place, "pin"), f"the lamp of {lp.place}", lp.chip, lp.pin)
            for lp in self.lamps
        ]
        if self.buzzer is not None:
            pins.append(WiredPin(("buzzer", "pin"), "the buzzer", self.buzzer.chip, self.buzzer.pin))
        return tuple(pins)


class Room(RoomPlan, frozen=True):
    """A room and what is wired in it. Raises BadInput, with every mistake in its text, where it cannot be right."""

    def __post_init__(self) -> None:
        mistakes = mistakes_in(self)
        if mistakes:
            raise BadInput("\n".join(mistake.text for mistake in mistakes))


def mistakes_in(room: RoomPlan) -> tuple[Mistake, ...]:
    """Everything in ``room`` that cannot be right."""
    return (
        *_mistakes_in_names(room),
        *_mistakes_in_pins(room),
        *(mistake for sensor in room.sensors for mistake in _mistakes_in_sensor(sensor)),
        *_mistakes_in_places(room),
        *_mistakes_in_decisions(room),
        *_mistakes_in_lamps(room),
        *_mistakes_in_chips(room),
    )


def _mistakes_in_names(room: RoomPlan) -> Iterator[Mistake]:
    for key, times in Counter(sensor.key for sensor in room.sensors).items():
        way = ("sensors", key)
        if not key.strip():
            yield Mistake(way, "A sensor has no name: give it one, such as A1.")
        elif times > 1:
            yield Mistake(way, f"{times} sensors are called {key}: give each a name of its own.")


def _mistakes_in_pins(room: RoomPlan) -> Iterator[Mistake]:
    wired = room.wired_pins()
    lines = {chip.key: range(chip.lines) for chip in room.chips} | {HEADER: HEADER_PINS}
    for chip, pin in dict.fromkeys((one.chip, one.pin) for one in wired):
        sharing = [one for one in wired if (one.chip, one.pin) == (chip, pin)]
        if len(sharing) > 1:
            yield Mistake(
                sharing[-1].way,
                f"{listed([one.what for one in sharing])} share pin {pin}{_of(chip)}: wire each to a pin of its own.",
            )
    for one in wired:
        if one.chip not in lines:
            yield Mistake(
                (*one.way[:-1], "chip"),
                f"{one.what} is on chip {one.chip!r}, which the room does not have: "
                f"choose {' or '.join(lines)}, or say under [chips] which it is.",
            )
        elif one.pin not in lines[one.chip]:
            names = "BCM number" if one.chip == HEADER else "number"
            yield Mistake(
                one.way,
                f"{one.what} is on pin {one.pin}, which {_the(one.chip)} does not have: "
                f"choose a {names} from {lines[one.chip][0]} to {lines[one.chip][-1]}.",
            )
        for bus in room.buses if one.chip == HEADER else ():
            if one.pin in BUS_PINS[bus]:
                yield Mistake(
                    one.way,
                    f"{one.what} is on pin {one.pin}, and the room says that {bus.name} needs it: "
                    f"wire it to another pin, or take {bus.value!r} out of buses.",
                )

    if room.buzzer is not None and room.buzzer.chip == HEADER and room.buzzer.pin in PULLED_UP_AT_BOOT:
        yield Mistake(
            ("buzzer", "pin"),
            f"the buzzer is on pin {room.buzzer.pin}, which is on while the Pi starts: it would sound. "
            f"Wire it to a pin from {PULLED_UP_AT_BOOT.stop} up.",
        )


def _of(chip: str) -> str:
    return "" if chip == HEADER else f" of {chip}"


def _the(chip: str) -> str:
    return "the header" if chip == HEADER else chip


def _mistakes_in_sensor(sensor: Sensor) -> Iterator[Mistake]:
    way = ("sensors", sensor.key)
    if sensor.place not in PLACES:
        yield Mistake(
            (*way, "place"),
            f"{sensor.key} lies at {sensor.place!r}, which is no place: choose one of {', '.join(PLACES)}.",
        )
    if sensor.owner is not None and sensor.owner not in TOKENS:
        yield Mistake(
            (*way, "owner"),
            f"{sensor.key} belongs to token {sensor.owner}, which there is not: "
            f"choose {TOKENS[0]} to {TOKENS[-1]}, or nobody.",
        )
    if sensor.counts is not None and sensor.counts < 1:
        yield Mistake(
            (*way, "counts"), f"{sensor.key} counts {sensor.counts} people: choose 1 or more, or any number."
        )
    yield from _mistakes_in_times(way, sensor.key, {"press": sensor.press, "release": sensor.release})


def _mistakes_in_times(way: Way, what: str, times: Mapping[str, Seconds]) -> Iterator[Mistake]:
    for name, seconds in times.items():
        # Written so that it is true of nan as well.
        if not 0 <= seconds <= LONGEST_NOISE:
            yield Mistake(
                (*way, name),
                f"{what} has a {name} time of {seconds:g} seconds: choose 0 to {LONGEST_NOISE:g} "
                "(0.15 is 150 milliseconds).",
            )


def _mistakes_in_places(room: RoomPlan) -> Iterator[Mistake]:
    said = {place.key for place in room.places}
    for place in room.places:
        way = ("places", place.key)
        sensors = room.sensors_at(place.key)
        if place.key not in PLACES:
            yield Mistake(way, f"{place.key!r} is no place: choose from {', '.join(PLACES)}.")
        elif sensors and place.by_phone:
            yield Mistake(
                (*way, "by_phone"),
                f"{place.key} is by phone, and {listed([sensor.key for sensor in sensors])} at it: "
                "take out the one or the other.",
            )
        elif room.sensors and not sensors and not place.by_phone and place.key != WATER:
            yield Mistake(
                way,
                f"Nobody can stand on {place.key}: it has no sensor. Give it one, or say by_phone = true where "
                "people say on their phones that they are there, or take it out of the room.",
            )
    for sensor in room.sensors:
        if said and sensor.place in PLACES and sensor.place not in said:
            yield Mistake(
                ("sensors", sensor.key, "place"),
                f"{sensor.key} lies at {sensor.place}, which is not under [places]: "
                f"choose one of {', '.join(sorted(said))}, or put {sensor.place} there.",
            )


def _mistakes_in_decisions(room: RoomPlan) -> Iterator[Mistake]:
    for button in room.decisions:
        way = ("decisions", str(button.owner))
        if button.owner not in TOKENS:
            yield Mistake(
                way,
                f"{button.key} is for a token that there is not: choose {TOKENS[0]} to {TOKENS[-1]}.",
            )
        yield from _mistakes_in_times(way, button.key, {"press": button.press})
    for key, times in Counter(button.key for button in room.decisions).items():
        if times > 1:
            yield Mistake(("decisions",), f"There are {times} buttons for {key}: one will do.")
    if room.start is not None:
        yield from _mistakes_in_times(("start",), "The start button", {"press": room.start.press})


def _mistakes_in_lamps(room: RoomPlan) -> Iterator[Mistake]:
    for lamp in room.lamps:
        if lamp.place not in RAFTS:
            yield Mistake(
                ("lamps", lamp.place),
                f"A lamp is for {lamp.place!r}, which is no raft: choose one of {', '.join(RAFTS)}.",
            )
    for place, times in Counter(lamp.place for lamp in room.lamps).items():
        if times > 1:
            yield Mistake(("lamps", place), f"There are {times} lamps for {place}: wire them to one pin.")


def _mistakes_in_chips(room: RoomPlan) -> Iterator[Mistake]:
    for chip in room.chips:
        way = ("chips", chip.key)
        if (chip.label is None) == (chip.device is None):
            yield Mistake(
                way,
                f"Chip {chip.key} must be found by its label or by its device: give one of the two "
                '(label = "mcp23017" or device = "/dev/gpiochip1").',
            )
        if chip.lines < 1:
            yield Mistake((*way, "lines"), f"Chip {chip.key} has {chip.lines} lines: say how many it has.")
    for key, times in Counter(chip.key for chip in room.chips).items():
        if times > 1:
            yield Mistake(("chips", key), f"{times} chips are called {key}: give each a name of its own.")


_BUS_CURES = {
    Bus.I2C: "leave I2C switched off, and mind that these two have pull-ups of 1.8k on the board",
    Bus.SPI: "leave SPI switched off (sudo raspi-config, Interface Options)",
    Bus.UART: "leave the serial port and its console switched off (sudo raspi-config, Interface Options)",
}


def advice_on(room: RoomPlan) -> tuple[Mistake, ...]:
    """What works in ``room`` only as long as something else is left alone."""
    advice = []
    for bus, pins in BUS_PINS.items():
        on_bus = [one for one in room.wired_pins() if one.chip == HEADER and one.pin in pins]
        if on_bus and bus not in room.buses:
            numbers = listed([str(one.pin) for one in on_bus])
            advice.append(
                Mistake(
                    on_bus[0].way,
                    f"GPIO {numbers} ({listed([one.what for one in on_bus])}): {bus.name} uses "
                    f"{'this pin' if len(on_bus) == 1 else 'these pins'} too: {_BUS_CURES[bus]}.",
                )
            )
    return tuple(advice)


def listed(names: Sequence[str]) -> str:
    """``names`` as they stand in a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def no_sensors() -> Room:
    """People say where they are on their phones, or the host taps it."""
    return Room("no sensors")


class Standing(Struct, frozen=True):
    """Where a figure of a simulated room stands."""

    figure: str
    place: str
    sensor: str | None = None
    """The key of the sensor under it; None where it stands on none."""


class LivingRoom(Protocol):
    """A simulated room: figures (people, cushions) are put onto its sensors. Safe for several threads."""

    def put(self, figure: str, place: str, *, token: int | None) -> None:
        """Stand ``figure`` at ``place``, having left wherever it stood.

        There it stands on the mat that belongs to ``token`` (None: nobody's) if there is one, else on the
        first anonymous one with room left, else on the last of them together with others; with no mat for
        it, beside them. One who stands on an anonymous mat there already stays on it. Raises BadInput for
        an unknown place.
        """
        ...

    def put_on(self, figure: str, sensor_key: str) -> None:
        """Stand ``figure`` on exactly this sensor, whoever's it is. Raises BadInput for an unknown one."""
        ...

    def remove(self, figure: str) -> None:
        """Take ``figure`` out of the room; nothing happens if it is not there."""
        ...

    def where(self) -> tuple[Standing, ...]:
        """Where everyone stands, in the order in which they first came in."""
        ...
