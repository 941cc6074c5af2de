"""The Keccak peripheral on its buses: hashes, save and restore, registers, bad software."""

from collections.abc import Mapping, Sequence

import pytest

import simulation
from hashfabric.registry.sources import closure
from subjects import SLOW

FULL = {"MessageWords": 16, "DigestWords": 16, "Stream": 1}
LEAST = {"MessageWords": 0, "DigestWords": 1, "Stream": 0}


def run(  # noqa: PLR0913 - one parameter a property of the run
    bus: str,
    parameters: Mapping[str, int],
    *,
    count: int,
    waits: float = 0.3,
    files: Mapping[str, str] | None = None,
    tests: str | None = None,
    arguments: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the bench on the peripheral with this bus."""
    top = f"hf_keccak_{bus}"
    compiled = simulation.compile_design(
        top, closure(top) if files is None else files, dict(parameters)
    )
    environment = {
        "HF_BUS": bus,
        "HF_MESSAGE_WORDS": str(parameters["MessageWords"]),
        "HF_DIGEST_WORDS": str(parameters["DigestWords"]),
        "HF_STREAM": str(parameters["Stream"]),
        "HF_WAITS": str(waits),
        "HF_COUNT": str(count),
    }
    return compiled.run(
        "regs_bench", "regs", environment=environment, tests=tests, arguments=arguments
    )


@pytest.mark.parametrize(
    ("bus", "parameters"),
    [
        pytest.param("axil", FULL, id="axil"),
        pytest.param("apb", FULL, id="apb"),
        pytest.param("wb", LEAST, id="wb-least"),
        pytest.param("axil", LEAST, id="axil-least", marks=SLOW),
        pytest.param("apb", LEAST, id="apb-least", marks=SLOW),
        pytest.param("wb", FULL, id="wb", marks=SLOW),
        pytest.param(
            "apb",
            {"MessageWords": 2, "DigestWords": 64, "Stream": 1},
            id="apb-uneven",
            marks=SLOW,
        ),
    ],
)
def test_peripheral(bus: str, parameters: Mapping[str, int]) -> None:
    """All of the bench, with waits on the bus."""
    run(bus, parameters, count=60).check()


@pytest.mark.parametrize("parameters", [FULL, LEAST], ids=["full", "least"])
@pytest.mark.parametrize(
    "count", [pytest.param(5_000, id="some"), pytest.param(100_000, id="many", marks=SLOW)]
)
def test_bad_software(parameters: Mapping[str, int], count: int) -> None:
    """Random accesses never hang it nor leave anything in it; commands in any order neither."""
    run("apb", parameters, count=count, waits=0.05, tests="any_order").check()
