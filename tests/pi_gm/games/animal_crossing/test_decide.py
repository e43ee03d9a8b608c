"""What may be asked when, and what comes of it: picks, time, boarding, rulings, settling (R1 to R3, R10 to R16)."""

from collections.abc import Callable
from typing import get_args

import pytest
from msgspec.structs import replace

from pi_gm.floor import Sensor
from pi_gm.games import CLOCK, GUEST, HOST, Actor, Rejected, Role
from pi_gm.games.animal_crossing import commands, events
from pi_gm.games.animal_crossing.decide import MOST_ADDED_SECONDS, SECONDS_TO_READ_FLOOR, missing_picks
from pi_gm.games.animal_crossing.options import LoadsFrom, Openness, Options
from pi_gm.games.animal_crossing.standings import standings
from pi_gm.games.animal_crossing.state import Phase
from pi_gm.room import Room, no_sensors
from pi_gm.rooms import anonymous_mats, own_mats
from tests.pi_gm.games.animal_crossing.crossing import (
    CAT,
    DOG,
    ELEPHANT,
    MOUSE,
    NO_PRACTICE,
    PEOPLE,
    Crossing,
    night_of,
    reason,
    seat_id,
    seats_for,
)

ANA, BEN = seat_id("Ana"), seat_id("Ben")

ONE_OF_EACH: dict[type, commands.AnyCommand] = {
    type(command): command
    for command in (
        commands.PickAnimal(DOG),
        commands.CheckIn("A"),
        commands.PickFor(ANA, DOG),
        commands.CallOn(),
        commands.OpenBoarding(),
        commands.SoundBuzzer(),
        commands.AddTime(30),
        commands.RulePlace(ANA, "A"),
        commands.TakeRulingBack(ANA),
        commands.SetMatsAside("A"),
        commands.ShowFilm(),
        commands.HideFilm(),
        commands.SettleRound(),
        commands.NextRound(),
        commands.OpenNight(),
        commands.ChangeTimes(100, 20),
        commands.ChangeLoads(3, (5, 5)),
        commands.SettleWithoutHost(on=True),
        commands.TimeUp(),
        commands.CallWasSaid(),
    )
}


# Nights that stand at one point, for tests that ask the same at each


def picking(players: int = 3, options: Options = NO_PRACTICE, room: Room | None = None) -> Crossing:
    return night_of(players, options, room)


def calling(players: int = 3) -> Crossing:
    night = picking(players)
    night.pass_time(420)
    return night


def all_picked(players: int = 3, options: Options = NO_PRACTICE, room: Room | None = None) -> Crossing:
    night = picking(players, options, room)
    night.pick(**{seat.name: DOG for seat in night.seats})
    return night


def boarding(players: int = 3, options: Options = NO_PRACTICE, room: Room | None = None) -> Crossing:
    night = all_picked(players, options, room)
    night.board()
    return night


def reading(players: int = 3) -> Crossing:
    night = boarding(players)
    night.host(commands.SoundBuzzer())
    return night


def ruling(players: int = 3, room: Room | None = None) -> Crossing:
    night = boarding(players, room=room)
    night.buzzer()
    return night


def sank(players: int = 3) -> Crossing:
    night = ruling(players)
    night.settle()
    return night


def over(players: int = 3) -> Crossing:
    night = sank(players)
    night.host(commands.OpenNight())
    return night


AT: dict[Phase, Callable[[], Crossing]] = {
    Phase.PICKING: picking,
    Phase.CALLING: calling,
    Phase.BOARDING: boarding,
    Phase.READING: reading,
    Phase.RULING: ruling,
    Phase.SANK: sank,
    Phase.OVER: over,
}


@pytest.mark.parametrize("phase", Phase)
def test_each_night_of_these_tests_stands_where_its_name_says(phase: Phase) -> None:
    assert AT[phase]().phase is phase


def everywhere_but(*phases: Phase) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in (*phases, Phase.OVER)])


class TestR16WhoCanPlay:
    @pytest.mark.parametrize("players", [2, 6, 12])
    def test_r16_two_to_twelve_can_play(self, players: int) -> None:
        assert night_of(players).state.round.players == PEOPLE[:players]

    @pytest.mark.parametrize("players", [0, 1])
    def test_r16_fewer_than_two_cannot(self, players: int) -> None:
        assert reason(Crossing(seats_for(*PEOPLE[:players])).begin()) == "too-few-players"

    def test_r16_more_than_twelve_cannot(self) -> None:
        assert reason(Crossing(seats_for(*PEOPLE, "Max")).begin()) == "too-many-players"

    def test_r16_who_sits_out_is_not_counted(self) -> None:
        crowd, pair = Crossing(seats_for(*PEOPLE, "Max")), Crossing(seats_for("Ana", "Ben"))
        crowd.sit_out("Max")
        pair.sit_out("Ben")
        assert reason(crowd.begin()) is None
        assert reason(pair.begin()) == "too-few-players"


class TestBeginning:
    def test_a_night_begins_with_the_practice_where_there_is_one(self) -> None:
        assert night_of(3, Options()).state.round.number == 0
        assert night_of(3, NO_PRACTICE).state.round.number == 1

    @pytest.mark.parametrize(
        ("options", "why"),
        [
            (Options(rounds=0), "options.rounds"),
            (Options(rounds=21), "options.rounds"),
            (Options(rafts=1), "options.rafts"),
            (Options(rafts=4), "options.rafts"),
            (Options(pick_seconds=4), "options.pick_seconds"),
            (Options(board_seconds=2), "options.board_seconds"),
            (Options(typed=((1, 2),)), "options.typed"),
            (Options(loads=LoadsFrom.TYPED, typed=((5, 5),) * 5), "too-few-loads-typed"),
        ],
    )
    def test_options_that_cannot_be_played_are_refused(self, options: Options, why: str) -> None:
        assert reason(Crossing(seats_for("Ana", "Ben"), options).begin()) == why

    def test_without_a_practice_a_line_of_loads_less_is_enough(self) -> None:
        options = Options(loads=LoadsFrom.TYPED, typed=((5, 5),) * 5, practice=False)
        assert reason(Crossing(seats_for("Ana", "Ben"), options).begin()) is None


class TestWhoMayAsk:
    def test_there_is_one_of_each_command_here(self) -> None:
        assert set(ONE_OF_EACH) == set(get_args(commands.AnyCommand))

    @pytest.mark.parametrize("kind", get_args(commands.HostCommand))
    @pytest.mark.parametrize("actor", [Actor(Role.PLAYER, ANA), GUEST, CLOCK])
    def test_what_the_host_decides_nobody_else_does(self, kind: type, actor: Actor) -> None:
        assert reason(ruling().ask(ONE_OF_EACH[kind], actor)) == "not-yours-to-say"

    @pytest.mark.parametrize("kind", get_args(commands.PlayerCommand))
    @pytest.mark.parametrize("actor", [HOST, GUEST, CLOCK])
    def test_nobody_but_a_player_picks_and_checks_in(self, kind: type, actor: Actor) -> None:
        assert reason(picking().ask(ONE_OF_EACH[kind], actor)) == "not-yours-to-say"

    @pytest.mark.parametrize("actor", [HOST, Actor(Role.PLAYER, ANA), GUEST])
    def test_nobody_but_the_clock_says_that_time_is_up(self, actor: Actor) -> None:
        assert reason(boarding().ask(commands.TimeUp(), actor)) == "not-yours-to-say"

    @pytest.mark.parametrize("kind", ONE_OF_EACH)
    def test_after_the_night_nothing_changes_any_more(self, kind: type) -> None:
        command = ONE_OF_EACH[kind]
        role = Role.CLOCK if kind in get_args(commands.ClockCommand) else Role.HOST
        player = isinstance(command, commands.PlayerCommand)
        actor = Actor(Role.PLAYER, ANA) if player else Actor(role)
        assert reason(over().ask(command, actor)) == "night-is-over"


class TestR11Picks:
    @pytest.mark.parametrize("night_at", [picking, calling])
    def test_r11_a_pick_can_be_changed_until_boarding_begins(self, night_at: Callable[[], Crossing]) -> None:
        night = night_at()
        night.pick(Ana=DOG)
        night.pick(Ana=MOUSE)
        assert dict(night.state.round.picks) == {ANA: MOUSE}

    @everywhere_but(Phase.PICKING, Phase.CALLING)
    def test_r11_and_not_after(self, phase: Phase) -> None:
        night = AT[phase]()
        before = night.state
        assert reason(night.player("Ana", commands.PickAnimal(MOUSE))) == "picking-is-over"
        assert night.state == before

    @pytest.mark.parametrize("night_at", [picking, calling])
    def test_r11_boarding_cannot_begin_while_a_pick_is_missing(
        self, night_at: Callable[[], Crossing]
    ) -> None:
        night = night_at()
        night.pick(Ben=DOG)
        answer = night.host(commands.OpenBoarding())
        assert answer == Rejected("pick-missing", (("names", "Ana and Chloe"),))

    def test_r11_nothing_is_ever_picked_for_a_player(self) -> None:
        night = picking()
        night.pick(Ben=DOG)
        night.pass_time(3600)
        assert dict(night.state.round.picks) == {BEN: DOG}
        assert night.phase is Phase.CALLING

    def test_r11_once_all_have_picked_the_host_need_not_wait_for_the_time(self) -> None:
        assert reason(all_picked().host(commands.OpenBoarding())) is None

    def test_r11_instead_of_waiting_the_host_sits_that_player_out(self) -> None:
        night = picking()
        night.pick(Ana=DOG, Ben=CAT)
        night.sit_out("Chloe")
        assert reason(night.host(commands.OpenBoarding())) is None

    def test_boarding_needs_two(self) -> None:
        night = all_picked(2)
        night.sit_out("Ben")
        assert reason(night.host(commands.OpenBoarding())) == "too-few-players"

    def test_only_a_games_master_enters_what_a_player_whispered(self) -> None:
        assert reason(picking().host(commands.PickFor(ANA, DOG))) == "no-games-master"
        night = picking(options=replace(NO_PRACTICE, games_master=True))
        night.host(commands.PickFor(ANA, DOG))
        assert dict(night.state.round.picks) == {ANA: DOG}

    def test_a_games_master_is_bound_by_r11_too(self) -> None:
        night = boarding(options=replace(NO_PRACTICE, games_master=True))
        assert reason(night.host(commands.PickFor(ANA, MOUSE))) == "picking-is-over"

    @pytest.mark.parametrize("command", [commands.PickAnimal(DOG), commands.CheckIn("A")])
    def test_somebody_without_a_seat_in_the_round_neither_picks_nor_boards(
        self, command: commands.PlayerCommand
    ) -> None:
        night = picking() if isinstance(command, commands.PickAnimal) else boarding()
        assert reason(night.player("Zoe", command)) == "not-in-this-round"


class TestCallingByName:
    def test_those_without_a_pick_are_called_on_when_time_is_up(self) -> None:
        night = picking()
        night.pick(Ben=DOG)
        night.pass_time(420)
        assert night.happened[-1] == events.PicksCalledFor((ANA, seat_id("Chloe")))

    def test_the_host_can_call_before_the_time_is_up(self) -> None:
        night = picking()
        night.host(commands.CallOn())
        assert (night.phase, night.due) == (Phase.CALLING, None)

    def test_the_host_can_call_again_and_names_only_who_is_missing_still(self) -> None:
        night = calling()
        night.pick(Ana=DOG)
        assert night.host(commands.CallOn()) == (events.PicksCalledFor((BEN, seat_id("Chloe"))),)

    def test_where_all_have_picked_time_being_up_calls_on_nobody(self) -> None:
        night = all_picked()
        night.pass_time(420)
        assert night.happened[-1] == events.PicksCalledFor(())

    @everywhere_but(Phase.PICKING, Phase.CALLING)
    def test_nobody_is_called_on_for_a_pick_later(self, phase: Phase) -> None:
        assert reason(AT[phase]().host(commands.CallOn())) == "picking-is-over"


class TestLateJoiners:
    def test_who_joins_late_does_not_pick_in_this_round(self) -> None:
        night = picking()
        night.join("Dora")
        assert reason(night.player("Dora", commands.PickAnimal(DOG))) == "not-in-this-round"

    def test_boarding_does_not_wait_for_who_joins_late(self) -> None:
        night = all_picked()
        night.join("Dora")
        assert reason(night.host(commands.OpenBoarding())) is None

    def test_who_joins_late_plays_from_the_next_round(self) -> None:
        night = sank()
        night.join("Dora")
        night.next_round()
        night.pick(Dora=DOG)
        assert missing_picks(night.state, night.around) == ("Ana", "Ben", "Chloe")

    def test_who_joins_late_neither_sinks_nor_scores_before(self) -> None:
        night = boarding()
        night.join("Dora")
        night.buzzer()
        night.settle()
        assert set(night.points) == {"Ana", "Ben", "Chloe"}

    def test_a_seventh_player_brings_the_third_raft_with_the_next_round(self) -> None:
        night = sank(6)
        night.join("Gus")
        night.next_round()
        assert len(night.state.round.loads) == 3


class TestR10SittingOut:
    def test_r10_who_sits_out_neither_sinks_nor_scores(self) -> None:
        night = boarding()
        night.check_in(Ana="island", Ben="A")
        night.sit_out("Chloe")
        night.buzzer()
        night.settle()
        assert (set(night.points), night.sank) == ({"Ana", "Ben"}, ())

    def test_r10_who_sits_out_scares_nobody_and_weighs_nothing(self) -> None:
        night = picking()
        night.pick(Ana=MOUSE, Ben=CAT, Chloe=CAT)
        night.board()
        night.check_in(Ana="A", Ben="A", Chloe="B")
        night.sit_out("Ben")
        night.buzzer()
        night.settle()
        assert night.points == {"Ana": 1, "Chloe": 2}

    def test_r10_who_sits_out_gives_no_point_to_the_island(self) -> None:
        night = picking()
        night.pick(Ana=MOUSE, Ben=CAT, Chloe=CAT)
        night.board()
        night.check_in(Ana="island", Chloe="A")
        night.sit_out("Ben")
        night.buzzer()
        night.settle()
        assert night.points["Ana"] == 0

    def test_r10_it_lasts_until_the_host_brings_them_back(self) -> None:
        night = sank()
        night.sit_out("Chloe")
        night.next_round()
        assert missing_picks(night.state, night.around) == ("Ana", "Ben")
        night.sit_in("Chloe")
        assert missing_picks(night.state, night.around) == ("Ana", "Ben", "Chloe")

    def test_r11_back_during_boarding_without_a_pick_they_wait_for_the_next_round(self) -> None:
        night = picking()
        night.pick(Ana=DOG, Ben=DOG)
        night.sit_out("Chloe")
        night.board()
        night.sit_in("Chloe")
        assert reason(night.player("Chloe", commands.CheckIn("A"))) == "not-in-this-round"
        night.buzzer()
        night.settle()
        assert set(night.points) == {"Ana", "Ben"}

    def test_r10_back_during_boarding_with_a_pick_they_play_on(self) -> None:
        night = boarding()
        night.sit_out("Chloe")
        night.sit_in("Chloe")
        night.check_in(Chloe="A")
        assert reason(night.player("Chloe", commands.CheckIn("B"))) is None

    def test_r10_a_round_can_end_though_everyone_left(self) -> None:
        night = boarding()
        night.sit_out("Ana", "Ben", "Chloe")
        night.buzzer()
        night.settle()
        assert night.points == {}

    def test_the_next_round_needs_two(self) -> None:
        night = sank()
        night.sit_out("Ana", "Ben")
        assert reason(night.host(commands.NextRound())) == "too-few-players"


class TestTime:
    def test_picking_ends_after_seven_minutes(self) -> None:
        night = picking()
        night.pass_time(419.9)
        phases = [night.phase]
        night.pass_time(0.1)
        assert [*phases, night.phase] == [Phase.PICKING, Phase.CALLING]

    def test_a_minute_before_it_is_said(self) -> None:
        night = picking()
        night.pass_time(359.9)
        assert events.MinuteLeft() not in night.happened
        night.pass_time(0.1)
        assert night.happened[-1] == events.MinuteLeft()

    def test_boarding_ends_after_thirty_seconds(self) -> None:
        night = boarding()
        night.pass_time(29.9)
        phases = [night.phase]
        night.pass_time(0.1)
        assert [*phases, night.phase] == [Phase.BOARDING, Phase.READING]

    def test_ten_seconds_before_it_is_said(self) -> None:
        night = boarding()
        night.pass_time(20)
        assert night.happened[-1] == events.TenSecondsLeft()

    @pytest.mark.parametrize(("seconds", "warned"), [(60, False), (62, False), (63, True)])
    def test_what_would_be_said_at_once_is_not_said(self, seconds: int, warned: bool) -> None:
        night = picking(options=replace(NO_PRACTICE, pick_seconds=seconds))
        night.pass_time(seconds)
        assert (events.MinuteLeft() in night.happened) is warned

    @pytest.mark.parametrize(("seconds", "warned"), [(10, False), (12, False), (13, True)])
    def test_nor_are_ten_seconds_of_ten(self, seconds: int, warned: bool) -> None:
        night = boarding(options=replace(NO_PRACTICE, board_seconds=seconds))
        night.pass_time(seconds)
        assert (events.TenSecondsLeft() in night.happened) is warned

    @pytest.mark.parametrize("night_at", [calling, ruling, sank, over])
    def test_where_the_night_waits_for_people_no_time_runs(self, night_at: Callable[[], Crossing]) -> None:
        assert night_at().due is None

    def test_a_clock_that_comes_early_changes_nothing(self) -> None:
        for night in (picking(), boarding(), reading()):
            assert night.time_up() == ()

    def test_the_buzzer_counts_at_its_time_though_the_clock_comes_late(self) -> None:
        night = boarding()
        due = night.now + 30
        night.pass_time(25)
        night.now = due + 3
        night.time_up()
        assert night.floor_instant == due

    def test_a_host_who_presses_the_buzzer_at_that_moment_does_not_prolong_boarding(self) -> None:
        night = boarding()
        due = night.now + 30
        night.pass_time(25)
        night.now = due + 0.05
        night.host(commands.SoundBuzzer())
        assert night.floor_instant == due

    def test_a_check_in_after_the_time_does_not_count_though_the_clock_comes_late(self) -> None:
        night = boarding()
        night.now += 30
        assert reason(night.player("Ana", commands.CheckIn("A"))) is None
        night.now += 0.05
        assert reason(night.player("Ben", commands.CheckIn("A"))) == "not-boarding"

    def test_the_host_can_end_boarding_before_its_time(self) -> None:
        night = boarding()
        night.pass_time(7)
        night.host(commands.SoundBuzzer())
        assert (night.phase, night.floor_instant) == (Phase.READING, night.now)

    @everywhere_but(Phase.BOARDING)
    def test_no_buzzer_sounds_outside_boarding(self, phase: Phase) -> None:
        assert reason(AT[phase]().host(commands.SoundBuzzer())) == "not-boarding"

    def test_the_floor_is_read_once_edges_had_time_to_prove_that_they_hold(self) -> None:
        night = reading()
        assert night.due == night.now + SECONDS_TO_READ_FLOOR
        night.pass_time(SECONDS_TO_READ_FLOOR)
        assert (night.phase, night.floor_instant) == (Phase.RULING, None)


class TestMoreTime:
    @pytest.mark.parametrize("night_at", [picking, boarding])
    def test_the_phase_that_runs_ends_later(self, night_at: Callable[[], Crossing]) -> None:
        night = night_at()
        ends_at = night.state.ends_at
        assert ends_at is not None
        night.host(commands.AddTime(45))
        assert night.state.ends_at == ends_at + 45

    def test_it_is_warned_of_the_end_again(self) -> None:
        night = boarding()
        night.pass_time(25)
        night.host(commands.AddTime(30))
        night.pass_time(25)
        assert night.happened.count(events.TenSecondsLeft()) == 2

    def test_after_time_was_up_picking_goes_on_for_as_long_as_was_added(self) -> None:
        night = calling()
        night.host(commands.AddTime(30))
        assert (night.phase, night.due) == (Phase.PICKING, night.now + 30)

    @pytest.mark.parametrize("seconds", [0, 0.5, -5, MOST_ADDED_SECONDS + 1, float("nan"), float("inf")])
    def test_no_less_than_a_second_and_no_more_than_ten_minutes(self, seconds: float) -> None:
        assert reason(boarding().host(commands.AddTime(seconds))) == "bad-seconds"

    @everywhere_but(Phase.PICKING, Phase.CALLING, Phase.BOARDING)
    def test_no_time_is_added_where_none_runs(self, phase: Phase) -> None:
        assert reason(AT[phase]().host(commands.AddTime(30))) == "no-time-runs"


class TestWhileTheGameIsPaused:
    STAND_STILL = (
        (Phase.BOARDING, commands.CheckIn("A")),
        (Phase.PICKING, commands.OpenBoarding()),
        (Phase.BOARDING, commands.SoundBuzzer()),
        (Phase.SANK, commands.NextRound()),
        (Phase.BOARDING, commands.TimeUp()),
    )
    GO_ON = (
        (Phase.PICKING, commands.PickAnimal(DOG)),
        (Phase.PICKING, commands.CallOn()),
        (Phase.RULING, commands.RulePlace(ANA, "A")),
        (Phase.RULING, commands.SettleRound()),
        (Phase.SANK, commands.OpenNight()),
    )

    @staticmethod
    def asked(phase: Phase, command: commands.AnyCommand) -> str | None:
        night = AT[phase]()
        night.is_paused = True
        if isinstance(command, commands.PlayerCommand):
            return reason(night.player("Ana", command))
        return reason(night.ask(command, CLOCK if isinstance(command, commands.TimeUp) else HOST))

    @pytest.mark.parametrize(("phase", "command"), STAND_STILL)
    def test_what_time_runs_for_waits(self, phase: Phase, command: commands.AnyCommand) -> None:
        assert self.asked(phase, command) == "paused"

    @pytest.mark.parametrize(("phase", "command"), GO_ON)
    def test_what_takes_no_time_goes_on(self, phase: Phase, command: commands.AnyCommand) -> None:
        assert self.asked(phase, command) is None


class TestCheckingIn:
    def test_one_can_change_ones_mind_while_boarding(self) -> None:
        night = boarding()
        night.check_in(Ana="A")
        night.check_in(Ana="island")
        assert dict(night.state.round.check_ins) == {ANA: "island"}

    @everywhere_but(Phase.BOARDING)
    def test_one_cannot_outside_boarding(self, phase: Phase) -> None:
        assert reason(AT[phase]().player("Ana", commands.CheckIn("A"))) == "not-boarding"

    @pytest.mark.parametrize("place", ["C", "D", "", "kitchen", "a"])
    def test_there_is_no_such_place(self, place: str) -> None:
        assert reason(boarding().player("Ana", commands.CheckIn(place))) == "no-such-place"

    @pytest.mark.parametrize("place", ["A", "B", "island", "water"])
    def test_there_are_two_rafts_the_island_and_the_water(self, place: str) -> None:
        assert reason(boarding().player("Ana", commands.CheckIn(place))) is None

    def test_there_is_a_third_raft_in_a_round_of_three(self) -> None:
        assert reason(boarding(7).player("Ana", commands.CheckIn("C"))) is None

    def test_a_check_in_for_a_boarding_that_was_taken_back_counts_no_more(self) -> None:
        night = all_picked()
        night.let_happen((events.CheckedIn(1, ANA, "A"),))
        night.board()
        assert night.state.round.check_ins == ()


class TestR1R2R3WhereEveryoneIs:
    def test_r1_nowhere_means_the_water(self) -> None:
        night = boarding()
        night.check_in(Ana="A", Ben="island")
        night.buzzer()
        night.settle()
        assert night.places == {"Ana": "A", "Ben": "island", "Chloe": "water"}

    def test_r1_everyone_is_at_one_place(self) -> None:
        night = boarding()
        night.check_in(Ana="A")
        night.check_in(Ana="B")
        night.buzzer()
        night.settle()
        assert night.places["Ana"] == "B"

    def test_r2_a_foot_on_a_mat_in_the_water_beats_a_raft(self) -> None:
        room = Room("a wet mat", (Sensor("A1", 4, "A", owner=1), Sensor("W1", 5, "water", owner=1)))
        night = boarding(room=room)
        night.check_in(Ana="A", Ben="A")
        night.press("A1", "W1")
        night.buzzer()
        night.settle()
        assert night.places["Ana"] == "water"

    def test_r2_who_touches_the_water_has_not_boarded(self) -> None:
        night = picking()
        night.pick(Ana=CAT, Ben=MOUSE, Chloe=MOUSE)
        night.board()
        night.check_in(Ana="water", Ben="A", Chloe="island")
        night.buzzer()
        night.settle()
        assert (night.points, night.sank) == ({"Ana": 0, "Ben": 1, "Chloe": 1}, ("Ana",))

    def test_r3_on_two_places_at_once_the_round_is_not_settled(self) -> None:
        night = boarding(room=own_mats())
        night.press("A1", "B1", "A2", "I3")
        night.buzzer()
        assert reason(night.host(commands.SettleRound())) == "rule-first"

    def test_r3_once_the_host_has_ruled_it_is(self) -> None:
        night = boarding(room=own_mats())
        night.press("A1", "B1", "A2", "I3")
        night.buzzer()
        night.host(commands.RulePlace(ANA, "B"))
        night.settle()
        assert night.places == {"Ana": "B", "Ben": "A", "Chloe": "island"}

    def test_what_happens_on_the_floor_after_the_buzzer_changes_nothing(self) -> None:
        night = boarding(room=own_mats())
        night.press("A1", "A2", "I3")
        night.buzzer()
        night.press("B1", "B2", "B3")
        night.settle()
        assert night.places == {"Ana": "A", "Ben": "A", "Chloe": "island"}

    def test_mats_of_a_raft_that_is_not_in_the_round_say_nothing(self) -> None:
        night = boarding(room=anonymous_mats())
        night.check_in(Ana="A", Ben="A", Chloe="island")
        night.press("A1", "A2", "C1", "C2", "rug")
        night.buzzer()
        assert reason(night.host(commands.SettleRound())) is None


class TestR12AndOtherRulings:
    def test_r12_for_a_foul_the_host_puts_a_player_in_the_water(self) -> None:
        night = boarding()
        night.check_in(Ana="A", Ben="A", Chloe="island")
        night.buzzer()
        night.host(commands.RulePlace(BEN, "water"))
        night.settle()
        assert (night.sank, night.places["Ben"]) == (("Ben",), "water")

    def test_the_hosts_word_goes_before_phones_and_mats(self) -> None:
        night = boarding(room=own_mats())
        night.check_in(Ana="A")
        night.press("A1", "A2", "A3")
        night.buzzer()
        night.host(commands.RulePlace(ANA, "island"))
        night.settle()
        assert night.places["Ana"] == "island"

    def test_the_hosts_last_word_counts(self) -> None:
        night = ruling()
        night.host(commands.RulePlace(ANA, "A"))
        night.host(commands.RulePlace(ANA, "B"))
        night.settle()
        assert night.places["Ana"] == "B"

    def test_a_ruling_taken_back_lets_the_players_own_evidence_speak(self) -> None:
        night = boarding()
        night.check_in(Ana="A")
        night.host(commands.RulePlace(ANA, "water"))
        night.host(commands.TakeRulingBack(ANA))
        night.buzzer()
        night.settle()
        assert night.places["Ana"] == "A"

    def test_mats_set_aside_leave_it_to_what_people_say(self) -> None:
        night = boarding(room=anonymous_mats())
        night.check_in(Ana="A", Ben="island", Chloe="island")
        night.press("A1", "A2", "A3", "rug")
        night.buzzer()
        assert reason(night.host(commands.SettleRound())) == "rule-first"
        night.host(commands.SetMatsAside("A"))
        night.settle()
        assert night.places == {"Ana": "A", "Ben": "island", "Chloe": "island"}

    @pytest.mark.parametrize("phase", [Phase.BOARDING, Phase.READING, Phase.RULING])
    @pytest.mark.parametrize(
        "command",
        [commands.RulePlace(ANA, "A"), commands.TakeRulingBack(ANA), commands.SetMatsAside("A")],
    )
    def test_the_host_rules_from_boarding_until_the_round_is_settled(
        self, phase: Phase, command: commands.HostCommand
    ) -> None:
        assert reason(AT[phase]().host(command)) is None

    @everywhere_but(Phase.BOARDING, Phase.READING, Phase.RULING)
    @pytest.mark.parametrize(
        "command",
        [commands.RulePlace(ANA, "A"), commands.TakeRulingBack(ANA), commands.SetMatsAside("A")],
    )
    def test_and_neither_before_nor_after(self, phase: Phase, command: commands.HostCommand) -> None:
        assert reason(AT[phase]().host(command)) == "nothing-to-rule"

    @pytest.mark.parametrize("place", ["C", "kitchen", ""])
    def test_nobody_is_ruled_onto_a_place_that_is_not_there(self, place: str) -> None:
        assert reason(ruling().host(commands.RulePlace(ANA, place))) == "no-such-place"
        assert reason(ruling().host(commands.SetMatsAside(place))) == "no-such-place"

    @pytest.mark.parametrize(
        "command", [commands.RulePlace(seat_id("Zoe"), "A"), commands.TakeRulingBack(seat_id("Zoe"))]
    )
    def test_nobody_is_ruled_on_who_does_not_play_the_round(self, command: commands.HostCommand) -> None:
        assert reason(ruling().host(command)) == "not-in-this-round"


class TestSettling:
    @everywhere_but(Phase.RULING)
    def test_a_round_is_settled_after_the_buzzer_and_only_once(self, phase: Phase) -> None:
        assert reason(AT[phase]().host(commands.SettleRound())) == "nothing-to-settle"

    def test_r13_of_a_settled_round_only_who_sank_is_told(self) -> None:
        night = ruling()
        told = [event for event in night.host(commands.SettleRound()) if not event.is_secret]  # type: ignore[union-attr]
        assert told == [events.PlayersSank(1, ("Ana", "Ben", "Chloe"), ())]  # type: ignore[arg-type]

    def test_r13_who_sank_is_told_in_seating_order(self) -> None:
        night = all_picked(4)
        night.seats = tuple(reversed(night.seats))
        night.board()
        night.check_in(Ben="A")
        night.buzzer()
        night.settle()
        assert night.sank == ("Dora", "Chloe", "Ana")

    def test_r14_in_open_mode_the_round_opens_when_it_is_settled(self) -> None:
        night = boarding(options=replace(NO_PRACTICE, openness=Openness.OPEN))
        night.buzzer()
        night.settle()
        assert night.happened[-1] == events.RoundOpened(1)

    def test_by_default_the_host_says_when_a_round_is_settled(self) -> None:
        assert ruling().phase is Phase.RULING

    def test_without_a_doubt_a_round_settles_by_itself_where_the_host_chose_so(self) -> None:
        night = boarding(options=replace(NO_PRACTICE, settle_without_host=True))
        night.check_in(Ana="A", Ben="island")
        night.buzzer()
        assert (night.phase, night.sank) == (Phase.SANK, ("Chloe",))

    def test_with_a_doubt_it_waits_for_the_host_all_the_same(self) -> None:
        night = boarding(options=replace(NO_PRACTICE, settle_without_host=True), room=own_mats())
        night.press("A1", "B1")
        night.buzzer()
        assert night.phase is Phase.RULING

    def test_the_host_can_choose_so_while_the_night_is_on(self) -> None:
        night = boarding()
        night.host(commands.SettleWithoutHost(on=True))
        night.buzzer()
        assert night.phase is Phase.SANK


class TestBetweenRounds:
    @everywhere_but(Phase.SANK)
    def test_the_next_round_begins_only_after_this_one(self, phase: Phase) -> None:
        assert reason(AT[phase]().host(commands.NextRound())) == "round-is-on"

    def test_after_the_last_round_there_is_none(self) -> None:
        night = boarding(options=replace(NO_PRACTICE, rounds=1))
        night.buzzer()
        night.settle()
        assert reason(night.host(commands.NextRound())) == "no-round-left"

    def test_new_times_hold_for_the_phases_still_to_begin(self) -> None:
        night = all_picked()
        picking_ends = night.state.ends_at
        night.host(commands.ChangeTimes(pick_seconds=100, board_seconds=20))
        assert night.state.ends_at == picking_ends
        night.board()
        assert night.state.ends_at == night.now + 20
        night.buzzer()
        night.settle()
        night.next_round()
        assert night.state.ends_at == night.now + 100

    @pytest.mark.parametrize(
        ("command", "why"),
        [
            (commands.ChangeTimes(4, 30), "options.pick_seconds"),
            (commands.ChangeTimes(3601, 30), "options.pick_seconds"),
            (commands.ChangeTimes(420, 2), "options.board_seconds"),
            (commands.ChangeTimes(420, 601), "options.board_seconds"),
        ],
    )
    def test_times_have_the_same_bounds_as_before_the_night(
        self, command: commands.ChangeTimes, why: str
    ) -> None:
        assert reason(picking().host(command)) == why

    def test_loads_still_to_come_can_be_changed(self) -> None:
        night = sank()
        night.host(commands.ChangeLoads(2, (9, 9)))
        night.host(commands.ChangeLoads(2, (3, 8)))
        night.next_round()
        assert night.state.round.loads == (3, 8)

    @pytest.mark.parametrize("number", [0, 1, 6, -1])
    def test_loads_of_rounds_that_began_or_never_will_cannot(self, number: int) -> None:
        assert reason(picking().host(commands.ChangeLoads(number, (5, 5)))) == "round-has-begun"

    @pytest.mark.parametrize("loads", [(1, 5), (5, 11), (5,), ()])
    def test_r16_new_loads_are_whole_numbers_from_two_to_ten_too(self, loads: tuple[int, ...]) -> None:
        assert reason(picking().host(commands.ChangeLoads(2, loads))) == "options.typed"


class TestTheEnd:
    @pytest.mark.parametrize("phase", [Phase.BOARDING, Phase.READING, Phase.RULING])
    def test_a_round_that_was_boarded_for_is_finished_first(self, phase: Phase) -> None:
        assert reason(AT[phase]().host(commands.OpenNight())) == "round-is-on"

    def test_a_night_can_end_before_its_last_round(self) -> None:
        assert over().phase is Phase.OVER

    def test_where_too_few_are_left_to_board_the_night_can_still_end(self) -> None:
        night = sank()
        night.next_round()
        night.pick(Ana=DOG)
        night.sit_out("Ben", "Chloe")
        night.host(commands.OpenNight())
        assert (night.phase, night.due) == (Phase.OVER, None)

    def test_a_round_that_was_given_up_counts_for_nothing(self) -> None:
        night = sank()
        ranking = standings(night.state, night.seats)
        night.next_round()
        night.pick(Ana=DOG)
        night.host(commands.OpenNight())
        assert [played.number for played in night.state.settled] == [1]
        assert standings(night.state, night.seats) == ranking

    def test_r15_the_practice_does_not_count(self) -> None:
        night = night_of(2, Options(rounds=1))
        night.play_round(Ana=(ELEPHANT, "B"), Ben=(DOG, "A"))
        night.next_round()
        night.play_round(Ana=(MOUSE, "A"), Ben=(DOG, "B"))
        night.host(commands.OpenNight())
        ranking = standings(night.state, night.seats)
        assert [(each.seat, each.points, each.race) for each in ranking] == [
            ("Ben", 3, (3,)),
            ("Ana", 1, (1,)),
        ]

    def test_r15_those_who_tie_stand_in_seating_order(self) -> None:
        night = night_of(3, replace(NO_PRACTICE, rounds=1))
        night.play_round(Ana=(MOUSE, "A"), Ben=(DOG, "B"), Chloe=(DOG, "B"))
        assert [(each.seat, each.rank) for each in standings(night.state, night.seats)] == [
            ("Ben", 1),
            ("Chloe", 1),
            ("Ana", 3),
        ]

    def test_the_race_counts_up_round_by_round(self) -> None:
        night = night_of(2, replace(NO_PRACTICE, rounds=2))
        night.play_round(Ana=(DOG, "A"), Ben=(MOUSE, "B"))
        night.next_round()
        night.play_round(Ana=(DOG, "A"), Ben=(MOUSE, "water"))
        assert [each.race for each in standings(night.state, night.seats)] == [(3, 6), (1, 1)]


def test_a_room_without_sensors_is_enough() -> None:
    night = night_of(2, NO_PRACTICE, no_sensors())
    night.play_round(Ana=(DOG, "A"), Ben=(CAT, "island"))
    assert night.points == {"Ana": 3, "Ben": 0}
