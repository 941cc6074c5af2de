"""The engines of the word contract under the word bench; broken engines must not pass it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from hashfabric.registry.designs import WORD_WIDTH, WordClocks, read_sources
from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.streams import ON_ECP5
from tests.support.subjects import SLOW, marks
from tests.support.word_contract import (
    FAULTS,
    ITERATIVE,
    SERIAL,
    SLICED,
    WORD_ENGINES,
    Subject,
    iterative,
    masked_serial,
    reference,
    serial,
    sliced,
)

SERIAL_BODY = "rtl/keccak/hf_keccak_serial_shares.sv"


def run(  # noqa: PLR0913 - all but the subject may be left out
    subject: Subject,
    files: Mapping[str, str] | None = None,
    *,
    name: str = "words",
    tests: str | None = None,
    arguments: Sequence[str] = (),
    options: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the word bench on an engine, built from `files` where they are given.

    Runs of one build at the same time need different names.
    """
    files = closure(subject.top) if files is None else files
    compiled = simulation.compile_design(subject.top, files, subject.parameters, options)
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


MASKED_SIZES = ((4, 32), (4, 8), (8, 64), (16, 32))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slices", "width", "order"),
    [
        *((slices, width, order) for order in (1, 2) for slices, width in MASKED_SIZES),
        (4, 16, 3),
    ],
)
def test_masked_serial(slices: int, width: int, order: int) -> None:
    """The small masked engine keeps it too, with a pass that is a step longer."""
    run(masked_serial(slices, width, order)).check()


def late(order: int) -> Subject:
    """Return the small masked engine with random bits that are late."""
    subject = masked_serial(4, 32, order)
    return replace(
        subject,
        block=24 * 76,
        waits=subject.waits.model_copy(update=dict.fromkeys(WordClocks.model_fields, 90)),
        parameters={**subject.parameters, "RandomStalls": 1},
    )


LATE_TESTS = "known_hashes|known_states|random_traffic|resets"


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 2])
def test_masked_serial_waits_for_random_bits(order: int) -> None:
    """Where these are late, rounds and wipes wait, and nothing else changes."""
    run(late(order), tests=LATE_TESTS).check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("stay_q) && !hold);", "stay_q));"),
        ("pass_q != PassNone && !hold) step_q", "pass_q != PassNone) step_q"),
    ],
    ids=["address", "step"],
)
def test_a_pass_that_does_not_wait_is_found(old: str, new: str) -> None:
    """The address stays with the step."""
    subject = late(1)
    files = simulation.mutated(closure(subject.top), SERIAL_BODY, old, new)
    assert run(subject, files, tests=LATE_TESTS).failures


@pytest.mark.slow
@pytest.mark.parametrize(("order", "label"), [(1, "RandomIsTaken_A"), (2, "RandomIsThere_A")])
def test_use_of_random_bits_that_are_not_there_is_found(order: int, label: str) -> None:
    """An assertion fails: digests are right whatever the bits are."""
    subject = late(order)
    files = simulation.mutated(
        closure(subject.top), SERIAL_BODY, "hold = at_random && !rand_valid_i;", "hold = 1'b0;"
    )
    assert label in run(subject, files, tests=LATE_TESTS).assertions


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


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ON_ECP5], ids=["multiplexer", "block-ram"])
@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_iterative(width: int, options: Sequence[str]) -> None:
    """hf_keccak_iterative_words with either reader, every wait as its formula says."""
    run(iterative(width), options=options).check()


@pytest.mark.slow
def test_iterative_without_block_ram_on_ecp5() -> None:
    """The macro does not select block RAM by itself."""
    run(iterative(32, 0), options=ON_ECP5).check()


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
    pytest.param("Groups - m - StepsBefore", "Groups - StepsBefore", "known_states", id="no-move"),
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
    files = simulation.mutated(closure(SERIAL), SERIAL_BODY, old, new)
    outcome = run(serial(4, 32), files, tests=test, arguments=[simulation.NO_ASSERTIONS])
    assert outcome.failures.keys() == {test}, outcome.failures


@pytest.mark.slow
def test_a_code_without_an_offer_is_caught() -> None:
    """The bench fails on a tiny engine that reads op_i after an operation was accepted."""
    subject = Subject.of(*WORD_ENGINES["keccak-tiny-core"])
    old, new = "if (wait_q[3]) wipe_q", "if (!instr.busy) wipe_q"
    files = simulation.mutated(closure(subject.top), "rtl/keccak/hf_keccak_tiny.sv", old, new)
    test = "fields_of_no_offer"
    outcome = run(subject, files, tests=test, arguments=[simulation.NO_ASSERTIONS])
    assert outcome.failures.keys() == {test}, outcome.failures


SLICE = "rtl/front/hf_keccak_word_slice.sv"
NOT_EXACT = "every|adds|gaps|partial|fields|known|reads|wipe|resets|random"
"""The tests that do not compare the longest waits, which a slice has none of its own of."""
SLICE_MUTANTS = [
    pytest.param("&& op_addr_i == read_addr_q;", ";", id="another-word"),
    pytest.param("&&\n      !word_stale_q;", ";", id="stale"),
    pytest.param("&&\n          !(op_valid_i && !read_matches && !first_read);", ";", id="kept"),
    pytest.param("if (!word_held_q) held_word_q", "held_word_q", id="overwritten"),
    pytest.param(
        "(operation_sent_q || operation_done_q ||", "(operation_done_q ||", id="sent-twice"
    ),
    pytest.param(
        "= waits_for_engine ? operation_done_q : slice_ready;",
        "= slice_ready;",
        id="accepted-too-early",
    ),
]
"""Faults of hf_keccak_word_slice."""


@pytest.mark.parametrize("width", [32, *(pytest.param(width, marks=SLOW) for width in (8, 16, 64))])
def test_slice(width: int) -> None:
    """An engine after a slice keeps the word contract."""
    run(sliced(width), tests=NOT_EXACT).check()


@pytest.mark.parametrize("width", [64, pytest.param(32, marks=SLOW)])
def test_slice_for_two_reads_of_a_word(width: int) -> None:
    """So it does where it expects each word to be read two times, which the bench does too."""
    run(sliced(width, twice=1), tests=f"{NOT_EXACT}|each_word_twice").check()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(*mutant.values, id=mutant.id, marks=[] if number < 1 else SLOW)
        for number, mutant in enumerate(SLICE_MUTANTS)
    ],
)
def test_mutants_of_the_slice_are_caught(old: str, new: str) -> None:
    """The bench fails on a slice with one fault in it."""
    files = simulation.mutated(closure(SLICED), SLICE, old, new)
    alone = [simulation.NO_ASSERTIONS]
    assert run(sliced(32), files, tests=NOT_EXACT, arguments=alone).failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("= Twice && operation_done_q &&", "= 1'b0 &&", id="not-kept"),
        pytest.param("op_i == WordRead && !second_q;", "op_i == WordRead;", id="kept-for-ever"),
        pytest.param("waits_for_engine) second_q <= 1'b0;", "waits_for_engine) ;", id="one-word"),
        pytest.param("op_addr_i == read_addr_q;", "(first_read || second_q);", id="another-word"),
    ],
)
def test_mutants_of_the_slice_for_two_reads_are_caught(old: str, new: str) -> None:
    """The bench fails on such a slice with one fault in it."""
    files = simulation.mutated(closure(SLICED), SLICE, old, new)
    alone = [simulation.NO_ASSERTIONS]
    tests = f"{NOT_EXACT}|each_word_twice"
    assert run(sliced(64, twice=1), files, tests=tests, arguments=alone).failures


def test_a_slice_reads_ahead_within_the_state() -> None:
    """An assertion at the engine reports a read of a word that the state does not have."""
    old, new = (
        "operation_done_q && op_i == WordRead && !at_last_word_q && !first_read;",
        "operation_done_q && op_i == WordRead && !first_read;",
    )
    files = simulation.mutated(closure(SLICED), SLICE, old, new)
    outcome = run(sliced(32), files, tests="every_word")
    assert "WordAddressInRange_M" in outcome.assertions, outcome.failures


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


QUICK = ("FaultLateRead", "FaultWipeLeavesWord")
"""Faults for the quick run."""


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


ENGINE = "rtl/keccak/hf_keccak_iterative_words.sv"
READER = "rtl/keccak/hf_keccak_word_reader.sv"
ITERATIVE_MUTANTS = [
    pytest.param(ENGINE, "start || abandon;", "abandon;", "back_to_back", id="block-twice"),
    pytest.param(ENGINE, "start || abandon;", "start;", "wipes", id="buffer-left"),
    pytest.param(ENGINE, "|| abandon;\n    if", ";\n    if", "wipes", id="state-left"),
    pytest.param(ENGINE, "(start && full_q) ||", "", "adds_twice", id="moved-twice"),
    pytest.param(ENGINE, "<= final_q;", "<= 1'b0;", "reads_after_a_permutation", id="round-twice"),
    pytest.param(ENGINE, "<= zero_q || full_q", "<= full_q", "known_states", id="iota-of-zero"),
    pytest.param(ENGINE, "<= zero_q || full_q", "<= zero_q", "adds_twice", id="iota-of-moved"),
    pytest.param(ENGINE, "d >= Last", "d == Last", "reads_after_a_permutation", id="a-clock-late"),
    pytest.param(ENGINE, "= held_q && op", "= op", "adds_after_a_permutation", id="word-of-before"),
    pytest.param(
        ENGINE, "moving_q || full_q) old =", "moving_q) old =", "gaps_between_words", id="not-read"
    ),
    pytest.param(
        ENGINE, "|| (around_q && hit);", "|| (moving_q && hit);", "adds_twice", id="not-around"
    ),
    pytest.param(
        ENGINE, "&& !(can_q && complete_q && !final_q)", "", "every_word", id="add-too-early"
    ),
    pytest.param(READER, "? spare_q :", "? second :", "gaps_between_words", id="no-spare"),
    pytest.param(READER, "(NumWords - 1)) ?", "(NumWords)) ?", "adds_twice", id="not-around-0"),
]
"""Faults of hf_keccak_iterative_words, each with the test of the bench that reports it."""


@pytest.mark.slow
@pytest.mark.parametrize(("path", "old", "new", "test"), ITERATIVE_MUTANTS)
def test_mutants_of_iterative_are_caught(path: str, old: str, new: str, test: str) -> None:
    """The bench fails on an engine with one fault in it."""
    files = simulation.mutated(closure(ITERATIVE), path, old, new)
    outcome = run(iterative(32), files, tests=test, arguments=[simulation.NO_ASSERTIONS])
    assert outcome.failures.keys() == {test}, outcome.failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "test"),
    [
        pytest.param(".out_i       (advance)", ".out_i(1'b1)", "gaps_between_words", id="goes-on"),
        pytest.param("slice[k] = state_i[LaneWidth*k+z]", "slice[k] = 1'b0", "every_word", id="0"),
        pytest.param("write_state_q <= finishes ||", "write_state_q <=", "every_word", id="old"),
    ],
)
def test_mutants_with_block_ram_are_caught(old: str, new: str, test: str) -> None:
    """The bench fails on a fault around the block RAM of ECP5."""
    path = ENGINE if "write_state_q" in old else READER
    files = simulation.mutated(closure(ITERATIVE), path, old, new)
    alone = [simulation.NO_ASSERTIONS]
    outcome = run(iterative(32), files, tests=test, arguments=alone, options=ON_ECP5)
    assert outcome.failures.keys() == {test}, outcome.failures


WIPED = "tests/checkers/hf_words_wiped.sv"


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ON_ECP5], ids=["multiplexer", "block-ram"])
@pytest.mark.parametrize(
    ("path", "old", "new", "left"),
    [
        pytest.param(ENGINE, "wipe_q[6];", "wipe_q[6];", None, id="nothing"),
        pytest.param(ENGINE, "(abandon) data_q", "(1'b0) data_q", "WordsAreWiped", id="word"),
        pytest.param(ENGINE, "|| wipe_q[1];", ";", None, id="memory"),
        pytest.param(READER, "if (advance) spare_q", "if (second_q) spare_q", "Words", id="spare"),
    ],
)
def test_wipe_leaves_nothing(
    path: str, old: str, new: str, left: str | None, options: Sequence[str]
) -> None:
    """No register and no memory has a part of the state when a wipe is accepted."""
    files = simulation.mutated(closure(ITERATIVE), path, old, new)
    if "wipe_q[1]" in old and options:
        left = "MemoryIsWiped"
    files |= simulation.read_files([WIPED])
    outcome = run(iterative(32), files, name="wiped", tests="wipes", options=options)
    if left is None:
        outcome.check()
    else:
        assert any(label.startswith(left) for label in outcome.assertions), outcome.failures


def test_impossible_parameters_do_not_elaborate() -> None:
    """A word that the contract does not have is refused at elaboration."""
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{WORD_WIDTH}\b"):
        simulation.compile_design(ITERATIVE, closure(ITERATIVE), {WORD_WIDTH: 24})


@pytest.mark.parametrize(("name", "value"), [("WordWidth", 24), ("Slices", 3), ("Slices", 32)])
def test_impossible_parameters_of_serial_do_not_elaborate(name: str, value: int) -> None:
    """A serial engine that cannot be built says so at elaboration."""
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{name}\b"):
        simulation.compile_design(SERIAL, closure(SERIAL), {name: value})
