"""One module for each tool flow: the data of its targets, and how its tools are run."""
