# Makes Verilog of what GHDL 2.0 writes with --out=verilog, where that is none.

# An empty module for the component `core`, which the exported Verilog has.
$1 == "module" && $2 == core { inside = 1 }

# Constants of more than 32 bits as strings of characters: "0101" for 4'b0101.
!inside {
  while (match($0, /"[01]+"/)) {
    digits = substr($0, RSTART + 1, RLENGTH - 2)
    $0 = substr($0, 1, RSTART - 1) length(digits) "'b" digits substr($0, RSTART + RLENGTH)
  }
  print
}

$1 == "endmodule" { inside = 0 }
