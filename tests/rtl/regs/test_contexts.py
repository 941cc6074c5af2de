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
        pytest.param(FULL, 12, id="8"),
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
IN_A_PAGE = "in-a-page"
"""Mutants that the peripheral's own bench finds begin so."""
MUTANTS = {
    "nothing-refused": ("is_refused = meta_q.owned &&", "is_refused = 1'b0 &&"),
    "message-of-anyone": ("(!cur_owned_q || cur_id_q == s_id_i) &&", ""),
    "privileged-reads": (
        "mine = meta_q.owned && meta_q.id == s_id_i;",
        "mine = meta_q.owned && (meta_q.id == s_id_i || privileged);",
    ),
    "anyone-releases": ("(mine || privileged);", "1'b1;"),
    "release-wipes-nothing": ("here ? at(WipeError) : at(WipeWords);", "at(WipeMeta);"),
    "loaded-not-cleared": ("step_d |= at(WipeClear);", "step_d |= at(WipeWords);"),
    "not-reported": ("if (step_q[Decide] && is_refused) denied_q", "if (1'b0) denied_q"),
    "restored-word-stays": ("(from_ram && !step_q[Kept] && meta_q.kept == '0)", "1'b0"),
    "output-stays": ("put = step_q[KeptZero] ||", "put ="),
    "clear-wipes-nothing": ("|| (fresh_q && post_clear_q));", ");"),
    "reset-wipes-nothing": ("step_q       <= at(WipeWords);", "step_q       <= at(WipeMeta);"),
    "shown-while-it-waits": ("hit && m_pready_i && !s_pwrite_i;", "hit && !s_pwrite_i;"),
    "shown-for-a-write": ("step_q[Answer] && !s_pwrite_i;", "step_q[Answer];"),
    "saved-too-early": ("status_q.busy ? at(SaveBusy) :", "1'b0 ? at(SaveBusy) :"),
    "error-lost": ("error_q  <= error_q | m_prdata_i[8:0];", "error_q  <= error_q;"),
    "error-of-another": ("error_q     <= ram_read[8:0];", ""),
    "hold-lost": ("if (m_prdata_i[0]) begin", "if (1'b0) begin"),
    "output-lost": ("(produces || meta_q.rest == RestSqueeze) ?", "1'b0 ?"),
    "output-waits": (
        "(meta_q.kept == 3'd1 && meta_q.rest == RestSqueeze) ? switch :",
        "1'b0 ? switch :",
    ),
    "interrupt-of-another": ("irq_moves && irq_page == PageWidth'(i)", "irq_moves"),
    "interrupt-lost": ("m_irq_i : (intr_q & m_prdata_i[4:0]) != '0", "m_irq_i : 1'b0"),
    "tail-lost": ("step_d |= at(LoadTail);", "step_d |= at(LoadIntrClear);"),
    f"{IN_A_PAGE}-done-lost": ("loads_done = meta_q.rest == RestIdle &&", "loads_done = 1'b0 &&"),
    f"{IN_A_PAGE}-room-again": (
        "if (step_q[LoadRoom]) constant |= {4'd0, ~intr_q};",
        "",
    ),
    f"{IN_A_PAGE}-output-of-another": (
        "step_d |= at(WipeWords);\n      else step_d |= (p",
        "step_d |= at(SaveBusy);\n      else step_d |= (p",
    ),
}
"""Faults in the RTL, each of which a bench must find."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The benches fail on contexts with one fault in them."""
    files = simulation.mutated(closure("hf_keccak_apb_contexts"), CONTEXTS, *MUTANTS[name])
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
    with pytest.raises(RuntimeError, match="Command failed"):
        simulation.compile_design(
            "hf_keccak_apb_contexts", closure("hf_keccak_apb_contexts"), {**FULL, name: value}
        )
