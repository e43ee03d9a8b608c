"""The table without a game: seats, names, tokens, phones that come back, pauses with reasons, options."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm import night as nights
from pi_gm.floor import FloorReading
from pi_gm.games import CLOCK, DOOR, GUEST, HOST, Actor, GameEvent, Page, Rejected, Role, RulesLength, Viewer
from pi_gm.games.animal_crossing import GAME, commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.options import LoadsFrom, Options
from pi_gm.night import House, Night, first_night, hashed
from pi_gm.players import LONGEST_NAME, MOST_SEATS, TOKENS, SeatId, free_tokens, is_same_name, tidy_name
from pi_gm.room import no_sensors
from tests.pi_gm.evening import Evening, phone

DOG, CAT = Animal.DOG, Animal.CAT


def with_phone(name: str, token: int | None = None, *, of: str | None = None) -> nights.TakeSeat:
    return nights.TakeSeat(name, token, phone(of or name))


class TestSittingDown:
    def test_seats_stand_in_the_order_in_which_people_sat_down(self) -> None:
        evening = Evening("Zoe", "Ana", "Max")
        assert [seat.name for seat in evening.night.seats] == ["Zoe", "Ana", "Max"]

    def test_everyone_gets_the_first_free_token(self) -> None:
        evening = Evening("Ana", "Ben")
        assert [seat.token for seat in evening.night.seats] == [1, 2]

    def test_one_can_choose_a_free_token(self) -> None:
        evening = Evening("Ana")
        evening.accepted(with_phone("Ben", 7), GUEST)
        assert evening.night.seats[1].token == 7

    @pytest.mark.parametrize("token", [1, 0, 13, -1])
    def test_a_token_that_is_taken_or_not_there_is_refused(self, token: int) -> None:
        assert Evening("Ana").why_not(with_phone("Ben", token), GUEST) == "token-taken"

    @pytest.mark.parametrize("name", ["Ana", "ANA", "  ana ", "A\u200bna"])
    def test_no_two_are_called_the_same(self, name: str) -> None:
        answer = Evening("Ana").asked(with_phone(name, of="Ben"), GUEST)
        assert isinstance(answer, Rejected)
        assert answer.reason == "name-taken"

    @pytest.mark.parametrize("name", ["", "   ", "\u200b\u200b", "\x00\x07", "\u202e"])
    def test_a_name_that_cannot_be_read_is_refused(self, name: str) -> None:
        assert Evening().why_not(with_phone(name, of="Ben"), GUEST) == "name-empty"

    def test_a_phone_has_one_seat(self) -> None:
        assert Evening("Ana").why_not(with_phone("Anna", of="Ana"), GUEST) == "already-yours"

    def test_there_is_no_thirteenth_seat(self) -> None:
        evening = Evening(*(f"Player {n}" for n in range(MOST_SEATS)))
        assert evening.why_not(with_phone("Max"), GUEST) == "table-full"
        assert evening.why_not(nights.AddSeat("Max")) == "table-full"

    def test_the_host_seats_somebody_without_a_phone(self) -> None:
        evening = Evening("Ana")
        evening.host(nights.AddSeat("Oma"))
        assert [person.has_phone for person in evening.on(Page.TV).people] == [True, False]

    def test_who_sits_down_is_welcomed(self) -> None:
        assert Evening("Ana").said == ["Ana is at the table."]

    def test_ids_of_seats_are_drawn_by_chance(self) -> None:
        evenings = [Evening("Ana", seed=seed) for seed in range(20)]
        ids = {evening.seat("Ana") for evening in evenings}
        assert len(ids) == 20
        assert all(len(each) == 16 for each in ids)


class TestNames:
    @pytest.mark.parametrize(
        ("typed", "shown"),
        [
            ("  Ana  Maria ", "Ana Maria"),
            ("Ana\tMaria\n", "Ana Maria"),
            ("A\u200bna", "Ana"),
            ("Zoe\u0308", "Zoë"),
            ("x" * 30, "x" * 20),
            ("Ana \u202eaireM", "Ana aireM"),
        ],
    )
    def test_a_name_is_tidied(self, typed: str, shown: str) -> None:
        assert tidy_name(typed) == shown

    @given(st.text(max_size=60))
    def test_whatever_is_typed_what_is_left_fits_on_a_page(self, typed: str) -> None:
        name = tidy_name(typed)
        assert len(name) <= LONGEST_NAME
        assert name == name.strip()
        assert "  " not in name
        assert all(character == " " or character.isprintable() for character in name)

    @given(st.text(max_size=60))
    def test_tidying_twice_changes_nothing_more(self, typed: str) -> None:
        assert tidy_name(tidy_name(typed)) == tidy_name(typed)

    def test_case_does_not_tell_two_names_apart(self) -> None:
        assert is_same_name("ANA", "ana")
        assert not is_same_name("Ana", "Anna")

    def test_the_host_mends_a_name(self) -> None:
        evening = Evening("Aan", "Ben")
        evening.host(nights.RenameSeat(evening.seat("Aan"), " Ana "))
        assert [person.name for person in evening.on(Page.TV).people] == ["Ana", "Ben"]

    def test_to_its_own_in_other_letters_too(self) -> None:
        evening = Evening("ana")
        evening.host(nights.RenameSeat(evening.seat("ana"), "Ana"))
        assert evening.seat("Ana")

    @pytest.mark.parametrize(("name", "why"), [("Ben", "name-taken"), (" ", "name-empty")])
    def test_but_to_nobody_elses_and_not_to_nothing(self, name: str, why: str) -> None:
        evening = Evening("Ana", "Ben")
        assert evening.why_not(nights.RenameSeat(evening.seat("Ana"), name)) == why

    def test_the_host_tells_how_a_name_is_said_and_everyone_may_know(self) -> None:
        evening = Evening("Siobhan", "Ben")
        evening.host(nights.SayAs(evening.seat("Siobhan"), " Shi\tvawn "))
        assert [person.said_as for person in evening.on(Page.TV).people] == ["Shi vawn", ""]

    def test_but_not_of_somebody_who_has_left(self) -> None:
        assert Evening("Ana").why_not(nights.SayAs(SeatId("gone"), "Anna")) == "no-such-seat"


class TestTokens:
    def test_there_are_twelve_and_each_is_known_by_its_shape_alone(self) -> None:
        assert [token.number for token in TOKENS] == list(range(1, 13))
        assert len({token.shape for token in TOKENS}) == len({token.colour for token in TOKENS}) == 12

    def test_a_player_takes_another_before_the_game(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.accepted(nights.ChooseToken(9), evening.actor("Ana"))
        assert [seat.token for seat in evening.night.seats] == [9, 2]
        assert {token.number for token in free_tokens(evening.night.seats)} == set(range(1, 13)) - {2, 9}

    def test_nobody_takes_anothers(self) -> None:
        evening = Evening("Ana", "Ben")
        assert evening.why_not(nights.ChooseToken(2), evening.actor("Ana")) == "token-taken"

    def test_tokens_stay_while_a_game_is_on_for_mats_are_wired_to_them(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin()
        assert evening.why_not(nights.ChooseToken(9), evening.actor("Ana")) == "game-is-on"


class TestAPhoneThatComesBack:
    def test_the_same_phone_has_its_seat_after_any_reload(self) -> None:
        evening = Evening("Ana", "Ben")
        assert evening.table.viewer_with_phone(phone("Ana")).seat == evening.seat("Ana")

    def test_another_phone_asks_and_the_host_lets_it_in(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.accepted(nights.AskForSeat("ana", phone("new")), GUEST)
        (request,) = evening.on(Page.HOST).requests
        assert request.name == "Ana"
        assert evening.table.view(Viewer(Page.PLAYER, None, phone("new"))).waits_for_host
        evening.host(nights.AnswerRequest(request.request, allow=True))
        assert evening.table.viewer_with_phone(phone("new")).seat == evening.seat("Ana")
        assert evening.table.viewer_with_phone(phone("Ana")).seat is None
        assert evening.on(Page.HOST).requests == ()

    def test_or_not(self) -> None:
        evening = Evening("Ana")
        evening.accepted(nights.AskForSeat("Ana", phone("new")), GUEST)
        (request,) = evening.on(Page.HOST).requests
        evening.host(nights.AnswerRequest(request.request, allow=False))
        assert evening.table.viewer_with_phone(phone("Ana")).seat == evening.seat("Ana")
        assert not evening.table.view(Viewer(Page.PLAYER, None, phone("new"))).waits_for_host

    def test_asking_twice_is_asking_once(self) -> None:
        evening = Evening("Ana")
        for _ in range(2):
            evening.accepted(nights.AskForSeat("Ana", phone("new")), GUEST)
        assert len(evening.on(Page.HOST).requests) == 1

    def test_nobody_else_sees_that_somebody_asks(self) -> None:
        evening = Evening("Ana", "Ben")
        before = [evening.on(Page.TV), evening.on_phone_of("Ana"), evening.on(Page.BOOTH)]
        evening.accepted(nights.AskForSeat("Ana", phone("new")), GUEST)
        assert before == [evening.on(Page.TV), evening.on_phone_of("Ana"), evening.on(Page.BOOTH)]

    def test_there_is_nobody_of_that_name(self) -> None:
        assert Evening("Ana").why_not(nights.AskForSeat("Ben", phone("new")), GUEST) == "no-such-seat"

    def test_a_request_is_answered_once(self) -> None:
        evening = Evening("Ana")
        evening.accepted(nights.AskForSeat("Ana", phone("new")), GUEST)
        (request,) = evening.on(Page.HOST).requests
        evening.host(nights.AnswerRequest(request.request, allow=False))
        assert evening.why_not(nights.AnswerRequest(request.request, allow=True)) == "no-such-request"

    def test_a_phone_that_asks_for_another_seat_no_more_asks_for_the_one_before(self) -> None:
        evening = Evening("Ana", "Ben")
        for name in ("Ana", "Ben"):
            evening.accepted(nights.AskForSeat(name, phone("new")), GUEST)
        (request,) = evening.on(Page.HOST).requests
        assert request.name == "Ben"
        evening.host(nights.AnswerRequest(request.request, allow=True))
        assert [seat.phone == phone("new") for seat in evening.night.seats] == [False, True]

    def test_a_second_phone_does_not_ask_for_a_seat_before_the_first_is_answered(self) -> None:
        evening = Evening("Ana")
        evening.accepted(nights.AskForSeat("Ana", phone("new")), GUEST)
        assert evening.why_not(nights.AskForSeat("Ana", phone("newer")), GUEST) == "seat-asked-for"
        (request,) = evening.on(Page.HOST).requests
        evening.host(nights.AnswerRequest(request.request, allow=False))
        evening.accepted(nights.AskForSeat("Ana", phone("newer")), GUEST)

    def test_a_phone_that_sat_down_anew_asks_no_more(self) -> None:
        evening = Evening("Ana")
        evening.accepted(nights.AskForSeat("Ana", phone("new")), GUEST)
        evening.accepted(nights.TakeSeat("Ana 2", None, phone("new")), GUEST)
        assert evening.on(Page.HOST).requests == ()

    def test_a_phone_that_is_let_in_leaves_the_seat_it_had(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.accepted(nights.AskForSeat("Ben", phone("Ana")), GUEST)
        (request,) = evening.on(Page.HOST).requests
        evening.host(nights.AnswerRequest(request.request, allow=True))
        assert [seat.phone for seat in evening.night.seats] == [None, phone("Ana")]

    def test_a_phone_does_not_ask_for_the_seat_it_has(self) -> None:
        assert Evening("Ana").why_not(nights.AskForSeat("Ana", phone("Ana")), GUEST) == "already-yours"

    def test_a_lost_phone_is_let_go_and_the_seat_goes_to_the_booth(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.host(nights.ReleasePhone(evening.seat("Ana")))
        assert evening.table.viewer_with_phone(phone("Ana")).seat is None
        assert [each.seat for each in evening.on(Page.BOOTH).booth] == [evening.seat("Ana")]


class TestTheBooth:
    def test_it_offers_those_without_a_phone_and_those_with_a_secret(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.host(nights.AddSeat("Oma"))
        evening.accepted(nights.SetSecret("0815"), evening.actor("Ben"))
        assert [(evening.name_of(each.seat), each.has_secret) for each in evening.on(Page.BOOTH).booth] == [
            ("Ben", True),
            ("Oma", False),
        ]

    def test_four_digits_guard_a_pick(self) -> None:
        evening = Evening("Ana")
        seat = evening.seat("Ana")
        evening.accepted(nights.SetSecret("0815"), evening.actor("Ana"))
        assert evening.table.opens_booth_for(seat, "0815")
        assert not evening.table.opens_booth_for(seat, "0816")
        assert not evening.table.opens_booth_for(seat, "")

    def test_the_host_lets_somebody_pick_without_digits_that_were_forgotten_or_a_prank(self) -> None:
        evening = Evening("Ana")
        evening.host(nights.AddSeat("Oma"))
        seat = evening.seat("Oma")
        evening.accepted(nights.SetSecret("0815"), evening.actor("Oma"))
        assert evening.on(Page.HOST).guarded == (seat,)
        evening.host(nights.ForgetDigits(seat))
        assert evening.table.opens_booth_for(seat, "")
        assert evening.on(Page.HOST).guarded == ()

    def test_nobody_opens_it_for_a_seat_that_is_not_there(self) -> None:
        assert not Evening("Ana").table.opens_booth_for(SeatId("nobody"), "0000")

    @pytest.mark.parametrize("digits", ["", "123", "12345", "12a4", "١٢٣٤", "²³⁴⁵", "-123"])
    def test_a_secret_is_four_digits(self, digits: str) -> None:
        evening = Evening("Ana")
        assert evening.why_not(nights.SetSecret(digits), evening.actor("Ana")) == "bad-secret"

    def test_of_a_secret_only_a_hash_is_kept_and_two_with_the_same_digits_do_not_show_it(self) -> None:
        evening = Evening("Ana", "Ben")
        for name in ("Ana", "Ben"):
            evening.accepted(nights.SetSecret("0815"), evening.actor(name))
        one, other = (seat.secret for seat in evening.night.seats)
        assert one != other
        assert "0815" not in str(evening.night)


class TestSittingOut:
    def test_it_shows_on_every_page_and_lasts_until_the_host_brings_them_back(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.sit_out("Ana")
        assert [person.sits_out for person in evening.on_phone_of("Ben").people] == [True, False]
        evening.host(nights.SitIn(evening.seat("Ana")))
        assert [person.sits_out for person in evening.on_phone_of("Ben").people] == [False, False]

    def test_a_seat_is_taken_away_only_while_no_game_is_on(self) -> None:
        evening = Evening("Ana", "Ben", "Chloe")
        evening.host(nights.RemoveSeat(evening.seat("Chloe")))
        evening.begin()
        assert [seat.name for seat in evening.night.seats] == ["Ana", "Ben"]
        assert evening.why_not(nights.RemoveSeat(evening.seat("Ben"))) == "game-is-on"

    @pytest.mark.parametrize(
        "command",
        [
            nights.RemoveSeat(SeatId("x")),
            nights.RenameSeat(SeatId("x"), "Max"),
            nights.SayAs(SeatId("x"), "Max"),
            nights.ReleasePhone(SeatId("x")),
            nights.SitOut(SeatId("x")),
            nights.SitIn(SeatId("x")),
        ],
    )
    def test_there_is_no_such_seat(self, command: nights.NightCommand) -> None:
        assert Evening("Ana").why_not(command) == "no-such-seat"


class TestPauses:
    @staticmethod
    def playing() -> Evening:
        evening = Evening("Ana", "Ben")
        evening.begin()
        return evening

    @pytest.mark.parametrize("reason", nights.PAUSE_REASONS)
    def test_a_pause_has_a_reason_that_is_said_and_shown(self, reason: str) -> None:
        evening = self.playing()
        evening.host(nights.Pause(reason))
        (pause,) = evening.on_phone_of("Ana").pauses
        assert pause.reason == reason
        assert evening.said[-1] == f"Paused: {pause.text}."

    def test_only_the_same_reason_lifts_it(self) -> None:
        evening = self.playing()
        evening.host(nights.Pause("snacks"))
        assert evening.why_not(nights.Resume("door")) == "not-paused"
        evening.host(nights.Resume("snacks"))
        assert evening.night.pauses == ()

    def test_with_two_reasons_the_game_waits_for_both(self) -> None:
        evening = self.playing()
        evening.host(nights.Pause("snacks"), nights.Pause("door"), nights.Resume("snacks"))
        assert evening.on(Page.TV).pauses[0].reason == "door"
        assert evening.said[-1].startswith("Paused")
        evening.host(nights.Resume("door"))
        assert evening.said[-1] == "Back to the game."

    def test_twice_for_the_same_reason_is_refused(self) -> None:
        evening = self.playing()
        evening.host(nights.Pause("snacks"))
        assert evening.why_not(nights.Pause("snacks")) == "already-paused"

    @pytest.mark.parametrize("reason", ["boredom", nights.POWER_CUT, ""])
    def test_a_reason_that_is_none_is_refused(self, reason: str) -> None:
        assert self.playing().why_not(nights.Pause(reason)) == "no-such-pause"

    def test_without_a_game_there_is_nothing_to_pause(self) -> None:
        assert Evening("Ana", "Ben").why_not(nights.Pause("snacks")) == "no-game-on"

    def test_nobody_but_the_host_lifts_a_pause(self) -> None:
        evening = self.playing()
        evening.host(nights.Pause("snacks"))
        for actor in (evening.actor("Ana"), GUEST, DOOR, CLOCK):
            assert evening.why_not(nights.Resume("snacks"), actor) == "not-yours-to-say"

    def test_who_sits_down_or_comes_back_meanwhile_lifts_none(self) -> None:
        evening = self.playing()
        evening.host(nights.Pause("snacks"))
        evening.sit_down("Chloe")
        evening.be_host()
        assert evening.night.pauses == ("snacks",)


class TestOptions:
    def test_before_the_host_chose_any_the_game_is_played_by_its_defaults(self) -> None:
        assert Evening().on(Page.HOST).options == Options()

    def test_what_is_not_named_stays_as_it_was(self) -> None:
        evening = Evening()
        evening.host(nights.ChooseOptions({"rounds": 3}), nights.ChooseOptions({"practice": False}))
        assert evening.on(Page.HOST).options == Options(rounds=3, practice=False)

    def test_every_option_can_be_chosen(self) -> None:
        evening = Evening()
        wanted = {
            "openness": "open",
            "practice": False,
            "rounds": 2,
            "rafts": 3,
            "loads": "typed",
            "typed": [[4, 5], [6, 7, 8]],
            "pick_seconds": 60,
            "board_seconds": 10,
            "own_points": True,
            "settle_without_host": True,
            "games_master": True,
        }
        assert set(wanted) == set(Options.__struct_fields__)
        evening.host(nights.ChooseOptions(wanted))
        chosen = evening.on(Page.HOST).options
        assert (chosen.loads, chosen.typed, chosen.games_master) == (
            LoadsFrom.TYPED,
            ((4, 5), (6, 7, 8)),
            True,
        )
        assert all(getattr(chosen, name) != getattr(Options(), name) for name in wanted)

    @pytest.mark.parametrize(
        "options",
        [
            {"rounds": 0},
            {"rounds": "3"},
            {"rounds": None},
            {"rounds": 2.5},
            {"typed": [[1, 5]]},
            {"loads": "heavy"},
            {"no such option": 1},
            {"practice": "yes"},
        ],
    )
    def test_what_cannot_be_played_is_refused_and_changes_nothing(self, options: dict[str, object]) -> None:
        evening = Evening()
        answer = evening.asked(nights.ChooseOptions(options))
        assert isinstance(answer, Rejected)
        assert answer.reason == "bad-options"
        assert evening.table.phrase(answer)
        assert evening.on(Page.HOST).options == Options()

    def test_once_the_game_is_on_they_stay(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin()
        assert evening.why_not(nights.ChooseOptions({"rounds": 3})) == "game-is-on"

    def test_every_page_says_how_the_game_is_played(self) -> None:
        evening = Evening("Ana")
        evening.host(nights.ChooseOptions({"games_master": True}))
        assert evening.on_phone_of("Ana").options.games_master


class TestTheGame:
    @staticmethod
    def over() -> Evening:
        evening = Evening("Ana", "Ben")
        evening.begin(practice=False, rounds=1)
        evening.play_round(Ana=(DOG, "A"), Ben=(CAT, "B"))
        evening.host(commands.OpenNight())
        return evening

    def test_nothing_is_asked_of_a_game_before_it_is_on(self) -> None:
        assert Evening("Ana", "Ben").why_not(commands.OpenBoarding()) == "no-game-on"

    def test_it_begins_once(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin()
        assert evening.why_not(nights.BeginGame()) == "game-is-on"

    def test_only_a_game_that_is_there_can_be_chosen(self) -> None:
        evening = Evening()
        evening.host(nights.ChooseGame("animal-crossing"))
        assert evening.why_not(nights.ChooseGame("chess")) == "no-such-game"

    def test_after_it_everyone_stays_and_it_can_be_played_again_with_one_thing_changed(self) -> None:
        evening = self.over()
        evening.host(nights.PlayAgain(), nights.ChooseOptions({"rounds": 2}), nights.BeginGame())
        play = evening.play_on(Page.TV)
        assert (play.rounds, play.round, play.playing) == (2, 1, (evening.seat("Ana"), evening.seat("Ben")))

    def test_it_is_not_put_away_while_it_is_on(self) -> None:
        evening = Evening("Ana", "Ben")
        assert evening.why_not(nights.PlayAgain()) == "no-game-on"
        evening.begin()
        assert evening.why_not(nights.PlayAgain()) == "game-is-on"
        assert evening.why_not(nights.ClearTable()) == "game-is-on"

    def test_it_can_be_stopped_at_any_time_and_everyone_stays(self) -> None:
        evening = Evening("Ana", "Ben")
        assert evening.why_not(nights.StopGame()) == "no-game-on"
        evening.begin()
        evening.host(nights.Pause("talk"), nights.StopGame())
        assert [person.name for person in evening.on(Page.TV).people] == ["Ana", "Ben"]
        assert (evening.night.play, evening.night.pauses) == (None, ())
        evening.host(nights.BeginGame())
        assert evening.play_on(Page.TV).round == 0

    def test_one_that_was_stopped_opens_nothing_and_can_be_taken_up_again(self) -> None:
        evening = Evening("Ana", "Ben")
        evening.begin()
        evening.pick(Ana=Animal.DOG)
        evening.host(nights.StopGame())
        assert evening.said[-1] == "The host stops this game. It counts for nothing."
        assert evening.on(Page.TV).play is None
        evening.undo()
        assert evening.play_on(Page.TV).picked == (evening.seat("Ana"),)

    def test_at_the_end_of_the_night_everyone_gets_up_and_the_host_stays_host(self) -> None:
        evening = self.over()
        evening.be_host()
        evening.host(nights.ClearTable())
        assert (evening.night.seats, evening.night.play) == ((), None)
        assert evening.table.is_host(hashed("tablet"))

    def test_the_host_page_leads_from_setting_up_to_playing_again(self) -> None:
        evening = Evening("Ana")
        assert self.label(evening) == "Waiting for players (1 of 2)"
        evening.sit_down("Ben")
        assert self.label(evening) == "Start the game"
        evening.begin(practice=False, rounds=1)
        assert self.label(evening) == "Call for the missing picks"
        evening.host(nights.Pause("door"))
        assert self.label(evening) == "Go on"
        assert self.label(self.over()) == "Play again"

    @staticmethod
    def label(evening: Evening) -> str:
        step = evening.on(Page.HOST).next
        assert step is not None
        return step.label


class TestTheHost:
    def test_a_second_device_can_take_the_hosts_place(self) -> None:
        evening = Evening()
        evening.be_host("tablet")
        evening.be_host("phone")
        assert evening.table.is_host(hashed("phone"))
        assert not evening.table.is_host(hashed("tablet"))

    def test_nobody_is_host_or_booth_without_having_shown_the_pin(self) -> None:
        table = Evening().table
        assert not table.is_host(None)
        assert not table.is_booth(None)
        assert not table.is_host(hashed("tablet"))

    def test_the_booth_is_a_device_too(self) -> None:
        evening = Evening()
        evening.accepted(nights.OpenBooth(hashed("laptop")), DOOR)
        assert evening.table.is_booth(hashed("laptop"))

    def test_quiet_mode_is_known_to_every_page_and_captions_go_on(self) -> None:
        evening = Evening("Ana")
        evening.host(nights.SetQuiet(on=True))
        evening.sit_down("Ben")
        assert evening.on(Page.TV).is_quiet
        assert evening.said[-1] == "Welcome, Ben."


class TestWhoMayAsk:
    EVERYONE = (HOST, GUEST, CLOCK, DOOR, Actor(Role.PLAYER, SeatId("somebody")))
    MEANT_FOR = (
        (nights.TakeSeat("Max", None, "x"), Role.GUEST),
        (nights.AskForSeat("Ana", "x"), Role.GUEST),
        (nights.AddSeat("Max"), Role.HOST),
        (nights.RemoveSeat(SeatId("x")), Role.HOST),
        (nights.RenameSeat(SeatId("x"), "Max"), Role.HOST),
        (nights.SayAs(SeatId("x"), "Max"), Role.HOST),
        (nights.ReleasePhone(SeatId("x")), Role.HOST),
        (nights.ForgetDigits(SeatId("x")), Role.HOST),
        (nights.AnswerRequest("x", allow=True), Role.HOST),
        (nights.SitOut(SeatId("x")), Role.HOST),
        (nights.SitIn(SeatId("x")), Role.HOST),
        (nights.ChooseToken(3), Role.PLAYER),
        (nights.SetSecret("1234"), Role.PLAYER),
        (nights.ChooseGame("animal-crossing"), Role.HOST),
        (nights.ChooseOptions({}), Role.HOST),
        (nights.BeginGame(), Role.HOST),
        (nights.PlayAgain(), Role.HOST),
        (nights.StopGame(), Role.HOST),
        (nights.ClearTable(), Role.HOST),
        (nights.Pause("snacks"), Role.HOST),
        (nights.Resume("snacks"), Role.HOST),
        (nights.SetQuiet(on=True), Role.HOST),
        (nights.IgnoreSensor("x"), Role.HOST),
        (nights.HeedSensor("x"), Role.HOST),
        (nights.EverybodyIsOff(), Role.HOST),
        (nights.SayTroubles(), Role.HOST),
        (nights.SayRules(RulesLength.MINUTE), Role.HOST),
        (nights.Undo(1), Role.HOST),
        (nights.SeatHost("x"), Role.DOOR),
        (nights.OpenBooth("x"), Role.DOOR),
        (nights.SayAddress("pi-gm.local:8000", "FERN"), Role.DOOR),
        (nights.SwitchedOn(), Role.DOOR),
    )

    @pytest.mark.parametrize(("command", "role"), MEANT_FOR)
    def test_nobody_says_what_is_not_theirs_to_say(self, command: nights.NightCommand, role: Role) -> None:
        for actor in self.EVERYONE:
            why = Evening("Ana", "Ben").why_not(command, actor)
            assert (why == "not-yours-to-say") is (actor.role is not role)

    def test_every_command_is_in_this_list(self) -> None:
        assert {type(command) for command, _ in self.MEANT_FOR} == set(nights.NightCommand.__subclasses__())


class TestPure:
    """Deciding and evolving keep to what they are given."""

    HOUSE = House({GAME.key: GAME}, no_sensors())

    def decide(self, night: Night, command: nights.NightCommand, actor: Actor) -> tuple[GameEvent, ...]:
        decided = nights.decide(
            night, command, actor, house=self.HOUSE, now=1.0, floor=FloorReading(), rng=Random(3)
        )
        assert isinstance(decided, tuple)
        return decided

    def test_the_same_question_has_the_same_answer(self) -> None:
        night = first_night(self.HOUSE)
        assert self.decide(night, nights.AddSeat("Ana"), HOST) == self.decide(
            night, nights.AddSeat("Ana"), HOST
        )

    def test_deciding_changes_nothing(self) -> None:
        night = first_night(self.HOUSE)
        self.decide(night, nights.AddSeat("Ana"), HOST)
        assert night == first_night(self.HOUSE)

    def test_an_answer_to_a_request_that_is_gone_changes_nothing(self) -> None:
        night = first_night(self.HOUSE)
        event = nights.RequestAnswered("gone", allowed=True)
        assert nights.evolve(night, event, house=self.HOUSE, at=0.0) == night
