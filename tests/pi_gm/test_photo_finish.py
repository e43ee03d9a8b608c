"""The photo finish: the last five seconds of each mat, in bars and words that say what the ruling says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm import night as nights
from pi_gm.clock import Seconds
from pi_gm.floor import (
    AFTER,
    BEFORE,
    EDGES_SHOWN,
    Edge,
    FloorReading,
    History,
    Reading,
    Sensor,
    reading_at,
    strip_at,
)
from pi_gm.games import Page
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.photo_finish import film_of, told
from pi_gm.room import Place, Room
from pi_gm.rooms import own_mats
from tests.pi_gm.evening import Evening

A1 = Sensor("A1", 4, "A", owner=1)
INSTANT = 100.0
PRESSED, CLEAR, UNKNOWN, IGNORED = Reading.PRESSED, Reading.CLEAR, Reading.UNKNOWN, Reading.IGNORED


def history(*at: Seconds, pressed_at_start: bool = False, since: Seconds = -60.0) -> History:
    """A contact that changed at each of these seconds against the buzzer."""
    edges = tuple(
        Edge(INSTANT + offset, pressed=(number % 2 == 0) is not pressed_at_start)
        for number, offset in enumerate(at)
    )
    return History(INSTANT + since, pressed_at_start, edges, INSTANT + 1)


def words(*at: Seconds, pressed_at_start: bool = False, since: Seconds = -60.0) -> str:
    known = history(*at, pressed_at_start=pressed_at_start, since=since)
    reading = reading_at(known, INSTANT, press=A1.press, release=A1.release)
    return told(reading, strip_at(known, A1, INSTANT))


class TestInWords:
    @pytest.mark.parametrize(
        ("at", "sentence"),
        [
            ((), "nobody"),
            ((-1.4,), "on 1.4 s before"),
            ((-30.0,), "on all the time"),
            ((-2.0, -0.25), "off 0.2 s before"),
            ((0.06,), "on 0.06 s after"),
            ((0.004,), "on 0.004 s after"),
            ((-3.0, -1.0, 0.2), "off 1.0 s before, on 0.2 s after"),
            ((-1.4, 0.2), "on 1.4 s before, off 0.2 s after"),
            ((-3.0, -2.0, -1.0), "on 1.0 s before"),
            ((-30.0, -20.0), "nobody"),
            ((0.0,), "on 0.000 s before"),
        ],
    )
    def test_it_says_when_somebody_came_and_went(self, at: tuple[Seconds, ...], sentence: str) -> None:
        assert words(*at) == sentence

    def test_who_sat_there_when_a_short_history_begins_was_on_at_the_buzzer_and_nobody_knows_since_when(
        self,
    ) -> None:
        assert words(pressed_at_start=True, since=-60.0) == "on all the time"
        assert words(pressed_at_start=True, since=-2.0) == "on at the buzzer"

    def test_a_bounce_is_no_coming_and_going(self) -> None:
        assert words(-1.0, -0.95, -0.9) == "on 1.0 s before"

    @pytest.mark.parametrize(
        ("reading", "sentence"), [(UNKNOWN, "gave no answer"), (IGNORED, "left out tonight")]
    )
    def test_a_mat_that_says_nothing_is_not_spoken_for_by_its_edges(
        self, reading: Reading, sentence: str
    ) -> None:
        assert told(reading, strip_at(history(-1.0), A1, INSTANT)) == sentence


@given(
    st.lists(st.floats(-8, 1), max_size=12).map(sorted),
    st.booleans(),
    st.floats(-9, 0),
    st.sampled_from([0.0, 0.05, 0.3]),
)
def test_bars_and_words_never_contradict_the_reading(
    at: list[Seconds], pressed_at_start: bool, since: Seconds, noise: Seconds
) -> None:
    known = history(*(o for o in at if o >= since), pressed_at_start=pressed_at_start, since=since)
    sensor = Sensor("A1", 4, "A", press=noise, release=noise)
    reading = reading_at(known, INSTANT, press=noise, release=noise)
    strip = strip_at(known, sensor, INSTANT)
    assert any(on <= 0 < off for on, off in strip.presses) is (reading is PRESSED)
    first = told(reading, strip).split(", ")[0]
    is_on = first in ("on all the time", "on at the buzzer") or (
        first.startswith("on ") and first.endswith("before")
    )
    assert is_on is (reading is PRESSED)


class TestTheStrip:
    def test_it_holds_five_seconds_before_and_what_came_right_after(self) -> None:
        strip = strip_at(history(-7.0, -6.0, -4.5, -4.0, -0.5, 0.9), A1, INSTANT)
        assert strip.presses == ((-4.5, -4.0), (-0.5, AFTER))
        assert [edge[0] for edge in strip.edges] == pytest.approx([-4.5, -4.0, -0.5])

    def test_it_says_from_when_on_it_is_known(self) -> None:
        assert strip_at(history(since=-60.0), A1, INSTANT).since == -BEFORE
        assert strip_at(history(since=-2.0), A1, INSTANT).since == -2.0

    def test_of_a_mat_that_chatters_the_last_edges_are_kept(self) -> None:
        strip = strip_at(history(*(-4 + n / 100 for n in range(300))), A1, INSTANT)
        assert len(strip.edges) == EDGES_SHOWN
        assert strip.edges[-1][0] == pytest.approx(-4 + 2.99)


def test_the_film_calls_places_as_the_room_does() -> None:
    room = Room("attic", (A1,), places=(Place("A", "the blue couch"),))
    floor = FloorReading((("A1", PRESSED),), (strip_at(history(-1.4), A1, INSTANT),))
    (row,) = film_of(floor, room.sensors, room, is_on_tv=False).rows
    assert (row.place, row.owner, row.told) == ("the blue couch", 1, "on 1.4 s before")


class TestARound:
    def played(self) -> Evening:
        evening = Evening("Ana", "Ben", room=own_mats())
        evening.begin()
        evening.pick(Ana=Animal.DOG, Ben=Animal.CAT)
        evening.host(commands.OpenBoarding())
        evening.floor.press("A1")
        evening.pass_time(28)
        evening.floor.press("A1", "B2")
        return evening

    def test_the_host_sees_it_once_the_floor_was_read_until_the_next_round(self) -> None:
        evening = self.played()
        assert evening.play_on(Page.HOST).film is None
        evening.pass_time(3)
        film = evening.play_on(Page.HOST).film
        assert film is not None
        assert {row.key: row.told for row in film.rows if row.told != "nobody"} == {
            "A1": "on all the time",
            "B2": "on 2.0 s before",
        }
        evening.host(commands.SettleRound())
        assert evening.play_on(Page.HOST).film == film
        evening.host(commands.NextRound())
        assert evening.play_on(Page.HOST).film is None

    def test_the_tv_shows_it_while_the_host_wants_that(self) -> None:
        evening = self.played()
        evening.pass_time(3)
        assert evening.play_on(Page.TV).film is None
        evening.host(commands.ShowFilm())
        assert evening.play_on(Page.TV).film is not None
        evening.host(commands.HideFilm())
        assert evening.play_on(Page.TV).film is None

    def test_no_phone_and_no_booth_shows_it(self) -> None:
        evening = self.played()
        evening.pass_time(3)
        evening.host(commands.ShowFilm())
        assert evening.on_phone_of("Ana").play.film is None
        assert evening.play_on(Page.BOOTH).film is None

    def test_before_the_buzzer_there_is_none(self) -> None:
        assert self.played().why_not(commands.ShowFilm()) == "no-film"

    def test_nor_in_a_room_without_mats(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin()
        evening.board(Ana=(Animal.DOG, "A"), Ben=(Animal.CAT, "B"))
        evening.pass_time(31)
        assert evening.play_on(Page.HOST).film is None
        assert evening.why_not(commands.ShowFilm()) == "no-film"

    def test_it_is_kept_with_the_round_and_outlives_a_power_cut(self) -> None:
        evening = self.played()
        evening.pass_time(3)
        film = evening.play_on(Page.HOST).film
        evening.power_cut()
        assert evening.play_on(Page.HOST).film == film

    def test_a_mat_that_is_left_out_while_it_is_ruled_says_so(self) -> None:
        evening = self.played()
        evening.pass_time(3)
        evening.host(nights.IgnoreSensor("A1"))
        film = evening.play_on(Page.HOST).film
        assert film is not None
        assert next(row.told for row in film.rows if row.key == "A1") == "left out tonight"


def test_a_reading_of_a_night_from_before_has_no_strips() -> None:
    assert FloorReading((("A1", PRESSED),)).strips == ()
    assert film_of(FloorReading(), (A1,), own_mats(), is_on_tv=False).rows == ()
