"""The golden models of SP 800-185 and RFC 9861 against published answers and other libraries."""

import random

import pytest

from hashfabric.models import keccak, rfc9861, sp800_185
from hashfabric.models.sp800_185 import FRAMED, BitString, Framed, bit_string
from tests.support.oracles import framed_digest, kt128_digest, turboshake_digest
from tests.support.samples import (
    Sample,
    TreeSample,
    nist_samples,
    pattern,
    rfc9861_samples,
)

QUICK_BYTES = 20_000
"""Of a vector's message and customization: the model takes a second for 300 KB."""


def model(function: Framed, sample: Sample) -> bytes:
    """The model's output for a sample's inputs, as long as the sample's."""
    bits = 8 * len(sample.output)
    data, custom = bit_string(sample.data), sample.custom
    if function.kind == "cshake":
        return sp800_185.cshake(function.strength, data, bits, custom=custom)
    if function.kind == "kmac":
        return sp800_185.kmac(function, bit_string(sample.key), data, bits, custom)
    if function.kind == "tuplehash":
        texts = [bit_string(text) for text in sample.texts]
        return sp800_185.tuplehash(function, texts, bits, custom)
    return sp800_185.parallelhash(function, data, sample.block_bytes, bits, custom)


@pytest.mark.parametrize("name", FRAMED)
def test_samples_of_nist(name: str) -> None:
    """All of a function's."""
    samples = [sample for sample in nist_samples() if sample.function == name]
    assert len(samples) >= 2
    for sample in samples:
        assert model(FRAMED[name], sample) == sample.output


@pytest.mark.parametrize("name", FRAMED)
def test_libraries(name: str) -> None:
    """Strings, blocks and outputs of any number of bytes, around the end of a block too."""
    function, rng = FRAMED[name], random.Random(name)
    rate = function.rate_bytes
    for length in (0, 1, rate - 9, rate - 3, rate - 1, rate, 2 * rate + 1):
        sample = Sample(
            function=name,
            data=rng.randbytes(length),
            texts=tuple(rng.randbytes(rng.choice((0, 1, 31, 32, 40))) for _ in range(length % 5)),
            key=rng.randbytes(rng.choice((0, 16, 32, rate - 4, rate))),
            custom=rng.randbytes(rng.choice((0, 3, rate - 12, 300))),
            block_bytes=rng.choice((1, 8, 137, 300)),
            output=bytes(rng.choice((1, 32, 64, rate, rate + 1))),
        )
        wanted = framed_digest(
            name,
            len(sample.output),
            data=sample.data,
            texts=sample.texts,
            key=sample.key,
            custom=sample.custom,
            block_bytes=sample.block_bytes,
        )
        assert model(function, sample) == wanted


def test_cshake_with_a_name() -> None:
    """N in front of S; without both it is SHAKE."""
    for strength in (128, 256):
        for name, custom in ((b"N", b""), (b"", b"S"), (b"Name", b"text"), (b"", b"")):
            wanted = framed_digest(
                f"cshake{strength}", 40, data=b"abc", function_name=name, custom=custom
            )
            assert sp800_185.cshake(strength, bit_string(b"abc"), 320, name, custom) == wanted


def text_of(bits: str) -> BitString:
    """The string of '0' and '1'; the first is bit 0."""
    return BitString(int(bits[::-1] or "0", 2), len(bits))


def text_bits(data: bytes) -> str:
    """The bits of bytes as '0' and '1', as FIPS 202 counts them."""
    return "".join(f"{byte:08b}"[::-1] for byte in data)


@pytest.mark.parametrize("name", ["kmac128", "kmacxof256"])
@pytest.mark.parametrize(("key", "message", "output"), [(13, 7, 20), (5, 1085, 131), (128, 3, 256)])
def test_kmac_of_bits(name: str, key: int, message: int, output: int) -> None:
    """Key, message and output end inside a byte: the framing as the standard's words say it."""
    function, rng = FRAMED[name], random.Random(key)
    rate = function.rate_bytes

    def left(value: int) -> str:
        digits = value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")
        return text_bits(bytes([len(digits)]) + digits)

    def right(value: int) -> str:
        digits = value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")
        return text_bits(digits + bytes([len(digits)]))

    def pad(text: str) -> str:
        text = left(rate) + text
        return text + "0" * (-len(text) % (8 * rate))

    key_bits, data_bits = (f"{rng.getrandbits(count):0{count}b}" for count in (key, message))
    framed = pad(left(32) + text_bits(b"KMAC") + left(16) + text_bits(b"My"))
    framed += pad(left(key) + key_bits) + data_bits + right(0 if function.xof else output)
    whole = text_of(framed)
    wanted = keccak.digest(function.cshake, whole.to_bytes(), bits=len(framed), output_bits=output)
    got = sp800_185.kmac(function, text_of(key_bits), text_of(data_bits), output, b"My")
    assert got == wanted


def tree(sample: TreeSample) -> bytes:
    """The model's output for a vector's inputs."""
    strength = int(sample.function[-3:])
    if sample.function.startswith("kt"):
        return rfc9861.kangarootwelve(strength, sample.data, sample.custom, sample.count)
    return rfc9861.turboshake(strength, sample.data, sample.count, sample.domain)


def vectors(*, long: bool) -> list[TreeSample]:
    """Those that are long, or the others; the longest (24 MB, minutes) are left out."""
    found = []
    for sample in rfc9861_samples():
        size = len(sample.data) + len(sample.custom) + sample.count
        if size <= 17**5 + sample.count and (size > QUICK_BYTES) == long:
            found.append(sample)
    return found


@pytest.mark.parametrize("function", ["turboshake128", "turboshake256", "kt128", "kt256"])
@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_vectors_of_rfc_9861(function: str, long: bool) -> None:
    """All but those of 24 MB."""
    chosen = [sample for sample in vectors(long=long) if sample.function == function]
    assert chosen
    for sample in chosen:
        assert tree(sample).endswith(sample.end)


def test_turboshake_of_libraries() -> None:
    """Any domain byte, around a block's end; no other domain byte."""
    rng = random.Random(9861)
    for strength in (128, 256):
        rate = rfc9861.rate_bytes(strength)
        for length in (0, rate - 2, rate - 1, rate, rate + 1):
            domain, data = rng.randrange(1, 0x80), rng.randbytes(length)
            wanted = turboshake_digest(strength, data, rate + 7, domain)
            assert rfc9861.turboshake(strength, data, rate + 7, domain) == wanted
    for domain in (0, 0x80):
        with pytest.raises(ValueError, match="domain byte"):
            rfc9861.turboshake(128, b"", 1, domain)


def test_kangarootwelve_of_libraries() -> None:
    """Around the end of a chunk; KT256 by pycryptodome's TurboSHAKE, its tree written here."""
    for length, custom in ((0, 3), (8190, 0), (8191, 0), (8192, 0), (8192, 300), (16384, 2)):
        data, text = pattern(length), pattern(custom)
        assert rfc9861.kangarootwelve(128, data, text, 50) == kt128_digest(data, text, 50)
    data = pattern(16385)
    leaves = [
        turboshake_digest(256, part, 64, 0x0B)
        for part in (data[8192:16384], data[16384:] + b"\x00")
    ]
    node = data[:8192] + b"\x03" + bytes(7) + b"".join(leaves) + b"\x02\x01\xff\xff"
    assert rfc9861.kangarootwelve(256, data, b"", 70) == turboshake_digest(256, node, 70, 0x06)
