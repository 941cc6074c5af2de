"""SLH-DSA by the driver (driver/hf_slh_dsa.c), on the Verilated unit and peripheral.

Keys and signatures are those of the package slh-dsa (tests/driver/slh.py).
"""

import ctypes
import random
from collections.abc import Callable
from ctypes import c_size_t, c_uint8
from typing import Any

import pytest
from slhdsa.lowlevel.parameters import ShakeParameter

from hashfabric.registry import registers
from hashfabric.registry.designs import find_design
from hashfabric.simulate.peripheral import PeripheralSim
from tests.driver import slh
from tests.driver.driver import Bus, ChainDevice, Driver, Error, compiled, simulation
from tests.driver.slh import small_set

FILE = "hf_slh_dsa.c"
SMALL = small_set(16, layers=3, height=2, fors_height=3, fors_trees=5)
OFFSETS: dict[str, Callable[[ShakeParameter], int]] = {
    "R": lambda s: 0,
    "a secret value of FORS": lambda s: s.n,
    "a path of FORS": lambda s: s.n * (1 + s.k * (s.a + 1)) - 1,
    "a chain": lambda s: s.n * (1 + s.k * (s.a + 1)),
    "a chain of the checksum": lambda s: s.n * (1 + s.k * (s.a + 1) + 2 * s.n + 3) - 1,
    "a path": lambda s: s.n * (1 + s.k * (s.a + 1) + 2 * s.n + 3),
    "the last byte": lambda s: size_of(s) - 1,
}
"""Bytes of a signature, by what they are part of."""


def size_of(chosen: ShakeParameter) -> int:
    """Return the bytes of a signature (FIPS 205, table 2)."""
    fors = chosen.k * (chosen.a + 1)
    return chosen.n * (1 + fors + chosen.h + chosen.d * (2 * chosen.n + 3))


class Set(ctypes.Structure):
    """hf_slh_set."""

    _fields_ = tuple((name, c_uint8) for name in ("n", "d", "height", "a", "k"))


class Slh(ctypes.Structure):
    """hf_slh_device."""

    _fields_ = (("set", ctypes.c_void_p), ("chain", ctypes.c_void_p), ("keccak", ctypes.c_void_p))


class Signer:
    """The driver with a unit and a peripheral."""

    def __init__(
        self,
        chosen: ShakeParameter = SMALL,
        mutant: tuple[str, str, str] | None = None,
        variant: str = "apb-trees",
    ) -> None:
        """Open all of it but the set."""
        design = find_design("keccak-chain")
        settings = [f"ValueBytes={chosen.n}"] if chosen.n != SMALL.n else []
        self.sim = PeripheralSim(design, design.configured(variant, settings), registers.CHAIN)
        self.code: Any = compiled(mutant=mutant)
        self.keccak = Driver(simulation("apb"), code=self.code).open()
        self.bus = Bus()
        self.bus.handle, self.bus.read, self.bus.write = self.sim.bus
        self.chain = ChainDevice()
        base = c_size_t(ctypes.addressof(self.bus))
        assert self.code.hf_chain_open(ctypes.byref(self.chain), base) == Error["OK"]
        self.chosen = chosen
        self.set = Set(chosen.n, chosen.d, chosen.h_m, chosen.a, chosen.k)
        self.slh = Slh()
        self.code.hf_slh_signature_bytes.restype = c_size_t
        self.size = self.code.hf_slh_signature_bytes(ctypes.byref(self.set))

    def open(self) -> "Signer":
        """Open the set."""
        assert self.opened(self.set) == Error["OK"]
        return self

    def opened(self, chosen: Set) -> Error:
        """Return what hf_slh_open() says of a set."""
        parts = (chosen, self.chain, self.keccak.device)
        pointers = [ctypes.byref(part) for part in (self.slh, *parts)]
        return Error(self.code.hf_slh_open(*pointers))

    def call(self, name: str, *arguments: Any) -> Error:
        """Return what hf_slh_`name` returns; bytes and strings are passed with their lengths.

        The unit is clear after it.
        """
        found = getattr(self.code, f"hf_slh_{name}")(ctypes.byref(self.slh), *arguments)
        assert not any(self.sim.read("VALUE.WORD", index) for index in range(8))
        return Error(found)

    def keys(self, seeds: bytes) -> tuple[bytes, bytes]:
        """Return the secret key and the public one."""
        n = self.chosen.n
        secret, public = (ctypes.create_string_buffer(count * n) for count in (4, 2))
        assert self.call("keys", seeds, secret, public) == Error["OK"]
        return secret.raw, public.raw

    def sign(
        self, message: bytes, key: bytes, randomness: bytes | None = None, context: bytes = b""
    ) -> bytes:
        """Return a signature."""
        signature = ctypes.create_string_buffer(self.size)
        whole = (*_counted(message), *_counted(context))
        assert self.call("sign", *whole, key, randomness, signature) == Error["OK"]
        return signature.raw

    def verify(self, message: bytes, key: bytes, signature: bytes, context: bytes = b"") -> bool:
        """Return whether a signature is good."""
        whole = (*_counted(message), *_counted(context), *_counted(signature))
        found = self.call("verify", *whole, key)
        assert found in (Error["OK"], Error["BAD_SIGNATURE"])
        return bool(found == Error["OK"])


def _counted(data: bytes) -> tuple[bytes | None, c_size_t]:
    return data or None, c_size_t(len(data))


def signs(signer: Signer, rng: random.Random, messages: int = 2) -> None:
    """Make keys, sign and verify; `AssertionError` where the oracle's are others."""
    chosen = signer.chosen
    seeds = rng.randbytes(3 * chosen.n)
    secret, public = signer.keys(seeds)
    assert public == slh.public_key(chosen, seeds)
    assert secret == seeds[: 2 * chosen.n] + public
    for index in range(messages):
        message = rng.randbytes(rng.choice((0, 1, 135, 300)))
        context = rng.randbytes(rng.choice((0, 5, 255)) if index else 0)
        randomness = rng.randbytes(chosen.n) if index % 2 else None
        wanted = slh.sign(chosen, seeds, slh.pure(message, context), randomness)
        assert signer.size == len(wanted)
        assert signer.sign(message, secret, randomness, context) == wanted
        assert signer.verify(message, public, wanted, context)


def test_the_sets_are_those_of_fips_205() -> None:
    """Parameters and sizes of the six sets."""
    code = compiled()
    code.hf_slh_signature_bytes.restype = c_size_t
    for name, chosen in slh.SETS.items():
        found = Set.in_dll(code, f"hf_slh_shake_{name}")
        assert (found.n, found.d, found.height) == (chosen.n, chosen.d, chosen.h_m), name
        assert (found.a, found.k) == (chosen.a, chosen.k), name
        assert code.hf_slh_signature_bytes(ctypes.byref(found)) == size_of(chosen), name


def test_keys_and_signatures() -> None:
    """Of a set with few leaves."""
    signs(Signer().open(), random.Random(1), 4)


def test_what_is_signed_is_verified_by_the_oracle() -> None:
    """And M' itself by the internal calls."""
    signer, rng = Signer().open(), random.Random(2)
    seeds, message = rng.randbytes(48), b"M'"
    secret, public = signer.keys(seeds)
    signature = ctypes.create_string_buffer(signer.size)
    assert signer.call("sign_internal", *_counted(message), secret, None, signature) == Error["OK"]
    assert slh.verify(SMALL, public, message, signature.raw)
    whole = (*_counted(message), *_counted(signature.raw), public)
    assert signer.call("verify_internal", *whole) == Error["OK"]
    # M' of no message is not that of a message without a context.
    assert not signer.verify(message, public, signature.raw)


def refuses(signer: Signer) -> None:
    """Verify what is wrong; `AssertionError` where it is taken for good."""
    rng = random.Random(3)
    seeds, message, context = rng.randbytes(48), rng.randbytes(40), b"context"
    _, public = signer.keys(seeds)
    signature = slh.sign(SMALL, seeds, slh.pure(message, context), None)
    assert signer.verify(message, public, signature, context)
    assert not signer.verify(message + b"!", public, signature, context)
    assert not signer.verify(b"", public, signature, context)
    assert not signer.verify(message, public, signature, b"")
    assert not signer.verify(context + message, public, signature, b"")
    assert not signer.verify(message, public, signature[:-1], context)
    assert not signer.verify(message, public, signature + b"\0", context)
    for at in (0, 15, 16, 31):
        assert not signer.verify(message, flipped(public, at), signature, context), at
    for part, offset in OFFSETS.items():
        assert not signer.verify(message, public, flipped(signature, offset(SMALL)), context), part


def flipped(data: bytes, at: int) -> bytes:
    """Return `data` with a bit of the byte `at` turned round."""
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


def does_not_sign(signer: Signer) -> None:
    """Sign by keys whose root is another one; `AssertionError` where a signature comes of it."""
    rng = random.Random(4)
    secret, _ = signer.keys(rng.randbytes(48))
    signature = ctypes.create_string_buffer(b"\xff" * signer.size, signer.size)
    for at in (0, 40, 63):
        arguments = (*_counted(b"m"), *_counted(b""), flipped(secret, at), None, signature)
        assert signer.call("sign", *arguments) == Error["BAD_SIGNATURE"], at
        assert not any(signature.raw), at


def test_what_is_wrong_is_not_verified() -> None:
    """Another message, context or key, a byte of each part of the signature, another length."""
    refuses(Signer().open())


def test_a_secret_key_of_another_root_does_not_sign() -> None:
    """Nothing is left of the signature."""
    does_not_sign(Signer().open())


def test_arguments() -> None:
    """Each call says what it is not for."""
    signer = Signer().open()
    secret, public, signature = bytes(64), bytes(32), ctypes.create_string_buffer(signer.size)
    message, empty = _counted(b"m"), _counted(b"")
    missing: tuple[None, c_size_t] = (None, c_size_t(1))
    long = _counted(bytes(256))
    for name, *arguments in (
        ("keys", None, signature, signature),
        ("keys", secret, None, signature),
        ("keys", secret, signature, None),
        ("sign", *message, *empty, None, None, signature),
        ("sign", *message, *empty, secret, None, None),
        ("sign", *missing, *empty, secret, None, signature),
        ("sign", *message, *missing, secret, None, signature),
        ("sign", *message, *long, secret, None, signature),
        ("sign_internal", *missing, secret, None, signature),
        ("verify", *message, *empty, None, c_size_t(signer.size), public),
        ("verify", *message, *empty, *_counted(bytes(signer.size)), None),
        ("verify", *missing, *empty, *_counted(bytes(signer.size)), public),
        ("verify", *message, *missing, *_counted(bytes(signer.size)), public),
        ("verify", *message, *long, *_counted(bytes(signer.size)), public),
        ("verify_internal", *missing, *_counted(bytes(signer.size)), public),
    ):
        assert signer.call(str(name), *arguments) == Error["ARGUMENT"], (name, arguments)
    assert signer.opened(Set(24, 22, 3, 8, 33)) == Error["FUNCTION"]
    assert signer.opened(Set(40, 22, 3, 8, 33)) == Error["ARGUMENT"]


def test_a_unit_without_trees_is_refused() -> None:
    """By hf_slh_open()."""
    signer = Signer(variant="apb")
    assert signer.opened(signer.set) == Error["FUNCTION"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(small_set(16, 65, 1, 4, 8), id="64-bits-of-tree"),
        pytest.param(small_set(16, 9, 4, 2, 3), id="32-bits-of-tree"),
        pytest.param(small_set(24, 4, 3, 9, 4), id="192"),
        pytest.param(small_set(32, 4, 2, 11, 3), id="256"),
        pytest.param(slh.SETS["128f"], id="128f"),
        pytest.param(slh.SETS["192f"], id="192f"),
        pytest.param(slh.SETS["256f"], id="256f"),
    ],
)
def test_other_sets(chosen: ShakeParameter) -> None:
    """Those of FIPS 205 that sign fast, and ends of what the digest's numbers may be."""
    signs(Signer(chosen).open(), random.Random(chosen.h))


MUTANTS = {
    "type-of-the-leaf": ("OF_CHAIN = 0, OF_KEY = 1", "OF_CHAIN = 1, OF_KEY = 0"),
    "type-of-the-node": ("put_word(node, TYPE, OF_NODE);", ""),
    "fors-leaf-without-its-tree": ("leaf = (i << set->a) + digit", "leaf = digit"),
    "fors-trees-not-counted": ("NODE_INDEX, i << set->a)", "NODE_INDEX, 0u)"),
    "sides-exchanged": ("((index >> level) & 1u) * n;", "(~(index >> level) & 1u) * n;"),
    "checksum-not-counted": ("checksum += DIGITS - first;", ""),
    "key-pair-of-the-leaf-below": (
        "put_word(list, KEY_PAIR, at->leaf);\n        put_word(list, TYPE, OF_CHAIN);",
        "put_word(list, TYPE, OF_CHAIN);",
    ),
    "tree-stays": ("at->tree[1] = (at->tree[1] >> bits) | (at->tree[0] << (32u - bits));", ""),
    "leaf-not-masked": ("found->leaf &= (1u << leaf_bits) - 1u;", ""),
    "tree-not-masked": ("found->tree[1] &= (1u << tree_bits) - 1u;", ""),
    "root-not-compared": (
        "error = trees_root(slh, &input, &at, &signature[n + fors], value);\n    }\n"
        "    if (error == HF_KECCAK_OK && differ(value, &public_key[n], n) != 0) {",
        "error = trees_root(slh, &input, &at, &signature[n + fors], value);\n    }\n    if (0) {",
    ),
    "own-root-not-compared": (
        "error = sign_trees(slh, &at, &signature[n + fors], value);\n    }\n"
        "    if (error == HF_KECCAK_OK && differ(value, &public_key[n], n) != 0) {",
        "error = sign_trees(slh, &at, &signature[n + fors], value);\n    }\n    if (0) {",
    ),
    "randomness-ignored": (
        "(randomness != NULL) ? randomness :",
        "(randomness != NULL) ? public_key :",
    ),
    "context-not-counted": ("head[1] = (uint8_t)message->context_bytes;", "head[1] = 0u;"),
    "length-not-compared": (
        "if (signature_bytes != hf_slh_signature_bytes(slh->set)) return HF_KECCAK_BAD_SIGNATURE;",
        "(void)signature_bytes;",
    ),
    "unit-not-cleared": ("(void)hf_chain_clear(slh->chain);", "(void)slh;"),
}
"""Faults in the C, each of which the tests above find."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_faults_are_found(name: str) -> None:
    """A fault in the C gives another signature, or another answer to one."""
    signer = Signer(mutant=(FILE, *MUTANTS[name])).open()
    with pytest.raises(AssertionError):
        signs(signer, random.Random(1), 4)
        refuses(signer)
        does_not_sign(signer)
