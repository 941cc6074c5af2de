// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The states of a compact engine: five memories, one for each sheet (x), 64 bits wide, with lane
// (x, y) of each slot. A write stores a plane. A read returns the lanes that pi puts into one row
// of its result, one from each sheet: row Y has lanes (x, x + 2Y mod 5). Distributed RAM: written
// data can be read in the next clock; a read takes no clock.

module hf_keccak_dsp_sheets
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Slots = 2,
    localparam int unsigned SlotWidth = (Slots > 1) ? $clog2(Slots) : 1
) (
    input  logic                   clk_i,
    input  logic   [          2:0] plane_i,  // write: plane
    input  logic   [SlotWidth-1:0] slot_i,  // write: slot
    input  plane_t                 a_i,
    input  logic   [          2:0] row_i,    // read: row
    input  logic   [SlotWidth-1:0] from_i,  // read: slot
    output plane_t                 lanes_o
);

  for (genvar x = 0; x < 5; x++) begin : gen_sheet
    (* ram_style = "distributed" *) lane_t mem[8 << SlotWidth];
    logic [2:0] y;
    assign y = 3'((x + 2 * 32'(row_i)) % 5);
    always_ff @(posedge clk_i) mem[{slot_i, plane_i}] <= a_i[x];
    assign lanes_o[x] = mem[{from_i, y}];
  end

endmodule
