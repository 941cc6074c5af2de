"""Targets are data: a new one of a known flow needs a file only."""

from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.flows.base import RoutedTarget
from hashfabric.flows.ecp5.flow import Ecp5Target
from hashfabric.flows.targets import find_target, load_targets
from hashfabric.flows.xilinx import XilinxTarget
from hashfabric.implement.build import target_for
from hashfabric.registry.designs import find_design


def test_this_checkout_loads() -> None:
    """The targets are there; those without place and route claim no clock."""
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
    assert isinstance(target, Ecp5Target)
    assert target.device_text == "ECP5-25k CABGA381 speed 6"
    args = list(target.router.place_and_route_args(7))
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
        ("seeds = 5", 'seeds = 5\nspread = "1/2"', "spread: must be a ratio above 1"),
        ("seeds = 5", 'seeds = 5\nspread = "wide"', "spread: must be a ratio above 1"),
        ("seeds = 5", 'seeds = 5\nspread = ""', "spread: must be a ratio above 1"),
        ("seeds = 5", 'seeds = 5\nbox = "5/4"', "box: must be a part of the array"),
        ("seeds = 5", 'seeds = 5\nbox = "0"', "box: must be a part of the array"),
        (
            'device = "85k"',
            'device = "45k"\nbox = "4/5"',
            "box: the rows of 45k are not in the lab",
        ),
        ('device = "85k"', 'device = "45k"\nprofiles.p.box = "1"', "box: the rows of 45k are not"),
        ("seeds = 5", "seeds = 5\nprofiles.p.ram_passes = -1", "profiles.p.ram_passes: "),
        ("seeds = 5", "seeds = 5\nprofiles.p.seeds = 2", "profiles.p.seeds: "),
        ("seeds = 5", 'seeds = 5\nprofiles.p.spread = "1/2"', "profiles.p.spread"),
        ("seeds = 5", "seeds = 5\nprofiles.p.pnr_timeout_s = 0", "profiles.p.pnr_timeout_s: "),
        ("seeds = 5", "seeds = 5\nprofiles.P = {}", "profiles.P"),
        ("seeds = 5", "seeds = 5\nprofiles.p.abc9_delay_ps_each = 1", "only in a rule, NAME-N"),
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


def test_a_profile_changes_what_it_names(toy_root: Path) -> None:
    """The rest is the target's; a variant that names no profile of the target sees none."""
    path = toy_root / "targets" / "ecp5-85k.toml"
    path.write_text(
        path.read_text("utf-8")
        + 'spread = "3/2"\n[profiles.deep]\npnr_options = ["--freq", "99"]\nspread = ""\n'
        + "pnr_timeout_s = 7\nsynth_options = []\nabc9_delay_ps = 1234\n"
        + '[profiles.late]\npnr_timeout_s = 8\n[profiles.wide]\nbox = "4/5"\n',
        encoding="utf-8",
    )
    target = find_target("ecp5-85k", toy_root)
    assert isinstance(target, Ecp5Target)
    deep, late = target.with_profile("deep"), target.with_profile("late")
    assert target.with_profile(None) == target.with_profile("none") == target
    assert (deep.pnr_options, deep.spread, deep.pnr_timeout_s) == (["--freq", "99"], None, 7)
    assert deep.synth_command() == "scratchpad -set abc9.D 1234; synth_ecp5"
    assert "--no-route" not in deep.router.text(1)
    assert deep.router.edit_text() == ""
    assert late == target.model_copy(update={"pnr_timeout_s": 8})
    assert (target.router.edit_text(), late.router.edit_text()) == ("spread 3/2", "spread 3/2")
    wide = target.with_profile("wide")
    assert wide.router.edit_text() == "box 4/5"
    assert wide.with_copies(2).router.edit_text() == "2 copies"


def test_counts_have_profiles_for_synthesis_only(toy_root: Path) -> None:
    """No router, no options for it."""
    path = toy_root / "targets" / "xc7.toml"
    text = path.read_text("utf-8") + "[profiles.deep]\nsynth_options = []\n"
    path.write_text(text, encoding="utf-8")
    target = find_target("xc7", toy_root).with_profile("deep")
    assert isinstance(target, XilinxTarget)
    assert target.synth_command() == "synth_xilinx -family xc7"
    path.write_text(text + "pnr_options = []\n", encoding="utf-8")
    with pytest.raises(LabError, match=r"profiles\.deep\.pnr_options"):
        load_targets(toy_root)


def test_unknown_target(toy_root: Path) -> None:
    """An unknown target lists the known ones."""
    with pytest.raises(LabError, match="unknown target 'none': one of ecp5-85k, xc7"):
        find_target("none", toy_root)


def test_a_rule_is_for_every_number(toy_root: Path) -> None:
    """What is said for one number adds to it; another name is no number."""
    path = toy_root / "targets" / "ecp5-85k.toml"
    path.write_text(
        path.read_text("utf-8")
        + '[profiles.rounds-N]\nabc9_delay_ps_each = 3000\nbox = "1"\n'
        + '[profiles.rounds-2]\nbox = ""\n[profiles.rounds-3]\nabc9_delay_ps = 5\n',
        encoding="utf-8",
    )
    target = find_target("ecp5-85k", toy_root)
    assert isinstance(target, Ecp5Target)
    found = {
        number: (profile.abc9_delay_ps, profile.box)
        for number in (2, 3, 12)
        for profile in [target.with_profile(f"rounds-{number}")]
    }
    assert found == {2: (6000, None), 3: (5, "1"), 12: (36000, "1")}
    assert target.has_profile("rounds-7")
    assert not target.has_profile("rounds-x")
    assert not target.has_profile("turns-7")
    assert not find_target("xc7", toy_root).has_profile("rounds-7")


def test_a_profile_that_no_target_has_is_refused(toy_root: Path) -> None:
    """One that another target has is not; a typing error would go unseen otherwise."""
    path = toy_root / "targets" / "xc7.toml"
    path.write_text(path.read_text("utf-8") + "[profiles.deep]\n", encoding="utf-8")
    target = find_target("ecp5-85k", toy_root)
    variant = find_design("toy", toy_root).variant("core")
    deep = variant.model_copy(update={"profile": "deep"})
    assert target_for(target, deep, toy_root) == target
    slip = variant.model_copy(update={"profile": "deeep"})
    with pytest.raises(LabError, match="unknown profile 'deeep': one of deep"):
        target_for(target, slip, toy_root)
