"""The way of a message and a digest between the ports and a masked engine: shares never meet.

`hashfabric leakage` proves the engines. Here everything around one is taken apart into gates and
registers, the engine left out, and each wire gets the shares that it depends on, through registers
too, at any time. A wire that depends on two is a fault. No exception is needed: what a bus has of
both, one after the other, are the answers of `rtl/checkers/hf_replies_sva.sv`.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from hashfabric.base.paths import BUILD
from hashfabric.base.yosys import run_script, value_text
from hashfabric.flows.ecp5.flow import Ecp5Target
from hashfabric.registry.sources import closure
from tests.support.simulation import mutated
from tests.support.subjects import SLOW

ENGINES = {True: "hf_keccak_masked_serial", False: "hf_keccak_masked"}
# Ports of the engines with the shares side by side: in, out.
DATA = {
    True: ("op_word_i", ["word_o"]),
    False: ("blk_i", ["st_o", "parity_o", "linear_o"]),
}
BLOCK_RAM = "DP16KD"
REGS = "hf_keccak_masked_regs"
STREAMS = {True: "hf_keccak_masked_serial_axis", False: "hf_keccak_masked_axis"}
Bits = list[Any]


@dataclass(frozen=True)
class Form:
    """What a top is built with; with states `in_ram`, in block RAM of ECP5."""

    slots: int = 1
    order: int = 1
    in_ram: bool = False


FIRST = Form()


def netlist(top: str, serial: bool, files: Mapping[str, str], form: Form) -> Mapping[str, Any]:
    """Return Yosys' JSON of a top in gates and flip-flops, engine and block RAM as black boxes."""
    parameters: dict[str, object] = {"Serial": serial} if top == REGS else {"SharedPorts": True}
    if form.slots > 1:
        parameters["Slots"] = form.slots
    if form.order > 1:
        parameters["Order"] = form.order
    options = ""
    if form.in_ram:
        parameters["StatesInBlockRam"] = True
        options = f"-D {Ecp5Target.macros[0]} --blackboxed-module {BLOCK_RAM} "
    read = (
        f"read_slang --threads 1 --top {top} --blackboxed-module {ENGINES[serial]} {options}"
        + " ".join(f"-G {name}={value_text(value)}" for name, value in parameters.items())
        + " "
        + " ".join(files)
    )
    key = hashlib.sha256(repr((read, dict(files))).encode()).hexdigest()[:16]
    directory = BUILD / "separate" / f"{top}-{key}"
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    script = [
        read,
        "proc",
        "setattr -mod -unset keep_hierarchy",
        "flatten",
        "delete t:$print t:$scopeinfo",
        "opt_clean",
    ]
    script += ["memory_collect", "memory_map", "opt_clean", "simplemap", "opt_clean"]
    run_script([*script, "write_json gates.json"], directory, name="separate")
    found: Mapping[str, Any] = json.loads((directory / "gates.json").read_text("utf-8"))
    return found["modules"][top]  # type: ignore[no-any-return]


def parts(bits: Bits, count: int) -> list[Bits]:
    """Return the parts of a port that are each of its shares."""
    width = len(bits) // count
    return [bits[width * i : width * (i + 1)] for i in range(count)]


class Shares:
    """Which shares each net of a module depends on, as bits of a number."""

    def __init__(self, top: str, serial: bool, module: Mapping[str, Any], count: int) -> None:
        """Pass `count` shares on from the message and the engine's outputs to all that follows."""
        self.nets = {name: net["bits"] for name, net in module["netnames"].items()}
        self.of: defaultdict[Any, int] = defaultdict(int)
        readers: defaultdict[Any, list[Bits]] = defaultdict(list)
        (self.engine,) = (c for c in module["cells"].values() if c["type"] == ENGINES[serial])
        for cell in module["cells"].values():
            if cell is self.engine:
                continue
            assert cell["type"].startswith("$") or cell["type"] == BLOCK_RAM, cell["type"]
            outputs = [
                bit
                for port, bits in cell["connections"].items()
                if cell["port_directions"][port] == "output"
                for bit in bits
            ]
            for port, bits in cell["connections"].items():
                if cell["port_directions"][port] == "input":
                    for bit in bits:
                        readers[bit].append(outputs)
        into, out = DATA[serial]
        self.into = parts(self.engine["connections"][into], count)
        states = [parts(self.engine["connections"][port], count) for port in out]
        if top == REGS:
            words = [self.nets[f"u_access.gen_message[{s}].word_q"] for s in (0, 1)]
            self.away = parts(self.nets["u_access.reply_q"], count)
        else:
            words = parts(module["ports"]["s_axis_tdata"]["bits"], count)
            self.away = parts(module["ports"]["m_axis_tdata"]["bits"], count)
        for sources in (words, *states):
            for share, bits in enumerate(sources):
                changed = list(bits)
                while changed:
                    bit = changed.pop()
                    if isinstance(bit, int) and not self.of[bit] >> share & 1:
                        self.of[bit] |= 1 << share
                        changed += [other for outputs in readers[bit] for other in outputs]

    def mixed(self) -> list[str]:
        """Return the names of nets that depend on two shares or more."""
        met = {bit for bit, shares in self.of.items() if shares.bit_count() > 1}
        return sorted(name for name, bits in self.nets.items() if not met.isdisjoint(bits))


def faults(top: str, serial: bool, files: Mapping[str, str], form: Form = FIRST) -> list[str]:
    """Return what is wrong: nets with two shares, words that do not have the share they should."""
    shares = Shares(top, serial, netlist(top, serial, files, form), form.order + 1)
    found = shares.mixed()
    for what, words in (("to the engine", shares.into), ("away", shares.away)):
        for share, bits in enumerate(words):
            # A constant, or a bit of the padding only, does not depend on any.
            seen = {shares.of[bit] for bit in bits} - {0}
            if seen != {1 << share}:
                found.append(f"share {share} {what} depends on {seen}")
    return found


@pytest.mark.parametrize(
    ("top", "serial"),
    [
        (REGS, True),
        pytest.param(REGS, False, marks=SLOW),
        pytest.param(STREAMS[True], True, marks=SLOW),
        pytest.param(STREAMS[False], False, marks=SLOW),
    ],
)
def test_shares_never_meet(top: str, serial: bool) -> None:
    """No wire between ports and engine depends on both shares."""
    assert faults(top, serial, closure(top)) == []


@pytest.mark.slow
def test_three_shares_never_meet() -> None:
    """The same with three shares around the small engine; a fault is found."""
    top = STREAMS[True]
    assert faults(top, True, closure(top), Form(order=2)) == []
    masked = "next_beat_word_q & {Shares{tail_mask_q}};"
    change = ("rtl/front/hf_keccak_word_stream.sv", masked, f"(next_beat_word_q >> 1) & {masked}")
    assert faults(top, True, mutated(closure(top), *change), Form(order=2))


@pytest.mark.slow
def test_shares_with_one_control_meet_by_a_fault() -> None:
    """A state of which one share is added to the other is found."""
    top = STREAMS[False]
    change = (
        "rtl/front/hf_keccak_sponge.sv",
        "lanes_q <= st_i[StateWidth*s+:MaxRateLanes*LaneWidth];",
        "lanes_q <= st_i[StateWidth*s+:MaxRateLanes*LaneWidth] ^ st_i[0+:MaxRateLanes*LaneWidth];",
    )
    assert faults(top, False, mutated(closure(top), *change))


@pytest.mark.slow
def test_shares_in_block_ram_never_meet() -> None:
    """The same with states in block RAM of ECP5; a fault is found."""
    top = STREAMS[False]
    for slots in (1, 2):
        assert faults(top, False, closure(top), Form(slots, in_ram=True)) == []
    path = "rtl/front/hf_keccak_linear_store.sv"
    change = (path, "assign linear = linear_i[StateWidth*s", "assign linear = linear_i[0")
    assert faults(top, False, mutated(closure(top), *change), Form(in_ram=True))


@pytest.mark.slow
def test_shares_of_two_messages_never_meet() -> None:
    """The same with two messages at once, with the states that return; a fault is found."""
    top = STREAMS[False]
    assert faults(top, False, closure(top), Form(slots=2)) == []
    change = (f"rtl/top/{top}.sv", "64'(s_data[i])", "64'(s_data[0] | s_data[i])")
    assert faults(top, False, mutated(closure(top), *change), Form(slots=2))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (
            "rtl/front/hf_keccak_word_sponge.sv",
            "in_word_i[WordWidth*s+8*b+:8] & byte_mask",
            "(in_word_i[WordWidth*s+8*b+:8] | in_word_i[8*b+:8]) & byte_mask",
        ),
        (
            "rtl/regs/hf_keccak_masked_access.sv",
            "reply_q[s] <= digest_word[s];",
            "reply_q[s] <= digest_word[regs_i.DIGEST_1.req];",
        ),
        (
            "rtl/regs/hf_keccak_masked_access.sv",
            "if (empty) last_keep = '0;",
            "if (empty || message_word[0] == message_word[1]) last_keep = '0;",
        ),
        (
            "rtl/regs/hf_keccak_masked_access.sv",
            "state_word_q <= window_word_i[s];",
            "state_word_q <= window_word_i[0];",
        ),
    ],
    ids=["share-0-in-both", "one-answer", "control-from-data", "state-in-one"],
)
def test_faults_are_found(path: str, old: str, new: str) -> None:
    """A place where shares meet is found."""
    assert faults(REGS, True, mutated(closure(REGS), path, old, new))
