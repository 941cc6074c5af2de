"""Fault campaigns: what a design does with one wrong bit in its mapped netlist."""
