"""Coefficients of ML-KEM and ML-DSA out of bytes, as FIPS 203 and 204 print the algorithms."""

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice

COEFFICIENTS = 256
Q_KEM, Q_DSA = 3_329, 8_380_417


def bits(data: Iterator[int]) -> Iterator[int]:
    """Yield BytesToBits of FIPS 203, algorithm 4."""
    for byte in data:
        yield from (byte >> i & 1 for i in range(8))


def sample_ntt(data: Iterator[int]) -> Iterator[int]:
    """Yield the coefficients of FIPS 203, algorithm 7."""
    while True:
        c0, c1, c2 = islice(data, 3)
        for d in (c0 + 256 * (c1 % 16), c1 // 16 + 16 * c2):
            if d < Q_KEM:
                yield d


def sample_cbd(eta: int) -> Callable[[Iterator[int]], Iterator[int]]:
    """Return FIPS 203, algorithm 8, without its last reduction."""

    def sample(data: Iterator[int]) -> Iterator[int]:
        stream = bits(data)
        while True:
            x = sum(islice(stream, eta))
            yield x - sum(islice(stream, eta))

    return sample


def rej_ntt_poly(data: Iterator[int]) -> Iterator[int]:
    """Yield the coefficients of FIPS 204, algorithms 30 and 14."""
    while True:
        b0, b1, b2 = islice(data, 3)
        z = 2**16 * (b2 & 0x7F) + 2**8 * b1 + b0
        if z < Q_DSA:
            yield z


def rej_bounded(eta: int) -> Callable[[Iterator[int]], Iterator[int]]:
    """Return FIPS 204, algorithms 31 and 15."""

    def sample(data: Iterator[int]) -> Iterator[int]:
        for z in data:
            for half in (z % 16, z // 16):
                if eta == 2 and half < 15:
                    yield 2 - half % 5
                if eta == 4 and half < 9:
                    yield 4 - half

    return sample


SAMPLINGS: dict[int, tuple[str, int, Callable[[Iterator[int]], Iterator[int]]]] = {
    1: ("shake_128", 16, sample_ntt),
    2: ("shake_256", 16, sample_cbd(2)),
    3: ("shake_256", 16, sample_cbd(3)),
    4: ("shake_128", 32, rej_ntt_poly),
    5: ("shake_256", 32, rej_bounded(2)),
    6: ("shake_256", 32, rej_bounded(4)),
}
"""By code of hf_sampler_pkg: the function, bits of a coefficient as it leaves, the algorithm."""


def wanted_words(code: int, data: bytes) -> list[int]:
    """Return the words of a polynomial."""
    _, width, sample = SAMPLINGS[code]
    values = [value % 2**width for value in islice(sample(iter(data)), COEFFICIENTS)]
    assert len(values) == COEFFICIENTS
    if width == 32:
        return values
    return [low | high << 16 for low, high in zip(values[::2], values[1::2], strict=True)]


def squeezed(code: int, seed: bytes) -> bytes:
    """Return more output of the sampling's function than a polynomial takes."""
    shake = hashlib.shake_128 if SAMPLINGS[code][0] == "shake_128" else hashlib.shake_256
    return shake(seed).digest(8_192)
