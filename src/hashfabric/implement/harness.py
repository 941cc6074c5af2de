"""The serial harness: the same one around every core, so that rows compare.

One pin in, one pin out. Inputs come from a free-running shift register, outputs are registered and
folded to one bit by a pipelined XOR tree: no wide port needs pins, and nothing is optimised away.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from hashfabric.base.errors import LabError
from hashfabric.base.templates import environment
from hashfabric.base.yosys import Port, value_text

TOP = "hf_harness"
"""Name of the generated module."""

_TEMPLATE = "harness.sv.j2"
_TEMPLATES_FOLDER = Path(__file__).parent / "templates"
_TEMPLATES = environment(_TEMPLATES_FOLDER)


def template_text() -> str:
    """Return the template of every harness."""
    return (_TEMPLATES_FOLDER / _TEMPLATE).read_text(encoding="utf-8")


def render(  # noqa: PLR0913 - one parameter a property of the top
    top: str,
    ports: Sequence[Port],
    parameters: Mapping[str, object],
    *,
    clock: str,
    reset: str,
    pins: int = 1,
) -> str:
    """Return the SystemVerilog text of the harness around `top`.

    It has `pins` output pins, all with the same signal; each of several copies will drive one.
    """
    names = {port.name for port in ports if port.direction == "input"}
    if clock not in names:
        raise LabError(f"{top}: no clock input '{clock}' among its ports")
    inputs = [p for p in ports if p.direction == "input" and p.name not in (clock, reset)]
    outputs = [p for p in ports if p.direction == "output"]
    if any(port.direction == "inout" for port in ports):
        raise LabError(f"{top}: an inout port cannot be put in the harness")
    if not outputs:
        raise LabError(f"{top}: no outputs to measure")
    output_bits = sum(port.width for port in outputs)
    return _TEMPLATES.get_template(_TEMPLATE).render(
        module=TOP,
        top=top,
        clock=clock,
        reset=reset if reset in names else None,
        parameters={name: value_text(value) for name, value in parameters.items()},
        inputs=_slices(inputs),
        outputs=_slices(outputs),
        input_bits=max(1, sum(port.width for port in inputs)),
        output_bits=output_bits,
        levels=fold_widths(output_bits),
        pins=pins,
    )


def fold_widths(bits: int) -> list[int]:
    """Return the width of each level of the XOR tree below `bits` registers: quarters, to 1."""
    widths = []
    while bits > 1:
        bits = -(-bits // 4)
        widths.append(bits)
    return widths


def _slices(ports: Sequence[Port]) -> list[dict[str, object]]:
    """Give every port its own bits of one long vector."""
    low = 0
    slices: list[dict[str, object]] = []
    for port in ports:
        slices.append({"name": port.name, "low": low, "width": port.width})
        low += port.width
    return slices
