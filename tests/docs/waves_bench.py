"""Plays a scenario of docs/waves/ and records the ports in every clock.

Runs inside the simulator; `waves.py` starts it. Engines are driven by their contract's bench, which
checks every state on the way; of a stream the digests are checked here.
"""

import hashlib
import os
import random
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from hashfabric.models.functions import FUNCTIONS
from hashfabric.models.rfc9861 import KANGAROOS
from hashfabric.models.sp800_185 import PARALLEL_BLOCK_BYTES, PARALLEL_HASHES
from hashfabric.registry import registers
from hashfabric.simulate.stream import StreamMessage, beats_of, packet_beats, tree_beats
from tests.docs.waves import OPERATIONS, Recording, Sample, Scenario
from tests.rtl.engines import contract_bench
from tests.rtl.finalists import finalists, finalists_bench
from tests.support.oracles import framed_digest, kangaroo_digest
from tests.support.states import WIDTH, keccak_f

ENGINE_PORTS = ["blk_valid_i", "blk_ready_o", "blk_slot_o", "blk_first_i", "blk_last_i", "blk_i"]
ENGINE_PORTS += ["st_valid_o", "st_ready_i", "st_slot_o", "st_o"]
FINALIST_PORTS = [*ENGINE_PORTS, "blk_size_i", "blk_count_i"]
STREAM_PORTS = [
    f"{side}_axis_{port}"
    for side in "sm"
    for port in ("tvalid", "tready", "tdata", "tkeep", "tlast", "tid", "tuser")
]


PERIPHERAL_PORTS = [
    f"s_apb_{port}" for port in ("psel", "penable", "pwrite", "paddr", "pwdata", "pready", "prdata")
]
WORD_PORTS = [f"op_{port}" for port in ("valid_i", "ready_o", "i", "addr_i", "word_i")] + ["word_o"]
SYSTEM_PORTS = ["rst_i", "host_write_i", "host_addr_i", "host_wdata_i", "host_rdata_o"]
SYSTEM_PORTS += ["mail_valid_o", "mail_data_o"]
PROGRAMS = {
    "picorv32-plain": [0x8000_02B7, 0x0052_A023, 0x0000_006F],
    "leon3-plain": [0x0320_0000, 0xC220_4000, 0x3080_0000],
}
"""What a system's diagram runs: it stores 0x80000000 there, and jumps to itself.

On RISC-V `lui t0, 0x80000`, `sw t0, 0(t0)` and `j .`, on SPARC `sethi 0x200000, %g1`,
`st %g1, [%g1]` and `ba,a .`.
"""


def scenario() -> Scenario:
    """Return what is to be played."""
    return Scenario.model_validate_json(os.environ["HF_SCENARIO"])


def sample(dut: Any, ports: list[str]) -> dict[str, int]:
    """Return the ports as they are."""
    return {port: int(getattr(dut, port).value) for port in ports}


def save(samples: list[Sample], names: dict[int, str]) -> None:
    """Leave what was recorded where `waves.py` looks for it."""
    Path(os.environ["HF_WAVES"]).write_text(Recording(samples, names).text(), encoding="utf-8")


class Steady(random.Random):
    """Flags are low where there is no offer: an engine's `blk_ready_o` may follow them there."""

    def random(self) -> float:
        """Return what the bench takes for a low flag, and for room if there always is."""
        return 0.5


async def recorded(
    bench: Any, dut: Any, played: Scenario, programs: Mapping[int, list[Any]], ports: list[str]
) -> list[Sample]:
    """Give each slot of a contract's bench its blocks in due time; return all clocks' ports."""
    samples: list[Sample] = []
    for now in range(played.clocks):
        for slot, blocks in programs.items() if now == played.start else ():
            bench.slots[slot].blocks.extend(blocks)
        await bench.clock()
        samples.append(sample(dut, ports))
    return samples


@cocotb.test()
async def play_engine(dut: Any) -> None:
    """A Keccak engine."""
    bench = await contract_bench.new_bench(dut)
    bench.rng = Steady(cocotb.RANDOM_SEED)
    names: dict[int, str] = {}
    played = scenario()
    programs: dict[int, list[contract_bench.Block]] = defaultdict(list)
    for traffic in played.messages:
        count = traffic.blocks  # their data are random: none is like another
        blocks = [
            contract_bench.Block(i == 0, i == count - 1, bench.rng.getrandbits(WIDTH), gap)
            for i, gap in enumerate([0] + [traffic.gap] * (count - 1))
        ]
        programs[traffic.slot].extend(blocks)
        state = 0
        for i, block in enumerate(blocks, 1):
            name = f"{traffic.name}{i}"
            names[block.data] = name
            names[state ^ block.data] = name if i == 1 else f"{name}r"
            state = keccak_f(state ^ block.data)
            names[state] = f"f{name}"
    samples = await recorded(bench, dut, played, programs, ENGINE_PORTS)
    assert not any(slot.blocks for slot in bench.slots), "too few clocks"
    save(samples, names)


@cocotb.test()
async def play_finalist(dut: Any) -> None:
    """A finalist's engine."""
    played = scenario()
    engine = finalists.ENGINES[f"{played.design}-{played.variant}"]
    bench = finalists_bench.Bench(dut, engine)
    await bench.start()
    pool = finalists_bench.Pool(engine, bench.rng, 0)
    names: dict[int, str] = {}
    programs: dict[int, list[finalists_bench.Block]] = defaultdict(list)
    mask = 0
    for traffic in played.messages:
        size = FUNCTIONS[traffic.function].digest_bits
        mask = (1 << size) - 1  # higher bits of st_o are ignored
        blocks = pool.message(size, 8 * traffic.bytes)
        programs[traffic.slot].extend(blocks)
        names[int.from_bytes(blocks[-1].digest, "little")] = traffic.name.lower()
        for i, block in enumerate(blocks, 1):
            names[int.from_bytes(block.data, "little")] = f"{traffic.name}{i}"
    samples = await recorded(bench, dut, played, programs, FINALIST_PORTS)
    assert not any(slot.blocks for slot in bench.slots), "too few clocks"
    save([{**now, "st_o": now["st_o"] & mask} for now in samples], names)


@cocotb.test()
async def play_stream(dut: Any) -> None:
    """A stream: its beats are offered one after the other, the digests are compared."""
    played = scenario()
    rng = random.Random(cocotb.RANDOM_SEED)
    width = len(dut.s_axis_tdata) // 8
    names: dict[int, str] = {}
    beats: list[dict[str, int]] = []
    wanted: dict[int, deque[bytes]] = defaultdict(deque)
    for traffic in played.messages:
        data, custom = rng.randbytes(traffic.bytes), rng.randbytes(traffic.custom)
        if tree := KANGAROOS.get(traffic.function):
            digest = kangaroo_digest(tree.name, data, custom, tree.digest_bits // 8)
            sent = list(tree_beats(tree.code, data, custom, 8 * len(digest), width, traffic.slot))
        elif parallel := PARALLEL_HASHES.get(traffic.function):
            count, block = parallel.digest_bits // 8, PARALLEL_BLOCK_BYTES
            digest = framed_digest(parallel.name, count, data=data, block_bytes=block)
            sent = list(packet_beats(parallel.code, data, 8 * count, width, traffic.slot))
        else:
            function = FUNCTIONS[traffic.function]
            digest = hashlib.new(function.name.replace("-", "_"), data).digest()
            sent = list(beats_of(StreamMessage(function, data, slot=traffic.slot), width))
        for i, beat in enumerate(sent, 1):
            names[beat.data] = f"{traffic.name}{i}" if beat.keep else "0"
            ports = {"tdata": beat.data, "tkeep": beat.keep, "tlast": int(beat.last)}
            beats.append({**ports, "tid": beat.slot, "tuser": beat.user})
        for i, (part, word) in enumerate(words(digest, width), 1):
            names[word] = f"{traffic.name.lower()}{i}"
            wanted[traffic.slot].append(part)
    dut.rst_i.value = 1
    dut.s_axis_tvalid.value = 0
    dut.m_axis_tready.value = 0
    dut.m_axis_stop.value = 0
    Clock(dut.clk_i, 2, unit="ns").start()
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    samples: list[Sample] = []
    for now in range(played.clocks):
        offered = bool(beats) and now >= played.start
        dut.s_axis_tvalid.value = int(offered)
        for port, value in beats[0].items() if offered else ():
            getattr(dut, f"s_axis_{port}").value = value
        stalled = any(first <= now <= last for first, last in played.stall)
        dut.m_axis_tready.value = int(not stalled)
        await ReadOnly()
        samples.append(seen := sample(dut, STREAM_PORTS))
        if seen["s_axis_tvalid"] and seen["s_axis_tready"]:
            beats.pop(0)
        if seen["m_axis_tvalid"] and seen["m_axis_tready"]:
            part = wanted[seen["m_axis_tid"]].popleft()
            assert seen["m_axis_tdata"] == int.from_bytes(part, "little"), f"clock {now}"
        await FallingEdge(dut.clk_i)
    assert not beats and not any(wanted.values()), "too few clocks"
    save(samples, names)


@cocotb.test()
async def play_system(dut: Any) -> None:
    """A system: the host writes the program, releases reset, and reads a word after the mail."""
    played = scenario()
    program = PROGRAMS[played.design]
    [loaded] = played.messages
    assert loaded.bytes == 4 * len(program)
    names = {word: f"{loaded.name}{i}" for i, word in enumerate(program, 1)} | {1 << 31: "mail"}
    dut.rst_i.value = 1
    dut.host_write_i.value = dut.host_addr_i.value = dut.host_wdata_i.value = 0
    Clock(dut.clk_i, 2, unit="ns").start()
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    samples: list[Sample] = []
    mailed = False
    for now in range(played.clocks):
        at = now - played.start
        dut.host_write_i.value = int(0 <= at < len(program))
        dut.host_addr_i.value = at if 0 <= at < len(program) else 0
        dut.host_wdata_i.value = program[at] if 0 <= at < len(program) else 0
        dut.rst_i.value = int(at <= len(program) or mailed)
        await ReadOnly()
        samples.append(seen := sample(dut, SYSTEM_PORTS))
        mailed = mailed or bool(seen["mail_valid_o"])
        await FallingEdge(dut.clk_i)
    assert mailed and samples[-1]["host_rdata_o"] == program[0], "too few clocks"
    save(samples, names)


@cocotb.test()
async def play_word_engine(dut: Any) -> None:
    """An engine of the word contract: wipe, adds of a message's words, permute, reads, compared."""
    played = scenario()
    rng = random.Random(cocotb.RANDOM_SEED)
    [message] = played.messages
    width = len(dut.op_word_i)
    added = [word for _, word in words(rng.randbytes(message.bytes), width // 8)]
    state = keccak_f(sum(word << width * i for i, word in enumerate(added)))
    wanted = [state >> width * i & ((1 << width) - 1) for i in range(len(added))]
    names = {word: f"{message.name}{i}" for i, word in enumerate(added, 1)}
    names |= {word: f"f{message.name}{i}" for i, word in enumerate(wanted, 1)}
    offers = deque([("wipe", 0, 0)])
    offers.extend(("add", i, word) for i, word in enumerate(added))
    offers.append(("permute", 0, 0))
    offers.extend(("read", i, word) for i, word in enumerate(wanted))
    dut.rst_i.value = 1
    dut.op_valid_i.value = dut.op_i.value = dut.op_addr_i.value = 0
    dut.op_bytes_i.value = dut.op_word_i.value = 0
    Clock(dut.clk_i, 2, unit="ns").start()
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    samples: list[Sample] = []
    for now in range(played.clocks):
        offered = bool(offers) and now >= played.start
        dut.op_valid_i.value = int(offered)
        if offered:
            kind, address, word = offers[0]
            dut.op_i.value = OPERATIONS.index(kind)
            dut.op_addr_i.value = address
            dut.op_bytes_i.value = (1 << width // 8) - 1 if kind == "add" else 0
            dut.op_word_i.value = word if kind == "add" else 0
        await ReadOnly()
        samples.append(seen := sample(dut, WORD_PORTS))
        if seen["op_valid_i"] and seen["op_ready_o"]:
            kind, _, word = offers.popleft()
            assert kind != "read" or seen["word_o"] == word, f"clock {now}"
        await FallingEdge(dut.clk_i)
    assert not offers, "too few clocks"
    save(samples, names)


@cocotb.test()
async def play_peripheral(dut: Any) -> None:
    """A peripheral: a message by its registers, and two words of the digest, compared."""
    played = scenario()
    rng = random.Random(cocotb.RANDOM_SEED)
    known = registers.load()
    [message] = played.messages
    data = rng.randbytes(message.bytes)
    digest = hashlib.sha3_256(data).digest()  # what CONFIG has from the reset
    # Addresses have names of their own, above those of data.
    names = {(1 << 32) + register.address: name for name, register in known.items()}
    accesses: deque[tuple[str, int | None]] = deque()
    commands = {name: known["COMMAND"].field(name).mask for name in ("start", "last")}
    names |= {value: name for name, value in commands.items()}
    accesses.append(("COMMAND", commands["start"]))
    for i, (_, word) in enumerate(words(data, 4), 1):
        names[word] = f"{message.name}{i}"
        accesses.append(("MESSAGE", word))
    accesses.append(("COMMAND", commands["last"]))
    wanted = deque(word for _, word in words(digest[:8], 4))
    names |= {word: f"{message.name.lower()}{i}" for i, word in enumerate(wanted, 1)}
    accesses.extend(("DIGEST", None) for _ in wanted)
    dut.rst_i.value = 1
    dut.s_axis_tvalid.value = dut.s_apb_psel.value = dut.s_apb_penable.value = 0
    dut.s_apb_paddr.value = dut.s_apb_pwrite.value = dut.s_apb_pwdata.value = 0
    dut.s_apb_pstrb.value = 15
    Clock(dut.clk_i, 2, unit="ns").start()
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    samples: list[Sample] = []
    selected = False
    for now in range(played.clocks):
        dut.s_apb_penable.value = int(selected)
        selected = selected or (bool(accesses) and now >= played.start)
        dut.s_apb_psel.value = int(selected)
        if selected:
            name, value = accesses[0]
            dut.s_apb_paddr.value = known[name].address
            dut.s_apb_pwrite.value = int(value is not None)
            dut.s_apb_pwdata.value = value or 0
        await ReadOnly()
        samples.append(seen := sample(dut, PERIPHERAL_PORTS))
        if seen["s_apb_penable"] and seen["s_apb_pready"]:
            if accesses.popleft()[1] is None:
                assert seen["s_apb_prdata"] == wanted.popleft(), f"clock {now}"
            selected = False
        await FallingEdge(dut.clk_i)
    assert not accesses, "too few clocks"
    save(samples, names)


def words(data: bytes, width: int) -> Iterator[tuple[bytes, int]]:
    """Yield the words of `data`, `width` bytes each, as bytes and as a port has them."""
    for at in range(0, len(data), width):
        part = data[at : at + width]
        yield part, int.from_bytes(part, "little")
