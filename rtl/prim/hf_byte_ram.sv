// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A processor's memory: words of 32 bits, one port, a write enable for each byte. It maps to block
// RAM. Data come one clock after the address; in a clock that writes they are undefined.

module hf_byte_ram #(
    parameter  int unsigned Words     = 4096,
    localparam int unsigned AddrWidth = $clog2(Words)
) (
    input  logic                 clk_i,
    input  logic [          3:0] write_i,  // bit b: bits 8b+7 .. 8b of the word
    input  logic [AddrWidth-1:0] addr_i,
    input  logic [         31:0] wdata_i,
    output logic [         31:0] rdata_o
);

  // One memory for each byte: each has a plain write enable, whatever the target's block RAM
  // supports.
  for (genvar b = 0; b < 4; b++) begin : gen_byte
    (* no_rw_check *) logic [7:0] mem[Words];
    always_ff @(posedge clk_i) begin
      if (write_i[b]) mem[addr_i] <= wdata_i[8*b+:8];
      rdata_o[8*b+:8] <= mem[addr_i];
    end
  end

endmodule
