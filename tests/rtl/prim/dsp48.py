"""What each operation of `hf_dsp48_pkg` computes, by name."""

from collections.abc import Callable
from dataclasses import dataclass

MASK = (1 << 48) - 1


@dataclass(frozen=True)
class Operation:
    """Its operands, blank between them, and its result from A:B, C, P and PCIN, 48 bits each."""

    operands: str
    of: Callable[[int, int, int, int], int]
    through_y: bool = False
    """C comes in through Y, though there are but two operands."""

    @property
    def e2_only(self) -> bool:
        """Whether a DSP48E1 has it not."""
        return self.through_y or len(self.operands.split()) > 2

    def result(self, ab: int, c: int, p: int, pcin: int) -> int:
        """Return the result."""
        return self.of(ab, c, p, pcin) & MASK


def _majority(a: int, b: int, c: int) -> int:
    return (a & b) | (a & c) | (b & c)


OPERATIONS = {
    "OpZero": Operation("", lambda ab, c, p, pcin: 0),
    "OpAb": Operation("AB", lambda ab, c, p, pcin: ab),
    "OpC": Operation("C", lambda ab, c, p, pcin: c),
    "OpPcin": Operation("PCIN", lambda ab, c, p, pcin: pcin),
    "OpNotAb": Operation("AB", lambda ab, c, p, pcin: ~ab),
    "OpXorAbC": Operation("AB C", lambda ab, c, p, pcin: ab ^ c),
    "OpXorAbPcin": Operation("AB PCIN", lambda ab, c, p, pcin: ab ^ pcin),
    "OpAndAbC": Operation("AB C", lambda ab, c, p, pcin: ab & c),
    "OpAndAbNotC": Operation("AB C", lambda ab, c, p, pcin: ab & ~c),
    "OpOrAbC": Operation("AB C", lambda ab, c, p, pcin: ab | c),
    "OpAccumulateAb": Operation("P AB", lambda ab, c, p, pcin: p ^ ab),
    "OpAccumulateC": Operation("P C", lambda ab, c, p, pcin: p ^ c),
    "OpAccumulatePcin": Operation("P PCIN", lambda ab, c, p, pcin: p ^ pcin),
    "OpXorCPcin": Operation("C PCIN", lambda ab, c, p, pcin: c ^ pcin, through_y=True),
    "OpXorAbCPcin": Operation("AB C PCIN", lambda ab, c, p, pcin: ab ^ c ^ pcin),
    "OpXnorAbCPcin": Operation("AB C PCIN", lambda ab, c, p, pcin: ~(ab ^ c ^ pcin)),
    "OpMajAbCPcin": Operation("AB C PCIN", lambda ab, c, p, pcin: _majority(ab, c, pcin)),
    "OpAccumulateAbC": Operation("P AB C", lambda ab, c, p, pcin: p ^ ab ^ c),
    "OpAccumulateCPcin": Operation("P C PCIN", lambda ab, c, p, pcin: p ^ c ^ pcin),
}
"""By the name in the package. """
