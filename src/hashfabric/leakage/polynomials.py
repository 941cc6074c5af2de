"""Whether polynomials over shares and random bits are together independent of what is shared.

A polynomial is the algebraic normal form of a Boolean function: a set of monomials, which are sets
of variables, to be added. Variables are numbers; `Variables` has what each is.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from hashfabric.base.errors import LabError

Monomial = frozenset[int]
Polynomial = frozenset[Monomial]

ZERO_POLYNOMIAL: Polynomial = frozenset()
ONE_POLYNOMIAL: Polynomial = frozenset([frozenset()])

MOST_VARIABLES = 20
"""As many as are enumerated."""

_MOST_MONOMIALS = 20000


class TooLargeError(LabError):
    """A polynomial that is too large to be of use."""


class Verdict(Enum):
    """What is known of a set of observations."""

    INDEPENDENT = "independent of the secrets"
    LEAK = "depends on the secrets"
    UNKNOWN = "not decided"


@dataclass
class Variables:
    """The variables: random bits, each independent and uniform, and shares of secrets.

    The shares of a secret are its number in `shares` and uniform but for their sum, the secret.
    """

    count: int
    """Shares that a secret has."""
    share: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The secret and the number of the share, of variables that are shares."""
    names: list[str] = field(default_factory=list)
    secrets: int = 0

    def random(self, name: str) -> int:
        """Return a new random bit."""
        self.names.append(name)
        return len(self.names) - 1

    def secret(self, name: str) -> list[int]:
        """Return the shares of a new secret."""
        shares = [self.random(f"{name} share {i}") for i in range(self.count)]
        self.share |= {of: (self.secrets, i) for i, of in enumerate(shares)}
        self.secrets += 1
        return shares


def variable(number: int) -> Polynomial:
    """Return the polynomial that is a variable."""
    return frozenset([frozenset([number])])


def product(one: Polynomial, other: Polynomial) -> Polynomial:
    """Return the product; `TooLargeError` where it is too large to be of use."""
    if len(one) * len(other) > _MOST_MONOMIALS:
        raise TooLargeError("a wire's polynomial is too large: this netlist is not decided")
    counts = Counter(a | b for a in one for b in other)
    return frozenset(monomial for monomial, count in counts.items() if count % 2)


def substituted(
    polynomial: Polynomial, values: Mapping[int, Polynomial] | Sequence[Polynomial]
) -> Polynomial:
    """Return a polynomial with each of its variables replaced by its value."""
    total: Polynomial = ZERO_POLYNOMIAL
    for monomial in polynomial:
        term = ONE_POLYNOMIAL
        for number in monomial:
            term = product(term, values[number])
        total ^= term
    return total


def normal_form(table: int, inputs: int) -> tuple[int, ...]:
    """Return the monomials of a truth table, each as a number with a bit for each input."""
    bits = [table >> i & 1 for i in range(1 << inputs)]
    for i in range(inputs):
        for at in range(1 << inputs):
            if at >> i & 1:
                bits[at] ^= bits[at ^ 1 << i]
    return tuple(at for at, bit in enumerate(bits) if bit)


def decide(observed: Iterable[Polynomial], variables: Variables) -> Verdict:
    """Decide whether the joint distribution of `observed` is the same for all secrets.

    First observations are left out, none of which changes the answer: one that is masked by a
    variable which is in no other one, and in no product; such a variable is a random bit, or a
    share of a secret of which no other share is there. It may be in other observations by itself,
    since the first one is then added to them. What remains without all shares of any secret is
    independent, because shares are uniform. If it has them all, all values are enumerated.
    """
    left = _unmasked([set(poly) - {frozenset()} for poly in set(observed)], variables)
    left = [poly for poly in left if poly]
    support, whole = _support(left, variables)
    if not whole:
        return Verdict.INDEPENDENT
    if len(support) > MOST_VARIABLES:
        return Verdict.UNKNOWN
    functions, regions = _functions(left, support, whole, variables)
    return Verdict.INDEPENDENT if _same(functions, regions) else Verdict.LEAK


def uniform(observed: Iterable[Polynomial], variables: Variables) -> Verdict:
    """Decide whether `observed` are uniform and independent, whatever the secrets are."""
    left = _unmasked([set(poly) - {frozenset()} for poly in observed], variables)
    if not left:
        return Verdict.INDEPENDENT
    support, whole = _support(left, variables)
    if len(support) > MOST_VARIABLES:
        return Verdict.UNKNOWN
    functions, regions = _functions(left, support, whole, variables)
    return Verdict.INDEPENDENT if _flat(functions, regions) else Verdict.LEAK


def _unmasked(left: list[set[Monomial]], variables: Variables) -> list[set[Monomial]]:
    """Leave out what is masked."""
    while (found := _masked(left, variables)) is not None:
        at, mask = found
        first, monomial = left.pop(at), frozenset([mask])
        left = [poly ^ first if monomial in poly else poly for poly in left]
    return left


def _support(left: Sequence[set[Monomial]], variables: Variables) -> tuple[list[int], list[int]]:
    """Return the variables that are left, and the secrets of which all shares are."""
    support = sorted({v for poly in left for monomial in poly for v in monomial})
    present = Counter(variables.share[v][0] for v in support if v in variables.share)
    return support, [secret for secret, count in present.items() if count == variables.count]


def _masked(left: Sequence[set[Monomial]], variables: Variables) -> tuple[int, int] | None:
    """Return an observation that may be left out, and the variable by which it is masked."""
    alone: dict[int, list[int]] = {}
    multiplied: set[int] = set()
    for at, poly in enumerate(left):
        for monomial in poly:
            if len(monomial) == 1:
                alone.setdefault(next(iter(monomial)), []).append(at)
            else:
                multiplied |= monomial
    present = Counter(
        variables.share[v][0] for v in multiplied | alone.keys() if v in variables.share
    )
    best: tuple[int, int, int] | None = None
    for v, places in alone.items():
        if v in multiplied or (v in variables.share and present[variables.share[v][0]] > 1):
            continue
        if len(places) == 1:
            return places[0], v
        if best is None or len(places) < best[0]:
            best = len(places), min(places, key=lambda at: len(left[at])), v
    return None if best is None else best[1:]


def _functions(
    left: Sequence[set[Monomial]], support: Sequence[int], whole: Sequence[int], of: Variables
) -> tuple[list[int], list[int]]:
    """Return the observations, and where the secrets in `whole` have each of their values.

    Both are functions of the variables, as numbers: bit i is the value where the variables are i.
    """
    every = (1 << (1 << len(support))) - 1
    value: dict[int, int] = {}
    for i, v in enumerate(support):
        period = 1 << i
        pattern, width = ((1 << period) - 1) << period, 2 * period
        while width < 1 << len(support):
            pattern |= pattern << width
            width *= 2
        value[v] = pattern
    functions = []
    for poly in left:
        total = 0
        for monomial in poly:
            term = every
            for v in monomial:
                term &= value[v]
            total ^= term
        functions.append(total)
    regions = [every]  # of each value of the secrets
    for number in whole:
        total = 0
        for v in support:
            if of.share.get(v, (-1, 0))[0] == number:
                total ^= value[v]
        regions = [part for region in regions for part in (region & ~total, region & total)]
    return functions, regions


def _same(functions: Sequence[int], regions: Sequence[int]) -> bool:
    """Return whether the functions have the same distribution in all regions."""
    counts = {region.bit_count() for region in regions}
    if len(counts) > 1:
        return False
    if not functions or counts == {0}:
        return True
    first, *others = functions
    return all(
        _same(others, [region & (first if one else ~first) for region in regions])
        for one in (False, True)
    )


def _flat(functions: Sequence[int], regions: Sequence[int]) -> bool:
    """Return whether all values of the functions are as frequent as each other in all regions."""
    if len({region.bit_count() for region in regions}) > 1:
        return False
    if not functions:
        return True
    first, *others = functions
    parts = [part for region in regions for part in (region & first, region & ~first)]
    return _flat(others, parts)
