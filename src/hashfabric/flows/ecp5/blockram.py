"""ECP5 block RAM: registers after its outputs become the RAM's own output registers.

Yosys leaves them outside, and a RAM's output without its register takes 5.8 ns from the clock edge.
"""

from collections import Counter
from typing import Any

_RAM = "DP16KD"
_OUTPUTS = ("DOA", "DOB")

Netlist = dict[str, Any]


def absorb_output_registers(netlist: Netlist, top: str) -> int:
    """Move plain registers that follow a RAM's outputs into the RAM; return their number.

    A RAM changes only when every output bit in use feeds one flip-flop and nothing else, all of
    them with one enable or none, without reset, on the RAM's own clock, and it has no reset itself,
    which would clear that register. A port that is never enabled does not count, if no output of it
    is in use. Then each flip-flop's net becomes the RAM's output. `netlist` is what yosys'
    write_json gives, `top` a flat module of it.
    """
    module = netlist["modules"][top]
    cells: dict[str, Any] = module["cells"]
    sinks: Counter[int] = Counter()
    fed: dict[int, str] = {}
    for register, cell in cells.items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"].get(port) == "output":
                continue
            for bit in bits:
                sinks[bit] += 1
                if cell["type"] == "TRELLIS_FF" and port in ("DI", "M"):
                    fed[bit] = register
    for port in module["ports"].values():
        sinks.update(port["bits"])
    moved = 0
    for cell in list(cells.values()):
        if cell["type"] != _RAM or cell["parameters"].get("REGMODE_A") != "NOREG":
            continue
        outputs = [
            (port, i, bit)
            for port, bits in cell["connections"].items()
            if port.startswith(_OUTPUTS)
            for i, bit in enumerate(bits)
            if isinstance(bit, int) and sinks[bit]
        ]
        ports = [port for port in "AB" if cell["connections"].get(f"CE{port}") != ["0"]]
        clocks = {tuple(cell["connections"].get(f"CLK{port}", [])) for port in ports}
        registers = [fed[bit] for _, _, bit in outputs if sinks[bit] == 1 and bit in fed]
        never_enabled = {port[2] for port, _, _ in outputs} - set(ports)
        if not outputs or len(registers) != len(outputs) or len(clocks) != 1 or never_enabled:
            continue
        if not _is_plain_ram(cell):
            continue
        enables = {_enable(cells[name]) for name in registers}
        if len(enables) != 1 or not all(_is_plain(cells[name], clocks) for name in registers):
            continue
        for (port, i, _), name in zip(outputs, registers, strict=True):
            cell["connections"][port][i] = cells.pop(name)["connections"]["Q"][0]
        cell["parameters"] |= {"REGMODE_A": "OUTREG", "REGMODE_B": "OUTREG"}
        enable = enables.pop()
        cell["connections"] |= {"OCEA": [enable], "OCEB": [enable]}
        cell["port_directions"] |= {"OCEA": "input", "OCEB": "input"}
        moved += len(registers)
    return moved


def _enable(cell: dict[str, Any]) -> int | str:
    """Return the net of a flip-flop's enable, "1" without one."""
    if cell["parameters"].get("CEMUX", "").strip() == "1":
        return "1"
    enable: int | str = cell["connections"].get("CE", ["1"])[0]
    return enable


def _is_plain_ram(cell: dict[str, Any]) -> bool:
    """Return whether a RAM has no inverted clock and no reset."""
    connections, parameters = cell["connections"], cell["parameters"]
    return all(
        parameters.get(f"CLK{port}MUX", "").strip() in ("", f"CLK{port}")
        and parameters.get(f"RST{port}MUX", "").strip() in ("", f"RST{port}")
        and set(connections.get(f"RST{port}", [])) <= {"0", "x"}
        for port in "AB"
    )


def _is_plain(cell: dict[str, Any], clocks: set[tuple[Any, ...]]) -> bool:
    """Return whether a flip-flop has one of `clocks`, no reset, a plain enable, and starts at 0."""
    connections, parameters = cell["connections"], cell["parameters"]
    mux = parameters.get("CEMUX", "").strip()
    enabled = mux == "1" or (mux in ("", "CE") and "CE" in connections)
    reset = connections.get("LSR", ["0"]) == ["0"] and parameters.get("LSRMUX") in (None, "LSR")
    same_clock = tuple(connections["CLK"]) in clocks and parameters.get("CLKMUX") in (None, "CLK")
    return enabled and reset and same_clock and parameters.get("REGSET") in (None, "RESET")
