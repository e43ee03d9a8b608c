"""Who is where: every ground on which somebody is found, every doubt, and that no guess is ever silent (R1 to R3)."""

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pi_gm.floor import FloorReading, Reading, Sensor
from pi_gm.players import SeatId
from pi_gm.whereabouts import Doubt, DoubtKind, Evidence, Finding, Ground, Whereabouts, find

PLACES = ("A", "B", "island")
EVERYWHERE = (*PLACES, "water")
PRESSED, CLEAR, UNKNOWN = Reading.PRESSED, Reading.CLEAR, Reading.UNKNOWN


def seats(names: str) -> tuple[SeatId, ...]:
    return tuple(SeatId(name) for name in names.split())


def mat(key: str, place: str, owner: int | None = None, counts: int | None = 1) -> Sensor:
    return Sensor(key, 4, place, owner=owner, counts=counts)


A1, A2, A3, B1, B2 = (mat(key, key[0]) for key in ("A1", "A2", "A3", "B1", "B2"))
RUG = mat("rug", "island", counts=None)
WET = mat("wet", "water")
ANONYMOUS = (A1, A2, A3, B1, B2, RUG)
OWN = tuple(mat(f"{place}-{owner}", place, owner) for place in EVERYWHERE for owner in (1, 2, 3))
"""Ana's, Ben's and Chloe's mats at every place."""


def evidence(
    names: str,
    *sensors: Sensor,
    pressed: str = "",
    unknown: str = "",
    says: Mapping[str, str] | None = None,
    ruled: Mapping[str, str] | None = None,
    aside: tuple[str, ...] = (),
) -> Evidence:
    """What is known of players whose tokens count up from 1; mats that are not named are clear."""

    def reading(sensor: Sensor) -> Reading:
        if sensor.key in unknown.split():
            return UNKNOWN
        return PRESSED if sensor.key in pressed.split() else CLEAR

    return Evidence(
        tokens=tuple((seat, token) for token, seat in enumerate(seats(names), start=1)),
        places=PLACES,
        sensors=sensors,
        floor=FloorReading(tuple((sensor.key, reading(sensor)) for sensor in sensors)),
        check_ins=tuple((SeatId(seat), place) for seat, place in (says or {}).items()),
        rulings=tuple((SeatId(seat), place) for seat, place in (ruled or {}).items()),
        mats_set_aside=aside,
    )


def found(known: Evidence) -> dict[str, tuple[str, Ground]]:
    """Where everyone is and why, given that there is no doubt."""
    answer = find(known)
    assert answer.doubts == ()
    return {finding.seat: (finding.place, finding.ground) for finding in answer.findings}


def places(answer: Whereabouts) -> dict[str, str]:
    return {finding.seat: finding.place for finding in answer.findings}


def doubt(known: Evidence) -> Doubt:
    (only,) = find(known).doubts
    return only


class TestGrounds:
    def test_the_hosts_ruling(self) -> None:
        assert found(evidence("Ana", ruled={"Ana": "B"})) == {"Ana": ("B", Ground.RULING)}

    def test_a_mat_of_ones_own(self) -> None:
        assert found(evidence("Ana Ben", *OWN, pressed="A-1 island-2")) == {
            "Ana": ("A", Ground.OWN_MAT),
            "Ben": ("island", Ground.OWN_MAT),
        }

    def test_as_many_mats_pressed_as_people_checked_in(self) -> None:
        known = evidence("Ana Ben", *ANONYMOUS, pressed="A1 A3", says={"Ana": "A", "Ben": "A"})
        assert found(known) == dict.fromkeys(["Ana", "Ben"], ("A", Ground.MATS_AND_CHECK_IN))

    def test_any_number_checked_in_on_a_rug_that_is_pressed(self) -> None:
        known = evidence("Ana Ben", *ANONYMOUS, pressed="rug", says={"Ana": "island", "Ben": "island"})
        assert found(known) == dict.fromkeys(["Ana", "Ben"], ("island", Ground.MATS_AND_CHECK_IN))

    def test_up_to_as_many_on_a_mat_as_it_counts(self) -> None:
        bench = mat("bench", "A", counts=2)
        both = {"Ana": "A", "Ben": "A"}
        assert set(found(evidence("Ana Ben", bench, pressed="bench", says=both))) == {"Ana", "Ben"}
        assert find(evidence("Ana Ben Chloe", bench, pressed="bench", says=both | {"Chloe": "A"})).doubts

    def test_one_player_and_one_pressed_mat_are_left(self) -> None:
        known = evidence("Ana Ben", *ANONYMOUS, pressed="A1 B2", says={"Ana": "A"})
        assert found(known)["Ben"] == ("B", Ground.ELIMINATION)

    def test_what_was_said_where_a_place_has_no_sensors(self) -> None:
        known = evidence("Ana Ben", A1, says={"Ana": "B", "Ben": "island"})
        assert found(known) == {"Ana": ("B", Ground.CHECK_IN), "Ben": ("island", Ground.CHECK_IN)}

    def test_who_says_to_be_in_the_water_is(self) -> None:
        assert found(evidence("Ana", *OWN, pressed="A-1", says={"Ana": "water"})) == {
            "Ana": ("water", Ground.CHECK_IN)
        }

    def test_r1_nowhere_means_the_water(self) -> None:
        assert found(evidence("Ana Ben", says={"Ben": "A"}))["Ana"] == ("water", Ground.NOWHERE)


class TestR2TheWaterBeatsEverything:
    def test_r2_a_mat_of_ones_own_in_the_water_beats_one_on_a_raft(self) -> None:
        assert found(evidence("Ana", *OWN, pressed="A-1 water-1", says={"Ana": "A"})) == {
            "Ana": ("water", Ground.OWN_MAT)
        }

    def test_r2_a_pressed_mat_in_the_water_asks_whose_foot_it_is(self) -> None:
        known = evidence("Ana Ben", WET, pressed="wet", says={"Ana": "A", "Ben": "B"})
        assert doubt(known) == Doubt(DoubtKind.TOO_MANY_PRESSED, ("water",), seats("Ana Ben"), pressed=1)

    def test_r2_once_somebody_is_known_to_be_in_the_water_it_asks_no_more(self) -> None:
        known = evidence("Ana Ben", WET, pressed="wet", says={"Ana": "A", "Ben": "B"}, ruled={"Ben": "water"})
        assert found(known) == {"Ana": ("A", Ground.CHECK_IN), "Ben": ("water", Ground.RULING)}

    def test_r2_a_mat_in_the_water_that_is_silent_asks_too(self) -> None:
        known = evidence("Ana Ben", WET, unknown="wet", says={"Ana": "A"})
        assert doubt(known) == Doubt(DoubtKind.MAT_SILENT, ("water",), seats("Ana"))

    def test_r2_a_clear_one_says_nothing(self) -> None:
        assert found(evidence("Ana", WET, says={"Ana": "A"})) == {"Ana": ("A", Ground.CHECK_IN)}

    def test_r2_and_neither_does_one_that_the_host_set_aside(self) -> None:
        known = evidence("Ana", WET, pressed="wet", says={"Ana": "A"}, aside=("water",))
        assert found(known) == {"Ana": ("A", Ground.CHECK_IN)}


class TestDoubts:
    def test_r3_two_places_at_once(self) -> None:
        known = evidence("Ana", *OWN, pressed="A-1 island-1")
        assert doubt(known) == Doubt(DoubtKind.TWO_PLACES, ("A", "island", "water"), seats("Ana"))

    def test_r3_what_the_phone_says_does_not_settle_it(self) -> None:
        known = evidence("Ana", *OWN, pressed="A-1 B-1", says={"Ana": "B"})
        assert doubt(known).kind is DoubtKind.TWO_PLACES

    def test_mat_against_phone(self) -> None:
        known = evidence("Ana", *OWN, pressed="A-1", says={"Ana": "B"})
        assert doubt(known) == Doubt(DoubtKind.MAT_AGAINST_PHONE, ("A", "B", "water"), seats("Ana"))

    def test_a_check_in_where_the_own_mat_is_clear(self) -> None:
        known = evidence("Ana", *OWN, says={"Ana": "B"})
        assert doubt(known) == Doubt(DoubtKind.MAT_AGAINST_PHONE, ("B", "water"), seats("Ana"))

    def test_a_check_in_where_the_own_mat_is_silent(self) -> None:
        known = evidence("Ana", *OWN, unknown="B-1", says={"Ana": "B"})
        assert doubt(known) == Doubt(DoubtKind.OWN_MAT_SILENT, ("B", "water"), seats("Ana"))

    def test_an_own_mat_is_silent_and_nobody_says_anything(self) -> None:
        known = evidence("Ana", *OWN, unknown="A-1 B-1")
        assert doubt(known) == Doubt(DoubtKind.OWN_MAT_SILENT, ("A", "B", "water"), seats("Ana"))

    def test_no_place_is_offered_twice(self) -> None:
        known = evidence("Ana", *OWN, unknown="water-1")
        assert doubt(known) == Doubt(DoubtKind.OWN_MAT_SILENT, ("water",), seats("Ana"))

    def test_more_mats_pressed_than_people_there(self) -> None:
        known = evidence("Ana Ben Chloe", *ANONYMOUS, pressed="A1 A2 A3", says={"Ana": "A"})
        assert doubt(known) == Doubt(
            DoubtKind.TOO_MANY_PRESSED, ("A",), seats("Ben Chloe"), claimed=seats("Ana"), pressed=3
        )

    def test_more_mats_pressed_though_everyone_has_a_place(self) -> None:
        known = evidence("Ana Ben", *ANONYMOUS, pressed="A1 A2 B1", says={"Ana": "A", "Ben": "B"})
        assert doubt(known) == Doubt(DoubtKind.TOO_MANY_PRESSED, ("A",), (), claimed=seats("Ana"), pressed=2)

    def test_fewer_mats_pressed_than_people_there(self) -> None:
        known = evidence("Ana Ben", *ANONYMOUS, pressed="A1", says={"Ana": "A", "Ben": "A"})
        assert doubt(known) == Doubt(
            DoubtKind.TOO_FEW_PRESSED, ("A",), seats("Ana Ben"), claimed=seats("Ana Ben"), pressed=1
        )

    def test_nobody_on_the_rug_where_somebody_says_to_be(self) -> None:
        assert doubt(evidence("Ana", *ANONYMOUS, says={"Ana": "island"})).kind is DoubtKind.TOO_FEW_PRESSED

    def test_a_silent_mat_where_somebody_is_missing(self) -> None:
        known = evidence("Ana Ben", *ANONYMOUS, pressed="A1", unknown="B1", says={"Ana": "A"})
        assert doubt(known) == Doubt(DoubtKind.MAT_SILENT, ("B",), seats("Ben"))

    def test_a_silent_mat_where_somebody_says_to_be(self) -> None:
        known = evidence("Ana", *ANONYMOUS, unknown="B1", says={"Ana": "B"})
        assert doubt(known) == Doubt(DoubtKind.MAT_SILENT, ("B",), (), claimed=seats("Ana"))

    def test_a_silent_mat_is_no_doubt_where_everyone_stands_on_another(self) -> None:
        known = evidence("Ana", *ANONYMOUS, pressed="A1", unknown="A2 B1", says={"Ana": "A"})
        assert found(known) == {"Ana": ("A", Ground.MATS_AND_CHECK_IN)}

    def test_two_players_and_one_mat_are_left(self) -> None:
        known = evidence("Ana Ben", *ANONYMOUS, pressed="A1")
        assert doubt(known) == Doubt(DoubtKind.TOO_MANY_PRESSED, ("A",), seats("Ana Ben"), pressed=1)

    def test_one_player_and_two_mats_are_left(self) -> None:
        known = evidence("Ana", *ANONYMOUS, pressed="A1 B1")
        assert [each.places for each in find(known).doubts] == [("A",), ("B",)]

    def test_nobody_is_found_by_elimination_while_a_mat_is_silent(self) -> None:
        known = evidence("Ana", *ANONYMOUS, pressed="A1", unknown="B1")
        assert {each.kind for each in find(known).doubts} == {
            DoubtKind.TOO_MANY_PRESSED,
            DoubtKind.MAT_SILENT,
        }

    def test_nor_while_another_player_is_in_doubt(self) -> None:
        sensors = (A1, mat("B-1", "B", 1), mat("i-1", "island", 1))
        known = evidence("Ana Ben", *sensors, pressed="A1 B-1 i-1")
        assert {each.kind for each in find(known).doubts} == {
            DoubtKind.TWO_PLACES,
            DoubtKind.TOO_MANY_PRESSED,
        }


class TestRulings:
    def test_a_ruling_ends_the_doubt_about_that_player(self) -> None:
        known = evidence("Ana", *OWN, pressed="A-1 B-1", ruled={"Ana": "B"})
        assert found(known) == {"Ana": ("B", Ground.RULING)}

    def test_who_was_ruled_onto_a_place_accounts_for_a_mat_there(self) -> None:
        known = evidence("Ana Ben", *ANONYMOUS, pressed="A1 A2", says={"Ana": "A"}, ruled={"Ben": "A"})
        assert found(known)["Ana"] == ("A", Ground.MATS_AND_CHECK_IN)

    def test_who_was_ruled_away_from_a_place_accounts_for_none(self) -> None:
        known = evidence(
            "Ana Ben", *ANONYMOUS, pressed="A1", says={"Ana": "A", "Ben": "A"}, ruled={"Ben": "water"}
        )
        assert found(known) == {"Ana": ("A", Ground.MATS_AND_CHECK_IN), "Ben": ("water", Ground.RULING)}

    def test_the_host_may_rule_more_people_onto_a_place_than_its_mats_say(self) -> None:
        known = evidence("Ana Ben", *ANONYMOUS, ruled={"Ana": "A", "Ben": "A"})
        assert set(found(known).values()) == {("A", Ground.RULING)}

    def test_where_mats_are_set_aside_what_people_say_is_enough(self) -> None:
        known = evidence("Ana Ben", *ANONYMOUS, pressed="A1 A2 A3", says={"Ana": "A"}, aside=("A",))
        assert found(known) == {"Ana": ("A", Ground.CHECK_IN), "Ben": ("water", Ground.NOWHERE)}

    def test_setting_mats_aside_leaves_those_of_other_places_counting(self) -> None:
        known = evidence("Ana", *ANONYMOUS, pressed="A1 B1", says={"Ana": "A"}, aside=("A",))
        assert doubt(known).places == ("B",)

    def test_nobody_was_asked_about_who_is_not_there(self) -> None:
        with pytest.raises(KeyError):
            find(evidence("Ana")).place_of(SeatId("Ben"))


# What must hold whatever people, mats and phones say

players = ("Ana", "Ben", "Chloe", "Dora")
readings = st.sampled_from(Reading)
rooms = st.lists(
    st.tuples(
        st.sampled_from(EVERYWHERE),
        st.one_of(st.none(), st.integers(1, 4)),
        st.sampled_from([1, 1, 2, None]),
    ),
    max_size=10,
).map(
    lambda drawn: tuple(
        mat(f"{number}{place}", place, owner, counts) for number, (place, owner, counts) in enumerate(drawn)
    )
)


@st.composite
def evidences(draw: st.DrawFn, sensors: st.SearchStrategy[tuple[Sensor, ...]] = rooms) -> Evidence:
    room = draw(sensors)
    some = st.dictionaries(st.sampled_from([SeatId(name) for name in players]), st.sampled_from(EVERYWHERE))
    return Evidence(
        tokens=tuple((SeatId(name), token) for token, name in enumerate(players, start=1)),
        places=PLACES,
        sensors=room,
        floor=FloorReading(tuple((sensor.key, draw(readings)) for sensor in room)),
        check_ins=tuple(draw(some).items()),
        rulings=tuple(draw(st.one_of(st.just({}), some)).items()),
        mats_set_aside=tuple(draw(st.sets(st.sampled_from(EVERYWHERE), max_size=1))),
    )


def counted(known: Evidence) -> dict[str, list[Sensor]]:
    """The anonymous mats that count, by place."""
    return {
        place: [sensor for sensor in known.sensors if sensor.place == place and sensor.owner is None]
        for place in EVERYWHERE
        if place not in known.mats_set_aside
    }


class TestWhateverTheySay:
    @given(evidences())
    def test_every_player_is_found_exactly_once_in_seating_order(self, known: Evidence) -> None:
        answer = find(known)
        assert [finding.seat for finding in answer.findings] == [seat for seat, _ in known.tokens]
        assert all(finding.place in EVERYWHERE for finding in answer.findings)

    @given(evidences())
    def test_the_hosts_ruling_always_wins(self, known: Evidence) -> None:
        answer = find(known)
        for seat, place in known.rulings:
            assert Finding(seat, place, Ground.RULING) in answer.findings

    @given(evidences())
    def test_nobody_whom_the_host_ruled_on_is_asked_about_again(self, known: Evidence) -> None:
        ruled = {seat for seat, _ in known.rulings}
        for each in find(known).doubts:
            # Where more seem to be than are known, those who are known are named, and nobody moves them.
            named_only = each.kind is DoubtKind.TOO_MANY_PRESSED
            asked_to_be_moved = set(each.seats) | set(() if named_only else each.claimed)
            in_the_water = each.places == ("water",)
            assert in_the_water or not ruled & asked_to_be_moved

    @given(evidences())
    def test_no_doubt_means_that_mats_and_people_add_up(self, known: Evidence) -> None:
        answer = find(known)
        assume(not answer.doubts)
        for place in PLACES:
            there = [f for f in answer.findings if f.place == place and f.ground is not Ground.OWN_MAT]
            mats = counted(known).get(place) or []
            if all(known.floor.of(sensor) is Reading.IGNORED for sensor in mats):
                continue
            pressed = sum(known.floor.of(sensor) is PRESSED for sensor in mats)
            room_for = [sensor.counts for sensor in mats if known.floor.of(sensor) is not CLEAR]
            assert len(there) >= pressed
            assert (
                None in room_for
                or len(there) <= sum(counts or 0 for counts in room_for)
                or all(finding.ground is Ground.RULING for finding in there)
            )

    @given(evidences())
    def test_unknown_is_never_taken_for_empty(self, known: Evidence) -> None:
        """Who is put in the water or onto the last free mat, for want of a trace, can be on no silent mat."""
        answer = find(known)
        assume(not answer.doubts)
        tokens = dict(known.tokens)
        for finding in answer.findings:
            if finding.ground not in (Ground.NOWHERE, Ground.ELIMINATION):
                continue
            own = [sensor for sensor in known.sensors if sensor.owner == tokens[finding.seat]]
            anonymous = [sensor for place in PLACES for sensor in counted(known).get(place, [])]
            silent = [sensor for sensor in (*own, *anonymous) if known.floor.of(sensor) is UNKNOWN]
            assert silent == []

    @settings(max_examples=60)
    @given(evidences())
    def test_what_a_silent_mat_would_have_said_changes_no_answer_without_a_doubt(
        self, known: Evidence
    ) -> None:
        answer = find(known)
        assume(not answer.doubts)
        silent = [key for key, reading in known.floor.readings if reading is UNKNOWN][:4]
        for spoken in product((PRESSED, CLEAR), repeat=len(silent)):
            told = dict(zip(silent, spoken, strict=True))
            floor = FloorReading(tuple((key, told.get(key, was)) for key, was in known.floor.readings))
            told_answer = find(replace(known, floor=floor))
            assert told_answer.doubts or places(told_answer) == places(answer)

    @given(evidences(), st.randoms(use_true_random=False))
    def test_the_order_of_players_sensors_and_words_decides_nothing(
        self, known: Evidence, rng: Random
    ) -> None:
        def shuffled(values: tuple) -> tuple:  # type: ignore[type-arg]
            return tuple(rng.sample(values, len(values)))

        other = find(
            replace(
                known,
                tokens=shuffled(known.tokens),
                sensors=shuffled(known.sensors),
                check_ins=shuffled(known.check_ins),
                rulings=shuffled(known.rulings),
            )
        )
        answer = find(known)
        assert set(other.findings) == set(answer.findings)
        assert len(other.doubts) == len(answer.doubts)

    @given(st.lists(st.sampled_from(EVERYWHERE), min_size=4, max_size=4), st.sets(st.sampled_from(players)))
    def test_what_mats_that_work_and_people_who_tell_the_truth_say_without_a_doubt_is_true(
        self, truth: list[str], silent: set[str]
    ) -> None:
        """Everyone stands on a mat of theirs, or of nobody's; some say nothing on their phones."""
        mats = tuple(mat(f"{place}{number}", place) for place in PLACES for number in range(4))
        stand = [f"{place}{number}" for number, place in enumerate(truth)]
        says = {name: place for name, place in zip(players, truth, strict=True) if name not in silent}
        answer = find(evidence(" ".join(players), *mats, pressed=" ".join(stand), says=says))
        assert answer.doubts or places(answer) == dict(zip(players, truth, strict=True))
        missing = [name for name in silent if dict(zip(players, truth, strict=True))[name] != "water"]
        assert bool(answer.doubts) is (len(missing) > 1 or (len(missing) == 1 and len(silent) > 1))


class TestAMatThatIsIgnored:
    """What the host leaves out tonight says nothing, and nobody is asked about it."""

    def ignoring(self, known: Evidence, *keys: str) -> Evidence:
        return replace(known, floor=known.floor.ignoring(keys))

    def test_of_ones_own_leaves_ones_word(self) -> None:
        known = self.ignoring(evidence("ana", *OWN, pressed="B-1", says={"ana": "A"}), "A-1", "B-1")
        assert found(known) == {"ana": ("A", Ground.CHECK_IN)}

    def test_may_have_somebody_on_it_who_says_so(self) -> None:
        known = self.ignoring(evidence("ana ben", A1, A2, pressed="A1", says={"ana": "A", "ben": "A"}), "A2")
        assert {place for place, _ in found(known).values()} == {"A"}

    def test_says_nothing_of_how_many_are_there(self) -> None:
        known = self.ignoring(evidence("ana", A1, A2, pressed="A1 A2", says={"ana": "A"}), "A2")
        assert found(known) == {"ana": ("A", Ground.MATS_AND_CHECK_IN)}

    def test_leaves_nobody_to_be_found_by_elimination_for_they_may_be_on_it(self) -> None:
        known = evidence("ana ben", A1, A2, B1, pressed="A1 B1", says={"ana": "A"})
        assert found(known)["ben"] == ("B", Ground.ELIMINATION)
        (doubt,) = find(self.ignoring(known, "A2")).doubts
        assert (doubt.kind, doubt.places) == (DoubtKind.TOO_MANY_PRESSED, ("B",))

    def test_with_all_the_others_of_its_place_is_as_if_there_were_none(self) -> None:
        known = evidence("ana ben", A1, A2, B1, pressed="B1", says={"ana": "A", "ben": "B"})
        assert found(self.ignoring(known, "A1", "A2"))["ana"] == ("A", Ground.CHECK_IN)
