"""What is spoken and captioned: every step in a sentence, and nothing before it may be known."""

from typing import get_args

from pi_gm.announcer import Urgency
from pi_gm.games import PublicEvent
from pi_gm.games.animal_mind import commands, events
from tests.pi_gm.games.animal_mind.mind import EGG, FUR, MILK, game_of


class TestATurn:
    def test_the_game_is_opened_with_who_plays_and_who_draws(self) -> None:
        assert game_of(3, "milk2").said == [
            "Welcome to Animal Mind. Ana, Ben and Chloe play. Believe nobody.",
            "Ana takes the next card.",
        ]

    def test_what_is_said_of_a_card_is_repeated_word_for_word(self) -> None:
        mind = game_of(2, "milk2 egg0")
        mind.offer("Ana", "Ben", kind=EGG)
        mind.accept("Ben")
        mind.go_on()
        mind.offer("Ben", "Ana", value=0)
        assert [text for text in mind.said if "says" in text] == [
            "Ana says to Ben: it is egg.",
            "Ben says to Ana: it is worth 0.",
        ]

    def test_m4_a_true_word_the_card_and_who_keeps_it_are_told(self) -> None:
        mind = game_of(2, "milk2")
        mind.offer("Ana", "Ben", value=2)
        mind.accept("Ben")
        assert mind.said[-2:] == ["Ben accepts.", "It is milk of value 2, as Ana said. Ben keeps it."]

    def test_m5_a_lie_the_card_who_keeps_it_and_the_chip_are_told(self) -> None:
        mind = game_of(2, "milk1 egg0 scoring fur2 pet0")
        mind.keeps("Ana")
        mind.keeps("Ben")
        mind.go_on()
        mind.offer("Ana", "Ben", kind=MILK)
        mind.reject("Ben")
        assert mind.said[-3:] == [
            "Ben rejects.",
            "It is fur of value 2. Ana lied. Ana keeps it.",
            "The lie costs Ana a chip.",
        ]

    def test_m5_one_who_has_no_chip_is_told_so(self) -> None:
        mind = game_of(2, "milk1")
        mind.offer("Ana", "Ben", kind=EGG)
        mind.reject("Ben")
        assert mind.said[-1] == "Ana has no chip to lose."

    def test_m3_a_forced_answer_is_told_as_forced(self) -> None:
        mind = game_of(2, "milk2 " * 9)
        for _ in range(2):
            mind.offer("Ana", "Ben", kind=MILK)
            mind.accept("Ben")
            mind.go_on()
            mind.keeps("Ben")
        mind.offer("Ana", "Ben", kind=MILK)
        mind.reject("Ben")
        assert "Ben has to reject." in mind.said
        mind.go_on()
        for _ in range(3):
            mind.offer("Ben", "Ana", kind=MILK)
            if mind.accepts["Ana"] == 3:
                mind.accept("Ana")
                break
            mind.reject("Ana")
            mind.go_on()
            mind.keeps("Ana")
        assert "Ana has to accept." in mind.said

    def test_m6_a_kind_that_is_let_go_is_told_with_the_reason(self) -> None:
        mind = game_of(2, "milk2 milk0 egg0 fur1 pet1 egg1")
        for _ in range(4):
            mind.keeps("Ben")
        mind.takes("Ben")
        assert mind.said[-1] == "Ben already has three kinds, and lets go of 2 milks."

    def test_m6_a_choice_is_told_in_words_that_can_be_spoken(self) -> None:
        mind = game_of(2, "milk2 egg0 fur1 pet1")
        for _ in range(3):
            mind.keeps("Ben")
        mind.takes("Ben")
        assert mind.said[-1] == "Ben has to let go of milks or eggs or furs."
        mind.discard("Ben", FUR)
        assert mind.said[-1] == "Ben already has three kinds, and lets go of 1 fur."


class TestScoringAndTheEnd:
    def test_m7_a_scoring_is_told_set_by_set(self) -> None:
        mind = game_of(3, "milk1 egg0 milk2 fur2 scoring pet0")
        for _ in range(3):
            mind.keeps("Ben")
        mind.keeps("Ana")
        assert mind.said[-4:] == [
            "Scoring!",
            "Ana: 1 fur, newest is 2: 2. Together 2.",
            "Ben: 2 milks, newest is 2: 4. 1 egg, newest is 0: 0. Together 4.",
            "Chloe: nothing.",
        ]

    def test_m8_the_winner_is_named(self) -> None:
        mind = game_of(2, "milk1 scoring scoring scoring")
        mind.keeps("Ben")
        mind.pass_time(3600)
        assert mind.said[-4:] == [
            "The game is over.",
            "Without a chip: Ana.",
            "And the winner is …",
            "Ben wins.",
        ]

    def test_m8_those_who_share_are_all_named(self) -> None:
        mind = game_of(3, "scoring scoring scoring")
        mind.pass_time(3600)
        assert mind.said[-2:] == ["The game is over.", "Ana, Ben and Chloe win together."]


class TestWhoLeaves:
    def test_a_skipped_turn_is_told(self) -> None:
        mind = game_of(3, "milk1 egg0")
        mind.sit_out("Ana")
        assert mind.said[-2:] == ["Ana is away. The card goes back onto the pile.", "Ben draws a card."]

    def test_a_withdrawn_offer_is_told(self) -> None:
        mind = game_of(3, "milk1 egg0")
        mind.offer("Ana", "Ben", kind=MILK)
        mind.sit_out("Ben")
        assert mind.said[-1] == "Ana offers the card to somebody else."

    def test_a_drawer_who_is_left_alone_is_not_said_to_be_away_nor_to_offer_to_somebody_else(self) -> None:
        mind = game_of(2, "milk1 egg0")
        mind.offer("Ana", "Ben", kind=MILK)
        number = len(mind.said)
        mind.sit_out("Ben")
        assert mind.said[number:] == ["At least two must play. The game waits."]

    def test_who_leaves_instead_of_choosing_is_told(self) -> None:
        mind = game_of(3, "milk2 egg0 fur1 pet1")
        for _ in range(3):
            mind.keeps("Ben")
        mind.takes("Ben")
        mind.sit_out("Ben")
        assert mind.said[-1] == "Ben is away, so the pet of value 1 leaves the game."


class TestTheWhole:
    SILENT = (events.CardKept,)

    def test_every_public_event_is_told_but_those_that_another_tells(self) -> None:
        mind = game_of(4, "milk1 egg0 fur0 pet0 scoring milk0 egg1 scoring scoring")
        mind.host(commands.CallOn())
        mind.offer("Ana", "Ben", kind=EGG)
        mind.sit_out("Ben")
        mind.takes("Dora", kind=EGG)
        mind.go_on()
        mind.keeps("Dora")
        mind.keeps("Dora")
        mind.takes("Dora")
        mind.discard("Dora", MILK)
        mind.go_on()
        mind.go_on()
        mind.takes("Dora")
        mind.sit_out("Dora")
        mind.go_on()
        mind.sit_out(mind.turn)
        mind.sit_in("Ben", "Dora")
        mind.keeps("Ben")
        for _ in range(2):
            mind.go_on()
        happened = {type(event) for event in mind.happened}
        assert happened == set(get_args(events.Event))
        for event, cues in mind.told:
            is_told = isinstance(event, PublicEvent) and not isinstance(event, self.SILENT)
            assert bool(cues) is is_told, event
            assert all(cue.text for cue in cues)

    def test_what_must_not_be_lost_is_said_as_a_result(self) -> None:
        mind = game_of(2, "milk1 scoring scoring scoring")
        mind.keeps("Ben")
        mind.pass_time(3600)
        results = {cue.key.partition("-")[0] for cue in mind.cues if cue.urgency is Urgency.RESULT}
        assert results == {"offer", "answer", "card", "scoring", "scores", "end", "rank", "winner"}
