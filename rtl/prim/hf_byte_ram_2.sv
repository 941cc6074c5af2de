// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_byte_ram with a second, read-only port, for a processor that fetches and loads in the same
// clock. Data come one clock after the address. The data of a word that is written in that clock
// are undefined at both ports.

module hf_byte_ram_2 #(
    parameter  int unsigned Words     = 4096,
    localparam int unsigned AddrWidth = $clog2(Words)
) (
    input  logic                 clk_i,
    input  logic [          3:0] write_i,  // bit b: bits 8b+7 .. 8b of the word
    input  logic [AddrWidth-1:0] addr_i,
    input  logic [         31:0] wdata_i,
    output logic [         31:0] rdata_o,

    input  logic [AddrWidth-1:0] fetch_addr_i,
    output logic [         31:0] fetch_data_o
);

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    (* no_rw_check *) logic [7:0] mem[Words];
    always_ff @(posedge clk_i) begin
      if (write_i[b]) mem[addr_i] <= wdata_i[8*b+:8];
      rdata_o[8*b+:8] <= mem[addr_i];
      fetch_data_o[8*b+:8] <= mem[fetch_addr_i];
    end
  end

endmodule
