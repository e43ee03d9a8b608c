"""How this program came onto the machine: by ``systemd/install.sh`` as a service, or by pip, as somebody's own."""

import os
import pwd
import sys
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from msgspec import Struct


class Service(Struct, frozen=True):
    """Where ``systemd/install.sh`` puts things; the unit beside it says the same."""

    user: str = "pi-gm"
    program: Path = Path("/opt/pi-gm")
    nights: Path = Path("/var/lib/pi-gm")
    settings: Path = Path("/etc/pi-gm")
    cache: Path = Path("/var/cache/pi-gm")
    runs_in: Path = Path("/run/pi-gm")
    """Its working directory, there while it runs."""

    @property
    def voices(self) -> Path:
        """Where the service finds the files of voices: it sees nobody's home."""
        return self.nights / "voices"


SERVICE = Service()


class Caller(Enum):
    """For whom a command works."""

    SERVICE = "service"
    """For the service: what it finds is what the service finds."""
    MAY_BECOME_SERVICE = "may become service"
    """For the service, once it has become its user."""
    SOMEBODY = "somebody"
    """For a user who may not look at what the service keeps."""
    OWNER = "owner"
    """For whoever has this program for themselves."""


def is_of_service(prefix: str = sys.prefix) -> bool:
    """Whether the environment at ``prefix`` is the service's."""
    return Path(prefix).is_relative_to(SERVICE.program)


def caller(
    environment: Mapping[str, str] = os.environ, *, prefix: str = sys.prefix, user: int | None = None
) -> Caller:
    """For whom this process works; ``user`` is the number of its user (None: of this process)."""
    if not is_of_service(prefix):
        return Caller.OWNER
    user = os.geteuid() if user is None else user
    if "STATE_DIRECTORY" in environment:
        return Caller.SERVICE
    if user == 0 or user == _number_of(SERVICE.user):
        return Caller.MAY_BECOME_SERVICE
    return Caller.SOMEBODY


def become_service() -> None:
    """Be the service's user from now on, with the folders that systemd hands to it. For root and that user alone."""
    entry = pwd.getpwnam(SERVICE.user)
    if os.geteuid() != entry.pw_uid:
        os.initgroups(entry.pw_name, entry.pw_gid)
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[name]
    os.environ |= {
        "HOME": entry.pw_dir,
        "USER": entry.pw_name,
        "STATE_DIRECTORY": str(SERVICE.nights),
        "CONFIGURATION_DIRECTORY": str(SERVICE.settings),
        "CACHE_DIRECTORY": str(SERVICE.cache),
    }


def folder_to_work_in() -> Path:
    """Where the service's user may make files: its working directory, or its nights' folder while it does not run."""
    return SERVICE.runs_in if SERVICE.runs_in.is_dir() else SERVICE.nights


def how_to_add(part: str, prefix: str = sys.prefix) -> str:
    """How ``part`` of the program, such as piper, is added to the one that runs, so that it stays there."""
    if is_of_service(prefix):
        return f"sudo systemd/install.sh --with {part}, in the folder that Pi GM was installed from"
    return f".venv/bin/pip install '.[{part}]', in the folder that Pi GM was set up in"


def _number_of(user: str) -> int | None:
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return None
