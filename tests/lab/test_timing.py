"""The longest path: against sums by hand, on round numbers and on the open library's own tables."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.flows.asic import AsicTarget
from hashfabric.flows.targets import find_any
from hashfabric.netlist import liberty
from hashfabric.netlist.circuit import Circuit, Instance
from hashfabric.netlist.timing import Assumed, longest_path
from hashfabric.netlist.timing import Path as LongestPath

ROUND_NUMBERS = """\
/* Delay and transition time are linear in load and slew, so that sums by hand are exact. */
library (linear) {
  capacitive_load_unit (1, pf); nom_voltage : 1.0;
  lu_table_template (time) {
    variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;
    index_1 ("0, 1"); index_2 ("0, 1");
  }
  lu_table_template (check) {
    variable_1 : related_pin_transition; variable_2 : constrained_pin_transition;
    index_1 ("0, 1"); index_2 ("0, 1");
  }
  cell (INV) {
    area : 1;
    pin (A) { direction : input; capacitance : 1; }
    pin (Y) { direction : output; function : "!A";
      timing () { related_pin : "A"; timing_sense : negative_unate;
        cell_rise (time) { values ("10, 11", "12, 13"); }
        rise_transition (time) { values ("1, 1", "2, 2"); }
        cell_fall (time) { values ("20, 21", "20, 21"); }
        fall_transition (time) { values ("3, 3", "3, 3"); } } }
  }
  cell (XOR) {
    area : 2;
    pin (A) { direction : input; capacitance : 1; }
    pin (B) { direction : input; capacitance : 1; }
    pin (Y) { direction : output; function : "A ^ B";
      timing () { related_pin : "A";
        cell_rise (time) { values ("5, 5", "5, 5"); }
        rise_transition (time) { values ("0, 0", "0, 0"); }
        cell_fall (time) { values ("4, 4", "4, 4"); }
        fall_transition (time) { values ("0, 0", "0, 0"); } }
      timing () { related_pin : "B";
        cell_rise (time) { values ("7, 7", "7, 7"); }
        rise_transition (time) { values ("9, 9", "9, 9"); }
        cell_fall (time) { values ("6, 6", "6, 6"); }
        fall_transition (time) { values ("0, 0", "0, 0"); } } }
  }
  cell (DFF) {
    area : 4;
    ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; clear : "R"; }
    pin (CK) { direction : input; capacitance : 1; clock : true; }
    pin (R) { direction : input; capacitance : 1; }
    pin (D) { direction : input; capacitance : 2;
      timing () { related_pin : "CK"; timing_type : hold_rising;
        rise_constraint (check) { values ("900, 900", "900, 900"); }
        fall_constraint (check) { values ("900, 900", "900, 900"); } }
      timing () { related_pin : "CK"; timing_type : setup_rising;
        rise_constraint (check) { values ("100, 101", "110, 111"); }
        fall_constraint (check) { values ("200, 201", "210, 211"); } } }
    pin (Q) { direction : output; function : "IQ";
      timing () { related_pin : "CK"; timing_type : rising_edge; timing_sense : non_unate;
        cell_rise (time) { values ("40, 44", "41, 45"); }
        rise_transition (time) { values ("2, 2", "3, 3"); }
        cell_fall (time) { values ("50, 54", "51, 55"); }
        fall_transition (time) { values ("4, 4", "5, 5"); } }
      timing () { related_pin : "R"; timing_type : clear; timing_sense : negative_unate;
        cell_rise (time) { values ("900, 900", "900, 900"); }
        cell_fall (time) { values ("900, 900", "900, 900"); } } }
  }
  cell (LAT) {
    latch (IQ, IQN) { data_in : "D"; enable : "G"; }
    pin (G) { direction : input; capacitance : 1; }
    pin (D) { direction : input; capacitance : 1; }
    pin (Q) { direction : output; function : "IQ"; }
  }
}
"""

NO_WIRES = Assumed(wire_pf=0.0, output_pf=0.0, clock_slew_ns=0.5)
CLOCK = 2

Cell = tuple[str, dict[str, int]]


def circuit(*cells: Cell, outputs: Sequence[int] = ()) -> Circuit:
    """A netlist of cells, each with its nets; net 2 is the clock, 3 another input port."""
    nets = 1 + max(net for _, pins in cells for net in pins.values())
    ports = {"clk_i": [CLOCK], "in_i": [3], "out_o": list(outputs)}
    instances = [Instance(cell, pins) for cell, pins in cells]
    return Circuit(nets=nets, ports=ports, inputs={"clk_i", "in_i"}, instances=instances)


def flip_flop(
    data: int, out: int, cell: str = "DFF", clock: str = "CK"
) -> tuple[str, dict[str, int]]:
    """A flip-flop on the clock."""
    return cell, {clock: CLOCK, "D": data, "Q": out}


def longest(net: Circuit, assumed: Assumed = NO_WIRES, text: str = ROUND_NUMBERS) -> LongestPath:
    """Return the longest path, which there is."""
    path = longest_path(net, liberty.library(text), assumed)
    assert path is not None
    return path


def test_two_inverters_are_a_sum_by_hand() -> None:
    """Edges alternate, slews go on, the last gate's load is beyond the table."""
    net = circuit(
        flip_flop(3, 4), ("INV", {"A": 4, "Y": 5}), ("INV", {"A": 5, "Y": 6}), flip_flop(6, 7)
    )
    path = longest(net)
    # The flip-flop's Q falls: load 1 pF, the clock's slew is 0.5 ns; its own slew is then 5 ns.
    first = 50 + 1 + 4 * 0.5
    # The inverter rises from it (load 1, slew 5), and the second one falls (load 2, slew 2).
    second = 10 + 2 + 5
    third = 20 + 2
    # D falls with a slew of 3 ns: setup 200 + 3 + 10 * 0.5.
    falls = first + second + third + 208
    # The other edge: Q rises at 40 + 1 + 2, falls at 20 + 3, rises at 10 + 4 + 3 with slew 3.
    rises = 43 + 23 + 17 + 100 + 3 + 5
    assert path.ns == pytest.approx(max(falls, rises)) == pytest.approx(300)
    assert path.setup_ns == pytest.approx(208)
    assert path.cells == ("DFF", "INV", "INV")


def test_the_first_part_is_the_flip_flops() -> None:
    """A path without a gate has its delay and its setup; wire and ports are loads."""
    net = circuit(flip_flop(3, 4), flip_flop(4, 5), outputs=[4])
    assumed = Assumed(wire_pf=0.25, output_pf=3.0, clock_slew_ns=0.5)
    path = longest(net, assumed)
    assert path.clock_to_output_ns == pytest.approx(50 + (2 + 0.25 + 3) + 2)
    assert path.cells == ("DFF",)
    assert path.ns == pytest.approx(path.clock_to_output_ns + path.setup_ns)


def test_both_edges_of_an_xor_and_its_later_input_count() -> None:
    """The longest slew is taken whatever input it comes from; an input port begins no path."""
    net = circuit(
        flip_flop(3, 4),
        ("INV", {"A": 4, "Y": 5}),
        ("XOR", {"A": 5, "B": 4, "Y": 6}),
        flip_flop(6, 7),
        ("INV", {"A": 3, "Y": 8}),
        flip_flop(8, 9),
    )
    path = longest(net)
    # Q has a load of two pins, the inverter's falling output is the later: 42 + 2 + 20 + 4.
    falls_at, rises_at = 40 + 2 + 2 + 20 + 4, 50 + 2 + 2 + 10 + 2 + 6
    latest = max(falls_at, rises_at)
    assert path.ns == pytest.approx(max(latest + 5 + 100 + 9 + 5, latest + 4 + 200 + 0 + 5))
    assert path.cells == ("DFF", "INV", "XOR")


def test_what_has_no_longest_path() -> None:
    """A latch, a falling edge, nothing between registers; a loop and a poor library are refused."""
    library = liberty.library(ROUND_NUMBERS)
    lone = circuit(flip_flop(3, 4), ("INV", {"A": 3, "Y": 5}), flip_flop(5, 6))
    assert longest_path(lone, library, NO_WIRES) is None
    pair = [flip_flop(3, 4), flip_flop(4, 5)]
    latch = circuit(*pair, ("LAT", {"G": 3, "D": 5, "Q": 6}))
    assert longest_path(circuit(*pair), library, NO_WIRES) is not None
    assert longest_path(latch, library, NO_WIRES) is None
    falling = liberty.library(ROUND_NUMBERS.replace('clocked_on : "CK"', 'clocked_on : "!CK"'))
    assert longest_path(circuit(*pair), falling, NO_WIRES) is None
    loop = circuit(*pair, ("INV", {"A": 6, "Y": 7}), ("INV", {"A": 7, "Y": 6}))
    with pytest.raises(LabError, match="a loop of gates"):
        longest_path(loop, library, NO_WIRES)
    bare = liberty.library(ROUND_NUMBERS.replace("fall_transition", "other"))
    with pytest.raises(LabError, match="DFF: no transition times"):
        longest_path(circuit(*pair), bare, NO_WIRES)


####################
# The open library #
####################


@pytest.fixture(name="osu018")
def _osu018() -> Path:
    target = find_any("osu018")
    assert isinstance(target, AsicTarget)
    try:
        return target.liberty_path()
    except LabError as error:
        pytest.skip(str(error))


class Text:
    """Tables of a cell's output pin, read from the liberty's text by hand."""

    def __init__(self, text: str, cell: str, pin: str) -> None:
        """Find the pin."""
        rest = text[text.index(f"cell ({cell})") :]
        self.text = rest[rest.index(f"pin({pin})") :]

    def at(self, kind: str, first: float, second: float) -> float:
        """Read the first table `kind` at two coordinates inside it, by straight lines."""
        body = re.search(
            rf'{kind}\(\w+\) {{\s*index_1 \("(.*?)"\);\s*index_2 \("(.*?)"\);\s*values \((.*?)\);',
            self.text,
            re.DOTALL,
        )
        assert body is not None
        rows, columns = ([float(x) for x in part.split(",")] for part in body.groups()[:2])
        grid = [[float(x) for x in line.split(",")] for line in re.findall(r'"(.*?)"', body[3])]
        return line(rows, [line(columns, values, second) for values in grid], first)


def line(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """Interpolate in a straight line."""
    for (x0, x1), (y0, y1) in zip(pairwise(xs), pairwise(ys), strict=True):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise AssertionError(f"{x} is beyond the table")


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_a_chain_of_inverters_has_the_librarys_delay(osu018: Path, count: int) -> None:
    """Both edges are followed by hand; each inverter drives the next, with some wire."""
    wire, clock_slew = 0.03, 0.18
    inverters = [("INVX1", {"A": 4 + n, "Y": 5 + n}) for n in range(count)]
    chain = circuit(
        flip_flop(3, 4, "DFFPOSX1", "CLK"),
        *inverters,
        flip_flop(4 + count, 5 + count, "DFFPOSX1", "CLK"),
    )
    assumed = Assumed(wire_pf=wire, output_pf=0.02, clock_slew_ns=clock_slew)
    path = longest_path(chain, liberty.read(osu018), assumed)
    assert path is not None
    text = osu018.read_text(encoding="utf-8")
    inverter, q = Text(text, "INVX1", "Y"), Text(text, "DFFPOSX1", "Q")
    gate_pf, data_pf = 0.00932456, 0.00882947
    assert f"pin(A)  {{\n    direction : input;\n    capacitance : {gate_pf}" in text
    assert f"pin(D)  {{\n    direction : input;\n    capacitance : {data_pf}" in text
    setups, ends = Text(text, "DFFPOSX1", "D"), []
    setups.text = setups.text[setups.text.index("setup_rising") :]
    for first, other in (("rise", "fall"), ("fall", "rise")):
        ns = q.at(f"cell_{first}", gate_pf + wire, clock_slew)
        slew = q.at(f"{first}_transition", gate_pf + wire, clock_slew)
        for number in range(count):
            edge = first if number % 2 else other
            load = wire + (data_pf if number == count - 1 else gate_pf)
            ns += inverter.at(f"cell_{edge}", load, slew)
            slew = inverter.at(f"{edge}_transition", load, slew)
        last = other if count % 2 else first
        ends.append(ns + setups.at(f"{last}_constraint", clock_slew, slew))
    assert path.ns == pytest.approx(max(ends), rel=1e-6)
    assert path.cells == ("DFFPOSX1", *["INVX1"] * count)
