import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pi_gm.games import GUEST
from pi_gm.night import AddSeat, TakeSeat, hashed
from tests.web.ears import Wire, post, served
from tests.web.tabletop import CODE, PIN, Tabletop
from web.acts import LARGEST_BODY
from web.server import GONE_AFTER, THREADS, PortTaken, listen


def ask(port: int, request: bytes) -> bytes:
    """What the server says to these bytes, until it hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(request)
        answer = b""
        while part := connection.recv(65536):
            answer += part
        return answer


def test_a_port_that_is_taken_is_told_with_the_cure() -> None:
    with listen(0, "127.0.0.1") as first:
        port = first.getsockname()[1]
        with pytest.raises(PortTaken, match=rf"port {port} .* choose another port"):
            listen(port, "127.0.0.1")


@pytest.mark.parametrize("address", ["nowhere.invalid", "192.0.2.77", "::1", f"{'a' * 70}.local"])
def test_an_address_that_is_not_this_machines_is_not_taken_for_a_second_pi_gm(address: str) -> None:
    with pytest.raises(PortTaken, match=r"an IPv4 address of this machine"):
        listen(0, address)


def test_small_answers_are_not_held_back_and_who_is_gone_is_given_up() -> None:
    with listen(0, "127.0.0.1") as listener:
        assert listener.proto == socket.IPPROTO_TCP
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            waits = listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            assert waits == GONE_AFTER * 1000


def test_a_whole_round_trip_over_the_wire(tabletop: Tabletop) -> None:
    with served(tabletop) as (_, port):
        tv = Wire(port, "tv")
        first = tv.next_event()
        status, answer, cookies = post(
            port, "/join", {"id": "12345678", "code": CODE, "name": "Ana", "token": None}
        )
        assert (status, answer["ok"]) == (200, True)
        phone = Wire(port, "player", cookie=cookies[0])
        page = phone.next_event()
        seen = tv.next_event()
        assert first is not None
        assert page is not None
        assert seen is not None
        assert (first[0], page[0], seen[0]) == ("page", "page", "page")
        assert seen[1]["v"] == first[1]["v"] + 1
        assert "Ana" in seen[1]["html"]
        assert page[1]["known"]
        tv.close()
        phone.close()


def test_the_address_at_which_a_request_came_in_is_trusted_over_the_wire(tabletop: Tabletop) -> None:
    tabletop.interfaces.clear()
    with served(tabletop) as (_, port):
        own = ask(port, b"GET /tv HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        strange = ask(port, b"GET /tv HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    assert own.startswith(b"HTTP/1.1 200")
    assert strange.startswith(b"HTTP/1.1 400")


def test_the_server_does_not_say_what_it_is_made_of(tabletop: Tabletop) -> None:
    with served(tabletop) as (_, port):
        answer = ask(port, b"GET /tv HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").lower()
    for name in (b"uvicorn", b"werkzeug", b"flask", b"python", b"server:"):
        assert name not in answer.partition(b"\r\n\r\n")[0]


def head(port: int, *more: str) -> bytes:
    lines = [
        "POST /host/pin HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Origin: http://127.0.0.1:{port}",
        "Content-Type: application/json",
        "Connection: close",
        *more,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def test_what_comes_in_pieces_is_taken_as_a_whole(tabletop: Tabletop) -> None:
    body = json.dumps({"id": "12345678", "pin": PIN}).encode()
    pieces = b"".join(f"{1:x}\r\n".encode() + body[i : i + 1] + b"\r\n" for i in range(len(body)))
    with served(tabletop) as (_, port):
        answer = ask(port, head(port, "Transfer-Encoding: chunked") + pieces + b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200")


def test_more_than_a_page_sends_is_not_taken_however_it_comes(tabletop: Tabletop) -> None:
    big = b" " * (LARGEST_BODY + 1)
    with served(tabletop) as (_, port):
        whole = ask(port, head(port, f"Content-Length: {len(big)}") + big)
        pieces = ask(
            port,
            head(port, "Transfer-Encoding: chunked") + f"{len(big):x}\r\n".encode() + big + b"\r\n0\r\n\r\n",
        )
    assert whole.startswith(b"HTTP/1.1 413")
    assert pieces.startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /%ff%fe HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET /?\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET /live/%00 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET /tv HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \xff=\xfe;;=;pi-gm-phone\r\nConnection: close\r\n\r\n",
        b"GET /tv HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"GET /tv HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"BREW /tv HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ],
)
def test_nonsense_gets_an_answer_and_breaks_nothing(
    tabletop: Tabletop, request_bytes: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with served(tabletop) as (_, port):
        answer = ask(port, request_bytes)
        assert answer.split(b" ")[1][:1] in (b"2", b"4")
        fine = ask(port, b"GET /tv HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    assert fine.startswith(b"HTTP/1.1 200")
    assert "Traceback" not in caplog.text


def test_those_who_send_slowly_keep_nobody_waiting(tabletop: Tabletop) -> None:
    with served(tabletop) as (_, port):
        slow = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(2 * THREADS)]
        for connection in slow:
            connection.sendall(head(port, "Content-Length: 40") + b"{")
        answer = ask(port, b"GET /tv HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        for connection in slow:
            connection.close()
    assert answer.startswith(b"HTTP/1.1 200")


def test_one_who_never_reads_keeps_nobody_waiting(tabletop: Tabletop) -> None:
    with served(tabletop) as (_, port):
        deaf = Wire(port, "tv")
        hearing = Wire(port, "tv")
        pages = [hearing.next_event()]
        for number in range(12):
            tabletop.order(AddSeat(f"Player {number}"))
            pages.append(hearing.next_event())
        last = pages[-1]
        assert last is not None
        assert "Player 11" in last[1]["html"]
        deaf.close()
        hearing.close()


def test_a_stream_that_the_other_side_closes_is_given_up(tabletop: Tabletop) -> None:
    with served(tabletop) as (_, port):
        wires = [Wire(port, "tv") for _ in range(4)]
        for wire in wires:
            wire.next_event()
            wire.close()
        deadline = time.monotonic() + 5
        while tabletop.streams.number and time.monotonic() < deadline:
            time.sleep(0.01)
        assert tabletop.streams.number == 0


def test_many_seats_are_taken_at_the_same_moment_and_none_is_lost(tabletop: Tabletop) -> None:
    with served(tabletop) as (_, port):
        connections = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(12)]
        for number, connection in enumerate(connections):
            body = json.dumps(
                {"id": f"join-{number:04}", "code": CODE, "name": f"P{number}", "token": None}
            ).encode()
            request = head(port, f"Content-Length: {len(body)}").replace(b"/host/pin", b"/join")
            connection.sendall(request + body)
        for connection in connections:
            assert connection.recv(65536).startswith(b"HTTP/1.1 200")
            connection.close()
    assert sorted(seat.name for seat in tabletop.table.seats) == sorted(f"P{number}" for number in range(12))


SCRIPT = """
import atexit, sys
from pathlib import Path
from random import Random
from tests.web.tabletop import Tabletop
from web.server import Server, listen

tabletop = Tabletop(Path(sys.argv[1]))
listener = listen(0, "127.0.0.1")
atexit.register(lambda: print("the pins are let go", flush=True))
print(listener.getsockname()[1], flush=True)
Server(tabletop.app, listener).serve_pages()
print("served", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_at_once_and_everything_is_put_away(tmp_path: Path, number: signal.Signals) -> None:
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    ) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            wires = [Wire(port, "tv") for _ in range(3)]
            assert all(wire.next_event() for wire in wires)
            process.send_signal(number)
            began = time.monotonic()
            said, complained = process.communicate(timeout=10)
            took = time.monotonic() - began
        finally:
            process.kill()
    assert said == b"served\nthe pins are let go\n"
    assert complained == b""
    assert process.returncode == 0
    assert took < 5
    for wire in wires:
        assert wire.next_event() is None
        wire.close()


def test_a_seat_taken_before_the_pages_were_up_is_known(tabletop: Tabletop) -> None:
    secret = "0a" * 16
    tabletop.table.submit(TakeSeat("Ana", None, hashed(secret)), GUEST)
    with served(tabletop) as (_, port):
        phone = Wire(port, "player", cookie=f"pi-gm-phone={secret}")
        page = phone.next_event()
        assert page is not None
        assert page[1]["known"]
        phone.close()
