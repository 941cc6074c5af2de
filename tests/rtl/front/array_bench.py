"""What hf_keccak_array promises beyond `slots_bench`: cut beats, turns, room that is kept.

Runs inside the simulator; `test_array.py` starts it. HF_ENGINES is the number of cores,
HF_CORE_WIDTH the bits of a core's port.
"""

import os
from collections import Counter
from dataclasses import replace
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

from hashfabric.models.functions import BITS_MASK
from tests.rtl.front.slots_bench import Bench, Due, fill, new_bench
from tests.rtl.front.stream_bench import SLOTS, Result, plain, random_message
from tests.support.keeps import is_wrong, random_keep

ENGINES = int(os.environ["HF_ENGINES"])
CORE_BYTES = int(os.environ["HF_CORE_WIDTH"]) // 8
SLOTS_OF_ONE = SLOTS // ENGINES


def send_with_keep(bench: Bench, keep: int) -> bool:
    """Queue a message with a beat of this tkeep, if that makes it wrong; return whether it does."""
    message = replace(random_message(bench.rng), tid=bench.rng.randrange(SLOTS))
    beats = message.beats(bench.width, bench.rng, junk=bench.rng.random() < 0.5)
    at = bench.rng.randrange(len(beats))
    if not is_wrong(keep, at == len(beats) - 1, (1 << bench.width) - 1):
        return False
    kept = tuple(keep >> i & 1 for i in range(bench.width))
    beats[at] = replace(beats[at], keep=kept, tuser=beats[at].tuser & ~BITS_MASK)
    lane = bench.lanes[message.tid]
    lane.beats.extend((beat, i == len(beats) - 1) for i, beat in enumerate(beats))
    lane.wanted.append(
        Due(Result(message.tid, b"", 0, True), f"{message.bits} bits, keep {keep:x}")
    )
    return True


@cocotb.test()
async def holes_between_parts(dut: Any) -> None:
    """A tkeep that is whole in each core's beat and wrong all the same gives one error."""
    bench = await new_bench(dut)
    for bench.stall_in, bench.stall_out, bench.blind in ((0, 0, False), (0.3, 0.5, True)):
        wrong = 0
        while wrong < 150:
            wrong += send_with_keep(
                bench, random_keep(bench.rng, CORE_BYTES, bench.width // CORE_BYTES)
            )
            if bench.rng.random() < 0.5:
                fill(bench, 1)
        await bench.finish()


@cocotb.test()
async def who_looks_never_waits(dut: Any) -> None:
    """s_axis_tready does not fall for a sender that goes by s_axis_room, however full the slots."""
    bench = await new_bench(dut)
    while not int(dut.s_axis_tready.value):
        await bench.clock()
    over = False

    async def watch() -> None:
        while not over:
            await FallingEdge(dut.clk_i)
            await ReadOnly()
            assert int(dut.s_axis_tready.value), f"clock {bench.now}: s_axis_tready fell"

    watcher = cocotb.start_soon(watch())
    for bench.in_turn in (True, False):
        for bench.stall_out in (0.0, 0.9):
            fill(bench, 15 * SLOTS)
            for slot in range(SLOTS):
                bench.send(replace(plain("sha3-256", bench.rng.randbytes(5000)), tid=slot))
                for length in (1, 1, 0, 100):
                    bench.send(replace(plain("sha3-512", bytes(length)), tid=slot))
            await bench.finish()
    over = True
    await watcher


@cocotb.test()
async def cores_take_turns(dut: Any) -> None:
    """Where m_axis is the limit, each core has the same share of it."""
    bench = await new_bench(dut)
    for slot in range(SLOTS):
        bench.send(replace(plain("shake128", b"long", output_bits=60_000), tid=slot))
    bench.stall_out = 0.8
    for _ in range(2000):
        await bench.clock()
    before = Counter({slot: len(bench.lanes[slot].data) for slot in range(SLOTS)})
    for _ in range(3000):
        await bench.clock()
    share = Counter[int]()
    for slot in range(SLOTS):
        share[slot // SLOTS_OF_ONE] += len(bench.lanes[slot].data) - before[slot]
    assert max(share.values()) <= 1.1 * min(share.values()), f"{share}"
    bench.stall_out = 0.0
    await bench.finish()
