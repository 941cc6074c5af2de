"""The package's functions against the golden model; the model's constants against hashlib."""

import hashlib

import pytest

from hashfabric.models import functions, keccak
from tests.support import simulation

PACKAGE = "rtl/keccak/hf_keccak_pkg.sv"
PROBE = "tests/checkers/hf_keccak_pkg_probe.sv"


def run(files: dict[str, str]) -> simulation.Outcome:
    """Run the unit bench on this text of the package."""
    compiled = simulation.compile_design("hf_keccak_pkg_probe", files)
    return compiled.run("tests.rtl.front.package_bench", "package", environment={})


def test_package() -> None:
    """Every function at every grain is right."""
    run(simulation.read_files([PACKAGE, PROBE])).check()


def test_the_model_is_keccak() -> None:
    """What the benches compare with agrees with hashlib, squeezing included."""
    for size in (0, 135, 136, 137, 1000):
        data = bytes(size)
        sha3 = keccak.digest(functions.find("sha3-256"), data)
        assert sha3 == hashlib.sha3_256(data).digest()
        shake = keccak.digest(functions.find("shake128"), data, output_bits=8 * 500)
        assert shake == hashlib.shake_128(data).digest(500)


@pytest.mark.parametrize(
    ("old", "new", "caught_by"),
    [
        pytest.param(
            *("x = y;\n      y = y_next;", "y = y_next;\n      x = y;", "rho_offsets"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *("a[x][(x+3*y)%5]", "a[x][(x+2*y)%5]", "planes_and_lanes"), marks=pytest.mark.slow
        ),
        pytest.param(
            "FnSha3_384, FnKeccak384:           info.rate_lanes = 5'd13",
            "FnSha3_384, FnKeccak384:           info.rate_lanes = 5'd12",
            "function_table",
            marks=pytest.mark.slow,
        ),
        pytest.param(" || code == FnCshake256", "", "function_table", marks=pytest.mark.slow),
        pytest.param(
            *("5'b00100;  // 00,", "5'b00110;  // 00,", "function_table"), marks=pytest.mark.slow
        ),
    ],
)
def test_mutants_are_caught(old: str, new: str, caught_by: str) -> None:
    """The bench fails on a package with one fault in it."""
    files = simulation.mutated(simulation.read_files([PACKAGE, PROBE]), PACKAGE, old, new)
    assert caught_by in run(files).failures
