"""``pi-gm doctor``: what is right and wrong with this machine and its room, one line a check, each with its cure."""

import argparse
import os
from pathlib import Path
from typing import Any

import msgspec

from hardware.doctor import Finding, Machine, Verdict, check_machine, check_wiring, exit_code
from pi_gm.cli.own_room import own_file
from pi_gm.folders import nights_folder
from pi_gm.installed import SERVICE, Caller, become_service, caller, folder_to_work_in
from pi_gm.room import Room
from pi_gm.rooms import ROOMS
from pi_gm.settings import RoomFile, WrongRoom, located, read_room

_SIGNS = {Verdict.GOOD: "ok", Verdict.WARNING: "mind", Verdict.BAD: "BAD", Verdict.UNCHECKED: "-"}


def add_to(commands: Any) -> None:
    """Add the command to those of the program."""
    parser = commands.add_parser(
        "doctor",
        help="check this machine and the room's pins, and say what to do about what is wrong",
        description="One line a check, with the cure where something is wrong. Ends with 1 if anything is bad. "
        "Nobody should be on a mat meanwhile.",
    )
    parser.add_argument("--room", help=f"{', '.join(ROOMS)}, or a room.toml (left out: this machine's own)")
    parser.add_argument(
        "--listen", type=float, default=3.0, help="for how many seconds to listen to the mats (3)"
    )
    parser.add_argument("--data", type=Path, help="the folder in which the nights are kept")
    parser.add_argument("--json", action="store_true", help="print the findings as one JSON object")
    parser.set_defaults(command=_doctor)


def _doctor(asked: argparse.Namespace) -> int:
    machine = Machine()
    folder, whose = _nights(asked.data)
    room, findings = (None, ()) if folder is None else _room(asked.room, folder)
    findings = (whose, *findings, *check_machine(machine, folder))
    if room is not None:
        findings = (*findings, *check_wiring(room, machine, listen=asked.listen))
    code = exit_code(findings)
    if asked.json:
        print(msgspec.json.encode({"good": code == 0, "findings": findings}).decode())
        return code
    for finding in findings:
        print(f"{_SIGNS[finding.verdict]:<5} {finding.check:<18} {finding.says}")
        if finding.cure is not None:
            print(f"{'':<5} {'':<18} {finding.cure}")
    return code


def _nights(asked: Path | None) -> tuple[Path | None, Finding]:
    """The folder to look at, and whose it is; None where this user cannot look at the service's."""
    if asked is not None:
        return asked, Finding("nights", Verdict.GOOD, f"Those in {asked}, as they were asked for.")
    match caller():
        case Caller.OWNER:
            folder = nights_folder()
            return folder, Finding("nights", Verdict.GOOD, f"Your own, in {folder}.")
        case Caller.SOMEBODY:
            says = (
                f"The service keeps them, as the user {SERVICE.user}: its disk, room, pins, voice and speaker "
                "were not checked."
            )
            return None, Finding("nights", Verdict.UNCHECKED, says, "All of it: sudo pi-gm doctor")
        case Caller.MAY_BECOME_SERVICE:
            become_service()
            os.chdir(folder_to_work_in())
    return SERVICE.nights, Finding(
        "nights", Verdict.GOOD, f"The service's, in {SERVICE.nights}, as its user {SERVICE.user}."
    )


def _room(asked: str | None, folder: Path) -> tuple[Room | None, tuple[Finding, ...]]:
    """The room to check, and what there is to say of its file."""
    if asked is not None and asked in ROOMS:
        return ROOMS[asked], (Finding("room", Verdict.GOOD, f"{ROOMS[asked].name}, which comes along."),)
    path = Path(asked) if asked is not None else own_file(folder)
    if asked is None and not path.exists():
        return None, (Finding("room", Verdict.UNCHECKED, f"There is no {path}: no pins were checked."),)
    try:
        file: RoomFile = read_room(path)
    except WrongRoom as wrong:
        cure = "Put that right in the file; then check again."
        return None, tuple(
            Finding("room", Verdict.BAD, located(wrong.source, mistake), cure) for mistake in wrong.mistakes
        )
    advice = tuple(
        Finding("room", Verdict.WARNING, located(str(path), one), "See the line on overlays.")
        for one in file.advice
    )
    return file.room, (Finding("room", Verdict.GOOD, f"{file.room.name} ({path})."), *advice)
