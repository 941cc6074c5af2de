"""Private builds: parameters set by name, one configuration or the cross product of many.

Nothing here reads or writes results/. A configuration's slots come from its elaborated top, its
clocks a block are measured; a wrong known answer is an error, as for variants of the registry.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path

from hashfabric.base.cache import content_key, write_atomically
from hashfabric.base.datafile import shown
from hashfabric.base.errors import Hopeless, LabError
from hashfabric.base.paths import BUILD, ROOT
from hashfabric.base.progress import Steps
from hashfabric.flows.base import Target
from hashfabric.implement import build as implement
from hashfabric.implement import harness
from hashfabric.implement.build import Builder, Own, target_for, tool_versions
from hashfabric.implement.jobs import threads
from hashfabric.registry.designs import Design, Parameter, Variant, source_hash
from hashfabric.registry.results import (
    MeasuredRow,
    Outcome,
    PrivateRow,
    load_outcome,
    settings_texts,
)


def writable_folder(folder: Path) -> Path:
    """Return `folder`, made if it does not exist; `LabError` where it cannot be written.

    Called before any tool runs. The checkout's results/ is refused: it is for the registry's rows.
    """
    if folder.resolve().is_relative_to((ROOT / "results").resolve()):
        raise LabError(f"{shown(folder)}: holds the registry's rows: another directory is required")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / ".hashfabric").open("w"):
            pass
        (folder / ".hashfabric").unlink()
    except OSError as error:
        raise LabError(f"{shown(folder)}: cannot be written: {error.strerror}") from error
    return folder


def build(  # noqa: PLR0913 - one parameter an option
    design: Design,
    target: Target,
    steps: Steps,
    *,
    variants: Sequence[str],
    settings: Sequence[str],
    folder: Path | None,
    seeds: Sequence[int],
) -> list[MeasuredRow]:
    """Build `variants` with parameters set by `settings` (each `NAME=VALUE`); one row each.

    Each has a directory in `folder`, else in build/, named by the parameters that were set.
    `LabError` as in `implement.build.build`, for a parameter that is not legal, and for parameters
    of several variants.
    """
    if settings and len(variants) != 1:
        raise LabError(f"--set requires one variant: --variant: one of {', '.join(variants)}")
    where = BUILD if folder is None else writable_folder(folder)
    if not settings:
        builder = Builder(design, target, steps, own=Own({}, where))
        return implement.build(builder, seeds=seeds, variants=variants)
    one = configuration(design, variants[0], settings)
    return [one.measure(target, steps, where, seeds)]


@dataclass(frozen=True)
class Configuration:
    """A variant of a design with `parameters` set; `variant` has them, and the registry's slots."""

    design: Design
    name: str
    parameters: Mapping[str, Parameter]
    variant: Variant

    @property
    def label(self) -> str:
        """The configuration as messages name it."""
        return " ".join([self.design.name, self.name, *settings_texts(self.parameters)])

    def elaborated(self) -> Variant:
        """Return its variant with its number of slots; `LabError` where it is not legal."""
        from hashfabric.simulate.elaboration import with_slots  # noqa: PLC0415 - reports need none

        try:
            return with_slots(self.variant)
        except LabError as error:
            raise LabError(f"{self.label}: {error}") from error

    def fault(self) -> str:
        """Return why it is not legal, in a line; empty if it is."""
        try:
            self.elaborated()
        except LabError as error:
            return " ".join(str(error).split())
        return ""

    def measure(
        self, target: Target, steps: Steps, folder: Path | None, seeds: Sequence[int]
    ) -> MeasuredRow:
        """Verify and measure it; `LabError` where it is not legal or gives a wrong answer."""
        design = self.design.model_copy(update={"variants": {self.name: self.elaborated()}})
        builder = Builder(design, target, steps, own=Own(self.parameters, folder))
        [row] = implement.build(builder, seeds=seeds, variants=[self.name])
        return row

    def key(self, target: Target, seeds: Sequence[int]) -> str:
        """Return the hash of all that the row depends on."""
        return content_key(
            {
                "source": source_hash(self.variant, ROOT),
                "variant": self.variant.model_dump(mode="json"),
                "harness": harness.template_text(),
                "target": target_for(target, self.variant, ROOT).model_dump(mode="json"),
                "tools": tool_versions(target, self.variant),
                "seeds": list(seeds),
            }
        )


def configuration(design: Design, name: str, settings: Sequence[str]) -> Configuration:
    """Return the variant called `name` with `settings`; `LabError` if one cannot be set."""
    names = [setting.partition("=")[0] for setting in settings]
    for parameter in names:
        if names.count(parameter) > 1:
            raise LabError(f"--set {parameter}: is set twice")
    variant = design.configured(name, settings, ROOT)
    chosen = {parameter: variant.parameters[parameter] for parameter in names}
    return Configuration(design, name, chosen, variant)


def product(design: Design, name: str, settings: Sequence[str]) -> list[Configuration]:
    """Return the cross product of `settings`, each `NAME=VALUE[,VALUE]...`, the first slowest.

    Equal configurations are merged.
    """
    axes = []
    for setting in settings:
        parameter, equals, values = setting.partition("=")
        axes.append([f"{parameter}{equals}{value}" for value in values.split(",")])
    every = [configuration(design, name, chosen) for chosen in itertools.product(*axes)]
    return list({one.label: one for one in every}.values())


@dataclass(frozen=True)
class Sweep:
    """A sweep: configurations for a target, their seeds, and the folder of the outcomes."""

    configurations: Sequence[Configuration]
    target: Target
    seeds: Sequence[int]
    folder: Path

    def file(self, one: Configuration) -> Path:
        """Return the file of the outcome of a configuration."""
        words = [one.design.name, self.target.name, one.name, *settings_texts(one.parameters)]
        return self.folder / f"{'-'.join(words)}.json"

    def run(
        self, steps: Steps, tools: int | None, tell: Callable[[Outcome], None]
    ) -> list[Outcome]:
        """Measure configurations without a row; report and return the outcomes in order.

        At most `tools` tools run here at once (default: one a processor). Illegal parameters are
        reported before anything is measured. Rows of the same sources, tools, target and seeds are
        kept; failures are tried again. `Hopeless` ends the sweep.
        """
        writable_folder(self.folder)
        outcomes: dict[str, Outcome] = {}
        with threads(tools) as workers:
            with steps.step(f"parameters of {len(self.configurations)} configurations"):
                faults = list(workers.map(Configuration.fault, self.configurations))
            for one, fault in zip(self.configurations, faults, strict=True):
                if fault:
                    outcomes[one.label] = self._keep(one, None, fault)
                    tell(outcomes[one.label])
            waiting = {}
            for one in self.configurations:
                if one.label in outcomes:
                    continue
                if (kept := self._kept(one)) is not None:
                    outcomes[one.label] = kept
                    tell(kept)
                else:
                    waiting[workers.submit(self._measure, one, steps)] = one
            for done in as_completed(waiting):
                outcome = done.result()
                outcomes[waiting[done].label] = outcome
                tell(outcome)
        return [outcomes[one.label] for one in self.configurations]

    def _kept(self, one: Configuration) -> Outcome | None:
        try:
            outcome = load_outcome(self.file(one))
        except LabError:
            return None
        if outcome is None or outcome.row is None:
            return None
        return outcome if outcome.key == one.key(self.target, self.seeds) else None

    def _measure(self, one: Configuration, steps: Steps) -> Outcome:
        """Measure one configuration and keep its outcome."""
        row, failed = None, None
        try:
            measured = one.measure(self.target, steps, None, self.seeds)
            row = PrivateRow(**dict(measured))
            if row.fmax_mhz is not None and row.fmax_mhz.n == 0:
                reasons = dict.fromkeys(row.fmax_mhz.unrouted.values())
                failed = f"no seed routed: {'; '.join(reasons)}"
        except Hopeless:
            raise
        except LabError as error:
            failed = " ".join(str(error).split())
        return self._keep(one, row, failed)

    def _keep(self, one: Configuration, row: PrivateRow | None, failed: str | None) -> Outcome:
        """Write the outcome of a configuration to its file."""
        outcome = Outcome(
            name=one.design.name,
            variant=one.name,
            target=self.target.name,
            parameters=dict(one.parameters),
            key=one.key(self.target, self.seeds) if row is not None else "",
            row=row,
            failed=failed,
        )
        write_atomically(self.file(one), outcome.model_dump_json(indent=2) + "\n")
        return outcome
