"""From a registry entry to measured rows."""
