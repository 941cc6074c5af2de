"""What there is: designs, where their RTL is, and what was measured of them."""
