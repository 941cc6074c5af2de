"""ML-KEM-768 on the SoC: its hashes by the peripheral, against those in software.

The known answers are those of `cryptography_vectors`; clocks are in results/tasks-keccak-soc.json,
which HF_RENEW=1 in the environment writes anew.
"""

import hashlib
import os
import re
from functools import cache

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.registry.results import TaskUse, load_tasks
from hashfabric.simulate.soc import SocSim
from tests.driver import native
from tests.driver.native import cases
from tests.systems.soc import AROUND, DESIGN, NAME, check_tasks, program, simulated, tools

pytestmark = [pytest.mark.slow, simulated]

UNITS = (
    AROUND[0],
    "systems/firmware/soc/kem.c",
    "systems/firmware/soc/kem_driver.c",
    "systems/firmware/soc/kem_software.c",
    *AROUND[1:],
    "driver/hf_keccak_polynomial.c",
    "driver/hf_native.c",
    "driver/hf_native_sampler.c",
)
TASKS = {"keys": "key generation", "enc": "encapsulation", "dec": "decapsulation"}
LIBRARY = f"ML-KEM is mlkem-native's C, of the crate {native.CRATE} {native.VERSION}"


@cache
def running() -> SocSim:
    """Return the SoC with the program; skip where the library cannot be had."""
    return program(UNITS, [native.sources() / "mlkem"])


def digest(data: bytes) -> str:
    """Return what the program says of keys and ciphertexts."""
    return hashlib.sha3_256(data).hexdigest()


def ask(line: str) -> tuple[int, list[str]]:
    """Return the clocks and the words of an answer."""
    (said,) = running().command(line)
    clocks, *words = said.split()
    return int(clocks), words


def kem(who: str, case: dict[str, bytes]) -> dict[str, int]:
    """Do all of a case; return the clocks of each function."""
    clocks = {}
    clocks["keys"], words = ask(f"keys {who} {(case['d'] + case['z']).hex()}")
    assert words == [digest(case["pk"]), digest(case["sk"])]
    clocks["enc"], words = ask(f"enc {who} {case['msg'].hex()}")
    assert words == [digest(case["ct"]), case["ss"].hex()]
    clocks["dec"], words = ask(f"dec {who}")
    assert words == [case["ss"].hex()]
    # Of another ciphertext: FIPS 203's implicit rejection.
    running().command("flip")
    _, words = ask(f"dec {who}")
    other = bytes([case["ct"][0] ^ 1]) + case["ct"][1:]
    assert words == [hashlib.shake_256(case["z"] + other).hexdigest(32)]
    return clocks


@pytest.mark.parametrize("who", ["driver", "software"])
def test_known_answers(who: str) -> None:
    """Keys, encapsulation, decapsulation of two cases."""
    for case in cases("MLKEM/kat_MLKEM_768")[1:3]:
        kem(who, case)


def test_the_clocks_are_those_of_the_results() -> None:
    """Of the first known answer, each done before with the same code."""
    case = cases("MLKEM/kat_MLKEM_768")[0]
    clocks = {}
    for who in ("driver", "software"):
        kem(who, case)
        clocks[who] = kem(who, case)
    uses = {
        f"ML-KEM-768 {what}": TaskUse(
            driver=clocks["driver"][key], software=clocks["software"][key]
        )
        for key, what in TASKS.items()
    }
    assert all(2 * clocks["driver"][key] < clocks["software"][key] for key in TASKS)
    check_tasks(uses, LIBRARY, running().stack_bytes)


HASHES = {
    "driver": [f"hf_native_{name}" for name in ("hash", "seed_squeeze", "sample_mlkem")],
    "software": ["keccak_hash", "keccak_init", "keccak_absorb", "keccak_squeeze"],
}
"""What the library calls for its hashes, and with a sampler for the matrix."""


def test_the_shares_of_hashing() -> None:
    """Of the first known answer: soc.md says what is hashing; HF_RENEW=1 writes it."""
    case, page = cases("MLKEM/kat_MLKEM_768")[0], ROOT / DESIGN.docs
    lines = {
        "keys": f"{(case['d'] + case['z']).hex()}",
        "enc": case["msg"].hex(),
        "dec": "",
    }
    for who in HASHES:
        kem(who, case)
    text = page.read_text(encoding="utf-8")
    for key, what in TASKS.items():
        rest, cells, whole = {}, [], {}
        for who, names in HASHES.items():
            running().profile(names)
            whole[who], _ = ask(f"{key} {who} {lines[key]}".strip())
            found = running().profiled()
            # The last hashes in software are those of the answer's digests.
            own = {"keys": 2, "enc": 1, "dec": 0}[key] if who == "software" else 0
            hashing = sum(found.calls[: len(found.calls) - own])
            rest[who] = whole[who] - hashing
            cells += [f"{whole[who]:,}", f"{hashing:,}"]
            if who == "driver":
                bus = [use for name, use in found.bus.items() if "peripheral" in name]
                cells += [f"{found.total.instructions:,}", f"{sum(use.accesses for use in bus):,}"]
                cells.append(f"{sum(use.clocks for use in bus):,}")
        cells.append(f"{rest['driver']:,}")
        # The rest is arithmetic, the same for both but for the sampling of the matrix.
        assert 0.7 * rest["software"] < rest["driver"] < rest["software"]
        assert whole["driver"] - rest["driver"] < 0.1 * whole["driver"]
        cells.append(f"{whole['software'] / rest['driver']:.3g} ×")
        row = f"| {what} | {' | '.join(cells)} |"
        if os.environ.get("HF_RENEW"):
            text = re.sub(rf"^\| {what} \|.*$", row, text, flags=re.MULTILINE)
        elif tools() == load_tasks(NAME)[0].tools:
            assert row in text
    if os.environ.get("HF_RENEW"):
        page.write_text(text, encoding="utf-8")


def test_what_is_wrong_is_reported() -> None:
    """Too few coins, an unknown library."""
    for line, error in (
        ("keys driver 00", "1001"),
        ("keys nobody", "1000"),
        ("dec driver 00", "1001"),
    ):
        with pytest.raises(LabError, match=f"error {error}"):
            running().command(line)
