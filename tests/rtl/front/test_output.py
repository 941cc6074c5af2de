"""Only `hf_keccak_digest_output`: every width of the port with every width of the store."""

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.streams import ON_ECP5
from tests.support.subjects import SLOW

EMITTER = "rtl/front/hf_keccak_digest_emitter.sv"
DIGESTS = "rtl/front/hf_keccak_digest_queue.sv"


def run(  # noqa: PLR0913 - all but the widths may be left out
    port: int,
    store: int,
    *,
    slots: int = 4,
    delay: int = 3,
    ecp5: bool = False,
    files: dict[str, str] | None = None,
) -> simulation.Outcome:
    """Run the bench with these parameters."""
    parameters = {
        **{"PortWidth": port, "WordWidth": store, "Slots": slots, "DataDelay": delay},
        "TidWidth": 5,
    }
    compiled = simulation.compile_design(
        "hf_keccak_digest_output",
        files or closure("hf_keccak_digest_output"),
        parameters,
        ON_ECP5 if ecp5 else [],
    )
    environment = {"HF_DATA_DELAY": str(delay), "HF_STATES": "150"}
    return compiled.run("tests.rtl.front.output_bench", "output", environment=environment)


@SLOW
@pytest.mark.parametrize(
    ("port", "store", "slots", "delay", "ecp5"),
    [
        pytest.param(64, 128, 4, 3, False),
        pytest.param(64, 128, 4, 3, True),
        pytest.param(64, 256, 3, 2, True),
        pytest.param(64, 512, 16, 1, False),
        pytest.param(64, 64, 2, 0, True),
        pytest.param(128, 128, 5, 0, False),
        pytest.param(128, 256, 8, 3, True),
        pytest.param(128, 512, 6, 3, False),
        pytest.param(256, 256, 8, 4, True),
        pytest.param(256, 512, 9, 3, False),
        pytest.param(512, 512, 4, 3, True),
    ],
)
def test_output(*, port: int, store: int, slots: int, delay: int, ecp5: bool) -> None:
    """Digests come whole, in order and in time, and what is restored is what left."""
    run(port, store, slots=slots, delay=delay, ecp5=ecp5).check()


@SLOW
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(
            *(EMITTER, "d_i(word_part_q[4])", "d_i(word_part_q[3])"), id="part-a-clock-early"
        ),
        pytest.param(*(DIGESTS, "!take_job && !take_job_q &&", "!take_job &&"), id="job-early"),
        pytest.param(
            "rtl/common/hf_axis_queue.sv",
            *(".out_i       (moves[i])", ".out_i       (1'b1)"),
            id="port-moves-on",
        ),
        pytest.param(
            *("rtl/common/hf_axis_queue.sv", "|count_q[Bits-1:1];", "|count_q;"),
            id="queue-never-empty",
        ),
        pytest.param(
            *(
                DIGESTS,
                "beat_plus_three_q == emit_entry_q.beat_count",
                "beat_plus_two_q == emit_entry_q.beat_count",
            ),
            id="a-word-more",
        ),
    ],
)
def test_mutants_are_caught(path: str, old: str, new: str) -> None:
    """The bench fails on a fault."""
    files = simulation.mutated(closure("hf_keccak_digest_output"), path, old, new)
    assert run(64, 128, files=files).failures
