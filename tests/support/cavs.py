"""NIST's CAVS files of SHA-3 and SHAKE, as the `cryptography_vectors` package has them."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from cryptography_vectors import open_vector_file

from hashfabric.models.family import Function
from hashfabric.models.functions import FUNCTIONS


@dataclass(frozen=True)
class Vectors:
    """A CAVS file: the values in brackets at its head, and its cases in order."""

    head: dict[str, int]
    cases: list[dict[str, str]]


def read_vectors(text: str) -> Vectors:
    """Parse the text of a CAVS file; a case begins with a blank line."""
    head = {
        name: int(value) for name, value in re.findall(r"^\[(.+?) = (\d+)\]$", text, re.MULTILINE)
    }
    lines = [line for line in text.splitlines() if not line.startswith(("#", "["))]
    groups = "\n".join(lines).split("\n\n")
    cases = [dict(re.findall(r"^(\w+) = (\w+)$", group, re.MULTILINE)) for group in groups]
    return Vectors(head, [case for case in cases if case])


def vector_file(name: str) -> Vectors:
    """Read one file of the `cryptography_vectors` package."""
    with open_vector_file(f"hashes/{name}.rsp", "r") as file:
        return read_vectors(file.read())


def wrong_messages(
    digest_of: Callable[[Function, bytes, int, int | None], bytes],
    function: Function,
    vectors: Vectors,
) -> list[str]:
    """Hash the messages of a ShortMsg, LongMsg or VariableOut file; return the cases that fail.

    `digest_of` gets the function, the message, its bits, and the output's where the file has them.
    """
    wrong = []
    for case in vectors.cases:
        # VariableOut has no Len: all its messages are of [Input Length].
        bits = int(case.get("Len", vectors.head.get("Input Length", -1)))
        data = bytes.fromhex(case["Msg"])[: bits // 8]
        assert len(data) == bits / 8, "not a file of whole bytes"
        output_bits = int(case.get("Outputlen", vectors.head.get("Outputlen", 0))) or None
        digest = digest_of(function, data, bits, output_bits)
        if digest.hex() != case.get("MD", case.get("Output")):
            wrong.append(f"{bits} bits: {case}")
    return wrong


SHA3_NAMES = ("224", "256", "384", "512")
MESSAGE_FILES = {
    **{f"SHA3/SHA3_{n}ShortMsg": f"sha3-{n}" for n in SHA3_NAMES},
    **{f"SHA3/SHA3_{n}LongMsg": f"sha3-{n}" for n in SHA3_NAMES},
    **{f"SHAKE/SHAKE{n}ShortMsg": f"shake{n}" for n in ("128", "256")},
    **{f"SHAKE/SHAKE{n}LongMsg": f"shake{n}" for n in ("128", "256")},
    **{f"SHAKE/SHAKE{n}VariableOut": f"shake{n}" for n in ("128", "256")},
}


def expected_cases(name: str) -> int:
    """Return how many cases CAVS puts into a file of this kind."""
    if name.endswith("LongMsg"):
        return 100
    if name.endswith("VariableOut"):
        return {"SHAKE128": 1126, "SHAKE256": 1246}[name[6:14]]
    return FUNCTIONS[MESSAGE_FILES[name]].rate_bits // 8 * (2 if "SHAKE" in name else 1) + 1
