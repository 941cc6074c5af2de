"""Numbers and tables as text."""

from collections.abc import Sequence

ONE_SEED = "¹"
"""Mark of a figure that follows from a clock of one seed."""

ONE_SEED_LINE = f"{ONE_SEED} From one seed: neither a median nor a spread."
"""The note below a table with such a figure."""


def number(value: float | None, digits: int = 0) -> str:
    """Return `value` for a table: grouped by thousands, a dash for None."""
    return "–" if value is None else f"{value:,.{digits}f}"


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> str:
    """Return a Markdown table, the first `left` columns aligned to the left, the rest right."""
    rule = [":--" if index < left else "--:" for index in range(len(columns))]
    lines = [columns, rule, *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
