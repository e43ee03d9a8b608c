"""Settling for people who play with paper: a round as a line of JSON in, who sank and who scored out. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from pi_gm.errors import BadInput
from pi_gm.games.animal_crossing import rules
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.decide import MOST
from pi_gm.games.animal_crossing.loads import HEAVIEST, LIGHTEST
from pi_gm.games.animal_crossing.phrasebook import BOOK
from pi_gm.games.animal_crossing.rules import Fate
from pi_gm.players import SeatId, is_same_name
from pi_gm.room import ISLAND, WATER


class PlayerOnPaper(Struct, frozen=True, forbid_unknown_fields=True):
    """One player, as written down."""

    name: str
    animal: Animal
    place: str


class RoundOnPaper(Struct, frozen=True, forbid_unknown_fields=True):
    """One round, as written down. Read it with :func:`read_round`, which checks what types cannot."""

    loads: dict[str, Any]
    """What each raft carries: whole numbers from 2 to 10 once checked; ``Any`` so that a mistake can name its raft."""
    players: tuple[PlayerOnPaper, ...]


class SettledPlayer(Struct, frozen=True):
    """What became of a player, in the order in which they were given."""

    name: str
    sank: bool
    points: int
    animal: Animal
    place: str
    fate: Fate


class SettledRaft(Struct, frozen=True):
    """What became of a raft; ``weight`` is what those who were not scared off weigh."""

    name: str
    weight: int
    sank: bool
    load: int


class SettledRound(Struct, frozen=True):
    """A whole round."""

    players: tuple[SettledPlayer, ...]
    rafts: tuple[SettledRaft, ...]

    def as_data(self) -> Mapping[str, object]:
        """What ``pi-gm settle --json`` prints."""
        return {
            "players": [
                {"name": player.name, "sank": player.sank, "points": player.points} for player in self.players
            ],
            "rafts": {raft.name: {"weight": raft.weight, "sank": raft.sank} for raft in self.rafts},
        }


_CURES = {
    "animal": "write mouse, cat, dog or elephant",
    "place": 'write the name of a raft, "island" or "water"',
    "name": 'give every player a name, such as "name": "Ana"',
    "loads": 'write what each raft carries, such as "loads": {"A": 7, "B": 10}',
    "players": 'write the players as a list, such as [{"name": "Ana", "animal": "dog", "place": "A"}]',
}
_WHOLE = 'write a round as {"loads": {"A": 7}, "players": [{"name": "Ana", "animal": "dog", "place": "A"}]}'

_decoder = msgspec.json.Decoder(RoundOnPaper)


def read_round(text: bytes) -> RoundOnPaper:
    """The round that ``text`` holds. Raises BadInput that names the field, what is wrong and the cure."""
    try:
        text.decode("utf-8")
        round_ = _decoder.decode(text)
    except UnicodeDecodeError as fault:
        raise BadInput(f"the line is not UTF-8 at byte {fault.start + 1}: save the file as UTF-8") from fault
    except msgspec.ValidationError as fault:
        raise BadInput(_explained(str(fault))) from fault
    except (msgspec.DecodeError, RecursionError) as fault:
        raise BadInput(f"the line is not JSON ({fault}): {_WHOLE}") from fault
    for field, wrong, cure in _mistakes(round_):
        raise BadInput(f"{field}: {wrong}: {cure}")
    return round_


def _explained(fault: str) -> str:
    """``players[0].animal: there is no 'horse': write mouse, …`` out of a decoder's message."""
    wrong, _, path = fault.partition(" - at `$")
    field = path.rstrip("`").lstrip(".")
    for said, meant in _IN_OUR_WORDS.items():
        if wrong.startswith(said):
            named = wrong.removeprefix(said).strip("`")
            inside = "" if said.startswith("Invalid") else named
            return _told(".".join(part for part in (field, inside) if part), meant.format(named=named))
    return _told(field, wrong.replace("`", ""))


_IN_OUR_WORDS = {
    "Object missing required field ": "is missing",
    "Object contains unknown field ": "is not known here",
    "Invalid enum value ": "there is no {named}",
}


def _told(field: str, wrong: str) -> str:
    last = field.split(".")[-1].split("[")[0]
    return f"{field or 'the line'}: {wrong}: {_CURES.get(last, _WHOLE)}"


def _mistakes(round_: RoundOnPaper) -> Sequence[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    if not round_.loads:
        found.append(("loads", "there is no raft", _CURES["loads"]))
    for raft, load in round_.loads.items():
        if not raft.strip() or raft in (ISLAND, WATER):
            found.append((f"loads.{raft}", "that is no name for a raft", "call it A, B or C"))
        if type(load) is not int or not LIGHTEST <= load <= HEAVIEST:
            found.append(
                (
                    f"loads.{raft}",
                    f"{load!r} is no load",
                    f"write a whole number from {LIGHTEST} to {HEAVIEST}",
                )
            )
    if not 1 <= len(round_.players) <= MOST:
        found.append(
            ("players", f"{len(round_.players)} players", f"list the 2 to {MOST} who played this round")
        )
    for index, player in enumerate(round_.players):
        before = round_.players[:index]
        if not player.name.strip():
            found.append((f"players[{index}].name", "the name is empty", _CURES["name"]))
        if any(is_same_name(player.name.strip(), other.name.strip()) for other in before):
            found.append(
                (
                    f"players[{index}].name",
                    f"{player.name} is listed twice",
                    "give each player a name of their own",
                )
            )
        if player.place not in (*round_.loads, ISLAND, WATER):
            rafts = ", ".join(round_.loads)
            found.append(
                (
                    f"players[{index}].place",
                    f"there is no {player.place!r}",
                    f'write {rafts}, "island" or "water"',
                )
            )
    return found


def settle_on_paper(round_: RoundOnPaper) -> SettledRound:
    """What became of everyone and of every raft, by the same rules as at the table."""
    boarded = [
        rules.Boarding(SeatId(str(number)), player.animal, player.place)
        for number, player in enumerate(round_.players)
    ]
    outcomes = rules.settle(boarded, round_.loads)
    return SettledRound(
        players=tuple(
            SettledPlayer(
                player.name, outcome.fate.is_sunk, outcome.points, player.animal, player.place, outcome.fate
            )
            for player, outcome in zip(round_.players, outcomes, strict=True)
        ),
        rafts=tuple(
            SettledRaft(
                name,
                rules.weight_after_scares(rules.animals_at(name, boarded)),
                rules.goes_under(rules.animals_at(name, boarded), load),
                load,
            )
            for name, load in round_.loads.items()
        ),
    )


def in_words(settled: SettledRound) -> str:
    """A table of the rafts and a sentence a player, for people."""
    lines = [f"{'Raft':<8}{'carries':>8}{'weighs':>8}"]
    lines += [
        f"{raft.name:<8}{raft.load:>8}{raft.weight:>8}  {BOOK.say('paper.sinks' if raft.sank else 'paper.floats')}"
        for raft in settled.rafts
    ]
    lines += [_sentence(player) for player in settled.players]
    return "\n".join(lines)


def _sentence(player: SettledPlayer) -> str:
    words: dict[str, Any] = {"name": player.name, "animal": player.animal.value, "raft": player.place}
    points = BOOK.say("paper.point" if player.points == 1 else "paper.points", points=player.points)
    key = f"paper.{player.fate.name.lower().replace('_', '-')}"
    if player.fate is Fate.SCARED_OFF:
        key = f"{key}.{player.animal.value}"
    return BOOK.say(key, points=points, **words)
