"""The living room on a laptop: figures stand on mats, and that drives mock pins and nothing else."""

from collections.abc import Iterable, Mapping
from threading import RLock

from gpiozero.pins.mock import MockFactory

from hardware.pins import chips_of
from pi_gm.errors import BadInput
from pi_gm.floor import Sensor
from pi_gm.room import PLACES, LivingRoom, Room, Standing


class SimulatedRoom(LivingRoom):
    """``room`` with nobody in it, on mock pins: the pin of a mat is low while somebody stands on it."""

    def __init__(self, room: Room, pins: MockFactory | Mapping[str, MockFactory]) -> None:
        """``pins`` is the header's mock factory, or one for each chip of ``room``."""
        factories = chips_of(pins)
        self._room = room
        self._sensors = {sensor.key: sensor for sensor in room.sensors}
        self._pins = {sensor.key: factories[sensor.chip].pin(sensor.pin) for sensor in room.sensors}
        self._figures: dict[str, Standing] = {}
        # A handler that a pin calls while it is driven may ask where everyone is.
        self._lock = RLock()

    def put(self, figure: str, place: str, *, token: int | None) -> None:
        if place not in PLACES:
            raise BadInput(f"{place!r} is no place to stand: choose one of {', '.join(PLACES)}.")
        with self._lock:
            self._stand(Standing(figure, place, self._mat_for(figure, place, token)))

    def put_on(self, figure: str, sensor_key: str) -> None:
        sensor = self._sensors.get(sensor_key)
        if sensor is None:
            known = ", ".join(self._sensors) or "this room has none"
            raise BadInput(
                f"There is no sensor {sensor_key!r} to stand on: choose one of those there are ({known})."
            )
        with self._lock:
            self._stand(Standing(figure, sensor.place, sensor.key))

    def remove(self, figure: str) -> None:
        with self._lock:
            left = self._figures.pop(figure, None)
            if left is not None:
                self._drive([left.sensor])

    def where(self) -> tuple[Standing, ...]:
        with self._lock:
            return tuple(self._figures.values())

    def _stand(self, standing: Standing) -> None:
        left = self._figures.get(standing.figure)
        self._figures[standing.figure] = standing
        # One foot after the other: what was left opens before what is entered closes.
        self._drive([left.sensor if left is not None else None, standing.sensor])

    def _mat_for(self, figure: str, place: str, token: int | None) -> str | None:
        mats = self._room.sensors_at(place)
        own = [mat for mat in mats if mat.owner is not None and mat.owner == token]
        if own:
            return own[0].key
        anonymous = [mat for mat in mats if mat.owner is None]
        if not anonymous:
            return None
        on = self._figures.get(figure)
        if on is not None and on.sensor in {mat.key for mat in anonymous}:
            return on.sensor
        with_room_left = [mat for mat in anonymous if self._has_room(mat)]
        return (with_room_left[0] if with_room_left else anonymous[-1]).key

    def _has_room(self, mat: Sensor) -> bool:
        return mat.counts is None or self._number_on(mat.key) < mat.counts

    def _number_on(self, sensor_key: str) -> int:
        return sum(standing.sensor == sensor_key for standing in self._figures.values())

    def _drive(self, sensor_keys: Iterable[str | None]) -> None:
        for key in sensor_keys:
            if key is None:
                continue
            if self._number_on(key):
                self._pins[key].drive_low()
            else:
                self._pins[key].drive_high()
