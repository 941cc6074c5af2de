"""Templates of generated texts: Verilog, Tcl and others, not HTML."""

from pathlib import Path

import jinja2


def environment(folder: Path) -> jinja2.Environment:
    """Return the environment of the templates in `folder`; a name without a value is a fault."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
