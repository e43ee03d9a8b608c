"""A final ranking, told from the last to the first so that everyone listens to the end. Pure."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from pi_gm.announcer import Cue, Urgency
from pi_gm.clock import Seconds
from pi_gm.phrases import SHARED

BREATH: Seconds = 1.0
"""Silence before each rank."""
SUSPENSE: Seconds = 2.0
"""Silence before the winner."""

Who = TypeVar("Who", bound=Hashable)


def ranked(ranks: Mapping[Who, int]) -> tuple[tuple[int, tuple[Who, ...]], ...]:
    """Each rank with all who share it in the order of ``ranks``, the last rank first."""
    return tuple(
        (rank, tuple(who for who, theirs in ranks.items() if theirs == rank))
        for rank in sorted(set(ranks.values()), reverse=True)
    )


def key_of_rank(rank: int) -> str:
    """The key of the cue that tells who is at ``rank``, counted from 1."""
    return f"rank-{rank}"


def rising(others: Sequence[tuple[int, str]], winners: str, *, shared: bool) -> tuple[Cue, ...]:
    """The cues for a ranking: ``others`` are the sentences of all ranks but the first, the last rank first.

    ``shared``: several have won. Where nobody is behind the winners there is nothing to wait for.
    """
    if not others:
        return (Cue(key_of_rank(1), Urgency.RESULT, winners),)
    announced = SHARED.say("say.winners-are" if shared else "say.winner-is")
    return (
        *(Cue(key_of_rank(rank), Urgency.RESULT, text, BREATH) for rank, text in others),
        Cue("winner", Urgency.RESULT, announced, BREATH),
        Cue(key_of_rank(1), Urgency.RESULT, winners, SUSPENSE),
    )
