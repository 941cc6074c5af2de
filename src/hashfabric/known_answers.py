"""Known answers: what every variant is checked by before it is measured, and its clocks a block."""

import hashlib
import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hashfabric import model
from hashfabric.errors import LabError
from hashfabric.functions import FUNCTIONS, Function
from hashfabric.registry import Design, Variant
from hashfabric.simulate import Answer, Message, StreamSim, run_engine

_ENGINE_BLOCKS = 8
_LONG_BLOCKS = 4000  # over all slots,
_LEAST_BLOCKS = 300  # but so many in each: its first and last clocks must not count much
_CLOCKS_TOLERANCE = 0.01

_FIXED = {
    # FIPS 202 example values (csrc.nist.gov) for the 5 bits 11001, and Ethereum's empty hash.
    ("sha3-256", b"\x13", 5): "7b0047cf5a456882363cbf0fb05322cf65f4b7059a46365e830132e3b5d957af",
    ("keccak-256", b"", 0): "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
}


def quick_check(design: Design, variants: Iterable[str] | None = None) -> dict[str, float]:
    """Check known answers of `variants`, else all; return the clocks a block measured, by variant.

    `LabError` on the first wrong digest, and where the clocks are not what the registry says.
    """
    measured = {}
    for name in design.variants if variants is None else variants:
        variant = design.variant(name)
        check = {"engine": _check_engine, "stream": _check_stream}[variant.kind]
        measured[name] = round(check(design, name, variant), 4)
    return measured


def _check_engine(design: Design, name: str, variant: Variant) -> float:
    """Fill every slot, once without a stall and once with blocks that come late."""
    timing = design.timing(variant)
    messages = [
        [_bytes(200, f"{slot} {i}") for i in range(_ENGINE_BLOCKS)] for slot in range(timing.slots)
    ]
    wanted = [_absorbed(message) for message in messages]
    turn = math.ceil(timing.slots * timing.clocks_per_block)
    for gap in (2 * turn, 0):
        run = run_engine(design, variant, messages, longest_gap=gap)
        for slot, state in enumerate(run.states):
            if state != wanted[slot]:
                late = " that come late" if gap else ""
                raise LabError(
                    f"{design.name} {name}: wrong state in slot {slot} "
                    f"after {_ENGINE_BLOCKS} blocks{late}"
                )
    _check_clocks(f"{design.name} {name}", run.clocks_per_block, timing.clocks_per_block)
    return run.clocks_per_block


def _absorbed(message: list[bytes]) -> bytes:
    state = [0] * 25
    for block in message:
        state = model.absorb(state, int.from_bytes(block, "little"))
    return model.state_bytes(state)


@dataclass(frozen=True)
class _Case:
    """A message and the digest it must have."""

    message: Message
    wanted: bytes


def _check_stream(design: Design, name: str, variant: Variant) -> float:
    """Send short messages of every kind over all slots, then long ones that fill them."""
    what = f"{design.name} {name}"
    sim = StreamSim(design, variant)
    functions = [FUNCTIONS[key] for key in design.functions]
    cases = [case for function in functions for case in _cases(function)]
    _check_cases(sim, what, cases)
    by_function = {}
    for function in functions:
        if function.name in {"sha3-256", "shake128", functions[0].name}:
            clocks = _clocks_at_full_slots(sim, what, function)
            _check_clocks(
                f"{what}: {function.name}", clocks, design.timing(variant).clocks_per_block
            )
            by_function[function.name] = clocks
    return by_function.get("sha3-256", by_function[functions[0].name])


def _cases(function: Function) -> Iterator[_Case]:
    """Yield what a function is checked with: ends of blocks, bits, an output of several blocks."""
    rate = function.rate_bits // 8
    for (name, data, bits), known in _FIXED.items():
        if name == function.name:
            yield _Case(Message(function, data, bits), bytes.fromhex(known))
    for data, bits in (
        (b"", 0),
        (b"abc", 24),
        (b"\xf3", 5),  # Bits above the fifth must not count.
        (_bytes(rate, function.name), 8 * rate),
        (_bytes(3 * rate - 1, function.name), 8 * (3 * rate - 1)),
    ):
        yield _Case(Message(function, data, bits), model.digest(function, data, bits=bits))
    if function.xof:
        long = 3 * function.rate_bits + 12
        digest = model.digest(function, b"abc", output_bits=long)
        yield _Case(Message(function, b"abc", output_bits=long), digest)


def _check_cases(sim: StreamSim, what: str, cases: Sequence[_Case]) -> list[Answer]:
    """Send the messages, each to the next slot, and compare; return the answers."""
    due: list[deque[_Case]] = [deque() for _ in range(sim.slots)]
    for index, case in enumerate(cases):
        slot = index % sim.slots
        due[slot].append(case)
        sim.push(replace(case.message, slot=slot))
    answers = sim.run()
    for answer in answers:
        case = due[answer.slot].popleft()
        if answer.error or answer.digest != case.wanted:
            function, bits = case.message.function, case.message.bits
            asked = "" if case.message.output_bits is None else ", a long output"
            length = 8 * len(case.message.data) if bits is None else bits
            raise LabError(f"{what}: wrong digest: {function.name} of {length} bits{asked}")
    return answers


def _clocks_at_full_slots(sim: StreamSim, what: str, function: Function) -> float:
    """Hash a long message in every slot at once; return the clocks a block of all of them."""
    blocks = max(_LONG_BLOCKS // sim.slots, _LEAST_BLOCKS)
    length = blocks * function.rate_bits // 8 - 1  # The padding fills the last block.
    datas = [_bytes(length, f"{function.name} {slot}") for slot in range(sim.slots)]
    cases = [_Case(Message(function, data), _long_digest(function, data)) for data in datas]
    answers = _check_cases(sim, what, cases)
    clocks = max(answer.end for answer in answers) - min(answer.start for answer in answers) + 1
    return clocks / (blocks * sim.slots)


def _long_digest(function: Function, data: bytes) -> bytes:
    """Hash with hashlib where it can: thousands of blocks take the model seconds."""
    count = function.digest_bits // 8
    if function.name == "shake128":
        return hashlib.shake_128(data).digest(count)
    if function.name == "shake256":
        return hashlib.shake_256(data).digest(count)
    if function.name.startswith("sha3"):
        return hashlib.new(function.name.replace("-", "_"), data).digest()
    return model.digest(function, data)


def _check_clocks(what: str, measured: float, wanted: float) -> None:
    if abs(measured - wanted) > _CLOCKS_TOLERANCE * wanted:
        raise LabError(f"{what}: {measured:.3f} clocks a block, not the registry's {wanted:g}")


def _bytes(count: int, seed: str) -> bytes:
    """Return `count` bytes that look random and are always the same."""
    return hashlib.shake_128(seed.encode()).digest(count)
