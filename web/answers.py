"""How a page is answered: yes, or no with a sentence."""

import msgspec
from flask import Response, request

from pi_gm.games import Rejected
from pi_gm.table import Answer, Table
from web.door import Refused


def answer_json(table: Table, answer: Answer) -> Response:
    """The table's answer, a no with its reason in words and as a key.

    A yes tells nothing more: how many steps the table has taken would tell of what others did in secret.
    """
    if isinstance(answer, Rejected):
        return no(409, table.phrase(answer), answer.reason)
    return yes()


def yes(**more: str) -> Response:
    """A yes to a page's script."""
    return Response(msgspec.json.encode({"ok": True, **more}), mimetype="application/json")


def no(status: int, why: str, reason: str = "") -> Response:
    """A no to a page's script."""
    body = {"ok": False, "why": why, "reason": reason}
    return Response(msgspec.json.encode(body), status=status, mimetype="application/json")


def refusal(refused: Refused) -> Response:
    """A no of the door, to a page's script."""
    response = no(refused.status, refused.why, refused.reason)
    if refused.wait:
        response.headers["Retry-After"] = f"{refused.wait:.0f}"
    return response


def wants_json() -> bool:
    """Whether a script asks, not a person who opens a page."""
    return request.method not in ("GET", "HEAD")
