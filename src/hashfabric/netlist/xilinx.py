"""Behaviour of the primitives of Xilinx' 7 series, UltraScale and UltraScale+.

After AMD's libraries guides (UG953, UG974), and UG579 for the DSP48E2's logic unit.
"""

from collections.abc import Callable

from hashfabric.base.errors import LabError
from hashfabric.netlist import boolean
from hashfabric.netlist.cells import (
    BUFFER,
    INVERT,
    MUX,
    NO_RESET,
    XOR,
    Parameters,
    Pins,
    add_flip_flop,
    bits_of,
    selected_net,
    stored_nets,
    unknown_cell,
)
from hashfabric.netlist.circuit import ONE, ZERO, Circuit

# Of a slice, a bit each: X of P, A:B and OPMODE[0], [1]; Y of C and OPMODE[2], [3]; Z of PCIN, P, C
# and OPMODE[4], [5]; the result of X, Y, Z and ALUMODE[0], [1], [3].
_X = boolean.truth_table("(o1*!o0*p)+(o1*o0*a)", ["p", "a", "o0", "o1"])
_Y = boolean.truth_table("(o3*!o2)+(o3*o2*c)", ["c", "o2", "o3"])
_Z = boolean.truth_table("(!o5*o4*i)+(o5*!o4*p)+(o5*o4*c)", ["i", "p", "c", "o4", "o5"])
_RESULT = boolean.truth_table(
    "m1^((m3*((x*y)+(x*(z^m0))+(y*(z^m0))))+(!m3*(x^y^z^m0)))", ["x", "y", "z", "m0", "m1", "m3"]
)


def xilinx(circuit: Circuit, name: str, pins: Pins, parameters: Parameters) -> None:
    """Add a cell in the form of yosys' synth_xilinx."""
    if name not in _CELLS:
        raise unknown_cell(name)
    _CELLS[name](circuit, pins, parameters)


def _lut(width: int) -> Callable[[Circuit, Pins, Parameters], None]:
    def add(circuit: Circuit, pins: Pins, parameters: Parameters) -> None:
        inputs = [pins.get(f"I{index}", ZERO) for index in range(width)]
        circuit.add_gate(pins["O"], inputs, bits_of(parameters, "INIT"))

    return add


def _inv(circuit: Circuit, pins: Pins, _parameters: Parameters) -> None:
    circuit.add_gate(pins["O"], [pins["I"]], INVERT)


def _bufg(circuit: Circuit, pins: Pins, _parameters: Parameters) -> None:
    circuit.add_gate(pins["O"], [pins["I"]], BUFFER)


def _muxf(circuit: Circuit, pins: Pins, _parameters: Parameters) -> None:
    circuit.add_gate(pins["O"], [pins["I0"], pins["I1"], pins["S"]], MUX)


def _fdre(value: int, reset_pin: str) -> Callable[[Circuit, Pins, Parameters], None]:
    def add(circuit: Circuit, pins: Pins, parameters: Parameters) -> None:
        def inverted(name: str) -> bool:
            return bool(bits_of({name: parameters.get(f"IS_{name}INVERTED", "0")}, name))

        if inverted("D"):
            raise LabError("cell FDRE: an inverted D is not modelled")
        what = (pins["Q"], pins["D"], pins["C"], inverted("C"))
        reset = (pins.get(reset_pin, ZERO), inverted(reset_pin), value)
        add_flip_flop(circuit, what, (pins.get("CE", ONE), False), reset)

    return add


def _carry4(circuit: Circuit, pins: Pins, _parameters: Parameters) -> None:
    carry = circuit.inner_net()
    circuit.add_gate(carry, [pins.get("CI", ZERO), pins.get("CYINIT", ZERO)], 0b1110)
    for index in range(4):
        select, data = (pins.get(f"{name}[{index}]", ZERO) for name in ("S", "DI"))
        if (out := pins.get(f"O[{index}]")) is not None:
            circuit.add_gate(out, [select, carry], XOR)
        following = pins.get(f"CO[{index}]")
        following = circuit.inner_net() if following is None else following
        circuit.add_gate(following, [data, carry, select], MUX)
        carry = following


def _srl16e(circuit: Circuit, pins: Pins, _parameters: Parameters) -> None:
    stages = stored_nets(circuit, 16)
    for stage, data in zip(stages, [pins["D"], *stages], strict=False):
        add_flip_flop(
            circuit, (stage, data, pins["CLK"], False), (pins.get("CE", ONE), False), NO_RESET
        )
    address = [pins.get(f"A{index}", ZERO) for index in range(4)]
    circuit.add_gate(pins["Q"], [selected_net(circuit, stages, address)], BUFFER)


def _lut_ram(ports: str, width: int) -> Callable[[Circuit, Pins, Parameters], None]:
    """Each of `ports` reads `width` bits of 32 words at its address; the last one's writes."""

    def add(circuit: Circuit, pins: Pins, _parameters: Parameters) -> None:
        def address(port: str) -> list[int]:
            return [pins.get(f"ADDR{port}[{index}]", ZERO) for index in range(5)]

        writes = []
        for word in range(32):
            writes.append(circuit.inner_net())
            # Input 0 is the enable; word's bits follow.
            circuit.add_gate(writes[-1], [pins["WE"], *address(ports[-1])], 1 << (2 * word + 1))
        for port in ports:
            for bit in range(width):
                out = pins.get(f"DO{port}[{bit}]")
                if out is None:
                    continue
                words = stored_nets(circuit, 32)
                data = pins.get(f"DI{port}[{bit}]", ZERO)
                for stored, write in zip(words, writes, strict=True):
                    what = (stored, data, pins["WCLK"], False)
                    add_flip_flop(circuit, what, (write, False), NO_RESET)
                circuit.add_gate(out, [selected_net(circuit, words, address(port))], BUFFER)

    return add


def _dsp48e2(circuit: Circuit, pins: Pins, parameters: Parameters) -> None:
    """Add a slice's logic unit, of which A and B have the same registers, and C and P one or none.

    `LabError` for other functions than the logic unit's, and for resets and inverted pins.
    """
    inverted = [name for name in parameters if name.startswith("IS_")]
    resets = [name for name in pins if name.startswith("RST") and pins[name] != ZERO]
    if (
        parameters.get("USE_MULT") != "NONE"
        or resets
        or any(bits_of(parameters, name) for name in inverted)
    ):
        raise LabError("cell DSP48E2: only its logic unit, without resets, is modelled")

    def inner() -> int:
        net = circuit.inner_net()
        circuit.slices.add(net)
        return net

    def registered(data: int, count: int, enable: str) -> int:
        for _ in range(count):
            out = inner()
            what = (out, data, pins["CLK"], False)
            add_flip_flop(circuit, what, (pins[enable], False), NO_RESET)
            data = out
        return data

    def count(name: str) -> int:
        return bits_of(parameters, name)

    opmode = [registered(pins[f"OPMODE[{n}]"], count("OPMODEREG"), "CECTRL") for n in range(9)]
    alumode = [
        registered(pins[f"ALUMODE[{n}]"], count("ALUMODEREG"), "CEALUMODE") for n in range(4)
    ]
    operands = [(pins[f"B[{n}]"], "CEB2") for n in range(18)]
    operands += [(pins[f"A[{n}]"], "CEA2") for n in range(30)]
    for bit, (operand, enable) in enumerate(operands):
        ab = registered(operand, count("AREG"), enable)
        c = registered(pins[f"C[{bit}]"], count("CREG"), "CEC")
        pcin, result = pins.get(f"PCIN[{bit}]", ZERO), inner()
        p = inner() if count("PREG") else result
        x, y, z = (circuit.inner_net() for _ in range(3))
        # Without its register P is no operand; UG579 forbids it, and it would be a loop.
        fed = p if count("PREG") else ZERO
        circuit.add_gate(x, [fed, ab, *opmode[:2]], _X)
        circuit.add_gate(y, [c, *opmode[2:4]], _Y)
        circuit.add_gate(z, [pcin, fed, c, *opmode[4:6]], _Z)
        circuit.add_gate(result, [x, y, z, alumode[0], alumode[1], alumode[3]], _RESULT)
        if count("PREG"):
            what = (p, result, pins["CLK"], False)
            add_flip_flop(circuit, what, (pins["CEP"], False), NO_RESET)
        if (out := pins.get(f"P[{bit}]")) is not None:
            circuit.add_gate(out, [p], BUFFER)
        if (out := pins.get(f"PCOUT[{bit}]")) is not None:
            circuit.add_gate(out, [p], BUFFER)
            circuit.slices.add(out)


_CELLS = {
    **{f"LUT{width}": _lut(width) for width in range(1, 7)},
    **dict.fromkeys(("MUXF7", "MUXF8", "MUXF9"), _muxf),
    "CARRY4": _carry4,
    "INV": _inv,
    "BUFG": _bufg,
    "FDRE": _fdre(ZERO, "R"),
    "FDSE": _fdre(ONE, "S"),
    "SRL16E": _srl16e,
    "RAM32M": _lut_ram("ABCD", 2),
    "RAM32M16": _lut_ram("ABCDEFGH", 2),
    "DSP48E2": _dsp48e2,
}
