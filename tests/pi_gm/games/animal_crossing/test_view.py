"""What each page sees in each phase (R13, R14): built up from nothing, so that what is not granted here is not there."""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from pi_gm.floor import Reading
from pi_gm.games import Page, Viewer
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.options import LoadsFrom, Openness, Options
from pi_gm.games.animal_crossing.rules import Fate
from pi_gm.games.animal_crossing.state import Phase
from pi_gm.games.animal_crossing.view import CrossingView, view
from pi_gm.rooms import anonymous_mats, own_mats
from pi_gm.whereabouts import Ground
from tests.pi_gm.games.animal_crossing.crossing import (
    CAT,
    DOG,
    ELEPHANT,
    MOUSE,
    NO_PRACTICE,
    Crossing,
    night_of,
    seat_id,
)
from tests.pi_gm.games.animal_crossing.test_decide import AT

ANA, BEN, CHLOE = seat_id("Ana"), seat_id("Ben"), seat_id("Chloe")
TV, HOST, BOOTH = Viewer(Page.TV), Viewer(Page.HOST), Viewer(Page.BOOTH)
GUEST = Viewer(Page.PLAYER)
ANAS = Viewer(Page.PLAYER, ANA)
ZOES = Viewer(Page.PLAYER, seat_id("Zoe"))
EVERYBODY = (TV, HOST, BOOTH, GUEST, ANAS, ZOES)
SHARED = (TV, HOST, BOOTH, GUEST, ZOES)

MASTERED = replace(NO_PRACTICE, games_master=True)
OPEN = replace(NO_PRACTICE, openness=Openness.OPEN)

in_every_phase = pytest.mark.parametrize("phase", Phase)
before_the_end = pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.OVER])
for_everybody = pytest.mark.parametrize("viewer", EVERYBODY, ids=lambda viewer: viewer.page.value)


def after_a_round(options: Options = NO_PRACTICE) -> Crossing:
    """Ana crosses as a dog, Ben is a mouse that a cat scares off, Chloe is that cat and crosses."""
    night = night_of(3, options)
    night.play_round(Ana=(DOG, "A"), Ben=(MOUSE, "B"), Chloe=(CAT, "B"))
    return night


def animals_in(seen: CrossingView) -> set[str]:
    """Every animal named anywhere in what a page gets, but for the four that may be picked."""
    text = msgspec.json.encode(replace(seen, animals=())).decode()
    return {animal.value for animal in Animal if f'"{animal.value}"' in text}


class TestBeforeTheNight:
    @for_everybody
    def test_there_is_nothing_to_see(self, viewer: Viewer) -> None:
        assert view(None, Options(), viewer, night_of(2).around) is None


class TestR13WhatAPlayerSees:
    @before_the_end
    @pytest.mark.parametrize("viewer", SHARED, ids=lambda viewer: viewer.page.value)
    def test_r13_no_shared_page_names_an_animal_before_the_end(self, phase: Phase, viewer: Viewer) -> None:
        assert animals_in(AT[phase]().seen_by(viewer)) == set()

    def test_r13_a_player_sees_the_own_animal_and_no_other(self) -> None:
        night = night_of(3)
        night.pick(Ana=DOG, Ben=MOUSE, Chloe=ELEPHANT)
        assert [night.on_phone_of(name).own_animal for name in ("Ana", "Ben", "Chloe")] == [
            DOG,
            MOUSE,
            ELEPHANT,
        ]
        assert [animals_in(night.on_phone_of(name)) for name in ("Ana", "Ben", "Chloe")] == [
            {"dog"},
            {"mouse"},
            {"elephant"},
        ]

    def test_r13_the_own_animal_can_be_looked_at_in_every_phase_of_the_round(self) -> None:
        for phase in (Phase.BOARDING, Phase.READING, Phase.RULING, Phase.SANK, Phase.OVER):
            assert AT[phase]().on_phone_of("Ana").own_animal is DOG

    def test_r13_everybody_sees_who_has_picked_and_nobody_what(self) -> None:
        night = night_of(3)
        night.pick(Ben=DOG)
        for viewer in EVERYBODY:
            seen = night.seen_by(viewer)
            assert (seen.picked, seen.waiting_for) == ((BEN,), (ANA, CHLOE))

    @before_the_end
    @for_everybody
    def test_r13_no_total_is_told_before_the_end(self, phase: Phase, viewer: Viewer) -> None:
        seen = AT[phase]().seen_by(viewer)
        assert (seen.standings, seen.opened, seen.master) == ((), (), ())

    @for_everybody
    def test_r13_of_a_settled_round_everybody_learns_who_sank_and_not_why(self, viewer: Viewer) -> None:
        seen = after_a_round().seen_by(viewer)
        assert (seen.sank, seen.dry) == ((BEN,), (ANA, CHLOE))
        assert [each.sank for each in seen.past] == [(BEN,)]
        text = msgspec.json.encode(seen).decode()
        assert not any(fate.value in text for fate in Fate if fate is not Fate.IN_WATER)

    def test_r13_in_the_water_scared_off_or_under_with_a_raft_all_look_the_same(self) -> None:
        seen = []
        for ben in ((MOUSE, "water"), (MOUSE, "B"), (ELEPHANT, "A")):
            night = night_of(3)
            night.play_round(Ana=(DOG, "island"), Ben=ben, Chloe=(CAT, "B"))
            seen.append([night.seen_by(viewer) for viewer in EVERYBODY])
        assert seen[0][0].headline == "Ben sank"
        assert seen[0] == seen[1] == seen[2]

    def test_r13_a_player_sees_the_own_animals_of_the_past(self) -> None:
        night = after_a_round()
        night.next_round()
        (past,) = night.on_phone_of("Ben").past
        assert (past.number, past.own_animal, past.sank) == (1, MOUSE, (BEN,))

    def test_r13_own_points_are_there_only_if_the_host_allowed_it(self) -> None:
        allowed = after_a_round(replace(NO_PRACTICE, own_points=True))
        assert after_a_round().on_phone_of("Ana").past[0].own_points is None
        assert [allowed.on_phone_of(name).past[0].own_points for name in ("Ana", "Ben")] == [3, 0]

    @pytest.mark.parametrize("viewer", SHARED, ids=lambda viewer: viewer.page.value)
    def test_r13_nobody_elses_points_are_there_even_then(self, viewer: Viewer) -> None:
        (past,) = after_a_round(replace(NO_PRACTICE, own_points=True)).seen_by(viewer).past
        assert (past.own_animal, past.own_points) == (None, None)

    @pytest.mark.parametrize("page", [Page.HOST, Page.TV, Page.BOOTH])
    def test_r13_a_shared_page_that_somebody_holds_is_a_shared_page(self, page: Page) -> None:
        night = after_a_round(replace(NO_PRACTICE, own_points=True))
        assert night.seen_by(Viewer(page, ANA)) == night.seen_by(Viewer(page))

    def test_who_came_late_sees_who_sank_before(self) -> None:
        night = after_a_round()
        night.join("Dora")
        (past,) = night.on_phone_of("Dora").past
        assert (past.sank, past.own_animal) == ((BEN,), None)


class TestR13AtTheEndEverythingOpens:
    @for_everybody
    def test_r13_every_pick_place_and_point_of_every_round(self, viewer: Viewer) -> None:
        night = night_of(2, Options(rounds=1))
        night.play_round(Ana=(DOG, "A"), Ben=(MOUSE, "island"))
        night.next_round()
        night.play_round(Ana=(ELEPHANT, "water"), Ben=(CAT, "B"))
        night.host(commands.OpenNight())
        assert [
            (each.number, outcome.seat, outcome.animal, outcome.place, outcome.points)
            for each in night.seen_by(viewer).opened
            for outcome in each.outcomes
        ] == [
            (0, ANA, DOG, "A", 3),
            (0, BEN, MOUSE, "island", 0),
            (1, ANA, ELEPHANT, "water", 0),
            (1, BEN, CAT, "B", 2),
        ]

    @for_everybody
    def test_r15_the_ranking_with_its_awards(self, viewer: Viewer) -> None:
        night = after_a_round()
        night.host(commands.OpenNight())
        assert [(each.seat, each.rank, each.points) for each in night.seen_by(viewer).standings] == [
            (ANA, 1, 3),
            (CHLOE, 2, 2),
            (BEN, 3, 0),
        ]

    def test_a_round_that_was_given_up_stays_closed(self) -> None:
        night = after_a_round()
        night.next_round()
        night.pick(Ana=ELEPHANT)
        night.host(commands.OpenNight())
        seen = night.on_phone_of("Ben")
        assert ([each.number for each in seen.opened], seen.sank, "elephant" in animals_in(seen)) == (
            [1],
            (),
            False,
        )


class TestR14OpenMode:
    @for_everybody
    def test_r14_a_round_opens_when_it_is_settled(self, viewer: Viewer) -> None:
        seen = after_a_round(OPEN).seen_by(viewer)
        assert [(o.seat, o.animal, o.fate, o.points) for o in seen.opened[0].outcomes] == [
            (ANA, DOG, Fate.CROSSED, 3),
            (BEN, MOUSE, Fate.SCARED_OFF, 0),
            (CHLOE, CAT, Fate.CROSSED, 2),
        ]

    @for_everybody
    def test_r14_and_not_before(self, viewer: Viewer) -> None:
        night = night_of(3, OPEN)
        night.pick(Ana=DOG, Ben=MOUSE, Chloe=CAT)
        night.board()
        night.check_in(Ana="A", Ben="B", Chloe="B")
        night.buzzer()
        seen = night.seen_by(viewer)
        assert seen.opened == ()
        assert animals_in(seen) == ({"dog"} if viewer == ANAS else set())

    @for_everybody
    def test_r14_totals_are_public(self, viewer: Viewer) -> None:
        night = after_a_round(OPEN)
        night.next_round()
        assert [each.points for each in night.seen_by(viewer).standings] == [3, 2, 0]


class TestAGamesMaster:
    def test_sees_picks_on_the_tablet(self) -> None:
        night = night_of(3, MASTERED)
        night.pick(Ana=DOG, Chloe=CAT)
        assert [(row.seat, row.animal) for row in night.on(Page.HOST).master] == [
            (ANA, DOG),
            (BEN, None),
            (CHLOE, CAT),
        ]

    def test_sees_effects_and_totals_on_the_tablet(self) -> None:
        rows = after_a_round(MASTERED).on(Page.HOST).master
        assert [(row.total, row.outcome.fate if row.outcome else None) for row in rows] == [
            (3, Fate.CROSSED),
            (0, Fate.SCARED_OFF),
            (2, Fate.CROSSED),
        ]

    @pytest.mark.parametrize("viewer", [TV, BOOTH, GUEST, ANAS, ZOES], ids=lambda viewer: viewer.page.value)
    def test_on_every_other_page_nothing_of_it_is_there(self, viewer: Viewer) -> None:
        seen = after_a_round(MASTERED).seen_by(viewer)
        assert (seen.master, seen.opened, seen.standings) == ((), (), ())
        assert animals_in(seen) <= {"dog"}

    @for_everybody
    def test_everyones_page_says_that_the_host_sees_all(self, viewer: Viewer) -> None:
        assert night_of(3, MASTERED).seen_by(viewer).games_master
        assert not night_of(3).seen_by(viewer).games_master


class TestWhatMayBePicked:
    @pytest.mark.parametrize("phase", [Phase.PICKING, Phase.CALLING])
    def test_each_player_and_the_booth_are_offered_the_same_four(self, phase: Phase) -> None:
        night = AT[phase]()
        for viewer in (ANAS, Viewer(Page.PLAYER, BEN), BOOTH):
            assert night.seen_by(viewer).animals == tuple(Animal)

    def test_after_a_pick_the_same_four_are_offered_still(self) -> None:
        night = night_of(3)
        night.pick(Ana=ELEPHANT)
        assert night.on_phone_of("Ana").animals == tuple(Animal)

    @in_every_phase
    @pytest.mark.parametrize("viewer", [TV, HOST, GUEST, ZOES], ids=lambda viewer: viewer.page.value)
    def test_nobody_else_is_offered_any(self, phase: Phase, viewer: Viewer) -> None:
        assert AT[phase]().seen_by(viewer).animals == ()

    def test_a_games_master_is(self) -> None:
        assert night_of(3, MASTERED).on(Page.HOST).animals == tuple(Animal)

    @pytest.mark.parametrize(
        "phase", [phase for phase in Phase if phase not in (Phase.PICKING, Phase.CALLING)]
    )
    def test_r11_once_boarding_has_begun_nobody_is(self, phase: Phase) -> None:
        assert all(AT[phase]().seen_by(viewer).animals == () for viewer in EVERYBODY)

    def test_r10_who_sits_out_is_not(self) -> None:
        night = night_of(3)
        night.sit_out("Ana")
        assert night.on_phone_of("Ana").animals == ()


class TestTheFloorPlan:
    @pytest.mark.parametrize("phase", [Phase.BOARDING, Phase.READING, Phase.RULING])
    @pytest.mark.parametrize("viewer", [TV, HOST, GUEST, ANAS], ids=lambda viewer: viewer.page.value)
    def test_it_is_there_from_boarding_until_the_round_is_settled(self, phase: Phase, viewer: Viewer) -> None:
        seen = AT[phase]().seen_by(viewer)
        assert [(place.key, place.load) for place in seen.places] == [
            ("A", 4),
            ("B", 7),
            ("island", None),
            ("water", None),
        ]

    @pytest.mark.parametrize("phase", [Phase.PICKING, Phase.CALLING, Phase.SANK, Phase.OVER])
    def test_r13_otherwise_it_is_not_so_that_no_raft_shows_what_became_of_it(self, phase: Phase) -> None:
        assert all(AT[phase]().seen_by(viewer).places == () for viewer in EVERYBODY)

    @in_every_phase
    def test_the_booth_never_has_it(self, phase: Phase) -> None:
        assert AT[phase]().on(Page.BOOTH).places == ()

    def test_everyone_is_on_it_once_with_the_ground_for_it(self) -> None:
        night = night_of(3)
        night.pick(Ana=DOG, Ben=DOG, Chloe=DOG)
        night.board()
        night.check_in(Ana="B")
        night.host(commands.RulePlace(BEN, "island"))
        assert {
            place.key: [(person.seat, person.ground) for person in place.people]
            for place in night.on(Page.TV).places
        } == {
            "A": [],
            "B": [(ANA, Ground.CHECK_IN)],
            "island": [(BEN, Ground.RULING)],
            "water": [(CHLOE, Ground.NOWHERE)],
        }

    def test_it_shows_each_mat_live_while_boarding_and_as_it_was_at_the_buzzer_after(self) -> None:
        night = night_of(3, room=own_mats())
        night.pick(Ana=DOG, Ben=DOG, Chloe=DOG)
        night.board()
        night.press("A1", unknown=("A2",))

        def on_a() -> dict[str, Reading]:
            return {mat.key: mat.reading for mat in night.on(Page.TV).places[0].mats}

        assert (on_a()["A1"], on_a()["A2"], on_a()["A3"]) == (Reading.PRESSED, Reading.UNKNOWN, Reading.CLEAR)
        night.buzzer()
        night.press("A3")
        assert (on_a()["A1"], on_a()["A3"]) == (Reading.PRESSED, Reading.CLEAR)

    def test_a_player_reads_on_the_phone_where_they_said_they_are_and_where_they_are_taken_to_be(
        self,
    ) -> None:
        night = night_of(3)
        night.pick(Ana=DOG, Ben=DOG, Chloe=DOG)
        night.board()
        night.check_in(Ana="B")
        night.host(commands.RulePlace(ANA, "water"))
        seen = night.on_phone_of("Ana")
        assert (seen.own_place, seen.own_standing) == ("B", "the water")
        assert [night.seen_by(viewer).own_standing for viewer in SHARED] == [None] * len(SHARED)


class TestDoubts:
    @staticmethod
    def in_doubt() -> Crossing:
        night = night_of(3, room=own_mats())
        night.pick(Ana=DOG, Ben=DOG, Chloe=DOG)
        night.board()
        night.press("A1", "B1", "A2", "I3")
        night.buzzer()
        return night

    def test_the_host_is_asked_in_a_sentence_with_an_answer_for_each_place(self) -> None:
        (doubt,) = self.in_doubt().on(Page.HOST).doubts
        assert doubt.sentence == "Ana seems to be on Raft A and on Raft B at once. Where does it count?"
        assert [(answer.label, answer.command) for answer in doubt.answers] == [
            ("Raft A", commands.RulePlace(ANA, "A")),
            ("Raft B", commands.RulePlace(ANA, "B")),
            ("the water", commands.RulePlace(ANA, "water")),
        ]

    @pytest.mark.parametrize("viewer", [TV, BOOTH, GUEST, ANAS], ids=lambda viewer: viewer.page.value)
    def test_nobody_else_is_asked(self, viewer: Viewer) -> None:
        assert self.in_doubt().seen_by(viewer).doubts == ()

    def test_mats_and_people_that_do_not_add_up(self) -> None:
        night = night_of(3, room=anonymous_mats())
        night.pick(Ana=DOG, Ben=DOG, Chloe=DOG)
        night.board()
        night.check_in(Ana="A", Ben="A")
        night.press("A1", "A2", "A3", unknown=("rug",))
        doubts = night.on(Page.HOST).doubts
        assert [doubt.sentence for doubt in doubts] == [
            "Raft A: 3 mats are pressed, and only Ana and Ben count as being there. Who else is?",
            "The island: a mat gives no answer. Is anybody there?",
        ]
        assert [[answer.label for answer in doubt.answers] for doubt in doubts] == [
            ["Chloe", "Nobody, a cushion"],
            ["Chloe", "It is as they say"],
        ]


class TestTheHostsNextStep:
    @pytest.mark.parametrize(
        ("phase", "label"),
        [
            (Phase.PICKING, "Call for the missing picks"),
            (Phase.CALLING, "Call on Ana, Ben and Chloe again"),
            (Phase.BOARDING, "Buzzer now"),
            (Phase.READING, "Reading the floor…"),
            (Phase.RULING, "Say who sank"),
            (Phase.SANK, "Round 2: go!"),
        ],
    )
    def test_there_is_one_in_every_phase(self, phase: Phase, label: str) -> None:
        step = AT[phase]().on(Page.HOST).next
        assert step is not None
        assert step.label == label

    def test_more_than_three_who_are_missing_are_counted_on_the_button_and_named_aloud(self) -> None:
        night = night_of(5)
        night.pick(Ana=Animal.DOG)
        night.host(commands.CallOn())
        step = night.on(Page.HOST).next
        assert step is not None
        assert step.label == "Call on 4 players again"
        assert "Ben, Chloe, Dora and Emil" in night.on(Page.HOST).headline

    @before_the_end
    def test_what_it_sends_is_not_refused(self, phase: Phase) -> None:
        night = AT[phase]()
        step = night.on(Page.HOST).next
        assert step is not None
        if step.command is not None:
            answer = night.host(step.command)  # type: ignore[arg-type]
            assert isinstance(answer, tuple), answer

    def test_all_picked_it_is_boarding(self) -> None:
        night = night_of(2)
        night.pick(Ana=DOG, Ben=DOG)
        step = night.on(Page.HOST).next
        assert step is not None
        assert step.command == commands.OpenBoarding()

    def test_with_too_few_to_board_it_says_so(self) -> None:
        night = night_of(2)
        night.pick(Ana=DOG)
        night.sit_out("Ben")
        step = night.on(Page.HOST).next
        assert step is not None
        assert (step.label, step.command) == ("At least two must play", None)

    def test_in_doubt_it_waits_for_the_ruling(self) -> None:
        step = TestDoubts.in_doubt().on(Page.HOST).next
        assert step is not None
        assert step.command is None

    def test_after_the_last_round_it_opens_the_night(self) -> None:
        step = after_a_round(replace(NO_PRACTICE, rounds=1)).on(Page.HOST).next
        assert step is not None
        assert step.command == commands.OpenNight()

    @in_every_phase
    @pytest.mark.parametrize("viewer", [TV, BOOTH, GUEST, ANAS], ids=lambda viewer: viewer.page.value)
    def test_nobody_else_has_one(self, phase: Phase, viewer: Viewer) -> None:
        seen = AT[phase]().seen_by(viewer)
        assert (seen.next, seen.options, seen.to_come) == (None, None, ())


class TestRoundsToCome:
    @staticmethod
    def to_come(
        options: Options, *, host: commands.HostCommand | None = None
    ) -> list[tuple[int, ...] | None]:
        night = night_of(3, options)
        if host is not None:
            night.host(host)
        return [each.loads for each in night.on(Page.HOST).to_come]

    def test_the_host_sees_the_loads_of_the_show_in_advance(self) -> None:
        assert self.to_come(Options(rounds=2)) == [(4, 7), (5, 5)]

    def test_typed_ones_too(self) -> None:
        typed = ((2, 2), (3, 3), (4, 4))
        assert self.to_come(Options(rounds=2, loads=LoadsFrom.TYPED, typed=typed)) == [(3, 3), (4, 4)]

    def test_of_drawn_ones_nobody_knows_before(self) -> None:
        assert self.to_come(Options(rounds=2, loads=LoadsFrom.RANDOM)) == [None, None]

    def test_lines_left_from_an_earlier_choice_are_not_taken_for_a_plan(self) -> None:
        assert self.to_come(Options(rounds=2, loads=LoadsFrom.RANDOM, typed=((2, 2), (3, 3)))) == [None, None]

    def test_what_the_host_set_goes_before(self) -> None:
        assert self.to_come(Options(rounds=2), host=commands.ChangeLoads(2, (9, 9))) == [(4, 7), (9, 9)]

    def test_what_it_shows_is_what_comes(self) -> None:
        night = after_a_round()
        (coming, *_) = night.on(Page.HOST).to_come
        night.next_round()
        assert night.state.round.loads == coming.loads


class TestTheHeadline:
    @pytest.mark.parametrize(
        ("night_at", "headline"),
        [
            (AT[Phase.PICKING], "Choose your animal in secret"),
            (AT[Phase.CALLING], "Ana, Ben and Chloe, please choose"),
            (AT[Phase.BOARDING], "Get on a raft, or stay on the island"),
            (AT[Phase.READING], "Nobody move"),
            (AT[Phase.RULING], "Nobody move"),
            (AT[Phase.SANK], "Everybody sank"),
            (after_a_round, "Ben sank"),
        ],
    )
    def test_it_says_what_to_do_or_what_became_of_it(
        self, night_at: Callable[[], Crossing], headline: str
    ) -> None:
        assert {night_at().seen_by(viewer).headline for viewer in EVERYBODY} == {headline}

    def test_all_picked(self) -> None:
        night = night_of(2)
        night.pick(Ana=DOG, Ben=DOG)
        assert night.on(Page.TV).headline == "Everyone has chosen"

    def test_over(self) -> None:
        night = after_a_round()
        night.host(commands.OpenNight())
        assert night.on(Page.TV).headline == "Ana wins the night"


class TestTime:
    @pytest.mark.parametrize("phase", [Phase.PICKING, Phase.BOARDING])
    def test_where_time_runs_a_page_knows_until_when(self, phase: Phase) -> None:
        night = AT[phase]()
        assert night.on(Page.TV).ends_at == night.state.ends_at

    @pytest.mark.parametrize(
        "phase", [phase for phase in Phase if phase not in (Phase.PICKING, Phase.BOARDING)]
    )
    def test_otherwise_there_is_no_time_to_show(self, phase: Phase) -> None:
        assert AT[phase]().on(Page.TV).ends_at is None
