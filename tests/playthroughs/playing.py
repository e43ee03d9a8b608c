"""What every readable night has in common: how it is told, and how it is written anew."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pi_gm.page_view import CaptionView

Act = Callable[[str], Iterator[str]]
"""Lets one line happen, and tells what comes of it."""


def files_in(folder: str) -> list[Path]:
    """The nights of one game, in the order of their names."""
    return sorted((Path(__file__).parent / folder).glob("*.txt"))


def told(text: str, begin: Callable[[dict[str, str]], Act]) -> str:
    """The night of ``text`` as it goes today. ``begin`` is given the heading, whose last line is a rule of dashes."""
    lines = text.splitlines()
    rule = lines.index("----")
    heading = {key: rest.strip() for key, _, rest in (line.partition(":") for line in lines[:rule])}
    act = begin(heading)
    out = lines[: rule + 1]
    for line in lines:
        if line.startswith(">"):
            out += ["", line, *act(line.removeprefix(">"))]
    return "\n".join(out) + "\n"


def write_anew(files: Iterable[Path], tell: Callable[[str], str]) -> None:
    """Every file as its night goes today."""
    for file in files:
        file.write_text(tell(file.read_text(encoding="utf-8")), encoding="utf-8")


class Ear:
    """Hears each caption once."""

    def __init__(self, captions: Iterable[CaptionView]) -> None:
        self._heard = max((caption.number for caption in captions), default=0)

    def fresh(self, captions: Iterable[CaptionView]) -> Iterator[str]:
        """What was said since the last time, in quotes."""
        for caption in captions:
            if caption.number > self._heard:
                self._heard = caption.number
                yield f'  "{caption.text}"'
