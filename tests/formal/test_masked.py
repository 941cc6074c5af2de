"""Proof: a round of `hf_keccak_masked`, unshared, is the package's round, for all random bits.

The engine as it is, in each of a round's two clocks. In `linear` the register of each share becomes
the linear steps of the sum of that share's products, and of nothing else; what is added in chi
becomes iota's constant, and the shares of the next block in round 23. In `chi` the sum of all
products becomes chi of the sum of all shares, and what is added. Other registers and inputs have
any value. With one slot the register of iota's constant has the round's: known answers show that it
does. With two slots each clock is both, of two messages; of one, the clocks are taken in which it
is in the linear steps, with the control of the three clocks before, and in chi.
"""

import functools
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.tools import ToolError
from hashfabric.base.yosys import run_script, value_text
from hashfabric.models import keccak
from hashfabric.models.keccak import ROUNDS
from hashfabric.registry.sources import closure
from tests.support.equivalence import prove_equal
from tests.support.unrolled import Bit, Unrolled, flat_registers

TOP = "hf_keccak_masked"
SERIAL = "hf_keccak_masked_serial"
ENGINE = "rtl/keccak/hf_keccak_masked.sv"
CHI = "rtl/keccak/hf_keccak_masked_chi.sv"
PACKAGE = "rtl/keccak/hf_keccak_pkg.sv"
GOLDEN = Path(__file__).with_name("hf_masked_round.sv")
GATE = "hf_masked_unrolled"
OPS = {False: 2, True: 3}
"""The bit of op_q in the clock `linear` and in `chi`."""


def unrolled(
    module: Mapping[str, Any], shares: int, slots: int, *, chi: bool
) -> tuple[dict[str, Any], int]:
    """Return the module of a clock, and how many of its inputs must not matter."""
    nets: dict[str, list[Bit]] = {name: net["bits"] for name, net in module["netnames"].items()}
    nets["products"] = [
        bit
        for pair in range(shares * shares)
        for y in range(5)
        for bit in nets[f"gen_plane[{y}].u_chi.product_q"][320 * pair : 320 * (pair + 1)]
    ]
    reset = {bit: "0" for bit in nets["rst_i"] if isinstance(bit, int)}
    known: dict[tuple[int, int], Bit] = {}
    made = Unrolled(module, dict[int, Bit](reset), lambda clock, bit: known.get((clock, bit)))

    def any_value(of: str) -> list[Bit]:
        return [made.new() for _ in nets[of]]

    def is_at(clock: int, name: str, bits: list[Bit]) -> None:
        known.update(
            ((clock, bit), net)
            for bit, net in zip(nets[name], bits, strict=True)
            if isinstance(bit, int)
        )

    inputs: dict[str, list[Bit]] = {
        "round_i": [made.new() for _ in range(5)],
        "valid_i": [made.new()],
    }
    rounds = [*range(ROUNDS), *range(16, 24)]

    def of_round(width: int, value: Callable[[int], int]) -> list[Bit]:
        chosen = [value(of) for of in rounds]
        return [
            made.choice([str(of >> i & 1) for of in chosen], inputs["round_i"])
            for i in range(width)
        ]

    control, at = "gen_one.u_control.", 0
    at_last = [str(int(of == ROUNDS - 1)) for of in rounds]
    values: dict[str, list[Bit]] = {"blk_first_i": ["0"]}
    if slots == 1:
        accepts = [*["0"] * len(rounds), *at_last]
        values |= {
            f"{control}op_q": [str(int(bit == OPS[chi])) for bit in range(4)],
            f"{control}round_q": of_round(5, lambda of: of),
            f"{control}first_left_q": ["0"] * 5,
            f"{control}starting_q": ["0"],
            f"{control}last_q": ["0"],
            f"{control}at_last_q": of_round(1, lambda of: int(of == ROUNDS - 1)),
            f"{control}window_q": [made.choice(accepts, [*inputs["round_i"], *inputs["valid_i"]])],
            f"{control}clear_q": ["0"],
            f"{control}constant_q": of_round(64, lambda of: keccak.ROUND_CONSTANTS[of]),
            f"{control}chi_q": [str(int(chi))],
            "rand_valid_i": ["1"],
        }
    else:
        control, at = "gen_two.u_control.", 4 if chi else 3
        due = of_round(1, lambda of: int(of == ROUNDS - 1))
        values |= {
            "blk_valid_i": inputs["valid_i"],
            # The slot is busy, its block not the last one: cycles, cooldown, last, busy.
            f"{control}shown_q": [*of_round(5, lambda of: of + 1), "0", "0", "1"],
            f"{control}due_q": due,
            f"{control}ready_q": due,
            f"{control}zeros_q": ["0"],
        }
    for name, bits in values.items():
        is_at(0, name, bits)
    for port, of in (
        ("blk_i", "blk_i"),
        ("products_i", "products"),
        ("linear_i", "linear_q"),
        ("block_i", "block_q"),
    ):
        inputs[port] = any_value(of)
        is_at(at, of, inputs[port])
    zeros: list[Bit] = ["0"] * (shares * 1600)
    outputs = {"linear_o": zeros, "block_o": zeros, "products_o": zeros * shares}
    if chi:
        outputs["products_o"] = [made.at(at + 1, bit) for bit in nets["products"]]
    else:
        outputs["linear_o"] = [made.at(at + 1, bit) for bit in nets["linear_q"]]
        outputs["block_o"] = [made.at(at + 1, bit) for bit in nets["block_q"]]
    if not made.free:
        made.fresh()  # a port has a bit at least
    return made.module_of(inputs, outputs), len(made.free)


SUM = """\
module hf_masked_sum #(parameter int unsigned Shares = 2, parameter int unsigned FreeWidth = 1) (
    input logic [4:0] round_i, input logic valid_i, input logic [Shares*1600-1:0] blk_i,
    input logic [Shares*Shares*1600-1:0] products_i, input logic [Shares*1600-1:0] linear_i,
    input logic [Shares*1600-1:0] block_i, input logic [FreeWidth-1:0] free_i,
    output logic [Shares*1600-1:0] linear_o, output logic [Shares*1600-1:0] block_o,
    output logic [1599:0] state_o
);
  logic [Shares*Shares-1:0][1599:0] products;
  hf_masked_unrolled u_gate (.products_o(products), .*);
  always_comb begin
    state_o = '0;
    for (int unsigned i = 0; i < Shares * Shares; i++) state_o ^= products[i];
  end
endmodule
"""


@functools.cache
def _files() -> dict[str, str]:
    return closure(TOP)


def prove(
    order: int, files: Mapping[str, str], *, guards: bool = False, slots: int = 1, chi: bool
) -> None:
    """Prove one of the two clocks of the engine built from `files`."""
    shares = order + 1
    golden = GOLDEN.read_text(encoding="utf-8")
    here = Path(__file__).read_text(encoding="utf-8")
    parameters = {"Order": order, "Guards": guards, "Slots": slots}
    identity = repr((parameters, dict(files), golden, here, chi))
    directory = BUILD / "formal" / f"masked-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"
    for path, text in {**files, GOLDEN.name: golden}.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    overrides = [f"-G {of}={value_text(value)}" for of, value in parameters.items()]
    read = f"read_slang --threads 1 --top {TOP} {' '.join([*overrides, *files])}"
    run_script([read, *flat_registers("engine.json")], directory, name="engine")
    engine = json.loads((directory / "engine.json").read_text(encoding="utf-8"))
    gate, free = unrolled(engine["modules"][TOP], shares, slots, chi=chi)
    text = json.dumps({"creator": "", "modules": {GATE: gate}})
    (directory / "unrolled.json").write_text(text, encoding="utf-8")
    ports = "".join(
        f"    {port['direction']} [{len(port['bits']) - 1}:0] {name},\n"
        for name, port in gate["ports"].items()
    )
    box = f"(* blackbox *)\nmodule {GATE} (\n{ports.rstrip().rstrip(',')}\n);\nendmodule\n"
    (directory / "sum.sv").write_text(box + SUM, encoding="utf-8")
    top, sized = GOLDEN.stem, f"-G Shares={shares} -G FreeWidth={free}"
    prove_equal(
        directory,
        (
            "hf_masked_sum",
            [
                f"read_slang --threads 1 --top hf_masked_sum {sized} sum.sv",
                f"delete ={GATE}",
                "read_json unrolled.json",
                "hierarchy -top hf_masked_sum",
                "proc",
                "flatten",
                "opt_clean",
            ],
        ),
        (
            top,
            [
                f"read_slang --threads 1 --top {top} {sized} -G Chi={value_text(chi)} "
                f"{PACKAGE} {GOLDEN.name}"
            ],
        ),
        bits=shares * 3200 + 1600,
    )


SLOW = pytest.mark.slow
DISTANCE = 3
"""Slices from a row to the one that it takes its masks from, as in the engine with Guards."""


def rank_after(rounds: int, *, wipes: bool = False) -> int:  # noqa: PLR0912 - many dimensions
    """Return the rank of share 0 and of the kept bit after a start of `rounds` rounds on zero.

    They are linear functions of the fresh bits, four a round, as numbers with a bit for each; the
    state itself is the golden model's. The constants, which do not count, are left out. With
    `wipes` each round is a wipe, which leaves masks only.
    """
    moves: list[list[int]] = []
    for bit in range(1600):
        lanes = [(1 << bit) >> 64 * lane & (1 << 64) - 1 for lane in range(25)]
        moved = keccak.state_bytes(keccak.pi(keccak.rho(keccak.theta(lanes))))
        number = int.from_bytes(moved, "little")
        moves.append([at for at in range(1600) if number >> at & 1])
    state, share, kept = [0] * 25, [0] * 1600, 0
    for index in range(rounds):
        linear = keccak.pi(keccak.rho(keccak.theta(state)))
        before = [0] * 1600
        for bit, function in enumerate(share):
            for at in moves[bit]:
                before[at] ^= function
        share = [0] * 1600 if wipes else list(before)
        for y in range(5):
            for z in range(64):
                for x in range(5):
                    at = 64 * (5 * y + x) + z
                    if linear[5 * y + (x + 2) % 5] >> z & 1:
                        share[at] ^= before[64 * (5 * y + (x + 1) % 5) + z]
                    if z or y:
                        share[at] ^= before[_masking(x, y, z)]
                    else:
                        share[at] ^= 1 << 4 * index + x if x < 4 else kept
        kept = before[64 * 24 + 64 - DISTANCE]
        if not wipes:
            state = keccak.iota(keccak.chi(linear), index % ROUNDS)
    pivots: dict[int, int] = {}
    for function in [*share, kept]:
        left = function
        while left and left.bit_length() in pivots:
            left ^= pivots[left.bit_length()]
        if left:
            pivots[left.bit_length()] = left
    return len(pivots)


def _masking(x: int, y: int, z: int) -> int:
    """Return the bit whose share 0 masks a bit; of slice 0 it is in the plane below."""
    return 64 * (5 * (y if z else y - 1) + x) + (z - DISTANCE) % 64


@SLOW
def test_the_start_makes_the_shares_uniform() -> None:
    """The permutations after a reset are as many as are needed."""
    text = closure(TOP)[ENGINE]
    found = re.search(r"FirstPermutations\(Guards \? (\d+)", text)
    assert found is not None
    assert re.search(rf"Distance = {DISTANCE};", text)
    permutations = int(found[1])
    assert rank_after(ROUNDS * permutations) == 1601
    assert rank_after(ROUNDS * (permutations - 1)) < 1601


@SLOW
@pytest.mark.parametrize(
    ("path", "count"),
    [
        (f"rtl/keccak/{SERIAL}.sv", r"FirstPasses = (\d+);"),
        (ENGINE, r"FirstCycles\(Guards \? (\d+)"),
    ],
    ids=["small", "two-slots"],
)
def test_wipes_make_the_shares_uniform(path: str, count: str) -> None:
    """Those after a reset are as many as are needed; the first of them takes no bits."""
    found = re.search(count, Path(ROOT, path).read_text(encoding="utf-8"))
    assert found is not None
    passes = int(found[1]) - 1
    assert rank_after(passes, wipes=True) == 1601
    assert rank_after(passes - 1, wipes=True) < 1601


@SLOW
@pytest.mark.parametrize("chi", [False, True], ids=["linear", "chi"])
@pytest.mark.parametrize(
    ("order", "guards", "slots"),
    [(1, False, 1), (1, True, 1), (2, False, 1), (1, True, 2), (2, False, 2)],
    ids=["1", "guards", "2", "guards-two-slots", "2-two-slots"],
)
def test_a_round_is_the_packages(order: int, guards: bool, slots: int, chi: bool) -> None:
    """The claim holds."""
    prove(order, _files(), guards=guards, slots=slots, chi=chi)


@SLOW
@pytest.mark.parametrize(
    ("path", "old", "new", "chi"),
    [
        (CHI, "High*(High-1)/2+Low]", "High*(High-1)/2+Low] ^ (5 * Width)'(i == 0)", True),
        (CHI, "(i == 0) ? ~a_i[i]", "(i == 9) ? ~a_i[i]", True),
        (CHI, "a_i[i] ^ add_i[i]", "a_i[i] ^ (add_i[i] & ~a_i[i])", True),
        (ENGINE, "linear_q[i] <= linear[i]", "linear_q[i] <= linear[(i+1)%Shares]", False),
        (ENGINE, "(Shares * StateWidth)'(constant);\n    else", "'0;\n    else", False),
    ],
    ids=["random", "invert", "add", "share", "iota"],
)
def test_a_fault_is_not_proved(path: str, old: str, new: str, chi: bool) -> None:
    """A random bit added once, a share not inverted, a block or a constant lost, shares swapped."""
    files = dict(_files())
    assert files[path].count(old) >= 1
    files[path] = files[path].replace(old, new, 1)
    with pytest.raises(ToolError, match="unproven"):
        prove(1, files, chi=chi)
