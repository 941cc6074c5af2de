"""The package as it is installed: built into a wheel, run away from any checkout.

The quick tests unpack the wheel beside links to the packages that a base install brings, and run
it with a Python that sees nothing else. The slow one installs it with the tools.
"""

import functools
import hashlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from hashfabric.base import paths, tools
from hashfabric.base.datafile import shown
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.tools import OWN_LOCK, PACKAGES, VERIBLE_LINT, VERILATOR, YOSYS
from hashfabric.flows.targets import load_targets

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
DATA = ("designs", "docs", "driver", "papers", "peers", "results", "rtl", "systems", "targets")

Ran = subprocess.CompletedProcess[str]
Command = Callable[..., Ran]


def build(checkout: Path, kind: str, out: Path) -> Path:
    """Return the wheel or sdist made of `checkout`."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    subprocess.run(command, cwd=checkout, check=True, capture_output=True, timeout=120)
    return next(out.glob("*.whl" if kind == "wheel" else "*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


def needed(requirements: list[str]) -> dict[str, importlib.metadata.Distribution]:
    """Return what an install of `requirements` brings, by the distributions' names."""
    found: dict[str, importlib.metadata.Distribution] = {}
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        one = waiting.pop()
        wanted = one.marker is None or any(
            one.marker.evaluate({"extra": extra}) for extra in ("", *one.extras)
        )
        if wanted and one.name not in found:
            found[one.name] = importlib.metadata.distribution(one.name)
            for text in found[one.name].requires or []:
                requirement = Requirement(text)
                if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                    waiting.append(requirement)
    return found


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a base install has: site/, and bin/ with a Python, g++ and perl, and no tool of ours."""
    home = tmp_path_factory.mktemp("installed")
    for name in ("site", "bin", "empty"):
        (home / name).mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(home / "site")
    for distribution in needed(PROJECT["dependencies"]).values():
        for top in {Path(file).parts[0] for file in distribution.files or ()} - {".."}:
            (home / "site" / top).symlink_to(str(distribution.locate_file(top)))
    (home / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    for program in ("g++", "perl"):  # What they are does not matter: they are only looked for.
        (home / "bin" / program).write_text("#!/bin/sh\necho '(v5.36)'\n", encoding="utf-8")
        (home / "bin" / program).chmod(0o755)
    return home


@pytest.fixture
def python(home: Path) -> Iterator[Command]:
    """Runs that Python from an empty directory, which is empty in the end too."""

    def run(*args: str, **environment: str) -> Ran:
        return subprocess.run(
            [home / "bin" / "python", "-S", *args],
            cwd=home / "empty",
            env={
                "HOME": str(home),
                "PATH": str(home / "bin"),
                "PYTHONPATH": str(home / "site"),
                "PYTHONDONTWRITEBYTECODE": "1",
                **environment,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    found = run("-c", "import hashfabric; print(hashfabric.__file__)").stdout.strip()
    assert found == str(home / "site" / "hashfabric" / "__init__.py")
    yield run
    assert list((home / "empty").iterdir()) == []


@pytest.fixture
def installed(python: Command) -> Command:
    """Runs the installed `hashfabric`."""
    return functools.partial(python, "-m", "hashfabric")


def said(ran: Ran) -> str:
    """Return what ran well printed."""
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def complaint(ran: Ran) -> str:
    """Return the last line of what failed."""
    assert ran.returncode == 1
    assert ran.stdout == ""
    last = ran.stderr.splitlines()[-1]
    assert last.startswith("hashfabric: "), ran.stderr
    return last


def test_it_lists_all_designs_and_targets(installed: Command) -> None:
    """As many as the checkout has files of."""
    listed = json.loads(said(installed("list", "--json")))
    for kind in ("designs", "targets"):
        names = {path.stem for path in (ROOT / kind).glob("*.toml")}
        assert {entry["name"] for entry in listed[kind]} == names
    assert "keccak-iterative" in said(installed("list"))


def test_papers_have_our_rows_beside_them(installed: Command) -> None:
    """Papers and results are read from the package."""
    shown_here = said(installed("papers", "latif-finalists", "--json"))
    own = subprocess.run(
        [sys.executable, "-m", "hashfabric", "papers", "latif-finalists", "--json"],
        env={**os.environ, "HASHFABRIC_ROOT": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(shown_here) == json.loads(own.stdout)


def test_files_are_named_as_they_can_be_opened(installed: Command, home: Path) -> None:
    """Whole paths into the package, whose files are the checkout's."""
    data = home / "site" / "hashfabric" / "data"
    files = json.loads(said(installed("files", "keccak-iterative/stream", "--json")))
    assert len(files) > 3
    for path in map(Path, files):
        assert path.read_bytes() == (ROOT / path.relative_to(data)).read_bytes()


def test_an_export_brings_pages_and_driver(installed: Command, tmp_path: Path) -> None:
    """Out of the package, with Verilator and no other tool."""
    path = os.pathsep.join([os.defpath, str(Path(sys.prefix) / "bin")])
    out = tmp_path / "out"
    said(installed("export", "keccak-regs/apb", "--format", "files", "--out", str(out), PATH=path))
    for name in ("driver/hf_keccak.c", "docs/img/keccak-regs-timing.svg"):
        assert (out / name).read_bytes() == (ROOT / name).read_bytes()
    assert (out / "docs" / "integrate" / "driver.md").is_file()


def files_below(root: Path) -> dict[str, bytes]:
    """Return the files of the library's data by their path."""
    found = (path for folder in DATA for path in (root / folder).rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def test_the_data_is_the_checkouts(home: Path) -> None:
    """Every file that the lab reads, and no other."""
    data = home / "site" / "hashfabric" / "data"
    assert files_below(data) == files_below(ROOT)
    assert sorted(path.name for path in data.iterdir()) == list(DATA)


def test_the_version_is_reported(installed: Command) -> None:
    """That of pyproject.toml."""
    assert said(installed("--version")) == f"hashfabric {PROJECT['version']}\n"


@pytest.mark.parametrize("command", ["bench", "report", "report --check", "power --save", "lint"])
def test_what_works_on_a_checkout_is_refused(installed: Command, command: str) -> None:
    """In one line, before anything is measured."""
    ran = installed(*command.split())
    told = complaint(ran)
    assert ran.stderr.count("\n") == 1
    name = command.removesuffix(" --check")
    assert told.startswith(f"hashfabric: {name}: works on a checkout")
    assert "HASHFABRIC_ROOT" in told


def test_a_checkout_that_cannot_be_written_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """But read it can be."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(LabError, match=f"^bench: {ROOT}: cannot be written$"):
        paths.require_checkout("bench")
    paths.require_checkout("lint", to_write=False)


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("hash /dev/null", "sim"),
        ("build keccak-iterative --target xc7 --variant core", "fpga"),
        ("files picorv32-plain", "riscv"),
        ("export keccak-iterative --format files --out out", "sim"),
        ("export keccak-iterative --format verilog --out out", "fpga"),
        ("registers --out out", "registers"),
    ],
)
def test_a_missing_extra_is_named(installed: Command, command: str, extra: str) -> None:
    """With the line that brings it."""
    told = complaint(installed(*command.split()))
    assert told.endswith(f"""run 'pip install "hashfabric[{extra}]"'""")


def test_a_missing_package_is_named(installed: Command) -> None:
    """Where it is imported; other commands work without it."""
    ran = installed("report", HASHFABRIC_ROOT=str(ROOT))
    assert """run 'pip install "hashfabric[""" in complaint(ran)
    assert ran.stderr.count("\n") == 1


def test_in_a_checkout_make_brings_all() -> None:
    """The same messages there; some extras have a lock and a target of make of their own."""
    assert tools.remedy("sim") == tools.remedy("") == tools.remedy("ice40") == "run 'make setup'"
    for extra in OWN_LOCK:
        assert tools.remedy(extra) == "run 'make targets'"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    locked = " ".join(f"--extra {extra}" for extra in OWN_LOCK)
    assert f"$(LOCK) {locked} -c requirements.lock" in makefile


def test_the_locks_agree() -> None:
    """What both pin, they pin alike; the second has what the extras ask for."""
    pins = [
        dict(re.findall(r"^([\w.-]+)==(\S+) ", (ROOT / name).read_text("utf-8"), re.MULTILINE))
        for name in ("requirements.lock", "requirements-targets.lock")
    ]
    setup, targets = pins
    assert {name: targets[name] for name in targets.keys() & setup.keys()} == {
        name: setup[name] for name in targets.keys() & setup.keys()
    }
    for extra in OWN_LOCK:
        own = names_of(EXTRAS[extra]) - names_of(EXTRAS["fpga"])
        assert own <= targets.keys() - setup.keys()


def names_of(requirements: list[str]) -> set[str]:
    """Return the distributions' names, those of our own extras in place of the extras."""
    found: set[str] = set()
    for requirement in map(Requirement, requirements):
        if requirement.name == PROJECT["name"]:
            found |= {name for extra in requirement.extras for name in names_of(EXTRAS[extra])}
        else:
            found.add(requirement.name)
    return found


@pytest.mark.slow
def test_messages_name_the_extra_that_brings_it() -> None:
    """By what is installed here."""
    brought_by = importlib.metadata.packages_distributions()
    for module, extra in PACKAGES.items():
        assert set(brought_by[module]) & names_of(EXTRAS[extra]), module
    known = [YOSYS, VERILATOR, VERIBLE_LINT]
    for target in load_targets().values():
        known += [tool for tool in target.tools if tool.extra not in OWN_LOCK]
    for tool in known:
        owners = {
            distribution.name
            for distribution in importlib.metadata.distributions()
            for file in distribution.files or ()
            if file.name == tool.executable and file.parent.name == "bin"
        }
        assert owners & names_of(EXTRAS[tool.extra]), tool.name


def test_all_is_every_extra_but_the_developers() -> None:
    """And these get it too, less the extras that have a lock of their own."""
    users = {extra: names_of(EXTRAS[extra]) for extra in EXTRAS.keys() - {"all", "dev"}}
    assert names_of(EXTRAS["all"]) == set().union(*users.values())
    brought = set().union(*(users[extra] for extra in users.keys() - OWN_LOCK))
    assert brought < names_of(EXTRAS["dev"])


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, "{home}/.cache/hashfabric"),
        ({"XDG_CACHE_HOME": "/somewhere"}, "/somewhere/hashfabric"),
        ({"HASHFABRIC_ROOT": "/checkout"}, "/checkout/build"),
        ({"HASHFABRIC_ROOT": "/checkout", "HASHFABRIC_BUILD": "/else"}, "/else"),
        ({"HASHFABRIC_BUILD": "here"}, "{home}/empty/here"),
    ],
)
def test_where_it_builds(
    python: Command, home: Path, environment: dict[str, str], wanted: str
) -> None:
    """Never in the package, and not in the current directory unless that is said."""
    ran = python("-c", "from hashfabric.base.paths import BUILD; print(BUILD)", **environment)
    assert said(ran).strip() == wanted.format(home=home)


def test_paths_are_shown_as_they_can_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relative from the directory around them, whole from elsewhere."""
    path = ROOT / "rtl" / "x.sv"
    monkeypatch.chdir(ROOT)
    assert shown(path) == "rtl/x.sv"
    monkeypatch.chdir(ROOT / "docs")
    assert shown(path) == str(path)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert shown(path) == str(path)


def test_the_sdist_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """And has nothing that can be made again."""
    sdist = build(ROOT, "sdist", tmp_path)
    with tarfile.open(sdist) as archive:
        tops = {Path(name).parts[1] for name in archive.getnames()}
    # Not by tarfile: Debian 12's Python has none of its filters.
    subprocess.run(["tar", "-xf", sdist, "-C", tmp_path], check=True)
    assert tops.isdisjoint({".venv", "build", ".git"})
    again = build(tmp_path / sdist.name.removesuffix(".tar.gz"), "wheel", tmp_path)
    assert again.read_bytes() == wheel.read_bytes()


def uv(*args: str | Path) -> Ran:
    """Run uv without its progress."""
    command = [sys.executable, "-m", "uv", "--no-progress", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.slow
def test_it_hashes_and_builds_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    """With the extra `fpga` as the lock pins it."""
    venv, empty, built = (tmp_path / name for name in ("venv", "empty", "built"))
    empty.mkdir()
    assert uv("venv", "--python", sys.executable, venv).returncode == 0
    lock = ROOT / "requirements.lock"
    install = ("pip", "install", "--python", venv, "-c", lock, f"{wheel}[fpga]")
    if uv(*install, "--offline").returncode != 0:
        ran = uv(*install)
        assert ran.returncode == 0, ran.stderr

    def hashfabric(*args: str) -> Ran:
        environment = {**os.environ, "HASHFABRIC_BUILD": str(built)}
        for name in ("PYTHONPATH", "HASHFABRIC_ROOT"):
            environment.pop(name, None)
        ran = subprocess.run(
            [venv / "bin" / "hashfabric", *args],
            cwd=empty,
            env=environment,
            input="abc",
            capture_output=True,
            text=True,
            check=False,
            timeout=3600,
        )
        assert ran.returncode == 0, ran.stderr
        return ran

    assert hashfabric("hash", "-").stdout == f"{hashlib.sha3_256(b'abc').hexdigest()}  -\n"
    options = ("--target", "ecp5-85k", "--variant", "core", "--seeds", "1")
    last = hashfabric("build", "keccak-iterative", *options).stdout.splitlines()[-1]
    home = Path(last.removeprefix("Files: "))
    assert home.is_relative_to(built)
    assert (home / "row.json").is_file()
    assert list(empty.iterdir()) == []
