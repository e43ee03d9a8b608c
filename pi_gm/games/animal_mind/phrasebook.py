"""The sentences of Animal Mind that need more than a key."""

from pi_gm.games import RulesLength
from pi_gm.games.animal_mind.cards import Card
from pi_gm.games.animal_mind.rules import Claim, Set, worth
from pi_gm.phrases import Phrasebook

BOOK = Phrasebook.of("pi_gm.games.animal_mind")

RULES_ALOUD = (
    (RulesLength.MINUTE, tuple(BOOK.say(f"say.rules.{number}") for number in range(1, 8))),
    (RulesLength.REMINDER, tuple(BOOK.say(f"say.reminder.{number}") for number in (1, 2))),
)
"""What the host can have read aloud."""


def name_of_card(card: Card) -> str:
    """``milk of value 2``."""
    return BOOK.say("card", kind=BOOK.say(f"kind.{card.kind.value}"), value=card.value)


def name_of_claim(claim: Claim) -> str:
    """``it is milk``, ``it is worth 2``."""
    if claim.kind is not None:
        return BOOK.say("claim.kind", kind=BOOK.say(f"kind.{claim.kind.value}"))
    return BOOK.say("claim.value", value=claim.value)


def score_of_set(held: Set) -> str:
    """``4 milks, newest is 2: 8.``"""
    number = len(held.values)
    kind = BOOK.say(f"kind.{held.kind.value}" if number == 1 else f"kinds.{held.kind.value}")
    return BOOK.say("say.set", number=number, kind=kind, newest=held.values[-1], points=worth(held))
