// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A memory with one port, which writes or reads. It maps to a block RAM with its output register:
// data two clocks after the address. While it writes, the word that was read stays.

(* keep_hierarchy = "yes" *)
module hf_ram_1 #(
    parameter  int unsigned Width = 8,
    parameter  int unsigned Depth = 256,
    localparam int unsigned AddrWidth = $clog2(Depth)
) (
    input logic clk_i,

    input  logic                 write_i,
    input  logic [AddrWidth-1:0] addr_i,
    input  logic [    Width-1:0] write_data_i,
    output logic [    Width-1:0] read_data_o
);

  (* ram_style = "block" *) logic [Width-1:0] mem[Depth];
  logic [Width-1:0] read_q;

  always_ff @(posedge clk_i) begin
    if (write_i) mem[addr_i] <= write_data_i;
    else read_q <= mem[addr_i];
    read_data_o <= read_q;
  end

endmodule
