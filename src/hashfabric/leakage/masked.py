"""The experiments on `keccak-masked`: its gadget and its round, as probing checks."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from hashfabric.base.errors import LabError
from hashfabric.leakage.polynomials import (
    ONE_POLYNOMIAL,
    ZERO_POLYNOMIAL,
    Variables,
    Verdict,
    uniform,
    variable,
)
from hashfabric.leakage.probing import Experiment, Valuation, Values, nets_of
from hashfabric.leakage.traces import Stimulus
from hashfabric.netlist.circuit import Circuit

ENGINE, GADGET = "hf_keccak_masked", "hf_keccak_masked_chi"

LOAD, LINEAR, CHI = 1, 2, 3
"""Bits of the engine's op_q."""


@dataclass(frozen=True)
class Form:
    """The engine's parameters."""

    order: int = 1
    guards: bool = False
    slices: int | None = None
    """Slices a clock of the engine on keccak-serial's schedule; None: the engine of rounds."""

    @property
    def shares(self) -> int:
        """Shares of a value."""
        return self.order + 1


def gadget(netlist: Circuit, form: Form, *, adds: bool) -> Experiment:
    """Return the check of chi on a row: shares, random bits, and what it `adds` are any.

    The second of two clocks is observed, in which the registers have the products. The shares are
    those of the first clock still, as in the engine; random bits are new. Without `adds` nothing is
    added, as in all rounds but the last.
    """
    variables, given = Variables(form.shares), list[Values]()
    shares = _shared(netlist, variables, {"a_i": 5}, form.shares, "")
    for clock in range(2):
        values = shares | dict.fromkeys(nets_of(netlist, "enable_i"), ONE_POLYNOMIAL)
        if adds:
            values |= _shared(netlist, variables, {"add_i": 5}, form.shares, f"clock {clock}: ")
        for i, net in enumerate(nets_of(netlist, "random_i")):
            values[net] = variable(variables.random(f"clock {clock}: random_i[{i}]"))
        given.append(values)
    return Experiment(netlist, variables, given, [1])


def shares_uniform(netlist: Circuit, form: Form) -> Verdict:
    """Decide whether chi's shares are uniform again, whatever the secrets: all of a row but one.

    A single probe on the row does not find a random bit that is missing or used twice; the next
    round would.
    """
    experiment = gadget(netlist, form, adds=False)
    found = Valuation(experiment)
    outputs = nets_of(netlist, "b_o")[: 5 * form.order]
    return uniform([found.value(net, 1) for net in outputs], experiment.variables)


def one_round(
    netlist: Circuit, form: Form, *, load: bool = False, adds: bool = False
) -> Experiment:
    """Return the check of a round, from `chi` to the next `chi`; with `load`, of a message's first.

    The shares before the first chi are any, uniform and independent, and so are those of a block
    that it `adds`. Without one, as in most rounds, nothing but random bits masks the products. With
    `load` the register of the linear steps is zero and a block is loaded. The clock `linear`
    and the second `chi` are observed: wires that lead from one register to the other, both ways.
    """
    variables, given = Variables(form.shares), list[Values]()
    for clock in range(3):
        values: Values = {}
        op = (LOAD if load else CHI, LINEAR, CHI)[clock]
        for i, net in enumerate(nets_of(netlist, "op_q")):
            values[net] = ONE_POLYNOMIAL if i == op else ZERO_POLYNOMIAL
        for i, net in enumerate(nets_of(netlist, "rand_i")):
            values[net] = variable(variables.random(f"clock {clock}: rand_i[{i}]"))
        values |= _shared(netlist, variables, {"blk_i": 1600}, form.shares, f"clock {clock}: ")
        if clock == 0:
            state = _shared(netlist, variables, {"linear_q": 1600}, form.shares, "")
            block = _shared(netlist, variables, {"block_q": 1600}, form.shares, "")
            values |= block if adds else dict.fromkeys(block, ZERO_POLYNOMIAL)
            values |= dict.fromkeys(state, ZERO_POLYNOMIAL) if load else state
            if form.guards:
                for i, net in enumerate(nets_of(netlist, "gen_guards.guard_q")):
                    share = state[nets_of(netlist, "linear_q")[i]]
                    values[net] = variable(variables.random(f"guard {i}")) if load else share
                [kept] = nets_of(netlist, "gen_guards.kept_q")
                values[kept] = variable(variables.random("kept_q"))
            before = values
        if clock == 1:  # The registers of the linear steps change a clock after the products.
            same = nets_of(netlist, "linear_q")
            same = same + (nets_of(netlist, "gen_guards.guard_q") if form.guards else [])
            values |= {net: before[net] for net in same}
        given.append(values)
    return Experiment(netlist, variables, given, [1, 2])


def _shared(
    netlist: Circuit, variables: Variables, widths: Mapping[str, int], shares: int, when: str
) -> Values:
    """Return new secrets for signals that hold their shares side by side."""
    values: Values = {}
    for name, width in widths.items():
        nets = nets_of(netlist, name)
        if len(nets) != shares * width:
            raise LabError(f"{name} has {len(nets)} bits, not {shares} shares of {width}")
        for bit in range(width):
            secret = variables.secret(f"{when}{name}[{bit}]")
            for i in range(shares):
                values[nets[width * i + bit]] = variable(secret[i])
    return values


ROUNDS_MEASURED = 3


def rounds_stimulus(netlist: Circuit, form: Form, seed: int = 1) -> Stimulus:
    """Return what loads a block in shares, fixed or random, and permutes it for three rounds.

    The engine begins with shares of another message in its registers. The first clock that is
    measured is that in which the block is accepted.
    """
    rng, settle = random.Random(seed), 2
    stimulus = Stimulus(settle + 2 + 2 * ROUNDS_MEASURED + 1, settle)
    for register in netlist.registers:
        stimulus.constant(0, register.out, 0)
    for name, value in (("op_q", 1), ("last_q", 1)):
        for i, net in enumerate(nets_of(netlist, name)):
            stimulus.constant(0, net, value >> i & 1)
    for net in products(netlist):
        stimulus.random(0, net)
    if form.guards:
        [kept] = nets_of(netlist, "gen_guards.kept_q")
        stimulus.random(0, kept)
    for name, value in (("rst_i", 0), ("blk_valid_i", 0), ("st_ready_i", 1), ("rand_valid_i", 1)):
        [net] = nets_of(netlist, name)
        stimulus.constant(0, net, value)
    block = nets_of(netlist, "blk_i")
    for name in ("blk_valid_i", "blk_first_i", "blk_last_i"):
        [net] = nets_of(netlist, name)
        stimulus.constant(settle, net, 1)
        stimulus.constant(settle + 1, net, 0)
    for bit in range(1600):
        shares = [block[1600 * i + bit] for i in range(form.shares)]
        stimulus.secret(settle, shares, rng.getrandbits(1))
        for net in shares:
            stimulus.constant(settle + 1, net, 0)
    # New random bits after each clock in which they were used.
    for clock in range(settle, stimulus.clocks, 2):
        for net in nets_of(netlist, "rand_i"):
            stimulus.random(clock, net)
    return stimulus


def products(netlist: Circuit) -> list[int]:
    """Return the registers that hold the state, of share 0's own products first."""
    planes = [nets_of(netlist, f"gen_plane[{y}].u_chi.product_q") for y in range(5)]
    pairs = len(planes[0]) // 320
    return [net for p in range(pairs) for plane in planes for net in plane[320 * p : 320 * p + 320]]
