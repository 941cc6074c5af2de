"""Numbers and tables as text."""

from collections.abc import Sequence


def number(value: float | None, digits: int = 0) -> str:
    """Return `value` for a table: grouped by thousands, a dash for what is not known."""
    return "–" if value is None else f"{value:,.{digits}f}"


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> str:
    """Return a Markdown table, the first `left` columns aligned to the left, the rest right."""
    rule = [":--" if index < left else "--:" for index in range(len(columns))]
    lines = [columns, rule, *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
