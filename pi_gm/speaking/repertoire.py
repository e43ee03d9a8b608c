"""What can be made before it is needed: the sentences of a phrase book, with every name at the table in its gaps."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import product
from string import Formatter
from types import MappingProxyType

from pi_gm.naming import named
from pi_gm.speaking.ports import SpokenName
from pi_gm.speaking.pronounced import spoken

SPOKEN = "say."
"""With this begins the key of every phrase that is announced."""
STANDING_ALONE = ("round.", "sank.", "won.")
"""With these those that are a sentence of their own when they are announced: rounds, who sank, who won."""
NAME_GAPS = frozenset({"name", "names", "to", "by", "taker"})
KNOWN_GAPS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "raft": ("A", "B", "C"),
        "load": tuple(str(load) for load in range(2, 11)),
        "number": tuple(str(number) for number in range(1, 21)),
        "place": ("Raft A", "Raft B", "Raft C", "The island"),
        "where": ("raft A", "raft B", "raft C", "the island"),
        "over": ("2", "3"),
        "seconds": ("15", "20", "30", "45", "60"),
    }
)
"""What the gaps of phrases are filled with, as far as that is known beforehand."""
MOST_FILLINGS = 64
"""A sentence with more ways to fill it is made when it is needed."""
_UNKNOWN = "Qqq"


def repertoire(package: str, names: Sequence[SpokenName] = (), language: str = "en") -> tuple[str, ...]:
    """The spoken sentences of ``package``'s phrases; with ``names``, those that hold one of them.

    Without ``names`` they are the sentences that do not change with who plays. None where the package has no book.
    """
    book = files(package).joinpath(f"phrases.{language}.toml")
    if not book.is_file():
        return ()
    written = tomllib.loads(book.read_text(encoding="utf-8"))
    phrases = {key: phrase for key, phrase in written.items() if isinstance(phrase, str)}
    said = [phrase for key, phrase in phrases.items() if key.startswith(SPOKEN)]
    said += [f"{phrase}." for key, phrase in phrases.items() if key.startswith(STANDING_ALONE)]
    return tuple(dict.fromkeys(sentence for phrase in said for sentence in _made_of(phrase, names)))


def _made_of(phrase: str, names: Sequence[SpokenName]) -> Iterator[str]:
    gaps = sorted({gap for _, gap, _, _ in Formatter().parse(phrase) if gap})
    if names and sum(gap in NAME_GAPS for gap in gaps) != 1:
        return
    ways = [_fillings(gap, names) for gap in gaps]
    for filling in _few(product(*ways)):
        filled = phrase.format(**dict(zip(gaps, filling, strict=True)))
        for sentence in spoken(filled, names):
            has_name = any(name.said in sentence for name in names)
            if _UNKNOWN not in sentence and has_name is bool(names):
                yield sentence


def _fillings(gap: str, names: Sequence[SpokenName]) -> Sequence[str]:
    if gap in NAME_GAPS:
        return [named(name.shown) for name in names] or [_UNKNOWN]
    # An unknown gap ends its sentence, so that those around it are still found.
    return KNOWN_GAPS.get(gap, (f"{_UNKNOWN}.",))


def _few(ways: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    all_ways = list(ways)
    return all_ways if len(all_ways) <= MOST_FILLINGS else []
