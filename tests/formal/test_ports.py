"""Proofs of the ports' assertions (rtl/checkers) by Yosys: for all inputs, not only a bench's.

By induction they hold for ever; where that would need more than a register's next state, they hold
for N clocks after a reset. What binds the environment (_M) is assumed. The same proof of an
RTL with a fault must fail, by the assertion that it breaks: all others are left out.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from hashfabric.base.paths import BUILD
from hashfabric.base.tools import ToolError
from hashfabric.base.yosys import run_script
from hashfabric.registry.sources import checked, closure

MUTANT_CLOCKS = 12
"""A fault shows in these clocks after a reset, unless the claim has another number."""
RESET = Path(__file__).with_name("hf_formal_reset.sv")
SLOW = pytest.mark.slow


@dataclass(frozen=True)
class Claim:
    """The assertions of `top`, for ever, or for `clocks` clocks after a reset."""

    top: str
    parameters: str
    clocks: int | None = None


CLAIMS = {
    "narrow": Claim("hf_axis_narrow", "-G Width=64 -G Parts=2 -G UserWidth=2 -G Depth=2"),
    "one-part": Claim("hf_axis_narrow", "-G Width=64 -G Parts=1 -G UserWidth=2 -G Depth=2"),
    "slice": Claim("hf_axis_slice", "-G Width=66"),
    "slot-slice": Claim("hf_keccak_slot_slice", "-G Width=66 -G SideWidth=1 -G Slots=2"),
    "skid": Claim("hf_axis_skid", "-G Width=4"),
    "tid-queue": Claim("hf_tid_queue", "-G Width=2 -G Depth=4"),
    "stop": Claim("hf_axis_stop", "-G Tids=3 -G TidWidth=2", 20),
    "engine-24-rounds": Claim("hf_keccak_iterative", "-G RoundsPerClock=24", 30),
    "engine-12-rounds": Claim("hf_keccak_iterative", "-G RoundsPerClock=12", 24),
    "engine-8-rounds": Claim("hf_keccak_iterative", "-G RoundsPerClock=8", 30),
}
QUICK = ("narrow", "one-part", "slice", "slot-slice", "skid", "tid-queue", "stop")


def prove(claim: Claim, files: Mapping[str, str], label: str = "*") -> None:
    """Prove the assertion `label`, else all, of the top that `files` make.

    Only of all of them by induction: what it cannot prove may still be right.
    """
    files = {**checked(files), RESET.name: RESET.read_text(encoding="utf-8")}
    files["bind.sv"] = f"bind {claim.top} hf_formal_reset u_reset (.*);\n"
    engine = claim.top == "hf_keccak_iterative"
    narrow = f"delete -port {claim.top}/blk_i {claim.top}/st_o" if engine else ""
    bound = (
        "-tempinduct -maxsteps 6"
        if claim.clocks is None and label == "*"
        else f"-tempinduct-baseonly -maxsteps {claim.clocks or MUTANT_CLOCKS}"
    )
    script = [
        f"read_slang --threads 1 --top {claim.top} {claim.parameters} {' '.join(files)}",
        f"hierarchy -top {claim.top}",
        "proc",
        "flatten",
        # Only control: no block, no state.
        *(["chformal -remove c:*.Rule1DataStand_M c:*.Rule8*", narrow] if engine else []),
        "opt_clean -purge",
        "chformal -assert2assume c:*_M",
        f"select -set proved t:$check c:*.{label} %i",
        "select -set others t:$check c:*_M %d @proved %d",
        "chformal -remove @others",
        "async2sync",
        "chformal -lower",
        "memory_map",
        "opt -full",
        "opt_clean -purge",
        f"sat {bound} -prove-asserts -set-assumes -verify {claim.top}",
    ]
    key = hashlib.sha256(repr((files, script)).encode()).hexdigest()[:16]
    directory = BUILD / "formal" / f"{claim.top}-{key}"
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, encoding="utf-8")
    run_script(script, directory, name="prove")
    log = (directory / "prove.log").read_text(encoding="utf-8")
    assert log.count("Import proof for assert:") > 0, f"nothing is proved in {directory}"
    assert re.search(r"SUCCESS!", log), f"no proof in {directory / 'prove.log'}"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else SLOW) for name in CLAIMS]
)
def test_assertions_hold(name: str) -> None:
    """All assertions of a module."""
    claim = CLAIMS[name]
    prove(claim, closure(claim.top))


FAULTS = [
    ("narrow", "AxisValidStands", "!(take && get_q == 1'(k))", "1'b0"),
    ("narrow", "AxisPayloadStands", ".d_i({part_d, full_d,", ".d_i({part_d, load,"),
    ("narrow", "AxisQuietInReset", "full_d[k] = !rst_i && (", "full_d[k] = ("),
    ("slice", "AxisValidStands", "!(take && get_q == 1'(k))", "1'b0"),
    ("slice", "AxisPayloadStands", ".d_i({full_d,", ".d_i({2'b00,"),
    ("slot-slice", "AxisValidStands", "get_d[0], head_valid_d[0],", "get_d[0], s_valid_i,"),
    ("slot-slice", "AxisPayloadStands", ".d0_i    ({hold_d[0],", ".d0_i    ({2'b00,"),
    ("slot-slice", "AxisQuietInReset", "\n      .rst_i,\n", "\n      .rst_i(1'b0),\n"),
    ("skid", "AxisValidStands", "spare_valid_q || stays) &&", "spare_valid_q) &&"),
    ("skid", "AxisPayloadStands", "if (!stays) out_q", "if (!spare_valid_q) out_q"),
    ("skid", "AxisQuietInReset", "spare_valid_q || stays) && !rst_i;", "spare_valid_q || stays);"),
    ("tid-queue", "AxisValidStands", "push_i && next != out_q;", "push_i;"),
    ("stop", "StopCounts", "else if (!running_q) stopped_q", "else if (1'b0) stopped_q"),
    ("stop", "StopIsAlone", "running_q && !stopped_q;", "running_q;"),
    ("engine-24-rounds", "Rule7WaitsForRoom_A", "st_ready_i && !st_valid_q;", "st_ready_i;"),
    ("engine-24-rounds", "Rule6StateIsOwed_A", "finish && last_q;", "finish;"),
    (
        *("engine-24-rounds", "Rule4PromiseIsKept_A"),
        *("!taken_q && !(pending_q && last_q) :", "!taken_q :"),
    ),
]
QUICK_FAULTS = ("StopIsAlone", "Rule6StateIsOwed_A")


@pytest.mark.parametrize(
    ("name", "label", "old", "new"),
    [pytest.param(*fault, marks=() if fault[1] in QUICK_FAULTS else SLOW) for fault in FAULTS],
)
def test_a_fault_is_not_proved(name: str, label: str, old: str, new: str) -> None:
    """One fault in a module, and this assertion is not proved any more."""
    claim = CLAIMS[name]
    files = closure(claim.top)
    path = next(path for path in files if Path(path).stem == claim.top)
    assert files[path].count(old) == 1
    with pytest.raises(ToolError, match="proof did fail"):
        prove(claim, {**files, path: files[path].replace(old, new)}, label)


SHOWN = {
    "two-stage": ("hf_keccak_two_stage", ""),
    "pipelined": ("hf_keccak_pipelined", "-G Rounds=1 -G Registers=37"),
    "reference": ("hf_contract_reference", "-G Slots=3"),
}


def check_slot(top: str, parameters: str, files: Mapping[str, str]) -> None:
    """Check that nothing leads from `blk_valid_i` to `blk_slot_o` but through registers."""
    script = [
        f"read_slang --threads 1 --top {top} {parameters} {' '.join(files)}",
        f"hierarchy -top {top}",
        "proc",
        "flatten",
        "opt_clean",
        "memory_map",
        "expose -evert-dff",  # registers become ports: what is left is one clock's logic
        f"select -assert-any {top}/o:blk_slot_o",
        f"select -assert-any {top}/i:blk_valid_i",
        f"select -assert-none {top}/o:blk_slot_o %ci* {top}/i:blk_valid_i %i",
    ]
    key = hashlib.sha256(repr((files, script)).encode()).hexdigest()[:16]
    directory = BUILD / "formal" / f"{top}-{key}"
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, encoding="utf-8")
    run_script(script, directory, name="slot")
    log = (directory / "slot.log").read_text(encoding="utf-8")
    assert "End of script" in log  # a tool that ends early has proved nothing


@pytest.mark.parametrize("name", SHOWN)
def test_the_slot_shown_does_not_depend_on_the_offer(name: str) -> None:
    """Rule 2 of the contract."""
    top, parameters = SHOWN[name]
    check_slot(top, parameters, closure(top))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("two-stage", "assign blk_slot_o  = slot_q;", "assign blk_slot_o  = slot_q ^ blk_valid_i;"),
        ("pipelined", "blk_slot_o = slot_q;", "blk_slot_o = slot_q & {SlotWidth{!blk_valid_i}};"),
    ],
)
def test_a_slot_that_depends_on_the_offer_is_seen(name: str, old: str, new: str) -> None:
    """A fault that shows another slot to an offer."""
    top, parameters = SHOWN[name]
    files = closure(top)
    path = next(path for path in files if Path(path).stem == top)
    assert files[path].count(old) == 1
    with pytest.raises(ToolError, match="select"):
        check_slot(top, parameters, {**files, path: files[path].replace(old, new)})
