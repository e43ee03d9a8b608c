"""The rulebook: who may say what, who keeps the card, what it costs, what it brings. Pure.

>>> milk = Set(Kind.MILK, (0, 1, 2, 2))
>>> worth(milk)
8
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pi_gm.games.animal_mind.cards import Card, Kind
from pi_gm.players import SeatId

DECISION_CARDS = 3
ACCEPTS_AT_FIRST = 2
MOST_KINDS = 3
COST_OF_A_LIE = 1


class Claim(Struct, frozen=True):
    """What the drawer says of the card: its kind or its value, the other is None (M2)."""

    kind: Kind | None = None
    value: int | None = None

    def is_true_of(self, card: Card) -> bool:
        """Whether it holds of ``card``; what was not said cannot be false."""
        return self.kind in (None, card.kind) and self.value in (None, card.value)


class Set(Struct, frozen=True):
    """The cards of one kind that a player holds, by value, the oldest first."""

    kind: Kind
    values: tuple[int, ...]


Collection = tuple[Set, ...]
"""Everything a player holds, in the order in which its kinds came."""


def worth(held: Set) -> int:
    """Number of cards × value of the newest (M7)."""
    return len(held.values) * held.values[-1]


def score(collection: Collection) -> int:
    """What a player gets at a scoring card (M7)."""
    return sum(worth(held) for held in collection)


def may_accept(accepts: int) -> bool:
    """Accepting needs a decision card on accept (M3)."""
    return accepts > 0


def may_reject(accepts: int) -> bool:
    """Rejecting needs a decision card on reject (M3)."""
    return accepts < DECISION_CARDS


def is_forced(accepts: int) -> bool:
    """With only one side left there is no choice (M3)."""
    return not (may_accept(accepts) and may_reject(accepts))


def accepts_after(accepts: int, accepted: bool) -> int:
    """Accepting turns a card to reject, rejecting one to accept (M3)."""
    return accepts - 1 if accepted else accepts + 1


def chips_after_lie(chips: int) -> int:
    """A false statement, once shown, costs a chip, never below none (M5)."""
    return max(0, chips - COST_OF_A_LIE)


def to_discard(collection: Collection, taken: Card) -> tuple[Kind, ...]:
    """The kinds of which one must go, whole, before ``taken`` is kept: several where they tie, none where it fits (M6)."""
    if len(collection) < MOST_KINDS or any(held.kind is taken.kind for held in collection):
        return ()
    most = max(len(held.values) for held in collection)
    return tuple(held.kind for held in collection if len(held.values) == most)


def without(collection: Collection, kind: Kind) -> Collection:
    """``collection`` once all of ``kind`` has left the game (M6)."""
    return tuple(held for held in collection if held.kind is not kind)


def with_card(collection: Collection, card: Card) -> Collection:
    """``collection`` with ``card`` as the newest of its kind (M4)."""
    if not any(held.kind is card.kind for held in collection):
        return (*collection, Set(card.kind, (card.value,)))
    return tuple(
        Set(held.kind, (*held.values, card.value)) if held.kind is card.kind else held for held in collection
    )


def cards_of(collection: Collection, kind: Kind) -> tuple[Card, ...]:
    """The cards of ``kind`` in ``collection``, the oldest first."""
    return tuple(Card(kind, value) for held in collection if held.kind is kind for value in held.values)


def cards_in(collection: Collection) -> int:
    """How many produce cards a player holds."""
    return sum(len(held.values) for held in collection)


def winners(chips: Mapping[SeatId, int], collections: Mapping[SeatId, Collection]) -> tuple[SeatId, ...]:
    """Most chips wins; tied, most produce cards held; still tied, they share (M8)."""
    best = max((chips[seat], cards_in(collections[seat])) for seat in chips)
    return tuple(seat for seat in chips if (chips[seat], cards_in(collections[seat])) == best)


def ranks(chips: Mapping[SeatId, int], collections: Mapping[SeatId, Collection]) -> dict[SeatId, int]:
    """Each player's rank from 1, by what makes a winner (M8); those who tie share the better one."""
    has = {seat: (chips[seat], cards_in(collections[seat])) for seat in chips}
    return {seat: 1 + sum(other > own for other in has.values()) for seat, own in has.items()}


def to_the_left(seat: SeatId, order: Sequence[SeatId]) -> SeatId:
    """The next in seating order, and after the last the first (M9)."""
    return order[(order.index(seat) + 1) % len(order)]
