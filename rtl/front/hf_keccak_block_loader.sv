// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Block loader of the front end with several slots: reads a block from the queue word by word,
// builds it (the message, the zeros and last 1 of the pad (FIPS 202, section 5.1), the saved state
// where a message is restored), and hands it to a rotating engine.
//
// The words enter a free-running shift register, which is complete in exactly the clock in which
// the engine reads it. A block never waits there, so the register needs no enable.
//
// Errors: none. The block of a bad message is loaded like any other.
//
// Timing: clock 0 is the clock of the decision on a load (hf_keccak_slot_arbiter).
//
//   1                  the load is on its ports; restore_state_o, if a state is to be restored
//   3 .. Words + 3     the words are read, and one more, because a block may begin within a word
//   7 ..               lanes after the block's end are cleared
//   9 ..               the words are shifted to lane 0, xored with the words of the saved state, if
//                      there is one, and padded
//   Lead               the block's handshake
//   Lead + DataDelay   all words are shifted in; the engine reads the block
//
// If the slot has no successor block when its state comes back, the state leaves the engine, is
// stored, and later returns as a first block with state ^ block.

module hf_keccak_block_loader
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned PortWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned WordWidth = 128,  // width of a word of a load, in bits
    parameter  int unsigned Slots = 4,
    parameter  int unsigned DataDelay = 3,    // clocks from a handshake to its data
    parameter  bit          Pads = 1'b1,      // as in hf_keccak_slots
    parameter  bit          Restores = 1'b0,  // as in hf_keccak_slots
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned RowBits = row_bits(PortWidth),
    localparam int unsigned PortLaneBits = index_bits(port_lanes(PortWidth)),
    localparam int unsigned RowWordBits = row_word_bits(WordWidth),
    localparam int unsigned Lead = lead_clocks(WordWidth, DataDelay)
) (
    input logic clk_i,
    input logic rst_i,

    // The load: as in hf_keccak_slot_arbiter, and in clock 1 as in hf_keccak_load_fields.
    input logic                     block_due_i,
    input logic  [          Lead:1] load_started_i,
    input load_t                    load_fields_i,
    input logic  [   SlotWidth-1:0] load_slot_i,
    input logic  [     RowBits-1:0] load_row_i,
    input logic  [PortLaneBits-1:0] load_split_i,

    // Reads from the queue: data two clocks after the address. Reads of a saved state: one word a
    // clock, the first six clocks after restore_state_o.
    output logic [  SlotWidth-1:0] read_slot_o,
    output logic [    RowBits-1:0] read_row_o,
    output logic [RowWordBits-1:0] read_word_o,
    input  logic [  WordWidth-1:0] read_data_i,
    output logic                   restore_state_o,
    input  logic [  WordWidth-1:0] state_data_i,

    // The engine contract (docs/reference/contract.md).
    output logic                  blk_valid_o,
    output logic                  blk_first_o,
    output logic                  blk_last_o,
    output logic                  blk_restore_o,  // Restores = 1: it has the saved state
    output logic [StateWidth-1:0] blk_o
);

  localparam int unsigned PortLanes = port_lanes(PortWidth);
  localparam int unsigned WordLanes = word_lanes(WordWidth);
  localparam int unsigned WordLaneBits = $clog2(WordLanes);
  localparam int unsigned Words = state_words(WordWidth);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [RowBits-1:0] queue_row_t;
  typedef logic [PortLaneBits-1:0] port_lane_t;

  /////////////////////
  // Places          //
  /////////////////////

  // The fields that a load's words need follow them.
  slot_t load_slot2_q;
  queue_row_t load_row2_q;
  port_lane_t [7:2] load_split_q;  // [n]: in clock n
  logic [6:2] load_restores_q;
  logic [6:2] load_final_q;
  rate_t [5:2] load_rate_q;
  logic load_squeezes2_q;
  lane_count_t not_rate2_q;
  row_lane_t end_lane2_q;
  // Message lanes of the block; for a message's last block: of the row.
  lane_count_t block_lanes3_q;
  lane_count_t row_lanes4_q;  // message lanes of the row

  // The number of words before the word in which the message (end_word5_q) or the pad (pad_word7_q)
  // ends; negative after it. And the message lanes of that word, or the lane of the pad's last 1.
  localparam int unsigned CountBits = 6 - WordLaneBits;
  logic [CountBits-1:0] end_word5_q, pad_word7_q;
  logic [WordLaneBits-1:0] end_lanes5_q, pad_lane7_q;
  lane_count_t pad_lane6_q;  // lane of the pad's last 1 in the block
  logic [WordLanes-1:0] lane_after6_q;  // lanes of the word after the message's end
  // High if no state is restored: one copy for each CopyWidth bits of a word.
  localparam int unsigned CopyWidth = 32;
  logic [WordWidth/CopyWidth-1:0] no_state7_q;

  assign restore_state_o = load_started_i[1] && load_fields_i.restore_state;

  always_ff @(posedge clk_i) begin
    load_slot2_q <= load_slot_i;
    load_row2_q  <= load_row_i;
    if (load_started_i[2]) begin
      read_slot_o <= load_slot2_q;
      read_row_o  <= load_row2_q;
      read_word_o <= '0;
    end else begin
      read_word_o <= read_word_o + RowWordBits'(1);
    end

    load_split_q <= {load_split_q[6:2], load_split_i};
    load_restores_q <= {load_restores_q[5:2], load_fields_i.restore_state};
    load_final_q <= {load_final_q[5:2], load_fields_i.final_block};
    load_rate_q <= {load_rate_q[4:2], load_fields_i.function_rate};
    pad_lane6_q <= lane_count_t'(minus_one(8'(lanes_of(load_rate_q[5]))));
    load_squeezes2_q <= load_fields_i.squeeze_only;
    not_rate2_q <= ~lanes_of(load_fields_i.function_rate);
    end_lane2_q <= load_fields_i.end_lane;
    block_lanes3_q <= load_squeezes2_q ? '0 :
        (load_final_q[2] ? lane_count_t'(plus_one(8'(end_lane2_q))) : ~not_rate2_q);
    row_lanes4_q <= block_lanes3_q + (load_final_q[3] ? '0 : lane_count_t'(load_split_q[3]));

    // Counted down over the words of a load, which are too few for a negative number to wrap to
    // zero.
    if (load_started_i[4]) {end_word5_q, end_lanes5_q} <= {1'b0, row_lanes4_q};
    else end_word5_q <= CountBits'(minus_one(8'(end_word5_q)));
    if (load_started_i[6]) begin
      {pad_word7_q, pad_lane7_q} <= {!load_final_q[6], pad_lane6_q};
    end else begin
      pad_word7_q <= CountBits'(minus_one(8'(pad_word7_q)));
    end
  end

  for (genvar i = 0; i < WordWidth / CopyWidth; i++) begin : gen_no_state
    hf_copy u_no_state (
        .clk_i,
        .d_i(load_started_i[6] ? !load_restores_q[6] : no_state7_q[i]),
        .q_o(no_state7_q[i])
    );
  end

  /////////////////////
  // Words           //
  /////////////////////

  logic [WordWidth-1:0] read_data6_q;  // in registers: the RAM may be placed far away
  logic [WordWidth-1:0] next_word7_q, this_word8_q;  // the following word, and the word itself
  logic [WordWidth-1:0] state_word8_q;  // the word of the saved state, or zero
  port_lane_t word_split8_q;  // lane in which the block begins
  logic [WordLanes-1:0] pad_lane8_q;  // one-hot: the lane of the pad's last 1
  logic [WordWidth-1:0] block_word, block_word_q;  // shifted, with state and pad
  logic [Words*WordWidth-1:0] block_words_q;  // the block

  always_comb begin
    block_word = WordWidth'({next_word7_q, this_word8_q} >> (LaneWidth * word_split8_q)) ^
        state_word8_q;
    for (int unsigned k = 0; k < WordLanes; k++) begin
      block_word[LaneWidth*k+LaneWidth-1] ^= pad_lane8_q[k];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < WordLanes; k++) begin
      lane_after6_q[k] <= end_word5_q[CountBits-1] ||
          (end_word5_q == '0 && 32'(end_lanes5_q) <= k);
      pad_lane8_q[k] <= pad_word7_q == '0 && 32'(pad_lane7_q) == k;
      if (!Pads) pad_lane8_q[k] <= 1'b0;
      // Written so that synthesis uses the registers' reset instead of a LUT.
      if (lane_after6_q[k]) next_word7_q[LaneWidth*k+:LaneWidth] <= '0;
      else next_word7_q[LaneWidth*k+:LaneWidth] <= read_data6_q[LaneWidth*k+:LaneWidth];
    end
    read_data6_q <= read_data_i;
    this_word8_q <= next_word7_q;
    for (int unsigned i = 0; i < WordWidth / CopyWidth; i++) begin
      if (no_state7_q[i]) state_word8_q[CopyWidth*i+:CopyWidth] <= '0;
      else state_word8_q[CopyWidth*i+:CopyWidth] <= state_data_i[CopyWidth*i+:CopyWidth];
    end
    if (PortLanes == 1) word_split8_q <= '0;
    else if (load_started_i[7]) word_split8_q <= load_split_q[7];
    block_word_q <= block_word;
    block_words_q <= {block_word_q, block_words_q[Words*WordWidth-1:WordWidth]};
  end

  assign blk_o = block_words_q[StateWidth-1:0];

  /////////////////////
  // Handshake       //
  /////////////////////

  logic [Lead:1] block_first_q;  // the block restores or begins a message
  logic [Lead:2] block_last_q;  // its state gives output
  always_ff @(posedge clk_i) begin
    block_first_q <= {block_first_q[Lead-1:1], !block_due_i};
    block_last_q  <= {
      block_last_q[Lead-1:2], load_fields_i.squeeze_only || load_fields_i.final_block
    };
  end

  hf_copy u_valid (
      .clk_i,
      .d_i(load_started_i[Lead-1] && !rst_i),
      .q_o(blk_valid_o)
  );
  assign blk_first_o = block_first_q[Lead];
  assign blk_last_o  = block_last_q[Lead];

  if (Restores) begin : gen_restores
    logic [Lead:7] block_restores_q;
    always_ff @(posedge clk_i) begin
      block_restores_q <= {block_restores_q[Lead-1:7], load_restores_q[6]};
    end
    assign blk_restore_o = block_restores_q[Lead];
  end else begin : gen_no_restores
    assign blk_restore_o = 1'b0;
  end

  logic unused_load;  // the budget's field; clocks of a load that nothing here waits for
  assign unused_load = ^{load_fields_i.message_bad, load_started_i};

endmodule
