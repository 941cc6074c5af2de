"""The Keccak peripheral with a DMA master under its bench."""

from collections.abc import Mapping, Sequence

from hashfabric.registry.sources import closure
from tests.support import simulation

BENCH = "tests.rtl.regs.dma_bench"


def run(  # noqa: PLR0913 - one parameter a property of the run
    bus: str,
    *,
    count: int,
    waits: float = 0.3,
    burst: int = 16,
    parameters: Mapping[str, int] | None = None,
    files: Mapping[str, str] | None = None,
    tests: str | None = None,
    arguments: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the bench on the peripheral with this bus."""
    top = f"hf_keccak_{bus}_dma"
    given = {"BurstWords": burst, "BufferWords": 64 if bus == "axi" else 2 * burst}
    compiled = simulation.compile_design(
        top, closure(top) if files is None else files, given | dict(parameters or {})
    )
    environment = {
        "HF_BUS": bus,
        "HF_WAITS": str(waits),
        "HF_COUNT": str(count),
        "HF_BURST": str(burst),
        "HF_WIDTH": str((parameters or {}).get("DataWidth", 32)),
        "HF_WORD": str((parameters or {}).get("WordWidth", 32)),
        "HF_ENGINE": str((parameters or {}).get("Engine", 0)),
    }
    return compiled.run(BENCH, "dma", environment=environment, tests=tests, arguments=arguments)
