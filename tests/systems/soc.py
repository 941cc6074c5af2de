"""What the tests on the SoC need: a processor's sources and a compiler."""

import importlib.util

import pytest

from hashfabric.base.errors import LabError
from hashfabric.simulate.firmware import COMPILERS


def _missing() -> str:
    if importlib.util.find_spec("pythondata_cpu_vexriscv") is None:
        return "no Python package pythondata_cpu_vexriscv"
    try:
        COMPILERS["riscv64-unknown-elf-gcc"].path()
    except LabError as error:
        return str(error)
    return ""


simulated = pytest.mark.skipif(bool(_missing()), reason=_missing())
