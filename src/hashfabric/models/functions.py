"""The hash functions by name, of every family that has a module in this folder.

Sources: FIPS 202 sections 6.1 and 6.2 for SHA-3 and SHAKE; SP 800-185 section 3.3 for cSHAKE; the
Keccak reference 3.0 for the competition's padding (multi-rate padding only, no suffix); the
final-round specifications of BLAKE, Grøstl, JH and Skein. `code` is `function_e` of
`hf_keccak_pkg` or of `hf_finalist_pkg`; `tests/lab/test_functions.py` compares them.
"""

import pkgutil
from collections.abc import Iterable, Mapping
from importlib import import_module

from hashfabric import models
from hashfabric.base.errors import LabError
from hashfabric.models.family import Family, Function
from hashfabric.models.rfc9861 import KANGAROOS, Kangaroo
from hashfabric.models.sp800_185 import FRAMED, PARALLEL_HASHES, Framed, ParallelHash

CODE_MASK = 0xFF
BITS_AT = 8
BITS_MASK = 7 << BITS_AT
MORE_AT = 11
LENGTH_AT = 16
"""Places in `s_axis_tuser` of the function's code, the bits in the last byte and the output length
(`hf_stream_pkg::user_t`).
"""

LONGEST_OUTPUT_BITS = (1 << 40) - 2
"""The longest output of a stream port; all ones in its 40 bits are no length."""


def collect(found: list[Family]) -> tuple[dict[str, Family], dict[str, Function]]:
    """Return families and functions by name, in the order of their codes.

    `ValueError` where two have the same name or code.
    """
    found = sorted(found, key=lambda family: family.codes[0])
    functions = [function for family in found for function in family.functions]
    said: list[tuple[str, list[object]]] = [
        ("name", [family.name for family in found]),
        ("code", [code for family in found for code in family.codes]),
        ("name", [function.name for function in functions]),
        ("code", [function.code for function in functions]),
    ]
    for what, names in said:
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"two families or functions have the {what} {twice.pop()!r}")
    return {family.name: family for family in found}, {one.name: one for one in functions}


def _modules() -> list[Family]:
    known = (
        import_module(f"{models.__name__}.{module.name}")
        for module in pkgutil.iter_modules(models.__path__)
        if not __name__.endswith(f".{module.name}")
    )
    return [module.FAMILY for module in known if hasattr(module, "FAMILY")]


FAMILIES, FUNCTIONS = collect(_modules())
"""Every family, and every function by its name on the command line."""

KECCAK = {function.name: function for function in FAMILIES["keccak"].functions}
"""Keccak's functions, by name."""

_ALIASES = {"keccak256": "keccak-256", "keccak[1024,576]": "keccak-1024-576"}


def find(name: str, also: Iterable[str] = ()) -> Function:
    """Return the function called `name` (case and `_` do not matter).

    `LabError` if unknown; it lists the functions, and `also`.
    """
    key = name.lower().replace("_", "-")
    key = _ALIASES.get(key, key)
    if key not in FUNCTIONS:
        raise LabError(
            f"unknown function '{name}': one of {', '.join(dict.fromkeys([*FUNCTIONS, *also]))}"
        )
    return FUNCTIONS[key]


def find_framed(name: str) -> Framed | None:
    """Return the function of SP 800-185 called `name` (KMAC-128 is kmac128), None of another."""
    return FRAMED.get(name.lower().replace("_", "").replace("-", ""))


TREES: dict[str, Mapping[str, Kangaroo] | Mapping[str, ParallelHash]] = {
    "kt128": KANGAROOS,
    "parallelhash128": PARALLEL_HASHES,
}
"""By the first one's name: functions that a design hashes in several slots, a message at a time."""


def find_kangaroo(name: str) -> Kangaroo | None:
    """Return KT128 or KT256 (also KT-128), None of another name."""
    return KANGAROOS.get(name.lower().replace("-", "").replace("_", ""))


def digest(
    function: Function, message: bytes, *, bits: int | None = None, output_bits: int | None = None
) -> bytes:
    """Hash the first `bits` bits of `message` (all if None) with the family's golden model.

    Bits of a last byte are in the order of the family; `output_bits` is for XOFs.
    """
    model = FAMILIES[function.family].digest
    return model(function, message, bits=bits, output_bits=output_bits)
