"""Lattice ECP5: nextpnr and what is done to a placed design before it is routed."""
