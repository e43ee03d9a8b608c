"""A table for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.tabletop import Tabletop


@pytest.fixture
def tabletop(tmp_path: Path) -> Iterator[Tabletop]:
    table = Tabletop(tmp_path)
    yield table
    table.journal.close()
