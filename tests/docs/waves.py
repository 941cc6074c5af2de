"""Timing diagrams of the documentation: scenarios as text, waves as recorded from simulation.

docs/waves/<name>.toml says which messages go through which variant and what is drawn of it;
docs/waves/<name>.json is what `wave_json` makes of the ports that `waves_bench.py` recorded.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import Field

from hashfabric.base.datafile import DataModel, load_toml
from hashfabric.base.paths import ROOT
from hashfabric.models.functions import MORE_AT
from hashfabric.registry.designs import Design, Variant, find_design, read_sources
from tests.support import simulation

FOLDER = ROOT / "docs" / "waves"


class Traffic(DataModel):
    """A message of `blocks` blocks through an engine, or of `bytes` bytes through a stream.

    `custom` is the bytes of a customization string, for functions that have one.

    For a system it is the message of the program; through a peripheral it is written a word at a
    time. An engine of the word contract gets its words added, permutes, and reads as many. Its
    blocks (beats, words) are called `name` and their number. After the first, each comes
    `gap` clocks after the one before or later.
    """

    name: str
    slot: int = 0
    blocks: int = 1
    bytes: int = 0
    custom: int = 0
    function: str = "sha3-256"
    gap: int = 0


_Span = Annotated[list[int], Field(min_length=2, max_length=2)]
"""The first and the last of some clocks."""


class Scenario(DataModel):
    """What is played, and what of it is drawn; clock 0 is the first one after reset.

    Messages are there from clock `start` on. Clocks in `skip` are not drawn, in those in `stall`
    the receiver of a stream is not ready.
    """

    design: str
    variant: str
    clocks: int
    start: int = 1
    skip: list[_Span] = Field(default=[])
    stall: list[_Span] = Field(default=[])
    messages: Annotated[list[Traffic], Field(alias="message", min_length=1)]

    @property
    def drawn(self) -> list[int | None]:
        """The clocks that are drawn; None where some are left out."""
        last_of = {span[0]: span[1] for span in self.skip}
        clocks: list[int | None] = []
        now = 0
        while now < self.clocks:
            if now in last_of:
                clocks.append(None)
                now = last_of[now]
            else:
                clocks.append(now)
            now += 1
        return clocks


Sample = Mapping[str, int]
"""The ports in one clock, by name."""


@dataclass(frozen=True)
class Recording:
    """Every clock's ports, and what the values on data ports are called."""

    samples: list[Sample]
    names: dict[int, str]

    def text(self) -> str:
        """Return it as JSON."""
        names = {f"{value:x}": name for value, name in self.names.items()}
        return json.dumps({"samples": self.samples, "names": names})

    @staticmethod
    def of(text: str) -> "Recording":
        """Read what `text` wrote."""
        data = json.loads(text)
        return Recording(
            data["samples"], {int(key, 16): name for key, name in data["names"].items()}
        )


def scenarios() -> list[str]:
    """Return the names of all scenarios."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> Scenario:
    """Read the scenario called `name`."""
    return load_toml(FOLDER / f"{name}.toml", Scenario)


def path_of(name: str) -> Path:
    """Return the file of the recorded waves."""
    return FOLDER / f"{name}.json"


def variant_of(scenario: Scenario) -> tuple[Design, Variant]:
    """Return what the scenario runs on."""
    design = find_design(scenario.design)
    return design, design.variant(scenario.variant)


def record(name: str, scenario: Scenario, files: Mapping[str, str] | None = None) -> Recording:
    """Play `scenario` on its variant, built from `files` if they are given."""
    design, variant = variant_of(scenario)
    compiled = simulation.compile_design(
        variant.top, files or read_sources(variant), variant.parameters
    )
    output = compiled.directory / f"waves-{name}.json"
    output.unlink(missing_ok=True)
    timing = design.timing(variant)
    environment = {
        "HF_SCENARIO": scenario.model_dump_json(by_alias=True),
        "HF_WAVES": str(output),
        "HF_SLOTS": str(timing.slots),
        "HF_HOLDS_STATE": str(int(timing.holds_state)),
        "HF_CLOCKS_PER_BLOCK": str(timing.clocks_per_block),
        "HF_DATA_DELAY": str(timing.data_delay),
        "HF_ZERO_BETWEEN": str(int(timing.zero_between)),
        **{f"HF_{clocks}": "" for clocks in ("FILL", "RESUME", "SLIP", "ROOM", "SQUEEZE")},
    }
    engine = "engine" if design.family == "keccak" else "finalist"
    kind = engine if variant.kind == "engine" else variant.kind.replace("-", "_")
    compiled.run(
        "tests.docs.waves_bench", f"waves-{name}", environment=environment, tests=f"play_{kind}"
    ).check()
    return Recording.of(output.read_text(encoding="utf-8"))


####################
# Waves            #
####################

Shown = tuple[str, str]
"""A character of a wave and, with '=', what is written there."""

UNKNOWN: Shown = ("x", "")
Look = Callable[[int], Shown]
"""What a signal shows in a clock."""


def wave_json(scenario: Scenario, recording: Recording) -> str:
    """Return the WaveJSON of what was recorded, a signal a line."""
    design, variant = variant_of(scenario)
    timing = design.timing(variant)
    view = _View(recording, timing.data_delay if variant.kind == "engine" else 0)
    if variant.kind == "stream":
        groups = [_stream_side(view, side, timing.slots) for side in ("s", "m")]
    elif variant.kind == "system":
        groups = [_host(view), _mailbox(view)]
    elif variant.kind == "peripheral":
        groups = [_apb(view)]
    elif variant.kind == "word-engine":
        groups = [_operations(view)]
    else:
        groups = [_blocks(view, timing.slots), _states(view, timing.slots, timing.holds_state)]
    _check_skips(scenario, view, variant.kind)
    drawn = scenario.drawn
    lines = [_lane("clk_i", drawn, _clock)]
    for group in groups:
        lines += ["{}", *(_lane(name, drawn, look) for name, look in group)]
    # WaveDrom adds a 0 to the text: after a space it is a label too many, which is not drawn.
    tock = json.dumps(
        "".join("… " if now is None else f"{now} " for now in drawn), ensure_ascii=False
    )
    signals = ",\n  ".join(lines)
    return f'{{"signal": [\n  {signals}\n],\n"head": {{"tock": {tock}}}}}\n'


def _clock(_: int) -> Shown:
    return "p", ""


def _lane(name: str, drawn: Sequence[int | None], look: Look) -> str:
    shown = [None if now is None else look(now) for now in drawn]
    wave, data = waved(shown)
    return json.dumps({"name": name, "wave": wave, **({"data": data} if data else {})})


def waved(shown: Sequence[Shown | None]) -> tuple[str, list[str]]:
    """Return a wave and its data: what each drawn clock shows, None for a gap."""
    wave, data = "", []
    before: Shown | None = None
    for now in shown:
        if now is None:
            wave += "|"
        elif now == before:
            wave += "."
        else:
            wave += now[0]
            data += [now[1]] if now[0] == "=" else []
        before = now or before
    return wave, data


@dataclass(frozen=True)
class _View:
    """What the ports of a recording mean."""

    recording: Recording
    delay: int

    def high(self, *names: str, now: int) -> bool:
        """Return whether all these ports are high."""
        return 0 <= now < len(self.recording.samples) and all(
            self.recording.samples[now][name] for name in names
        )

    def level(self, name: str, now: int) -> Shown:
        """Show a bit."""
        return str(self.recording.samples[now][name]), ""

    def number(self, name: str, now: int) -> Shown:
        """Show a number."""
        return "=", str(self.recording.samples[now][name])

    def keep(self, name: str, now: int) -> Shown:
        """Show a byte mask."""
        return "=", f"{self.recording.samples[now][name]:02x}"

    def more(self, _: str, now: int) -> Shown:
        """Show the bit that says that the message goes on after this packet."""
        return str(self.recording.samples[now]["s_axis_tuser"] >> MORE_AT & 1), ""

    def label(self, name: str, now: int) -> Shown:
        """Show what data are called; `KeyError` where they are none of the scenario's."""
        return "=", self.recording.names[self.recording.samples[now][name]]

    def when(self, valid: str, show: Look, now: int) -> Shown:
        """Show something only where `valid` is high."""
        return show(now) if self.high(valid, now=now) else UNKNOWN

    def block(self, now: int) -> Shown:
        """Show what is on `blk_i`: data of an offer, or of a handshake some clocks ago."""
        there = (
            self.high("blk_valid_i", "blk_ready_o", now=now - self.delay)
            if self.delay
            else self.high("blk_valid_i", now=now)
        )
        return self.label("blk_i", now) if there else UNKNOWN

    def read(self, now: int) -> Shown:
        """Show what is on `host_rdata_o`: the word of a clock before, where that was no write."""
        there = self.high("rst_i", now=now - 1) and not self.high("host_write_i", now=now - 1)
        known = self.recording.samples[now]["host_rdata_o"] in self.recording.names
        return self.label("host_rdata_o", now) if there and known else UNKNOWN

    def state(self, now: int) -> Shown:
        """Show what is on `st_o`: a state that has left some clocks ago."""
        there = self.high("st_valid_o", now=now - self.delay)
        return self.label("st_o", now) if there else UNKNOWN


def _blocks(view: _View, slots: int) -> Iterator[tuple[str, Look]]:
    """The side of an engine that takes blocks."""
    yield "blk_valid_i", partial(view.level, "blk_valid_i")
    yield "blk_ready_o", partial(view.level, "blk_ready_o")
    if slots > 1:
        yield "blk_slot_o", partial(view.number, "blk_slot_o")
    for name in ("blk_first_i", "blk_last_i"):
        yield name, partial(view.when, "blk_valid_i", partial(view.level, name))
    for name in ("blk_size_i", "blk_count_i"):
        if name in view.recording.samples[0]:
            yield name, partial(view.when, "blk_valid_i", partial(view.number, name))
    yield "blk_i", view.block


def _states(view: _View, slots: int, holds_state: bool) -> Iterator[tuple[str, Look]]:
    """The side of an engine that gives states."""
    yield "st_valid_o", partial(view.level, "st_valid_o")
    if holds_state:
        yield "st_ready_i", partial(view.level, "st_ready_i")
    if slots > 1:
        yield "st_slot_o", partial(view.when, "st_valid_o", partial(view.number, "st_slot_o"))
    yield "st_o", view.state


def _stream_side(view: _View, side: str, slots: int) -> Iterator[tuple[str, Look]]:
    """One side of a stream."""
    valid = f"{side}_axis_tvalid"
    yield valid, partial(view.level, valid)
    yield f"{side}_axis_tready", partial(view.level, f"{side}_axis_tready")
    shows: list[tuple[str, Callable[[str, int], Shown]]]
    shows = [("tdata", view.label), ("tkeep", view.keep), ("tlast", view.level)]
    if slots > 1:
        shows.append(("tid", view.number))
    more = side == "s" and any(now["s_axis_tuser"] >> MORE_AT & 1 for now in view.recording.samples)
    if more:
        shows.append((f"tuser[{MORE_AT}]", view.more))
    for port, show in shows:
        name = f"{side}_axis_{port}"
        yield name, partial(view.when, valid, partial(show, name))


def _host(view: _View) -> Iterator[tuple[str, Look]]:
    """The host's side of a system."""
    yield "rst_i", partial(view.level, "rst_i")
    yield "host_write_i", partial(view.level, "host_write_i")
    yield "host_addr_i", partial(view.when, "rst_i", partial(view.number, "host_addr_i"))
    yield "host_wdata_i", partial(view.when, "host_write_i", partial(view.label, "host_wdata_i"))
    yield "host_rdata_o", view.read


def _mailbox(view: _View) -> Iterator[tuple[str, Look]]:
    """The side of a system that its program writes."""
    yield "mail_valid_o", partial(view.level, "mail_valid_o")
    yield "mail_data_o", partial(view.when, "mail_valid_o", partial(view.label, "mail_data_o"))


def _apb(view: _View) -> Iterator[tuple[str, Look]]:
    """The bus of a peripheral: addresses are called by their registers."""

    def data(port: str, write: int, now: int) -> Shown:
        seen = view.recording.samples[now]
        there = seen["s_apb_psel"] and seen["s_apb_pwrite"] == write
        ends = write or (seen["s_apb_penable"] and seen["s_apb_pready"])
        return view.label(port, now) if there and ends else UNKNOWN

    def address(now: int) -> Shown:
        return "=", view.recording.names[(1 << 32) + view.recording.samples[now]["s_apb_paddr"]]

    for name in ("s_apb_psel", "s_apb_penable"):
        yield name, partial(view.level, name)
    yield "s_apb_pwrite", partial(view.when, "s_apb_psel", partial(view.level, "s_apb_pwrite"))
    yield "s_apb_paddr", partial(view.when, "s_apb_psel", address)
    yield "s_apb_pwdata", partial(data, "s_apb_pwdata", 1)
    yield "s_apb_pready", partial(view.when, "s_apb_penable", partial(view.level, "s_apb_pready"))
    yield "s_apb_prdata", partial(data, "s_apb_prdata", 0)


OPERATIONS = ("add", "read", "permute", "wipe")
"""The operations of the word contract, by their codes."""


def _operations(view: _View) -> Iterator[tuple[str, Look]]:
    """The ports of an engine of the word contract: fields where the operation has them."""

    def kind(now: int) -> str:
        seen = view.recording.samples[now]
        return OPERATIONS[seen["op_i"]] if seen["op_valid_i"] else ""

    def operation(now: int) -> Shown:
        return ("=", kind(now)) if kind(now) else UNKNOWN

    def address(now: int) -> Shown:
        there = kind(now) in ("add", "read")
        return view.number("op_addr_i", now) if there else UNKNOWN

    def added(now: int) -> Shown:
        return view.label("op_word_i", now) if kind(now) == "add" else UNKNOWN

    def word(now: int) -> Shown:
        there = kind(now) == "read" and view.high("op_ready_o", now=now)
        return view.label("word_o", now) if there else UNKNOWN

    for name in ("op_valid_i", "op_ready_o"):
        yield name, partial(view.level, name)
    yield from (("op_i", operation), ("op_addr_i", address), ("op_word_i", added))
    yield "word_o", word


_HAPPENS: dict[str, list[tuple[str, ...]]] = {
    "engine": [("blk_valid_i", "blk_ready_o"), ("st_valid_o",)],
    "stream": [("s_axis_tvalid", "s_axis_tready"), ("m_axis_tvalid", "m_axis_tready")],
    "peripheral": [("s_apb_penable", "s_apb_pready")],
    "word-engine": [("op_valid_i", "op_ready_o")],
    "system": [("host_write_i",), ("mail_valid_o",)],
}


def _check_skips(scenario: Scenario, view: _View, kind: str) -> None:
    """Fail where something happens in clocks that are not drawn."""
    for first, last in scenario.skip:
        for now in range(first, last + 1):
            for ports in _HAPPENS[kind]:
                assert not view.high(*ports, now=now), f"clock {now} is to be drawn: {ports}"
