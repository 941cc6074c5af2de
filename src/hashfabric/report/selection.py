"""The measured rows of a table or a plot: of some targets, kinds, families and functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import get_args

from hashfabric.base.datafile import one_of
from hashfabric.base.errors import LabError
from hashfabric.models.functions import FAMILIES, FUNCTIONS, TREES
from hashfabric.models.sp800_185 import FRAMED
from hashfabric.registry.designs import Design, Kind, Variant
from hashfabric.registry.results import MeasuredRow, Outcome


@dataclass(frozen=True)
class Selection:
    """Rows of these `targets`, `kinds` of variants, `families` and `functions`; empty: of any.

    Kind, family and functions are those of the row's variant in the registry. A core that hashes
    one message as a tree is one of the tree's functions only: its figures are of those.
    """

    targets: Sequence[str] = ()
    kinds: Sequence[str] = ()
    families: Sequence[str] = ()
    functions: Sequence[str] = ()

    def of(
        self, rows: Sequence[MeasuredRow | Outcome], designs: Mapping[str, Design]
    ) -> list[MeasuredRow | Outcome]:
        """Return those of `rows`, in their order; `LabError` for an unknown name, or if none."""
        known = {
            "target": (self.targets, sorted({row.target for row in rows})),
            "kind": (self.kinds, list(get_args(Kind))),
            "family": (self.families, list(FAMILIES)),
            "function": (
                self.functions,
                list(dict.fromkeys([*FUNCTIONS, *FRAMED, *chain.from_iterable(TREES.values())])),
            ),
        }
        for what, (names, possible) in known.items():
            for name in names:
                if name not in possible:
                    raise one_of(what, name, possible)
        found = [row for row in rows if self._has(row, designs)]
        if not found and rows:
            said = [f"{what} {' or '.join(names)}" for what, (names, _) in known.items() if names]
            raise LabError(f"no row of {' and '.join(said)}")
        return found

    def _has(self, row: MeasuredRow | Outcome, designs: Mapping[str, Design]) -> bool:
        design, variant = registered(row, designs)
        return (
            (not self.targets or row.target in self.targets)
            and (not self.kinds or (variant is not None and variant.kind in self.kinds))
            and (not self.families or (design is not None and design.family in self.families))
            and (not self.functions or not self._others(design, variant))
        )

    def _others(self, design: Design | None, variant: Variant | None) -> bool:
        if design is None or variant is None:
            return True
        return not set(self.functions).intersection(computed(design, variant))


def computed(design: Design, variant: Variant) -> list[str]:
    """Return the functions of which a row of `variant` is: those of its tree, if it makes one."""
    if design.tree is not None:
        return list(TREES[design.tree])
    return [*design.functions_of(variant), *variant.framed]


def registered(
    row: MeasuredRow | Outcome, designs: Mapping[str, Design]
) -> tuple[Design | None, Variant | None]:
    """Return the design and the variant of a row; None if `designs` do not have them."""
    design = designs.get(row.name)
    variant = None if design is None else design.variants.get(row.variant)
    return (None, None) if variant is None else (design, variant)


def alike(row: MeasuredRow, designs: Mapping[str, Design]) -> tuple[str, str] | None:
    """Return the kind of a row and the function of its figures; None if the registry lacks it.

    Only rows that have both in common compare: other kinds and other functions are other work.
    """
    design, variant = registered(row, designs)
    if design is None or variant is None:
        return None
    return variant.kind, design.throughput_function(variant)
