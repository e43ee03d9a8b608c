"""What holds in every game, whoever does what, leaves and comes back: no card is lost, nobody owes, nobody is stuck."""

from collections import Counter
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pi_gm.games import CLOCK, HOST, Actor, Page, Rejected, Role
from pi_gm.games.animal_mind import GAME, commands
from pi_gm.games.animal_mind.bots import bot
from pi_gm.games.animal_mind.cards import SCORING, Card, Kind, PileCard, produce
from pi_gm.games.animal_mind.decide import deadline, present, whose_move
from pi_gm.games.animal_mind.options import Options, ScoringCards
from pi_gm.games.animal_mind.state import Phase, State
from pi_gm.players import SeatId
from pi_gm.simulate import play_night, play_nights, seats_for
from tests.pi_gm.games.animal_mind.mind import PEOPLE, Mind, player
from tests.pi_gm.games.animal_mind.mind import seats_for as people

BOTH = list(ScoringCards)


def every_card(state: State) -> Counter[PileCard]:
    """Wherever a card can be: on the pile, in the drawer's hand, in a collection, discarded."""
    held = [
        Card(each.kind, value) for hand in state.hands for each in hand.collection for value in each.values
    ]
    # While the taker chooses what to let go, the card that was shown is still in nobody's collection.
    out = [] if state.drawn is None else [state.drawn]
    return Counter([*state.pile, *out, *held, *state.discards])


def assert_sound(state: State) -> None:
    """What must hold after every single event."""
    cards = every_card(state)
    assert cards.pop(SCORING, 0) + state.scorings == 3
    assert cards == Counter(produce(state.options.per_value))
    for hand in state.hands:
        assert hand.chips >= 0
        assert 0 <= hand.accepts <= 3
        assert len(hand.collection) <= 3
        assert len({held.kind for held in hand.collection}) == len(hand.collection)
        assert all(held.values for held in hand.collection)


def play_on(mind: Mind, rng: Random) -> None:
    """Bots play to the end."""
    for _ in range(5000):
        if mind.phase is Phase.OVER:
            return
        for seat in mind.seats:
            command = bot(mind.state, player(seat.name), mind.around, rng)
            if command is not None:
                assert not isinstance(mind.ask(command, player(seat.name)), Rejected), command
                assert_sound(mind.state)
        due = deadline(mind.state)
        if due is not None:
            mind.pass_time(max(0.0, due - mind.now))
            assert_sound(mind.state)
    raise AssertionError(f"the game does not end: {mind.state}")


@pytest.mark.parametrize("scoring", BOTH)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_game_of_fifty_two_cards_ends_and_no_card_is_lost_on_the_way(
    players: int, scoring: ScoringCards, seed: int
) -> None:
    mind = Mind(people(*PEOPLE[:players]), Options(scoring=scoring))
    mind.begin(seed)
    assert_sound(mind.state)
    play_on(mind, Random(seed))
    assert mind.state.scorings == 3
    assert set(mind.state.winners) <= set(mind.players)
    assert mind.state.winners


@pytest.mark.parametrize("scoring", BOTH)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_simulated_nights_add_up(players: int, scoring: ScoringCards) -> None:
    for tally in play_nights(GAME, 5, players, Options(scoring=scoring), Random(players)):
        assert tally["scorings"] == 3
        assert tally["cards kept"] + tally["cards discarded"] + tally["cards never drawn"] == 52
        assert 1 <= tally["winners"] <= players


def test_where_more_sit_at_the_table_four_play_a_simulated_night() -> None:
    state: State = play_night(GAME, seats_for(6), Options(), Random(1))
    assert [hand.seat for hand in state.hands] == ["bot-1", "bot-2", "bot-3", "bot-4"]


SAYINGS = st.one_of(
    st.builds(lambda kind: (kind, None), st.sampled_from(Kind)),
    st.builds(lambda value: (None, value), st.sampled_from((0, 1, 2))),
)
SEATS = st.sampled_from([SeatId(name) for name in PEOPLE])
ANYTHING = st.one_of(
    st.builds(
        commands.Offer,
        SEATS,
        st.none() | st.sampled_from(Kind),
        st.none() | st.integers(min_value=-1, max_value=3),
    ),
    st.just(commands.Accept()),
    st.just(commands.Reject()),
    st.builds(commands.Discard, st.sampled_from(Kind)),
    st.just(commands.GoOn()),
    st.just(commands.CallOn()),
    st.just(commands.TimeUp()),
    st.just(commands.SeatsChanged()),
)
ACTORS = st.one_of(st.sampled_from((HOST, CLOCK)), st.builds(lambda seat: Actor(Role.PLAYER, seat), SEATS))


class AnyGame(RuleBasedStateMachine):
    """People do what they can, and what they cannot, leave and come back."""

    @initialize(
        players=st.integers(2, 4),
        watching=st.integers(0, 1),
        seed=st.integers(0, 999),
        scoring=st.sampled_from(ScoringCards),
        think_seconds=st.sampled_from((0, 30)),
        per_value=st.sampled_from(((0, 0, 2), (1, 1, 1), (5, 5, 3))),
    )
    def begin(
        self,
        players: int,
        watching: int,
        seed: int,
        scoring: ScoringCards,
        think_seconds: int,
        per_value: tuple[int, int, int],
    ) -> None:
        chosen = tuple(SeatId(name) for name in PEOPLE[:players])
        options = Options(scoring, per_value, think_seconds, chosen)
        self.mind = Mind(people(*PEOPLE[: players + watching]), options)
        assert not isinstance(self.mind.begin(seed), Rejected)

    def is_in(self, *phases: Phase) -> bool:
        return not self.mind.is_paused and self.mind.phase in phases

    @precondition(lambda self: self.is_in(Phase.OFFERING))
    @rule(said=SAYINGS, which=st.integers(0, 3))
    def offer(self, said: tuple[Kind | None, int | None], which: int) -> None:
        others = [seat for seat in present(self.mind.state, self.mind.around) if seat != self.mind.turn]
        self.mind.offer(self.mind.turn, others[which % len(others)], kind=said[0], value=said[1])

    @precondition(lambda self: self.is_in(Phase.ANSWERING))
    @rule(wants=st.booleans())
    def answer(self, wants: bool) -> None:
        to = self.mind.state.to
        assert to is not None
        wanted = self.mind.by(to, commands.Accept() if wants else commands.Reject())
        if isinstance(wanted, Rejected):
            assert self.mind.accepts[to] == (0 if wants else 3)
            assert not isinstance(
                self.mind.by(to, commands.Reject() if wants else commands.Accept()), Rejected
            )

    @precondition(lambda self: self.is_in(Phase.CHOOSING))
    @rule(which=st.integers(0, 2))
    def discard(self, which: int) -> None:
        choice, taker = self.mind.state.choice, self.mind.state.taker
        assert taker is not None
        self.mind.discard(taker, choice[which % len(choice)])

    @precondition(lambda self: self.is_in(Phase.SHOWING, Phase.SCORING))
    @rule()
    def go_on(self) -> None:
        self.mind.go_on()

    @rule(command=ANYTHING, actor=ACTORS)
    def try_anything(self, command: commands.AnyCommand, actor: Actor) -> None:
        before = self.mind.state
        answer = self.mind.ask(command, actor)
        if isinstance(answer, Rejected):
            assert self.mind.state == before
            assert GAME.phrase(answer.reason, **dict(answer.words))

    @precondition(lambda self: not self.mind.is_paused)
    @rule(seconds=st.sampled_from((1, 10, 40)))
    def pass_time(self, seconds: int) -> None:
        self.mind.pass_time(seconds)

    @rule(name=st.sampled_from(PEOPLE))
    def sit_out(self, name: str) -> None:
        self.mind.sit_out(name)

    @rule(name=st.sampled_from(PEOPLE))
    def sit_in(self, name: str) -> None:
        self.mind.sit_in(name)

    @rule()
    def pause_or_resume(self) -> None:
        self.mind.is_paused = not self.mind.is_paused

    @invariant()
    def is_sound(self) -> None:
        assert_sound(self.mind.state)

    @invariant()
    def the_card_is_where_it_belongs(self) -> None:
        is_out = self.mind.phase in (Phase.OFFERING, Phase.ANSWERING, Phase.CHOOSING)
        assert (self.mind.state.drawn is not None) == is_out
        may_know = self.mind.phase in (Phase.OFFERING, Phase.ANSWERING)
        for seat in self.mind.seats:
            seen = self.mind.on_phone_of(seat.name).card
            assert seen == (self.mind.state.drawn if may_know and seat.name == self.mind.turn else None)
        assert [self.mind.on(page).card for page in (Page.TV, Page.HOST, Page.BOOTH)] == [None] * 3

    @invariant()
    def nobody_is_stuck(self) -> None:
        """Somebody who is there can do something, or time goes on, or too few are there, or it is over."""
        state, here = self.mind.state, present(self.mind.state, self.mind.around)
        waited_for, seen = whose_move(state), self.mind.on_phone_of(whose_move(state) or "Ana")
        match state.phase:
            case Phase.OFFERING:
                assert waited_for in here
                assert seen.receivers
            case Phase.ANSWERING:
                assert waited_for in here
                assert seen.can_accept or seen.can_reject
            case Phase.CHOOSING:
                assert waited_for in here
                assert len(seen.choice) > 1
            case Phase.SHOWING | Phase.SCORING:
                assert deadline(state) is not None
            case Phase.WAITING:
                assert len(here) < 2
            case Phase.OVER:
                assert state.winners

    @invariant()
    def what_the_hosts_button_sends_counts(self) -> None:
        step = self.mind.on(Page.HOST).next
        if (
            step is not None
            and step.command is not None
            and not self.mind.is_paused
            and not self.is_in(Phase.OVER)
        ):
            decided = GAME.decide(self.mind.state, step.command, HOST, self.mind.around, Random(0))
            assert not isinstance(decided, Rejected)

    def teardown(self) -> None:
        """Whatever happened, once all are back the game comes to its end."""
        if not hasattr(self, "mind"):
            return
        self.mind.is_paused = False
        self.mind.sit_in(*PEOPLE)
        play_on(self.mind, Random(0))


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(max_examples=100, stateful_step_count=50, deadline=None)
