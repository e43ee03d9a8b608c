"""The four animals and what they weigh."""

from enum import Enum


class Animal(Enum):
    """What a player can be for a round."""

    MOUSE = "mouse"
    CAT = "cat"
    DOG = "dog"
    ELEPHANT = "elephant"

    @property
    def weight(self) -> int:
        """How much of a raft's load it takes up, and what it is worth on the far shore."""
        return _WEIGHTS[self]


_WEIGHTS = {Animal.MOUSE: 1, Animal.CAT: 2, Animal.DOG: 3, Animal.ELEPHANT: 5}
