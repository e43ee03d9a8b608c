"""What goes wrong, told to a page's script or to a person, and never more than they need."""

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from pi_gm.journal import JournalFailed
from web.acts import LARGEST_BODY
from web.answers import no, refusal, wants_json
from web.door import Refused
from web.rendering import Rendering

_SENTENCES = {
    400: ("That cannot be understood", "Load the page again and try once more."),
    403: ("Not from here", "Open this table's own page and try again there."),
    404: ("Nothing is here", "The address leads nowhere. Start again at the table."),
    405: ("That does not work this way", "This address is not for that. Use the buttons of the page."),
    413: (
        "Too much at once",
        f"Nothing that a page sends is longer than {LARGEST_BODY} bytes. Load the page again.",
    ),
    500: (
        "Something went wrong here",
        "Nothing is lost. Load the page again; the reason is in the game master's log.",
    ),
    503: ("Not now", "The game master could not write it down, so it did not happen."),
}


def tell_of_problems(app: Flask, rendering: Rendering) -> None:
    """Let ``app`` answer every fault with a sentence."""

    def page(status: int, heading: str, sentence: str) -> Response:
        fragment = rendering.fragment("problem", heading=heading, sentence=sentence)
        return Response(rendering.document("problem", fragment, title=heading, facts={}), status=status)

    def answer(status: int, heading: str, sentence: str) -> Response:
        return no(status, sentence) if wants_json() else page(status, heading, sentence)

    @app.errorhandler(Refused)
    def refused(fault: Refused) -> Response:
        if wants_json():
            return refusal(fault)
        if fault.status == 400:
            # Whoever sent a wrong Host gets nothing that would load more under that name.
            return Response(fault.why, status=400, mimetype="text/plain")
        return page(fault.status, _heading(fault.status), fault.why)

    @app.errorhandler(JournalFailed)
    def not_written(fault: JournalFailed) -> Response:
        return answer(503, _heading(503), f"{str(fault)[:1].upper()}{str(fault)[1:]}")

    @app.errorhandler(HTTPException)
    def http(fault: HTTPException) -> Response:
        status = fault.code or 500
        heading, sentence = _SENTENCES.get(status, _SENTENCES[500 if status >= 500 else 400])
        response = answer(status, heading, sentence)
        for name, value in fault.get_headers(request.environ):
            if name in ("Allow", "Location"):
                response.headers[name] = value
        return response


def _heading(status: int) -> str:
    return _SENTENCES.get(status, _SENTENCES[400])[0]
