"""The serial harness keeps every port of the core."""

import re

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.yosys import Port
from hashfabric.implement.harness import fold_widths, render

PORTS = [
    Port("clk_i", "input", 1),
    Port("rst_i", "input", 1),
    Port("wide_i", "input", 1600),
    Port("valid_i", "input", 1),
    Port("ready_o", "output", 1),
    Port("wide_o", "output", 1600),
]


def connections(text: str) -> dict[str, str]:
    """Return what each port of the core is connected to."""
    return dict(re.findall(r"^\s+\.(\w+)\((.*)\),?$", text, re.MULTILINE))


def test_every_port_has_bits_of_its_own() -> None:
    """Inputs share no bit of the shift register, outputs none of the output register."""
    text = render("core", PORTS, {}, clock="clk_i", reset="rst_i")
    assert connections(text) == {
        "clk_i": "clk_i",
        "rst_i": "rst_q",
        "wide_i": "in_q[0+:1600]",
        "valid_i": "in_q[1600+:1]",
        "ready_o": "out[0+:1]",
        "wide_o": "out[1+:1600]",
    }
    assert "logic [1600:0] in_q;" in text
    assert "logic [1600:0] out, out_q;" in text


def test_parameters_and_other_names_of_clock_and_reset() -> None:
    """A parameterised core whose ports are named differently."""
    ports = [Port("ck", "input", 1), Port("q", "output", 3)]
    text = render("core", ports, {"Width": 3, "Fast": False}, clock="ck", reset="rst_i")
    assert connections(text) == {"Width": "3", "Fast": "1'b0", "ck": "clk_i", "q": "out[0+:3]"}


def test_fold_widths() -> None:
    """Four to one a level, to one bit."""
    assert fold_widths(1) == []
    assert fold_widths(4) == [1]
    assert fold_widths(5) == [2, 1]
    assert fold_widths(1600) == [400, 100, 25, 7, 2, 1]


@pytest.mark.parametrize(
    ("ports", "wanted"),
    [
        ([Port("a_i", "input", 1), Port("b_o", "output", 1)], "no clock input 'clk_i'"),
        ([Port("clk_i", "input", 1)], "no outputs"),
        ([Port("clk_i", "input", 1), Port("p", "inout", 1), Port("o", "output", 1)], "inout"),
    ],
)
def test_what_cannot_be_measured(ports: list[Port], wanted: str) -> None:
    """A core that does not fit the harness is reported in one line."""
    with pytest.raises(LabError, match=wanted):
        render("core", ports, {}, clock="clk_i", reset="rst_i")
