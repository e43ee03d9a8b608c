"""The file that describes a room: read with every mistake at once, each with its line and its cure, and written back."""

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.errors import BadInput
from pi_gm.floor import HEADER, Normally, Sensor, SensorKind
from pi_gm.room import (
    Answer,
    Bus,
    Buzzer,
    BuzzerKind,
    Chip,
    DecisionButton,
    Lamp,
    Mistake,
    Place,
    Room,
    RoomPlan,
    StartButton,
    Way,
    advice_on,
    mistakes_in,
)
from pi_gm.toml_lines import Key, lines_of_keys
from pi_gm.whole_file import write_whole

ANY = "any"
"""How the file says that any number of people can stand on a sensor."""
NOISE: Mapping[SensorKind, tuple[Seconds, Seconds]] = {
    SensorKind.MAT: (0.05, 0.15),
    SensorKind.BUTTON: (0.03, 0.03),
}
"""The press and release times of a sensor whose room does not say them."""
_NO_PIN = -1
_LARGEST_FILE = 1_000_000

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


class Remark(Struct, frozen=True):
    """A sentence about one place in a room's file."""

    line: int | None
    """From 1; None where it is about the file as a whole."""
    text: str


class WrongRoom(BadInput):
    """A room's file that cannot be used. Its text has a line for each mistake."""

    def __init__(self, source: str, mistakes: Sequence[Remark]) -> None:
        self.source = source
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(located(source, remark) for remark in mistakes))


class RoomFile(Struct, frozen=True):
    """A room as its file says it."""

    room: Room
    advice: tuple[Remark, ...] = ()
    """What works only as long as something else on the machine is left alone."""


def located(source: str, remark: Remark) -> str:
    """``remark`` with the file and line that it is about in front."""
    where = source if remark.line is None else f"{source}:{remark.line}"
    return f"{where}: {remark.text}"


def room_file() -> Path:
    """Where this machine's room is kept: where the service is told to look, or the user's own place for such things."""
    given = os.environ.get("CONFIGURATION_DIRECTORY")
    if given:
        return Path(given.split(":")[0]) / "room.toml"
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "pi-gm" / "room.toml"


def read_room(path: Path) -> RoomFile:
    """The room that the file at ``path`` describes. Raises WrongRoom, with every mistake in it."""
    content = b""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
        text = content.decode("utf-8-sig")
    except FileNotFoundError as fault:
        raise WrongRoom(
            str(path), [Remark(None, "There is no such file: start from a room that comes along.")]
        ) from fault
    except OSError as fault:
        raise WrongRoom(str(path), [Remark(None, f"It cannot be read: {fault.strerror}.")]) from fault
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise WrongRoom(
            str(path), [Remark(line, "This is no text in UTF-8: save the file as UTF-8.")]
        ) from fault
    if len(content) > _LARGEST_FILE:
        raise WrongRoom(str(path), [Remark(None, "It is too long for a room: name a room's file.")])
    return room_from_toml(text, str(path))


def room_from_toml(text: str, source: str = "room.toml") -> RoomFile:
    """The room that ``text`` describes; ``source`` is named in mistakes. Raises WrongRoom, with every mistake in it."""
    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise WrongRoom(source, [_syntax_remark(str(fault), text)]) from fault
    lines = lines_of_keys(text)
    mistakes: list[Mistake] = []
    plan = _plan(_Table((), tables, mistakes))
    wrong = {mistake.way for mistake in mistakes}
    mistakes += [later for later in mistakes_in(plan) if later.way not in wrong]
    if mistakes:
        remarks = [Remark(_line_of(mistake.way, lines), mistake.text) for mistake in mistakes]
        raise WrongRoom(source, sorted(remarks, key=lambda remark: remark.line or 0))
    room = Room(**msgspec.structs.asdict(plan))
    return RoomFile(room, tuple(Remark(_line_of(one.way, lines), one.text) for one in advice_on(room)))


def _syntax_remark(fault: str, text: str) -> Remark:
    found = re.search(r" \((?:at line (\d+), column \d+|at end of document)\)$", fault)
    if found is None:
        return Remark(None, f"This is no TOML: {fault}.")
    line = int(found[1]) if found[1] else text.count("\n") + 1
    what = fault[: found.start()]
    if what.startswith("Cannot overwrite"):
        return Remark(
            line, "This was said before in the same table: give it another name, or take one of the two out."
        )
    return Remark(
        line, f"This is no TOML: {what}. Numbers stand bare, texts in quotes, and a table's entries in {{ }}."
    )


def _line_of(way: Way, lines: Mapping[Key, int]) -> int | None:
    """The line of what ``way`` leads to, or of the nearest thing around it that the file has."""
    for length in range(len(way), 0, -1):
        if way[:length] in lines:
            return lines[way[:length]]
    return None


class _Table:
    """A table of the file, of which each key is taken once; what is left over is unknown."""

    def __init__(self, way: Way, values: Mapping[str, Any], mistakes: list[Mistake]) -> None:
        """What is wrong is added to ``mistakes``."""
        self._mistakes = mistakes
        self.way = way
        self._values = values
        self._asked: list[str] = []

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self._values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def wrong(self, key: str, text: str) -> None:
        self._mistakes.append(Mistake((*self.way, key) if key else self.way, text))

    def _take(self, key: str, default: T, is_right: Callable[[Any], bool], wanted: str) -> T:
        self._asked.append(key)
        value = self._values.get(key, default)
        if value is default or is_right(value):
            return value  # type: ignore[no-any-return]
        self.wrong(key, f"{self._called(key)} is {_shown(value)}: it must be {wanted}.")
        return default

    def _called(self, key: str) -> str:
        return ".".join(str(part) for part in (*self.way, key))

    def text(self, key: str) -> str | None:
        return self._take(
            key, None, lambda value: isinstance(value, str) and value.strip() != "", "a text in quotes"
        )

    def needed_text(self, key: str, cure: str, stand_in: str) -> str:
        if key not in self:
            self.wrong(key, f"{self._called(key)} is missing: {cure}.")
        return self.text(key) or stand_in

    def whole(self, key: str, default: T) -> int | T:
        return self._take(key, default, _is_whole, "a whole number")

    def pin(self, key: str = "pin") -> int:
        if key not in self:
            self.wrong(key, f"{self._called(key)} is missing: say the pin's BCM number.")
        return self.whole(key, _NO_PIN)

    def seconds(self, key: str, default: Seconds) -> Seconds:
        return float(self._take(key, default, _is_number, "a number of seconds, such as 0.15"))

    def yes(self, key: str) -> bool:
        return self._take(key, False, lambda value: isinstance(value, bool), "true or false")

    def counts(self) -> int | None:
        if self._values.get("counts") == ANY:
            self._asked.append("counts")
            return None
        return self._take("counts", 1, _is_whole, f'a whole number, or "{ANY}" for any number')

    def choice(self, key: str, default: E) -> E:
        kind = type(default)
        values = [one.value for one in kind]
        value = self._take(key, default.value, lambda value: value in values, _one_of(values))
        return kind(value)

    def choices(self, key: str, kind: type[E]) -> tuple[E, ...]:
        values = [one.value for one in kind]
        empty: list[Any] = []
        named = self._take(
            key,
            empty,
            lambda value: isinstance(value, list) and all(one in values for one in value),
            f"a list with some of {', '.join(map(_shown, values))}",
        )
        return tuple(dict.fromkeys(kind(one) for one in named))

    def table(self, key: str) -> "_Table | None":
        """The table at ``key``; None where there is none."""
        empty: dict[str, Any] = {}
        values = self._take(
            key, empty, lambda value: isinstance(value, dict), "a table: write { } around its entries"
        )
        return None if values is empty else _Table((*self.way, key), values, self._mistakes)

    def tables(self, key: str) -> Sequence["_Table"]:
        """The tables in the table at ``key``, each under its name."""
        around = self.table(key)
        if around is None:
            return ()
        found = [around.table(name) for name in around.keys]
        return [table for table in found if table is not None]

    @property
    def name(self) -> str:
        return str(self.way[-1])

    def end(self) -> None:
        """Call whatever was not asked for unknown."""
        for key in self._values:
            if key in self._asked:
                continue
            near = get_close_matches(key, self._asked, n=1)
            cure = f"did you mean {near[0]}?" if near else f"there are {', '.join(self._asked)}."
            self.wrong(key, f"{self._called(key)} means nothing here: {cure}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
        case dict():
            return "a table"
        case list():
            return "a list"
        case _:
            return str(value)


def _one_of(values: Iterable[str]) -> str:
    return " or ".join(map(_shown, values))


def _plan(file: _Table) -> RoomPlan:
    plan = RoomPlan(
        name=file.needed_text("name", 'give the room a name, such as name = "living room"', "room"),
        places=tuple(_place(table) for table in file.tables("places")),
        sensors=tuple(_sensor(table) for table in file.tables("sensors")),
        decisions=tuple(button for table in file.tables("decisions") for button in _decisions(table)),
        start=_start(file.table("start")),
        lamps=tuple(_lamp(table) for table in file.tables("lamps")),
        buzzer=_buzzer(file.table("buzzer")),
        chips=tuple(_chip(table) for table in file.tables("chips")),
        buses=file.choices("buses", Bus),
    )
    file.end()
    return plan


def _place(table: _Table) -> Place:
    place = Place(table.name, name=table.text("name") or "", by_phone=table.yes("by_phone"))
    table.end()
    return place


def _sensor(table: _Table) -> Sensor:
    kind = table.choice("kind", SensorKind.MAT)
    press, release = NOISE[kind]
    sensor = Sensor(
        key=table.name,
        pin=table.pin(),
        place=table.needed_text("place", "say at which place it lies", "water"),
        owner=table.whole("owner", None),
        counts=table.counts(),
        kind=kind,
        normally=table.choice("normally", Normally.OPEN),
        press=table.seconds("press", press),
        release=table.seconds("release", release),
        chip=table.text("chip") or HEADER,
    )
    table.end()
    return sensor


def _decisions(table: _Table) -> Sequence[DecisionButton]:
    owner = int(table.name) if table.name.isascii() and table.name.isdigit() else None
    if owner is None:
        table.wrong(
            "", f"decisions.{table.name} is no token: write the number of a player's token before the =."
        )
    chip, normally = table.text("chip") or HEADER, table.choice("normally", Normally.OPEN)
    press = table.seconds("press", NOISE[SensorKind.BUTTON][0])
    buttons = [
        DecisionButton(owner or 1, answer, table.pin(answer.value), chip, normally, press)
        for answer in Answer
        if answer.value in table
    ]
    for answer in Answer:
        if answer.value not in table:
            table.wrong(
                answer.value, f"decisions.{table.name}.{answer.value} is missing: say the pin of that button."
            )
            table.whole(answer.value, _NO_PIN)
    table.end()
    return buttons


def _start(table: _Table | None) -> StartButton | None:
    if table is None:
        return None
    button = StartButton(
        pin=table.pin(),
        chip=table.text("chip") or HEADER,
        normally=table.choice("normally", Normally.OPEN),
        press=table.seconds("press", NOISE[SensorKind.BUTTON][0]),
    )
    table.end()
    return button


def _lamp(table: _Table) -> Lamp:
    lamp = Lamp(table.name, pin=table.pin(), chip=table.text("chip") or HEADER)
    table.end()
    return lamp


def _buzzer(table: _Table | None) -> Buzzer | None:
    if table is None:
        return None
    buzzer = Buzzer(
        pin=table.pin(), kind=table.choice("kind", BuzzerKind.ACTIVE), chip=table.text("chip") or HEADER
    )
    table.end()
    return buzzer


def _chip(table: _Table) -> Chip:
    chip = Chip(
        table.name, label=table.text("label"), device=table.text("device"), lines=table.whole("lines", 16)
    )
    table.end()
    return chip


# Writing


def room_to_toml(room: RoomPlan) -> str:
    """``room`` as a file that reads back as the same room."""
    parts = [f"# Written by Pi GM. Pins are BCM numbers.\nname = {_shown(room.name)}"]
    if room.buses:
        parts[0] += f"\nbuses = [{', '.join(_shown(bus.value) for bus in room.buses)}]"
    parts += _table_of(
        "places", {p.key: {"name": p.name or None, "by_phone": p.by_phone or None} for p in room.places}
    )
    parts += _table_of(
        "chips", {c.key: {"label": c.label, "device": c.device, "lines": c.lines} for c in room.chips}
    )
    parts += _table_of("sensors", {sensor.key: _said_of(sensor) for sensor in room.sensors})
    parts += _table_of("decisions", _said_of_decisions(room.decisions))
    if room.start is not None:
        parts += _table_of("start", _said_of_button(room.start))
    if room.buzzer is not None:
        parts += _table_of(
            "buzzer", _on_chip(room.buzzer.chip, pin=room.buzzer.pin, kind=room.buzzer.kind.value)
        )
    parts += _table_of("lamps", {lamp.place: _on_chip(lamp.chip, pin=lamp.pin) for lamp in room.lamps})
    return "\n\n".join(parts) + "\n"


def _on_chip(chip: str, **said: Any) -> dict[str, Any]:
    return {**said, "chip": None if chip == HEADER else chip}


def _said_of(sensor: Sensor) -> dict[str, Any]:
    press, release = NOISE[sensor.kind]
    return _on_chip(
        sensor.chip,
        pin=sensor.pin,
        place=sensor.place,
        owner=sensor.owner,
        counts={1: None, None: ANY}.get(sensor.counts, sensor.counts),
        kind=None if sensor.kind is SensorKind.MAT else sensor.kind.value,
        normally=_unless_open(sensor.normally),
        press=None if sensor.press == press else sensor.press,
        release=None if sensor.release == release else sensor.release,
    )


def _unless_open(normally: Normally) -> str | None:
    return None if normally is Normally.OPEN else normally.value


def _said_of_button(button: StartButton | DecisionButton) -> dict[str, Any]:
    press = NOISE[SensorKind.BUTTON][0]
    return _on_chip(
        button.chip,
        pin=button.pin,
        normally=_unless_open(button.normally),
        press=None if button.press == press else button.press,
    )


def _said_of_decisions(buttons: Sequence[DecisionButton]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for button in buttons:
        one = said.setdefault(str(button.owner), {})
        one |= {**_said_of_button(button), "pin": None, button.answer.value: button.pin}
    return said


def _table_of(name: str, said: Mapping[str, Any]) -> list[str]:
    lines = [f"{_key(key)} = {_value(value)}" for key, value in said.items() if value is not None]
    return ["\n".join([f"[{name}]", *lines])] if lines else []


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _shown(key)


def _value(value: Any) -> str:
    if not isinstance(value, dict):
        return _shown(value)
    inside = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items() if one is not None)
    return f"{{ {inside} }}" if inside else "{}"


def write_room(path: Path, room: Room) -> Path | None:
    """Write ``room`` to ``path``, whole or not at all; the file that was there is kept beside it.

    Returns the path under which the old file is kept (``room.toml.1``, the next free number); None where there was
    none. Raises BadInput where it cannot be written; then nothing has changed.
    """
    kept = _free_name_beside(path) if path.exists() else None
    try:
        if kept is not None:
            write_whole(kept, path.read_bytes())
        try:
            write_whole(path, room_to_toml(room).encode())
        except OSError:
            if kept is not None:
                kept.unlink()
            raise
    except OSError as fault:
        raise BadInput(
            f"{path} cannot be written: {fault.strerror}. Choose a folder that may be written to."
        ) from fault
    return kept


def _free_name_beside(path: Path) -> Path:
    number = 1
    while (beside := path.with_name(f"{path.name}.{number}")).exists():
        number += 1
    return beside
