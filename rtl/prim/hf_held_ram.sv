// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_ram with enables, also for few rows: read_i enables the read, out_i enables the output
// register. A row must not be read in the clock that writes it.

(* keep_hierarchy = "yes" *)
module hf_held_ram #(
    parameter  int unsigned Width = 36,
    parameter  int unsigned Depth = 16,
    localparam int unsigned AddrWidth = $clog2(Depth)
) (
    input logic clk_i,

    input logic                 write_i,
    input logic [AddrWidth-1:0] write_addr_i,
    input logic [    Width-1:0] write_data_i,

    input  logic                 read_i,
    input  logic [AddrWidth-1:0] read_addr_i,
    input  logic                 out_i,
    output logic [    Width-1:0] read_data_o
);

  (* no_rw_check, ram_style = "block" *) logic [Width-1:0] mem[Depth];
  logic [Width-1:0] read_q;

  always_ff @(posedge clk_i) begin
    if (write_i) mem[write_addr_i] <= write_data_i;
    if (read_i) read_q <= mem[read_addr_i];
    if (out_i) read_data_o <= read_q;
  end

endmodule
