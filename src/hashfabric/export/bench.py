"""A self-checking test bench in plain Verilog for a stream or a peripheral, with known answers."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest

from hashfabric.export.configuration import Exported
from hashfabric.export.templates import render
from hashfabric.models import functions
from hashfabric.models.functions import FUNCTIONS
from hashfabric.simulate.known_answers import KnownAnswer, cases_for
from hashfabric.simulate.stream import Beat, beats_of

_LIMIT = 100_000
"""Clocks without output that count as a hang: more than the longest message takes with waits.

keccak-tiny takes 13,578 for a block, and the longest messages have three.
"""

_RESET = 20
"""Clocks of reset, 10 ns each: AMD's `glbl` holds all registers of its models for 100 ns."""


_RANDOM = ("rand_i", "split_i")
"""The ports of a masked core at which random bits come in."""


KINDS = ("stream", "peripheral", "masked-peripheral")
"""The kinds of variants that have a test bench."""

BUSES = {"s_axil_awaddr": "axil", "s_apb_paddr": "apb", "wb_adr": "wb"}
"""The buses of peripherals, each by a port that only it has."""


def bench(core: Exported) -> str:
    """Return the test bench of `core`, with digests of the family's golden model."""
    return _known_answers(core) if core.variant.kind == "stream" else _first_light(core)


def _first_light(core: Exported) -> str:
    """Return a bench that reads a peripheral's ID and hashes a short message, by its bus."""
    from hashfabric.registry.registers import MASKED, PERIPHERAL, load  # noqa: PLC0415

    masked = core.variant.kind == "masked-peripheral"
    registers, function = load(source=MASKED if masked else PERIPHERAL), FUNCTIONS["sha3-256"]
    fixed = (core.variant.clock, core.variant.reset)
    port, bus = next((port, bus) for port, bus in BUSES.items() if core.has(port))
    # Wishbone's is that of a word. Where there are more registers, as of several contexts, these
    # are the first ones.
    own, width = ("address[8:2]", 7) if bus == "wb" else ("address", 9)
    more = core.port(port).width - width
    return render(
        "first_light.v.j2",
        name=core.module,
        header=core.header,
        ports=[port for port in core.ports if port.name not in fixed],
        clock=core.variant.clock,
        reset=core.variant.reset,
        bus=bus,
        bus_address=f"{{{more}'d0, {own}}}" if more else own,
        address={name: register.address for name, register in registers.items()},
        identity=registers["ID"].field("id").reset,
        code=function.code,
        masked=masked,
        start=0 if masked else registers["COMMAND"].field("start").mask,
        last=registers["COMMAND"].field("last").mask
        | (3 << registers["COMMAND"].field("bytes").low if masked else 0),
        done=registers["INTR_ENABLE"].field("done").mask,
        digest=functions.digest(function, b"abc").hex(),
        limit=_LIMIT,
        reset_clocks=_RESET,
    )


def _known_answers(core: Exported) -> str:
    """Return the bench of a stream.

    For every function it has messages that end around a block's end, messages of odd bits, and
    long outputs. They go to the slots in turn, and the beats of different slots alternate.
    """
    core.need_stream("a test bench")
    parameters = core.variant.parameters
    shares = int(parameters.get("Order", 1)) + 1 if parameters.get("SharedPorts") else 1
    width = core.port("s_axis_tdata").width // shares
    cases = [case for function in core.functions for case in cases_for(core.variant, function)]
    slots: list[list[KnownAnswer]] = [cases[slot :: core.slots] for slot in range(core.slots)]
    sent = [
        [
            beat
            for case in of_slot
            for beat in beats_of(replace(case.message, slot=slot), width // 8)
        ]
        for slot, of_slot in enumerate(slots)
    ]
    answers = [[word for case in of_slot for word in _answer(case)] for of_slot in slots]
    first = [sum(len(words) for words in answers[:slot]) for slot in range(core.slots + 1)]
    ports = {port.name: port.width for port in core.ports}
    return render(
        "bench.v.j2",
        name=core.module,
        header=core.header,
        digests=len(cases),
        functions=", ".join(function.name for function in core.functions),
        slots=core.slots,
        data=width,
        shares=shares,
        alarm=core.has("alarm_o"),
        random={name: ports[name] for name in _RANDOM if name in ports},
        generator=bool(parameters.get("Generator", True)),
        tid=ports["s_axis_tid"],
        user=ports["s_axis_tuser"],
        result_user=ports["m_axis_tuser"],
        stop="m_axis_stop" in ports,
        clock=core.variant.clock,
        reset=core.variant.reset,
        beats=[_beat(beat, ports, shares) for beat in _alternately(sent)],
        answers=[word for words in answers for word in words],
        first=first,
        limit=_LIMIT,
        reset_clocks=_RESET,
    )


def _alternately(sent: Iterable[Iterable[Beat]]) -> Iterator[Beat]:
    for beats in zip_longest(*sent):
        yield from (beat for beat in beats if beat is not None)


def _beat(beat: Beat, ports: dict[str, int], shares: int) -> str:
    value, bits = 0, 0
    for field, width in (
        (beat.data, ports["s_axis_tdata"] // shares),
        (beat.keep, ports["s_axis_tkeep"] // shares),
        (int(beat.last), 1),
        (beat.user, ports["s_axis_tuser"]),
        (beat.slot, ports["s_axis_tid"]),
    ):
        value |= field << bits
        bits += width
    return f"{bits}'h{value:0{-(-bits // 4)}x}"


def _answer(case: KnownAnswer) -> Iterator[str]:
    bits = (case.message.output_bits or 0) % 8
    last = len(case.wanted) - 1
    for place, byte in enumerate(case.wanted):
        end = place == last
        yield f"12'h{end << 11 | (bits if end else 0) << 8 | byte:03x}"
