"""`hf_trivium`, the source of random bits for masks."""

import json

import pytest

from tests.support import simulation

TRIVIUM = "rtl/common/hf_trivium.sv"
# Of eSTREAM's verified test vectors for Trivium with 80 bits of key and of IV: set 6, vector 0, and
# set 1, vector 0.
VECTORS = [
    {
        "key": "0053A6F94C9FF24598EB",
        "iv": "0D74DB42A91077DE45AC",
        "stream": {
            0: "F4CD954A717F26A7D6930830C4E7CF0819F80E03F25F342C64ADC66ABA7F8A8E"
            "6EAA49F23632AE3CD41A7BD290A0132F81C6D4043B6E397D7388F3A03B5FE358",
        },
    },
    {
        "key": "80000000000000000000",
        "iv": "00000000000000000000",
        "stream": {
            0: "38EB86FF730D7A9CAF8DF13A4420540DBB7B651464C87501552041C249F29A64"
            "D2FBF515610921EBE06C8F92CECF7F8098FF20CCCC6A62B97BE8EF7454FC80F9",
            448: "EBF14772061C210843C18CEA2D2A275AE02FCB18E5D7942455FF77524E8A4CA5"
            "1E369A847D1AEEFB9002FCD02342983CEAFA9D487CC2032B10192CD416310FA4",
        },
    },
]


def run(
    width: int, files: dict[str, str] | None = None, *, goes_on: bool = False
) -> simulation.Outcome:
    """Run the bench, or its test of a seed that is added."""
    files = files or simulation.read_files([TRIVIUM])
    parameters = {"Width": width, "GoesOn": int(goes_on)}
    compiled = simulation.compile_design("hf_trivium", files, parameters)
    environment = {"HF_WIDTH": str(width), "HF_VECTORS": json.dumps(VECTORS)}
    tests = "added_seed" if goes_on else "vectors|refused"
    return compiled.run(
        "tests.rtl.prim.trivium_bench", "trivium", environment=environment, tests=tests
    )


@pytest.mark.parametrize(
    "width", [4, *(pytest.param(width, marks=pytest.mark.slow) for width in (1, 8, 32, 64))]
)
def test_vectors(width: int) -> None:
    """Whatever the bits a clock, they are those of the vectors."""
    run(width).check()


@pytest.mark.slow
@pytest.mark.parametrize("width", [4, 64])
def test_a_seed_is_added(width: int) -> None:
    """A running generator goes on, with the new seed in its state."""
    run(width, goes_on=True).check()
    for old, new in (
        ("(move ? next : state_q) ^ first", "first"),
        ("seed_valid_i && seed_legal", "seed_valid_i"),
    ):
        files = simulation.mutated(simulation.read_files([TRIVIUM]), TRIVIUM, old, new)
        assert run(width, files, goes_on=True).failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("state_q[171-i]", "state_q[170-i]"),
        ("first[288:286] = '1;", "first[288:285] = '1;"),
        ("WarmUp + 1)", "WarmUp)"),
        ("seed_key_i != '0 &&", ""),
    ],
)
def test_a_fault_is_found(old: str, new: str) -> None:
    """One tap, a bit of the first state, the warm-up, the refused seed."""
    files = simulation.mutated(simulation.read_files([TRIVIUM]), TRIVIUM, old, new)
    assert run(64, files).failures
