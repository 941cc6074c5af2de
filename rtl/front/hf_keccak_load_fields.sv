// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Fields of a load in the front end with several slots: holds the row and lane in which each slot's
// next block begins, and selects what hf_keccak_output_budget and hf_keccak_block_loader require of
// the slot that hf_keccak_slot_arbiter decides on.
//
// Errors: none.
//
// Timing: clock 0 is the clock of the decision. The load is on its ports in clock 1, whether or not
// it was decided. Rate and end are selected in two steps, the first in the clock before 0.

module hf_keccak_load_fields
  import hf_keccak_slots_pkg::*;
#(
    parameter  int unsigned PortWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned Slots = 4,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned RowBits = row_bits(PortWidth),
    localparam int unsigned PortLaneBits = index_bits(port_lanes(PortWidth))
) (
    input logic clk_i,
    input logic rst_i,

    // As in hf_keccak_slot_arbiter.
    input logic [SlotWidth-1:0] early_slot_i,
    input logic [SlotWidth-1:0] pick_slot_i,
    input logic [    Slots-1:0] message_absorbed_i,
    input logic [    Slots-1:0] state_saved_i,
    input logic [    Slots-1:0] final_block_i,
    input logic [    Slots-1:0] block_takes_i,

    // The slots' messages.
    input rate_t  [Slots-1:0] message_rate_i,  // as in hf_keccak_suffix
    input block_t [Slots-1:0] next_block_i,         // as in hf_keccak_block_queue
    input logic   [Slots-1:0] message_done_i,  // all blocks of the message are loaded

    // The load, in clock 1.
    output load_t                    load_fields_o,
    output logic  [   SlotWidth-1:0] load_slot_o,
    output logic  [     RowBits-1:0] load_row_o,   // row of its block
    output logic  [PortLaneBits-1:0] load_split_o  // lane in which its block begins
);

  typedef logic [RowBits-1:0] queue_row_t;
  typedef logic [PortLaneBits-1:0] port_lane_t;

  queue_row_t [Slots-1:0] next_row_q;  // row of the next block
  port_lane_t [Slots-1:0] next_split_q;  // and the lane in which it begins

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    always_ff @(posedge clk_i) begin
      if (rst_i || message_done_i[i]) next_row_q[i] <= '0;
      else if (block_takes_i[i]) next_row_q[i] <= next_row_q[i] + queue_row_t'(1);
      if (port_lanes(PortWidth) == 1 || rst_i || message_done_i[i]) next_split_q[i] <= '0;
      else if (block_takes_i[i]) begin
        next_split_q[i] <= next_split_q[i] + port_lane_t'(lanes_of(message_rate_i[i]));
      end
    end
  end

  localparam int unsigned Near = (Slots > 4) ? 4 : 2;
  localparam int unsigned Nears = (Slots + Near - 1) / Near;
  rate_t [Nears*Near-1:0] all_rates;
  rate_t [Nears-1:0] near_rate_q;  // of the slot in each group of Near slots
  row_lane_t [Nears*Near-1:0] all_ends;
  row_lane_t [Nears-1:0] near_end_q;  // likewise
  logic [Slots-1:0] message_bad;
  logic unused_block;  // the arbiter's fields
  always_comb begin
    all_rates = (3 * Nears * Near)'(message_rate_i);
    all_ends = '0;
    unused_block = 1'b0;
    for (int unsigned i = 0; i < Slots; i++) begin
      all_ends[i] = next_block_i[i].end_lane;
      message_bad[i] = next_block_i[i].message_bad;
      unused_block ^= next_block_i[i].block_queued ^ next_block_i[i].final_block;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Nears; i++) begin
      near_rate_q[i] <= all_rates[Near*i+32'(early_slot_i)%Near];
      near_end_q[i]  <= all_ends[Near*i+32'(early_slot_i)%Near];
    end

    load_slot_o <= pick_slot_i;
    load_fields_o.function_rate <= near_rate_q[32'(pick_slot_i)/Near];
    load_fields_o.squeeze_only <= message_absorbed_i[pick_slot_i];
    load_fields_o.final_block <= final_block_i[pick_slot_i];
    load_fields_o.restore_state <= state_saved_i[pick_slot_i];
    load_fields_o.message_bad <= message_bad[pick_slot_i];
    load_fields_o.end_lane <= near_end_q[32'(pick_slot_i)/Near];
    load_row_o <= next_row_q[pick_slot_i];
    load_split_o <= next_split_q[pick_slot_i];
  end

endmodule
