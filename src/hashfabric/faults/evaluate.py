"""`hashfabric faults`: the campaigns of a design, each with its counts."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import Steps
from hashfabric.faults.campaign import ALARM, LEAST_FOUND, RESET_CLOCKS, Campaign, Summary
from hashfabric.flows.base import AnyTarget, Target
from hashfabric.implement.circuits import mapped
from hashfabric.registry.designs import Variant
from hashfabric.registry.ports import interface

FLIPS = "single flips"

_SHOWN = 20  # faults that escaped


@dataclass(frozen=True)
class Plan:
    """The message's bytes, the clocks that flips are in (0: all), pairs of flips, and the seed."""

    size: int
    clocks: int
    pairs: int
    seed: int


def campaign(
    variant: Variant, target: AnyTarget, message: bytes, files: Mapping[str, str] | None = None
) -> Campaign:
    """Return the campaign of a variant, or of `files` in its place, mapped by its own profile.

    `LabError` if it has no alarm, is no stream, or does not hash right.
    """
    if variant.kind != "stream":
        raise LabError(f"{variant.top}: only streams are simulated with faults")
    if ALARM not in {port.name for port in interface(variant.top).ports}:
        raise LabError(
            f"{variant.top}: no port {ALARM}, nothing in it is checked (keccak-checked is)"
        )
    if isinstance(target, Target):
        target = target.with_profile(variant.profile)
    cache = Cache(BUILD / "cache")
    return Campaign(mapped(target, variant.top, variant.parameters, cache, files), message)


def evaluate(variant: Variant, target: AnyTarget, plan: Plan, steps: Steps) -> Iterator[Summary]:
    """Yield the counts of each kind of faults."""
    rng = random.Random(plan.seed)
    with steps.step(f"{variant.top} for {target.name}"):
        given = campaign(variant, target, rng.randbytes(plan.size))
    every = range(RESET_CLOCKS, given.clocks)
    clocks = rng.sample(every, min(plan.clocks, len(every))) if plan.clocks else every
    kinds = [
        (FLIPS, given.flips(clocks)),
        ("stuck at 0", given.stuck(0)),
        ("stuck at 1", given.stuck(1)),
        ("pairs of flips", given.pairs(plan.pairs, plan.seed, apart=24)),
        ("pairs in a clock cycle", given.pairs(plan.pairs, plan.seed, apart=1)),
    ]
    for what, runs in kinds:
        with steps.step(what):
            yield given.summary(what, runs)


def passed(summary: Summary) -> bool:
    """Return whether enough is found: of single flips, the only ones that have a limit."""
    return summary.what != FLIPS or (summary.share >= LEAST_FOUND and summary.changing > 0)


def lines(summary: Summary) -> Iterator[str]:
    """Yield the counts as lines of text, and what escaped."""
    yield (
        f"{summary.what}: {summary.faults:,}; {summary.changing:,} make the output wrong: "
        f"{summary.found:,} found ({100 * summary.share:.3f} %), {summary.late:,} of them after a "
        f"wrong beat had left; {summary.other_alarms:,} others raise the alarm; with "
        f"{summary.hung:,} the output does not come, without an alarm"
    )
    for text in summary.escaped[:_SHOWN]:
        yield f"  not found: {text}"
    if len(summary.escaped) > _SHOWN:
        yield f"  and {len(summary.escaped) - _SHOWN:,} more (--json has all)"
