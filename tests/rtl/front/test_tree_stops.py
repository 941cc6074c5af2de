"""Open outputs of the tops that hash trees, of which the benches of streams have none."""

import pytest

from hashfabric.models.functions import TREES
from hashfabric.registry.designs import find_design, read_sources
from tests.support import simulation


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "function"),
    [
        ("keccak-parallel", "parallelhashxof128"),
        ("keccak-parallel", "parallelhashxof256"),
        ("keccak-tree", "kt128"),
    ],
)
def test_an_output_that_is_stopped(design: str, function: str) -> None:
    """The output is right up to its end, and so are messages after it."""
    found = find_design(design)
    assert found.tree is not None
    variant = found.variant("stream")
    compiled = simulation.compile_design(variant.top, read_sources(variant), variant.parameters)
    code = TREES[found.tree][function].code
    environment = {"HF_NAME": function, "HF_CODE": str(code)}
    compiled.run("tests.rtl.front.tree_stop_bench", "stops", environment=environment).check()
