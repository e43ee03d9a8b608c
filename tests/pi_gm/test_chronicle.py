"""Taking back: what is undone, what players did since that stays, what bars it, and the time that is given back."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_gm import night as nights
from pi_gm.chronicle import STEPS_KEPT, Chronicle, Step
from pi_gm.games import CLOCK, GUEST, Actor, Page, Role
from pi_gm.games.animal_crossing import GAME, commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.state import Phase
from pi_gm.night import House, Rewound, SatOut
from pi_gm.players import SeatId
from pi_gm.room import no_sensors
from tests.pi_gm.evening import Evening, phone

DOG, CAT, MOUSE = Animal.DOG, Animal.CAT, Animal.MOUSE


def picking() -> Evening:
    """Three players, round 1, nobody has picked."""
    evening = Evening("Ana", "Ben", "Chloe")
    evening.begin(practice=False)
    return evening


def boarding() -> Evening:
    evening = picking()
    evening.pick(Ana=DOG, Ben=CAT, Chloe=MOUSE)
    evening.host(commands.OpenBoarding())
    return evening


def undoable(evening: Evening) -> str | None:
    offered = evening.on(Page.HOST).undo
    return None if offered is None else offered.what


def phase(evening: Evening) -> Phase:
    return evening.play_on(Page.TV).phase


class TestWhatIsTakenBack:
    def test_the_hosts_last_step(self) -> None:
        evening = boarding()
        assert undoable(evening) == "opening the rafts"
        evening.undo()
        assert phase(evening) is Phase.PICKING

    def test_it_is_said_so_that_nobody_wonders(self) -> None:
        evening = boarding()
        evening.undo()
        assert evening.said[-1] == "The host takes back: opening the rafts."

    def test_words_once_said_stay_said(self) -> None:
        evening = boarding()
        before = evening.said
        evening.undo()
        assert evening.said[:-1] == before

    @pytest.mark.parametrize(
        ("command", "what"),
        [
            (commands.CallOn(), "calling for the picks"),
            (commands.AddTime(30), "the added time"),
            (commands.ChangeTimes(100, 20), "the new times"),
            (commands.ChangeLoads(2, (9, 9)), "the new loads"),
            (commands.SettleWithoutHost(on=True), "how rounds are settled"),
        ],
    )
    def test_a_step_in_the_game_wholly(self, command: commands.HostCommand, what: str) -> None:
        evening = picking()
        before = evening.night.play
        evening.host(command)
        assert (undoable(evening), evening.night.play != before) == (what, True)
        evening.undo()
        assert evening.night.play == before

    def test_a_ruling(self) -> None:
        evening = boarding()
        evening.host(commands.RulePlace(evening.seat("Ana"), "A"))
        evening.undo()
        assert evening.night.play.round.rulings == ()

    def test_the_buzzer_that_the_host_pressed_with_the_floor_that_was_read_for_it(self) -> None:
        evening = boarding()
        evening.pass_time(5)
        evening.host(commands.SoundBuzzer())
        evening.pass_time(1)
        assert phase(evening) is Phase.RULING
        evening.undo()
        assert (phase(evening), evening.night.play.round.floor) == (Phase.BOARDING, None)

    def test_the_next_round(self) -> None:
        evening = picking()
        evening.play_round(Ana=(DOG, "A"), Ben=(CAT, "B"), Chloe=(MOUSE, "island"))
        evening.host(commands.NextRound())
        evening.pick(Ana=DOG)
        evening.undo()
        play = evening.play_on(Page.TV)
        assert (play.phase, play.round, play.sank) == (Phase.SANK, 1, ())

    def test_somebody_who_was_sent_to_sit_out(self) -> None:
        evening = picking()
        evening.sit_out("Ana")
        assert undoable(evening) == "Ana sits out"
        evening.undo()
        assert not evening.on(Page.TV).people[0].sits_out

    def test_the_start_of_the_game_though_somebody_has_picked_already(self) -> None:
        evening = picking()
        evening.pick(Ana=DOG)
        evening.undo()
        assert evening.night.play is None
        evening.begin()
        assert evening.play_on(Page.TV).picked == ()

    def test_the_start_of_a_game_that_is_paused(self) -> None:
        evening = picking()
        evening.host(nights.Pause("snacks"))
        evening.undo()
        assert (evening.night.play, evening.night.pauses) == (None, ())

    def test_a_games_masters_entry_and_not_what_it_was(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin(games_master=True)
        evening.host(commands.PickFor(evening.seat("Ana"), DOG))
        assert undoable(evening) == "a pick"
        evening.undo()
        assert evening.play_on(Page.TV).picked == ()


class TestWhatPlayersDidSinceStays:
    def test_picks(self) -> None:
        evening = picking()
        evening.host(commands.AddTime(30))
        evening.pick(Ana=DOG, Ben=CAT)
        evening.undo()
        assert dict(evening.night.play.round.picks) == {evening.seat("Ana"): DOG, evening.seat("Ben"): CAT}

    def test_a_pick_made_before_and_changed_since(self) -> None:
        evening = picking()
        evening.pick(Ana=DOG)
        evening.host(commands.AddTime(30))
        evening.pick(Ana=MOUSE)
        evening.undo()
        assert dict(evening.night.play.round.picks) == {evening.seat("Ana"): MOUSE}

    def test_a_players_own_pick_over_a_games_masters_entry(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin(games_master=True)
        evening.host(commands.PickFor(evening.seat("Ana"), DOG))
        evening.pick(Ana=MOUSE)
        evening.undo()
        assert dict(evening.night.play.round.picks) == {evening.seat("Ana"): MOUSE}

    def test_check_ins_while_boarding_goes_on(self) -> None:
        evening = boarding()
        evening.host(commands.AddTime(30))
        evening.check_in(Ana="A")
        evening.undo()
        assert dict(evening.night.play.round.check_ins) == {evening.seat("Ana"): "A"}

    def test_but_not_check_ins_for_a_boarding_that_was_taken_back(self) -> None:
        evening = boarding()
        evening.check_in(Ana="A")
        evening.undo()
        assert evening.on_phone_of("Ana").play.own_place is None
        evening.host(commands.OpenBoarding())
        assert evening.on_phone_of("Ana").play.own_standing == "the water"

    def test_who_sat_down(self) -> None:
        evening = picking()
        evening.host(commands.CallOn())
        evening.sit_down("Dora")
        evening.undo()
        assert [seat.name for seat in evening.night.seats] == ["Ana", "Ben", "Chloe", "Dora"]

    def test_pauses_names_phones_and_the_host(self) -> None:
        evening = picking()
        evening.host(commands.CallOn())
        evening.host(nights.Pause("snacks"), nights.RenameSeat(evening.seat("Ana"), "Anna"))
        evening.accepted(nights.AskForSeat("Ben", phone("new")), GUEST)
        evening.be_host()
        (request,) = evening.on(Page.HOST).requests
        evening.host(nights.AnswerRequest(request.request, allow=True))
        before = evening.night
        evening.undo()
        after = evening.night
        assert (after.pauses, after.seats, after.host) == (before.pauses, before.seats, before.host)


class TestWhatBarsIt:
    @pytest.mark.parametrize("open_it", [commands.SettleRound(), commands.OpenNight()])
    def test_once_something_secret_was_opened_nothing_before_it_can_be_undone(
        self, open_it: commands.HostCommand
    ) -> None:
        evening = boarding()
        evening.pass_time(31)
        if isinstance(open_it, commands.OpenNight):
            evening.host(commands.SettleRound())
        evening.host(open_it)
        assert undoable(evening) is None
        assert evening.why_not(nights.Undo(1)) == "nothing-to-undo"

    def test_once_the_clock_sounded_the_buzzer_boarding_is_over_for_good(self) -> None:
        evening = boarding()
        evening.pass_time(30)
        assert undoable(evening) is None

    def test_a_round_that_settled_by_itself_stays_settled(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin(practice=False, settle_without_host=True)
        evening.board(Ana=(DOG, "A"), Ben=(CAT, "B"))
        evening.host(commands.SoundBuzzer())
        evening.pass_time(1)
        assert phase(evening) is Phase.SANK
        assert undoable(evening) is None

    def test_after_everyone_got_up_nothing_comes_back(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.sit_out("Ana")
        evening.host(nights.ClearTable())
        assert undoable(evening) is None

    def test_what_players_do_the_host_cannot_take_back(self) -> None:
        evening = picking()
        evening.pick(Ana=DOG)
        assert undoable(evening) == "the start of the game"

    def test_there_is_nothing_to_undo_at_a_table_where_nothing_was_done(self) -> None:
        assert Evening("Ana").why_not(nights.Undo(1)) == "nothing-to-undo"

    def test_an_undo_that_comes_too_late_hits_nothing_newer(self) -> None:
        evening = picking()
        evening.host(commands.CallOn())
        meant = evening.on(Page.HOST).undo
        assert meant is not None
        evening.host(commands.AddTime(30))
        assert evening.why_not(nights.Undo(meant.step)) == "undo-too-late"
        assert undoable(evening) == "the added time"

    def test_the_same_undo_pressed_twice_takes_one_step_back(self) -> None:
        evening = picking()
        evening.host(commands.AddTime(30), commands.AddTime(60))
        offered = evening.on(Page.HOST).undo
        assert offered is not None
        evening.host(nights.Undo(offered.step))
        assert evening.why_not(nights.Undo(offered.step)) == "undo-too-late"

    @pytest.mark.parametrize("actor", [CLOCK, GUEST, Actor(Role.PLAYER, SeatId("Ana"))])
    def test_nobody_but_the_host_takes_back(self, actor: Actor) -> None:
        evening = picking()
        offered = evening.on(Page.HOST).undo
        assert offered is not None
        assert evening.why_not(nights.Undo(offered.step), actor) == "not-yours-to-say"


class TestTimeGivenBack:
    def test_the_phase_before_has_the_time_left_that_it_had(self) -> None:
        evening = picking()
        evening.pass_time(100)
        evening.pick(Ana=DOG, Ben=CAT, Chloe=MOUSE)
        evening.host(commands.OpenBoarding())
        evening.pass_time(12)
        evening.undo()
        assert evening.due is not None
        assert evening.now == 100
        assert evening.play_on(Page.TV).ends_at == 420

    def test_boarding_has_the_seconds_left_that_it_had_at_the_buzzer(self) -> None:
        evening = boarding()
        evening.pass_time(25)
        evening.host(commands.SoundBuzzer())
        evening.pass_time(60)
        evening.undo()
        evening.pass_time(4.9)
        assert phase(evening) is Phase.BOARDING
        evening.pass_time(0.1)
        assert phase(evening) is Phase.READING

    def test_what_turned_no_phase_gives_no_time_back(self) -> None:
        evening = boarding()
        evening.host(commands.RulePlace(evening.seat("Ana"), "A"))
        evening.pass_time(12)
        evening.undo()
        assert evening.now == 12

    def test_while_the_game_is_paused_time_stands_where_it_was_given_back(self) -> None:
        evening = boarding()
        evening.pass_time(12)
        evening.host(nights.Pause("snacks"))
        evening.undo()
        evening.pass_time(1000)
        assert (evening.now, evening.table.now()[1]) == (0, False)

    def test_time_that_was_given_back_is_not_lost_in_a_power_cut(self) -> None:
        evening = boarding()
        evening.pass_time(12)
        evening.table.note_time()
        evening.undo()
        evening.power_cut()
        assert evening.now == 0


class TestSeveralUndos:
    def test_two_undos_take_two_steps_back(self) -> None:
        evening = picking()
        before = evening.night.play
        evening.host(commands.AddTime(30), commands.ChangeTimes(100, 20))
        evening.undo()
        evening.undo()
        assert evening.night.play == before
        assert undoable(evening) == "the start of the game"

    def test_what_players_did_between_them_stays(self) -> None:
        evening = picking()
        evening.host(commands.AddTime(30))
        evening.pick(Ana=DOG)
        evening.host(commands.ChangeTimes(100, 20))
        evening.pick(Ben=CAT)
        evening.undo()
        evening.undo()
        assert [evening.name_of(seat) for seat in evening.play_on(Page.TV).picked] == ["Ana", "Ben"]

    def test_after_an_undo_the_same_can_be_done_anew_and_undone_again(self) -> None:
        evening = boarding()
        evening.undo()
        evening.host(commands.OpenBoarding())
        evening.undo()
        assert phase(evening) is Phase.PICKING

    def test_it_survives_a_power_cut(self) -> None:
        evening = boarding()
        evening.power_cut()
        evening.undo()
        assert phase(evening) is Phase.PICKING
        evening.power_cut()
        assert phase(evening) is Phase.PICKING
        assert undoable(evening) == "the start of the game"


class TestTheChronicle:
    HOUSE = House({GAME.key: GAME}, no_sensors())

    def step(self, number: int, *events: nights.NightEvent, what: str | None = None) -> Step:
        return Step(number, 0.0, Role.HOST, GAME.key, events, what=what)

    @pytest.mark.parametrize("number", [0, 2, 7])
    def test_a_step_out_of_its_order_is_refused(self, number: int) -> None:
        with pytest.raises(ValueError, match="follows step 0"):
            Chronicle(self.HOUSE).take(self.step(number))

    def test_a_step_that_takes_back_what_cannot_be_is_refused(self) -> None:
        with pytest.raises(ValueError, match="cannot be taken back"):
            Chronicle(self.HOUSE).take(self.step(1, Rewound(7, "a pick")))

    def test_so_far_back_but_no_further_are_steps_kept(self) -> None:
        chronicle = Chronicle(self.HOUSE)
        chronicle.take(self.step(1, SatOut(SeatId("x")), what="x sits out"))
        for number in range(2, STEPS_KEPT + 1):
            chronicle.take(self.step(number, SatOut(SeatId("x"))))
        assert chronicle.undoable is not None
        chronicle.take(self.step(STEPS_KEPT + 1, SatOut(SeatId("x"))))
        assert chronicle.undoable is None


moves = st.lists(
    st.sampled_from(
        [
            *("add time", "call", "board", "buzzer", "rule", "sit out", "sit in", "times", "pause"),
            *("resume", "Ana picks", "Ben picks", "Ana says", "second", "minute", "join"),
        ]
    ),
    max_size=25,
)


def do(evening: Evening, move: str) -> None:
    """Try ``move``; whether it is accepted depends on the moment."""
    ana, ben = evening.seat("Ana"), evening.seat("Ben")
    said: dict[str, Callable[[], object]] = {
        "add time": lambda: evening.asked(commands.AddTime(30)),
        "call": lambda: evening.asked(commands.CallOn()),
        "board": lambda: evening.asked(commands.OpenBoarding()),
        "buzzer": lambda: evening.asked(commands.SoundBuzzer()),
        "rule": lambda: evening.asked(commands.RulePlace(ana, "A")),
        "sit out": lambda: evening.asked(nights.SitOut(ben)),
        "sit in": lambda: evening.asked(nights.SitIn(ben)),
        "times": lambda: evening.asked(commands.ChangeTimes(100, 20)),
        "pause": lambda: evening.asked(nights.Pause("snacks")),
        "resume": lambda: evening.asked(nights.Resume("snacks")),
        "Ana picks": lambda: evening.asked(commands.PickAnimal(DOG), evening.actor("Ana")),
        "Ben picks": lambda: evening.asked(commands.PickAnimal(CAT), evening.actor("Ben")),
        "Ana says": lambda: evening.asked(commands.CheckIn("A"), evening.actor("Ana")),
        "second": lambda: evening.pass_time(1),
        "minute": lambda: evening.pass_time(60),
        "join": lambda: evening.asked(nights.AddSeat(f"Guest {len(evening.night.seats)}")),
    }
    said[move]()


class TestWhateverIsTakenBack:
    @settings(max_examples=60)
    @given(moves, st.integers(1, 4))
    def test_the_night_goes_on_from_there_and_the_journal_tells_the_same(
        self, moves: list[str], undos: int
    ) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin(practice=False)
        for move in moves:
            do(evening, move)
        for _ in range(undos):
            if evening.on(Page.HOST).undo is not None:
                evening.undo()
        before = evening.night
        evening.pass_time(0)
        for name in ("Ana", "Ben"):
            assert evening.on_phone_of(name).me is not None
        chronicle = Chronicle(evening.house)
        for step in evening.journal.steps():
            chronicle.take(step)
        assert chronicle.night == evening.night
        assert {seat.name for seat in before.seats} >= {"Ana", "Ben"}

    @settings(max_examples=60)
    @given(moves, st.sampled_from([commands.AddTime(30), commands.ChangeTimes(100, 20), commands.CallOn()]))
    def test_a_step_and_its_undo_leave_the_game_as_it_was(
        self, moves: list[str], command: commands.HostCommand
    ) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin(practice=False)
        for move in moves:
            do(evening, move)
        play, seats, pauses = evening.night.play, evening.night.seats, evening.night.pauses
        if evening.why_not(command) is None:
            evening.undo()
        assert (evening.night.play, evening.night.seats, evening.night.pauses) == (play, seats, pauses)
