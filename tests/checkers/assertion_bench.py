"""Traffic for the mutants of the assertions: the benches', without what they would see first.

Runs inside the simulator; `test_assertions.py` starts it.
"""

from typing import Any

import cocotb

from tests.rtl.engines import word_bench
from tests.rtl.finalists import finalists_bench
from tests.rtl.front import slots_bench
from tests.support import states
from tests.support.word_contract import Operation

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


####################
# Words            #
####################


async def _breaking(dut: Any, *offers: Operation | None) -> None:
    """Offer each in one clock, again and again: the engine accepts some of them at once."""
    bench = await word_bench.new_bench(dut)
    for _ in range(20):
        for offer in offers:
            await bench.clock(offer)


@cocotb.test()
async def words_withdrawn(dut: Any) -> None:
    """An offer for one clock, accepted or not."""
    await _breaking(dut, word_bench.WIPE, None)


@cocotb.test()
async def words_changed(dut: Any) -> None:
    """Another word is read before the first one was accepted."""
    await _breaking(dut, Operation("read", 0), Operation("read", 1))


@cocotb.test()
async def words_beyond(dut: Any) -> None:
    """A word after the last one."""
    await _breaking(dut, Operation("read", states.WIDTH // 32))


@cocotb.test()
async def words_of_no_byte(dut: Any) -> None:
    """An add to none of a word's bytes."""
    await _breaking(dut, Operation("add"))


@cocotb.test()
async def words_elsewhere(dut: Any) -> None:
    """An add to the lowest byte, with a bit of the next one."""
    await _breaking(dut, Operation("add", 0, 1, 0x100))


@cocotb.test()
async def words_twice(dut: Any) -> None:
    """Two adds to a byte after a permutation."""
    bench = await word_bench.new_bench(dut)
    await bench.do(word_bench.PERMUTE)
    await bench.do(bench.add(0, mask=3))
    for _ in range(20):
        await bench.clock(bench.add(0, 0, mask=2))


@cocotb.test()
async def words_not_wiped(dut: Any) -> None:
    """A permutation comes first after a reset."""
    bench = await word_bench.new_bench(dut)
    await bench.reset()
    for _ in range(20):
        await bench.clock(word_bench.PERMUTE)
