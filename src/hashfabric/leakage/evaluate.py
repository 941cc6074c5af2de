"""`hashfabric leakage`: the checks of a masked design, each with its result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import Steps
from hashfabric.flows.base import AnyTarget
from hashfabric.implement.circuits import mapped
from hashfabric.leakage import masked
from hashfabric.leakage.masked import ENGINE, GADGET, Form
from hashfabric.leakage.polynomials import Verdict
from hashfabric.leakage.probing import ProbeReport, check
from hashfabric.leakage.traces import LIMIT, TTest, measure
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
    if not any(path.endswith(f"/{ENGINE}.sv") for path in closure(variant.top)):
        raise LabError(f"{variant.top}: nothing in it is masked (keccak-masked is)")
    order = int(variant.parameters.get("Order", 1))
    # The top's default is the form with few random bits, the engine's is the other.
    guards = bool(variant.parameters.get("Guards", variant.top != ENGINE))
    return Form(order, guards)


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
    parameters = {"Order": form.order, "Guards": form.guards}
    with steps.step(f"{ENGINE} for {target.name}"):
        engine = mapped(target, ENGINE, parameters, cache, files)
    if "round" in checks:
        for load in (False, True):
            what = "a message's first clocks" if load else "a round"
            with steps.step(f"{what}, every wire"):
                report = check(masked.one_round(engine, form, load=load))
            yield _probed(f"{what}, 1 probe", target, report)
    if "traces" in checks:
        with steps.step(f"{traces:,} traces"):
            stimulus = masked.rounds_stimulus(engine, form, seed)
            test = measure(engine, "clk_i", stimulus, traces, seed=seed)
        yield _tested("t-test, first order", target, test, test.worst)
        if form.order > 1:
            yield _tested("t-test, second order", target, test, test.worst_second)


def _probed(what: str, target: AnyTarget, report: ProbeReport) -> Result:
    found = [str(finding) for finding in report.findings[:_SHOWN]]
    said = f"{report.checked:,} sets observed on {report.wires:,} wires"
    said += f", {len(report.findings):,} not independent" if found else ", all independent"
    return Result(what, target.name, not report.findings, said, found)


def _tested(what: str, target: AnyTarget, test: TTest, worst: float) -> Result:
    said = f"|t| = {worst:.2f} at most, {test.traces:,} traces (limit {LIMIT})"
    return Result(what, target.name, worst < LIMIT, said)
