"""Templates of exported files."""

from pathlib import Path

import jinja2

_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent),
    autoescape=False,  # Verilog and other texts that are no HTML
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    undefined=jinja2.StrictUndefined,
)


def render(template: str, **values: object) -> str:
    """Return the text of a template in this folder."""
    return _TEMPLATES.get_template(template).render(**values)
