"""The Keccak peripheral with kept prefixes: messages that go on from the copy of a state."""

from collections.abc import Mapping, Sequence

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.peripheral import FULL, LEAST, SERIAL, TINY, WORDS, run
from tests.support.subjects import SLOW

BENCH = "tests.rtl.regs.prefix_bench"
READ_RAM = """`verilator_config
public_flat_rd -module "hf_held_ram" -var "mem"
public_flat_rd -module "hf_held_ram" -var "read_q"
public_flat_rd -module "hf_held_ram" -var "read_data_o"
public_flat_rw -module "hf_keccak_regs_prefix" -var "number_q" @(posedge clk_i)
"""
"""The bench reads the memory of the copy, and sets the number of a copy."""
COMMANDS = "rtl/regs/hf_keccak_regs_commands.sv"
PHASES = "rtl/regs/hf_keccak_regs_phases.sv"
PREFIX = "rtl/regs/hf_keccak_regs_prefix.sv"
REGS = "rtl/regs/hf_keccak_regs.sv"
VALUES = "rtl/regs/hf_keccak_regs_values.sv"
BY_BYTES = "by-bytes"
"""Mutants that only show where a permutation waits for the engine begin so."""
MUTANTS = {
    "keep-before-the-message": (PREFIX, "waits_q && drained_i && !sponge_valid_i;", "waits_q;"),
    f"{BY_BYTES}-keep-before-the-permutation": (
        PREFIX,
        "drained_i && !sponge_valid_i;",
        "drained_i;",
    ),
    "keep-inside-a-block": (PREFIX, "!wipes_q && block_end_i;", "!wipes_q;"),
    "keep-never-refused": (PREFIX, "!wipes_q && !block_end_i;", "1'b0;"),
    "refusal-not-reported": (REGS, "position_command || keep.refused;", "position_command;"),
    "copy-without-its-copy": (PREFIX, "(sponge_valid_i || goes_ahead);", "sponge_valid_i;"),
    "copy-lasts": (PREFIX, "if (rst_i || clear_i || reads_q) kept_q", "if (rst_i) kept_q"),
    "copy-of-a-clear": (
        PREFIX,
        "if (rst_i || clear_i) begin\n      wipes_q     <= 1'b1;",
        "if (rst_i) begin\n      wipes_q     <= 1'b1;",
    ),
    "copy-in-memory": (
        PREFIX,
        "if (wipes_q) write_word_q <= '0;\n    else write_word_q",
        "write_word_q",
    ),
    "copy-while-it-is-read": (PREFIX, "clear_i || reads_q) kept_q", "clear_i) kept_q"),
    "number-stays": (PREFIX, "24'd1 : number_q + 24'd1;", "24'd1 : 24'd1;"),
    "number-of-none": (PREFIX, "(&number_q) ? 24'd1 :", "1'b0 ? 24'd1 :"),
    "recall-goes-on": (PREFIX, "(adds_q && !last_moves && !abort_i)", "(adds_q && !last_moves)"),
    "recall-from-the-middle": (
        PREFIX,
        "last_moves || (abort_i && adds_q)) word",
        "last_moves) word",
    ),
    "word-in-a-register": (PREFIX, "(fetches || wipe_reads)", "(fetches)"),
    "word-in-the-output": (PREFIX, "(passes_on || wipe_reads)", "(passes_on)"),
    "any-function": (PREFIX, "function_code_q == function_code_i;", "1'b1;"),
    "only-known-functions": (
        COMMANDS,
        "command.recall && function_known_i && copy_i.of_function;",
        "command.recall && copy_i.of_function;",
    ),
    "recall-without-a-copy": (COMMANDS, "(command.recall && copy_i.kept)", "command.recall"),
    "last-before-recall": (
        COMMANDS,
        "if (wait_q.recall && Prefix) command",
        "if (wait_q.recall && Prefix && !wait_q.last) command",
    ),
    "other-function-not-reported": (
        COMMANDS,
        "(command.recall && !copy_i.of_function));",
        "1'b0);",
    ),
    "keep-while-held": (
        COMMANDS,
        "(!hold_pending_i && ((phase_i.absorb &&",
        "(!hold_pending_i && (((phase_i.absorb || (phase_i.held && command.keep)) &&",
    ),
    "config-in-a-recall": (
        COMMANDS,
        "wait_q.start || wait_q.recall ||",
        "wait_q.start ||",
    ),
    "last-copy-lost": (PREFIX, "NumWords - 1);\n  always_ff", "NumWords - 2);\n  always_ff"),
    "words-before-lost": (
        PREFIX,
        "!(sponge_adds && sponge_addr_i < word_addr_q)",
        "!(sponge_adds && sponge_addr_i != word_addr_q)",
    ),
    "word-added-twice": (PREFIX, "sponge_addr_i < word_addr_q)", "1'b0)"),
    "message-lost": (PREFIX, "{WordWidth{!copies || joins}}", "{WordWidth{!copies}}"),
    "message-twice": (PREFIX, "{WordWidth{!copies || joins}}", "{WordWidth{1'b1}}"),
    "words-skipped": (
        PREFIX,
        "passes_on = fetched_q && (!copy_ready_q || copy_taken);",
        "passes_on = fetched_q;",
    ),
    "absorbs-while-it-is-kept": (
        PHASES,
        "last_q && !sponge_i.held && !abort_q &&\n        !keep_i.busy;\n    phase_o.finish",
        "last_q && !sponge_i.held && !abort_q;\n    phase_o.finish",
    ),
    "hash-goes-on": (PHASES, "|| sampled_i || keep_i.completes ||", "|| sampled_i ||"),
    "length-kept": (REGS, "(clear || keep.completes)", "(clear)"),
    "tail-kept": (
        VALUES,
        "TAIL.bits.hwclr = clear_i || event_i.begins || kept_i;",
        "TAIL.bits.hwclr = clear_i || event_i.begins;",
    ),
    "counted-after-a-keep": (VALUES, "clear_i || kept_i ||", "clear_i ||"),
}
"""Faults in the RTL, each of which the bench must find."""


def run_prefix(
    bus: str,
    parameters: Mapping[str, int],
    *,
    files: Mapping[str, str] | None = None,
    count: int = 12,
    arguments: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the bench of prefixes."""
    found = {"read_ram.vlt": READ_RAM, **(files or closure(f"hf_keccak_{bus}"))}
    sizes = dict(parameters) | {"Prefix": 1}
    return run(bus, sizes, count=count, files=found, arguments=arguments, bench=BENCH)


@pytest.mark.parametrize(
    ("bus", "parameters"),
    [
        pytest.param("apb", FULL, id="apb", marks=SLOW),
        pytest.param("axil", FULL, id="axil", marks=SLOW),
        pytest.param("wb", LEAST, id="wb-least", marks=SLOW),
        pytest.param("apb", {**FULL, "StateInBlockRam": 0}, id="apb-without-block-ram", marks=SLOW),
        pytest.param("apb", WORDS, id="apb-words-of-64", marks=SLOW),
        pytest.param("apb", {**FULL, "Engine": SERIAL}, id="apb-serial", marks=SLOW),
        pytest.param("apb", {**LEAST, "Engine": SERIAL}, id="apb-least-serial", marks=SLOW),
        pytest.param("apb", {**LEAST, "Engine": TINY}, id="apb-tiny", marks=SLOW),
    ],
)
def test_prefixes(bus: str, parameters: Mapping[str, int]) -> None:
    """All of the bench, with waits on the bus."""
    run_prefix(bus, parameters).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The bench fails on a fault."""
    path, old, new = MUTANTS[name]
    files = simulation.mutated(closure("hf_keccak_apb"), path, old, new)
    parameters = {**FULL, "Engine": SERIAL} if name.startswith(BY_BYTES) else FULL
    alone = [simulation.NO_ASSERTIONS]
    assert run_prefix("apb", parameters, files=files, count=40, arguments=alone).failures
