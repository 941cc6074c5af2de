"""The documentation in an export: each page of docs/ that its files name, with its drawings."""

import posixpath
import re
from collections.abc import Collection, Iterable
from pathlib import Path

from hashfabric.base.paths import ROOT
from hashfabric.registry.sources import read_text

FOLDER = "docs"
"""The folder of the pages, the same in a checkout and in an export, so that names fit both."""

_NAMED = re.compile(rf"\b{FOLDER}/[\w/-]+\.md\b")
_LINK = re.compile(r"(?P<image>!?)\[(?P<label>[^\]\[]*)\]\((?P<target>[^()\s]+)\)")


def pages(texts: Iterable[str], root: Path = ROOT) -> dict[str, str]:
    """Return by path the pages that `texts` name, what those name in turn, and their drawings.

    A link between them stays; of any other link only the text stays. Pages that the checkout does
    not have are left out. `LabError` where a page or a drawing cannot be read.
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
        for page, text in found.items()
        for image, _, target in _LINK.findall(text)
        if image and (path := _resolved(page, target))
    }
    brought = found.keys() | drawings
    found = {path: _relinked(path, text, brought) for path, text in found.items()}
    return dict(sorted((found | {path: read_text(root / path) for path in drawings}).items()))


def _resolved(page: str, target: str) -> str:
    """Return the path that a link of `page` leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target))


def _relinked(page: str, text: str, brought: Collection[str]) -> str:
    """Return a page with its links to `brought` files; of any other link only the text stays."""

    def link(match: re.Match[str]) -> str:
        target = match["target"].partition("#")[0]
        if not target or "://" in target or _resolved(page, target) in brought:
            return match[0]
        label = match["label"]
        return f"Hashfabric's {label}" if label.endswith(".md") else label

    return _LINK.sub(link, text)
