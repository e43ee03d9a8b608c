"""A clock that stamps the edges of mock pins and stands still until a test turns it."""

import pytest

from pi_gm.clock import FakeClock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    clock = FakeClock()
    monkeypatch.setattr("gpiozero.pins.mock.monotonic", clock.monotonic)
    return clock
