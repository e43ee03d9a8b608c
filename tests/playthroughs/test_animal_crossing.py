"""Whole nights of Animal Crossing, written so that a person can read and judge them.

In ``animal_crossing/*.txt`` a line that begins with ``>`` is what somebody does. Everything else is what came of it: what
is said aloud, what the host's page asks, and the whole story at the end. Written anew with
``python -m tests.playthroughs.test_animal_crossing``; then read what has changed.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_gm import night as nights
from pi_gm.games import Page
from pi_gm.games.animal_crossing import commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.state import Phase
from pi_gm.games.animal_crossing.view import CrossingView, OpenRoundView
from pi_gm.rooms import ROOMS
from tests.pi_gm.evening import Evening
from tests.playthroughs import playing

FILES = playing.files_in("animal_crossing")


class Playthrough:
    """A night that is told as it is played."""

    def __init__(self, names: list[str], room: str, options: str) -> None:
        self.evening = Evening(*names, room=ROOMS[room])
        self.evening.host(nights.ChooseOptions(json.loads(options)))
        self._ear = playing.Ear(self.evening.on(Page.TV).captions)
        self._asked: tuple[str, ...] = ()

    def act(self, words: str) -> Iterator[str]:
        """What comes of one line."""
        self._do(words.split())
        yield from self._said()
        yield from self._questions()
        if self.evening.on(Page.TV).is_over:
            yield from self._story()

    def _do(self, words: list[str]) -> None:
        evening = self.evening
        match words:
            case ["the", "host", *rest]:
                self._host_does(rest)
            case ["the", "power", "fails"]:
                evening.power_cut()
            case ["mats", "pressed:", *mats]:
                evening.floor.press(*mats)
            case [seconds, "seconds", "pass"]:
                evening.pass_time(float(seconds))
            case [name, "joins"]:
                evening.sit_down(name)
            case ["picks:", *pairs]:
                for name, animal in _pairs(pairs):
                    evening.pick(**{name: Animal(animal)})
            case ["places:", *pairs]:
                for name, place in _pairs(pairs):
                    evening.check_in(**{name: place})
            case _:
                raise ValueError(f"nobody can do this: {' '.join(words)}")

    def _host_does(self, words: list[str]) -> None:
        evening = self.evening
        match words:
            case ["presses", *label]:
                step = evening.on(Page.HOST).next
                assert step is not None
                assert step.label == " ".join(label)
                assert step.command is not None
                evening.host(step.command)
            case ["answers:", *label]:
                answers = {a.label: a.command for d in evening.play_on(Page.HOST).doubts for a in d.answers}
                command = answers[" ".join(label)]
                assert command is not None
                evening.host(command)
            case ["rules", "that", name, "is", "in" | "on", *place]:
                key = {"the water": "water", "the island": "island"}.get(" ".join(place), place[-1])
                evening.host(commands.RulePlace(evening.seat(name), key))
            case ["sits", name, "out"]:
                evening.sit_out(name)
            case ["brings", name, "back", "in"]:
                evening.host(nights.SitIn(evening.seat(name)))
            case ["takes", "back", *what]:
                undo = evening.on(Page.HOST).undo
                assert undo is not None
                assert undo.what == " ".join(what)
                evening.undo()
            case _:
                raise ValueError(f"no host can do this: {' '.join(words)}")

    def _said(self) -> Iterator[str]:
        yield from self._ear.fresh(self.evening.on(Page.TV).captions)
        play: CrossingView | None = self.evening.on(Page.TV).play
        if play is not None and play.opened and play.phase is Phase.SANK:
            yield from self._round(play.opened[-1])

    def _questions(self) -> Iterator[str]:
        play: CrossingView | None = self.evening.on(Page.HOST).play
        asked = tuple(
            f"  ? {doubt.sentence} [{' | '.join(answer.label for answer in doubt.answers)}]"
            for doubt in (play.doubts if play is not None and play.phase is Phase.RULING else ())
        )
        if asked != self._asked:
            yield from asked
        self._asked = asked

    def _story(self) -> Iterator[str]:
        play = self.evening.play_on(Page.TV)
        for opened in play.opened:
            yield from self._round(opened)
        for standing in play.standings:
            award = f"{standing.award.half_tokens / 2:g} tokens" if standing.award.half_tokens else ""
            strike = "a strike" if standing.award.strike else ""
            told = f"    {standing.rank}. {self.evening.name_of(standing.seat):<6}{standing.points:>3}  {award}{strike}"
            yield told.rstrip()

    def _round(self, opened: OpenRoundView) -> Iterator[str]:
        yield f"    {opened.name}: {', '.join(f'{raft.key} carries {raft.load}' for raft in opened.rafts)}"
        for outcome in opened.outcomes:
            name = self.evening.name_of(outcome.seat)
            told = f"      {name:<6} {outcome.animal.value:<8} {outcome.place:<6} {outcome.points:>2}"
            yield f"{told}  {outcome.fate.value}"


def _pairs(words: list[str]) -> Iterator[tuple[str, str]]:
    for pair in " ".join(words).split(","):
        name, what = pair.split()
        yield name, what


def told(text: str) -> str:
    """The night of ``text`` as it goes today."""
    return playing.told(
        text, lambda said: Playthrough(said["players"].split(), said["room"], said["options"]).act
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_night_goes_as_it_is_written(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert told(text) == text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_night_is_played_to_its_end(file: Path) -> None:
    assert '"The night is over.' in file.read_text(encoding="utf-8")


def test_the_four_nights_are_written() -> None:
    assert [file.stem for file in FILES] == ["doubts", "open", "trouble", "worked-example"]


if __name__ == "__main__":
    playing.write_anew(FILES, told)
