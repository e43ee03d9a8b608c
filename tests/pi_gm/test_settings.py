"""A room's file: all that is wrong with it is said at once, each with its line and its cure."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.errors import BadInput, PiGmError
from pi_gm.floor import HEADER, Normally, Sensor, SensorKind
from pi_gm.room import (
    HEADER_PINS,
    PULLED_UP_AT_BOOT,
    RAFTS,
    Answer,
    Bus,
    Buzzer,
    BuzzerKind,
    Chip,
    DecisionButton,
    Lamp,
    Place,
    Room,
    StartButton,
)
from pi_gm.rooms import ROOMS, WORDS, text_of
from pi_gm.settings import (
    NOISE,
    WrongRoom,
    read_room,
    room_file,
    room_from_toml,
    room_to_toml,
    write_room,
)

GOOD = 'name = "x"\n[sensors]\n'


def mistakes(text: str) -> list[tuple[int | None, str]]:
    with pytest.raises(WrongRoom) as raised:
        room_from_toml(text)
    return [(mistake.line, mistake.text) for mistake in raised.value.mistakes]


def mistake(text: str) -> str:
    """The one thing that is wrong with ``text``, which is not on its first line."""
    ((line, said),) = mistakes(text)
    assert line is not None
    assert line > 1
    return said


class TestReading:
    def test_everything_that_a_room_can_say(self) -> None:
        text = """
            name = "attic"
            buses = ["i2c"]
            [places]
            A = { name = "the blue couch" }
            island = { by_phone = true }
            [chips]
            expander = { label = "mcp23017", lines = 16 }
            [sensors]
            left = { pin = 4, place = "A", owner = 3, press = 0.1, release = 1 }
            right = { pin = 0, place = "A", counts = "any", kind = "button", normally = "closed", chip = "expander" }
            [decisions]
            3 = { accept = 5, reject = 6, press = 0.02 }
            [start]
            pin = 26
            normally = "closed"
            [lamps]
            A = { pin = 12 }
            [buzzer]
            pin = 13
            kind = "passive"
        """
        assert room_from_toml(text).room == Room(
            "attic",
            buses=(Bus.I2C,),
            places=(Place("A", name="the blue couch"), Place("island", by_phone=True)),
            chips=(Chip("expander", label="mcp23017"),),
            sensors=(
                Sensor("left", 4, "A", owner=3, press=0.1, release=1.0),
                Sensor(
                    "right",
                    0,
                    "A",
                    counts=None,
                    press=0.03,
                    release=0.03,
                    kind=SensorKind.BUTTON,
                    normally=Normally.CLOSED,
                    chip="expander",
                ),
            ),
            decisions=(
                DecisionButton(3, Answer.ACCEPT, 5, press=0.02),
                DecisionButton(3, Answer.REJECT, 6, press=0.02),
            ),
            start=StartButton(26, normally=Normally.CLOSED),
            lamps=(Lamp("A", 12),),
            buzzer=Buzzer(13, BuzzerKind.PASSIVE),
        )

    @pytest.mark.parametrize("word", WORDS)
    def test_the_rooms_that_come_along_read_without_a_mistake(self, word: str) -> None:
        assert room_from_toml(text_of(word)).room == ROOMS[word]

    def test_a_mark_at_the_start_and_line_ends_of_windows_do_no_harm(self, tmp_path: Path) -> None:
        path = tmp_path / "room.toml"
        path.write_bytes(b"\xef\xbb\xbf" + text_of("mats").replace("\n", "\r\n").encode())
        assert read_room(path).room == ROOMS["mats"]

    def test_advice_has_its_line_and_spoils_nothing(self) -> None:
        (advice,) = room_from_toml(
            GOOD + 'A1 = { pin = 4, place = "A" }\nA2 = { pin = 7, place = "A" }'
        ).advice
        assert advice.line == 4
        assert "leave SPI switched off" in advice.text


class TestMistakes:
    def test_all_are_said_at_once_each_with_its_line(self) -> None:
        text = """\
name = "wrong"
volume = 11

[sensors]
A1 = { pin = 4, place = "A", onwer = 1 }
A2 = { pin = 4, place = "sofa" }
A3 = { pin = "7", place = "A", counts = 0 }
A4 = { place = "B", press = 150 }

[sensors.A5]
pin = 28
place = "B"
kind = "pillow"

[lamps]
island = { pin = 12 }

[start]
pin = 12
"""
        assert mistakes(text) == [
            (
                2,
                "volume means nothing here: there are name, places, sensors, decisions, start, lamps, buzzer, chips, buses.",
            ),
            (5, "sensors.A1.onwer means nothing here: did you mean owner?"),
            (6, "A1 and A2 share pin 4: wire each to a pin of its own."),
            (6, "A2 lies at 'sofa', which is no place: choose one of A, B, C, island, water."),
            (7, 'sensors.A3.pin is "7": it must be a whole number.'),
            (7, "A3 counts 0 people: choose 1 or more, or any number."),
            (8, "sensors.A4.pin is missing: say the pin's BCM number."),
            (8, "A4 has a press time of 150 seconds: choose 0 to 2 (0.15 is 150 milliseconds)."),
            (11, "A5 is on pin 28, which the header does not have: choose a BCM number from 2 to 27."),
            (13, 'sensors.A5.kind is "pillow": it must be "mat" or "button".'),
            (16, "the start button and the lamp of island share pin 12: wire each to a pin of its own."),
            (16, "A lamp is for 'island', which is no raft: choose one of A, B, C."),
        ]

    def test_the_error_names_the_file_and_the_line(self) -> None:
        with pytest.raises(
            PiGmError, match=r"^attic.toml:3: sensors.A1.place is missing: say at which place it lies.$"
        ):
            room_from_toml(GOOD + "A1 = { pin = 4 }", "attic.toml")

    @pytest.mark.parametrize(
        ("line", "says"),
        [
            (
                "A1 = 4",
                "sensors.A1 is 4: it must be a table: write { } around its entries.",
            ),
            (
                'A1 = { pin = 4.0, place = "A" }',
                "sensors.A1.pin is 4.0: it must be a whole number.",
            ),
            (
                'A1 = { pin = true, place = "A" }',
                "sensors.A1.pin is true: it must be a whole number.",
            ),
            (
                'A1 = { pin = [4], place = "A" }',
                "sensors.A1.pin is a list: it must be a whole number.",
            ),
            (
                "A1 = { pin = 4, place = 1 }",
                "sensors.A1.place is 1: it must be a text in quotes.",
            ),
            (
                "A1 = { pin = 4 }",
                "sensors.A1.place is missing: say at which place it lies.",
            ),
            (
                "[decisions]\nAna = { accept = 5, reject = 6 }",
                "decisions.Ana is no token: write the number of a player's token before the =.",
            ),
            (
                "[decisions]\n1 = { accept = 5 }",
                "decisions.1.reject is missing: say the pin of that button.",
            ),
            (
                "[buzzer]\nkind = 'active'",
                "buzzer.pin is missing: say the pin's BCM number.",
            ),
            (
                "[places]\nA = { by_phone = 'yes' }",
                'places.A.by_phone is "yes": it must be true or false.',
            ),
            (
                '[places]\nA = { name = " " }',
                'places.A.name is " ": it must be a text in quotes.',
            ),
        ],
    )
    def test_each_says_what_is_wrong_and_the_cure(self, line: str, says: str) -> None:
        assert mistake(GOOD + line) == says

    @pytest.mark.parametrize(
        ("said", "says"),
        [
            (
                'owner = "Ana"',
                'sensors.A1.owner is "Ana": it must be a whole number.',
            ),
            (
                "owner = 13",
                "A1 belongs to token 13, which there is not: choose 1 to 12, or nobody.",
            ),
            (
                'counts = "all"',
                'sensors.A1.counts is "all": it must be a whole number, or "any" for any number.',
            ),
            (
                'press = "fast"',
                'sensors.A1.press is "fast": it must be a number of seconds, such as 0.15.',
            ),
            (
                "release = nan",
                "A1 has a release time of nan seconds: choose 0 to 2 (0.15 is 150 milliseconds).",
            ),
            (
                'normally = "shut"',
                'sensors.A1.normally is "shut": it must be "open" or "closed".',
            ),
        ],
    )
    def test_so_does_each_about_a_sensor(self, said: str, says: str) -> None:
        assert mistake(f'{GOOD}A1 = {{ pin = 4, place = "A", {said} }}') == says

    def test_buses_are_a_list_of_those_there_are(self) -> None:
        assert mistake('name = "x"\nbuses = ["usb"]') == (
            'buses is a list: it must be a list with some of "i2c", "spi", "uart".'
        )

    def test_a_room_without_a_name(self) -> None:
        assert mistakes("") == [
            (None, 'name is missing: give the room a name, such as name = "living room".')
        ]

    def test_what_cannot_be_read_is_not_said_to_be_wrong_in_other_ways_too(self) -> None:
        text = GOOD + 'A1 = { pin = "4", place = "A" }\nA2 = { pin = "5", place = "A" }'
        assert [line for line, _ in mistakes(text)] == [3, 4]

    def test_a_name_said_twice(self) -> None:
        twice = 'A1 = { pin = 4, place = "A" }\nA1 = { pin = 5, place = "A" }'
        assert mistakes(GOOD + twice) == [
            (4, "This was said before in the same table: give it another name, or take one of the two out.")
        ]

    def test_what_is_no_toml(self) -> None:
        ((line, text),) = mistakes(GOOD + "A1 = { pin = 4, place = A }")
        assert line == 3
        assert text.startswith("This is no TOML: ")
        assert "texts in quotes" in text

    def test_a_text_that_ends_too_soon(self) -> None:
        assert mistakes('name = "x"\nbuses = [')[0][0] == 2

    def test_nesting_without_end_is_a_mistake_like_any_other(self) -> None:
        with pytest.raises(WrongRoom):
            room_from_toml("x = " + "[" * 100_000)

    def test_a_file_that_is_not_there_not_readable_not_text_or_endless(self, tmp_path: Path) -> None:
        not_text, long = tmp_path / "not-text.toml", tmp_path / "long.toml"
        not_text.write_bytes(b"name = 1\n\xff\xfe")
        long.write_bytes(b"#" * 1_000_001)
        said = []
        for path in (tmp_path / "none.toml", tmp_path, not_text, long):
            with pytest.raises(WrongRoom) as raised:
                read_room(path)
            said.append(str(raised.value).removeprefix(str(path)))
        assert said == [
            ": There is no such file: start from a room that comes along.",
            ": It cannot be read: Is a directory.",
            ":2: This is no text in UTF-8: save the file as UTF-8.",
            ": It is too long for a room: name a room's file.",
        ]

    @given(st.text(max_size=60))
    def test_no_text_does_anything_but_read_or_be_refused(self, text: str) -> None:
        try:
            room_from_toml(GOOD + text)
        except WrongRoom as wrong:
            refused = str(wrong)
        else:
            refused = "room.toml: not at all"
        assert refused.startswith("room.toml:")


times = st.floats(0, 2)
texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6).filter(str.strip)


@st.composite
def rooms(draw: st.DrawFn) -> Room:
    pins = iter(
        draw(st.permutations([*((HEADER, pin) for pin in HEADER_PINS), *(("more", pin) for pin in range(8))]))
    )

    def wired() -> dict[str, Any]:
        chip, pin = next(pins)
        return {"chip": chip, "pin": pin}

    chip, pin = next(one for one in pins if one[0] == "more" or one[1] not in PULLED_UP_AT_BOOT)
    buzzer = Buzzer(pin, draw(st.sampled_from(BuzzerKind)), chip)
    kinds = st.sampled_from(SensorKind)
    normally = st.sampled_from(Normally)
    sensors = [
        Sensor(
            key=key,
            place=draw(st.sampled_from(["A", "B", "island", "water"])),
            owner=draw(st.one_of(st.none(), st.integers(1, 12))),
            counts=draw(st.one_of(st.none(), st.integers(1, 4))),
            kind=draw(kinds),
            normally=draw(normally),
            press=draw(times),
            release=draw(times),
            **wired(),
        )
        for key in draw(st.lists(texts, unique=True, max_size=6))
    ]
    at = {sensor.place for sensor in sensors}
    return Room(
        draw(texts),
        tuple(sensors),
        places=tuple(
            Place(key, name=draw(st.one_of(st.just(""), texts)), by_phone=bool(sensors) and key not in at)
            for key in ("A", "B", "island", "water")
        )
        if draw(st.booleans())
        else (),
        start=draw(
            st.one_of(st.none(), st.builds(lambda one: StartButton(**wired(), normally=one), normally))
        ),
        lamps=tuple(Lamp(place, **wired()) for place in RAFTS if draw(st.booleans())),
        buzzer=draw(st.sampled_from([None, buzzer])),
        chips=(Chip("more", label=draw(texts), lines=8),),
    )


class TestWriting:
    @given(rooms())
    def test_what_was_written_reads_back_as_it_was(self, room: Room) -> None:
        assert room_from_toml(room_to_toml(room)).room == room

    @pytest.mark.parametrize("room", ROOMS.values(), ids=ROOMS.keys())
    def test_so_do_the_rooms_that_come_along(self, room: Room) -> None:
        assert room_from_toml(room_to_toml(room)).room == room

    def test_decision_buttons_keep_their_times_and_wiring(self) -> None:
        buttons = tuple(
            DecisionButton(4, answer, pin, normally=Normally.CLOSED, press=0.1)
            for answer, pin in ((Answer.ACCEPT, 5), (Answer.REJECT, 6))
        )
        room = Room("x", decisions=buttons)
        assert room_from_toml(room_to_toml(room)).room == room

    def test_what_goes_without_saying_is_not_said(self) -> None:
        sensor = Sensor("A1", 4, "A", press=NOISE[SensorKind.MAT][0], release=NOISE[SensorKind.MAT][1])
        assert 'A1 = { pin = 4, place = "A" }\n' in room_to_toml(Room("x", (sensor,)))

    def test_each_old_file_is_kept_beside_the_new(self, tmp_path: Path) -> None:
        path = tmp_path / "deep" / "room.toml"
        assert write_room(path, ROOMS["none"]) is None
        assert write_room(path, ROOMS["mats"]) == path.with_name("room.toml.1")
        assert write_room(path, ROOMS["own-mats"]) == path.with_name("room.toml.2")
        read = [read_room(path.with_name(name)).room for name in ("room.toml.1", "room.toml.2", "room.toml")]
        assert read == [ROOMS["none"], ROOMS["mats"], ROOMS["own-mats"]]
        assert sorted(file.name for file in path.parent.iterdir()) == [
            "room.toml",
            "room.toml.1",
            "room.toml.2",
        ]

    def test_where_nothing_can_be_written_that_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(BadInput, match=r"cannot be written: .* Choose a folder"):
            write_room(tmp_path / "file" / "room.toml", ROOMS["none"])


class TestWhereItIsKept:
    def test_the_service_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CONFIGURATION_DIRECTORY", "/etc/pi-gm:/etc/more")
        assert room_file() == Path("/etc/pi-gm/room.toml")

    def test_a_person_has_a_place_for_such_things(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("CONFIGURATION_DIRECTORY", raising=False)
        monkeypatch.setenv("XDG_CONFIG_HOME", "/home/ana/.config")
        assert room_file() == Path("/home/ana/.config/pi-gm/room.toml")
        monkeypatch.delenv("XDG_CONFIG_HOME")
        assert room_file() == Path.home() / ".config/pi-gm/room.toml"
