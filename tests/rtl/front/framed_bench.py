"""What StreamSim cannot do with hf_sp800_185: stops, resets, exact clocks, assertions.

Runs inside the simulator; `test_sp800_185.py` starts it.
"""

import json
import os
from dataclasses import replace
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from hashfabric.simulate.stream import Beat
from tests.rtl.front.framed import CODES, LOADS, OPEN, Framed, packet
from tests.rtl.front.stream_port import beat_of, clocks, send_beats, started

CLOCKS: dict[str, int] = json.loads(os.environ.get("HF_CLOCKS", "{}"))
"""Clocks from the offer of a message to its digest, by `function/bytes of the key`."""
LATE_BEATS = 6
"""Beats that may follow a stop (docs/reference/stream.md)."""
NO_STRINGS = dict.fromkeys(LOADS, b"")


def load(what: str, text: bytes, width: int) -> list[Beat]:
    """Return the beats of a load."""
    return packet(text, width, LOADS[what])


async def result(dut: Any, width: int) -> bytes | None:
    """Receive a result; None is an error."""
    output, last = b"", False
    while not last:
        try:
            part, last = await beat_of(dut, width)
        except AssertionError as error:
            if "an error" not in str(error):
                raise
            assert int(dut.m_axis_tlast.value)
            await FallingEdge(dut.clk_i)
            return None
        output += part
    return output


async def answered(dut: Any, beats: list[Beat], width: int) -> bytes | None:
    """Send beats and return the result."""
    sender = cocotb.start_soon(send_beats(dut, beats))
    found = await result(dut, width)
    await sender
    return found


@cocotb.test()
async def open_outputs(dut: Any) -> None:
    """Outputs of cSHAKE and the XOFs go on until they are stopped; a message after it is right."""
    rng, width = await started(dut)
    strings = {"name": b"N", "custom": rng.randbytes(9), "key": rng.randbytes(40)}
    for what, text in strings.items():
        await send_beats(dut, load(what, text, width))
    for name in (name for name in CODES if "xof" in name or "cshake" in name):
        for count in (1, 40):
            message = Framed(name, rng.randbytes(rng.randrange(200)), (b"a", rng.randbytes(30)))
            sender = cocotb.start_soon(send_beats(dut, message.beats(width, OPEN)))
            output = b""
            for _ in range(count):
                part, last = await beat_of(dut, width)
                assert not last, name
                output += part
            dut.m_axis_stop.value = 1
            late = 0
            while not last:
                part, last = await beat_of(dut, width)
                dut.m_axis_stop.value = 0
                output += part
                late += 1
                assert late <= LATE_BEATS, name
            await sender
            wanted = replace(message, count=len(output)).digest(strings)
            assert output == wanted, f"{name}: {len(output)} bytes"
            after = Framed("kmac256", rng.randbytes(20))
            assert await answered(dut, after.beats(width), width) == after.digest(strings)


@cocotb.test()
async def resets(dut: Any) -> None:
    """A reset of one clock anywhere: no key, N and S empty, and nothing of the message before."""
    rng, width = await started(dut)
    messages = [
        *load("key", rng.randbytes(33), width),
        *load("custom", rng.randbytes(20), width),
        *load("name", b"name", width),
        *Framed("kmac128", rng.randbytes(50)).beats(width),
        *Framed("tuplehash256", texts=(rng.randbytes(19), b"", b"abc")).beats(width),
        *Framed("cshake256", rng.randbytes(3)).beats(width),
        *packet(bytes(300), width, LOADS["custom"]),  # too long
        *Framed("kmacxof256", rng.randbytes(7)).beats(width),
    ]
    for at in range(1, 420, 3):
        dut.m_axis_tready.value = 1
        sender = cocotb.start_soon(send_beats(dut, messages))
        for _ in range(at):
            await FallingEdge(dut.clk_i)
        sender.cancel()
        dut.s_axis_tvalid.value = 0
        dut.rst_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.rst_i.value = 0
        await FallingEdge(dut.clk_i)
        after = Framed("tuplehash128", texts=(b"a", rng.randbytes(9)))
        assert await answered(dut, after.beats(width), width) == after.digest(NO_STRINGS), at
        after = Framed("cshake128", rng.randbytes(9))
        assert await answered(dut, after.beats(width), width) == after.digest(NO_STRINGS), at
        after = Framed("kmac128", rng.randbytes(9))
        assert await answered(dut, after.beats(width), width) is None, f"{at}: a MAC without a key"
        key = rng.randbytes(32)
        await send_beats(dut, load("key", key, width))
        wanted = after.digest({**NO_STRINGS, "key": key})
        assert await answered(dut, after.beats(width), width) == wanted, at


@cocotb.test()
async def exact_clocks(dut: Any) -> None:
    """From the offer of a message of a beat to its digest, as the page says."""
    rng, width = await started(dut)
    assert CLOCKS
    found = {}
    for name in CLOCKS:
        function, size = name.split("/")
        await send_beats(dut, load("key", rng.randbytes(int(size)), width))
        for _ in range(200):
            await FallingEdge(dut.clk_i)
        began = clocks()
        sender = cocotb.start_soon(send_beats(dut, Framed(function, bytes(width)).beats(width)))
        dut.m_axis_tready.value = 1
        while True:
            await ReadOnly()
            if int(dut.m_axis_tvalid.value):
                break
            await FallingEdge(dut.clk_i)
        found[name] = clocks() - began
        await FallingEdge(dut.clk_i)
        await sender
        for _ in range(100):
            await FallingEdge(dut.clk_i)
    assert found == CLOCKS


@cocotb.test()
async def results_of_another_tid(dut: Any) -> None:
    """Loads by one tid, messages by the other: a load owes no result."""
    rng, width = await started(dut)
    for what in LOADS:
        beats = load(what, rng.randbytes(9), width)
        await send_beats(dut, [replace(beat, slot=1) for beat in beats])
    await answered(dut, Framed("kmac128", b"abc").beats(width), width)
