"""The speaker's place at the table: it hears what the TV's page may show, and nothing else."""

from collections.abc import Iterable

from pi_gm.announcer import Caption, Cue
from pi_gm.games import Page, Viewer
from pi_gm.page_view import PersonView
from pi_gm.speaking.ports import Announced, SpokenName, Voice
from pi_gm.speaking.pronounced import speakable
from pi_gm.speaking.repertoire import repertoire
from pi_gm.table import Table

SHARED_PHRASES = "pi_gm.phrases"


class Hearing:
    """What one table announces, for its speaker; has clips made for whoever sits down."""

    def __init__(self, table: Table, voice: Voice) -> None:
        self._table = table
        self._voice = voice
        self._prepared: set[tuple[str, SpokenName]] = set()
        self._is_prepared_for: str | None = None

    def prepare(self) -> None:
        """Have the sentences made that do not change with who plays."""
        self._is_prepared_for = self._table.game_key
        for package in self._packages():
            self._voice.prepare(repertoire(package))

    def prepare_anew(self) -> None:
        """Have everything made again, by another voice."""
        self._prepared = set()
        self.prepare()

    def __call__(self) -> Announced:
        """What has been announced up to now."""
        now, time_runs = self._table.now()
        page = self._table.view(Viewer(Page.TV))
        if self._is_prepared_for not in (None, self._table.game_key):
            self.prepare()  # another game was chosen
        names = tuple(self._spoken_name(person, place) for place, person in enumerate(page.people, start=1))
        self._prepare_for(names)
        return Announced(
            captions=tuple(
                Caption(
                    each.number,
                    each.at,
                    Cue(each.key, each.urgency, each.told, each.pause_before),
                    each.after,
                )
                for each in page.captions
            ),
            now=now,
            time_runs=time_runs,
            is_quiet=page.is_quiet,
            is_on=page.is_on,
            names=names,
            ticking=page.ticking,
            old=self._table.newest_old_caption,
        )

    def _spoken_name(self, person: PersonView, place: int) -> SpokenName:
        return SpokenName(person.name, speakable(person.said_as or person.name, place))

    def _prepare_for(self, names: Iterable[SpokenName]) -> None:
        packages = self._packages()
        fresh = [name for name in names if (self._table.game_key, name) not in self._prepared]
        if fresh:
            self._prepared.update((self._table.game_key, name) for name in fresh)
            for package in packages:
                self._voice.prepare(repertoire(package, fresh))

    def _packages(self) -> tuple[str, str]:
        return (SHARED_PHRASES, self._table.house.games[self._table.game_key].package)
