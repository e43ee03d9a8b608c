"""Nothing acknowledged is lost: kills, full disks, damaged files, and a night taken elsewhere as lines of text."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pi_gm import night as nights
from pi_gm.chronicle import Chronicle, Step
from pi_gm.errors import BadInput
from pi_gm.games import GUEST, HOST, Page, Role
from pi_gm.games.animal_crossing import GAME, commands
from pi_gm.games.animal_crossing.animals import Animal
from pi_gm.journal import (
    Journal,
    JournalDamaged,
    JournalFailed,
    JournalOfAnotherVersion,
    export,
    new_path,
    newest,
    read_export,
    set_aside,
)
from pi_gm.night import House, Night
from pi_gm.players import SeatId
from pi_gm.room import no_sensors
from pi_gm.rooms import own_mats
from tests.pi_gm.evening import Evening, phone

ROOT = Path(__file__).parents[2]
HOUSE = House({GAME.key: GAME}, no_sensors())
DOG, CAT = Animal.DOG, Animal.CAT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "night-0001.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with closing(Journal(path, HOUSE)) as journal:
        yield journal


def play(evening: Evening) -> None:
    """A night with a bit of everything in it: a late joiner, an undo, a ruling, a pause, a new phone."""
    evening.be_host()
    evening.begin(practice=False, rounds=2)
    evening.sit_down("Dora")
    evening.accepted(nights.SetSecret("0815"), evening.actor("Ana"))
    evening.host(commands.AddTime(30))
    evening.undo()
    evening.host(nights.Pause("snacks"), nights.Resume("snacks"))
    evening.board(Ana=(DOG, "A"), Ben=(CAT, "B"), Chloe=(CAT, "B"))
    evening.floor.press("A1", "B2", "B3")
    evening.host(commands.RulePlace(evening.seat("Ben"), "water"))
    evening.pass_time(31)
    evening.host(commands.SettleRound(), commands.NextRound())
    evening.accepted(nights.AskForSeat("Ben", phone("new")), GUEST)
    (request,) = evening.on(Page.HOST).requests
    evening.host(nights.AnswerRequest(request.request, allow=True))
    evening.pick(Dora=DOG)


def night_of(journal: Journal) -> Night:
    chronicle = Chronicle(HOUSE)
    for step in journal.steps():
        chronicle.take(step)
    return chronicle.night


def step(number: int, *names: str, at: float = 1.5) -> Step:
    seats = tuple(nights.SeatTaken(SeatId(name), name, 1, None) for name in names)
    return Step(number, at, Role.HOST, GAME.key, seats, command_id=f"id-{number}", what="a seat")


class TestWhatIsWrittenIsThere:
    def test_a_step_is_read_back_as_it_was_written(self, journal: Journal) -> None:
        written = [step(1, "Ana", "Ben"), step(2, "Chloe")]
        for each in written:
            journal.append(each)
        assert [replace(read, game=GAME.key) for read in journal.steps()] == written

    def test_a_whole_night_is(self, path: Path) -> None:
        with closing(Journal(path, HOUSE)) as journal:
            evening = Evening("Ana", "Ben", "Chloe", journal=journal)
            play(evening)
        with closing(Journal(path, HOUSE)) as journal:
            assert night_of(journal) == evening.night

    def test_writing_goes_on_where_it_ended(self, path: Path) -> None:
        with closing(Journal(path, HOUSE)) as journal:
            journal.append(step(1, "Ana", "Ben"))
        with closing(Journal(path, HOUSE)) as journal:
            journal.append(step(2, "Chloe"))
            assert [read.number for read in journal.steps()] == [1, 2]

    def test_what_is_kept_beside_the_events_is_too(self, path: Path) -> None:
        with closing(Journal(path, HOUSE)) as journal:
            journal.set_fact("pin", "123456")
            journal.set_fact("pin", "654321")
        with closing(Journal(path, HOUSE)) as journal:
            assert (journal.fact("pin"), journal.fact("nothing")) == ("654321", None)
            assert journal.fact("began")

    def test_nobody_else_on_this_machine_may_read_it(self, path: Path) -> None:
        with closing(Journal(path, HOUSE)) as journal:
            journal.append(step(1, "Ana"))
            assert {file.name: file.stat().st_mode & 0o077 for file in path.parent.iterdir()} == {
                path.name: 0,
                f"{path.name}-wal": 0,
                f"{path.name}-shm": 0,
            }


class TestKilledAtAnyMoment:
    def test_nothing_that_was_acknowledged_is_lost(self, path: Path) -> None:
        rng = Random(4)
        acknowledged: dict[str, int] = {}
        for seed in range(6):
            arguments = [sys.executable, "-m", "tests.pi_gm.writes_until_killed", str(path), str(seed)]
            with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout is not None
                for _ in range(rng.randrange(1, 120)):
                    number, command_id = process.stdout.readline().split()
                    acknowledged[command_id] = int(number)
                process.kill()
                for line in process.stdout.read().splitlines(keepends=True):
                    if line.endswith("\n"):
                        number, command_id = line.split()
                        acknowledged[command_id] = int(number)
            with closing(Journal(path, HOUSE)) as journal:
                written = {read.command_id: read.number for read in journal.steps() if read.command_id}
                assert acknowledged.items() <= written.items()
                evening = Evening(journal=journal)
                assert evening.night.pauses == (nights.POWER_CUT,)
                assert [seat.name for seat in evening.night.seats] == ["Ana", "Ben"]

    def test_a_journal_that_was_only_being_made_is_made_anew(self, path: Path) -> None:
        path.with_name(f"{path.name}.new").write_bytes(b"half a journal")
        with closing(Journal(path, HOUSE)) as journal:
            journal.append(step(1, "Ana"))
        assert [file.name for file in path.parent.iterdir()] == [path.name]


class TestAFullDisk:
    @staticmethod
    def allow_pages(journal: Journal, pages: int) -> None:
        journal._database.execute(f"PRAGMA max_page_count = {pages}")  # noqa: SLF001

    def filled(self, journal: Journal) -> int:
        """How many steps went in before the disk was full."""
        self.allow_pages(journal, 8)
        written: list[int] = []

        def write_on() -> None:
            for number in range(1, 1000):
                journal.append(step(number, *(f"{number} {n} {'x' * 200}" for n in range(5))))
                written.append(number)

        with pytest.raises(JournalFailed, match="is the disk full"):
            write_on()
        return len(written)

    def test_of_a_step_that_does_not_fit_nothing_is_written(self, journal: Journal) -> None:
        steps = self.filled(journal)
        assert steps > 0
        assert [read.number for read in journal.steps()] == list(range(1, steps + 1))
        assert all(len(read.events) == 5 for read in journal.steps())

    def test_once_there_is_room_it_goes_on(self, journal: Journal, path: Path) -> None:
        steps = self.filled(journal)
        self.allow_pages(journal, 1000)
        journal.append(step(steps + 1, "Ana"))
        assert [read.number for read in journal.steps()][-1] == steps + 1

    def test_nothing_is_kept_beside_the_events_either(self, journal: Journal) -> None:
        self.filled(journal)
        with pytest.raises(JournalFailed):
            journal.set_fact("long", "x" * 20_000)
        assert journal.fact("long") is None

    def test_a_table_says_so_and_stays_where_it_was(self, journal: Journal) -> None:
        evening = Evening("Ana", "Ben", journal=journal)
        evening.begin()
        self.allow_pages(journal, 1)
        nights_before = [evening.night]

        def rename_on() -> None:
            for number in range(200):
                nights_before.append(evening.night)
                evening.asked(nights.RenameSeat(evening.night.seats[0].id, f"Ana {number}"))

        with pytest.raises(JournalFailed):
            rename_on()
        assert evening.night == nights_before[-1]

    def test_a_folder_that_is_not_there_is_no_damage(self, tmp_path: Path) -> None:
        with pytest.raises(JournalFailed, match="cannot be made"):
            Journal(tmp_path / "nowhere" / "night.sqlite", HOUSE)

    def test_nor_is_a_folder_in_the_journals_place(self, tmp_path: Path) -> None:
        (tmp_path / "night.sqlite").mkdir()
        with pytest.raises(JournalFailed):
            Journal(tmp_path / "night.sqlite", HOUSE)


class TestAFileThatIsNoGood:
    @pytest.mark.parametrize("content", [b"", b"\x00" * 5000, b"Ana sank\n" * 600, b"SQLite format 3\x00"])
    def test_what_is_no_database_at_all_is_damage(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        with pytest.raises(JournalDamaged):
            Journal(path, HOUSE)
        assert path.read_bytes() == content

    def test_so_is_somebody_elses_database_and_it_is_left_alone(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE recipe (name TEXT)")
            other.commit()
        before = path.read_bytes()
        with pytest.raises(JournalDamaged, match="not a journal of Pi GM"):
            Journal(path, HOUSE)
        assert path.read_bytes() == before

    def test_a_journal_of_another_version_says_of_which(self, path: Path) -> None:
        Journal(path, HOUSE).close()
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA user_version = 7")
        with pytest.raises(JournalOfAnotherVersion, match="journal 7, here 1"):
            Journal(path, HOUSE)

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE event SET event = replace(event, 'Ana', 'Eva') WHERE seq = 1",
            "UPDATE event SET at = at + 1 WHERE seq = 2",
            "UPDATE event SET role = 'player' WHERE seq = 2",
            "UPDATE event SET seat = 'x' WHERE seq = 2",
            "UPDATE event SET command = 'x' WHERE seq = 2",
            "UPDATE event SET what = 'nothing' WHERE seq = 2",
            "UPDATE event SET game = 'chess' WHERE seq = 2",
            "UPDATE event SET step = 7 WHERE seq = 2",
            "UPDATE event SET event = CAST(x'FFFE' AS TEXT) WHERE seq = 2",
            "UPDATE event SET seq = 9 WHERE seq = 2",
            "DELETE FROM event WHERE seq = 2",
        ],
    )
    def test_whatever_was_changed_in_a_line_is_noticed(self, path: Path, damage: str) -> None:
        with closing(Journal(path, HOUSE)) as journal:
            for number, name in enumerate(["Ana", "Ben", "Chloe"], start=1):
                journal.append(step(number, name))
        with closing(sqlite3.connect(path)) as other:
            other.execute(damage)
            other.commit()
        with closing(Journal(path, HOUSE)) as journal, pytest.raises(JournalDamaged):
            list(journal.steps())

    def test_an_event_that_no_game_here_knows_is_too(self, path: Path) -> None:
        with closing(Journal(path, HOUSE)) as journal:
            play(Evening("Ana", "Ben", "Chloe", journal=journal))
        without = House({"chess": replace(GAME, key="chess")}, no_sensors())
        with (
            closing(Journal(path, without)) as journal,
            pytest.raises(JournalDamaged, match="cannot be understood"),
        ):
            list(journal.steps())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Night]:
    """A whole night on disk, and how it stood at its end."""
    path = tmp_path_factory.mktemp("nights") / "night-0001.sqlite"
    with closing(Journal(path, HOUSE)) as journal:
        evening = Evening("Ana", "Ben", "Chloe", journal=journal)
        play(evening)
    return path, evening.night


class TestDamageOnTheDisk:
    def opened(self, path: Path) -> Night | None:
        """The night at ``path``; None where it must be set aside."""
        try:
            with closing(Journal(path, HOUSE)) as journal:
                return night_of(journal)
        except (JournalDamaged, JournalOfAnotherVersion):
            return None

    @settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.data())
    def test_a_byte_that_changed_is_noticed_or_changes_nothing(
        self, played: tuple[Path, Night], tmp_path: Path, data: st.DataObject
    ) -> None:
        path, night = played
        content = bytearray(path.read_bytes())
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] ^= data.draw(st.integers(1, 255))
        for file in tmp_path.iterdir():
            file.unlink()
        damaged = tmp_path / "night-0002.sqlite"
        damaged.write_bytes(content)
        assert self.opened(damaged) in (None, night)

    @pytest.mark.parametrize("place", range(100))
    def test_a_byte_of_the_first_hundred_too(
        self, played: tuple[Path, Night], tmp_path: Path, place: int
    ) -> None:
        path, night = played
        content = bytearray(path.read_bytes())
        content[place] ^= 0xFF
        damaged = tmp_path / "night-0002.sqlite"
        damaged.write_bytes(content)
        assert self.opened(damaged) in (None, night)

    def test_damage_that_sqlite_cannot_even_name_is_noticed(
        self, played: tuple[Path, Night], tmp_path: Path
    ) -> None:
        path, _ = played
        damaged = tmp_path / "night-0002.sqlite"
        damaged.write_bytes(path.read_bytes().replace(b"seq INTEGER", b"seq \x81NTEGER"))
        assert self.opened(damaged) is None

    @pytest.mark.parametrize("table", ["event", "fact"])
    def test_a_table_that_is_gone_is_damage_and_no_full_disk(
        self, played: tuple[Path, Night], tmp_path: Path, table: str
    ) -> None:
        path, _ = played
        damaged = tmp_path / "night-0002.sqlite"
        damaged.write_bytes(path.read_bytes())
        with closing(sqlite3.connect(damaged)) as database:
            database.execute(f"DROP TABLE {table}")
        with pytest.raises(JournalDamaged, match=f"no such table: {table}"):
            Journal(damaged, HOUSE)

    @pytest.mark.parametrize("kept", [0.999, 0.9, 0.5, 0.1])
    def test_a_file_cut_short_is_noticed(
        self, played: tuple[Path, Night], tmp_path: Path, kept: float
    ) -> None:
        path, _ = played
        content = path.read_bytes()
        damaged = tmp_path / "night-0002.sqlite"
        damaged.write_bytes(content[: int(len(content) * kept)])
        assert self.opened(damaged) is None


class TestSettingAside:
    def test_it_moves_the_journal_with_what_lies_beside_it_out_of_the_way(self, path: Path) -> None:
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).write_text(ending)
        aside = set_aside(path)
        assert sorted(file.name for file in path.parent.iterdir()) == sorted(
            aside.name + ending for ending in ("", "-wal", "-shm")
        )
        assert aside.with_name(aside.name + "-wal").read_text() == "-wal"

    def test_one_set_aside_before_stays(self, path: Path) -> None:
        path.write_text("first")
        first = set_aside(path)
        path.write_text("second")
        assert (set_aside(path).read_text(), first.read_text()) == ("second", "first")

    def test_what_was_set_aside_is_not_taken_for_the_newest_night(self, path: Path) -> None:
        path.touch()
        set_aside(path)
        assert newest(path.parent) is None


class TestWhereNightsLie:
    def test_there_is_none_at_first(self, tmp_path: Path) -> None:
        assert newest(tmp_path) is None

    def test_a_new_night_comes_after_every_other(self, tmp_path: Path) -> None:
        paths = []
        for _ in range(12):
            paths.append(new_path(tmp_path))
            paths[-1].touch()
            assert newest(tmp_path) == paths[-1]
        assert len(set(paths)) == 12

    def test_nor_does_it_take_the_place_of_one_after_a_gap(self, tmp_path: Path) -> None:
        (tmp_path / "night-9999.sqlite").touch()
        (tmp_path / "night-0002.sqlite").touch()
        path = new_path(tmp_path)
        path.touch()
        assert newest(tmp_path) == path


class TestTakenElsewhere:
    @staticmethod
    def played() -> Evening:
        evening = Evening("Ana", "Ben", "Chloe", room=own_mats())
        play(evening)
        return evening

    @staticmethod
    def known_to_all(night: Night) -> Night:
        """``night`` without what opens a phone, a booth or the host's page."""
        seats = tuple(replace(seat, phone=None, secret=None) for seat in night.seats)
        captions = tuple(replace(caption, at=round(caption.at, 3)) for caption in night.captions)
        return replace(night, seats=seats, requests=(), host=None, booth=None, captions=captions)

    def test_what_was_exported_makes_the_same_night(self) -> None:
        evening = self.played()
        chronicle = Chronicle(evening.house)
        for each in read_export(export(evening.journal.steps()), evening.house):
            chronicle.take(each)
        assert self.known_to_all(chronicle.night) == self.known_to_all(evening.night)

    def test_undone_steps_are_undone_there_too_though_steps_are_counted_anew(self) -> None:
        evening = self.played()
        exported = list(export(evening.journal.steps()))
        rewound = [json.loads(line)["event"]["step"] for line in exported if b'"rewound"' in line]
        read = [each.events[0] for each in read_export(exported, evening.house)]
        assert rewound
        assert [e.step for e in read if isinstance(e, nights.Rewound)] != rewound

    def test_nothing_in_it_opens_a_phone_a_booth_or_the_hosts_page(self) -> None:
        evening = self.played()
        text = b"".join(export(evening.journal.steps())).decode()
        night = evening.night
        kept = [night.host, *(seat.phone for seat in night.seats), *(seat.secret for seat in night.seats)]
        assert not any(secret in text for secret in kept if secret is not None)

    def test_each_line_is_json_that_names_its_step(self) -> None:
        lines = [json.loads(line) for line in export(self.played().journal.steps())]
        numbers = [line["step"] for line in lines]
        assert numbers == sorted(numbers)
        assert all({"step", "at", "by", "event"} <= set(line) for line in lines)

    def test_empty_lines_are_passed_over(self) -> None:
        evening = self.played()
        exported = [line + b"\n\n" for line in export(evening.journal.steps())]
        text = b"".join(exported).split(b"\n")
        assert len(list(read_export(text, evening.house))) > 10

    @pytest.mark.parametrize(
        ("line", "says"),
        [
            (b"Ana sank", "line 2"),
            (b"{}", "line 2"),
            (b'{"step":2,"at":0,"by":"host","game":null,"event":{"type":"storm"}}', "line 2"),
            (b'{"step":2,"at":0,"by":"host","game":"chess","event":{"type":"storm"}}', "line 2"),
            (b'{"step":2,"at":0,"by":"cat","game":null,"event":{"type":"sat-out","seat":"x"}}', "line 2"),
            (
                b'{"step":2,"at":0,"by":"host","game":null,"event":{"type":"rewound","step":9,"what":"x"}}',
                "step 9",
            ),
        ],
    )
    def test_a_line_that_cannot_be_read_is_named_with_the_cure(self, line: bytes, says: str) -> None:
        first = b'{"step":1,"at":0,"by":"host","game":null,"event":{"type":"sat-out","seat":"x"}}'
        with pytest.raises(BadInput, match=says) as refused:
            list(read_export([first, line], HOUSE))
        assert "pi-gm export" in str(refused.value)


def test_the_journal_of_a_table_outlives_copying(played: tuple[Path, Night], tmp_path: Path) -> None:
    path, night = played
    copied = shutil.copy(path, tmp_path / "night-0007.sqlite")
    with closing(Journal(Path(copied), HOUSE)) as journal:
        assert night_of(journal) == night
        evening = Evening(journal=journal)
        evening.accepted(nights.Resume(nights.POWER_CUT), HOST)
