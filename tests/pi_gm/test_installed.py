"""A program that was installed as a service says so, and how something is added to it for good."""

import os

import pytest

from pi_gm.installed import SERVICE, Caller, caller, how_to_add

OURS = "/opt/pi-gm/releases/20260101T000000-1"
SAM = 54321


@pytest.mark.parametrize(
    ("prefix", "environment", "user", "expected"),
    [
        ("/home/sam/pi-gm/.venv", {}, SAM, Caller.OWNER),
        ("/home/sam/pi-gm/.venv", {}, 0, Caller.OWNER),
        ("/opt/pi-gm-of-sam", {}, SAM, Caller.OWNER),
        (OURS, {}, SAM, Caller.SOMEBODY),
        (OURS, {}, 0, Caller.MAY_BECOME_SERVICE),
        (OURS, {"STATE_DIRECTORY": "/var/lib/pi-gm"}, SAM, Caller.SERVICE),
    ],
)
def test_only_root_and_the_service_itself_tell_how_the_service_is(
    prefix: str, environment: dict[str, str], user: int, expected: Caller
) -> None:
    assert caller(environment, prefix=prefix, user=user) is expected


def test_the_services_own_user_needs_no_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_gm.installed._number_of", lambda user: SAM if user == SERVICE.user else None)
    assert caller({}, prefix=OURS, user=SAM) is Caller.MAY_BECOME_SERVICE
    assert caller({}, prefix=OURS, user=SAM + 1) is Caller.SOMEBODY


def test_a_part_is_added_in_a_way_that_the_next_upgrade_keeps() -> None:
    assert how_to_add("piper", "/home/sam/.venv") == (
        ".venv/bin/pip install '.[piper]', in the folder that Pi GM was set up in"
    )
    assert how_to_add("piper", OURS).startswith("sudo systemd/install.sh --with piper")


def test_this_process_is_its_owners() -> None:
    assert caller(os.environ) is Caller.OWNER
