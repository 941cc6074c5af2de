"""The Hashfabric lab: registry, models, simulation, implementation, papers, reports."""
