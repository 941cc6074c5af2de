"""Known answers: what every variant is checked by before it is measured, and its clocks a block."""

import hashlib
import math
from collections.abc import Iterable

from hashfabric import model
from hashfabric.errors import LabError
from hashfabric.functions import FUNCTIONS, Function
from hashfabric.registry import Design, Variant
from hashfabric.simulate import StreamSim, run_engine

_ENGINE_BLOCKS = 8
_LONG_BLOCKS = 4000
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


def _check_stream(design: Design, name: str, variant: Variant) -> float:
    sim = StreamSim(design, variant)
    functions = [FUNCTIONS[name] for name in design.functions]
    for (function_name, data, bits), wanted in _FIXED.items():
        if function_name in design.functions:
            _check_digest(sim, FUNCTIONS[function_name], data, bits, bytes.fromhex(wanted))
    for function in functions:
        rate = function.rate_bits // 8
        for data, bits in (
            (b"", 0),
            (b"abc", 24),
            (b"\xf3", 5),  # Bits above the fifth must not count.
            (_bytes(rate, function.name), 8 * rate),
            (_bytes(3 * rate - 1, function.name), 8 * (3 * rate - 1)),
        ):
            _check_digest(sim, function, data, bits, model.digest(function, data, bits=bits))
        if function.xof:
            long = 3 * function.rate_bits + 12
            wanted_bytes = model.digest(function, b"abc", output_bits=long)
            if sim.hash(function, [b"abc"], output_bits=long).digest != wanted_bytes:
                raise LabError(f"{design.name}: wrong digest: {function.name}, {long} bits out")
    by_function = {}
    for function in functions:
        if function.name not in {"sha3-256", "shake128", functions[0].name}:
            continue
        data = _bytes(_LONG_BLOCKS * function.rate_bits // 8 - 1, function.name)
        run = sim.hash(function, [data])
        if run.digest != _long_digest(function, data):
            raise LabError(f"{design.name}: wrong digest: {function.name}, {len(data)} bytes")
        by_function[function.name] = run.clocks / run.blocks
        _check_clocks(
            f"{design.name} {name}: {function.name}",
            by_function[function.name],
            design.timing(variant).clocks_per_block,
        )
    return by_function.get("sha3-256", by_function[functions[0].name])


def _check_digest(
    sim: StreamSim, function: Function, data: bytes, bits: int, wanted: bytes
) -> None:
    run = sim.hash(function, [data], bits=bits)
    if run.error or run.digest != wanted:
        raise LabError(f"{sim.name}: wrong digest: {function.name} of {bits} bits")


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
