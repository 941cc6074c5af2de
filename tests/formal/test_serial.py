"""Proof: a pass of `hf_keccak_serial` reads the package's round of what the pass before it read.

So does the sum of the shares of `hf_keccak_masked_serial`: there the shares after chi are any, and
their sum is proved; then each share is proved to be moved by theta and rho. What masks the products
has any value in each clock, but random bits come without a wait.

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
from hashfabric.registry.sources import closure
from tests.support.equivalence import prove_equal
from tests.support.simulation import mutated
from tests.support.unrolled import Bit, Unrolled, flat_registers

# Where the engine's registers are in the top.
INSIDE = "u_shares."
# The engine's names that the proof uses. Groups that a clock has read from the lanes' memories:
READ = "r0"
# Groups that a clock writes to them:
WRITTEN = "moved"
# A lane's units of group `word` + 4 in the block's memory, and how many bits a unit has at most:
BLOCK = "gen_block[{share}].u_block.gen_distributed.gen_lane[{unit}].mem[{word}]"
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
CHI_SHARES = "rtl/keccak/hf_keccak_masked_chi.sv"
MASKED = "hf_keccak_masked_serial"
# With two shares: registers of chi, and what is zero or one in a pass that does not wait.
CHI = "r1"
STARTING, RANDOM = "starting_q", "rand_valid_i"
GATE = "hf_serial_unrolled"
GOLDEN = {
    masked: Path(__file__).with_name(name)
    for masked, name in ((False, "hf_serial_pass.sv"), (True, "hf_masked_serial_pass.sv"))
}
CORE = load_designs()["keccak-serial"].variants["core"]


class Pass:
    """An engine over the clocks of a pass, and what its ports of the proof are.

    A pass takes `first` more clocks than there are groups; the last group is read in the clock
    `first` - 4, then all in turn, and groups are written from clock `first` on.
    """

    def __init__(self, module: Mapping[str, Any], slices: int, shares: int) -> None:
        """Name registers and inputs, and cut what is proved."""
        prefix = INSIDE
        self.nets = {n.removeprefix(prefix): net["bits"] for n, net in module["netnames"].items()}
        self.slices, self.shares, self.groups = slices, shares, 64 // slices
        self.first = 4 + shares
        self.clocks = self.groups + self.first
        self.moves = [offset // slices for offset in RHO_OFFSETS]  # of groups, by rho
        self.cuts: dict[tuple[int, int], Bit] = {}
        self.places = {
            name: {bit: i for i, bit in enumerate(self.nets[name])}
            for name in (READ, WRITTEN, *[CHI] * (shares == 2))
        }
        assert {len(bits) for bits in self.places.values()} == {25 * slices * shares}
        self.made = Unrolled(module, dict.fromkeys(self.nets["rst_i"], "0"), self._cut)
        new = self.made.new
        self.state, self.new, self.block, self.chi = (
            [new() for _ in range(1600 * shares)] for _ in range(4)
        )
        self.chi_last = [new() for _ in range(25 * slices * shares)]
        self.number, self.zero = [new() for _ in range(5)], new()
        self.control, self.tables = self._begin()

    def _cut(self, clock: int, bit: int) -> Bit | None:
        if (clock, bit) in self.cuts:
            return self.cuts[clock, bit]
        name = next((name for name, places in self.places.items() if bit in places), None)
        if name is None:
            return None
        lane, i = divmod(self.places[name][bit], self.slices)  # lanes of all shares
        at = 64 * lane + i
        # The last group is read in step -5, then all in turn; written in steps from 0 on.
        group = clock - (self.first - 3)
        found: Bit | None = None
        if name == READ and -1 <= group < self.groups:
            found = self.state[at + group % self.groups * self.slices]
        elif name == CHI and 0 <= group <= self.groups:
            last = group == 0
            place = self.places[name][bit]
            found = self.chi_last[place] if last else self.chi[at + (group - 1) * self.slices]
        elif name == WRITTEN and self.first <= clock < self.clocks:
            moved = (clock - self.first + self.moves[lane % 25]) % self.groups
            found = self.new[at + moved * self.slices]
        self.cuts[clock, bit] = self.made.fresh() if found is None else found
        return self.cuts[clock, bit]

    def _by_round(self, values: Sequence[Bit]) -> Bit:
        return self.made.choice(
            [values[r if r < ROUNDS else r - 8] for r in range(32)], self.number
        )

    def _begin(self) -> tuple[list[int], list[list[str]]]:
        """Name the registers of control in the first step, and the inputs; return them."""
        made, nets = self.made, self.nets
        begins = dict(CONTROL) | {"step_q": [-self.first] * ROUNDS}
        if self.shares == 2:
            begins["back_q"] = [0] * ROUNDS
            for bit in nets[STARTING]:
                made.name(0, bit, "0")
            for clock in (0, self.clocks):
                made.name(clock, nets[RANDOM][0], "1")
        control = [bit for name in begins for bit in nets[name]]
        tables = [
            [str(value >> i & 1) for value in values]
            for name, values in begins.items()
            for i in range(len(nets[name]))
        ]
        reset = made.fresh()
        resets = {
            bit: str(value >> i & 1)
            for name, value in RESET.items()
            for i, bit in enumerate(nets[name])
        }
        for bit, values in zip(control, tables, strict=True):
            first: Bit = values[0]
            after = resets.get(bit, first)
            first = made.choice([first, first, first, after], [self.zero, reset])
            made.name(0, bit, self._by_round([first, *values[1:]]))
            # proved: control_o
            self.cuts[self.clocks, bit] = self._by_round([*values[1:], values[0]])
        made.name(0, nets[ZERO][0], self.zero)
        for bit in (bit for name in QUIET for bit in nets[name]):
            made.name(0, bit, self._by_round(["0", *[made.fresh()] * (ROUNDS - 1)]))
        for clock in (self.clocks - 2, self.clocks - 1):
            for name, value in OFFER.items():
                for i, bit in enumerate(nets[name]):
                    offered = str(value >> i & 1)
                    rest = [made.fresh()] * (ROUNDS - 1)
                    made.name(clock, bit, self._by_round([*rest, offered]))
        width = min(self.slices, UNIT)
        for share in range(self.shares):
            for lane in range(25):
                for at in range(0, 64, width):
                    unit = lane * self.slices // width + at % self.slices // width
                    word = (at // self.slices - 4) % self.groups
                    own = nets[BLOCK.format(share=share, unit=unit, word=word)]
                    for i, bit in enumerate(own):
                        made.name(0, bit, self.block[1600 * share + 64 * lane + at + i])
        return control, tables

    def _lanes(self, clock: int, name: str, moves: Sequence[int]) -> list[Bit]:
        """Return states whose group g is in `name` in clock + (g - moves[lane]) mod groups."""
        slices = self.slices
        return [
            self.made.uncut(
                clock + (z // slices - moves[lane % 25]) % self.groups,
                self.nets[name][lane * slices + z % slices],
            )
            for lane in range(25 * self.shares)
            for z in range(64)
        ]

    def _sums(self, shares: Sequence[Bit]) -> list[Bit]:
        half = len(shares) // 2
        return [
            self.made.sum(one, other)
            for one, other in zip(shares[:half], shares[half:], strict=True)
        ]

    def module(self) -> tuple[dict[str, Any], str, int]:
        """Return the module, all rounds' control as a number, and how many bits are free."""
        made, nets, still = self.made, self.nets, [0] * 25
        after = self.clocks + self.first - 4  # the next pass: the last group
        inputs = {"round_i": self.number, "a_i": self.state, "b_i": self.new}
        inputs |= {"block_i": self.block, "zero_i": [self.zero]}
        outputs = {
            "b_o": self._lanes(self.first, WRITTEN, self.moves),
            "next_o": self._lanes(after + 1, READ, still),
            "last_o": [made.uncut(after, bit) for bit in nets[READ]],
            "control_o": [made.uncut(self.clocks, bit) for bit in self.control],
            "zero_o": [made.at(self.clocks, nets[ZERO][0])],
        }
        if self.shares == 2:
            inputs |= {"c_i": self.chi, "c_last_i": self.chi_last}
            clock = self.first - 3
            last = [made.uncut(clock, bit) for bit in nets[CHI]]
            outputs["chi_o"] = self._sums(self._lanes(clock + 1, CHI, still))
            outputs["chi_last_o"] = self._sums(last)
        columns = range(ROUNDS)
        text = "".join(values[r] for r in reversed(columns) for values in reversed(self.tables))
        return made.module_of(inputs, outputs), f"{len(text)}'b{text}", len(made.free)


def prove(slices: int, files: Mapping[str, str], top: str = CORE.top) -> None:
    """Prove the engine with `slices` slices a clock, built from `files`."""
    files = dict(files)
    masked = top == MASKED
    golden_file = GOLDEN[masked]
    parameters = {"WordWidth": 32} if masked else CORE.parameters
    parameters = {**parameters, "Slices": slices}
    golden = golden_file.read_text(encoding="utf-8")
    here = Path(__file__).read_text(encoding="utf-8")
    key = hashlib.sha256(repr((top, parameters, files, golden, here)).encode()).hexdigest()[:16]
    directory = BUILD / "formal" / f"serial-{key}"
    for path, text in {**files, golden_file.name: golden}.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    overrides = [f"-G {of}={value_text(value)}" for of, value in parameters.items()]
    script = [
        f"read_slang --threads 1 --top {top} {' '.join([*overrides, *files])}",
        *flat_registers("engine.json"),
    ]
    run_script(script, directory, name="engine")
    engine = json.loads((directory / "engine.json").read_text(encoding="utf-8"))
    gate, control, free = Pass(engine["modules"][top], slices, 2 if masked else 1).module()
    text = json.dumps({"creator": "", "modules": {GATE: gate}})
    (directory / "unrolled.json").write_text(text, encoding="utf-8")
    width = len(gate["ports"]["control_o"]["bits"])
    name = golden_file.stem
    prove_equal(
        directory,
        (GATE, ["read_json unrolled.json"]),
        (
            name,
            [
                f"read_slang --threads 1 --top {name} -G Slices={slices} -G ControlWidth={width} "
                f"-G Control={control} -G FreeWidth={free} {PACKAGE} {golden_file.name}"
            ],
        ),
        bits=sum(
            len(port["bits"]) for port in gate["ports"].values() if port["direction"] == "output"
        ),
    )


@pytest.mark.slow
@pytest.mark.parametrize("slices", [16, 4])
def test_a_pass_is_the_packages_round(slices: int) -> None:
    """The claim holds."""
    prove(slices, read_sources(CORE))


@pytest.mark.slow
@pytest.mark.parametrize("slices", [16, 4])
def test_a_pass_on_shares_is_the_packages_round(slices: int) -> None:
    """The claim holds for the sum of both shares."""
    prove(slices, closure(MASKED), MASKED)


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (CHI_SHARES, "random_i[High*(High-1)/2+Low]", "((i < j) ? random_i[0] : '0)"),
        (ENGINE, "add[s][x] = block_q[s][5*y+x]", "add[s][x] = block_q[0][5*y+x]"),
        (ENGINE, "((s == 0 && x == 0 && y == 0)", "((x == 0 && y == 0)"),
        (ENGINE, "(Masked && step_q == FirstStep)", "(Masked && first_step)"),
    ],
    ids=["mask-once", "block-of-one-share", "iota-in-both-shares", "last-group-zero"],
)
def test_a_fault_on_shares_is_not_proved(path: str, old: str, new: str) -> None:
    """One fault in what only the masked engine has, and the proof fails."""
    with pytest.raises(ToolError, match="unproven"):
        prove(16, mutated(closure(MASKED), path, old, new), MASKED)
