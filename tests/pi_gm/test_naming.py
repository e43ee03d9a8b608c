"""Names stand apart in the sentences that hold them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_gm.games import Page
from pi_gm.naming import NAMED, as_named, named, plain
from pi_gm.players import tidy_name
from tests.pi_gm.evening import Evening
from tests.pi_gm.hostile_names import HOSTILE_NAMES


@given(st.one_of(st.text(), st.sampled_from(HOSTILE_NAMES)), st.text(alphabet="ab .\u0645"))
def test_a_sentence_falls_into_its_words_and_its_names(name: str, words: str) -> None:
    tidy = tidy_name(name)
    assert NAMED.split(f"{words}{named(tidy)}, {named('Ana')}") == [words, tidy, ", ", "Ana", ""]
    assert plain(f"{words}{named(tidy)}") == f"{words}{tidy}"


@pytest.mark.parametrize("name", ["\u2068Ana", "Ana\u2069", "\u2069A\u2068n\u2069a"])
def test_no_name_ends_where_it_says(name: str) -> None:
    assert tidy_name(name) == "Ana"
    assert NAMED.split(named(name)) == ["", "Ana", ""]


def test_whoever_makes_sentences_cannot_but_name_people() -> None:
    (seat,) = as_named(Evening("Ana").night.seats)
    assert NAMED.split(f"{seat.name} sank.") == ["", "Ana", " sank."]


def test_captions_are_plain_text_for_whoever_wants_that() -> None:
    evening = Evening("\u0645\u0631\u064a\u0645", "Ben")
    assert evening.said == ["\u0645\u0631\u064a\u0645 is at the table.", "Welcome, Ben."]
    told = [caption.told for caption in evening.on(Page.TV).captions]
    assert [len(NAMED.findall(each)) for each in told] == [1, 1]
    evening.be_host()
    evening.begin()
    evening.sit_out("Ben")
    undo = evening.on(Page.HOST).undo
    assert undo is not None
    assert undo.what == "Ben sits out"
