"""A final ranking is told from the last to the first; those who tie share, and the winner is waited for longest."""

from pi_gm.announcer import Urgency, captioned
from pi_gm.games import Page
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.ranking import BREATH, SUSPENSE, ranked, rising
from tests.pi_gm.evening import Evening


def test_ranks_rise_and_those_who_tie_stand_in_their_order() -> None:
    assert ranked({"Ana": 2, "Ben": 1, "Chloe": 4, "Dora": 2}) == (
        (4, ("Chloe",)),
        (2, ("Ana", "Dora")),
        (1, ("Ben",)),
    )
    assert ranked({}) == ()


def test_a_breath_goes_before_each_rank_and_suspense_before_the_winner() -> None:
    cues = rising([(3, "Chloe."), (2, "Ben.")], "Ana wins.", shared=False)
    assert [(cue.text, cue.pause_before) for cue in cues] == [
        ("Chloe.", BREATH),
        ("Ben.", BREATH),
        ("And the winner is …", BREATH),
        ("Ana wins.", SUSPENSE),
    ]
    assert {cue.urgency for cue in cues} == {Urgency.RESULT}
    assert len({cue.key for cue in cues}) == len(cues), "none takes the place of another"


def test_several_winners_are_announced_as_several() -> None:
    assert "And the winners are …" in [cue.text for cue in rising([(3, "x")], "Ana and Ben.", shared=True)]


def test_where_nobody_is_behind_there_is_nothing_to_wait_for() -> None:
    (cue,) = rising([], "Ana and Ben.", shared=True)
    assert cue.pause_before == 0


def test_twelve_different_ranks_are_all_kept() -> None:
    cues = rising([(rank, f"{rank}.") for rank in range(12, 1, -1)], "Ana.", shared=False)
    assert len(captioned((), cues, 0.0)) == 13


def test_pages_know_when_each_rank_has_its_turn() -> None:
    evening = Evening("Ana", "Ben")
    evening.begin(practice=False)
    evening.play_round(Ana=(Animal.DOG, "A"), Ben=(Animal.CAT, "water"))
    assert evening.on(Page.TV).turn_of("rank-1") is None
    evening.host(commands.OpenNight())
    page = evening.on(Page.TV)
    last, first = page.turn_of("rank-2"), page.turn_of("rank-1")
    assert last is not None
    assert first is not None
    assert evening.now < last < first
