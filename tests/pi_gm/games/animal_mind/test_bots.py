"""The bots of a simulated night: they bluff, they keep to the rules, and they look at nothing that is not theirs."""

from random import Random

import pytest
from msgspec.structs import replace

from pi_gm.games import HOST
from pi_gm.games.animal_mind import GAME, commands
from pi_gm.games.animal_mind.state import Phase
from tests.pi_gm.games.animal_mind.mind import MILK, Mind, game_of, pile_of, player


def would(mind: Mind, name: str, seed: int) -> object:
    return GAME.bot(mind.state, player(name), mind.around, Random(seed))


def test_bots_bluff_about_kind_and_value_and_tell_the_truth_too() -> None:
    mind = game_of(2, "milk2")
    offers = [would(mind, "Ana", seed) for seed in range(200)]
    kinds = {offer.kind for offer in offers if isinstance(offer, commands.Offer)}
    values = {offer.value for offer in offers if isinstance(offer, commands.Offer)}
    assert len(kinds) == 5
    assert len(values) == 4


@pytest.mark.parametrize("name", ["Ben", "Chloe", "Dora"])
def test_whoever_has_nothing_to_do_waits(name: str) -> None:
    assert {would(game_of(3, "milk2", watching=1), name, seed) for seed in range(20)} == {None}


def test_a_bot_that_was_offered_a_card_answers_by_what_was_said_and_not_by_what_it_is() -> None:
    mind = game_of(2, "milk2 egg0")
    mind.offer("Ana", "Ben", kind=MILK)
    answers = [would(mind, "Ben", seed) for seed in range(50)]
    mind.so_far = replace(mind.state, drawn=pile_of("fur0")[0], pile=pile_of("pet1"))
    assert [would(mind, "Ben", seed) for seed in range(50)] == answers
    assert set(answers) == {commands.Accept(), commands.Reject()}


@pytest.mark.parametrize(("accepts", "answer"), [(0, commands.Reject()), (3, commands.Accept())])
def test_a_bot_without_a_choice_gives_the_one_answer_it_has(
    accepts: int, answer: commands.PlayerCommand
) -> None:
    mind = game_of(2, "milk2")
    mind.offer("Ana", "Ben", kind=MILK)
    mind.so_far = replace(
        mind.state, hands=tuple(replace(hand, accepts=accepts) for hand in mind.state.hands)
    )
    assert {would(mind, "Ben", seed) for seed in range(50)} == {answer}


def test_a_bot_that_is_alone_makes_no_offer() -> None:
    mind = game_of(2, "milk2")
    mind.seats = (mind.seats[0], replace(mind.seats[1], sits_out=True))
    assert would(mind, "Ana", 1) is None


def test_the_hosts_bot_goes_on_and_calls_on_nobody() -> None:
    mind = game_of(2, "milk2 egg0")
    assert GAME.bot(mind.state, HOST, mind.around, Random(1)) is None
    mind.takes("Ben")
    assert mind.phase is Phase.SHOWING
    assert GAME.bot(mind.state, HOST, mind.around, Random(1)) == commands.GoOn()
