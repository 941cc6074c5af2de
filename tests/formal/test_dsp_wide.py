"""Proof: a turn of `hf_keccak_dsp_wide`'s loop is the package's round, in each of its structures.

The engine's text is edited: the loop is cut after pi, the signals of control for a block and the
number of the round become ports, and Yosys takes every register, those inside the slices too, as a
wire. The result is a function of 1600 bits of state and as many of the block, with the model of
DSP48E2, and each output bit is proved equal for all inputs. The timing of the registers is not part
of the proof: the contract bench tests it.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from hashfabric.base.paths import BUILD
from hashfabric.base.tools import ToolError
from hashfabric.base.yosys import value_text
from hashfabric.registry.designs import load_designs, read_sources
from tests.support.equivalence import prove_equal

ENGINE = "rtl/keccak/dsp/hf_keccak_dsp_wide.sv"
MODEL = "rtl/prim/vendor/DSP48E2.sv"
TOP = "hf_keccak_dsp_wide"
CORES = {
    name: variant
    for name, variant in load_designs()["keccak-dsp-wide"].variants.items()
    if variant.kind == "engine"
}
GOLDEN = {
    name: Path(__file__).with_name(name).read_text(encoding="utf-8")
    for name in ("hf_dsp_wide_round.sv", "hf_open_registers.v")
}
OPENED = [
    (
        "    input logic clk_i,\n",
        "    input logic clk_i,\n    input state_t a_i, output state_t next_o,\n"
        "    input logic take_i, input round_t round_i,\n",
    ),
    ("assign a = pi(rho(theta_out));", "assign a = a_i; assign next_o = pi(rho(theta_out));"),
    ("assign take = blk_valid_i && blk_ready_o;", "assign take = take_i;"),
    ("round_q <= shown.round;", "round_q <= round_i;"),
]
CLOSED = (
    *("clk_i", "rst_i", "blk_valid_i", "blk_last_i", "blk_ready_o", "blk_slot_o"),
    *("st_ready_i", "st_valid_o", "st_slot_o", "st_o"),
)


def prove(name: str, files: Mapping[str, str]) -> None:
    """Prove the variant `name` built from `files`."""
    files = dict(files)
    for old, new in OPENED:
        assert files[ENGINE].count(old) == 1, old
        files[ENGINE] = files[ENGINE].replace(old, new)
    # read_slang has no $fatal; the contract bench runs with it.
    files[MODEL] = files[MODEL].replace("$fatal(1);", ";")
    overrides = [f"-G {key}={value_text(of)}" for key, of in CORES[name].parameters.items()]
    key = hashlib.sha256(repr((name, files, GOLDEN)).encode()).hexdigest()[:16]
    directory = BUILD / "formal" / f"dsp-wide-{key}"
    for path, text in {**files, **GOLDEN}.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    gate = [
        f"read_slang --threads 1 --top {TOP} {' '.join([*overrides, *files])}",
        "proc",
        "flatten",
        "delete t:$print",
        "setattr -unset init w:*",  # a wire has none
        "techmap -map hf_open_registers.v",
        "delete -port " + " ".join(f"{TOP}/{port}" for port in CLOSED),
        "opt_clean",
    ]
    golden = [
        "read_slang --threads 1 --top hf_dsp_wide_round rtl/keccak/hf_keccak_pkg.sv "
        "hf_dsp_wide_round.sv"
    ]
    prove_equal(directory, (TOP, gate), ("hf_dsp_wide_round", golden), bits=1600)


@pytest.mark.slow
@pytest.mark.parametrize("name", CORES)
def test_the_round_is_the_packages(name: str) -> None:
    """The claim holds."""
    prove(name, read_sources(CORES[name]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("q[x] = rotl(p[(x+2)%5], 1);", "q[x] = rotl(p[(x+2)%5], (x == 3) ? 2 : 1);"),
        ("first_q[3] ? OpC : OpXorAbCPcin", "OpXorAbCPcin"),
    ],
    ids=["theta", "first"],
)
def test_a_fault_is_not_proved(old: str, new: str) -> None:
    """One fault in the engine, and the proof fails."""
    files = dict(read_sources(CORES["core-117"]))
    assert files[ENGINE].count(old) == 1
    files[ENGINE] = files[ENGINE].replace(old, new)
    with pytest.raises(ToolError, match="unproven"):
        prove("core-117", files)
