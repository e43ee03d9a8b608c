import re
from pathlib import Path

import pytest

from pi_gm.night import BeginGame
from tests.web.tabletop import ADDRESS, CODE, ORIGIN, Tabletop
from web import headers
from web.acts import LARGEST_BODY


def test_somebody_who_scans_the_code_is_asked_for_a_name(tabletop: Tabletop) -> None:
    page = tabletop.device().get(f"/j/{CODE}")
    assert page.status_code == 200
    assert 'data-post="/join"' in page.text
    assert f'data-code="{CODE}"' in page.text


def test_the_code_may_be_typed_in_small_letters(tabletop: Tabletop) -> None:
    device = tabletop.device()
    assert device.get(f"/j?code={CODE.lower()}").location == f"/j/{CODE}"
    assert 'data-post="/join"' in device.get(f"/j/{CODE.lower()}").text


def test_a_wrong_code_leads_to_the_page_on_which_it_is_typed(tabletop: Tabletop) -> None:
    page = tabletop.device().get("/j/ABCD")
    assert page.status_code == 404
    assert 'data-page="landing"' in page.text
    assert CODE not in page.text


def test_only_letters_are_taken_for_a_code(tabletop: Tabletop) -> None:
    for typed in ("", "../host", "a/b", "%0d%0aX: y", "?", "ÄÖÜ"):
        assert tabletop.device().get("/j", headers={}).location == "/"
        assert tabletop.device().get(f"/j?code={typed}").location == "/"


@pytest.mark.parametrize("path", ["/", "/play", "/live-nothing", "/host", "/booth"])
def test_nobody_is_told_the_code_who_does_not_know_it(tabletop: Tabletop, path: str) -> None:
    assert CODE not in tabletop.device().get(path, headers={"Accept": "text/html"}).text


def test_a_seated_phone_comes_back_to_its_seat_from_every_way_in(tabletop: Tabletop) -> None:
    ana = tabletop.phone("Ana")
    for path in ("/", f"/j/{CODE}", "/j/WRNG"):
        assert ana.get(path).location == "/play"
    assert "Ana" in ana.get("/play").text


def test_a_phone_without_a_seat_is_led_to_the_way_in(tabletop: Tabletop) -> None:
    assert tabletop.device().get("/play").location == "/"


def test_the_tv_shows_the_code_the_address_and_its_qr_code(tabletop: Tabletop) -> None:
    page = tabletop.device().get("/tv").text
    assert CODE in page
    assert f"{ADDRESS}:8000/j/{CODE}" in page
    assert 'class="qr"' in page


def test_the_hosts_page_and_the_booth_lie_behind_the_pin(tabletop: Tabletop) -> None:
    for path in ("/host", "/booth"):
        page = tabletop.device().get(path).text
        assert f'data-post="{path}/pin"' in page
        assert "data-live" not in page
    assert 'data-page="host"' in tabletop.host().get("/host").text
    assert 'data-page="booth"' in tabletop.booth().get("/booth").text


def test_there_is_no_living_room_where_none_is_simulated(tabletop: Tabletop) -> None:
    assert tabletop.device().get("/room").status_code == 404
    assert tabletop.device().post("/room/act", figure="cushion-1", place="A").status_code == 404


def test_every_answer_carries_the_headers_that_keep_other_sites_out(tabletop: Tabletop) -> None:
    device = tabletop.device()
    answers = [
        device.get("/"),
        device.get("/tv"),
        device.get("/nowhere"),
        device.get("/static/page.js"),
        device.get("/static/games/animal-crossing/animals.svg"),
        device.get("/live-nothing"),
        device.post("/join", code="?", name="x"),
        device.send("/join", b"{"),
        device.send("/join", b"{}", origin="http://evil.example"),
        device.get("/", headers={"Host": "evil.example"}),
        device.get("/host/act"),
    ]
    assert {answer.status_code for answer in answers} >= {200, 400, 403, 404, 405}
    for answer in answers:
        for name, value in headers.SECURITY.items():
            assert answer.headers[name] == value
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_pages_are_never_kept_and_what_they_load_is_asked_after(tabletop: Tabletop) -> None:
    device = tabletop.device()
    assert device.get("/tv").headers["Cache-Control"] == "no-store"
    script = device.get("/static/page.js")
    assert script.headers["Cache-Control"] == "no-cache"
    etag = script.headers["ETag"]
    assert device.get("/static/page.js", headers={"If-None-Match": etag}).status_code == 304


def test_scripts_are_served_as_scripts_for_browsers_run_nothing_else(tabletop: Tabletop) -> None:
    for script in (Path(__file__).parents[2] / "web" / "static").glob("*.js"):
        answer = tabletop.device().get(f"/static/{script.name}")
        assert answer.mimetype in ("text/javascript", "application/javascript")


def test_a_games_drawings_and_the_headline_font_come_from_this_machine(tabletop: Tabletop) -> None:
    device = tabletop.device()
    assert device.get("/static/games/animal-crossing/animals.svg").mimetype == "image/svg+xml"
    assert device.get("/static/fonts/fredoka-one.ttf").mimetype == "font/ttf"
    assert device.get("/static/games/no-such-game/animals.svg").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/static/../door.py",
        "/static/%2e%2e/door.py",
        "/static/games/animal-crossing/../decide.py",
        "/static/games/animal-crossing/%2e%2e%2fdecide.py",
        "/static//etc/passwd",
        "/static/games/animal-crossing//etc/passwd",
    ],
)
def test_nothing_but_what_pages_load_can_be_read(tabletop: Tabletop, path: str) -> None:
    assert tabletop.device().get(path).status_code in (308, 404)


def test_pages_load_nothing_from_elsewhere_and_bring_no_style_or_script_of_their_own(
    tabletop: Tabletop,
) -> None:
    tabletop.phone("Ana")
    for page in (
        tabletop.host().get("/host"),
        tabletop.booth().get("/booth"),
        tabletop.device().get("/tv"),
        tabletop.phone("Ben").get("/play"),
        tabletop.device().get(f"/j/{CODE}"),
    ):
        assert not re.search(r"""(src|href|action)=["']?(https?:)?//""", page.text)
        assert not re.search(r"""<style|\sstyle=|\son[a-z]+=["']|javascript:""", page.text)
        assert re.findall(r"<script[^>]*>", page.text) == ['<script type="module" src="/static/page.js">']


def test_a_name_cannot_become_a_part_of_the_page(tabletop: Tabletop) -> None:
    name = "<b>'\"&{{7*7}}"
    tabletop.phone(name)
    for page in (tabletop.host().get("/host").text, tabletop.device().get("/tv").text):
        assert "<b>" not in page
        assert "&lt;b&gt;" in page
        assert "{{7*7}}" in page


def test_a_strange_name_for_this_machine_gets_one_sentence_and_no_page(tabletop: Tabletop) -> None:
    tabletop.phone("Ana")
    for path in ("/", "/tv", f"/j/{CODE}", "/host", "/static/page.js", "/nowhere"):
        answer = tabletop.device().get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 400
        assert answer.mimetype == "text/plain"
        assert "Ana" not in answer.text
        assert CODE not in answer.text


def test_what_is_not_there_says_so_and_leads_back(tabletop: Tabletop) -> None:
    page = tabletop.device().get("/nowhere")
    assert page.status_code == 404
    assert 'href="/"' in page.text


def test_an_address_for_sending_cannot_be_opened(tabletop: Tabletop) -> None:
    page = tabletop.device().get("/play/act")
    assert page.status_code == 405
    assert page.headers["Allow"]


def test_a_fault_inside_is_a_sentence_and_shows_nothing_of_the_program(
    tabletop: Tabletop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*args: object, **more: object) -> None:
        raise RuntimeError("the inside of the program")

    monkeypatch.setattr(tabletop.table, "view", break_down)
    page = tabletop.device().get("/tv")
    assert page.status_code == 500
    assert "Load the page again" in page.text
    assert "inside" not in page.text
    assert "Traceback" not in page.text


def addresses_to_open(tabletop: Tabletop) -> list[str]:
    """Every address that answers a GET, with something for each gap in it."""
    gaps = {
        "<given>": CODE,
        "<name>": "no-such-clip.wav",
        "<key>": "animal-crossing",
        "<path:name>": "animals.svg",
        "<path:filename>": "page.js",
    }
    found = []
    for rule in tabletop.app.url_map.iter_rules():
        if "GET" in (rule.methods or ()):
            path = rule.rule
            for gap, filling in gaps.items():
                path = path.replace(gap, filling)
            assert "<" not in path, f"say what to put into {rule.rule}"
            found.append(path)
    return found


def test_opening_an_address_changes_nothing_whoever_opens_it(tabletop: Tabletop) -> None:
    host, booth, ana = tabletop.host(), tabletop.booth(), tabletop.phone("Ana")
    tabletop.phone("Ben")
    tabletop.order(BeginGame())
    before = tabletop.lines()
    paths = addresses_to_open(tabletop)
    assert len(paths) >= 10
    for device in (host, booth, ana, tabletop.device()):
        for path in paths:
            for query in ("", "?do=%7B%22type%22%3A%22undo%22%7D&pin=042917&id=1&type=pick&animal=dog"):
                device.get(path + query)
                device.client.head(path + query, base_url=ORIGIN, buffered=True)
    assert tabletop.lines() == before


def test_what_takes_an_order_takes_it_by_post_alone(tabletop: Tabletop) -> None:
    for rule in tabletop.app.url_map.iter_rules():
        methods = set(rule.methods or ()) - {"HEAD", "OPTIONS"}
        assert methods in ({"GET"}, {"POST"}), rule.rule


def test_a_page_sends_little_and_more_is_not_read(tabletop: Tabletop) -> None:
    device = tabletop.device()
    assert device.send("/join", b" " * (LARGEST_BODY + 1)).status_code == 413
    assert device.send("/join", b" " * LARGEST_BODY).status_code == 400
