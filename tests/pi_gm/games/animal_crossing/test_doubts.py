"""The host's page in doubt: answering what it offers always comes to an end, and then the round can be settled."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_gm.floor import FloorReading, Reading, Sensor
from pi_gm.games import HOST, Page, Rejected
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.bots import bot
from pi_gm.games.animal_crossing.state import Phase
from pi_gm.room import Room
from pi_gm.rooms import anonymous_mats
from tests.pi_gm.games.animal_crossing.crossing import DOG, NO_PRACTICE, Crossing, night_of

PLACES = ("A", "B", "island", "water")
PLAYERS = ("Ana", "Ben", "Chloe", "Dora")

mats = st.lists(
    st.tuples(
        st.sampled_from(PLACES),
        st.one_of(st.none(), st.integers(1, 4)),
        st.sampled_from([1, 2, None]),
        st.sampled_from(Reading),
    ),
    max_size=10,
)
words = st.dictionaries(st.sampled_from(PLAYERS), st.sampled_from(PLACES))
Mats = list[tuple[str, int | None, int | None, Reading]]


def at_the_buzzer(drawn: Mats, says: dict[str, str]) -> Crossing:
    """Four players, mats that say what they say, and whatever the players said on their phones."""
    sensors = tuple(
        Sensor(f"{number} {place}", 2 + number, place, owner=owner, counts=counts)
        for number, (place, owner, counts, _) in enumerate(drawn)
    )
    night = night_of(4, NO_PRACTICE, Room("a room", sensors))
    night.pick(**dict.fromkeys(PLAYERS, DOG))
    night.board()
    night.check_in(**says)
    night.floor = FloorReading(
        tuple((sensor.key, reading) for sensor, (*_, reading) in zip(sensors, drawn, strict=True))
    )
    night.buzzer()
    return night


class TestWhateverIsInDoubt:
    @given(mats, words, st.randoms(use_true_random=False))
    def test_answering_whatever_is_offered_comes_to_an_end(
        self, drawn: Mats, says: dict[str, str], rng: random.Random
    ) -> None:
        night = at_the_buzzer(drawn, says)
        # A player may be ruled onto a raft, and then into the water after all; a place's mats are set aside once.
        for _ in range(2 * len(PLAYERS) + len(PLACES) + 1):
            doubts = night.on(Page.HOST).doubts
            if not doubts:
                break
            assert all(doubt.answers for doubt in doubts)
            answer = rng.choice(rng.choice(doubts).answers)
            assert isinstance(answer.command, commands.RulePlace | commands.SetMatsAside)
            assert not isinstance(night.host(answer.command), Rejected)
        assert night.on(Page.HOST).doubts == ()
        night.settle()
        assert night.phase is Phase.SANK

    @given(mats, words)
    def test_every_answer_changes_something(self, drawn: Mats, says: dict[str, str]) -> None:
        night = at_the_buzzer(drawn, says)
        doubts = night.on(Page.HOST).doubts
        for answer in (answer for doubt in doubts for answer in doubt.answers):
            before = night.so_far
            night.host(answer.command)  # type: ignore[arg-type]
            assert night.on(Page.HOST).doubts != doubts
            night.so_far = before

    @given(mats, words)
    def test_no_answer_stands_there_twice(self, drawn: Mats, says: dict[str, str]) -> None:
        for doubt in at_the_buzzer(drawn, says).on(Page.HOST).doubts:
            assert len({answer.label for answer in doubt.answers}) == len(doubt.answers)

    @settings(max_examples=50)
    @given(mats, words, st.randoms(use_true_random=False))
    def test_a_bot_that_hosts_comes_through_too(
        self, drawn: Mats, says: dict[str, str], rng: random.Random
    ) -> None:
        night = at_the_buzzer(drawn, says)
        for _ in range(20):
            if night.phase is not Phase.RULING:
                return
            move = bot(night.state, HOST, night.around, rng)
            assert move is not None
            assert not isinstance(night.ask(move, HOST), Rejected)
        raise AssertionError("the bot rules and rules")


class TestAnAnswerPutsPeopleWhereItSays:
    def test_a_name_puts_that_player_there(self) -> None:
        night = night_of(3, room=anonymous_mats())
        night.pick(Ana=DOG, Ben=DOG, Chloe=DOG)
        night.board()
        night.check_in(Ana="A")
        night.press("A1", "A2", "B1")
        night.buzzer()
        first, second = night.on(Page.HOST).doubts
        assert [answer.label for answer in first.answers] == ["Ben", "Chloe", "Nobody, a cushion"]
        night.host(first.answers[1].command)  # type: ignore[arg-type]
        night.settle()
        assert night.places == {"Ana": "A", "Ben": "B", "Chloe": "A"}
        assert second.sentence.startswith("Raft B: one mat is pressed")

    def test_not_there_puts_them_in_the_water(self) -> None:
        night = night_of(2, room=anonymous_mats())
        night.pick(Ana=DOG, Ben=DOG)
        night.board()
        night.check_in(Ana="A", Ben="A")
        night.press("A1")
        night.buzzer()
        (doubt,) = night.on(Page.HOST).doubts
        answers = {answer.label: answer.command for answer in doubt.answers}
        assert list(answers) == ["Ana is not there", "Ben is not there", "It is as they say"]
        night.host(answers["Ben is not there"])  # type: ignore[arg-type]
        night.settle()
        assert night.places == {"Ana": "A", "Ben": "water"}
