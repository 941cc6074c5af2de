"""What the elaborated top says of a configuration."""

import pytest

from hashfabric.base.errors import LabError
from hashfabric.registry.designs import Variant, find_design, load_designs
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
        ("keccak-pipelined/core", ["Rounds=2", "RegisterRho=1", "RegisterPi=true"], 12),
        ("keccak-pipelined/stream", ["Rounds=2", "DataWidth=256"], 8),
        ("keccak-pipelined/array-2", ["Engines=3", "RegisterEffect=0"], 9),
        ("keccak-combinational/core", ["RoundsPerClock=6"], 1),
        ("keccak-two-stage/core", ["VsxRegister=false"], 2),
        ("jh/core-pipelined", ["Rounds=3"], 15),
        ("skein/core-pipelined", ["Groups=3", "RoundRegisters=0"], 15),
        ("blake/core-256-pipelined", ["Width=512"], 9),
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
        ("keccak-four-register/core", "RegisterBlock=0", "together need RegisterBlock"),
        ("keccak-pipelined/stream", "DataWidth=32", "no port of 32 bits"),
        ("keccak-pipelined/stream", "TidWidth=32", "hf_keccak_input: TidWidth is 16 at most"),
        ("keccak-pipelined/stream", "Rounds=6", "hf_keccak_scheduler: 2 to 16 slots, not 24"),
        ("keccak-two-stage/stream", "Rounds=6", "a block every 4 clocks, and a load takes 5"),
        ("keccak-iterative/stream", "TidWidth=0", "hf_keccak_pad: TidWidth is 1 to 16, not 0"),
        ("keccak-pipelined/array-2", "Engines=1", "two engines and two slots in each at least"),
        ("keccak-pipelined/array-2", "Hops=59", "1 to 58 registers from the first core to the l"),
        ("keccak-iterative/stream", "FixedFunction=32", "no FixedFunction 32"),
        ("keccak-iterative/stream-dma", "FixedFunction=shake128", "FixedLength is not given"),
        ("blake/stream-256", "FixedFunction=blake-512", "no FixedFunction 35 of this width"),
        ("keccak-iterative/core", "RoundsPerClock=7", "24 rounds do not go into 7 a clock"),
        ("keccak-two-stage/core", "RoundConstants=3", "hf_keccak_constants: Kind is 0, 1 or 2"),
        ("blake/core-256", "Width=100", "hf_blake: Width is 256 or 512, not 100"),
        ("jh/core-pipelined", "Rounds=4", "4 is no number of rounds"),
    ],
)
def test_what_is_not_legal_is_told_in_a_line(name: str, setting: str, told: str) -> None:
    """The reason is the RTL's own, without what a compiler says around it."""
    design, _, variant = name.partition("/")
    one = find_design(design).configured(variant, [setting])
    with pytest.raises(LabError) as error:
        with_slots(one)
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert "USERFATAL" not in str(error.value)


def test_a_port_that_does_not_fit_its_slots_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A constant of that name that counts something else."""
    found = elaboration.Elaborated({"blk_slot_o": 2}, {"Depth": 5})
    monkeypatch.setattr(elaboration, "elaborate", lambda _: found)
    with pytest.raises(LabError, match="5 slots, and 2 bits of blk_slot_o"):
        with_slots(Variant(top="mine", kind="engine"))
