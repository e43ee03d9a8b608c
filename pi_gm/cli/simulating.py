"""``pi-gm simulate``: bots play nights among themselves."""

import argparse
import secrets
import time
from collections import Counter
from random import Random
from typing import Any

import msgspec

from pi_gm.errors import BadInput
from pi_gm.games import Game, installed_games
from pi_gm.simulate import play_nights


def add_to(commands: Any) -> None:
    """Add the command to those of the program."""
    parser = commands.add_parser(
        "simulate",
        help="let bots play nights without pages or waiting, and see what happens in numbers",
        description="Bots play so many nights as fast as this machine can, and what happened is printed in numbers.",
    )
    parser.add_argument("nights", nargs="?", type=int, default=100, help="how many nights (100)")
    parser.add_argument("--players", type=int, default=6, help="how many bots play (6)")
    parser.add_argument("--game", default="animal-crossing", help="which game (animal-crossing)")
    parser.add_argument("--seed", type=int, help="a number that makes the same nights happen again")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="an option of the game, such as rounds=3 or loads=random; may be given several times",
    )
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.set_defaults(command=_simulate)


def _simulate(asked: argparse.Namespace) -> int:
    games = installed_games()
    if asked.game not in games:
        raise BadInput(f"there is no game {asked.game!r}: choose {' or '.join(games)}")
    if asked.nights < 1:
        raise BadInput(f"{asked.nights} nights cannot be played: choose 1 or more")
    game = games[asked.game]
    options = options_from(asked.set, game)
    seed = asked.seed if asked.seed is not None else secrets.randbits(32)
    counted: Counter[str] = Counter()
    began = time.perf_counter()
    for tally in play_nights(game, asked.nights, asked.players, options, Random(seed)):
        counted.update(tally)
    seconds = time.perf_counter() - began
    if asked.json:
        numbers = {"nights": asked.nights, "players": asked.players, "seed": seed, "counted": dict(counted)}
        print(msgspec.json.encode(numbers).decode())
        return 0
    print(f"{asked.nights} nights of {game.title} with {asked.players} players (seed {seed})")
    print(f"{seconds:.2f} s, {asked.nights / seconds:.0f} nights a second\n")
    print(f"{'':<28}{'in all':>10}{'a night':>10}")
    for what in sorted(counted):
        print(f"{what:<28}{counted[what]:>10}{counted[what] / asked.nights:>10.2f}")
    return 0


def options_from(settings: list[str], game: Game) -> Any:
    """The options of ``game`` with ``OPTION=VALUE`` settings. Raises BadInput that names the setting."""
    chosen: dict[str, Any] = {}
    known = game.options.__struct_fields__
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or name not in known:
            raise BadInput(
                f"--set {setting}: no such option: write OPTION=VALUE with one of {', '.join(known)}"
            )
        # A shell hands on bytes that are no letters too.
        readable = value.encode("utf-8", "replace").decode()
        try:
            chosen[name] = msgspec.json.decode(readable)
        except (msgspec.DecodeError, RecursionError):
            chosen[name] = readable
    try:
        options = msgspec.convert(chosen, game.options)
    except msgspec.ValidationError as fault:
        raise BadInput(f"--set: {fault}") from fault
    wrong = game.mistakes(options)
    if wrong:
        raise BadInput(f"--set: {' '.join(wrong)}")
    return options
