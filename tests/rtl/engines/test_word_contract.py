"""The engines of the word contract under the word bench; broken engines must not pass it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from hashfabric.registry.designs import read_sources
from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.subjects import SLOW, marks
from tests.support.word_contract import (
    ADAPTER,
    FAULTS,
    SERIAL,
    WORD_ENGINES,
    Subject,
    adapter,
    reference,
    serial,
)


def run(
    subject: Subject,
    files: Mapping[str, str] | None = None,
    *,
    name: str = "words",
    tests: str | None = None,
    arguments: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the word bench on an engine, built from `files` where they are given.

    Runs of one build at the same time need different names.
    """
    files = closure(subject.top) if files is None else files
    compiled = simulation.compile_design(subject.top, files, subject.parameters)
    return compiled.run(
        "tests.rtl.engines.word_bench",
        name,
        environment=subject.environment,
        tests=tests,
        arguments=arguments,
    )


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=marks(variant)) for name, (_, variant) in WORD_ENGINES.items()],
)
def test_engine(name: str) -> None:
    """The engine keeps the word contract, with the registry's clocks."""
    _, variant = WORD_ENGINES[name]
    run(Subject.of(*WORD_ENGINES[name]), read_sources(variant)).check()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if variant.suite == "short" else SLOW)
        for name, (_, variant) in WORD_ENGINES.items()
        if variant.suite != "quick"
    ],
)
def test_engine_in_short(name: str) -> None:
    """The same for an engine whose whole test is a slow one: a few tests of the bench."""
    _, variant = WORD_ENGINES[name]
    subject = Subject.of(*WORD_ENGINES[name])
    run(
        subject, read_sources(variant), name="short", tests="every_word|known_states|back_to_back"
    ).check()


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
    run(adapter(width, rounds)).check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slices", "width", "block_ram"),
    [
        (1, 8, 0),
        (2, 16, 0),
        (2, 64, 1),
        (4, 8, 0),
        (4, 8, 1),
        (4, 16, 0),
        (4, 64, 0),
        (8, 16, 1),
        (8, 32, 0),
        (16, 32, 0),
        (16, 64, 1),
    ],
)
def test_serial(slices: int, width: int, block_ram: int) -> None:
    """hf_keccak_serial in its other forms: any number of slices, any word, either memory."""
    run(serial(slices, width, block_ram)).check()


SERIAL_MUTANTS = [
    pytest.param("2 * Groups - m - 4", "2 * Groups - 4", "known_states", id="no-move"),
    pytest.param("if (zero_state || zero_q) iota_q", "if (zero_state) iota_q", "wipes", id="iota"),
    pytest.param(
        "clear_q       <= (pass_q == PassWipe || first_round_q)",
        "clear_q       <= (pass_q == PassWipe)",
        "adds_between_permutations",
        id="block-stays",
    ),
    pytest.param(
        "clear_q       <= (pass_q == PassWipe || first_round_q)",
        "clear_q       <= first_round_q",
        "wipes",
        id="block-not-wiped",
    ),
    pytest.param("(op_lane == lane_q && op_add", "(op_add", "every_word", id="any-lane"),
    pytest.param(
        "zero_state = pass_q == PassWipe || (pass_q == PassAccess && add_q)",
        "zero_state = pass_q == PassWipe",
        "adds_twice",
        id="adds-the-state",
    ),
    pytest.param("if (!word_done) pass_d", "pass_d", "longest_waits", id="a-pass-for-nothing"),
    pytest.param("first_round_q <= 1'b1;", "first_round_q <= 1'b0;", "known_states", id="no-block"),
]
"""Faults of hf_keccak_serial, each with the test of the bench that reports it."""


@pytest.mark.parametrize(
    ("old", "new", "test"),
    [
        pytest.param(*mutant.values, id=mutant.id, marks=[] if number < 1 else SLOW)
        for number, mutant in enumerate(SERIAL_MUTANTS)
    ],
)
def test_mutants_of_serial_are_caught(old: str, new: str, test: str) -> None:
    """The bench fails on a serial engine with one fault in it."""
    files = simulation.mutated(closure(SERIAL), "rtl/keccak/hf_keccak_serial.sv", old, new)
    outcome = run(serial(4, 32), files, tests=test, arguments=[simulation.NO_ASSERTIONS])
    assert outcome.failures.keys() == {test}, outcome.failures


MUTANTS = {
    "FaultWrites": "adds_twice",
    "FaultLastWord": "every_word",
    "FaultHighByte": "every_byte",
    "FaultLateRead": "every_word",
    "FaultEarlyRead": "reads_after_a_permutation",
    "FaultOneRoundLess": "known_hashes",
    "FaultLostAdds": "adds_between_permutations",
    "FaultAddsTwice": "adds_between_permutations",
    "FaultWipeLeavesWord": "wipes",
    "FaultWipeLeavesAdds": "wipes",
    "FaultWipeIsEarly": "wipes",
    "FaultReset": "resets",
    "FaultIgnoresValid": "fields_of_no_offer",
    "FaultSlowAdd": "longest_waits",
    "FaultSlowRead": "longest_waits",
    "FaultSlowWipe": "longest_waits",
    "FaultSlowPermute": "longest_waits",
    "FaultSlowBlock": "back_to_back",
    "FaultQuickBlock": "back_to_back",
}
"""The faults of the plain engine, each with the test of the bench that reports it."""


def test_every_fault_is_a_mutant() -> None:
    """Every fault of the plain engine has a test that reports it."""
    assert list(MUTANTS) == FAULTS[1:]


QUICK = ("FaultWrites", "FaultLateRead", "FaultOneRoundLess", "FaultWipeLeavesWord", "FaultSlowAdd")
"""One fault of each kind for the quick run."""


@pytest.mark.parametrize(
    "fault", [pytest.param(one, marks=[] if one in QUICK else SLOW) for one in MUTANTS]
)
def test_mutants_are_caught(fault: str) -> None:
    """The bench fails on an engine with one fault in it, without the help of the assertions."""
    arguments = [simulation.NO_ASSERTIONS, f"+fault={FAULTS.index(fault)}"]
    outcome = run(reference(32, 1), name=fault, tests=MUTANTS[fault], arguments=arguments)
    assert outcome.failures.keys() == {MUTANTS[fault]}, outcome.failures


@pytest.mark.parametrize(
    "kind",
    ["add", *(pytest.param(kind, marks=SLOW) for kind in ("read", "permute", "wipe"))],
)
def test_waits_must_be_exact(kind: str) -> None:
    """A stated wait that no operation has is caught."""
    subject = reference(32, 1)
    waits = subject.waits.model_copy(update={kind: getattr(subject.waits, kind) + 1})
    outcome = run(replace(subject, waits=waits), name=f"exact-{kind}", tests="longest_waits")
    assert outcome.failures.keys() == {"longest_waits"}, outcome.failures


@pytest.mark.parametrize("clocks", [-1, 1])
def test_the_interval_must_be_exact(clocks: int) -> None:
    """Other clocks from a permutation to the next one are caught."""
    subject = reference(32, 1)
    wrong = replace(subject, block=subject.block + clocks)
    outcome = run(wrong, name=f"interval-{clocks}", tests="back_to_back")
    assert outcome.failures.keys() == {"back_to_back"}, outcome.failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "test"),
    [
        pytest.param("if (begins || clears) ring_q", "if (begins) ring_q", "wipes", id="ring-left"),
        pytest.param(
            "if (begins || clears) ring_q", "if (clears) ring_q", "back_to_back", id="ring-twice"
        ),
        pytest.param("passed_q && !fresh;", "passed_q;", "reads_after_a_permutation", id="fresh"),
        pytest.param(".blk_first_i(!fresh)", ".blk_first_i(1'b1)", "back_to_back", id="first"),
        pytest.param("(rst_i || wiped_q)", "(rst_i)", "wipes", id="not-restarted"),
        pytest.param("(permute && head_q != '0)", "1'b0", "longest_waits", id="does-not-turn"),
        pytest.param("!busy_q || st_valid;", "1'b1;", "known_states", id="does-not-wait"),
        pytest.param("!busy_q || st_valid;", "!busy_q;", "back_to_back", id="a-clock-late"),
        pytest.param("engine_q << 1;", "engine_q;", "known_states", id="engine-word"),
    ],
)
def test_mutants_of_the_adapter_are_caught(old: str, new: str, test: str) -> None:
    """The bench fails on an adapter with one fault in it."""
    subject = adapter(32, 1)
    files = simulation.mutated(closure(ADAPTER), "rtl/keccak/hf_keccak_word_adapter.sv", old, new)
    outcome = run(subject, files, tests=test, arguments=[simulation.NO_ASSERTIONS])
    assert outcome.failures.keys() == {test}, outcome.failures


@pytest.mark.parametrize(("name", "value"), [("WordWidth", 24), ("RoundsPerClock", 5)])
def test_impossible_parameters_do_not_elaborate(name: str, value: int) -> None:
    """An adapter that cannot be built says so at elaboration."""
    with pytest.raises(RuntimeError, match="Command failed"):
        simulation.compile_design(ADAPTER, closure(ADAPTER), {name: value})


@pytest.mark.parametrize(("name", "value"), [("WordWidth", 24), ("Slices", 3), ("Slices", 32)])
def test_impossible_parameters_of_serial_do_not_elaborate(name: str, value: int) -> None:
    """A serial engine that cannot be built says so at elaboration."""
    with pytest.raises(RuntimeError, match="Command failed"):
        simulation.compile_design(SERIAL, closure(SERIAL), {name: value})
