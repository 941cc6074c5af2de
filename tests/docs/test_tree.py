"""The tests' own tree, and the files that comments name.

Names in the pages of docs/ are tested in `test_docs.py`.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT
from tests.support import texts

SUFFIXES = ("sv", "svh", "v", "py", "cpp", "c", "h", "S", "ld", "toml", "md", "sh", "j2", "rdl")
"""Suffixes by which a word of a comment is taken for the name of a file."""

NAME = re.compile(
    rf"(?<![\w/.~{{}}<*-])((?:[\w.-]+/)*[\w-][\w.-]*\.(?:{'|'.join(SUFFIXES)}))\b(?![/*<{{(])"
)

TREES = (
    "src",
    "tests",
    "rtl",
    "systems",
    "driver",
    "docs",
    "designs",
    "targets",
    "papers",
    "peers",
    "results",
    "tools",
)
"""The folders whose files are read, and may be named."""

ELSEWHERE = {
    "file.h": "an example",
    "linux/falloc.h": "the system's",
}
"""Files that are named and are not in the tree, with where they are."""

READERS: dict[str, tuple[Callable[[str], Iterator[texts.Line]], ...]] = {
    ".py": (texts.python_docstrings, texts.python_comments),
    ".toml": (texts.hash_comments,),
    ".sh": (texts.hash_comments,),
    **dict.fromkeys((".sv", ".svh", ".v", ".c", ".h", ".cpp"), (texts.c_comments,)),
}


def importing_tests(root: Path) -> list[str]:
    """Return a line for each import of a test module by another."""
    found = []
    for path in sorted((root / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in names:
                first, *parts = name.split(".")
                if first == "tests" and any(part.startswith("test_") for part in parts):
                    found.append(f"{path.relative_to(root).as_posix()}:{node.lineno}: {name}")
    return found


def test_no_test_module_imports_another() -> None:
    """What two of them need is in tests/support, or in a helper beside them."""
    assert importing_tests(ROOT) == []


@pytest.mark.parametrize(
    "line",
    [
        "from tests.lab.test_cli import run",
        "from tests.lab import test_cli",
        "import tests.lab.test_cli",
    ],
)
def test_such_an_import_is_found(line: str, tmp_path: Path) -> None:
    """Each form of it, in a function too."""
    (tmp_path / "tests" / "lab").mkdir(parents=True)
    path = tmp_path / "tests" / "lab" / "test_other.py"
    path.write_text(f"def f() -> None:\n    {line}\n", encoding="utf-8")
    assert [fault.partition(": ")[0] for fault in importing_tests(tmp_path)] == [
        "tests/lab/test_other.py:2"
    ]


def files_of(root: Path) -> dict[str, set[str]]:
    """Return the paths of all files below `TREES` and in the root, by their names."""
    paths = [path for tree in TREES for path in (root / tree).rglob("*") if path.is_file()]
    paths += [path for path in root.iterdir() if path.is_file()]
    found: dict[str, set[str]] = {}
    for path in paths:
        found.setdefault(path.name, set()).add(path.relative_to(root).as_posix())
    return found


def missing(path: Path, root: Path, files: dict[str, set[str]]) -> Iterator[str]:
    """Yield a line for each file that a comment or docstring of `path` names and that is not there.

    A name may have folders in front: from the root, or the last ones of a path.
    """
    for read in READERS.get(path.suffix, ()):
        for number, line in read(path.read_text(encoding="utf-8")):
            for name in NAME.findall(line):
                there = files.get(name.rpartition("/")[2], set())
                if name not in ELSEWHERE and not any(
                    f"/{one}".endswith(f"/{name}") for one in there
                ):
                    yield f"{path.relative_to(root).as_posix()}:{number}: {name}"


def all_missing(root: Path) -> list[str]:
    """Return what `missing` yields of every file."""
    files = files_of(root)
    paths = {root / name for names in files.values() for name in names}
    return [
        line
        for path in sorted(paths)
        if "generated" not in path.parts and path.parts[-2] != "vendor"
        for line in missing(path, root, files)
    ]


def test_files_that_comments_name_exist() -> None:
    """A file that is moved or renamed shows up in the comments that name it."""
    assert all_missing(ROOT) == []


@pytest.mark.parametrize(
    ("name", "text", "lost"),
    [
        ("src/a.py", '"""See `b.py`."""\n', "b.py"),
        ("src/a.py", "a = 1  # rtl/c.sv\n", "rtl/c.sv"),
        ("src/a.py", "a = 'b.py'  # a.py, src/a.py\n", None),
        ("rtl/b.sv", "// Another one is c.sv.\n", "c.sv"),
        ("designs/d.toml", "# docs/e.md says more\n", "docs/e.md"),
        ("driver/f.c", "/* See\n * driver/g.h */\n", "driver/g.h"),
    ],
)
def test_a_file_that_is_not_there_is_found(
    name: str, text: str, lost: str | None, tmp_path: Path
) -> None:
    """In the comments of each language, by its line."""
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    found = [line.rpartition(": ")[2] for line in all_missing(tmp_path)]
    assert found == ([] if lost is None else [lost])
