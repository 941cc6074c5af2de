"""Bench of the units in systems/rtl/ and of the adapters between them and processors.

`test_units.py` starts it. A unit gets instructions as an adapter offers them; an adapter with a
unit gets what a processor may do by the rules of its interface.
"""

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, Timer

from tests.systems import units

UNIT = os.environ["HF_UNIT"]
INSTRUCTIONS = int(os.environ["HF_INSTRUCTIONS"])
SPLIT = bool(int(os.environ.get("HF_SPLIT", "1")))


async def started(dut: Any, **low: int) -> random.Random:
    """Start the clock and reset, with these inputs low."""
    for name in low:
        getattr(dut, name).value = 0
    dut.rst_i.value = 1
    Clock(dut.clk_i, 2, unit="ns").start()
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    return random.Random(cocotb.RANDOM_SEED)


def chosen(rng: random.Random, known: list[int], unknown: list[int]) -> int:
    """Return a function, known or not."""
    return rng.choice(known if rng.random() < 0.9 else unknown)


@cocotb.test()
async def unit(dut: Any) -> None:
    """Instructions in any order, with gaps and without, against the model; resets in between."""
    rng = await started(dut, valid_i=0, function_i=0, rs1_i=0, rs2_i=0)
    model = units.UNITS[UNIT]()
    known = model.functions()
    unknown = sorted(set(range(1024)) - set(known))

    # Whether it has a function does not depend on the offer.
    for function in range(1024):
        dut.function_i.value = function
        dut.valid_i.value = 0
        await ReadOnly()
        assert int(dut.known_o.value) == (function in known), f"known_o of {function:#x}"
        assert int(dut.ready_o.value) == 0
        await FallingEdge(dut.clk_i)

    await settled(dut, model, rng)
    for _ in range(INSTRUCTIONS):
        if rng.random() < 0.3:
            dut.valid_i.value = 0
            dut.function_i.value = rng.choice(known)
            for _ in range(rng.randrange(1, 4)):
                await ReadOnly()
                assert not int(dut.ready_o.value), "ready with nothing offered"
                await FallingEdge(dut.clk_i)
        function = chosen(rng, known, unknown)
        rs1, rs2 = units.operand(rng), units.operand(rng)
        dut.valid_i.value = 1
        dut.function_i.value = function
        dut.rs1_i.value = rs1
        dut.rs2_i.value = rs2
        if function not in known:
            for _ in range(rng.randrange(1, 20)):
                await ReadOnly()
                assert not int(dut.ready_o.value), "an unknown instruction ended"
                await FallingEdge(dut.clk_i)
            continue
        broken_off = rng.random() < 0.01
        for _ in range(rng.randrange(model.longest) if broken_off else model.longest):
            await ReadOnly()
            if int(dut.ready_o.value):
                break
            await FallingEdge(dut.clk_i)
        else:
            assert broken_off, f"{function:#x} takes more than {model.longest} clocks"
            await FallingEdge(dut.clk_i)
            dut.rst_i.value = 1
            dut.valid_i.value = 0
            await FallingEdge(dut.clk_i)
            dut.rst_i.value = 0
            model = units.UNITS[UNIT]()
            await settled(dut, model, rng)
            continue
        wanted = model.run(function, rs1, rs2)
        if wanted is not None:
            assert int(dut.rd_o.value) == wanted, f"rd of {function:#x}"
        await FallingEdge(dut.clk_i)


async def settled(dut: Any, model: units.Unit, rng: random.Random) -> None:
    """Give values to what a reset leaves open: the effects and the row of `hf_unit_pairs`."""
    if not isinstance(model, units.Pairs):
        return
    for function in [units.code(65, 5), *[units.code(64, 0)] * 5]:
        rs1, rs2 = units.operand(rng), units.operand(rng)
        dut.valid_i.value, dut.function_i.value = 1, function
        dut.rs1_i.value, dut.rs2_i.value = rs1, rs2
        await ReadOnly()
        for _ in range(1_000):
            if int(dut.ready_o.value):
                break
            await FallingEdge(dut.clk_i)
            await ReadOnly()
        else:
            raise AssertionError("the unit is not ready")
        model.run(function, rs1, rs2)
        await FallingEdge(dut.clk_i)


@cocotb.test()
async def cfu(dut: Any) -> None:
    """Commands and responses with stalls: each is answered once, in order, unknown ones with 0."""
    ports = {"cmd_valid_i": 0, "cmd_function_i": 0, "rs1_i": 0, "rs2_i": 0, "rsp_ready_i": 0}
    rng = await started(dut, **ports)
    model = units.UNITS[UNIT]()
    known = model.functions()
    unknown = sorted(set(range(1024)) - set(known))
    due: list[int | None] = []
    command: tuple[int, int, int] | None = None
    answered = waited = 0
    while answered < INSTRUCTIONS:
        if command is None and rng.random() < 0.6:
            command = chosen(rng, known, unknown), units.operand(rng), units.operand(rng)
        dut.cmd_valid_i.value = int(command is not None)
        if command is not None:
            dut.cmd_function_i.value, dut.rs1_i.value, dut.rs2_i.value = command
        ready = rng.random() < 0.6
        dut.rsp_ready_i.value = int(ready)
        await ReadOnly()
        if int(dut.rsp_valid_o.value):
            assert due, "a response to nothing"
            if due[0] is not None:
                assert int(dut.rsp_output_o.value) == due[0]
            if ready:
                due.pop(0)
                answered += 1
        if command is not None and int(dut.cmd_ready_o.value):
            function = command[0]
            due.append(model.run(*command) if function in known else 0)
            command, waited = None, 0
        elif command is not None and not due:
            waited += 1
            assert waited < model.longest + 2, "the processor hangs"
        assert len(due) < 2, "more than one at a time"
        await FallingEdge(dut.clk_i)


@cocotb.test()
async def cvxif(dut: Any) -> None:
    """Issue, operands, commit or kill in any order that is allowed, and results with stalls."""
    low = ["issue_valid_i", "issue_instr_i", "issue_id_i", "register_valid_i", "register_id_i"]
    low += ["register_rs_valid_i", "register_rs1_i", "register_rs2_i", "commit_valid_i"]
    low += ["commit_id_i", "commit_kill_i", "result_ready_i"]
    rng = await started(dut, **dict.fromkeys(low, 0))
    model = units.UNITS[UNIT]()
    known = model.functions()
    unknown = sorted(set(range(1024)) - set(known))
    ended = {"refused": 0, "killed": 0, "done": 0}
    for number in range(INSTRUCTIONS):
        opcode = 0x0B if rng.random() < 0.9 else 0x2B
        function = chosen(rng, known, unknown)
        accepted = opcode == 0x0B and function in known
        offloaded = Offloaded(number % 16, opcode, function, accepted, rng)
        how = await offloaded.run(dut, model)
        ended[how] += 1
        for port in ("issue_valid_i", "register_valid_i", "commit_valid_i"):
            getattr(dut, port).value = 0
        if rng.random() < 0.5:
            await FallingEdge(dut.clk_i)
    assert all(ended.values())


class Offloaded:
    """One instruction on CV-X-IF."""

    def __init__(
        self, number: int, opcode: int, function: int, accepted: bool, rng: random.Random
    ) -> None:
        """Draw what is open: registers, operands, when they come, and whether it is killed."""
        self.number, self.function, self.accepted, self.rng = number, function, accepted, rng
        self.rd = rng.randrange(32)
        self.instr = (function >> 3) << 25 | rng.getrandbits(10) << 15 | (function & 7) << 12
        self.instr |= self.rd << 7 | opcode
        self.rs1, self.rs2 = units.operand(rng), units.operand(rng)
        self.kill = rng.random() < 0.3
        self.register_at = rng.randrange(6) if SPLIT else 0
        self.commit_at = rng.randrange(8)
        self.issued = self.operands = self.committed = False

    async def run(self, dut: Any, model: units.Unit) -> str:
        """Go through its clocks up to its end; return how that was."""
        patience = model.longest + 60
        for now in range(1000):
            result = await self._clock(dut, now)
            if result is not None:
                wanted = model.run(self.function, self.rs1, self.rs2)
                assert wanted is None or result == wanted, f"rd of {self.function:#x}"
                return "done"
            if self.issued and self.committed and not self.accepted:
                return "refused"
            if self.committed and self.kill:
                return "killed"
            patience -= self.issued and self.committed and self.operands
            assert patience > 0, "the processor hangs"
        raise AssertionError("the processor hangs")

    async def _clock(self, dut: Any, now: int) -> int | None:
        """Go through one clock; return the result that was taken in it."""
        rng = self.rng
        # The next one may be there already: it has to wait.
        early = self.issued and self.accepted and rng.random() < 0.5
        dut.issue_valid_i.value = int(not self.issued or early)
        dut.issue_instr_i.value = rng.getrandbits(32) if self.issued else self.instr
        dut.issue_id_i.value = rng.randrange(16) if self.issued else self.number
        offers = not self.operands and now >= self.register_at
        half = offers and rng.random() < 0.3  # not all of them are there yet
        dut.register_valid_i.value = int(offers)
        dut.register_id_i.value = self.number
        dut.register_rs_valid_i.value = 1 if half else 3
        dut.register_rs1_i.value, dut.register_rs2_i.value = self.rs1, self.rs2
        dut.commit_valid_i.value = 0
        ready = rng.random() < 0.5
        dut.result_ready_i.value = int(ready)
        await ReadOnly()
        assert not (early and int(dut.issue_ready_o.value)), "two at a time"
        if not self.issued and int(dut.issue_ready_o.value):
            self.issued = True
            assert int(dut.issue_accept_o.value) == self.accepted
            assert int(dut.issue_writeback_o.value) == self.accepted
            assert int(dut.issue_register_read_o.value) == 3 * self.accepted
            taken = offers and int(dut.register_ready_o.value)
            assert SPLIT or taken or not self.accepted, "issued without its operands"
        if offers and int(dut.register_ready_o.value):
            assert self.issued and not half, "operands that are not there"
            self.operands = True
        result = None
        if int(dut.result_valid_o.value):
            assert self.accepted and self.committed and not self.kill, "a result of nothing"
            assert self.operands
            if ready:
                assert int(dut.result_id_o.value) == self.number
                assert int(dut.result_rd_o.value) == self.rd
                assert int(dut.result_we_o.value) == 1
                result = int(dut.result_data_o.value)
        # The commit comes with the issue or later; now and then another instruction's does.
        await Timer(100, "ps")
        commit = self.issued and not self.committed and now >= self.commit_at
        other = (self.number + rng.randrange(1, 16)) % 16
        dut.commit_valid_i.value = int(commit or rng.random() < 0.2)
        dut.commit_id_i.value = self.number if commit else other
        dut.commit_kill_i.value = int(self.kill) if commit else rng.randrange(2)
        self.committed = self.committed or commit
        await FallingEdge(dut.clk_i)
        return result
