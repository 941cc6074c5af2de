"""Messages of the framed functions as beats, for the tests and the bench of hf_sp800_185."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hashfabric.models.functions import LENGTH_AT
from hashfabric.simulate.stream import Beat
from tests.support.oracles import framed_digest

MORE = 1 << 11
OPEN = (1 << 40) - 1
CODES = {
    **{f"cshake{strength}": 0x12 + i for i, strength in enumerate((128, 256))},
    **{f"kmac{strength}": 0x14 + i for i, strength in enumerate((128, 256))},
    **{f"kmacxof{strength}": 0x16 + i for i, strength in enumerate((128, 256))},
    **{f"tuplehash{strength}": 0x18 + i for i, strength in enumerate((128, 256))},
    **{f"tuplehashxof{strength}": 0x1A + i for i, strength in enumerate((128, 256))},
}
LOADS = {"name": 0x1C, "custom": 0x1D, "key": 0x1E}


def packet(data: bytes, width: int, user: int, *, more: bool = False) -> list[Beat]:
    """Bytes as beats, the last with tlast; `more`: the message goes on after it."""
    beats = []
    for start in range(0, max(len(data), 1), width):
        part = data[start : start + width]
        beats.append(Beat(int.from_bytes(part, "little"), (1 << len(part)) - 1, False, user))
    beats[-1] = replace(beats[-1], last=True, user=user | (MORE if more else 0))
    return beats


@dataclass(frozen=True)
class Framed:
    """A message of a framed function, `count` bytes of output."""

    function: str
    data: bytes = b""
    texts: tuple[bytes, ...] = ()
    count: int = 32

    def beats(self, width: int, length: int | None = None) -> list[Beat]:
        """Return the beats; `length` is the output's in bits, if not that of `count`."""
        user = CODES[self.function] | (8 * self.count if length is None else length) << LENGTH_AT
        if not self.function.startswith("tuple"):
            beats = packet(self.data, width, user)
        else:
            beats = packet(b"", width, user, more=bool(self.texts))
            for i, text in enumerate(self.texts):
                element = CODES[self.function] | len(text) << LENGTH_AT
                beats += packet(text, width, element, more=i < len(self.texts) - 1)
        return [replace(beats[0], first=True), *beats[1:]]

    def digest(self, strings: Mapping[str, bytes]) -> bytes:
        """Return what must come out, with these strings stored."""
        return framed_digest(
            self.function,
            self.count,
            data=self.data,
            texts=self.texts,
            key=strings["key"],
            custom=strings["custom"],
            function_name=strings["name"],
        )
