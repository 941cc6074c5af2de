"""The engines of the word contract under the word bench; broken engines must not pass it."""

from collections.abc import Sequence

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.subjects import SLOW
from tests.support.word_contract import Subject, WordClocks, adapter_clocks

ADAPTER = "hf_keccak_word_adapter"
REFERENCE = "hf_word_reference"


def run(
    subject: Subject, *, tests: str | None = None, arguments: Sequence[str] = ()
) -> simulation.Outcome:
    """Run the word bench on an engine."""
    files = closure(subject.top)
    compiled = simulation.compile_design(subject.top, files, subject.parameters)
    return compiled.run(
        "tests.rtl.engines.word_bench",
        "words",
        environment=subject.environment,
        tests=tests,
        arguments=arguments,
    )


def reference(width: int, accepts_adds: int) -> Subject:
    """Return the plain engine."""
    clocks = WordClocks(block=30, add=2, read=3, permute=4, wipe=5)
    parameters = {
        "WordWidth": width,
        "AcceptsAdds": accepts_adds,
        "BlockClocks": clocks.block,
        "AddClocks": clocks.add,
        "ReadClocks": clocks.read,
        "PermuteClocks": clocks.permute,
        "WipeClocks": clocks.wipe,
    }
    return Subject(REFERENCE, clocks, parameters)


@pytest.mark.parametrize(
    ("width", "accepts_adds"),
    [
        pytest.param(32, 1),
        pytest.param(8, 1, marks=SLOW),
        pytest.param(16, 0, marks=SLOW),
        pytest.param(64, 0, marks=SLOW),
        pytest.param(64, 1, marks=SLOW),
    ],
)
def test_plain_engines_pass(width: int, accepts_adds: int) -> None:
    """With and without adds during a permutation."""
    run(reference(width, accepts_adds)).check()


@pytest.mark.parametrize(
    ("width", "rounds"),
    [
        pytest.param(32, 1),
        pytest.param(8, 1, marks=SLOW),
        pytest.param(16, 1, marks=SLOW),
        pytest.param(64, 1, marks=SLOW),
        pytest.param(32, 8, marks=SLOW),
        pytest.param(64, 12, marks=SLOW),
        pytest.param(32, 24, marks=SLOW),
    ],
)
def test_adapter(width: int, rounds: int) -> None:
    """hf_keccak_iterative as an engine of the word contract, every wait as its formula says."""
    parameters = {"WordWidth": width, "RoundsPerClock": rounds}
    run(Subject(ADAPTER, adapter_clocks(parameters), parameters)).check()
