"""The `hashfabric` command. Each command is short here; its work is in the module it imports.

Imports inside the commands keep the start quick. Every failure a user can cause ends in `main` as
one line on standard error.
"""

import contextlib
import json
import os
import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperCommand

from hashfabric.base.errors import LabError
from hashfabric.base.tools import PACKAGES, remedy

MOST_SEEDS = 1000
"""Seeds of a job at most."""

app = typer.Typer(
    help="Open SHA-3 hash hardware for FPGAs, and the lab that proves and measures it.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

STOPPED = 130
"""The exit status after Ctrl-C."""

MOVED = 3
"""The exit status of `compare` where rows differ: no failure."""


def _print_version(wanted: bool) -> None:
    if wanted:
        from hashfabric.base.version import full_version

        print(f"hashfabric {full_version()}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_print_version,
            help="Print the version, and its commit if it is no release.",
        ),
    ] = False,
) -> None:
    pass


def _path(text: str) -> Path:
    """Return the path that `text` names: '' is an error and not the current directory."""
    return Path(_named(text))


def _named(text: str) -> str:
    if not text:
        raise typer.BadParameter("an empty name")
    return text


results_app = typer.Typer(help="Rows that users of vendor tools report.", rich_markup_mode=None)
app.add_typer(results_app, name="results")

peers_app = typer.Typer(help="Cores of others, in the same harness.", rich_markup_mode=None)
app.add_typer(peers_app, name="peers")

cache_app = typer.Typer(help="The cache of finished jobs.", rich_markup_mode=None)
app.add_typer(cache_app, name="cache")

JsonFlag = Annotated[
    bool, typer.Option("--json", help="Print one JSON value and nothing else on standard output.")
]


@app.command("list")
def list_command(
    design: Annotated[
        str | None,
        typer.Argument(metavar="[DESIGN[/VARIANT]]", help="Its variants and functions."),
    ] = None,
    *,
    only_targets: Annotated[
        bool, typer.Option("--targets", help="Show the targets, in place of designs.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show the designs, a line each, the variants of one, or the targets.

    The JSON has all designs (or DESIGN only) with their variants (or VARIANT only), and all
    targets.
    """
    from hashfabric.flows import targets
    from hashfabric.registry import designs as registry
    from hashfabric.registry.maturity import maturity
    from hashfabric.registry.results import load_rows
    from hashfabric.report import tables

    if design is not None and only_targets:
        raise typer.TyperException("'DESIGN' and '--targets' exclude each other")
    designs, known_targets = registry.load_designs(), targets.load_all()
    rows = load_rows()
    if design is not None:
        name, _, variant = design.partition("/")
        found = registry.find_design(name)
        if variant:
            found = found.model_copy(update={"variants": {variant: found.variant(variant)}})
        designs = {name: found}
    if as_json:
        entries = [
            {"name": one.name, "variants": list(one.variants)}
            | {"maturity": {name: maturity(one, name, rows) for name in one.variants}}
            | one.model_dump(exclude={"name", "variants", "papers"})
            | {"papers": [link.name for link in one.papers]}
            for one in designs.values()
        ]
        parts = [target.model_dump() for target in known_targets.values()]
        _print_json({"designs": entries, "targets": parts})
        return
    console = _console()
    if only_targets:
        console.print(tables.targets_table(known_targets))
    elif design is not None:
        for one in designs.values():
            console.print(tables.variants_table(one, rows))
    else:
        console.print(tables.designs_table(designs, rows))
        console.print("[dim]hashfabric list DESIGN: its variants; list --targets: the targets")


@app.command("files")
def files_command(
    name: Annotated[str, typer.Argument(metavar="DESIGN[/VARIANT]")],
    *,
    as_json: JsonFlag = False,
) -> None:
    """Print the RTL files of a variant (default: of all), each after the files that it uses.

    Vendors' primitives are not included; rtl/prim/vendor has models of them for simulation.
    """
    from hashfabric.base.datafile import shown
    from hashfabric.registry import designs as registry

    design_name, _, variant_name = name.partition("/")
    design = registry.find_design(design_name)
    variants = [design.variant(variant_name)] if variant_name else design.variants.values()
    paths = [path for one in variants for path in registry.source_paths(one, models=False)]
    files = dict.fromkeys(shown(path) for path in paths)
    if as_json:
        _print_json(list(files))
    else:
        print("\n".join(files))


@app.command("export")
def export_command(  # noqa: PLR0913 - one parameter an option
    name: Annotated[str, typer.Argument(metavar="DESIGN[/VARIANT]")],
    *,
    form: Annotated[str, typer.Option("--format", help="Form to write: see docs/use/export.md.")],
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", parser=_path, help="Directory to write, new or empty."),
    ],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter (may be given again)."),
    ] = None,
    module: Annotated[
        str | None, typer.Option("--name", help="The module's name in plain Verilog.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="Target whose family the export is for, such as ecp5-85k.")
    ] = None,
) -> None:
    """Write a design in the form that another tool reads.

    Without a variant, the design's first stream is taken. Files of an earlier export are replaced.
    """
    from hashfabric.export import formats
    from hashfabric.export.configuration import configuration

    one = configuration(name, settings or [], module, target)
    for path in formats.export(one, form, out):
        print(path)


@app.command("vivado-kit")
def vivado_kit_command(
    names: Annotated[list[str], typer.Argument(metavar="DESIGN[/VARIANT]...")],
    *,
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", parser=_path, help="Directory: new, empty, or an earlier kit."),
    ],
    part: Annotated[str, typer.Option(help="Part to route for.")] = "xc7k70tfbg484-1",
    period: Annotated[
        float, typer.Option(min=0.1, max=1000, metavar="NS", help="Clock period.")
    ] = 4.0,
) -> None:
    """Write projects for Vivado, a script that runs all, and one that reads the reports back.

    Without a variant, the design's first stream is taken.
    """
    from hashfabric.export import kit
    from hashfabric.export.configuration import configuration

    cores = [configuration(name, [], None, None) for name in names]
    for path in kit.write(cores, part, period, out):
        print(path)


@app.command("registers")
def registers_command(
    *,
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", parser=_path, help="Directory to write, new or empty."),
    ],
) -> None:
    """Write the peripheral's registers as a C header, HTML pages and IP-XACT."""
    from hashfabric.base.paths import require_checkout
    from hashfabric.registry import registers

    require_checkout("registers", to_write=False)
    for path in registers.write(out):
        print(path)


@app.command("hash")
def hash_command(  # noqa: PLR0913 - one parameter an option
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE[:BITS]...",
            help="'-': standard input. :BITS: its first BITS bits (unless a file has that name).",
        ),
    ] = None,
    *,
    design: Annotated[
        str | None, typer.Option(help="Design to use (default: the function's simplest).")
    ] = None,
    variant: Annotated[
        str | None,
        typer.Option(help="Stream or system variant of it (default: the first for the function)."),
    ] = None,
    function: Annotated[str, typer.Option(help="Hash function.")] = "sha3-256",
    output_bits: Annotated[
        int | None, typer.Option(min=1, help="Length of an XOF's output in bits.")
    ] = None,
    bits: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Hash the first BITS bits only; low bits of a byte first for SHA-3, SHAKE, "
            "Keccak and TurboSHAKE, high bits first for the other families.",
        ),
    ] = None,
    manifest: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            parser=_named,
            help="Hash the messages of FILE too, a JSON object a line: 'file' (relative to the "
            "manifest) or 'hex', optionally 'bits' and 'output_bits'; TupleHash: 'tuple', a list.",
        ),
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", parser=_path, help="KMAC: the key's bytes.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="cSHAKE: the function name, N.")] = None,
    custom: Annotated[
        str | None, typer.Option(help="SP 800-185, KangarooTwelve: the customization string.")
    ] = None,
    as_tuple: Annotated[
        bool, typer.Option("--tuple", help="TupleHash: the files are the strings of one tuple.")
    ] = False,
    block_bytes: Annotated[
        int | None, typer.Option(min=1, max=1 << 40, help="ParallelHash: bytes of a block, B.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Hash files through the RTL in a cycle-accurate simulation, one in each slot at a time.

    Prints `digest  file` as sha3sum does, and the clock cycles to standard error. Messages of the
    functions of SP 800-185 are framed in front of the RTL; ParallelHash's blocks and the chunks of
    KangarooTwelve (kt128, kt256) use all slots.
    """
    from hashfabric.commands import framing as framed
    from hashfabric.commands import hash as hashing
    from hashfabric.models import functions
    from hashfabric.models.rfc9861 import KANGAROOS
    from hashfabric.models.sp800_185 import FRAMED
    from hashfabric.registry import designs as registry

    if not files and manifest is None:
        raise typer.TyperException("Missing argument 'FILE' or option '--manifest'")
    framing = framed.framing_of(
        function,
        key=None if key is None else key.read_bytes(),
        name=None if name is None else os.fsencode(name),
        custom=None if custom is None else os.fsencode(custom),
        block_bytes=block_bytes,
    )
    wanted = functions.find(function, [*FRAMED, *KANGAROOS]) if framing is None else framing.sponge
    request = hashing.HashRequest(
        registry.default_design(wanted) if design is None else registry.find_design(design),
        wanted,
        bits=bits,
        output_bits=output_bits,
        json=as_json,
        variant=variant,
        framing=framing,
    )
    if as_tuple and not request.tuples:
        raise LabError(f"--tuple: {function} has none")
    hasher = hashing.Hasher(request)
    tasks = [hashing.task_of(file) for file in files or []]
    if as_tuple and tasks:
        tasks = [hashing.tuple_of(tasks)]
    several = len(tasks) > 1 or manifest is not None
    if manifest is not None:
        tasks += hasher.manifest(manifest)
    printer: hashing.Json | hashing.Lines
    printer = hashing.Json(request, several=several) if as_json else hashing.Lines(hasher.bars)
    failed = False
    try:
        with hasher.bars:
            for event in hasher.run(tasks):
                if isinstance(event, hashing.Failed):
                    hasher.bars.hide()
                    name = hashing.escaped(event.name) or "''"
                    _complain(f"{name}: {event.error}")
                    hasher.bars.show()
                    failed = True
                printer.report(event)
        printer.end()
    finally:
        if printer.begun and sys.stdout.isatty():
            print()  # The next message begins a line.
    if failed:
        raise typer.Exit(1)


@app.command("run")
def run_command(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", parser=_path, help="The program's C sources.")
    ],
    *,
    send: Annotated[
        list[str] | None,
        typer.Option(metavar="LINE", help="Send this line to the program (may be given again)."),
    ] = None,
    clocks: Annotated[
        int, typer.Option(min=1, help="Most clock cycles that it may run.")
    ] = 100_000_000,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", parser=_path, help="Also write program.elf and program.bin there."
        ),
    ] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FUNCTION",
            help="Also print what its calls take, callees included (may be given again).",
        ),
    ] = None,
) -> None:
    """Compile your own program and run it on the simulated SoC (see soc-programs.md).

    Prints the output of its serial line, and the clock cycles to standard error. The exit status
    is 0 if its main() returns 0.
    """
    from hashfabric.base.cache import write_atomically
    from hashfabric.base.datafile import check_folder
    from hashfabric.registry.designs import find_design
    from hashfabric.simulate import program
    from hashfabric.simulate.soc import SocSim, clock_hz

    if out is not None:
        check_folder(out)
    soc = find_design(program.SOC)
    variant = next(iter(soc.variants.values()))
    compiled = program.compile_program(folder, variant)
    print(compiled.warnings, end="", file=sys.stderr, flush=True)
    if out is not None:
        write_atomically(out / "program.elf", compiled.file.read_bytes())
        write_atomically(out / "program.bin", program.image(compiled))
    sim = SocSim(soc, variant, compiled.program)

    def tell(data: bytes) -> None:  # Bytes that are no text too: see main().
        letter = data.decode("utf-8", errors="surrogateescape")
        print(letter, end="", flush=letter == "\n")

    if profile:
        sim.profile(profile)
    ended = program.run(sim, send or [], clocks, tell)
    sys.stdout.flush()
    if profile:
        print("\n".join(program.profile_lines(sim.profiled())), file=sys.stderr)
    hertz, use = clock_hz(), compiled.program
    took = f"{ended.clocks:,} clock cycles, {1e3 * ended.clocks / hertz:.2f} ms"
    print(
        f"{took} at {hertz / 1e6:g} MHz; "
        f"{use.code_bytes:,} bytes of code, {use.data_bytes:,} of variables, "
        f"{sim.stack_bytes:,} of stack",
        file=sys.stderr,
    )
    if ended.status != 0:
        raise LabError(f"the program ended with status {ended.status}")


@app.command("acvp")
def acvp_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", parser=_named, help="'-': standard input.")
    ],
    *,
    design: Annotated[
        str | None, typer.Option(help="Design to use (default: the function's simplest).")
    ] = None,
    variant: Annotated[
        str | None, typer.Option(help="Stream variant of it (default: the first for the function).")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", parser=_path, help="File to write (default: standard output)."
        ),
    ] = None,
) -> None:
    """Answer an ACVP request file (SHA-3, SHAKE, SP 800-185) with the simulated RTL.

    The response is written after all tests have run.
    """
    from hashfabric.base.cache import write_atomically
    from hashfabric.base.datafile import check_file
    from hashfabric.commands import acvp
    from hashfabric.registry import designs as registry

    if out is not None:
        check_file(out)
    request = acvp.load(file)
    chosen = None if design is None else registry.find_design(design)
    response = acvp.answer(request, chosen, variant)
    if out is None:
        _print_json(response)
    else:
        write_atomically(out, json.dumps(response, indent=2) + "\n")


SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter (may be given again)."),
]


@app.command("build")
def build_command(  # noqa: PLR0913 - one parameter an option
    design: Annotated[str, typer.Argument(metavar="DESIGN[/VARIANT]")],
    *,
    target: Annotated[str, typer.Option(help="FPGA to build for.")],
    seeds: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_SEEDS, help="Place-and-route seeds (default: the target's)."),
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(help="A variant (may be given again; default: all).")
    ] = None,
    settings: SetOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", parser=_path, help="Directory for the files (default: build/)."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Build a design for an FPGA and measure it; results/ does not change.

    Verify, synthesise, place and route with several seeds. RTL, netlist, bitstream and report go
    to build/DESIGN-TARGET-VARIANT/; parameters that were set are appended to its name.
    """
    from hashfabric.base.datafile import shown
    from hashfabric.base.paths import BUILD
    from hashfabric.base.progress import Steps
    from hashfabric.flows import targets
    from hashfabric.implement import build as implement
    from hashfabric.implement import private
    from hashfabric.papers import beside
    from hashfabric.registry import designs as registry
    from hashfabric.registry.results import unrouted
    from hashfabric.report import tables

    design_name, _, variant_name = design.partition("/")
    entry, fpga = registry.find_design(design_name), targets.find_target(target)
    chosen = [*([variant_name] if variant_name else []), *(variant or [])]
    with Steps(quiet=as_json) as steps:
        rows = private.build(
            entry,
            fpga,
            steps,
            variants=implement.variants_for(entry, fpga, chosen),
            settings=settings or [],
            folder=out,
            seeds=implement.seed_list(fpga, seeds),
        )
    if as_json:
        _print_json([row.as_json() for row in rows])
    else:
        console = _console()
        for measured in tables.measured_tables(rows, {entry.name: entry}):
            console.print(measured)
        if (table := beside.paper_table(entry)) is not None:
            console.print(table)
        for row in rows:
            folder = (BUILD if out is None else out) / implement.folder_name(row)
            print(f"Files: {shown(folder)}/")
    for row in unrouted(rows):
        _complain(f"{row.name} {row.label}: no seed routed on {row.target}")
    if unrouted(rows):
        raise typer.Exit(1)


@app.command("pnr")
def pnr_command(  # noqa: PLR0913 - one parameter an option
    netlist: Annotated[
        Path,
        typer.Argument(metavar="NETLIST", parser=_path, help="Netlist of synth_ecp5 -json."),
    ],
    *,
    device: Annotated[str, typer.Option(help="Device by nextpnr-ecp5's name: 25k, um5g-85k ...")],
    package: Annotated[str, typer.Option(help="Package, such as CABGA381.")],
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", parser=_path, help="Directory to write, new or empty."),
    ],
    speed: Annotated[str, typer.Option(help="Speed grade: 6, 7 or 8.")] = "6",
    lpf: Annotated[
        Path | None,
        typer.Option(metavar="FILE", parser=_path, help="Pins of all ports, and clocks."),
    ] = None,
    free_pins: Annotated[
        bool, typer.Option("--free-pins", help="No FILE of pins: the placer chooses them.")
    ] = False,
    freq: Annotated[
        float | None,
        typer.Option(min=0.001, metavar="MHZ", help="Required clock where FILE names none."),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, max=MOST_SEEDS, help="Run seeds 1 to N and keep the best.")
    ] = None,
    seed: Annotated[
        list[int] | None, typer.Option(min=0, help="This seed (may be given again).")
    ] = None,
    placer: Annotated[str, typer.Option(help="static, or heap (may suit pipelines).")] = "static",
    spread: Annotated[
        str | None,
        typer.Option(metavar="RATIO", help="Stretch the placement, as by 3/2; none: do not."),
    ] = None,
    ram_passes: Annotated[
        int | None, typer.Option(min=0, help="Placements that only choose block RAM sites.")
    ] = None,
    stamp: Annotated[
        str | None,
        typer.Option(metavar="MODULE", help="Place and route MODULE once, and repeat that."),
    ] = None,
    box: Annotated[
        str | None,
        typer.Option(metavar="LEFT,TOP,WIDTH,HEIGHT", help="Tiles of the first MODULE's box."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=1, metavar="S", help="Time limit of one run of nextpnr in seconds.")
    ] = 3600,
    as_json: JsonFlag = False,
) -> None:
    """Place and route a custom netlist for ECP5, with the steps that hash cores need.

    Writes bitstream, text configuration, report and log to DIR. The netlist decides which steps
    run, unless an option does. The exit status is 1 if a clock is slower than required, too.
    """
    from hashfabric.base.progress import Steps
    from hashfabric.commands import pnr

    if lpf is None and not free_pins:
        raise typer.TyperException("One of '--lpf' and '--free-pins' is required")
    if lpf is not None and free_pins:
        raise typer.TyperException("'--lpf' and '--free-pins' exclude each other")
    if seeds is not None and seed:
        raise typer.TyperException("'--seeds' and '--seed' exclude each other")
    if stamp is None and box is not None:
        raise typer.TyperException("'--box' requires '--stamp'")
    request = pnr.Request(
        netlist,
        pnr.part(device, package, speed),
        lpf,
        list(dict.fromkeys(seed or range(1, (seeds or 1) + 1))),
        out,
        mhz=freq,
        placer=pnr.placer(placer),
        spread=pnr.ratio(spread),
        ram_passes=ram_passes,
        timeout_s=timeout,
        unit=stamp,
        unit_box=pnr.unit_box(box, device),
    )
    with Steps(quiet=as_json) as steps:
        outcomes = pnr.run(request, steps)
    if as_json:
        _print_json([outcome.as_json() for outcome in outcomes])
    else:
        for line in [*pnr.lines(outcomes), *(str(path) for path in pnr.files(out))]:
            print(line)
    for line in pnr.missed(outcomes):
        _complain(line)
    if pnr.missed(outcomes):
        raise typer.Exit(1)


SchedulerOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", help="Dask scheduler on whose workers jobs run, such as tcp://host:8786."
    ),
]


def _on(scheduler: str | None) -> contextlib.AbstractContextManager[object]:
    """Return the place where jobs run: the workers of a scheduler, or this machine."""
    if scheduler is None:
        return contextlib.nullcontext()
    if not re.fullmatch(r"(\w+://)?\S+:\d+", scheduler):
        raise LabError(f"--scheduler {scheduler}: no address such as tcp://host:8786")
    from hashfabric.implement.cluster import Cluster

    return Cluster(scheduler)


@app.command("sweep")
def sweep_command(  # noqa: PLR0913 - one parameter an option
    name: Annotated[str, typer.Argument(metavar="DESIGN/VARIANT")],
    *,
    target: Annotated[str, typer.Option(help="FPGA to build for.")],
    out: Annotated[Path, typer.Option(metavar="DIR", parser=_path, help="Directory for the rows.")],
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE[,VALUE]...",
            help="Values of a parameter (may be given again).",
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_SEEDS, help="Place-and-route seeds (default: the target's)."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Tools that run at once here (default: one a processor)."),
    ] = None,
    scheduler: SchedulerOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Build every combination of parameters for an FPGA and measure it.

    Each row is a file in DIR; a second call measures only what is missing there. Failures are
    reported and the sweep continues.
    """
    from hashfabric.base.progress import Steps
    from hashfabric.flows import targets
    from hashfabric.implement import build as implement
    from hashfabric.implement import private
    from hashfabric.registry import designs as registry
    from hashfabric.report import rows_text

    design_name, _, variant_name = name.partition("/")
    entry, fpga = registry.find_design(design_name), targets.find_target(target)
    implement.variants_for(entry, fpga, [variant_name])
    sweep = private.Sweep(
        private.product(entry, variant_name, settings or []),
        fpga,
        implement.seed_list(fpga, seeds),
        out,
    )
    with _on(scheduler), Steps(quiet=as_json, keep=False) as steps:
        outcomes = sweep.run(
            steps,
            jobs,
            lambda outcome: print(rows_text.outcome_line(outcome), file=sys.stderr, flush=True),
        )
    if as_json:
        _print_json([outcome.model_dump() for outcome in outcomes])
    else:
        print(rows_text.table(outcomes, "markdown"), end="")
    if failed := sum(outcome.failed is not None for outcome in outcomes):
        raise LabError(f"{failed} of {len(outcomes)} configurations failed")


RowFiles = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[DIR|FILE]...", parser=_path, help="Rows of builds and sweeps (default: results/)."
    ),
]


KindOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Rows of this kind: engine, word-engine, stream, peripheral, masked-peripheral, "
        "chain, system or soc (may be given again)."
    ),
]
FamilyOption = Annotated[
    list[str] | None,
    typer.Option(help="Rows of this family, such as keccak or jh (may be given again)."),
]
FunctionOption = Annotated[
    list[str] | None,
    typer.Option(help="Rows of cores of this function, such as sha3-256 (may be given again)."),
]


@app.command("table")
def table_command(  # noqa: PLR0913 - one parameter an option
    paths: RowFiles = None,
    *,
    form: Annotated[
        str, typer.Option("--format", help="csv, latex (booktabs) or markdown.")
    ] = "markdown",
    columns: Annotated[
        str | None,
        typer.Option(metavar="NAME[,NAME]...", help="Columns (default: the usual ones)."),
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option(help="Rows of this target (may be given again).")
    ] = None,
    kind: KindOption = None,
    family: FamilyOption = None,
    function: FunctionOption = None,
    sort: Annotated[
        str | None, typer.Option(metavar="NAME", help="Column to sort by, smallest first.")
    ] = None,
    descending: Annotated[
        bool, typer.Option("--descending", help="Sort with the largest first.")
    ] = False,
) -> None:
    """Print measured rows as a table."""
    from hashfabric.base.paths import ROOT
    from hashfabric.registry.designs import STATED, load_designs
    from hashfabric.registry.results import load_private, measured_rows
    from hashfabric.report import rows_text, tables
    from hashfabric.report.selection import Selection

    if descending and sort is None:
        raise LabError("--descending requires --sort")
    designs, rows = load_designs(), load_private(paths or [ROOT / "results"])
    chosen = Selection(target or (), kind or (), family or (), function or ()).of(rows, designs)
    names = columns.split(",") if columns is not None else None
    table = rows_text.table(chosen, form, names, designs=designs, sort=sort, descending=descending)
    print(table, end="")
    if form == "markdown" and (names is None or rows_text.SPEEDS.intersection(names)):
        _print_note(tables.speed_line(measured_rows(chosen), designs, function or (STATED,)))


class _Bounded(TyperCommand):
    """A command with `--min-COLUMN N` and `--max-COLUMN N` for every column of figures.

    They become `--min COLUMN=N` and `--max COLUMN=N`: the columns are looked up by the command.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Rewrite these options, then parse."""
        found: list[str] = []
        rest = iter(args)
        for word in rest:
            option, equals, value = word.partition("=")
            end, column = option[2:5], option[6:]
            if option[:6] not in ("--min-", "--max-") or not column:
                found.append(word)
                continue
            value = value if equals else next(rest, "")
            found += [f"--{end}", f"{column.replace('-', '_')}={value}"]
        return list(super().parse_args(ctx, found))


@app.command("find", cls=_Bounded)
def find_command(  # noqa: PLR0913 - one parameter an option
    paths: RowFiles = None,
    *,
    target: Annotated[
        list[str] | None, typer.Option(help="Rows of this target (may be given again).")
    ] = None,
    kind: KindOption = None,
    family: FamilyOption = None,
    function: FunctionOption = None,
    low: Annotated[
        list[str] | None,
        typer.Option(
            "--min",
            metavar="COLUMN=N",
            help="At least N; also --min-COLUMN N (may be given again).",
        ),
    ] = None,
    high: Annotated[
        list[str] | None,
        typer.Option(
            "--max", metavar="COLUMN=N", help="At most N; also --max-COLUMN N (may be given again)."
        ),
    ] = None,
    least: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Sort, the smallest first.")
    ] = None,
    most: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Sort, the largest first.")
    ] = None,
    pareto: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="X Y",
            help="Only rows that no other of their target, kind and function beats in both.",
        ),
    ] = None,
    first: Annotated[int | None, typer.Option(min=1, help="Most rows to print.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Find measured rows, such as the smallest that reaches 5 Gb/s.

    hashfabric find --target ecp5-85k --function sha3-256 --min-gbps 5 --least luts. A column is
    one of those of `table`; a row without a value in a column that is named is left out.
    """
    from hashfabric.base.paths import ROOT
    from hashfabric.registry.designs import STATED, load_designs
    from hashfabric.registry.results import load_private
    from hashfabric.report import find, rows_text, tables
    from hashfabric.report.selection import Selection

    question = find.Question(
        [find.Bound.read(text, "min") for text in low or []]
        + [find.Bound.read(text, "max") for text in high or []],
        find.order(least, most),
        pareto,
        first,
    )
    designs, rows = load_designs(), load_private(paths or [ROOT / "results"])
    chosen = Selection(target or (), kind or (), family or (), function or ()).of(rows, designs)
    found = question.answer(chosen, designs)
    if as_json:
        _print_json([rows_text.values(row, designs) for row in found])
    else:
        print(rows_text.table(found, "markdown", question.columns(found)), end="")
        _print_note(tables.speed_line(found, designs, function or (STATED,)))


@app.command("compare")
def compare_command(
    old: Annotated[
        str, typer.Argument(metavar="OLD", parser=_named, help="A commit, or a folder of rows.")
    ],
    new: Annotated[
        str | None,
        typer.Argument(metavar="[NEW]", parser=_named, help="The same (default: results/)."),
    ] = None,
    *,
    margin: Annotated[
        float,
        typer.Option(min=0, max=1e6, metavar="PERCENT", help="Ignore counts that moved by less."),
    ] = 0.0,
    worse: Annotated[
        bool, typer.Option("--worse", help="Only what became slower or larger, or went.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Name the rows that came, went or moved beyond the spread of their seeds.

    The exit status is 3 if there is such a row, 0 if there is none.
    """
    from hashfabric.base.paths import ROOT
    from hashfabric.report import compare

    before, after = compare.load(old), compare.load(str(ROOT) if new is None else new)
    found = [one for one in compare.changes(before, after, margin) if one.worse or not worse]
    if as_json:
        _print_json([change.as_json() for change in found])
    elif found:
        print(compare.table(found), end="")
    if found:
        raise typer.Exit(MOVED)


@app.command("plot")
def plot_command(  # noqa: PLR0913 - one parameter an option
    paths: RowFiles = None,
    *,
    out: Annotated[
        Path, typer.Option(metavar="FILE", parser=_path, help="File to write: .svg or .html.")
    ],
    x: Annotated[str, typer.Option(help="Area: a column of the table; less is better.")] = "luts",
    y: Annotated[str, typer.Option(help="Speed: a column; more is better.")] = "gbps",
    target: Annotated[str | None, typer.Option(help="Only rows of this target.")] = None,
    kind: KindOption = None,
    family: FamilyOption = None,
    function: FunctionOption = None,
    pareto: Annotated[
        bool,
        typer.Option(
            "--pareto",
            help="Draw the Pareto front of each kind and function.",
        ),
    ] = False,
) -> None:
    """Draw measured rows, speed against area. The HTML works without a network."""
    from hashfabric.base.paths import ROOT
    from hashfabric.registry.designs import load_designs
    from hashfabric.registry.results import load_private
    from hashfabric.report import scatter
    from hashfabric.report.selection import Selection

    axes, designs = scatter.Axes(x, y), load_designs()
    rows = load_private(paths or [ROOT / "results"])
    of_target = (target,) if target is not None else ()
    chosen = Selection(of_target, kind or (), family or (), function or ()).of(rows, designs)
    left_out = scatter.save(chosen, out, axes, target=target, front=pareto, designs=designs)
    if left_out:
        _complain(f"{left_out} rows are not shown: they have no {y} or no {x}")
    print(f"wrote {out}", file=sys.stderr)


@app.command("power")
def power_command(  # noqa: PLR0913 - one parameter an option
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[DESIGN[/VARIANT]]...", help="Engines.")
    ] = None,
    *,
    target: Annotated[
        str, typer.Option(help="Library of cells, or an FPGA (toggles only).")
    ] = "osu018",
    duty: Annotated[
        str, typer.Option(help="Percent of the slots' time that is used.")
    ] = "0,10,50,100",
    blocks: Annotated[
        int, typer.Option(min=1, help="Block intervals to simulate, over all slots.")
    ] = 40,
    seed: Annotated[
        int, typer.Option(help="Seed of the messages and of the times that are used.")
    ] = 1,
    save: Annotated[bool, typer.Option("--save", help="Write the rows to results/.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Estimate energy from the activity of the gates, for each duty.

    Every output state is checked. Several designs are compared with the first. Without a design,
    those that have rows in results/ are measured.
    """
    from hashfabric.base.datafile import shown
    from hashfabric.base.paths import require_checkout
    from hashfabric.base.progress import Steps
    from hashfabric.flows import targets
    from hashfabric.power import energy_tables as tables
    from hashfabric.power import measure, rows

    if save:
        require_checkout("power --save")
    loads = [measure.Load(part, blocks, seed) for part in measure.duties(duty)]
    jobs = (
        [(*measure.named_engine(name), targets.find_any(target)) for name in names]
        if names
        else measure.saved()
    )
    with Steps(quiet=as_json) as steps:
        measured = [
            row
            for design, variant, where in jobs
            for row in measure.Meter(where, steps).measure(design, variant, loads)
        ]
    if as_json:
        _print_json([row.model_dump() for row in measured])
    else:
        console = _console()
        for table in tables.terminal_tables(measured):
            console.print(table)
        for line in [*tables.assumption_lines(measured), tables.wires_text(measured)]:
            if line:
                console.print(line, highlight=False)
    for path in rows.save(measured) if save else []:
        print(f"wrote {shown(path)}", file=sys.stderr)


@app.command("area")
def area_command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DESIGN[/VARIANT]]...", help="Engines, streams, peripherals."),
    ] = None,
    *,
    target: Annotated[str, typer.Option(help="Library of cells.")] = "osu018",
    save: Annotated[bool, typer.Option("--save", help="Write the rows to results/.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Synthesise for standard cells; count the area in gate equivalents, estimate a clock.

    With RAM in flip-flops, and without it: as macros of which only words and bits are given.
    The clock is that of the longest path by the library's own delays, RAM in flip-flops.
    Without a design, those that have rows in results/ are measured.
    """
    from hashfabric.area import measure, page, rows
    from hashfabric.base.datafile import shown
    from hashfabric.base.paths import require_checkout
    from hashfabric.base.progress import Steps
    from hashfabric.flows import targets

    if save:
        require_checkout("area --save")
    jobs = (
        [(*measure.chosen(name), targets.find_any(target)) for name in names]
        if names
        else measure.saved()
    )
    with Steps(quiet=as_json) as steps:
        measured = [measure.measure(where, design, name, steps) for design, name, where in jobs]
    if as_json:
        _print_json([row.model_dump() for row in measured])
    else:
        _console().print(page.terminal_table(measured))
    for path in rows.save(measured) if save else []:
        print(f"wrote {shown(path)}", file=sys.stderr)


@app.command("leakage")
def leakage_command(  # noqa: PLR0913 - one parameter an option
    name: Annotated[str, typer.Argument(metavar="DESIGN[/VARIANT]", help="A masked design.")],
    *,
    targets: Annotated[
        str, typer.Option("--target", help="Targets to map it for, with commas.")
    ] = "ecp5-85k,osu018",
    checks: Annotated[
        str, typer.Option(help="gadget, round, traces: the checks, with commas.")
    ] = "gadget,round,traces",
    traces: Annotated[int, typer.Option(help="Traces of the t-test.", min=2)] = 100_000,
    seed: Annotated[int, typer.Option(help="Of traces, delays and the fixed block.")] = 1,
    settings: SetOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Check a masked engine for leakage, on its mapped netlist.

    A proof with probes that observe glitches, of chi and of a round; and a t-test of simulated
    traces of three rounds, fixed against random. The exit status is 1 if a check fails.
    """
    from hashfabric.area.measure import chosen
    from hashfabric.base.datafile import one_of
    from hashfabric.base.progress import Steps
    from hashfabric.flows.targets import find_any
    from hashfabric.leakage import evaluate

    design, variant_name = chosen(name)
    form = evaluate.form_of(design.configured(variant_name, settings or []))
    wanted = checks.split(",")
    for each in wanted:
        if each not in evaluate.CHECKS:
            raise one_of("check", each, list(evaluate.CHECKS))
    places = [find_any(each) for each in targets.split(",")]
    results = []
    with Steps(quiet=as_json) as steps:
        for place in places:
            for result in evaluate.evaluate(
                place, form, wanted, traces=traces, seed=seed, steps=steps
            ):
                results.append(result)
                if not as_json:
                    mark = "passed" if result.passed else "FAILED"
                    print(f"{result.target}: {result.check}: {mark}: {result.said}")
                    for finding in result.findings:
                        print(f"  {finding}")
    if as_json:
        _print_json([result.as_dict() for result in results])
    if not all(result.passed for result in results):
        raise typer.Exit(1)


@app.command("faults")
def faults_command(  # noqa: PLR0913 - one parameter an option
    name: Annotated[str, typer.Argument(metavar="DESIGN[/VARIANT]", help="A checked stream.")],
    *,
    target: Annotated[str, typer.Option(help="Target to map it for.")] = "ecp5-85k",
    size: Annotated[int, typer.Option("--bytes", help="Of the message.", min=0, max=4096)] = 200,
    clocks: Annotated[
        int, typer.Option(help="Flips are in this many clocks, at random; 0: in all.", min=0)
    ] = 0,
    pairs: Annotated[int, typer.Option(help="Pairs of flips, at random.", min=0)] = 100_000,
    seed: Annotated[int, typer.Option(help="Of the message, the clocks and the pairs.")] = 1,
    settings: SetOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Put faults into a stream with an alarm, in its mapped netlist, and count those found.

    A message of SHA3-256 is hashed with each single flip, with each flip-flop and gate stuck, and
    with pairs of flips. The exit status is 1 if less than 99.9 % of the single flips that make the
    output wrong are found.
    """
    from hashfabric.base.progress import Steps
    from hashfabric.faults import evaluate
    from hashfabric.flows.targets import find_any
    from hashfabric.registry.designs import find_design
    from hashfabric.simulate.stream import stream_variant

    design_name, _, variant_name = name.partition("/")
    design = find_design(design_name)
    if not variant_name:
        stream = stream_variant(design)
        variant_name = next(each for each, one in design.variants.items() if one is stream)
    variant = design.configured(variant_name, settings or [])
    plan = evaluate.Plan(size, clocks, pairs, seed)
    results = []
    with Steps(quiet=as_json) as steps:
        for result in evaluate.evaluate(variant, find_any(target), plan, steps):
            results.append(result)
            if not as_json:
                for line in evaluate.lines(result):
                    print(line)
    if as_json:
        _print_json([result.as_dict() for result in results])
    if not all(evaluate.passed(result) for result in results):
        raise typer.Exit(1)


@app.command("papers")
def papers_command(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]")] = None,
    *,
    as_json: JsonFlag = False,
) -> None:
    """Show the papers' tables with an audit.

    Each table, the audit of its figures, and Hashfabric's measured rows beside it.
    """
    from hashfabric.base.paths import ROOT
    from hashfabric.papers import audit, paper, ranking, show
    from hashfabric.registry import results
    from hashfabric.registry.designs import load_designs

    designs, known = load_designs(), paper.load_papers(ROOT / "papers")
    links = [(d.name, link.name, link.design) for d in designs.values() for link in d.papers]
    chosen = known if name is None else [paper.find(known, name)]
    rows = results.load_rows()
    measured = [row.as_json() for row in rows]
    entries, console = [], _console()
    for one in chosen:
        findings = audit.audit(one)
        ranked = ranking.entries(one, rows, designs, ranking.TARGET)
        if as_json:
            entry = show.to_json(one, findings, measured, links)
            if ranked:
                entry["ranked"] = ranking.to_json(one, ranked, ranking.TARGET)
            entries.append(entry)
        else:
            show.render(one, findings, measured, console, links)
            if ranked:
                ranking.render(one, ranked, ranking.TARGET, console)
    if as_json:
        _print_json(entries if name is None else entries[0])


@app.command("lint")
def lint_command() -> None:
    """Lint the RTL: Verilator and Verible."""
    from hashfabric.base.paths import require_checkout
    from hashfabric.commands import lint

    require_checkout("lint", to_write=False)
    problems = lint.run()
    for problem in problems:
        print(problem)
    if problems:
        raise LabError(f"lint: {len(problems)} complaints")
    print("lint: clean")


DesignOption = Annotated[str, typer.Option(help="One design, or all.")]
VariantsOption = Annotated[
    list[str] | None, typer.Option(help="A variant of it (may be given again; default: all).")
]
TargetOption = Annotated[str, typer.Option(help="One target, or all.")]
SeedsOption = Annotated[
    int | None, typer.Option(min=1, max=MOST_SEEDS, help="Seeds (default: the target's).")
]
KeepSeedsFlag = Annotated[
    bool,
    typer.Option("--keep-seeds", help="Route only the seeds that a row of the same netlist lacks."),
]
StaleFlag = Annotated[
    bool, typer.Option("--stale", help="Only rows whose sources or flags have changed.")
]


@app.command("bench")
def bench_command(  # noqa: PLR0913 - one parameter an option
    *,
    design: DesignOption = "all",
    variant: VariantsOption = None,
    target: TargetOption = "all",
    seeds: SeedsOption = None,
    keep_seeds: KeepSeedsFlag = False,
    stale: StaleFlag = False,
    simulator: Annotated[bool, typer.Option(help="Measure the simulator's speed.")] = True,
    software: Annotated[
        bool, typer.Option(help="Measure software on one core, for scale.")
    ] = False,
    builds: Annotated[bool, typer.Option(help="Build and measure the designs.")] = True,
    scheduler: SchedulerOption = None,
) -> None:
    """Measure all designs, or the chosen ones, into results/; other rows there are kept."""
    from hashfabric.base.cache import Cache
    from hashfabric.base.paths import BUILD, require_checkout
    from hashfabric.implement import benchmark as bench
    from hashfabric.implement import estimate
    from hashfabric.report import estimated

    require_checkout("bench")
    chosen = bench.Choice(design, target, seeds, variant or [], keep_seeds, stale)
    bench.check(chosen)
    if builds:
        bench.check_tools(chosen)
    if simulator:
        print(bench.simulator(chosen))
    if software:
        print(bench.software())
    if builds:
        left = None
        if scheduler is None:  # Of the processors there nothing is known.
            whole = estimate.estimate(chosen, Cache(BUILD / "cache"))
            if whole.work:
                print(estimated.summary(whole)[0], file=sys.stderr, flush=True)
            left = partial(estimated.left, whole)
        with _on(scheduler):
            for line in bench.builds(chosen, left):
                print(line)


@app.command("estimate")
def estimate_command(  # noqa: PLR0913 - one parameter an option
    *,
    design: DesignOption = "all",
    variant: VariantsOption = None,
    target: TargetOption = "all",
    seeds: SeedsOption = None,
    keep_seeds: KeepSeedsFlag = False,
    stale: StaleFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Say how long the builds of `bench` take, and what that is based on.

    Times are those of the cache and of the rows; nothing is run. Checks in simulation, and speeds
    of the simulator and of software, are not counted.
    """
    from hashfabric.base.cache import Cache
    from hashfabric.base.paths import BUILD
    from hashfabric.implement import estimate
    from hashfabric.implement.benchmark import Choice
    from hashfabric.report import estimated

    chosen = Choice(design, target, seeds, variant or [], keep_seeds, stale)
    whole = estimate.estimate(chosen, Cache(BUILD / "cache"))
    if as_json:
        _print_json(whole.as_json())
        return
    if whole.work:
        _console().print(estimated.jobs_table(whole))
    print("\n".join(estimated.summary(whole)))


@results_app.command("add")
def results_add_command(  # noqa: PLR0913 - one parameter an option
    name: Annotated[str, typer.Argument(metavar="DESIGN/VARIANT")],
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", parser=_named, help="More reports."),
    ] = None,
    *,
    report: Annotated[
        list[str],
        typer.Option(metavar="FILE", parser=_named, help="A report, or a folder of them."),
    ],
    by: Annotated[str, typer.Option(help="Who ran the tool.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="P=V", help="A parameter that was set (may be given again)."),
    ] = None,
    url: Annotated[str | None, typer.Option(help="URL with details of the run.")] = None,
    clock: Annotated[str | None, typer.Option(help="Clock to take, if there are several.")] = None,
    clocks_per_block: Annotated[
        float | None,
        typer.Option(
            min=0.001, max=1e9, help="Clocks a block, if the registry has no such variant."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", parser=_path, help="File for the row (default: results/)."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Read the reports of Vivado, Quartus or Radiant into a row of results/.

    The row names the person who reported it, and is kept apart from measured rows.
    """
    from hashfabric.base.datafile import shown
    from hashfabric.base.paths import ROOT, require_checkout
    from hashfabric.commands import results
    from hashfabric.registry.designs import load_designs
    from hashfabric.report import reported

    if out is None:
        require_checkout("results add without --out")
    row, path = results.add(
        results.Addition(
            name,
            [*report, *(more or [])],
            by,
            settings=settings or [],
            url=url,
            clock=clock,
            clocks_per_block=clocks_per_block,
            out=out,
        )
    )
    if as_json:
        _print_json(row.model_dump())
    else:
        _console().print(reported.terminal_table([row], load_designs(), ROOT))
    if row.gbps is None:
        print("no throughput: --clocks-per-block is missing", file=sys.stderr)
    print(f"wrote {shown(path)}", file=sys.stderr)


@peers_app.command("list")
def peers_list_command(as_json: JsonFlag = False) -> None:
    """Show the cores of others: where they are found, and which can be measured."""
    from hashfabric.registry.peers import peer_files
    from hashfabric.report import peers_table

    peers = peer_files()
    if as_json:
        _print_json([peer.model_dump(by_alias=True) for peer in peers])
    else:
        _console().print(peers_table.registry(peers))


@peers_app.command("run")
def peers_run_command(  # noqa: PLR0913 - one parameter an option
    theirs: Annotated[str, typer.Argument(metavar="PEER[/CORE]")],
    checkout: Annotated[
        Path, typer.Argument(metavar="PATH", parser=_path, help="Your checkout of its repository.")
    ],
    *,
    target: Annotated[str, typer.Option(help="FPGA to measure on.")] = "ecp5-85k",
    seeds: SeedsOption = None,
    flow: Annotated[str, typer.Option(help="plain, ours or both.")] = "both",
    timeout: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            metavar="SECONDS",
            help="Longest place and route of a seed (default: the target's).",
        ),
    ] = None,
    save: Annotated[bool, typer.Option("--save", help="Write the rows to results/.")] = False,
    by: Annotated[str, typer.Option(help="Who measures: required with --save.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Measure a core of another project in our harness: by the plain flow, and by ours.

    Its function is not checked. Nothing of the checkout is kept but the figures.
    """
    from hashfabric.base.datafile import shown
    from hashfabric.base.paths import require_checkout
    from hashfabric.base.progress import Steps
    from hashfabric.flows import targets
    from hashfabric.flows.base import RoutedTarget
    from hashfabric.implement import build as implement
    from hashfabric.implement import peers as measure
    from hashfabric.registry.peers import find_peer, save_peer_rows
    from hashfabric.registry.reported import check_line
    from hashfabric.report import peers_table

    if save:
        require_checkout("peers run --save")
        if not by.strip():
            raise LabError("peers run --save: --by is required: who measures")
    check_line("--by", by := by.strip() or "a user")
    peer_name, slash, core_name = theirs.partition("/")
    peer, fpga = find_peer(peer_name), targets.find_target(target)
    cores = [peer.core(core_name)] if slash else [c for c in peer.cores if c.recipe is not None]
    if not cores:
        raise LabError(f"{peer.name}: no recipe to read its cores: {peer.source}")
    only = measure.flow_called(flow)
    if timeout is not None and isinstance(fpga, RoutedTarget):
        fpga = fpga.model_copy(update={"pnr_timeout_s": timeout})
    there, rows = measure.Checkout.at(checkout), []
    for core in cores:
        recipe = measure.recipe_of(peer, core)
        measure.flows_of(fpga, recipe, only)
        if (commit := there.commit_of(recipe)) != peer.commit:
            said = f"{peer.name}: the recipe is for commit {peer.commit}, not {commit}"
            if save:
                raise LabError(said)
            _complain(said)
    with Steps(quiet=as_json) as steps:
        for core in cores:
            chosen = implement.seed_list(fpga, seeds)
            new = measure.measure(
                peer, core, there, fpga, seeds=chosen, by=by, steps=steps, only=only
            )
            rows += new
            for path in save_peer_rows(new) if save else []:
                print(f"wrote {shown(path)}", file=sys.stderr)
    if as_json:
        _print_json([row.model_dump() for row in rows])
    else:
        _console().print(peers_table.measured(peer, rows))
    if any(row.fmax_mhz.median is None for row in rows):
        raise typer.Exit(1)


@results_app.command("show")
def results_show_command(as_json: JsonFlag = False) -> None:
    """Show the rows that users of vendor tools reported."""
    from hashfabric.base.paths import ROOT
    from hashfabric.registry.designs import load_designs
    from hashfabric.registry.reported import load_reported
    from hashfabric.report import reported

    rows = load_reported()
    if as_json:
        _print_json([row.model_dump() for row in rows])
    else:
        _console().print(reported.terminal_table(rows, load_designs(), ROOT))


@cache_app.command("show")
def cache_show_command(as_json: JsonFlag = False) -> None:
    """Print the place of the cache, the number of its jobs and their size."""
    from hashfabric.base.cache import Cache
    from hashfabric.base.datafile import shown
    from hashfabric.base.paths import BUILD
    from hashfabric.base.pruning import KINDS, entries, size_text

    folder = BUILD / "cache"
    found = entries(Cache(folder))
    kinds = {
        kind: {"jobs": len(sizes), "bytes": sum(sizes)}
        for kind in KINDS
        for sizes in [[entry.size for entry in found if entry.kind == kind]]
    }
    if as_json:
        _print_json({"directory": str(folder), **kinds})
        return
    print(shown(folder))
    for kind, what in KINDS.items():
        print(f"{kinds[kind]['jobs']:7,} {what}, {size_text(kinds[kind]['bytes'])}")


@cache_app.command("prune")
def cache_prune_command(
    *,
    older_than: Annotated[
        str | None,
        typer.Option(metavar="AGE", help="Remove jobs not used for this time: 12h, 30d, 8w."),
    ] = None,
    max_size: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Most to keep, the jobs used last: 500M, 5G."),
    ] = None,
) -> None:
    """Remove old jobs from the cache, or the oldest beyond a size; jobs in use stay."""
    from hashfabric.base.cache import Cache
    from hashfabric.base.paths import BUILD
    from hashfabric.base.pruning import bytes_of, prune, seconds_of, size_text

    if older_than is None and max_size is None:
        raise LabError("cache prune: --older-than or --max-size is required")
    age = None if older_than is None else seconds_of(older_than)
    most = None if max_size is None else bytes_of(max_size)
    pruned = prune(Cache(BUILD / "cache"), age, most)
    said = ((pruned.removed, "removed"), (pruned.left, "left"), (pruned.in_use, "of them in use"))
    for some, what in said:
        print(f"{what}: {len(some):,}, {size_text(sum(entry.size for entry in some))}")


@app.command("report")
def report_command(
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if something would change.")
    ] = False,
) -> None:
    """Write the tables of README.md and docs/, and the drawings they show."""
    from hashfabric.base.paths import require_checkout

    require_checkout("report", to_write=not check)
    from hashfabric.report import pages as report

    stale = report.stale()
    if not check:
        for path in report.write():
            print(f"wrote {path}")
    else:
        stale = report.changes() + stale
    for line in stale:
        _complain(line)
    if stale and check:
        raise typer.Exit(1)


@app.command("site")
def site_command(
    *,
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR", parser=_path, help="Directory: new, empty, or an earlier site."
        ),
    ],
) -> None:
    """Write the site: results, plot, designs, papers and pages as files for any browser.

    Open index.html in it; no server and no network are needed.
    """
    from hashfabric.base.datafile import shown
    from hashfabric.base.paths import require_checkout

    require_checkout("site", to_write=False)
    from hashfabric.site import build as site

    written = site.write(out)
    print(f"{written.pages} pages, {written.files} files: {shown(written.folder / 'index.html')}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status. `Stop` passes through after cleaning up."""
    args = sys.argv[1:] if argv is None else list(argv)
    _fill_standard_streams()
    if sys.stdout is None and "--help" not in args:
        _complain("standard output is closed")
        return 1
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="surrogateescape")  # File names need not be UTF-8.
    try:
        status = app(args=args, prog_name="hashfabric", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except typer.TyperException as error:
        # How the command was called: typer's own framed message is several lines.
        say = getattr(error, "format_message", error.__str__)
        _complain(f"{say().rstrip('.')} (see 'hashfabric --help')")
        return 2
    except (LabError, ModuleNotFoundError) as error:
        _complain(_reason(error))
        return 1
    except BrokenPipeError:
        _drop_output()  # The reader went away.
        return 1
    except OSError as error:
        where = error.filename or "cannot go on"
        try:
            sys.stdout.flush()
        except OSError:
            where = "standard output"
            _drop_output()
        _complain(f"{where}: {error.strerror}")
        return 1


def _reason(error: LabError | ModuleNotFoundError) -> str:
    """Return the line for the user; a missing module that no extra brings is raised: our bug."""
    if isinstance(error, LabError):
        return str(error)
    if error.name not in PACKAGES:
        raise error
    return f"no Python package '{error.name}': {remedy(PACKAGES[error.name])}"


def _fill_standard_streams() -> None:
    """Open the null device where a standard stream is closed, lest a file take its number."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # Takes the lowest free number, which is this one.
    if sys.stderr is None:  # print() to None is print() to standard output.
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - to the end


def _drop_output() -> None:
    """Drop all further standard output, also at exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(text: str) -> None:
    """Print one line on standard error, if that is open."""
    with contextlib.suppress(OSError):
        print(f"hashfabric: {' '.join(text.split())}", file=sys.stderr, flush=True)


def _print_note(text: str) -> None:
    """Print a line below a table in Markdown, if there is one."""
    if text:
        print(f"\n{text}")


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


def _console() -> Console:
    """Return the console for standard output; a pipe gets wide lines, not 80 columns."""
    return Console() if sys.stdout.isatty() else Console(width=200)
