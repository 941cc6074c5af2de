"""Contexts in front of the Keccak peripheral: hashes in turns, owners, a hostile master, resets."""

from collections.abc import Mapping, Sequence

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.peripheral import SERIAL, TINY
from tests.support.subjects import SLOW

FULL = {"Contexts": 8, "MessageWords": 16, "DigestWords": 4, "Engine": 0, "IdWidth": 4}
READ_RAM = '`verilator_config\npublic_flat_rd -module "hf_ram" -var "mem"\n'
"""The bench reads the RAM."""


def run(  # noqa: PLR0913 - one parameter a property of the run
    parameters: Mapping[str, int],
    *,
    count: int,
    bus: str = "apb",
    bench: str = "contexts_bench",
    turns: float = 0,
    waits: float = 0.1,
    files: Mapping[str, str] | None = None,
    tests: str | None = None,
    arguments: Sequence[str] = (),
) -> simulation.Outcome:
    """Run a bench on contexts."""
    top = f"hf_keccak_{bus}_contexts"
    found = closure(top) if files is None else files
    compiled = simulation.compile_design(top, {"read_ram.vlt": READ_RAM, **found}, dict(parameters))
    environment = {
        "HF_BUS": f"{bus}_contexts",
        "HF_CONTEXTS": str(parameters["Contexts"]),
        "HF_MESSAGE_WORDS": str(parameters["MessageWords"]),
        "HF_DIGEST_WORDS": str(parameters["DigestWords"]),
        "HF_ENGINE": str(parameters["Engine"]),
        "HF_WAITS": str(waits),
        "HF_TURNS": str(turns),
        "HF_COUNT": str(count),
    }
    return compiled.run(
        f"tests.rtl.regs.{bench}",
        bench.removesuffix("_bench"),
        environment=environment,
        tests=tests,
        arguments=arguments,
    )


@pytest.mark.parametrize(
    ("parameters", "count"),
    [
        pytest.param({**FULL, "Contexts": 2}, 12, id="2", marks=SLOW),
        pytest.param(FULL, 400, id="8-many", marks=SLOW),
        pytest.param({**FULL, "Contexts": 64}, 1_000, id="64", marks=SLOW),
        pytest.param({**FULL, "Contexts": 1}, 60, id="1", marks=SLOW),
        pytest.param(
            {**FULL, "Contexts": 2, "MessageWords": 0, "DigestWords": 1},
            200,
            id="2-least",
            marks=SLOW,
        ),
        pytest.param({**FULL, "Contexts": 4, "DigestWords": 2}, 200, id="4", marks=SLOW),
        pytest.param({**FULL, "Contexts": 4, "Engine": SERIAL}, 60, id="4-serial", marks=SLOW),
        pytest.param({**FULL, "Contexts": 2, "Engine": TINY}, 12, id="2-tiny", marks=SLOW),
    ],
)
def test_contexts(parameters: Mapping[str, int], count: int) -> None:
    """All of the bench."""
    run(parameters, count=count).check()


def test_contexts_in_short() -> None:
    """A few of its tests: hashes in turns, owners, a hostile master, what is left."""
    tests = "interleaved|owners|hostile|words_are_wiped"
    run({**FULL, "Contexts": 2}, count=6, tests=tests).check()


@pytest.mark.slow
@pytest.mark.parametrize("bus", ["wb", "axil"])
@pytest.mark.parametrize("bench", ["contexts_bench", "regs_bench"])
def test_other_buses(bus: str, bench: str) -> None:
    """Hashes, registers and owners on the other buses; a page is a peripheral there too."""
    run({**FULL, "Contexts": 4}, bus=bus, bench=bench, count=60, turns=0.3).check()


@pytest.mark.parametrize(
    ("parameters", "turns"),
    [
        pytest.param({**FULL, "Contexts": 2}, 0.0, id="one", marks=SLOW),
        pytest.param({**FULL, "Contexts": 2}, 0.3, id="in-turns", marks=SLOW),
        pytest.param({**FULL, "Contexts": 8}, 0.9, id="always-another", marks=SLOW),
        pytest.param(
            {**FULL, "Contexts": 2, "MessageWords": 0, "DigestWords": 1},
            0.3,
            id="least",
            marks=SLOW,
        ),
        pytest.param({**FULL, "Contexts": 2, "Engine": SERIAL}, 0.2, id="serial", marks=SLOW),
    ],
)
def test_a_page_is_a_peripheral(parameters: Mapping[str, int], turns: float) -> None:
    """The peripheral's own bench, on a page, while other pages take the hardware in turns."""
    run(parameters, bench="regs_bench", count=60 if turns else 20, turns=turns).check()


CONTEXTS = "rtl/regs/hf_keccak_contexts.sv"
STEPS = "rtl/regs/hf_keccak_contexts_steps.sv"
MOVES = "rtl/regs/hf_keccak_contexts_moves.sv"
IN_A_PAGE = "in-a-page"
"""Mutants that the peripheral's own bench finds begin so."""
MUTANTS = {
    "nothing-refused": (CONTEXTS, "is_refused = page_record_q.owned &&", "is_refused = 1'b0 &&"),
    "message-of-anyone": (CONTEXTS, "(!loaded_owned_q || loaded_id_q == 6'(s_id_i)) &&", ""),
    "privileged-reads": (
        CONTEXTS,
        "page_record_q.owned && page_record_q.id == 6'(s_id_i);",
        "page_record_q.owned && (page_record_q.id == 6'(s_id_i) || is_privileged);",
    ),
    "anyone-releases": (CONTEXTS, "(owned_by_id || is_privileged);", "1'b1;"),
    "release-wipes-nothing": (
        STEPS,
        "now.page_loaded ? at(WipeError) : at(WipeWords);",
        "at(WipeRecord);",
    ),
    "loaded-not-cleared": (STEPS, "step_o |= at(WipeClear);", "step_o |= at(WipeWords);"),
    "not-reported": (
        CONTEXTS,
        "if (step_q[Decide] && is_refused) denied_q",
        "if (1'b0) denied_q",
    ),
    "restored-word-stays": (
        CONTEXTS,
        "(move.from_ram && !step_q[Kept] && page_record_q.kept_words == '0)",
        "1'b0",
    ),
    "ended-state-stays": (STEPS, "step_o |= at(SaveZero);", "step_o |= at(SaveIntrEnable);"),
    "output-stays": (MOVES, "put = step_i[KeptZero] ||", "put ="),
    "clear-wipes-nothing": (CONTEXTS, "|| (newly_loaded_q && post_clear_q));", ");"),
    "reset-wipes-nothing": (CONTEXTS, "<= at(WipeWords);", "<= at(WipeRecord);"),
    "shown-while-it-waits": (
        CONTEXTS,
        "passes_through && m_pready_i && !s_pwrite_i;",
        "passes_through && !s_pwrite_i;",
    ),
    "shown-for-a-write": (CONTEXTS, "step_q[Answer] && !s_pwrite_i;", "step_q[Answer];"),
    "saved-too-early": (STEPS, "now.status.busy ? at(SaveBusy) :", "1'b0 ? at(SaveBusy) :"),
    "error-lost": (CONTEXTS, "<= saved_error_q | m_prdata_i[8:0];", "<= saved_error_q;"),
    "error-of-another": (CONTEXTS, "<= ram_read[8:0];", "<= saved_error_q;"),
    "hold-lost": (CONTEXTS, "if (m_prdata_i[0]) begin", "if (1'b0) begin"),
    "output-lost": (
        STEPS,
        "(now.produces_output || now.page_record.phase == PhaseSqueeze)",
        "(1'b0)",
    ),
    f"{IN_A_PAGE}-write-without-bytes": (
        CONTEXTS,
        "is_state = s_pwrite_i && s_pstrb_i != '0 &&",
        "is_state = s_pwrite_i &&",
    ),
    "output-waits": (STEPS, "now.page_record.kept_words == 3'd1 &&", "1'b0 &&"),
    "interrupt-of-another": (CONTEXTS, "irq_moves && irq_page == PageWidth'(i)", "irq_moves"),
    "interrupt-lost": (
        CONTEXTS,
        "m_irq_i : (saved_intr_q & m_prdata_i[4:0]) != '0",
        "m_irq_i : 1'b0",
    ),
    "tail-lost": (STEPS, "step_o |= at(LoadTail);", "step_o |= at(LoadIntrClear);"),
    f"{IN_A_PAGE}-done-lost": (
        STEPS,
        "restores_done = now.page_record.phase == PhaseIdle &&",
        "restores_done = 1'b0 &&",
    ),
    "room-again": (
        MOVES,
        "if (step_i[LoadRoom]) move_o.constant |= {4'd0, ~saved_intr_i};",
        "",
    ),
    f"{IN_A_PAGE}-output-of-another": (
        STEPS,
        "step_o |= at(WipeWords);\n      else if (now.p",
        "step_o |= at(SaveBusy);\n      else if (now.p",
    ),
}
"""Faults in the RTL, each of which a bench must find."""


@pytest.mark.slow
def test_without_a_fault_nothing_is_caught() -> None:
    """The benches of the mutants pass on contexts as they are, in the same settings."""
    parameters = {**FULL, "Contexts": 4}
    run(parameters, bench="regs_bench", count=60, turns=0.3).check()
    run(parameters, count=120).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The benches fail on contexts with one fault in them."""
    files = simulation.mutated(closure("hf_keccak_apb_contexts"), *MUTANTS[name])
    parameters = {**FULL, "Contexts": 4}
    if name.startswith(IN_A_PAGE):
        found = run(parameters, bench="regs_bench", count=60, turns=0.3, files=files)
    else:
        found = run(parameters, count=120, files=files)
    assert found.failures


@pytest.mark.parametrize(
    ("name", "value"),
    [("Contexts", 3), ("Contexts", 128), ("IdWidth", 0), ("DigestWords", 8), ("PrivilegedId", 16)],
)
def test_impossible_sizes_do_not_elaborate(name: str, value: int) -> None:
    """A number that cannot be stops the build."""
    with pytest.raises(RuntimeError, match=rf"refused: .*\b{name}\b"):
        simulation.compile_design(
            "hf_keccak_apb_contexts", closure("hf_keccak_apb_contexts"), {**FULL, name: value}
        )
