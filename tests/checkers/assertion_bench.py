"""Traffic for the mutants of the assertions: the benches', without what they would see first.

Runs inside the simulator; `test_assertions.py` starts it.
"""

from typing import Any

import cocotb

from tests.rtl.finalists import finalists_bench
from tests.rtl.front import slots_bench

CLOCKS = 4000


class Blind(finalists_bench.Bench):
    """Drives a finalist's engine and looks at nothing that it answers but `blk_ready_o`."""

    def _check_digest(self, ready: bool) -> None:
        pass

    def _check_patience(self, ready: bool) -> None:
        pass


@cocotb.test()
async def finalist(dut: Any) -> None:
    """Messages, some given up, blocks in time and late; room now and then."""
    bench, pool = await finalists_bench.new_bench(dut)
    bench.__class__ = Blind
    bench.room = 0.1
    bench.slots[0].blocks.extend(pool.program(50, lambda rng: rng.choice((0, 0, 0, 30))))
    for _ in range(CLOCKS):
        await bench.clock()
    bench.room = 1.0
    for _ in range(CLOCKS):
        await bench.clock()


@cocotb.test()
async def slots(dut: Any) -> None:
    """Messages in all slots, from a sender that looks at `s_axis_room`."""
    slots_bench.PROMPT = CLOCKS
    bench = await slots_bench.new_bench(dut)
    for bench.stall_in, bench.stall_out in ((0.0, 0.0), (0.5, 0.0), (0.0, 0.8)):
        slots_bench.fill(bench, 100)
        await bench.finish()
