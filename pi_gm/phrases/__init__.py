"""Every sentence that is spoken or shown, by key and language, kept apart from the code that chooses it."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files

from pi_gm.errors import PiGmError


class UnknownPhrase(PiGmError, KeyError):
    """A sentence was asked for that the phrase book does not hold; add the key to the book."""


class Phrasebook:
    """The sentences of one package in one language, read from ``phrases.<language>.toml`` beside its code."""

    def __init__(self, sentences: dict[str, str], *, and_: str = "and") -> None:
        self._sentences = sentences
        self._and = and_

    @classmethod
    def of(cls, package: str, language: str = "en") -> "Phrasebook":
        """The book that lies in ``package``. Raises FileNotFoundError where it has none in ``language``."""
        text = files(package).joinpath(f"phrases.{language}.toml").read_text(encoding="utf-8")
        return cls(tomllib.loads(text))

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(self._sentences)

    def say(self, key: str, **words: object) -> str:
        """The sentence for ``key`` with its gaps filled. Raises UnknownPhrase."""
        if key not in self._sentences:
            raise UnknownPhrase(f"no phrase {key!r}: add it to the phrase book")
        return self._sentences[key].format(**words)

    def say_in_turn(self, key: str, turn: int, **words: object) -> str:
        """One of the sentences ``key.1``, ``key.2`` …, turn 1 the first: the same turn always has the same.

        So the choice tells nothing. Raises UnknownPhrase where there is none.
        """
        ways = [way for way in self._sentences if way.rpartition(".")[0] == key]
        return self.say(ways[(turn - 1) % len(ways)] if ways else key, **words)

    def list_of(self, names: Sequence[str]) -> str:
        """``Ana``, ``Ana and Ben``, ``Ana, Ben and Chloe``; empty for nobody."""
        if len(names) < 2:
            return "".join(names)
        return f"{', '.join(names[:-1])} {self._and} {names[-1]}"


SHARED = Phrasebook.of(__name__)
"""The sentences that belong to no single game."""
