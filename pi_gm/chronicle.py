"""The night as the sum of its steps, with the last ones kept so that the host can take them back."""

from msgspec import Struct

from pi_gm import night as nights
from pi_gm.clock import Seconds
from pi_gm.games import GameEvent, Role
from pi_gm.night import House, Night, NightEvent, Rewound
from pi_gm.players import SeatId

STEPS_KEPT = 400


class Step(Struct, frozen=True):
    """What one command brought about."""

    number: int
    at: Seconds
    """Table time."""
    role: Role
    game: str
    """The key of the game that was chosen at the time; those of the events that are not the table's are its own.

    Empty in a step that was read back and has none of those.
    """
    events: tuple[GameEvent, ...]
    seat: SeatId | None = None
    command_id: str | None = None
    what: str | None = None
    """What it was, in words, where the host may take it back; otherwise None."""


class Undoable(Struct, frozen=True):
    """The host's step that can be taken back now."""

    step: Step
    of_host: int
    """Its number among the host's own steps: all that a page may say of it, for the others are players' secrets."""


class _Kept(Struct, frozen=True):
    step: Step
    before: Night
    of_host: int


class Chronicle:
    """The night so far. Not safe for several threads at once; its owner holds the lock."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._night = nights.first_night(house)
        self._kept: list[_Kept] = []
        self._steps = 0
        self._of_host = 0

    @property
    def night(self) -> Night:
        return self._night

    @property
    def next_number(self) -> int:
        """The number that the next step must have."""
        return self._steps + 1

    @property
    def undoable(self) -> Undoable | None:
        """What the host can take back now: their last step, unless something has barred that since."""
        mine = (kept for kept in reversed(self._kept) if kept.step.what is not None)
        return next((Undoable(kept.step, kept.of_host) for kept in mine), None)

    def take(self, step: Step) -> None:
        """Let ``step`` happen. Raises ValueError for one out of its order: the journal is not whole."""
        if step.number != self.next_number:
            raise ValueError(f"step {step.number} follows step {self._steps}")
        self._steps = step.number
        self._of_host += step.what is not None
        rewound = next((event for event in step.events if isinstance(event, Rewound)), None)
        if rewound is None:
            self._keep(step)
        else:
            self._rewind(step, rewound)

    def _keep(self, step: Step) -> None:
        before = self._night
        for event in step.events:
            self._night = nights.evolve(self._night, event, house=self._house, at=step.at)
        if _bars_undo(step):
            self._kept.clear()
        elif step.what is not None or self._kept:
            self._kept.append(_Kept(step, before, self._of_host))
            del self._kept[:-STEPS_KEPT]

    def _rewind(self, step: Step, rewound: Rewound) -> None:
        """Take a step back, and what the clock made of it; what players did since stays."""
        index = next((i for i, kept in enumerate(self._kept) if kept.step.number == rewound.step), None)
        if index is None:
            raise ValueError(f"step {step.number} takes back step {rewound.step}, which cannot be taken back")
        captions = self._night.captions
        since = [kept.step for kept in self._kept[index + 1 :]]
        self._night = self._kept[index].before
        del self._kept[index:]
        for later in since:
            if later.role is not Role.CLOCK and later.what is None and self._can_take(later):
                self._keep(later)
        self._night = nights.with_captions(self._night, captions)
        self._night = nights.evolve(self._night, rewound, house=self._house, at=step.at)

    def _can_take(self, step: Step) -> bool:
        """Whether the game that ``step`` is about is still there: its own start may have been taken back."""
        return self._night.play is not None or all(isinstance(event, NightEvent) for event in step.events)


def _bars_undo(step: Step) -> bool:
    """Whether something secret was opened, or the clock did what cannot be taken back."""
    return any(event.opens or (step.role is Role.CLOCK and event.bars_undo) for event in step.events)
