"""Polynomials by the registers of the Keccak peripheral (docs/integrate/regs.md, Polynomials).

Runs inside the simulator; `test_sampling.py` starts it.
"""

from typing import Any

import cocotb

from hashfabric.models import keccak
from hashfabric.models.functions import KECCAK
from tests.rtl.regs.regs import ABSORB, IDLE, OPEN, REGISTERS, SQUEEZE, Peripheral
from tests.rtl.regs.regs_bench import COUNT, expected, started
from tests.support.sampling import SAMPLINGS, squeezed, wanted_words

SAMPLING = REGISTERS["CONFIG"].field("sampling")
FUNCTIONS = {"shake_128": KECCAK["shake128"], "shake_256": KECCAK["shake256"]}
BAD_COMMAND, BAD_FUNCTION = (
    REGISTERS["ERROR"].field(name).mask for name in ("bad_command", "bad_function")
)


async def begin(p: Peripheral, code: int, seed: bytes, length: int = 0) -> None:
    """Begin a polynomial: its whole message, and `last`."""
    function = FUNCTIONS[SAMPLINGS[code][0]]
    await p.write("CONFIG", function.code | code << SAMPLING.low)
    if length:
        await p.write("LENGTH", length)
    await p.command("start")
    await p.feed(seed)
    await p.command("last")


def polynomial(code: int, seed: bytes) -> list[int]:
    """Return its words."""
    return wanted_words(code, squeezed(code, seed))


async def words(p: Peripheral, count: int) -> list[int]:
    """Read words of DIGEST."""
    return [await p.read("DIGEST") for _ in range(count)]


@cocotb.test()
async def polynomials(dut: Any) -> None:
    """Every sampling, with plain hashes in between; nothing is left to read at the end."""
    p = await started(dut)
    assert await p.get("OPTIONS", "sampler") == 1
    for index in range(max(1, COUNT // 12)):
        for code in SAMPLINGS:
            seed = p.rng.randbytes(p.rng.choice((33, 34, 66, 168, 300)))
            await begin(p, code, seed)
            want = polynomial(code, seed)
            if p.rng.random() < 0.3:  # the FIFO is full meanwhile
                for _ in range(300):
                    await p.read("STATUS")
            assert await words(p, len(want)) == want, f"sampling {code}, {index}"
            assert await p.phase(IDLE) == IDLE
            assert await p.get("STATUS", "done") == 1
            assert await p.get("STATUS", "digest_words") == 0
            assert await p.read("LENGTH") == 0
            assert await p.read("ERROR") == 0
        function, data = KECCAK["sha3-256"], p.rng.randbytes(150)
        assert await p.digest(function, data) == expected(function, data, 1200, 0)


@cocotb.test()
async def ended_before(dut: Any) -> None:
    """A polynomial that is stopped or cleared leaves nothing to the next one."""
    p = await started(dut)
    for code in SAMPLINGS:
        for end in ("stop", "clear"):
            seed = p.rng.randbytes(34)
            await begin(p, code, seed)
            count = p.rng.randrange(1, 60)
            assert await words(p, count) == polynomial(code, seed)[:count]
            await p.command(end)
            await p.phase(IDLE)
            assert await p.get("STATUS", "digest_words") == 0
            seed = p.rng.randbytes(34)
            await begin(p, code, seed)
            want = polynomial(code, seed)
            assert await words(p, len(want)) == want
    assert await p.read("ERROR") == 0


@cocotb.test()
async def a_length(dut: Any) -> None:
    """LENGTH, of the function or of software, does not count, and is 0 after it."""
    p = await started(dut)
    for code in SAMPLINGS:
        for length in (1, 96, 1088, OPEN):
            seed = p.rng.randbytes(34)
            await begin(p, code, seed, length)
            want = polynomial(code, seed)
            assert await words(p, len(want)) == want
            assert await p.read("LENGTH") == 0
            await p.phase(IDLE)
    function = KECCAK["sha3-256"]  # it has a length of its own
    await p.write("CONFIG", function.code | 1 << SAMPLING.low)
    await p.command("start")
    await p.command("last")
    want = wanted_words(1, keccak.digest(function, b"", output_bits=8 * 2_048))
    assert await words(p, len(want)) == want
    assert await p.read("LENGTH") == 0
    assert await p.read("ERROR") == 0


@cocotb.test()
async def what_is_refused(dut: Any) -> None:
    """No hold of an output of coefficients, of a message yes; no code without a sampling."""
    p = await started(dut)
    seed = p.rng.randbytes(34)
    for code in SAMPLINGS:
        await begin(p, code, seed)
        await p.phase(SQUEEZE)
        await p.command("hold")
        await p.phase(SQUEEZE)
        assert await p.read("ERROR") == BAD_COMMAND
        await p.write("ERROR", BAD_COMMAND)
        want = polynomial(code, seed)
        assert await words(p, len(want)) == want
        await p.phase(IDLE)
    function = FUNCTIONS[SAMPLINGS[1][0]]
    await p.write("CONFIG", function.code | 1 << SAMPLING.low)
    await p.command("start")
    await p.feed(seed[:21])
    saved, _ = await p.save()
    assert saved.config >> SAMPLING.low & 7 == 1
    await p.restore(saved)
    await p.phase(ABSORB)
    await p.feed(seed[21:])
    await p.command("last")
    want = polynomial(1, seed)
    assert await words(p, len(want)) == want
    await p.phase(IDLE)
    await p.write("CONFIG", function.code | 7 << SAMPLING.low)
    await p.command("start")
    assert await p.phase(IDLE) == IDLE
    assert await p.read("ERROR") == BAD_FUNCTION
