"""What a check found."""

from collections.abc import Iterable
from enum import Enum

from msgspec import Struct


class Verdict(Enum):
    """How good what was found is."""

    GOOD = "good"
    WARNING = "warning"
    """A night can be played; something may go wrong."""
    BAD = "bad"
    """A night cannot be played as the room says."""
    UNCHECKED = "unchecked"
    """It could not be checked here."""


class Finding(Struct, frozen=True):
    """What one check found."""

    check: str
    """What was looked at, in a word or two; the same on every machine."""
    verdict: Verdict
    says: str
    cure: str | None = None
    """What to do about it; there is one whenever the verdict is a warning or bad."""


def good(check: str, says: str) -> Finding:
    return Finding(check, Verdict.GOOD, says)


def warning(check: str, says: str, cure: str) -> Finding:
    return Finding(check, Verdict.WARNING, says, cure)


def bad(check: str, says: str, cure: str) -> Finding:
    return Finding(check, Verdict.BAD, says, cure)


def unchecked(check: str, why: str) -> Finding:
    return Finding(check, Verdict.UNCHECKED, why)


def exit_code(findings: Iterable[Finding]) -> int:
    """0 where a night can be played, 1 where something is bad; what could not be checked counts as neither."""
    return int(any(finding.verdict is Verdict.BAD for finding in findings))
