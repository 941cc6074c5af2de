"""The ports of a stream top in a bench, a beat at a time: the bench sees each clock."""

import random
from collections.abc import Iterable
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb.utils import get_sim_time

from hashfabric.simulate.stream import Beat


async def send_beats(dut: Any, beats: Iterable[Beat]) -> None:
    """Send beats one after the other."""
    for beat in beats:
        dut.s_axis_tvalid.value = 1
        dut.s_axis_tid.value = beat.slot
        dut.s_axis_tdata.value = beat.data
        dut.s_axis_tkeep.value = beat.keep
        dut.s_axis_tlast.value = int(beat.last)
        dut.s_axis_tuser.value = beat.user
        for _ in range(100_000):
            await ReadOnly()
            taken = bool(int(dut.s_axis_tready.value))
            await FallingEdge(dut.clk_i)
            if taken:
                break
        else:
            raise AssertionError("a beat is not accepted")
    dut.s_axis_tvalid.value = 0


async def beat_of(dut: Any, width: int, pause: int = 0) -> tuple[bytes, bool]:
    """Receive a beat; return its bytes, and whether it is the last.

    The receiver lets the last beat of an output wait for `pause` clocks.
    """
    for _ in range(20_000):
        dut.m_axis_tready.value = int(not pause)
        await ReadOnly()
        valid, last = int(dut.m_axis_tvalid.value), int(dut.m_axis_tlast.value)
        if valid and pause:
            await FallingEdge(dut.clk_i)
            for _ in range(pause if last else 0):
                await FallingEdge(dut.clk_i)
            pause = 0
            continue
        if valid:
            data = int(dut.m_axis_tdata.value).to_bytes(width, "little")
            count = int(dut.m_axis_tkeep.value).bit_count()
            assert not int(dut.m_axis_tuser.value) & 1, "an error"
        await FallingEdge(dut.clk_i)
        if valid:
            return data[:count], bool(last)
    raise AssertionError("no beat")


def clocks() -> int:
    """Return the time in clocks."""
    return round(get_sim_time("ns") / 2)


async def started(dut: Any) -> tuple[random.Random, int]:
    """Start the clock and reset; return a random generator and the bytes of a beat."""
    dut.rst_i.value = 1
    dut.s_axis_tvalid.value = dut.s_axis_tid.value = dut.m_axis_stop.value = 0
    dut.m_axis_tready.value = 1
    Clock(dut.clk_i, 2, unit="ns").start()
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    return random.Random(cocotb.RANDOM_SEED), len(dut.s_axis_tkeep)
