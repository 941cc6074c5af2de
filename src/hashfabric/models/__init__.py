"""Golden models of the other finalists, one module a family."""
