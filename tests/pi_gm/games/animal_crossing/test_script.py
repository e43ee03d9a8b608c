"""What is said aloud: every announcement, names in seating order, and never more than R13 allows."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from pi_gm.announcer import Urgency
from pi_gm.games import PublicEvent
from pi_gm.games.animal_crossing import commands, events
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.options import Openness, Options
from pi_gm.games.animal_crossing.script import script
from pi_gm.rooms import anonymous_mats, own_mats
from tests.pi_gm.games.animal_crossing.crossing import (
    CAT,
    DOG,
    ELEPHANT,
    MOUSE,
    NO_PRACTICE,
    Crossing,
    night_of,
    seat_id,
    seats_for,
)


def urgency_of(event: PublicEvent, night: Crossing) -> Urgency:
    (urgency,) = {cue.urgency for cue in script(event, night.state, night.seats)}
    return urgency


class TestAWholeRound:
    def test_is_said_in_this_order(self) -> None:
        night = night_of(3)
        night.pick(Ana=DOG)
        night.pass_time(420)
        night.pick(Ben=MOUSE, Chloe=CAT)
        night.board()
        night.check_in(Ana="A", Ben="B", Chloe="B")
        night.pass_time(31)
        night.settle()
        night.host(commands.OpenNight())
        assert night.said == [
            "Welcome to Animal Crossing. Heavier animals score more, and nobody wants to get wet.",
            "Round 1. Raft A, carries 4. Raft B, carries 7. Choose your animals in secret.",
            "One minute left to choose.",
            "Ben and Chloe, please choose.",
            "Board now. You have 30 seconds.",
            "Ten!",
            "Stop! Nobody move.",
            "Ben sank. Ana and Chloe stayed dry.",
            "The night is over.",
            "Without a point: Ben.",
            "On 2 points: Chloe.",
            "And the winner is …",
            "Ana wins the night.",
        ]

    def test_the_practice_is_called_so(self) -> None:
        assert night_of(3, Options()).said[-1].startswith("Practice round.")

    def test_three_rafts_are_announced_as_three(self) -> None:
        assert "Raft C, carries 6." in night_of(7).said[-1]

    def test_r14_open_mode_says_that_the_round_is_open(self) -> None:
        night = night_of(2, replace(NO_PRACTICE, openness=Openness.OPEN))
        night.play_round(Ana=(DOG, "A"), Ben=(CAT, "A"))
        assert night.said[-1] == "All animals of this round are open now."

    def test_where_all_have_picked_when_time_is_up_nobody_is_called_on(self) -> None:
        night = night_of(2)
        night.pick(Ana=DOG, Ben=DOG)
        night.pass_time(420)
        assert night.said[-1] == "Everyone has chosen."

    def test_more_time_is_said(self) -> None:
        night = night_of(2)
        night.host(commands.AddTime(30))
        assert night.said[-1] == "The host gives you more time."

    def test_the_seconds_that_are_said_are_those_that_run(self) -> None:
        night = night_of(2)
        night.pick(Ana=DOG, Ben=DOG)
        night.host(commands.ChangeTimes(420, 45))
        night.board()
        assert night.said[-1] == "Board now. You have 45 seconds."


class TestWhoSank:
    @pytest.mark.parametrize(
        ("where", "said"),
        [
            (("A", "B", "island"), "Nobody sank."),
            (("water", "water", "water"), "Everybody sank."),
            (("A", "water", "island"), "Ben sank. Ana and Chloe stayed dry."),
            (("water", "B", "water"), "Ana and Chloe sank. Ben stayed dry."),
        ],
    )
    def test_it_is_one_sentence(self, where: tuple[str, str, str], said: str) -> None:
        night = night_of(3)
        night.play_round(Ana=(DOG, where[0]), Ben=(CAT, where[1]), Chloe=(CAT, where[2]))
        assert night.said[-1] == said

    def test_r13_names_stand_in_seating_order_whatever_happened_first(self) -> None:
        for order in permutations(["Ana", "Ben", "Chloe"]):
            night = night_of(4)
            for name in order:
                night.pick(**{name: MOUSE})
            night.pick(Dora=CAT)
            night.board()
            for name in reversed(order):
                night.check_in(**{name: "B"})
            night.check_in(Dora="B")
            night.buzzer()
            night.settle()
            assert night.said[-1] == "Ana, Ben and Chloe sank. Dora stayed dry."

    def test_r13_names_called_on_stand_in_seating_order_too(self) -> None:
        night = Crossing(seats_for("Zoe", "Ana", "Max"), NO_PRACTICE)
        night.begin()
        night.host(commands.CallOn())
        assert night.said[-1] == "Zoe, Ana and Max, please choose."

    def test_r10_who_sat_out_is_not_named(self) -> None:
        night = night_of(3)
        night.pick(Ana=DOG, Ben=DOG)
        night.sit_out("Chloe")
        night.board()
        night.check_in(Ana="A")
        night.buzzer()
        night.settle()
        assert night.said[-1] == "Ben sank. Ana stayed dry."

    def test_r13_the_sentence_is_the_same_for_every_reason_to_sink(self) -> None:
        said = set()
        for ben in ((MOUSE, "water"), (MOUSE, "B"), (ELEPHANT, "A")):
            night = night_of(3)
            night.play_round(Ana=(DOG, "island"), Ben=ben, Chloe=(CAT, "B"))
            said.add(tuple(night.said))
        assert len(said) == 1

    def test_r13_no_animal_and_no_number_of_points_is_said_before_the_end(self) -> None:
        night = night_of(3, replace(NO_PRACTICE, rounds=2))
        night.play_round(Ana=(DOG, "A"), Ben=(MOUSE, "B"), Chloe=(CAT, "B"))
        night.next_round()
        night.play_round(Ana=(ELEPHANT, "A"), Ben=(MOUSE, "island"), Chloe=(CAT, "water"))
        night.host(commands.OpenNight())
        end = night.said.index("The night is over.")
        words = " ".join(night.said[1:end]).lower()
        assert not any(animal.value in words for animal in Animal)
        assert "point" not in words


class TestDoubts:
    def boarded(self, *mats: str, **says: str) -> Crossing:
        night = night_of(4, room=anonymous_mats())
        night.pick(Ana=DOG, Ben=DOG, Chloe=CAT, Dora=MOUSE)
        night.board()
        night.check_in(**says)
        night.press(*mats)
        night.buzzer()
        return night

    def test_whoever_is_too_many_is_asked_for_and_nobody_may_move(self) -> None:
        night = self.boarded("A1", "A2", Ana="A")
        assert night.said[-1] == "Nobody move yet. Raft A has one person too many. Who is it?"

    def test_whoever_says_so_without_a_mat_is_asked(self) -> None:
        night = self.boarded("A1", Ana="A", Ben="A")
        assert night.said[-1] == "Nobody move yet. Ana and Ben, who of you is really on raft A?"

    def test_where_nothing_is_in_doubt_nothing_is_asked(self) -> None:
        night = self.boarded("A1", "B1", Ana="A", Ben="B")
        assert night.said[-1] == "Stop! Nobody move."

    def test_of_many_questions_two_are_asked(self) -> None:
        night = self.boarded("A1", "A2", "B1", "B2", "rug", Ana="A")
        assert night.said[-1].count("?") == 2
        assert night.said[-1].endswith("The host has more to ask.")

    def test_r3_who_stands_on_two_places_is_asked_by_name(self) -> None:
        night = night_of(2, room=own_mats())
        night.pick(Ana=DOG, Ben=DOG)
        night.board()
        night.press(*(mat.key for mat in own_mats().sensors if mat.owner == 1 and mat.place in ("A", "B")))
        night.buzzer()
        assert night.said[-1] == "Nobody move yet. Ana, where were you at the buzzer?"

    def test_a_question_that_still_waits_is_not_asked_once_it_is_known_who_sank(self) -> None:
        night = self.boarded("A1", "A2", Ana="A")
        (asked,) = script(events.DoubtsFound(1, ()), night.state, night.seats)
        (sank,) = script(events.PlayersSank(1, (), ()), night.state, night.seats)
        assert asked.key == sank.key
        assert asked.urgency is sank.urgency is Urgency.RESULT

    def test_r13_what_is_asked_does_not_depend_on_the_animals(self) -> None:
        said = set()
        for ana, ben in permutations((MOUSE, CAT, DOG, ELEPHANT), 2):
            night = night_of(2, room=anonymous_mats())
            night.pick(Ana=ana, Ben=ben)
            night.board()
            night.check_in(Ana="A", Ben="A")
            night.press("A1")
            night.buzzer()
            said.add(night.said[-1])
        assert said == {"Nobody move yet. Ana and Ben, who of you is really on raft A?"}


class TestTheEnd:
    def test_those_who_tie_win_together(self) -> None:
        night = night_of(3)
        night.play_round(Ana=(CAT, "island"), Ben=(DOG, "A"), Chloe=(DOG, "B"))
        night.host(commands.OpenNight())
        assert night.said[-4:] == [
            "The night is over.",
            "Without a point: Ana.",
            "And the winners are …",
            "Ben and Chloe win the night together.",
        ]

    def test_where_everyone_ties_there_is_nothing_to_wait_for(self) -> None:
        night = night_of(2)
        night.play_round(Ana=(DOG, "A"), Ben=(DOG, "B"))
        night.host(commands.OpenNight())
        assert night.said[-2:] == ["The night is over.", "Ana and Ben win the night together."]

    def test_the_ranking_rises_rank_by_rank_and_those_who_tie_are_named_at_once(self) -> None:
        night = night_of(5)
        night.play_round(
            Ana=(CAT, "A"), Ben=(MOUSE, "B"), Chloe=(DOG, "B"), Dora=(MOUSE, "B"), Emil=(DOG, "water")
        )
        night.host(commands.OpenNight())
        assert night.said[-5:] == [
            "The night is over.",
            "Without a point: Emil.",
            "On 2 points: Ana, Ben and Dora.",
            "And the winner is …",
            "Chloe wins the night.",
        ]

    def test_everyone_waits_for_each_rank_and_longest_for_the_winner(self) -> None:
        night = night_of(3)
        night.play_round(Ana=(CAT, "A"), Ben=(DOG, "B"), Chloe=(DOG, "water"))
        cues = script(events.NightOpened(), night.state, night.seats)
        pauses = [cue.pause_before for cue in cues]
        assert pauses[0] == 0
        assert all(pauses[1:])
        assert max(pauses) == pauses[-1]

    def test_r15_after_nothing_but_the_practice_nobody_wins(self) -> None:
        night = night_of(2, Options())
        night.play_round(Ana=(DOG, "A"), Ben=(CAT, "A"))
        night.host(commands.OpenNight())
        assert night.said[-2:] == ["The night is over.", "No round was played."]


class TestUrgency:
    @pytest.mark.parametrize(
        ("event", "urgency"),
        [
            (events.BoardingClosed(10.0, 10.4), Urgency.BUZZER),
            (events.TenSecondsLeft(), Urgency.TICK),
            (events.PlayersSank(1, (), ()), Urgency.RESULT),
            (events.NightOpened(), Urgency.RESULT),
            (events.MinuteLeft(), Urgency.INFORMATION),
            (events.PicksCalledFor((seat_id("Ana"),)), Urgency.INFORMATION),
            (events.BoardingOpened(10.0, None), Urgency.INFORMATION),
        ],
    )
    def test_the_buzzer_cuts_in_and_a_result_goes_before_information(
        self, event: PublicEvent, urgency: Urgency
    ) -> None:
        assert urgency_of(event, night_of(2)) is urgency

    def test_what_people_do_in_between_is_not_said(self) -> None:
        night = night_of(2, room=own_mats())
        night.pick(Ana=DOG, Ben=DOG)
        night.board()
        night.buzzer()
        before = list(night.said)
        night.host(commands.RulePlace(seat_id("Ana"), "A"))
        night.host(commands.SetMatsAside("A"))
        night.host(commands.TakeRulingBack(seat_id("Ana")))
        night.host(commands.ChangeTimes(100, 20))
        night.host(commands.ChangeLoads(2, (5, 5)))
        assert night.said == before
