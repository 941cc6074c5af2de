"""The label that says how far a variant has come."""

from pathlib import Path

import pytest

from hashfabric.registry.designs import find_design, load_designs, read_sources
from hashfabric.registry.maturity import maturity
from tests.support.sample_rows import of_one_seed, row_for

ROUND_PROVED = {"hf_keccak_iterative", "hf_keccak_dsp_wide", "hf_keccak_dsp_planes"}
ROUND_PROVED |= {"hf_keccak_dsp_21", "hf_keccak_dsp_58"}
ROUND_PROVED |= {"hf_keccak_serial", "hf_keccak_tiny", "hf_keccak_iterative_words"}
ROUND_PROVED |= {"hf_keccak_masked", "hf_keccak_masked_serial"}
"""Engines whose rounds tests/formal proves equal to the package's."""


@pytest.mark.parametrize("name", load_designs())
def test_what_the_registry_says_of_proofs(name: str) -> None:
    """A round that is proved is in the design's files; steps are proved where the package is."""
    design = find_design(name)
    for variant in design.variants.values():
        modules = {path.rpartition("/")[2].removesuffix(".sv") for path in read_sources(variant)}
        if "round" in design.proofs:
            assert modules & ROUND_PROVED, variant.top
        if "steps" in design.proofs:
            assert "hf_keccak_pkg" in modules, variant.top
        if not design.proofs:
            assert not modules & ROUND_PROVED, variant.top


def test_labels(toy_root: Path) -> None:
    """By the most seeds of a routed row; and what is proved."""
    design = find_design("keccak-iterative")
    row = row_for(toy_root).model_copy(update={"name": design.name, "variant": "core"})
    assert row.fmax_mhz is not None and row.fmax_mhz.n >= 3
    assert maturity(design, "core", []) == "tested, round proved"
    assert maturity(design, "core", [of_one_seed(row)]) == "routed, round proved"
    assert maturity(design, "core", [of_one_seed(row), row]) == "measured, round proved"
    assert maturity(design, "stream", [row]) == "tested, round proved"
    assert maturity(find_design("jh"), "core", []) == "tested"
