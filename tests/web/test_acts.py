import json
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from pi_gm.games import DOOR
from pi_gm.journal import JournalFailed
from pi_gm.night import AnswerRequest, BeginGame, ChooseOptions, SeatHost, hashed
from tests.web.tabletop import CODE, ORIGIN, PIN, Device, Tabletop, commands_on
from web.acts import ASKS_AT_ONCE


def why(answer: TestResponse) -> str:
    text: str = json.loads(answer.text)["why"]
    return text


def begun(tabletop: Tabletop, *names: str) -> list[Device]:
    """Phones of those players, in a game that has begun."""
    phones = [tabletop.phone(name) for name in names]
    tabletop.order(ChooseOptions({"practice": False, "pick_seconds": 60}))
    tabletop.order(BeginGame())
    return phones


def asked_of(host: Device) -> str:
    """The one request that waits for the host."""
    offered = commands_on(host.get("/host").text)
    (request,) = {command["request"] for command in offered if command["type"] == "answer-request"}
    return str(request)


# Sitting down


def test_a_phone_gets_a_seat_and_a_secret_that_no_script_can_read(tabletop: Tabletop) -> None:
    phone = tabletop.device()
    answer = phone.post("/join", code=CODE, name="Ana", token=3)
    assert answer.status_code == 200
    assert (tabletop.table.seats[0].name, tabletop.table.seats[0].token) == ("Ana", 3)
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert phone.secret("pi-gm-phone") == answer.get_json()["secret"]


def test_the_table_keeps_nothing_with_which_somebody_could_take_a_seat(
    tabletop: Tabletop, tmp_path: Path
) -> None:
    secrets = [tabletop.phone("Ana").secret("pi-gm-phone")]
    secrets += [tabletop.host().secret("pi-gm-host"), tabletop.booth().secret("pi-gm-booth")]
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert kept
    for secret in secrets:
        assert secret.encode() not in kept
    pages = tabletop.host().get("/host").text + tabletop.phone("Ben").get("/play").text
    for secret in secrets:
        assert secret not in pages
        assert hashed(secret) not in pages


def test_nothing_secret_is_in_an_address(tabletop: Tabletop) -> None:
    ana = tabletop.phone("Ana")
    for path in ("/", f"/j/{CODE}", "/play"):
        answer = ana.get(path)
        assert ana.secret("pi-gm-phone") not in (answer.location or "")


def test_a_wrong_table_code_is_a_wrong_table(tabletop: Tabletop) -> None:
    answer = tabletop.device().post("/join", code="ABCD", name="Ana", token=None)
    assert answer.status_code == 403
    assert answer.get_json()["reason"] == "wrong-code"
    assert not tabletop.table.seats


def test_table_codes_cannot_be_tried_fast(tabletop: Tabletop) -> None:
    stranger = tabletop.device("192.168.7.66")
    statuses = [stranger.post("/join", code="ABCD", name="Ana").status_code for _ in range(25)]
    assert statuses[:19] == [403] * 19
    assert set(statuses[19:]) == {429}
    assert tabletop.device("192.168.7.67").post("/join", code=CODE, name="Ana").status_code == 200


def test_a_name_that_is_taken_says_how_to_get_the_seat_back(tabletop: Tabletop) -> None:
    tabletop.phone("Ana")
    answer = tabletop.device().post("/join", code=CODE, name="ana", token=None)
    assert answer.status_code == 409
    assert answer.get_json()["reason"] == "name-taken"
    assert "ask the host" in why(answer)
    assert "Set-Cookie" not in answer.headers


def test_joining_that_is_sent_again_because_the_answer_got_lost_is_one_seat_and_the_same_secret(
    tabletop: Tabletop,
) -> None:
    phone = tabletop.device()
    first = phone.post("/join", id="the-very-same", code=CODE, name="Ana", token=None)
    phone.lose_cookies()
    again = phone.post("/join", id="the-very-same", code=CODE, name="Ana", token=None)
    assert again.get_json() == first.get_json()
    assert len(tabletop.table.seats) == 1
    assert "Ana" in phone.get("/play").text


def test_a_seated_phone_cannot_sit_down_twice(tabletop: Tabletop) -> None:
    ana = tabletop.phone("Ana")
    assert ana.post("/join", code=CODE, name="Ben", token=None).get_json()["reason"] == "already-yours"
    assert ana.post("/ask", code=CODE, name="Ana").get_json()["reason"] == "already-yours"
    assert len(tabletop.table.seats) == 1


def test_a_secret_that_somebody_else_put_into_the_phone_is_not_taken_on(tabletop: Tabletop) -> None:
    planted = "ab" * 16
    phone = tabletop.device()
    phone.client.set_cookie("pi-gm-phone", planted, domain="192.168.7.20")
    phone.post("/join", code=CODE, name="Ana", token=None)
    assert phone.secret("pi-gm-phone") != planted
    assert tabletop.table.seats[0].phone != hashed(planted)


# Coming back


def test_a_phone_that_lost_its_cookie_is_known_again_by_the_copy(tabletop: Tabletop) -> None:
    ana = tabletop.phone("Ana")
    copy = ana.secret("pi-gm-phone")
    ana.lose_cookies()
    assert ana.get("/play").location == "/"
    assert ana.post("/rejoin", page="player", secret=copy).status_code == 200
    assert "Ana" in ana.get("/play").text


def test_the_host_and_the_booth_come_back_by_their_copies_too(tabletop: Tabletop) -> None:
    for device, name, page in (
        (tabletop.host(), "pi-gm-host", "host"),
        (tabletop.booth(), "pi-gm-booth", "booth"),
    ):
        copy = device.secret(name)
        device.lose_cookies()
        assert f'data-page="{page}"' not in device.get(f"/{page}").text
        assert device.post("/rejoin", page=page, secret=copy).status_code == 200
        assert f'data-page="{page}"' in device.get(f"/{page}").text


def test_one_badge_does_not_open_the_door_of_another(tabletop: Tabletop) -> None:
    phone = tabletop.phone("Ana").secret("pi-gm-phone")
    tabletop.host()
    for page in ("host", "booth"):
        assert tabletop.device().post("/rejoin", page=page, secret=phone).status_code == 409
    assert tabletop.device().post("/rejoin", page="tv", secret=phone).status_code == 400


@pytest.mark.parametrize("secret", ["", "0" * 32, "x" * 32, "'; --"])
def test_a_made_up_secret_opens_nothing(tabletop: Tabletop, secret: str) -> None:
    tabletop.phone("Ana")
    for page in ("player", "host", "booth"):
        answer = tabletop.device().post("/rejoin", page=page, secret=secret)
        assert answer.status_code == 409
        assert "Set-Cookie" not in answer.headers


def test_on_another_phone_the_host_lets_a_player_in_and_the_old_phone_has_no_seat_any_more(
    tabletop: Tabletop,
) -> None:
    old, new, host = tabletop.phone("Ana"), tabletop.device("192.168.7.101"), tabletop.host()
    assert new.post("/ask", code=CODE, name="Ana").status_code == 200
    assert 'data-known="yes"' in new.get("/play").text
    request = asked_of(host)
    assert host.do("host", type="answer-request", request=request, allow=True).status_code == 200
    assert "<title>Ana" in new.get("/play").text
    assert old.get("/play").location == "/"
    assert old.do("play", type="choose-token", token=5).status_code == 403
    assert old.post("/rejoin", page="player", secret=old.secret("pi-gm-phone")).status_code == 409


def test_whoever_asks_for_a_seat_has_none_until_the_host_allows_it(tabletop: Tabletop) -> None:
    old, new, host = tabletop.phone("Ana"), tabletop.device(), tabletop.host()
    new.post("/ask", code=CODE, name="Ana")
    assert new.do("play", type="choose-token", token=5).status_code == 403
    request = asked_of(host)
    tabletop.order(AnswerRequest(request, allow=False))
    assert new.get("/play").location == "/"
    assert "Ana" in old.get("/play").text


def test_asking_that_is_sent_again_is_one_question_of_one_phone(tabletop: Tabletop) -> None:
    tabletop.phone("Ana")
    new = tabletop.device()
    first = new.post("/ask", id="the-very-same", code=CODE, name="Ana")
    new.lose_cookies()
    assert new.post("/ask", id="the-very-same", code=CODE, name="Ana").get_json() == first.get_json()
    asked_of(tabletop.host())


# The host's place


def test_the_pin_makes_a_device_the_host_and_a_wrong_one_does_not(tabletop: Tabletop) -> None:
    tablet = tabletop.device()
    wrong = tablet.post("/host/pin", pin="000000")
    assert wrong.status_code == 403
    assert "Set-Cookie" not in wrong.headers
    right = tablet.post("/host/pin", pin=PIN)
    assert right.status_code == 200
    assert "HttpOnly" in right.headers["Set-Cookie"]
    assert PIN not in tablet.get("/host").text


def test_a_second_device_with_the_pin_takes_the_hosts_place(tabletop: Tabletop) -> None:
    first = tabletop.host()
    second = tabletop.host()
    assert 'data-page="host"' in second.get("/host").text
    assert 'data-page="pin"' in first.get("/host").text
    assert first.do("host", type="set-quiet", on=True).status_code == 403
    told = first.post("/rejoin", page="host", secret=first.secret("pi-gm-host"))
    assert told.status_code == 409
    assert "Another device is the host's now" in why(told)


def test_the_pin_cannot_be_tried_fast(tabletop: Tabletop) -> None:
    thief = tabletop.device("192.168.7.66")
    assert [thief.post("/host/pin", pin=f"{guess:06}").status_code for guess in range(5)] == [
        403,
        403,
        403,
        403,
        429,
    ]
    late = thief.post("/host/pin", pin=PIN)
    assert late.status_code == 429
    assert late.headers["Retry-After"] == "30"
    assert "30 seconds" in why(late)
    assert "30 seconds" in thief.get("/host").text


def test_all_pins_take_years_to_try(tabletop: Tabletop) -> None:
    thief, tried, began = tabletop.device("192.168.7.66"), 0, tabletop.clock.monotonic()
    for guess in range(200):
        answer = thief.post("/host/pin", pin=f"{guess:06}")
        tried += 1
        tabletop.clock.turn(float(answer.headers.get("Retry-After", 0)))
    years = (tabletop.clock.monotonic() - began) / tried * 500_000 / (365 * 24 * 3600)
    assert years > 5


def test_the_booths_door_counts_the_same_tries(tabletop: Tabletop) -> None:
    thief = tabletop.device("192.168.7.66")
    for door in ("/host/pin", "/booth/pin", "/host/pin", "/booth/pin", "/host/pin"):
        thief.post(door, pin="000000")
    assert thief.post("/booth/pin", pin=PIN).status_code == 429


def test_forgetting_the_cookies_gives_no_further_tries(tabletop: Tabletop) -> None:
    for guess in range(5):
        tabletop.device("192.168.7.66").post("/host/pin", pin=f"{guess:06}")
    assert tabletop.device("192.168.7.66").post("/host/pin", pin=PIN).status_code == 429


def test_a_made_up_cookie_gives_no_further_tries(tabletop: Tabletop) -> None:
    statuses = []
    for guess in range(6):
        thief = tabletop.device("192.168.7.66")
        thief.client.set_cookie("pi-gm-phone", f"{guess:032x}", domain="192.168.7.20")
        statuses.append(thief.post("/host/pin", pin=f"{guess:06}").status_code)
    assert statuses[-1] == 429


def test_nobodys_mistakes_keep_the_host_out(tabletop: Tabletop) -> None:
    host = tabletop.host()
    for guess in range(9):
        tabletop.device(host.address).post("/host/pin", pin=f"{guess:06}")
    assert 'data-page="host"' in host.get("/host").text
    assert host.do("host", type="set-quiet", on=True).status_code == 200
    assert host.post("/host/pin", pin="whatever").status_code == 200


def test_a_player_who_guesses_does_not_lock_out_the_family_behind_the_same_address(
    tabletop: Tabletop,
) -> None:
    kid = tabletop.phone("Kim", address="192.168.7.50")
    for guess in range(9):
        kid.post("/host/pin", pin=f"{guess:06}")
    assert tabletop.device("192.168.7.50").post("/host/pin", pin=PIN).status_code == 200
    assert kid.post("/host/pin", pin=PIN).status_code == 429


def test_phones_that_ask_for_a_seat_have_their_tries_at_the_pin_together(tabletop: Tabletop) -> None:
    names = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")
    for name in names:
        tabletop.phone(name, address="192.168.7.50")
    statuses = []
    for guess, name in enumerate(names):
        thief = tabletop.device("192.168.7.66")
        assert thief.post("/ask", code=CODE, name=name).status_code == 200
        statuses.append(thief.post("/host/pin", pin=f"{guess:06}").status_code)
    assert statuses == [403, 403, 403, 403, 429, 429]


def test_the_host_comes_in_while_a_hundred_addresses_guess(tabletop: Tabletop) -> None:
    for guess in range(500):
        tabletop.device(f"192.168.8.{guess % 100}").post("/host/pin", pin=f"{guess:06}")
    assert tabletop.device("192.168.7.2").post("/host/pin", pin=PIN).status_code == 200


def test_asking_for_seats_cannot_fill_the_hosts_page_or_the_journal(tabletop: Tabletop) -> None:
    for name in ("Ana", "Ben"):
        tabletop.phone(name)
    before = len(tabletop.lines())
    answers = [
        tabletop.device("192.168.7.66").post("/ask", code=CODE, name=("Ana", "Ben")[guess % 2])
        for guess in range(100)
    ]
    assert len(tabletop.requests()) == 2
    assert len(tabletop.lines()) == before + 2
    assert "host answers that one first" in why(answers[2])
    assert answers[-1].status_code == 429


def test_one_phone_cannot_fill_the_journal_by_asking_for_one_seat_and_another(tabletop: Tabletop) -> None:
    for name in ("Ana", "Ben"):
        tabletop.phone(name)
    restless, before = tabletop.device("192.168.7.66"), len(tabletop.lines())
    for guess in range(100):
        restless.post("/ask", code=CODE, name=("Ana", "Ben")[guess % 2])
    assert len(tabletop.lines()) - before <= ASKS_AT_ONCE
    assert len(tabletop.requests()) == 1


def test_the_address_by_which_the_host_came_is_shown_first(tabletop: Tabletop) -> None:
    host = tabletop.host()
    assert f"{ORIGIN}/j/{CODE}" in host.get("/host").text


def test_the_host_has_the_address_said_aloud_and_the_server_says_which_it_is(tabletop: Tabletop) -> None:
    assert tabletop.host().do("host", type="say-address").status_code == 200
    said = tabletop.tv().captions[-1].text
    assert " ".join(CODE) in said
    assert ORIGIN.removeprefix("http://") in said


def test_what_is_said_for_the_address_is_not_for_a_page_to_choose(tabletop: Tabletop) -> None:
    answer = tabletop.host().do("host", type="say-address", address="example.org", code="EVIL")
    assert answer.status_code == 400
    assert tabletop.tv().captions == ()
    assert tabletop.phone("Ana").do("play", type="say-address").status_code == 400


# What players and the host may send


def test_a_pick_is_taken_once_however_often_it_is_sent(tabletop: Tabletop) -> None:
    ana, _ = begun(tabletop, "Ana", "Ben")
    body = {"id": "the-very-same", "do": {"type": "pick", "animal": "dog"}}
    first = ana.send("/play/act", json.dumps(body).encode()).get_json()
    lines = tabletop.lines()
    assert ana.send("/play/act", json.dumps(body).encode()).get_json() == first
    assert ana.do("play", type="pick", animal="cat").get_json() == {"ok": True}
    assert ana.send("/play/act", json.dumps(body).encode()).get_json() == first
    assert tabletop.lines()[: len(lines)] == lines
    assert len(tabletop.lines()) == len(lines) + 1


def test_the_same_id_from_another_phone_is_another_matter(tabletop: Tabletop) -> None:
    ana, ben = begun(tabletop, "Ana", "Ben")
    before = len(tabletop.lines())
    for phone in (ana, ben):
        phone.post("/play/act", id="the-very-same", do={"type": "pick", "animal": "dog"})
    assert len(tabletop.lines()) == before + 2


def test_a_phone_acts_for_its_own_player_and_nobody_else(tabletop: Tabletop) -> None:
    ana, _ = begun(tabletop, "Ana", "Ben")
    bens = tabletop.seat("Ben")
    lines = tabletop.lines()
    for command in (
        {"type": "pick", "animal": "dog", "seat": bens},
        {"type": "pick-for", "seat": bens, "animal": "mouse"},
        {"type": "check-in", "place": "A", "seat": bens},
        {"type": "rule-place", "seat": bens, "place": "water"},
        {"type": "sit-out", "seat": bens},
        {"type": "remove-seat", "seat": bens},
        {"type": "take-seat", "name": "Eve", "token": None, "phone": "x"},
        {"type": "seat-host", "device": "x"},
        {"type": "open-booth", "device": "x"},
        {"type": "switched-on"},
        {"type": "time-up"},
        {"type": "open-night"},
        {"type": "undo", "step": 3},
        {"type": "pause", "reason": "snacks"},
        {"type": "choose-options", "options": {"games_master": True}},
    ):
        assert ana.do("play", **command).status_code == 400, command
    extra = json.dumps({"id": "12345678", "do": {"type": "pick", "animal": "dog"}, "seat": bens}).encode()
    assert ana.send("/play/act", extra).status_code == 400
    assert tabletop.lines() == lines


def test_a_phone_cannot_use_the_hosts_address_or_the_booths(tabletop: Tabletop) -> None:
    ana, _ = begun(tabletop, "Ana", "Ben")
    tabletop.host()
    lines = tabletop.lines()
    pick = {"type": "pick", "animal": "dog"}
    assert ana.do("host", type="call-on").status_code == 403
    assert ana.post("/booth/act", seat=tabletop.seat("Ben"), digits="", do=pick).status_code == 403
    assert tabletop.lines() == lines


def test_the_host_cannot_do_what_only_players_or_the_program_do(tabletop: Tabletop) -> None:
    begun(tabletop, "Ana", "Ben")
    host = tabletop.host()
    lines = tabletop.lines()
    for command in (
        {"type": "pick", "animal": "dog"},
        {"type": "check-in", "place": "A"},
        {"type": "set-secret", "digits": "1234"},
        {"type": "time-up"},
        {"type": "seat-host", "device": "x"},
        {"type": "switched-on"},
    ):
        assert host.do("host", **command).status_code == 400, command
    assert tabletop.lines() == lines


def test_a_host_who_plays_cannot_pick_for_others(tabletop: Tabletop) -> None:
    begun(tabletop, "Ana", "Ben")
    answer = tabletop.host().do("host", type="pick-for", seat=tabletop.seat("Ben"), animal="dog")
    assert answer.status_code == 409


def test_somebody_without_a_seat_can_do_nothing(tabletop: Tabletop) -> None:
    begun(tabletop, "Ana", "Ben")
    lines = tabletop.lines()
    stranger = tabletop.device()
    assert stranger.do("play", type="pick", animal="dog").status_code == 403
    assert stranger.do("host", type="call-on").status_code == 403
    assert tabletop.lines() == lines


def test_a_no_of_the_table_is_a_sentence_that_a_player_can_read(tabletop: Tabletop) -> None:
    ana = tabletop.phone("Ana")
    answer = ana.do("play", type="pick", animal="dog")
    assert answer.status_code == 409
    assert answer.get_json() == {
        "ok": False,
        "why": "No game is on yet. The host starts it.",
        "reason": "no-game-on",
    }


def test_every_button_of_the_hosts_page_is_understood(tabletop: Tabletop) -> None:
    host = tabletop.host()
    begun(tabletop, "Ana", "Ben", "Chloe")
    offered = commands_on(host.get("/host").text)
    assert {"type": "call-on"} in offered
    for command in offered:
        assert host.do("host", **command).status_code in (200, 409), command


# What is not quite right


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"", "truncated"),
        (b"{", "truncated"),
        (b"[]", "object"),
        (b'{"id": 7, "do": {}}', "$.id"),
        (b'{"id": "short", "do": {}}', "$.id"),
        (b'{"id": "12345678"}', "do"),
        (b'{"id": "12345678", "do": {}}', "type"),
        (b'{"id": "12345678", "do": {"type": "fly"}}', "$.type"),
        (b'{"id": "12345678", "do": {"type": "pick", "animal": "unicorn"}}', "$.animal"),
        (b'{"id": "12345678", "do": {"type": "pick"}}', "animal"),
        (b'{"id": "12345678", "do": {"type": "pick", "animal": "dog", "extra": 1}}', "extra"),
        (b'{"id": "12345678", "do": ' + b"[" * 2000 + b"]" * 2000 + b"}", ""),
        (
            b'{"id": "12345678", "do": {"type": "pick", "animal": '
            + b'{"a":' * 500
            + b"1"
            + b"}" * 500
            + b"}}",
            "",
        ),
        (b'{"id": "\xff\xfe345678", "do": {}}', ""),
        (b'{"id": "12345678", "do": {"type": "set-secret", "digits": "\\ud800"}}', ""),
    ],
)
def test_what_is_malformed_is_told_with_its_place_and_the_cure(
    tabletop: Tabletop, body: bytes, place: str
) -> None:
    ana = tabletop.phone("Ana")
    lines = tabletop.lines()
    answer = ana.send("/play/act", body)
    assert answer.status_code in (400, 409)
    assert place in why(answer)
    assert answer.status_code == 409 or "Load the page again" in why(answer)
    assert tabletop.lines() == lines


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_what_a_form_of_another_site_could_send_is_not_understood(tabletop: Tabletop, kind: str) -> None:
    ana = tabletop.phone("Ana")
    body = b'{"id": "12345678", "do": {"type": "choose-token", "token": 5}}'
    assert ana.send("/play/act", body, kind=kind).status_code == 415
    assert tabletop.table.seats[0].token != 5


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://192.168.7.20:9999"])
@pytest.mark.parametrize(
    "path", ["/play/act", "/host/act", "/join", "/ask", "/rejoin", "/host/pin", "/booth/pin"]
)
def test_a_page_of_another_site_cannot_act_for_anyone(
    tabletop: Tabletop, path: str, origin: str | None
) -> None:
    ana = tabletop.phone("Ana")
    lines = tabletop.lines()
    body = b'{"id": "12345678", "do": {"type": "choose-token", "token": 5}}'
    answer = ana.send(path, body, origin=origin)
    assert answer.status_code == 403
    assert "another page" in why(answer)
    assert tabletop.lines() == lines


def test_a_name_that_leads_here_by_a_trick_cannot_act_either(tabletop: Tabletop) -> None:
    ana = tabletop.phone("Ana")
    body = b'{"id": "12345678", "do": {"type": "choose-token", "token": 5}}'
    answer = ana.send("/play/act", body, origin="http://evil.example:8000", host="evil.example:8000")
    assert answer.status_code == 400
    assert tabletop.table.seats[0].token != 5


def test_what_cannot_be_written_down_did_not_happen_and_says_why(
    tabletop: Tabletop, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = tabletop.phone("Ana")

    def fail(step: object) -> None:
        raise JournalFailed("the journal cannot be written: is the disk full?")

    monkeypatch.setattr(tabletop.journal, "append", fail)
    answer = ana.do("play", type="choose-token", token=5)
    assert answer.status_code == 503
    assert "is the disk full?" in why(answer)
    monkeypatch.undo()
    assert ana.do("play", type="choose-token", token=5).status_code == 200


# The booth


def test_the_booth_picks_for_somebody_without_a_phone_and_says_nothing_of_it(tabletop: Tabletop) -> None:
    host, booth = tabletop.host(), tabletop.booth()
    tabletop.phone("Ana")
    host.do("host", type="add-seat", name="Ben")
    tabletop.order(BeginGame())
    answer = booth.post(
        "/booth/act", seat=tabletop.seat("Ben"), digits="", do={"type": "pick", "animal": "mouse"}
    )
    assert answer.get_json() == {"ok": True}
    assert booth.get("/booth").text.count("has chosen") == 1


def test_the_booth_does_not_pick_for_those_with_a_phone(tabletop: Tabletop) -> None:
    begun(tabletop, "Ana", "Ben")
    booth = tabletop.booth()
    lines = tabletop.lines()
    answer = booth.post(
        "/booth/act", seat=tabletop.seat("Ana"), digits="", do={"type": "pick", "animal": "mouse"}
    )
    assert answer.status_code == 409
    assert "Ana picks on the phone" in why(answer)
    assert tabletop.lines() == lines


def test_four_digits_guard_a_pick_in_the_booth_and_cannot_be_tried_fast(tabletop: Tabletop) -> None:
    ana, ben = tabletop.phone("Ana"), tabletop.phone("Ben")
    for phone in (ana, ben):
        assert phone.do("play", type="set-secret", digits="4711").status_code == 200
    tabletop.order(BeginGame())
    booth = tabletop.booth()
    pick = {"type": "pick", "animal": "mouse"}

    def attempt(name: str, digits: str) -> int:
        return booth.post("/booth/act", seat=tabletop.seat(name), digits=digits, do=pick).status_code

    assert [attempt("Ana", f"{guess:04}") for guess in range(5)] == [403, 403, 403, 403, 429]
    assert attempt("Ana", "4711") == 429
    assert attempt("Ben", "4711") == 200
    tabletop.clock.turn(30)
    assert attempt("Ana", "4711") == 200


def test_somebody_without_a_phone_sets_the_four_digits_in_the_booth(tabletop: Tabletop) -> None:
    host, booth = tabletop.host(), tabletop.booth()
    tabletop.phone("Ana")
    host.do("host", type="add-seat", name="Ben")
    tabletop.order(BeginGame())
    bens = tabletop.seat("Ben")
    secret = {"type": "set-secret", "digits": "4711"}
    pick = {"type": "pick", "animal": "mouse"}
    assert booth.post("/booth/act", seat=bens, digits="", do=secret).status_code == 200
    assert booth.post("/booth/act", seat=bens, digits="", do=pick).status_code == 403
    assert booth.post("/booth/act", seat=bens, digits="4711", do=pick).status_code == 200


def test_the_booth_can_do_nothing_but_what_a_player_does_there(tabletop: Tabletop) -> None:
    host, booth = tabletop.host(), tabletop.booth()
    tabletop.phone("Ana")
    host.do("host", type="add-seat", name="Ben")
    tabletop.order(BeginGame())
    lines = tabletop.lines()
    for command in (
        {"type": "call-on"},
        {"type": "sit-out", "seat": "x"},
        {"type": "choose-token", "token": 4},
    ):
        assert booth.post("/booth/act", seat=tabletop.seat("Ben"), digits="", do=command).status_code == 400
    nobody = booth.post("/booth/act", seat="nobody", digits="", do={"type": "pick", "animal": "dog"})
    assert nobody.status_code == 409
    assert booth.do("host", type="call-on").status_code == 403
    assert tabletop.lines() == lines


def test_the_hosts_device_is_known_after_a_restart(tabletop: Tabletop) -> None:
    secret = "0a" * 16
    tabletop.table.submit(SeatHost(hashed(secret)), DOOR)
    tablet = tabletop.device()
    tablet.client.set_cookie("pi-gm-host", secret, domain="192.168.7.20")
    assert tablet.do("host", type="set-quiet", on=True).status_code == 200
