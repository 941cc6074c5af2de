"""Behaviour of cells: a library's from its liberty, Lattice's from the vendor's primitives."""

from collections.abc import Mapping, Sequence

from hashfabric.base.errors import LabError
from hashfabric.netlist import boolean
from hashfabric.netlist.circuit import MAX_INPUTS, ONE, ZERO, Circuit, Model, Register
from hashfabric.netlist.liberty import Cell, Library

Pins = Mapping[str, int]
Parameters = Mapping[str, str]

INVERT, BUFFER, XOR = 0b01, 0b10, 0b0110
MUX = 0b11001010  # inputs: the one for a low select, the one for a high one, the select
NO_RESET = (ZERO, False, ZERO)
"""A flip-flop's reset that is never there, for `add_flip_flop`."""


def unknown_cell(name: str) -> LabError:
    """Return the error for a cell without a model."""
    return LabError(f"no model of cell '{name}': its toggles cannot be counted")


####################
# From a liberty   #
####################


def library_model(library: Library) -> Model:
    """Return the model of a library's cells: their functions, flip-flops and latches."""

    def add(circuit: Circuit, name: str, pins: Pins, _parameters: Parameters) -> None:
        cell = library.cells.get(name)
        if cell is None:
            raise unknown_cell(name)
        state = _storage(circuit, cell, pins) if cell.storage is not None else {}
        for pin in cell.pins.values():
            if not pin.output or pin.name not in pins:
                continue
            if not pin.function:
                raise LabError(f"cell {name}: the liberty gives no function of pin {pin.name}")
            if pin.function in state and state[pin.function] == pins[pin.name]:
                continue  # the register itself
            _function(circuit, pins[pin.name], pin.function, {**pins, **state})

    return add


def _function(circuit: Circuit, out: int, text: str, nets: Pins) -> None:
    inputs = boolean.names(text)
    if missing := [name for name in inputs if name not in nets]:
        raise LabError(f"liberty: the function '{text}' needs {missing[0]}, which is not there")
    if len(inputs) > MAX_INPUTS:
        raise LabError(f"liberty: the function '{text}' has more than {MAX_INPUTS} inputs")
    table = boolean.truth_table(text, inputs)
    circuit.add_gate(out, [nets[name] for name in inputs], table)


def _storage(circuit: Circuit, cell: Cell, pins: Pins) -> dict[str, int]:
    """Add the register of `cell`; return the nets of its state, by their names in functions."""
    storage = cell.storage
    if storage is None:
        return {}
    if storage.other:
        raise LabError(f"cell {cell.name}: '{storage.other[0]}' is not modelled")
    plain = [p.name for p in cell.pins.values() if p.output and p.function == storage.state]
    out = next((pins[name] for name in plain if name in pins), None)
    state = circuit.inner_net() if out is None else out
    data = pins.get(storage.data)
    if data is None:
        data = circuit.inner_net()
        _function(circuit, data, storage.data, {**pins, storage.state: state})
    clock = storage.clock.strip("!'() ")
    if clock not in pins:
        raise LabError(f"cell {cell.name}: '{storage.clock}' is not modelled as a clock")
    inverted = boolean.truth_table(storage.clock, [clock]) == INVERT
    circuit.registers.append(Register(state, data, pins[clock], storage.edge, inverted))
    nets = {storage.state: state}
    uses = " ".join(pin.function for pin in cell.pins.values())
    if storage.inverse and storage.inverse in boolean.names(uses):
        nets[storage.inverse] = circuit.inner_net()
        circuit.add_gate(nets[storage.inverse], [state], INVERT)
    return nets


####################
# FPGAs            #
####################


def ecp5(circuit: Circuit, name: str, pins: Pins, parameters: Parameters) -> None:
    """Add a cell of Lattice's ECP5, in the form of yosys' synth_ecp5."""
    if name not in _ECP5:
        raise unknown_cell(name)
    _ECP5[name](circuit, pins, parameters)


def bits_of(parameters: Parameters, name: str) -> int:
    """Return the number in a cell's parameter, which yosys writes in bits."""
    return int(parameters[name].replace("x", "0"), 2)


def _lut4(circuit: Circuit, pins: Pins, parameters: Parameters) -> None:
    inputs = [pins.get(name, ZERO) for name in "ABCD"]
    circuit.add_gate(pins["Z"], inputs, bits_of(parameters, "INIT"))


def _pfumx(circuit: Circuit, pins: Pins, _parameters: Parameters) -> None:
    circuit.add_gate(pins["Z"], [pins["BLUT"], pins["ALUT"], pins["C0"]], MUX)


def _l6mux21(circuit: Circuit, pins: Pins, _parameters: Parameters) -> None:
    circuit.add_gate(pins["Z"], [pins["D0"], pins["D1"], pins["SD"]], MUX)


def _ccu2c(circuit: Circuit, pins: Pins, parameters: Parameters) -> None:
    carry = pins.get("CIN", ZERO)
    for half in "01":
        inputs = [pins.get(f"{name}{half}", ONE) for name in "ABCD"]
        table = bits_of(parameters, f"INIT{half}")
        injected = parameters.get(f"INJECT1_{half}", "YES") == "YES"
        lut4, lut2 = circuit.inner_net(), circuit.inner_net()
        circuit.add_gate(lut4, inputs, table)
        circuit.add_gate(lut2, inputs[:2], table & 0b1111)
        if f"S{half}" in pins:
            circuit.add_gate(pins[f"S{half}"], [lut4, ZERO if injected else carry], XOR)
        last = half == "1" and "COUT" in pins
        out = pins["COUT"] if last else circuit.inner_net()
        circuit.add_gate(out, [ZERO if injected else lut2, carry, lut4], MUX)
        carry = out


def _trellis_dpr16x4(circuit: Circuit, pins: Pins, parameters: Parameters) -> None:
    """Add 16 words of 4 bits, written at WAD when WCK rises, read at RAD by gates."""
    for name, plain in (("WCKMUX", "WCK"), ("WREMUX", "WRE")):
        if (choice := parameters.get(name, plain)) != plain:
            raise LabError(f"cell TRELLIS_DPR16X4: {name} {choice} is not modelled")
    write_at, read_at = ([pins[f"{name}[{bit}]"] for bit in range(4)] for name in ("WAD", "RAD"))
    writes = [circuit.inner_net() for _ in range(16)]
    for word, write in enumerate(writes):
        # Input 0 is the enable; word's bits follow.
        circuit.add_gate(write, [pins["WRE"], *write_at], 1 << (2 * word + 1))
    for bit in range(4):
        if (out := pins.get(f"DO[{bit}]")) is None:
            continue
        words = stored_nets(circuit, 16)
        for stored, write in zip(words, writes, strict=True):
            what = (stored, pins.get(f"DI[{bit}]", ZERO), pins["WCK"], False)
            add_flip_flop(circuit, what, (write, False), NO_RESET)
        circuit.add_gate(out, [selected_net(circuit, words, read_at)], BUFFER)


def _trellis_ff(circuit: Circuit, pins: Pins, parameters: Parameters) -> None:
    def through(name: str, default: str) -> tuple[int, bool]:
        """Return the net at an input, through its multiplexer, and whether it is inverted."""
        choice = parameters.get(f"{name}MUX", default)
        if choice in ("0", "1"):
            return (ONE if choice == "1" else ZERO), False
        return pins.get(name, ZERO), choice == "INV"

    clock, falling = through("CLK", "CLK")
    enable = through("CE", "CE")
    reset = through("LSR", "LSR")
    if parameters.get("SRMODE", "LSR_OVER_CE") == "ASYNC" and reset != (ZERO, False):
        raise LabError("cell TRELLIS_FF: an asynchronous reset is not modelled")
    value = ONE if parameters.get("REGSET", "RESET") == "SET" else ZERO
    add_flip_flop(circuit, (pins["Q"], pins["DI"], clock, falling), enable, (*reset, value))


def stored_nets(circuit: Circuit, count: int) -> list[int]:
    """Return new nets for `count` bits of a RAM."""
    nets = [circuit.inner_net() for _ in range(count)]
    circuit.memory.update(nets)
    return nets


def selected_net(circuit: Circuit, words: Sequence[int], address: Sequence[int]) -> int:
    """Return the net of the one of `words` that `address`, lowest bit first, names."""
    if not address:
        return words[0]
    low, *high = address
    if low in (ZERO, ONE):
        return selected_net(circuit, words[low::2], high)
    halves = (words[index : index + 2] for index in range(0, len(words), 2))
    paired = []
    for zero, one in halves:
        paired.append(circuit.inner_net())
        circuit.add_gate(paired[-1], [zero, one, low], MUX)
    return selected_net(circuit, paired, high)


def add_flip_flop(
    circuit: Circuit,
    what: tuple[int, int, int, bool],
    enable: tuple[int, bool],
    reset: tuple[int, bool, int],
) -> None:
    """Add a flip-flop (out, data, clock, falling) with enable and, over it, synchronous reset."""
    out, data, clock, falling = what
    if enable != (ONE, False):
        held = circuit.inner_net()
        inputs = [data, out] if enable[1] else [out, data]
        circuit.add_gate(held, [*inputs, enable[0]], MUX)
        data = held
    if reset[:2] != (ZERO, False):
        cleared = circuit.inner_net()
        inputs = [reset[2], data] if reset[1] else [data, reset[2]]
        circuit.add_gate(cleared, [*inputs, reset[0]], MUX)
        data = cleared
    circuit.registers.append(Register(out, data, clock, inverted=falling))


_ECP5 = {
    "LUT4": _lut4,
    "PFUMX": _pfumx,
    "L6MUX21": _l6mux21,
    "CCU2C": _ccu2c,
    "TRELLIS_FF": _trellis_ff,
    "TRELLIS_DPR16X4": _trellis_dpr16x4,
}
