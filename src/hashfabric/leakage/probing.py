"""What probes observe on a mapped netlist, in the glitch-extended probing model, and its check.

(Faust, Grosso, Merino Del Pozo, Paglialonga, Standaert: "Composable Masking Schemes in the Presence
of Physical Defaults & the Robust Probing Model", TCHES 2018.) A probe on a wire observes the values
of all registers and inputs that have a path of gates to it, whatever the gates are: a glitch may
carry each of them. So the check does not depend on delays, and is complete for its model: all
wires, all values. The values are polynomials over the shares and random bits with which an
experiment begins; transitions from one clock to the next are not observed.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hashfabric.base.errors import LabError
from hashfabric.leakage.polynomials import (
    ONE_POLYNOMIAL,
    ZERO_POLYNOMIAL,
    Polynomial,
    TooLargeError,
    Variables,
    Verdict,
    decide,
    normal_form,
    substituted,
    variable,
)
from hashfabric.netlist.circuit import ONE, ZERO, Circuit

Values = dict[int, Polynomial]
"""Values of nets."""
MOST_FINDINGS = 100
"""The number of findings with which a check ends."""


@dataclass
class Experiment:
    """What registers and inputs are, by clock: `given[t]` has their values in clock t, by net.

    A register that is not in it has what its data input had in the clock before. What is in none is
    a public constant, zero. Probes are placed in each clock of `observed`.
    """

    circuit: Circuit
    variables: Variables
    given: Sequence[Values]
    observed: Sequence[int]


@dataclass(frozen=True)
class Exposure:
    """Probes whose observations are not proved to be independent of the secrets."""

    probes: tuple[str, ...]
    clock: int
    verdict: Verdict
    sees: tuple[str, ...]

    def __str__(self) -> str:
        """Return it as a line."""
        places = " and ".join(self.probes)
        return f"{places}, clock {self.clock}: {self.verdict.value}; sees {', '.join(self.sees)}"


@dataclass
class ProbeReport:
    """The result of a check: how many sets of probes, and those that are not proved."""

    checked: int = 0
    wires: int = 0
    findings: list[Exposure] = field(default_factory=list)


class Valuation:
    """A circuit with the values of its nets in each clock of an experiment."""

    def __init__(self, experiment: Experiment) -> None:
        """Find the drivers."""
        self.experiment = experiment
        circuit = experiment.circuit
        self._gate = {gate.out: gate for gate in circuit.gates}
        self._data = {register.out: register.data for register in circuit.registers}
        self._forms: dict[tuple[int, int], Polynomial] = {}
        self._values: list[Values] = [
            {**of, ZERO: ZERO_POLYNOMIAL, ONE: ONE_POLYNOMIAL} for of in experiment.given
        ]
        self._symbols: list[Values] = [{} for _ in experiment.given]
        self._cones: dict[int, frozenset[int]] = {}
        self._observed: dict[tuple[int, int], frozenset[Polynomial]] = {}

    def value(self, net: int, clock: int) -> Polynomial:
        """Return the value of a net when all is settled."""
        todo = [(net, clock)]
        while todo:
            at, now = todo[-1]
            known = self._values[now]
            if at in known:
                todo.pop()
            elif at in self._gate:
                sources = self.cone(at)
                if missing := [(one, now) for one in sources if one not in known]:
                    todo += missing
                    continue
                known[at] = substituted(self._of_sources(at, now), known)
            elif at in self._data and now > 0:
                before, data = self._values[now - 1], self._data[at]
                if data in before:
                    known[at] = before[data]
                else:
                    todo.append((data, now - 1))
            else:
                known[at] = ZERO_POLYNOMIAL
        return self._values[clock][net]

    def observed(self, net: int, clock: int) -> frozenset[Polynomial]:
        """Return what a probe on a register or an input observes: its value.

        Where that is too large, it is what its value depends on, from which it can be computed.
        """
        if (net, clock) not in self._observed:
            try:
                found = frozenset([self.value(net, clock)])
            except TooLargeError:
                before = self.cone(self._data[net])
                found = frozenset().union(*(self.observed(one, clock - 1) for one in before))
            self._observed[net, clock] = found
        return self._observed[net, clock]

    def _of_sources(self, net: int, clock: int) -> Polynomial:
        """Return a gate's output as a polynomial of the registers and inputs of its cone.

        They are variables here, but for those that are constant. In their place polynomials would
        be multiplied in gates whose results are added to sums again (an XOR of NAND gates).
        """
        known, values = self._symbols[clock], self._values[clock]
        todo = [net]
        while todo:
            at = todo[-1]
            if at in known:
                todo.pop()
            elif at not in self._gate:
                known[at] = values[at] if values[at] <= ONE_POLYNOMIAL else variable(at)
            else:
                gate = self._gate[at]
                if missing := [one for one in gate.inputs if one not in known]:
                    todo += missing
                    continue
                inputs = [known[one] for one in gate.inputs]
                known[at] = substituted(self._form(gate.table, len(inputs)), inputs)
        return known[net]

    def _form(self, table: int, inputs: int) -> Polynomial:
        """Return a truth table as a polynomial of its inputs, which are variables 0 and up."""
        key = (table, inputs)
        if key not in self._forms:
            self._forms[key] = frozenset(
                frozenset(i for i in range(inputs) if mask >> i & 1)
                for mask in normal_form(table, inputs)
            )
        return self._forms[key]

    def cone(self, net: int) -> frozenset[int]:
        """Return the registers and inputs that have a path of gates to a net."""
        todo = [net]
        while todo:
            now = todo[-1]
            if now in self._cones:
                todo.pop()
            elif now not in self._gate:
                self._cones[now] = frozenset([now])
                todo.pop()
            elif missing := [one for one in self._gate[now].inputs if one not in self._cones]:
                todo += missing
            else:
                inputs = [self._cones[one] for one in self._gate[now].inputs]
                self._cones[now] = frozenset().union(*inputs)
                todo.pop()
        return self._cones[net]

    def probed(self) -> dict[frozenset[int], int]:
        """Return what can be observed at once, each with a wire where it can.

        A wire that only leads to other gates observes no more than these. Wires inside a cell, as
        the multiplexer of a flip-flop's enable, are none.
        """
        circuit = self.experiment.circuit
        inside = circuit.virtual
        ends = {register.data for register in circuit.registers}
        ends |= {net for bits in circuit.ports.values() for net in bits}
        todo, places = list(ends), set[int]()
        while todo:
            net = todo.pop()
            if net in inside and net in self._gate:
                todo += [one for one in self._gate[net].inputs if one not in places]
            else:
                places.add(net)
        found: dict[frozenset[int], int] = {}
        for net in sorted(places):
            found.setdefault(self.cone(net), net)
        return found


def check(
    experiment: Experiment, order: int = 1, wires: Iterable[int] | None = None
) -> ProbeReport:
    """Check all sets of `order` probes (on `wires`, if given) in each observed clock.

    It ends with `MOST_FINDINGS`: where a leak is in each row, the proofs that fail take hours.
    """
    netlist, report = Valuation(experiment), ProbeReport()
    cones = netlist.probed()
    if wires is not None:
        chosen = set(wires)
        cones = {cone: net for cone, net in cones.items() if net in chosen}
    report.wires = len(cones)
    decided: dict[frozenset[Polynomial], Verdict] = {}
    for clock in experiment.observed:
        seen: dict[frozenset[Polynomial], tuple[int, frozenset[int]]] = {}
        for cone, net in cones.items():
            values = frozenset().union(*(netlist.observed(source, clock) for source in cone))
            seen.setdefault(frozenset(v for v in values if v - ONE_POLYNOMIAL), (net, cone))
        sets = _largest(seen) if order > 1 else list(seen)
        for chosen_sets in itertools.combinations(sets, min(order, len(sets))):
            observed = frozenset().union(*chosen_sets)
            report.checked += 1
            if observed not in decided:
                decided[observed] = decide(observed, experiment.variables)
            if decided[observed] is not Verdict.INDEPENDENT:
                places = [seen[one] for one in chosen_sets]
                report.findings.append(_finding(experiment, places, clock, decided[observed]))
                if len(report.findings) == MOST_FINDINGS:
                    return report
    return report


def _largest(seen: Mapping[frozenset[Polynomial], object]) -> list[frozenset[Polynomial]]:
    """Return the observations that are in no other one."""
    return [one for one in seen if not any(one < other for other in seen)]


def _finding(
    experiment: Experiment,
    places: Sequence[tuple[int, frozenset[int]]],
    clock: int,
    verdict: Verdict,
) -> Exposure:
    names = experiment.circuit.names
    sources = sorted({names[source] or "?" for _, cone in places for source in cone})
    return Exposure(
        tuple(names[net] or f"net {net}" for net, _ in places), clock, verdict, tuple(sources)
    )


def nets_of(circuit: Circuit, name: str) -> list[int]:
    """Return the nets of a signal; `LabError` where the netlist has none of that name."""
    if name not in circuit.signals:
        raise LabError(f"the netlist has no signal '{name}'")
    return circuit.signals[name]
