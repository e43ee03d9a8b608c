"""Animal Crossing: rafts are couches, the island is a rug, the floor is water."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pi_gm.games import Game
from pi_gm.games.animal_crossing import commands, events
from pi_gm.games.animal_crossing.bots import bot
from pi_gm.games.animal_crossing.decide import FEWEST, MOST, begin, boarding, deadline, decide, floor_instant
from pi_gm.games.animal_crossing.options import Options, mistakes
from pi_gm.games.animal_crossing.phrasebook import BOOK, RULES_ALOUD, name_of_round
from pi_gm.games.animal_crossing.recap import recap
from pi_gm.games.animal_crossing.script import after_speech, script
from pi_gm.games.animal_crossing.standings import standings
from pi_gm.games.animal_crossing.state import Phase, State, evolve
from pi_gm.games.animal_crossing.view import view
from pi_gm.players import Seat


def _is_over(state: State) -> bool:
    return state.phase is Phase.OVER


def _sentences_about(options: Options) -> tuple[str, ...]:
    return tuple(BOOK.say(key) for key in mistakes(options))


def _summary(state: State, seats: Sequence[Seat]) -> Mapping[str, object]:
    names = {seat.id: seat.name for seat in seats}
    return {
        "over": _is_over(state),
        "rounds": [
            {
                "round": played.number,
                "loads": list(played.loads),
                "players": [
                    {
                        "name": names[outcome.seat],
                        "animal": outcome.animal.value,
                        "place": outcome.place,
                        "fate": outcome.fate.value,
                        "sank": outcome.fate.is_sunk,
                        "points": outcome.points,
                    }
                    for outcome in played.outcomes
                ],
            }
            for played in state.settled
        ],
        "ranking": [
            {
                "name": names[standing.seat],
                "rank": standing.rank,
                "points": standing.points,
                "tokens": standing.award.half_tokens / 2,
                "strike": standing.award.strike,
            }
            for standing in standings(state, seats)
        ],
    }


def _told(state: State, seats: Sequence[Seat]) -> tuple[str, ...]:
    names = {seat.id: seat.name for seat in seats}
    lines = []
    for played in state.settled:
        lines.append(f"{name_of_round(played.number)}: {', '.join(map(str, played.loads))}")
        lines += [
            f"  {names[outcome.seat]:<20} {outcome.animal.value:<9} {outcome.place:<7} "
            f"{outcome.points:>3}  {outcome.fate.value}"
            for outcome in played.outcomes
        ]
    for standing in standings(state, seats):
        tokens = f"{standing.award.half_tokens / 2:g} token" if standing.award.half_tokens else ""
        strike = "a strike" if standing.award.strike else ""
        lines.append(
            f"{standing.rank}. {names[standing.seat]:<20} {standing.points:>3}  {tokens}{strike}".rstrip()
        )
    return tuple(lines if _is_over(state) else [*lines, BOOK.say("told.unfinished")])


def _tally(state: State) -> Counter[str]:
    counted: Counter[str] = Counter(rounds=len(state.settled), load=sum(sum(r.loads) for r in state.settled))
    for outcome in (outcome for played in state.settled for outcome in played.outcomes):
        counted[f"{outcome.animal.value}: picked"] += 1
        counted[f"{outcome.animal.value}: sank"] += outcome.fate.is_sunk
        counted[f"{outcome.animal.value}: points"] += outcome.points
        counted[outcome.fate.value] += 1
    return counted


GAME = Game(
    key="animal-crossing",
    title="Animal Crossing",
    players=(FEWEST, MOST),
    options=Options,
    player_commands=commands.PlayerCommand,
    host_commands=commands.HostCommand,
    events=events.Event,
    package=__name__,
    time_up=commands.TimeUp(),
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
    boarding=boarding,
    recap=recap,
    after_speech=after_speech,
    is_over=_is_over,
    bot=bot,
    summary=_summary,
    told=_told,
    tally=_tally,
)
