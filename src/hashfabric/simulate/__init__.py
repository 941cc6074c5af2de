"""Cycle-accurate simulation: the Verilated RTL and the C++ that drives it."""
