"""The errors that Pi GM raises on purpose: each says what is wrong, where, and what to do about it."""


class PiGmError(Exception):
    """Base of every error that a person can put right. Its text is a sentence that may be shown to them."""


class BadInput(PiGmError, ValueError):
    """What was typed, sent or read from a file cannot be used; the text names the place, the fault and the cure."""
