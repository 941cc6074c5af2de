"""SLH-DSA-SHAKE-128f on the SoC: trees and chains by the unit, other hashes by the peripheral.

Keys and signatures are those of the oracle (tests/driver/slh.py); clocks are in
results/tasks-keccak-soc.json, which HF_RENEW=1 in the environment writes anew.
"""

import hashlib
from functools import cache

import pytest

from hashfabric.base.errors import LabError
from hashfabric.registry.results import TaskUse
from hashfabric.simulate.soc import SocSim
from tests.driver import slh
from tests.systems.soc import AROUND, check_tasks, program, simulated

pytestmark = [pytest.mark.slow, simulated]

SET = slh.SETS["128f"]
MOST_CLOCKS = 3_200_000
"""Of a signature."""

UNITS = (
    *AROUND,
    "systems/firmware/soc/slh.c",
    "driver/hf_keccak_chain.c",
    "driver/hf_slh_dsa.c",
)
SEEDS = bytes(range(48))
RANDOM = bytes(range(100, 116))
MESSAGE = b"the message of the test on the SoC"


@cache
def running() -> SocSim:
    """Return the SoC with the program."""
    return program(UNITS)


def ask(*words: str) -> tuple[int, str]:
    """Return the clocks and the word of an answer."""
    (said,) = running().command(" ".join(word for word in words if word))
    clocks, word = said.split()
    return int(clocks), word


def signature(randomness: bytes | None) -> str:
    """Return what the program says of the oracle's signature."""
    signed = slh.sign(SET, SEEDS, slh.pure(MESSAGE), randomness)
    return hashlib.sha3_256(signed).hexdigest()


def test_keys_signatures_and_clocks() -> None:
    """All as the oracle's; a signature in 3,200,000 clocks."""
    key = slh.public_key(SET, SEEDS).hex()
    assert ask("keys", SEEDS.hex())[1] == key
    keys, found = ask("keys", SEEDS.hex())
    assert found == key
    assert ask("hedge", RANDOM.hex() + MESSAGE.hex())[1] == signature(RANDOM)
    assert ask("verify", MESSAGE.hex())[1] == "1"
    sign, found = ask("sign", MESSAGE.hex())
    assert found == signature(None)
    assert sign < MOST_CLOCKS
    verify, found = ask("verify", MESSAGE.hex())
    assert found == "1"
    uses = {"key generation": keys, "signing": sign, "verification": verify}
    check_tasks(
        {f"SLH-DSA-SHAKE-128f {what}": TaskUse(driver=clocks) for what, clocks in uses.items()},
        "SLH-DSA is driver/hf_slh_dsa.c",
        running().stack_bytes,
    )


def test_what_is_wrong_is_not_verified() -> None:
    """Another message, a bit of the signature; the signature itself is good again."""
    ask("keys", SEEDS.hex())
    ask("sign", MESSAGE.hex())
    assert ask("verify", MESSAGE.hex() + "00")[1] == "0"
    for at in (100, 17_087):
        running().command(f"flip {at}")
        assert ask("verify", MESSAGE.hex())[1] == "0"
        running().command(f"flip {at}")
    assert ask("verify", MESSAGE.hex())[1] == "1"
    for line, error in (("keys 00", 1001), ("hedge 00", 1001), ("prove", 1000)):
        with pytest.raises(LabError, match=f"error {error}"):
            running().command(line)
