"""Vega-Lite charts as SVG files.

An SVG holds the hash of the chart it shows and of its own text, so that one that is out of date, or
was edited, is found without drawing it again (what a text measures depends on a machine's fonts).
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import altair as alt
import vl_convert


def is_current(text: str, chart: Mapping[str, Any]) -> bool:
    """Tell whether `text` is what `svg` once made of `chart`, and nothing else."""
    drawing, _, stamp = text.rpartition("\n<!--")
    return f"\n<!--{stamp}" == _stamp(chart, drawing)


def svg(chart: Mapping[str, Any]) -> str:
    """Draw `chart`."""
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    drawing = vl_convert.vegalite_to_svg(dict(chart), vl_version=version)
    return drawing + _stamp(chart, drawing)


def _stamp(chart: Mapping[str, Any], drawing: str) -> str:
    shown = _sha256(json.dumps(chart, sort_keys=True))
    return f"\n<!-- hashfabric report: chart {shown}, drawing {_sha256(drawing)} -->\n"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
