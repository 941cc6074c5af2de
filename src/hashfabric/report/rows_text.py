"""Measured rows as a table in text: CSV for machines, LaTeX for papers, Markdown for pages.

A column's name gives its unit; a figure over seeds is the median unless its name says otherwise.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hashfabric.base.datafile import one_of
from hashfabric.base.text import markdown, number
from hashfabric.registry.designs import Design, Parameter
from hashfabric.registry.results import Fmax, MeasuredRow, Outcome, PrivateRow, settings_texts
from hashfabric.report.selection import registered

Value = str | int | float | None


@dataclass(frozen=True)
class Column:
    """One figure of a row: its heading in a table for people, and decimals; None: a word.

    `better` says which of two values is the better one, where that can be said: more or less.
    """

    head: str
    of: Callable[[MeasuredRow], Value]
    digits: int | None = 0
    better: Literal["more", "less"] | None = None


def _fmax(of: Callable[[Fmax], Value]) -> Callable[[MeasuredRow], Value]:
    return lambda row: None if row.fmax_mhz is None else of(row.fmax_mhz)


COLUMNS: Mapping[str, Column] = {
    "design": Column("Design", lambda row: row.name, None),
    "variant": Column("Variant", lambda row: row.variant, None),
    "target": Column("Target", lambda row: row.target, None),
    "device": Column("Device", lambda row: row.device, None),
    "slots": Column("Slots", lambda row: row.slots),
    "block_bits": Column("Bits a block", lambda row: row.block_bits),
    "clocks_per_block": Column("Clocks a block", lambda row: row.clocks_per_block, 2, "less"),
    "bits_per_clock": Column("Bits a clock", lambda row: row.bits_per_clock, 1, "more"),
    "seeds": Column("Seeds", _fmax(lambda fmax: fmax.n), better="more"),
    "fmax_mhz": Column("Fmax MHz", _fmax(lambda fmax: fmax.median), 1, "more"),
    "fmax_min_mhz": Column("Fmax MHz, least", _fmax(lambda fmax: fmax.min), 1, "more"),
    "fmax_max_mhz": Column("Fmax MHz, most", _fmax(lambda fmax: fmax.max), 1, "more"),
    "lut": Column("LUT is", lambda row: row.lut, None),
    "luts": Column("LUT in harness", lambda row: row.luts, better="less"),
    "luts_core": Column("LUT alone", lambda row: row.luts_core, better="less"),
    "ffs": Column("FF in harness", lambda row: row.ffs, better="less"),
    "ffs_core": Column("FF alone", lambda row: row.ffs_core, better="less"),
    "logic_cells": Column("Logic cells alone", lambda row: row.logic_cells, better="less"),
    "dsps": Column("DSP", lambda row: row.dsps, better="less"),
    "brams": Column("BRAM", lambda row: row.brams, better="less"),
    "gbps": Column("Gb/s", lambda row: row.gbps, 2, "more"),
    "mbps_per_lut": Column("Mb/s per LUT", lambda row: row.mbps_per_lut, 2, "more"),
    "mbps_per_cell": Column("Mb/s per logic cell", lambda row: row.mbps_per_cell, 2, "more"),
}
"""The columns of a table, by the name for `--columns`, which is CSV's heading."""

WORDS: Mapping[str, str] = {"kind": "Kind", "family": "Family", "speed_of": "Speed is of"}
"""Further ones, from the registry: their headings. `speed_of` is the function of `gbps`."""

SPEEDS = frozenset({"bits_per_clock", "gbps", "mbps_per_lut", "mbps_per_cell"})
"""Those that depend on the function."""

NO_DESIGNS: Mapping[str, Design] = {}
"""The registry of rows that belong to no design: they have no `WORDS`."""

PARAMETERS, FAILED = "parameters", "failed"
"""Two more names: a column for each parameter that was set; why a configuration has no row."""

_ROUTED = ("seeds", "fmax_mhz", "gbps", "mbps_per_lut", "mbps_per_cell")
_USUAL = ("design", "variant", PARAMETERS, "target", "slots", "clocks_per_block", "luts", "ffs")
_ABSENT = "–"

_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "×": r"$\times$",
}


@dataclass(frozen=True)
class _Entry:
    """A row of the table: its words, the measured row, if any, and the parameters that were set."""

    known: Mapping[str, str | None]
    row: MeasuredRow | None
    parameters: Mapping[str, Parameter]
    failed: str | None


def table(  # noqa: PLR0913 - one parameter a property of the table
    rows: Sequence[MeasuredRow | Outcome],
    form: str,
    columns: Sequence[str] | None = None,
    *,
    designs: Mapping[str, Design] = NO_DESIGNS,
    sort: str | None = None,
    descending: bool = False,
) -> str:
    """Return `rows` of `designs` as `csv`, `latex` or `markdown`, ending with a newline.

    `columns` are names of `COLUMNS` and `WORDS`, of parameters that were set, `parameters` or
    `failed`; None: all for CSV, for the others the usual ones. `sort` is one of them except
    `parameters`; None: the rows' own order. `LabError` for another name or form.
    """
    if form not in FORMS:
        raise one_of("format", form, list(FORMS))
    lines = [_line(row, designs) for row in rows]
    parameters = list(dict.fromkeys(name for line in lines for name in line.parameters))
    if columns is None:
        columns = _all(lines) if form == "csv" else _usual(lines)
    names: list[str] = []
    for column in columns:
        if column not in (PARAMETERS, FAILED, *COLUMNS, *WORDS, *parameters):
            raise one_of("column", column, [*COLUMNS, *WORDS, PARAMETERS, FAILED, *parameters])
        names += parameters if column == PARAMETERS else [column]
    if sort is not None:
        if sort not in (FAILED, *COLUMNS, *WORDS, *parameters):
            raise one_of("column", sort, [*COLUMNS, *WORDS, FAILED, *parameters])
        lines = _sorted(lines, sort, descending=descending)
    return FORMS[form](names, lines)


def values(row: MeasuredRow, designs: Mapping[str, Design]) -> dict[str, Value | Parameter]:
    """Return a row of `designs`: values by the names of their columns, and the parameters set."""
    line = _line(row, designs)
    found = {name: _value(line, name) for name in _all([line]) if name != PARAMETERS}
    return found | dict(line.parameters)


def usual(rows: Sequence[MeasuredRow]) -> list[str]:
    """Return the columns of a table of `rows` that names none."""
    return _usual([_line(row, NO_DESIGNS) for row in rows])


def outcome_line(outcome: Outcome) -> str:
    """Return the outcome of one configuration of a sweep as a line."""
    what = f"{outcome.label} on {outcome.target}"
    if outcome.failed is not None or outcome.row is None:
        return f"{what}: failed: {outcome.failed}"
    row = outcome.row
    said = [f"{row.luts:,} {row.lut}", f"{row.clocks_per_block:g} clocks a block"]
    if row.fmax_mhz is not None:
        said += [f"{row.fmax_mhz.text()} MHz", f"{number(row.gbps, 2)} Gb/s"]
    return f"{what}: {', '.join(said)}"


def _line(row: MeasuredRow | Outcome, designs: Mapping[str, Design]) -> _Entry:
    design, variant = registered(row, designs)
    known: dict[str, str | None] = dict.fromkeys(WORDS)
    if design is not None and variant is not None:
        words = (variant.kind, design.family, design.throughput_function(variant))
        known = dict(zip(WORDS, words, strict=True))
    if isinstance(row, Outcome):
        known |= {"design": row.name, "variant": row.variant, "target": row.target}
        return _Entry(known, row.row, row.parameters, row.failed)
    return _Entry(known, row, row.parameters if isinstance(row, PrivateRow) else {}, None)


def _all(lines: Sequence[_Entry]) -> list[str]:
    names = list(COLUMNS)
    place = names.index("variant") + 1
    names[place:place] = [PARAMETERS, *WORDS]
    return [*names, *([FAILED] if any(line.failed for line in lines) else [])]


def _usual(lines: Sequence[_Entry]) -> list[str]:
    rows = [line.row for line in lines if line.row is not None]
    routed = any(row.fmax_mhz is not None for row in rows)
    used = [name for name in ("dsps", "brams") if any(COLUMNS[name].of(row) for row in rows)]
    speed = _ROUTED if routed else ("bits_per_clock",)
    return [*_USUAL, *used, *speed, *([FAILED] if any(line.failed for line in lines) else [])]


def _value(line: _Entry, name: str) -> Value:
    if name in line.parameters:
        return settings_texts({name: line.parameters[name]})[0].partition("=")[2]
    if name == FAILED:
        return line.failed
    if name in line.known:
        return line.known[name]
    return COLUMNS[name].of(line.row) if name in COLUMNS and line.row is not None else None


def _sorted(lines: Sequence[_Entry], name: str, *, descending: bool) -> list[_Entry]:
    """Return `lines` by a column; those without a value come last, in their old order."""

    def place(line: _Entry) -> tuple[bool, float, str]:
        value = _value(line, name)
        try:
            return (False, float(value or 0), "")
        except ValueError:
            return (True, 0.0, str(value))

    known = [line for line in lines if _value(line, name) is not None]
    others = [line for line in lines if _value(line, name) is None]
    return sorted(known, key=place, reverse=descending) + others


def _csv(names: Sequence[str], lines: Sequence[_Entry]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_value(line, name) for name in names] for line in lines)
    return text.getvalue()


def _cells(names: Sequence[str], lines: Sequence[_Entry]) -> list[list[str]]:
    return [[_cell(_value(line, name), name) for name in names] for line in lines]


def _cell(value: Value, name: str) -> str:
    if value is None:
        return "" if name == FAILED else _ABSENT
    if isinstance(value, str):
        return value
    digits = COLUMNS[name].digits or 0
    text = number(value, digits)
    return text.rstrip("0").rstrip(".") if name == "clocks_per_block" and digits else text


def _heads(names: Sequence[str]) -> list[str]:
    heads = {name: column.head for name, column in COLUMNS.items()}
    heads |= {**WORDS, FAILED: "Failed"}
    return [heads.get(name, name) for name in names]


def _is_word(name: str) -> bool:
    return name in (FAILED, *WORDS) or (name in COLUMNS and COLUMNS[name].digits is None)


def _markdown(names: Sequence[str], lines: Sequence[_Entry]) -> str:
    left = next((i for i, name in enumerate(names) if not _is_word(name)), len(names))
    return markdown(_heads(names), _cells(names, lines), left=left)


def _latex(names: Sequence[str], lines: Sequence[_Entry]) -> str:
    """Return a tabular of the booktabs package."""
    head, *body = (
        " & ".join("".join(_LATEX.get(sign, sign) for sign in cell) for cell in cells) + r" \\"
        for cells in (_heads(names), *_cells(names, lines))
    )
    form = "".join("l" if _is_word(name) else "r" for name in names)
    begin = [f"\\begin{{tabular}}{{{form}}}", r"\toprule", head, r"\midrule"]
    return "\n".join([*begin, *body, r"\bottomrule", r"\end{tabular}"]) + "\n"


FORMS: Mapping[str, Callable[[Sequence[str], Sequence[_Entry]], str]] = {
    "csv": _csv,
    "latex": _latex,
    "markdown": _markdown,
}
"""The forms of a table, by their names for `--format`."""
