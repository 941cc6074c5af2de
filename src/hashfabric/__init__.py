"""The lab of Hashfabric: proves, measures and compares hash hardware for FPGAs.

Its rooms, from the top down; each imports only from itself and from those below it:

    commands    the command line: one function a command
    site        static pages with the results, designs, papers and documents
    report      tables, plots and pages made of the rows in results/
    leakage     masked designs: probes that are proved harmless, and a t-test
    faults      checked designs: what they do with one wrong bit in their netlist
    power       gate-level energy: stimulus, activity, rows
    area        gate equivalents of designs on standard cells
    export      designs in the forms that other tools read
    implement   from a registry entry to measured rows: synthesis, place and route
    simulate    cycle-accurate simulation: the Verilated RTL and the C++ that drives it
    flows       targets, and the tools that synthesise, place and route for them
    papers      the papers' tables, the audit of their figures, our rows beside them
    registry    designs, the places of their RTL, their registers, and their measured rows
    netlist     netlists and libraries of cells as graphs, and their activity
    models      hash families: functions, padding, golden models
    base        files, cache, progress, tools: nothing about hashes
"""
