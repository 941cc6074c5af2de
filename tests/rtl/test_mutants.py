"""Planted faults of all tests: each still has its place in the RTL.

Most mutants run in the slow suite only; a name that changes would take their place away unseen.
"""

import importlib
import inspect
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.registry.sources import read_text

MODULES = sorted(
    path for path in (ROOT / "tests").rglob("test_*.py") if "utant" in path.read_text("utf-8")
)


def _values(module: ModuleType) -> Iterator[object]:
    """Yield the tables of mutants of a test module, and what its tests are parametrized with."""
    for name, value in vars(module).items():
        if "MUTANTS" in name:
            yield value
        elif inspect.isfunction(value):
            for mark in getattr(value, "pytestmark", []):
                if mark.name == "parametrize":
                    yield mark.args[1]


def _places(value: object) -> Iterator[tuple[str, str]]:
    """Yield each path of RTL that stands before a text, with that text."""
    if isinstance(value, dict):
        yield from _places([*value.values()])
        return
    if not isinstance(value, list | tuple):
        return
    for path, old in pairwise(value):
        if isinstance(path, str) and path.startswith(("rtl/", "systems/")):
            for text in [old] if isinstance(old, str) else old if isinstance(old, dict) else []:
                yield path, text
    for inner in value:
        yield from _places(inner)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_each_mutant_has_one_place(path: Path) -> None:
    """The text that it replaces stands once in its file."""
    module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    lost = []
    for value in _values(module):
        for source, text in _places(value):
            if (found := read_text(ROOT / source).count(text)) != 1:
                lost.append(f"{source}: {found} times {text!r}")
    assert lost == []


def test_a_place_that_is_lost_is_seen() -> None:
    """A text that does not stand in the file, in each form of a table."""
    table = {"name": ("rtl/a.sv", "old", "new"), "two": ("x", "rtl/b.sv", {"one": "1", "two": "2"})}
    assert set(_places(table)) == {("rtl/a.sv", "old"), ("rtl/b.sv", "one"), ("rtl/b.sv", "two")}
    assert list(_places([pytest.param("rtl/c.sv", "text", "", id="c")])) == [("rtl/c.sv", "text")]
