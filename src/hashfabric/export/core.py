"""An exported core: one top of plain Verilog, and its origin."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hashfabric.base.yosys import Port
from hashfabric.registry.designs import Parameter

AXIS = {"s_axis": "input", "m_axis": "output"}
"""The stream ports of every stream top (docs/reference/stream.md), by their data's direction."""

AXIS_SIGNALS = ("tdata", "tkeep", "tlast", "tid", "tuser", "tvalid", "tready")
"""The signals of AXI4-Stream that those ports have; each is named `<stream>_<signal>`."""

NO_SETTINGS = "-"
"""The text of a stamp where no parameter was set."""


@dataclass(frozen=True)
class Core:
    """An exported core: `files` of plain Verilog with the module `top`.

    `ports` are those of `top`, `width` in bits; `clock` and `reset` (synchronous, active high) are
    two of its inputs. `vendor`, `library`, `name` and `version` are its name in catalogues of
    IP. `settings` are the parameters set beside the variant's own, `source` the sha256 (hex) of
    the RTL with them (`registry.designs.source_hash`).
    """

    design: str
    variant: str
    source: str
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

    @property
    def name(self) -> str:
        """Return the name in catalogues of IP, which is the top's."""
        return self.top

    @property
    def ip_version(self) -> str:
        """Return the version in the form of Vivado's IP catalogue: two numbers."""
        return ".".join(self.version.split(".")[:2])

    def streams(self) -> dict[str, dict[str, Port]]:
        """Return the AXI4-Stream ports that `top` has: stream by name, its ports by signal."""
        ports = {port.name: port for port in self.ports}
        found = {
            stream: {
                signal: ports[f"{stream}_{signal}"]
                for signal in AXIS_SIGNALS
                if f"{stream}_{signal}" in ports
            }
            for stream in AXIS
        }
        return {stream: signals for stream, signals in found.items() if signals}

    def others(self) -> list[Port]:
        """Return the ports that are neither clock nor reset nor of a stream."""
        used = {port.name for signals in self.streams().values() for port in signals.values()}
        return [p for p in self.ports if p.name not in used | {self.clock, self.reset}]

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
