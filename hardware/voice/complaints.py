"""What a command wrote to its standard error, shortened to what a person can read in one sentence. Pure."""

LONGEST_LINE = 160


def last_line(written: bytes) -> str:
    """The last line of ``written`` that says anything, in letters that can be shown; empty where none does."""
    lines = (line.strip() for line in written.decode(errors="replace").splitlines())
    said = [line for line in lines if line]
    shown = "".join(letter if letter.isprintable() else "?" for letter in said[-1]) if said else ""
    return shown if len(shown) <= LONGEST_LINE else f"{shown[: LONGEST_LINE - 1]}…"
