"""The Keccak peripheral under a bench: its sizes and a run."""

from collections.abc import Mapping, Sequence

from hashfabric.registry.sources import closure
from tests.support import simulation

ITERATIVE, SERIAL, TINY = range(3)
"""Codes of the engines (rtl/regs/hf_keccak_regs_pkg.sv)."""
FULL = {"MessageWords": 16, "DigestWords": 16, "Stream": 1, "Run": 1, "Engine": ITERATIVE}
WORDS = {**FULL, "WordWidth": 64}
"""With words of 64 bits inside."""
LEAST = {"MessageWords": 0, "DigestWords": 1, "Stream": 0, "Run": 0, "Engine": ITERATIVE}


def run(  # noqa: PLR0913 - one parameter a property of the run
    bus: str,
    parameters: Mapping[str, int],
    *,
    count: int,
    waits: float = 0.3,
    files: Mapping[str, str] | None = None,
    tests: str | None = None,
    arguments: Sequence[str] = (),
    bench: str = "tests.rtl.regs.regs_bench",
) -> simulation.Outcome:
    """Run the bench on the peripheral with this bus."""
    top = f"hf_keccak_{bus}"
    compiled = simulation.compile_design(
        top, closure(top) if files is None else files, dict(parameters)
    )
    environment = {
        "HF_BUS": bus.removesuffix("_checked"),
        "HF_MESSAGE_WORDS": str(parameters["MessageWords"]),
        "HF_DIGEST_WORDS": str(parameters["DigestWords"]),
        "HF_STREAM": str(parameters["Stream"]),
        "HF_RUN": str(parameters["Run"]),
        "HF_SAMPLER": str(parameters.get("Sampler", 0)),
        "HF_PREFIX": str(parameters.get("Prefix", 0)),
        "HF_ENGINE": str(parameters["Engine"]),
        "HF_WORD": str(parameters.get("WordWidth", 32)),
        "HF_WAITS": str(waits),
        "HF_COUNT": str(count),
    }
    name = bench.rpartition(".")[2].removesuffix("_bench")
    return compiled.run(bench, name, environment=environment, tests=tests, arguments=arguments)
