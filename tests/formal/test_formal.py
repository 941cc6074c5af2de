"""Proofs: Keccak's steps at each grain, and the engine's round, equal the whole state's.

And both forms of Groestl's S-box are one. Yosys reads both modules of a pair and proves every
output bit equal for all inputs (`equiv_simple`: one SAT problem a bit). The same proof on a package
with a fault must fail.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.tools import ToolError
from hashfabric.base.yosys import run_script
from hashfabric.registry.sources import closure

PACKAGE = "rtl/keccak/hf_keccak_pkg.sv"
GRAINS = Path(__file__).with_name("hf_keccak_grains.sv")
ENGINE = "rtl/keccak/hf_keccak_iterative.sv"
WORDS = "rtl/keccak/hf_keccak_iterative_words.sv"
GROESTL = "rtl/groestl/hf_groestl_pkg.sv"
S_BOXES = Path(__file__).with_name("hf_groestl_s_boxes.sv")

SLOW = pytest.mark.slow
CLAIMS = [
    pytest.param("parity_bit", "parity_state", marks=SLOW),
    pytest.param("theta_bit", "theta_state", marks=SLOW),
    pytest.param("theta_plane", "theta_state", marks=SLOW),
    ("theta_split", "theta_state"),
    ("rho_lane", "rho_state"),
    pytest.param("rho_plane", "rho_state", marks=SLOW),
    pytest.param("pi_plane", "pi_state", marks=SLOW),
    pytest.param("chi_bit", "chi_state", marks=SLOW),
    ("chi_row", "chi_state"),
    pytest.param("chi_plane", "chi_state", marks=SLOW),
    ("iota_lane", "iota_state"),
    ("load_engine", "load_state"),
    pytest.param("round_engine", "round_state", marks=SLOW),
]


def prove(grain: str, state: str, package: str, claims: Path = GRAINS, bits: int = 320) -> None:
    """Prove that `hf_<grain>` equals `hf_<state>`, of `claims`, with this text of the package.

    They have at least `bits` bits of output.
    """
    files = {"package.sv": package, "grains.sv": claims.read_text(encoding="utf-8")}
    read = f"read_slang --threads 1 --top hf_{grain} --top hf_{state} {' '.join(files)}"
    prove_equal(f"hf_{grain}", f"hf_{state}", [read], files, bits)


def prove_equal(
    one: str, other: str, read: Sequence[str], files: Mapping[str, str], bits: int
) -> None:
    """Prove two modules equal: all outputs, and the next state of registers of the same names.

    They have at least `bits` bits of these; `read` are yosys' lines that read them from `files`.
    """
    key = hashlib.sha256(repr(files).encode()).hexdigest()[:16]
    directory = BUILD / "formal" / f"{one.removeprefix('hf_')}-{key}"
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (directory / name).write_text(text, encoding="utf-8")
    script = [
        *read,
        "opt_clean",
        f"equiv_make {other} {one} equal",
        "hierarchy -top equal",
        "opt -full",
        "equiv_simple",
        "equiv_status -assert equal",
    ]
    run_script(script, directory, name="prove")
    # A tool that ends early has proved nothing.
    log = (directory / "prove.log").read_text(encoding="utf-8")
    found = re.search(r"Of those cells (\d+) are proven and 0 are unproven", log)
    assert found is not None and int(found[1]) >= bits, f"no proof in {directory / 'prove.log'}"
    assert "Equivalence successfully proven" in log


@pytest.mark.parametrize(("grain", "state"), CLAIMS)
def test_grain_equals_state(grain: str, state: str) -> None:
    """A claim holds."""
    prove(grain, state, (ROOT / PACKAGE).read_text(encoding="utf-8"))


def prove_forms(package: str, engine: str) -> None:
    """Prove that hf_keccak_iterative does the same with ThreeLevels and without, in every clock."""
    files = {"package.sv": package, "engine.sv": engine}
    top = Path(ENGINE).stem
    read = []
    for levels in (0, 1):
        choice = f"--top {top} -G ThreeLevels=1'b{levels}"
        read += [f"read_slang --threads 1 {choice} {' '.join(files)}", f"rename {top} form{levels}"]
    prove_equal("form1", "form0", read, files, bits=1600)


@pytest.mark.slow
def test_three_levels_are_the_same_round() -> None:
    """Theta's terms in another order: the same next state, and with one fault another."""
    package, engine = ((ROOT / path).read_text(encoding="utf-8") for path in (PACKAGE, ENGINE))
    prove_forms(package, engine)
    old = "p[(x+4)%5]) ^ rotl("
    assert engine.count(old) == 1
    with pytest.raises(ToolError, match="unproven"):
        prove_forms(package, engine.replace(old, "p[(x+3)%5]) ^ rotl("))


def prove_words(engine: str, *, plain: str) -> None:
    """Prove that hf_keccak_iterative_words does the same as its text `plain`, in every clock."""
    top = Path(WORDS).stem
    texts = [text for path, text in closure(top).items() if path != WORDS]
    parts = {f"{i}.sv": text for i, text in enumerate(texts)}
    read = []
    for form in ("engine", "plain"):
        files = " ".join([*parts, f"{form}.sv"])
        read += [f"read_slang --threads 1 --top {top} {files}", f"rename {top} {form}"]
    prove_equal("engine", "plain", read, {**parts, "engine.sv": engine, "plain.sv": plain}, 1600)


@pytest.mark.slow
def test_the_round_on_words_is_the_packages() -> None:
    """The next state with the package's theta; another one with one fault in the engine's own."""
    engine = (ROOT / WORDS).read_text(encoding="utf-8")
    old, fault = "rho(sum)", "p[(x+4)%5]) ^ rotl("
    assert engine.count(old) == engine.count(fault) == 1
    plain = engine.replace(old, "rho(theta_split(state_q))")
    prove_words(engine, plain=plain)
    with pytest.raises(ToolError, match="unproven"):
        prove_words(engine.replace(fault, "p[(x+3)%5]) ^ rotl("), plain=plain)


FAULTS = [
    pytest.param(
        *("theta_split", "theta_state", "r = theta_effect(a[4]);", "r = theta_effect(a[3]);"),
        id="theta-split",
        marks=SLOW,
    ),
    pytest.param(
        *("parity_bit", "parity_state", "return ^column;", "return ^column[3:0];"), id="parity"
    ),
    pytest.param(
        *("chi_bit", "chi_state", "a[x] ^ (~a[(x+1)%5]", "a[x] ^ (a[(x+1)%5]"),
        id="chi-plane",
        marks=SLOW,
    ),
    pytest.param(
        *("chi_row", "chi_state", "chi_bit(a[x], a[(x+1)%5]", "chi_bit(a[x], a[(x+3)%5]"),
        id="chi-row",
        marks=SLOW,
    ),
    pytest.param(
        *("load_engine", "load_state", "a[x] ^ (~a[(x+1)%5]", "a[x] ^ ~(a[(x+1)%5]"),
        id="load",
        marks=SLOW,
    ),
    pytest.param(
        *("round_engine", "round_state", "= a[y] ^ theta_effect(p) ^ r;", "= a[y] ^ r;"),
        id="round",
        marks=SLOW,
    ),
]


@pytest.mark.parametrize(("grain", "state", "old", "new"), FAULTS)
def test_a_fault_is_not_proved(grain: str, state: str, old: str, new: str) -> None:
    """One fault in the package, and only the proof of it fails."""
    package = (ROOT / PACKAGE).read_text(encoding="utf-8")
    assert package.count(old) == 1
    with pytest.raises(ToolError, match="unproven"):
        prove(grain, state, package.replace(old, new))


def test_groestls_s_box_is_the_table() -> None:
    """The S-box in GF((2^4)^2) equals the table, and with one fault it does not."""
    package = (ROOT / GROESTL).read_text(encoding="utf-8")
    pair = ("groestl_s_box_composite", "groestl_s_box_table")
    prove(*pair, package, S_BOXES, 8)
    assert package.count("16'h839E") == 1
    with pytest.raises(ToolError, match="unproven"):
        prove(*pair, package.replace("16'h839E", "16'h839C"), S_BOXES, 8)
