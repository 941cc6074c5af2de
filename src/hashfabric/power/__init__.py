"""Gate-level power: activity from simulating a mapped netlist, energy from the cells' liberty.

`liberty` and `boolean` read the library, `circuit` a mapped netlist (`cells` knows the FPGAs'
cells), `gates` simulates it with unit delays and counts every net's edges, `stimulus` drives it
through the engine contract and checks all that leaves, `energy` adds up, `measure` does it all.
"""
