"""The pages themselves: every GET there is but the streams. None of them changes anything."""

import math

from flask import Blueprint, Response, abort, redirect, request, send_file, send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from pi_gm.games import Page, Viewer
from pi_gm.speaking.desk import VoiceDesk
from pi_gm.table import Table
from web.acts import guesser
from web.rendering import FONT, Rendering, static_folder
from web.screens import BOOTH, HOST, PLAYER, ROOM, TEACH, TV, VOICE, Content, Screen, Screens
from web.stream import screen_of
from web.tries import Tries

CLIPS = "/clips/"
"""Below it lie the sounds that a page plays; the name of each tells its content, so that it never changes."""

_TITLES = {
    HOST: "Host",
    TV: "TV",
    BOOTH: "Pick booth",
    ROOM: "Living room",
    TEACH: "Teach the room",
    VOICE: "The voice",
}
_ACTS = {
    PLAYER: "/play/act",
    HOST: "/host/act",
    BOOTH: "/booth/act",
    ROOM: "/room/act",
    TEACH: "/host/teach",
    VOICE: "/host/voice/act",
}

CLIPS_KEPT = 7 * 24 * 3600
"""Seconds for which a browser keeps a clip without asking."""


def pages(
    table: Table,
    screens: Screens,
    rendering: Rendering,
    *,
    boot: str,
    code: str,
    pin_tries: Tries,
    voice: VoiceDesk | None = None,
) -> Blueprint:
    """Every page, and what pages load."""
    routes = Blueprint("pages", __name__)

    def screen(page: str) -> Screen:
        return screen_of(table, page, request.headers.get("Cookie"))

    def shown(page: str, *, code: str = "") -> str | None:
        """The page as this device may see it; None where it may not."""
        its_screen = screen(page)
        content = screens.content(its_screen)
        if content is None:
            return None
        facts = {"live": f"/live/{page}", "act": _ACTS.get(page, ""), "code": code, "boot": boot}
        facts["known"] = "yes" if content.is_known else "no"
        return rendering.document(
            page, screens.draw(its_screen, content), title=_title(page, content), facts=facts
        )

    def door(page: str, fragment: str, *, leads_to: str = "") -> str:
        """A page that does not live: a way in."""
        facts = {"leads": leads_to, "known": "no", "boot": boot}
        return rendering.document(page, fragment, title="Pi GM", facts=facts)

    def landing() -> str:
        return door("landing", rendering.fragment("landing", site=screens.site()), leads_to=PLAYER)

    def behind_pin(page: str) -> str:
        its_page = shown(page)
        if its_page is not None:
            return its_page
        wait = math.ceil(pin_tries.wait(guesser(table)))
        fragment = rendering.fragment("pin", site=screens.site(), page=page, wait=wait)
        return door("pin", fragment, leads_to=page)

    @routes.get("/")
    def start() -> AnyResponse | str:
        return redirect("/play", 303) if screen(PLAYER).device is not None else landing()

    @routes.get("/j")
    def typed_code() -> AnyResponse:
        typed = request.args.get("code", "")
        return redirect(f"/j/{typed.upper()}" if typed.isalpha() and typed.isascii() else "/", 303)

    @routes.get("/j/<given>")
    def join(given: str) -> AnyResponse | str | tuple[str, int]:
        if screen(PLAYER).device is not None:
            return redirect("/play", 303)
        if given.upper() != code.upper():
            return landing(), 404
        return shown(PLAYER, code=code) or abort(404)

    @routes.get("/play")
    def play() -> AnyResponse | str:
        return (shown(PLAYER) or abort(404)) if screen(PLAYER).device is not None else redirect("/", 303)

    @routes.get("/host")
    def host() -> str:
        return behind_pin(HOST)

    @routes.get("/host/teach")
    def teach() -> AnyResponse | str:
        return shown(TEACH) or redirect("/host", 303)

    @routes.get("/host/voice")
    def voice_desk() -> AnyResponse | str:
        if voice is None:
            abort(404)
        if not screens.may_show(screen(VOICE)):
            return redirect("/host", 303)
        voice.look_around()
        return shown(VOICE) or abort(404)

    @routes.get(f"{CLIPS}<name>")
    def clip(name: str) -> Response:
        path = voice.clip(name) if voice is not None else None
        if path is None or not path.exists():
            abort(404)
        response = send_file(path, mimetype="audio/wav", max_age=CLIPS_KEPT)
        response.cache_control.immutable = True
        return response

    @routes.get("/booth")
    def booth() -> str:
        return behind_pin(BOOTH)

    @routes.get("/tv")
    def tv() -> str:
        return shown(TV) or abort(404)

    @routes.get("/rules")
    def rules() -> str:
        view = table.view(Viewer(Page.TV))
        fragment = rendering.fragment("rules", view=view, options=view.options, site=screens.site())
        return door("rules", fragment)

    @routes.get("/room")
    def room() -> str:
        return shown(ROOM) or abort(404)

    @routes.get("/static/games/<key>/<path:name>")
    def brought_along(key: str, name: str) -> Response:
        game = table.house.games.get(key)
        return send_from_directory(static_folder(game), name) if game is not None else abort(404)

    @routes.get("/static/fonts/fredoka-one.ttf")
    def font() -> Response:
        return send_file(FONT)

    return routes


def _title(page: str, content: Content) -> str:
    if page == PLAYER and content.view.me is not None:
        return f"{content.view.me.name} · {content.view.game.title}"
    return f"{_TITLES.get(page, 'Join')} · {content.view.game.title}"
