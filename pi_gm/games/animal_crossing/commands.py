"""What players, the host and the clock can ask of a night of Animal Crossing."""

from msgspec import Struct

from pi_gm.clock import Seconds
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.games.animal_crossing.loads import Loads
from pi_gm.players import SeatId


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything that can be asked."""


class PickAnimal(Command, frozen=True, tag="pick"):
    """A player chooses, or chooses anew."""

    animal: Animal


class CheckIn(Command, frozen=True, tag="check-in"):
    """A player says where they are."""

    place: str


class PickFor(Command, frozen=True, tag="pick-for"):
    """A games master enters what a player whispered."""

    seat: SeatId
    animal: Animal


class CallOn(Command, frozen=True, tag="call-on"):
    """The host ends the time for picks, or calls on those without one once more."""


class OpenBoarding(Command, frozen=True, tag="open-boarding"):
    """The host sends everyone to the rafts."""


class SoundBuzzer(Command, frozen=True, tag="sound-buzzer"):
    """The host ends boarding before its time."""


class AddTime(Command, frozen=True, tag="add-time"):
    """The host gives more time to the phase that runs."""

    seconds: Seconds


class RulePlace(Command, frozen=True, tag="rule-place"):
    """The host says where a player is, or was at the buzzer: the strongest evidence there is."""

    seat: SeatId
    place: str


class TakeRulingBack(Command, frozen=True, tag="take-ruling-back"):
    """The host lets a player's own evidence speak again."""

    seat: SeatId


class SetMatsAside(Command, frozen=True, tag="set-mats-aside"):
    """The host says that the mats of a place are not to be counted in this round."""

    place: str


class ShowFilm(Command, frozen=True, tag="show-film"):
    """The host shows everyone on the TV how the mats were around the buzzer."""


class HideFilm(Command, frozen=True, tag="hide-film"):
    """The host has seen enough of it on the TV."""


class SettleRound(Command, frozen=True, tag="settle-round"):
    """The host has everyone's place settled and wants to hear who sank."""


class NextRound(Command, frozen=True, tag="next-round"):
    """The host goes on."""


class OpenNight(Command, frozen=True, tag="open-night"):
    """The host ends the night, and everything opens."""


class ChangeTimes(Command, frozen=True, tag="change-times"):
    """The host sets the times of the phases still to begin."""

    pick_seconds: int
    board_seconds: int


class ChangeLoads(Command, frozen=True, tag="change-loads"):
    """The host sets the loads of a round that has not begun (0 is the practice round)."""

    round: int
    loads: Loads


class SettleWithoutHost(Command, frozen=True, tag="settle-without-host"):
    """The host chooses whether rounds without a doubt settle by themselves from now on."""

    on: bool


class TimeUp(Command, frozen=True, tag="time-up"):
    """The time that the game waited for has come; only the clock can say so."""


class CallWasSaid(Command, frozen=True, tag="call-was-said"):
    """The call to board has been said, so its time may run; only the clock can say so."""


PlayerCommand = PickAnimal | CheckIn
HostCommand = (
    PickFor
    | CallOn
    | OpenBoarding
    | SoundBuzzer
    | AddTime
    | RulePlace
    | TakeRulingBack
    | SetMatsAside
    | ShowFilm
    | HideFilm
    | SettleRound
    | NextRound
    | OpenNight
    | ChangeTimes
    | ChangeLoads
    | SettleWithoutHost
)
ClockCommand = TimeUp | CallWasSaid
AnyCommand = PlayerCommand | HostCommand | ClockCommand
