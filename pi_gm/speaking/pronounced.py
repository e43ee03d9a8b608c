"""How names and sentences are written for a voice. Names come from phones: to a voice, they are hostile input."""

import re
import unicodedata
from collections.abc import Iterable

from pi_gm.players import LONGEST_NAME
from pi_gm.speaking.ports import SpokenName

FIRST_STRANGE_LETTER = 0x180
"""From here on voices for English read letters by their Unicode names, if at all."""
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

_IN_NAMES = " '-."
_IN_SENTENCES = " '-.,:;!?"
_LONG_NUMBER = re.compile(r"(\d{4})\d+")
# A voice reads a lone A as the article; at the start of a sentence it most often is one.
_LETTER_A = re.compile(r"(?<=[^.!?:] )A(?=[ ,.:;!?]|$)")
_ADDRESS = re.compile(r"\b([\w-]+(?:\.[\w-]+)*):(\d+)\b")
_END_OF_SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z0-9])")


def speakable(name: str, number: int) -> str:
    """``name`` as any voice can say it, in letters, digits, space, apostrophe, hyphen and dot; never empty.

    Where nothing sayable is left, it is the ``number`` of the player, counted from one: "player three".
    """
    sayable = _sayable(name, _IN_NAMES)[:LONGEST_NAME].lstrip(_IN_NAMES).rstrip(" '-")
    if not any(_is_read(character) for character in sayable):
        return f"player {NUMBERS[number - 1] if 1 <= number <= len(NUMBERS) else number}"
    return "Eh" if sayable.upper() == "A" else sayable


def spoken(text: str, names: Iterable[SpokenName] = ()) -> str:
    """``text`` as it is handed to a voice: ``names`` said as they are said, and nothing that a voice would obey."""
    said = {name.shown: name.said for name in names if name.shown}
    if said:
        longest_first = sorted(said, key=len, reverse=True)
        any_name = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))
        text = any_name.sub(lambda found: said[found[0]], text)
    text = _ADDRESS.sub(lambda found: _address_in_words(found[1], found[2]), text)
    return _LETTER_A.sub("Eh", _sayable(text, _IN_SENTENCES)).strip()


def _address_in_words(host: str, port: str) -> str:
    """An address as people dictate it: a number digit by digit, a name with its dots."""
    parts = [" ".join(part) if part.isdecimal() else part for part in host.split(".")]
    return f"{' dot '.join(parts)}, port {port}"


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a spoken text: each is a clip of its own, so that most have been made before."""
    return tuple(part for part in _END_OF_SENTENCE.split(text) if any(_is_read(sign) for sign in part))


def _sayable(text: str, signs: str) -> str:
    # A dash is a pause, which a voice makes at a comma.
    composed = unicodedata.normalize("NFC", text).replace("’", "'").replace(" – ", ", ")
    plain = "".join(_plain(character) for character in composed)
    kept = "".join(sign if _is_read(sign) or sign in signs else " " for sign in plain)
    one_each = re.sub(r"([^\w ])[^\w ]+", r"\1", " ".join(kept.split()))
    return _LONG_NUMBER.sub(r"\1", one_each)


def _plain(character: str) -> str:
    """``character`` without the marks that English voices do not know; empty where it is no letter to them."""
    if ord(character) < FIRST_STRANGE_LETTER:
        return character
    bare = unicodedata.normalize("NFKD", character)
    return "".join(part for part in bare if ord(part) < FIRST_STRANGE_LETTER and _is_read(part))


def _is_read(character: str) -> bool:
    return character.isalpha() or character.isdecimal()
