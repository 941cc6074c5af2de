// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Digest store for an engine on Boolean shares, in block RAM of ECP5. No register of a masked engine
// holds a share of its state: a share is a sum of products. A clock later it is in registers, after
// theta, rho and pi. The store keeps it in that form, with the parities C of its columns, and
// undoes the three steps when a lane leaves (FIPS 202, section 3.2.1):
//
//   A[x, y] = theta(A)[x, y] ^ C[x-1] ^ rotl(C[x+1], 1)
//
// So a bit of a state takes no LUT in front of the store, and a bit of a word one LUT4 after it.
// A share has a block RAM for each slice z, 64 in all, with an item for each lane and five for the
// parities. Shares are next to each other in all ports and never meet.
//
//   clock 0   write_i, and parity_i
//   clock 1   linear_i
//   clock 6   ready_o: the parities have been read, and words may be read
//
// Words come in the order of lanes, data_o three clocks after read_i. A state must not be written
// before the last word of the one before has been read. Its words may then still arrive. A state
// may be left before its last word.
//
// Without the macro HF_ECP5 it has its ports only.

module hf_keccak_linear_store
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Shares = 2,
    parameter  int unsigned DataWidth = 64,  // of a share's word: 8, 16, 32 or 64
    localparam int unsigned PlaneWidth = 5 * LaneWidth
) (
    input logic clk_i,
    input logic rst_i,

    input logic                         write_i,
    input logic [Shares*PlaneWidth-1:0] parity_i,
    input logic [Shares*StateWidth-1:0] linear_i,

    output logic                        ready_o,
    input  logic                        read_i,
    output logic [Shares*DataWidth-1:0] data_o
);

  localparam int unsigned WordsPerLane = LaneWidth / DataWidth;
  localparam int unsigned PartBits = (WordsPerLane == 1) ? 1 : $clog2(WordsPerLane);
  localparam int unsigned Items = 32;  // of a slice: lanes from 0 on, parities at the end
  localparam int unsigned FirstParity = Items - 5;
  localparam int unsigned Groups = 16;  // of slices, with a copy of the controls
  typedef logic [$clog2(Items)-1:0] item_t;
  typedef logic [PartBits-1:0] part_t;

  ////////////////////
  // Control        //
  ////////////////////

  item_t item_q;  // to be read next
  part_t part_q;  // which word of it
  logic loading_q;  // the parities are read
  logic lane_ends;

  assign ready_o = !loading_q;
  assign lane_ends = 32'(part_q) == WordsPerLane - 1;

  always_ff @(posedge clk_i) begin
    if (rst_i) loading_q <= 1'b0;
    else if (write_i) loading_q <= 1'b1;
    else if (item_q == item_t'(Items - 1)) loading_q <= 1'b0;

    if (write_i) begin
      item_q <= item_t'(FirstParity);
      part_q <= '0;
    end else if (loading_q) begin
      item_q <= item_q + 1'b1;
    end else if (read_i) begin
      part_q <= lane_ends ? '0 : part_q + 1'b1;
      if (lane_ends) item_q <= item_q + 1'b1;
    end
  end

  // That number of clocks ago: a parity was read; the last word of a lane; and which word it was.
  logic [3:1] parity_read_q, lane_read_q;
  part_t [3:1] part_read_q;
  always_ff @(posedge clk_i) begin
    parity_read_q <= {parity_read_q[2:1], loading_q};
    lane_read_q   <= {lane_read_q[2:1], read_i && lane_ends};
    part_read_q   <= {part_read_q[2:1], part_q};
  end

  ////////////////////
  // Shares         //
  ////////////////////

  for (genvar s = 0; s < Shares; s++) begin : gen_share
    plane_t parity_q;
    state_t linear, changed;  // after theta, rho and pi; after theta only
    lane_t item, lane;
    plane_t columns_q;  // parities of x - 0 to x - 4, of the lane that arrives

    always_ff @(posedge clk_i) parity_q <= parity_i[PlaneWidth*s+:PlaneWidth];
    assign linear = linear_i[StateWidth*s+:StateWidth];

    // Lane (x, y) is at (y, 2x + 3y) after pi (section 3.2.3).
    for (genvar y = 0; y < 5; y++) begin : gen_y
      for (genvar x = 0; x < 5; x++) begin : gen_x
        assign changed[y][x] = rotl(linear[(2*x+3*y)%5][y], LaneWidth - RhoOffset[5*y+x]);
      end
    end

    for (genvar g = 0; g < Groups; g++) begin : gen_group
      logic group_write;
      item_t group_item;
      hf_copies #(
          .Width(1 + $bits(item_t))
      ) u_control (
          .clk_i,
          .d_i({write_i, item_q}),
          .q_o({group_write, group_item})
      );
      for (genvar i = 0; i < LaneWidth / Groups; i++) begin : gen_slice
        localparam int unsigned Z = g * (LaneWidth / Groups) + i;
        logic [Items-1:0] items;
        always_comb begin
          items = '0;
          for (int unsigned k = 0; k < 25; k++) items[k] = changed[k/5][k%5][Z];
          for (int unsigned x = 0; x < 5; x++) items[FirstParity+x] = parity_q[x][Z];
        end
        hf_ecp5_gear_ram #(
            .RowBits(1),
            .Reads  (1)
        ) u_ram (
            .clk_i,
            .write_i     (group_write),
            .write_row_i (1'b0),
            .write_data_i(items),
            .read_i      (!group_write),
            .read_row_i  (1'b0),
            .read_word_i (group_item),
            .out_i       (1'b1),
            .read_data_o (item[Z])
        );
      end
    end

    // C[0] to C[4] in columns_q for a lane with x = 0, from C[x] on for the others.
    always_ff @(posedge clk_i) begin
      if (parity_read_q[3]) columns_q <= {item, columns_q[4:1]};
      else if (lane_read_q[3]) columns_q <= {columns_q[0], columns_q[4:1]};
    end
    assign lane = item ^ columns_q[4] ^ rotl(columns_q[1], 1);
    assign data_o[DataWidth*s+:DataWidth] = DataWidth'(lane >> (DataWidth * 32'(part_read_q[3])));
  end

endmodule
