"""What every source of floor readings must do, whichever the room has and whatever its pins are."""

from typing import Protocol

from pi_gm.clock import Seconds
from pi_gm.floor import FloorReading, FloorSource, Reading, Sensor
from pi_gm.room import Room

SETTLED: Seconds = 0.4
"""After this long an edge has come in and has proved that it holds."""


class World(Protocol):
    """A room with its sensors, on which a test can stand."""

    @property
    def room(self) -> Room: ...

    @property
    def source(self) -> FloorSource: ...

    @property
    def exact(self) -> Seconds:
        """How exactly the source knows when something was done."""
        ...

    def now(self) -> Seconds: ...

    def pass_time(self, seconds: Seconds) -> None: ...

    def press(self, sensor: Sensor) -> None: ...

    def release(self, sensor: Sensor) -> None: ...


class FloorContract:
    """To be inherited by a test class that has a fixture ``world``, in which nobody is on anything."""

    def test_nobody_is_taken_to_be_in_an_empty_room(self, world: World) -> None:
        world.pass_time(1)
        for reading in (world.source.now(), world.source.at(world.now())):
            assert Reading.PRESSED not in {reading.of(sensor) for sensor in world.room.sensors}

    def test_the_past_before_it_was_opened_and_the_time_to_come_are_unknown(self, world: World) -> None:
        for instant in (world.now() - 10, world.now() + 10):
            assert self._all(world, world.source.at(instant)) <= {Reading.UNKNOWN}

    def test_asking_twice_about_one_instant_gives_one_answer(self, world: World) -> None:
        world.pass_time(1)
        instant = world.now()
        assert world.source.at(instant) == world.source.at(instant)

    def test_once_closed_it_knows_nothing_and_can_be_closed_again(self, world: World) -> None:
        world.source.close()
        world.source.close()
        assert world.source.now() == world.source.at(world.now()) == FloorReading()

    def _all(self, world: World, reading: FloorReading) -> set[Reading]:
        return {reading.of(sensor) for sensor in world.room.sensors}


class SensedFloorContract(FloorContract):
    """The same for sources that sense: every sensor of the world's room, each for itself."""

    def test_every_sensor_tells_of_itself_and_of_no_other(self, world: World) -> None:
        for stood_on in world.room.sensors:
            world.press(stood_on)
            world.pass_time(SETTLED)
            pressed = {key for key, reading in world.source.now().readings if reading is Reading.PRESSED}
            assert pressed == {stood_on.key}
            world.release(stood_on)
            world.pass_time(SETTLED)
        assert Reading.PRESSED not in self._all(world, world.source.now())

    def test_a_press_counts_from_when_it_happened_not_from_when_somebody_asked(self, world: World) -> None:
        mat, other = world.room.sensors[:2]
        world.pass_time(1)
        before = world.now()
        world.pass_time(2 * world.exact)
        world.press(mat)
        world.pass_time(2 * world.exact)
        after = world.now()
        world.pass_time(SETTLED)
        assert self._of(world, (before, after), mat) == [Reading.CLEAR, Reading.PRESSED]
        assert self._of(world, (before, after), other) == [Reading.CLEAR, Reading.CLEAR]

    def test_so_does_a_release(self, world: World) -> None:
        mat = world.room.sensors[-1]
        world.press(mat)
        world.pass_time(1)
        before = world.now()
        world.pass_time(2 * world.exact)
        world.release(mat)
        world.pass_time(2 * world.exact)
        after = world.now()
        world.pass_time(SETTLED)
        assert self._of(world, (before, after), mat) == [Reading.PRESSED, Reading.CLEAR]

    def test_a_touch_shorter_than_the_press_time_was_none(self, world: World) -> None:
        mat = world.room.sensors[0]
        world.press(mat)
        world.pass_time(mat.press / 2)
        touched = world.now() - mat.press / 4
        world.release(mat)
        world.pass_time(SETTLED)
        assert world.source.at(touched).of(mat) is Reading.CLEAR

    def test_a_foot_lifted_for_less_than_the_release_time_never_left(self, world: World) -> None:
        mat = world.room.sensors[0]
        world.press(mat)
        world.pass_time(1)
        world.release(mat)
        world.pass_time(mat.release / 2)
        lifted = world.now() - mat.release / 4
        world.press(mat)
        world.pass_time(SETTLED)
        assert world.source.at(lifted).of(mat) is Reading.PRESSED

    def _of(self, world: World, instants: tuple[Seconds, Seconds], sensor: Sensor) -> list[Reading]:
        return [world.source.at(instant).of(sensor) for instant in instants]
