"""Published answers: NIST's samples of SP 800-185, and the test vectors of RFC 9861."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "data"


@dataclass(frozen=True)
class Sample:
    """One of NIST's samples; `texts` are a tuple's strings."""

    function: str
    data: bytes
    texts: tuple[bytes, ...]
    key: bytes
    custom: bytes
    block_bytes: int
    output: bytes


@cache
def nist_samples() -> list[Sample]:
    """Return all of tests/data/sp800_185.json."""
    return [
        Sample(
            function=entry["function"],
            data=bytes.fromhex(entry.get("message", "")),
            texts=tuple(bytes.fromhex(text) for text in entry.get("tuple", [])),
            key=bytes.fromhex(entry.get("key", "")),
            custom=entry["custom"].encode(),
            block_bytes=entry.get("block_bytes", 0),
            output=bytes.fromhex(entry["output"]),
        )
        for entry in json.loads((DATA / "sp800_185.json").read_text())["samples"]
    ]


def pattern(count: int) -> bytes:
    """Return ptn(count) of RFC 9861: bytes 00 to FA, repeated."""
    return (bytes(range(0xFB)) * (count // 0xFB + 1))[:count]


@dataclass(frozen=True)
class TreeSample:
    """A vector of RFC 9861: the output, or its end; `domain` for TurboSHAKE."""

    function: str
    data: bytes
    custom: bytes
    domain: int
    count: int
    end: bytes


@cache
def rfc9861_samples() -> list[TreeSample]:
    """Return all of tests/data/rfc9861.json."""

    def sample(entry: dict[str, Any]) -> TreeSample:
        text = entry.get("hex")
        return TreeSample(
            function=entry["function"],
            data=pattern(entry["pattern"]) if text is None else bytes.fromhex(text),
            custom=pattern(entry.get("custom", 0)),
            domain=entry.get("domain", 0),
            count=entry["bytes"],
            end=bytes.fromhex(entry.get("output") or entry["end"]),
        )

    return [sample(entry) for entry in json.loads((DATA / "rfc9861.json").read_text())["vectors"]]
