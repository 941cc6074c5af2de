// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A memory with one write port and one read port. It maps to a block RAM with its output register:
// data two clocks after the address. A word must not be read in the clock that writes it.

(* keep_hierarchy = "yes" *)
module hf_ram #(
    parameter  int unsigned Width = 128,
    parameter  int unsigned Depth = 128,
    localparam int unsigned AddrWidth = $clog2(Depth)
) (
    input logic clk_i,

    input logic                 write_i,
    input logic [AddrWidth-1:0] write_addr_i,
    input logic [    Width-1:0] write_data_i,

    input  logic [AddrWidth-1:0] read_addr_i,
    output logic [    Width-1:0] read_data_o
);

  (* no_rw_check, ram_style = "block" *) logic [Width-1:0] mem[Depth];
  logic [Width-1:0] read_q;

  always_ff @(posedge clk_i) begin
    if (write_i) mem[write_addr_i] <= write_data_i;
    read_q <= mem[read_addr_i];
    read_data_o <= read_q;
  end

endmodule
