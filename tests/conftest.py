"""A toy checkout for the lab's tests: one small design, its targets, nothing else.

And the order of all tests in `make test`, and models with their port checkers. With
HF_NO_MODELS in the environment a test is skipped where it would build or load a model.
"""

import ctypes
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hashfabric.registry import designs
from hashfabric.registry.designs import Variant
from hashfabric.registry.sources import checked
from hashfabric.simulate import library

FIRST = ("test_slots", "test_stream", "test_regs", "test_array", "test_contract")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with long benches first: two workers end together if what is left last is short."""
    items.sort(key=lambda item: item.path.stem not in FIRST)


@pytest.fixture(autouse=True)
def _no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    if "HF_NO_MODELS" not in os.environ:
        return

    def skip(*_: Any, **__: Any) -> None:
        pytest.skip("it goes on with a model")

    monkeypatch.setattr(subprocess, "Popen", skip)
    monkeypatch.setattr(ctypes, "CDLL", skip)


TOY_SV = """\
module toy #(
  parameter int unsigned Step  = 1,
  parameter int unsigned Width = 16
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             en_i,
  input  logic [3:0]       add_i,
  output logic [Width-1:0] count_o,
  output logic             odd_o
);
  always_ff @(posedge clk_i) begin
    if (rst_i) count_o <= '0;
    else if (en_i) count_o <= count_o + Width'(Step) + Width'(add_i);
  end
  assign odd_o = ^count_o;
endmodule
"""

TOY_TOML = """\
name = "toy"
title = "A counter"
family = "keccak"
slots = 1
holds_state = true
clocks_per_block = 24
functions = ["sha3-256", "shake128"]
docs = "docs/toy.md"

[variant.core]
top = "toy"
kind = "engine"
[variant.core.parameters]
Step = 3
Width = 20
"""

ECP5_TOML = """\
name = "ecp5-85k"
title = "Lattice ECP5-85k"
flow = "ecp5"
device = "85k"
package = "CABGA756"
speed = "6"
lut = "LUT4"
synth_options = ["-nowidelut"]
pnr_options = ["--freq", "300"]
seeds = 5
pnr_timeout_s = 600
"""

XC7_TOML = """\
name = "xc7"
title = "Xilinx 7 series"
flow = "xilinx"
family = "xc7"
lut = "LUT6"
synth_options = ["-noiopad"]
"""


@pytest.fixture
def toy_root(tmp_path: Path) -> Path:
    """A checkout with the design `toy` and two targets."""
    shelves = [f"docs/{shelf}" for shelf in ("engines", "integrate", "measure", "reference")]
    for folder in ("rtl", "designs", *shelves, "targets", "papers", "results"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "rtl" / "toy.sv").write_text(TOY_SV, encoding="utf-8")
    (tmp_path / "designs" / "toy.toml").write_text(TOY_TOML, encoding="utf-8")
    (tmp_path / "targets" / "ecp5-85k.toml").write_text(ECP5_TOML, encoding="utf-8")
    (tmp_path / "targets" / "xc7.toml").write_text(XC7_TOML, encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def checked_models() -> Iterator[None]:
    """Put the port checkers into simulated models; `hashfabric` itself builds them without."""

    def read(variant: Variant) -> dict[str, str]:
        return checked(designs.read_sources(variant))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "read_sources", read)
        yield
