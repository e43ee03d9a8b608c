"""Whole games of Animal Mind, written so that a person can read and judge them.

In ``animal_mind/*.txt`` a line that begins with ``>`` is what somebody does. Everything else is what came of it: what is
said aloud, what one phone alone shows, and what lies on the table whenever a turn or a scoring is over. Written anew with
``python -m tests.playthroughs.test_animal_mind``; then read what has changed.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_gm.games import Page
from pi_gm.games.animal_mind import commands
from pi_gm.games.animal_mind.cards import Kind
from pi_gm.games.animal_mind.phrasebook import name_of_card
from pi_gm.games.animal_mind.view import HandView
from tests.pi_gm.games.animal_mind.at_table import EveningOfMind
from tests.pi_gm.games.animal_mind.mind import pile_of
from tests.playthroughs import playing

FILES = playing.files_in("animal_mind")


class Playthrough:
    """A game that is told as it is played."""

    def __init__(self, names: list[str], pile: str) -> None:
        self.evening = EveningOfMind(*names, pile=pile_of(pile))
        self._ear = playing.Ear(self.evening.on(Page.TV).captions)
        self._table: list[str] = []

    def act(self, words: str) -> Iterator[str]:
        """What comes of one line."""
        self._do(words.split())
        yield from self._said()
        yield from self._seen_alone()
        table = [self._before(hand) for hand in self.evening.mind_on(Page.TV).hands]
        if table != self._table:
            yield from table
        self._table = table

    def _do(self, words: list[str]) -> None:
        evening = self.evening
        match words:
            case ["the", "host", "begins"]:
                evening.begin()
            case [name, "offers", "to", to, "as", ("0" | "1" | "2") as value]:
                evening.offer(name, to, value=int(value))
            case [name, "offers", "to", to, "as", kind]:
                evening.offer(name, to, kind=Kind(kind))
            case [name, "accepts"]:
                evening.accept(name)
            case [name, "rejects"]:
                evening.reject(name)
            case [name, "lets", "go", "of", kind]:
                evening.discard(name, Kind(kind))
            case [name, "sits", "out"]:
                evening.sit_out(name)
            case [name, "is", "back"]:
                evening.sit_in(name)
            case ["the", "host", "goes", "on"]:
                evening.go_on()
            case ["the", "host", "calls"]:
                evening.host(commands.CallOn())
            case ["the", "host", "takes", "back"]:
                evening.undo()
            case [seconds, "seconds", "pass"]:
                evening.pass_time(float(seconds))
            case _:
                raise ValueError(f"nobody can do this: {' '.join(words)}")

    def _said(self) -> Iterator[str]:
        yield from self._ear.fresh(self.evening.on(Page.TV).captions)

    def _seen_alone(self) -> Iterator[str]:
        for seat in self.evening.night.seats:
            seen = self.evening.mind_on_phone_of(seat.name)
            if seen.card is not None and seen.receivers:
                yield f"  {seat.name} alone sees: {name_of_card(seen.card)}"
            if seen.is_forced:
                yield f"  {seat.name} can only {'accept' if seen.can_accept else 'reject'}"
            if seen.choice:
                yield f"  {seat.name} chooses: {', '.join(kind.value for kind in seen.choice)}"

    def _before(self, hand: HandView) -> str:
        cards = "; ".join(f"{held.name} {' '.join(map(str, held.values))}" for held in hand.sets) or "nothing"
        sides = "A" * hand.accepts + "R" * hand.rejects
        name = self.evening.name_of(hand.seat)
        away = " (away)" if hand.is_away else ""
        return f"    {name:<6}{hand.chips:>3} chips  {sides}  {cards}{away}"


def told(text: str) -> str:
    """The game of ``text`` as it goes today."""
    return playing.told(text, lambda said: Playthrough(said["players"].split(), said["pile"]).act)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_goes_as_it_is_written(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert told(text) == text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_is_played_to_its_end(file: Path) -> None:
    assert "The game is over." in file.read_text(encoding="utf-8")


def test_games_of_two_three_and_four_are_written() -> None:
    numbers = {
        len(line.split()) - 1 for file in FILES for line in [file.read_text(encoding="utf-8").splitlines()[1]]
    }
    assert numbers == {2, 3, 4}


if __name__ == "__main__":
    playing.write_anew(FILES, told)
