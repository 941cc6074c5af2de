"""A paper: tables, figures in prose, and the relations between them; one TOML file each."""

import tomllib
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from hashfabric.base.datafile import DataModel, Slug, first_fault, one_of, shown
from hashfabric.base.errors import LabError
from hashfabric.papers.claims import Scope, UnitError, evaluate, parse_claim
from hashfabric.papers.rows import Count, Identifier, PaperRow, PaperTable, decimal
from hashfabric.papers.units import unit_of


class Figure(DataModel):
    """One figure stated outside the tables, under a name that ends in its unit."""

    name: Identifier
    value: Annotated[Decimal, BeforeValidator(decimal), Field(ge=0)]
    place: str
    label: str

    @model_validator(mode="after")
    def _counts_are_whole(self) -> Self:
        if unit_of(self.name).exact and self.value % 1:
            raise ValueError(f"{self.name} has no unit in its name, so its value is a whole number")
        return self


class Check(DataModel):
    """A relation that the paper states or implies: a name, `==`, `<=` or `>=`, an expression."""

    label: str
    claim: str

    @field_validator("claim")
    @classmethod
    def _is_a_claim(cls, claim: str) -> str:
        parse_claim(claim)
        return claim


class Ranking(DataModel):
    """An order of the algorithms, best first, that a column is claimed to give on each device."""

    place: str
    column: Literal["throughput_gbps", "tpa_mbps_per_slice"]
    digest_bits: Count
    order: list[str]


class Paper(DataModel):
    """One paper: its tables, its figures in prose, and the relations between them."""

    name: Slug
    title: str
    authors: list[str] = Field(default=[])
    venue: str = ""
    year: Count | None = None
    note: str = ""
    tables: list[PaperTable] = Field(default=[], alias="table")
    figures: list[Figure] = Field(default=[], alias="figure")
    checks: list[Check] = Field(default=[], alias="check")
    rankings: list[Ranking] = Field(default=[], alias="ranking")

    @property
    def rows(self) -> list[PaperRow]:
        """Every row of every table."""
        return [row for table in self.tables for row in table.rows]

    @property
    def designs(self) -> list[str]:
        """The Hashfabric designs that rows of this paper describe."""
        return list(dict.fromkeys(row.design for row in self.rows if row.design))

    @model_validator(mode="after")
    def _names_hold(self) -> Self:
        names = [figure.name for figure in self.figures] + [r.id for r in self.rows if r.id]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"the name '{name}' is used twice")
        scope = scope_of(self)
        for number, check in enumerate(self.checks):
            try:
                evaluate(check.claim, scope)
            except UnitError:
                pass  # the audit reports a comparison of different units
            except (ValueError, ArithmeticError) as error:
                raise ValueError(f"check.{number}.claim: {error}") from None
        return self


def load_paper(path: Path) -> Paper:
    """Read one paper's file; `LabError` names the file and the field."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        paper = Paper.model_validate(data)
    except OSError as error:
        raise LabError(f"{shown(path)}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise LabError(f"{shown(path)}: cannot be read: not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise LabError(f"{shown(path)}: not valid TOML: {error}") from error
    except ValidationError as error:
        raise LabError(f"{shown(path)}: {first_fault(error)}") from error
    if paper.name != path.stem:
        raise LabError(f"{shown(path)}: name: '{paper.name}' is not the file's name")
    return paper


def load_papers(directory: Path) -> list[Paper]:
    """Read every paper of `directory`, in the order of their names."""
    paths = sorted(directory.glob("*.toml"))
    if not paths:
        raise LabError(f"{shown(directory)}: no paper files (*.toml) there")
    return [load_paper(path) for path in paths]


def find(papers: Iterable[Paper], name: str) -> Paper:
    """Return the paper called `name`; `LabError` with the names there are."""
    known = {paper.name: paper for paper in papers}
    if name not in known:
        raise one_of("paper", name, sorted(known))
    return known[name]


def scope_of(paper: Paper) -> Scope:
    """Return the values of names in the claims of `paper`."""
    values = {figure.name: figure.value for figure in paper.figures}
    for row in paper.rows:
        if row.id:
            values |= {f"{row.id}.{key}": value for key, value in row.values().items()}
    return Scope(values, [row for row in paper.rows if not row.own])
