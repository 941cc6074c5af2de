// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Passes of the front end with several slots, for functions of 24 rounds and of twelve (TurboSHAKE)
// on an engine of twelve (HalfChoice of hf_keccak_pipelined). A permutation of 24 rounds takes two
// loads of its slot: the first pass has the block, or a squeeze, and no output; the second has
// neither, and its state gives the output. A permutation of twelve rounds takes one load.
//
// The modules around it are the same as without passes. So the arbiter gets a second pass as a block
// that is always there, and a message's last block as such only in the pass that completes it. The
// loader gets a second pass as a squeeze, and the output budget a first pass as a block within the
// message.
//
// Errors: none.
//
// Timing: clock 0 is the clock of the decision on a load (hf_keccak_slot_arbiter).
//
//   1                  the load is on its ports
//   2                  the slot's next load is of the other pass
//   Lead               block_last_o
//   Lead + DataDelay   last_rounds_o

module hf_keccak_passes
  import hf_keccak_slots_pkg::*;
  import hf_turboshake_pkg::*;
#(
    parameter  int unsigned WordWidth = 128,  // width of a word of a load, in bits
    parameter  int unsigned Slots = 4,
    parameter  int unsigned DataDelay = 3,  // clocks from a handshake to its data
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned Lead = lead_clocks(WordWidth, DataDelay)
) (
    input logic clk_i,
    input logic rst_i,

    // The beat on the port, and in the next clock as in hf_keccak_slot_port.
    input logic [      7:0] function_code_i,
    input logic [Slots-1:0] beat_hit_i,
    input logic             first_beat_i,

    // The slots, and what the arbiter gets of them.
    input  block_t [Slots-1:0] next_block_i,  // as in hf_keccak_block_queue
    output block_t [Slots-1:0] next_block_o,
    input  logic   [Slots-1:0] digest_pending_i,  // as in hf_keccak_state_store
    output logic   [Slots-1:0] digest_pending_o,
    input  logic   [Slots-1:0] message_done_i,  // all blocks of the message are loaded

    // The load, as in hf_keccak_slot_arbiter and hf_keccak_load_fields.
    input  logic [SlotWidth-1:0] pick_slot_i,
    input  logic                 load_started_i,    // in clock 1
    input  logic [SlotWidth-1:0] load_slot_i,
    input  load_t                load_fields_i,
    input  logic [    Slots-1:0] block_takes_i,
    output logic [    Slots-1:0] block_takes_o,     // the same without second passes
    output logic [    Slots-1:0] block_taken_o,     // in the next clock
    output load_t                loader_fields_o,   // for hf_keccak_block_loader
    output load_t                budget_fields_o,   // for hf_keccak_output_budget

    output logic block_last_o,  // the engine's blk_last_i
    output logic last_rounds_o  // the bit above the block
);

  logic code_twelve_q;  // the code on the port a clock ago is TurboSHAKE's
  logic [Slots-1:0] twelve_rounds_q;  // permutations of the slot's message have twelve rounds
  logic [Slots-1:0] second_due_q;  // the slot's next load is a second pass
  logic [Slots-1:0] final_taken_q;  // its first pass had the message's last block
  // The next block is the message's last: a clock and two clocks ago, in the arbiter's
  // input.
  logic [Slots-1:0] final_block1_q, final_block2_q;

  always_ff @(posedge clk_i) code_twelve_q <= turboshake_known(function_code_i);

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    logic slot_loads;
    assign slot_loads = load_started_i && load_slot_i == SlotWidth'(i);
    always_comb begin
      next_block_o[i] = next_block_i[i];
      next_block_o[i].block_queued = next_block_i[i].block_queued || second_due_q[i];
      next_block_o[i].final_block = second_due_q[i] ? final_taken_q[i] :
          next_block_i[i].final_block && twelve_rounds_q[i];
    end
    // There has been room for the output of a second pass since its first one.
    assign digest_pending_o[i] = digest_pending_i[i] && !second_due_q[i];
    assign block_takes_o[i] = block_takes_i[i] && !second_due_q[i];

    always_ff @(posedge clk_i) begin
      if (beat_hit_i[i] && first_beat_i) twelve_rounds_q[i] <= code_twelve_q;
      final_block1_q[i] <= next_block_i[i].final_block;
      final_block2_q[i] <= final_block1_q[i];
      block_taken_o[i] <= block_takes_o[i] && !rst_i;
      if (slot_loads) begin
        second_due_q[i] <= !twelve_rounds_q[i] && !second_due_q[i];
        final_taken_q[i] <= final_block2_q[i];
      end
      if (message_done_i[i] || rst_i) second_due_q[i] <= 1'b0;
    end
  end

  logic first_pass_q, second_pass_q, first_final_q;  // of the load that is on its ports
  always_ff @(posedge clk_i) begin
    first_pass_q  <= !twelve_rounds_q[pick_slot_i] && !second_due_q[pick_slot_i];
    second_pass_q <= second_due_q[pick_slot_i];
    first_final_q <= final_block1_q[pick_slot_i];
  end
  always_comb begin
    loader_fields_o = load_fields_i;
    budget_fields_o = load_fields_i;
    if (first_pass_q) begin
      loader_fields_o.final_block = first_final_q;
      budget_fields_o.squeeze_only = 1'b0;
      budget_fields_o.final_block = 1'b0;
    end
    if (second_pass_q) begin
      loader_fields_o.final_block = 1'b0;
      loader_fields_o.squeeze_only = 1'b1;
    end
  end

  // [n]: of the load that was decided n clocks ago.
  logic [Lead:2] block_last_q;
  logic [Lead+DataDelay:2] first_pass_later_q;
  always_ff @(posedge clk_i) begin
    block_last_q <= {
      block_last_q[Lead-1:2], budget_fields_o.squeeze_only || budget_fields_o.final_block
    };
    first_pass_later_q <= {first_pass_later_q[Lead+DataDelay-1:2], first_pass_q};
  end
  assign block_last_o = block_last_q[Lead];
  assign last_rounds_o = !first_pass_later_q[Lead+DataDelay];

endmodule
