from pi_gm.clock import FakeClock
from web.tries import A_MISTAKE_FADES_IN, FORGOTTEN_AFTER, KEPT, Tries


def test_five_mistakes_cost_nothing_and_the_next_try_has_to_wait_half_a_minute() -> None:
    clock = FakeClock()
    tries = Tries(clock)
    assert [tries.attempt("kid", is_right=False) for _ in range(4)] == [0, 0, 0, 0]
    assert tries.attempt("kid", is_right=False) == 30
    clock.turn(29)
    assert tries.wait("kid") == 1
    clock.turn(1)
    assert tries.wait("kid") == 0


def test_each_further_mistake_doubles_the_wait_up_to_ten_minutes() -> None:
    clock = FakeClock()
    tries = Tries(clock)
    waits = []
    for _ in range(12):
        wait = tries.attempt("kid", is_right=False)
        assert wait is not None
        waits.append(wait)
        clock.turn(wait)
    assert waits == [0, 0, 0, 0, 30, 60, 120, 240, 480, 600, 600, 600]


def test_the_right_answer_does_not_count_while_one_has_to_wait() -> None:
    clock = FakeClock()
    tries = Tries(clock)
    for _ in range(5):
        tries.attempt("kid", is_right=False)
    assert tries.attempt("kid", is_right=True) == 30
    clock.turn(30)
    assert tries.attempt("kid", is_right=True) is None


def test_trying_while_one_has_to_wait_does_not_make_the_wait_longer() -> None:
    tries = Tries(FakeClock())
    for _ in range(5):
        tries.attempt("kid", is_right=False)
    assert [tries.attempt("kid", is_right=False) for _ in range(3)] == [30, 30, 30]


def test_mistakes_of_one_are_not_held_against_another() -> None:
    tries = Tries(FakeClock())
    for _ in range(9):
        tries.attempt("kid", is_right=False)
    assert tries.attempt("aunt", is_right=True) is None


def test_a_right_answer_wipes_the_slate() -> None:
    tries = Tries(FakeClock())
    for _ in range(4):
        tries.attempt("aunt", is_right=False)
    assert tries.attempt("aunt", is_right=True) is None
    assert [tries.attempt("aunt", is_right=False) for _ in range(4)] == [0, 0, 0, 0]


def test_mistakes_are_forgotten_after_an_hour() -> None:
    clock = FakeClock()
    tries = Tries(clock)
    for _ in range(5):
        tries.attempt("kid", is_right=False)
    clock.turn(30 + FORGOTTEN_AFTER)
    assert tries.attempt("kid", is_right=False) == 0


def test_a_flood_of_names_neither_grows_the_memory_nor_makes_anybody_forgotten() -> None:
    tries = Tries(FakeClock())
    for _ in range(5):
        tries.attempt("first", is_right=False)
    for number in range(KEPT):
        tries.attempt(str(number), is_right=False)
    assert tries.wait("first") == 30
    assert [tries.attempt(f"late {number}", is_right=False) for number in range(4)] == [0, 0, 0, 30]


def test_once_a_flood_of_names_is_long_past_newcomers_are_counted_by_themselves_again() -> None:
    clock = FakeClock()
    tries = Tries(clock)
    for number in range(KEPT + 9):
        tries.attempt(str(number), is_right=False)
    clock.turn(600 + FORGOTTEN_AFTER)
    assert [tries.attempt("aunt", is_right=False) for _ in range(4)] == [0, 0, 0, 0]
    assert tries.attempt("uncle", is_right=True) is None


def test_after_many_mistakes_of_all_each_has_one_try_and_then_waits() -> None:
    tries = Tries(FakeClock(), free_of_all=10)
    for number in range(10):
        tries.attempt(f"kid {number}", is_right=False)
    assert tries.wait("thief") == 0
    assert tries.attempt("thief", is_right=False) == 30
    assert tries.attempt("aunt", is_right=True) is None


def test_the_mistakes_of_all_fade() -> None:
    clock = FakeClock()
    tries = Tries(clock, free_of_all=10)
    for number in range(10):
        tries.attempt(f"kid {number}", is_right=False)
    clock.turn(10 * A_MISTAKE_FADES_IN)
    assert tries.attempt("aunt", is_right=False) == 0
