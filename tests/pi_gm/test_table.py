"""The one writer: ids that come twice, time that is due, the floor at the buzzer, the night after a power cut."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from pi_gm import night as nights
from pi_gm.floor import Reading
from pi_gm.games import GUEST, HOST, Page, Rejected, Viewer
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.state import Phase
from pi_gm.journal import JournalDamaged, JournalFailed
from pi_gm.room import Room
from pi_gm.rooms import own_mats
from pi_gm.table import Accepted
from tests.pi_gm.evening import Evening, MemoryJournal, phone

DOG, CAT = Animal.DOG, Animal.CAT


def playing(*, room: Room | None = None, **options: object) -> Evening:
    evening = Evening("Ana", "Ben", room=room)
    evening.begin(practice=False, **options)
    return evening


def boarding(*, room: Room | None = None) -> Evening:
    evening = playing(room=room)
    evening.pick(Ana=DOG, Ben=CAT)
    evening.host(commands.OpenBoarding())
    return evening


def phase(evening: Evening) -> Phase:
    return evening.play_on(Page.TV).phase


def memory(evening: Evening) -> MemoryJournal:
    assert isinstance(evening.journal, MemoryJournal)
    return evening.journal


class TestACommandThatComesTwice:
    def test_counts_once_and_gets_the_first_answer(self) -> None:
        evening = Evening()
        answers = [evening.asked(nights.AddSeat("Ana"), HOST, "id-1") for _ in range(3)]
        assert answers == [Accepted(1)] * 3
        assert len(evening.night.seats) == 1

    def test_though_much_has_happened_since(self) -> None:
        evening = playing()
        first = evening.asked(commands.PickAnimal(DOG), evening.actor("Ana"), "id-1")
        evening.pick(Ana=CAT)
        assert evening.asked(commands.PickAnimal(DOG), evening.actor("Ana"), "id-1") == first
        assert evening.on_phone_of("Ana").play.own_animal is CAT

    def test_a_no_stays_a_no(self) -> None:
        evening = Evening()
        first = evening.asked(nights.BeginGame(), HOST, "id-1")
        assert isinstance(first, Rejected)
        evening.sit_down("Ana")
        evening.sit_down("Ben")
        assert evening.asked(nights.BeginGame(), HOST, "id-1") == first

    def test_the_same_id_of_another_player_is_another_command(self) -> None:
        evening = playing()
        for name in ("Ana", "Ben"):
            evening.accepted(commands.PickAnimal(DOG), evening.actor(name), "id-1")
        assert len(evening.play_on(Page.TV).picked) == 2

    def test_it_counts_once_though_the_power_was_cut_in_between(self) -> None:
        evening = playing()
        first = evening.asked(commands.AddTime(30), HOST, "id-1")
        evening.power_cut()
        assert evening.asked(commands.AddTime(30), HOST, "id-1") == first
        assert evening.play_on(Page.TV).ends_at == 450

    def test_without_an_id_each_counts(self) -> None:
        evening = playing()
        evening.host(commands.AddTime(30), commands.AddTime(30))
        assert evening.play_on(Page.TV).ends_at == 480


class TestAnswers:
    def test_a_yes_tells_the_step_and_steps_count_up(self) -> None:
        evening = Evening()
        assert [evening.accepted(nights.AddSeat(name)) for name in ("Ana", "Ben")] == [1, 2]

    def test_what_changes_nothing_is_no_step(self) -> None:
        evening = Evening("Ana")
        step = evening.accepted(nights.AskForSeat("Ana", phone("new")), GUEST)
        assert evening.accepted(nights.AskForSeat("Ana", phone("new")), GUEST) == step

    def test_a_no_is_said_in_words_of_the_table_or_of_the_game(self) -> None:
        evening = playing()
        table, game = (evening.asked(command) for command in (nights.BeginGame(), commands.OpenBoarding()))
        assert isinstance(table, Rejected)
        assert isinstance(game, Rejected)
        assert evening.table.phrase(table).startswith("A game is on")
        assert evening.table.phrase(game) == (
            "No animal yet: Ana and Ben. Wait, or let them sit this round out."
        )

    def test_a_no_is_no_step(self) -> None:
        evening = playing()
        before = len(memory(evening).written)
        assert evening.why_not(commands.SettleRound()) == "nothing-to-settle"
        assert len(memory(evening).written) == before


class TestTime:
    def test_time_runs_from_the_start(self) -> None:
        evening = Evening()
        evening.pass_time(7)
        assert evening.table.now() == (7.0, True)

    def test_what_is_due_happens_when_it_is_due(self) -> None:
        evening = playing()
        evening.pass_time(419.9)
        assert phase(evening) is Phase.PICKING
        evening.pass_time(0.1)
        assert phase(evening) is Phase.CALLING

    def test_what_became_due_one_after_the_other_happens_in_one_go(self) -> None:
        evening = boarding()
        evening.clock.turn(1000)
        evening.table.time_passed()
        assert phase(evening) is Phase.RULING
        assert evening.said[-2:] == ["Ten!", "Stop! Nobody move."]

    def test_nothing_is_due_before_its_time(self) -> None:
        evening = boarding()
        before = len(memory(evening).written)
        evening.clock.turn(19.9)
        evening.table.time_passed()
        assert len(memory(evening).written) == before

    def test_a_pause_stops_time(self) -> None:
        evening = boarding()
        evening.pass_time(5)
        evening.host(nights.Pause("door"))
        evening.pass_time(3600)
        assert (evening.table.now(), phase(evening)) == ((5.0, False), Phase.BOARDING)

    def test_after_it_the_phase_has_the_time_left_that_it_had(self) -> None:
        evening = boarding()
        evening.pass_time(5)
        evening.host(nights.Pause("door"))
        evening.pass_time(3600)
        evening.host(nights.Resume("door"))
        evening.pass_time(24.9)
        assert phase(evening) is Phase.BOARDING
        evening.pass_time(0.1)
        assert phase(evening) is Phase.READING

    def test_with_two_reasons_time_stands_until_both_are_gone(self) -> None:
        evening = boarding()
        evening.host(nights.Pause("door"), nights.Pause("snacks"), nights.Resume("door"))
        evening.pass_time(3600)
        assert evening.now == 0
        evening.host(nights.Resume("snacks"))
        evening.pass_time(30)
        assert phase(evening) is Phase.READING

    def test_a_timer_that_would_have_run_out_in_a_pause_does_not_hang_the_game(self) -> None:
        evening = boarding()
        evening.pass_time(29.999)
        evening.host(nights.Pause("door"))
        evening.pass_time(60)
        evening.host(nights.Resume("door"))
        evening.pass_time(1)
        assert phase(evening) is Phase.RULING


class TestTheFloorAtTheBuzzer:
    def test_what_counts_is_the_instant_not_when_somebody_got_round_to_looking(self) -> None:
        evening = boarding(room=own_mats())
        evening.floor.press("A1", "B2")
        evening.clock.turn(30.2)
        evening.floor.press()
        evening.clock.turn(0.5)
        evening.table.time_passed()
        evening.host(commands.SettleRound())
        assert evening.night.play.round.sank == ()

    def test_a_step_onto_a_raft_after_it_does_not_count(self) -> None:
        evening = boarding(room=own_mats())
        evening.floor.press("B2")
        evening.clock.turn(30.001)
        evening.floor.press("A1", "B2")
        evening.clock.turn(1)
        evening.table.time_passed()
        evening.host(commands.SettleRound())
        assert evening.night.play.round.sank == (evening.seat("Ana"),)

    def test_a_step_off_a_raft_before_it_does(self) -> None:
        evening = boarding(room=own_mats())
        evening.floor.press("A1", "B2")
        evening.clock.turn(29.999)
        evening.floor.press("B2")
        evening.clock.turn(1)
        evening.table.time_passed()
        evening.host(commands.SettleRound())
        assert evening.night.play.round.sank == (evening.seat("Ana"),)

    def test_the_floor_is_asked_for_the_clock_time_of_the_buzzer_pauses_and_all(self) -> None:
        evening = boarding(room=own_mats())
        start = evening.clock.monotonic()
        evening.pass_time(10)
        evening.host(nights.Pause("door"))
        evening.pass_time(600)
        evening.host(nights.Resume("door"))
        evening.pass_time(21)
        assert evening.floor.asked_for == [pytest.approx(start + 630)]

    def test_of_a_buzzer_that_the_host_pressed_too(self) -> None:
        evening = boarding(room=own_mats())
        evening.pass_time(3)
        evening.host(commands.SoundBuzzer())
        pressed_at = evening.clock.monotonic()
        evening.pass_time(1)
        assert evening.floor.asked_for == [pressed_at]

    def test_a_pause_right_after_the_buzzer_does_not_move_the_instant(self) -> None:
        evening = boarding(room=own_mats())
        evening.floor.press("A1", "B2")
        evening.pass_time(30.1)
        evening.host(nights.Pause("hurt"))
        evening.floor.press()
        evening.pass_time(300)
        evening.host(nights.Resume("hurt"))
        evening.pass_time(1)
        evening.host(commands.SettleRound())
        assert evening.night.play.round.sank == ()

    def test_a_pause_at_the_very_instant_does_not_move_it_either(self) -> None:
        evening = boarding(room=own_mats())
        evening.floor.press("A1", "B2")
        evening.pass_time(3)
        evening.host(commands.SoundBuzzer(), nights.Pause("hurt"))
        pressed_at = evening.clock.monotonic()
        evening.pass_time(300)
        evening.host(nights.Resume("hurt"))
        evening.pass_time(1)
        assert evening.floor.asked_for == [pressed_at]

    def test_of_a_floor_before_a_power_cut_nothing_is_known_so_the_host_is_asked(self) -> None:
        evening = boarding(room=own_mats())
        evening.floor.press("A1", "B2")
        evening.pass_time(30.1)
        assert phase(evening) is Phase.READING
        evening.power_cut()
        evening.host(nights.Resume(nights.POWER_CUT))
        evening.pass_time(1)
        floor = evening.night.play.round.floor
        assert all(floor.of(sensor) is Reading.UNKNOWN for sensor in evening.house.room.sensors)
        assert len(evening.play_on(Page.HOST).doubts) == 2


class TestAPowerCut:
    def test_the_game_is_paused_exactly_there_and_says_so(self) -> None:
        evening = boarding()
        evening.check_in(Ana="A")
        before = evening.night.play
        evening.power_cut()
        assert evening.night.play == before
        assert [pause.reason for pause in evening.on(Page.TV).pauses] == [nights.POWER_CUT]
        assert evening.said[-2].startswith("The game master was switched off. Nothing is lost")

    def test_everyone_hears_and_sees_where_the_game_stood_until_it_goes_on(self) -> None:
        evening = boarding()
        evening.pass_time(12)
        evening.table.note_time()
        evening.power_cut()
        told = ("Round 1.", "The rafts were open, with 18 seconds left to board.")
        assert evening.said[-1] == " ".join(told)
        assert all(evening.on(page).recap == told for page in Page)
        evening.host(nights.Resume(nights.POWER_CUT))
        assert all(evening.on(page).recap == () for page in Page)

    def test_after_any_other_pause_nobody_needs_to_be_told_where_the_game_stood(self) -> None:
        evening = boarding()
        evening.host(nights.Pause("snacks"))
        assert evening.on(Page.TV).recap == ()

    @pytest.mark.parametrize("seconds", [0, 5, 29.5, 30.1, 40])
    def test_wherever_it_happens_the_night_ends_as_it_would_have(self, seconds: float) -> None:
        evenings = [boarding(), boarding()]
        for evening, is_cut in zip(evenings, (False, True), strict=True):
            evening.check_in(Ana="A", Ben="island")
            evening.pass_time(seconds)
            if is_cut:
                evening.table.note_time()
                evening.power_cut()
                evening.host(nights.Resume(nights.POWER_CUT))
            evening.pass_time(60)
            evening.host(commands.SettleRound(), commands.OpenNight())
        one, other = (evening.play_on(Page.TV) for evening in evenings)
        assert one.standings == other.standings
        assert one.opened == other.opened

    def test_table_time_goes_on_where_it_stood_and_not_by_the_time_the_machine_was_off(self) -> None:
        evening = boarding()
        evening.pass_time(12)
        evening.table.note_time()
        evening.clock.turn(7200)
        evening.power_cut()
        assert evening.table.now() == (12.0, False)
        evening.host(nights.Resume(nights.POWER_CUT))
        evening.pass_time(17.9)
        assert phase(evening) is Phase.BOARDING
        evening.pass_time(0.1)
        assert phase(evening) is Phase.READING

    def test_time_that_was_not_noted_is_played_again(self) -> None:
        evening = boarding()
        evening.table.note_time()
        evening.pass_time(5)
        evening.power_cut()
        assert evening.now == 0

    def test_a_pause_for_another_reason_outlives_it(self) -> None:
        evening = boarding()
        evening.host(nights.Pause("snacks"))
        evening.power_cut()
        evening.host(nights.Resume(nights.POWER_CUT))
        assert evening.night.pauses == ("snacks",)
        assert evening.table.now() == (0.0, False)

    def test_after_a_second_one_the_host_lifts_one_pause(self) -> None:
        evening = boarding()
        evening.power_cut()
        evening.power_cut()
        evening.host(nights.Resume(nights.POWER_CUT))
        assert evening.night.pauses == ()

    def test_where_no_game_is_on_nothing_waits(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.power_cut()
        assert evening.night.pauses == ()
        assert evening.table.now()[1]
        assert [seat.name for seat in evening.night.seats] == ["Ana", "Ben"]

    def test_phones_secrets_and_the_host_are_known_again(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.be_host()
        evening.accepted(nights.SetSecret("0815"), evening.actor("Ana"))
        before = evening.night
        evening.power_cut()
        assert evening.night == before
        assert evening.table.opens_booth_for(evening.seat("Ana"), "0815")

    def test_captions_go_on_counting(self) -> None:
        evening = boarding()
        last = evening.on(Page.TV).captions[-1].number
        evening.power_cut()
        assert [caption.number for caption in evening.on(Page.TV).captions[-2:]] == [last + 1, last + 2]

    def test_loads_that_were_drawn_are_not_drawn_again(self) -> None:
        evening = playing(loads="random")
        before = evening.play_on(Page.TV).rafts
        evening.power_cut()
        assert evening.play_on(Page.TV).rafts == before

    def test_a_note_of_the_time_that_cannot_be_read_is_damage(self) -> None:
        evening = boarding()
        memory(evening).facts["table time"] = f"{memory(evening).written[-1].number} soon"
        with pytest.raises(JournalDamaged):
            evening.power_cut()


class TestWhereNothingCanBeWritten:
    def test_nothing_happens(self) -> None:
        evening = boarding()
        evening.pass_time(5)
        before = (evening.night, evening.table.now())
        memory(evening).is_full = True
        for command in (commands.SoundBuzzer(), nights.Pause("door"), nights.AddSeat("Max")):
            with pytest.raises(JournalFailed):
                evening.asked(command)
        assert (evening.night, evening.table.now()) == before

    def test_an_undo_does_not_give_time_back_either(self) -> None:
        evening = boarding()
        evening.pass_time(5)
        offered = evening.on(Page.HOST).undo
        assert offered is not None
        memory(evening).is_full = True
        with pytest.raises(JournalFailed):
            evening.asked(nights.Undo(offered.step))
        assert (evening.now, phase(evening)) == (5.0, Phase.BOARDING)

    def test_once_it_can_the_same_command_counts(self) -> None:
        evening = boarding()
        memory(evening).is_full = True
        with pytest.raises(JournalFailed):
            evening.asked(commands.AddTime(30), HOST, "id-1")
        memory(evening).is_full = False
        evening.accepted(commands.AddTime(30), HOST, "id-1")
        assert evening.play_on(Page.TV).ends_at == 60

    def test_a_journal_that_makes_no_night_is_refused(self) -> None:
        evening = boarding()
        del memory(evening).written[3]
        with pytest.raises(JournalDamaged, match="does not make a night"):
            evening.power_cut()


@contextmanager
def timekeeper(evening: Evening) -> Iterator[Callable[[Callable[[], bool]], bool]]:
    """The table's own thread at work; what it gives waits until something holds, for at most ten seconds."""
    changed = threading.Condition()

    def tell() -> None:
        with changed:
            changed.notify_all()

    def comes_to(holds: Callable[[], bool]) -> bool:
        with changed:
            return changed.wait_for(holds, 10)

    evening.table.subscribe(tell)
    evening.table.start()
    try:
        yield comes_to
    finally:
        evening.table.stop()


class TestTheTimekeeper:
    def test_it_sends_what_is_due(self) -> None:
        evening = boarding()
        with timekeeper(evening) as comes_to:
            evening.clock.turn(30)
            assert comes_to(lambda: phase(evening) is Phase.READING)
            evening.clock.turn(0.5)
            assert comes_to(lambda: phase(evening) is Phase.RULING)

    def test_it_hears_of_a_deadline_that_comes_sooner(self) -> None:
        evening = playing()
        evening.pick(Ana=DOG, Ben=CAT)
        with timekeeper(evening) as comes_to:
            evening.host(commands.OpenBoarding())
            evening.clock.turn(31)
            assert comes_to(lambda: phase(evening) in (Phase.READING, Phase.RULING))

    def test_it_sleeps_through_a_pause_and_wakes_after_it(self) -> None:
        evening = boarding()
        with timekeeper(evening) as comes_to:
            evening.host(nights.Pause("door"))
            evening.clock.turn(100)
            evening.host(nights.Resume("door"))
            assert phase(evening) is Phase.BOARDING
            evening.clock.turn(30)
            assert comes_to(lambda: phase(evening) is Phase.READING)

    def test_it_notes_the_time_so_that_a_power_cut_costs_little(self) -> None:
        evening = boarding()
        with timekeeper(evening) as comes_to:
            evening.clock.turn(20)
            assert comes_to(lambda: evening.said[-1] == "Ten!")
            evening.clock.turn(5)
            evening.host(commands.AddTime(30))
        evening.power_cut()
        assert evening.now >= 20

    def test_a_disk_that_is_full_is_told_to_the_host_and_stops_no_clock(self) -> None:
        evening = boarding()
        memory(evening).is_full = True
        with timekeeper(evening) as comes_to:
            evening.clock.turn(30)
            assert comes_to(lambda: evening.on(Page.HOST).trouble is not None)
            assert "disk full" in (evening.on(Page.HOST).trouble or "")
            assert evening.on(Page.TV).trouble is None
            memory(evening).is_full = False

            def is_well_after_another_second() -> bool:
                evening.clock.turn(1.0)
                return phase(evening) is Phase.RULING and evening.on(Page.HOST).trouble is None

            assert comes_to(is_well_after_another_second)

    def test_a_table_that_was_never_started_can_be_stopped(self) -> None:
        Evening().table.stop()


class TestTellingEveryone:
    def test_everyone_hears_of_every_change_once_it_is_written(self) -> None:
        evening = Evening("Ana")
        heard: list[tuple[int, int]] = []
        evening.table.subscribe(
            lambda: heard.append((len(memory(evening).written), len(evening.on(Page.TV).people)))
        )
        evening.sit_down("Ben")
        evening.sit_down("Chloe")
        assert heard == [(2, 2), (3, 3)]

    def test_and_of_a_floor_that_changed(self) -> None:
        evening = Evening("Ana", room=own_mats())
        heard: list[None] = []
        evening.table.subscribe(lambda: heard.append(None))
        evening.table.floor_changed()
        assert heard == [None]

    def test_many_may_speak_at_once(self) -> None:
        evening = Evening("Ana", "Ben", "Chloe", "Dora")
        evening.begin(practice=False)
        actors = [evening.actor(name) for name in ("Ana", "Ben", "Chloe", "Dora")]
        answers: list[int] = []

        def pick_often(number: int) -> None:
            for turn in range(50):
                answer = evening.asked(commands.PickAnimal(DOG), actors[number], f"{number}-{turn}")
                assert isinstance(answer, Accepted)
                answers.append(answer.step)
                evening.table.view(Viewer(Page.TV))

        threads = [threading.Thread(target=pick_often, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        first = len(memory(evening).written) - 200 + 1
        assert sorted(answers) == list(range(first, first + 200))
