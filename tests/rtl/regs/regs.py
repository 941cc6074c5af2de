"""What a program does with the Keccak peripheral (docs/integrate/regs.md), over three buses.

Addresses and fields come from the SystemRDL; the order of accesses from docs/integrate/regs.md.
"""

import contextlib
import itertools
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge, SimTimeoutError, with_timeout
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster  # type: ignore[import-untyped]

from hashfabric.models.family import Function
from hashfabric.registry import registers

REGISTERS = registers.load()
OPEN = (1 << 32) - 1
"""A LENGTH that runs until it is stopped."""
PARTS = (1, 2, 3, 4, 6, 7, 8, 12, 14)
"""Strobes of some bytes of a word, in a row: cocotbext-axi writes no others."""

IDLE, ABSORB, FINISH, SQUEEZE, HELD, CHANGE = (
    REGISTERS["STATUS"].field("phase").values[name]
    for name in ("idle", "absorb", "finish", "squeeze", "held", "change")
)


class Bus:
    """A bus with waits of the master's own.

    `accesses` is the number of accesses so far, `longest` the longest one, in clocks.
    """

    turns = 0.0  # of other masters
    pages = 1

    def __init__(self, dut: Any, rng: random.Random, waits: float, bound: int) -> None:
        """Drive `dut`'s bus; before an access with the chance `waits` nothing happens.

        An access that takes more than `bound` clocks fails the test.
        """
        self.dut, self.rng, self.waits, self.bound = dut, rng, waits, bound
        self.longest = self.accesses = 0

    async def read(self, address: int) -> int:
        """Return the word at `address`."""
        self.accesses += 1
        return await self._access(address, None, 0)

    async def write(self, address: int, data: int, strobe: int = 15) -> None:
        """Write the bytes of `data` that `strobe` has bits for."""
        self.accesses += 1
        await self._access(address, data, strobe)

    async def _access(self, address: int, data: int | None, strobe: int) -> int:
        raise NotImplementedError

    async def _pause(self) -> None:
        while self.rng.random() < self.waits:
            await FallingEdge(self.dut.clk_i)

    async def _until(self, signal: Any) -> None:
        """Wait for a clock in which `signal` is high; stop in the middle of it."""
        start = get_sim_time("ns")
        await ReadOnly()
        if not int(signal.value):
            with contextlib.suppress(SimTimeoutError):  # of clocks of 2 ns
                await with_timeout(RisingEdge(signal), 2 * self.bound, "ns")
            await FallingEdge(self.dut.clk_i)
            await ReadOnly()
        clocks = round(get_sim_time("ns") - start) // 2
        assert int(signal.value), f"no answer within {self.bound} clocks"
        self.longest = max(self.longest, clocks)


class Apb(Bus):
    """APB4."""

    names = ("psel", "penable", "pwrite", "pprot", "paddr", "pwdata", "pstrb")

    def __init__(self, *arguments: Any) -> None:
        """Drive everything low."""
        super().__init__(*arguments)
        for name in self.names:
            getattr(self.dut, f"s_apb_{name}").value = 0

    async def _access(self, address: int, data: int | None, strobe: int) -> int:
        await self._pause()
        dut = self.dut
        dut.s_apb_psel.value, dut.s_apb_paddr.value = 1, address
        dut.s_apb_pwrite.value, dut.s_apb_pstrb.value = int(data is not None), strobe
        dut.s_apb_pwdata.value = self.rng.getrandbits(32) if data is None else data
        await FallingEdge(dut.clk_i)
        dut.s_apb_penable.value = 1
        await self._until(dut.s_apb_pready)
        assert not int(dut.s_apb_pslverr.value)
        found = int(dut.s_apb_prdata.value) if data is None else 0
        await FallingEdge(dut.clk_i)
        dut.s_apb_psel.value = dut.s_apb_penable.value = 0
        return found


class Wishbone(Bus):
    """Wishbone, classic cycles; strobe and cycle stay high from one access to the next."""

    def __init__(self, *arguments: Any) -> None:
        """Drive everything low."""
        super().__init__(*arguments)
        for name in ("cyc", "stb", "we", "adr", "dat_w", "sel"):
            getattr(self.dut, f"wb_{name}").value = 0

    async def _access(self, address: int, data: int | None, strobe: int) -> int:
        dut = self.dut
        if self.waits:
            dut.wb_cyc.value = dut.wb_stb.value = 0
        await self._pause()
        dut.wb_cyc.value = dut.wb_stb.value = 1
        dut.wb_adr.value, dut.wb_we.value = address >> 2, int(data is not None)
        dut.wb_sel.value = strobe if data is not None else 15
        dut.wb_dat_w.value = self.rng.getrandbits(32) if data is None else data
        await self._until(dut.wb_ack)
        assert not int(dut.wb_err.value)
        found = int(dut.wb_dat_r.value) if data is None else 0
        await FallingEdge(dut.clk_i)
        dut.wb_cyc.value = dut.wb_stb.value = 0
        return found


class AxiLite(Bus):
    """AXI4-Lite, by cocotbext-axi, which waits on each of the five channels by itself."""

    def __init__(self, *arguments: Any) -> None:
        """Make the master."""
        super().__init__(*arguments)
        dut = self.dut
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_i)
        write, read = self.master.write_if, self.master.read_if
        if self.waits:
            for channel in (
                write.aw_channel,
                write.w_channel,
                write.b_channel,
                read.ar_channel,
                read.r_channel,
            ):
                channel.set_pause_generator(self._pauses())

    def _pauses(self) -> Iterator[bool]:
        return (self.rng.random() < self.waits for _ in itertools.count())

    async def _access(self, address: int, data: int | None, strobe: int) -> int:
        limit = 2 * self.bound + 200  # ns, of which a clock has two; waits of the master come to it
        if data is None:
            answer = await with_timeout(self.master.read(address, 4), limit, "ns")
            assert answer.resp == 0
            return int.from_bytes(answer.data, "little")
        if strobe:
            low = (strobe & -strobe).bit_length() - 1
            high = strobe.bit_length()
            assert strobe == (1 << high) - (1 << low), "cocotbext-axi writes bytes in a row"
            part = data.to_bytes(4, "little")[low:high]
            answer = await with_timeout(self.master.write(address + low, part), limit, "ns")
            assert answer.resp == 0
        return 0


class Contexts(Bus):
    """A bus to contexts (docs/integrate/contexts.md), as the master `who`, to the page `page`.

    Before an access with the chance `turns` another page has one, which needs the hardware.
    """

    page, who = 1, 0
    ids: tuple[str, ...]
    """Ports with the ID of who accesses."""

    def __init__(self, *arguments: Any) -> None:
        """Drive everything low."""
        super().__init__(*arguments)
        self.turns = float(os.environ.get("HF_TURNS", "0"))
        self.pages = len(self.dut.irq_o)
        self._as(0)

    def _as(self, master: int) -> None:
        for name in self.ids:
            getattr(self.dut, name).value = master

    async def _access(self, address: int, data: int | None, strobe: int) -> int:
        if self.rng.random() < self.turns:
            other = self.rng.randrange(1, self.pages)
            await self.at(self.page ^ other, self.who, 0x2C, 0)  # INTR_ENABLE
        return await self.at(self.page, self.who, address, data, strobe)

    async def at(
        self, page: int, master: int, address: int, data: int | None = None, strobe: int = 15
    ) -> int:
        """Access a page as a master: read a word if there are no `data`."""
        self._as(master)
        return await super()._access(page << 9 | address, data, strobe)


class ApbContexts(Contexts, Apb):
    """APB4."""

    ids = ("s_apb_id_i",)


class WishboneContexts(Contexts, Wishbone):
    """Wishbone."""

    ids = ("wb_tga",)


class AxiLiteContexts(Contexts, AxiLite):
    """AXI4-Lite."""

    ids = ("s_axil_awuser", "s_axil_aruser")


BUSES = {
    "axil": AxiLite,
    "apb": Apb,
    "wb": Wishbone,
    "axil_contexts": AxiLiteContexts,
    "apb_contexts": ApbContexts,
    "wb_contexts": WishboneContexts,
}


@dataclass
class Saved:
    """A hash that was put aside."""

    config: int
    length: int
    position: int
    state: list[int]


@dataclass
class Peripheral:
    """The peripheral as a program sees it; `written` and `found` are what it has touched."""

    bus: Bus
    rng: random.Random
    touched: set[str] = field(default_factory=set)

    async def read(self, name: str, index: int = 0) -> int:
        """Return a register."""
        return await self.bus.read(REGISTERS[name].address + 4 * index)

    async def write(self, name: str, value: int, *, strobe: int = 15, index: int = 0) -> None:
        """Write a register."""
        await self.bus.write(REGISTERS[name].address + 4 * index, value, strobe)

    async def get(self, name: str, part: str) -> int:
        """Return a field."""
        known = REGISTERS[name].field(part)
        return (await self.read(name) & known.mask) >> known.low

    async def command(self, *names: str) -> None:
        """Give a command."""
        await self.write("COMMAND", sum(REGISTERS["COMMAND"].field(n).mask for n in names))

    async def phase(self, *wanted: int, polls: int | None = None) -> int:
        """Wait for one of these phases, for some polls, and return it."""
        for _ in range(self.bus.bound if polls is None else polls):
            if (now := await self.get("STATUS", "phase")) in wanted:
                return now
        error = await self.read("ERROR")
        raise AssertionError(f"phase {now} does not become any of {wanted}: ERROR {error:#x}")

    async def run(
        self, function: Function, *, bytes_: int | None = None, words: int | None = 0
    ) -> None:
        """Write RUN: bytes of the message, words of output; None is no end of either."""
        fields = REGISTERS["RUN"].fields
        values = {"function_code": function.code, "output_words": words, "message_bytes": bytes_}
        word = 0
        for one in fields:
            value = values[one.name]
            word |= one.mask if value is None else value << one.low
        await self.write("RUN", word)

    async def clear(self) -> None:
        """Clear, and wait until it is idle."""
        await self.command("clear")
        await self.phase(IDLE)

    async def begin(self, function: Function, length: int = 0, tail: int = 0) -> None:
        """Begin a message; `tail` is what TAIL holds."""
        await self.write("CONFIG", function.code)
        await self.write("LENGTH", length)
        await self.write("TAIL", tail)
        await self.command("start")

    async def feed(self, data: bytes, *, whole: bool = False) -> None:
        """Write message bytes; if not `whole` words first, in writes of one to four anywhere."""
        while data:
            count = min(4, len(data))
            low = 0
            if not whole and self.rng.random() < 0.4:
                count = self.rng.randrange(1, count + 1)
            if count < 4:
                low = self.rng.randrange(5 - count)
            word = bytearray(self.rng.randbytes(4))
            word[low : low + count] = data[:count]
            strobe = (1 << low + count) - (1 << low)
            await self.write("MESSAGE", int.from_bytes(word, "little"), strobe=strobe)
            data = data[count:]

    async def words(self, count: int) -> bytes:
        """Read words of output."""
        return b"".join([(await self.read("DIGEST")).to_bytes(4, "little") for _ in range(count)])

    async def digest(
        self, function: Function, data: bytes, *, bits: int | None = None, output_bits: int = 0
    ) -> bytes:
        """Hash the first `bits` bits of `data` (all if None)."""
        bits = 8 * len(data) if bits is None else bits
        rest = bits % 8
        last = data[bits // 8] if rest else self.rng.getrandbits(8)
        await self.begin(function, output_bits, last << 8 | rest)
        await self.feed(data[: bits // 8], whole=self.rng.random() < 0.5)
        await self.command("last")
        wanted = output_bits if function.xof else function.digest_bits
        found = await self.words(-(-wanted // 32))
        assert not any(found[-(-wanted // 8) :]), "bits after the output's end"
        return found[: -(-wanted // 8)]

    async def save(self) -> tuple[Saved, bytes]:
        """Hold the hash and take it away; also the words of output that it has left."""
        await self.command("hold")
        await self.phase(HELD)
        left = await self.words(await self.get("STATUS", "digest_words"))
        saved = Saved(
            await self.read("CONFIG"),
            await self.read("LENGTH"),
            await self.read("POSITION"),
            [await self.read("STATE.WORD", index) for index in range(50)],
        )
        await self.clear()
        return saved, left

    async def restore(self, saved: Saved) -> None:
        """Go on with a saved hash."""
        await self.command("hold")
        await self.phase(HELD)
        await self.write("CONFIG", saved.config)
        await self.write("LENGTH", saved.length)
        await self.write("POSITION", saved.position)
        order = list(range(50))
        if self.rng.random() < 0.2:
            self.rng.shuffle(order)
        for index in order:
            await self.write("STATE.WORD", saved.state[index], index=index)
        await self.command("resume")
