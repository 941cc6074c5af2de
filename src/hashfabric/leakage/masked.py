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
from hashfabric.models.keccak import ROUNDS
from hashfabric.netlist.circuit import Circuit

ENGINE, GADGET = "hf_keccak_masked", "hf_keccak_masked_chi"


@dataclass(frozen=True)
class Form:
    """The engine's parameters."""

    order: int = 1
    guards: bool = False
    slots: int = 1
    """Messages in flight."""
    slices: int | None = None
    """Slices a clock of the engine on keccak-serial's schedule; None: the engine of rounds."""

    @property
    def shares(self) -> int:
        """Shares of a value."""
        return self.order + 1

    @property
    def two(self) -> bool:
        """Whether two messages are in flight."""
        return self.slots > 1

    @property
    def control(self) -> str:
        """The scope of the control of the engine of rounds."""
        return "gen_two.u_control." if self.two else "gen_one.u_control."

    @property
    def kept(self) -> list[str]:
        """The bits of the guards' chain: kept from one chi to the next, and with a state."""
        if not self.two:
            return ["gen_guards.gen_kept_one.kept_q"]
        return [f"gen_guards.gen_kept_two.{name}" for name in ("kept_q", "left_q")]


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
    netlist: Circuit,
    form: Form,
    *,
    load: bool = False,
    restore: bool = False,
    adds: bool = False,
) -> Experiment:
    """Return the check of a round, from `chi` to the next `chi`; with `load`, of a message's first.

    The shares before the first chi are any, uniform and independent, and so are those of a block
    that it `adds`. Without one, as in most rounds, nothing but random bits masks the products. With
    `load` the register of the linear steps is zero and a block is loaded, with `restore` a state
    that has returned. The clock `linear` and the second `chi` are observed: wires that lead from
    one register to the other, both ways. With two slots another message, of any shares, is in the
    clocks between.
    """
    variables, given = Variables(form.shares), list[Values]()
    for clock in range(3):
        values: Values = {}
        if not form.two:
            [loads] = nets_of(netlist, "rand_ready_o")  # in the clock of chi, and of a load
            values[loads] = ZERO_POLYNOMIAL if clock == 1 else ONE_POLYNOMIAL
        elif clock == 0:
            [seeded] = nets_of(netlist, f"{form.control}seeded_q")
            [*_, restores] = nets_of(netlist, f"{form.control}restore_q")  # in the clock of chi
            values[seeded] = ONE_POLYNOMIAL
            values[restores] = ONE_POLYNOMIAL if restore else ZERO_POLYNOMIAL
        for i, net in enumerate(nets_of(netlist, "rand_i")):
            values[net] = variable(variables.random(f"clock {clock}: rand_i[{i}]"))
        values |= _shared(netlist, variables, {"blk_i": 1600}, form.shares, f"clock {clock}: ")
        if clock == 0:
            block = _shared(netlist, variables, {"block_q": 1600}, form.shares, "")
            values |= block if adds else dict.fromkeys(block, ZERO_POLYNOMIAL)
            before = _before_chi(netlist, variables, form, "", load=load or restore)
            if form.guards:
                for name in form.kept:
                    for i, net in enumerate(nets_of(netlist, name)):
                        before[net] = variable(variables.random(f"{name}[{i}]"))
            values |= before
        elif clock == 1 and form.two:
            values |= _before_chi(netlist, variables, form, "other: ", load=False)
        elif clock == 1:  # The registers of the linear steps change a clock after the products.
            same = nets_of(netlist, "linear_q")
            same = same + (nets_of(netlist, "gen_guards.guard_q") if form.guards else [])
            values |= {net: before[net] for net in same}
        given.append(values)
    return Experiment(netlist, variables, given, [1, 2])


def _before_chi(
    netlist: Circuit, variables: Variables, form: Form, whose: str, *, load: bool
) -> Values:
    """Return the registers before chi: any shares, or with `load` zeros that are masked."""
    state = _shared(netlist, variables, {"linear_q": 1600}, form.shares, whose)
    values = dict.fromkeys(state, ZERO_POLYNOMIAL) if load else dict(state)
    if form.guards:
        for i, net in enumerate(nets_of(netlist, "gen_guards.guard_q")):
            share = state[nets_of(netlist, "linear_q")[i]]
            guard = variable(variables.random(f"{whose}guard {i}")) if load else share
            values[net] = guard
    return values


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
    measured is that in which the block is offered.
    """
    rng, settle, delay = random.Random(seed), 2, (3 if form.two else 0)
    accepted = settle if form.two else settle + 1  # one slot takes what was offered before
    stimulus = Stimulus(accepted + delay + 2 + 2 * ROUNDS_MEASURED + 1, settle)
    for register in netlist.registers:
        stimulus.constant(0, register.out, 0)
    # One slot is idle a clock after a last block's last round. Of two slots the first one is shown,
    # and is empty.
    last = {"round_q": ROUNDS - 1, "last_q": 1}
    control = last if not form.two else {"ready_q": 1, "seeded_q": 1}
    for name, value in control.items():
        for i, net in enumerate(nets_of(netlist, form.control + name)):
            stimulus.constant(0, net, value >> i & 1)
    for net in products(netlist):
        stimulus.random(0, net)
    if form.guards:
        # With two slots also the guards of the chi that comes first.
        masks = [*form.kept, "gen_guards.guard_q"] if form.two else form.kept
        for net in (net for name in masks for net in nets_of(netlist, name)):
            stimulus.random(0, net)
    for name, value in (("rst_i", 0), ("blk_valid_i", 0), ("st_ready_i", 1), ("rand_valid_i", 1)):
        [net] = nets_of(netlist, name)
        stimulus.constant(0, net, value)
    block = nets_of(netlist, "blk_i")
    for name in ("blk_valid_i", "blk_first_i", "blk_last_i"):
        [net] = nets_of(netlist, name)
        stimulus.constant(settle, net, 1)
        stimulus.constant(accepted + 1, net, 0)
    for bit in range(1600):
        shares = [block[1600 * i + bit] for i in range(form.shares)]
        stimulus.secret(settle + delay, shares, rng.getrandbits(1))
        for net in shares:
            stimulus.constant(accepted + delay + 1, net, 0)
    # New random bits after each clock in which they were used.
    for clock in range(accepted, stimulus.clocks, 1 if form.two else 2):
        for net in nets_of(netlist, "rand_i"):
            stimulus.random(clock, net)
    return stimulus


def products(netlist: Circuit) -> list[int]:
    """Return the registers that hold the state, of share 0's own products first."""
    planes = [nets_of(netlist, f"gen_plane[{y}].u_chi.product_q") for y in range(5)]
    pairs = len(planes[0]) // 320
    return [net for p in range(pairs) for plane in planes for net in plane[320 * p : 320 * p + 320]]
