"""``pi-gm settle``: who sank and who scored, for people who play with paper."""

import argparse
import sys
from collections.abc import Iterable
from typing import Any

import msgspec

from pi_gm.cli.reading import STANDARD_INPUT, lines_of
from pi_gm.errors import BadInput
from pi_gm.games.animal_crossing.paper import in_words, read_round, settle_on_paper

_EXAMPLE = """\
One round a line, as JSON:
  {"loads": {"A": 7, "B": 10}, "players": [{"name": "Ana", "animal": "dog", "place": "A"},
                                           {"name": "Ben", "animal": "cat", "place": "island"}]}
(on one line). A place is the name of a raft, "island" or "water".
"""


def add_to(commands: Any) -> None:
    """Add the command to those of the program."""
    parser = commands.add_parser(
        "settle",
        help="settle rounds of Animal Crossing that were played with paper",
        description="Reads rounds of Animal Crossing and says who sank, who scored what, and why.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "file", nargs="?", default=STANDARD_INPUT, help="a file of rounds; left out or -: standard input"
    )
    parser.add_argument("--json", action="store_true", help="answer with one line of JSON a round")
    parser.set_defaults(command=_settle)


def _settle(asked: argparse.Namespace) -> int:
    with lines_of(asked.file, "name a file of rounds") as lines:
        return _settle_lines(lines, asked.json)


def _settle_lines(lines: Iterable[bytes], as_json: bool) -> int:
    """Answer each line at once, so that what is good before a bad one is answered."""
    settled = 0
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            answer = settle_on_paper(read_round(text))
        except BadInput as fault:
            sys.stdout.flush()
            raise BadInput(f"line {number}: {fault}") from fault
        settled += 1
        if as_json:
            print(msgspec.json.encode(answer.as_data()).decode())
        else:
            print(f"Round {settled}\n{in_words(answer)}\n")
    return 0
