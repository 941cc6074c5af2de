// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Slot port of the front end with several slots: decides which slots may send now, accepts a beat
// of any slot, and looks its function up. A beat waits until its slot has room.
//
// Errors: a message with an invalid tid (one that names no slot) is accepted and discarded without
// waiting, and `tid_error_o` requests an error beat for it. While 15 such errors are pending,
// further ones are lost. Faults of a beat are reported in `beat_fields_o`.
//
// Timing: one beat a clock. The clock after a message's last beat accepts none: it is used by a
// suffix that does not fit into the last word. Clock 0 is the clock of a beat's handshake;
// `beat_fields_o` and the ports with it are valid in clock 1.
//
// `slot_room_o` is a promise: a beat of the slot that is offered in this clock is accepted in it,
// or in the next (the suffix of another slot's message may take one clock in between). So a sender
// does not block one message by offering another. The promise comes from a register
// (`slot_ready_q`), on which three flags decide.
//
// 1. Room (`queue_room_i`): the queue has a row for what the slot sends. A beat completes a block
//    only 8 clocks after its handshake, so the flag falls while there is still room for the beats
//    under way (hf_keccak_block_queue, RowsUnderWay). The slot may accept in the clock after the
//    fall.
//
//      blocks queued  | Limit | +1    | +1    | +1    |
//      queue_room_i   |  1    |  1    |  0    |  0    |
//      slot_room_o    |  1    |  1    |  1    |  0    |   (a beat of the slot in each clock)
//
// 2. Open (`message_open_q`): the slot holds a message, whose blocks are not all loaded, so it
//    cannot accept another. Without this flag, rows of two messages would mix. It rises two clocks
//    after the first beat, which is too late after a message of one beat; `last_offered_q` bridges
//    the gap.
// 3. Within (`within_message_q`): the message in the slot has not ended, so that its other beats
//    are accepted while `message_open_q` is high. It also shows which beat is a message's first.
//
//      clock            | 0     | 1     | 2     | 3     | ...   | n     | n+1   | n+2   | n+3   |
//      beat accepted    | first | last  |       |       |       |       |       |       |       |
//      within_message_q | 0     | 1     | 0     | 0     |       | 0     | 0     | 0     | 0     |
//      last_offered_q   | 0     | 0     | 1     | 0     |       | 0     | 0     | 0     | 0     |
//      message_open_q   | 0     | 0     | 1     | 1     |       | 1     | 0     | 0     | 0     |
//      message_done_i   | 0     | 0     | 0     | 0     |       | 1     | 0     | 0     | 0     |
//      slot_room_o      | 1     | 1     | 0     | 0     |       | 0     | 0     | 0     | 1     |

module hf_keccak_slot_port
  import hf_keccak_pkg::*;
  import hf_keccak_slots_pkg::*;
  import hf_keccak_suffix_pkg::*;
  import hf_stream_pkg::*;
  import hf_turboshake_pkg::*;
#(
    parameter  int unsigned PortWidth = 128,  // width of the stream port, in bits
    parameter  int unsigned Slots = 4,
    parameter  int unsigned TidWidth = 2,
    parameter  bit          Packets = 1'b0,  // tlast with tuser's `more` set ends a packet only
    parameter  bit          Turboshake = 1'b0,  // its functions (hf_turboshake_pkg) and no others
    parameter  bit          RoundChoice = 1'b0,  // its functions too
    localparam int unsigned KeepWidth = PortWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots)
) (
    input logic clk_i,
    input logic rst_i,

    // AXI4-Stream, as in the stream top (docs/reference/stream.md).
    input  logic                 s_tvalid_i,
    output logic                 s_tready_o,
    input  logic [PortWidth-1:0] s_tdata_i,
    input  logic [KeepWidth-1:0] s_tkeep_i,
    input  logic                 s_tlast_i,
    input  logic [ TidWidth-1:0] s_tid_i,
    input  logic [UserWidth-1:0] s_tuser_i,
    output logic [    Slots-1:0] slot_room_o,

    input logic [Slots-1:0] queue_room_i,   // the queue has room for the slot's blocks
    input logic [Slots-1:0] message_done_i,  // all blocks of the slot's message are loaded

    // The accepted beat, in clock 1.
    output logic  [    Slots-1:0] beat_hit_o,   // its slot, one-hot, or none
    output logic  [SlotWidth-1:0] beat_slot_o,
    output beat_t                 beat_fields_o,
    output logic  [PortWidth-1:0] beat_data_o,
    output logic  [KeepWidth-1:0] beat_keep_o,  // bytes with data
    output logic  [KeepWidth-1:0] beat_skip_o,  // bytes without, in registers

    output logic                tid_error_o,  // held until tid_error_done_i
    output logic [TidWidth-1:0] tid_error_tid_o,
    input  logic                tid_error_done_i
);

  typedef logic [SlotWidth-1:0] slot_t;

  /////////////////////
  // Who may send    //
  /////////////////////

  user_t offered_user;
  slot_t offered_slot;
  logic tid_invalid;  // it names no slot
  logic message_last;  // the beat ends its message
  assign offered_user = s_tuser_i;
  assign offered_slot = slot_t'(s_tid_i);
  assign tid_invalid = 32'(s_tid_i) >= Slots;
  assign message_last = s_tlast_i && !(Packets && offered_user.more);
  logic unused_reserved;
  assign unused_reserved = ^{offered_user.reserved, offered_user.more};

  // The clock before offered a message's last beat: this clock accepts none.
  logic port_pause_q;
  logic [Slots-1:0] slot_ready_q;  // a beat of the slot would be accepted
  logic [Slots-1:0] within_message_q;  // between a message's first beat and its last
  logic [Slots-1:0] message_open_q;  // the slot holds a message: two clocks after its first beat
  // In the clock before: the slot could accept a beat; a last beat of it was offered.
  logic [Slots-1:0] may_accept_q, last_offered_q;
  logic [Slots-1:0] beat_offered, beat_taken;  // per slot: a beat is on the port; it is accepted
  logic [Slots-1:0] beat_hit1_q;  // slot of the beat in clock 1, one-hot, or none

  // While no beat is offered, tready does not depend on the tid, which may be X then.
  assign s_tready_o  = !port_pause_q && (!s_tvalid_i || tid_invalid || slot_ready_q[offered_slot]);
  assign slot_room_o = slot_ready_q;

  always_ff @(posedge clk_i) port_pause_q <= s_tvalid_i && message_last && !port_pause_q && !rst_i;

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    assign beat_offered[i] = s_tvalid_i && 32'(s_tid_i) == i && slot_ready_q[i];
    assign beat_taken[i] = beat_offered[i] && !port_pause_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) within_message_q[i] <= 1'b0;
      else if (beat_taken[i]) within_message_q[i] <= !message_last;

      if (rst_i || message_done_i[i]) message_open_q[i] <= 1'b0;
      else if (beat_hit1_q[i]) message_open_q[i] <= 1'b1;

      // A pause does not withdraw the room already promised to the beat on the port. A message's
      // last beat that is accepted after a pause ends the message then.
      may_accept_q[i] <= queue_room_i[i] &&
          (within_message_q[i] || !(message_open_q[i] || last_offered_q[i]));
      last_offered_q[i] <= beat_offered[i] && message_last;
      slot_ready_q[i] <= beat_offered[i] ? port_pause_q || (queue_room_i[i] && !message_last) :
          may_accept_q[i] && !last_offered_q[i];
      // The reset values hold from the first clock of a reset on, whatever the sender drove before.
      if (rst_i) {may_accept_q[i], last_offered_q[i], slot_ready_q[i]} <= '0;
    end
  end

  /////////////////////
  // Its beat        //
  /////////////////////

  // function_known without its comparison, for which synthesis would infer a carry chain.
  function automatic logic code_known(input logic [7:0] code);
    // turboshake_known, not called: its argument would be in the netlist's text of every core.
    if (Turboshake) return (code & TurboshakeMask) == FnTurboshake128;
    if (RoundChoice) begin
      if ((code & TurboshakeMask) == FnTurboshake128) return 1'b1;
    end
    unique case (code)
      FnSha3_224, FnSha3_256, FnSha3_384, FnSha3_512, FnShake128, FnShake256,
      FnKeccak224, FnKeccak256, FnKeccak384, FnKeccak512, FnKeccak1024_576,
      FnCshake128, FnCshake256: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  function_info_t offered_info;
  if (Turboshake) begin : gen_turboshake
    assign offered_info = turboshake_info(2'(offered_user.code));
  end else if (RoundChoice) begin : gen_both
    assign offered_info = turboshake_known(offered_user.code) ?
        turboshake_info(2'(offered_user.code)) : function_info(FunctionWidth'(offered_user.code));
  end else begin : gen_functions
    assign offered_info = function_info(FunctionWidth'(offered_user.code));
  end

  slot_t beat_slot1_q;
  logic [PortWidth-1:0] beat_data1_q;
  logic [KeepWidth-1:0] beat_keep1_q, beat_skip1_q;  // bytes with data; bytes without
  // The last two: function supported; no partial byte.
  logic beat_first1_q, beat_last1_q, code_known1_q, no_bits1_q;
  logic ends_whole1_q, ends_partial1_q;  // the message ends, with a whole byte; in a byte
  function_info_t function_info1_q;
  rate_t function_rate1_q;
  logic [LengthWidth-1:0] output_length1_q;
  logic [LengthWidth/4-1:0] length_ones1_q;  // per four bits of the length: all of them are ones
  logic [2:0] last_bits1_q;
  // Per four bytes: a hole; all valid; an odd number of them is valid.
  logic [KeepWidth/4-1:0] keep_holes1_q, keep_full1_q, keep_odd1_q;

  always_ff @(posedge clk_i) begin
    beat_hit1_q <= rst_i ? '0 : beat_taken;
    beat_data1_q <= s_tdata_i;
    beat_keep1_q <= s_tkeep_i;
    beat_skip1_q <= ~s_tkeep_i;
    beat_slot1_q <= offered_slot;
    beat_first1_q <= !within_message_q[offered_slot];
    beat_last1_q <= message_last;
    code_known1_q <= code_known(offered_user.code);
    function_info1_q <= offered_info;
    function_rate1_q <= rate_of(offered_info.rate_lanes);
    output_length1_q <= offered_user.length;
    for (int unsigned i = 0; i < LengthWidth / 4; i++) begin
      length_ones1_q[i] <= &offered_user.length[4*i+:4];
    end
    last_bits1_q <= offered_user.bits;
    no_bits1_q <= offered_user.bits == '0;
    for (int unsigned i = 0; i < KeepWidth / 4; i++) begin
      keep_holes1_q[i] <= |(~s_tkeep_i[4*i+:4] & 4'(s_tkeep_i >> (4 * i + 1)));
      keep_full1_q[i] <= &s_tkeep_i[4*i+:4];
      keep_odd1_q[i] <= ^s_tkeep_i[4*i+:4];
    end
    ends_whole1_q <= message_last && offered_user.bits == '0;
    ends_partial1_q <= message_last && offered_user.bits != '0;
  end

  assign beat_hit_o = beat_hit1_q;
  assign beat_slot_o = beat_slot1_q;
  assign beat_data_o = beat_data1_q;
  assign beat_keep_o = beat_keep1_q;
  assign beat_skip_o = beat_skip1_q;
  always_comb begin
    beat_fields_o.first_beat = beat_first1_q;
    beat_fields_o.last_beat = beat_last1_q;
    beat_fields_o.function_unknown = beat_first1_q && !code_known1_q;
    beat_fields_o.keep_has_hole = |keep_holes1_q;
    beat_fields_o.short_not_last = !(&keep_full1_q) && !beat_last1_q;
    beat_fields_o.bits_without_byte = !beat_keep1_q[0] && !no_bits1_q;
    beat_fields_o.suffix_kind = suffix_kind_t'(function_info1_q.suffix);
    beat_fields_o.function_rate = function_rate1_q;
    beat_fields_o.digest_words = function_info1_q.digest_words;
    beat_fields_o.output_length = output_length1_q;
    beat_fields_o.length_open = &length_ones1_q;
    beat_fields_o.last_bits = last_bits1_q;
    beat_fields_o.ends_whole = ends_whole1_q;
    beat_fields_o.ends_partial = ends_partial1_q;
    beat_fields_o.start_odd = ^keep_odd1_q ^ ends_partial1_q;
  end
  logic unused_info;
  assign unused_info = ^{
    function_info1_q.rate_lanes, function_info1_q.suffix, function_info1_q.suffix_len
  };

  /////////////////////
  // Invalid tids    //
  /////////////////////

  if ((1 << TidWidth) > Slots) begin : gen_tid_errors
    logic push_error_q;  // a message with an invalid tid has ended
    logic [TidWidth-1:0] error_tid_q;
    always_ff @(posedge clk_i) begin
      push_error_q <= s_tvalid_i && !port_pause_q && tid_invalid && message_last && !rst_i;
      error_tid_q  <= s_tid_i;
    end
    // If only one invalid tid exists, it need not be stored.
    logic [TidWidth-1:0] queued_tid;  // the oldest tid with a pending error
    assign tid_error_tid_o = ((1 << TidWidth) - Slots == 1) ? TidWidth'(Slots) : queued_tid;
    hf_tid_queue #(
        .Width(TidWidth)
    ) u_tid_errors (
        .clk_i,
        .rst_i,
        .push_i (push_error_q),
        .tid_i  (error_tid_q),
        .valid_o(tid_error_o),
        .tid_o  (queued_tid),
        .pop_i  (tid_error_done_i)
    );
  end else begin : gen_no_tid_errors
    logic unused_done;
    assign unused_done = tid_error_done_i;
    assign tid_error_o = 1'b0;
    assign tid_error_tid_o = '0;
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (PortWidth < 64 || PortWidth > 512 || $countones(PortWidth) != 1) begin : gen_bad_width
    $fatal(1, "hf_keccak_slot_port: PortWidth is 64, 128, 256 or 512, not %0d", PortWidth);
  end
  if (TidWidth > 16) begin : gen_bad_tid
    $fatal(1, "hf_keccak_slot_port: TidWidth is %0d to 16, not %0d", SlotWidth, TidWidth);
  end
  if (Slots < 2 || TidWidth < SlotWidth) begin : gen_bad_slots
    $fatal(1, "hf_keccak_slot_port: Slots is 2 to 2^TidWidth, not %0d with TidWidth %0d", Slots,
           TidWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
