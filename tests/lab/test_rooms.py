"""The rooms of the lab: imports run downwards only, and modules of a room in no circle."""

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import hashfabric
from hashfabric.base.paths import ROOT

LAB = ROOT / "src" / "hashfabric"


def rooms() -> list[str]:
    """Return the rooms from the bottom up, as the package's own docstring lists them."""
    return re.findall(r"^    (\w+) ", hashfabric.__doc__ or "", flags=re.MULTILINE)[::-1]


def imports(path: Path, lab: Path) -> Iterator[str]:
    """Yield the modules of the lab that a file imports anywhere in it, as `room.module`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, *parts = name.split(".")
            if first != "hashfabric":
                continue
            while parts and not module_file(lab, parts):
                parts.pop()
            if parts:
                yield ".".join(parts)


def module_file(lab: Path, parts: list[str]) -> Path | None:
    """Return the file of a module or of a package's own text, None where there is none."""
    path = lab.joinpath(*parts)
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if file.exists()), None)


def arrows(lab: Path) -> dict[str, set[str]]:
    """Return what each module imports, both as `room.module`; a package is called as its folder."""
    found = {}
    for path in sorted(lab.rglob("*.py")):
        parts = path.relative_to(lab).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        found[name] = set(imports(path, lab)) - {name}
    return found


def faults(lab: Path) -> list[str]:
    """Return what is wrong with the arrows of a lab, a line each."""
    floors, found, wrong = rooms(), arrows(lab), []
    for module, used in found.items():
        room = module.partition(".")[0]
        if "." not in module and room not in (*floors, "", "__main__"):
            wrong.append(f"{module} is in no room")
            continue
        for other in sorted(used):
            below = other.partition(".")[0]
            if room in floors and floors.index(below) > floors.index(room):
                wrong.append(f"{module} imports {other}, which is above it")
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        wrong.append(f"a circle: {' imports '.join(error.args[1])}")
    return wrong


def test_imports_run_downwards_only() -> None:
    """The lab as it is; every folder of it is a room, and every room a folder."""
    assert faults(LAB) == []
    folders = {path.parent.name for path in LAB.glob("*/__init__.py")}
    assert sorted(rooms()) == sorted(folders)


@pytest.mark.parametrize(
    ("path", "text", "fault"),
    [
        ("base/low.py", "from hashfabric.registry import high\n", "low imports registry.high"),
        ("base/low.py", "def f():\n    import hashfabric.models.high\n", "imports models.high"),
        ("stray.py", "", "stray is in no room"),
        ("base/a.py", "from hashfabric.base import b\n", "a circle"),
    ],
)
def test_what_runs_up_is_found(tmp_path: Path, path: str, text: str, fault: str) -> None:
    """An arrow up, from a function too; a module outside; a circle."""
    for name in ("base/b.py", "registry/high.py", "models/high.py", "base/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "base/b.py").write_text("from hashfabric.base import a\n")
    (tmp_path / path).write_text(text)
    assert [line for line in faults(tmp_path) if fault in line]


def test_class_names_are_said_once() -> None:
    """A class's name says what it is; the same name in two modules says too little."""
    homes: dict[str, list[str]] = {}
    for path in LAB.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(path.relative_to(LAB).as_posix())
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}
