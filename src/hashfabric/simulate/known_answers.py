"""Known answers: the check of every variant before it is measured, and its clocks a block."""

import hashlib
import math
import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from hashfabric.base.errors import LabError
from hashfabric.models import functions, keccak
from hashfabric.models.family import Function
from hashfabric.models.functions import FAMILIES, FUNCTIONS
from hashfabric.models.rfc9861 import (
    CHUNK_BYTES,
    KANGAROOS,
    Kangaroo,
    kangarootwelve,
    rate_bytes,
)
from hashfabric.models.sp800_185 import (
    PARALLEL_BLOCK_BYTES,
    PARALLEL_HASHES,
    ParallelHash,
    bit_string,
    parallelhash,
)
from hashfabric.registry.designs import Design, Variant
from hashfabric.simulate.engine import clocks_at_full_slots, run_engine
from hashfabric.simulate.finalist import run_finalist
from hashfabric.simulate.firmware import COMPILERS
from hashfabric.simulate.soc import SocSim
from hashfabric.simulate.soc import message as soc_message
from hashfabric.simulate.stream import (
    Answer,
    Beat,
    StreamMessage,
    StreamSim,
    packet_beats,
    tree_beats,
)
from hashfabric.simulate.system import SystemHasher, firmware_of
from hashfabric.simulate.words import run_words

_ENGINE_BLOCKS = 8
_SQUEEZES = 5
_LONG_BLOCKS = 4000  # over all slots,
_LEAST_BLOCKS = 300  # but at least this in each: first and last clocks must not count much
_FINALIST_BLOCKS = (2, 50)  # short and long: the golden models take milliseconds a block
_TREE_CHUNKS = 84  # a multiple of the slots that hash them: 3, 4, 6 or 7
_CLOCKS_TOLERANCE = 0.01
_LONGEST_OUTPUT_BITS = 1_000_000

_FIXED = {
    # FIPS 202 example values (csrc.nist.gov) for the 5 bits 11001, and Ethereum's empty hash.
    ("sha3-256", b"\x13", 5): "7b0047cf5a456882363cbf0fb05322cf65f4b7059a46365e830132e3b5d957af",
    ("keccak-256", b"", 0): "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
    # cSHAKE128, SP 800-185's sample 1: N empty, S "Email Signature", framed by hand.
    (
        "cshake128",
        (b"\x01\xa8\x01\x00\x01\x78Email Signature").ljust(168, b"\0") + b"\0\1\2\3",
        8 * 172,
    ): "c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5",
    # RFC 9861, section 5: TurboSHAKE128 of nothing, D = 1F.
    ("turboshake128", b"", 0): "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c",
    # The final round's submissions.
    ("blake-256", b"", 0): "716f6e863f744b9ac22c97ec7b76ea5f5908bc5b2f67c61510bfc4751384ea7a",
    ("groestl-512", b"", 0): "6d3ad29d279110eef3adbd66de2a0345a77baede1557f5d099fce0c03d6dc2ba"
    "8e6d4a6633dfbd66053c20faa87d1a11f39a7fbe4a6c2f009801370308fc4ad8",
    ("jh-256", b"", 0): "46e64619c18bb0a92a5e87185a47eef83ca747b8fcc8e1412921357e326df434",
    ("skein-512-512", b"", 0): "bc5b4c50925519c290cc634277ae3d6257212395cba733bbad37a4af0fa06af4"
    "1fca7903d06564fea7a2d3730dbdb80c1f85562dfcc070334ea4d1d9e72cba7a",
}


def quick_check(design: Design, variants: Iterable[str] | None = None) -> dict[str, float]:
    """Check known answers of `variants`, else all; return the clocks a block measured, by variant.

    `LabError` on the first wrong digest, and where the clocks are not those of the registry.
    """
    measured = {}
    for name in design.variants if variants is None else variants:
        variant = design.variant(name)
        wanted = design.timing(variant).clocks_per_block
        check = _check(design, variant)
        measured[name] = round(check(design, name, variant, partial(_as_registered, wanted)), 4)
    return measured


def check_configured(design: Design, name: str) -> float:
    """Check known answers of a variant with parameters set; return the clocks a block measured.

    The registry's clocks a block are for another configuration, and are not compared: the measured
    ones count, unless the port is too slow for them. `LabError` on the first wrong digest.
    """
    variant = design.variant(name)
    return round(_check(design, variant)(design, name, variant, _any_clocks), 4)


Compare = Callable[[str, float], None]
"""Takes the measured clocks a block of a variant: `LabError` if they are wrong."""

Check = Callable[[Design, str, Variant, Compare], float]
"""The check of a kind of variant; it returns the clocks a block that it measured."""


def _check(design: Design, variant: Variant) -> Check:
    """Return the check of a variant's kind; an engine's is that of its family's contract."""
    if variant.kind == "engine":
        return ENGINES[FAMILIES[design.family].engine]
    return KINDS[variant.kind]


def _check_engine(design: Design, name: str, variant: Variant, compare: Compare) -> float:
    """Fill every slot, once without a stall and once with blocks that come late."""
    timing = design.timing(variant)
    messages = [
        [_bytes(200, f"{slot} {i}") for i in range(_ENGINE_BLOCKS)] for slot in range(timing.slots)
    ]
    rounds = FUNCTIONS[design.functions[0]].rounds
    wanted = [_absorbed(message, rounds) for message in messages]
    clocks = 0.0
    for late in (False, True):
        gap = 2 * math.ceil(timing.slots * clocks) if late else 0
        run = run_engine(design, variant, messages, longest_gap=gap)
        for slot, state in enumerate(run.states):
            if state != wanted[slot]:
                said = " that come late" if late else ""
                raise LabError(
                    f"{design.name} {name}: wrong state in slot {slot} "
                    f"after {_ENGINE_BLOCKS} blocks{said}"
                )
        if not late:
            clocks = run.clocks_per_block
    compare(f"{design.name} {name}", clocks)
    return clocks


def _check_words(design: Design, name: str, variant: Variant, compare: Compare) -> float:
    """Absorb and squeeze messages, once without a pause and once with operations that come late."""
    messages = [[_bytes(200, f"{m} {i}") for i in range(_ENGINE_BLOCKS)] for m in range(3)]
    zero = [bytes(200)] * (_SQUEEZES + 1)
    wanted = [(_absorbed(message), _absorbed(message + zero)) for message in messages]
    what = f"{design.name} {name}"
    clocks = 0.0
    for late in (False, True):
        gap = 2 * math.ceil(clocks) if late else 0
        run = run_words(variant, messages, squeezes=_SQUEEZES, longest_gap=gap)
        for message, states in enumerate(run.states):
            if states != wanted[message]:
                said = " with operations that come late" if late else ""
                raise LabError(f"{what}: wrong state after message {message}{said}")
        if not late:
            clocks = run.clocks_per_block
            compare(what, clocks)
    return clocks


def _absorbed(message: list[bytes], rounds: int = keccak.ROUNDS) -> bytes:
    state = [0] * 25
    for block in message:
        state = keccak.absorb(state, int.from_bytes(block, "little"), rounds)
    return keccak.state_bytes(state)


def _functions(design: Design, variant: Variant) -> list[Function]:
    return [FUNCTIONS[name] for name in design.functions_of(variant)]


def _check_finalist(design: Design, name: str, variant: Variant, compare: Compare) -> float:
    """Hash with the padding done by the golden model: every function, long, then late blocks."""
    functions = _functions(design, variant)
    timing = design.timing(variant)
    what = f"{design.name} {name}"
    cases = [case for function in functions for case in cases_of(function)]
    long = [_case_of_blocks(functions[0], _FINALIST_BLOCKS[-1])] * timing.slots
    clocks = 0.0
    for late in (False, True):
        gap = 2 * math.ceil(timing.slots * clocks) if late else 0
        sent = cases if late else [*cases, *long]
        messages = [
            replace(case.message, slot=index % timing.slots) for index, case in enumerate(sent)
        ]
        run = run_finalist(design, variant, messages, longest_gap=gap)
        for case, digest in zip(sent, run.digests, strict=True):
            if digest != case.wanted:
                raise _wrong(what, case.message)
        if not late:
            clocks = clocks_at_full_slots(run.handshakes[-timing.slots :])
    compare(what, clocks)
    return clocks


def _case_of_blocks(function: Function, blocks: int) -> "KnownAnswer":
    """Return a message of `blocks` blocks."""
    length = (blocks * function.rate_bits - function.least_padding_bits) // 8
    data = _bytes(length, f"{function.name} {blocks}")
    return KnownAnswer(StreamMessage(function, data), functions.digest(function, data))


@dataclass(frozen=True)
class KnownAnswer:
    """A message and the digest it must have."""

    message: StreamMessage
    wanted: bytes


def _check_stream(design: Design, name: str, variant: Variant, compare: Compare) -> float:
    """Send short messages of every kind over all slots, then long ones that fill them."""
    what = f"{design.name} {name}"
    sim = StreamSim(design, variant)
    functions = _functions(design, variant)
    cases = [case for function in functions for case in cases_for(variant, function)]
    _check_cases(sim, what, cases)
    if design.tree is not None:
        kangaroo = KANGAROOS.get(design.tree)
        clocks = (
            _clocks_of_parallel(sim, what, PARALLEL_HASHES[design.tree])
            if kangaroo is None
            else _clocks_of_tree(sim, what, kangaroo)
        )
        compare(f"{what}: {design.tree}", clocks)
        return clocks
    by_function = {}
    for function in functions:
        if function.name in {"sha3-256", "shake128", functions[0].name}:
            if FAMILIES[function.family].engine == "permutation":
                clocks = _clocks_at_full_slots(sim, what, function)
            else:
                clocks = _clocks_between(sim, what, function)
            least = function.rate_bits / (8 * sim.width)
            if clocks < least * (1 - _CLOCKS_TOLERANCE):
                raise LabError(
                    f"{what}: {function.name}: {clocks:.3f} clocks a block measured, and its port "
                    f"takes {least:g} at least"
                )
            loaded = function.rate_bits // 64 - FUNCTIONS["sha3-256"].rate_bits // 64
            beyond = loaded * design.timing(variant).load_clocks
            compare(f"{what}: {function.name}", clocks - beyond)
            by_function[function.name] = clocks
    return by_function.get("sha3-256", by_function[functions[0].name])


def cases_of(function: Function) -> Iterator[KnownAnswer]:
    """Yield the messages for a function: ends of blocks, bits, an output of several blocks."""
    rate = function.rate_bits // 8
    for (name, data, bits), known in _FIXED.items():
        if name == function.name:
            yield KnownAnswer(StreamMessage(function, data, bits), bytes.fromhex(known))
    for data, bits in (
        (b"", 0),
        (b"abc", 24),
        (b"\xf3", 5),  # The other three bits must not count.
        (_bytes(rate, function.name), 8 * rate),
        (_bytes(3 * rate - 1, function.name), 8 * (3 * rate - 1)),
    ):
        yield KnownAnswer(
            StreamMessage(function, data, bits), functions.digest(function, data, bits=bits)
        )
    if function.xof:
        long = 3 * function.rate_bits + 12
        digest = functions.digest(function, b"abc", output_bits=long)
        yield KnownAnswer(StreamMessage(function, b"abc", output_bits=long), digest)


def cases_for(variant: Variant, function: Function) -> Iterator[KnownAnswer]:
    """Yield the messages for a stream; only whole bytes, and one output length, if it is built so.

    `LabError` for an output that is too long to simulate, such as one that runs until stopped.
    """
    length = int(variant.parameters.get("FixedLength", 0)) if function.xof else 0
    whole = bool(variant.parameters.get("WholeBytes"))
    if length > _LONGEST_OUTPUT_BITS:
        raise LabError(f"FixedLength={length}: an output of this length is not simulated")
    for case in cases_of(function):
        data = case.message.data
        bits = 8 * len(data) if whole or case.message.bits is None else case.message.bits
        wanted = length or case.message.output_bits
        if (bits, wanted) == (case.message.bits, case.message.output_bits):
            yield case
        else:
            digest = functions.digest(function, data, bits=bits, output_bits=wanted)
            yield KnownAnswer(StreamMessage(function, data, bits, wanted), digest)


def _check_cases(sim: StreamSim, what: str, cases: Sequence[KnownAnswer]) -> list[Answer]:
    """Send the messages, each to the next slot, and compare; return the answers."""
    due: list[deque[KnownAnswer]] = [deque() for _ in range(sim.slots)]
    for index, case in enumerate(cases):
        slot = index % sim.slots
        due[slot].append(case)
        sim.push(replace(case.message, slot=slot))
    answers = sim.run()
    for answer in answers:
        case = due[answer.slot].popleft()
        if answer.error or answer.digest != case.wanted:
            raise _wrong(what, case.message)
    return answers


def _check_system(design: Design, name: str, variant: Variant, compare: Compare) -> float:
    """Hash messages around the ends of blocks by every function, then one a block longer.

    Lengths in bits too, and more bytes in and out than one part has. The registry's clocks hold for
    the compiler that they were measured with.
    """
    what = f"{design.name} {name}"
    functions = _functions(design, variant)
    hasher = SystemHasher(design, variant)
    for function in functions:
        rate = function.rate_bits // 8
        messages = [
            StreamMessage(function, _bytes(length, f"{function.name} {length}"))
            for length in (0, 1, rate - 9, rate - 1, rate, rate + 1, 3 * rate + 5)
        ]
        if function in (functions[0], functions[-1]):
            data = _bytes(rate, function.name)
            messages += [StreamMessage(function, data, bits=8 * rate - 5)]
            messages += [StreamMessage(function, data, bits=8 * rate - 1)]
        if function is functions[0]:
            messages.append(StreamMessage(function, _bytes(10 * rate + 3, "parts")))
        if function.xof:
            messages.append(StreamMessage(function, b"abc", output_bits=8 * (2 * rate + 1)))
            messages.append(StreamMessage(function, b"abc", output_bits=8 * 4 * rate + 3))
        for message in messages:
            sent, bits, output_bits = message.data, message.bits, message.output_bits
            run = hasher.hash(function, sent, bits=bits, output_bits=output_bits)
            if run.digest != _golden(message):
                raise _wrong(what, message)
    function = FUNCTIONS["sha3-256"] if FUNCTIONS["sha3-256"] in functions else functions[0]
    short, long = (
        hasher.hash(function, bytes(blocks * function.rate_bits // 8 - 1)).clocks
        for blocks in (2, 3)
    )
    clocks = float(long - short)
    if COMPILERS[firmware_of(variant).compiler].version() == firmware_of(variant).version:
        compare(what, clocks)
    return clocks


def _check_peripheral(design: Design, name: str, variant: Variant, compare: Compare) -> float:
    """Hash by the registers the messages for streams, then two, one of them blocks longer.

    The clocks are those of a master that always has the next access ready, with those of the bus.
    With a DMA master the messages are hashed by it too, and the clocks are its own.
    """
    from hashfabric.simulate import peripheral  # noqa: PLC0415 - more packages

    what = f"{design.name} {name}"
    masked = variant.kind == "masked-peripheral"
    sim = (peripheral.MaskedPeripheralSim if masked else peripheral.PeripheralSim)(design, variant)
    ways = [sim.hash] if sim.memory is None else [sim.hash, sim.hash_in_memory]
    functions = _functions(design, variant)
    for function in functions:
        for case in cases_of(function):
            data, bits, wanted = case.message.data, case.message.bits, case.message.output_bits
            for way in ways:
                if way(function, data, bits=bits, output_bits=wanted) != case.wanted:
                    raise _wrong(what, case.message)
    function = FUNCTIONS["sha3-256"] if FUNCTIONS["sha3-256"] in functions else functions[0]
    ends = []
    for blocks in _FINALIST_BLOCKS:
        before, data = sim.clocks, _bytes(blocks * function.rate_bits // 8 - 4, what)
        if ways[-1](function, data) != _long_digest(function, data):
            raise _wrong(what, StreamMessage(function, data))
        ends.append(sim.clocks - before)
    clocks = (ends[1] - ends[0]) / (_FINALIST_BLOCKS[1] - _FINALIST_BLOCKS[0])
    compare(what, clocks)
    return clocks


def _check_chain(design: Design, name: str, variant: Variant, compare: Compare) -> float:
    """Compute chains of several lengths by the registers; return the clocks of a hash."""
    from hashfabric.registry.registers import CHAIN  # noqa: PLC0415 - more packages
    from hashfabric.simulate.peripheral import PeripheralSim  # noqa: PLC0415

    what = f"{design.name} {name}"
    sim = PeripheralSim(design, variant, CHAIN)
    caps = sim.read("CAPS")
    fields = sim.registers["CAPS"]
    size = caps & fields.field("value_bytes").mask

    def computed(begin: str, order: int, **words: bytes) -> bytes:
        for register, data in words.items():
            for index, word in enumerate(struct.unpack(f"<{len(data) // 4}I", data)):
                sim.write(f"{register.upper()}.WORD", word, index=index)
        sim.write(begin, order)
        before = sim.clocks
        while sim.read("STATUS"):
            sim.wait(0)
        ends.append(sim.clocks - before)
        found = [sim.read("VALUE.WORD", index) for index in range(size // 4)]
        return struct.pack(f"<{len(found)}I", *found)

    ends: list[int] = []
    for count in (1, 15, 100, 200):
        prefix, address, value = (_bytes(n, f"{what} {count} {n}") for n in (size, 32, size))
        found = computed("COMMAND", count, prefix=prefix, address=address, value=value)
        first = int.from_bytes(address[28:], "big")
        for step in range(count):
            counted = address[:28] + ((first + step) % 2**32).to_bytes(4, "big")
            value = hashlib.shake_256(prefix + counted + value).digest(size)
        if found != value:
            raise LabError(f"{what}: wrong value after {count} hashes")
    if caps & fields.field("trees").mask:
        prefix, address, secret = (_bytes(n, f"{what} tree {n}") for n in (size, 28, size))
        order = 3 | sim.registers["TREE"].field("fors").mask
        found = computed("TREE", order, prefix=prefix, address=address + bytes(4), secret=secret)
        if found != _fors_root(prefix, address, secret, 3, 0):
            raise LabError(f"{what}: wrong root of a tree")
    clocks = (ends[3] - ends[2]) / 100
    compare(what, clocks)
    return clocks


def _fors_root(prefix: bytes, address: bytes, secret: bytes, height: int, index: int) -> bytes:
    """Return a node of a tree of FORS with SHAKE (FIPS 205, algorithms 14 and 15)."""

    def hashed(kind: int, message: bytes) -> bytes:
        words = struct.pack(">I4sII", kind, address[20:24], height, index)
        return hashlib.shake_256(prefix + address[:16] + words + message).digest(len(prefix))

    if height == 0:
        return hashed(3, hashed(6, secret))
    below = (_fors_root(prefix, address, secret, height - 1, 2 * index + side) for side in (0, 1))
    return hashed(3, b"".join(below))


def _check_soc(design: Design, name: str, variant: Variant, compare: Compare) -> float:
    """Have messages around the ends of blocks hashed in every way that the program has.

    The clocks are the driver's, from two messages, one of them blocks longer; the registry's hold
    for the compiler that they were measured with.
    """
    what = f"{design.name} {name}"
    sim = SocSim(design, variant)
    function = FUNCTIONS["sha3-256"]
    rate = function.rate_bits // 8
    for count in (0, 1, rate - 1, rate, rate + 1, 3 * rate + 5):
        for how in ("sha3", "wait", "dma", "dmawait", "software"):
            if sim.sha3(how, count)[1] != _long_digest(function, soc_message(count)):
                raise _wrong(f"{what}: {how}", StreamMessage(function, soc_message(count)))
    ends = []
    for blocks in _FINALIST_BLOCKS:
        count = blocks * rate - 4
        clocks, digest = sim.sha3("sha3", count)
        if digest != _long_digest(function, soc_message(count)):
            raise _wrong(what, StreamMessage(function, soc_message(count)))
        ends.append(clocks)
    per_block = (ends[1] - ends[0]) / (_FINALIST_BLOCKS[1] - _FINALIST_BLOCKS[0])
    if COMPILERS[firmware_of(variant).compiler].version() == firmware_of(variant).version:
        compare(what, per_block)
    return per_block


def _wrong(what: str, message: StreamMessage) -> LabError:
    length = 8 * len(message.data) if message.bits is None else message.bits
    asked = "" if message.output_bits is None else ", a long output"
    return LabError(f"{what}: wrong digest: {message.function.name} of {length} bits{asked}")


def _clocks_at_full_slots(sim: StreamSim, what: str, function: Function) -> float:
    """Hash a long message in every slot at once; return the clocks a block of all of them."""
    blocks = max(_LONG_BLOCKS // sim.slots, _LEAST_BLOCKS)
    length = blocks * function.rate_bits // 8 - 1  # The padding fills the last block.
    datas = [_bytes(length, f"{function.name} {slot}") for slot in range(sim.slots)]
    cases = [
        KnownAnswer(StreamMessage(function, data), _long_digest(function, data)) for data in datas
    ]
    answers = _check_cases(sim, what, cases)
    clocks = max(answer.end for answer in answers) - min(answer.start for answer in answers) + 1
    return clocks / (blocks * sim.slots)


def _clocks_of_tree(sim: StreamSim, what: str, function: Kangaroo) -> float:
    """Hash messages around the ends of chunks; return the clocks of each further block of one."""
    lengths = ((0, 0), (1, 3), (CHUNK_BYTES - 1, 0), (CHUNK_BYTES, 0), (3 * CHUNK_BYTES, 300))
    for length, custom in lengths:
        _tree_clocks(sim, what, function, _bytes(length, what), _bytes(custom, f"{what} C"))
    chunks = (_TREE_CHUNKS, 2 * _TREE_CHUNKS)
    ends = [_tree_clocks(sim, what, function, bytes(count * CHUNK_BYTES)) for count in chunks]
    return (ends[1] - ends[0]) * rate_bytes(function.strength) / (_TREE_CHUNKS * CHUNK_BYTES)


def _tree_clocks(
    sim: StreamSim, what: str, function: Kangaroo, data: bytes, custom: bytes = b""
) -> int:
    beats = tree_beats(function.code, data, custom, function.digest_bits, sim.width)
    wanted = kangarootwelve(function.strength, data, custom, function.digest_bits // 8)
    return _message_clocks(sim, f"{what}: wrong digest: {function.name}", data, beats, wanted)


def _message_clocks(
    sim: StreamSim, said: str, data: bytes, beats: Iterable[Beat], wanted: bytes
) -> int:
    """Send one message; return its clocks, or raise `LabError` with what is `said`."""
    sim.push_beats(beats)
    (answer,) = sim.run()
    if answer.error or answer.digest != wanted:
        raise LabError(f"{said} of {len(data)} bytes")
    return answer.end - answer.start + 1


def _clocks_of_parallel(sim: StreamSim, what: str, function: ParallelHash) -> float:
    """Hash messages around the ends of blocks; return the clocks of each further sponge's block."""

    def clocks_of(data: bytes) -> int:
        bits = function.digest_bits
        beats = packet_beats(function.code, data, bits, sim.width)
        wanted = parallelhash(function.framed, bit_string(data), size, bits)
        return _message_clocks(sim, f"{what}: wrong digest: {function.name}", data, beats, wanted)

    size = PARALLEL_BLOCK_BYTES
    for length in (0, 1, size - 1, size, 3 * size + 5):
        clocks_of(_bytes(length, what))
    ends = [clocks_of(bytes(count * size)) for count in (_TREE_CHUNKS, 2 * _TREE_CHUNKS)]
    return (ends[1] - ends[0]) * function.framed.rate_bytes / (_TREE_CHUNKS * size)


def _clocks_between(sim: StreamSim, what: str, function: Function) -> float:
    """Hash a short and a longer message; return the clocks of each additional block."""
    clocks = []
    for blocks in _FINALIST_BLOCKS:
        (answer,) = _check_cases(sim, what, [_case_of_blocks(function, blocks)])
        clocks.append(answer.end - answer.start)
    return (clocks[1] - clocks[0]) / (_FINALIST_BLOCKS[1] - _FINALIST_BLOCKS[0])


def _golden(message: StreamMessage) -> bytes:
    """Return a message's digest by the family's model, or by hashlib if possible."""
    if message.bits is None and message.output_bits is None:
        return _long_digest(message.function, message.data)
    return functions.digest(
        message.function, message.data, bits=message.bits, output_bits=message.output_bits
    )


def _long_digest(function: Function, data: bytes) -> bytes:
    """Hash with hashlib where it can: thousands of blocks take the model seconds."""
    count = function.digest_bits // 8
    if function.name == "shake128":
        return hashlib.shake_128(data).digest(count)
    if function.name == "shake256":
        return hashlib.shake_256(data).digest(count)
    if function.name.startswith("sha3"):
        return hashlib.new(function.name.replace("-", "_"), data).digest()
    return functions.digest(function, data)


def _as_registered(wanted: float, what: str, measured: float) -> None:
    if abs(measured - wanted) > _CLOCKS_TOLERANCE * wanted:
        raise LabError(f"{what}: {measured:.3f} clocks a block, not the registry's {wanted:g}")


def _any_clocks(what: str, measured: float) -> None:
    """Accept them: no value is expected."""


def _bytes(count: int, seed: str) -> bytes:
    """Return `count` bytes that look random and are always the same."""
    return hashlib.shake_128(seed.encode()).digest(count)


ENGINES: dict[str, Check] = {"permutation": _check_engine, "compression": _check_finalist}
"""The check of an engine by its family's contract."""

KINDS: dict[str, Check] = {
    "word-engine": _check_words,
    "stream": _check_stream,
    "peripheral": _check_peripheral,
    "masked-peripheral": _check_peripheral,
    "chain": _check_chain,
    "system": _check_system,
    "soc": _check_soc,
}
"""The check of any other variant by its kind; each returns the clocks a block that it measured."""
