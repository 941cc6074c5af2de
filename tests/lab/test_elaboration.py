"""What the elaborated top says of a configuration."""

import re
import subprocess
from pathlib import Path

import pytest

from hashfabric.base.cache import write_files
from hashfabric.base.errors import LabError
from hashfabric.base.tools import YOSYS
from hashfabric.base.yosys import Port, read_command
from hashfabric.registry.designs import (
    Variant,
    find_design,
    load_designs,
    parameter_types,
    read_sources,
)
from hashfabric.simulate import elaboration
from hashfabric.simulate.elaboration import with_slots

ALL = {
    f"{design.name}/{name}": (design, variant)
    for design in load_designs().values()
    for name, variant in design.variants.items()
    if variant.firmware is None
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=[]
            if design.family == "keccak" and variant.suite == "quick"
            else [pytest.mark.slow],
        )
        for name, (design, variant) in ALL.items()
    ],
)
def test_the_slots_of_every_variant(name: str) -> None:
    """The registry's are the RTL's own: by the port of a stream, by the constant of an engine."""
    design, variant = ALL[name]
    slots = design.timing(variant).slots
    unknown = variant.model_copy(update={"slots": None})
    assert (with_slots(unknown).slots or design.timing(unknown).slots) == slots


@pytest.mark.parametrize(
    ("name", "settings", "slots"),
    [
        ("keccak-pipelined/core", ["Rounds=3"], 12),
        ("keccak-pipelined/core", ["Rounds=2", "Registers=63"], 12),
        ("keccak-pipelined/stream", ["Rounds=2", "DataWidth=256"], 8),
        ("keccak-pipelined/array-2", ["Engines=3", "Registers=parity-theta-block"], 9),
        ("keccak-combinational/core", ["RoundsPerClock=6"], 1),
        ("keccak-two-stage/core", ["VsxRegister=false"], 2),
        ("jh/core-pipelined", ["Rounds=3"], 15),
        ("skein/core-pipelined", ["Groups=3", "RoundRegisters=0"], 15),
        ("blake/core-256-pipelined", ["Width=512"], 9),
        ("keccak-pipelined/array-2", ["Rounds=3", "Registers=theta-block-return"], 14),
        ("keccak-pipelined/array-2", ["Hops=57"], 8),
    ],
)
def test_the_slots_of_other_configurations(name: str, settings: list[str], slots: int) -> None:
    """They follow what was set."""
    design, _, variant = name.partition("/")
    found = find_design(design)
    one = with_slots(found.configured(variant, settings))
    assert found.timing(one).slots == slots


@pytest.mark.parametrize(
    ("name", "setting", "told"),
    [
        ("keccak-pipelined/core", "Rounds=5", "hf_keccak_pipelined: Rounds divides 24, 5 does not"),
        ("keccak-four-register/core", "Registers=28", "RegisterBlock with those of rho and pi"),
        ("keccak-pipelined/core", "Registers=38", "RegisterParity with RegisterEffect"),
        ("keccak-pipelined/core", "Registers=167", "Registers has seven bits"),
        ("keccak-pipelined/stream", "Registers=7", "Registers has RegisterBlock, 7 does not"),
        ("keccak-turbo/core", "RoundCount=13", "RoundCount is 24 or 12, not 13"),
        ("keccak-turbo/core", "Rounds=8", "Rounds divides RoundCount, 8 does not"),
        ("keccak-turbo/stream", "RoundChoice=1", "RoundChoice needs RoundCount = 24, not 12"),
        ("keccak-pipelined/stream-turboshake", "RoundCount=20", "RoundCount is 24 or 12, not 20"),
        ("keccak-pipelined/stream-3-stages", "RoundChoice=1", "needs 4 slots, and 2 stages"),
        ("keccak-pipelined/stream-turboshake", "Rounds=3", "a block every 4 clocks"),
        ("keccak-pipelined/core", "HalfChoice=1", "HalfChoice needs RoundCount = 12, not 24"),
        ("keccak-turbo/stream", "FixedFunction=1", "no FixedFunction 1"),
        ("keccak-turbo/stream", "Rounds=3", "a block every 4 clocks, and a load takes 5"),
        (
            "keccak-pipelined/stream",
            "DataWidth=32",
            "hf_keccak_pipelined_axis: DataWidth is 64, 128,",
        ),
        (
            "keccak-pipelined/stream",
            "TidWidth=32",
            "hf_keccak_pipelined_axis: TidWidth is 2 to 16, not 32",
        ),
        ("keccak-pipelined/stream", "Rounds=6", "Rounds and Registers give 2 to 16 slots, not 24"),
        ("keccak-two-stage/stream", "Rounds=6", "a block every 4 clocks, and a load takes 5"),
        (
            "keccak-iterative/stream",
            "TidWidth=0",
            "hf_keccak_iterative_axis: TidWidth is 1 to 16, not 0",
        ),
        ("keccak-pipelined/array-2", "Engines=1", "hf_keccak_array: Engines is 2 to 58, not 1"),
        (
            "keccak-pipelined/array-2",
            "Hops=58",
            "hf_keccak_array: Hops times Engines - 1 is 1 to 57",
        ),
        ("keccak-iterative/stream", "FixedFunction=32", "no FixedFunction 32"),
        ("keccak-iterative/stream-dma", "FixedFunction=shake128", "FixedLength is not given"),
        ("keccak-iterative/stream", "FixedLength=256", "FixedLength is without FixedFunction"),
        ("keccak-tiny/stream", "FixedLength=256", "FixedLength is without FixedFunction"),
        ("keccak-masked-serial/apb", "StatesInBlockRam=1", "StatesInBlockRam is for Serial = 0"),
        ("blake/stream-256", "FixedFunction=blake-512", "no FixedFunction 35 of this width"),
        ("keccak-iterative/core", "RoundsPerClock=7", "RoundsPerClock divides 24, 7 does not"),
        ("keccak-tiny/core", "WordWidth=16", "hf_keccak_tiny: WordWidth is 8, not 16"),
        ("keccak-two-stage/core", "RoundConstants=3", "RoundConstants is 0, 1 or 2, not 3"),
        ("blake/core-256", "Width=100", "hf_blake: Width is 256 or 512, not 100"),
        *(
            (
                "keccak-masked-serial/stream",
                f"Order={order}",
                f"hf_keccak_masked_serial_axis: Order is 1, 2 or 3, not {order}",
            )
            for order in (0, 4)
        ),
        ("jh/core-pipelined", "Rounds=4", "Rounds is 1, 2, 3, 6 or 7, not 4"),
    ],
)
def test_what_is_not_legal_is_one_line(name: str, setting: str, told: str) -> None:
    """The reason is the RTL's own, without what a compiler says around it."""
    design, _, variant = name.partition("/")
    one = find_design(design).configured(variant, [setting])
    with pytest.raises(LabError) as error:
        with_slots(one)
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert "USERFATAL" not in str(error.value)


NONE, HUGE = 0, -1
"""Values of hardly any parameter; the second is 2^32 - 1 in the RTL."""

ONCE_LOST = [
    ("keccak-pipelined/array-2", {"Engines": 3, "Hops": 30}),
    ("keccak-pipelined/core", {"Rounds": HUGE}),
    ("keccak-pipelined/stream", {"Rounds": NONE}),
    ("keccak-pipelined/stream", {"Rounds": HUGE}),
    ("keccak-pipelined/stream", {"TidWidth": NONE}),
    ("keccak-pipelined/stream", {"DataWidth": NONE}),
    ("keccak-pipelined/stream", {"DataWidth": 4}),
    ("keccak-pipelined/array-2", {"Engines": NONE}),
    ("keccak-pipelined/array-2", {"Engines": HUGE}),
    ("keccak-pipelined/array-2", {"Hops": NONE}),
    ("keccak-pipelined/array-2", {"TidWidth": NONE}),
    ("keccak-pipelined/array-2", {"CoreWidth": NONE}),
    ("keccak-iterative/stream", {"DataWidth": NONE}),
    ("keccak-iterative/stream", {"DataWidth": 4}),
    ("blake/stream-256", {"DataWidth": NONE}),
    ("blake/stream-256", {"Width": NONE}),
    ("skein/stream", {"TidWidth": NONE}),
    ("jh/core-pipelined", {"Rounds": HUGE}),
    ("skein/core-pipelined", {"Groups": HUGE}),
    ("keccak-regs/apb", {"DigestWords": NONE}),
    ("keccak-regs/axil", {"MessageWords": 3}),
    ("keccak-regs/wb", {"MessageWords": HUGE}),
    ("keccak-contexts/apb-8", {"Contexts": NONE}),
    ("keccak-contexts/wb-8", {"IdWidth": NONE}),
    ("leon3-rotate/split", {"MemWords": NONE}),
    ("picorv32-plain/split", {"MemWords": 3}),
]
"""Else reported as ranges, casts and loops in some module, and not by their name."""

NO_ROUND = {"Registers": 32}  # the block's only
SWEPT = [
    (f"{design.name}/{name}", {parameter: value})
    for design in load_designs().values()
    for name, variant in design.variants.items()
    if name == next(key for key, one in design.variants.items() if one.top == variant.top)
    for parameter, kind in parameter_types(variant.top).items()
    if kind is int
    for value in (NONE, 3, 1000, HUGE)
]


def illegal(name: str, values: dict[str, int]) -> Variant:
    """Return the variant with these values, whatever the command line takes."""
    design, _, variant = name.partition("/")
    one = find_design(design).variant(variant)
    return one.model_copy(update={"parameters": one.parameters | values})


@pytest.mark.parametrize(("name", "values"), ONCE_LOST, ids=str)
def test_an_illegal_parameter_is_named(name: str, values: dict[str, int]) -> None:
    """By the RTL's own check, whatever else a compiler finds below."""
    with pytest.raises(LabError, match=rf"hf_\w+: .*\b{next(iter(values))}\b"):
        elaboration.elaborate(illegal(name, values))


@pytest.mark.parametrize("name", ["keccak-pipelined/stream", "keccak-pipelined/array-2"])
def test_a_round_without_registers_is_reported(name: str) -> None:
    """It is one stage: too few for the front end."""
    with pytest.raises(LabError, match=r"2 slots or more, not|2 to 16 slots, not 1"):
        elaboration.elaborate(illegal(name, NO_ROUND))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "values"), SWEPT, ids=str)
def test_no_parameter_fails_without_its_name(name: str, values: dict[str, int]) -> None:
    """Values of every integer of every top: it elaborates, or its check says why not."""
    try:
        elaboration.elaborate(illegal(name, values))
    except LabError as error:
        assert re.search(rf"hf_\w+: .*\b{next(iter(values))}\b", str(error)), error


@pytest.mark.slow
@pytest.mark.parametrize(("name", "values"), ONCE_LOST, ids=str)
def test_yosys_names_it_too(name: str, values: dict[str, int], tmp_path: Path) -> None:
    """Its reader of SystemVerilog stops with the same line."""
    one = illegal(name, values)
    texts = read_sources(one)
    write_files(tmp_path, texts)
    command = read_command(one.top, list(texts), one.parameters)
    done = subprocess.run(
        [YOSYS.path(), "-p", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert re.search(rf"fatal encountered: hf_\w+: .*\b{next(iter(values))}\b", said), said


def test_a_port_that_does_not_fit_its_slots_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A constant of that name that counts something else."""
    found = elaboration.Elaborated([Port("blk_slot_o", "output", 2)], {"Depth": 5}, [])
    monkeypatch.setattr(elaboration, "elaborate", lambda _: found)
    with pytest.raises(LabError, match="5 slots, and 2 bits of blk_slot_o"):
        with_slots(Variant(top="mine", kind="engine"))
