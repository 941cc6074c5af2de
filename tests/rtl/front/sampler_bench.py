"""Words into hf_sampler, coefficients out, against the algorithms as FIPS 203 and 204 print them.

Runs inside the simulator; `test_sampler.py` starts it.
"""

import os
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from tests.support.sampling import COEFFICIENTS, Q_DSA, Q_KEM, SAMPLINGS, squeezed, wanted_words

POLYNOMIALS = int(os.environ["HF_POLYNOMIALS"])


def edges(rng: random.Random) -> bytes:
    """Return bytes whose candidates lie at the moduli's edges."""
    found = bytearray()
    for _ in range(1_200):
        low = rng.choice((0, 1, Q_KEM - 1, Q_KEM, Q_KEM + 1, 0xFFF, 0xCFF))
        high = rng.choice((0, Q_KEM - 1, Q_KEM, 0xD00, 0x0FF, 0xFFF))
        pair = low | high << 12
        dsa = rng.choice((0, Q_DSA - 1, Q_DSA, Q_DSA + 1, 0x7FFFFF)) | rng.choice((0, 1 << 23))
        found += rng.choice((pair, pair, dsa)).to_bytes(3, "little")
    return bytes(found) + rng.randbytes(8_192)


class Bench:
    """Sends words and takes coefficients, with stalls on either side."""

    def __init__(self, dut: Any) -> None:
        """Take the ports of `dut`."""
        self.dut = dut
        self.rng = random.Random(cocotb.RANDOM_SEED)

    async def reset(self) -> None:
        """Start the clock; two clocks of reset."""
        Clock(self.dut.clk_i, 10, unit="ns").start()
        self.dut.rst_i.value = 1
        self.dut.start_i.value = 0
        self.dut.word_valid_i.value = 0
        self.dut.out_ready_i.value = 0
        for _ in range(2):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0

    async def begin(self, code: int) -> None:
        """Begin a polynomial."""
        self.dut.sampling_i.value = code
        self.dut.start_i.value = 1
        self.dut.word_valid_i.value = 0
        self.dut.out_ready_i.value = self.rng.randrange(2)
        await FallingEdge(self.dut.clk_i)
        self.dut.start_i.value = 0

    async def polynomial(
        self, code: int, data: bytes, stalls: float, end: int | None = None
    ) -> tuple[list[int], int]:
        """Return the words of a polynomial, or the first `end`, and the clocks that they took."""
        await self.begin(code)
        dut, rng, at, after, clocks = self.dut, self.rng, 0, 0, 0
        found: list[int] = []
        last: int | None = None
        while end is None or len(found) < end:
            word = int.from_bytes(data[at : at + 4], "little")
            offered = rng.random() >= stalls
            dut.word_valid_i.value = int(offered)
            dut.word_i.value = word if offered else rng.getrandbits(32)
            ready = rng.random() >= stalls
            dut.out_ready_i.value = int(ready)
            await ReadOnly()
            valid = dut.out_valid_o.value == 1
            if last is not None:
                assert valid, "a word is withdrawn"
                assert dut.out_word_o.value == last, "a word changes"
            last = int(dut.out_word_o.value) if valid and not ready else None
            if valid and ready:
                found.append(int(dut.out_word_o.value))
            done = dut.done_o.value == 1
            if done and not valid:
                after += 1
                assert dut.word_ready_o.value == 1, "words after the end are not taken"
            if offered and dut.word_ready_o.value == 1:
                at += 4
            clocks += 1
            assert clocks < 100_000, "it hangs"
            await FallingEdge(dut.clk_i)
            if after == 20:
                break
        return found, clocks


@cocotb.test()
async def polynomials(dut: Any) -> None:
    """Every sampling, of SHAKE and of candidates at the edges; some are given up."""
    bench = Bench(dut)
    await bench.reset()
    for index in range(POLYNOMIALS):
        code = 1 + index % len(SAMPLINGS)
        seed = bench.rng.randbytes(34)
        data = edges(bench.rng) if index // len(SAMPLINGS) % 2 else squeezed(code, seed)
        stalls = bench.rng.choice((0.0, 0.3, 0.9))
        if bench.rng.random() < 0.3:
            await bench.polynomial(code, data, stalls, end=bench.rng.randrange(100))
        found, _ = await bench.polynomial(code, data, stalls)
        assert found == wanted_words(code, data), f"sampling {code}"


@cocotb.test()
async def clocks(dut: Any) -> None:
    """A step takes a clock, if words come and leave without a wait."""
    bench = Bench(dut)
    await bench.reset()
    steps = {1: 24, 2: 8, 3: 12, 4: 24, 5: 4, 6: 4}
    for code, taken in steps.items():
        data = squeezed(code, bytes([code]))
        want = wanted_words(code, data)
        found, count = await bench.polynomial(code, data, 0.0)
        assert found == want
        counter = iter(data)
        used = 0

        def counted(source: Iterator[int] = counter) -> Iterator[int]:
            nonlocal used
            for byte in source:
                used += 1
                yield byte

        list(islice(SAMPLINGS[code][2](counted()), COEFFICIENTS))
        loops = -(-8 * used // taken)
        assert count <= loops + 24, f"sampling {code}: {count} clocks"
