"""Area on standard cells: netlists with RAM in flip-flops and as macros, rows, the page."""
