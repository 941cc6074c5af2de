"""Power: the estimator against arithmetic by hand, the simulator, the bench, the tables."""

import functools
import json
import os
import random
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.progress import Steps
from hashfabric.flows import targets
from hashfabric.flows.asic import AsicTarget, latch_map
from hashfabric.models.functions import FUNCTIONS
from hashfabric.netlist import boolean, cells, liberty
from hashfabric.netlist.circuit import ONE, ZERO, Circuit, Model, Register, read
from hashfabric.netlist.gates import GateSim
from hashfabric.netlist.xilinx import xilinx
from hashfabric.power import energy, measure, page, rows, stimulus
from hashfabric.power import energy_tables as tables
from hashfabric.power.energy import Assumptions, Netlist
from hashfabric.registry.designs import Timing, find_design
from hashfabric.report import pages as report
from tests.support.commands import fails, run

SHA3 = FUNCTIONS["sha3-256"]

TINY = """\
/* Round numbers, so that a test can add up by hand. */
library (tiny) {
  voltage_unit : "1V"; time_unit : "1ns"; leakage_power_unit : "1nW";
  capacitive_load_unit (1, pf);
  nom_voltage : 2.0;
  power_lut_template (one) { }
  power_lut_template (load) {
    variable_1 : total_output_net_capacitance; index_1 ("0, 10");
  }
  lu_table_template (time) {
    variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;
    index_1 ("0, 10"); index_2 ("0, 1");
  }
  cell (INV) {
    area : 1; cell_leakage_power : 1;
    pin (A) { direction : input; capacitance : 1; }
    pin (Y) { direction : output; function : "!A";
      internal_power () { related_pin : "A";
        rise_power (one) { values ("0.5"); } fall_power (one) { values ("0.25"); } }
      timing () { related_pin : "A";
        cell_rise (time) { values ("1, 3", \\
                                   "2, 4"); }
        cell_fall (time) { values ("5, 5", "5, 5"); } } }
  }
  cell (XOR2) {
    area : 2; cell_leakage_power : 2;
    pin (A) { direction : input; capacitance : 2; }
    pin (B) { direction : input; capacitance : 3; }
    pin (Y) { direction : output; function : "A ^ B";
      internal_power () { related_pin : "A";
        rise_power (one) { values ("1"); } fall_power (one) { values ("1"); } }
      internal_power () { related_pin : "B";
        rise_power (load) { values ("3, 5"); } fall_power (one) { values ("3"); } } }
  }
  cell (AND2) {
    area : 2; cell_leakage_power : 3;
    pin (A) { direction : input; capacitance : 1; }
    pin (B) { direction : input; capacitance : 1; }
    pin (Y) { direction : output; function : "A B";
      internal_power () {
        rise_power (one) { values ("0.1"); } fall_power (one) { values ("0.2"); } } }
  }
  cell (DFF) {
    area : 8; cell_leakage_power : 10;
    ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; }
    pin (CK) { direction : input; capacitance : 4; clock : true;
      internal_power () {
        rise_power (one) { values ("0.3"); } fall_power (one) { values ("0.7"); } } }
    pin (D) { direction : input; capacitance : 1;
      internal_power () {
        rise_power (one) { values ("0.01"); } fall_power (one) { values ("0.02"); } } }
    pin (Q) { direction : output; function : "IQ";
      internal_power () { related_pin : "CK";
        rise_power (one) { values ("5"); } fall_power (one) { values ("6"); } } }
  }
  cell (LAT) {
    latch (IQ, IQN) { data_in : "D"; enable : "G'"; }
    pin (G) { direction : input; capacitance : 1; }
    pin (D) { direction : input; capacitance : 1; }
    pin (Q) { direction : output; function : "IQ"; }
    pin (QN) { direction : output; function : "IQN"; }
  }
}
"""

ASSUMED = Assumptions(clock_mhz=100.0, wire_pf=0.5, output_pf=10.0, slew_ns=0.5, clock_slew_ns=0.5)


def netlist(
    path: Path,
    ports: Mapping[str, tuple[str, int]],
    parts: Mapping[str, tuple[str, Mapping[str, int | str]]],
    parameters: Mapping[str, Mapping[str, str]] | None = None,
) -> Path:
    """Write a netlist as yosys does: `ports` to direction and bit, `parts` to type and pins."""
    module = {
        "attributes": {"top": "1"},
        "ports": {
            name: {"direction": direction, "bits": [bit]}
            for name, (direction, bit) in ports.items()
        },
        "cells": {
            name: {
                "type": kind,
                "parameters": (parameters or {}).get(name, {}),
                "connections": {pin: [bit] for pin, bit in pins.items()},
            }
            for name, (kind, pins) in parts.items()
        },
        "netnames": {name: {"bits": [bit]} for name, (_, bit) in ports.items()},
    }
    path.write_text(json.dumps({"modules": {"top": module}}), encoding="utf-8")
    return path


####################
# The liberty      #
####################


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A B + !C", lambda a, b, c: (a and b) or not c),
        ("A*B|C'", lambda a, b, c: (a and b) or not c),
        ("(!((C A) + (!C B)))", lambda a, b, c: not (a if c else b)),
        ("A ^ B & C", lambda a, b, c: (a ^ b) and c),  # xor binds closer than and
        ("(A+B)'(C)", lambda a, b, c: not (a or b) and c),
        ("1 A 0 + B", lambda a, b, c: b),
    ],
)
def test_functions(text: str, wanted: object) -> None:
    """Liberty's ways to write and, or, not and exclusive or, with their ranks."""
    table = boolean.truth_table(text, ["A", "B", "C"])
    for row in range(8):
        bits = [bool(row >> index & 1) for index in range(3)]
        assert (table >> row & 1) == bool(wanted(*bits))  # type: ignore[operator]


@pytest.mark.parametrize("text", ["A +", "(A", "A)", "D", "A ? B", ""])
def test_a_broken_function_is_one_line(text: str) -> None:
    """It is quoted."""
    with pytest.raises(LabError, match="cannot read the function"):
        boolean.truth_table(text, ["A", "B"])


def test_a_liberty_is_read() -> None:
    """Units, tables between their points and beyond their ends, registers."""
    library = liberty.library(TINY)
    assert (library.name, library.voltage, library.temperature) == ("tiny", 2.0, 25.0)
    table = library.cells["XOR2"].pins["Y"].powers[1].rise
    assert [table.at(load=load, slew=9) for load in (-1, 0, 5, 10, 99)] == [3, 3, 4, 5, 5]
    delay = library.cells["INV"].pins["Y"].delays[0].rise
    assert delay.at(load=5, slew=0.5) == 2.5
    storage = library.cells["LAT"].storage
    assert storage is not None
    assert (storage.edge, storage.clock, storage.state) == (False, "G'", "IQ")
    small = liberty.library(TINY.replace("(1, pf)", "(10, ff)"))
    assert small.cells["DFF"].pins["CK"].capacitance == pytest.approx(0.04)
    assert small.cells["INV"].pins["Y"].powers[0].rise.at(load=0, slew=0) == pytest.approx(0.005)


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("library (tiny) {", "library (tiny)", "one group 'library' is required"),
        ("area : 1;", "area 1;", "line 15: ':' or '\\(' is required"),
        ('("3, 5")', '("3, 5, 7")', "3 values in a table of 2"),
        ('("3, 5")', '("3, five")', "values: numbers are required"),
        ("nom_voltage : 2.0;", "", "nom_voltage: a number is required"),
        ('"1nW"', '"1hp"', "unknown unit '1hp'"),
        ("total_output_net_capacitance; index", "fan_out; index", "unknown table"),
    ],
)
def test_a_broken_liberty_is_one_line(tmp_path: Path, old: str, new: str, wanted: str) -> None:
    """With the file's name, and the line where it does not parse."""
    assert old in TINY
    path = tmp_path / "tiny.lib"
    path.write_text(TINY.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(LabError, match=wanted) as caught:
        liberty.read(path)
    assert "tiny.lib" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_cut_short(tmp_path: Path) -> None:
    """Neither half a group nor an empty file is read."""
    for text in (TINY[:700], ""):
        (tmp_path / "tiny.lib").write_text(text, encoding="utf-8")
        with pytest.raises(LabError, match=r"the file (ends inside a group|is empty)"):
            liberty.read(tmp_path / "tiny.lib")


####################
# The estimator    #
####################


def test_the_estimate_equals_arithmetic_by_hand(tmp_path: Path) -> None:
    """Two gates, a flip-flop, one with a gate in its clock; four clocks, the gate open in two.

    With a = 1, q1 flips in every clock; q2 flips in every clock that the gate lets through.
    """
    library = liberty.library(TINY)
    bits = {"clk": 2, "a": 3, "en": 4, "q1": 6, "q2": 8}
    ports = {name: ("output" if name[0] == "q" else "input", bit) for name, bit in bits.items()}
    parts: dict[str, tuple[str, Mapping[str, int | str]]] = {
        "xor": ("XOR2", {"A": 3, "B": 6, "Y": 5}),
        "inv": ("INV", {"A": 8, "Y": 7}),
        "gate": ("AND2", {"A": 2, "B": 4, "Y": 9}),
        "f1": ("DFF", {"CK": 2, "D": 5, "Q": 6}),
        "f2": ("DFF", {"CK": 9, "D": 7, "Q": 8}),
    }
    circuit = read(netlist(tmp_path / "n.json", ports, parts), cells.library_model(library))
    sim = GateSim(circuit, clock="clk", seed=1)
    sim.drive({"a": 1, "en": 1})
    sim.counting(True)
    for clock in range(4):
        if clock == 2:
            sim.drive({"en": 0})
        sim.rise()
        sim.fall()
        sim.end_clock()
    sim.drive({"en": 1})
    sim.counting(False)
    found = energy.estimate(Netlist(circuit, library, sim.clock_nets), sim.activity(4), ASSUMED)

    edge = 2.0**2 / 2  # V^2 / 2: pJ an edge and pF
    # Each net's load, pF: pins, 0.5 of wire a pin, 10 at an output.
    clk, gated, en = 4 + 1 + 2 * 0.5, 4 + 0.5, 1 + 0.5
    n1, n2 = 1 + 0.5, 1 + 0.5
    q1, q2 = 3 + 0.5 + 10, 1 + 0.5 + 10
    clock_nets = 8 * edge * clk + 4 * edge * gated
    clock_cells = 2 * 0.1 + 2 * 0.2 + (4 + 2) * (0.3 + 0.7)  # the AND; both CK pins
    assert found.clock == pytest.approx(clock_nets + clock_cells)
    register_nets = 4 * edge * q1 + 2 * edge * q2
    register_cells = 2 * (5 + 6) + (5 + 6) + 2 * (0.01 + 0.02) + (0.01 + 0.02)  # Q, then D
    assert found.sequential == pytest.approx(register_nets + register_cells)
    gate_nets = 4 * edge * n1 + 2 * edge * n2 + 2 * edge * en
    xor_rise = 3 + (5 - 3) * 1.5 / 10  # only by B, at n1's 1.5 pF
    gate_cells = 2 * xor_rise + 2 * 3 + 0.5 + 0.25
    assert found.combinational == pytest.approx(gate_nets + gate_cells)
    assert found.glitches == pytest.approx(0)
    leakage_nw = 1 + 2 + 3 + 2 * 10
    assert found.leakage == pytest.approx(leakage_nw * 40e-9 / 1e-12 * 1e-9)  # 4 clocks of 10 ns
    pins = 8 * 2 + 4 * 1 + 2 * 1 + 4 * 1 + 4 * 1 + 2 * 1 + 2 * 1  # edges times driven pins
    assert found.wires == pytest.approx(edge * 0.5 * pins)
    assert found.total == pytest.approx(
        found.clock + found.sequential + found.combinational + found.leakage
    )
    assert found.per(4).total == pytest.approx(found.total / 4)
    assert circuit.gated_registers(circuit.ports["clk"][0]) == 1


def test_edges_are_put_down_to_the_inputs_that_move(tmp_path: Path) -> None:
    """An exclusive or whose A moves three times as often as its B."""
    library = liberty.library(TINY)
    ports = {"clk": ("input", 2), "a": ("input", 3), "b": ("input", 4), "y": ("output", 5)}
    parts: dict[str, tuple[str, Mapping[str, int | str]]] = {
        "xor": ("XOR2", {"A": 3, "B": 4, "Y": 5})
    }
    circuit = read(netlist(tmp_path / "n.json", ports, parts), cells.library_model(library))
    sim = GateSim(circuit, clock="clk", seed=1)
    sim.counting(True)
    for a, b in ((1, 0), (0, 0), (1, 0), (1, 1)):  # y: up, down, up, down
        sim.drive({"a": a, "b": b})
        sim.end_clock()
    sim.counting(False)
    free = ASSUMED.model_copy(update={"wire_pf": 0.0, "output_pf": 0.0})
    found = energy.estimate(Netlist(circuit, library, sim.clock_nets), sim.activity(4), free)
    nets = 2.0 * (3 * 2 + 1 * 3)
    cell = 2 * (0.75 * 1 + 0.25 * 3) + 2 * (0.75 * 1 + 0.25 * 3)
    assert found.combinational == pytest.approx(nets + cell)


def test_glitches_are_counted_apart(tmp_path: Path) -> None:
    """a ^ !a is 1 but for a pulse as long as the inverter is slow, which a slow gate swallows."""
    library = liberty.library(TINY)
    ports = {"clk": ("input", 2), "a": ("input", 3), "y": ("output", 5)}
    parts: dict[str, tuple[str, Mapping[str, int | str]]] = {
        "inv": ("INV", {"A": 3, "Y": 4}),
        "xor": ("XOR2", {"A": 3, "B": 4, "Y": 5}),
    }
    circuit = read(netlist(tmp_path / "n.json", ports, parts), cells.library_model(library))
    inverted = next(gate.out for gate in circuit.gates if len(gate.inputs) == 1)
    y = circuit.ports["y"][0]
    assert energy.delays(circuit, library, ASSUMED)[inverted] == (2350, 5000)  # at 3.5 pF, 0.5 ns
    for xor_delay, pulses in ((4, 1), (5, 1), (6, 0)):
        delays = {inverted: (5, 5), y: (xor_delay, xor_delay)}
        sim = GateSim(circuit, clock="clk", seed=1, delays=delays)
        sim.counting(True)
        sim.drive({"a": 1})
        sim.end_clock()
        sim.counting(False)
        activity = sim.activity(1)
        assert (activity.all.falls[y], activity.all.rises[y]) == (pulses, pulses)
        assert (activity.settled.falls[y], activity.settled.rises[y]) == (0, 0)
        found = energy.estimate(Netlist(circuit, library, sim.clock_nets), activity, ASSUMED)
        assert (found.glitches > 0) == bool(pulses)
        assert found.combinational == pytest.approx(
            2 * (2 + 1 + 2 * 0.5) + 2 * (3 + 0.5) + 0.25  # a's net, the inverter's, and its fall
        )


####################
# The simulator    #
####################


def random_circuit(rng: random.Random, count: int) -> Circuit:
    """Return `count` random gates of eight inputs, with a flip-flop after each fourth."""
    circuit = Circuit()
    for name in ("clk", *(f"i{index}" for index in range(8))):
        circuit.ports[name] = [circuit.nets]
        circuit.inputs.add(name)
        circuit.nets += 1
    usable = list(range(3, circuit.nets))
    for number in range(count):
        inputs = rng.sample([*usable, ZERO, ONE], rng.randint(1, 6))
        circuit.add_gate(circuit.nets, inputs, rng.getrandbits(1 << len(inputs)))
        if number % 4 == 0:
            circuit.registers.append(Register(circuit.nets + 1, circuit.nets, 2))
            circuit.nets += 1
        usable.append(circuit.nets)
        circuit.nets += 1
    circuit.ports["all"] = list(range(circuit.nets))
    return circuit


def test_settled_values_are_what_the_gates_say() -> None:
    """Random circuits with random delays, against plain evaluation; rises and falls fit."""
    rng = random.Random(5)
    for _ in range(5):
        circuit = random_circuit(rng, 60)
        delays = {net: (rng.randint(1, 9), rng.randint(1, 9)) for net in range(circuit.nets)}
        sim = GateSim(circuit, clock="clk", seed=2, delays=delays)
        sim.counting(True)
        start = sim.read("all")
        want = [start >> net & 1 for net in range(circuit.nets)]
        toggles = [0] * circuit.nets
        for _ in range(40):
            held = [want[cell.data] for cell in circuit.registers]
            before = list(want)
            for cell, value in zip(circuit.registers, held, strict=True):
                want[cell.out] = value
            values = {f"i{index}": rng.getrandbits(1) for index in range(8)}
            for name, value in values.items():
                want[circuit.ports[name][0]] = value
            for gate in circuit.gates:
                row = sum(want[net] << index for index, net in enumerate(gate.inputs))
                want[gate.out] = gate.table >> row & 1
            toggles = [n + (a != b) for n, a, b in zip(toggles, before, want, strict=True)]
            sim.rise()
            sim.drive(values)
            sim.fall()
            sim.end_clock()
            assert sim.read("all") == sum(bit << net for net, bit in enumerate(want))
        activity = sim.activity(40)
        for net in set(range(circuit.nets)) - sim.clock_nets:
            settled = activity.settled.rises[net] + activity.settled.falls[net]
            assert settled == toggles[net]
            change = activity.all.rises[net] - activity.all.falls[net]
            assert change == want[net] - (start >> net & 1)
            assert activity.all.rises[net] + activity.all.falls[net] >= settled


def test_a_latch_and_a_gated_clock(tmp_path: Path) -> None:
    """The latch is open while its clock is low, so that the gated clock has no pulse cut short."""
    library = liberty.library(TINY)
    ports = {"clk": ("input", 2), "en": ("input", 3), "d": ("input", 4), "q": ("output", 7)}
    parts: dict[str, tuple[str, Mapping[str, int | str]]] = {
        "latch": ("LAT", {"G": 2, "D": 3, "Q": 5, "QN": 10}),
        "and": ("AND2", {"A": 2, "B": 5, "Y": 6}),
        "flop": ("DFF", {"CK": 6, "D": 4, "Q": 7}),
    }
    ports["qn"] = ("output", 10)
    circuit = read(netlist(tmp_path / "n.json", ports, parts), cells.library_model(library))
    sim = GateSim(circuit, clock="clk", seed=1)
    sim.drive({"en": 1})
    sim.rise()
    sim.drive({"en": 0, "d": 1})  # late: this clock was let through, and d was 0
    assert (sim.read("q"), sim.read("qn")) == (0, 0)
    sim.fall()
    assert sim.read("qn") == 1
    sim.rise()
    assert sim.read("q") == 0  # gated
    sim.drive({"en": 1})
    assert sim.read("q") == 0  # not before the next edge
    sim.fall()
    sim.rise()
    assert sim.read("q") == 1


def test_what_cannot_be_simulated_is_reported(tmp_path: Path) -> None:
    """A loop of gates, a clock made of data, a clock that is not there, an unknown cell."""
    circuit = Circuit(nets=4, ports={"clk": [2]}, inputs={"clk"})
    circuit.add_gate(3, [3], 0b01)
    with pytest.raises(LabError, match="oscillates"):
        GateSim(circuit, clock="clk", seed=1)
    ripple = Circuit(nets=6, ports={"clk": [2]}, inputs={"clk"})
    ripple.registers += [Register(3, 4, 2), Register(5, 2, 3)]
    ripple.add_gate(4, [3], 0b01)
    sim = GateSim(ripple, clock="clk", seed=1)
    with pytest.raises(LabError, match="a clock edge comes later than the clock"):
        for _ in range(2):
            sim.rise()
            sim.fall()
    with pytest.raises(LabError, match="no input clock"):
        GateSim(ripple, clock="clock", seed=1)
    path = netlist(tmp_path / "n.json", {}, {"odd": ("ODD", {"A": 2})})
    for model in (cells.library_model(liberty.library(TINY)), cells.ecp5, xilinx):
        with pytest.raises(LabError, match="no model of cell 'ODD'"):
            read(path, model)
    (tmp_path / "n.json").write_text("{}", encoding="utf-8")
    with pytest.raises(LabError, match="not a flat netlist"):
        read(path, cells.ecp5)
    cleared = TINY.replace('next_state : "D";', 'next_state : "D"; clear : "R";')
    netlist(path, {}, {"f": ("DFF", {"CK": 2, "D": 3, "Q": 4})})
    with pytest.raises(LabError, match="cell DFF: 'clear' is not modelled"):
        read(path, cells.library_model(liberty.library(cleared)))


def test_ecp5_flip_flops_and_carry(tmp_path: Path) -> None:
    """Enable, synchronous set above it, and two bits of an adder."""
    ports = {name: ("input", bit) for bit, name in enumerate(("clk", "ce", "lsr", "d"), start=2)}
    ports |= {name: ("output", bit) for name, bit in (("q", 6), ("s0", 7), ("s1", 8), ("co", 9))}
    parts: dict[str, tuple[str, Mapping[str, int | str]]] = {
        "ff": ("TRELLIS_FF", {"CLK": 2, "CE": 3, "LSR": 4, "DI": 5, "Q": 6}),
        "sum": (
            "CCU2C",
            {
                **{"CIN": 3, "A0": 4, "B0": 5, "C0": "0", "D0": "1"},
                **{"A1": 5, "B1": 5, "C1": "0", "D1": "1", "S0": 7, "S1": 8, "COUT": 9},
            },
        ),
    }
    adder = "1001011010101010"  # as yosys writes one
    parameters = {
        "ff": {"CEMUX": "CE", "CLKMUX": "CLK", "LSRMUX": "LSR", "REGSET": "SET"},
        "sum": {"INIT0": adder, "INIT1": adder, "INJECT1_0": "NO", "INJECT1_1": "NO "},
    }
    circuit = read(netlist(tmp_path / "n.json", ports, parts, parameters), cells.ecp5)
    sim = GateSim(circuit, clock="clk", seed=3)
    held = None
    for row in range(8):
        ce, lsr, d = row & 1, row >> 1 & 1, row >> 2
        sim.drive({"ce": ce, "lsr": lsr, "d": d})
        carry = (lsr + d + ce) >> 1  # lsr + d + ce, then d + d + carry
        sums = [sim.read(name) for name in ("s0", "s1", "co")]
        assert sums == [(lsr + d + ce) & 1, carry, (2 * d + carry) >> 1]
        sim.rise()
        sim.fall()
        held = 1 if lsr else d if ce else held
        assert held is None or sim.read("q") == held
    asynchronous = {"ff": parameters["ff"] | {"SRMODE": "ASYNC"}, "sum": parameters["sum"]}
    netlist(tmp_path / "n.json", ports, parts, asynchronous)
    with pytest.raises(LabError, match="asynchronous reset is not modelled"):
        read(tmp_path / "n.json", cells.ecp5)


def one_cell(
    model: Model,
    name: str,
    ports: Mapping[str, int],
    outputs: Mapping[str, int],
    parameters: Mapping[str, str],
) -> Circuit:
    """Return a circuit of one cell: its pins are ports of as many bits as said."""
    circuit = Circuit()
    pins: dict[str, int] = {}
    for port, width in {**ports, **outputs}.items():
        nets = list(range(circuit.nets, circuit.nets + width))
        circuit.nets += width
        circuit.names += [port] * width
        circuit.ports[port] = nets
        if port in ports:
            circuit.inputs.add(port)
        pins |= (
            {port: nets[0]} if width == 1 else {f"{port}[{n}]": net for n, net in enumerate(nets)}
        )
    model(circuit, name, pins, parameters)
    return circuit


def xilinx_cell(
    name: str, ports: Mapping[str, int], outputs: Mapping[str, int], **parameters: int
) -> Circuit:
    """Return a circuit of one of AMD's primitives."""
    texts = {"USE_MULT": "NONE", **{key: f"{v:032b}" for key, v in parameters.items()}}
    return one_cell(xilinx, name, ports, outputs, texts)


def clocked(sim: GateSim, **values: int) -> None:
    """Set inputs, then one clock."""
    sim.drive(values)
    sim.rise()
    sim.fall()


def test_ecp5_lut_ram() -> None:
    """Random words at random addresses."""
    rng = random.Random(1)
    ports = {"WCK": 1, "WRE": 1, "WAD": 4, "RAD": 4, "DI": 4}
    plain = {"WCKMUX": "WCK", "WREMUX": "WRE"}
    circuit = one_cell(cells.ecp5, "TRELLIS_DPR16X4", ports, {"DO": 4}, plain)
    assert len(circuit.memory) == 64
    sim = GateSim(circuit, clock="WCK", seed=1)
    held: dict[int, int] = {}
    for _ in range(300):
        write, read_at, at, word = (rng.randrange(count) for count in (2, 16, 16, 16))
        clocked(sim, WRE=write, RAD=read_at, WAD=at, DI=word)
        if write:
            held[at] = word
        if read_at in held:
            assert sim.read("DO") == held[read_at]
    with pytest.raises(LabError, match="WREMUX INV is not modelled"):
        one_cell(cells.ecp5, "TRELLIS_DPR16X4", ports, {"DO": 4}, {"WREMUX": "INV"})


def test_xilinx_ram_shift_register_and_carry() -> None:
    """Random words at random addresses; sixteen bits on their way; four bits of an adder."""
    rng = random.Random(1)
    ports = dict.fromkeys(("WCLK", "WE"), 1)
    ports |= {
        f"{kind}{port}": 5 if kind == "ADDR" else 2 for port in "AD" for kind in ("ADDR", "DI")
    }
    sim = GateSim(xilinx_cell("RAM32M", ports, {"DOA": 2, "DOD": 2}), clock="WCLK", seed=1)
    held: dict[int, tuple[int, int]] = {}
    for _ in range(300):
        write, read_at, at = rng.getrandbits(1), rng.randrange(32), rng.randrange(32)
        a, d = rng.getrandbits(2), rng.getrandbits(2)
        clocked(sim, WE=write, ADDRA=read_at, ADDRD=at, DIA=a, DID=d)
        if write:
            held[at] = (a, d)
        if at in held:
            assert sim.read("DOD") == held[at][1]
        if read_at in held:
            assert sim.read("DOA") == held[read_at][0]
    ports = dict.fromkeys(("CLK", "CE", "D", "A0", "A1", "A2", "A3"), 1)
    sim = GateSim(xilinx_cell("SRL16E", ports, {"Q": 1}), clock="CLK", seed=1)
    bits: list[int] = []
    for _ in range(200):
        enable, bit, place = rng.getrandbits(1), rng.getrandbits(1), rng.randrange(16)
        clocked(sim, CE=enable, D=bit, **{f"A{n}": place >> n & 1 for n in range(4)})
        bits = [bit, *bits][:16] if enable else bits
        if place < len(bits):
            assert sim.read("Q") == bits[place]
    adder = xilinx_cell("CARRY4", {"CI": 1, "CYINIT": 1, "S": 4, "DI": 4}, {"O": 4, "CO": 4})
    adder.ports["clk"], adder.nets = [adder.nets], adder.nets + 1
    adder.inputs.add("clk")
    sim = GateSim(adder, clock="clk", seed=1)
    for _ in range(50):
        a, b, carry = rng.getrandbits(4), rng.getrandbits(4), rng.getrandbits(1)
        sim.drive({"S": a ^ b, "DI": a, "CI": carry, "CYINIT": 0})
        assert sim.read("O") == (a + b + carry) & 15
        assert sim.read("CO") >> 3 == (a + b + carry) >> 4


def test_a_slice_computes_what_ug579_says() -> None:
    """Operations by OPMODE and ALUMODE, as UG579 writes them, on random operands."""
    rng, full = random.Random(2), (1 << 48) - 1
    wide = {"A": 30, "B": 18, "C": 48, "PCIN": 48, "OPMODE": 9, "ALUMODE": 4}
    single = dict.fromkeys(("CLK", "CEA2", "CEB2", "CEC", "CEP", "CECTRL", "CEALUMODE"), 1)
    for register in (0, 1):
        registers = dict.fromkeys(("AREG", "BREG", "CREG", "OPMODEREG", "ALUMODEREG"), 0)
        outputs = {"P": 48, "PCOUT": 48}
        made = xilinx_cell("DSP48E2", wide | single, outputs, PREG=register, **registers)
        sim = GateSim(made, clock="CLK", seed=1)
        p = 0
        clocked(sim, OPMODE=0, ALUMODE=0b0100, **{name: 1 for name in single if name != "CLK"})
        for _ in range(40):
            ab, c, pcin = (rng.getrandbits(48) for _ in range(3))
            cases = {
                (0b00_001_11_11, 0b0100): ab ^ c ^ pcin,
                (0b00_001_11_11, 0b0101): ~(ab ^ c ^ pcin),
                (0b00_001_11_11, 0b1100): (ab & c) | (ab & pcin) | (c & pcin),
                (0b00_001_11_11, 0b1110): ~((ab & c) | (ab & pcin) | (c & pcin)),
                (0b00_011_00_11, 0b1100): ab & c,
                (0b00_011_00_11, 0b1101): ab & ~c,
                (0b00_011_10_11, 0b1100): ab | c,
            }
            if register:
                cases[0b00_010_11_11, 0b0100] = p ^ ab ^ c
                cases[0b00_001_11_10, 0b0100] = p ^ pcin ^ c
            (opmode, alumode), wanted = rng.choice(list(cases.items()))
            values = {"A": ab >> 18, "B": ab & ((1 << 18) - 1), "C": c, "PCIN": pcin}
            clocked(sim, OPMODE=opmode, ALUMODE=alumode, **values)
            p = wanted & full
            assert sim.read("P") == sim.read("PCOUT") == p
    with pytest.raises(LabError, match="only its logic unit"):
        xilinx_cell("DSP48E2", wide | single, {"P": 48}, IS_CLK_INVERTED=1)


####################
# The bench        #
####################


class FakeEngine:
    """An engine of several slots that adds `key` to a block and waits; faults can be asked for."""

    def __init__(self, timing: Timing, *, key: int = 0x5A, wait: int = 3) -> None:
        """A slot is shown every `slots` clocks; a state leaves in its slot's `wait`th turn."""
        self.timing = timing
        self.key = key
        self.wait = wait
        self.fault = ""
        self.counted: list[int] = []
        self.now = -1
        self._inputs = {"blk_valid_i": 0, "blk_i": 0, "rst_i": 1}
        self._left = [0] * timing.slots
        self._reads: dict[int, int] = {}
        self._state: dict[int, int] = {}
        self._shown: dict[int, int] = {}
        self._counting = False

    def read(self, name: str) -> int:
        """Return an output."""
        slot = self.now % self.timing.slots
        leaves = self._left[slot] == 1
        ready = self._left[slot] <= 1 and self.fault != "deaf"
        return {
            "blk_slot_o": slot,
            "blk_ready_o": int(ready),
            "st_valid_o": int(leaves or self.fault == "chatty"),
            "st_slot_o": (slot + (self.fault == "chatty")) % self.timing.slots,
            "st_o": self._shown.get(self.now, 0),
        }[name]

    def drive(self, values: dict[str, int]) -> None:
        """Change inputs."""
        self._inputs |= values

    def rise(self) -> None:
        """Begin the next clock."""
        self.now += 0 if self._inputs["rst_i"] else 1
        slot = self.now % self.timing.slots
        if self._left[slot] == 1:
            state = self._state.get(slot, 0)
            self._shown[self.now + self.timing.data_delay] = state

    def fall(self) -> None:
        """Nothing happens here: all is looked at before `end_clock`."""

    def counting(self, on: bool) -> None:
        """Note what is counted."""
        self._counting = on

    def end_clock(self) -> None:
        """Take what is handed over."""
        slot, delay = self.now % self.timing.slots, self.timing.data_delay
        taken = bool(self._inputs["blk_valid_i"] and self.read("blk_ready_o"))
        if self._left[slot]:
            self._left[slot] -= 1
        if taken:
            self._left[slot] = self.wait
            self._reads[self.now + delay] = slot
            if self._counting:
                self.counted.append(self.now)
        if (reader := self._reads.pop(self.now, None)) is not None:
            wrong = 1 << 1599 if self.fault == "bit" else 0
            self._state[reader] = self._inputs["blk_i"] ^ self.key ^ wrong


def golden(block: int) -> bytes:
    """Return what a `FakeEngine` must answer."""
    return (block ^ 0x5A).to_bytes(200, "little")


TIMINGS = [
    Timing(1, True, 3.0, 0),
    Timing(4, False, 3.0, 0),
    Timing(4, False, 3.0, 3),
    Timing(3, False, 3.0, 1),
]


@pytest.mark.parametrize("timing", TIMINGS)
def test_the_bench_fills_what_was_asked_for(timing: Timing) -> None:
    """Every state is checked; the blocks are those of the duty; idle means idle."""
    for duty in (0.0, 0.1, 0.5, 1.0):
        first = FakeEngine(timing)
        messages = stimulus.Messages(SHA3, 1, golden)
        clocks = stimulus.turn_clocks(stimulus.Bench(first, timing, messages), timing.slots)
        assert clocks == 3 * timing.slots  # the third turn after takes the next message
        engine = FakeEngine(timing)
        bench = stimulus.Bench(engine, timing, stimulus.Messages(SHA3, 1, golden))
        turns = stimulus.pattern(timing.slots, 20, duty, 7)
        run = stimulus.counted_run(bench, engine, turns, clocks)
        assert run.slot_turns == 20 * timing.slots
        assert run.blocks == round(duty * run.slot_turns) == len(engine.counted)
        assert run.clocks == 20 * clocks
        warm_up = timing.slots + sum(turns[-1])
        assert run.checked == run.blocks + warm_up


@pytest.mark.parametrize(
    ("fault", "wanted"),
    [
        ("bit", "slot 0: wrong state"),
        ("chatty", "a state that no block asked for"),
        ("deaf", "hangs: nothing in"),
    ],
)
def test_a_broken_engine_fails_the_run(
    fault: str, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One wrong bit in one state is enough."""
    monkeypatch.setattr(stimulus, "_PATIENCE", 50)
    timing = TIMINGS[1]
    engine = FakeEngine(timing)
    engine.fault = fault
    bench = stimulus.Bench(engine, timing, stimulus.Messages(SHA3, 1, golden))
    with pytest.raises(LabError, match=wanted):
        stimulus.turn_clocks(bench, timing.slots)


def test_an_engine_too_slow_for_the_turns_is_reported() -> None:
    """Blocks that are not taken in time are not averaged away."""
    timing = TIMINGS[1]
    engine = FakeEngine(timing)
    bench = stimulus.Bench(engine, timing, stimulus.Messages(SHA3, 1, golden))
    with pytest.raises(LabError, match="taken in place of"):
        stimulus.counted_run(bench, engine, [[True] * 4] * 8, 5)


def test_messages_are_checked_against_hashlib_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that agrees with a wrong engine does not help it."""
    messages = stimulus.Messages(SHA3, 1)
    message = messages.draw()
    assert messages.wrong(message, message.state) == ""
    assert messages.wrong(message, bytes(200)) == "wrong state"
    bent = stimulus.StimulusMessage(message.data, message.block, bytes(200))
    assert messages.wrong(bent, bytes(200)) == "wrong sha3-256 digest"
    again = stimulus.Messages(SHA3, 1).draw()
    assert again == message
    assert stimulus.Messages(SHA3, 2).draw() != message


####################
# The real library #
####################


@functools.cache
def osu018() -> AsicTarget:
    """Return the target, its liberty in place; skip where that cannot be had."""
    target = targets.find_any("osu018")
    assert isinstance(target, AsicTarget)
    try:
        target.liberty_path()
    except LabError:
        tried = subprocess.run(
            [str(ROOT / "tools" / "liberty.sh")], capture_output=True, text=True, check=False
        )
        if tried.returncode != 0:
            pytest.skip(tried.stderr.strip() or "the liberty cannot be installed here")
    return target


def test_the_real_library_by_hand(tmp_path: Path) -> None:
    """An inverter at a point of its tables: the liberty's own numbers, added up."""
    library = liberty.read(osu018().liberty_path())
    ports = {"clk": ("input", 2), "a": ("input", 3), "y": ("output", 4)}
    parts: dict[str, tuple[str, Mapping[str, int | str]]] = {"inv": ("INVX1", {"A": 3, "Y": 4})}
    circuit = read(netlist(tmp_path / "n.json", ports, parts), cells.library_model(library))
    sim = GateSim(circuit, clock="clk", seed=1)
    sim.counting(True)
    for a in (1, 0):
        sim.drive({"a": a})
        sim.end_clock()
    sim.counting(False)
    assumed = Assumptions(
        clock_mhz=100.0, wire_pf=0.0, output_pf=0.025, slew_ns=0.18, clock_slew_ns=0.18
    )
    found = energy.estimate(Netlist(circuit, library, sim.clock_nets), sim.activity(2), assumed)
    # cell (INVX1), the row of index_1 0.025 and the column of index_2 0.18; pin A, 0.00932456 pF.
    inside = 0.02752 + 0.006332
    nets = 2 * 1.8**2 / 2 * (0.025 + 0.00932456)
    assert found.total == pytest.approx(inside + nets + found.leakage)
    assert found.leakage == pytest.approx(0.0221741e-9 * 20e-9 / 1e-12)
    assert energy.delays(circuit, library, assumed)[circuit.ports["y"][0]] == (113, 91)


def measured(
    target: str, loads: list[measure.Load], name: str = "keccak-iterative", variant: str = "core"
) -> list[rows.PowerRow]:
    """Measure an engine, quietly."""
    meter = measure.Meter(targets.find_any(target), Steps(quiet=True))
    return meter.measure(find_design(name), variant, loads)


@pytest.mark.slow
def test_the_engine_on_cells() -> None:
    """Every state right at every duty; what stands still costs only its clock."""
    osu018()
    idle, half, full = measured("osu018", [measure.Load(duty, 8) for duty in (0, 0.5, 1)])
    assert [row.blocks for row in (idle, half, full)] == [0, 4, 8]
    assert full.turn_clocks == 26
    assert full.states_checked == full.blocks + 2
    assert idle.energy is not None
    assert half.energy is not None
    assert full.energy is not None
    assert idle.energy.nj_per_block is None
    clocks = [row.energy.pj_per_clock.clock for row in (idle, half, full) if row.energy]
    assert clocks[0] == clocks[1] == clocks[2] > 0
    assert idle.energy.total_pj_per_clock == pytest.approx(clocks[0], rel=1e-3)
    assert full.toggles_per_clock.registers == pytest.approx(
        2 * half.toggles_per_clock.registers, rel=0.05
    )
    block = full.energy.total_pj_per_clock * full.turn_clocks / 1000
    assert full.energy.nj_per_block == pytest.approx(block, rel=1e-3)
    assert full.energy.pj_per_bit == pytest.approx(1000 * block / 1088, rel=1e-3)
    assert full.gated_registers == 0
    again = measured("osu018", [measure.Load(1.0, 8)])
    assert again == [full]


@pytest.mark.slow
def test_a_broken_netlist_fails_the_run(tmp_path: Path) -> None:
    """One gate of the mapped netlist bent: no row, and nothing cached."""
    osu018()
    design = find_design("keccak-iterative")
    meter = measure.Meter(osu018(), Steps(quiet=True))
    synth = meter.synthesise(design.variant("core"))
    circuit = synth.circuit
    victim = next(i for i, gate in enumerate(circuit.gates) if gate.table == 0b0110)
    gate = circuit.gates[victim]
    circuit.gates[victim] = type(gate)(gate.out, gate.inputs, 0b1001)
    meter.cache = Cache(tmp_path / "cache")
    with pytest.raises(LabError, match="wrong state"):
        meter._row(design, "core", synth, measure.Load(1.0, 4))
    assert not list((tmp_path / "cache").glob("*.json"))


@pytest.mark.slow
def test_the_engine_on_an_fpga() -> None:
    """The mapped netlist computes SHA-3 too; toggles, and no energy."""
    [row] = measured("ecp5-85k", [measure.Load(1.0, 8)])
    assert row.energy is None
    assert row.states_checked == 10
    rates = row.toggles_per_clock
    assert 700 < rates.registers < rates.nets <= rates.nets_with_glitches
    assert rates.memory is None
    assert rates.slices is None


@pytest.mark.slow
def test_slices_and_ram_on_an_fpga() -> None:
    """Engines of DSP slices and planes in LUT RAM compute SHA-3 as netlists too."""
    for name, variant, states in (("wide", "core-117", 16), ("compact", "core-28", 12)):
        [row] = measured("xcup", [measure.Load(1.0, 8)], f"keccak-dsp-{name}", variant)
        assert row.states_checked == states
        rates = row.toggles_per_clock
        assert rates.slices is not None
        assert rates.slices > rates.nets > rates.registers
        assert rates.memory


####################
# Targets          #
####################


def test_the_target_swaps_the_form_of_a_gate() -> None:
    """What is a clock enable on an FPGA is a latch and an AND here; other values stay."""
    target = targets.find_any("osu018")
    assert isinstance(target, AsicTarget)
    assert target.own_parameters({"Gate": 1, "Rounds": 1}) == {"Gate": 2, "Rounds": 1}
    assert target.own_parameters({"Gate": 0}) == {"Gate": 0}


def test_latches_are_mapped_whatever_their_polarity() -> None:
    """The tiny library's is open while low: the other kind gets an inverter."""
    text = latch_map(liberty.library(TINY))
    high, low = text.split("endmodule\n")[:2]
    assert r"\$_DLATCH_P_" in high
    assert r"\$_NOT_" in high
    assert "LAT _TECHMAP_REPLACE_ (.G(e), .D(D), .Q(Q));" in high
    assert r"\$_DLATCH_N_" in low
    assert ".G(E)" in low
    assert latch_map(liberty.library(TINY.replace("latch (", "odd ("))) == ""


def test_without_the_liberty_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And building for cells is refused."""
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    target = targets.find_any("osu018")
    assert isinstance(target, AsicTarget)
    with pytest.raises(LabError, match="install the Debian package qflow-tech-osu018"):
        target.liberty_path()
    with pytest.raises(LabError, match="it is for 'hashfabric power'"):
        targets.find_target("osu018")


def test_the_script_says_what_it_cannot_install(tmp_path: Path) -> None:
    """No apt-get: one line, nothing half made."""
    (tmp_path / "tools").mkdir()
    (tmp_path / ".venv").mkdir()
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / "tools" / "liberty.sh", tmp_path / "tools")
    for name in ("sh", "dirname"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or "")
    script = (tmp_path / "tools" / "liberty.sh").read_text(encoding="utf-8")
    script = script.replace("/usr/local/share /usr/share", str(tmp_path / "share"))
    (tmp_path / "tools" / "liberty.sh").write_text(script, encoding="utf-8")
    result = subprocess.run(
        ["/bin/sh", "tools/liberty.sh"],
        cwd=tmp_path,
        env={"PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode != 0
    assert "install the Debian package qflow-tech-osu018" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / ".venv" / "share").exists()


####################
# Rows and tables  #
####################


def row(name: str, gate: int, duty: float, total: float, *, blocks: int = 4) -> rows.PowerRow:
    """Return a row of `total` pJ a clock, the clock's part a half."""
    parts = energy.Energy(
        clock=total / 2, sequential=total / 4, combinational=total / 4,
        glitches=0, leakage=0, wires=total / 10,
    )  # fmt: skip
    block = total * 100 / blocks / 1000 if blocks else None
    estimate = rows.Estimate(
        pj_per_clock=parts,
        total_pj_per_clock=total,
        settled_pj_per_clock=total,
        nj_per_block=block,
        settled_nj_per_block=block,
        pj_per_bit=None if block is None else 1000 * block / 1088,
        assumptions=ASSUMED,
        voltage=2.0,
        temperature=25.0,
    )
    return rows.PowerRow(
        name=name,
        variant="core",
        target="osu018",
        slots=4,
        block_bits=1088,
        duty=duty,
        blocks=blocks,
        slot_turns=8,
        turn_clocks=50,
        clocks=100,
        states_checked=blocks + 4,
        cells=1234,
        registers=99,
        gated_registers=90 if gate else 0,
        toggles_per_clock=rows.Toggles(registers=1.5, nets=2.5, nets_with_glitches=3.5),
        energy=estimate,
        provenance=rows.EstimateProvenance(
            top="hf_toy",
            tools={"yosys": "1"},
            commands={"netlist": "synth | abc", "activity": "hashfabric power"},
            parameters={"Gate": gate, "Rounds": 2},
            source_hash="ab" * 32,
            netlist_source_hash="cd" * 32,
            liberty_sha256="ef" * 32,
            seed=1,
            keys={},
        ),
    )


def test_rows_are_kept_by_variant(tmp_path: Path) -> None:
    """What is measured again replaces its own rows, and no others."""
    (tmp_path / "results").mkdir()
    one = row("a", 0, 0.5, 10)
    other = one.model_copy(update={"variant": "other"})
    rows.save([one, other], tmp_path)
    fresh = one.model_copy(update={"duty": 1.0})
    [path] = rows.save([fresh], tmp_path)
    assert path.name == "power-a-osu018.json"
    assert rows.load(tmp_path) == [fresh, other]
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(LabError, match=r"power-a-osu018.json: not a list"):
        rows.load(tmp_path)


def test_gated_rows_stand_beside_their_own_kind() -> None:
    """The pair differs in nothing but `Gate`; without blocks it is energy a clock."""
    every = [row("a", 0, 0.5, 10), row("a", 0, 0, 10, blocks=0)]
    every += [row("b", 2, 0.5, 6), row("b", 2, 0, 1, blocks=0)]
    wanted = [
        ["b core", "a core", "50", "0.600", "0.600", "0.600"],
        ["b core", "a core", "0", "0.100", "0.100", "0.100"],
    ]
    assert tables.gated_against_plain(every) == wanted
    assert tables.against_first(every) == wanted
    part = page.part(every)
    assert "| b core | a core | 50 | 0.600 | 0.600 | 0.600 |" in part
    assert "wire 500 fF a driven pin" in part
    assert "makes up 10 % of the energy" in part
    origins = "\n".join(tables.origin_lines(every))
    assert "99 registers (90 after a clock gate), Gate = 2, Rounds = 2" in origins
    assert tables.gated_against_plain(every[2:]) == []
    titles = [table.title for table in tables.terminal_tables(every)]
    assert titles == ["Energy on osu018", "At the same duty"]


def test_rows_without_energy_show_toggles() -> None:
    """No energy column anywhere."""
    plain = row("a", 0, 0.5, 10).model_copy(update={"energy": None, "target": "xc7"})
    part = page.part([plain])
    assert "### Energy" not in part
    assert "| xc7 | a core | 50 | 4 in 100 | 1.5 | 2.5 | 38 | 62 | 88 | – | – | – |" in part
    assert tables.wires_text([plain]) == ""


def test_stale_rows_are_reported(toy_root: Path) -> None:
    """Other RTL, an unknown design, an unknown target."""
    every = [row("toy", 0, 0.5, 10), row("gone", 0, 0.5, 10)]
    rows.save([*every, every[0].model_copy(update={"target": "none"})], toy_root)
    shutil.copy(ROOT / "targets" / "osu018.toml", toy_root / "targets")
    lines = report.stale(toy_root)
    assert lines == [
        "results: power of gone core on osu018: no longer in the registry",
        "results: power of toy core on none: no longer among the targets",
        "results: power of toy core on osu018: changed since: run 'hashfabric power --save'",
    ]


def test_report_writes_the_page(toy_root: Path) -> None:
    """Between its markers, where the page is there."""
    rows.save([row("toy", 0, 0.5, 10)], toy_root)
    shutil.copy(ROOT / "targets" / "osu018.toml", toy_root / "targets")
    for name in ("README.md", "docs/measure/power.md"):
        text = f"# Toy\n\n{report.BEGIN}\nold\n{report.END}\n"
        (toy_root / name).write_text(text, encoding="utf-8")
    assert "docs/measure/power.md" in " ".join(report.write(toy_root))
    text = (toy_root / "docs" / "measure" / "power.md").read_text(encoding="utf-8")
    assert "### Energy" in text
    assert "old" not in text
    assert report.changes(toy_root) == []


####################
# The command      #
####################


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        ((), "power: a design is required"),
        (("none",), "unknown design 'none'"),
        (("toy/none",), "unknown variant of toy 'none'"),
        (("toy", "--target", "none"), "unknown target 'none'"),
        (("toy", "--duty", "10,much"), "duty 'much': must be a percentage"),
        (("toy", "--duty", "101"), "duty '101'"),
        (("toy", "--blocks", "0"), "--blocks"),
    ],
)
def test_bad_input_is_one_line(toy_root: Path, args: tuple[str, ...], wanted: str) -> None:
    """Each says what is wrong."""
    assert wanted in fails(toy_root, "power", *args)


def test_only_engines_have_power() -> None:
    """A stream top has other ports."""
    with pytest.raises(LabError, match="power is only for engines"):
        measure.named_engine("keccak-iterative/stream")
    assert measure.named_engine("keccak-iterative")[1] == "core"


@pytest.mark.slow
def test_the_command_prints_one_json_value() -> None:
    """A row a duty; nothing else on standard output."""
    osu018()
    result = run(ROOT, "power", "keccak-iterative", "--duty", "0,100", "--blocks", "8", "--json")
    assert result.returncode == 0, result.stderr
    entries = json.loads(result.stdout)
    assert [entry["duty"] for entry in entries] == [0, 1]
    assert entries[1]["energy"]["nj_per_block"] > 0
    assert os.fspath(ROOT) not in result.stdout
