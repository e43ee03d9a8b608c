"""What a screen shows: a page, seen by one device."""

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from pi_gm.classroom import Classroom
from pi_gm.games import Page, Viewer
from pi_gm.page_view import PageView
from pi_gm.room import LivingRoom, Standing
from pi_gm.speaking.desk import VoiceDesk
from pi_gm.speaking.settings import SpeakerPlace
from pi_gm.table import Table
from web.addresses import Addresses, qr_code
from web.rendering import Rendering
from web.site import Site

PLAYER, HOST, TV, BOOTH, ROOM, TEACH, VOICE = "player", "host", "tv", "booth", "room", "teach", "voice"
SCREENS = (PLAYER, HOST, TV, BOOTH, ROOM, TEACH, VOICE)
CUSHIONS = ("cushion-1", "cushion-2", "cushion-3")
"""Figures of the simulated room that are nobody: what lies about on a couch."""

_SHARED = {TV: Page.TV, ROOM: Page.TV, HOST: Page.HOST, BOOTH: Page.BOOTH, TEACH: Page.HOST, VOICE: Page.HOST}


class Screen(Struct, frozen=True):
    """Who looks at which page; screens that are equal always show the same."""

    page: str
    device: str | None = None
    """What the device's secret hashes to; None for a page that anyone may see, and for a phone that nobody knows."""


class Content(Struct, frozen=True):
    """Everything that goes into a screen's fragment: equal contents are equal pages."""

    view: PageView
    site: Site

    @property
    def is_known(self) -> bool:
        """Whether the table knows this phone: it has a seat, or has asked for one."""
        return self.view.page is not Page.PLAYER or self.view.me is not None or self.view.waits_for_host


class Screens:
    """Finds out what each screen may show. Safe for several threads."""

    def __init__(
        self,
        table: Table,
        rendering: Rendering,
        addresses: Addresses,
        code: str,
        living_room: LivingRoom | None,
        classroom: Classroom | None = None,
        voice: VoiceDesk | None = None,
    ) -> None:
        self._table = table
        self._rendering = rendering
        self._addresses = addresses
        self._code = code
        self._living_room = living_room
        self._classroom = classroom
        self._voice = voice

    def content(self, screen: Screen) -> Content | None:
        """What ``screen`` shows now; None where it may show nothing (any more)."""
        if not self.may_show(screen):
            return None
        return Content(self._table.view(self._viewer(screen)), self._with_voice(screen, self._site(screen)))

    def _with_voice(self, screen: Screen, site: Site) -> Site:
        """``site`` with what that screen shows of the speaker."""
        if self._voice is None or screen.page not in (HOST, VOICE, TV):
            return site
        if screen.page == VOICE:  # it may have stood open since before the program was started
            self._voice.look_first()
        desk = self._voice.view()
        sound_here = desk.settings.speaker is SpeakerPlace.PAGE
        return replace(site, sound_here=sound_here, desk=desk if screen.page != TV else None)

    def may_show(self, screen: Screen) -> bool:
        """Whether there is such a page, and it is for that device."""
        match screen.page:
            case "host":
                return self._table.is_host(screen.device)
            case "teach":
                return self._classroom is not None and self._table.is_host(screen.device)
            case "voice":
                return self._voice is not None and self._table.is_host(screen.device)
            case "booth":
                return self._table.is_booth(screen.device)
            case "room":
                return self._living_room is not None
            case _:
                return True

    def _viewer(self, screen: Screen) -> Viewer:
        if screen.page == PLAYER:
            return self._table.viewer_with_phone(screen.device)
        return Viewer(_SHARED[screen.page])

    def draw(self, screen: Screen, content: Content) -> str:
        """The fragment of ``screen``."""
        view = content.view
        return self._rendering.fragment(
            screen.page, view=view, play=view.play, options=view.options, site=content.site
        )

    def site(self) -> Site:
        """What the doors show, behind which a page lies: not yet how to join."""
        return Site("", (), Markup(), self._no_figures(), ())

    def _site(self, screen: Screen) -> Site:
        if screen.page == PLAYER:
            return self.site()
        if screen.page == ROOM and self._living_room is not None:
            return Site("", (), Markup(), self._living_room.where(), self._table.house.room.sensors)
        urls = self._addresses.urls(f"/j/{self._code}")
        classroom = self._classroom if screen.page in (HOST, TEACH) else None
        return Site(
            self._code,
            urls,
            qr_code(urls[0]),
            self._no_figures(),
            (),
            classroom.view() if classroom is not None else None,
        )

    def _no_figures(self) -> tuple[Standing, ...] | None:
        return None if self._living_room is None else ()

    def clear_room(self) -> None:
        """Take those figures out of the simulated room whose players have left the table."""
        if self._living_room is None:
            return
        seated = {seat.id for seat in self._table.seats}
        for standing in self._living_room.where():
            if standing.figure not in CUSHIONS and standing.figure not in seated:
                self._living_room.remove(standing.figure)
