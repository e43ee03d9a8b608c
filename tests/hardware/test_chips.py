"""The header's chip is found by what the kernel calls it, whatever its number."""

from pathlib import Path

import pytest

from hardware.chips import ChipUnavailable, KernelChip, find_chip, find_header, holders, kernel_chips
from pi_gm.room import Chip

HEADER_OF_5 = KernelChip(Path("/dev/gpiochip11"), "pinctrl-rp1", 54)
BROADCOM = KernelChip(Path("/dev/gpiochip0"), "gpio-brcmstb@107d508500", 32)
EXPANDER = KernelChip(Path("/dev/gpiochip2"), "mcp23017", 16)


@pytest.mark.parametrize("label", ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"])
@pytest.mark.parametrize("number", [0, 4, 15])
def test_it_has_one_of_three_labels_and_any_number(label: str, number: int) -> None:
    header = KernelChip(Path(f"/dev/gpiochip{number}"), label, 54)
    assert find_header([BROADCOM, header, EXPANDER]) == header
    assert header.number == number


def test_where_there_is_none_those_there_are_are_named_and_what_to_do() -> None:
    with pytest.raises(ChipUnavailable, match=r"there are: /dev/gpiochip2 \(mcp23017\)\. .*pi-gm rehearse"):
        find_header([EXPANDER])
    with pytest.raises(ChipUnavailable, match="there are: none at all"):
        find_header([])


def test_two_that_look_like_it_are_not_guessed_between() -> None:
    twin = KernelChip(Path("/dev/gpiochip12"), "pinctrl-rp1", 54)
    with pytest.raises(ChipUnavailable, match="More than one chip"):
        find_header([HEADER_OF_5, twin])


def test_an_expander_is_found_by_its_label_or_by_its_device() -> None:
    chips = [BROADCOM, HEADER_OF_5, EXPANDER]
    assert find_chip(chips, Chip("more", label="mcp23017")) == EXPANDER
    assert find_chip(chips, Chip("more", device="/dev/gpiochip2")) == EXPANDER


def test_one_that_is_not_there_is_said_to_be_missing_with_the_cure() -> None:
    with pytest.raises(ChipUnavailable, match=r"is more \(label mcp23017\); .*dtoverlay line in config.txt"):
        find_chip([HEADER_OF_5], Chip("more", label="mcp23017"))


def test_a_machine_without_chips_has_none(tmp_path: Path) -> None:
    (tmp_path / "gpiomem").write_text("")
    assert kernel_chips(tmp_path) == ()


def test_what_is_no_chip_is_named(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").write_text("")
    with pytest.raises(ChipUnavailable, match=r"gpiochip0 does not answer: Inappropriate ioctl for device\."):
        kernel_chips(tmp_path)


def test_whoever_holds_a_chip_or_a_line_is_named_with_the_process(tmp_path: Path) -> None:
    running = {
        ("12", "python3"): "/dev/gpiochip0",
        ("13", "pigpiod"): "anon_inode:gpio-line",
        ("14", "cat"): "/dev/null",
    }
    for (process, comm), target in running.items():
        (tmp_path / process / "fd").mkdir(parents=True)
        (tmp_path / process / "comm").write_text(f"{comm}\n")
        (tmp_path / process / "fd" / "3").symlink_to(target)
    (tmp_path / "uptime").write_text("")
    (tmp_path / "15").mkdir()
    assert sorted(holders(tmp_path)) == ["pigpiod (process 13)", "python3 (process 12)"]
