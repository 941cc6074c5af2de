"""Hash families, one module each: its functions, padding and golden model."""
