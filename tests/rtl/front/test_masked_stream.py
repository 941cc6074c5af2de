"""`hf_keccak_masked_axis` under the stream bench, with plain ports and with ports in shares."""

from collections.abc import Mapping

import pytest

from hashfabric.registry.designs import load_designs
from hashfabric.registry.sources import closure
from tests.support import simulation
from tests.support.simulation import Outcome
from tests.support.streams import ON_ECP5

SLOW = pytest.mark.slow
PLAIN = load_designs()["keccak-masked"].variants["stream"]
SHARED = "hf_masked_shared_axis"
TOP = "rtl/top/hf_keccak_masked_axis.sv"
PAD = "rtl/front/hf_keccak_pad.sv"
SPONGE = "rtl/front/hf_keccak_sponge.sv"
STORE = "rtl/front/hf_keccak_linear_store.sv"
ONE_SLOT = "rtl/keccak/hf_keccak_masked_one_slot.sv"
MOST = "every_function|bit_lengths|random_messages|random_faults|stops"
SMALL = {"Serial": 1, "DataWidth": 8}
LANE_CLOCKS = {4: 23, 8: 15, 16: 14}
"""Clocks of a lane of output of the small core by its slices; two words with 16."""
EXACT = "bench.clocks$|squeezing_clocks"


def run(
    top: str, parameters: Mapping[str, object], files: Mapping[str, str], tests: str
) -> Outcome:
    """Run tests of the stream bench."""
    in_ram = bool(parameters.get("StatesInBlockRam"))
    compiled = simulation.compile_design(top, files, parameters, ON_ECP5 if in_ram else ())
    slices = int(str(parameters.get("Slices", 4)))
    environment = {"HF_SLOTS": "1", "HF_CLOCKS_PER_BLOCK": "48", "HF_FILL": ""}
    if in_ram:
        environment |= {"HF_STOP_BEATS": "9", "HF_STOP_BEATS_STALLED": "15", "HF_PORT_SLACK": "8"}
    if parameters.get("Serial"):
        environment["HF_CLOCKS_PER_BLOCK"] = str(24 * (64 // slices + 6))
        environment["HF_LANE_CLOCKS"] = str(LANE_CLOCKS[slices])
    return compiled.run(
        "tests.rtl.front.stream_bench", "stream", environment=environment, tests=tests
    )


@SLOW
@pytest.mark.parametrize(
    "parameters",
    [
        {"DataWidth": 64},
        {"DataWidth": 8},
        {"DataWidth": 32, "Order": 2, "Guards": 0, "Generator": 0},
        {"DataWidth": 16, "Order": 3, "Guards": 0, "Generator": 0},
        {"DataWidth": 64, "Guards": 0},
        {"DataWidth": 64, "StatesInBlockRam": 1},
        {"DataWidth": 8, "StatesInBlockRam": 1},
        {"DataWidth": 32, "StatesInBlockRam": 1, "Order": 2, "Guards": 0, "Generator": 0},
        {"DataWidth": 64, "Checked": 1},
        {"DataWidth": 32, "Order": 2, "Guards": 0, "Generator": 0, "Checked": 1},
    ],
    ids=[
        "64",
        "8",
        "order-2",
        "order-3",
        "trivium-1600",
        "64-in-ram",
        "8-in-ram",
        "order-2-in-ram",
        "checked",
        "checked-order-2",
    ],
)
def test_shares(parameters: dict[str, int]) -> None:
    """Shares all the way: even and odd numbers of them, both sources of random bits."""
    late = parameters.get("Generator") == 0
    run(SHARED, parameters, closure(SHARED), MOST if late else f"{MOST}|{EXACT}").check()


def run_two(
    top: str, parameters: Mapping[str, object], files: Mapping[str, str], tests: str | None = None
) -> Outcome:
    """Run the bench of several slots, on two."""
    options = ON_ECP5 if parameters.get("StatesInBlockRam") else ()
    compiled = simulation.compile_design(top, files, {**parameters, "Slots": 2}, options)
    environment = {"HF_SLOTS": "2", "HF_CLOCKS_PER_BLOCK": "24", "HF_FAMILY": "keccak"}
    environment["HF_MESSAGES"] = "300"
    return compiled.run(
        "tests.rtl.front.slots_bench", "slots", environment=environment, tests=tests
    )


@SLOW
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"Generator": 0},
        {"Order": 2, "Guards": 0, "Generator": 0},
        {"StatesInBlockRam": 1},
    ],
    ids=["guards", "given", "order-2", "in-ram"],
)
def test_shares_of_two_messages(parameters: dict[str, int]) -> None:
    """Shares all the way, two messages at once: states that return, stops, errors, clocks."""
    run_two(SHARED, parameters, closure(SHARED)).check()


@pytest.mark.slow
def test_shares_of_the_small_core_in_short() -> None:
    """Shares all the way, at 8 bits."""
    run(SHARED, SMALL, closure(SHARED), "every_function").check()


@SLOW
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"DataWidth": 64, "Slices": 8},
        {"DataWidth": 32, "Slices": 16},
        {"DataWidth": 16, "Generator": 0},
        {"Order": 2, "Guards": 0},
        {"DataWidth": 32, "Slices": 16, "Order": 2, "Guards": 0, "Generator": 0},
        {"DataWidth": 64, "Slices": 8, "Order": 3, "Guards": 0},
    ],
    ids=["8", "64", "32", "given", "order-2", "order-2-given", "order-3"],
)
def test_shares_of_the_small_core(parameters: dict[str, int]) -> None:
    """The same at all widths, orders and numbers of slices, from both sources of random bits."""
    late = parameters.get("Generator") == 0
    tests = MOST if late else f"{MOST}|{EXACT}"
    run(SHARED, {**SMALL, **parameters}, closure(SHARED), tests).check()


@SLOW
def test_plain_ports_of_second_order() -> None:
    """Three shares, made and added at the ports."""
    parameters = {**PLAIN.parameters, "Order": 2, "Guards": 0, "DataWidth": 8}
    run(PLAIN.top, parameters, closure(PLAIN.top), MOST).check()


@SLOW
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(i == 0)", "(i != 5)"),
        ("s_data[i]", "s_data[0]"),
        (".st_i         (st[i])", ".st_i         (st[0])"),
    ],
    ids=["padding", "shares", "states"],
)
def test_a_fault_is_found(old: str, new: str) -> None:
    """Paddings that cancel, a share that is another one, of a message or of a state."""
    files = dict(closure(SHARED))
    assert old in files[TOP]
    files[TOP] = files[TOP].replace(old, new)
    assert run_two(SHARED, {}, files, "mixed_load").failures


@SLOW
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (PAD, "~(outside & {8{last_byte[b]}})", "8'hff"),
        (SPONGE, "share_q[i] <= word_data[DataWidth*s", "share_q[i] <= word_data[0"),
        (SPONGE, "lanes_q <= st_i[StateWidth*s", "lanes_q <= st_i[0"),
        (SPONGE, "lanes_q <= lanes_q >> LaneWidth", "lanes_q <= lanes_q"),
    ],
    ids=["outside", "blocks", "states", "lanes"],
)
def test_a_fault_of_one_control_is_found(path: str, old: str, new: str) -> None:
    """With one slot: bits after the message, a share that is another one, a lane again."""
    files = simulation.mutated(closure(SHARED), path, old, new)
    assert run(SHARED, {}, files, "random_messages").failures


@SLOW
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (STORE, "{columns_q[0], columns_q[4:1]}", "columns_q"),
        (STORE, "rotl(columns_q[1], 1)", "columns_q[1]"),
        (STORE, "linear_i[StateWidth*s", "linear_i[0"),
        (STORE, "parity_i[PlaneWidth*s", "parity_i[0"),
        (STORE, "LaneWidth - RhoOffset", "LaneWidth - RhoOffset[0] * RhoOffset"),
        (SPONGE, "&& store_ready", ""),
        (ONE_SLOT, "(op_d[OpIdle] && !st_valid_q) ||", "op_d[OpIdle] ||"),
    ],
    ids=["turns", "rotation", "states", "parities", "rho", "early", "cleared"],
)
def test_a_fault_in_block_ram_is_found(path: str, old: str, new: str) -> None:
    """Theta not undone, a share that is another one, words too early, a state that is gone."""
    files = simulation.mutated(closure(SHARED), path, old, new)
    assert run(SHARED, {"StatesInBlockRam": 1}, files, "random_messages").failures


@SLOW
@pytest.mark.parametrize(
    ("path", "old", "new", "label"),
    [
        (
            TOP,
            ".stop_i       (m_axis_stop),",
            ".stop_i({2{i == 0}} & m_axis_stop),",
            "FrontsInStep_A",
        ),
        (
            "tests/checkers/hf_masked_shared_axis.sv",
            "(NeverWaits && rand_valid_q)",
            "1'b0",
            "ReadyStays_M",
        ),
    ],
    ids=["step", "ready"],
)
def test_an_assertion_of_two_messages_fails(path: str, old: str, new: str, label: str) -> None:
    """Front ends that go apart, and a source of random bits that pauses."""
    files = simulation.mutated(closure(SHARED), path, old, new)
    outcome = run_two(SHARED, {"Generator": 0}, files)
    assert label in outcome.assertions


SHARES = "rtl/keccak/hf_keccak_serial_shares.sv"
SMALL_TOP = "rtl/top/hf_keccak_masked_serial_axis.sv"
SMALL_2 = {**SMALL, "Order": 2, "Guards": 0}
RANDOM_FAULTS = {
    "none": (TOP, "random = RandWidth'(words);", "random = '0;", {}, "RandomChanges_M"),
    "stays": (TOP, ".rand_ready_i(rand_ready),", ".rand_ready_i(1'b0),", {}, "RandomChanges_M"),
    "again": (
        ONE_SLOT,
        "assign rand_ready_o = chi_q;",
        "assign rand_ready_o = 1'b0;",
        {},
        "RandomIsTaken_A",
    ),
    "equal": (TOP, "(80'(i))", "(80'd0)", {"Guards": 0}, "RandomDiffers_M"),
    "small-stays": (
        SMALL_TOP,
        ".rand_valid_o(rand_valid),\n        .rand_ready_i(rand_ready),",
        ".rand_valid_o(rand_valid),\n        .rand_ready_i(1'b0),",
        SMALL,
        "RandomChanges_M",
    ),
    "small-again": (
        SHARES,
        "assign rand_ready_o = at_random && rand_valid_i;",
        "assign rand_ready_o = 1'b0;",
        SMALL,
        "RandomIsTaken_A",
    ),
    "small-2-again": (
        SHARES,
        "assign rand_ready_o = masked_q && rand_valid_i;",
        "assign rand_ready_o = 1'b0;",
        SMALL_2,
        "RandomIsTaken_A",
    ),
    "small-2-equal": (SMALL_TOP, "(80'(i))", "(80'd0)", SMALL_2, "RandomDiffers_M"),
    "small-2-pauses": (
        "tests/checkers/hf_masked_shared_axis.sv",
        "(NeverWaits && rand_valid_q)",
        "1'b0",
        {**SMALL_2, "Generator": 0},
        "RandomStays_M",
    ),
}
"""Faults in the way of random bits, which change no digest: path, text, another, label."""


@SLOW
@pytest.mark.parametrize("name", RANDOM_FAULTS)
def test_a_fault_of_random_bits_is_found(name: str) -> None:
    """None, the same ones for ever, used twice, generators that are equal, and one that pauses."""
    path, old, new, parameters, label = RANDOM_FAULTS[name]
    files = simulation.mutated(closure(SHARED), path, old, new)
    assert label in run(SHARED, parameters, files, "random_messages").assertions


@SLOW
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (
            "rtl/front/hf_keccak_word_sponge.sv",
            "        op_word_o[8*b+:8] |= padding_byte;",
            "        op_word_o[8*b+:8] |= padding_byte;\n"
            "        op_word_o[WordWidth*(Shares-1)+8*b+:8] |= padding_byte;",
        ),
        (
            "rtl/front/hf_keccak_word_stream.sv",
            "next_beat_word_q & {Shares{tail_mask_q}};",
            "next_beat_word_q & (Shares * DataWidth)'(tail_mask_q);",
        ),
        (
            "rtl/keccak/hf_keccak_serial_shares.sv",
            "(s == 0 && x == 0 && y == 0)",
            "(x == 0 && y == 0)",
        ),
        ("rtl/keccak/hf_keccak_serial_shares.sv", "if (Masked && back_q) move = '1;", ""),
    ],
    ids=["padding", "tail", "iota", "address"],
)
def test_a_fault_of_the_small_core_is_found(path: str, old: str, new: str) -> None:
    """Paddings, constants that cancel, a share that is lost, and an address that is one too far."""
    files = simulation.mutated(closure(SHARED), path, old, new)
    assert run(SHARED, {**SMALL, "DataWidth": 32}, files, "random_messages|bit_lengths").failures
