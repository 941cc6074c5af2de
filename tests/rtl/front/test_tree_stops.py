"""Open outputs of the tops that hash trees, of which the benches of streams have none."""

import pytest

from hashfabric.models.functions import TREES
from hashfabric.registry.designs import find_design, read_sources
from tests.support import simulation

pytestmark = pytest.mark.slow
PORT = "rtl/front/hf_keccak_tree_port.sv"


def run(
    design: str, function: str, variant: str = "stream", fault: tuple[str, str] | None = None
) -> simulation.Outcome:
    """Run the bench, on a top with a fault in its port to the core if one is given."""
    found = find_design(design)
    assert found.tree is not None
    one = found.variant(variant)
    files = read_sources(one)
    if fault is not None:
        files = simulation.mutated(files, PORT, *fault)
    parameters = one.parameters
    slots, rounds = 4 * int(parameters.get("Rounds", 1)), int(parameters.get("Rounds", 1))
    steps = 12 if found.family == "turboshake" else 24
    environment = {
        "HF_PERIOD": str(slots * steps // rounds),
        "HF_NAME": function,
        "HF_CODE": str(TREES[found.tree][function].code),
        "HF_MESSAGES": str(one.parameters.get("Messages", 1)),
    }
    arguments = [simulation.NO_ASSERTIONS] if fault else []
    return simulation.compile_design(one.top, files, one.parameters).run(
        "tests.rtl.front.tree_stop_bench", "stops", environment=environment, arguments=arguments
    )


@pytest.mark.parametrize(
    ("design", "function", "variant"),
    [
        ("keccak-parallel", "parallelhashxof128", "stream"),
        ("keccak-parallel", "parallelhashxof256", "stream"),
        ("keccak-tree", "kt128", "stream"),
        ("keccak-tree", "kt256", "stream"),
        ("keccak-tree", "kt128", "stream-4-messages"),
    ],
)
def test_an_output_that_is_stopped(design: str, function: str, variant: str) -> None:
    """The output is right up to its end, and so are messages after it."""
    run(design, function, variant).check()


def test_a_request_that_passes_at_once() -> None:
    """Without its filter, a request that is held stops the next output too."""
    fault = ("core_stop_o = Slots'(stop_request);", "core_stop_o = Slots'(stop_i);")
    assert "stops_held" in run("keccak-tree", "kt128", fault=fault).failures


def test_a_request_that_is_lost() -> None:
    """An output that goes on after a stop is a failure, not a bench that waits for ever."""
    fault = ("core_stop_o = Slots'(stop_request);", "core_stop_o = '0;")
    assert "stops" in run("keccak-tree", "kt128", fault=fault).failures
