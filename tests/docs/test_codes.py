"""The function codes in docs/reference/stream.md: the registry's, and what a sender must drive.

`tests/lab/test_functions.py` compares the registry with the RTL's packages.
"""

import re
import shutil
from pathlib import Path

import pytest

from hashfabric.base.paths import ROOT
from hashfabric.models.functions import FUNCTIONS
from hashfabric.registry.designs import load_designs
from hashfabric.report import codes
from hashfabric.report import pages as report
from hashfabric.simulate.stream import user_word


def lines() -> dict[str, list[str]]:
    """Return the cells of each function's line."""
    rows = [line.strip("| ").split(" | ") for line in codes.part(load_designs()).splitlines()]
    return {row[0]: row[1:] for row in rows if row[0] in FUNCTIONS}


def test_every_function_has_its_line() -> None:
    """Once, in the order of the codes."""
    found = lines()
    assert list(found) == sorted(FUNCTIONS, key=lambda name: FUNCTIONS[name].code)
    for name, cells in found.items():
        assert int(cells[2], 16) == FUNCTIONS[name].code


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (
            "sha3-256",
            ["keccak-iterative/stream", "lowest", "01", "`56'h01`", "1,088", "256"],
        ),
        (
            "shake128",
            [
                "keccak-iterative/stream",
                "lowest",
                "04",
                "`56'h100_00_04`",
                "1,344",
                "any; here 256",
            ],
        ),
        ("blake-512", ["blake/stream-512", "highest", "23", "`56'h23`", "1,024", "512"]),
    ],
)
def test_a_line(name: str, line: list[str]) -> None:
    """Of a fixed length, of any, and of a family whose bits are counted from the other end."""
    assert lines()[name] == line


@pytest.mark.parametrize(("bits", "output"), [(0, None), (5, None), (0, 4096), (3, (1 << 40) - 1)])
def test_constants_are_the_ports_words(bits: int, output: int | None) -> None:
    """The hex digits are what the simulation drives."""
    for function in FUNCTIONS.values():
        given = output if function.xof else None
        text = codes.constant(function, bits, given)
        assert text.startswith("56'h")
        assert int(text[4:], 16) == user_word(function, bits, given)


def test_a_core_that_is_not_there_is_a_dash() -> None:
    """Without the family's plain design, or without a stream of it."""
    designs = load_designs()
    jh = designs["jh"]
    engines = {name: one for name, one in jh.variants.items() if one.kind == "engine"}
    designs["jh"] = jh.model_copy(update={"variants": engines})
    del designs["skein"]
    text = codes.part(designs)
    assert "| jh-256 | – | highest |" in text
    assert "| skein-512-256 | – | highest |" in text


def test_an_edit_of_the_page_is_found(toy_root: Path) -> None:
    """The page is compared as all generated ones; text around the table stays."""
    (toy_root / "README.md").write_text(f"{report.BEGIN}\n{report.END}\n", encoding="utf-8")
    report.write(toy_root)
    page = codes.page_file(toy_root)
    shutil.copy(codes.page_file(), page)
    report.write(toy_root)
    assert report.changes(toy_root) == []
    text = page.read_text("utf-8")
    assert text.startswith("# The stream port\n")
    page.write_text(text.replace("| 43 |", "| 44 |"), encoding="utf-8")
    assert ["stream.md" in line for line in report.changes(toy_root)] == [True]


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("README.md", "sha3-256"),
        ("docs/reference/stream.md", "sha3-256"),
        ("docs/engines/finalists.md", "blake-256"),
    ],
)
def test_examples_drive_the_code_that_they_say(name: str, function: str) -> None:
    """The constant of the function."""
    text = (ROOT / name).read_text("utf-8")
    driven = re.findall(r"\.s_axis_tuser\((\S+?)\)", text)
    assert driven == [codes.constant(FUNCTIONS[function])]
