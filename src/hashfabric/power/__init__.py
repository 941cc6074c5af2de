"""Gate-level power: activity from simulating a mapped netlist, energy from the cells' liberty.

`liberty` and `boolean` read the library, `circuit` a mapped netlist (`cells` has the FPGAs'
cells). `gates` simulates it, with each net's delays from the liberty (on FPGAs the same delay for
all), and counts every net's edges. `stimulus` drives it through the engine contract and checks
every state that it outputs, `energy` computes delays and adds up energies, `measure` runs it.
"""
