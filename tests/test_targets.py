"""Targets are data: a new one of a known flow needs a file only."""

from pathlib import Path

import pytest

from hashfabric.errors import LabError
from hashfabric.flows.base import RoutedTarget
from hashfabric.targets import find_target, load_targets


def test_this_checkout_loads() -> None:
    """The targets of the first release are there, and only ECP5 claims a clock."""
    targets = load_targets()
    assert {"ecp5-85k", "xc7", "xcup"} <= set(targets)
    assert isinstance(targets["ecp5-85k"], RoutedTarget)
    assert not isinstance(targets["xc7"], RoutedTarget)


def test_a_new_target_is_a_file(toy_root: Path) -> None:
    """Another part of a known flow, in one file."""
    text = (toy_root / "targets" / "ecp5-85k.toml").read_text(encoding="utf-8")
    text = text.replace('"ecp5-85k"', '"ecp5-25k"').replace('"85k"', '"25k"')
    text = text.replace("CABGA756", "CABGA381")
    (toy_root / "targets" / "ecp5-25k.toml").write_text(text, encoding="utf-8")
    target = find_target("ecp5-25k", toy_root)
    assert isinstance(target, RoutedTarget)
    assert target.device_text == "ECP5-25k CABGA381 speed 6"
    args = list(target.pnr_args(7))
    assert "--25k" in args
    assert args[args.index("--seed") + 1] == "7"


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ('flow = "ecp5"', 'flow = "magic"', "'magic'"),
        ('flow = "ecp5"\n', "", "flow"),
        ('device = "85k"', 'device = "86k"', "device: "),
        ('lut = "LUT4"', "lut = 4", "lut: "),
        ('lut = "LUT4"', 'lut = "LUT4"\nluck = 1', "luck: "),
        ("seeds = 5", "seeds = 0", "seeds: "),
        ("seeds = 5", 'seeds = 5\nspread = "1/2"', "spread: a ratio above 1"),
        ("seeds = 5", 'seeds = 5\nspread = "wide"', "spread: a ratio above 1"),
    ],
)
def test_a_corrupted_target_is_one_line(toy_root: Path, old: str, new: str, wanted: str) -> None:
    """The message names the file and the field."""
    path = toy_root / "targets" / "ecp5-85k.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(LabError) as caught:
        load_targets(toy_root)
    message = str(caught.value)
    assert "targets/ecp5-85k.toml" in message
    assert wanted in message
    assert "\n" not in message


def test_unknown_target(toy_root: Path) -> None:
    """An unknown target lists the known ones."""
    with pytest.raises(LabError, match="unknown target 'none': one of ecp5-85k, xc7"):
        find_target("none", toy_root)
