"""The hash functions by name: family, block, padding suffix, output, and the stream port's code.

Sources: FIPS 202 sections 6.1 and 6.2 for SHA-3 and SHAKE; SP 800-185 section 3.3 for cSHAKE; the
Keccak reference 3.0 for the competition's padding (multi-rate padding only, no suffix); the
final-round specifications of BLAKE, Grøstl, JH and Skein. `code` is `function_e` of
`hf_keccak_pkg` or of `hf_finalist_pkg`; `tests/test_functions.py` reads the packages and compares.
"""

from dataclasses import dataclass

from hashfabric.base.errors import LabError

CODE_MASK = 0xFF
BITS_AT = 8
BITS_MASK = 7 << BITS_AT
LENGTH_AT = 16
"""Where `s_axis_tuser` has the function's code, the bits in the last byte and the output length
(`hf_stream_pkg::user_t`).
"""

LONGEST_OUTPUT_BITS = (1 << 40) - 2
"""The longest output that a stream port is asked for; all ones in its 40 bits are no length."""


@dataclass(frozen=True)
class Function:
    """One hash function.

    `rate_bits` (message bits in a full block) and `digest_bits` are in bits. `suffix` holds
    Keccak's domain bits that follow the message, first bit lowest, and `suffix_bits` is their
    number. `xof` functions give any output length and `digest_bits` is then only the default.

    A message that ends inside a byte has its last bits in the lowest of that byte in the family
    keccak, in the highest in the others.
    """

    name: str
    code: int
    rate_bits: int
    digest_bits: int
    suffix: int
    suffix_bits: int
    xof: bool
    family: str = "keccak"

    @property
    def least_padding_bits(self) -> int:
        """The fewest bits that the padding adds; the rest of the block is zeros of it."""
        return {
            "keccak": self.suffix_bits + 2,
            "blake": 2 + self.rate_bits // 8,  # a 1 on either side, the length
            "groestl": 1 + 64,  # a 1, the number of blocks
            "jh": self.rate_bits,
            "skein": 0,
        }[self.family]

    def blocks(self, bits: int, output_bits: int | None = None) -> int:
        """Return the blocks that a message of `bits` bits takes: absorbed, then squeezed.

        Output steps that other families have are not blocks.
        """
        wanted = self.digest_bits if output_bits is None else output_bits
        absorbed = max(1, -(-(bits + self.least_padding_bits) // self.rate_bits))
        squeezed = max(1, -(-wanted // self.rate_bits)) if self.xof else 1
        return absorbed + squeezed - 1


_SHA3 = (0b10, 2)  # bits 0, 1
_SHAKE = (0b1111, 4)
_CSHAKE = (0b00, 2)
_KECCAK = (0, 0)

KECCAK: dict[str, Function] = {
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
        # The message begins with what SP 800-185 puts in front of it: its caller's business.
        Function("cshake128", 0x10, 1344, 256, *_CSHAKE, xof=True),
        Function("cshake256", 0x11, 1088, 512, *_CSHAKE, xof=True),
    )
}
"""Keccak's functions, by name."""

DIGEST_SIZES = (224, 256, 384, 512)
"""What the competition asked for, in bits; in the order of `hf_finalist_pkg::size_e`."""

_FINALIST_BLOCKS = {
    "blake": (512, 512, 1024, 1024),
    "groestl": (512, 512, 1024, 1024),
    "jh": (512, 512, 512, 512),
    "skein": (512, 512, 512, 512),
}
_STEMS = {"skein": "skein-512"}  # the state is in the name: there are Skein-256 and -1024 too

FINALIST_FAMILIES = tuple(_FINALIST_BLOCKS)
"""The other finalists."""

FAMILY_CODES = {"keccak": 0, "sp800-185": 1} | {
    family: code for code, family in enumerate(FINALIST_FAMILIES, 2)
}
"""The high half of a function's code (`hf_stream_pkg`)."""


def _finalists() -> dict[str, Function]:
    """Return the finalists' functions by name."""
    found = {}
    for family, blocks in _FINALIST_BLOCKS.items():
        for size, (digest_bits, block) in enumerate(zip(DIGEST_SIZES, blocks, strict=True)):
            name = f"{_STEMS.get(family, family)}-{digest_bits}"
            code = FAMILY_CODES[family] << 4 | size
            found[name] = Function(name, code, block, digest_bits, 0, 0, xof=False, family=family)
    return found


FINALISTS: dict[str, Function] = _finalists()
"""The other finalists' functions, by name."""

FUNCTIONS: dict[str, Function] = {**KECCAK, **FINALISTS}
"""Every function, by its name on the command line."""

_ALIASES = {"keccak256": "keccak-256", "keccak[1024,576]": "keccak-1024-576"}


def find(name: str) -> Function:
    """Return the function called `name` (case and `_` do not matter); `LabError` if unknown."""
    key = name.lower().replace("_", "-")
    key = _ALIASES.get(key, key)
    if key not in FUNCTIONS:
        raise LabError(f"unknown function '{name}': one of {', '.join(FUNCTIONS)}")
    return FUNCTIONS[key]
