"""R13 at the core: two nights that differ only in what others picked look and sound the same, until the rules open it.

Both nights have the same people, ids, chance, time and floor, and everyone says the same at the same moments, but for
the animals of all players except one. In each round the others' animals differ in any way under which the same players
sink (that alone is told), and the one's own points are the same where the host lets players see them. Then every page
but a games master's, the knowing player's included, must get the same bytes after every single step, and every question
the same answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from pi_gm import night as nights
from pi_gm.games import GUEST, HOST, Actor, Page, Rejected, Role, Viewer
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.loads import ON_SCREEN
from pi_gm.games.animal_crossing.rules import Boarding, Fate, Outcome, settle
from pi_gm.journal import JournalFailed
from pi_gm.players import SeatId
from pi_gm.rooms import ROOMS
from pi_gm.table import Answer
from tests.pi_gm.evening import Evening, encoded, phone

KNOWING, *OTHERS = NAMES = ("Ana", "Ben", "Chloe", "Dora")
"""The first is the one whose animals are the same in both nights."""
PLACES = ("A", "B", "island", "water")
Animals = tuple[Animal, ...]


class Round(Struct, frozen=True):
    """What everyone does in one round."""

    own: Animal
    """What the knowing one is, in both nights."""
    first: Animal
    """What they had picked before they changed their mind."""
    places: tuple[str, ...]
    says: tuple[bool, ...]
    """Who checks in; the others stay where the floor, or nobody, finds them."""
    ruled: tuple[tuple[int, str], ...]
    sits_out: int | None


class Plan(Struct, frozen=True):
    rounds: tuple[Round, ...]
    room: str
    options: dict[str, object]
    seed: int
    is_heard: bool
    """Whether a speaker says the captions, so that the time to board waits for its words."""


animals = st.sampled_from(Animal)
one_of_each = st.tuples(*[animals] * len(NAMES))
rounds = st.builds(
    Round,
    own=animals,
    first=animals,
    places=st.tuples(*[st.sampled_from(["A", "A", "A", "B", "B", "island", "water"])] * len(NAMES)),
    says=st.tuples(*[st.sampled_from([True, True, True, False])] * len(NAMES)),
    ruled=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(PLACES)), max_size=1).map(tuple),
    sits_out=st.sampled_from([None, None, None, 1, 2]),
)
plans = st.builds(
    Plan,
    rounds=st.lists(rounds, min_size=1, max_size=3).map(tuple),
    room=st.sampled_from(list(ROOMS)),
    options=st.fixed_dictionaries(
        {"own_points": st.booleans(), "settle_without_host": st.booleans(), "practice": st.booleans()}
    ),
    seed=st.integers(0, 2**32),
    is_heard=st.booleans(),
)


def settled(animals: Animals, places: Mapping[str, str], loads: tuple[int, ...]) -> tuple[Outcome, ...]:
    of = dict(zip(NAMES, animals, strict=True))
    boarded = [Boarding(SeatId(name), of[name], place) for name, place in places.items()]
    return settle(boarded, dict(zip("AB", loads, strict=True)))


def pairs_alike(
    own: Animal, places: Mapping[str, str], loads: tuple[int, ...], *, own_points: bool
) -> list[tuple[Animals, Animals]]:
    """Two choices for everybody, the knowing one's the same, with which nothing that may be known is different.

    Those with which somebody's fate differs, if there are such: they tell whether a reason leaks.
    """
    told = {
        (own, *others): settled((own, *others), places, loads)
        for others in product(Animal, repeat=len(OTHERS))
    }

    def known(choice: Animals) -> object:
        points = next((each.points for each in told[choice] if each.seat == KNOWING), None)
        return {each.seat for each in told[choice] if each.fate.is_sunk}, points if own_points else None

    def fates(choice: Animals) -> list[Fate]:
        return [each.fate for each in told[choice]]

    pairs = [(one, other) for one, other in permutations(told, 2) if known(one) == known(other)]
    return [pair for pair in pairs if fates(pair[0]) != fates(pair[1])] or pairs


class Watched:
    """An evening, and everything that went out from it, step by step."""

    VIEWERS = (Viewer(Page.TV), Viewer(Page.HOST), Viewer(Page.BOOTH), Viewer(Page.PLAYER, None, "a guest"))

    def __init__(self, plan: Plan) -> None:
        self.evening = Evening(room=ROOMS[plan.room], seed=plan.seed)
        self.evening.table.heard_while(lambda: plan.is_heard)
        self.seen: list[bytes] = []
        self.watch()
        for name in NAMES:
            self.evening.sit_down(name)
        self.evening.host(
            nights.ChooseOptions({**plan.options, "rounds": len(ON_SCREEN)}), nights.BeginGame()
        )

    def watch(self) -> None:
        """Look at every page after every change from now on."""
        self.evening.table.subscribe(self._look)

    def _look(self) -> None:
        own = self.evening.table.viewer_with_phone(phone(KNOWING))
        pages = [encoded(self.evening.table.view(viewer)) for viewer in (*self.VIEWERS, own)]
        now, runs = self.evening.table.now()
        self.seen.append(b"\n".join([*pages, f"{now} {runs}".encode()]))

    def say(self, command: Struct, actor: Actor = HOST) -> Answer:
        answer = self.evening.asked(command, actor)
        words = self.evening.table.phrase(answer) if isinstance(answer, Rejected) else ""
        self.seen.append(msgspec.json.encode((answer, words)))
        return answer

    def pick(self, animals: Sequence[Animal]) -> None:
        for name, animal in zip(NAMES, animals, strict=True):
            self.say(commands.PickAnimal(animal), self.evening.actor(name))

    def pick_all_but_one(self, animals: Sequence[Animal]) -> None:
        """And try to board although somebody has not chosen."""
        for name, animal in list(zip(NAMES, animals, strict=True))[:-1]:
            self.say(commands.PickAnimal(animal), self.evening.actor(name))
        self.say(commands.OpenBoarding())
        self.evening.pass_time(430)
        self.say(commands.CallOn())

    def board(self, round_: Round) -> dict[str, str]:
        """All go where they go and the floor is read; the answer is who is where."""
        self.say(commands.OpenBoarding())
        table = self.evening
        present = [name for n, name in enumerate(NAMES) if n != round_.sits_out]
        if round_.sits_out is not None:
            self.say(nights.SitOut(table.seat(NAMES[round_.sits_out])))
        self.evening.pass_time(2)
        call = [caption for caption in table.night.captions if caption.cue.key == "board"]
        table.table.was_said(call[-1])
        for name, place, says in zip(NAMES, round_.places, round_.says, strict=True):
            if says:
                self.say(commands.CheckIn(place), table.actor(name))
        table.floor.press(*self._mats(round_))
        table.table.floor_changed()
        for who, place in round_.ruled:
            self.say(commands.RulePlace(table.seat(NAMES[who]), place))
        self.evening.pass_time(15)
        undo = table.on(Page.HOST).undo
        if undo is not None and round_.ruled:
            self.say(nights.Undo(undo.step))
        self.say(nights.Pause("door"))
        self.say(nights.Resume("door"))
        self.evening.pass_time(14)
        self.say(commands.PickAnimal(Animal.MOUSE), table.actor(OTHERS[0]))
        return self._where(present)

    def _mats(self, round_: Round) -> Iterator[str]:
        """A mat for everybody on a raft or the island: their own, or the first of the place."""
        for token, place in enumerate(round_.places, start=1):
            if place != "water" and token - 1 != round_.sits_out:
                at_place = self.evening.house.room.sensors_at(place)
                own = [mat.key for mat in at_place if mat.owner == token]
                yield from own or [mat.key for mat in at_place if mat.owner is None][:1]

    def _where(self, present: Sequence[str]) -> dict[str, str]:
        """Where each is thought to be, as the TV shows it before anything is settled."""
        names = {self.evening.seat(name): name for name in present}
        return {
            names[person.seat]: place.key
            for place in self.evening.play_on(Page.TV).places
            for person in place.people
            if person.seat in names
        }

    def answer_doubts(self) -> None:
        while doubts := self.evening.play_on(Page.HOST).doubts:
            command = doubts[0].answers[0].command
            assert command is not None
            self.say(command)

    def is_settled(self) -> bool:
        return bool(self.evening.night.play.round.is_settled)

    def places(self) -> dict[str, str]:
        """Where each was at the buzzer, once the round is settled."""
        return {self.evening.name_of(o.seat): o.place for o in self.evening.night.play.round.outcomes}


def compare(one: Watched, other: Watched) -> None:
    """Step by step, so that a failure shows the first that tells."""
    for step, (mine, theirs) in enumerate(zip(one.seen, other.seen, strict=True)):
        assert mine == theirs, f"step {step} tells the two nights apart"


def places_of(plan: Plan, number: int) -> dict[str, str]:
    """Where everyone ends up in that round: played once for this alone, with animals that are the same for all."""
    trial = Watched(plan)
    places: dict[str, str] = {}
    for round_ in plan.rounds[: number + 1]:
        dogs = [Animal.DOG] * len(NAMES)
        trial.pick(dogs)
        trial.board(round_)
        trial.evening.pass_time(10)
        trial.answer_doubts()
        if not trial.is_settled():
            trial.say(commands.SettleRound())
        places = trial.places()
        if round_.sits_out is not None:
            trial.say(nights.SitIn(trial.evening.seat(NAMES[round_.sits_out])))
        trial.say(commands.NextRound())
    return places


def both(plan: Plan, rng: Random) -> tuple[Watched, Watched, bool]:
    """The two nights up to the last settled round, and whether they differ in anything that opens at the end."""
    one, other = Watched(plan), Watched(plan)
    differ = False
    for number, round_ in enumerate(plan.rounds):
        loads = one.evening.night.play.round.loads
        places = places_of(plan, number)
        pair = rng.choice(pairs_alike(round_.own, places, loads, own_points=bool(plan.options["own_points"])))
        differ = differ or any(a != b for name, a, b in zip(NAMES, *pair, strict=True) if name in places)
        for night, animals in zip((one, other), pair, strict=True):
            night.pick_all_but_one((round_.first, *(rng.choice(list(Animal)) for _ in OTHERS)))
            night.pick(animals)
            night.board(round_)
            night.evening.pass_time(10)
            night.answer_doubts()
            night.say(commands.SettleRound())
            if round_.sits_out is not None:
                night.say(nights.SitIn(night.evening.seat(NAMES[round_.sits_out])))
            night.say(commands.NextRound())
            night.say(commands.PickAnimal(animals[0]), night.evening.actor(KNOWING))
        compare(one, other)
    return one, other, differ


class TestR13NobodyLearnsWhatOthersPicked:
    @settings(max_examples=40)
    @given(plans, st.randoms(use_true_random=False))
    def test_r13_every_page_answer_and_caption_is_the_same_until_the_night_opens(
        self, plan: Plan, rng: Random
    ) -> None:
        one, other, differ = both(plan, rng)
        compare(one, other)
        for night in (one, other):
            night.evening.power_cut()
            night.watch()
            night.say(nights.Resume(nights.POWER_CUT))
        compare(one, other)
        for night in (one, other):
            night.say(commands.OpenNight())
        assert (one.seen == other.seen) is not differ, "at the end everything opens, and only then"

    def test_r13_such_nights_differ_in_what_nobody_may_see(self) -> None:
        """What makes the property above worth something: three sink here, for one reason or another."""
        places = {"Ana": "island", "Ben": "A", "Chloe": "A", "Dora": "A"}
        all_dogs = (Animal.DOG, Animal.DOG, Animal.DOG, Animal.DOG)
        one_cat = (Animal.DOG, Animal.DOG, Animal.DOG, Animal.CAT)
        assert (all_dogs, one_cat) in pairs_alike(Animal.DOG, places, (4, 7), own_points=True)
        assert [settled(choice, places, (4, 7))[3].fate for choice in (all_dogs, one_cat)] == [
            Fate.WENT_UNDER,
            Fate.SCARED_OFF,
        ]

    @settings(max_examples=25)
    @given(rounds, st.lists(one_of_each, min_size=2, max_size=2), st.sampled_from(list(ROOMS)))
    def test_r13_up_to_the_settling_any_two_choices_look_the_same(
        self, round_: Round, choices: list[tuple[Animal, ...]], room: str
    ) -> None:
        """Who sinks may differ here, so nothing is settled."""
        nights_ = []
        for animals in choices:
            night = Watched(Plan((round_,), room, {"practice": False}, seed=1, is_heard=True))
            mine = (round_.own, *animals[1:])
            night.pick_all_but_one(mine)
            night.pick(mine)
            night.board(round_)
            night.evening.pass_time(10)
            night.answer_doubts()
            nights_.append(night)
        compare(*nights_)


class TestWhatAGamesMasterSees:
    def test_a_host_who_does_not_play_sees_the_difference_and_nobody_else_does(self) -> None:
        pages: list[dict[Page, bytes]] = []
        for animal in (Animal.DOG, Animal.CAT):
            evening = Evening("Ana", "Ben")
            evening.begin(games_master=True)
            evening.pick(Ben=animal)
            pages.append({page: encoded(evening.on(page)) for page in (Page.HOST, Page.TV, Page.BOOTH)})
            pages[-1][Page.PLAYER] = encoded(evening.on_phone_of("Ana"))
        assert {page for page in pages[0] if pages[0][page] != pages[1][page]} == {Page.HOST}

    def test_what_was_whispered_is_told_to_nobody_when_it_is_taken_back(self) -> None:
        pages = []
        for animal in (Animal.DOG, Animal.CAT):
            evening = Evening("Ana", "Ben")
            evening.begin(games_master=True)
            evening.host(commands.PickFor(evening.seat("Ben"), animal))
            evening.undo()
            pages.append([encoded(evening.on(page)) for page in Page if page is not Page.PLAYER])
        assert pages[0] == pages[1]


class TestWhatNeverLeavesTheCore:
    def test_no_page_holds_what_opens_a_phone_a_booth_or_the_hosts_page(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.be_host()
        evening.accepted(nights.OpenBooth("the booth's device"), Actor(Role.DOOR))
        evening.accepted(nights.SetSecret("0815"), evening.actor("Ana"))
        evening.accepted(nights.AskForSeat("Ben", phone("new")), GUEST)
        night = evening.night
        kept = [night.host, night.booth, phone("new")]
        kept += [secret for seat in night.seats for secret in (seat.phone, seat.secret)]
        for page in (*(evening.on(page) for page in Page), evening.on_phone_of("Ana")):
            text = encoded(page).decode()
            assert not any(secret in text for secret in kept if secret is not None)

    def test_no_error_names_an_animal(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin()
        evening.journal.is_full = True  # type: ignore[attr-defined]
        with pytest.raises(JournalFailed) as failed:
            evening.pick(Ana=Animal.ELEPHANT)
        assert "elephant" not in str(failed.value)

    def test_a_no_to_a_pick_does_not_say_which(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin()
        evening.board(Ana=(Animal.DOG, "A"), Ben=(Animal.DOG, "A"))
        answer = evening.asked(commands.PickAnimal(Animal.ELEPHANT), evening.actor("Ana"))
        assert isinstance(answer, Rejected)
        assert "elephant" not in evening.table.phrase(answer) + repr(answer)
