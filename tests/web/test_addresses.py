from pi_gm.clock import FakeClock
from web.addresses import Addresses, Interface, best_first, is_address, qr_code

WIFI = Interface("wlan0", "192.168.1.5")
CABLE = Interface("eth0", "10.0.0.9")


def addresses(
    clock: FakeClock, found: list[Interface], *, default: str | None = None, **more: str
) -> Addresses:
    return Addresses(
        8000,
        clock,
        override=more.get("override"),
        find=lambda: tuple(found),
        find_default=lambda: default,
        find_name=lambda: more.get("name"),
    )


def test_the_default_routes_address_comes_first_and_the_others_follow() -> None:
    assert best_first([CABLE, WIFI], "192.168.1.5") == ("192.168.1.5", "10.0.0.9")
    assert best_first([CABLE, WIFI], None) == ("10.0.0.9", "192.168.1.5")


def test_what_no_phone_can_reach_is_left_out() -> None:
    inner = [
        "lo",
        "docker0",
        "br-1a2b",
        "br0",
        "veth12",
        "tun0",
        "wg0",
        "virbr0",
        "utun3",
        "bridge100",
        "vmnet1",
    ]
    found = [Interface(name, f"172.17.0.{number}") for number, name in enumerate(inner)]
    assert best_first([*found, WIFI], "172.17.0.1") == ("192.168.1.5",)


def test_an_address_that_the_machine_gave_itself_comes_last() -> None:
    alone = Interface("eth0", "169.254.3.4")
    assert best_first([alone, WIFI], "169.254.3.4") == ("192.168.1.5", "169.254.3.4")


def test_a_machine_in_no_network_shows_the_address_that_works_on_itself() -> None:
    shown = addresses(FakeClock(), [Interface("lo", "127.0.0.1")])
    assert shown.urls("/j/FERN") == ("http://127.0.0.1:8000/j/FERN",)


def test_the_name_comes_last_for_android_does_not_know_it() -> None:
    shown = addresses(FakeClock(), [WIFI], name="animal.local")
    assert shown.urls() == ("http://192.168.1.5:8000/", "http://animal.local:8000/")


def test_said_aloud_it_is_the_name_for_digits_are_hard_to_follow() -> None:
    assert addresses(FakeClock(), [CABLE, WIFI], name="pi-gm.local").to_say() == "pi-gm.local:8000"
    assert addresses(FakeClock(), [WIFI]).to_say() == "192.168.1.5:8000"


def test_what_the_host_says_is_right_is_the_only_one() -> None:
    shown = addresses(FakeClock(), [WIFI], override="games.example", name="animal.local")
    assert shown.urls() == ("http://games.example:8000/",)


def test_the_usual_port_is_not_written() -> None:
    shown = Addresses(
        80, FakeClock(), find=lambda: (WIFI,), find_default=lambda: None, find_name=lambda: None
    )
    assert shown.urls("/j/FERN") == ("http://192.168.1.5/j/FERN",)


def test_an_address_that_comes_late_is_found() -> None:
    clock, found = FakeClock(), [CABLE]
    shown = addresses(clock, found)
    assert shown.urls() == ("http://10.0.0.9:8000/",)
    found.append(WIFI)
    clock.turn(6)
    assert shown.urls() == ("http://10.0.0.9:8000/", "http://192.168.1.5:8000/")


def test_the_address_by_which_the_hosts_tablet_came_is_proven_and_goes_first() -> None:
    shown = addresses(FakeClock(), [CABLE, WIFI], default="10.0.0.9")
    shown.prove("192.168.1.5:8000")
    assert shown.urls()[0] == "http://192.168.1.5:8000/"


def test_only_an_address_of_this_machine_can_be_proven() -> None:
    shown = addresses(FakeClock(), [CABLE, WIFI], default="10.0.0.9")
    for header in ("127.0.0.1:8000", "6.6.6.6", "evil.example:8000", "", ":::"):
        shown.prove(header)
    assert shown.urls() == ("http://10.0.0.9:8000/", "http://192.168.1.5:8000/")


def test_the_qr_code_is_an_inline_drawing_without_a_style_of_its_own() -> None:
    drawn = qr_code("http://192.168.1.5:8000/j/FERN")
    assert drawn.startswith("<svg")
    assert 'class="qr"' in drawn
    assert "style" not in drawn
    assert drawn != qr_code("http://192.168.1.5:8000/j/MOSS")


def test_an_address_to_show_is_a_name_or_an_address_and_nothing_around_it() -> None:
    assert all(is_address(text) for text in ("192.168.1.5", "pi", "raspberrypi.local", "My_Pi-2.fritz.box"))
    for text in ("", "http://pi", "pi:8000", "pi/", "a b", "::1", ".", "pi..local", "pi\n", "a" * 254):
        assert not is_address(text), text
