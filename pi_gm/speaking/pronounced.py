"""How names and sentences are written for a voice. Names come from phones: to a voice, they are hostile input."""

import re
import unicodedata
from collections.abc import Iterable

from pi_gm.naming import NAMED
from pi_gm.players import LONGEST_NAME
from pi_gm.speaking.ports import SpokenName

FIRST_STRANGE_LETTER = 0x180
"""From here on voices for English read letters by their Unicode names, if at all."""
SOMEBODY = "somebody"
"""Who has left the table since they were spoken of, under a name that cannot be said."""
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

_IN_NAMES = " '-."
_IN_SENTENCES = " '-.,:;!?"
_LONG_NUMBER = re.compile(r"(\d{4})\d+")
# A voice reads a lone A as the article; at the start of a sentence it most often is one.
_LETTER_A = re.compile(r"(?<=[^.!?:] )A(?=[ ,.:;!?]|$)")
_ADDRESS = re.compile(r"\b([\w-]+(?:\.[\w-]+)*):(\d+)\b")
# A letter that no voice here reads, so that it stands for names alone; to the rules for words it is a word.
_A_NAME = "名"
_END_OF_SENTENCE = re.compile(rf"(?<=[.!?]) +(?=[A-Z0-9{_A_NAME}])")
_NAME_AND_DOT = re.compile(rf"{_A_NAME}(\.?)")


def speakable(name: str, number: int) -> str:
    """``name`` as any voice can say it, in letters, digits, space, apostrophe, hyphen and dot; never empty.

    Where nothing sayable is left, it is the ``number`` of the player, counted from one: "player three".
    """
    return _as_written(name) or f"player {NUMBERS[number - 1] if 1 <= number <= len(NUMBERS) else number}"


def _as_written(name: str) -> str:
    """``name`` in letters that a voice knows; empty where there are none."""
    sayable = _tidied(_readable(name, _IN_NAMES))[:LONGEST_NAME].lstrip(_IN_NAMES).rstrip(" '-")
    if not any(_is_read(character) for character in sayable):
        return ""
    return "Eh" if sayable.upper() == "A" else sayable


def spoken(text: str, names: Iterable[SpokenName] = ()) -> tuple[str, ...]:
    """The sentences of ``text`` as they are handed to a voice, with nothing that it would obey.

    Each is a clip of its own, so that most have been made before. What stands in ``text`` as a name is said as it is
    in ``names``, or as it is written; nothing of it is taken for words or for the end of a sentence, and no word for it.
    """
    said = {name.shown: name.said for name in names}
    pieces = NAMED.split(text)
    to_say = iter([said.get(name) or _as_written(name) or SOMEBODY for name in pieces[1::2]])
    words = _tidied(_A_NAME.join(_in_words(piece) for piece in pieces[::2]))
    parts = _END_OF_SENTENCE.split(_LETTER_A.sub("Eh", words).strip())
    # One dot ends both a name such as J. R. and the sentence.
    return tuple(
        _NAME_AND_DOT.sub(lambda gap: next(to_say).removesuffix(gap[1]) + gap[1], part)
        for part in parts
        if any(_is_read(sign) for sign in part)
    )


def _in_words(text: str) -> str:
    return _readable(_ADDRESS.sub(lambda found: _address_in_words(found[1], found[2]), text), _IN_SENTENCES)


def _address_in_words(host: str, port: str) -> str:
    """An address as people dictate it: a number digit by digit, a name with its dots."""
    parts = [" ".join(part) if part.isdecimal() else part for part in host.split(".")]
    return f"{' dot '.join(parts)}, port {port}"


def _readable(text: str, signs: str) -> str:
    """``text`` in letters that a voice knows, digits and ``signs``, with blanks for everything else."""
    # A dash is a pause, which a voice makes at a comma.
    composed = unicodedata.normalize("NFC", text).replace("’", "'").replace(" – ", ", ")
    plain = "".join(_plain(character) for character in composed)
    return "".join(sign if _is_read(sign) or sign in signs else " " for sign in plain)


def _tidied(kept: str) -> str:
    """``kept`` with one blank and one sign at a time, and no number that is read for ever."""
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
