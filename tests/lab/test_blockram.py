"""Registers after a block RAM's outputs, in a netlist by hand."""

from copy import deepcopy
from typing import Any

import pytest

from hashfabric.flows.ecp5.blockram import absorb_output_registers


def register(data: int, output: int, **others: Any) -> dict[str, Any]:
    """Return a flip-flop on clock 2 from net `data` to net `output`."""
    return {
        "type": "TRELLIS_FF",
        "parameters": {"CEMUX": "1 ", "CLKMUX": "CLK", "LSRMUX": "LSR", "REGSET": "RESET"},
        "port_directions": {"CLK": "input", "DI": "input", "LSR": "input", "Q": "output"},
        "connections": {"CLK": [2], "DI": [data], "LSR": ["0"], "Q": [output]} | others,
    }


def netlist() -> dict[str, Any]:
    """Return a RAM with two outputs in use, a register after each, and a pin after those."""
    ram = {
        "type": "DP16KD",
        "parameters": {"REGMODE_A": "NOREG", "REGMODE_B": "NOREG"},
        "port_directions": {
            **dict.fromkeys(("CLKA", "CLKB", "OCEA", "OCEB"), "input"),
            **dict.fromkeys(("DOA0", "DOB0", "DOB1"), "output"),
        },
        "connections": {
            **{"CLKA": [2], "CLKB": [2], "OCEA": ["0"], "OCEB": ["1"]},
            **{"DOA0": [10], "DOB0": [11], "DOB1": [12]},
        },
    }
    cells = {"ram": ram, "a": register(10, 20), "b": register(11, 21)}
    ports = {"q": {"direction": "output", "bits": [20, 21]}}
    return {"modules": {"top": {"ports": ports, "cells": cells}}}


def test_registers_move_into_the_ram() -> None:
    """Both go, and the RAM drives what they drove."""
    design = netlist()
    assert absorb_output_registers(design, "top") == 2
    cells = design["modules"]["top"]["cells"]
    assert set(cells) == {"ram"}
    assert cells["ram"]["connections"]["DOA0"] == [20]
    assert cells["ram"]["connections"]["DOB0"] == [21]
    assert cells["ram"]["parameters"] == {"REGMODE_A": "OUTREG", "REGMODE_B": "OUTREG"}
    assert cells["ram"]["connections"]["OCEA"] == ["1"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"b": register(11, 21, CLK=[3])}, id="another-clock"),
        pytest.param({"b": register(11, 21, LSR=[4])}, id="a-reset"),
        pytest.param({"c": register(11, 22)}, id="two-registers"),
        pytest.param({"c": register(12, 22, LSR=[4])}, id="one-of-three-with-reset"),
    ],
)
def test_anything_else_stays(change: dict[str, Any]) -> None:
    """One register that is not plain keeps all of them where they are."""
    design = netlist()
    design["modules"]["top"]["cells"] |= change
    before = deepcopy(design)
    assert absorb_output_registers(design, "top") == 0
    assert design == before


def unused_port() -> dict[str, Any]:
    """Return the netlist with port A never enabled: no clock there, and no output in use."""
    design = netlist()
    cells = design["modules"]["top"]["cells"]
    cells["ram"]["connections"] |= {"CEA": ["0"], "CLKA": ["0"], "CEB": ["1"]}
    cells["a"]["connections"]["DI"] = [12]
    return design


def test_a_port_that_is_never_enabled_does_not_count() -> None:
    """A memory with one port has its registers in the RAM too."""
    design = unused_port()
    assert absorb_output_registers(design, "top") == 2
    assert set(design["modules"]["top"]["cells"]) == {"ram"}


def test_outputs_of_a_port_that_is_never_enabled_stay() -> None:
    """In a RAM of 36 bits they belong to the other port's clock."""
    design = unused_port()
    design["modules"]["top"]["cells"]["a"]["connections"]["DI"] = [10]
    before = deepcopy(design)
    assert absorb_output_registers(design, "top") == 0
    assert design == before


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("connections", "RSTB", [7]),
        ("parameters", "RSTAMUX", "INV"),
        ("parameters", "CLKBMUX", "INV"),
    ],
)
def test_a_ram_that_is_not_plain_keeps_them_out(group: str, name: str, value: Any) -> None:
    """Its reset would clear the register too, and an inverted clock is another one."""
    design = netlist()
    design["modules"]["top"]["cells"]["ram"][group][name] = value
    before = deepcopy(design)
    assert absorb_output_registers(design, "top") == 0
    assert design == before


def enabled(design: dict[str, Any], name: str, net: int) -> None:
    """Give a register an enable."""
    cell = design["modules"]["top"]["cells"][name]
    cell["parameters"]["CEMUX"] = "CE"
    cell["connections"]["CE"] = [net]


def test_one_enable_becomes_the_rams() -> None:
    """Registers with the same enable go, and the RAM's output registers have it."""
    design = netlist()
    enabled(design, "a", 5)
    enabled(design, "b", 5)
    assert absorb_output_registers(design, "top") == 2
    connections = design["modules"]["top"]["cells"]["ram"]["connections"]
    assert connections["OCEA"] == connections["OCEB"] == [5]


@pytest.mark.parametrize("other", [None, 6])
def test_different_enables_stay(other: int | None) -> None:
    """A register with an enable does not go where its neighbour has another, or none."""
    design = netlist()
    enabled(design, "b", 5)
    if other is not None:
        enabled(design, "a", other)
    before = deepcopy(design)
    assert absorb_output_registers(design, "top") == 0
    assert design == before


def test_an_output_without_register_stays() -> None:
    """A RAM whose output is used directly keeps its timing."""
    design = netlist()
    del design["modules"]["top"]["cells"]["b"]
    design["modules"]["top"]["ports"]["q"]["bits"] = [20, 11]
    assert absorb_output_registers(design, "top") == 0
