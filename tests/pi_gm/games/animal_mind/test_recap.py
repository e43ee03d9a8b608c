"""What is told after a power cut: whose turn it is, and nothing that did not lie open."""

from pi_gm.games.animal_mind.recap import recap
from tests.pi_gm.games.animal_mind.mind import EGG, Mind, game_of


def told(mind: Mind) -> str:
    return " ".join(recap(mind.state, mind.around))


def test_whose_turn_it_is_is_told_whatever_the_card_is() -> None:
    said = {told(game_of(2, pile)) for pile in ("milk2", "egg0")}
    assert said == {"Ana has drawn a card and chooses whom to offer it to."}


def test_what_was_said_of_a_card_and_who_must_answer_are_told() -> None:
    mind = game_of(2, "milk2")
    mind.offer("Ana", "Ben", kind=EGG)
    assert told(mind) == "Ana says to Ben: it is egg. Ben has not answered yet."


def test_a_card_that_lies_open_is_not_read_again() -> None:
    mind = game_of(2, "milk2")
    mind.offer("Ana", "Ben", kind=EGG)
    mind.accept("Ben")
    assert told(mind) == "The card that Ana drew has been shown."


def test_a_scoring_is_told_by_its_number() -> None:
    assert told(game_of(2, "scoring milk1")) == "Scoring 1 of 3 has been read out."
