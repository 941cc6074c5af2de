"""Netlists and libraries of cells as graphs, and their activity gate by gate."""
