"""Timing diagrams: docs/waves/*.json, which tests record from simulation, as SVG in docs/img/."""

import json
from pathlib import Path

from yowasp_wavedrom import render  # type: ignore[import-untyped]

WAVES, IMAGES = "docs/waves", "docs/img"


def drawings(root: Path) -> dict[Path, str]:
    """Return every timing diagram's file and its text as it should be."""
    return {
        root / IMAGES / f"{path.stem}-timing.svg": svg(path.read_text(encoding="utf-8"))
        for path in sorted((root / WAVES).glob("*.json"))
    }


def svg(text: str) -> str:
    """Draw the WaveJSON `text`, on a white ground: it is for light pages and for dark ones."""
    drawing: str = render(json.loads(text))
    return drawing.replace("><", '><rect width="100%" height="100%" fill="white"/><', 1) + "\n"
