"""How the sentences of every phrase book sound, told by the phonemes that espeak-ng makes of them, without any sound."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from string import Formatter

import pytest

from pi_gm.naming import named
from pi_gm.speaking.ports import SpokenName
from pi_gm.speaking.pronounced import speakable, spoken
from pi_gm.speaking.repertoire import KNOWN_GAPS, SPOKEN, STANDING_ALONE, repertoire
from tests.pi_gm.hostile_names import HOSTILE_NAMES

PACKAGES = ("pi_gm.phrases", "pi_gm.games.animal_crossing", "pi_gm.games.animal_mind")
BOOKS = {
    package: tomllib.loads(
        Path(__file__).parents[2].joinpath(*package.split("."), "phrases.en.toml").read_text(encoding="utf-8")
    )
    for package in PACKAGES
}
TEMPLATES = [
    pytest.param(
        f"{phrase}." if key.startswith(STANDING_ALONE) else phrase, id=f"{package.rpartition('.')[2]} {key}"
    )
    for package, book in BOOKS.items()
    for key, phrase in book.items()
    if key.startswith((SPOKEN, *STANDING_ALONE))
]
FAMILIES = {
    "reason": ("pause.",),
    "what": ("undo.",),
    "kind": ("kind.", "kinds."),
    "claim": ("claim.",),
    "card": ("card",),
    "sensor": ("sensor.mat", "sensor.button"),
}
"""The gaps that are filled out of the books, with what the keys begin with. One of each is said."""
ARTICLE, LETTER = "a#", "'eI"
"""How espeak-ng says "a", and how the letter A."""
THAN_A = "D,an@"
"""What it makes of "than a", which it says as one word."""
AS_CODE = {"code": "A B C D", "address": "pi-gm.local:8000", "value": "5", "called": "A1"}

needs_espeak_ng = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="the command espeak-ng is not installed: apt install espeak-ng"
)


def phonemes(text: str) -> list[str]:
    """The words of ``text`` as they sound."""
    ran = subprocess.run(
        ["espeak-ng", "-q", "-x", "--stdin"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return ran.stdout.split()


def filled(phrase: str) -> list[str]:
    """``phrase`` with something in each gap: raft A wherever a raft is, Ana for a name, each of a family in its turn."""
    gaps = {gap for _, gap, _, _ in Formatter().parse(phrase) if gap}
    families = [gap for gap in sorted(gaps) if gap in FAMILIES]
    if not families:
        known = {gap: AS_CODE.get(gap) or KNOWN_GAPS.get(gap, ("Ana",))[0] for gap in gaps}
        return [phrase.format(**known)]
    gap = families[0]
    return [
        sentence
        for book in BOOKS.values()
        for key, part in book.items()
        if key.startswith(FAMILIES[gap])
        for sentence in filled(phrase.replace(f"{{{gap}}}", part))
    ]


def articles(text: str) -> int:
    """How often ``text`` has the article, and not the letter."""
    return re.findall(r"\w+", text.lower()).count("a")


def said_of(phrase: str) -> list[str]:
    """What is handed to the voice for each filling of ``phrase``."""
    sentences = filled(phrase)
    assert sentences
    return [" ".join(spoken(sentence)) for sentence in sentences]


@needs_espeak_ng
class TestEverySentence:
    @pytest.mark.parametrize("phrase", TEMPLATES)
    def test_says_the_article_only_where_it_has_one(self, phrase: str) -> None:
        for said in said_of(phrase):
            heard = phonemes(said)
            assert heard.count(ARTICLE) + heard.count(THAN_A) == articles(said), said

    @pytest.mark.parametrize("phrase", TEMPLATES)
    def test_calls_every_raft_by_its_letter(self, phrase: str) -> None:
        for sentence, said in zip(filled(phrase), said_of(phrase), strict=True):
            assert phonemes(said).count(LETTER) >= len(re.findall(r"\b[Rr]aft A\b", sentence)), said

    @pytest.mark.parametrize("phrase", TEMPLATES)
    def test_sounds_and_spells_no_sign(self, phrase: str) -> None:
        for said in said_of(phrase):
            heard = phonemes(said)
            assert heard
            assert not any(word.startswith(("s'Imb@L", "k'apIt@L", "bak")) for word in heard)

    @pytest.mark.parametrize("package", PACKAGES)
    def test_that_is_made_in_advance_sounds(self, package: str) -> None:
        ready = repertoire(package)
        assert len(phonemes("\n\n".join(ready))) >= len(ready)
        assert not any("{" in sentence or " A " in sentence for sentence in ready)


@needs_espeak_ng
class TestRaftA:
    @pytest.mark.parametrize(
        "text",
        [
            "Raft A, carries 4.",
            "Raft A has one person too many. Who is it?",
            "A mat on raft A gives no answer. Who is there?",
            "Ana and Ben, who of you is really on raft A?",
            "The code is A B C D.",
        ],
    )
    def test_is_called_by_its_letter(self, text: str) -> None:
        assert LETTER in phonemes(" ".join(spoken(text)))

    def test_would_be_called_raft_uh_without_that(self) -> None:
        assert ARTICLE in phonemes("Raft A carries 4.")


@needs_espeak_ng
def test_every_name_that_a_phone_may_send_can_be_heard() -> None:
    for number, name in enumerate(HOSTILE_NAMES, start=1):
        said = speakable(name, number % 12 + 1)
        heard = phonemes(" ".join(spoken(f"{named(name)} sank.", (SpokenName(name, said),))))
        assert len(heard) > 1, name
        assert ARTICLE not in heard, name
