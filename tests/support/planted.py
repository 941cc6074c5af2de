"""Faults in the RTL of a stream that is compiled for `StreamSim`, and whether checks find them."""

from collections.abc import Callable, Iterable

import pytest

from hashfabric.registry import designs as registry
from hashfabric.registry.designs import Variant
from hashfabric.simulate import library
from tests.support import simulation


def plant(monkeypatch: pytest.MonkeyPatch, variant: Variant, fault: tuple[str, str, str]) -> None:
    """Put a fault into all simulations that use its file: the path, what stands there, what then.

    `variant` is one with that file.
    """
    path, old, new = fault
    text = simulation.mutated(registry.read_sources(variant), path, old, new)[path]
    whole = registry.read_sources

    def read(other: Variant) -> dict[str, str]:
        files = whole(other)
        return {**files, path: text} if path in files else files

    monkeypatch.setattr(library, "read_sources", read)


def caught(checks: Iterable[Callable[[], None]]) -> bool:
    """Return whether one of the checks fails, or the simulation stops."""
    for check in checks:
        try:
            check()
        except (Exception, AssertionError):
            return True
    return False
