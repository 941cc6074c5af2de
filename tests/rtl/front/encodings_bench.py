"""Unit bench of the encodings of SP 800-185 (section 2.3.1); `test_sp800_185.py` starts it."""

from typing import Any

import cocotb
from cocotb.triggers import Timer

from tests.support.oracles import left_encode, right_encode

WIDTH = 48


@cocotb.test()
async def encodings(dut: Any) -> None:
    """Numbers of one to six bytes, at the ends of each."""
    numbers = {0, 1, 8, 136, 168, 255, 1088, (1 << WIDTH) - 1}
    for power in range(1, WIDTH):
        numbers |= {(1 << power) + near for near in (-1, 0, 1) if (1 << power) + near >= 0}
    for number in sorted(numbers):
        dut.number_i.value = number
        await Timer(1, unit="ns")
        count = int(dut.digits_o.value)
        for port, wanted in (("left_o", left_encode(number)), ("right_o", right_encode(number))):
            text = int(getattr(dut, port).value).to_bytes(8, "little")
            assert text[: count + 1] == wanted, f"{port} of {number:#x}"
            assert not any(text[count + 1 :]), f"{port} of {number:#x}: more than its bytes"
