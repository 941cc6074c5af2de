"""The designs, the places of their RTL, and their measured rows."""
