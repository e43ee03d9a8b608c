"""What is said when something has happened, in secret mode never more than R13 allows."""

from collections.abc import Iterator, Sequence

from pi_gm.announcer import Cue, Urgency
from pi_gm.games import PublicEvent
from pi_gm.games.animal_crossing import commands, events
from pi_gm.games.animal_crossing.loads import names_of_rafts
from pi_gm.games.animal_crossing.phrasebook import BOOK, call_to_board, doubt_aloud, name_of_round
from pi_gm.games.animal_crossing.standings import sentence_of_sunk, sentence_of_winners, standings
from pi_gm.games.animal_crossing.state import State
from pi_gm.players import Seat, names_of
from pi_gm.ranking import ranked, rising
from pi_gm.whereabouts import Doubt

MOST_DOUBTS_ALOUD = 2
"""Nobody keeps more questions in mind; the host's page has them all."""
CALL_TO_BOARD = "board"
_OUTCOME = "outcome"
"""What is asked and who sank have one key: once it is known who sank, nobody needs to hear a question."""


def script(event: PublicEvent, state: State, seats: Sequence[Seat]) -> tuple[Cue, ...]:
    """The cues for ``event``; ``state`` is the one after it."""
    match event:
        case events.NightBegan():
            return (_information("night", BOOK.say("say.night")),)
        case events.RoundBegan(round=number, loads=loads):
            named = zip(names_of_rafts(len(loads)), loads, strict=True)
            said = " ".join(BOOK.say("say.load", raft=raft, load=load) for raft, load in named)
            announced = BOOK.say_in_turn("say.round", number, round=name_of_round(number), loads=said)
            return (_information("round", announced),)
        case events.MinuteLeft():
            return (_information("time", BOOK.say_in_turn("say.minute-left", state.round.number)),)
        case events.PicksCalledFor(missing=missing) if missing:
            names = BOOK.list_of(names_of(seats, missing))
            return (_information("call", BOOK.say("say.call", names=names)),)
        case events.PicksCalledFor():
            return (_information("call", BOOK.say("say.all-picked")),)
        case events.BoardingOpened():
            return (
                _information(CALL_TO_BOARD, call_to_board(state.round.number, state.options.board_seconds)),
            )
        case events.TimeAdded():
            return (_information("time", BOOK.say("say.more-time")),)
        case events.TenSecondsLeft():
            return (Cue("time", Urgency.TICK, BOOK.say("say.ten-seconds")),)
        case events.BoardingClosed():
            return (Cue("buzzer", Urgency.BUZZER, BOOK.say("say.buzzer")),)
        case events.DoubtsFound(doubts=doubts):
            return (Cue(_OUTCOME, Urgency.RESULT, " ".join(_asked_aloud(doubts, seats))),)
        case events.PlayersSank(dry=dry):
            sentence = sentence_of_sunk(state, seats)
            names = BOOK.list_of(names_of(seats, dry))
            key = "say.dry" if names and state.round.sank else "say.sank"
            return (Cue(_OUTCOME, Urgency.RESULT, BOOK.say(key, sentence=sentence, names=names)),)
        case events.RoundOpened():
            return (_information("open", BOOK.say("say.open")),)
        case events.NightOpened():
            return (Cue("end", Urgency.RESULT, BOOK.say("say.end")), *_ranking(state, seats))
        case _:
            return ()


def after_speech(cue_key: str) -> commands.CallWasSaid | None:
    """The time to board runs once everyone has heard that they may."""
    return commands.CallWasSaid() if cue_key == CALL_TO_BOARD else None


def _asked_aloud(doubts: Sequence[Doubt], seats: Sequence[Seat]) -> Iterator[str]:
    yield BOOK.say("say.doubt.stay")
    yield from (doubt_aloud(doubt, seats) for doubt in doubts[:MOST_DOUBTS_ALOUD])
    if len(doubts) > MOST_DOUBTS_ALOUD:
        yield BOOK.say("say.doubt.more")


def _ranking(state: State, seats: Sequence[Seat]) -> tuple[Cue, ...]:
    points = {standing.rank: standing.points for standing in standings(state, seats)}
    by_rank = ranked({standing.seat: standing.rank for standing in standings(state, seats)})
    others = [
        (rank, _rank(points[rank], BOOK.list_of(names_of(seats, those))))
        for rank, those in by_rank
        if rank > 1
    ]
    won = BOOK.say("say.won", sentence=sentence_of_winners(state, seats))
    return rising(others, won, shared=bool(by_rank) and len(by_rank[-1][1]) > 1)


def _rank(points: int, names: str) -> str:
    if points == 0:
        return BOOK.say("say.rank.none", names=names)
    if points == 1:
        return BOOK.say("say.rank.one", names=names)
    return BOOK.say("say.rank.several", points=points, names=names)


def _information(key: str, text: str) -> Cue:
    return Cue(key, Urgency.INFORMATION, text)
