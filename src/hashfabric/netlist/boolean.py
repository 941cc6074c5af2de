"""Boolean functions in liberty's notation, converted to truth tables.

A table of n inputs is an integer of 2**n bits; input i is bit i of the index into it.
"""

import re
from collections.abc import Sequence

from hashfabric.base.errors import LabError

_TOKEN = re.compile(r"\s*([A-Za-z_][\w\[\].]*|[01]|[!'^*&|+()])")


def variable(index: int, count: int) -> int:
    """Return the table of input `index` of `count` inputs."""
    return sum(1 << row for row in range(1 << count) if row >> index & 1)


def truth_table(text: str, inputs: Sequence[str]) -> int:
    """Return the table of the function `text` of `inputs`; `LabError` if it cannot be read."""
    return _Parser(text, inputs).table()


def names(text: str) -> list[str]:
    """Return the names in the function `text`, each once, in order."""
    found = re.findall(r"[A-Za-z_][\w\[\].]*", text)
    return list(dict.fromkeys(found))


class _Parser:
    """Recursive descent: `!` and `'` bind closest, then `^`, then and, then or."""

    def __init__(self, text: str, inputs: Sequence[str]) -> None:
        self._text = text
        self._count = len(inputs)
        self._all = (1 << (1 << self._count)) - 1
        self._inputs = {name: variable(i, self._count) for i, name in enumerate(inputs)}
        self._inputs |= {"0": 0, "1": self._all}
        self._tokens: list[str] = []
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                raise self._fault()
            self._tokens.append(match[1])
            at = match.end()

    def table(self) -> int:
        value = self._or()
        if self._tokens:
            raise self._fault()
        return value

    def _fault(self) -> LabError:
        return LabError(f"liberty: cannot read the function '{self._text}'")

    def _next(self, wanted: str) -> bool:
        if self._tokens and self._tokens[0] in wanted:
            self._tokens.pop(0)
            return True
        return False

    def _or(self) -> int:
        value = self._and()
        while self._next("+|"):
            value |= self._and()
        return value

    def _and(self) -> int:
        value = self._xor()
        # Two terms without an operator between them are an and.
        while self._next("*&") or (self._tokens and self._tokens[0] not in "+|)^'"):
            value &= self._xor()
        return value

    def _xor(self) -> int:
        value = self._term()
        while self._next("^"):
            value ^= self._term()
        return value

    def _term(self) -> int:
        if self._next("!"):
            return ~self._term() & self._all
        if self._next("("):
            value = self._or()
            if not self._next(")"):
                raise self._fault()
        else:
            if not self._tokens:
                raise self._fault()
            word = self._tokens.pop(0)
            if word not in self._inputs:
                raise self._fault()
            value = self._inputs[word]
        while self._next("'"):
            value = ~value & self._all
        return value
