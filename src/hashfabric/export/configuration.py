"""One configuration of a design, with the properties that all formats of an export need."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hashfabric.base.errors import LabError
from hashfabric.base.version import full_version, release
from hashfabric.base.yosys import Port
from hashfabric.export.core import Core
from hashfabric.export.names import check_module_name
from hashfabric.export.plain import Plain, plain
from hashfabric.flows.targets import find_target, load_targets
from hashfabric.models.family import Function
from hashfabric.models.functions import FUNCTIONS
from hashfabric.registry.designs import (
    Design,
    Kind,
    Parameter,
    Variant,
    find_design,
    hash_sources,
    parameter_defaults,
    read_sources,
)
from hashfabric.registry.sources import macros_in, without_models
from hashfabric.simulate.elaboration import Elaborated, elaborate

PERIPHERALS: Sequence[Kind] = ("peripheral", "masked-peripheral", "chain")
"""Kinds of variants with registers."""


@dataclass(frozen=True)
class Exported:
    """One configuration: a variant with its parameters as they were set.

    `module` is the name of its top where parameters are fixed; `settings` are the parameters that
    were set beside the variant's own. `target` is the one whose macros are defined.
    """

    design: Design
    variant_name: str
    variant: Variant
    settings: Mapping[str, Parameter]
    module: str
    target: str | None = None

    @property
    def name(self) -> str:
        """The configuration's name, in files and packages: design, variant, settings.

        A configuration for only one target's family ends in the target's name.
        """
        parts = [self.design.name, self.variant_name]
        parts += [f"{name}-{int(value)}" for name, value in self.settings.items()]
        parts += [self.target] if self.target is not None and self.macros else []
        return "-".join(parts).lower()

    @property
    def title(self) -> str:
        """One line on what it is."""
        note = f" ({self.variant.note})" if self.variant.note and not self.settings else ""
        return f"{self.design.title}{note}"

    @property
    def release(self) -> str:
        """The number of Hashfabric's version."""
        return release()

    @cached_property
    def sources(self) -> dict[str, str]:
        """The text of every SystemVerilog file by its path, each after the files that it uses."""
        return read_sources(self.variant)

    @cached_property
    def macros(self) -> list[str]:
        """The macros of its target that the sources test."""
        return macros_in(self.sources, self.variant.macros)

    @property
    def other_forms(self) -> dict[str, list[str]]:
        """By target: macros of it that the sources test, and that are not defined here.

        One target stands for a family: the one that every design is measured on.
        """
        tested = {
            name: macros_in(self.sources, target.macros)
            for name, target in load_targets().items()
            if target.every_design
        }
        return {name: macros for name, macros in tested.items() if macros and macros != self.macros}

    @cached_property
    def models(self) -> dict[str, str]:
        """Our models of the vendors' primitives that it instantiates, by path: for simulation."""
        own = without_models(self.sources)
        return {
            path: text
            for path, text in self.sources.items()
            if path not in own and Path(path).stem in self.elaborated.modules
        }

    @property
    def primitives(self) -> list[str]:
        """The vendors' primitives that it instantiates."""
        return [Path(path).stem for path in self.models]

    @cached_property
    def source_hash(self) -> str:
        """The hash of the sources and parameters, as in rows of results."""
        return hash_sources(self.variant, self.sources)

    @cached_property
    def elaborated(self) -> Elaborated:
        """The elaborated top; `LabError` with the reason if the parameters are illegal."""
        try:
            return elaborate(self.variant)
        except LabError as error:
            raise LabError(f"{self.design.name}/{self.variant_name}: {error}") from error

    @cached_property
    def plain(self) -> Plain:
        """The plain Verilog."""
        if self.variant.firmware is not None:
            raise LabError(
                f"{self.design.name}: a processor, whose sources are third-party Verilog: "
                "export it with --format files"
            )
        variant = self.variant
        return plain(variant.top, self.sources, variant.parameters, self.module, self.macros)

    @property
    def ports(self) -> list[Port]:
        """The ports of a stream or a peripheral; those of an engine are only in its `plain`."""
        return list(self.elaborated.ports)

    def has(self, name: str) -> bool:
        """Return whether there is a port called `name`."""
        return any(port.name == name for port in self.ports)

    @property
    def has_dma(self) -> bool:
        """Whether it is a peripheral that reads and writes memory by itself."""
        return any(self.has(name) for name in ("m_axi_araddr", "m_wb_adr"))

    def port(self, name: str) -> Port:
        """Return the port called `name`."""
        return next(port for port in self.ports if port.name == name)

    @property
    def core(self) -> Core:
        """The core for the vendors' projects; `LabError` where it is no stream or peripheral."""
        self.need_ports("a vendor's project")
        return Core(
            design=self.design.name,
            variant=self.variant_name,
            source=self.source_hash,
            name=self.name.replace("-", "_"),
            top=self.module,
            ports=tuple(self.ports),
            clock=self.variant.clock,
            reset=self.variant.reset,
            files=(f"{self.module}.v",),
            description=self.title,
            settings=self.settings,
            library=self.design.family,
            version=self.release,
            open_reads=self.open_reads,
        )

    @property
    def open_reads(self) -> int:
        """The bursts that a master of DMA has open at most; 1 without it."""
        found = parameter_defaults(self.variant.top) | self.parameters
        return int(found.get("BufferWords", 1)) // int(found.get("BurstWords", 1))

    @property
    def address_bytes(self) -> int:
        """The bytes of addresses that a peripheral occupies."""
        names = {"s_axil_awaddr": 1, "s_apb_paddr": 1, "wb_adr": 4}
        return next(step << self.port(name).width for name, step in names.items() if self.has(name))

    @property
    def functions(self) -> list[Function]:
        """The hash functions that it computes."""
        return [FUNCTIONS[name] for name in self.design.functions_of(self.variant)]

    @property
    def slots(self) -> int:
        """The number of slots of a stream."""
        return self.port("s_axis_room").width

    @property
    def header(self) -> str:
        """The line of every generated file that gives its origin."""
        settings = "".join(f", {name}={int(value)}" for name, value in self.parameters.items())
        settings += "".join(f", {macro} defined" for macro in self.macros)
        return (
            f"{self.design.name}/{self.variant_name}{settings}, exported by Hashfabric "
            f"{full_version()}. SPDX-License-Identifier: Apache-2.0"
        )

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters, the variant's own among them."""
        return self.variant.parameters

    @property
    def is_peripheral(self) -> bool:
        """Whether it has registers, for a bus."""
        return self.variant.kind in PERIPHERALS

    def need_ports(self, what: str) -> None:
        """`LabError` where this is neither a stream nor a peripheral, which `what` requires."""
        self._need(what, "streams and peripherals", ("stream", *PERIPHERALS))

    def need_stream(self, what: str) -> None:
        """`LabError` where this has no stream port, which `what` requires."""
        self._need(what, "streams", ("stream",))

    def _need(self, what: str, whom: str, kinds: Collection[str]) -> None:
        if self.variant.kind not in kinds:
            fitting = [name for name, one in self.design.variants.items() if one.kind in kinds]
            also = f": take {' or '.join(fitting)}" if fitting else ""
            raise LabError(f"{self.design.name} {self.variant_name}: {what} is for {whom}{also}")


def configuration(
    name: str,
    settings: Sequence[str] = (),
    module: str | None = None,
    target: str | None = None,
) -> Exported:
    """Return the configuration of `D[/V]` (else the design's first stream) with `settings`.

    It is in the form for `target`, if one is named. `LabError` for an unknown name or a parameter
    that cannot be set.
    """
    design_name, _, variant_name = name.partition("/")
    design = find_design(design_name)
    if not variant_name:
        variant_name = next(
            (key for key, one in design.variants.items() if one.kind == "stream"),
            next(iter(design.variants)),
        )
    variant = design.configured(variant_name, settings)
    if module is not None:
        check_module_name(module)
    names = [setting.partition("=")[0] for setting in settings]
    chosen = {name: variant.parameters[name] for name in names}
    if target is not None:
        macros = find_target(target).macros
        if not variant.is_for(target):
            targets = ", ".join(variant.targets or [])
            raise LabError(f"{design.name}/{variant_name}: is for {targets} only")
        variant = variant.under(macros)
    return Exported(design, variant_name, variant, chosen, module or variant.top, target)
