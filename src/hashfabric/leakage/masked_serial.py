"""The experiments on `hf_keccak_masked_serial`: its passes as probing checks, and their traces.

The netlist is that of `hf_keccak_serial_shares` with two shares or more; with two it has guards,
and is the same without the passes after a reset. Its control runs by itself, from a reset on; what
its memories give is stated.
"""

import random
from collections.abc import Iterator, Sequence

from hashfabric.base.errors import LabError
from hashfabric.leakage.polynomials import (
    ONE_POLYNOMIAL,
    ZERO_POLYNOMIAL,
    Polynomial,
    Variables,
    variable,
)
from hashfabric.leakage.probing import Experiment, Valuation, Values, nets_of
from hashfabric.leakage.traces import Stimulus
from hashfabric.netlist.circuit import ONE, ZERO, Circuit

ENGINE = "hf_keccak_serial_shares"
WORD_WIDTH = 32

OPERATIONS = ("add", "read", "permute", "wipe")
"""By their codes in the word contract."""

LANES, LANE_WIDTH = 25, 64
_ADD_LANES = 21
_STATE = ": state"
WORD = 27
"""The word that is added or read: the second one of lane 13, in plane 2."""
_BEFORE = 6  # steps of a pass before its step 0


def parameters(slices: int, order: int = 1) -> dict[str, int]:
    """Return the engine's parameters, as the stream has it."""
    return {
        "Slices": slices,
        "WordWidth": WORD_WIDTH,
        "BlockLanes": _ADD_LANES,
        "Shares": order + 1,
        "FirstPasses": 0,
    }


def one_pass(netlist: Circuit, operation: str, *, adds: bool = False) -> Experiment:
    """Return the check of a pass that an operation begins, from a reset to the clocks after it.

    The shares of the state are any, uniform and independent: the groups of slices come from the
    memories one after the other, the last group both times; the group before it only masks, and
    before and after there are zeros. A pass that follows another one begins in the same way. Any
    shares have the operation's word, the memories' contents, and a block that the pass of a
    permutation or of a read `adds`; that of an add reads one. In a wipe, and in an add's pass, the
    registers after the state's memories are zero but for the copies that mask, which only the
    engine with guards has. Without guards random bits are new after a clock that has taken them.
    """
    shares, guards = _shares(netlist), _guards(netlist)
    variables, given = Variables(shares), list[Values]()
    clears = operation in ("add", "wipe")
    begins = first_step(operation)
    contents = _contents(netlist, variables)
    registers = _state(netlist)
    copies = nets_of(netlist, "gen_masked.masking_q") if guards else []
    count = _groups(netlist)
    groups: dict[int, Values] = {}
    fresh: Values = {}
    for clock in range(begins + _BEFORE + count + _BEFORE):
        values: Values = {net: _constant(bit) for net, bit in _control(netlist, clock, operation)}
        values |= contents
        if clock == 0 or guards or takes_random(netlist, operation, clock - 1):
            for i, net in enumerate(nets_of(netlist, "rand_i")):
                fresh[net] = variable(variables.random(f"clock {clock}: rand_i[{i}]"))
        values |= fresh
        word = _parts(nets_of(netlist, "op_word_i"), shares)
        values |= _shared(variables, word, f"{clock}: op_word_i")
        step = (
            clock - begins - _BEFORE
        )  # of the clock; the memories gave the group of the one before
        group = (step + 3) % count
        if group not in groups:
            groups[group] = _shared(variables, registers, f"group {group}{_STATE}")
        state = groups[group]
        masks = -_BEFORE < step < count - 3
        values |= {
            copy: state[net] if masks else ZERO_POLYNOMIAL
            for copy, net in zip(copies, registers[0] if guards else [], strict=True)
        }
        is_read = masks and step > 1 - _BEFORE and not clears
        values |= state if is_read else dict.fromkeys(state, ZERO_POLYNOMIAL)
        block = _shared(variables, _block(netlist), f"clock {clock}: block")
        has_block = adds or operation == "add"
        values |= block if has_block else dict.fromkeys(block, ZERO_POLYNOMIAL)
        if clock == 1 and guards:
            [kept] = nets_of(netlist, "gen_masked.kept_q")
            values[kept] = variable(variables.random("kept_q"))
        given.append(values)
    return Experiment(netlist, variables, given, range(1, len(given)))


def first_step(operation: str) -> int:
    """Return the clock of a pass's first step, where the operation is offered in clock 1."""
    return 3 if operation == "permute" else 2


def takes_random(netlist: Circuit, operation: str, clock: int) -> bool:
    """Return whether random bits are taken in a clock of `one_pass`, without guards.

    They are where chi has a group of slices, the last one both times.
    """
    step = clock - first_step(operation) - _BEFORE
    return operation != "add" and step in range(-4, _groups(netlist) - 3)


def after_chi(experiment: Experiment) -> list[int]:
    """Return the wires to which the registers of chi's products have a path: a share's, summed.

    Here the rows of a group meet, in the parities of its columns.
    """
    netlist = experiment.circuit
    scope = "gen_masked" if _guards(netlist) else "gen_fresh"
    products = {
        net for y in range(5) for net in nets_of(netlist, f"{scope}.gen_plane[{y}].u_chi.product_q")
    }
    probed = Valuation(experiment).probed()
    return [net for cone, net in probed.items() if not products.isdisjoint(cone)]


def masks_in_a_block(experiment: Experiment) -> list[str]:
    """Return the masks and shares of the state that the pass of an add stores with the block.

    There must be none: they would be added to the state's own when the block is, and cancel.
    """
    found, names = Valuation(experiment), experiment.variables.names
    [takes] = nets_of(experiment.circuit, "take_add_q")  # a word's group is in block_group_q
    seen: set[int] = set()
    for clock in experiment.observed:
        if found.value(takes, clock) == ZERO_POLYNOMIAL:
            continue
        for share in range(_shares(experiment.circuit)):
            for net in nets_of(experiment.circuit, f"gen_block[{share}].block_group_q"):
                for value in found.observed(net, clock):
                    seen |= {one for monomial in value for one in monomial}
    masks = (_STATE, "kept_q", "rand_i")
    return sorted(names[one] for one in seen if any(mask in names[one] for mask in masks))


def _constant(bit: int) -> Polynomial:
    return ONE_POLYNOMIAL if bit else ZERO_POLYNOMIAL


def _control(netlist: Circuit, clock: int, operation: str) -> Iterator[tuple[int, int]]:
    """Yield the inputs of a clock: a reset, then the operation, of all bytes of a word."""
    code = OPERATIONS.index(operation)
    ports = {"rst_i": clock == 0, "op_valid_i": clock > 0, "op_i": code, "op_addr_i": WORD}
    for name, value in {**ports, "op_bytes_i": 0xF, "rand_valid_i": 1}.items():
        for i, net in enumerate(nets_of(netlist, name)):
            yield net, int(value) >> i & 1


def _shares(netlist: Circuit) -> int:
    return len(nets_of(netlist, "op_word_i")) // WORD_WIDTH


def _guards(netlist: Circuit) -> bool:
    return "gen_masked.kept_q" in netlist.signals


def _groups(netlist: Circuit) -> int:
    return LANE_WIDTH * LANES // len(_state(netlist)[0])


def _parts(nets: Sequence[int], shares: int) -> list[Sequence[int]]:
    width = len(nets) // shares
    return [nets[width * i : width * (i + 1)] for i in range(shares)]


def _shared(variables: Variables, parts: Sequence[Sequence[int]], name: str) -> Values:
    """Return new secrets, whose shares are in `parts`."""
    values: Values = {}
    for i, nets in enumerate(zip(*parts, strict=True)):
        shares = variables.secret(f"{name}[{i}]")
        values |= {net: variable(share) for net, share in zip(nets, shares, strict=True)}
    return values


def _state(netlist: Circuit) -> list[Sequence[int]]:
    """Return the registers of each share after the state's memories."""
    return _registers(netlist, "multiplied_q")


def _block(netlist: Circuit) -> list[Sequence[int]]:
    """Return the registers of each share after the block's memories."""
    return _registers(netlist, "block_q")


def _registers(netlist: Circuit, name: str) -> list[Sequence[int]]:
    scope = "gen_masked" if _guards(netlist) else "gen_fresh"
    nets = [net for net in nets_of(netlist, f"{scope}.{name}") if net not in (ZERO, ONE)]
    return _parts(nets, _shares(netlist))


def _contents(netlist: Circuit, variables: Variables) -> Values:
    """Return the contents of all memories: a secret has a share in a memory of each share."""
    data = {register.out: register.data for register in netlist.registers}
    gates = {gate.out: gate for gate in netlist.gates}
    bits = netlist.memory | {net for net in data if ".mem[" in netlist.names[net]}

    def cells(net: int) -> list[int]:
        """Return the bits of a memory that a register after it depends on, in order."""
        todo, seen = [data[net]], set[int]()
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo += gates[one].inputs if one in gates else ()
        return sorted(seen & bits)

    values: Values = {}
    for registers in (_state(netlist), _block(netlist)):
        for nets in zip(*registers, strict=True):
            values |= _shared(variables, [cells(net) for net in nets], netlist.names[nets[0]])
    if len(values) != len(bits):
        raise LabError(f"{len(bits)} bits of memory, not {len(values)}")
    return values


PASSES_MEASURED = 2


def passes_stimulus(netlist: Circuit, seed: int = 1) -> Stimulus:
    """Return a permutation's first passes, on shares of a state that is fixed or random.

    The first clock that is measured is that in which the first group is read.
    """
    rng, settle, groups = random.Random(seed), 3, _groups(netlist)
    stimulus = Stimulus(settle + PASSES_MEASURED * (groups + _BEFORE), settle)
    for register in netlist.registers:
        stimulus.constant(0, register.out, 0)
    variables = Variables(_shares(netlist))
    shares: dict[int, list[int]] = {}
    for net, value in _contents(netlist, variables).items():
        [[number]] = [[*monomial] for monomial in value]
        shares.setdefault(variables.share[number][0], []).append(net)
    for nets in shares.values():
        stimulus.secret(0, nets, rng.getrandbits(1))
    for clock in (0, 1):
        for net, bit in _control(netlist, clock, "permute"):
            stimulus.constant(clock, net, bit)
    for net in nets_of(netlist, "op_word_i"):
        stimulus.constant(0, net, 0)
    length = groups + _BEFORE
    for clock in range(stimulus.clocks):
        before = (clock - 1 - settle) % length + first_step("permute")
        if clock and not _guards(netlist) and not takes_random(netlist, "permute", before):
            continue
        for net in nets_of(netlist, "rand_i"):
            stimulus.random(clock, net)
    return stimulus
