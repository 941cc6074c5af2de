// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The states of a compact engine's messages: five memories, one for each sheet (x), 64 bits wide, with
// lane (x, y) of each slot. A plane is written at once; read are the lanes that pi puts into one row
// of its result, one from each sheet: row Y has lanes (x, x + 2Y mod 5). Distributed RAM: what is
// written is there in the next clock, what is read in the same.

module hf_keccak_dsp_sheets
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Slots = 2,
    localparam int unsigned SlotWidth = (Slots > 1) ? $clog2(Slots) : 1
) (
    input  logic                   clk_i,
    input  logic   [          2:0] plane_i,  // written
    input  logic   [SlotWidth-1:0] slot_i,
    input  plane_t                 a_i,
    input  logic   [          2:0] row_i,    // read
    input  logic   [SlotWidth-1:0] from_i,
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
