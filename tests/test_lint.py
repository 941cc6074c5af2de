"""The RTL's lint finds what is wrong, by both linters, and is content with what is right."""

import re
from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.commands import lint


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


ATTRIBUTES = {
    "rtl/keccak/hf_keccak_array_core.sv": ['keep_hierarchy = "yes"'],
    "rtl/keccak/hf_keccak_constants.sv": ['keep = "true", dont_touch = "true"'],
}
"""Those outside rtl/prim: mapping takes a core of the array at a time; a paper's constants are in
registers that no tool may turn into a ROM.
"""


def attributes(root: Path) -> dict[str, list[str]]:
    """Return the attributes in each file of the RTL that has some, but for rtl/prim."""
    found = {}
    for path in sorted((root / "rtl").rglob("*.sv")):
        texts = re.findall(r"\(\*(?!\))(.*?)\*\)", path.read_text(encoding="utf-8"), re.DOTALL)
        if texts and path.parent.name != "prim":
            found[path.relative_to(root).as_posix()] = [text.strip() for text in texts]
    return found


def test_what_depends_on_the_technology_is_in_prim(toy_root: Path) -> None:
    """Attributes that speak to a tool are in rtl/prim, or are one of the two above."""
    assert attributes(ROOT) == ATTRIBUTES
    path = toy_root / "rtl" / "toy.sv"
    text = path.read_text(encoding="utf-8")
    path.write_text(f'(* ram_style = "block" *)\n{text}', encoding="utf-8")
    assert attributes(toy_root) == {"rtl/toy.sv": ['ram_style = "block"']}
