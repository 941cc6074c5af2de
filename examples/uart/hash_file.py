"""Hash a file on the board: `python hash_file.py /dev/ttyUSB1 FILE` prints its SHA3-256.

`--code` and `--output-bits` choose another function (docs/reference/stream.md has the codes). Needs
pyserial.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import serial

END, ESC, ESC_END, ESC_ESC = 0xC0, 0xDB, 0xDC, 0xDD
"""SLIP, RFC 1055."""


def slip(data: bytes) -> bytes:
    """Return `data` as a frame."""
    escaped = data.replace(bytes([ESC]), bytes([ESC, ESC_ESC]))
    return escaped.replace(bytes([END]), bytes([ESC, ESC_END])) + bytes([END])


def frame(message: bytes, code: int, output_bits: int) -> bytes:
    """Return what the board reads: s_axis_tuser, lowest byte first, and the message."""
    user = code | output_bits << 16
    return slip(user.to_bytes(7, "little") + message)


def answer(port: Iterator[int]) -> bytes:
    """Return the bytes of the frame that comes from `port`; empty if the core reports an error."""
    data = bytearray()
    for byte in port:
        if byte == END:
            break
        data.append({ESC_END: END, ESC_ESC: ESC}[next(port)] if byte == ESC else byte)
    return bytes(data)


def main() -> int:
    """Send the file, and print the digest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("port")
    parser.add_argument("file", type=Path)
    parser.add_argument("--code", type=lambda text: int(text, 0), default=0x01)
    parser.add_argument("--output-bits", type=int, default=0, help="of SHAKE and cSHAKE")
    parser.add_argument("--baud", type=int, default=115200)
    chosen = parser.parse_args()
    with serial.Serial(chosen.port, chosen.baud, timeout=5) as port:
        port.write(slip(b"") + frame(chosen.file.read_bytes(), chosen.code, chosen.output_bits))
        digest = answer(read[0] for read in iter(lambda: port.read(1), b""))
    if not digest:
        print(f"{chosen.file}: no digest came: wrong function, or no board", file=sys.stderr)
        return 1
    print(f"{digest.hex()}  {chosen.file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
