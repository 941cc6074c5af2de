"""Targets, and the tools that synthesise, place and route for them: one module for each flow."""
