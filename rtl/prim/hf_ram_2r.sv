// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A memory with one write port and two read ports. It maps to two block RAMs: data one clock after
// the address. A read in the clock that writes the same word is undefined.

module hf_ram_2r #(
    parameter  int unsigned Width     = 32,
    parameter  int unsigned Depth     = 256,
    localparam int unsigned AddrWidth = $clog2(Depth)
) (
    input logic clk_i,

    input logic                 write_i,
    input logic [AddrWidth-1:0] write_addr_i,
    input logic [    Width-1:0] write_data_i,

    input  logic [AddrWidth-1:0] addr_1_i,
    output logic [    Width-1:0] data_1_o,
    input  logic [AddrWidth-1:0] addr_2_i,
    output logic [    Width-1:0] data_2_o
);

  (* no_rw_check *) logic [Width-1:0] bank_1[Depth];
  (* no_rw_check *) logic [Width-1:0] bank_2[Depth];

  always_ff @(posedge clk_i) begin
    if (write_i) begin
      bank_1[write_addr_i] <= write_data_i;
      bank_2[write_addr_i] <= write_data_i;
    end
    data_1_o <= bank_1[addr_1_i];
    data_2_o <= bank_2[addr_2_i];
  end

endmodule
