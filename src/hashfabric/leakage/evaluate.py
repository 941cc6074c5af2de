"""`hashfabric leakage`: the checks of a masked design, each with its result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import Steps
from hashfabric.flows.base import AnyTarget
from hashfabric.implement.circuits import mapped
from hashfabric.leakage import masked, masked_serial
from hashfabric.leakage.masked import ENGINE, GADGET, Form
from hashfabric.leakage.polynomials import Verdict
from hashfabric.leakage.probing import MOST_FINDINGS, Experiment, ProbeReport, check
from hashfabric.leakage.traces import LIMIT, TTest, measure
from hashfabric.netlist.circuit import Circuit
from hashfabric.registry.designs import Variant
from hashfabric.registry.sources import closure

CHECKS = ("gadget", "round", "traces")
"""The checks, from the quickest to the slowest."""

_SHOWN = 5  # findings of a check


@dataclass(frozen=True)
class Result:
    """One check: what it is of, what it found, and whether that is as it must be."""

    check: str
    target: str
    passed: bool
    said: str
    findings: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """Return it for JSON."""
        return asdict(self)


def form_of(variant: Variant) -> Form:
    """Return the form of the engine in a variant; `LabError` if there is none."""
    files = closure(variant.top)
    # The peripherals' tops have either engine, by a parameter.
    has_serial = any(path.endswith("/hf_keccak_masked_serial.sv") for path in files)
    if has_serial and variant.parameters.get("Serial", True):
        order = int(variant.parameters.get("Order", 1))
        slices = int(variant.parameters.get("Slices", 4))
        return Form(order, guards=order == 1, slices=slices)
    if not any(path.endswith(f"/{ENGINE}.sv") for path in files):
        raise LabError(f"{variant.top}: nothing in it is masked (keccak-masked is)")
    order = int(variant.parameters.get("Order", 1))
    # The top's default is the form with few random bits, the engine's is the other.
    guards = bool(variant.parameters.get("Guards", variant.top != ENGINE))
    return Form(order, guards, int(variant.parameters.get("Slots", 1)))


def evaluate(  # noqa: PLR0913 - options of the command
    target: AnyTarget,
    form: Form,
    checks: Sequence[str],
    *,
    traces: int,
    seed: int = 1,
    files: Mapping[str, str] | None = None,
    cache: Cache | None = None,
    steps: Steps | None = None,
) -> Iterator[Result]:
    """Yield the result of each of `checks` on the engine in `form`, mapped for `target`.

    The engine is built from `files`, where these are given.
    """
    cache, steps = cache or Cache(BUILD / "cache"), steps or Steps(quiet=True)
    if "gadget" in checks:
        with steps.step(f"chi of {form.shares} shares for {target.name}"):
            row = mapped(target, GADGET, {"Order": form.order, "Width": 1}, cache, files)
        for adds in (False, True):
            what = "chi of a row" + (", with a block" if adds else "")
            for probes in range(1, form.order + 1):
                report = check(masked.gadget(row, form, adds=adds), probes)
                yield _probed(f"{what}, {probes} probes at once", target, report)
        verdict = masked.shares_uniform(row, form)
        said = {
            Verdict.INDEPENDENT: "uniform, whatever the secrets",
            Verdict.LEAK: "not uniform",
            Verdict.UNKNOWN: "not decided",
        }[verdict]
        yield Result("shares of chi", target.name, verdict is Verdict.INDEPENDENT, said)
    if not {"round", "traces"} & {*checks}:
        return
    top, parameters = ENGINE, {"Order": form.order, "Guards": form.guards, "Slots": form.slots}
    if form.slices is not None:
        top, parameters = masked_serial.ENGINE, masked_serial.parameters(form.slices, form.order)
    with steps.step(f"{top} for {target.name}"):
        engine = mapped(target, top, parameters, cache, files)
    if "round" in checks:
        for what, experiment, wires in _rounds(engine, form):
            with steps.step(f"{what}, {'every wire' if wires is None else 'every pair'}"):
                report = check(experiment) if wires is None else check(experiment, 2, wires)
            count = "1 probe" if wires is None else "2 probes at once"
            yield _probed(f"{what}, {count}", target, report)
        if form.slices is not None:
            masks = masked_serial.masks_in_a_block(masked_serial.one_pass(engine, "add"))
            said = f"{len(masks) or 'no'} masks of the state in it"
            yield Result("a stored block", target.name, not masks, said, masks[:_SHOWN])
    if "traces" in checks:
        with steps.step(f"{traces:,} traces"):
            if form.slices is None:
                stimulus = masked.rounds_stimulus(engine, form, seed)
            else:
                stimulus = masked_serial.passes_stimulus(engine, seed)
            test = measure(engine, "clk_i", stimulus, traces, seed=seed)
        yield _tested("t-test, first order", target, test, test.worst)
        if form.order > 1:
            yield _tested("t-test, second order", target, test, test.worst_second)


def _rounds(engine: Circuit, form: Form) -> Iterator[tuple[str, Experiment, list[int] | None]]:
    """Yield the checks of the whole engine by name, with the wires that pairs of probes are on.

    None where a single probe is on each wire.
    """
    if form.slices is None:
        yield "a round", masked.one_round(engine, form), None
        yield "a round that adds a block", masked.one_round(engine, form, adds=True), None
        first = masked.one_round(engine, form, load=True, adds=True)
        yield "a message's first clocks", first, None
        if form.two:
            returned = masked.one_round(engine, form, restore=True, adds=True)
            yield "a state that returns", returned, None
        return
    for operation in masked_serial.OPERATIONS:
        yield f"the pass of {operation}", masked_serial.one_pass(engine, operation), None
    for operation in ("read", "permute"):
        experiment = masked_serial.one_pass(engine, operation, adds=True)
        yield f"the pass of {operation}, with a block", experiment, None
    if form.order > 1:
        experiment = masked_serial.one_pass(engine, "permute")
        wires = masked_serial.after_chi(experiment)
        yield "the pass of permute, after chi", experiment, wires


def _probed(what: str, target: AnyTarget, report: ProbeReport) -> Result:
    found = [str(finding) for finding in report.findings[:_SHOWN]]
    said = f"{report.checked:,} sets observed on {report.wires:,} wires"
    said += f", {len(report.findings):,} not independent" if found else ", all independent"
    said += ", and no more tried" if len(report.findings) == MOST_FINDINGS else ""
    return Result(what, target.name, not report.findings, said, found)


def _tested(what: str, target: AnyTarget, test: TTest, worst: float) -> Result:
    said = f"|t| = {worst:.2f} at most, {test.traces:,} traces (limit {LIMIT})"
    return Result(what, target.name, worst < LIMIT, said)
