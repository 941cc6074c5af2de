"""Engines with slots at their ports, and the known answers that come before every measurement."""

from collections.abc import Callable

import pytest

from hashfabric.base.errors import LabError
from hashfabric.flows.ecp5.flow import Ecp5Target
from hashfabric.registry import designs as registry
from hashfabric.registry.designs import (
    Design,
    Variant,
    WordClocks,
    find_design,
    load_designs,
    read_sources,
)
from hashfabric.registry.sources import macros_in
from hashfabric.simulate import known_answers, library
from hashfabric.simulate.engine import EngineRun, run_engine
from hashfabric.simulate.known_answers import check_configured, quick_check


def reference(slots: int, *, holds_state: bool = False, delay: int = 0) -> Variant:
    """The plain engine that the contract bench is tested with."""
    return Variant(
        top="hf_contract_reference",
        kind="engine",
        parameters={"Slots": slots, "HoldsState": holds_state, "DataDelay": delay},
        slots=slots,
        holds_state=holds_state,
        clocks_per_block=24,
        data_delay=delay,
    )


@pytest.fixture(scope="module")
def keccak() -> Design:
    """The first design."""
    return find_design("keccak-iterative")


@pytest.mark.slow
def test_the_quick_check(keccak: Design) -> None:
    """The clocks it measures are what the registry says: exactly, but for a message's ends."""
    clocks = quick_check(keccak)
    assert clocks["core"] == keccak.clocks_per_block
    assert 24 < clocks["stream"] < 24.24


def broken(replace: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `replace` change the sources before they are built."""

    def read(variant: Variant) -> dict[str, str]:
        files = registry.read_sources(variant)
        changed = {path: replace(text) for path, text in files.items()}
        assert changed != files
        return changed

    monkeypatch.setattr(library, "read_sources", read)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("info.suffix = 5'b11111;", "info.suffix = 5'b01111;", "wrong digest: shake128"),
        ("(2 * x + 3 * y) % 5", "(2 * x + 2 * y) % 5", "wrong state in slot 0"),
    ],
)
@pytest.mark.slow
def test_the_quick_check_sees_a_wrong_core(
    keccak: Design, monkeypatch: pytest.MonkeyPatch, old: str, new: str, told: str
) -> None:
    """One wrong bit in a suffix, one wrong step in rho's walk."""

    def replace(text: str) -> str:
        return text.replace(old, new)

    broken(replace, monkeypatch)
    with pytest.raises(LabError, match=told):
        quick_check(keccak)


def test_the_quick_check_sees_a_slow_core(keccak: Design) -> None:
    """The registry's clocks are a promise."""
    slower = keccak.model_copy(update={"clocks_per_block": 23.7})
    with pytest.raises(LabError, match=r"24\.000 clocks a block, not the registry's 23\.7"):
        quick_check(slower)


def with_variants(design: Design, **variants: Variant) -> Design:
    """The design with other variants."""
    return design.model_copy(update={"variants": variants})


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(reference(3), marks=pytest.mark.slow),
        pytest.param(reference(3, holds_state=True), marks=pytest.mark.slow),
        pytest.param(reference(1), marks=pytest.mark.slow),
        reference(3, delay=2),
        pytest.param(reference(1, delay=1), marks=pytest.mark.slow),
    ],
    ids=["hands-back", "holds", "one", "delayed", "one-delayed"],
)
def test_engines_with_slots(keccak: Design, variant: Variant) -> None:
    """All slots full, blocks in time and late, and the clocks that the registry promises."""
    assert quick_check(with_variants(keccak, deep=variant)) == {"deep": 24}


def words(width: int = 32, clocks_per_block: int = 24) -> Variant:
    """The first design's engine of the word contract."""
    return Variant(
        top="hf_keccak_iterative_words",
        kind="word-engine",
        parameters={"WordWidth": width},
        clocks_per_block=clocks_per_block,
        word_clocks=WordClocks(add=1600 // width + 8, read=8, wipe=7),
    )


@pytest.mark.parametrize(
    "width",
    [32, *(pytest.param(width, marks=pytest.mark.slow) for width in (8, 16, 64))],
)
def test_engines_of_words(keccak: Design, width: int) -> None:
    """Words of every width, in time and late, and the clocks that the registry promises."""
    assert quick_check(with_variants(keccak, words=words(width))) == {"words": 24}


def test_the_quick_check_sees_a_slow_engine_of_words(keccak: Design) -> None:
    """The registry's clocks are from a permutation to the next one."""
    with pytest.raises(LabError, match=r"24\.000 clocks a block, not the registry's 23"):
        quick_check(with_variants(keccak, words=words(clocks_per_block=23)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [("group_q[i/8] && ", "", 0), ("(start && full_q) || abandon", "start && full_q", 1)],
)
def test_the_quick_check_sees_a_wrong_engine_of_words(
    keccak: Design, monkeypatch: pytest.MonkeyPatch, old: str, new: str, message: int
) -> None:
    """A word added to several; a wipe that leaves the state as it was."""
    broken(lambda text: text.replace(old, new), monkeypatch)
    with pytest.raises(LabError, match=f"words: wrong state after message {message}"):
        quick_check(with_variants(keccak, words=words()))


def test_the_clocks_of_a_configured_variant_are_measured(keccak: Design) -> None:
    """The registry's are another configuration's; an engine that is wrong is one nevertheless."""
    variant = reference(3).model_copy(update={"clocks_per_block": 2})
    assert check_configured(with_variants(keccak, core=variant), "core") == 24
    late = variant.model_copy(update={"data_delay": 1})
    with pytest.raises(LabError, match="core: wrong state"):
        check_configured(with_variants(keccak, core=late), "core")


def test_a_stream_is_no_faster_than_its_port(
    keccak: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    """17 clocks at 64 bits a clock, whatever the registry says: fewer are measured wrongly."""
    monkeypatch.setattr(known_answers, "_clocks_at_full_slots", lambda *_: 16.5)
    with pytest.raises(LabError, match=r"clocks a block measured, and its port takes 1[78]"):
        check_configured(keccak, "stream")
    monkeypatch.setattr(known_answers, "_clocks_at_full_slots", lambda *_: 25.0)
    assert check_configured(keccak, "stream") == 25


def test_slots_may_stay_empty(keccak: Design) -> None:
    """A message in one slot of three: its own clocks are those at full slots."""
    blocks = [bytes([i]) * 200 for i in range(3)]
    run = run_engine(keccak, reference(3), [blocks])
    assert run.handshakes == [[run.handshakes[0][0] + 72 * i for i in range(3)]]
    assert run.clocks == 3 * 72 + 1
    with pytest.raises(ValueError, match="messages must be one a slot"):
        run_engine(keccak, reference(3), [blocks] * 4)


def test_late_blocks_are_late(keccak: Design) -> None:
    """Gaps make a run longer; the same seed, the same clocks; another, others."""
    blocks = [[bytes([i]) * 200 for i in range(4)]] * 3
    runs = [
        run_engine(keccak, reference(3), blocks, longest_gap=gap, seed=seed).clocks
        for gap, seed in ((0, 0), (200, 0), (200, 0), (200, 1))
    ]
    assert runs[0] < runs[1] == runs[2] != runs[3]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"slots": 2}, "simulation: blk_slot_o is no slot"),
        ({"holds_state": True}, "simulation: a state that no block asked for"),
        ({"data_delay": 1}, r"core: wrong state in slot \d"),
        ({"clocks_per_block": 23.5}, "24.000 clocks a block, not the registry's 23.5"),
    ],
)
def test_a_registry_that_is_wrong_is_reported(
    keccak: Design, change: dict[str, object], told: str
) -> None:
    """The engine is not what its entry says."""
    variant = reference(3).model_copy(update=change)
    with pytest.raises(LabError, match=told):
        quick_check(with_variants(keccak, core=variant))


def test_every_variant_is_checked(keccak: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with its own parameters, or only those asked for."""
    seen = []

    def run(
        design: Design, variant: Variant, messages: list[list[bytes]], **_: object
    ) -> EngineRun:
        seen.append(variant)
        return run_engine(design, variant, messages)

    monkeypatch.setattr(known_answers, "run_engine", run)
    variants = {"a": reference(1), "b": reference(3)}
    design = with_variants(keccak, **variants)
    assert list(quick_check(design)) == ["a", "b"]
    assert set(map(id, seen)) == set(map(id, variants.values()))
    seen.clear()
    assert list(quick_check(design, ["b"])) == ["b"]
    assert all(variant is variants["b"] for variant in seen)


# As the lab's ECP5 flow reads them; `test_slots.py` and `test_stream.py` have benches of them. The
# port of keccak-combinational's is slower than its engine: the registry's clocks are not its own.
@pytest.mark.parametrize(
    ("design", "stream"),
    [
        (design.name, name)
        for design in load_designs().values()
        if design.name != "keccak-combinational"
        for name, variant in design.variants.items()
        if variant.kind == "stream" and macros_in(read_sources(variant), Ecp5Target.macros)
    ],
)
@pytest.mark.slow
def test_what_is_checked_is_what_is_measured(design: str, stream: str) -> None:
    """The form that a target's macros choose gives known answers: of ECP5, with its block RAM."""
    chosen = find_design(design).under(Ecp5Target.macros)
    clocks = quick_check(chosen, [stream])[stream]
    wanted = chosen.timing(chosen.variants[stream]).clocks_per_block
    assert clocks == pytest.approx(wanted, rel=0.01)


@pytest.mark.slow
def test_a_targets_form_is_another_model() -> None:
    """It has other clocks; macros that the sources do not test change nothing."""
    variant = find_design("keccak-iterative").variant("stream-block-ram")
    forms = [
        library.build_library(variant.under(macros), "stream.cpp", {})
        for macros in ((), Ecp5Target.macros, ("HF_NONE",))
    ]
    assert forms[0] == forms[2] != forms[1]


def test_clocks_a_block_are_those_at_full_slots() -> None:
    """Before the last slot's first block and after the first slot's last, some are empty."""
    slow_start = EngineRun([], [[0, 100, 110, 120, 130], [95, 105, 115, 125, 200]], 0)
    assert slow_start.clocks_per_block == 5
    with pytest.raises(ValueError, match="too short"):
        _ = EngineRun([], [[0], [1]], 0).clocks_per_block


####################
# Finalists        #
####################

CLOCKS = {"blake": (28, 32), "groestl": (10, 14), "jh": (42,), "skein": (19,)}
"""Clocks a block of paper latif-finalists, of a design's engines in order."""


@pytest.mark.slow
@pytest.mark.parametrize("family", CLOCKS)
def test_engines_of_the_finalists(family: str) -> None:
    """Digests of all functions, and the paper's clocks."""
    design = find_design(family)
    engines = [name for name, variant in design.variants.items() if variant.kind == "engine"]
    measured = quick_check(design, engines)
    assert tuple(measured.values())[: len(CLOCKS[family])] == CLOCKS[family]


@pytest.mark.parametrize("family", CLOCKS)
@pytest.mark.slow
def test_streams_of_the_finalists(family: str) -> None:
    """The same through their streams: not a clock more."""
    design = find_design(family)
    streams = [name for name, variant in design.variants.items() if variant.kind == "stream"]
    measured = quick_check(design, streams)
    assert tuple(measured.values())[: len(CLOCKS[family])] == CLOCKS[family]


@pytest.mark.parametrize(
    ("path", "old", "new", "variant"),
    [
        pytest.param(
            *("rtl/jh/hf_jh_pkg.sv", "62a1_f3cd_b409", "62a1_f3cd_b490", "core"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *("rtl/front/hf_finalist_pad.sv", "8'h80 >> last_bits_q", "8'h80 >> 1", "stream"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_wrong_finalist_is_seen(
    monkeypatch: pytest.MonkeyPatch, path: str, old: str, new: str, variant: str
) -> None:
    """One wrong word in an engine, one in the padding."""

    def read(some: Variant) -> dict[str, str]:
        files = registry.read_sources(some)
        assert old in files[path]
        return {**files, path: files[path].replace(old, new)}

    monkeypatch.setattr(library, "read_sources", read)
    with pytest.raises(LabError, match=f"jh {variant}: wrong digest: jh-224"):
        quick_check(find_design("jh"), [variant])


@pytest.mark.slow
def test_a_slow_finalist_is_seen() -> None:
    """The registry's clocks are a promise."""
    faster = find_design("jh").model_copy(update={"clocks_per_block": 41})
    for variant in ("core", "stream"):
        with pytest.raises(LabError, match=r"42\.000 clocks a block, not the registry's 41"):
            quick_check(faster, [variant])
