"""Chains of hashes in hardware."""

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.subjects import SLOW

CHAIN = "rtl/regs/hf_keccak_chain.sv"
MUTANTS = {
    "address-stays": ("else if (begins && i ==", "else if (1'b0 && i =="),
    "address-little-endian": (
        "reversed(reversed(address_q[AddressWords-1]) + 32'd1)",
        "address_q[AddressWords-1] + 32'd1",
    ),
    "value-not-chained": ("final_q ? state_q[0][ValueWords/2-1:0] : value_q", "value_q"),
    "value-not-cleared": (
        "if (clear) value_q[i] <= '0;\n      else if (final_q)",
        "if (final_q)",
    ),
    "prefix-not-cleared": ("if (clear) prefix_q[i] <= '0;\n      else if", "if"),
    "address-not-cleared": ("if (clear) address_q[i] <= '0;\n      else if", "if"),
    "suffix-of-sha-3": ("32'h0000_001F", "32'h0000_0006"),
    "a-clock-more": (
        "count_q != '0 && !running_q &&",
        "count_q != '0 && !running_q && !final_q &&",
    ),
    "end-too-early": ("done_o  = final_q && count_q == '0;", "done_o  = final_q;"),
    "state-kept": ("if (begins || clear) state_q <= '0;\n    else if", "if"),
}
"""Faults in the RTL, each of which the bench must find."""


def run(value_bytes: int, files: dict[str, str] | None = None) -> simulation.Outcome:
    """Run the bench."""
    compiled = simulation.compile_design(
        "hf_keccak_chain", files or closure("hf_keccak_chain"), {"ValueBytes": value_bytes}
    )
    environment = {"HF_VALUE_BYTES": str(value_bytes), "HF_CHAINS": "60"}
    return compiled.run("tests.rtl.regs.chain_bench", "chain", environment=environment)


@pytest.mark.parametrize(
    "value_bytes", [16, pytest.param(24, marks=SLOW), pytest.param(32, marks=SLOW)]
)
def test_chain(value_bytes: int) -> None:
    """Values are those of FIPS 205, at 26 clocks a hash."""
    run(value_bytes).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The bench fails on a fault."""
    old, new = MUTANTS[name]
    assert run(16, simulation.mutated(closure("hf_keccak_chain"), CHAIN, old, new)).failures


REGS = "rtl/regs/hf_keccak_chain_regs.sv"
REGS_MUTANTS = {
    "command-while-busy": ("&& whole && !busy;\n  // A write", "&& whole;\n  // A write"),
    "prefix-while-busy": ("(prefix && whole && !busy)", "(prefix && whole)"),
    "address-while-busy": ("(address && whole && !busy)", "(address && whole)"),
    "value-readable-while-busy": ("busy ? '0 : 256'(value)", "256'(value)"),
    "read-while-busy-not-reported": ("(value_read && busy) ||", ""),
    "part-not-reported": ("(busy || !whole));", "busy);"),
    "interrupt-not-masked": ("done.value && regs_i.INTR_ENABLE.done.value)", "done.value)"),
    "done-not-reported": ("INTR_STATE.done.hwset = done;", "INTR_STATE.done.hwset = 1'b0;"),
}
"""Faults in what the registers do."""


def run_regs(
    bus: str, value_bytes: int, waits: float = 0.3, files: dict[str, str] | None = None
) -> simulation.Outcome:
    """Run the bench of the registers."""
    top = f"hf_keccak_chain_{bus}"
    compiled = simulation.compile_design(top, files or closure(top), {"ValueBytes": value_bytes})
    environment = {
        "HF_BUS": bus,
        "HF_VALUE_BYTES": str(value_bytes),
        "HF_CHAINS": "20",
        "HF_WAITS": str(waits),
    }
    return compiled.run("tests.rtl.regs.chain_regs_bench", "chain_regs", environment=environment)


@pytest.mark.parametrize(
    ("bus", "value_bytes"),
    [
        ("apb", 16),
        pytest.param("apb", 24, marks=SLOW),
        pytest.param("axil", 16, marks=SLOW),
        pytest.param("axil", 32, marks=SLOW),
    ],
)
def test_registers(bus: str, value_bytes: int) -> None:
    """Chains by registers; errors, interrupts, `clear`."""
    run_regs(bus, value_bytes).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", REGS_MUTANTS)
def test_mutants_of_the_registers_are_caught(name: str) -> None:
    """The bench of the registers fails on a fault."""
    old, new = REGS_MUTANTS[name]
    files = simulation.mutated(closure("hf_keccak_chain_apb"), REGS, old, new)
    assert run_regs("apb", 16, files=files).failures
