"""The C driver of polynomials (driver/hf_keccak_polynomial.c), on the Verilated peripheral."""

import ctypes
import hashlib
import random
from ctypes import c_int, c_int16, c_int32, c_size_t
from typing import Any

import pytest

from hashfabric.models.functions import FUNCTIONS
from tests.driver.driver import Driver, DriverError, Error, compiled, simulation
from tests.support.sampling import COEFFICIENTS, SAMPLINGS, squeezed, wanted_words

FILE = "hf_keccak_polynomial.c"


def polynomial(driver: Driver, sampling: int, seed: bytes) -> tuple[Error, list[int]]:
    """Return what the call returns, and the coefficients as words of their type."""
    width = SAMPLINGS[sampling][1]
    array = (c_int16 if width == 16 else c_int32) * COEFFICIENTS
    found = array()
    name = "hf_mlkem_polynomial" if width == 16 else "hf_mldsa_polynomial"
    call = getattr(driver.code, name)
    size = c_size_t(len(seed))
    error = call(ctypes.byref(driver.device), c_int(sampling), seed, size, found)
    return Error(error), [value % 2**width for value in found]


def wanted(sampling: int, seed: bytes) -> list[int]:
    """Return the coefficients as words of their type."""
    found = wanted_words(sampling, squeezed(sampling, seed))
    if SAMPLINGS[sampling][1] == 32:
        return found
    return [half for word in found for half in (word % 2**16, word >> 16)]


def polynomials(code: ctypes.CDLL | None = None, waits: int = 0) -> None:
    """Compute polynomials of every sampling between hashes; `AssertionError` on a wrong one."""
    driver, rng = Driver(simulation("axil-sampler"), code=code), random.Random(1)
    driver.open()
    driver.device.waits = waits
    sha3 = FUNCTIONS["sha3-256"]
    for sampling in SAMPLINGS:
        context = driver.context(sha3)
        context.update(b"put aside")
        seed = rng.randbytes(rng.choice((32, 33, 34, 66)))
        assert polynomial(driver, sampling, seed) == (Error["OK"], wanted(sampling, seed))
        assert driver.hash(sha3, seed) == hashlib.sha3_256(seed).digest()
        context.update(b", and taken up again")
        assert context.final(32) == driver.hash(sha3, b"put aside, and taken up again")


@pytest.mark.slow
@pytest.mark.parametrize("waits", [0, 1])
def test_polynomials(waits: int) -> None:
    """Coefficients are those of the standards; a hash in the hardware goes on after them."""
    polynomials(waits=waits)


def test_what_is_refused() -> None:
    """Samplings of the other one, null pointers; a peripheral without a sampler."""
    driver = Driver(simulation("axil"))
    driver.open()
    assert polynomial(driver, 1, b"seed")[0] == Error["FUNCTION"]
    code: Any = driver.code
    found = (c_int32 * COEFFICIENTS)()
    device = ctypes.byref(driver.device)
    assert code.hf_mlkem_polynomial(device, 4, b"seed", c_size_t(4), found) == Error["FUNCTION"]
    assert code.hf_mldsa_polynomial(device, 3, b"seed", c_size_t(4), found) == Error["FUNCTION"]
    assert code.hf_mldsa_polynomial(device, 4, None, c_size_t(4), found) == Error["ARGUMENT"]
    assert code.hf_mldsa_polynomial(device, 4, b"seed", c_size_t(4), None) == Error["ARGUMENT"]


MUTANTS = {
    "of-shake128": ("uniform ? HF_SHAKE128", "(uniform | 1) ? HF_SHAKE128"),
    "hash-lost": ("if (device->owner != NULL) {", "if (0) {"),
    "halves-turned": ("(found & 0xffffu);", "(found >> 16);"),
    "tail-lost": ("for (; at < bytes; at++)", "for (; at > bytes; at++)"),
}
"""Faults in the C, each of which the test above finds."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_faults_are_found(name: str) -> None:
    """A fault in the C gives wrong coefficients, or an error."""
    code = compiled(mutant=(FILE, *MUTANTS[name]))
    with pytest.raises((AssertionError, DriverError)):
        polynomials(code)
