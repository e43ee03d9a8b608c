"""The journal: every event of a night in one SQLite file, written before anyone is told.

Each command is one transaction, on the disk before it is answered, so the process may be killed at any moment.
"""

import sqlite3
import time
import weakref
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, groupby
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pi_gm.chronicle import Step
from pi_gm.clock import Seconds
from pi_gm.errors import BadInput, PiGmError
from pi_gm.games import Game, GameEvent, Role, SecretEvent
from pi_gm.night import House, NightEvent, Rewound, SeatTaken
from pi_gm.players import SeatId

VERSION = 1
_APPLICATION = 0x50694764
_HEAD_LASTS = 72
"""Bytes of a file of SQLite, of which the last four are the number of the application."""

_SCHEMA = """
CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    step INTEGER NOT NULL,
    at REAL NOT NULL,
    role TEXT NOT NULL,
    seat TEXT,
    command TEXT,
    what TEXT,
    game TEXT,
    event TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT;
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""


_CANNOT_READ = (sqlite3.Error, UnicodeDecodeError)
"""What reading a file brings up that is no good; the second where SQLite's own words hold a piece of the damage."""
_NOT_THE_FILES_FAULT = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    }
)


class JournalDamaged(PiGmError, ValueError):
    """A journal cannot be read to its end; it must be set aside."""


class JournalOfAnotherVersion(PiGmError, ValueError):
    """A journal was written by another version of Pi GM; it must be set aside or read with that version."""


class JournalFailed(PiGmError, OSError):
    """Something could not be written; nothing of it happened."""


class EventLine(Struct, frozen=True, forbid_unknown_fields=True):
    """One event as a line of an exported night."""

    step: int
    at: Seconds
    by: str
    game: str | None
    """The game that the event belongs to; None for the table's own."""
    event: msgspec.Raw
    seat: str | None = None
    what: str | None = None


class Codec:
    """Turns events into JSON and back, for the table and every installed game."""

    def __init__(self, games: Iterable[Game]) -> None:
        self._encoder = msgspec.json.Encoder()
        self._table: msgspec.json.Decoder[Any] = msgspec.json.Decoder(NightEvent)
        self._games: dict[str, msgspec.json.Decoder[Any]] = {
            game.key: msgspec.json.Decoder(game.events) for game in games
        }

    def encode(self, event: GameEvent) -> str:
        return self._encoder.encode(event).decode()

    def decode(self, game: str | None, text: str | bytes) -> GameEvent:
        """Raises KeyError for a game that is not installed, msgspec.DecodeError for what is no event of it."""
        event: GameEvent = (self._table if game is None else self._games[game]).decode(text)
        return event


def is_of_table(event: GameEvent) -> bool:
    """Whether the event belongs to the table, not to the game that is on."""
    return isinstance(event, NightEvent)


class Journal:
    """An open journal. Its methods may be called by any thread, one at a time."""

    def __init__(self, path: Path, house: House) -> None:
        """Open the journal at ``path``, or begin one.

        Raises JournalDamaged or JournalOfAnotherVersion, and leaves what it found as it is; JournalFailed where the
        disk or the folder does not let us have it.
        """
        self.path = path
        self._codec = Codec(house.games.values())
        try:
            if not path.exists():
                _begin(path)
            self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            # A journal that is dropped without being closed, as by an error on the way, still lets go of its file.
            weakref.finalize(self, self._database.close)
        except OSError as fault:
            raise JournalFailed(f"the journal {path} cannot be made ({fault.strerror})") from fault
        except sqlite3.Error as fault:
            raise self._trouble(fault) from fault
        try:
            self._check()
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._seq: int = self._database.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()[0]
        except _CANNOT_READ as fault:
            self._database.close()
            raise self._trouble(fault) from fault
        except PiGmError:
            self._database.close()
            raise

    def _check(self) -> None:
        (application,) = self._database.execute("PRAGMA application_id").fetchone()
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        if application != _APPLICATION:
            raise JournalDamaged(f"{self.path} is not a journal of Pi GM")
        if version != VERSION:
            raise JournalOfAnotherVersion(
                f"the journal {self.path} was written by another version of Pi GM (journal {version}, here {VERSION})"
            )
        (fault,) = self._database.execute("PRAGMA quick_check(1)").fetchone()
        if fault != "ok":
            raise JournalDamaged(f"the journal {self.path} is damaged ({fault.splitlines()[-1]})")
        self._database.execute("SELECT name, value FROM fact LIMIT 1")

    def _trouble(self, fault: Exception) -> PiGmError:
        """What to say of ``fault``: that the file is no good, or that the machine does not let us have it."""
        if (getattr(fault, "sqlite_errorcode", 0) & 0xFF) in _NOT_THE_FILES_FAULT:
            return JournalFailed(
                f"the journal {self.path} cannot be used ({fault}): is the disk full, or the folder somebody else's?"
            )
        return JournalDamaged(f"the journal {self.path} is damaged ({fault})")

    def append(self, step: Step) -> None:
        """Write ``step``, whole or not at all, and return when it is on the disk. Raises JournalFailed."""
        rows = [self._row(self._seq + place, step, event) for place, event in enumerate(step.events, start=1)]
        try:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._database.execute("COMMIT")
        except sqlite3.Error as fault:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise JournalFailed(
                f"the journal {self.path} cannot be written ({fault}): is the disk full, or the file somebody else's?"
            ) from fault
        self._seq += len(rows)

    def _row(self, seq: int, step: Step, event: GameEvent) -> tuple[object, ...]:
        row = (
            seq,
            step.number,
            float(step.at),
            step.role.value,
            step.seat,
            step.command_id,
            step.what,
            None if is_of_table(event) else step.game,
            self._codec.encode(event),
        )
        return (*row, _sum(row))

    def steps(self) -> Iterator[Step]:
        """Every step, the first first. Raises JournalDamaged where one cannot be understood."""
        try:
            rows = self._database.execute(
                "SELECT seq, step, at, role, seat, command, what, game, event, sum FROM event ORDER BY seq"
            )
            for number, of_step in groupby(enumerate(rows, start=1), key=lambda numbered: numbered[1][1]):
                yield self._step(number, list(of_step))
        except _CANNOT_READ as fault:
            raise self._trouble(fault) from fault

    def _step(self, number: int, numbered: list[tuple[int, tuple[Any, ...]]]) -> Step:
        events = []
        chosen = ""
        for expected, (*row, total) in numbered:
            seq, *_, game, text = row
            if seq != expected or total != _sum(tuple(row)):
                raise JournalDamaged(f"the journal {self.path} is damaged at event {expected}")
            try:
                events.append(self._codec.decode(game, text))
            except (KeyError, msgspec.DecodeError) as fault:
                raise JournalDamaged(
                    f"the journal {self.path} cannot be understood at event {seq} ({fault})"
                ) from fault
            chosen = game or chosen
        _, (_, _, at, role, seat, command, what, _, _, _) = numbered[0]
        return Step(
            number=number,
            at=at,
            role=Role(role),
            game=chosen,
            events=tuple(events),
            seat=SeatId(seat) if seat is not None else None,
            command_id=command,
            what=what,
        )

    def fact(self, name: str) -> str | None:
        """Something kept beside the events; None where it was never set."""
        try:
            row = self._database.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        except _CANNOT_READ as fault:
            raise self._trouble(fault) from fault
        return None if row is None else str(row[0])

    def set_fact(self, name: str, value: str) -> None:
        """Keep something beside the events. Raises JournalFailed."""
        try:
            self._database.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, value))
        except sqlite3.Error as fault:
            raise JournalFailed(
                f"the journal {self.path} cannot be written ({fault}): is the disk full, or the file somebody else's?"
            ) from fault

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def _begin(path: Path) -> None:
    """Make an empty journal at ``path``, whole at the first moment that it is there."""
    making = path.with_name(f"{path.name}.new")
    making.unlink(missing_ok=True)
    making.touch(mode=0o600)
    database = sqlite3.connect(making, isolation_level=None)
    try:
        database.executescript(
            f"BEGIN; PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {VERSION}; {_SCHEMA}"
        )
        database.execute("INSERT INTO fact VALUES ('began', ?)", (time.strftime("%Y-%m-%d %H:%M"),))
        database.execute("COMMIT")
    finally:
        database.close()
    making.rename(path)


def _sum(row: tuple[object, ...]) -> int:
    """What tells that a row is as it was written."""
    return zlib.crc32(repr(row).encode())


def set_aside(path: Path) -> Path:
    """Move the journal at ``path``, with what SQLite keeps beside it, out of the way; returns where it lies now."""
    names = (path.with_name(f"{path.name}.set-aside-{number}") for number in count(1))
    aside = next(name for name in names if not name.exists())
    for ending in ("", "-wal", "-shm"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    return aside


def is_of_journal(path: Path) -> bool:
    """Whether ``path`` is the file of a journal, whatever its name, or one that SQLite keeps beside it.

    Raises OSError where it cannot be looked at.
    """
    for ending in ("", "-wal", "-shm"):
        whole = path.with_name(path.name.removesuffix(ending))
        if path.name.endswith(ending) and whole.is_file():
            with whole.open("rb") as file:
                head = file.read(_HEAD_LASTS)
            if head.startswith(b"SQLite format 3") and head.endswith(_APPLICATION.to_bytes(4, "big")):
                return True
    return False


def newest(folder: Path) -> Path | None:
    """The journal of the newest night in ``folder``; None where there is none."""
    return max(folder.glob("night-*.sqlite"), default=None, key=_number_of)


def new_path(folder: Path) -> Path:
    """Where the journal of a night that begins now belongs.

    Nights are numbered, not dated: a Pi without a battery for its clock may think that it is last year.
    """
    last = newest(folder)
    return folder / f"night-{1 if last is None else _number_of(last) + 1:04}.sqlite"


def _number_of(path: Path) -> int:
    digits = path.stem.removeprefix("night-")
    return int(digits) if digits.isdecimal() else 0


def export(steps: Iterable[Step]) -> Iterator[bytes]:
    """A night as JSON lines, without the credentials of phones and hosts."""
    codec = Codec(())
    encoder = msgspec.json.Encoder()
    for step in steps:
        for event in step.events:
            of_table = is_of_table(event)
            if of_table and isinstance(event, SecretEvent):
                continue
            shown = replace(event, phone=None) if isinstance(event, SeatTaken) else event
            yield encoder.encode(
                EventLine(
                    step=step.number,
                    at=round(step.at, 3),
                    by=step.role.value,
                    game=None if of_table else step.game,
                    event=msgspec.Raw(codec.encode(shown).encode()),
                    seat=step.seat,
                    what=step.what,
                )
            )


def read_export(lines: Iterable[bytes], house: House) -> Iterator[Step]:
    """The steps of an exported night, counted anew. Raises BadInput naming the line, what is wrong and the cure."""
    numbers: dict[int, int] = {}
    for exported, of_step in groupby(_read_lines(lines, house), key=lambda read: read.line.step):
        read = list(of_step)
        numbers[exported] = number = len(numbers) + 1
        line = read[0].line
        yield Step(
            number=number,
            at=line.at,
            role=Role(line.by),
            game=line.game or "",
            events=tuple(_counted_anew(each, numbers) for each in read),
            seat=SeatId(line.seat) if line.seat is not None else None,
            what=line.what,
        )


class _ReadLine(Struct, frozen=True):
    place: int
    """The number of the line in its file."""
    line: EventLine
    event: GameEvent


def _read_lines(lines: Iterable[bytes], house: House) -> Iterator[_ReadLine]:
    codec = Codec(house.games.values())
    decoder = msgspec.json.Decoder(EventLine)
    for place, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            line = decoder.decode(text)
            Role(line.by)
            yield _ReadLine(place, line, codec.decode(line.game, bytes(line.event)))
        except (ValueError, KeyError, RecursionError) as fault:
            raise _cannot_read(place, str(fault)) from fault


def _counted_anew(read: _ReadLine, numbers: Mapping[int, int]) -> GameEvent:
    """The event; one that takes a step back names it by its new number."""
    if not isinstance(read.event, Rewound):
        return read.event
    if read.event.step not in numbers:
        raise _cannot_read(read.place, f"there is no step {read.event.step} before it")
    return replace(read.event, step=numbers[read.event.step])


def _cannot_read(place: int, fault: str) -> BadInput:
    return BadInput(f"line {place}: {fault}: write the night anew with pi-gm export")
