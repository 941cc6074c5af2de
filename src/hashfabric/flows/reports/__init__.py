"""Figures of vendors' tools on a run, read from their reports."""
