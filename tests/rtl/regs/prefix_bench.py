"""Kept prefixes by the registers of the Keccak peripheral (docs/integrate/regs.md, Prefixes).

Runs inside the simulator; `test_prefix.py` starts it.
"""

from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb.utils import get_sim_time

from hashfabric.models.family import Function
from hashfabric.models.functions import KECCAK, digest
from tests.rtl.regs.regs import ABSORB, HELD, IDLE, OPEN, REGISTERS, SQUEEZE, Peripheral
from tests.rtl.regs.regs_bench import (
    BEAT,
    BOUND,
    BUS,
    COUNT,
    DIGEST_WORDS,
    ENGINE,
    FIXED,
    FUNCTIONS,
    RUN,
    STREAM,
    XOFS,
    _beats,
    clocks,
    expected,
    in_a_row,
    lengths,
    low,
    short,
    started,
)
from tests.support import oracles

BAD_COMMAND, BAD_FUNCTION, BAD_POSITION = (
    REGISTERS["ERROR"].field(name).mask for name in ("bad_command", "bad_function", "bad_position")
)
WORDS = (200 // BEAT, 200, 200)[ENGINE]
"""Words of a state, as the engine has them."""
READ = (BEAT // 2, 28, 7)[ENGINE]
"""Clocks in which the engine reads a word of a state, at most."""
KEEP = ({4: 114, 8: 112}[BEAT], READ * WORDS + 30, READ * WORDS + 30)[ENGINE]
"""Clocks of a `keep` of a permuted state, before the wipe; the most, where words are bytes."""


def recall(count: int) -> int:
    """Return the clocks of a copy after `count` bytes; the most, where words are bytes."""
    rate = rate_of(KECCAK["shake128"]) // BEAT
    exact = 0 if count // BEAT >= rate else max(WORDS - 2 - count // BEAT, WORDS - rate)
    return (exact, READ * WORDS, READ * WORDS)[ENGINE]


def rate_of(function: Function) -> int:
    """Return the bytes of a block."""
    return function.rate_bits // 8


def blocks(p: Peripheral, function: Function, most: int = 3) -> bytes:
    """Return a prefix of one or more blocks."""
    return p.rng.randbytes(p.rng.randrange(1, most + 1) * rate_of(function))


async def kept(p: Peripheral, function: Function, prefix: bytes) -> None:
    """Absorb a prefix, and keep it; its copy has the next number."""
    before = await p.get("OPTIONS", "kept")
    await p.begin(function)
    await p.feed(prefix)
    await p.command("keep")
    await p.phase(IDLE)
    assert await p.get("STATUS", "done") == 0
    number = await p.get("OPTIONS", "kept")
    assert number > 0
    assert before in (0, number - 1)


async def recalled(p: Peripheral, function: Function, length: int = 0, tail: int = 0) -> None:
    """Begin a message after the prefix; LENGTH and TAIL before it or after it."""
    await p.write("CONFIG", function.code)
    late = p.rng.random() < 0.5
    if late:
        await p.command("recall")
    await p.write("LENGTH", length)
    await p.write("TAIL", tail)
    if not late:
        await p.command("recall")


async def message_after(p: Peripheral, function: Function, prefix: bytes) -> None:
    """Hash a message of any number of bits after the prefix, and compare."""
    rng = p.rng
    data = rng.randbytes(lengths(rng, function))
    bits = 8 * len(data)
    if data and rng.random() < 0.3:
        bits -= rng.randrange(8)
    output = rng.choice([1, 33, 256, rng.randrange(1, 2500)])
    rest = bits % 8
    last = data[bits // 8] if rest else rng.getrandbits(8)
    await recalled(p, function, output if function.xof else 0, last << 8 | rest)
    await p.feed(data[: bits // 8], whole=rng.random() < 0.5)
    await p.command("last")
    wanted = output if function.xof else function.digest_bits
    found = await p.words(-(-wanted // 32))
    reference = expected(function, prefix + data, 8 * len(prefix) + bits, output)
    assert found[: len(reference)] == reference, f"{function.name}: {len(prefix)} and {bits / 8}"
    assert await p.phase(IDLE) == IDLE
    assert await p.get("STATUS", "done") == 1


async def another(p: Peripheral) -> None:
    """Hash something else, in any way that leaves the copy where it is."""
    function, data = p.rng.choice(FUNCTIONS), p.rng.randbytes(p.rng.randrange(200))
    match p.rng.choice(["whole", "stopped", "run"]):
        case "stopped":
            function = p.rng.choice(XOFS)
            await p.begin(function, OPEN)
            await p.feed(data)
            await p.command("last")
            assert await p.words(3) == digest(function, data, output_bits=96)
            await p.command("stop")
            await p.phase(IDLE)
        case "run" if RUN:
            words = 5 if function.xof else function.digest_bits // 32
            await p.run(function, bytes_=len(data), words=5)
            await short(p, data)
            reference = expected(function, data, 8 * len(data), 32 * words)
            assert (await p.words(words))[: len(reference)] == reference
        case _:
            reference = expected(function, data, 8 * len(data), 160)
            assert await p.digest(function, data, output_bits=160) == reference


@cocotb.test()
async def prefixes(dut: Any) -> None:
    """Every function, prefixes of one to three blocks, messages of any bits; others in between."""
    p = await started(dut)
    assert await p.get("OPTIONS", "prefix") == 1
    for _ in range(max(1, COUNT // 40)):
        for function in FUNCTIONS:
            prefix = blocks(p, function)
            await kept(p, function, prefix)
            number = await p.get("OPTIONS", "kept")
            for _ in range(2):
                await message_after(p, function, prefix)
                if p.rng.random() < 0.4:
                    await another(p)
            assert await p.get("OPTIONS", "kept") == number
    assert await p.read("ERROR") == 0
    dut._log.info(f"longest access: {p.bus.longest} clocks, of {p.bus.bound}")


@cocotb.test()
async def keys_are_kept(dut: Any) -> None:
    """KMAC: the blocks of customization and key are permuted once (SP 800-185, section 4.3)."""
    p = await started(dut)
    for name, framed in (("cshake128", "kmac128"), ("cshake256", "kmac256")):
        function = KECCAK[name]
        for _ in range(max(1, COUNT // 30)):
            custom, key = p.rng.randbytes(p.rng.randrange(30)), p.rng.randbytes(32)
            front = oracles.bytepad(oracles.encode_string(key), rate_of(function))
            prefix = oracles.cshake_message(function, b"KMAC", custom, front)
            await kept(p, function, prefix)
            for count in (32, 8):
                data = p.rng.randbytes(p.rng.randrange(300))
                await recalled(p, function, 8 * count)
                await p.feed(data + oracles.right_encode(8 * count))
                await p.command("last")
                reference = oracles.framed_digest(framed, count, data=data, key=key, custom=custom)
                assert await p.words(count // 4) == reference
                await p.phase(IDLE)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def longer_prefixes(dut: Any) -> None:
    """A copy of what went on from a copy: without more blocks, and with some; of no block too."""
    p = await started(dut)
    for function in p.rng.sample(FUNCTIONS, 4):
        prefix = b""
        await p.begin(function)
        await p.command("keep")
        await p.phase(IDLE)
        await message_after(p, function, prefix)
        for more in (b"", blocks(p, function, 1), b"", blocks(p, function, 2)):
            await recalled(p, function)
            await p.feed(more)
            await p.command("keep")
            await p.phase(IDLE)
            prefix += more
            await message_after(p, function, prefix)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def held_after_a_recall(dut: Any) -> None:
    """At any byte: the state is that of prefix and message; it is changed, saved, restored."""
    p = await started(dut)
    rng = p.rng
    for number in range(max(3, COUNT // 20)):
        function = rng.choice(FUNCTIONS)
        prefix, data = blocks(p, function, 2), rng.randbytes(lengths(rng, function))
        await kept(p, function, prefix)
        output = 64 if function.xof else 0
        await recalled(p, function, output)
        at = rng.randrange(len(data) + 1) if number % 3 else 0
        await p.feed(data[:at])
        await p.command("hold")
        await p.phase(HELD)
        assert await p.get("POSITION", "bytes") == at % rate_of(function)
        if number % 2:
            index = rng.randrange(50)
            value = await p.read("STATE.WORD", index) if rng.random() < 0.5 else None
            strobe = rng.choice([1, 6, 15])
            if value is not None:  # what is there already
                await p.write("STATE.WORD", value, strobe=strobe, index=index)
            await p.command("resume")
        else:
            await p.command("resume")
            saved, _ = await p.save()
            assert await p.get("OPTIONS", "kept") == 0, "`clear` drops the copy"
            await another(p)
            await p.restore(saved)
        await p.feed(data[at:])
        await p.command("last")
        wanted = output or function.digest_bits
        found = await p.words(-(-wanted // 32))
        reference = expected(function, prefix + data, 8 * len(prefix + data), output)
        assert found[: len(reference)] == reference, f"{function.name}: {at} of {len(data)}"
        await p.phase(IDLE)
    # A write comes first: a byte of a word of the copy.
    function, prefix = KECCAK["sha3-256"], blocks(p, KECCAK["sha3-256"], 1)
    await kept(p, function, prefix)
    states = []
    for write in (False, True):
        await recalled(p, function)
        await p.command("hold")
        await p.phase(HELD)
        if write:
            await p.write("STATE.WORD", OPEN, strobe=2, index=40)
        states.append([await p.read("STATE.WORD", index) for index in range(50)])
        await p.clear() if write else await p.command("resume")
        if not write:
            await p.command("last")
            await p.words(8)
            await p.phase(IDLE)
    states[0][40] |= 0xFF00
    assert states[0] == states[1]
    assert await p.read("ERROR") == 0


@cocotb.test()
async def inside_a_block(dut: Any) -> None:
    """Nothing is kept nor lost: an error, and the hash goes on; a copy that there is stays."""
    p = await started(dut)
    rng = p.rng
    function = KECCAK["shake256"]
    prefix = blocks(p, function)
    await kept(p, function, prefix)
    for number in range(max(3, COUNT // 20)):
        other = rng.choice(FUNCTIONS)
        rate = rate_of(other)
        data = rng.randbytes(2 * rate + rng.randrange(rate))
        cut = rng.choice([1, 3, 4, rate - 1, rate + 1, 2 * rate - 4, rng.randrange(1, rate)])
        await p.begin(other, 96 if other.xof else 0)
        await p.feed(data[:cut])
        await p.command("keep")
        if number % 2:
            await p.phase(ABSORB)
        await p.feed(data[cut:])
        assert await p.read("ERROR") == BAD_POSITION, cut
        await p.write("ERROR", OPEN)
        await p.command("last")
        wanted = 96 if other.xof else other.digest_bits
        found = await p.words(-(-wanted // 32))
        reference = expected(other, data, 8 * len(data), 96)
        assert found[: len(reference)] == reference, f"{other.name}: {cut} of {len(data)}"
        await p.phase(IDLE)
        await message_after(p, function, prefix)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def refused(dut: Any) -> None:  # noqa: PLR0912, PLR0915
    """Each command in each phase that does not allow it; without a copy; with another function."""
    p = await started(dut)
    function, other = KECCAK["shake128"], KECCAK["cshake128"]
    prefix, data = blocks(p, function), p.rng.randbytes(50)

    async def error() -> int:
        found = await p.read("ERROR")
        await p.write("ERROR", OPEN)
        return found

    await p.phase(IDLE)
    await p.write("CONFIG", function.code)
    await p.command("recall")
    assert await p.phase(IDLE, polls=9) == IDLE
    assert await error() == BAD_COMMAND, "without a copy"
    for copy in (False, True):
        if copy:
            await kept(p, function, prefix)
        for phase in (IDLE, ABSORB, SQUEEZE, HELD):
            if phase != IDLE:
                await p.begin(function, OPEN)
                await p.feed(data)
            if phase == SQUEEZE:
                await p.command("last")
                await p.phase(SQUEEZE)
            if phase == HELD:
                await p.command("hold")
                await p.phase(HELD)
            for name in ("keep", "recall"):
                if (phase, name) in ((ABSORB, "keep"), (IDLE, "recall")):
                    continue
                await p.command(name)
                assert await p.phase(phase, polls=9) == phase, name
                assert await error() == BAD_COMMAND, (phase, name)
            if phase == HELD:
                await p.command("resume")
            if phase in (ABSORB, HELD):
                await p.command("last")
            if phase != IDLE:
                assert await p.words(4) == digest(function, data, output_bits=128)
                await p.command("stop")
                await p.phase(IDLE)
    for wrong in (other, KECCAK["shake256"]):
        await p.write("CONFIG", wrong.code)
        await p.write("LENGTH", 96)
        await p.command("recall")
        assert await p.phase(IDLE, polls=9) == IDLE
        assert await error() == BAD_FUNCTION
    await p.write("CONFIG", 0x80 | function.code)  # is none
    await p.command("recall")
    assert await p.phase(IDLE, polls=9) == IDLE
    assert await error() == BAD_FUNCTION
    await p.write("CONFIG", function.code)
    await p.command("recall", "start")
    assert await error() == BAD_COMMAND, "two in one write"
    await message_after(p, function, prefix)
    # CONFIG and POSITION are closed while a recalled message is absorbed, as others are.
    await recalled(p, function, 96)
    lost = REGISTERS["ERROR"].field("config_write").mask
    for name in ("CONFIG", "POSITION"):
        await p.write(name, 1)
        assert await error() == lost, name
    await p.command("last")
    assert await p.words(3) == digest(function, prefix, output_bits=96)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def ends_of_keeps(dut: Any) -> None:
    """A keep ends its hash: LENGTH, TAIL and the number of bytes too, and the state is wiped."""
    p = await started(dut)
    function = KECCAK["shake256"]
    prefix = blocks(p, function, 1)
    if RUN:
        await p.run(function, bytes_=len(prefix) + 7, words=3)
        await p.phase(ABSORB)
    else:
        await p.begin(function, 96)
    await p.write("TAIL", 0x5503)
    await p.feed(prefix)
    await p.command("keep")
    await p.phase(IDLE)
    assert await p.read("LENGTH") == 0
    assert await p.read("TAIL") == 0
    assert await p.get("POSITION", "counted") == 0
    assert await p.get("STATUS", "digest_words") == 0
    await p.command("hold")
    await p.phase(HELD)
    assert not any([await p.read("STATE.WORD", index) for index in range(50)])
    await p.write("POSITION", 0)
    await p.write("LENGTH", 96)
    await p.command("resume")
    await p.command("last")
    assert await p.words(3) == digest(function, b"", output_bits=96)
    await p.phase(IDLE)
    # Unread output is discarded, as by `start`.
    await p.digest(KECCAK["sha3-256"], b"")
    await p.begin(function, 32 * DIGEST_WORDS)
    await p.command("last")
    await p.phase(IDLE)
    await recalled(p, function, 64)
    await p.phase(ABSORB)
    assert await p.get("STATUS", "digest_words") == 0
    await p.command("last")
    assert await p.words(2) == digest(function, prefix, output_bits=64)
    await p.phase(IDLE)
    await message_after(p, function, prefix)
    # While a copy is replaced there is none.
    await p.begin(function)
    await p.command("keep")
    numbers = [await p.get("OPTIONS", "kept") for _ in range(READ * WORDS // 3)]
    assert 0 in numbers
    await p.phase(IDLE)
    await message_after(p, function, b"")
    assert await p.read("ERROR") == 0


@cocotb.test()
async def commands_in_a_row(dut: Any) -> None:
    """`recall`, the message and `last` right after a `stop` wait for its wipe, in their order."""
    p = await started(dut, waits=0)
    function, other = KECCAK["sha3-256"], KECCAK["shake128"]
    prefix = blocks(p, function, 1)
    await kept(p, function, prefix)
    for data in (b"", b"after"):
        await p.begin(other, OPEN)
        await p.command("last")
        await p.words(1)
        await p.command("stop")
        await p.write("CONFIG", function.code)
        await p.command("recall")
        await p.feed(data)
        await p.command("last")
        assert await p.words(8) == oracles.library_digest(function, prefix + data)
        await p.phase(IDLE)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def accesses_right_after_a_recall(dut: Any) -> None:
    """The message follows as soon as the bus lets it; CONFIG is closed."""
    p = await started(dut, waits=0)
    function = KECCAK["sha3-256"]
    prefix, data = blocks(p, function, 1), p.rng.randbytes(8)
    await kept(p, function, prefix)
    lost = REGISTERS["ERROR"].field("config_write").mask
    for gap in range(4):
        for other in (False, True):
            config = [p.write("CONFIG", KECCAK["sha3-512"].code)] if other else []
            await in_a_row(dut, p.command("recall"), *config, short(p, data), gap=gap)
            await p.command("last")
            assert await p.words(8) == oracles.library_digest(function, prefix + data), gap
            await p.phase(IDLE)
            assert await p.read("ERROR") == (lost if other else 0)
            await p.write("ERROR", OPEN)


def prefix_of(dut: Any) -> Any:
    """Return the module of the copy."""
    top = dut.u_keccak if BUS == "apb" else dut.u_apb.u_keccak
    return top.u_datapath.gen_prefix.u_prefix


def memory_of(dut: Any) -> list[int]:
    """Return the words of the copy, and of the registers that read it."""
    copy = prefix_of(dut).u_copy
    words = [int(copy.mem[index].value) for index in range(WORDS)]
    return [*words, int(copy.read_q.value), int(copy.read_data_o.value)]


@cocotb.test()
async def cleared(dut: Any) -> None:
    """By `clear` and by a reset, in any clock of a keep and after it: no copy, no word of it."""
    p = await started(dut, waits=0)
    function = KECCAK["sha3-512"]
    for number in range(max(8, COUNT // 4)):
        prefix = blocks(p, function, 1)
        early = number % 2
        await p.begin(function)
        await p.feed(prefix)
        await p.command("keep")
        if early:
            await clocks(dut, p.rng.randrange(READ * WORDS + 20))
        else:
            await p.phase(IDLE)
            assert any(memory_of(dut)), "it is in the memory"
        if p.rng.random() < 0.3:
            dut.rst_i.value = 1
            await clocks(dut, 2)
            dut.rst_i.value = 0
            await FallingEdge(dut.clk_i)
        else:
            await p.command("clear")
        assert await p.get("OPTIONS", "kept") == 0
        soon = p.rng.random() < 0.5  # the memory is still being overwritten
        if not soon:
            await clocks(dut, WORDS + 10)
            assert not any(memory_of(dut))
        await p.write("CONFIG", function.code)
        await p.command("recall")
        await p.phase(IDLE)
        assert await p.read("ERROR") == BAD_COMMAND
        await p.write("ERROR", OPEN)
        if soon:
            await p.begin(function)
            await p.command("keep")
            await p.phase(IDLE)
            await message_after(p, function, b"")
        else:
            await kept(p, function, prefix)
            await message_after(p, function, prefix)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def cleared_in_a_recall(dut: Any) -> None:
    """By `clear`, while words of the copy are added: no word of it is left."""
    p = await started(dut, waits=0)
    function = KECCAK["sha3-512"]
    for gap in range(0, READ * WORDS, READ * WORDS // 8):
        await kept(p, function, blocks(p, function, 1))
        await recalled(p, function)
        await p.feed(p.rng.randbytes(20))
        await p.command("last")
        await clocks(dut, gap)
        await p.command("clear")
        await clocks(dut, WORDS + 10)
        assert not any(memory_of(dut)), gap
        await p.phase(IDLE)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def stopped_in_a_recall(dut: Any) -> None:
    """By `stop`, while words of the copy are still to be added: they do not come later."""
    p = await started(dut, waits=0)
    function = KECCAK["shake256"]
    prefix, squeezing = blocks(p, function, 1), REGISTERS["POSITION"].field("squeezing").mask
    await kept(p, function, prefix)
    steps = 50 if ENGINE == 0 else 8
    for gap in range(0, READ * WORDS, READ * WORDS // steps):
        await recalled(p, function, OPEN)
        await p.command("last")
        await clocks(dut, gap)
        await p.command("stop")
        if await p.phase(IDLE, SQUEEZE) == SQUEEZE:  # it came too early
            assert await p.read("ERROR") == BAD_COMMAND
            await p.write("ERROR", OPEN)
            await p.command("stop")
        await p.phase(IDLE)
        await recalled(p, function, OPEN)
        await p.command("hold")
        await p.phase(HELD)
        await p.write("POSITION", squeezing)
        await p.command("resume")
        await clocks(dut, gap)
        await p.command("stop")
        await p.phase(IDLE)
        await recalled(p, function, 96)
        await p.command("last")
        assert await p.words(3) == digest(function, prefix, output_bits=96), gap
        await p.phase(IDLE)
    assert await p.read("ERROR") == 0


@cocotb.test()
async def numbers_of_copies(dut: Any) -> None:
    """After the last number comes 1, since 0 is none."""
    p = await started(dut)
    function = KECCAK["sha3-512"]
    prefix_of(dut).number_q.value = (1 << 24) - 2
    for number in ((1 << 24) - 1, 1, 2):
        await p.begin(function)
        await p.command("keep")
        await p.phase(IDLE)
        assert await p.get("OPTIONS", "kept") == number
    assert await p.read("ERROR") == 0


@cocotb.test(skip=not STREAM)
async def streamed_prefixes(dut: Any) -> None:
    """A prefix by AXI4-Stream; beats that wait belong to the next message."""
    p = await started(dut)
    rng = p.rng
    stream = REGISTERS["CONFIG"].field("stream").mask
    packets = REGISTERS["CONFIG"].field("packets").mask
    for _ in range(max(2, COUNT // 30)):
        function = rng.choice(FIXED)
        prefix, data = blocks(p, function, 2), rng.randbytes(rng.randrange(1, 90))
        await p.write("CONFIG", function.code | stream | packets)
        await p.command("start")
        await _beats(dut, prefix, rng)
        await p.command("keep")
        await clocks(dut, 3)  # it has taken effect
        sender = cocotb.start_soon(_beats(dut, data, rng))
        await p.phase(IDLE)
        await p.command("recall")
        await sender
        await p.command("last")
        found = await p.words(function.digest_bits // 32)
        assert found == expected(function, prefix + data, 8 * len(prefix + data), 0), function.name
        await p.phase(IDLE)
        assert await p.read("ERROR") == 0


async def beat(dut: Any, data: bytes, *, last: bool = False) -> None:
    """Send a beat, or give up: a source whose message has been kept keeps its last beat."""
    await low(dut)
    dut.s_axis_tvalid.value, dut.s_axis_tlast.value, dut.s_axis_tkeep.value = 1, int(last), 15
    dut.s_axis_tdata.value = int.from_bytes(data, "little")
    for _ in range(BOUND + 2 * READ * WORDS):
        await ReadOnly()
        taken = int(dut.s_axis_tready.value)
        await FallingEdge(dut.clk_i)
        if taken:
            break
    dut.s_axis_tvalid.value = 0


@cocotb.test(skip=not STREAM)
async def kept_at_the_last_beat(dut: Any) -> None:
    """The beat with tlast in each clock before, with and after `keep`: one of them comes first."""
    p = await started(dut)
    stream = REGISTERS["CONFIG"].field("stream").mask
    function = KECCAK["sha3-512"]
    ends = set()
    for gap in range(12):
        prefix = p.rng.randbytes(rate_of(function))
        await p.write("CONFIG", function.code | stream)
        await p.command("start")
        for at in range(0, len(prefix) - 4, 4):
            await beat(dut, prefix[at : at + 4])
        await clocks(dut, 40)
        command = cocotb.start_soon(p.command("keep"))
        await clocks(dut, gap)
        await beat(dut, prefix[-4:], last=True)
        await command
        for _ in range(8):
            await p.read("STATUS")
        error = await p.read("ERROR")
        await p.write("ERROR", OPEN)
        ends.add(error)
        if error == 0:
            await p.phase(IDLE)
            assert await p.get("OPTIONS", "kept") > 0
            await p.write("CONFIG", function.code)
            await p.command("recall")
            await p.command("last")
        assert await p.words(16) == oracles.library_digest(function, prefix), gap
        await p.phase(IDLE)
    assert ends <= {0, BAD_COMMAND, BAD_POSITION}
    assert len(ends) > 1
    assert await p.read("ERROR") == 0


@cocotb.test(skip=BUS != "apb")
async def clocks_and_accesses(dut: Any) -> None:  # noqa: PLR0915
    """What docs/integrate/regs.md says: clocks of `keep` and of `recall`, accesses of a message."""
    p = await started(dut, waits=0)
    function = KECCAK["shake128"]
    prefix, data = blocks(p, function, 1), p.rng.randbytes(168)

    async def ended_by(command: str) -> int:
        """Return the clocks until a message can follow the command that ends a hash."""
        await p.begin(function)
        await p.feed(prefix, whole=True)
        await clocks(dut, 20_000 if ENGINE == 2 else 1_500)
        await p.command(command)
        begin = get_sim_time("ns")
        await p.command("start")
        await p.write("MESSAGE", 0)
        passed = round(get_sim_time("ns") - begin) // 2
        await p.command("last")
        await p.phase(ABSORB)
        await p.write("LENGTH", 32)
        await p.command("last")
        await p.words(1)
        await p.phase(IDLE)
        await p.write("ERROR", OPEN)
        return passed

    async def hashed_after(command: str, count: int) -> int:
        """Return the clocks from `last` to the first word of output, after a message."""
        await p.write("LENGTH", 32)
        await p.command(command)
        await p.feed(data[:count], whole=True)
        await clocks(dut, 20_000 if ENGINE == 2 else 6_000)
        await p.command("last")
        begin = get_sim_time("ns")
        found = await p.words(1)
        passed = round(get_sim_time("ns") - begin) // 2
        wanted = (prefix if command == "recall" else b"") + data[:count]
        assert found == digest(function, wanted, output_bits=32)
        await p.phase(IDLE)
        return passed

    keep = await ended_by("keep") - await ended_by("clear")
    dut._log.info(f"keep: {keep} clocks")
    assert keep == KEEP if ENGINE == 0 else 0 < keep <= KEEP
    await kept(p, function, prefix)
    for count in (0, 4, 5, 16, 160, 164, 168):
        added = await hashed_after("recall", count) - await hashed_after("start", count)
        dut._log.info(f"recall before {count} bytes: {added} clocks")
        assert added == recall(count) if ENGINE == 0 else added <= recall(count)
    # A whole block at once: the words of the copy above it follow it.
    passed = {}
    for command in ("recall", "start"):
        await p.write("LENGTH", 32)
        await p.command(command)
        begin = get_sim_time("ns")
        await p.feed(data, whole=True)
        await p.command("last")
        await p.words(1)
        passed[command] = round(get_sim_time("ns") - begin) // 2
        await p.phase(IDLE)
    added = passed["recall"] - passed["start"]
    dut._log.info(f"recall before a block at once: {added} clocks")
    assert added <= (WORDS - len(data) // BEAT, READ * WORDS, READ * WORDS)[ENGINE]
    before = p.bus.accesses
    await p.write("CONFIG", function.code)
    await p.write("LENGTH", 256)
    await p.command("recall")
    await p.feed(data[:16], whole=True)
    await p.command("last")
    assert await p.words(8) == digest(function, prefix + data[:16], output_bits=256)
    assert p.bus.accesses - before == 4 + 4 + 8
    assert await p.read("ERROR") == 0
