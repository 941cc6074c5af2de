"""Chains and trees of hashes in hardware."""

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.subjects import SLOW

CHAIN = "rtl/regs/hf_keccak_chain.sv"
MUTANTS = {
    "address-stays": ("else if (chain_begins && i ==", "else if (1'b0 && i =="),
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
        "left_q && !running_q;",
        "left_q && !running_q && !final_q;",
    ),
    "end-too-early": ("done_o  = final_q && !left_q &&", "done_o  = final_q &&"),
    "state-kept": (
        "if (begins || (loaded && first_block) || clear_q) state_q <= '0;\n    else if",
        "if",
    ),
}
"""Faults in the RTL, each of which the bench must find."""


def run(
    value_bytes: int, trees: int = 0, files: dict[str, str] | None = None
) -> simulation.Outcome:
    """Run the bench, with this number of trees of each kind."""
    compiled = simulation.compile_design(
        "hf_keccak_chain",
        files or closure("hf_keccak_chain"),
        {"ValueBytes": value_bytes, "Trees": int(trees > 0)},
    )
    environment = {
        "HF_VALUE_BYTES": str(value_bytes),
        "HF_CHAINS": "60",
        "HF_TREES": str(trees),
    }
    return compiled.run("tests.rtl.regs.chain_bench", "chain", environment=environment)


@pytest.mark.parametrize(
    "value_bytes", [16, pytest.param(24, marks=SLOW), pytest.param(32, marks=SLOW)]
)
def test_chain(value_bytes: int) -> None:
    """Values are those of FIPS 205, at 26 clocks a hash."""
    run(value_bytes).check()


@pytest.mark.parametrize(
    "value_bytes", [16, pytest.param(24, marks=SLOW), pytest.param(32, marks=SLOW)]
)
def test_trees(value_bytes: int) -> None:
    """Roots, and what a signature shows of a leaf, are those of FIPS 205; so are chains."""
    run(value_bytes, trees=12).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The bench fails on a fault."""
    old, new = MUTANTS[name]
    files = simulation.mutated(closure("hf_keccak_chain"), CHAIN, old, new)
    assert run(16, files=files).failures


TREE = "rtl/regs/hf_keccak_chain_tree.sv"
TREE_MUTANTS = {
    "chains-not-counted": (TREE, "chain_q <= chain_q + 1'b1;", "chain_q <= chain_q;"),
    "one-chain-less": (TREE, "7'(NumChains - 1)", "7'(NumChains - 2)"),
    "step-less": (TREE, "LastStep = 14;", "LastStep = 13;"),
    "height-ignored": (
        TREE,
        "at_root_q    <= level_q == height_q;",
        "at_root_q <= level_q == 4'd1;",
    ),
    "key-pair-in-nodes": (TREE, "if (!fors_q) key_pair = '0;", ""),
    "no-key-pair-in-fors": (TREE, "fors_q ? key_pair_i :", "1'b0 ? key_pair_i :"),
    "index-from-zero": (TREE, "leaf_index_q  <= order_i.fors ? reversed(first_leaf_i) : '0;", ""),
    "type-of-secret": (TREE, "fors_q ? ForsSecret : WotsSecret", "WotsSecret"),
    "type-of-node": (TREE, "fors_q ? ForsTree : TreeNode", "TreeNode"),
    "digit-at-once": (TREE, "digits_q[0][3:0] == step_q + 1'b1", "digits_q[0][3:0] == step_q"),
    "digit-of-zero": (TREE, "places.to_kept = digits_q[0][3:0] == '0;", "places.to_kept = 1'b0;"),
    "digits-not-taken": (TREE, "else if (digit_taken) digits_q", "else if (1'b0) digits_q"),
    "digits-of-any-leaf": (
        TREE,
        "step_q == 4'(LastStep) &&\n      of_chosen_q;",
        "step_q == 4'(LastStep);",
    ),
    "halves-not-swapped": (TREE, "{digits_i[8*i+:4], digits_i[8*i+4+:4]}", "digits_i[8*i+:8]"),
    "path-of-own-nodes": (TREE, "(chosen_node_q ^ 16'd1)", "chosen_node_q"),
    "ends-go-on": (TREE, "chain_q == '0) ends_q <= '0;", "chain_q == '0) ends_q <= ends_q;"),
    "kept-goes-on": (TREE, "if (start_i) kept_q <= '0;", "if (1'b0) kept_q <= '0;"),
    "read-goes-on": (TREE, "kept_addr_q  <= '0;", "kept_addr_q <= kept_addr_q;"),
    "kept-readable-after-clear": (TREE, "if (clear_i) readable_q <= 1'b0;\n    else if", "if"),
    "kept-of-a-tree-before": (
        TREE,
        "path_level_q < height_q : kept_q != '0",
        "path_level_q < height_q : 1'b1",
    ),
    "read-after-the-end": (TREE, "in_path_q ? path_level_q < height_q :", "in_path_q ? 1'b1 :"),
    "clear-does-not-end": (
        TREE,
        "if (clear_i) begin\n      busy_q <= 1'b0;",
        "if (1'b0) begin\n      busy_q <= 1'b0;",
    ),
    "compared-too-early": (TREE, "busy_q && settled_q[1]", "busy_q"),
    "secret-kept": (CHAIN, "if (clear) secret_q[i] <= '0;\n        else if", "if"),
    "pair-not-padded": (CHAIN, "block[32*(HeadWords+2*ValueWords)+:32] = Suffix;", ""),
    "left-for-right": (CHAIN, "tree.pair ? left : tree.secret", "tree.pair ? value : tree.secret"),
    "list-not-padded": (CHAIN, "list_word_q <= Suffix;", "list_word_q <= '0;"),
    "list-without-its-end": (CHAIN, "list_word_q <= LastOne;", "list_word_q <= '0;"),
    "constant-lost": (CHAIN, "list_word_q ^ LastConstant[31:0]", "list_word_q"),
    "upper-constant-lost": (CHAIN, "list_word_q ^ LastConstant[63:32]", "list_word_q"),
    "first-block-not-alone": (CHAIN, "if (loaded) first_q <= 1'b0;", ""),
    "block-less": (CHAIN, "blocks_q <= 5'(NumBlocks);", "blocks_q <= 5'(NumBlocks - 1);"),
    "loads-after-clear": (
        CHAIN,
        "if (clear) begin\n        loads_q  <= 1'b0;",
        "if (1'b0) begin\n        loads_q  <= 1'b0;",
    ),
}
"""Faults in what only trees have."""


@pytest.mark.slow
@pytest.mark.parametrize("name", TREE_MUTANTS)
def test_mutants_of_trees_are_caught(name: str) -> None:
    """The bench with trees fails on a fault, or does not end."""
    path, old, new = TREE_MUTANTS[name]
    assert run(16, 12, simulation.mutated(closure("hf_keccak_chain"), path, old, new)).failures


REGS = "rtl/regs/hf_keccak_chain_regs.sv"
REGS_MUTANTS = {
    "command-while-busy": (REGS, "!clear && whole && !busy;", "!clear && whole;"),
    "prefix-while-busy": (REGS, "(prefix && whole && !busy)", "(prefix && whole)"),
    "address-while-busy": (REGS, "(address && whole && !busy)", "(address && whole)"),
    "value-readable-while-busy": (REGS, "busy ? '0 : 256'(value)", "256'(value)"),
    "read-while-busy-not-reported": (REGS, "((value_read || kept_read) && busy) ||", ""),
    "part-not-reported": (REGS, "(busy || !whole));", "busy);"),
    "height-not-checked": (REGS, "&& tree_order.height != '0;", ";"),
    "secret-while-busy": (REGS, "(secret && whole && !busy)", "(secret && whole)"),
    "digits-while-busy": (REGS, "(digits && whole && !busy)", "(digits && whole)"),
    "tree-while-busy": (REGS, "tree && whole && !busy &&", "tree && whole &&"),
    "signature-while-busy": (REGS, "kept_busy_q ? '0 : kept", "kept"),
    "signature-moves-while-busy": (REGS, "kept_read_q[2] && !kept_busy_q", "kept_read_q[2]"),
    "signature-read-at-once": (REGS, "rd_ack = kept_read_q[2];", "rd_ack = kept_read_q[0];"),
    "interrupt-not-masked": (REGS, "done.value && regs_i.INTR_ENABLE.done.value)", "done.value)"),
    "done-not-reported": (REGS, "INTR_STATE.done.hwset = done;", "INTR_STATE.done.hwset = 1'b0;"),
    "chosen-without-trees": (REGS, "CHOSEN.leaf.swwe = Trees;", "CHOSEN.leaf.swwe = 1'b1;"),
    "chain-in-the-tree": (TREE, "begins = begins_i && busy_q;", "begins = begins_i;"),
    "chain-kept": (TREE, "begins ? places : '0;", "places;"),
    "signature-wraps": (
        TREE,
        "kept_next_i && kept_valid_o && !in_path_q",
        "kept_next_i && !in_path_q",
    ),
}
"""Faults in what the registers do."""


def run_regs(
    bus: str, value_bytes: int, trees: int = 0, files: dict[str, str] | None = None
) -> simulation.Outcome:
    """Run the bench of the registers, with this number of trees."""
    top = f"hf_keccak_chain_{bus}"
    parameters = {"ValueBytes": value_bytes, "Trees": int(trees > 0)}
    compiled = simulation.compile_design(top, files or closure(top), parameters)
    environment = {
        "HF_BUS": bus,
        "HF_VALUE_BYTES": str(value_bytes),
        "HF_CHAINS": "20",
        "HF_TREES": str(trees),
        "HF_WAITS": "0.3",
    }
    return compiled.run("tests.rtl.regs.chain_regs_bench", "chain_regs", environment=environment)


@pytest.mark.parametrize(
    ("bus", "value_bytes", "trees"),
    [
        ("apb", 16, 0),
        ("apb", 16, 6),
        pytest.param("apb", 24, 0, marks=SLOW),
        pytest.param("axil", 16, 6, marks=SLOW),
        pytest.param("wb", 16, 6, marks=SLOW),
        pytest.param("axil", 32, 0, marks=SLOW),
        pytest.param("apb", 32, 6, marks=SLOW),
    ],
)
def test_registers(bus: str, value_bytes: int, trees: int) -> None:
    """Chains and trees by registers; errors, interrupts, `clear`."""
    run_regs(bus, value_bytes, trees).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", REGS_MUTANTS)
def test_mutants_of_the_registers_are_caught(name: str) -> None:
    """The bench of the registers fails on a fault."""
    path, old, new = REGS_MUTANTS[name]
    files = simulation.mutated(closure("hf_keccak_chain_apb"), path, old, new)
    trees = 0 if name == "chosen-without-trees" else 6
    assert run_regs("apb", 16, trees, files).failures
