"""Tables of the terminal as HTML: the same cells, heads and styles."""

import html
import itertools
from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text


def text_html(said: object) -> str:
    """Return text of the terminal, with its marks for styles, as HTML."""
    text = said if isinstance(said, Text) else Text.from_markup(str(said))
    parts, plain = [], text.plain
    ends = sorted({0, len(plain), *(n for span in text.spans for n in (span.start, span.end))})
    for start, end in itertools.pairwise(ends):
        styles = [str(span.style) for span in text.spans if span.start <= start < span.end]
        names = " ".join(sorted({word for style in styles for word in style.split()}))
        piece = html.escape(plain[start:end]).replace("\n", "<br>")
        parts.append(f'<span class="{html.escape(names)}">{piece}</span>' if names else piece)
    return "".join(parts)


def grid_html(grid: Table) -> str:
    """Return a table of the terminal as an HTML table with its title and its caption."""
    heads = [text_html(column.header or "") for column in grid.columns]
    right = [column.justify == "right" for column in grid.columns]
    lines = zip(*(column.cells for column in grid.columns), strict=True)
    cells = [[text_html(cell) for cell in line] for line in lines]
    styles = [str(row.style or "") for row in grid.rows]
    title = f"<figcaption>{text_html(grid.title)}</figcaption>" if grid.title else ""
    below = f'<p class="note">{text_html(grid.caption)}</p>' if grid.caption else ""
    return f"<figure>{title}{table(heads, cells, right, styles)}{below}</figure>"


def table(
    heads: Sequence[str],
    cells: Iterable[Sequence[str]],
    right: Sequence[bool],
    styles: Sequence[str] = (),
) -> str:
    """Return a table of cells that are HTML; numbers are at the `right`."""
    sides = [' class="right"' if one else "" for one in right]
    head = "".join(f"<th{side}>{cell}</th>" for side, cell in zip(sides, heads, strict=True))
    body = []
    for number, line in enumerate(cells):
        style = f' class="{styles[number]}"' if number < len(styles) and styles[number] else ""
        said = "".join(f"<td{side}>{cell}</td>" for side, cell in zip(sides, line, strict=True))
        body.append(f"<tr{style}>{said}</tr>")
    whole = f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody>"
    return f'<div class="wide"><table>{whole}</table></div>'


def plain_table(heads: Sequence[str], cells: Iterable[Sequence[str]], left: int) -> str:
    """Return a table of texts, the first `left` columns of words, the rest of numbers."""
    right = [number >= left for number in range(len(heads))]
    safe = [[html.escape(cell) for cell in line] for line in cells]
    return table([html.escape(head) for head in heads], safe, right)
