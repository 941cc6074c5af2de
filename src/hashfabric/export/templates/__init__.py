"""Templates of exported files."""

from pathlib import Path

from hashfabric.base.templates import environment

_TEMPLATES = environment(Path(__file__).parent)


def render(template: str, **values: object) -> str:
    """Return the text of a template in this folder."""
    return _TEMPLATES.get_template(template).render(**values)
