"""The pages: host, player, TV, booth and simulated room, and the live streams that keep them as the table is."""

import secrets
from collections.abc import Callable, Collection

from flask import Flask, Response, request
from flask.logging import default_handler

from pi_gm.classroom import Classroom
from pi_gm.clock import Clock, RealClock
from pi_gm.room import LivingRoom
from pi_gm.speaking.desk import VoiceDesk
from pi_gm.table import Table
from web.acts import LARGEST_BODY, acts
from web.addresses import Addresses, Interface, default_address, interfaces, local_name
from web.door import Door, Request
from web.headers import SECURITY
from web.live import Hub
from web.pages import CLIPS, pages
from web.problems import tell_of_problems
from web.rendering import Rendering
from web.screens import Screens
from web.stream import Streams
from web.tries import Tries

HUB = "pi_gm.hub"
STREAMS = "pi_gm.streams"
WRONG_PINS_OF_ALL = 30
"""After so many wrong PINs, by whomever, each who guesses has one try, and then waits."""


def create_app(
    table: Table,
    *,
    pin: str,
    code: str,
    port: int,
    clock: Clock | None = None,
    pace: float = 1.0,
    living_room: LivingRoom | None = None,
    address: str | None = None,
    classroom: Classroom | None = None,
    voice: VoiceDesk | None = None,
    names: Collection[str] = (),
    boot: str | None = None,
    find_interfaces: Callable[[], Collection[Interface]] = interfaces,
    find_default: Callable[[], str | None] = default_address,
    find_name: Callable[[], str | None] = local_name,
) -> Flask:
    """The pages of ``table``; :mod:`web.server` serves them.

    ``pin``: six digits for the host. ``code``: four letters to join with. ``port``: where phones find this, for the
    addresses that are shown. ``clock``: the table's own (None: the real one); it runs ``pace`` table seconds a second.
    ``living_room``: the simulated room, where there is one. ``address``: the one address or name to show, where this
    machine cannot know. ``classroom``: where the room is taught, where it can be. ``voice``: the speaker (None: pages
    whose sound is switched on speak by themselves). ``names``: names to answer to besides its own. ``boot``: tells one
    start of the program from another (None: made up).
    """
    clock = clock or RealClock()
    rendering = Rendering(table.house.games)
    addresses = Addresses(
        port, clock, override=address, find=find_interfaces, find_default=find_default, find_name=find_name
    )
    screens = Screens(table, rendering, addresses, code, living_room, classroom, voice)
    hub = Hub(screens, table.now, clock)
    door = Door(clock, find_interfaces, (*names, *((address,) if address is not None else ())))
    boot = boot or secrets.token_hex(8)
    pin_tries = Tries(clock, free_of_all=WRONG_PINS_OF_ALL)

    app = Flask(__name__, template_folder=None)
    # Flask's own handler writes to standard output, which is for the command line's answers.
    app.logger.removeHandler(default_handler)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.extensions[HUB] = hub
    app.extensions[STREAMS] = Streams(hub, screens, table, door, clock, boot=boot, pace=pace, voice=voice)
    app.register_blueprint(
        pages(table, screens, rendering, boot=boot, code=code, pin_tries=pin_tries, voice=voice)
    )
    app.register_blueprint(
        acts(
            table,
            hub,
            clock=clock,
            addresses=addresses,
            pin=pin,
            code=code,
            pin_tries=pin_tries,
            living_room=living_room,
            classroom=classroom,
            voice=voice,
        )
    )
    tell_of_problems(app, rendering)

    @app.before_request
    def check_at_the_door() -> None:
        door.check(
            Request(
                scheme=request.scheme,
                host=request.headers.get("Host"),
                origin=request.headers.get("Origin"),
                reached=request.environ.get("SERVER_NAME"),
                changes_something=request.method not in ("GET", "HEAD", "OPTIONS"),
            )
        )

    @app.after_request
    def secure(response: Response) -> Response:
        for name, value in SECURITY.items():
            response.headers[name] = value
        if not request.path.startswith(("/static/", CLIPS)):
            response.headers["Cache-Control"] = "no-store"
        return response

    table.subscribe(hub.changed)
    if voice is not None:
        voice.call_when_changed(hub.changed)
    return app
