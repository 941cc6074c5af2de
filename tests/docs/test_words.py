"""Words that this project does not use, in the texts that people read.

Checked are the comments of RTL, C, assembler and build files, the pages of the documentation, of
the examples and of the root, the messages and docstrings of the lab, the help of every command,
the templates of exports and of the site, the texts of designs, targets, papers and peers, and
docstrings, comments and names of tests. Names in backticks are names. The lab notes and the ADRs,
which quote what was said, are not checked, nor is what generators write.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import typer

from hashfabric.base.paths import ROOT
from hashfabric.commands import cli
from tests.support import texts


class Word(NamedTuple):
    """A forbidden word: a pattern, what to write, and why."""

    pattern: str
    better: str
    reason: str


PEOPLE = "a signal, module or tool has no mind"

WORDS = [
    Word(r"behind", "after, follows; connected to", "says neither a time nor a place clearly"),
    Word(r"so many", "N, the number, or its name", "a reader has to search for the number"),
    Word(r"as many as it takes", "until", "a reader has to search for the condition"),
    Word(r"want(?:s|ed|ing)?", "requires, needs, must; expected", PEOPLE),
    Word(r"tell(?:s|ing)?|told", "report; Return whether; with an error that names", PEOPLE),
    Word(r"know(?:s|ing)?|knew", "has, holds, supports, recognises, depends on", PEOPLE),
    Word(r"nobody|no one(?!-)", "nothing, no sender, never; passive", "hides the subject"),
    Word(r"one's own", "your own, custom, private", "unusual in technical English"),
    Word(r"(?<!stand-)alone", "only", "ambiguous: only, or by itself"),
    Word(r"beheld|forg[eo]ts?|forgotten|remember(?:s|ed)?", "clears, drops, holds", PEOPLE),
    Word(r"a thing|no use|no business|means? nothing", "is ignored", "idiom"),
]
"""In any case of letters, as whole words."""

EXCEPTIONS = {
    r"known[- ]answers?(?: tests?)?": "the field's own term, as in NIST's CAVP",
    r"(?:cores?|engines?|tops?|SoCs?|LUTs?|FFs?|[Ll]ogic cells|\() ?alone\b": (
        "an area or a clock without the harness or the front end"
    ),
    r"[Yy]ou know": "a reader is a person",
}
"""Phrases in which a word may stand, with the reason."""

PATTERN = re.compile("|".join(rf"\b(?:{word.pattern})\b" for word in WORDS), re.IGNORECASE)
ALLOWED = re.compile("|".join(EXCEPTIONS))

TEXTS_IN_TOML = ("designs", "targets", "papers", "peers")
"""The folders of data whose titles and notes tables and pages show."""

GENERATED = "generated"
"""The folders of what generators write."""


class Area(NamedTuple):
    """A part of the tree: patterns of its files, and what of a file is read."""

    files: tuple[str, ...]
    readers: tuple[texts.Reader, ...]
    without: tuple[str, ...] = ()


AREAS = {
    "rtl": Area(
        tuple(
            f"{folder}/**/*.{suffix}"
            for folder in ("rtl", "systems/rtl", "tests/checkers", "tests/formal")
            for suffix in ("sv", "svh", "v")
        ),
        (texts.c_comments,),
    ),
    "registers": Area(("rtl/**/*.rdl",), (texts.numbered,)),
    "docs": Area(
        ("*.md", "docs/**/*.md", "examples/*/*.md"),
        (texts.numbered,),
        ("docs/notebook", "docs/develop/adr"),
    ),
    "lab": Area(("src/**/*.py", "examples/*/*.py"), (texts.python_strings, texts.python_comments)),
    "templates": Area(("src/**/*.j2",), (texts.numbered,)),
    "tests": Area(
        ("tests/**/*.py",),
        (texts.python_docstrings, texts.python_comments, texts.python_names),
        ("tests/docs/test_words.py",),
    ),
    "build": Area(
        (
            *("Makefile", "pyproject.toml", "CITATION.cff", "CODEOWNERS", ".ci/run", "tools/*"),
            *(f"examples/*/{name}" for name in ("Makefile", "*.awk", "*.lpf", "*.pcf")),
            *(f"{folder}/*.toml" for folder in TEXTS_IN_TOML),
        ),
        (texts.hash_comments,),
    ),
    "data": Area(
        tuple(f"{folder}/*.toml" for folder in TEXTS_IN_TOML),
        (texts.toml_strings,),
    ),
    "c": Area(
        tuple(
            f"{folder}/**/*.{suffix}"
            for folder in ("src", "driver", "systems/firmware", "tests", "examples")
            for suffix in ("c", "h", "cpp", "ld", "v", "css", "js")
        ),
        (texts.c_comments,),
    ),
    # A comment of SPARC's begins with !, one of RISC-V's with #: the whole text is read.
    "assembler": Area(("systems/**/*.S",), (texts.numbered,)),
    "vhdl": Area(("examples/**/*.vhd",), (texts.vhdl_comments,)),
}


def faults(lines: Iterable[texts.Line], where: str) -> Iterator[str]:
    """Yield a line for each forbidden word, with a better one."""
    for number, line in lines:
        rest = ALLOWED.sub("", texts.prose(line))
        for match in PATTERN.finditer(rest):
            word = next(one for one in WORDS if re.fullmatch(one.pattern, match[0], re.IGNORECASE))
            yield f"{where}:{number}: '{match[0]}': {word.better} ({word.reason}): {line.strip()}"


def faults_in(area: Area, root: Path = ROOT) -> list[str]:
    """Return the faults of all files of an area."""
    found: list[str] = []
    for path in sorted({path for pattern in area.files for path in root.glob(pattern)}):
        name = path.relative_to(root).as_posix()
        if GENERATED in path.parts or name.startswith(area.without or ("\0",)):
            continue
        text = path.read_text(encoding="utf-8")
        for read in area.readers:
            found += faults(read(text), name)
    return found


@pytest.mark.parametrize("area", AREAS.values(), ids=AREAS)
def test_no_forbidden_word(area: Area) -> None:
    """Each fault names a better word."""
    assert faults_in(area) == []


def test_no_forbidden_word_in_the_help_of_a_command() -> None:
    """Of commands, of their options and arguments, as typer has them."""
    app = typer.main.get_command(cli.app)
    found: list[str] = []
    for name, command in app.commands.items():  # type: ignore[attr-defined]
        for one in (command, *getattr(command, "commands", {}).values()):
            helps = [one.help or "", *(getattr(part, "help", None) or "" for part in one.params)]
            assert all(helps[1:]) or one.params, f"{name}: a parameter without help"
            found += faults(enumerate(helps), f"hashfabric {name}")
    assert found == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rtl/a.sv", "assign a = b;  // The word behind it.\n"),
        ("rtl/a.sv", '/* "A" is\n * told. */\n'),
        ("docs/use/a.md", "A module\nforgets it.\n"),
        ("src/a.py", 'raise E(f"{a}: nobody {b}")\n'),
        ("src/a.py", "a = 1  # N of so many\n"),
        ("tests/a.py", 'def test_a_fault_is_told() -> None:\n    """A."""\n'),
        ("tests/a.py", 'def test() -> None:\n    """It means nothing."""\n'),
        ("Makefile", "help: ## for builds of one's own\n"),
        ("driver/a.c", "int a; // for this alone\n"),
        ("SECURITY.md", "Whom to tell\n"),
        ("CHANGELOG.md", "A core forgot it.\n"),
        ("examples/uart/README.md", "It knows the rate.\n"),
        ("examples/litex/soc.py", 'def f():\n    """Tell it."""\n'),
        ("examples/soc/Makefile", "# a program of one's own\n"),
        ("examples/uart/a.v", "wire a;  // told\n"),
        ("examples/vhdl/a.vhd", "a <= b;  -- told\n"),
        ("src/hashfabric/export/templates/a.py.j2", 'x("Forget it.")\n'),
        ("systems/firmware/sparc/a.S", "    nop     ! nobody reads it\n"),
        ("designs/a.toml", 'note = "for this alone"\n'),
        ("papers/a.toml", 'rows = [\n  ["a", 1, "the rest alone"],\n]\n'),
        ("peers/a.toml", '# The author "knew" it.\nname = "a"\n'),
        ("tests/data/a.c", "int a;  // Caches know it.\n"),
    ],
)
def test_a_planted_word_is_found(name: str, text: str, tmp_path: Path) -> None:
    """In each kind of text, by its line, and once."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    found = [fault for area in AREAS.values() for fault in faults_in(area, tmp_path)]
    assert len(found) == 1 and found[0].startswith(f"{name}:")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rtl/a.sv", 'initial $display("// told");  // Known answers.\n'),
        ("rtl/generated/a.sv", "// A generator wants this.\n"),
        ("docs/notebook/a.md", "Nobody knew.\n"),
        ("docs/use/a.md", "`wants_i` of the engine alone; a standalone tool; what you know.\n"),
        ("src/a.py", 'def f(wanted):\n    """Return those that `wanted` selects."""\n'),
    ],
)
def test_other_texts_are_not_found(name: str, text: str, tmp_path: Path) -> None:
    """Code, names in backticks, generated files, notes, and the exceptions."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert [fault for area in AREAS.values() for fault in faults_in(area, tmp_path)] == []


@pytest.mark.parametrize("phrase", EXCEPTIONS)
def test_an_exception_has_a_reason(phrase: str) -> None:
    """A short one; the list stays short too."""
    assert EXCEPTIONS[phrase] and len(EXCEPTIONS) <= 5
