"""One module a tool flow: what a target of that flow says, and how its tools are driven."""
