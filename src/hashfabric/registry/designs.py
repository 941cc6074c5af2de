"""The registry: every design is one TOML file in designs/.

A design is one engine schedule; its variants are the tops built from it: `core`, the engine with
the ports of its contract, and `stream`, the whole AXI4-Stream hash unit around it. Or it is a
peripheral with registers, a system (a program on a processor), or an SoC: a processor that has a
peripheral.
"""

import copy
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, PrivateAttr, StringConstraints, field_validator, model_validator

from hashfabric.base.datafile import DataModel, RepoPath, Slug, load_toml, one_of, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT, VENDOR_MODELS
from hashfabric.models import functions
from hashfabric.models.family import Function
from hashfabric.models.sp800_185 import FRAMED
from hashfabric.registry.sources import (
    closure,
    essence,
    index,
    package_file,
    package_texts,
    read_text,
    without_models,
)

Parameter = int | bool
Kind = Literal[
    "engine",
    "word-engine",
    "stream",
    "peripheral",
    "masked-peripheral",
    "chain",
    "system",
    "soc",
]
"""Kinds of variants, by their ports: see `Variant`."""
T = TypeVar("T")

_Slots = Annotated[int, Field(ge=1)]
_Clocks = Annotated[float, Field(gt=0, strict=False)]
_Delay = Annotated[int, Field(ge=0)]

PackageFile = Annotated[str, StringConstraints(pattern=r"^\w+:[\w.-]+(/[\w.-]+)*$")]
"""A file of an installed Python package."""


@dataclass(frozen=True)
class Timing:
    """The figures of an engine in the terms of docs/reference/contract.md.

    `clocks_per_block` is at full slots, within a message: one slot takes `slots` times that.
    `data_delay` is the clocks between a block's handshake and its data on `blk_i`, and between
    `st_valid_o` and `st_o`. `zero_between`: `blk_i` is to be zero in all other clocks.
    `lane_clocks` is the clocks in which a lane of output is read while no permutation runs, 0 where
    output is read during the permutation. `load_clocks` is the same for a lane of a block; where it
    is not 0, `clocks_per_block` is that of SHA3-256, a block of 17 lanes.
    """

    slots: int
    holds_state: bool
    clocks_per_block: float
    data_delay: int
    zero_between: bool = False
    lane_clocks: int = 0
    load_clocks: int = 0


class WordClocks(DataModel):
    """The clocks that operations wait at most: docs/reference/word-contract.md.

    They count from the offer to the acceptance, 0 if both are in one clock. If a permutation was
    accepted before, they count from `clocks_per_block` after that at the soonest.
    """

    add: _Delay
    read: _Delay
    permute: _Delay = 0
    wipe: _Delay


class PaperLink(DataModel):
    """The paper this design implements, and the tag of the rows to compare it with."""

    name: str
    design: str


class Gap(DataModel):
    """Why rows of `variants` on `target` are not there, or have few seeds."""

    target: Slug
    variants: Annotated[list[Slug], Field(min_length=1)]
    reason: Annotated[str, Field(min_length=1)]


class Firmware(DataModel):
    """The program of a system: its sources, and the compiler of its measured clocks.

    `compiler` is the program's name, `version` the one that it reports: another compiler's code
    takes other clocks. `sources` are all files that it reads: headers, C and assembler, one `.ld`.
    """

    compiler: Literal["riscv64-unknown-elf-gcc", "sparc64-linux-gnu-gcc"]
    version: str
    flags: list[str]
    sources: Annotated[list[RepoPath], Field(min_length=1)]

    @field_validator("sources")
    @classmethod
    def _one_linker_script(cls, sources: list[str]) -> list[str]:
        if sum(path.endswith(".ld") for path in sources) != 1:
            raise ValueError("one linker script (.ld) is required")
        return sources


class Variant(DataModel):
    """A build of a design: a top module, whose files are its closure, and parameters.

    `kind` chooses the bench for its ports: `engine` (the contract), `word-engine` (the word
    contract, with words of its parameter `WordWidth`; its `clocks_per_block` are from a permutation
    to the earliest next one, with nothing between them, and `word_clocks` the longest waits),
    `stream` (AXI4-Stream), `peripheral` (registers), `masked-peripheral` (registers, message and
    digest in shares), `chain` (chains of hashes by registers; a hash is a block), `system` (a
    processor that runs `firmware`) or `soc` (a processor with a peripheral, whose `firmware` talks
    over a serial line). `packages` are files of installed Python packages that the top uses beside
    its closure, each as `package:path`.
    `clock` and `reset` are the names of those input ports. Fields of `Timing` are given where they
    differ from the design's, `functions` where it computes only some of the design's, or others of
    the same permutation, `framed` those of SP 800-185 whose input it frames by itself. `profile`
    names the target's profile to synthesise and route with, where the target has it; `note` is the
    short phrase that tables print beside the name. `copies` is the number of `top` side by side in
    the measured design, each with its own ports: all else in the entry is for one. `targets` names
    the only targets that it is built for; without it, all are. `suite` is the part of its bench
    that the quick tests run: all, a few tests of it (`short`), or nothing (`slow`); the slow tests
    run the whole bench of every variant (docs/develop/verification.md).
    `macros` are those that its sources are read with, which no entry gives: they are a target's
    (`under`).
    """

    top: str
    kind: Kind
    parameters: dict[str, Parameter] = Field(default={})
    clock: str = "clk_i"
    reset: str = "rst_i"
    slots: _Slots | None = None
    holds_state: bool | None = None
    clocks_per_block: _Clocks | None = None
    data_delay: _Delay | None = None
    zero_between: bool = False
    lane_clocks: _Delay | None = None
    load_clocks: _Delay = 0
    word_clocks: WordClocks | None = None
    functions: Annotated[list[str], Field(min_length=1)] | None = None
    framed: list[str] = Field(default=[])
    profile: Slug | None = None
    note: str = ""
    copies: Annotated[int, Field(ge=1)] = 1
    targets: Annotated[list[Slug], Field(min_length=1)] | None = None
    suite: Literal["quick", "short", "slow"] = "quick"
    packages: list[PackageFile] = Field(default=[])
    firmware: Firmware | None = None
    _macros: Sequence[str] = PrivateAttr(default=())

    @property
    def macros(self) -> Sequence[str]:
        """The macros that are defined where its sources are read."""
        return self._macros

    def under(self, macros: Sequence[str]) -> Self:
        """Return the variant with these macros defined."""
        variant = self.model_copy()
        variant._macros = tuple(macros)
        return variant

    @model_validator(mode="after")
    def _systems_run_firmware(self) -> "Variant":
        if (self.kind in ("system", "soc")) != (self.firmware is not None):
            raise ValueError("a system and an SoC have firmware, other kinds have none")
        return self

    @model_validator(mode="after")
    def _word_engines_have_words(self) -> "Variant":
        words = self.kind == "word-engine"
        if words != (self.word_clocks is not None) or (words and WORD_WIDTH not in self.parameters):
            raise ValueError(
                f"a word-engine has word_clocks and the parameter {WORD_WIDTH}, "
                "other kinds have no word_clocks"
            )
        return self

    def is_for(self, target: str) -> bool:
        """Return whether it is built for the target called `target`."""
        return self.targets is None or target in self.targets


class Design(DataModel):
    """One registry entry; the fields of `Timing` are for all variants that do not give their own.

    `values` are names for values of a parameter (`[value.Gate]`), which variants use.
    `tree` names the function of RFC 9861 or SP 800-185 that a stream hashes as a tree:
    `clocks_per_block` is then that of one long message of it, for as many bits of the message as a
    block has. The messages of its port (its slots) do not each have a slot of the engine.
    `proofs` names what tests/formal proves of its engines: `steps`, the permutation's steps as they
    are written here equal those of the standard; `round`, the engine's own round does.
    Fields of all variants are in `[common]`; a variant's own take precedence. In paths of
    firmware, `{variant}` stands for the variant's name.
    `few_seeds` says why rows have fewer seeds than a median takes (`results.STEADY_SEEDS`), and
    `not_routed` why variants that were tried on a target have no row there.
    """

    name: Slug
    title: str
    family: str
    slots: _Slots
    holds_state: bool
    clocks_per_block: _Clocks
    data_delay: _Delay = 0
    lane_clocks: _Delay = 0
    functions: Annotated[list[str], Field(min_length=1)]
    tree: Literal["kt128", "parallelhash128"] | None = None
    docs: RepoPath
    papers: list[PaperLink] = Field(default=[], alias="paper")
    proofs: list[Literal["steps", "round"]] = Field(default=[])
    few_seeds: list[Gap] = Field(default=[])
    not_routed: list[Gap] = Field(default=[])
    values: dict[str, dict[Slug, Parameter]] = Field(default={}, alias="value")
    variants: Annotated[dict[str, Variant], Field(alias="variant", min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _shorthands(cls, data: Any) -> Any:
        return _values_by_name(_with_common(data))

    @field_validator("family")
    @classmethod
    def _known_family(cls, name: str) -> str:
        if name not in functions.FAMILIES:
            raise ValueError(f"unknown family '{name}': one of {', '.join(functions.FAMILIES)}")
        return name

    @field_validator("functions")
    @classmethod
    def _known_functions(cls, names: list[str]) -> list[str]:
        for name in names:
            if name not in functions.FUNCTIONS:
                raise ValueError(f"unknown function '{name}'")
        if len(set(names)) != len(names):
            raise ValueError("a function is named twice")
        return names

    @model_validator(mode="after")
    def _one_clock(self) -> "Design":
        for name, variant in self.variants.items():
            if variant.clock == variant.reset:
                raise ValueError(f"variant {name}: clock and reset are the same port")
        return self

    @model_validator(mode="after")
    def _gaps_of_variants(self) -> "Design":
        for key, gaps in (("few_seeds", self.few_seeds), ("not_routed", self.not_routed)):
            places = [(gap.target, name) for gap in gaps for name in gap.variants]
            for target, name in places:
                if name not in self.variants:
                    raise ValueError(f"{key}: '{name}' is no variant")
                if places.count((target, name)) > 1:
                    raise ValueError(f"{key}: {name} on {target} is there twice")
        return self

    @model_validator(mode="after")
    def _of_the_family(self) -> "Design":
        for name in self.functions:
            if functions.FUNCTIONS[name].family != self.family:
                raise ValueError(f"'{name}' is no function of family {self.family}")
        return self

    @model_validator(mode="after")
    def _own_functions(self) -> "Design":
        for name, variant in self.variants.items():
            for function in variant.functions or []:
                if function not in self.functions and not self._may_add(function):
                    raise ValueError(f"variant {name}: '{function}' is no function of the design")
            for function in variant.framed:
                if function not in FRAMED:
                    raise ValueError(f"variant {name}: '{function}' is no function of SP 800-185")
        return self

    def _may_add(self, function: str) -> bool:
        """Return whether it is another family's, by the same permutation."""
        known = functions.FUNCTIONS.get(function)
        if known is None or known.family == self.family:
            return False
        families = (functions.FAMILIES[known.family], functions.FAMILIES[self.family])
        return all(family.engine == "permutation" for family in families)

    @cached_property
    def block_bits(self) -> int:
        """Message bits a block that throughput is stated for: the rate of SHA3-256 where served."""
        return _block_bits(self.functions)

    def block_bits_of(self, variant: Variant) -> int:
        """Return the same for `variant`, by the functions that it computes."""
        return _block_bits(self.functions_of(variant))

    def throughput_function(self, variant: Variant) -> str:
        """Return the function that the throughput of `variant` is stated for."""
        return self.tree or stated_function(self.functions_of(variant))

    def functions_of(self, variant: Variant) -> list[str]:
        """Return the functions that `variant` computes: its own, else the design's."""
        return _own(variant.functions, self.functions)

    @property
    def all_functions(self) -> list[str]:
        """The functions that one variant or another computes."""
        others = [name for variant in self.variants.values() for name in variant.functions or []]
        return list(dict.fromkeys([*self.functions, *others]))

    def variant(self, name: str) -> Variant:
        """Return the variant called `name`; `LabError` if this design has none."""
        if name not in self.variants:
            raise one_of(f"variant of {self.name}", name, list(self.variants))
        return self.variants[name]

    def timing(self, variant: Variant) -> Timing:
        """Return the timing of `variant`: its own figures, else the design's."""
        return Timing(
            slots=_own(variant.slots, self.slots),
            holds_state=_own(variant.holds_state, self.holds_state),
            clocks_per_block=_own(variant.clocks_per_block, self.clocks_per_block),
            data_delay=_own(variant.data_delay, self.data_delay),
            zero_between=variant.zero_between,
            lane_clocks=_own(variant.lane_clocks, self.lane_clocks),
            load_clocks=variant.load_clocks,
        )

    def few_seeds_reason(self, variant: str, target: str) -> str:
        """Return why the row of `variant` on `target` has few seeds; '' if nothing says so."""
        return _reason(self.few_seeds, variant, target)

    def under(self, macros: Sequence[str]) -> "Design":
        """Return the design with these macros defined where its variants' sources are read."""
        variants = {name: variant.under(macros) for name, variant in self.variants.items()}
        return self.model_copy(update={"variants": variants})

    def configured(self, name: str, settings: Sequence[str], root: Path = ROOT) -> "Variant":
        """Return the variant called `name` with parameters set by `settings`, each `NAME=VALUE`.

        A value is a number, true or false, or one of the design's names for it. `LabError` where
        the top has no such parameter, or the value is not of its type. Slots and clocks stay those
        of the registry's variant. A finalist's functions follow its `Width`, a stream's its
        `FixedFunction`, and a profile by rule its number (rounds-24: RoundsPerClock).
        """
        variant = self.variant(name)
        known, defaults = parameter_types(variant.top, root), parameter_defaults(variant.top, root)
        chosen: dict[str, Parameter] = {}
        for setting in settings:
            parameter, equals, text = setting.partition("=")
            if not equals:
                raise LabError(f"--set {setting}: NAME=VALUE is required")
            if parameter not in known:
                raise one_of(f"parameter of {self.name} {name}", parameter, sorted(known))
            if parameter in chosen:
                raise LabError(f"--set {setting}: {parameter} is set twice")
            chosen[parameter] = self._value(parameter, text, known[parameter])
        update: dict[str, Any] = {"parameters": variant.parameters | chosen}
        if variant.functions is not None and _WIDTH in chosen:
            update["functions"] = self._of_width(chosen[_WIDTH]) or variant.functions
        if (code := chosen.get(FIXED_FUNCTION)) is not None:
            fixed = [name for name, known in self._codes.items() if known == code]
            update["functions"] = fixed or variant.functions
        for parameter, value in chosen.items():
            rule, dash, number = (variant.profile or "").rpartition("-")
            if dash and number == str((defaults | variant.parameters).get(parameter)):
                update["profile"] = f"{rule}-{value}"
        return variant.model_copy(update=update)

    @property
    def _codes(self) -> dict[str, int]:
        return {name: functions.FUNCTIONS[name].code for name in self.all_functions}

    def _of_width(self, width: int) -> list[str]:
        """Return the functions of an engine that gives digests of up to 256 bits, or of more."""
        sizes = {name: functions.FUNCTIONS[name].digest_bits for name in self.functions}
        return [name for name, bits in sizes.items() if width // 2 < bits <= width]

    def _value(self, parameter: str, text: str, kind: type[Parameter]) -> Parameter:
        names = self._codes if parameter == FIXED_FUNCTION else self.values.get(parameter, {})
        if text in names:
            return names[text]
        value: Parameter | None = _FLAGS.get(text.lower()) if kind is bool else None
        if kind is int and re.fullmatch(r"\d{1,9}", text):
            value = int(text)
        if value is None:
            wanted = "true or false" if kind is bool else "a number of at most nine digits"
            also = f", or one of {', '.join(names)}" if names else ""
            raise LabError(f"--set {parameter}={text}: {wanted}{also} is required")
        return value


def _with_common(data: Any) -> Any:
    """Add `[common]` to every variant; another shape is left for validation to report."""
    if not isinstance(data, dict) or not isinstance(common := data.get("common"), dict):
        return data
    data = {key: value for key, value in data.items() if key != "common"}
    if isinstance(variants := data.get("variant"), dict):
        data["variant"] = {
            name: _over(common, entry, name) if isinstance(entry, dict) else entry
            for name, entry in variants.items()
        }
    return data


def _over(common: dict[str, Any], entry: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a variant's entry over what is common; tables in it likewise."""
    merged = copy.deepcopy(common)
    for key, value in entry.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = merged[key] | value if both else value
    firmware = merged.get("firmware")
    if isinstance(firmware, dict) and isinstance(sources := firmware.get("sources"), list):
        firmware["sources"] = [
            path.replace("{variant}", name) if isinstance(path, str) else path for path in sources
        ]
    return merged


def _values_by_name(data: Any) -> Any:
    """Put values in place of their names; another shape is left for validation to report."""
    if not isinstance(data, dict) or not isinstance(data.get("variant"), dict):
        return data
    data = copy.deepcopy(data)
    codes = {name: function.code for name, function in functions.FUNCTIONS.items()}
    values = {FIXED_FUNCTION: codes} | data.get("value", {})
    for variant, entry in data["variant"].items():
        given = entry.get("parameters") if isinstance(entry, dict) else None
        parameters: dict[str, Any] = given if isinstance(given, dict) else {}
        for name, value in list(parameters.items()):
            if isinstance(value, str) and isinstance(values.get(name), dict):
                if value not in values[name]:
                    known = ", ".join(values[name])
                    raise ValueError(f"variant {variant}: {name}: '{value}': one of {known}")
                parameters[name] = values[name][value]
    return data


FIXED_FUNCTION = "FixedFunction"
"""The parameter of a stream that computes one function, whose name stands for its code."""

BY_USER = 256
"""Its value that fixes none, from hf_stream_pkg."""

WORD_WIDTH = "WordWidth"
"""The parameter of an engine of the word contract: bits of a word."""

_WIDTH = "Width"
"""The parameter of a finalist with two sizes of state: 256 or 512 bits of digest."""

_FLAGS = {"0": False, "1": True, "false": False, "true": True, "1'b0": False, "1'b1": True}
_PARAMETER = re.compile(
    r"^\s*parameter\s+(int unsigned|bit)\s+(\w+)\s*=\s*(\d+\b(?!'))?", re.MULTILINE
)


def parameter_types(top: str, root: Path = ROOT) -> dict[str, type[Parameter]]:
    """Return the type of every parameter that a user of the module `top` can set."""
    return {name: bool if kind == "bit" else int for kind, name, _ in _parameters(top, root)}


def parameter_defaults(top: str, root: Path = ROOT) -> dict[str, Parameter]:
    """Return the parameters of `top` whose defaults are plain numbers."""
    return {name: int(default) for _, name, default in _parameters(top, root) if default}


def _parameters(top: str, root: Path) -> list[tuple[str, str, str]]:
    files = index(root)
    if top not in files:
        raise LabError(f"no file {top}.sv")
    return _PARAMETER.findall(read_text(files[top]).partition(") (")[0])


def _reason(gaps: Sequence[Gap], variant: str, target: str) -> str:
    found = (gap for gap in gaps if gap.target == target and variant in gap.variants)
    return next((gap.reason for gap in found), "")


def _own(value: T | None, otherwise: T) -> T:
    return otherwise if value is None else value


STATED = "sha3-256"
"""The function that the speed of a core is stated for, where it computes it."""


def stated_function(names: list[str]) -> str:
    """Return the one of these functions that a core's speed is stated for."""
    return STATED if STATED in names else names[0]


def _block_bits(names: list[str]) -> int:
    return functions.FUNCTIONS[stated_function(names)].rate_bits


def read_sources(variant: Variant, root: Path = ROOT) -> dict[str, str]:
    """Return the text of every file of `variant` by its path, each after those that it uses.

    The path of a file of a package is the package's name and its path there.
    """
    return package_texts(variant.packages) | closure(variant.top, root)


def source_paths(variant: Variant, root: Path = ROOT, *, models: bool = True) -> list[Path]:
    """Return the places of those files: below `root`, or in an installed package.

    `models` of vendors' primitives are for simulation: a vendor's tool has its own.
    """
    packages = [package_file(name) for name in variant.packages]
    files = closure(variant.top, root)
    return packages + [root / path for path in (files if models else without_models(files))]


def read_firmware(firmware: Firmware, root: Path = ROOT) -> dict[str, str]:
    """Return the text of every source by its path; `LabError` where one cannot be read."""
    return {path: read_text(root / path) for path in firmware.sources}


def source_hash(variant: Variant, root: Path = ROOT) -> str:
    """Return the sha256 (hex) over top, parameters, and the names and texts of all modules.

    Of a system, over its firmware too. Paths do not count, so files may move.
    """
    return hash_sources(variant, read_sources(variant, root), root)


def hash_sources(variant: Variant, texts: dict[str, str], root: Path = ROOT) -> str:
    """Return the result of `source_hash` for RTL already read.

    Comments, of C too, and checks of parameters do not count, nor do models of vendors' primitives,
    of which a netlist has only the ports.
    """
    modules = {
        Path(path).stem: "" if path.startswith(VENDOR_MODELS) else essence(text)
        for path, text in texts.items()
    }
    identity: dict[str, object] = {"top": variant.top, "parameters": variant.parameters}
    identity["modules"] = modules
    if variant.firmware is not None:
        sources = read_firmware(variant.firmware, root)
        texts = {Path(path).name: essence(text) for path, text in sources.items()}
        identity["firmware"] = variant.firmware.model_dump() | {"sources": list(texts)}
        identity["texts"] = texts
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def load_designs(root: Path = ROOT) -> dict[str, Design]:
    """Read every designs/*.toml below `root`, by name; `LabError` on the first fault.

    A `root` without that directory is no checkout.
    """
    if not (root / "designs").is_dir():
        raise LabError(f"{root}: no checkout (no designs/ in it): HASHFABRIC_ROOT must name one")
    designs, modules = {}, index(root)
    for path in sorted((root / "designs").glob("*.toml")):
        design = load_toml(path, Design)
        if design.name != path.stem:
            raise LabError(f"{shown(path)}: name: '{design.name}' is not the file's name")
        for name, variant in design.variants.items():
            if variant.top not in modules:
                raise LabError(f"{shown(path)}: variant.{name}.top: no file {variant.top}.sv")
            for source in variant.firmware.sources if variant.firmware is not None else ():
                if not (root / source).is_file():
                    fault = f"variant.{name}.firmware.sources: no file {source}"
                    raise LabError(f"{shown(path)}: {fault}")
        designs[design.name] = design
    return designs


def find_design(name: str, root: Path = ROOT) -> Design:
    """Return the design called `name`; `LabError` if there is none."""
    designs = load_designs(root)
    if name not in designs:
        raise one_of("design", name, list(designs))
    return designs[name]


def default_design(function: Function, root: Path = ROOT) -> Design:
    """Return the default design of a function: the family's simplest."""
    return find_design(functions.FAMILIES[function.family].design, root)
