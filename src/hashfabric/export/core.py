"""An exported core: one top of plain Verilog, and its origin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hashfabric.base.yosys import Port
from hashfabric.registry.designs import Parameter

_AXIS = ("tdata", "tkeep", "tlast", "tid", "tuser", "tvalid", "tready")
_AXIL = (
    *("awvalid", "awready", "awaddr", "awprot", "wvalid", "wready", "wdata", "wstrb"),
    *("bvalid", "bready", "bresp"),
    *("arvalid", "arready", "araddr", "arprot", "rvalid", "rready", "rdata", "rresp"),
)
_AXI = (
    *_AXIL,
    *("awid", "awlen", "awsize", "awburst", "awcache", "wlast", "bid"),
    *("arid", "arlen", "arsize", "arburst", "arcache", "rid", "rlast"),
)
_APB = (
    *("psel", "penable", "pwrite", "pprot", "paddr", "pwdata", "pstrb"),
    *("pready", "prdata", "pslverr"),
)

Protocol = Literal["axis", "axil", "axi", "apb", "interrupt"]
"""AXI4-Stream, AXI4-Lite, AXI4, APB4; an interrupt, active high as long as its cause is there."""


@dataclass(frozen=True)
class Bus:
    """A bus interface of a core: its port of each signal, or of `irq` by itself.

    The core begins the transfers if `begins`. `address_bits` are those of a byte address, 0 where
    the protocol has none; `data_bits` those of the data.
    """

    protocol: Protocol
    begins: bool
    ports: Mapping[str, Port]

    @property
    def address_bits(self) -> int:
        """Return the width of an address in bits."""
        names = ("awaddr", "paddr")
        return next((self.ports[name].width for name in names if name in self.ports), 0)

    @property
    def data_bits(self) -> int:
        """Return the width of the data in bits."""
        names = ("tdata", "wdata", "pwdata")
        return next((self.ports[name].width for name in names if name in self.ports), 0)


_BUSES: Mapping[str, tuple[Protocol, bool, Sequence[str]]] = {
    "s_axis": ("axis", False, _AXIS),
    "m_axis": ("axis", True, _AXIS),
    "s_axil": ("axil", False, _AXIL),
    "s_apb": ("apb", False, _APB),
    "m_axi": ("axi", True, _AXI),
}
"""Every bus of AMBA that a top has: a port is named `<bus>_<signal>` (docs/reference/stream.md)."""

_IDLE = {"pstrb": 1, "wstrb": 1, "tkeep": 1, "pprot": 0, "awprot": 0, "arprot": 0, "tid": 0}
"""The bits of signals that the other side of a bus may lack."""

_WIDEST_VALUE = 32
"""Bits of the widest value that a component states."""

IRQ = "irq_o"
"""The interrupt of a peripheral."""

NO_SETTINGS = "-"
"""The text of a stamp where no parameter was set."""


@dataclass(frozen=True)
class Core:
    """An exported core: `files` of plain Verilog with the module `top`.

    `ports` are those of `top`, `width` in bits; `clock` and `reset` (synchronous, active high) are
    two of its inputs. `vendor`, `library`, `name` and `version` are its name in catalogues of
    IP, where each configuration has its own. `open_reads` are the bursts of reads that a bus which
    it begins has open at most. `settings` are the parameters set beside the variant's own, `source`
    the sha256 (hex) of the RTL with them (`registry.designs.source_hash`).
    """

    design: str
    variant: str
    source: str
    name: str
    top: str
    ports: tuple[Port, ...]
    clock: str
    reset: str
    files: tuple[str, ...]
    description: str
    settings: Mapping[str, Parameter] = field(default_factory=dict)
    vendor: str = "hashfabric"
    library: str = "hash"
    version: str = "1.0"
    open_reads: int = 1

    @property
    def ip_version(self) -> str:
        """Return the version in the form of Vivado's IP catalogue: two numbers."""
        return ".".join(self.version.split(".")[:2])

    def buses(self) -> dict[str, Bus]:
        """Return the bus interfaces that `top` has, by name."""
        ports = {port.name: port for port in self.ports}
        found: dict[str, Bus] = {}
        for name, (protocol, begins, signals) in _BUSES.items():
            own = {one: ports[f"{name}_{one}"] for one in signals if f"{name}_{one}" in ports}
            if own:
                found[name] = Bus(protocol, begins, own)
        if IRQ in ports:
            found[IRQ] = Bus("interrupt", begins=True, ports={"irq": ports[IRQ]})
        return found

    @property
    def registers(self) -> str:
        """Return the name of the bus whose accesses are to registers; empty of a stream."""
        buses = self.buses().items()
        return next((name for name, bus in buses if bus.address_bits and not bus.begins), "")

    def others(self) -> list[Port]:
        """Return the ports that are neither clock nor reset nor of a bus."""
        used = {port.name for bus in self.buses().values() for port in bus.ports.values()}
        return [p for p in self.ports if p.name not in used | {self.clock, self.reset}]

    def idle(self) -> dict[str, int]:
        """Return the values of the inputs that may be left open, by the names of their ports.

        No other input has one, so that a tool reports it where nothing drives it.
        """
        found = {port.name: 0 for port in self.ports if port.name == "m_axis_stop"}
        for bus in self.buses().values():
            for signal, port in bus.ports.items():
                if port.direction == "input" and signal in _IDLE and port.width <= _WIDEST_VALUE:
                    found[port.name] = (1 << port.width) - 1 if _IDLE[signal] else 0
        return found

    def stamp(self, method: str) -> str:
        """Return the line that an exported project writes beside its reports, to be read back.

        `method` is how it was measured: `harness`, the project's serial harness.
        """
        chosen = ",".join(f"{name}={int(self.settings[name])}" for name in sorted(self.settings))
        return (
            f"HASHFABRIC design={self.design} variant={self.variant} source={self.source} "
            f"set={chosen or NO_SETTINGS} method={method}"
        )


def read_stamp(text: str) -> dict[str, str] | None:
    """Return what `Core.stamp` wrote, by its keys; None where there is no such line."""
    for line in text.splitlines():
        word, *pairs = line.split(" ")
        if word == "HASHFABRIC" and all("=" in pair for pair in pairs):
            return dict(pair.split("=", 1) for pair in pairs)
    return None
