"""The exported LiteX module in an SoC that LiteX makes: simulated, its registers over the bus."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import simulation

litex_soc = pytest.importorskip("litex_soc", reason="no LiteX here: pip install litex migen")

SLOW = pytest.mark.slow


def run(soc: Any) -> simulation.Outcome:
    """Run the bench on an SoC."""
    compiled = simulation.compile_design("soc", soc.files)
    environment = {
        "HF_CSR": str(soc.csr),
        "HF_FUNCTIONS": " ".join(function.name for function in soc.one.functions),
        "HF_SLOTS": str(soc.one.slots),
    }
    return compiled.run("tests.rtl.regs.litex_bench", soc.one.name, environment=environment)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        pytest.param("keccak-iterative/stream", (), id="64-bits", marks=SLOW),
        pytest.param("keccak-iterative/stream", ("DataWidth=8",), id="8-bits"),
        pytest.param("keccak-iterative/stream", ("DataWidth=16",), id="16-bits", marks=SLOW),
        pytest.param("keccak-iterative/stream", ("DataWidth=32",), id="32-bits", marks=SLOW),
        pytest.param("keccak-pipelined/stream", (), id="slots", marks=SLOW),
        pytest.param("keccak-pipelined/stream-2-rounds", (), id="many-slots", marks=SLOW),
        pytest.param("jh/stream", ("DataWidth=128",), id="fixed-length", marks=SLOW),
    ],
)
def test_the_registers(name: str, settings: tuple[str, ...], tmp_path: Path) -> None:
    """Digests, errors, reset and stop, through the bus."""
    run(litex_soc.make(name, settings, tmp_path)).check()


def test_a_peripheral_is_where_its_readme_puts_it(tmp_path: Path) -> None:
    """The lines of its README, in an SoC."""
    region = litex_soc.with_registers(tmp_path).bus.regions["hash"]
    assert (region.origin, region.size, region.cached) == (0x9000_0000, 512, False)


def test_the_header_has_the_registers(tmp_path: Path) -> None:
    """Software finds each one that the docstring names, with its fields."""
    soc = litex_soc.make("keccak-pipelined/stream", (), tmp_path)
    registers = {
        *("control", "user", "length", "slot", "data", "tail_bytes", "tail", "room", "status"),
        *("digest", "next", "ev_status", "ev_pending", "ev_enable"),
    }
    found = json.loads(soc.csr.read_text(encoding="utf-8"))["csr_registers"]
    assert {key.removeprefix("hash_") for key in found if key.startswith("hash_")} == registers
    for name in ("CONTROL_STOP", "USER_FUNCTION", "ROOM_LOST", "STATUS_SLOT", "NEXT_NEXT"):
        assert f"#define CSR_HASH_{name}_OFFSET" in soc.header
    assert "hash_length_write(uint64_t v)" in soc.header
    assert f"{litex_soc.MODULE} {litex_soc.MODULE}" in soc.files["soc.v"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "caught_by"),
    [
        pytest.param("beat.valid_token_count > place", "1", "digests", id="bytes-of-before"),
        pytest.param("last.eq(last & whole)", "last.eq(last)", "digests", id="last-too-soon"),
        pytest.param(
            "read.ready.eq(take.fields.next)", "read.ready.eq(digest.we)", "known", id="pop"
        ),
        pytest.param(
            *("for part in parts]", "for part in parts[:2]]", "lost_and_reset"), id="no-reset"
        ),
        pytest.param("status.fields.error.eq(read.error)", "[]", "errors", id="no-error"),
        pytest.param(".stop.eq(1 << slot.storage)", ".stop.eq(15)", "stop", id="stops-all"),
        pytest.param("write.tid.eq(slot.storage)", "write.tid.eq(0)", "slots", id="slot-0"),
    ],
)
def test_faults_are_caught(old: str, new: str, caught_by: str, tmp_path: Path) -> None:
    """The bench fails on a module with one fault in it."""
    soc = litex_soc.make("keccak-pipelined/stream", (), tmp_path, (old, new))
    assert caught_by in run(soc).failures
