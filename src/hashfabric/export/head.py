"""The comment at the beginning of an exported core's plain Verilog: what a reader needs first."""

from hashfabric.export.configuration import Exported
from hashfabric.models.family import Function
from hashfabric.models.functions import LENGTH_AT
from hashfabric.registry.designs import FIXED_FUNCTION
from hashfabric.simulate.stream import user_word


def head(one: Exported) -> str:
    """Return the origin, the text of the top's own header, clock and reset, codes of functions."""
    lines = [one.header, "", *_of_top(one), ""]
    lines.append(
        f"{one.variant.clock}: rising edge. {one.variant.reset}: synchronous, active high."
    )
    if one.variant.kind == "stream" and _codes(one):
        lines += [
            "Byte 0 of a message is in s_axis_tdata[7:0] of its first beat, byte 0 of a digest in",
            "m_axis_tdata[7:0]. s_axis_tuser of messages of whole bytes, the same in every beat:",
            "",
            *_codes(one),
            "",
            "(docs/reference/stream.md has the lengths of SHAKE's output, and messages of bits.)",
        ]
    return "".join(f"// {line}".rstrip() + "\n" for line in lines)


def _of_top(one: Exported) -> list[str]:
    """Return the comment at the beginning of the top's SystemVerilog, without its first line."""
    file = f"/{one.variant.top}.sv"
    text = next(text for path, text in one.sources.items() if path.endswith(file))
    found = []
    for line in text.splitlines()[2:]:
        if not line.startswith("//"):
            break
        found.append(line[3:])
    return found


def _codes(one: Exported) -> list[str]:
    """Return the value of the port that chooses a function, a line for each that the core has."""
    if FIXED_FUNCTION in one.parameters or one.design.tree is not None:
        return []
    return [_code(function) for function in one.functions]


def _code(function: Function) -> str:
    word = user_word(function)
    length = f"{word >> LENGTH_AT:X}_" if word >> LENGTH_AT else ""
    output = f", {function.digest_bits} bits of output" if function.xof else ""
    return f"  56'h{length}{word & (1 << LENGTH_AT) - 1:04X}  {function.name}{output}"
