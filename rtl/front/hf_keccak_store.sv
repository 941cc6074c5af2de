// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// State store: writes whole states of 1,600 bits into a memory that is read in words of DataWidth
// bits, three clocks after the address. A state can be read until the next one is written to its
// row. Two forms:
//
//   ECP5    macro HF_ECP5 and StatesInBlockRam = 1: a block RAM for each slice z, which is written
//           with the state's 25 bits of z at once and read by the lanes of a word. It has no LUT,
//           and each RAM can be placed near the theta and chi logic of its slice. A state may
//           come in any clock; the address of a word may come from the clock after write_i on.
//   others  the state is captured in registers and written word by word. States come at least Words
//           + 1 clocks apart; the address of word w may come from 6 + w clocks after write_i on.
//           Soon must be set.

module hf_keccak_store
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,
    parameter  int unsigned RowBits = 3,
    parameter  bit          HasWriteNext = 1'b1,  // write_next_i and write_next_row_i are valid
    parameter  bit          StatesInBlockRam = 1'b1,  // the ECP5 form, if the macro is set
    localparam int unsigned Lanes = DataWidth / LaneWidth,
    localparam int unsigned Words = (25 + Lanes - 1) / Lanes,
    localparam int unsigned WordBits = $clog2(Words)
) (
    input logic clk_i,
    input logic rst_i,

    input logic                  write_next_i,      // write_i is high in the next clock
    input logic [   RowBits-1:0] write_next_row_i,  // and write_row_i is this row
    input logic                  write_i,
    input logic [   RowBits-1:0] write_row_i,
    input logic [StateWidth-1:0] state_i,

    input  logic [  RowBits-1:0] read_row_i,
    input  logic [ WordBits-1:0] read_word_i,
    output logic [DataWidth-1:0] read_data_o
);

  localparam bit UsesBlockRam = StatesInBlockRam && hf_ecp5_pkg::HasGearRam;

  if (UsesBlockRam) begin : gen_slices
    // The slices are in groups. Each group has a copy of the control signals, fed by a trunk.
    // Designs with more rounds have wider words and spread their block RAMs wider, so they use
    // fewer, larger groups.
    // Groups of slices with a copy of the controls.
    localparam int unsigned Groups = (Lanes > 2) ? 16 : 32;
    localparam int unsigned Trunks = Groups / 4;
    localparam int unsigned RamWordBits = 5 - $clog2(Lanes);

    logic [StateWidth-1:0] state_q;
    always_ff @(posedge clk_i) state_q <= state_i;

    logic [Trunks-1:0][RowBits:0] trunk_control;  // controls for four groups: write, row
    for (genvar t = 0; t < Trunks; t++) begin : gen_trunk
      if (HasWriteNext) begin : gen_copy
        hf_copies #(
            .Width(1 + RowBits)
        ) u_write (
            .clk_i,
            .d_i({write_next_i, write_next_row_i}),
            .q_o(trunk_control[t])
        );
      end else begin : gen_now
        assign trunk_control[t] = {write_i, write_row_i};
      end
    end

    for (genvar g = 0; g < Groups; g++) begin : gen_group
      logic group_write;
      logic [RowBits-1:0] write_row, read_row;
      logic [WordBits-1:0] read_word;
      hf_copies #(
          .Width(1 + 2 * RowBits + WordBits)
      ) u_control (
          .clk_i,
          .d_i({trunk_control[g*Trunks/Groups], read_row_i, read_word_i}),
          .q_o({group_write, write_row, read_row, read_word})
      );
      for (genvar i = 0; i < LaneWidth / Groups; i++) begin : gen_slice
        localparam int unsigned Z = g * (LaneWidth / Groups) + i;
        logic [31:0] slice_bits;  // the state's bits of slice z
        logic [Lanes-1:0] read_bits;
        always_comb begin
          slice_bits = '0;
          for (int unsigned k = 0; k < 25; k++) slice_bits[k] = state_q[LaneWidth*k+Z];
        end
        hf_ecp5_gear_ram #(
            .RowBits(RowBits),
            .Reads  (Lanes)
        ) u_ram (
            .clk_i,
            .write_i     (group_write),
            .write_row_i (write_row),
            .write_data_i(slice_bits),
            .read_i      (1'b1),
            .read_row_i  (read_row),
            .read_word_i (RamWordBits'(read_word)),
            .out_i       (1'b1),
            .read_data_o (read_bits)
        );
        for (genvar k = 0; k < Lanes; k++) begin : gen_lane
          assign read_data_o[LaneWidth*k+Z] = read_bits[k];
        end
      end
    end

    logic unused_inputs;
    assign unused_inputs = ^{rst_i, write_next_i, write_next_row_i, write_i, write_row_i};
  end else begin : gen_words
    localparam int unsigned NumLanes = 25;
    localparam int unsigned Parts = (Words + 3) / 4;

    logic [NumLanes-1:0] capture_lane;  // captures a lane of state_i
    for (genvar i = 0; i < NumLanes; i++) begin : gen_capture
      if (HasWriteNext) begin : gen_copy
        hf_copy u_capture (
            .clk_i,
            .d_i(write_next_i),
            .q_o(capture_lane[i])
        );
      end else begin : gen_now
        assign capture_lane[i] = write_i;
      end
    end

    // Selection in two steps, one-hot, with a copy of the selector for each lane of a word.
    logic [4*Parts*Lanes-1:0][LaneWidth-1:0] state_q;
    logic [Lanes-1:0][4*Parts-1:0] select_word;  // one-hot: the word to be written, for each lane
    // Words selected in groups of four.
    logic [Parts-1:0][DataWidth-1:0] group_word_d, group_word_q;
    logic [DataWidth-1:0] selected_word_d, selected_word_q;  // the selected word

    for (genvar i = 0; i < 4 * Parts * Lanes; i++) begin : gen_state
      if (i < NumLanes) begin : gen_lane
        always_ff @(posedge clk_i) begin
          if (capture_lane[i]) state_q[i] <= state_i[LaneWidth*i+:LaneWidth];
        end
      end else begin : gen_none
        assign state_q[i] = '0;
      end
    end
    for (genvar k = 0; k < Lanes; k++) begin : gen_select
      for (genvar w = 0; w < 4 * Parts; w++) begin : gen_word
        if (w == 0) begin : gen_first
          hf_copy u_select (
              .clk_i,
              .d_i(write_i),
              .q_o(select_word[k][w])
          );
        end else begin : gen_next
          hf_copy u_select (
              .clk_i,
              .d_i(select_word[k][w-1]),
              .q_o(select_word[k][w])
          );
        end
      end
    end
    always_comb begin
      group_word_d = '0;
      selected_word_d = '0;
      for (int unsigned w = 0; w < 4 * Parts; w++) begin
        for (int unsigned k = 0; k < Lanes; k++) begin
          group_word_d[w/4][LaneWidth*k+:LaneWidth] |=
              state_q[w*Lanes+k] & {LaneWidth{select_word[k][w]}};
        end
      end
      for (int unsigned p = 0; p < Parts; p++) selected_word_d |= group_word_q[p];
    end

    logic unused_inputs;
    assign unused_inputs = ^write_next_row_i;

    // The words follow each other; the first is written three clocks after write_i.
    logic [2:1] since_write_q;  // write_i was high one clock ago; two clocks ago
    logic write_enable_q;
    // write_row1_q, write_row2_q: row of the state, one and two clocks after write_i.
    logic [RowBits-1:0] write_row1_q, write_row2_q, write_row_q, read_row_q;
    logic [WordBits-1:0] write_word_q, read_word_q;

    always_ff @(posedge clk_i) begin
      group_word_q <= group_word_d;
      selected_word_q <= selected_word_d;
      write_row1_q <= write_row_i;
      write_row2_q <= write_row1_q;
      since_write_q <= rst_i ? '0 : {since_write_q[1], write_i};

      if (rst_i) write_enable_q <= 1'b0;
      else if (since_write_q[2]) write_enable_q <= 1'b1;
      else if (write_word_q == WordBits'(Words - 1)) write_enable_q <= 1'b0;
      if (since_write_q[2]) begin
        write_row_q  <= write_row2_q;
        write_word_q <= '0;
      end else begin
        write_word_q <= write_word_q + WordBits'(1);
      end

      read_row_q  <= read_row_i;
      read_word_q <= read_word_i;
    end

    hf_ram #(
        .Width(DataWidth),
        .Depth(1 << (RowBits + WordBits))
    ) u_states (
        .clk_i,
        .write_i     (write_enable_q),
        .write_addr_i({write_row_q, write_word_q}),
        .write_data_i(selected_word_q),
        .read_addr_i ({read_row_q, read_word_q}),
        .read_data_o
    );
  end

endmodule
