"""Targets, and the tools that synthesise, place and route for them."""
