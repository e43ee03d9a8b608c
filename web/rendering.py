"""Turns what a page may show into HTML, with the shared templates and those that every game brings along."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from font_fredoka_one import FredokaOne
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup

from pi_gm.games import Game

HERE = Path(__file__).parent
STATIC = HERE / "static"
FONT = Path(FredokaOne)
"""The headline font as a file; its licence lies beside it."""


def static_folder(game: Game) -> Path:
    """Where the game's drawings and styles lie; they are served below ``/static/games/<key>/``."""
    return Path(str(files(game.package))) / "static"


class Rendering:
    """The templates, ready for use by several threads at once."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        """A template of a game is called ``<game's key>/<file>``."""
        brought = {
            key: FileSystemLoader(Path(str(files(game.package))) / "templates") for key, game in games.items()
        }
        self._environment = Environment(
            loader=ChoiceLoader([FileSystemLoader(HERE / "templates"), PrefixLoader(brought)]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.filters["do"] = _as_command
        self._environment.globals["styles"] = _styles(games)

    def fragment(self, name: str, **context: Any) -> str:
        """What belongs inside ``<main>`` of the page called ``name``."""
        return self._environment.get_template(f"{name}.html").render({"page": name} | context)

    def document(self, page: str, fragment: str, *, title: str, facts: Mapping[str, str]) -> str:
        """The whole page around ``fragment``; ``facts`` are for its script, as data attributes of the body."""
        template = self._environment.get_template("document.html")
        return template.render(page=page, fragment=Markup(fragment), title=title, facts=facts)


def _as_command(command: Any) -> str:
    """A command as ``data-do`` holds it."""
    return msgspec.json.encode(command).decode()


def _styles(games: Mapping[str, Game]) -> tuple[str, ...]:
    """The addresses of all style sheets, the games' after the shared ones."""
    shared = [f"/static/{sheet.name}" for sheet in sorted(STATIC.glob("*.css"))]
    brought = [
        f"/static/games/{key}/{sheet.name}"
        for key, game in games.items()
        for sheet in sorted(static_folder(game).glob("*.css"))
    ]
    return (*shared, *brought)
