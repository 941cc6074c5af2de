// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Memories of `Depth` words for the lanes of a Keccak state, with common addresses and a write
// enable each. Data come one clock after the address, and are zero if `zero_i` was high with it. A
// word must not be read in the clock that writes it. `kept_data_o` has the data where `zero_i` was
// high, but not `zero_kept_i`, in registers of its own. They are removed if they are not read; there
// are none with BlockRam.
//
// A lane's memory is small and maps to distributed RAM, whose output register clears without a LUT.
// BlockRam is for devices without distributed RAM: the lanes share block RAM, whose output cannot
// be cleared. So zeros are read from its second half, which has been zero since configuration.

module hf_lane_ram #(
    parameter  int unsigned Lanes = 1,
    parameter  int unsigned Width = 4,       // of a lane's word
    parameter  int unsigned Depth = 16,      // a power of two
    parameter  bit          BlockRam = 1'b0,
    localparam int unsigned AddrWidth = $clog2(Depth)
) (
    input logic clk_i,

    input logic [    Lanes-1:0]            write_i,
    input logic [AddrWidth-1:0]            write_addr_i,
    input logic [    Lanes-1:0][Width-1:0] write_data_i,

    input  logic [AddrWidth-1:0]            read_addr_i,
    input  logic                            zero_i,
    input  logic                            zero_kept_i,
    output logic [    Lanes-1:0][Width-1:0] read_data_o,
    output logic [    Lanes-1:0][Width-1:0] kept_data_o
);

  if (BlockRam) begin : gen_block
    (* no_rw_check, ram_style = "block" *) logic [Lanes*Width-1:0] mem[2*Depth];
    initial for (int unsigned i = 0; i < 2 * Depth; i++) mem[i] = '0;
    always_ff @(posedge clk_i) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (write_i[l]) mem[{1'b0, write_addr_i}][l*Width+:Width] <= write_data_i[l];
      end
      read_data_o <= mem[{zero_i, read_addr_i}];
    end
    assign kept_data_o = '0;
    logic unused_zero;
    assign unused_zero = zero_kept_i;
  end else begin : gen_distributed
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      (* no_rw_check, ram_style = "distributed" *) logic [Width-1:0] mem[Depth];
      always_ff @(posedge clk_i) begin
        if (write_i[l]) mem[write_addr_i] <= write_data_i[l];
        if (zero_i) read_data_o[l] <= '0;
        else read_data_o[l] <= mem[read_addr_i];
        if (zero_kept_i) kept_data_o[l] <= '0;
        else kept_data_o[l] <= mem[read_addr_i];
      end
    end
  end

endmodule
