"""`hashfabric leakage`: what it proves and what it must not pass; its simulation of traces."""

import functools
import itertools
import random
import re
from collections.abc import Callable, Mapping

import pytest

from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.flows.targets import find_any
from hashfabric.implement.circuits import mapped
from hashfabric.leakage import masked, masked_serial
from hashfabric.leakage.evaluate import evaluate, form_of
from hashfabric.leakage.masked import Form
from hashfabric.leakage.polynomials import (
    Polynomial,
    Variables,
    Verdict,
    decide,
    normal_form,
    product,
    uniform,
    variable,
)
from hashfabric.leakage.probing import MOST_FINDINGS, Experiment, Valuation, check, nets_of
from hashfabric.leakage.traces import LIMIT, Stimulus, measure
from hashfabric.models import keccak
from hashfabric.netlist.circuit import Circuit, Register
from hashfabric.registry.designs import load_designs
from hashfabric.registry.sources import closure

SLOW = pytest.mark.slow
CHI = "rtl/keccak/hf_keccak_masked_chi.sv"
ENGINE = "rtl/keccak/hf_keccak_masked.sv"
SERIAL = "rtl/keccak/hf_keccak_serial_shares.sv"
CACHE = Cache(BUILD / "cache")
SMALL = Form(1, guards=True, slices=4)
SMALL_2 = Form(2, slices=4)
BOTH = ["ecp5-85k", pytest.param("osu018", marks=SLOW)]


def failed(  # noqa: PLR0913 - options of a planted leak
    target: str,
    form: Form,
    checks: str,
    change: Callable[[str], str] | None = None,
    *,
    path: str = CHI,
    traces: int = 0,
) -> list[str]:
    """Return the names of the checks that fail, with the text of a file changed by `change`."""
    engine = masked.ENGINE if form.slices is None else masked_serial.ENGINE
    files: Mapping[str, str] = closure(masked.GADGET if checks == "gadget" else engine)
    if change is not None:
        changed = change(files[path])
        assert changed != files[path]
        files = {**files, path: changed}
    found = evaluate(find_any(target), form, checks.split(","), traces=traces, files=files)
    return [result.check for result in found if not result.passed]


def replaced(old: str, new: str) -> Callable[[str], str]:
    """Return the change of all `old` to `new`."""
    return lambda text: text.replace(old, new)


def without_registers(text: str) -> str:
    """Make the products combinational."""
    text = re.sub(r"if \(clear_\w+_i\) product_q\[i\]\[j\] <= '0;\s+else ", "", text)
    text = text.replace("always_ff @(posedge clk_i) begin", "always_comb begin")
    return text.replace("if (enable_i) product_q[i][j] <=", "product_q[i][j] =")


RANDOM = "random_i[High*(High-1)/2+Low]"
NO_RANDOM = replaced(f" ^ {RANDOM}", "")
RECOMBINED = replaced("& a_i[j][(x+2)%5]", "& (a_i[0][(x+2)%5] ^ a_i[1][(x+2)%5])")
REUSED = replaced(RANDOM, "{5{random_i[High*(High-1)/2+Low][0]}}")

####################
# Polynomials      #
####################


def test_polynomials() -> None:
    """Sets that hide the secrets and sets that do not, by rule and by enumeration."""
    known = Variables(2)
    (a0, a1), (b0, b1), (c0, c1) = (
        [variable(share) for share in known.secret(name)] for name in "abc"
    )
    r = variable(known.random("r"))

    def hidden(*observed: Polynomial) -> bool:
        return decide(observed, known) is Verdict.INDEPENDENT

    assert hidden(a0, b1, r)
    assert hidden(product(a0, b1) ^ r, a0)
    assert hidden(a0 ^ a1 ^ r)
    assert hidden(a0 ^ r, a1)
    assert hidden(product(a0, a1) ^ b0, product(a0, a1) ^ b0 ^ c0)
    assert not hidden(a0, a1)
    assert not hidden(a0 ^ a1 ^ r, r)
    assert not hidden(a0 ^ r, product(a1, r))
    assert not hidden(product(a0, b1) ^ product(a0, b0))
    assert not hidden(product(a0, b1) ^ r, product(a0, b0) ^ r)
    assert uniform([a0, r], known) is Verdict.INDEPENDENT
    assert uniform([a0 ^ product(b0, c0), b0 ^ c1], known) is Verdict.INDEPENDENT
    assert uniform([product(a0, b1)], known) is Verdict.LEAK
    assert uniform([r, r], known) is Verdict.LEAK


def test_what_is_too_large_is_not_decided() -> None:
    """A set with more variables than are enumerated counts as a failure."""
    known = Variables(2)
    secrets = [[variable(share) for share in known.secret(str(i))] for i in range(12)]
    total: Polynomial = frozenset()
    for (a0, a1), (b0, b1) in itertools.pairwise(secrets):
        total ^= product(a0, b1) ^ product(a1, b0)
    assert decide([total], known) is Verdict.UNKNOWN


def test_normal_forms() -> None:
    """The normal form of a table has the table's values."""
    rng = random.Random(1)
    for inputs in range(1, 7):
        table = rng.getrandbits(1 << inputs)
        form = normal_form(table, inputs)
        for at in range(1 << inputs):
            assert sum(mask & ~at == 0 for mask in form) % 2 == table >> at & 1


####################
# Probes           #
####################


def test_a_glitch_is_observed_and_a_register_stops_it() -> None:
    """Of an XOR of two shares: its registered result is masked, the wire in front is not."""
    for masks in (False, True):
        circuit = Circuit(nets=8, names=[str(i) for i in range(8)])
        circuit.ports = {"clk": [2], "q": [7]}
        # 3 and 4: the shares; 5: a random bit; 6 = 3 ^ 5 (or 3 ^ 4 ^ 5), registered in 7.
        circuit.add_gate(6, [3, 5] if masks else [3, 4, 5], 0b0110 if masks else 0b10010110)
        circuit.registers.append(Register(7, 6, 2))
        variables = Variables(2)
        given = {}
        for clock in range(2):
            shares = variables.secret(f"s{clock}")
            fresh = variables.random(f"r{clock}")
            given[clock] = {3: variable(shares[0]), 4: variable(shares[1]), 5: variable(fresh)}
        report = check(Experiment(circuit, variables, [given[0], given[1]], [1]))
        assert [finding.probes for finding in report.findings] == ([] if masks else [("6",)])


@pytest.mark.slow
@pytest.mark.parametrize("target", BOTH)
def test_chi_of_two_shares(target: str) -> None:
    """Chi passes, and no planted leak does."""
    form = Form(1)
    assert failed(target, form, "gadget") == []
    probe = "chi of a row, 1 probes at once"
    assert probe in failed(target, form, "gadget", without_registers)
    assert probe in failed(target, form, "gadget", RECOMBINED)
    assert failed(target, form, "gadget", NO_RANDOM) == ["shares of chi"]


@SLOW
@pytest.mark.parametrize("target", BOTH)
def test_chi_of_three_shares(target: str) -> None:
    """The same with two probes, which also find a random bit that is used again."""
    form = Form(2)
    assert failed(target, form, "gadget") == []
    pair = "chi of a row, 2 probes at once"
    for leak in (without_registers, RECOMBINED, NO_RANDOM, REUSED):
        assert pair in failed(target, form, "gadget", leak)


@SLOW
def test_two_shares_do_not_stand_two_probes() -> None:
    """What first order does not claim: two probes on two shares. The first findings are enough."""
    netlist = mapped(
        find_any("ecp5-85k"), masked.GADGET, {"Order": 1, "Width": 1}, Cache(BUILD / "cache")
    )
    assert len(check(masked.gadget(netlist, Form(1), adds=False), 2).findings) == MOST_FINDINGS


@SLOW
@pytest.mark.parametrize("target", ["ecp5-85k", "osu018"])
@pytest.mark.parametrize("guards", [True, False])
@pytest.mark.parametrize("slots", [1, 2])
def test_a_round(target: str, guards: bool, slots: int) -> None:
    """Every wire of the engine, in a round and in a message's first clocks."""
    assert failed(target, Form(1, guards, slots), "round") == []


@SLOW
def test_a_state_that_returns_has_its_masks() -> None:
    """Nothing is added to its shares but the block's, and its bit of the guards' chain is back."""
    netlist, form = engine("ecp5-85k", guards=True, slots=2), Form(1, guards=True, slots=2)
    kept, left = (nets_of(netlist, name) for name in form.kept)
    [*_, leaves] = nets_of(netlist, f"{form.control}leave_q")
    for restore in (False, True):
        experiment = masked.one_round(netlist, form, load=True, restore=restore, adds=True)
        for slot in range(2):
            [shown] = nets_of(netlist, "blk_slot_o")
            for net, value in ((shown, slot), (leaves, 1)):
                experiment.given[0][net] = frozenset([frozenset()]) if value else frozenset()
            values = Valuation(experiment)
            crossed = [values.value(net, 1) for net in masked.products(netlist)[1600:4800]]
            assert all(value == frozenset() for value in crossed) is restore
            known = experiment.given[0]
            assert (values.value(kept[0], 1) == known[left[slot]]) is restore
            assert values.value(left[1 - slot], 1) == known[kept[0]]
            assert values.value(left[slot], 1) == known[left[slot]]


FAR = "(i < Distance) ? "
NOTHING_KEPT = replaced("kept_q <= {kept_q[0],", "kept_q <= {kept_q[0] & rst_i,")
"""A leak of the engine with two slots only; with rst_i synthesis keeps the register."""
SHARES_MIXED = replaced("linear_q[i] <= linear[i];", "linear_q[i] <= linear[0] ^ linear[1];")


@SLOW
@pytest.mark.parametrize(
    ("path", "change", "guards"),
    [
        (CHI, without_registers, True),
        (CHI, RECOMBINED, True),
        (CHI, NO_RANDOM, False),
        (ENGINE, replaced("rotl(guard_q[y][x], Distance)", "guard_q[(y+1)%5][x]"), True),
        (ENGINE, SHARES_MIXED, True),
        (ENGINE, NOTHING_KEPT, True),
    ],
    ids=["registers", "recombined", "random", "near-guards", "shares", "nothing-kept"],
)
def test_a_round_with_a_leak(path: str, change: Callable[[str], str], guards: bool) -> None:
    """A planted leak is found by a probe."""
    assert failed("ecp5-85k", Form(1, guards, slots=2), "round", change, path=path)
    if change is not NOTHING_KEPT:
        assert failed("ecp5-85k", Form(1, guards), "round", change, path=path)


@SLOW
@pytest.mark.parametrize(("slices", "order"), [(4, 1), (8, 1), (16, 1), (4, 2)])
@pytest.mark.parametrize("target", ["ecp5-85k", "osu018"])
def test_a_pass(target: str, slices: int, order: int) -> None:
    """Every wire of the small engine, in the pass of each operation."""
    assert failed(target, Form(order, guards=order == 1, slices=slices), "round") == []


@SLOW
@pytest.mark.parametrize(
    ("path", "change", "found"),
    [
        (CHI, without_registers, "permute"),
        (CHI, RECOMBINED, "permute"),
        (SERIAL, replaced("? guards_before_q[i%Distance][y][x] :", "? 1'b0 :"), "permute"),
        (
            SERIAL,
            replaced(FAR, f"(i < 99) ? masking_q[(y+1)%5][x][i] : {FAR}"),
            "permute",
        ),
        (
            SERIAL,
            replaced("r2_q[y][x] <= r1[s][y][x];", "r2_q[y][x] <= r1[0][y][x] ^ r1[1][y][x];"),
            "permute",
        ),
        (
            SERIAL,
            replaced(
                "op_groups[index] ^ word_group[s]",
                "op_groups[index] ^ word_group[0] ^ word_group[1]",
            ),
            "add",
        ),
        (SERIAL, replaced("add_q ? '1 : ~plane", "~plane"), "a stored block"),
    ],
    ids=[
        "registers",
        "recombined",
        "no-guards",
        "near-guards",
        "shares",
        "words",
        "masks-in-a-block",
    ],
)
def test_a_pass_with_a_leak(path: str, change: Callable[[str], str], found: str) -> None:
    """A planted leak is found by a probe, or in what an add stores."""
    assert any(found in what for what in failed("ecp5-85k", SMALL, "round", change, path=path))


ALL_OF_THREE = replaced(
    "& a_i[j][(x+2)%5]", "& (a_i[0][(x+2)%5] ^ a_i[1][(x+2)%5] ^ a_i[2][(x+2)%5])"
)
SAME_IN_EACH_PLANE = replaced("random[p] = masks[p][y]", "random[p] = masks[p][0]")


@SLOW
@pytest.mark.parametrize(
    ("path", "change"),
    [
        (CHI, without_registers),
        (CHI, ALL_OF_THREE),
        (SERIAL, SAME_IN_EACH_PLANE),
        (
            SERIAL,
            replaced(
                "r2_q[y][x] <= r1[s][y][x];",
                "r2_q[y][x] <= r1[0][y][x] ^ r1[1][y][x] ^ r1[2][y][x];",
            ),
        ),
    ],
    ids=["registers", "recombined", "reused", "shares"],
)
def test_a_pass_of_three_shares_with_a_leak(path: str, change: Callable[[str], str]) -> None:
    """One probe sees all shares that met, and two the same random bits in each plane."""
    found = failed("ecp5-85k", SMALL_2, "round", change, path=path)
    assert ("the pass of permute, 1 probe" in found) is (change is not SAME_IN_EACH_PLANE)
    assert "the pass of permute, after chi, 2 probes at once" in found


@SLOW
def test_two_shares_do_not_stand_two_probes_after_chi() -> None:
    """The parities of the same columns in both shares."""
    netlist = mapped(find_any("ecp5-85k"), masked_serial.ENGINE, masked_serial.parameters(4), CACHE)
    experiment = masked_serial.one_pass(netlist, "permute")
    experiment.observed = [masked_serial.first_step("permute") + 8]
    assert check(experiment, 2, masked_serial.after_chi(experiment)).findings


@SLOW
def test_random_bits_are_taken_where_a_pass_has_new_ones() -> None:
    """The experiment's clocks are those of the engine's rand_ready_o."""
    parameters = masked_serial.parameters(4, 2)
    netlist = mapped(find_any("ecp5-85k"), masked_serial.ENGINE, parameters, CACHE)
    [ready] = nets_of(netlist, "rand_ready_o")
    for operation in masked_serial.OPERATIONS:
        experiment = masked_serial.one_pass(netlist, operation)
        values = Valuation(experiment)
        clocks = range(1, masked_serial.first_step(operation) + 22)  # to the end of the pass
        found = [bool(values.value(ready, clock)) for clock in clocks]
        assert found == [masked_serial.takes_random(netlist, operation, clock) for clock in clocks]
        assert any(found) == (operation != "add")


@SLOW
@pytest.mark.parametrize("order", [1, 2])
def test_a_wipe_leaves_masks_only(order: int) -> None:
    """What it writes into all shares' memories adds up to zero; of three, it is random bits."""
    netlist = mapped(
        find_any("ecp5-85k"), masked_serial.ENGINE, masked_serial.parameters(4, order), CACHE
    )
    experiment = masked_serial.one_pass(netlist, "wipe")
    values, names = Valuation(experiment), experiment.variables.names
    registers = [nets_of(netlist, f"gen_share[{share}].r3_q") for share in range(order + 1)]
    before_step_0 = masked_serial.first_step("wipe") + 5
    left: set[str] = set()
    for clock in range(before_step_0, before_step_0 + 17):
        for bits in zip(*registers, strict=True):
            shares = [values.value(net, clock) for net in bits]
            assert functools.reduce(frozenset.symmetric_difference, shares) == frozenset()
            left |= {names[one] for value in shares for monomial in value for one in monomial}
    assert left
    assert order == 1 or all("rand_i" in name for name in left)


@pytest.mark.slow
def test_what_masks_the_first_slices() -> None:
    """Slice 0 of a plane takes slice 61 of the one below, the first row fresh bits."""
    netlist = mapped(find_any("ecp5-85k"), masked_serial.ENGINE, masked_serial.parameters(4), CACHE)
    experiment = masked_serial.one_pass(netlist, "permute")
    values, begins = Valuation(experiment), masked_serial.first_step("permute")
    state = nets_of(netlist, "gen_masked.masking_q")  # [y][x][bit]
    last = [values.value(net, begins + 2) for net in state]  # group 15, in step -4
    fresh = [values.value(net, begins) for net in nets_of(netlist, "rand_i")]
    kept = variable(experiment.variables.names.index("kept_q"))
    masks = [
        values.value(net, begins + 3) for net in nets_of(netlist, "gen_masked.guards_before_q")[:25]
    ]
    assert masks == [*fresh, kept, *(last[4 * at + 1] for at in range(20))]
    [register] = nets_of(netlist, "gen_masked.kept_q")
    assert values.value(register, begins + 3) == last[4 * 24 + 1]


####################
# Traces           #
####################

MANY = 100_000


def row(order: int, change: Callable[[str], str] | None, traces: int) -> tuple[float, float]:
    """Return the largest |t| of both orders for chi of one row, its shares new in each clock."""
    files = closure(masked.GADGET)
    if change is not None:
        files[CHI] = change(files[CHI])
    parameters = {"Order": order, "Width": 1}
    cache = Cache(BUILD / "cache")
    netlist = mapped(find_any("ecp5-85k"), masked.GADGET, parameters, cache, files)
    stimulus = Stimulus(4, 1)
    for net in (*netlist.ports["add_i"], *(one.out for one in netlist.registers)):
        stimulus.constant(0, net, 0)
    stimulus.constant(0, netlist.ports["enable_i"][0], 1)
    for clock in (1, 2):
        for bit in range(5):
            shares = netlist.ports["a_i"][bit::5]
            stimulus.secret(clock, shares, (bit * clock) % 2)
        for net in netlist.ports["random_i"]:
            stimulus.random(clock, net)
    test = measure(netlist, "clk_i", stimulus, traces)
    return test.worst, test.worst_second


def test_a_leak_among_many_edges_is_found() -> None:
    """A secret that is not shared, on 100 of 70,100 nets; the others change in every trace."""
    clock, switch, secret, first = 2, 3, 4, 5
    circuit = Circuit(nets=first + 70_100, ports={"clk_i": [clock]})
    for number in range(70_100):
        circuit.add_gate(first + number, [secret if number < 100 else switch], 0b10)
    stimulus = Stimulus(2, 1)
    stimulus.constant(1, switch, 1)
    stimulus.secret(1, [secret], 0)
    assert measure(circuit, "clk_i", stimulus, 2000).worst > LIMIT


def test_traces_of_chi() -> None:
    """First order is clean with two shares, second order is not; a planted leak is in the first."""
    first, second = row(1, None, 20_000)
    assert first < LIMIT < second
    first, _ = row(1, RECOMBINED, 20_000)
    assert first > LIMIT


@SLOW
def test_traces_of_chi_of_three_shares() -> None:
    """Both orders are clean with three shares; with a planted leak only the first is."""
    assert max(row(2, None, 50_000)) < LIMIT
    for leak in (RECOMBINED, NO_RANDOM):
        first, second = row(2, leak, 50_000)
        assert first < LIMIT < second


@SLOW
@pytest.mark.parametrize("target", BOTH)
@pytest.mark.parametrize("guards", [True, False])
@pytest.mark.parametrize("slots", [1, 2])
def test_traces(target: str, guards: bool, slots: int) -> None:
    """No first-order leak in many traces."""
    assert failed(target, Form(1, guards, slots), "traces", traces=MANY) == []


def engine(target: str, guards: bool, slots: int = 1) -> Circuit:
    """Return the mapped engine of first order."""
    parameters = {"Order": 1, "Guards": guards, "Slots": slots}
    return mapped(find_any(target), masked.ENGINE, parameters, Cache(BUILD / "cache"))


@SLOW
@pytest.mark.parametrize(
    ("target", "path", "change", "traces"),
    [
        # A LUT4 of ECP5 has a product and its random bit at once, and shows no glitch between them.
        ("osu018", CHI, without_registers, MANY),
        ("ecp5-85k", CHI, RECOMBINED, MANY // 10),
        ("ecp5-85k", ENGINE, SHARES_MIXED, MANY // 10),
    ],
    ids=["registers", "recombined", "shares"],
)
def test_traces_with_a_leak(
    target: str, path: str, change: Callable[[str], str], traces: int
) -> None:
    """A planted leak is found in a fraction of a million."""
    form = Form(1, guards=True)
    assert failed(target, form, "traces", change, path=path, traces=traces)


@SLOW
def test_traces_of_the_small_engine() -> None:
    """No first-order leak in two passes, but second order; a planted one in fewer traces."""
    assert failed("ecp5-85k", SMALL, "traces", traces=MANY) == []
    assert failed("ecp5-85k", SMALL, "traces", RECOMBINED, traces=MANY // 10)
    netlist = mapped(find_any("ecp5-85k"), masked_serial.ENGINE, masked_serial.parameters(4), CACHE)
    test = measure(netlist, "clk_i", masked_serial.passes_stimulus(netlist), MANY)
    assert test.worst_second > LIMIT


@SLOW
def test_traces_of_three_shares_in_the_small_engine() -> None:
    """No leak of either order in two passes; a planted one is found in a fraction of the traces."""
    assert failed("ecp5-85k", SMALL_2, "traces", traces=MANY) == []
    assert failed("ecp5-85k", SMALL_2, "traces", ALL_OF_THREE, traces=MANY // 10)


@SLOW
def test_traces_without_random_bits() -> None:
    """The t-test sees the secrets at once where all shares but one are constant."""
    netlist = engine("ecp5-85k", guards=True)
    stimulus = masked.rounds_stimulus(netlist, Form(1, guards=True))
    plain = [(at, net, kind & 2, value, of) for at, net, kind, value, of in stimulus.drives]
    unmasked = Stimulus(stimulus.clocks, stimulus.measured_from, stimulus.fixed, plain)
    assert measure(netlist, "clk_i", unmasked, 2000).worst > 10 * LIMIT


@SLOW
@pytest.mark.parametrize("slots", [1, 2])
@pytest.mark.parametrize("target", BOTH)
def test_the_simulation_is_right(target: str, slots: int) -> None:
    """After three rounds the products add up to the golden model's state, of the fixed block."""
    netlist = engine(target, guards=True, slots=slots)
    stimulus = masked.rounds_stimulus(netlist, Form(1, guards=True, slots=slots))
    block = sum(bit << at for at, bit in enumerate(stimulus.fixed))
    state = [block >> 64 * lane & (1 << 64) - 1 for lane in range(25)]
    for index in range(masked.ROUNDS_MEASURED):
        state = keccak.iota(keccak.chi(keccak.pi(keccak.rho(keccak.theta(state)))), index)
    wanted = int.from_bytes(keccak.state_bytes(state), "little")
    products = masked.products(netlist)
    seen = set()
    for seed in range(8):
        test = measure(netlist, "clk_i", stimulus, 1, seed=seed, read=products)
        found = sum(sum(test.read[at::1600]) % 2 << at for at in range(1600))
        assert (found == wanted) is test.read_fixed
        seen.add(test.read_fixed)
    assert seen == {False, True}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("keccak-masked/stream", Form(guards=True)),
        ("keccak-masked/stream-2-messages", Form(guards=True, slots=2)),
        ("keccak-masked/stream-checked", Form(guards=True)),
        ("keccak-masked/apb", Form(guards=True)),
        ("keccak-masked-serial/stream", Form(guards=True, slices=4)),
        ("keccak-masked-serial/stream-second-order", Form(2, slices=4)),
        ("keccak-masked-serial/apb", Form(guards=True, slices=4)),
        ("keccak-masked-serial/axil", Form(guards=True, slices=4)),
    ],
)
def test_the_form_is_that_of_the_engine_within(name: str, wanted: Form) -> None:
    """A peripheral's top is of either engine."""
    design, variant = name.split("/")
    assert form_of(load_designs()[design].variants[variant]) == wanted


def test_each_masked_variant_has_its_form() -> None:
    """The test above has all of them."""
    (mark,) = test_the_form_is_that_of_the_engine_within.pytestmark  # type: ignore[attr-defined]
    named = {name for name, _ in mark.args[1]}
    masked = ("keccak-masked", "keccak-masked-serial")
    assert named == {
        f"{one}/{variant}" for one in masked for variant in load_designs()[one].variants
    }


def test_what_is_not_masked() -> None:
    """An engine without masks is named."""
    with pytest.raises(LabError, match="nothing in it is masked"):
        form_of(load_designs()["keccak-iterative"].variants["core"])


####################
# Two cores        #
####################


def shares_met(circuit: Circuit, width: int) -> list[str]:
    """Return the nets of a port of two cores that depend on more than one share of its data.

    A share is `width` bits of `m_tdata_i`, the first core's shares first. What is registered of a
    comparison (`differs_q`) is zero for all data.
    """
    compared = {n for name, nets in circuit.signals.items() if "differs_q" in name for n in nets}
    shares = len(circuit.ports["m_tdata_o"]) // width
    met = {net: {index // width % shares} for index, net in enumerate(circuit.ports["m_tdata_i"])}
    before = -1
    while before != (now := sum(map(len, met.values()))):
        before = now
        for gate in circuit.gates:
            met[gate.out] = set().union(*(met.get(net, set()) for net in gate.inputs))
        for register in circuit.registers:
            if register.out not in compared:
                met[register.out] = set(met.get(register.data, set()))
    return [circuit.names[net] for net, seen in met.items() if len(seen) > 1]


@pytest.mark.parametrize("target", BOTH)
@pytest.mark.slow
def test_two_cores_are_compared_share_by_share(target: str) -> None:
    """No net of the comparison sees two shares; with unaligned groups some would."""
    path = "rtl/front/hf_lockstep_stream.sv"
    files = closure("hf_lockstep_stream")
    cache = Cache(BUILD / "cache")
    last = "    logic [DataWidth-1:0] m_tdata;\n"
    nets = []
    for text in (
        files[path],
        files[path].replace(", m_tlast;", ";").replace(last, f"{last}    logic m_tlast;\n"),
    ):
        circuit = mapped(
            find_any(target), "hf_lockstep_stream", {"DataWidth": 32}, cache, {**files, path: text}
        )
        nets.append(shares_met(circuit, 16))
    assert not nets[0]
    assert nets[1]
