"""`systems/rtl/`: units for a processor against models, and adapters by their interfaces' rules.

PCPI's adapter is checked on its processor (tests/systems/test_system.py).
"""

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.systems.units import UNITS

CFU = """\
module hf_adapted_cfu (
    input  logic        clk_i, rst_i, cmd_valid_i, rsp_ready_i,
    input  logic [ 9:0] cmd_function_i,
    input  logic [31:0] rs1_i, rs2_i,
    output logic        cmd_ready_o, rsp_valid_o,
    output logic [31:0] rsp_output_o
);
  logic valid, known, ready;
  logic [9:0] fn;
  logic [31:0] rd;
  hf_unit_cfu u_adapter (
      .*, .unit_valid_o(valid), .unit_function_o(fn), .unit_known_i(known),
      .unit_ready_i(ready), .unit_rd_i(rd)
  );
  UNIT u_unit (
      .*, .valid_i(valid), .function_i(fn), .known_o(known), .ready_o(ready), .rd_o(rd)
  );
endmodule
"""
CVXIF = """\
module hf_adapted_cvxif #(parameter bit Split = 1'b1) (
    input  logic clk_i, rst_i, issue_valid_i, register_valid_i, commit_valid_i, commit_kill_i,
    input  logic result_ready_i,
    input  logic [31:0] issue_instr_i, register_rs1_i, register_rs2_i,
    input  logic [3:0] issue_id_i, register_id_i, commit_id_i,
    input  logic [1:0] register_rs_valid_i,
    output logic issue_ready_o, issue_accept_o, issue_writeback_o, register_ready_o,
    output logic [1:0] issue_register_read_o,
    output logic result_valid_o, result_we_o,
    output logic [3:0] result_id_o,
    output logic [4:0] result_rd_o,
    output logic [31:0] result_data_o
);
  logic valid, known, ready;
  logic [9:0] fn;
  logic [31:0] rd, rs1, rs2;
  hf_unit_cvxif #(.Split(Split)) u_adapter (
      .*, .unit_valid_o(valid), .unit_function_o(fn), .unit_rs1_o(rs1), .unit_rs2_o(rs2),
      .unit_known_i(known), .unit_ready_i(ready), .unit_rd_i(rd)
  );
  UNIT u_unit (
      .*, .valid_i(valid), .function_i(fn), .rs1_i(rs1), .rs2_i(rs2), .known_o(known),
      .ready_o(ready), .rd_o(rd)
  );
endmodule
"""
WRAPPERS = {"cfu": CFU, "cvxif": CVXIF}
slow = pytest.mark.slow


def files_of(unit: str, bench: str) -> dict[str, str]:
    """Return the unit's files, and those of the adapter that the bench is for."""
    files = closure(unit)
    if bench != "unit":
        files |= closure(f"hf_unit_{bench}")
        files["wrapper.sv"] = WRAPPERS[bench].replace("UNIT", unit)
    return files


def run(
    unit: str,
    bench: str = "unit",
    *,
    split: bool = True,
    instructions: int = 1000,
    files: dict[str, str] | None = None,
) -> simulation.Outcome:
    """Run a bench on a unit, or on an adapter with the unit at it."""
    top = unit if bench == "unit" else f"hf_adapted_{bench}"
    parameters = {"Split": split} if bench == "cvxif" else {}
    compiled = simulation.compile_design(top, files or files_of(unit, bench), parameters)
    environment = {
        "HF_UNIT": unit,
        "HF_INSTRUCTIONS": str(instructions),
        "HF_SPLIT": str(int(split)),
    }
    return compiled.run(
        "tests.systems.units_bench", bench, environment=environment, tests=f"{bench}$"
    )


@pytest.mark.parametrize(
    ("unit", "instructions"),
    [(unit, 200) for unit in UNITS] + [pytest.param(unit, 20000, marks=slow) for unit in UNITS],
)
def test_units(unit: str, instructions: int) -> None:
    """Every function; instructions in any order against the model, none longer than it may be."""
    run(unit, instructions=instructions).check()


@pytest.mark.parametrize(
    ("bench", "unit", "split"),
    [
        ("cfu", "hf_unit_xor", True),
        pytest.param("cfu", "hf_unit_state", True, marks=slow),
        ("cvxif", "hf_unit_xor", True),
        pytest.param("cvxif", "hf_unit_state", False, marks=slow),
        pytest.param("cvxif", "hf_unit_state", True, marks=slow),
    ],
)
def test_adapters(bench: str, unit: str, split: bool) -> None:
    """Whatever the processor does by the rules, no instruction is lost, doubled or hangs."""
    run(unit, bench, split=split, instructions=600).check()


UNIT_MUTANTS = [
    ("rotate", "amount[5] ^ !function_i[0]", "!function_i[0]"),
    ("rotate", "words[63:17]", "words[62:16]"),
    ("rotate", "{rs1_i, rs2_i} : {rs2_i, rs1_i}", "{rs1_i, rs1_i} : {rs2_i, rs1_i}"),
    ("rotate", "!function_i[9] && ", ""),
    ("xor", "op == OpXorRotate) high_q", "op == OpLow) high_q"),
    ("xor", "low_q ^ (~rs1_i & rs2_i)", "low_q ^ (rs1_i & rs2_i)"),
    ("xor", "op == OpChi) low_q", "valid_i && op == OpChi && rs1_i[0]) low_q"),
    ("xor", "function_i[9:3] == '0", "function_i[8:3] == '0"),
    ("pairs", "& row_q[2])", "& row_q[3])"),
    ("pairs", "known_o && !gathered_q", "known_o"),
    ("pairs", "if (rst_i || do_theta) parity_q", "if (rst_i) parity_q"),
    ("pairs", "5'b10000 && function_i[2:0] == Control", "5'b10000 && function_i[2:0] >= Control"),
    ("state", "valid_i && known_o && !done_q", "valid_i && !done_q"),
    ("state", "begun_q && !at_home)", "begun_q && !at_home && turn_q != 5'd7)"),
    ("state", "round_q == round_t'(NumRounds - 1)", "round_q == round_t'(NumRounds - 2)"),
    ("state", "if (clear_q) turn_q <= '0;", "if (1'b0) turn_q <= '0;"),
    ("state", "op == OpAbsorb) moved", "op != OpHigh) moved"),
    ("state", "      begun_q <= 1'b0;\n", ""),
]
ADAPTER_MUTANTS = [
    ("cfu", "(unit_ready_i || !unit_known_i)", "unit_ready_i"),
    ("cfu", "unit_known_i ? unit_rd_i : '0", "unit_rd_i"),
    ("cfu", "cmd_valid_i && !pending_q", "cmd_valid_i"),
    ("cfu", "else if (rsp_ready_i)", "else"),
    ("cvxif", "issue_instr_i[6:0] == Custom0", "issue_instr_i[4:0] == Custom0[4:0]"),
    ("cvxif", "commits && commit_kill_i && !committed_q", "1'b0"),
    ("cvxif", "commit_valid_i && commit_id_i ==", "commit_valid_i || commit_id_i =="),
    ("cvxif", "register_rs_valid_i == 2'b11", "register_rs_valid_i[0]"),
    ("cvxif", "operands_q && committed_q && !done_q", "operands_q && !done_q"),
    ("cvxif", "committed_q && !done_q", "committed_q"),
    ("cvxif", "assign ends = done_q && result_ready_i", "assign ends = done_q"),
    ("cvxif", "!here_q && (Split", "(Split"),
]


@pytest.mark.parametrize(
    ("unit", "old", "new"),
    [UNIT_MUTANTS[0], *[pytest.param(*one, marks=slow) for one in UNIT_MUTANTS[1:]]],
)
def test_mutants_of_units_are_caught(unit: str, old: str, new: str) -> None:
    """One fault in a unit."""
    name = f"hf_unit_{unit}"
    files = simulation.mutated(files_of(name, "unit"), f"systems/rtl/{name}.sv", old, new)
    assert run(name, files=files, instructions=3000).failures


@slow
@pytest.mark.parametrize(("bench", "old", "new"), ADAPTER_MUTANTS)
def test_mutants_of_adapters_are_caught(bench: str, old: str, new: str) -> None:
    """One fault in an adapter."""
    path = f"systems/rtl/hf_unit_{bench}.sv"
    files = simulation.mutated(files_of("hf_unit_state", bench), path, old, new)
    assert run("hf_unit_state", bench, files=files, instructions=2000).failures
