// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Writer of hf_keccak_tree: turns messages into the nodes of KangarooTwelve (RFC 9861, section
// 3.2), which it writes into the rings of the slots. The ring of slot m gets the final node of
// message m, those of the other slots get chunks:
//
//   S = M || C || length_encode(|C|), in chunks S_0 to S_n-1 of 8,192 bytes
//   n = 1:  S_0 || 07
//   n > 1:  S_0 || 03 00 .. 00 || values of S_1 .. S_n-1 || length_encode(n-1) || FF FF || 06
//           S_k || 0B, for k > 0, each in the slot that is given to it
//
// The last byte of each node is TurboSHAKE's domain byte without its highest one, as
// hf_turboshake_pkg has it: 03 of two bits for 07, 02 of two for 06, 03 of three for 0B.
//
// Beats are accepted in every clock in which no job runs. A job writes what follows from a message,
// mostly a byte a clock: the end of a chunk, the end of a message, a value, the end of a final
// node. A message that waits for a slot, for room or for values has no job, so it does not stop
// others.
//
// Messages of other codes (TurboSHAKE) pass: all beats go into ring m.
//
// Errors: a hole in tkeep, a short beat that is not the last, a bit count with KT128 or KT256, and
// a beat after `more` that is not empty make the node bad (`is_bad`): it ends with an error.
//
// Timing: clock 0 is the clock of a beat's handshake, or of a state of a job; its write is at the
// rings in clock 2.

module hf_keccak_tree_writer
  import hf_keccak_tree_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned DataWidth = 128,
    parameter  int unsigned Slots = 4,
    parameter  int unsigned Messages = 1,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned SlotWidth = $clog2(Slots),
    localparam int unsigned MessageWidth = (Messages > 1) ? $clog2(Messages) : 1,
    localparam int unsigned ValueBeatBits = $clog2(64 / KeepWidth)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                    s_tvalid_i,
    output logic                    s_tready_o,
    input  logic [   DataWidth-1:0] s_tdata_i,
    input  logic [   KeepWidth-1:0] s_tkeep_i,
    input  logic                    s_tlast_i,
    input  logic [MessageWidth-1:0] s_message_i,
    input  logic [   UserWidth-1:0] s_tuser_i,
    output logic [    Messages-1:0] message_room_o,

    // To the rings.
    output logic       [KeepWidth-1:0] write_bytes_o,
    output logic       [SlotWidth-1:0] write_slot_o,
    output logic       [DataWidth-1:0] write_data_o,
    output node_beat_t                 write_fields_o,
    output logic                       write_commit_o,
    input  logic       [    Slots-1:0] ring_room_i,

    input  logic [Messages-1:0] may_begin_i,       // the first beat of a message may be accepted
    output logic [Messages-1:0] message_begins_o,  // it is accepted

    // Chunks and their values (hf_keccak_tree_values).
    input  logic [     Messages-1:0][IndexBits-1:0] next_index_i,
    input  logic [        Slots-1:0]                slot_free_i,
    output logic                                    assign_valid_o,
    output logic [    SlotWidth-1:0]                assign_slot_o,
    output logic [ MessageWidth-1:0]                assign_message_o,
    output logic [    IndexBits-1:0]                assign_index_o,
    output logic [     Messages-1:0]                node_room_o,
    input  logic                                    value_valid_i,
    input  logic [ MessageWidth-1:0]                value_message_i,
    output logic [ValueBeatBits-1:0]                value_beat_o,
    input  logic [    DataWidth-1:0]                value_data_i,
    output logic                                    value_done_o
);

  localparam int unsigned RingBeats = ChunkBytes / KeepWidth;
  localparam int unsigned BeatBits = $clog2(RingBeats);
  localparam int unsigned ByteBits = $clog2(KeepWidth);
  localparam int unsigned Groups = KeepWidth / 8;
  localparam int unsigned FirstBytes = 8;  // 03 00 .. 00
  // Where the values are in the beats of the final node: after these 8 bytes.
  localparam logic [ByteBits-1:0] ValueAt = ByteBits'(FirstBytes);

  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [MessageWidth-1:0] message_index_t;
  typedef logic [BeatBits:0] position_t;  // beats of a chunk; the highest bit: it is full
  typedef logic [ByteBits-1:0] offset_t;

  typedef enum logic [2:0] {
    PhIdle,     // no message
    PhFill,     // its beats are accepted
    PhCustom,   // M and C have ended, the length of C comes
    PhTail,     // length_encode(|C|), and the end of the node
    PhSplit,    // the chunk is full, and more follows
    PhSlot,     // a slot for the next chunk
    PhValues    // all chunks are written; their values, and the end of the final node
  } phase_e;

  /////////////////////
  // Messages        //
  /////////////////////

  phase_e [Messages-1:0] phase_q;
  logic [Messages-1:0] is_tree_q, is_strong_q, is_bad_q;
  logic [Messages-1:0] is_split_q;  // it has more than one chunk
  logic [Messages-1:0] has_ended_q;  // M and C have ended
  logic [Messages-1:0][2:0] tail_digits_q;  // digits of length_encode(|C|) that are written
  slot_t [Messages-1:0] node_slot_q;  // of the chunk that is written
  position_t [Messages-1:0] node_position_q;  // in it
  logic [Messages-1:0] node_position_last_q;  // that of its last beat
  offset_t [Messages-1:0] node_offset_q;  // bytes of its last beat
  logic [Messages-1:0][CountWidth-1:0] chunk_count_q;  // chunks but the first
  logic [Messages-1:0][CountWidth-1:0] custom_bytes_q;  // |C|, ...
  logic [Messages-1:0] no_custom_q;  // ... or it is 0, without digits
  logic [Messages-1:0] may_take_d, may_take_q;  // a beat of the message would be accepted

  // A message's ring has room; that of its current node.
  logic [Messages-1:0] final_room_q, node_room_q;

  user_t s_user;
  logic beat_taken, taken_first, taken_tree, taken_ends;
  message_index_t taken_message;
  logic taking_beats_q, taking_beats1_q;  // beats are accepted: no job runs
  assign s_user = s_tuser_i;
  assign taken_message = (Messages > 1) ? s_message_i : '0;
  assign taken_first = phase_q[taken_message] == PhIdle;
  assign taken_tree = taken_first ? is_tree_code(s_user.code) : is_tree_q[taken_message];
  assign taken_ends = s_tlast_i && !(taken_tree && s_user.more);
  assign message_room_o = may_take_q & {Messages{taking_beats_q}};
  logic unused_reserved;
  assign unused_reserved = ^s_user.reserved;

  // The number of the lowest of eight bits that are ones, if they are not all; the highest is 0.
  function automatic logic [2:0] bytes_of(input logic [6:0] keep);
    bytes_of[2] = keep[3];
    bytes_of[1] = (keep[1] && !keep[3]) || keep[5];
    bytes_of[0] = (keep[0] && !keep[1]) || (keep[2] && !keep[3]) || (keep[4] && !keep[5]) ||
        keep[6];
  endfunction

  // The accepted beat, in clock 1.
  logic beat_valid1_q, has_bytes1_q, message_first1_q, beat_last1_q, length_follows1_q;
  logic is_tree1_q, is_strong1_q, is_custom1_q;
  message_index_t beat_message1_q;
  slot_t beat_slot1_q;
  logic [DataWidth-1:0] beat_data1_q;
  logic [2:0] last_bits1_q;
  // The bytes of the beat in groups of eight: all of them, a hole, and their number if there is no
  // hole, modulo 8.
  logic [Groups-1:0] group_full1_q, group_hole1_q;
  logic [Groups-1:0][2:0] group_count1_q;
  always_ff @(posedge clk_i) begin
    beat_valid1_q <= beat_taken && !rst_i;
    message_first1_q <= taken_first;
    beat_last1_q <= s_tlast_i;
    length_follows1_q <= s_user.more;
    is_tree1_q <= taken_tree;
    is_strong1_q <= taken_first ? s_user.code[0] : is_strong_q[taken_message];
    is_custom1_q <= phase_q[taken_message] == PhCustom;
    beat_message1_q <= taken_message;
    beat_slot1_q <= taken_first ? slot_t'(taken_message) : node_slot_q[taken_message];
    beat_data1_q <= s_tdata_i;
    last_bits1_q <= s_user.bits;
    has_bytes1_q <= s_tkeep_i[0];
    for (int unsigned g = 0; g < Groups; g++) begin
      group_full1_q[g] <= &s_tkeep_i[8*g+:8];
      group_hole1_q[g] <= |(~s_tkeep_i[8*g+:8] & 8'(s_tkeep_i >> (8 * g + 1)));
      group_count1_q[g] <= s_tkeep_i[8*g+7] ? '0 : bytes_of(s_tkeep_i[8*g+:7]);
    end
  end

  logic beat_full1, beat_bad1, message_bad1;
  logic [FieldCountBits-1:0] byte_count1;
  assign beat_full1 = &group_full1_q;
  assign beat_bad1 = group_hole1_q != '0 || (!beat_full1 && !beat_last1_q) ||
      (is_custom1_q && (has_bytes1_q || !beat_last1_q || length_follows1_q)) ||
      (is_tree1_q && beat_last1_q && last_bits1_q != '0);
  assign message_bad1 = is_bad_q[beat_message1_q] && !message_first1_q;
  // Without a hole, one group at most is neither full nor empty.
  always_comb begin
    byte_count1 = '0;
    for (int unsigned g = 0; g < Groups; g++) begin
      byte_count1[2:0] |= group_count1_q[g];
      if (group_full1_q[g]) byte_count1[FieldCountBits-1:3] = (FieldCountBits - 3)'(g + 1);
    end
  end

  /////////////////////
  // Jobs            //
  /////////////////////

  typedef enum logic [3:0] {
    StTake,    // beats are accepted
    StPick,    // a job is chosen
    StFirst,   // 03 00 .. 00
    StLoad,    // the first digit is read
    StDigits,  // length_encode: the digits
    StCount,   // and their number
    StOnes,    // FF FF
    StEnd,     // the domain byte
    StWait1,   // a beat of a value is read
    StWait2,
    StHigh,    // the beat's high lanes: all of the value's but the last
    StLow      // the next beat's lowest lane: the value's last
  } state_e;

  state_e state_d, state_q;
  // Of the state, in registers of their own, since long paths begin here.
  logic at_plain_q;  // a byte is written: StFirst, StOnes, StEnd
  logic at_digits_q, at_count_q, at_value_q;
  logic job_value_q;  // it is a value
  logic has_values;  // of a final node of several chunks
  message_index_t job_message_q;
  logic [Messages-1:0] job_ready_q;

  logic [Messages-1:0] job_ready;
  for (genvar m = 0; m < Messages; m++) begin : gen_job
    assign job_ready[m] = ((phase_q[m] == PhTail || phase_q[m] == PhSplit) && node_room_q[m]) ||
        (phase_q[m] == PhValues && final_room_q[m] &&
            next_index_i[m] == IndexBits'(chunk_count_q[m]));
  end

  // What a job writes: bytes, or beats of a value.
  logic is_final_q;  // the job ends the final node of several chunks
  slot_t job_slot_q;
  offset_t job_offset_q;
  logic [BeatBits-1:0] job_position_q;  // of a chunk that may get full
  logic job_position_last_q, chunk_full_q;
  logic [CountWidth-1:0] number_digits_q;  // the digits that follow, the highest first
  logic no_digits_q;
  logic [7:0] number_digit_q;
  logic digit_due_q;  // it is not one of the zeros before the first digit
  logic [2:0] digits_left_q;  // not looked at
  logic [2:0] digit_count_q;  // written, in this chunk or the one before
  logic [2:0] digits_before_q;  // of those in the chunk before, still to be skipped
  logic skips_digits_q;  // there are some
  logic job_bad_q, job_split_q;
  logic [2:0] text_step_q;  // of StFirst and StOnes
  logic [ValueBeatBits-1:0] value_beat_q;
  logic value_strong_q;

  logic digit_due, tail_due, leaves_tail, byte_write;
  logic [7:0] byte_value;
  assign digit_due = at_digits_q && digit_due_q;
  assign tail_due = (digit_due || at_count_q) && !skips_digits_q;
  assign leaves_tail = tail_due && chunk_full_q;
  assign byte_write = at_plain_q || (tail_due && !chunk_full_q);

  always_comb begin
    unique case (state_q)
      StFirst: byte_value = (text_step_q == '0) ? 8'h03 : 8'h00;
      StDigits: byte_value = number_digit_q;
      StCount: byte_value = 8'(digit_count_q);
      StOnes: byte_value = 8'hFF;
      StEnd: byte_value = is_final_q ? 8'h02 : 8'h03;
      default: byte_value = 8'h00;
    endcase
  end

  logic value_last;
  assign value_last = value_beat_q == (value_strong_q ? ValueBeatBits'(64 / KeepWidth - 1) :
      ValueBeatBits'(32 / KeepWidth - 1));

  assign has_values = phase_q[job_message_q] == PhValues;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StTake: if (value_valid_i || job_ready_q != '0) state_d = StPick;
      StPick: begin
        if (job_value_q) state_d = StWait1;
        else if (phase_q[job_message_q] == PhSplit) begin
          state_d = is_split_q[job_message_q] ? StEnd : StFirst;
        end else state_d = StLoad;
      end
      StFirst: if (text_step_q == 3'(FirstBytes - 1)) state_d = StTake;
      StLoad: state_d = no_digits_q ? StCount : StDigits;
      StDigits: begin
        if (leaves_tail) state_d = StTake;
        else if (digits_left_q == 3'd1) state_d = StCount;
      end
      StCount: state_d = leaves_tail ? StTake : is_final_q ? StOnes : StEnd;
      StOnes: if (text_step_q == 3'd1) state_d = StEnd;
      StEnd: state_d = StTake;
      StWait1: state_d = StWait2;
      StWait2: state_d = (DataWidth > 64) ? StHigh : StLow;
      StHigh: state_d = StLow;
      StLow: state_d = value_last ? StTake : StWait1;
      default: state_d = StTake;
    endcase
  end

  assign value_beat_o = value_beat_q;
  assign value_done_o = state_q == StLow && value_last;

  if (Messages > 1) begin : gen_ready_by_tid
    // While no beat is offered, tready does not depend on the tid, which may be X then.
    assign s_tready_o = taking_beats_q && (!s_tvalid_i || may_take_q[taken_message]);
    assign beat_taken = s_tvalid_i && s_tready_o;
  end else begin : gen_ready
    // One register at the port and one here, since the port's may be placed far away.
    logic ready_d, ready;
    assign ready_d = !rst_i && state_d == StTake && may_take_d[0];
    hf_copies #(
        .Width(2)
    ) u_ready (
        .clk_i,
        .d_i({2{ready_d}}),
        .q_o({s_tready_o, ready})
    );
    assign beat_taken = s_tvalid_i && ready;
  end

  // How a job ended; one of them is high in the first clock after it.
  logic first_done_q, tail_left_q, node_done_q;

  always_ff @(posedge clk_i) begin
    state_q <= rst_i ? StTake : state_d;
    taking_beats_q <= !rst_i && state_d == StTake;
    taking_beats1_q <= taking_beats_q && !rst_i;
    at_plain_q <= state_d == StFirst || state_d == StOnes || state_d == StEnd;
    at_digits_q <= state_d == StDigits;
    at_count_q <= state_d == StCount;
    at_value_q <= state_d == StHigh || state_d == StLow;
    first_done_q <= state_q == StFirst && text_step_q == 3'(FirstBytes - 1);
    tail_left_q <= leaves_tail;
    node_done_q <= state_q == StEnd;
    // The phases change in the first clock after a job, so they count from the second on.
    job_ready_q <= (taking_beats1_q && taking_beats_q && !rst_i) ? job_ready : '0;

    if (state_q == StTake) begin
      job_value_q   <= value_valid_i;
      job_message_q <= value_message_i;
      if (!value_valid_i) begin
        for (int unsigned m = 0; m < Messages; m++) begin
          if (job_ready_q[m]) job_message_q <= message_index_t'(m);
        end
      end
    end
    // Valid two clocks after StPick, and after the end of a beat; no beat ends sooner.
    job_position_last_q <= &job_position_q;
    if (state_q == StPick) begin
      is_final_q <= has_values;
      job_slot_q <= (job_value_q || has_values) ? slot_t'(job_message_q) :
          node_slot_q[job_message_q];
      job_offset_q <= has_values ? ValueAt : node_offset_q[job_message_q];
      job_position_q <= BeatBits'(node_position_q[job_message_q]);
      chunk_full_q <= node_position_q[job_message_q][BeatBits] && !has_values;
      number_digits_q <= has_values ? chunk_count_q[job_message_q] : custom_bytes_q[job_message_q];
      no_digits_q <= !has_values && no_custom_q[job_message_q];
      digit_due_q <= 1'b0;
      digits_before_q <= tail_digits_q[job_message_q];
      skips_digits_q <= !has_values && tail_digits_q[job_message_q] != '0;
      job_bad_q <= is_bad_q[job_message_q];
      job_split_q <= is_split_q[job_message_q];
      value_strong_q <= is_strong_q[job_message_q];
      digit_count_q <= '0;
      text_step_q <= '0;
      digits_left_q <= 3'(CountWidth / 8);
      value_beat_q <= '0;
    end else begin
      if (state_q == StLoad || state_q == StDigits) begin
        number_digits_q <= number_digits_q << 8;
        number_digit_q <= number_digits_q[CountWidth-1-:8];
        digit_due_q <= digit_due_q || number_digits_q[CountWidth-1-:8] != '0;
      end
      if (at_digits_q) begin
        digits_left_q <= digits_left_q - 3'd1;
        if (digit_due_q && (skips_digits_q || !chunk_full_q)) digit_count_q <= digit_count_q + 3'd1;
        if (digit_due_q && skips_digits_q) begin
          digits_before_q <= digits_before_q - 3'd1;
          skips_digits_q <= digits_before_q != 3'd1;
        end
      end
      if (state_q == StFirst || state_q == StOnes) text_step_q <= text_step_q + 3'd1;
      if (state_q == StLow) value_beat_q <= value_beat_q + 1'b1;
      if (byte_write) begin
        job_offset_q <= job_offset_q + 1'b1;
        if (job_offset_q == '1) begin
          job_position_q <= job_position_q + 1'b1;
          if (job_position_last_q && !is_final_q) chunk_full_q <= 1'b1;
        end
      end
    end
    // A reset may last one clock: nothing of the job is left in the clock after it.
    if (rst_i) begin
      {at_plain_q, at_digits_q, at_count_q, at_value_q} <= '0;
      {first_done_q, tail_left_q, node_done_q} <= '0;
    end
  end

  /////////////////////
  // Slots           //
  /////////////////////

  // A slot and a message are looked at in each clock.
  slot_t look_slot_q;
  message_index_t look_message_q;
  logic [Slots-1:0] slot_held_q;  // a chunk in it is being written
  logic slot_ok, assign_now;
  assign slot_ok = slot_free_i[look_slot_q] && !slot_held_q[look_slot_q];
  assign assign_now = phase_q[look_message_q] == PhSlot && slot_ok && !assign_valid_o;
  always_ff @(posedge clk_i) begin
    look_message_q <= (rst_i || look_message_q == message_index_t'(Messages - 1)) ? '0 :
        look_message_q + 1'b1;
    if (rst_i) look_slot_q <= slot_t'(Messages);
    else if (assign_now || !slot_ok) begin
      look_slot_q <= (look_slot_q == slot_t'(Slots - 1)) ? slot_t'(Messages) : look_slot_q + 1'b1;
    end
    assign_valid_o <= assign_now && !rst_i;
    assign_slot_o <= look_slot_q;
    assign_message_o <= look_message_q;
    assign_index_o <= IndexBits'(chunk_count_q[look_message_q]);
    for (int unsigned i = 0; i < Slots; i++) begin
      if (assign_valid_o && assign_slot_o == slot_t'(i)) slot_held_q[i] <= 1'b1;
      else if (node_done_q && job_slot_q == slot_t'(i)) slot_held_q[i] <= 1'b0;
      if (rst_i) slot_held_q[i] <= 1'b0;
    end
  end

  /////////////////////
  // Phases          //
  /////////////////////

  for (genvar m = 0; m < Messages; m++) begin : gen_message
    logic taken_here, beat_here, job_here;
    position_t next_position;
    assign next_position = node_position_q[m] + 1'b1;
    assign taken_here = beat_taken && taken_message == message_index_t'(m);
    assign beat_here = beat_valid1_q && beat_message1_q == message_index_t'(m);
    assign job_here = job_message_q == message_index_t'(m) && !job_value_q;
    assign message_begins_o[m] = taken_here && taken_first;
    assign node_room_o[m] = final_room_q[m];

    always_comb begin
      may_take_d[m] = (phase_q[m] == PhIdle) ? may_begin_i[m] && final_room_q[m] :
          (phase_q[m] == PhFill && node_room_q[m]) || phase_q[m] == PhCustom;
      if (taken_here && (s_tlast_i || (node_position_last_q[m] && !taken_first))) begin
        may_take_d[m] = 1'b0;
      end
      if (rst_i) may_take_d[m] = 1'b0;
    end

    // The position counts a beat a clock after it is accepted, so that the adder is not in the path
    // from tvalid.
    logic is_before_last;  // the beat that is accepted now is the last but one of a chunk
    assign is_before_last = beat_here ?
        (node_position_q[m][BeatBits-1:0] == BeatBits'(RingBeats - 3) && !message_first1_q) :
        (node_position_q[m][BeatBits-1:0] == BeatBits'(RingBeats - 2));

    always_ff @(posedge clk_i) begin
      final_room_q[m] <= ring_room_i[m] && !rst_i;
      node_room_q[m] <= ring_room_i[node_slot_q[m]];

      may_take_q[m] <= may_take_d[m];

      if (taken_here) begin
        if (taken_first) begin
          is_tree_q[m] <= taken_tree;
          is_strong_q[m] <= s_user.code[0];
          is_split_q[m] <= 1'b0;
          has_ended_q[m] <= 1'b0;
          tail_digits_q[m] <= '0;
          node_slot_q[m] <= slot_t'(m);
          // The room of its ring is not known here yet; so it is where a slot is given.
          node_room_q[m] <= 1'b0;
          chunk_count_q[m] <= '0;
          no_custom_q[m] <= 1'b1;
          node_position_last_q[m] <= 1'b0;
          node_offset_q[m] <= '0;
        end else if (phase_q[m] == PhFill && !s_tlast_i) begin
          node_position_last_q[m] <= is_before_last;
        end

        if (phase_q[m] == PhCustom) begin
          custom_bytes_q[m] <= s_user.length;
          no_custom_q[m] <= 1'b0;
          if (taken_ends) phase_q[m] <= PhTail;
        end else if (s_tlast_i) begin
          phase_q[m] <= !taken_tree ? PhIdle : s_user.more ? PhCustom : PhTail;
          has_ended_q[m] <= 1'b1;
        end else begin
          phase_q[m] <= (taken_tree && !taken_first && node_position_last_q[m]) ? PhSplit : PhFill;
        end
      end
      if (beat_here) begin
        is_bad_q[m] <= message_bad1 || beat_bad1;
        if (!is_custom1_q) begin
          if (message_first1_q) node_position_q[m] <= position_t'(!beat_last1_q || beat_full1);
          else if (!beat_last1_q || beat_full1) node_position_q[m] <= next_position;
          if (beat_last1_q) node_offset_q[m] <= offset_t'(byte_count1);
        end
      end

      if (job_here) begin
        if (first_done_q) begin
          is_split_q[m] <= 1'b1;
          phase_q[m] <= PhSlot;
        end
        if (tail_left_q) begin
          tail_digits_q[m] <= digit_count_q;
          node_offset_q[m] <= '0;
          phase_q[m] <= PhSplit;
        end
        if (node_done_q) begin
          phase_q[m] <= (phase_q[m] == PhSplit) ? PhSlot :
              (job_split_q && !is_final_q) ? PhValues : PhIdle;
        end
      end
      if (assign_valid_o && assign_message_o == message_index_t'(m)) begin
        node_slot_q[m] <= assign_slot_o;
        node_position_q[m] <= '0;
        node_position_last_q[m] <= 1'b0;
        node_offset_q[m] <= '0;
        chunk_count_q[m] <= chunk_count_q[m] + 1'b1;
        phase_q[m] <= has_ended_q[m] ? PhTail : PhFill;
        node_room_q[m] <= 1'b0;
      end
      if (rst_i) begin
        phase_q[m] <= PhIdle;
        is_bad_q[m] <= 1'b0;
      end
    end
  end

  /////////////////////
  // Writes          //
  /////////////////////

  // What a job's state writes, a clock later.
  logic byte_write1_q, high_write1_q, low_write1_q, job_commit1_q;
  slot_t job_slot1_q;
  offset_t job_offset1_q;
  logic [7:0] byte_value1_q;  // 0 while a value is written
  logic [DataWidth-1:0] value_data1_q;  // 0 while a byte is written
  node_beat_t job_fields1_q;
  always_ff @(posedge clk_i) begin
    byte_write1_q <= byte_write && !rst_i;
    high_write1_q <= state_q == StHigh && !rst_i;
    low_write1_q <= state_q == StLow && !rst_i;
    job_commit1_q <= ((byte_write && (state_q == StEnd || job_offset_q == '1)) ||
        (at_value_q && (state_q == StHigh || DataWidth == 64))) && !rst_i;
    job_slot1_q <= job_slot_q;
    job_offset1_q <= job_offset_q;
    byte_value1_q <= byte_value;
    // A value is rotated by a lane, since it begins in lane 1.
    value_data1_q <= at_value_q ?
        (value_data_i << 64 % DataWidth) | (value_data_i >> (DataWidth - 64)) : '0;
    job_fields1_q.last_beat <= state_q == StEnd;
    job_fields1_q.last_bits <= is_final_q || !job_split_q ? 3'd2 : 3'd3;
    job_fields1_q.byte_count <= FieldCountBits'(job_offset_q) + 1'b1;
    job_fields1_q.is_bad <= job_bad_q && (is_final_q || !job_split_q);
    job_fields1_q.is_strong <= value_strong_q;
  end

  logic [KeepWidth-1:0] write_bytes;
  logic [DataWidth-1:0] write_data;
  node_beat_t write_fields;
  logic beat_write1;
  assign beat_write1 = beat_valid1_q && !is_custom1_q;

  // No job's write is in a clock that follows one in which beats are accepted.
  logic [Groups-1:0] beat_selected1;
  hf_copies #(
      .Width(Groups)
  ) u_beat_selected (
      .clk_i,
      .d_i({Groups{taking_beats_q}}),
      .q_o(beat_selected1)
  );

  always_comb begin
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      write_bytes[b] = beat_write1 || (b >= 8 ? high_write1_q : low_write1_q) ||
          (byte_write1_q && job_offset1_q == offset_t'(b));
      write_data[8*b+:8] = beat_selected1[b/8] ? beat_data1_q[8*b+:8] :
          value_data1_q[8*b+:8] | byte_value1_q;
    end
    write_fields = job_fields1_q;
    if (beat_valid1_q) begin
      write_fields.last_beat = beat_last1_q && !is_tree1_q;
      write_fields.last_bits = last_bits1_q;
      write_fields.byte_count = byte_count1;
      write_fields.is_bad = beat_bad1 || message_bad1;
      write_fields.is_strong = is_strong1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    write_bytes_o <= rst_i ? '0 : write_bytes;
    write_slot_o <= beat_valid1_q ? beat_slot1_q : job_slot1_q;
    write_data_o <= write_data;
    write_fields_o <= write_fields;
    write_commit_o <= !rst_i && (job_commit1_q ||
        (beat_write1 && (beat_full1 || !beat_last1_q || !is_tree1_q)));
  end

endmodule
