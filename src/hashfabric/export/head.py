"""The comment at the beginning of an exported core's plain Verilog: what a reader needs first."""

from hashfabric.export.configuration import Exported
from hashfabric.models.family import Function
from hashfabric.models.functions import LENGTH_AT
from hashfabric.registry.designs import BY_USER, FIXED_FUNCTION, parameter_defaults
from hashfabric.simulate.stream import user_word


def head(one: Exported) -> str:
    """Return the origin, the text of the top's own header, clock and reset, codes of functions."""
    lines = [one.header, "", *_of_top(one), ""]
    lines.append(
        f"{one.variant.clock}: rising edge. {one.variant.reset}: synchronous, active high."
    )
    if one.variant.kind == "stream":
        lines += [*_order(one), *_user(one), "", "docs/reference/stream.md specifies the ports."]
    return "".join(f"// {line}".rstrip() + "\n" for line in lines)


def _order(one: Exported) -> list[str]:
    """Return where the bytes of a message and of a digest are."""
    if one.parameters.get("SharedPorts"):
        width = (parameter_defaults(one.variant.top) | one.parameters)["DataWidth"]
        return [
            f"Byte 0 of share i of a message is in s_axis_tdata[{width} * i + 7 : {width} * i] of",
            "its first beat; a byte is the XOR of its shares. A digest comes in the same way.",
        ]
    return [
        "Byte 0 of a message is in s_axis_tdata[7:0] of its first beat, byte 0 of a digest in",
        "m_axis_tdata[7:0].",
    ]


def _user(one: Exported) -> list[str]:
    """Return the values of the port that chooses a function, a line for each; of a tree none."""
    fixed = one.parameters.get(FIXED_FUNCTION, BY_USER)
    if one.design.tree is not None:
        return []
    if fixed != BY_USER:
        names = [function.name for function in one.functions if function.code == fixed]
        return [f"s_axis_tuser chooses nothing: every message is hashed with {names[0]}."]
    return [
        "s_axis_tuser of messages of whole bytes, the same in every beat apart from bit 11:",
        "",
        *map(_code, one.functions),
    ]


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


def _code(function: Function) -> str:
    word = user_word(function)
    length = f"{word >> LENGTH_AT:X}_" if word >> LENGTH_AT else ""
    output = f", {function.digest_bits} bits of output" if function.xof else ""
    return f"  56'h{length}{word & (1 << LENGTH_AT) - 1:04X}  {function.name}{output}"
