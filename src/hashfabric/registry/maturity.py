"""How far a variant has come: what tests, proofs and measurements there are of it.

The page docs/reference/versions.md says what each word means for a user.
"""

from collections.abc import Iterable

from hashfabric.registry.designs import Design
from hashfabric.registry.results import STEADY_SEEDS, MeasuredRow


def maturity(design: Design, variant: str, rows: Iterable[MeasuredRow]) -> str:
    """Return the label of a variant, of all measured `rows`: such as `measured, round proved`.

    `tested`: known answers and the benches of its ports pass. `routed`: and a target has a routed
    clock of it. `measured`: and one of these clocks is the median of three seeds or more.
    """
    clocks = [
        row.fmax_mhz
        for row in rows
        if (row.name, row.variant) == (design.name, variant) and row.fmax_mhz is not None
    ]
    level = "tested"
    if clocks:
        level = "measured" if max(clock.n for clock in clocks) >= STEADY_SEEDS else "routed"
    proved = "round" if "round" in design.proofs else "steps" if design.proofs else ""
    return f"{level}, {proved} proved" if proved else level
