"""The masked peripheral's registers in RTL."""

import pytest

from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.streams import ON_ECP5
from tests.support.subjects import SLOW

ACCESS = "rtl/regs/hf_keccak_masked_access.sv"
STATES = "rtl/regs/hf_keccak_masked_states.sv"
WINDOW = "rtl/front/hf_keccak_word_window.sv"
BRIDGE = "rtl/common/hf_axil_apb.sv"
MUTANTS = {
    "newest-word-not-held-back": ("(saving && (&message_valid))", "(&message_valid)"),
    "last-of-one-share": (
        "message_level[0] == message_level[1] &&\n      last_bytes",
        "last_bytes",
    ),
    "last-twice": ("last && !ended_q &&", "last &&"),
    "bytes-not-counted": ("3'd3:    last_keep = 4'b0111;", "3'd3:    last_keep = 4'b1111;"),
    "bits-not-counted": ("last_beat ? bits_q : '0;", "'0;"),
    "message-after-its-end": ("!ended_q && !saving}}", "!saving}}"),
    "part-of-a-word-taken": ("{2{!part &&", "{2{"),
    "unread-digest-kept": ("rst_i || begins || stop_legal", "rst_i || stop_legal"),
    "function-not-held": ("else if (begins) code_q", "else code_q"),
    "stop-without-effect": ("discard_q || stop_legal || clear;", "discard_q || clear;"),
    "output-after-clear": ("discard_q || stop_legal || clear;", "discard_q || stop_legal;"),
    "clear-reported": ("finishes && !clearing_q && !clear;", "finishes;"),
    "end-after-clear-reported": ("finishes && !clearing_q && !clear;", "finishes && !clear;"),
    "clear-waits-for-the-seed": ("clear && !begun_q && !move", "1'b0"),
    "message-not-cleared": (".clear_i(rst_i || clear)", ".clear_i(rst_i)"),
    "word-of-an-empty-beat": ("output_accepted && s_word_i &&", "output_accepted &&"),
    "read-of-nothing-not-reported": ("(|(digest_read & ~digest_valid)) ||", ""),
    "before-the-core-is-ready": ("(begun_q || ready_q) &&", ""),
    "seed-without-its-words": ("&& (!regs_i.SEED.addr[3] || (&seed_written_q))", ""),
    "words-of-a-seed-kept": ("rst_i || seed_valid_o || clear)", "rst_i || seed_valid_o)"),
    "answers-after-a-reset": ("rst_i ? '0 : message_write;", "message_write;"),
}
"""Faults in what the registers do, each of which the bench must find."""

COMMAND_MUTANTS = {
    "newest-word-not-saved": ("(saving && (&message_valid))", "1'b0"),
    "state-of-no-function": ("&& function_known(code_q)", ""),
    "words-while-saving": ("!ended_q && !saving}}", "!ended_q}}"),
    "end-within-a-state": ("last && !ended_q && !saving && !restoring &&", "last && !ended_q &&"),
    "restore-at-any-time": ("States && restore && idle;", "States && restore;"),
    "save-while-restoring": ("!saving && !restoring && !reading", "!reading"),
    "message-before-the-wipe": ("!restoring && !wipe_due &&", "!restoring &&"),
}
"""Faults in the commands of states."""

STATE_MUTANTS = {
    "cleared-state-not-wiped": ("(drop_i && (state_used_q || word_moves_o)) ||", ""),
    "first-word-not-wiped": ("(state_used_q || word_moves_o)) ||", "state_used_q) ||"),
    "refused-state-not-wiped": ("(finishes_i && refused_i && state_used_q);", "1'b0;"),
    "word-after-clear": ("word_read_o && save_q && !clear_i;", "word_read_o;"),
    "read-withdrawn": (
        "read_q ? !window_ready_i :",
        "read_q ? !window_ready_i && !clear_i :",
    ),
    "digest-overflows": ("!write_q && !digest_full_i &&", "!write_q &&"),
    "digest-full-a-word-late": ("!write_q && !digest_full_i &&", "!digest_full_i &&"),
    "wipe-counted": ("(read_q ? save_q : restore_q)", "(read_q ? save_q : beat_state_i)"),
    "address-of-an-offered-word": ("(save_i && !wipe_due_q)", "save_i"),
    "restoring-after-clear": ("restore_q <= !clear_i && (", "restore_q <= ("),
    "words-not-absorbed": ("&& !beat_valid_i && core_ready_i;", ";"),
}
"""Faults in what saves and restores."""

WINDOW_MUTANTS = {
    "before-a-permutation": ("window_valid_i && !front_valid_i &&", "window_valid_i &&"),
    "before-the-wipe": ("(window_op_i == WordRead || wiped_q)", "1'b1"),
    "some-bytes": ("granted_q ? '1 : front_bytes_i", "front_bytes_i"),
}
"""Faults in the window to the state."""

ANSWERS = {
    "OneShare_A": (ACCESS, "!rst_i && digest_read[s] &&", "!rst_i && (|digest_read) &&"),
    "OneClock_A": (ACCESS, "else reply_q[s] <= '0;", "else if (rst_i) reply_q[s] <= '0;"),
    "ReplyIsZeroBetween_A": (BRIDGE, "else if (rready_i) rdata_o <= '0;", ""),
}
"""Faults in the answers, by the assertion that fails."""


def run(  # noqa: PLR0913 - one parameter a choice
    bus: str,
    *,
    serial: bool = True,
    in_ram: bool = False,
    words: int = 16,
    count: int = 12,
    waits: float = 0.3,
    files: dict[str, str] | None = None,
    tests: str | None = None,
) -> simulation.Outcome:
    """Run the bench."""
    top = f"hf_keccak_masked_{bus}"
    parameters: dict[str, int | bool] = {"Serial": serial, "FifoWords": words}
    parameters["StatesInBlockRam"] = in_ram
    options = ON_ECP5 if in_ram else ()
    compiled = simulation.compile_design(top, files or closure(top), parameters, options)
    environment = {
        "HF_BUS": bus,
        "HF_SERIAL": str(int(serial)),
        "HF_WORDS": str(words),
        "HF_COUNT": str(count),
        "HF_WAITS": str(waits),
    }
    bench = "tests.rtl.regs.masked_regs_bench"
    return compiled.run(bench, "masked", environment=environment, tests=tests)


@pytest.mark.parametrize(
    ("bus", "serial", "words", "count"),
    [
        pytest.param("apb", True, 16, 12, marks=SLOW),
        pytest.param("apb", True, 2, 40, marks=SLOW),
        pytest.param("apb", False, 16, 100, marks=SLOW),
        pytest.param("axil", True, 16, 60, marks=SLOW),
        pytest.param("axil", False, 4, 60, marks=SLOW),
    ],
)
def test_registers(bus: str, serial: bool, words: int, count: int) -> None:
    """Hashes, `clear` and `stop`, refused accesses, interrupts, seeds."""
    run(bus, serial=serial, words=words, count=count).check()


@SLOW
def test_registers_with_digests_in_block_ram() -> None:
    """The same with the fast engine's digests in block RAM of ECP5."""
    run("apb", serial=False, in_ram=True, count=60).check()


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_caught(name: str) -> None:
    """The bench fails on a fault."""
    old, new = MUTANTS[name]
    files = simulation.mutated(closure("hf_keccak_masked_apb"), ACCESS, old, new)
    assert run("apb", count=40, files=files).failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(path, *change, id=name)
        for path, mutants in (
            (ACCESS, COMMAND_MUTANTS),
            (STATES, STATE_MUTANTS),
            (WINDOW, WINDOW_MUTANTS),
        )
        for name, change in mutants.items()
    ],
)
def test_mutants_of_states_are_caught(path: str, old: str, new: str) -> None:
    """The tests of states, or those of what is refused, fail on a fault."""
    files = simulation.mutated(closure("hf_keccak_masked_apb"), path, old, new)
    assert run("apb", count=16, files=files, tests="states|refuses").failures


@pytest.mark.slow
@pytest.mark.parametrize("name", ANSWERS)
def test_shares_of_answers_are_apart(name: str) -> None:
    """An assertion fails where answers of both shares meet."""
    path, old, new = ANSWERS[name]
    files = simulation.mutated(closure("hf_keccak_masked_axil"), path, old, new)
    assert name in run("axil", files=files).assertions
