"""Faults in the RTL of a stream that is compiled for `StreamSim`, and whether checks find them."""

import multiprocessing
import os
from collections.abc import Callable, Iterable

import pytest

from hashfabric.base.tools import ToolError
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


NO_MODEL = 2
"""Exit status of a check whose model cannot be built: that would find any fault."""
LIMIT_S = 900
"""After that many seconds a check has found the fault: the model gives output without an end."""


def caught(checks: Iterable[Callable[[], None]]) -> bool:
    """Return whether one of the checks fails, the simulation stops, or it does not end.

    Each has its own process: a call into the model cannot be interrupted.
    """
    for check in checks:
        process = multiprocessing.get_context("fork").Process(target=_ended_by, args=(check,))
        process.start()
        process.join(LIMIT_S)
        if process.is_alive():
            process.kill()
            process.join()
        assert process.exitcode != NO_MODEL, "the fault does not compile"
        if process.exitcode != 0:
            return True
    return False


def _ended_by(check: Callable[[], None]) -> None:
    try:
        check()
    except ToolError:
        os._exit(NO_MODEL)
    except (Exception, AssertionError):
        os._exit(1)
    os._exit(0)
