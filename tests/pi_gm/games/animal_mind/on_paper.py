"""The rulebook once more, as one would play it with real cards on a table, and nothing of the game's own code.

It knows names, lists and the moves of a written game, and is the oracle that written games are compared with.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

KINDS = ("fur", "milk", "egg", "pet")
VALUES = (0, 1, 2)
Move = dict[str, Any]


@dataclass
class OnPaper:
    """A game of which every move is written down. The pile's top is its first."""

    seats: list[str]
    pile: list[Any]
    turn: int = 0
    scorings: int = 0
    card: Any = None
    offered: Move | None = None
    taker: str | None = None
    """Who has to choose what to discard."""

    chips: dict[str, int] = field(default_factory=dict)
    accepts: dict[str, int] = field(default_factory=dict)
    table: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    """Before each player, the cards in the order they came."""

    def __post_init__(self) -> None:
        self.pile = list(self.pile)
        for name in self.seats:
            self.chips[name], self.accepts[name], self.table[name] = 0, 2, []
        self.draw()

    @property
    def over(self) -> bool:
        return self.scorings == 3

    def draw(self) -> None:
        self.card, self.offered, self.taker = None, None, None
        while self.pile and not self.over:
            top = self.pile.pop(0)
            if top != "scoring":
                self.card = tuple(top)
                return
            self.scorings += 1
            for name in self.seats:
                self.chips[name] += self.score_of(name)

    def score_of(self, name: str) -> int:
        score = 0
        for kind in KINDS:
            cards = [value for shown, value in self.table[name] if shown == kind]
            if cards:
                score += len(cards) * cards[-1]
        return score

    def count(self, name: str, kind: str) -> int:
        return sum(1 for shown, _ in self.table[name] if shown == kind)

    def held_most(self, name: str) -> list[str]:
        most = max(self.count(name, kind) for kind in KINDS)
        return [kind for kind in KINDS if self.count(name, kind) == most]

    def possible(self) -> Iterator[Move]:
        """Every move that may be written now."""
        if self.over or self.card is None:
            return
        if self.taker is not None:
            for kind in self.held_most(self.taker):
                yield {"seat": self.taker, "move": "discard", "kind": kind}
        elif self.offered is not None:
            to = self.offered["to"]
            if self.accepts[to] > 0:
                yield {"seat": to, "move": "accept"}
            if self.accepts[to] < 3:
                yield {"seat": to, "move": "reject"}
        else:
            drawer = self.seats[self.turn]
            for to in self.seats:
                if to != drawer:
                    for kind in KINDS:
                        yield {"seat": drawer, "move": "offer", "to": to, "kind": kind}
                    for value in VALUES:
                        yield {"seat": drawer, "move": "offer", "to": to, "value": value}

    def every_move(self) -> Iterator[Move]:
        """Whatever can be written at all, by anybody."""
        for seat in self.seats:
            yield {"seat": seat, "move": "accept"}
            yield {"seat": seat, "move": "reject"}
            for kind in KINDS:
                yield {"seat": seat, "move": "discard", "kind": kind}
            for to in self.seats:
                for kind in KINDS:
                    yield {"seat": seat, "move": "offer", "to": to, "kind": kind}
                for value in VALUES:
                    yield {"seat": seat, "move": "offer", "to": to, "value": value}

    def impossible(self) -> list[Move]:
        possible = list(self.possible())
        return [move for move in self.every_move() if move not in possible]

    def play(self, move: Move) -> None:
        """Let a move happen that is possible."""
        if move["move"] == "offer":
            self.offered = move
        elif move["move"] == "discard":
            self.discard(move["seat"], move["kind"])
        else:
            self.answer(move["seat"], move["move"] == "accept")

    def answer(self, name: str, accepted: bool) -> None:
        assert self.offered is not None
        self.accepts[name] += -1 if accepted else 1
        drawer = self.seats[self.turn]
        said = self.offered.get("kind", self.offered.get("value"))
        if said not in self.card and self.chips[drawer] > 0:
            self.chips[drawer] -= 1
        taker = name if accepted else drawer
        kinds = {kind for kind, _ in self.table[taker]}
        if self.card[0] in kinds or len(kinds) < 3:
            self.keep(taker)
        elif len(self.held_most(taker)) == 1:
            self.discard(taker, self.held_most(taker)[0])
        else:
            self.taker = taker

    def discard(self, name: str, kind: str) -> None:
        self.table[name] = [card for card in self.table[name] if card[0] != kind]
        self.keep(name)

    def keep(self, name: str) -> None:
        self.table[name].append(self.card)
        self.turn = (self.turn + 1) % len(self.seats)
        self.draw()

    def winners(self) -> list[str]:
        most_chips = max(self.chips.values())
        tied = [name for name in self.seats if self.chips[name] == most_chips]
        most_cards = max(len(self.table[name]) for name in tied)
        return [name for name in tied if len(self.table[name]) == most_cards]

    def end(self) -> dict[str, Any]:
        """What must be printed."""
        collections: dict[str, dict[str, list[int]]] = {name: {} for name in self.seats}
        for name in self.seats:
            for kind, value in self.table[name]:
                collections[name].setdefault(kind, []).append(value)
        return {
            "over": self.over,
            "turn": None if self.over else self.seats[self.turn],
            "scorings": self.scorings,
            "chips": self.chips,
            "collections": collections,
            "accepts": self.accepts,
            "winners": self.winners() if self.over else None,
        }
