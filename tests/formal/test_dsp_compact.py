"""Proof: a window of a compact DSP engine gives the package's round of the window before.

The engine as it is, the model of the slices included, is unrolled over its clocks: a copy of its
logic for each, every register being a wire from one copy to the next. Five clocks hold the planes
of any state, and in the five of the message's next window the planes are proved to be those of its
round, for any block that may come in. Where the message stands (plane, slot, window) is given; all
other registers, memories and inputs begin with and take any values. So that the registers are in
step, memories' addresses included, is part of the proof.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from hashfabric.base.paths import BUILD
from hashfabric.base.tools import ToolError
from hashfabric.base.yosys import run_script, value_text
from hashfabric.registry.designs import load_designs, read_sources
from tests.support.equivalence import prove_equal
from tests.support.unrolled import Bit, Unrolled, flat_registers

MODELS = ("rtl/prim/vendor/DSP48E1.sv", "rtl/prim/vendor/DSP48E2.sv")
PACKAGE = "rtl/keccak/hf_keccak_pkg.sv"
GOLDEN = Path(__file__).with_name("hf_dsp_compact_round.sv")
GATE = "hf_dsp_compact_unrolled"
DESIGN = load_designs()["keccak-dsp-compact"]
CORES = {name: own for name, own in DESIGN.variants.items() if own.kind == "engine"}


def unrolled(module: Mapping[str, Any], slots: int, data_delay: int) -> tuple[dict[str, Any], int]:
    """Return the module whose outputs are a message's next planes, and how many bits are free."""
    nets = {name: net["bits"] for name, net in module["netnames"].items()}
    planes = nets["s_plane"] if "s_plane" in nets else nets["e_plane"]
    assert len(set(planes)) == len(planes) == 320
    where = {bit: i for i, bit in enumerate(planes)}
    loop = 5 * slots
    meets = loop - 5  # the clock of the handshake for the next window
    # The message's slot is 0: in clock 0 the slot is shown that turns into 0 by the handshake.
    shown = -meets % slots
    given: dict[int, Bit] = {}

    def give(name: str, value: int) -> None:
        given.update({bit: str(value >> i & 1) for i, bit in enumerate(nets[name])})

    give("rst_i", 0)
    give("u_control.plane_q", 0)
    give("u_control.slot_q", shown)
    give("u_control.window_q", 0)
    for before in range(1, 3):  # windows follow each other in the order in which slots meet plane 0
        if f"window{before}_q" in nets:
            give(f"window{before}_q", -5 * before % slots)

    ports: dict[str, Sequence[Bit]] = {}
    state: list[int] = []

    def cut(clock: int, bit: int) -> int | None:
        return state[320 * clock + where[bit]] if clock < 5 and bit in where else None

    made = Unrolled(module, given, cut)
    state.extend(made.new() for _ in range(1600))
    ports["a_i"] = state
    control = nets[f"u_control.ctl_q[{meets % slots}]"]
    for port, clock, bits in (
        ("round_i", 0, control[:5]),
        ("last_i", 0, control[5:6]),
        ("busy_i", 0, control[6:]),
        ("blk_valid_i", meets, nets["blk_valid_i"]),
        ("blk_first_i", meets, nets["blk_first_i"]),
        ("blk_i", meets + data_delay, nets["blk_i"]),
    ):
        own = [made.new() for _ in bits]
        for bit, net in zip(bits, own, strict=True):
            made.name(clock, bit, net)
        ports[port] = own
    ends = {"next_o": [made.at(loop + y, bit) for y in range(5) for bit in planes]}
    gate = made.module_of(ports, ends)
    return gate, len(made.free)


def prove(name: str, files: Mapping[str, str]) -> None:
    """Prove the variant `name` built from `files`."""
    variant = CORES[name]
    timing = DESIGN.timing(variant)
    files = dict(files)
    # read_slang has no $fatal; the contract bench runs with it.
    files.update({path: files[path].replace("$fatal(1);", ";") for path in MODELS if path in files})
    golden = GOLDEN.read_text(encoding="utf-8")
    here = Path(__file__).read_text(encoding="utf-8")
    key = hashlib.sha256(repr((name, files, golden, here)).encode()).hexdigest()[:16]
    directory = BUILD / "formal" / f"dsp-compact-{key}"
    for path, text in {**files, GOLDEN.name: golden}.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    overrides = [f"-G {of}={value_text(value)}" for of, value in variant.parameters.items()]
    script = [
        f"read_slang --threads 1 --top {variant.top} {' '.join([*overrides, *files])}",
        *flat_registers("engine.json"),
    ]
    run_script(script, directory, name="engine")
    engine = json.loads((directory / "engine.json").read_text(encoding="utf-8"))
    module = engine["modules"][variant.top]
    gate, free = unrolled(module, timing.slots, timing.data_delay)
    text = json.dumps({"creator": "", "modules": {GATE: gate}})
    (directory / "unrolled.json").write_text(text, encoding="utf-8")
    running = int("s_plane" in module["netnames"])
    top = GOLDEN.stem
    prove_equal(
        directory,
        (GATE, ["read_json unrolled.json"]),
        (
            top,
            [
                f"read_slang --threads 1 --top {top} -G Running={running} -G FreeWidth={free} "
                f"{PACKAGE} {GOLDEN.name}"
            ],
        ),
        bits=1600,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", CORES)
def test_the_round_is_the_packages(name: str) -> None:
    """The claim holds."""
    prove(name, read_sources(CORES[name]))


PLANES = "rtl/keccak/dsp/hf_keccak_dsp_planes.sv"
RHO_PI = "rtl/keccak/dsp/hf_keccak_dsp_rho_pi.sv"
CORE_21 = "rtl/keccak/dsp/hf_keccak_dsp_21.sv"
CORE_58 = "rtl/keccak/dsp/hf_keccak_dsp_58.sv"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "path", "old", "new"),
    [
        ("core-28", RHO_PI, "(i + 3 * y) % 5, i);", "(i + 3 * y) % 5, (i == 4) ? y : i);"),
        ("core-28", PLANES, "(plane == 3'd0) ? OpXorAbC :", "(plane == 3'd1) ? OpXorAbC :"),
        ("core-42", PLANES, "single_q ? OpC : OpXorAbCPcin", "OpXorAbCPcin"),
        ("core-21", CORE_21, "mem[{window1_q, plane}];", "mem[{window, plane}];"),
        ("core-58", CORE_58, ".from_i (window2_q)", ".from_i (window1_q)"),
    ],
    ids=["rho", "a-clock-late", "first", "another-slots-parity", "another-slots-state"],
)
def test_a_fault_is_not_proved(name: str, path: str, old: str, new: str) -> None:
    """One fault in the engine, and the proof fails."""
    files = dict(read_sources(CORES[name]))
    assert files[path].count(old) == 1
    files[path] = files[path].replace(old, new)
    with pytest.raises(ToolError, match="unproven"):
        prove(name, files)
