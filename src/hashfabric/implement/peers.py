"""A checkout of a peer's core, measured in the lab's harness: by the plain flow, and by ours.

The core is not verified here, and nothing of it is kept but the row: its recipe says which files of
the checkout are read. They become one flat module of Verilog first, whose ports are vectors: the
harness has no other types.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashfabric.base.cache import Cache, write_files
from hashfabric.base.datafile import one_of, shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.progress import Steps
from hashfabric.base.tools import YOSYS
from hashfabric.base.yosys import read_command, run_script
from hashfabric.flows.base import RoutedTarget, RtlSource, Synthesis, Target, Use
from hashfabric.implement import build as implement
from hashfabric.implement import harness
from hashfabric.implement.jobs import threads, versions
from hashfabric.registry.peers import FLOWS, PLAIN_PROFILE, Flow, Peer, PeerCore, PeerRow, Recipe

SUFFIXES = (".v", ".sv")
"""Of files that a recipe may read."""
HEADER_SUFFIXES = (*SUFFIXES, ".vh", ".svh")
"""Of files that those may include."""
FLAT = "flat.v"
"""The core as one module."""
# yosys cannot write `$bwmux`, a multiplexer with a select for each bit, as Verilog.
_FLATTEN = f"proc; flatten; bwmuxmap; opt_clean; write_verilog -noattr {FLAT}"


@dataclass(frozen=True)
class Checkout:
    """A folder with a peer's repository, at the commit `head`."""

    folder: Path
    head: str

    @classmethod
    def at(cls, folder: Path) -> "Checkout":
        """Take `folder`; `LabError` if it is not the top of a checkout of git."""
        if not folder.is_dir():
            raise LabError(f"{shown(folder)}: no such folder")
        return cls(folder, _git(folder, "rev-parse", "HEAD").strip())

    def texts(self, recipe: Recipe) -> dict[str, str]:
        """Return the files of `recipe`, by path, in its order; `LabError` names what is missing."""
        return self._found(recipe.files, SUFFIXES, recipe.fetch)

    def headers(self, recipe: Recipe) -> dict[str, str]:
        """Return the files that others include, by path; `LabError` names what is missing."""
        return self._found(recipe.headers, HEADER_SUFFIXES, recipe.fetch)

    def _found(
        self, patterns: Sequence[str], suffixes: Sequence[str], fetch: str
    ) -> dict[str, str]:
        texts: dict[str, str] = {}
        for pattern in patterns:
            paths = sorted(self.folder.glob(pattern))
            if not paths:
                more = f" ({fetch})" if fetch else ""
                raise LabError(f"{shown(self.folder)}: no file {pattern}{more}")
            for path in paths:
                name = path.relative_to(self.folder).as_posix()
                if path.suffix not in suffixes or len(name.split()) != 1:
                    raise LabError(f"{shown(path)}: no name of a Verilog file")
                texts.setdefault(name, _read(path))
        return texts

    def commit_of(self, recipe: Recipe) -> str:
        """Return the commit, with `+` where the checkout or a file of `recipe` differs from it."""
        known = _git(self.folder, "ls-files", "--recurse-submodules").splitlines()
        changed = _git(self.folder, "status", "--porcelain", "--untracked-files=no").strip()
        read = {*self.texts(recipe), *self.headers(recipe)}
        return self.head if not changed and read <= set(known) else f"{self.head}+"


def _read(path: Path) -> str:
    try:
        # Old cores have names of authors in other encodings, in comments.
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise LabError(f"{shown(path)}: cannot be read") from error


def _git(folder: Path, *args: str) -> str:
    # In a hook of git these name another repository.
    variables = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-C", str(folder), *args]
    try:
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise LabError("git is missing: it says which commit a checkout is") from None
    if done.returncode != 0 or not (folder / ".git").exists():
        raise LabError(f"{shown(folder)}: no checkout of git: its commit is not known")
    return done.stdout


def recipe_of(peer: Peer, core: PeerCore) -> Recipe:
    """Return the recipe of a core; `LabError` if it has none."""
    if core.recipe is None:
        raise LabError(f"{peer.name}/{core.name}: no recipe to read it: {peer.source}")
    return core.recipe


def flow_called(name: str) -> Flow | None:
    """Return the flow called `name`, None for both; `LabError` if there is no such flow."""
    for flow in FLOWS:
        if flow == name:
            return flow
    if name != "both":
        raise one_of("flow", name, [*FLOWS, "both"])
    return None


def flows_of(target: Target, recipe: Recipe, only: Flow | None = None) -> dict[Flow, RoutedTarget]:
    """Return the target for each flow, or for one; `LabError` if it has none of them."""
    if not isinstance(target, RoutedTarget):
        raise LabError(f"{target.name}: a target with place and route is required")
    flows: dict[Flow, RoutedTarget] = {}
    if target.has_profile(PLAIN_PROFILE):
        flows["plain"] = target.with_profile(PLAIN_PROFILE)
    if recipe.profile is not None and not target.has_profile(recipe.profile):
        raise LabError(f"{target.name}: no profile '{recipe.profile}'")
    flows["ours"] = target.with_profile(recipe.profile)
    if only is not None and only not in flows:
        raise LabError(f"{target.name}: no flow '{only}': no profile '{PLAIN_PROFILE}'")
    return {name: fpga for name, fpga in flows.items() if only in {None, name}}


def flat_text(cache: Cache, checkout: Checkout, recipe: Recipe) -> str:
    """Return the core of `recipe` as one module of Verilog; `LabError` where yosys fails."""
    texts, headers = checkout.texts(recipe), checkout.headers(recipe)
    files = texts | headers
    folders = sorted({Path(name).parent.as_posix() for name in headers})
    options = [f"-I {folder}" for folder in folders]
    read = read_command(recipe.top, list(texts), recipe.parameters, recipe.macros, options)
    script = [read, _FLATTEN]
    inputs = {"job": "flat core", "yosys": YOSYS.version(), "script": script, "files": files}

    def work(directory: Path) -> dict[str, Any]:
        write_files(directory, files)
        run_script(script, directory, name="flatten")
        return {}

    return (cache.run(inputs, work).directory / FLAT).read_text(encoding="utf-8")


def measure(  # noqa: PLR0913 - one parameter a property of the run
    peer: Peer,
    core: PeerCore,
    checkout: Checkout,
    target: Target,
    *,
    seeds: Sequence[int],
    by: str,
    steps: Steps,
    only: Flow | None = None,
    cache: Cache | None = None,
) -> list[PeerRow]:
    """Measure a core of `peer` in a checkout; one row for each flow of the target, or for one.

    A seed that does not route is reported in the row. `LabError` where the core has no recipe, a
    file is missing, or it cannot be synthesised.
    """
    recipe = recipe_of(peer, core)
    commit = checkout.commit_of(recipe)
    cache = cache or Cache(BUILD / "cache")
    with steps.step(f"{peer.name}/{core.name}: elaboration"):
        alone = RtlSource({FLAT: flat_text(cache, checkout, recipe)}, recipe.top, {})
    rows = []
    for flow, fpga in flows_of(target, recipe, only).items():
        what = f"{peer.name}/{core.name}, {flow} flow"
        first = implement.synthesise(cache, steps, f"{what}: synthesis of the core", fpga, alone)
        text = harness.render(
            recipe.top,
            Synthesis(**first.result).ports,
            {},
            clock=recipe.clock,
            reset=recipe.reset,
        )
        files = {**alone.files, implement.HARNESS: text}
        whole = RtlSource(files, harness.TOP, {})
        step = f"{what}: synthesis in the harness"
        second = implement.synthesise(cache, steps, step, fpga, whole)
        with threads() as workers:
            futures = [
                workers.submit(
                    implement.place_and_route,
                    cache,
                    steps,
                    what,
                    fpga,
                    synth=second,
                    seed=seed,
                )
                for seed in seeds
            ]
            routed = [future.result() for future in futures]
        middle = implement.median_seed(routed)
        job = None if middle is None else middle.job
        use = Use(**(second if job is None else job).result["use"])
        core_use = Use(**first.result["use"])
        commands = {
            "flat": _FLATTEN,
            "core": first.result["command"],
            "harness": second.result["command"],
        }
        if job is not None:
            commands["route"] = job.result["command"]
        rows.append(
            PeerRow(
                peer=peer.name,
                core=core.name,
                target=target.name,
                flow=flow,
                lut=fpga.lut,
                luts=use.luts,
                luts_core=core_use.luts,
                ffs=use.ffs,
                ffs_core=core_use.ffs,
                brams=use.brams,
                dsps=use.dsps,
                fmax_mhz=implement.fmax_of(routed),
                commit=commit,
                by=by,
                commands=commands,
                tools=versions([*fpga.tools, *fpga.route_tools]),
            )
        )
    return rows
