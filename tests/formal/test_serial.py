"""Proof: a pass of `hf_keccak_serial` reads the package's round of what the pass before it read.

The engine as it is, memories included, is unrolled over its clocks, from a pass's first step to the
last read of the next pass. The groups of slices that the memories give in the first pass are those
of any state, and there is any block. The groups that it writes are proved to be those of the round;
and what the next pass reads, the last group both times, is proved to be what was written. The
lanes' base addresses, the memories' contents, all other registers, and the inputs of any clock have
any value. Control begins as in the pass of any round, and is proved to be that of the next round in
the next pass: so the claim holds for all 24 by induction.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from hashfabric.base.paths import BUILD
from hashfabric.base.tools import ToolError
from hashfabric.base.yosys import run_script, value_text
from hashfabric.models.keccak import RHO_OFFSETS, ROUNDS
from hashfabric.registry.designs import load_designs, read_sources
from tests.support.equivalence import prove_equal
from tests.support.unrolled import Bit, Unrolled, flat_registers

# Where the engine's registers are in the top.
INSIDE = "u_shares."
# The engine's names that the proof uses. Groups that a clock has read from the lanes' memories:
READ = "r0"
# Groups that a clock writes to them:
WRITTEN = "moved"
# A lane's units of group `word` + 4 in the block's memory, and how many bits a unit has at most:
BLOCK = "gen_block[0].u_block.gen_distributed.gen_lane[{unit}].mem[{word}]"
UNIT = 8


def constants(t: int) -> int:
    """Return rc(t) to rc(t + 7) of FIPS 202, algorithm 5; round i has t = 7i."""
    bits = [1, 0, 0, 0, 0, 0, 0, 0]
    while len(bits) < t + 8:
        bits.append(bits[-8] ^ bits[-4] ^ bits[-3] ^ bits[-2])
    return sum(bit << i for i, bit in enumerate(bits[t : t + 8]))


# Registers of control in the first step of a pass, in each round. The first pass of a permutation
# has the constant of the last round of the permutation before.
CONTROL: Mapping[str, Sequence[int]] = {
    "pass_q": [3] * ROUNDS,  # PassRound
    "step_q": [-5] * ROUNDS,
    "before_last_q": [0] * ROUNDS,
    "last_q": [0] * ROUNDS,
    "begin_q": [0] * ROUNDS,
    "write_q": [0] * ROUNDS,
    "first_round_q": [int(r == 0) for r in range(ROUNDS)],
    "constants_q": [constants(7 * ((r - 1) % ROUNDS)) for r in range(ROUNDS)],
}
# High until the first permutation after a wipe: iota is left out. The constants of the first pass
# may be those of a reset then.
ZERO = "zero_q"
RESET = {"constants_q": constants(0)}
# Registers that are zero in a permutation's first step: the block's memory is not being written.
QUIET = ("take_add_q", "clear_q", "block_write_q")
# A permutation that follows directly is offered from the last step but one on.
OFFER = {"op_valid_i": 1, "op_i": 2}  # WordPermute

PACKAGE = "rtl/keccak/hf_keccak_pkg.sv"
ENGINE = "rtl/keccak/hf_keccak_serial_shares.sv"
GOLDEN = Path(__file__).with_name("hf_serial_pass.sv")
GATE = "hf_serial_unrolled"
CORE = load_designs()["keccak-serial"].variants["core"]


def unrolled(module: Mapping[str, Any], slices: int) -> tuple[dict[str, Any], str, int]:
    """Return the module of a pass, all rounds' control as a number, and how many bits are free."""
    nets = {name.removeprefix(INSIDE): net["bits"] for name, net in module["netnames"].items()}
    groups = 64 // slices
    clocks = groups + 5
    read = {bit: i for i, bit in enumerate(nets[READ])}
    written = {bit: i for i, bit in enumerate(nets[WRITTEN])}
    assert len(read) == len(written) == 25 * slices
    control = [bit for name in CONTROL for bit in nets[name]]
    tables = [
        [str(value >> i & 1) for value in values]
        for name, values in CONTROL.items()
        for i in range(len(nets[name]))
    ]
    cuts: dict[tuple[int, int], Bit] = {}

    moves = [offset // slices for offset in RHO_OFFSETS]  # of groups, by rho

    def cut(clock: int, bit: int) -> Bit | None:
        if (clock, bit) not in cuts:
            # The last group is read in step -5, then all in turn; written in steps from 0 on.
            if bit in read and 1 <= clock <= groups + 1:
                lane, i = divmod(read[bit], slices)
                cuts[clock, bit] = state[64 * lane + (clock - 2) % groups * slices + i]
            elif bit in written and 5 <= clock < clocks:
                lane, i = divmod(written[bit], slices)
                group = (clock - 5 + moves[lane]) % groups
                cuts[clock, bit] = new[64 * lane + group * slices + i]
            elif bit in read or bit in written:
                cuts[clock, bit] = made.fresh()
        return cuts.get((clock, bit))

    def lanes(clock: int, name: str, moves: Sequence[int]) -> list[Bit]:
        """Return a state whose group g is in `name` in clock + (g - moves[lane]) mod groups."""
        return [
            made.uncut(
                clock + (z // slices - moves[lane]) % groups,
                nets[name][lane * slices + z % slices],
            )
            for lane in range(25)
            for z in range(64)
        ]

    made = Unrolled(module, dict.fromkeys(nets["rst_i"], "0"), cut)
    state, new, block = ([made.new() for _ in range(1600)] for _ in range(3))
    number, zero = [made.new() for _ in range(5)], made.new()

    def by_round(values: Sequence[Bit]) -> Bit:
        return made.choice([values[r if r < ROUNDS else r - 8] for r in range(32)], number)

    reset = made.fresh()
    resets = {
        bit: str(value >> i & 1)
        for name, value in RESET.items()
        for i, bit in enumerate(nets[name])
    }
    for bit, values in zip(control, tables, strict=True):
        first: Bit = values[0]
        first = made.choice([first, first, first, resets.get(bit, first)], [zero, reset])
        made.name(0, bit, by_round([first, *values[1:]]))
        cuts[clocks, bit] = by_round([*values[1:], values[0]])  # proved: control_o
    made.name(0, nets[ZERO][0], zero)
    for bit in (bit for name in QUIET for bit in nets[name]):
        made.name(0, bit, by_round(["0", *[made.fresh()] * (ROUNDS - 1)]))
    for clock in (clocks - 2, clocks - 1):
        for name, value in OFFER.items():
            for i, bit in enumerate(nets[name]):
                offered = str(value >> i & 1)
                made.name(clock, bit, by_round([*[made.fresh()] * (ROUNDS - 1), offered]))
    width = min(slices, UNIT)
    for lane in range(25):
        for at in range(0, 64, width):
            unit = lane * slices // width + at % slices // width
            own = nets[BLOCK.format(unit=unit, word=(at // slices - 4) % groups)]
            for i, bit in enumerate(own):
                made.name(0, bit, block[64 * lane + at + i])

    inputs = {"round_i": number, "a_i": state, "b_i": new, "block_i": block, "zero_i": [zero]}
    outputs = {
        "b_o": lanes(5, WRITTEN, moves),
        "next_o": lanes(clocks + 2, READ, [0] * 25),
        "last_o": [made.uncut(clocks + 1, bit) for bit in nets[READ]],
        "control_o": [made.uncut(clocks, bit) for bit in control],
        "zero_o": [made.at(clocks, nets[ZERO][0])],
    }
    text = "".join(values[r] for r in reversed(range(ROUNDS)) for values in reversed(tables))
    return made.module_of(inputs, outputs), f"{len(text)}'b{text}", len(made.free)


def prove(slices: int, files: Mapping[str, str]) -> None:
    """Prove the core with `slices` slices a clock, built from `files`."""
    files = dict(files)
    parameters = {**CORE.parameters, "Slices": slices}
    golden = GOLDEN.read_text(encoding="utf-8")
    here = Path(__file__).read_text(encoding="utf-8")
    key = hashlib.sha256(repr((parameters, files, golden, here)).encode()).hexdigest()[:16]
    directory = BUILD / "formal" / f"serial-{key}"
    for path, text in {**files, GOLDEN.name: golden}.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    overrides = [f"-G {of}={value_text(value)}" for of, value in parameters.items()]
    script = [
        f"read_slang --threads 1 --top {CORE.top} {' '.join([*overrides, *files])}",
        *flat_registers("engine.json"),
    ]
    run_script(script, directory, name="engine")
    engine = json.loads((directory / "engine.json").read_text(encoding="utf-8"))
    gate, control, free = unrolled(engine["modules"][CORE.top], slices)
    text = json.dumps({"creator": "", "modules": {GATE: gate}})
    (directory / "unrolled.json").write_text(text, encoding="utf-8")
    width = len(gate["ports"]["control_o"]["bits"])
    top = GOLDEN.stem
    prove_equal(
        directory,
        (GATE, ["read_json unrolled.json"]),
        (
            top,
            [
                f"read_slang --threads 1 --top {top} -G Slices={slices} -G ControlWidth={width} "
                f"-G Control={control} -G FreeWidth={free} {PACKAGE} {GOLDEN.name}"
            ],
        ),
        bits=3200 + 25 * slices + width + 1,
    )


@pytest.mark.slow
@pytest.mark.parametrize("slices", [16, 4])
def test_a_pass_is_the_packages_round(slices: int) -> None:
    """The claim holds."""
    prove(slices, read_sources(CORE))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Shift = RhoOffset[5*y+x] % GroupBits;",
            "Shift = (RhoOffset[5*y+x] + ((x == 2 && y == 3) ? 1 : 0)) % GroupBits;",
        ),
        ("(2 * Groups - m - StepsBefore + 1)", "(2 * Groups - m - StepsBefore + 1 + m / 3)"),
        ("iota_q <= iota_group;", "iota_q <= iota_group & ~group_t'(1);"),
        ("^{constants_q[6:4], constants_q[0]};", "^{constants_q[6:5], constants_q[0]};"),
        ("constants(NumRounds - 2);", "constants(NumRounds - 3);"),
        ("(!negative || &step_q);", "!negative;"),
        ("(i == 0) ? right_before[GroupBits-1]", "(i == 0) ? right[GroupBits-1]"),
        ("!(pass_q == PassAccess || first_round_q);", "!(pass_q != PassWipe);"),
    ],
    ids=["shift", "base", "iota", "constant", "last", "write", "parity", "block"],
)
def test_a_fault_is_not_proved(old: str, new: str) -> None:
    """One fault in the engine, and the proof fails."""
    files = dict(read_sources(CORE))
    assert files[ENGINE].count(old) == 1
    files[ENGINE] = files[ENGINE].replace(old, new)
    with pytest.raises(ToolError, match="unproven"):
        prove(16, files)
