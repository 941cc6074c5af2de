"""ML-KEM-768 and ML-DSA-65 with every hash by the driver on the Verilated peripheral.

mlkem-native and mldsa-native (native.py) against the known answers of `cryptography_vectors`.
"""

import ctypes
import os
import re
from collections.abc import Callable, Iterator

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.simulate.peripheral import PeripheralSim
from tests.driver import native
from tests.driver.driver import Driver, Error, simulation
from tests.driver.native import cases
from tests.support.subjects import SLOW

MLKEM_BYTES = {"pk": 1184, "sk": 2400, "ct": 1088, "ss": 32}
MLDSA_BYTES = {"pk": 1952, "sk": 4032, "sig": 3309}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("axil"),
        pytest.param("axil-sampler"),
        pytest.param("apb-least", marks=SLOW),
        pytest.param("apb", marks=SLOW),
        pytest.param("wb", marks=SLOW),
    ],
)
def sim(request: pytest.FixtureRequest) -> PeripheralSim:
    """A simulated peripheral."""
    return simulation(request.param)


@pytest.fixture
def driver(sim: PeripheralSim, request: pytest.FixtureRequest) -> Driver:
    """The driver with both libraries on top, which use a sampler if there is one."""
    found = Driver(sim, code=code_for(request.node.callspec.params["sim"])).open()
    found.code.hf_native_use(ctypes.byref(found.device))
    return found


def code_for(variant: str) -> ctypes.CDLL:
    """Return the driver and the libraries, configured for a variant of the peripheral."""
    code: ctypes.CDLL = native.library(
        "sampler_config" if variant.endswith("-sampler") else "config"
    )
    return code


def outputs(*counts: int) -> Iterator[ctypes.Array[ctypes.c_char]]:
    """Yield memory for what a function returns."""
    for count in counts:
        yield ctypes.create_string_buffer(count)


def kem(driver: Driver, case: dict[str, bytes]) -> None:
    """Keys, encapsulation, decapsulation, and that of a wrong ciphertext."""
    code = driver.code
    pk, sk, ct, ss, back = outputs(*MLKEM_BYTES.values(), MLKEM_BYTES["ss"])
    assert code.mlkem_keypair_derand(pk, sk, case["d"] + case["z"]) == 0
    assert (pk.raw, sk.raw) == (case["pk"], case["sk"])
    assert code.mlkem_enc_derand(ct, ss, pk, case["msg"]) == 0
    assert (ct.raw, ss.raw) == (case["ct"], case["ss"])
    assert code.mlkem_dec(back, ct, sk) == 0
    assert back.raw == case["ss"]
    assert code.mlkem_dec(back, case["ct_n"], sk) == 0
    assert back.raw == case["ss_n"]
    assert code.hf_native_take_error() == 0


@pytest.mark.parametrize("count", [3, pytest.param(100, marks=SLOW)])
def test_ml_kem_768(driver: Driver, count: int) -> None:
    """All of the key encapsulation; the peripheral has done the hashing."""
    known = cases("MLKEM/kat_MLKEM_768")
    assert len(known) == 1000
    for case in known[:count]:
        before = driver.accesses
        kem(driver, case)
        assert driver.accesses - before > 5000
    assert not driver.device.owner, "a context was not released"


@pytest.mark.parametrize("count", [2, pytest.param(40, marks=SLOW)])
def test_ml_dsa_65(driver: Driver, count: int) -> None:
    """Keys, deterministic signatures with a context string, their verification."""
    known = cases("MLDSA/kat_MLDSA_65_det_pure")
    code = driver.code
    assert len(known) == 100
    for case in known[:count]:
        pk, sk, sig = outputs(*MLDSA_BYTES.values())
        assert code.mldsa_keypair_internal(pk, sk, case["xi"]) == 0
        assert (pk.raw, sk.raw) == (case["pk"], case["sk"])
        size = ctypes.c_size_t
        message = case["msg"]
        front = bytes([0, len(case["ctx"])]) + case["ctx"]
        arguments = (message, size(len(message)), front, size(len(front)), bytes(32), sk, 0)
        assert code.mldsa_signature_internal(sig, *arguments) == 0
        assert sig.raw + message == case["sm"]
        signed = (message, size(len(message)))
        context = (case["ctx"], size(len(case["ctx"])))
        assert code.mldsa_verify(sig, *signed, *context, pk) == 0
        wrong = bytes([sig.raw[0] ^ 1]) + sig.raw[1:]
        assert code.mldsa_verify(wrong, *signed, *context, pk) != 0
        assert code.hf_native_take_error() == 0
    assert not driver.device.owner, "a context was not released"


def test_costs_of_ml_kem_768() -> None:
    """Accesses and bus clocks of the first known answer; HF_RENEW=1 writes driver.md's table."""
    case = cases("MLKEM/kat_MLKEM_768")[0]
    pk, sk, ct, ss = outputs(*MLKEM_BYTES.values())
    operations: dict[str, Callable[[ctypes.CDLL], object]] = {
        "key generation": lambda code: code.mlkem_keypair_derand(pk, sk, case["d"] + case["z"]),
        "encapsulation": lambda code: code.mlkem_enc_derand(ct, ss, pk, case["msg"]),
        "decapsulation": lambda code: code.mlkem_dec(ss, ct, sk),
    }
    rows: dict[str, list[int]] = {name: [] for name in operations}
    for variant in ("axil", "axil-sampler", "apb-least"):
        sim, code = simulation(variant), code_for(variant)
        driver = Driver(sim, code=code).open()
        code.hf_native_use(ctypes.byref(driver.device))
        for name, operation in operations.items():
            before = driver.accesses, sim.clocks
            operation(code)
            rows[name] += [driver.accesses - before[0], sim.clocks - before[1]]
    page = ROOT / "docs" / "integrate" / "driver.md"
    text = page.read_text(encoding="utf-8")
    for name, figures in rows.items():
        assert figures[0] < figures[4]  # RUN saves accesses
        row = f"| {name} | {' | '.join(f'{figure:,}' for figure in figures)} |"
        if os.environ.get("HF_RENEW"):
            text = re.sub(rf"^\| {name} \| [\d, |]+$", row, text, flags=re.MULTILINE)
            page.write_text(text, encoding="utf-8")
        assert row in text


def test_a_broken_peripheral_is_reported(driver: Driver, sim: PeripheralSim) -> None:
    """The library goes on with zeros, the error is kept until it is asked for, once."""
    case = cases("MLKEM/kat_MLKEM_768")[0]
    pk, sk, ct, ss, _ = outputs(*MLKEM_BYTES.values(), 0)
    sim.command("resume")
    driver.code.mlkem_keypair_derand(pk, sk, case["d"] + case["z"])
    assert pk.raw != case["pk"]
    assert driver.code.hf_native_take_error() == Error["BAD_COMMAND"]
    assert driver.code.hf_native_take_error() == 0
    kem(driver, case)
    driver.code.hf_native_use(None)
    driver.code.mlkem_enc_derand(ct, ss, case["pk"], case["msg"])
    assert ss.raw == bytes(32)
    assert driver.code.hf_native_take_error() == Error["ARGUMENT"]


def test_a_signature_without_a_peripheral_ends(driver: Driver) -> None:
    """Of zeros none comes about: it gives up, with nothing in it."""
    case = cases("MLDSA/kat_MLDSA_65_det_pure")[0]
    size = ctypes.c_size_t
    [sig] = outputs(MLDSA_BYTES["sig"])
    driver.code.hf_native_use(None)
    arguments = (b"abc", size(3), bytes(2), size(2), bytes(32), case["sk"], 0)
    assert driver.code.mldsa_signature_internal(sig, *arguments) != 0
    assert sig.raw == bytes(MLDSA_BYTES["sig"])
    assert driver.code.hf_native_take_error() == Error["ARGUMENT"]
