"""Stop of an open output of a top that hashes trees. `test_tree_stops.py` starts it."""

import os
from dataclasses import replace
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from hashfabric.models.functions import LENGTH_AT
from hashfabric.simulate.stream import packet_beats
from tests.rtl.front.stream_port import beat_of, clocks, send_beats, started
from tests.support.oracles import framed_digest, kangaroo_digest

NAME = os.environ["HF_NAME"]
CODE = int(os.environ["HF_CODE"])
OPEN = (1 << 40) - 1
"""The length of an output until it is stopped."""
BLOCK_BYTES = 8192
MESSAGES = int(os.environ["HF_MESSAGES"])
LATE_BEATS = 40
"""Beats that may follow a stop: those that are in the core's queues."""
PERIOD = int(os.environ["HF_PERIOD"])
"""Clocks in which each slot of the core takes a block."""
PROMPT = 3
"""Periods in which a ready receiver has the empty beat (docs/reference/stream.md)."""


def digest(data: bytes, count: int) -> bytes:
    """Return `count` bytes of the function's output."""
    if NAME.startswith("kt"):
        return kangaroo_digest(NAME, data, b"", count)
    return framed_digest(NAME, count, data=data, block_bytes=BLOCK_BYTES)


async def send(dut: Any, data: bytes, length: int, width: int, tid: int = 0) -> None:
    """Send a message."""
    user = CODE | length << LENGTH_AT
    beats = packet_beats(CODE, data, length, width)
    await send_beats(dut, [replace(beat, slot=tid, user=user) for beat in beats])


@cocotb.test()
async def stops(dut: Any) -> None:
    """Outputs of a short and of a long message are stopped; messages after them are right."""
    rng, width = await started(dut)
    for size, beats in ((10, 1), (20_000, 50), (3, 37), (9_000, 2)):
        data, after = rng.randbytes(size), rng.randbytes(rng.choice((5, 20_000)))
        sender = cocotb.start_soon(send(dut, data, OPEN, width))
        output = b""
        for _ in range(beats):
            part, last = await beat_of(dut, width)
            output += part
            assert not last
        dut.m_axis_stop.value = 1
        began, late = clocks(), 0
        while not last:
            part, last = await beat_of(dut, width)
            dut.m_axis_stop.value = 0
            output += part
            late += 1
            assert late <= LATE_BEATS
            assert clocks() - began <= PROMPT * PERIOD, "the output goes on"
        assert part == b""
        assert output == digest(data, len(output))
        await sender
        cocotb.start_soon(send(dut, after, 256, width))
        output, last = b"", False
        while not last:
            part, last = await beat_of(dut, width)
            output += part
        assert output == digest(after, 32)


@cocotb.test()
async def stops_held(dut: Any) -> None:
    """A request that is held until the last beat has no effect on the output that follows it.

    The next message has been sent by then, so its output may be on its way to the port.
    """
    rng, width = await started(dut)
    messages = [rng.randbytes(10) for _ in range(12)]

    async def send_all() -> None:
        for data in messages:
            await send(dut, data, OPEN, width)

    cocotb.start_soon(send_all())
    for data in messages:
        output = b""
        for _ in range(4 * 168 // width):  # four blocks
            part, last = await beat_of(dut, width)
            output += part
            assert not last, "stopped by the request for the output before"
        dut.m_axis_stop.value = 1
        begun = len(output)
        while not last:
            part, last = await beat_of(dut, width, 200)
            output += part
            assert len(output) <= begun + PROMPT * PERIOD * width, "the output goes on"
        dut.m_axis_stop.value = 0
        assert output == digest(data, len(output))


@cocotb.test()
async def stop_before_the_output(dut: Any) -> None:
    """A request while the first beat waits for the receiver has no effect."""
    rng, width = await started(dut)
    data = rng.randbytes(10)
    dut.m_axis_tready.value = 0
    await send(dut, data, OPEN, width)
    for _ in range(500):
        await FallingEdge(dut.clk_i)
    assert int(dut.m_axis_tvalid.value)
    dut.m_axis_stop.value = 1
    await FallingEdge(dut.clk_i)
    dut.m_axis_stop.value = 0
    output, last = b"", False
    while not last:
        part, last = await beat_of(dut, width)
        output += part
        assert not last or len(output) > 8 * 168
        assert len(output) <= 8 * 168 + PROMPT * PERIOD * width, "the output goes on"
        dut.m_axis_stop.value = int(len(output) > 8 * 168)
    assert output == digest(data, len(output))


@cocotb.test(skip=MESSAGES == 1)
async def stop_of_another(dut: Any) -> None:
    """A request ends the output of its own message only, also one that is held until the end."""
    rng, width = await started(dut)
    data = [rng.randbytes(10) for _ in range(MESSAGES)]
    for tid, one in enumerate(data):
        await send(dut, one, OPEN, width, tid)
    outputs, running = [b""] * MESSAGES, set(range(MESSAGES))
    stopped: int | None = None
    for _ in range(100_000):
        if not running:
            break
        if stopped is None and min(len(outputs[tid]) for tid in running) > 500:
            stopped = rng.choice(sorted(running))
            before = {tid: len(outputs[tid]) for tid in running}
        dut.m_axis_stop.value = 0 if stopped is None else 1 << stopped
        dut.m_axis_tready.value = int(rng.random() < 0.8)
        await ReadOnly()
        taken = int(dut.m_axis_tvalid.value) and int(dut.m_axis_tready.value)
        if taken:
            tid, last = int(dut.m_axis_tid.value), int(dut.m_axis_tlast.value)
            part = int(dut.m_axis_tdata.value).to_bytes(width, "little")
            outputs[tid] += part[: int(dut.m_axis_tkeep.value).bit_count()]
        await FallingEdge(dut.clk_i)
        if taken and last:
            assert tid == stopped, f"message {tid} has ended, and not {stopped}"
            assert all(len(outputs[one]) > before[one] for one in running - {tid})
            running.remove(tid)
            stopped = None
    assert not running, "an output has not ended"
    for one, output in zip(data, outputs, strict=True):
        assert output == digest(one, len(output))
