"""The whole program, with its pages and its journal, on real pins: killed in the middle, started again."""

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

from pi_gm.rooms import own_mats
from tests.bench.client import Device
from tests.kernel.program import act, host_at_table, open_rafts, running, text_of
from tests.kernel.simchip import SimChip

PIN_OF = {sensor.key: sensor.pin for sensor in own_mats().sensors}
SOON = 10.0


async def until_shown(device: Device, is_so: Callable[[str], bool]) -> str:
    """The text of the page, once it is as it should be."""
    try:
        async with asyncio.timeout(SOON):
            while not is_so(text_of(device.html)):
                device.heard.clear()
                await device.heard.wait()
    except TimeoutError:
        raise AssertionError(f"the page says: {text_of(device.html)}") from None
    return text_of(device.html)


def shows(sentence: str) -> Callable[[str], bool]:
    return lambda page: sentence in page


async def board(header: SimChip) -> None:
    host = await host_at_table()
    await open_rafts(host, "Ana", "Ben")
    header.press(PIN_OF["A1"])
    header.press(PIN_OF["A2"])
    await until_shown(host, shows("A2 B Ben somebody is on it"))
    await host.close()


async def go_on(header: SimChip) -> None:
    host = await host_at_table()
    await until_shown(host, shows("The game master was switched off, and nothing is lost"))
    # Not before: whoever opens a simulated line with a pull-up has pulled it up, however hard it was pressed.
    header.press(PIN_OF["B1"])
    page = await until_shown(host, shows("B1 A Ana somebody is on it"))
    assert "A1 A Ana free" in page
    assert "A2 B Ben free" in page
    await act(host, type="resume", reason="power-cut")
    header.press(PIN_OF["I2"])
    await until_shown(host, shows("I2 B Ben somebody is on it"))
    header.release(PIN_OF["I2"])
    await until_shown(host, shows("I2 B Ben free"))
    await act(host, type="sound-buzzer")
    await asyncio.sleep(1)
    await act(host, type="settle-round")
    await until_shown(host, shows("Ben sank"))
    await host.close()


def test_killed_while_the_rafts_are_open_it_comes_back_paused_and_feels_where_everybody_is_now(
    header: SimChip, tmp_path: Path
) -> None:
    with running(tmp_path) as program:
        asyncio.run(board(header))
        os.kill(program.pid, signal.SIGKILL)
        program.wait()
    header.release(PIN_OF["A1"])
    header.release(PIN_OF["A2"])
    with running(tmp_path) as program:
        asyncio.run(go_on(header))
        program.terminate()
        assert program.wait() == 0
