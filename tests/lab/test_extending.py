"""What a newcomer adds, in a copy of this checkout: each by as few files as docs say, and no edit.

A variant, a target, a flow, an engine with its stream top, and a family whose hash is none of
ours (SHA-256, FIPS 180-4): each is built or checked by the copy's own lab.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT

Lab = Callable[[str], str]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parts of the checkout that the lab needs."""
    root = tmp_path_factory.mktemp("checkout")
    for folder in (
        "src",
        "rtl",
        "tests/checkers",
        "systems",
        "driver",
        "designs",
        "targets",
        "docs",
        "papers",
    ):
        shutil.copytree(
            ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "img")
        )
    return root


@pytest.fixture(scope="module")
def lab(copy: Path) -> Lab:
    """Runs a Python program with the copy's lab, which is its checkout; returns what it prints."""

    def run(program: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(copy / "src")}
        environment.pop("HASHFABRIC_ROOT", None)
        result = subprocess.run(
            [sys.executable, "-c", program],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert result.returncode == 0, result.stderr[-2000:]
        return result.stdout.strip()

    assert run("from hashfabric.base.paths import ROOT; print(ROOT)") == str(copy)
    return run


def add(root: Path, path: str, text: str) -> None:
    """Add a file; that there is none yet is the point."""
    file = root / path
    assert not file.exists(), path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


CHECK = """
from hashfabric.registry.designs import find_design
from hashfabric.simulate.known_answers import quick_check
print(quick_check(find_design("{design}"), ["{variant}"])["{variant}"])
"""

SYNTHESISE = """
from hashfabric.base.progress import Steps
from hashfabric.flows.targets import find_target
from hashfabric.implement.build import Builder
from hashfabric.registry.designs import find_design
target = find_target("{target}")
with Steps(quiet=True) as steps:
    builder = Builder(find_design("{design}"), target, steps)
    done = builder.synthesise("{variant}", builder.design.variant("{variant}"))
use = done.core.result["use"]
print(target.device_text, use["luts"] > 0, use["ffs"] > 1600)
"""


@pytest.mark.slow
def test_a_variant_is_one_entry(copy: Path, lab: Lab) -> None:
    """It is listed, and checked at the clocks that it says."""
    path = copy / "designs" / "keccak-iterative.toml"
    entry = """
[variant.core-eight]
top = "hf_keccak_iterative"
kind = "engine"
note = "8 rounds a clock"
clocks_per_block = 3
parameters = { RoundsPerClock = 8 }
"""
    path.write_text(path.read_text("utf-8") + entry, encoding="utf-8")
    assert lab(CHECK.format(design="keccak-iterative", variant="core-eight")) == "3.0"


@pytest.mark.slow
def test_a_target_of_a_known_tool_is_one_file(copy: Path, lab: Lab) -> None:
    """Another part of the family."""
    text = (copy / "targets" / "xcup.toml").read_text("utf-8").replace('"xcup"', '"xcu"', 1)
    add(copy, "targets/xcu.toml", text.replace('family = "xcup"', 'family = "xcu"'))
    program = SYNTHESISE.format(target="xcu", design="keccak-iterative", variant="core")
    assert lab(program) == "xcu True True"


FLOW = '''
"""Lattice MachXO2: yosys synth_lattice, counts only."""

from collections.abc import Mapping
from typing import Literal

from hashfabric.flows.base import Use
from hashfabric.flows.mapped import MappedTarget


class MachxoTarget(MappedTarget):
    """A MachXO2 part, for counts."""

    flow: Literal["machxo"]
    part: str

    @property
    def device_text(self) -> str:
        """The part."""
        return self.part

    def map_command(self) -> str:
        """Return the family's synthesis command."""
        return "synth_lattice -family xo2"

    def use(self, cells: Mapping[str, int]) -> Use:
        """Return the use of a mapped netlist from its cell counts."""
        ffs = sum(count for cell, count in cells.items() if cell == "TRELLIS_FF")
        return Use(luts=cells.get("LUT4", 0), ffs=ffs, dsps=0, brams=0)
'''


@pytest.mark.slow
def test_a_flow_is_one_module(copy: Path, lab: Lab) -> None:
    """A tool that is new to the lab, and a target that names it."""
    add(copy, "src/hashfabric/flows/machxo.py", FLOW)
    target = 'name = "xo2"\ntitle = "MachXO2"\nflow = "machxo"\npart = "xo2"\nlut = "LUT4"\n'
    add(copy, "targets/xo2.toml", target)
    program = SYNTHESISE.format(target="xo2", design="keccak-iterative", variant="core")
    assert lab(program) == "xo2 True True"


@pytest.mark.slow
def test_an_engine_is_a_file_a_top_an_entry_and_a_page(copy: Path, lab: Lab) -> None:
    """The stream top hashes a file."""
    for old, new in (
        ("rtl/keccak/hf_keccak_iterative.sv", "rtl/keccak/hf_keccak_mine.sv"),
        ("rtl/top/hf_keccak_iterative_axis.sv", "rtl/top/hf_keccak_mine_axis.sv"),
    ):
        text = (copy / old).read_text("utf-8")
        add(copy, new, text.replace("hf_keccak_iterative", "hf_keccak_mine"))
    entry = """
name = "keccak-mine"
title = "Mine"
family = "keccak"
slots = 1
holds_state = true
clocks_per_block = 24
functions = ["sha3-256", "shake128"]
docs = "docs/keccak-mine.md"

[variant.core]
top = "hf_keccak_mine"
kind = "engine"

[variant.stream]
top = "hf_keccak_mine_axis"
kind = "stream"
parameters = { DataWidth = 64 }
"""
    add(copy, "designs/keccak-mine.toml", entry)
    add(copy, "docs/keccak-mine.md", "# Mine\n")
    message = bytes(range(250))
    add(copy, "message", message.decode("latin-1"))
    (copy / "message").write_bytes(message)
    command = ["hash", "--design", "keccak-mine", "message"]
    out = lab(f"from hashfabric.commands.cli import main; main({command})")
    assert out == f"{hashlib.sha3_256(message).hexdigest()}  message"


def _root(value: int, power: int) -> int:
    """Return the first 32 bits of the fraction of a square or cube root of `value`."""
    scaled, low, high = value << (32 * power), 0, 1 << 40
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**power <= scaled else (low, middle)
    return low & 0xFFFFFFFF


_PRIMES = [n for n in range(2, 312) if all(n % d for d in range(2, n))]
_K = [_root(prime, 3) for prime in _PRIMES[:64]]
_IV = [_root(prime, 2) for prime in _PRIMES[:8]]

MODEL = f'''
"""SHA-256 (FIPS 180-4)."""

from collections.abc import Iterator

from hashfabric.models.family import Family, Function

K = {_K}
IV = {_IV}
MASK = 0xFFFFFFFF


def turn(x: int, n: int) -> int:
    return (x >> n | x << (32 - n)) & MASK


def padded(function: Function, message: bytes, bits: int) -> Iterator[tuple[bytes, int]]:
    text = int.from_bytes(message, "big") >> (8 * len(message) - bits)
    zeros = -(bits + 65) % 512
    whole = ((text << 1 | 1) << zeros) << 64 | bits
    count = (bits + 65 + zeros) // 512
    data = whole.to_bytes(64 * count, "big")
    for i in range(count):
        reach = min(bits, 512 * (i + 1))
        yield data[64 * i : 64 * (i + 1)], reach if reach > 512 * i else 0


def digest(
    function: Function,
    message: bytes,
    *,
    bits: int | None = None,
    output_bits: int | None = None,
) -> bytes:
    chain = IV
    for block, _ in padded(function, message, 8 * len(message) if bits is None else bits):
        w = [int.from_bytes(block[4 * i : 4 * i + 4], "big") for i in range(16)]
        for t in range(16, 64):
            s0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3
            s1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10
            w.append((s1 + w[t - 7] + s0 + w[t - 16]) & MASK)
        a, b, c, d, e, f, g, h = chain
        for t in range(64):
            e1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
            t1 = h + e1 + (e & f ^ ~e & g) + K[t] + w[t]
            t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = (t1 + t2) & MASK, a, b, c, (d + t1) & MASK, e, f, g
        chain = [(x + y) & MASK for x, y in zip(chain, (a, b, c, d, e, f, g, h), strict=True)]
    return b"".join(x.to_bytes(4, "big") for x in chain)


FAMILY = Family(
    name="sha2",
    codes=(7,),
    low_bits_first=False,
    engine="compression",
    design="sha256",
    functions=[Function("sha-256", 0x71, "sha2", 512, 256, least_padding_bits=65)],
    digest=digest,
    padded=padded,
)
'''


def _words(values: list[int]) -> str:
    return ", ".join(f"32'h{value:08x}" for value in reversed(values))


PACKAGE = f"""
package hf_sha256_pkg;
  typedef logic [31:0] word_t;
  parameter word_t [63:0] K = {{{_words(_K)}}};
  parameter word_t [7:0] Iv = {{{_words(_IV)}}};
  function automatic word_t turn(input word_t x, input int unsigned n);
    return (x >> n) | (x << (32 - n));
  endfunction
endpackage
"""

ENGINE = """
// A round a clock: the block is taken, 64 rounds, the sum: 66 clocks.
module hf_sha256
  import hf_sha256_pkg::*;
(
    input logic clk_i,
    input logic rst_i,

    input  logic         blk_valid_i,
    output logic         blk_ready_o,
    output logic         blk_slot_o,
    input  logic         blk_first_i,
    input  logic         blk_last_i,
    input  logic [  1:0] blk_size_i,
    input  logic [ 63:0] blk_count_i,
    input  logic [511:0] blk_i,

    output logic         st_valid_o,
    input  logic         st_ready_i,
    output logic         st_slot_o,
    output logic [255:0] st_o
);
  typedef enum logic [1:0] { Idle, Rounds, Sum, Done } state_e;
  state_e state_q;
  logic [5:0] t_q;
  logic last_q;
  word_t [7:0] chain_q, v_q;  // a is v_q[0]
  word_t [15:0] w_q;
  word_t t1, t2, w_next;
  logic unused;

  assign unused = ^{blk_size_i, blk_count_i};
  assign {blk_slot_o, st_slot_o} = '0;
  assign blk_ready_o = state_q == Idle;
  assign st_valid_o = state_q == Done;
  always_comb begin
    for (int i = 0; i < 32; i++) st_o[8*i+:8] = chain_q[i/4][8*(3-i%4)+:8];
    t1 = v_q[7] + (turn(v_q[4], 6) ^ turn(v_q[4], 11) ^ turn(v_q[4], 25)) +
        ((v_q[4] & v_q[5]) ^ (~v_q[4] & v_q[6])) + K[t_q] + w_q[0];
    t2 = (turn(v_q[0], 2) ^ turn(v_q[0], 13) ^ turn(v_q[0], 22)) +
        ((v_q[0] & v_q[1]) ^ (v_q[0] & v_q[2]) ^ (v_q[1] & v_q[2]));
    w_next = w_q[0] + (turn(w_q[1], 7) ^ turn(w_q[1], 18) ^ (w_q[1] >> 3)) + w_q[9] +
        (turn(w_q[14], 17) ^ turn(w_q[14], 19) ^ (w_q[14] >> 10));
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle:
      if (blk_valid_i) begin
        state_q <= Rounds;
        t_q <= '0;
        last_q <= blk_last_i;
        v_q <= blk_first_i ? Iv : chain_q;
        if (blk_first_i) chain_q <= Iv;
        for (int i = 0; i < 64; i++) w_q[i/4][8*(3-i%4)+:8] <= blk_i[8*i+:8];
      end
      Rounds: begin
        v_q <= {v_q[6], v_q[5], v_q[4], v_q[3] + t1, v_q[2], v_q[1], v_q[0], t1 + t2};
        w_q <= {w_next, w_q[15:1]};
        t_q <= t_q + 6'd1;
        if (t_q == '1) state_q <= Sum;
      end
      Sum: begin
        for (int i = 0; i < 8; i++) chain_q[i] <= chain_q[i] + v_q[i];
        state_q <= last_q ? Done : Idle;
      end
      default: if (st_ready_i) state_q <= Idle;
    endcase
    if (rst_i) state_q <= Idle;
  end
endmodule
"""

SHA256 = """
name = "sha256"
title = "SHA-256, a round a clock"
family = "sha2"
slots = 1
holds_state = true
clocks_per_block = 66
functions = ["sha-256"]
docs = "docs/sha256.md"

[variant.core]
top = "hf_sha256"
kind = "engine"
"""


@pytest.mark.slow
def test_a_family_is_a_package_engines_and_a_record(copy: Path, lab: Lab) -> None:
    """Its golden model agrees with hashlib, its engine with the model; a fault does not pass."""
    add(copy, "src/hashfabric/models/sha2.py", MODEL)
    add(copy, "rtl/sha256/hf_sha256_pkg.sv", PACKAGE)
    add(copy, "rtl/sha256/hf_sha256.sv", ENGINE)
    add(copy, "designs/sha256.toml", SHA256)
    add(copy, "docs/sha256.md", "# SHA-256\n")
    program = (
        "from hashfabric.models import functions as f\n"
        "print(*(f.digest(f.find('sha-256'), bytes(n)).hex() for n in (0, 55, 56, 200)))"
    )
    wanted = [hashlib.sha256(bytes(count)).hexdigest() for count in (0, 55, 56, 200)]
    assert lab(program).split() == wanted
    assert lab(CHECK.format(design="sha256", variant="core")) == "66.0"
    wrong = ENGINE.replace("turn(v_q[4], 25)", "turn(v_q[4], 24)")
    (copy / "rtl/sha256/hf_sha256.sv").write_text(wrong, encoding="utf-8")
    with pytest.raises(AssertionError, match="wrong digest: sha-256"):
        lab(CHECK.format(design="sha256", variant="core"))
