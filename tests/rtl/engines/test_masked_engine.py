"""`hf_keccak_masked` under the contract bench, split into shares at random: `hf_masked_plain`."""

import shutil
import subprocess
from pathlib import Path

import pytest

from hashfabric.export.plain import plain
from hashfabric.registry.designs import Timing
from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.contract import Clocks, environment

TOP = "hf_masked_plain"
ENGINE = "rtl/keccak/hf_keccak_masked.sv"
ONE_SLOT = "rtl/keccak/hf_keccak_masked_one_slot.sv"
TWO_SLOTS = "rtl/keccak/hf_keccak_masked_two_slots.sv"
CHI = "rtl/keccak/hf_keccak_masked_chi.sv"
SLOW = pytest.mark.slow
TIMING = Timing(slots=1, holds_state=True, clocks_per_block=48, data_delay=0)
TWO = Timing(slots=2, holds_state=False, clocks_per_block=24, data_delay=3)
CLOCKS = Clocks(fill=2, slip=3, resume=1, room=2)
PATIENCE = 4000
"""More clocks than the start with Guards takes, where random bits are late."""


def run(
    files: dict[str, str] | None = None, tests: str | None = None, **parameters: int
) -> simulation.Outcome:
    """Run the bench; clocks are asserted where random bits are always there, from the start."""
    compiled = simulation.compile_design(TOP, files or closure(TOP), parameters)
    two = parameters.get("Slots") == 2
    exact = not parameters.get("RandomStalls") and not parameters.get("Guards")
    known = environment(TWO if two else TIMING, CLOCKS if exact and not two else None)
    known["HF_PATIENCE"] = "0" if exact else str(PATIENCE)
    return compiled.run(
        "tests.rtl.engines.contract_bench", "contract", environment=known, tests=tests
    )


def test_first_order_in_short() -> None:
    """The states are the golden model's, after 48 clocks a block."""
    run(tests=r"one_block|\.clocks$").check()


def test_two_messages_in_short() -> None:
    """The same with two messages in flight, 24 clocks a block."""
    run(tests=r"one_block|\.clocks$", Guards=1, Slots=2).check()


@SLOW
def test_first_order() -> None:
    """The engine keeps the contract."""
    run().check()


@SLOW
@pytest.mark.parametrize(
    "parameters", [{"Guards": 1}, {}, {"Order": 2}], ids=["guards", "fresh", "order-2"]
)
def test_two_messages(parameters: dict[str, int]) -> None:
    """So it does with two messages in flight."""
    run(None, None, Slots=2, **parameters).check()


MOST = "one_block|random_traffic|every_gap|a_state_stays|save_and_restore"


@SLOW
@pytest.mark.parametrize(
    "parameters",
    [
        {"Guards": 1},
        {"Guards": 1, "RandomStalls": 1},
        {"RandomStalls": 1},
        {"Order": 2},
        {"Order": 3, "RandomStalls": 1},
    ],
    ids=lambda parameters: "-".join(f"{name}{value}" for name, value in parameters.items()),
)
def test_other_forms(parameters: dict[str, int]) -> None:
    """So do the other orders, the form with few random bits, and waits for random bits."""
    run(None, MOST, **parameters).check()


@SLOW
@pytest.mark.parametrize(
    ("path", "old", "new", "tests"),
    [
        (ONE_SLOT, "op_q[OpLinear] && !clear_q)", "op_q[OpLinear])", "random_traffic"),
        (ENGINE, "if (clear) linear_q[i] <= '0;\n      else ", "", "one_block"),
        (
            ONE_SLOT,
            "(!blk_first_i && st_ready_i)",
            "st_ready_i",
            "every",
        ),
        (ONE_SLOT, "(last_q ? st_ready_i : window_q)", "(last_q || window_q)", "random_traffic"),
        (CHI, "High*(High-1)/2+Low]", "High*(High-1)/2+Low] ^ (5 * Width)'(i == 0)", "one_block"),
    ],
    ids=["constant-in-a-load", "not-cleared", "first-breaks-a-promise", "room", "random"],
)
def test_a_fault_is_found(path: str, old: str, new: str, tests: str) -> None:
    """One fault, and a test of the bench fails."""
    outcome = run(simulation.mutated(closure(TOP), path, old, new), tests)
    assert outcome.failures


@SLOW
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("take ? blk_first_i : !shown_q.busy", "take && blk_first_i && shown_q.busy"),
        ("clear_q[1] ? '0 : RoundConstant", "RoundConstant"),
        ("due_q && (zeros_q || !take)", "due_q && !take"),
        ("ready_q && !(zeros_q && blk_first_i)", "ready_q"),
        ("other_q.busy || other_q.cooldown", "other_q.busy"),
    ],
    ids=[
        "not-cleared",
        "constant-in-a-load",
        "a-squeeze-in-time",
        "first-breaks-a-promise",
        "ready-too-early",
    ],
)
def test_a_fault_with_two_messages_is_found(old: str, new: str) -> None:
    """One fault of the two slots' control, and a test of the bench fails."""
    files = simulation.mutated(closure(TOP), TWO_SLOTS, old, new)
    assert run(files, MOST, Guards=1, Slots=2).failures


@SLOW
@pytest.mark.parametrize(
    ("old", "new"), [("clear_q     <= '1;", ""), (" || rst_i;  // before", ";  // before")]
)
def test_shares_without_masks_after_a_reset_are_found(old: str, new: str) -> None:
    """A reset takes the masks away: the shares of the messages must be cleared in its clock."""
    files = simulation.mutated(closure(TOP), TWO_SLOTS, old, new)
    assert run(files, "reset", Guards=1, Slots=2).failures


RESET = """`timescale 1ns / 1ps
module test;
  reg clk = 0, rst = 0;
  reg [3:0] fresh = 0;
  reg unknown = 0;
  wire [3199:0] state;
  always #5 clk = ~clk;
  always @(posedge clk) fresh <= fresh + 4'd7;
  hf_keccak_masked engine (
      .clk_i(clk), .rst_i(rst), .blk_valid_i(1'b0), .blk_first_i(1'b0), .blk_last_i(1'b0),
      .blk_restore_i(1'b0), .blk_i(3200'b0), .st_ready_i(1'b1), .rand_valid_i(!rst),
      .rand_i(fresh), .st_o(state)
  );
  initial begin
    @(negedge clk) rst = 1;
    @(negedge clk) rst = 0;
    repeat (100) @(negedge clk);
    repeat (4) @(negedge clk) unknown = unknown | (^state === 1'bx);
    $display("%s", unknown ? "unknown" : "known");
    $finish;
  end
endmodule
"""
"""A reset of one clock, random bits from the next one on; the state of each slot."""


@SLOW
@pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog")
@pytest.mark.parametrize("slots", [1, 2])
def test_no_unknown_bit_stays(slots: int, tmp_path: Path) -> None:
    """In a simulator of four states, whatever is in the registers before the reset."""
    engine = plain("hf_keccak_masked", closure("hf_keccak_masked"), {"Guards": 1, "Slots": slots})
    (tmp_path / "engine.v").write_text(engine.text, encoding="utf-8")
    (tmp_path / "test.v").write_text(RESET, encoding="utf-8")
    for command in (
        ["iverilog", "-o", "test.vvp", "test.v", "engine.v"],
        ["vvp", "-N", "test.vvp"],
    ):
        said = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert said.stdout.split() == ["known"]
