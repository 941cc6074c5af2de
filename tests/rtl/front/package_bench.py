"""Unit bench of hf_keccak_pkg: each function at each grain against the golden model.

Runs inside the simulator on `hf_keccak_pkg_probe`; `test_package.py` starts it.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any

import cocotb
from cocotb.triggers import Timer

from hashfabric.models import functions, keccak
from tests.support.states import ALL_ONES, WIDTH, lanes, number

Step = Callable[[keccak.State], keccak.State]

WHOLE_STATE: dict[str, Step] = {
    "theta_o": keccak.theta,
    "theta_split_o": keccak.theta,
    "theta_plane_o": keccak.theta,
    "rho_o": keccak.rho,
    "pi_o": keccak.pi,
    "chi_o": keccak.chi,
}


def stimuli() -> Iterator[int]:
    """Give states: empty, full, each single bit of a lane in some lane, random."""
    rng = random.Random(cocotb.RANDOM_SEED)
    yield 0
    yield ALL_ONES
    for lane in range(25):
        yield 1 << (64 * lane + rng.randrange(64))
        yield ALL_ONES ^ (1 << (64 * lane + rng.randrange(64)))
    for _ in range(150):
        yield rng.getrandbits(WIDTH)


def plane(state: keccak.State, y: int) -> int:
    """Return plane `y` of a state as a number."""
    return sum(lane << (64 * x) for x, lane in enumerate(state[5 * y : 5 * y + 5]))


async def settle(dut: Any, **inputs: int) -> None:
    """Drive inputs and let the outputs follow."""
    for name, value in inputs.items():
        getattr(dut, name).value = value
    await Timer(1, unit="ns")


def read(dut: Any, name: str) -> int:
    """Return an output."""
    return int(getattr(dut, name).value)


@cocotb.test()
async def whole_states(dut: Any) -> None:
    """The steps of the whole state, and theta put together from planes."""
    for a in stimuli():
        await settle(dut, a_i=a)
        for name, step in WHOLE_STATE.items():
            assert read(dut, name) == number(step(lanes(a))), f"{name} of {a:#x}"


@cocotb.test()
async def planes_and_lanes(dut: Any) -> None:
    """The grains that take an index: every index."""
    for i, a in enumerate(stimuli()):
        x, y = i % 5, i // 5 % 5
        state = lanes(a)
        await settle(dut, a_i=a, x_i=x, y_i=y)
        rho, pi, chi = keccak.rho(state), keccak.pi(state), keccak.chi(state)
        assert read(dut, "rho_lane_o") == rho[5 * y + x], (x, y)
        assert read(dut, "rho_plane_o") == plane(rho, y), y
        assert read(dut, "pi_plane_o") == plane(pi, y), y
        assert read(dut, "chi_plane_o") == plane(chi, y), y


@cocotb.test()
async def rows_and_bits(dut: Any) -> None:
    """The smallest grains: every lane, random places in it."""
    rng = random.Random(cocotb.RANDOM_SEED)
    for i, a in enumerate(stimuli()):
        x, y, z = i % 5, i // 5 % 5, rng.choice((0, 63, rng.randrange(64)))
        state = lanes(a)
        await settle(dut, a_i=a, x_i=x, y_i=y, z_i=z)
        theta, chi = keccak.theta(state), keccak.chi(state)
        parity = sum(lane >> z & 1 for lane in state[x::5]) % 2
        row = sum((chi[5 * y + k] >> z & 1) << k for k in range(5))
        assert read(dut, "theta_parity_bit_o") == parity, (x, z)
        assert read(dut, "theta_bit_o") == theta[5 * y + x] >> z & 1, (x, y, z)
        assert read(dut, "chi_row_o") == row, (y, z)
        assert read(dut, "chi_bit_o") == row >> x & 1, (x, y, z)


@cocotb.test()
async def parities(dut: Any) -> None:
    """theta's own parts: with one plane set, its parities are the plane and its effect is theta."""
    for a in stimuli():
        state = lanes(a)
        await settle(dut, a_i=a)
        parity = 0
        for y in range(5):
            parity ^= plane(state, y)
        assert read(dut, "theta_parity_o") == parity
        alone = [*state[:5], *[0] * 20]
        assert read(dut, "theta_effect_o") == plane(keccak.theta(alone), 1)


@cocotb.test()
async def rounds(dut: Any) -> None:
    """iota and the whole round, every round; twenty-four of them are Keccak-f."""
    rng = random.Random(cocotb.RANDOM_SEED)
    a = state = rng.getrandbits(WIDTH)
    for i in range(keccak.ROUNDS):
        await settle(dut, a_i=state, round_i=i)
        golden = lanes(state)
        assert read(dut, "round_constant_o") == keccak.ROUND_CONSTANTS[i], i
        assert read(dut, "iota_o") == number(keccak.iota(golden, i)), i
        assert read(dut, "iota_lane_o") == keccak.iota(golden, i)[0], i
        state = read(dut, "round_o")
    assert state == number(keccak.keccak_f(lanes(a)))


@cocotb.test()
async def rho_offsets(dut: Any) -> None:
    """The table of rho."""
    for i, offset in enumerate(keccak.RHO_OFFSETS):
        await settle(dut, x_i=i % 5, y_i=i // 5)
        assert read(dut, "rho_offset_o") == offset, i


@cocotb.test()
async def function_table(dut: Any) -> None:
    """The front end's constants of each function; codes that are none."""
    known = {function.code: function for function in functions.KECCAK.values()}
    rates = {function.rate_bits // 64 for function in known.values()}
    assert read(dut, "min_rate_lanes_o") == min(rates)
    assert read(dut, "max_rate_lanes_o") == max(rates)
    for code in range(256):
        await settle(dut, code_i=code)
        assert read(dut, "known_o") == (code in known), code
        if code in known:
            function = known[code]
            words = 0 if function.xof else function.digest_bits // 32
            assert read(dut, "rate_lanes_o") * 64 == function.rate_bits, function.name
            assert read(dut, "digest_words_o") == words, function.name
            # The RTL's suffix has the first 1 of the pad after the domain bits.
            assert read(dut, "suffix_len_o") == function.suffix_bits + 1, function.name
            assert read(dut, "suffix_o") == function.suffix | 1 << function.suffix_bits
