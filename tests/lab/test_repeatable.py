"""A routed design is the same wherever it is routed, and the one that a row in results/ is of."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from hashfabric.base.cache import Cache
from hashfabric.base.progress import Steps
from hashfabric.flows.base import RoutedTarget
from hashfabric.flows.ecp5.flow import Ecp5Target
from hashfabric.flows.targets import find_target
from hashfabric.implement.build import Builder
from hashfabric.registry.designs import find_design
from hashfabric.registry.results import rows_of

DEPTHS = ["near", "much/deeper/in/the/tree/of/folders"]


def network(luts: int) -> dict[str, Any]:
    """Return a netlist of `luts` LUTs, a register each, wired at random; of the form of yosys'."""
    choice = random.Random(1)
    clock, states, sums = 2, range(10, 10 + luts), range(10 + luts, 10 + 2 * luts)
    inputs = dict.fromkeys("ABCD", "input")
    cells = {}
    for number, (state, total) in enumerate(zip(states, sums, strict=True)):
        wires = {port: [net] for port, net in zip("ABCD", choice.sample(states, 4), strict=True)}
        cells[f"lut{number}"] = {
            "type": "LUT4",
            "parameters": {"INIT": f"{0x6996:016b}"},
            "attributes": {},
            "port_directions": inputs | {"Z": "output"},
            "connections": wires | {"Z": [total]},
        }
        cells[f"register{number}"] = {
            "type": "TRELLIS_FF",
            "parameters": {"CEMUX": "1 ", "CLKMUX": "CLK", "GSR": "DISABLED", "REGSET": "RESET"},
            "attributes": {},
            "port_directions": {"CLK": "input", "DI": "input", "Q": "output"},
            "connections": {"CLK": [clock], "DI": [total], "Q": [state]},
        }
    ports = {
        "clk_i": {"direction": "input", "bits": [clock]},
        "q_o": {"direction": "output", "bits": [states[0]]},
    }
    top = {"attributes": {"top": f"{1:032b}"}, "ports": ports, "cells": cells, "netnames": {}}
    return {"creator": "test", "modules": {"top": top}}


def route_at(
    depth: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: RoutedTarget, netlist: str
) -> str:
    """Route `netlist` in a folder at some depth, in an environment of its own; return the text."""
    folder = tmp_path / depth / "job"
    folder.mkdir(parents=True)
    monkeypatch.setenv(f"NAMED_{len(depth)}", depth * 50)
    source = folder.parent / "netlist.json"
    source.write_text(netlist, encoding="utf-8")
    target.route(folder, source, 1)
    return (folder / "routed.config").read_text(encoding="utf-8")


@pytest.mark.slow
def test_depth_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The router does the same however many folders there are above its own."""
    target = Ecp5Target(
        name="small",
        title="A small part",
        flow="ecp5",
        lut="LUT4",
        device="25k",
        package="CABGA381",
        speed="6",
        pnr_options=["--placer", "static", "--freq", "150"],
        spread="3/2",
    )
    netlist = json.dumps(network(300))
    near, far = (route_at(depth, tmp_path, monkeypatch, target, netlist) for depth in DEPTHS)
    assert near == far


@pytest.mark.slow
@pytest.mark.parametrize("depth", DEPTHS)
def test_a_published_clock_comes_out_again(
    depth: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last digit, with the netlist that the row has the hash of."""
    monkeypatch.setenv(f"NAMED_{len(depth)}", depth * 50)
    design, target = find_design("keccak-iterative"), find_target("ecp5-85k")
    [row] = [row for row in rows_of(design.name, target.name) if row.variant == "core"]
    builder = Builder(design, target, Steps(), Cache(tmp_path / depth / "cache"))
    synth = builder.synthesise("core", design.variant("core"))
    assert synth.netlists == row.provenance.netlists
    assert isinstance(synth.target, RoutedTarget)
    job = builder.route(synth, synth.target, 1).job
    assert job is not None
    assert row.fmax_mhz is not None
    assert job.result["fmax_mhz"] == row.fmax_mhz.seeds["1"]
