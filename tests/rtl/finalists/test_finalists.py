"""Every finalist's engine under their contract bench; broken engines must not pass it."""

from collections.abc import Sequence

import pytest

from hashfabric.registry.designs import read_sources
from tests.rtl.finalists.finalists import ENGINES
from tests.support import simulation
from tests.support.subjects import SLOW, marks

TESTS = {
    "one_message",
    "random_traffic",
    "clocks",
    "every_gap",
    "digests_wait",
    "a_chaining_value_stays",
    "reset_at_any_time",
}


def run(
    name: str,
    *,
    files: dict[str, str] | None = None,
    parameters: dict[str, int] | None = None,
    tests: str | None = None,
    arguments: Sequence[str] = (),
) -> simulation.Outcome:
    """Run the bench on the engine called `name`, files and parameters replaced if given."""
    variant = ENGINES[name].variant
    sources = files or read_sources(variant)
    used = {**variant.parameters, **(parameters or {})}
    compiled = simulation.compile_design(variant.top, sources, used)
    known = {"HF_ENGINE": name}
    return compiled.run(
        "tests.rtl.finalists.finalists_bench",
        "finalists",
        environment=known,
        tests=tests,
        arguments=arguments,
    )


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=marks(engine.variant)) for name, engine in ENGINES.items()]
)
def test_engine(name: str) -> None:
    """The engine keeps the contract."""
    outcome = run(name)
    outcome.check()
    assert set(outcome.tests) == TESTS


BLAKE_PACKAGE, BLAKE = "rtl/blake/hf_blake_pkg.sv", "rtl/blake/hf_blake.sv"
SKEIN_PACKAGE, SKEIN = "rtl/skein/hf_skein_pkg.sv", "rtl/skein/hf_skein.sv"
BLAKE_PIPELINED = "rtl/blake/hf_blake_pipelined.sv"
SKEIN_PIPELINED = "rtl/skein/hf_skein_pipelined.sv"
GROESTL = "rtl/groestl/hf_groestl.sv"
GROESTL_PIPELINED = "rtl/groestl/hf_groestl_pipelined.sv"
JH, JH_PIPELINED = "rtl/jh/hf_jh.sv", "rtl/jh/hf_jh_pipelined.sv"


@pytest.mark.slow
def test_groestl_with_its_table() -> None:
    """A few tests on the one whose S-boxes, as they are built, take the C++ compiler a minute."""
    run("groestl-core-256", parameters={"SBoxForm": 0}, tests="one_message|clocks").check()


@pytest.mark.parametrize(
    ("name", "path", "old", "new", "caught_by"),
    [
        pytest.param(
            *("blake-core-256", BLAKE_PACKAGE, "64'hA2847615FB9E3CD0", "64'h2A847615FB9E3CD0"),
            "one_message",
            id="blake-sigma",
        ),
        pytest.param(
            *("blake-core-256", BLAKE, "count_q >> WordBits", "count_q", "one_message"),
            id="blake-count-above-32-bits",
            marks=SLOW,
        ),
        pytest.param(
            *("blake-core-256", BLAKE, "LoadHalf = LastHalf - 7;", "LoadHalf = LastHalf - 6;"),
            "clocks",
            id="blake-a-clock-late",
            marks=SLOW,
        ),
        pytest.param(
            *("blake-core-256", BLAKE, "place_t'(HalfBlock - 2)", "place_t'(HalfBlock - 3)"),
            "one_message",
            id="blake-begins-before-its-last-word",
            marks=SLOW,
        ),
        pytest.param(
            *(
                "blake-core-256",
                BLAKE,
                "[{!bank_q, place_q}]",
                "[{bank_q, place_q}]",
                "one_message",
            ),
            id="blake-writes-over-the-block-at-work",
            marks=SLOW,
        ),
        pytest.param(
            *("blake-core-256", BLAKE, "(ends || due_q) && !st_valid_d;", "ends || due_q;"),
            "digests_wait",
            id="blake-does-not-wait-for-room",
            marks=SLOW,
        ),
        pytest.param(
            *("blake-core-256", BLAKE, "(st_valid_q && !st_ready_i);", "1'b0;", "digests_wait"),
            id="blake-digest-goes-away",
            marks=SLOW,
        ),
        pytest.param(
            *("blake-core-256", BLAKE, ": !last_q && !first_q);", ": !last_q);"),
            "every_gap",
            id="blake-goes-on-from-what-was-given-up",
            marks=SLOW,
        ),
        pytest.param(
            *(
                "blake-core-256",
                BLAKE,
                "if (clear_q) message_q",
                "if (rst_i) message_q",
                "one_message",
            ),
            id="blake-begins-with-what-was-there",
            marks=SLOW,
        ),
        pytest.param(
            *("skein-core", SKEIN, "bit_pad = blk_count_i[2:0] != '0;", "bit_pad = 1'b0;"),
            "one_message",
            id="skein-bit-pad",
            marks=SLOW,
        ),
        pytest.param(
            *("skein-core", SKEIN, "      busy_q     <= 1'b0;\n", "      busy_q <= busy_d;\n"),
            "reset_at_any_time",
            id="skein-reset",
            marks=SLOW,
        ),
        pytest.param(
            *("skein-core", SKEIN, "if (done) st_q <=", "if (at_end) st_q <=", "digests_wait"),
            id="skein-digest-changes",
            marks=SLOW,
        ),
        pytest.param(
            *("skein-core", SKEIN, "blk_valid_i && open_q &&", "open_q && next_q == '0 &&"),
            "every_gap",
            id="skein-takes-what-is-not-offered",
            marks=SLOW,
        ),
        pytest.param(
            *("skein-core", SKEIN, "next_d != LastSubkey && next_d != '0", "next_d != '0"),
            "clocks",
            id="skein-a-clock-late",
            marks=SLOW,
        ),
        pytest.param(
            *("blake-core-256-pipelined", BLAKE_PIPELINED, "        c_q[2][i] <= '0;\n", ""),
            "one_message",
            id="blake-slots-state-is-not-zero",
            marks=SLOW,
        ),
        pytest.param(
            *("blake-core-256-pipelined", BLAKE_PIPELINED, "? !slot_q[5].due :", "? 1'b1 :"),
            "digests_wait",
            id="blake-slots-do-not-wait-for-room",
            marks=SLOW,
        ),
        pytest.param(
            *("skein-512-5-slots", SKEIN_PIPELINED, "now == LastTurn && !blk_first_i;"),
            *("!blk_first_i;", "every_gap"),
            id="skein-slots-key-out-of-place",
            marks=SLOW,
        ),
        pytest.param(
            *("skein-512-5-slots", SKEIN_PIPELINED, "leave_d = now == '0 && room;"),
            *("leave_d = now == '0;", "digests_wait"),
            id="skein-slots-do-not-wait-for-room",
            marks=SLOW,
        ),
        pytest.param(
            *("groestl-core-256", GROESTL, "i == (IsQ ? 7 : 0)", "i == 0", "one_message"),
            id="groestl-constant-of-q",
            marks=SLOW,
        ),
        pytest.param(
            *("groestl-core-256", GROESTL, "fresh = taken_q && first_q;", "fresh = taken_q;"),
            "one_message",
            id="groestl-drops-the-chaining-value",
            marks=SLOW,
        ),
        pytest.param(
            *(
                "groestl-core-256",
                GROESTL,
                "if (leave) st_size_q <=",
                "st_size_q <=",
                "digests_wait",
            ),
            id="groestl-digest-changes",
            marks=SLOW,
        ),
        pytest.param(
            *("groestl-core-256", GROESTL, "&& !last_q && round_q >= LastRound - round_t'(1);"),
            *("&& !last_q && round_q >= LastRound;", "clocks"),
            id="groestl-a-clock-late",
            marks=SLOW,
        ),
        pytest.param(
            *("groestl-256-3-slots", GROESTL_PIPELINED, "op_d.leave  = turn && room;"),
            *("op_d.leave  = turn;", "digests_wait"),
            id="groestl-slots-do-not-wait-for-room",
            marks=SLOW,
        ),
        pytest.param(
            *("groestl-256-3-slots", GROESTL_PIPELINED, "memory_block_q[Depth-1];"),
            *("memory_block_q[0];", "one_message"),
            id="groestl-slots-block-of-another",
            marks=SLOW,
        ),
        pytest.param(
            *("jh-core", JH, "&& (last_q ? room : taken_d);", "&& (last_q || taken_d);"),
            "digests_wait",
            id="jh-does-not-wait-for-room",
            marks=SLOW,
        ),
        pytest.param(
            *(
                "jh-core",
                JH,
                "round_q >= LastRound - round_t'(2)",
                "round_q >= LastRound - round_t'(1)",
            ),
            "clocks",
            id="jh-a-clock-late",
            marks=SLOW,
        ),
        pytest.param(
            *("jh-core", JH, "value & {$bits(state_t) {blk_first_i}};", "value;", "one_message"),
            id="jh-adds-the-initial-value-to-every-block",
            marks=SLOW,
        ),
        pytest.param(
            *(
                "jh-core-pipelined",
                JH_PIPELINED,
                "op_d.leave = turn && room &&",
                "op_d.leave = turn &&",
            ),
            "digests_wait",
            id="jh-slots-do-not-wait-for-room",
            marks=SLOW,
        ),
        pytest.param(
            *(
                "jh-core-pipelined",
                JH_PIPELINED,
                "op_d.old = turn && !start &&",
                "op_d.old = turn &&",
            ),
            "every_gap",
            id="jh-slots-old-block-of-what-was-given-up",
            marks=SLOW,
        ),
    ],
)
def test_mutants_are_caught(name: str, path: str, old: str, new: str, caught_by: str) -> None:
    """The bench fails on an engine with one fault in it."""
    files = simulation.mutated(read_sources(ENGINES[name].variant), path, old, new)
    alone = [simulation.NO_ASSERTIONS]
    assert caught_by in run(name, files=files, tests=caught_by, arguments=alone).failures


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("blake-core-256", "Width", 384),
        ("blake-core-256-pipelined", "Width", 384),
        ("skein-core", "Initial", 2),
        ("skein-512-5-slots", "Groups", 4),
        ("skein-512-5-slots", "RoundRegisters", 2),
    ],
)
def test_impossible_parameters_do_not_elaborate(name: str, parameter: str, value: int) -> None:
    """An engine that cannot be built says so at elaboration."""
    variant = ENGINES[name].variant
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{parameter}\b"):
        simulation.compile_design(
            variant.top, read_sources(variant), {**variant.parameters, parameter: value}
        )
