"""``pi-gm export`` and ``pi-gm replay``: nights that were played, as JSON lines and back."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from pi_gm.chronicle import Chronicle
from pi_gm.cli.reading import STANDARD_INPUT, lines_of
from pi_gm.errors import BadInput, PiGmError
from pi_gm.folders import nights_folder
from pi_gm.games import installed_games
from pi_gm.journal import Journal, export, is_of_journal, newest, read_export
from pi_gm.night import House
from pi_gm.players import Seat
from pi_gm.room import no_sensors
from pi_gm.whole_file import write_whole


def add_to(commands: Any) -> None:
    """Add the commands to those of the program."""
    exporting = commands.add_parser(
        "export",
        help="write a night as JSON lines, one event a line",
        description="Writes a night that was played, or is being played, as JSON lines: one event a line, with every secret.",
    )
    exporting.add_argument("journal", nargs="?", help="a night's journal; left out: the newest night")
    exporting.add_argument("--data", type=Path, help="the folder in which the nights are kept")
    exporting.add_argument("--out", type=Path, help="the file to write; left out: standard output")
    exporting.set_defaults(command=_export)
    replaying = commands.add_parser(
        "replay",
        help="play an exported night again and print how it ended",
        description="Reads a night as JSON lines, plays it again event by event and prints how it ended.",
    )
    replaying.add_argument(
        "file", nargs="?", default=STANDARD_INPUT, help="an exported night; left out or -: standard input"
    )
    replaying.add_argument("--json", action="store_true", help="print the end as one JSON object")
    replaying.set_defaults(command=_replay)


def _house() -> House:
    return House(installed_games(), no_sensors())


def _export(asked: argparse.Namespace) -> int:
    folder = asked.data or nights_folder()
    path = Path(asked.journal) if asked.journal else newest(folder)
    if path is None or not path.is_file():
        where = path if path is not None else folder
        raise BadInput(f"there is no night at {where}: play one first, or name its journal")
    journal = Journal(path, _house())
    try:
        lines = (line + b"\n" for line in export(journal.steps()))
        if asked.out is None:
            sys.stdout.buffer.writelines(lines)
            sys.stdout.buffer.flush()
        else:
            _write(lines, asked.out)
    finally:
        journal.close()
    return 0


def _write(lines: Iterable[bytes], out: Path) -> None:
    """Write ``lines`` to ``out``. Raises BadInput where that cannot be done; what was there is there still."""
    try:
        # What a link names is written anew, and stays what the link names.
        where = out.resolve()
        if is_of_journal(where):
            raise BadInput(
                f"{out} belongs to a night's journal, which would be lost: name another file to write to"
            )
        if where.is_file() or (not where.exists() and where.parent.is_dir()):
            write_whole(where, b"".join(lines))
        else:
            # A pipe or a device, of which there is nothing to keep; or nothing that can be written.
            with where.open("wb") as file:
                file.writelines(lines)
    except (OSError, RuntimeError, ValueError) as fault:
        if isinstance(fault, PiGmError):
            raise
        why = getattr(fault, "strerror", None) or fault
        raise BadInput(
            f"{out} cannot be written ({why}): name a file in a folder that is there and yours"
        ) from fault


def _replay(asked: argparse.Namespace) -> int:
    with lines_of(asked.file, "name an exported night") as lines:
        return _replay_lines(lines, asked.json)


def _replay_lines(lines: Iterable[bytes], as_json: bool) -> int:
    every = list(lines)
    key, state, seats = _written(every) or _exported(every)
    game = installed_games()[key]
    if as_json:
        print(msgspec.json.encode(game.summary(state, seats)).decode())
    else:
        print("\n".join(game.told(state, seats)))
    return 0


def _written(lines: list[bytes]) -> tuple[str, Any, tuple[Seat, ...]] | None:
    """The end of a night that a person wrote; None for an exported one, whose lines have the member ``step``."""
    number, first = next(((n, line) for n, line in enumerate(lines, start=1) if line.strip()), (1, b""))
    able = {key: game.written for key, game in installed_games().items() if game.written is not None}
    try:
        head = msgspec.json.decode(first)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadInput(
            f"line {number}: {fault}: begin a night written by hand with its game, seats and pile, "
            "or write one that was played with pi-gm export"
        ) from fault
    if isinstance(head, dict) and "step" in head:
        return None
    key = head.get("game") if isinstance(head, dict) else None
    if not isinstance(key, str) or key not in able:
        raise BadInput(
            f"line {number}: game: nights of {key!r} cannot be written by hand: write {' or '.join(able)}"
        )
    return (key, *able[key](lines))


def _exported(lines: list[bytes]) -> tuple[str, Any, tuple[Seat, ...]]:
    house = _house()
    chronicle = Chronicle(house)
    try:
        for step in read_export(lines, house):
            chronicle.take(step)
    except (ValueError, TypeError, LookupError) as fault:
        if isinstance(fault, BadInput):
            raise
        raise BadInput(
            f"these lines do not make a night ({fault}): write it anew with pi-gm export"
        ) from fault
    night = chronicle.night
    if night.play is None:
        raise BadInput("no game was begun in this night: choose another")
    return night.game, night.play, night.seats
