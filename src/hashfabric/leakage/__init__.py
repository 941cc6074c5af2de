"""Leakage of masked designs, on mapped netlists: probes that are proved harmless, and a t-test.

`polynomials` decides whether what a probe observes is independent of the secrets; `probing` finds
what each wire of a netlist lets a probe observe; `traces` simulates a netlist with glitches, many
traces at once, and tests their power; `masked` has the parts of `keccak-masked` to which both are
applied, and how.
"""
