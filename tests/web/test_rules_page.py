"""The rules page: every ruling by its number, for everyone, without a seat."""

import re
from pathlib import Path

import pytest

from pi_gm.games import installed_games

RULINGS = {"animal-crossing": [f"R{n}" for n in range(1, 18)], "animal-mind": [f"M{n}" for n in range(1, 11)]}


@pytest.mark.parametrize("key", sorted(set(RULINGS) & set(installed_games())))
def test_every_ruling_has_its_line_in_the_rules(key: str) -> None:
    package = installed_games()[key].package
    page = (Path(*package.split(".")) / "templates" / "rules.html").read_text(encoding="utf-8")
    assert re.findall(r'<div id="([RM]\d+)">', page) == RULINGS[key]


@pytest.mark.parametrize("key", sorted(set(RULINGS) & set(installed_games())))
def test_every_ruling_has_a_test_that_names_it(key: str) -> None:
    folder = Path("tests/pi_gm/games") / key.replace("-", "_")
    names = " ".join(path.read_text(encoding="utf-8") for path in folder.glob("test_*.py"))
    missing = [ruling for ruling in RULINGS[key] if not re.search(rf"def test_{ruling.lower()}_", names)]
    assert missing == []
