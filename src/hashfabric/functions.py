"""The hash functions by name: rate, padding suffix, output, and the code the stream port uses.

Source: FIPS 202 sections 6.1 and 6.2 for SHA-3 and SHAKE; the Keccak reference 3.0 for the
competition's padding (multi-rate padding only, no suffix). `code` is `hf_keccak_pkg::function_e`;
`tests/test_functions.py` reads the package and compares.
"""

from dataclasses import dataclass

from hashfabric.errors import LabError


@dataclass(frozen=True)
class Function:
    """One hash function of the Keccak family.

    `rate_bits` and `digest_bits` are in bits; `suffix` holds the domain bits that follow the
    message, first bit lowest, and `suffix_bits` is their number. `xof` functions give any output
    length and `digest_bits` is then only the default.
    """

    name: str
    code: int
    rate_bits: int
    digest_bits: int
    suffix: int
    suffix_bits: int
    xof: bool


_SHA3 = (0b10, 2)  # bits 0, 1
_SHAKE = (0b1111, 4)
_KECCAK = (0, 0)

FUNCTIONS: dict[str, Function] = {
    f.name: f
    for f in (
        Function("sha3-224", 0, 1152, 224, *_SHA3, xof=False),
        Function("sha3-256", 1, 1088, 256, *_SHA3, xof=False),
        Function("sha3-384", 2, 832, 384, *_SHA3, xof=False),
        Function("sha3-512", 3, 576, 512, *_SHA3, xof=False),
        Function("shake128", 4, 1344, 256, *_SHAKE, xof=True),
        Function("shake256", 5, 1088, 512, *_SHAKE, xof=True),
        Function("keccak-224", 6, 1152, 224, *_KECCAK, xof=False),
        Function("keccak-256", 7, 1088, 256, *_KECCAK, xof=False),
        Function("keccak-384", 8, 832, 384, *_KECCAK, xof=False),
        Function("keccak-512", 9, 576, 512, *_KECCAK, xof=False),
        Function("keccak-1024-576", 10, 1024, 256, *_KECCAK, xof=True),
    )
}
"""Every function, by its name on the command line."""

_ALIASES = {"keccak256": "keccak-256", "keccak[1024,576]": "keccak-1024-576"}


def find(name: str) -> Function:
    """Return the function called `name` (case and `_` do not matter); `LabError` if unknown."""
    key = name.lower().replace("_", "-")
    key = _ALIASES.get(key, key)
    if key not in FUNCTIONS:
        raise LabError(f"unknown function '{name}': one of {', '.join(FUNCTIONS)}")
    return FUNCTIONS[key]
