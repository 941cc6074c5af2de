"""The table of functions: the same in Python, in the RTL packages, and in the standards."""

import subprocess
from pathlib import Path

import pytest

from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import VERILATOR
from hashfabric.models import functions, keccak
from hashfabric.models.family import DIGEST_SIZES, Function
from hashfabric.models.functions import BITS_AT, CODE_MASK, FAMILIES, FUNCTIONS, KECCAK, LENGTH_AT
from hashfabric.models.sp800_185 import PARALLEL_BLOCK_BYTES, PARALLEL_HASHES
from hashfabric.simulate.stream import user_word
from tests.rtl.finalists.finalists import FINALIST_FAMILIES, FINALISTS

STREAM_PACKAGE = ROOT / "rtl" / "common" / "hf_stream_pkg.sv"
PACKAGE = ROOT / "rtl" / "keccak" / "hf_keccak_pkg.sv"
TURBOSHAKE = ROOT / "rtl" / "keccak" / "hf_turboshake_pkg.sv"
FINALIST_PACKAGE = ROOT / "rtl" / "front" / "hf_finalist_pkg.sv"
PARALLEL_PACKAGE = ROOT / "rtl" / "front" / "hf_keccak_parallel_pkg.sv"

ENUM = {
    "sha3-224": "FnSha3_224",
    "sha3-256": "FnSha3_256",
    "sha3-384": "FnSha3_384",
    "sha3-512": "FnSha3_512",
    "shake128": "FnShake128",
    "shake256": "FnShake256",
    "keccak-224": "FnKeccak224",
    "keccak-256": "FnKeccak256",
    "keccak-384": "FnKeccak384",
    "keccak-512": "FnKeccak512",
    "keccak-1024-576": "FnKeccak1024_576",
    "cshake128": "FnCshake128",
    "cshake256": "FnCshake256",
}


FAMILY_NAMES = {
    "keccak": "FamilyKeccak",
    "sp800-185": "FamilySp800_185",
    "blake": "FamilyBlake",
    "groestl": "FamilyGroestl",
    "jh": "FamilyJh",
    "skein": "FamilySkein",
    "turboshake": "FamilyTurboshake",
}


def info(function: Function) -> dict[str, int]:
    """What the package's `function_info` must say of `function`."""
    return {
        "rate_lanes": function.rate_bits // keccak.LANE_BITS,
        "digest_words": 0 if function.xof else function.digest_bits // 32,
        "suffix": function.suffix | 1 << function.suffix_bits,
        "suffix_len": function.suffix_bits + 1,
    }


def elaborate(checks: list[tuple[str, int]], folder: Path, package: Path = PACKAGE) -> str:
    """Let Verilator elaborate that each expression has its value; return what it complains of."""
    with_turboshake = package in {STREAM_PACKAGE, TURBOSHAKE}
    others = [PACKAGE, TURBOSHAKE] if with_turboshake else [package]
    packages = list(dict.fromkeys([STREAM_PACKAGE, *others]))
    lines = ["module top;", *(f"  import {path.stem}::*;" for path in packages)]
    for function in KECCAK.values() if package == PACKAGE else ():
        code = function.code
        lines.append(f"  localparam function_info_t Info{code} = function_info(5'd{code});")
    for function in FAMILIES["turboshake"].functions if package == TURBOSHAKE else ():
        low = function.code & 3
        lines.append(
            f"  localparam function_info_t Turbo{function.code} = turboshake_info(2'd{low});"
        )
    if package == STREAM_PACKAGE:
        word = user_word(*USER)
        lines.append(f"  localparam user_t User = user_t'(56'd{word});")
    for expression, value in checks:
        lines.append(f'  if ({expression} != {value}) $error("{expression} is not {value}");')
    top = folder / "top.sv"
    top.write_text("\n".join([*lines, "endmodule", ""]), encoding="utf-8")
    command = [VERILATOR.path(), "--lint-only", "--top-module", "top"]
    command += [str(path) for path in [*packages, top]]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout + run.stderr if run.returncode else ""


def test_the_package_says_the_same(tmp_path: Path) -> None:
    """Code, rate, digest and suffix of every function, and which codes are none."""
    assert set(ENUM) == set(KECCAK)
    checks = []
    for name, function in KECCAK.items():
        checks.append((ENUM[name], function.code))
        for field, value in info(function).items():
            checks.append((f"Info{function.code}.{field}", value))
    codes = {function.code for function in KECCAK.values()}
    checks += [(f"function_known(8'd{code})", int(code in codes)) for code in range(256)]
    assert elaborate(checks, tmp_path) == ""


CODES = {"sp800-185": 1} | {name: family.codes[0] for name, family in FAMILIES.items()}
"""The high half of every family's codes; SP 800-185 has one of its own."""

USER = (KECCAK["cshake256"], 5, 0x123456789A)


def test_the_stream_package_says_the_same(tmp_path: Path) -> None:
    """Where `s_axis_tuser` has what, and the families of the codes."""
    checks = [(FAMILY_NAMES[family], code) for family, code in CODES.items()]
    checks += [("UserWidth", 56), ("User.code", USER[0].code), ("User.bits", USER[1])]
    checks += [("BitsAt", BITS_AT), ("MoreAt", 11), ("LengthAt", LENGTH_AT)]
    checks += [("length_field(1344)", 1344), ("length_field(32'hffffffff) == 40'hffffffffff", 1)]
    checks += [("User.more", 0), ("User.reserved", 0), (f"User.length == 40'd{USER[2]}", 1)]
    checks += [("User.code.family", USER[0].code >> 4), ("User.code.index", USER[0].code & 15)]
    assert elaborate(checks, tmp_path, STREAM_PACKAGE) == ""


ENUM_TURBOSHAKE = {
    "turboshake128": "FnTurboshake128",
    "turboshake256": "FnTurboshake256",
    "turboshake128-domain": "FnTurboshake128Domain",
    "turboshake256-domain": "FnTurboshake256Domain",
}


def test_the_package_of_turboshake_says_the_same(tmp_path: Path) -> None:
    """Code, rate, suffix and rounds of every function, and which codes are none."""
    family = FAMILIES["turboshake"]
    assert set(ENUM_TURBOSHAKE) == {function.name for function in family.functions}
    checks = []
    for function in family.functions:
        checks.append((ENUM_TURBOSHAKE[function.name], function.code))
        checks.append(("TurboshakeRounds", function.rounds))
        for field, value in info(function).items():
            checks.append((f"Turbo{function.code}.{field}", value))
    codes = {function.code for function in family.functions}
    checks += [(f"turboshake_known(8'd{code})", int(code in codes)) for code in range(256)]
    assert elaborate(checks, tmp_path, TURBOSHAKE) == ""
    assert "is not 13" in elaborate([("TurboshakeRounds", 13)], tmp_path, TURBOSHAKE)


def test_the_package_of_parallelhash_says_the_same(tmp_path: Path) -> None:
    """Codes of the functions, which others are none, and the bytes of a block after a reset."""
    codes = {one.code for one in PARALLEL_HASHES.values()}
    checks = [(f"is_parallel(8'd{code})", int(code in codes)) for code in range(256)]
    for name in ("FnParallelHash128", "FnParallelHash256"):
        checks.append((name, PARALLEL_HASHES[name.lower().removeprefix("fn")].code))
        xof = name.replace("Hash", "HashXof")
        checks.append((xof, PARALLEL_HASHES[xof.lower().removeprefix("fn")].code))
    checks.append(("BlockBytesDefault", PARALLEL_BLOCK_BYTES))
    assert elaborate(checks, tmp_path, PARALLEL_PACKAGE) == ""
    assert "is not 1" in elaborate([("is_parallel(8'd0)", 1)], tmp_path, PARALLEL_PACKAGE)


def test_a_difference_of_the_stream_package_is_seen(tmp_path: Path) -> None:
    """The comparison can fail."""
    assert "User.bits is not 4" in elaborate([("User.bits", 4)], tmp_path, STREAM_PACKAGE)


def test_the_package_has_the_models_constants(tmp_path: Path) -> None:
    """Offsets of rho and constants of iota, computed twice."""
    checks = [(f"RhoOffset[{i}]", offset) for i, offset in enumerate(keccak.RHO_OFFSETS)]
    for i, constant in enumerate(keccak.ROUND_CONSTANTS):
        checks.append((f"32'(RoundConstant[{i}])", constant & 0xFFFFFFFF))
        checks.append((f"32'(RoundConstant[{i}] >> 32)", constant >> 32))
    folded = [(name, value - (1 << 32) if value >> 31 else value) for name, value in checks]
    assert elaborate(folded, tmp_path) == ""


@pytest.mark.parametrize("check", [("Info4.rate_lanes", 20), ("FnSha3_256", 2)])
def test_a_difference_is_seen(tmp_path: Path, check: tuple[str, int]) -> None:
    """The comparison can fail."""
    assert f"{check[0]} is not {check[1]}" in elaborate([check], tmp_path)


ENUM_FINALISTS = {
    "blake": "FnBlake{}",
    "groestl": "FnGroestl{}",
    "jh": "FnJh{}",
    "skein": "FnSkein512_{}",
}


def served(family: str, width: int) -> list[Function]:
    """What a stream top of the family with digests of that width computes."""
    own = [function for function in FINALISTS.values() if function.family == family]
    if family in {"blake", "groestl"}:
        return [function for function in own if function.rate_bits == 2 * width]
    return [function for function in own if function.digest_bits <= width]


def test_the_finalists_package_says_the_same(tmp_path: Path) -> None:
    """Code, size, block and padding of every function; who computes it; families in order."""
    checks = []
    for function in FINALISTS.values():
        enum = ENUM_FINALISTS[function.family].format(function.digest_bits)
        checks.append((enum, function.code))
        checks.append((f"size_bytes(size_e'(2'({enum})))", function.digest_bits // 8))
    for family in FINALIST_FAMILIES:
        name = FAMILY_NAMES[family]
        for width in (256, 512):
            functions = served(family, width)
            function = functions[0]
            here = f"{name}, {width}"
            checks.append((f"block_width({here})", function.rate_bits))
            limit = function.rate_bits - function.least_padding_bits
            checks.append((f"final_limit({here})", limit))
            codes = {function.code for function in functions}
            for code in range(256):
                checks.append((f"function_known({here}, 8'd{code})", int(code in codes)))
    assert elaborate(checks, tmp_path, FINALIST_PACKAGE) == ""


def test_a_difference_of_the_finalists_is_seen(tmp_path: Path) -> None:
    """The comparison can fail."""
    told = elaborate([("FnJh256", 0x40)], tmp_path, FINALIST_PACKAGE)
    assert "FnJh256 is not 64" in told


def test_codes_are_of_one_function_each() -> None:
    """A family in the high half, a function of it in the low."""
    codes = [function.code for function in FUNCTIONS.values()]
    assert len(set(codes)) == len(codes)
    assert max(codes) <= CODE_MASK
    for function in FINALISTS.values():
        size = DIGEST_SIZES.index(function.digest_bits)
        assert function.code == FAMILIES[function.family].codes[0] << 4 | size
    for function in KECCAK.values():
        family = "sp800-185" if function.name.startswith("cshake") else "keccak"
        assert function.code >> 4 == CODES[family]


def test_rates_follow_the_capacity() -> None:
    """FIPS 202, section 6: the capacity of a SHA-3 function is twice its digest."""
    for name, function in KECCAK.items():
        if not function.xof:
            assert function.rate_bits == 1600 - 2 * function.digest_bits, name
        assert function.rate_bits % keccak.LANE_BITS == 0
    assert FUNCTIONS["shake128"].rate_bits == 1600 - 2 * 128
    assert FUNCTIONS["shake256"].rate_bits == 1600 - 2 * 256
    assert FUNCTIONS["keccak-1024-576"].rate_bits == 1600 - 576
    assert FUNCTIONS["cshake128"].rate_bits == 1600 - 2 * 128
    assert FUNCTIONS["cshake256"].rate_bits == 1600 - 2 * 256


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("sha3-256", "sha3-256"),
        ("SHA3_256", "sha3-256"),
        ("keccak256", "keccak-256"),
        ("Keccak[1024,576]", "keccak-1024-576"),
        ("SHAKE128", "shake128"),
        ("BLAKE_256", "blake-256"),
        ("Skein-512-256", "skein-512-256"),
    ],
)
def test_names(name: str, wanted: str) -> None:
    """Case and `_` do not matter; common names are known."""
    assert functions.find(name).name == wanted


def test_an_unknown_name() -> None:
    """It is reported, with the names there are."""
    with pytest.raises(LabError, match=r"unknown function 'sha3-257': one of sha3-224, .*512-512"):
        functions.find("sha3-257")


@pytest.mark.parametrize("family", FAMILIES)
def test_bits_of_a_last_byte_are_where_the_record_says(family: str) -> None:
    """Those that are no bits of the message do not count, by the golden model; the others do."""
    known = FAMILIES[family]
    mine, beyond = (0b101, 0b01000 << 3) if known.low_bits_first else (0b101 << 5, 0b01000)
    digests = [
        functions.digest(known.functions[0], bytes([byte]), bits=3)
        for byte in (mine, mine | beyond, mine ^ (1 if known.low_bits_first else 1 << 5))
    ]
    assert digests[0] == digests[1] != digests[2]
