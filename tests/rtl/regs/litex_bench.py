"""The registers of an exported LiteX module, written and read over the SoC's Wishbone bus.

Runs inside the simulator; `tests/lab/test_export_litex.py` starts it. HF_CSR is LiteX's csr.json,
HF_FUNCTIONS the names of the core's functions, HF_SLOTS how many messages it has at a time.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

from hashfabric.models import functions
from hashfabric.models.functions import FUNCTIONS
from hashfabric.simulate.known_answers import KnownAnswer, cases_of
from hashfabric.simulate.stream import StreamMessage

MAP = json.loads(Path(os.environ["HF_CSR"]).read_text(encoding="utf-8"))["csr_registers"]
USED = [FUNCTIONS[name] for name in os.environ["HF_FUNCTIONS"].split()]
SLOTS = int(os.environ["HF_SLOTS"])
DEPTH = 16
UNTIL_STOPPED = (1 << 40) - 1
NO_FUNCTION = 0xFF
PATIENCE = 2000
"""Reads of `status` in which a word must come."""


@dataclass
class Digest:
    """What came of a message."""

    data: bytes = b""
    bits: int = 0
    error: bool = False
    sizes: list[int] = field(default_factory=list)


class Software:
    """What software does with the registers."""

    def __init__(self, dut: Any) -> None:
        """Take the bus of `dut`."""
        self.dut = dut

    async def start(self) -> None:
        """Reset the SoC."""
        Clock(self.dut.clk, 10, unit="ns").start()
        for name in ("cyc", "stb", "we", "adr", "dat_w", "sel", "cti", "bte"):
            getattr(self.dut, f"bus_{name}").value = 0
        self.dut.rst.value = 1
        await Timer(100, unit="ns")
        await FallingEdge(self.dut.clk)
        self.dut.rst.value = 0

    async def access(self, address: int, value: int | None = None) -> int:
        """Write `value` to a word of the bus, or read it; return what was read."""
        dut = self.dut
        await FallingEdge(dut.clk)
        dut.bus_adr.value = address >> 2
        dut.bus_we.value = value is not None
        dut.bus_dat_w.value = value or 0
        dut.bus_sel.value = 0xF
        dut.bus_cyc.value = dut.bus_stb.value = 1
        for _ in range(20):
            await FallingEdge(dut.clk)
            if dut.bus_ack.value:
                break
        else:
            raise AssertionError(f"no answer from {address:x}")
        read = int(dut.bus_dat_r.value)
        await FallingEdge(dut.clk)
        dut.bus_cyc.value = dut.bus_stb.value = 0
        return read

    async def write(self, name: str, value: int) -> None:
        """Write a register, of several words with the highest one first."""
        register = MAP[f"hash_{name}"]
        for place in range(register["size"]):
            part = value >> 32 * (register["size"] - 1 - place) & 0xFFFFFFFF
            await self.access(register["addr"] + 4 * place, part)

    async def read(self, name: str) -> int:
        """Read a register of one word."""
        return await self.access(MAP[f"hash_{name}"]["addr"])

    async def send(self, message: StreamMessage, code: int | None = None) -> None:
        """Write a message, of function `code` if that is given."""
        function = message.function
        bits = 8 * len(message.data) if message.bits is None else message.bits
        code = function.code if code is None else code
        await self.write("user", code | bits % 8 << 8)
        if "hash_length" in MAP:
            wanted = message.output_bits or function.digest_bits
            await self.write("length", wanted)
        if SLOTS > 1:
            await self.write("slot", message.slot)
        room = 0
        full = max(len(message.data) - 1, 0) // 4  # the last word has 1 to 4 bytes
        for place in range(full):
            room = room - 1 if room > 1 else await self.until_room()
            await self.write("data", int.from_bytes(message.data[4 * place :][:4], "little"))
        if room <= 1:
            await self.until_room()
        await self.write("tail_bytes", len(message.data) - 4 * full)
        await self.write("tail", int.from_bytes(message.data[4 * full :], "little"))

    async def until_room(self) -> int:
        """Return how many words have room, when there is any."""
        for _ in range(PATIENCE):
            if (room := await self.read("room")) > 0:
                assert room <= DEPTH, "a word was lost"
                return room
        raise AssertionError("no room")

    async def receive(self, digests: int, words: int | None = None) -> list[list[Digest]]:
        """Read `digests` digests, or `words` words of one; return those of each slot."""
        found: list[list[Digest]] = [[Digest()] for _ in range(SLOTS)]
        while digests and words != 0:
            for _ in range(PATIENCE):
                status = await self.read("status")
                if status & 1:
                    break
            else:
                raise AssertionError(f"{digests} digests did not come")
            assert await self.read("ev_status") == 1
            word = await self.read("digest")
            assert word == await self.read("digest")  # reading takes nothing
            await self.write("next", 1)
            words = None if words is None else words - 1
            slot = found[status >> 9]
            size = status >> 3 & 7
            slot[-1].data += word.to_bytes(4, "little")[:size]
            slot[-1].sizes.append(size)
            assert word >> 8 * size == 0
            if status >> 1 & 1:
                slot[-1].bits, slot[-1].error = status >> 6 & 7, bool(status >> 2 & 1)
                slot.append(Digest())
                digests -= 1
        return [slot if words == 0 else slot[:-1] for slot in found]


def check(digest: Digest, case: KnownAnswer) -> None:
    """Compare a digest: its bytes, its last bits, how it came."""
    message = case.message
    said = f"{message.function.name}, {len(message.data)} bytes, {message.bits} bits"
    assert not digest.error, said
    assert digest.data == case.wanted, said
    assert digest.bits == (message.output_bits or 0) % 8, said
    assert set(digest.sizes[:-1]) <= {4}, said
    assert 1 <= digest.sizes[-1] <= 4, said


def more_cases() -> list[KnownAnswer]:
    """Return messages of every length of a last word, around the end of a block."""
    function = USED[min(1, len(USED) - 1)]
    block = function.rate_bits // 8
    lengths = [*range(18), 63, 64, 65, block - 2, block - 1, block, block + 1, 300]
    datas = [bytes(17 * i & 0xFF for i in range(length)) for length in lengths]
    return [KnownAnswer(StreamMessage(function, d), functions.digest(function, d)) for d in datas]


async def empty(software: Software) -> None:
    """Check that nothing waits anywhere."""
    assert await software.read("status") == 0
    assert await software.read("digest") == 0
    assert await software.read("room") == DEPTH
    assert await software.read("ev_status") == 0


@cocotb.test()
async def digests(dut: Any) -> None:
    """One message at a time, of every function."""
    software = Software(dut)
    await software.start()
    await empty(software)
    for case in (*more_cases(), *(case for function in USED for case in cases_of(function))):
        await software.send(case.message)
        ((digest,), *_) = await software.receive(1)
        check(digest, case)
    await empty(software)


@cocotb.test()
async def known(dut: Any) -> None:
    """NIST's digests of the empty message and of abc, typed in."""
    function = FUNCTIONS["sha3-256"]
    if function not in USED:
        return
    software = Software(dut)
    await software.start()
    for data, wanted in (
        (b"", "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
        (b"abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
    ):
        await software.send(StreamMessage(function, data))
        ((digest,), *_) = await software.receive(1)
        assert digest.data.hex() == wanted


@cocotb.test()
async def slots(dut: Any) -> None:
    """A message in each slot, then their digests."""
    software = Software(dut)
    await software.start()
    cases = [case for case in cases_of(USED[0]) if len(case.message.data) < 64]
    sent: Sequence[KnownAnswer] = [cases[slot % len(cases)] for slot in range(SLOTS)]
    for slot, case in enumerate(sent):
        message = case.message
        await software.send(StreamMessage(message.function, message.data, message.bits, None, slot))
    found = await software.receive(SLOTS)
    for (digest,), case in zip(found, sent, strict=True):
        check(digest, case)


@cocotb.test()
async def errors(dut: Any) -> None:
    """A function that is not there is an empty digest with an error; the next one is right."""
    software = Software(dut)
    await software.start()
    case = list(cases_of(USED[-1]))[1]
    await software.send(StreamMessage(USED[-1], bytes(50)), NO_FUNCTION)
    ((digest,), *_) = await software.receive(1)
    assert (digest.error, digest.data, digest.sizes) == (True, b"", [0])
    await software.send(case.message)
    ((digest,), *_) = await software.receive(1)
    check(digest, case)


@cocotb.test()
async def lost_and_reset(dut: Any) -> None:
    """Room ends without reads, a word too many is lost and reported, and a reset clears all."""
    software = Software(dut)
    await software.start()
    case = list(cases_of(USED[0]))[1]
    await software.send(case.message)
    for _ in range(1000):
        if await software.read("room") == 0:
            await Timer(100, unit="us")  # in which the core does what it still can
            if await software.read("room") == 0:
                break
        await software.write("tail", 0x12345678)
    else:
        raise AssertionError("room did not end")
    await software.write("data", 0)
    assert await software.read("room") == 1 << DEPTH.bit_length()
    await software.write("control", 1)
    await empty(software)
    await software.send(case.message)
    ((digest,), *_) = await software.receive(1)
    check(digest, case)
    await empty(software)


@cocotb.test()
async def stop(dut: Any) -> None:
    """An output that runs until it is stopped ends then, in the slot that is asked for."""
    function = next((function for function in USED if function.xof), None)
    if function is None:
        return
    software = Software(dut)
    await software.start()
    slot = SLOTS - 1
    await software.send(StreamMessage(function, b"abc", None, UNTIL_STOPPED, slot))
    begun = (await software.receive(1, words=150))[slot][0]
    if SLOTS > 1:
        await software.write("slot", 0)
        await software.write("control", 2)
        await software.write("slot", slot)
        begun.data += (await software.receive(1, words=150))[slot][0].data
    await software.write("control", 2)
    ((rest,),) = (one for one in await software.receive(1) if one)
    data = begun.data + rest.data
    assert data == functions.digest(function, b"abc", output_bits=8 * len(data))
    assert not rest.error
    assert len(rest.data) < 1000
    case = list(cases_of(USED[0]))[1]
    await software.write("slot", 0) if SLOTS > 1 else None
    await software.send(case.message)
    ((digest,), *_) = await software.receive(1)
    check(digest, case)
