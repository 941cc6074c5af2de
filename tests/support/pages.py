"""The pages of the documentation, and the names that they may use."""

import re

from hashfabric.base.paths import ROOT
from hashfabric.registry.designs import load_designs

MAP = ROOT / "docs" / "README.md"
SHELVES = sorted((ROOT / "docs").glob("[!n]*/*.md"))
"""The pages of docs/ but its map and the notebook."""

PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
PAGES += [MAP, *SHELVES]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
VARIANTS = {
    f"{design.name}/{name}" for design in load_designs().values() for name in design.variants
}
DESIGNS = {variant.partition("/")[0] for variant in VARIANTS}
