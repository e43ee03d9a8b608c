"""The sentences of Animal Crossing that need more than a key."""

from collections.abc import Sequence

from pi_gm.games import RulesLength
from pi_gm.phrases import Phrasebook
from pi_gm.players import Seat, names_of
from pi_gm.room import RAFTS, WATER
from pi_gm.whereabouts import Doubt, DoubtKind

BOOK = Phrasebook.of("pi_gm.games.animal_crossing")

RULES_ALOUD = (
    (RulesLength.MINUTE, tuple(BOOK.say(f"say.rules.{number}") for number in range(1, 8))),
    (RulesLength.REMINDER, tuple(BOOK.say(f"say.reminder.{number}") for number in (1, 2))),
)
"""What the host can have read aloud."""


def name_of_place(place: str) -> str:
    """``Raft A``, ``the island``, ``the water``."""
    return BOOK.say("place.raft", raft=place) if place in RAFTS else BOOK.say(f"place.{place}")


def name_of_round(number: int) -> str:
    """``Practice round`` or ``Round 3``; ``Round 0`` is the practice."""
    return BOOK.say("round.practice") if number < 1 else BOOK.say("round.number", number=number)


def call_to_board(round_: int, seconds: int) -> str:
    """What sends everyone to the rafts."""
    return BOOK.say_in_turn("say.board", round_, seconds=seconds)


def doubt_sentence(doubt: Doubt, seats: Sequence[Seat]) -> str:
    """The question that the host rules on."""
    about = BOOK.list_of(names_of(seats, doubt.claimed or doubt.seats))
    place = name_of_place(doubt.places[0])
    number = "none" if not doubt.claimed else "one" if len(doubt.claimed) == 1 else "several"
    key = f"doubt.{doubt.kind.value.replace(' ', '-')}"
    variant = f"{key}.{number}"
    return BOOK.say(
        variant if variant in BOOK.keys else key,
        place=place[0].upper() + place[1:],
        where=place,
        other=name_of_place(doubt.places[1]) if len(doubt.places) > 1 else "",
        names=about,
        pressed=BOOK.say("mats.one")
        if doubt.pressed == 1
        else BOOK.say("mats.several", number=doubt.pressed),
    )


def doubt_aloud(doubt: Doubt, seats: Sequence[Seat]) -> str:
    """The same question, short enough to be said; it asks the table and accuses nobody."""
    place = name_of_place(doubt.places[0])
    words = {"place": place[0].upper() + place[1:], "where": place[0].lower() + place[1:]}
    match doubt.kind:
        case DoubtKind.TWO_PLACES | DoubtKind.MAT_AGAINST_PHONE | DoubtKind.OWN_MAT_SILENT:
            return BOOK.say("say.doubt.one-player", names=BOOK.list_of(names_of(seats, doubt.seats)))
        case DoubtKind.TOO_MANY_PRESSED if doubt.places[0] == WATER:
            return BOOK.say("say.doubt.in-water")
        case DoubtKind.TOO_MANY_PRESSED:
            over = doubt.pressed - len(doubt.claimed)
            return BOOK.say("say.doubt.one-over" if over == 1 else "say.doubt.over", over=over, **words)
        case DoubtKind.TOO_FEW_PRESSED:
            key = "say.doubt.under.one" if len(doubt.claimed) == 1 else "say.doubt.under.several"
            return BOOK.say(key, names=BOOK.list_of(names_of(seats, doubt.claimed)), **words)
        case DoubtKind.MAT_SILENT if doubt.places[0] == WATER:
            return BOOK.say("say.doubt.water-silent")
        case DoubtKind.MAT_SILENT:
            return BOOK.say("say.doubt.silent", **words)
