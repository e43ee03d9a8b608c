"""Where each key of a TOML text stands."""

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pi_gm.toml_lines import Key, lines_of_keys

TEXT = '''\
# a comment = 1
name = "a # b"   # behind

[sensors]
A1 = { pin = 4, place = "A" }

"A 2" = { pin = 5, place.key = "B" }  # B
[sensors.A3]
pin = 6
counts = """
not = "a key"
"""
list = [
  1,
  # not = 2
  { x = 1 }, "]",
  [ 2,
    3 ],
]
last = 'C:\\'

[[chips]]
label = "x"
[[chips]]
label = "y"
[chips.more]
lines = 8
'''


def test_every_key_has_its_line() -> None:
    lines = lines_of_keys(TEXT)
    assert {
        key: lines[key]
        for key in (
            ("name",),
            ("sensors",),
            ("sensors", "A1"),
            ("sensors", "A1", "place"),
            ("sensors", "A 2"),
            ("sensors", "A 2", "place", "key"),
            ("sensors", "A3"),
            ("sensors", "A3", "pin"),
            ("sensors", "A3", "list", 0),
            ("sensors", "A3", "list", 1, "x"),
            ("sensors", "A3", "list", 3, 1),
            ("sensors", "A3", "last"),
            ("chips",),
            ("chips", 1, "label"),
            ("chips", 1, "more", "lines"),
        )
    } == {
        ("name",): 2,
        ("sensors",): 4,
        ("sensors", "A1"): 5,
        ("sensors", "A1", "place"): 5,
        ("sensors", "A 2"): 7,
        ("sensors", "A 2", "place", "key"): 7,
        ("sensors", "A3"): 8,
        ("sensors", "A3", "pin"): 9,
        ("sensors", "A3", "list", 0): 14,
        ("sensors", "A3", "list", 1, "x"): 16,
        ("sensors", "A3", "list", 3, 1): 18,
        ("sensors", "A3", "last"): 20,
        ("chips",): 22,
        ("chips", 1, "label"): 25,
        ("chips", 1, "more", "lines"): 27,
    }


def ways(value: Any, way: Key = ()) -> set[Key]:
    """Every way into ``value``, read from TOML."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {way} - {()} | {inner for key, one in pairs for inner in ways(one, (*way, key))}


def test_what_is_in_quotes_or_a_comment_is_no_key() -> None:
    assert set(lines_of_keys(TEXT)) == ways(tomllib.loads(TEXT))


names = st.one_of(
    st.from_regex(r"\A[A-Za-z0-9_-]{1,4}\Z"), st.sampled_from(['"a b"', "'c.d'", '"e\\"f"', '"é"'])
)
values = st.recursive(
    st.sampled_from(
        ["1", "1.5", '"x"', "'#'", '"]}"', '"""a\n= b"""', "'''c\n'''", "true", "1979-05-27 07:32:00"]
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda them: "[" + ", # no\n ".join(them) + "]"),
        st.dictionaries(names.map(str), inner, max_size=3).map(
            lambda them: "{" + ", ".join(f"{key} = {one}" for key, one in them.items()) + "}"
        ),
    ),
    max_leaves=6,
)


@given(st.dictionaries(names, values, max_size=4), st.booleans())
def test_it_finds_exactly_the_keys_that_pythons_reader_reads(said: dict[str, str], windows: bool) -> None:
    text = "".join(f"[table.{key}]\n{key} = {value}\n" for key, value in said.items())
    text = text.replace("\n", "\r\n") if windows else text
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # two spellings of one key
    assert set(lines_of_keys(text)) == ways(read)
