"""A user's design for a small board: the instance of an export's README, between pins.

The board is the ULX3S with its ECP5-85F. A shift register at the serial line drives the core's
inputs, and its outputs go, folded, to the LEDs: every port is in use, and no pins run out.
"""

import re

from hashfabric.base.yosys import Port

TOP = "my_top"

DEVICE, PACKAGE, SPEED = "85k", "CABGA381", "6"

_LEDS = ("B2", "C2", "C1", "D2", "D1", "E2", "E1", "H3")
LEDS = len(_LEDS)

_SITES = {"clk25": "G2", "button": "R1", "rx": "M1"}
_SITES |= {f"led[{number}]": site for number, site in enumerate(_LEDS)}

LPF = "".join(
    f'LOCATE COMP "{pin}" SITE "{site}"; IOBUF PORT "{pin}" IO_TYPE=LVCMOS33;\n'
    for pin, site in _SITES.items()
)
"""The pins, as the board has them."""


def instance_of(readme: str) -> str:
    """Return the instance that an export's README shows."""
    (found,) = re.findall(r"^```verilog\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    return str(found)


def top(instance: str, ports: list[Port]) -> str:
    """Return the top in Verilog-2005: `instance` of a core with these `ports`, and what drives it.

    Names that the instance connects become wires; clk and rst are the board's clock and button.
    """
    by_name = {port.name: port for port in ports}
    wires = {
        name: by_name[port]
        for port, name in re.findall(r"\.(\w+)\s*\((\w+)\)", instance)
        if port in by_name and name not in ("clk", "rst")
    }
    groups = {
        direction: [name for name, port in wires.items() if port.direction == direction]
        for direction in ("input", "output")
    }
    given, taken = (sum(wires[name].width for name in names) for names in groups.values())
    declared = "".join(f"  wire [{port.width - 1}:0] {name};\n" for name, port in wires.items())
    return f"""\
module {TOP} (
    input  wire clk25,
    input  wire button,
    input  wire rx,
    output reg [{LEDS - 1}:0] led
);
  wire clk = clk25;
  reg  rst = 1'b1;
  reg  [{given - 1}:0] given;
  reg  [{taken - 1}:0] taken;
  reg  [{LEDS - 1}:0] folded;
  integer i;
{declared}
  assign {{{", ".join(groups["input"])}}} = given;

  always @* begin
    folded = {LEDS}'b0;
    for (i = 0; i < {taken}; i = i + 1) folded[i % {LEDS}] = folded[i % {LEDS}] ^ taken[i];
  end

  always @(posedge clk) begin
    rst   <= button;
    given <= {{given, rx}};
    taken <= {{{", ".join(groups["output"])}}};
    led   <= folded;
  end

{instance}endmodule
"""
