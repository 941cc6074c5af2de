"""Unit bench of `hf_dsp48e1` and `hf_dsp48e2`: every operation by name, whatever is registered."""

import os
import random
from collections import deque
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from tests.rtl.prim.dsp48 import MASK, OPERATIONS

NAMES = os.environ["HF_OPERATIONS"].split()
AB, C, OP, P = (int(os.environ[f"HF_{name}"]) for name in ("AB", "C", "OP", "P"))
CLOCKS = 4000


class Register:
    """A row of registers with one enable; 0 at power-up."""

    def __init__(self, depth: int) -> None:
        """Make `depth` of them, or none: what goes in is out at once."""
        self.values = deque([0] * depth)

    def out(self, value: int) -> int:
        """Return what is at the output while `value` is at the input."""
        return self.values[-1] if self.values else value

    def clock(self, value: int, enable: bool) -> None:
        """Take `value` in."""
        if self.values and enable:
            self.values.appendleft(value)
            self.values.pop()


def word(rng: random.Random) -> int:
    """Return 48 bits: random, now and then all equal."""
    return rng.choice((0, MASK)) if rng.random() < 0.05 else rng.getrandbits(48)


@cocotb.test()
async def every_operation(dut: Any) -> None:
    """In every clock the result is the named operation's on the operands as they are registered."""
    rng = random.Random(cocotb.RANDOM_SEED)
    ab, c, op, p = Register(AB), Register(C), Register(OP), Register(P)
    names = [name for name in NAMES if P or "P" not in OPERATIONS[name].operands]
    done = dict.fromkeys(names, 0)
    for port in ("op_i", "ab_i", "c_i", "pcin_i", "en_ab_i", "en_c_i", "en_p_i"):
        dut[port].value = 0
    Clock(dut.clk_i, 10, "ns").start()
    known = not OP  # what is at power-up in the operation's register is no operation
    for _ in range(CLOCKS):
        await FallingEdge(dut.clk_i)
        name = rng.choice(names)
        values = {port: word(rng) for port in ("ab_i", "c_i", "pcin_i")}
        values["op_i"] = NAMES.index(name)
        enables = {port: rng.random() < 0.8 for port in ("en_ab_i", "en_c_i", "en_p_i")}
        enables["en_p_i"] = enables["en_p_i"] and known
        for port, value in (values | enables).items():
            dut[port].value = int(value)
        await ReadOnly()
        active = NAMES[op.out(values["op_i"])]
        result = OPERATIONS[active].result(
            ab.out(values["ab_i"]), c.out(values["c_i"]), p.out(0), values["pcin_i"]
        )
        if known:
            done[active] += 1
            assert int(dut.p_o.value) == p.out(result), f"{active}: wrong result"
            assert int(dut.pcout_o.value) == p.out(result), f"{active}: wrong pcout_o"
            p.clock(result, enables["en_p_i"])
        ab.clock(values["ab_i"], enables["en_ab_i"])
        c.clock(values["c_i"], enables["en_c_i"])
        op.clock(values["op_i"], True)
        known = True
    assert min(done.values()) > CLOCKS // (4 * len(names)), done
