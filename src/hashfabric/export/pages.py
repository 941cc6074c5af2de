"""What an export brings along to be read: each page of docs/ that its files name, with drawings."""

import re
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath

from hashfabric.base.paths import ROOT
from hashfabric.registry.sources import read_text

FOLDER = "docs"
"""Where pages are, in a checkout and in an export: what names one is right in both."""

_NAMED = re.compile(rf"\b{FOLDER}/[\w-]+\.md\b")
_LINK = re.compile(r"(?P<image>!?)\[(?P<label>[^\]\[]*)\]\((?P<target>[^()\s]+)\)")


def pages(texts: Iterable[str], root: Path = ROOT) -> dict[str, str]:
    """Return by path the pages that `texts` name, what those name in turn, and their drawings.

    A link between them stays; of one to anything else its words are left. What a checkout does not
    have is not brought. `LabError` where a page or a drawing cannot be read.
    """
    found: dict[str, str] = {}
    waiting = {name for text in texts for name in _NAMED.findall(text)}
    while waiting:
        path = waiting.pop()
        if (root / path).is_file():
            found[path] = read_text(root / path)
            waiting |= set(_NAMED.findall(found[path])) - found.keys()
    drawings = {
        path
        for text in found.values()
        for image, _, target in _LINK.findall(text)
        if image and (path := f"{FOLDER}/{target}")
    }
    brought = found.keys() | drawings
    found = {path: _LINK.sub(lambda match: _link(match, brought), found[path]) for path in found}
    return dict(sorted((found | {path: read_text(root / path) for path in drawings}).items()))


def _link(match: re.Match[str], brought: Collection[str]) -> str:
    """Return a link as it is where it leads to something that is brought, else its words."""
    page = match["target"].partition("#")[0]
    if not page or "://" in page or str(PurePosixPath(FOLDER) / page) in brought:
        return match[0]
    label = match["label"]
    return f"Hashfabric's {label}" if label.endswith(".md") else label
