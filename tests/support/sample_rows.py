"""Rows as if they had been measured, for the tests of what is made from rows."""

from pathlib import Path

from hashfabric.flows.base import RoutedTarget
from hashfabric.flows.targets import find_target
from hashfabric.registry.designs import find_design, source_hash
from hashfabric.registry.results import BuildProvenance, Fmax, MeasuredRow


def of_one_seed(row: MeasuredRow) -> MeasuredRow:
    """The same row with a clock of one seed of two."""
    fmax = Fmax.of({1: 120.0, 2: None}, {2: "not routed within 600 s"})
    return row.model_copy(update={"fmax_mhz": fmax})


def row_for(root: Path) -> MeasuredRow:
    """A row of the toy as if it had been measured."""
    fmax = Fmax.of({1: 120.0, 2: 100.0, 3: None, 4: 110.0}, {3: "not routed within 600 s"})
    target = find_target("ecp5-85k", root)
    assert isinstance(target, RoutedTarget)
    return MeasuredRow(
        name="toy",
        variant="core",
        target="ecp5-85k",
        device="ECP5-85k",
        lut="LUT4",
        block_bits=1088,
        clocks_per_block=24.0,
        slots=1,
        fmax_mhz=fmax,
        luts=5000,
        luts_core=4444,
        luts_detail={},
        ffs=7000,
        ffs_core=3333,
        dsps=0,
        brams=0,
        gbps=4.9867,
        mbps_per_lut=0.9973,
        bitstream_seed=4,
        provenance=BuildProvenance(
            tools={"yosys": "0.70"},
            commands={
                "core": target.synth_text("toy"),
                "route": target.route_text(4),
            },
            seeds=[1, 2, 3, 4],
            constraint_mhz=300.0,
            source_hash=source_hash(find_design("toy", root).variant("core"), root),
            harness_hash="0" * 64,
            netlists={"core": "1" * 64, "harness": "2" * 64},
            clocks_measured_by="simulation",
            keys={},
        ),
    )
