"""Animal Mind: offers, half-truths and lies over a pile of produce."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pi_gm.games import Game
from pi_gm.games.animal_mind import commands, events, rules
from pi_gm.games.animal_mind.bots import bot
from pi_gm.games.animal_mind.cards import SCORING
from pi_gm.games.animal_mind.decide import begin, deadline, decide, floor_instant, lean
from pi_gm.games.animal_mind.options import FEWEST, Options, mistakes
from pi_gm.games.animal_mind.phrasebook import BOOK, RULES_ALOUD
from pi_gm.games.animal_mind.recap import recap
from pi_gm.games.animal_mind.script import script, sentence_of_winners
from pi_gm.games.animal_mind.state import Phase, State, evolve
from pi_gm.games.animal_mind.view import view
from pi_gm.games.animal_mind.written import play_written
from pi_gm.players import Seat


def _is_over(state: State) -> bool:
    return state.phase is Phase.OVER


def _sentences_about(options: Options) -> tuple[str, ...]:
    return tuple(BOOK.say(key) for key in mistakes(options))


def _summary(state: State, seats: Sequence[Seat]) -> Mapping[str, object]:
    names = {seat.id: seat.name for seat in seats}
    over = _is_over(state)
    return {
        "over": over,
        "turn": None if over else names[state.turn],
        "scorings": state.scorings,
        "chips": {names[hand.seat]: hand.chips for hand in state.hands},
        "collections": {
            names[hand.seat]: {held.kind.value: list(held.values) for held in hand.collection}
            for hand in state.hands
        },
        "accepts": {names[hand.seat]: hand.accepts for hand in state.hands},
        "winners": [names[seat] for seat in state.winners] if over else None,
    }


def _told(state: State, seats: Sequence[Seat]) -> tuple[str, ...]:
    names = {seat.id: seat.name for seat in seats}
    lines = [
        f"{names[hand.seat]:<20} {hand.chips:>3} chips, {rules.cards_in(hand.collection):>2} cards: "
        + "; ".join(f"{held.kind.value} {' '.join(map(str, held.values))}" for held in hand.collection)
        for hand in state.hands
    ]
    ending = (
        sentence_of_winners(state, seats)
        if _is_over(state)
        else BOOK.say("say.turn.1", name=names[state.turn])
    )
    return (*lines, ending)


def _tally(state: State) -> Counter[str]:
    return Counter(
        {
            "scorings": state.scorings,
            "chips": sum(hand.chips for hand in state.hands),
            "cards kept": sum(rules.cards_in(hand.collection) for hand in state.hands),
            "cards discarded": len(state.discards),
            "cards never drawn": sum(card != SCORING for card in state.pile),
            "winners": len(state.winners),
        }
    )


GAME = Game(
    key="animal-mind",
    title="Animal Mind",
    players=(FEWEST, 12),
    options=Options,
    player_commands=commands.PlayerCommand,
    host_commands=commands.HostCommand,
    events=events.Event,
    package=__name__,
    time_up=commands.TimeUp(),
    written=play_written,
    seats_changed=commands.SeatsChanged(),
    begin=begin,
    decide=decide,
    evolve=evolve,
    view=view,
    script=script,
    phrase=BOOK.say,
    rules_aloud=RULES_ALOUD,
    mistakes=_sentences_about,
    deadline=deadline,
    floor_instant=floor_instant,
    is_over=_is_over,
    buttons=(("accept", commands.Accept()), ("reject", commands.Reject())),
    lean=lean,
    recap=recap,
    bot=bot,
    summary=_summary,
    told=_told,
    tally=_tally,
)
