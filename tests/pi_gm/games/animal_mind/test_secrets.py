"""The secret of the game (M10): what only the drawer knows changes nothing for anybody else, nor when it happens."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from pi_gm import night as nights
from pi_gm.games import HOST, Actor, Page
from pi_gm.games.animal_mind import commands
from pi_gm.games.animal_mind.cards import SCORING, Card, Kind, Pile, PileCard, produce
from pi_gm.games.animal_mind.rules import Claim
from pi_gm.games.animal_mind.state import Phase
from pi_gm.page_view import PageView
from tests.pi_gm.evening import encoded
from tests.pi_gm.games.animal_mind.at_table import EveningOfMind
from tests.pi_gm.games.animal_mind.mind import FUR, MILK, PEOPLE, pile_of

PRODUCE = st.sampled_from(sorted(produce((1, 1, 1)), key=lambda each: (each.kind.value, each.value)))


class Twins:
    """Two evenings over two piles at which the same people do the same at the same moments."""

    def __init__(self, one: Pile, other: Pile, players: int, **options: object) -> None:
        self.people = PEOPLE[: players + 1]
        self.evenings = [EveningOfMind(*self.people, pile=pile) for pile in (one, other)]
        order = [self.one.seat(name) for name in self.people[:players]]
        for evening in self.evenings:
            evening.begin(players=order, **options)
        self.have_seen: set[str] = set()
        """Who has had the card in hand."""
        self.look()

    @property
    def one(self) -> EveningOfMind:
        return self.evenings[0]

    @property
    def is_on(self) -> bool:
        return self.one.night.play is not None

    @property
    def is_open(self) -> bool:
        """Whether the card that was in somebody's hand has been shown."""
        return self.is_on and self.one.game.phase in (Phase.CHOOSING, Phase.SHOWING, Phase.SCORING)

    @property
    def others(self) -> list[str]:
        return [name for name in self.people if name not in self.have_seen]

    def do(self, command: Struct, actor: Actor) -> None:
        answers = [evening.asked(command, actor) for evening in self.evenings]
        assert answers[0] == answers[1], "the answer to a command tells the card"
        self.look()

    def by(self, name: str, command: Struct) -> None:
        self.do(command, self.one.actor(name))

    def pass_time(self, seconds: float) -> None:
        for evening in self.evenings:
            evening.pass_time(seconds)
        self.look()

    def power_cut(self) -> None:
        for evening in self.evenings:
            evening.power_cut()
        self.look()

    def undo(self) -> None:
        offered = [evening.on(Page.HOST).undo for evening in self.evenings]
        assert offered[0] == offered[1]
        if offered[0] is not None:
            self.do(nights.Undo(offered[0].step), HOST)

    def look(self) -> None:
        """Nobody but who has had the card in hand sees, hears or waits for anything else at one of the two tables."""
        if self.is_open:
            self.have_seen.clear()
        elif self.is_on and self.one.game.drawn is not None:
            self.have_seen.add(self.one.turn)
        assert self.one.due == self.evenings[1].due
        self.assert_alike_for(*self.others)

    def assert_alike_for(self, *phones: str) -> None:
        pages = [evening.pages(*phones) for evening in self.evenings]
        for name, page in pages[0].items():
            assert encoded(page) == encoded(pages[1][name]), f"{name} can tell the two apart"

    def play_a_turn(self, chance: Random) -> None:
        """The drawer offers the card to somebody, who answers as they may, and it goes on to the next card."""
        one, drawer = self.one, self.one.turn
        to = chance.choice(
            [name for name in self.people if one.seat(name) in one.game.players and name != drawer]
        )
        self.by(drawer, commands.Offer(one.seat(to), value=chance.choice((0, 1, 2))))
        seen = one.mind_on_phone_of(to)
        may = [commands.Accept()] * seen.can_accept + [commands.Reject()] * seen.can_reject
        self.by(to, chance.choice(may))
        if one.game.phase is Phase.CHOOSING and one.game.taker is not None:
            self.by(one.name_of(one.game.taker), commands.Discard(one.game.choice[0]))
        while one.game.go_on_at is not None:
            self.do(commands.GoOn(), HOST)


def twin_piles(top: Card, other_top: Card, seed: int) -> tuple[Pile, Pile]:
    """Two piles of the same cards with other cards on top, and nothing below them in the same order."""
    rest: list[PileCard] = [*produce((3, 3, 3)), SCORING, SCORING, SCORING]
    rest.remove(top)
    rest.remove(other_top)
    one = Random(seed).sample(rest, len(rest))
    other = Random(seed + 1).sample(rest, len(rest))
    return (top, other_top, *one), (other_top, top, *other)


SAYINGS = st.one_of(
    st.builds(Claim, kind=st.sampled_from(Kind)), st.builds(Claim, value=st.sampled_from((0, 1, 2)))
)
NAMES = st.sampled_from(PEOPLE)
STEPS = st.one_of(
    st.tuples(st.just("offer"), NAMES, NAMES, SAYINGS),
    st.tuples(st.just("drawer offers"), NAMES, SAYINGS),
    st.tuples(st.just("sits out"), NAMES),
    st.tuples(st.just("is back"), NAMES),
    st.tuples(st.just("time"), st.sampled_from((5, 40))),
    st.tuples(st.just("host"), st.sampled_from((commands.CallOn(), commands.GoOn()))),
    st.tuples(st.just("host"), st.sampled_from((nights.Pause("door"), nights.Resume("door")))),
    st.tuples(st.just("discards"), NAMES, st.sampled_from(Kind)),
    st.tuples(st.just("host"), st.just(nights.BeginGame())),
    st.tuples(st.just("undo")),
    st.tuples(st.just("power cut")),
)


def take_step(twins: Twins, step: tuple[object, ...]) -> None:
    match step:
        case ("offer", str(name), str(to), Claim() as said) if {name, to} <= set(twins.people):
            twins.by(name, commands.Offer(twins.one.seat(to), said.kind, said.value))
        case ("drawer offers", str(to), Claim() as said) if to in twins.people and twins.is_on:
            twins.by(twins.one.turn, commands.Offer(twins.one.seat(to), said.kind, said.value))
        case ("sits out", str(name)) if name in twins.people:
            twins.do(nights.SitOut(twins.one.seat(name)), HOST)
        case ("is back", str(name)) if name in twins.people:
            twins.do(nights.SitIn(twins.one.seat(name)), HOST)
        case ("time", int(seconds)):
            twins.pass_time(seconds)
        case ("host", Struct() as command):
            twins.do(command, HOST)
        case ("discards", str(name), Kind() as kind) if name in twins.people:
            twins.by(name, commands.Discard(kind))
        case ("undo",):
            twins.undo()
        case ("power cut",):
            twins.power_cut()


@settings(max_examples=120)
@given(
    tops=st.tuples(PRODUCE, PRODUCE).filter(lambda tops: tops[0] != tops[1]),
    seed=st.integers(0, 99),
    players=st.integers(2, 4),
    think_seconds=st.sampled_from((0, 30)),
    steps=st.lists(STEPS, max_size=12),
)
def test_m10_until_it_is_shown_a_card_and_the_pile_change_nothing_for_those_who_never_had_it_in_hand(
    tops: tuple[Card, Card],
    seed: int,
    players: int,
    think_seconds: int,
    steps: list[tuple[object, ...]],
) -> None:
    twins = Twins(*twin_piles(*tops, seed), players, think_seconds=think_seconds)
    for step in steps:
        take_step(twins, step)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_m10_the_same_holds_later_in_a_game_when_cards_were_kept_discarded_and_scored(
    players: int, seed: int
) -> None:
    begun = "milk2 egg1 fur0 milk1 scoring pet0 egg0 pet2"
    twins = Twins(pile_of(f"{begun} fur2 milk0 scoring"), pile_of(f"{begun} egg2 scoring pet1"), players)
    for _ in range(7):
        twins.play_a_turn(Random(seed))
    assert twins.one.game.drawn != twins.evenings[1].game.drawn
    assert twins.have_seen == {twins.one.turn}
    drawer, to = twins.one.turn, next(name for name in PEOPLE if name != twins.one.turn)
    twins.by(drawer, commands.Offer(twins.one.seat(to), FUR))
    twins.pass_time(60)
    twins.do(nights.SitOut(twins.one.seat(to)), HOST)
    twins.undo()


def test_m10_the_drawer_sees_the_difference_in_the_card_and_the_marked_truth_and_in_nothing_else() -> None:
    twins = Twins(pile_of("milk2 egg0"), pile_of("egg0 milk2"), 3)
    pages = [evening.on_phone_of("Ana") for evening in twins.evenings]
    differing = {
        name
        for name in pages[0].play.__struct_fields__
        if getattr(pages[0].play, name) != getattr(pages[1].play, name)
    }
    assert differing == {"card", "sayings"}
    assert besides_play(pages[0]) == besides_play(pages[1])


def besides_play(page: PageView) -> list[object]:
    return [getattr(page, name) for name in page.__struct_fields__ if name != "play"]


def test_m10_a_lie_and_the_truth_sound_and_look_the_same_until_the_card_is_shown() -> None:
    """One table hears the truth and the other a lie, in the same words."""
    twins = Twins(pile_of("milk2 egg0"), pile_of("egg0 milk2"), 3)
    twins.by("Ana", commands.Offer(twins.one.seat("Ben"), MILK))
    pages = [evening.on_phone_of("Ana") for evening in twins.evenings]
    assert pages[0].captions == pages[1].captions


def test_m10_the_order_of_the_pile_changes_nothing_for_anybody_until_it_is_drawn() -> None:
    twins = Twins(pile_of("milk2 egg0 fur1 scoring"), pile_of("milk2 egg0 scoring fur1"), 3)
    twins.assert_alike_for(*twins.people)
    twins.play_a_turn(Random(1))
    twins.assert_alike_for(*twins.people)


def test_the_comparison_would_notice_a_card_that_is_shown() -> None:
    twins = Twins(pile_of("milk2 egg0"), pile_of("egg0 milk2"), 3)
    twins.by("Ana", commands.Offer(twins.one.seat("Ben"), MILK))
    with pytest.raises(AssertionError, match="can tell the two apart"):
        twins.by("Ben", commands.Accept())


def test_the_comparison_would_notice_a_scoring_card_on_top() -> None:
    with pytest.raises(AssertionError):
        Twins(pile_of("milk2 egg0"), pile_of("scoring milk2 egg0"), 3)
