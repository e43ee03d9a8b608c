import pytest

from pi_gm.clock import FakeClock
from pi_gm.night import hashed
from web.addresses import Interface
from web.door import Badge, Door, Refused, Request, device_in, is_secret, new_secret, secret_in

WIFI = "192.168.7.20"


def door(clock: FakeClock | None = None, *names: str, found: list[Interface] | None = None) -> Door:
    interfaces = found if found is not None else [Interface("wlan0", WIFI)]
    return Door(clock or FakeClock(), lambda: tuple(interfaces), names)


def get(host: str | None, *, reached: str | None = None, origin: str | None = None) -> Request:
    return Request("http", host, origin, reached, changes_something=False)


def post(host: str, origin: str | None) -> Request:
    return Request("http", host, origin, None, changes_something=True)


@pytest.mark.parametrize(
    "host",
    ["localhost:8000", "127.0.0.1", f"{WIFI}:8000", f"{WIFI}", "LOCALHOST:8000", "animal.example:8000"],
)
def test_this_machines_own_names_lead_here(host: str) -> None:
    door(None, "Animal.example").check(get(host))


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"{WIFI}.evil.example",
        "localhost.evil.example:8000",
        f"evil.example:8000,{WIFI}",
        f"evil@{WIFI}",
        "127.0.0.1:8000/..",
        "[::1]x",
        "",
        None,
        " ",
        "local\x00host",
    ],
)
def test_a_name_that_somebody_else_points_here_leads_nowhere(host: str | None) -> None:
    with pytest.raises(Refused) as refused:
        door().check(get(host))
    assert refused.value.status == 400
    assert "QR code" in refused.value.why


def test_the_address_at_which_the_request_came_in_is_our_own() -> None:
    door(found=[]).check(get("10.1.2.3:8000", reached="10.1.2.3"))
    with pytest.raises(Refused):
        door(found=[]).check(get("10.1.2.4:8000", reached="10.1.2.3"))


def test_an_address_that_the_machine_got_meanwhile_is_trusted_a_little_later() -> None:
    clock, found = FakeClock(), [Interface("wlan0", WIFI)]
    checked = door(clock, found=found)
    with pytest.raises(Refused):
        checked.check(get("10.9.9.9"))
    found.append(Interface("eth0", "10.9.9.9"))
    clock.turn(4)
    checked.check(get("10.9.9.9"))


def test_strange_names_do_not_make_the_machine_look_for_its_addresses_all_the_time() -> None:
    clock = FakeClock()
    looks: list[float] = []

    def look() -> tuple[Interface, ...]:
        looks.append(clock.monotonic())
        return ()

    checked = Door(clock, look)
    for _ in range(50):
        with pytest.raises(Refused):
            checked.check(get("evil.example"))
    assert len(looks) == 1


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        f"https://{WIFI}:8000",
        f"http://{WIFI}:8001",
        f"http://{WIFI}",
        "http://localhost:8000",
        f"http://{WIFI}:8000.evil.example",
    ],
)
def test_only_the_pages_of_this_very_address_may_send(origin: str | None) -> None:
    with pytest.raises(Refused) as refused:
        door().check(post(f"{WIFI}:8000", origin))
    assert refused.value.status == 403


def test_our_own_page_may_send() -> None:
    door().check(post(f"{WIFI}:8000", f"http://{WIFI}:8000"))


def test_a_page_of_another_port_may_not_even_read() -> None:
    with pytest.raises(Refused):
        door().check(get(f"{WIFI}:8000", origin=f"http://{WIFI}:9999"))
    door().check(get(f"{WIFI}:8000", origin=f"http://{WIFI}:8000"))


def test_a_secret_has_128_bits_and_never_comes_twice() -> None:
    secrets = {new_secret() for _ in range(200)}
    assert len(secrets) == 200
    assert all(is_secret(secret) and len(bytes.fromhex(secret)) == 16 for secret in secrets)


def test_each_badge_has_a_cookie_of_its_own() -> None:
    phone, host = new_secret(), new_secret()
    cookies = f"other=1; pi-gm-phone={phone}; theme={{dark}}; pi-gm-host={host}"
    assert secret_in(cookies, Badge.PHONE) == phone
    assert device_in(cookies, Badge.HOST) == hashed(host)
    assert device_in(cookies, Badge.BOOTH) is None


@pytest.mark.parametrize(
    "value", ["", "x", "\xff", "A" * 32, "0" * 31, "0" * 33, "../../etc", '"' + "0" * 30 + '"']
)
def test_what_we_could_not_have_given_is_no_secret(value: str) -> None:
    assert secret_in(f"pi-gm-phone={value}", Badge.PHONE) is None
    assert secret_in(None, Badge.PHONE) is None
