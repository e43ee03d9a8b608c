"""Where each key of a TOML text stands, which Python's own reader does not tell."""

from collections.abc import Mapping

Key = tuple[str | int, ...]
"""The way to a value: names of tables and keys, and numbers (from 0) of an array's entries."""

_ENDS_VALUE = frozenset(",]}#\n")
_BLANK = frozenset(" \t\r")
_ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "b": "\b", "f": "\f", "r": "\r"}


def lines_of_keys(text: str) -> Mapping[Key, int]:
    """The line (from 1) of each table, key and array entry of ``text``, which must be good TOML.

    What is written in several places, such as a table that its sub-tables imply, has the line of the first.
    """
    return _Scan(text).lines()


class _Scan:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._lines: dict[Key, int] = {}
        self._entries: dict[Key, int] = {}

    def lines(self) -> Mapping[Key, int]:
        table: Key = ()
        while self._skip_to_something():
            if self._text.startswith("[[", self._at):
                self._at += 2
                name = self._inside_last_entries(self._dotted_key())
                number = self._entries.get(name, -1) + 1
                self._entries[name] = number
                table = (*name, number)
                self._note(table)
                self._at += 2
            elif self._here == "[":
                self._at += 1
                table = self._inside_last_entries(self._dotted_key())
                self._note(table)
                self._at += 1
            else:
                self._pair(table)
        return self._lines

    @property
    def _here(self) -> str:
        return self._text[self._at : self._at + 1]

    def _note(self, key: Key) -> None:
        line = self._text.count("\n", 0, self._at) + 1
        for length in range(1, len(key) + 1):
            self._lines.setdefault(key[:length], line)

    def _inside_last_entries(self, name: tuple[str, ...]) -> Key:
        """``name`` as a way: below an array of tables, it means that array's last entry so far."""
        way: Key = ()
        for number, part in enumerate(name):
            way = (*way, part)
            if way in self._entries and number < len(name) - 1:
                way = (*way, self._entries[way])
        return way

    def _skip_to_something(self) -> bool:
        """Go past blanks, ends of lines and comments; false at the end of the text."""
        while self._here:
            if self._here == "#":
                while self._here not in ("", "\n"):
                    self._at += 1
            elif self._here in _BLANK or self._here == "\n":
                self._at += 1
            else:
                return True
        return False

    def _skip_blanks(self) -> None:
        while self._here and self._here in _BLANK:
            self._at += 1

    def _pair(self, table: Key) -> None:
        start = self._at
        key: Key = (*table, *self._dotted_key())
        after, self._at = self._at, start
        self._note(key)
        self._at = after + 1
        self._value(key)

    def _dotted_key(self) -> tuple[str, ...]:
        """A key with its dots, leaving off at the sign behind it."""
        parts = []
        while True:
            self._skip_blanks()
            if self._here in ('"', "'"):
                parts.append(self._string())
            else:
                start = self._at
                while self._here.isalnum() or self._here in ("-", "_"):
                    self._at += 1
                parts.append(self._text[start : self._at])
            self._skip_blanks()
            if self._here != ".":
                return tuple(parts)
            self._at += 1

    def _value(self, key: Key) -> None:
        self._skip_blanks()
        if self._here in ('"', "'"):
            self._string()
        elif self._here == "[":
            self._at += 1
            number = 0
            while self._skip_to_something() and self._here != "]":
                self._note((*key, number))
                self._value((*key, number))
                number += 1
                self._skip_comma()
            self._at += 1
        elif self._here == "{":
            self._at += 1
            while self._skip_to_something() and self._here != "}":
                self._pair(key)
                self._skip_comma()
            self._at += 1
        else:
            while self._here and self._here not in _ENDS_VALUE:
                self._at += 1

    def _skip_comma(self) -> None:
        if self._skip_to_something() and self._here == ",":
            self._at += 1

    def _string(self) -> str:
        quote = self._here
        mark = quote * 3 if self._text.startswith(quote * 3, self._at) else quote
        self._at += len(mark)
        read = ""
        while self._here and not self._text.startswith(mark, self._at):
            if self._here == "\\" and quote == '"':
                self._at += 1
                read += _ESCAPED.get(self._here, self._here)
            else:
                read += self._here
            self._at += 1
        self._at += len(mark)
        # A string on several lines may end in one or two quotes of its own.
        while len(mark) == 3 and self._here == quote:
            self._at += 1
        return read
