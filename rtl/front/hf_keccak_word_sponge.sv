// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The sponge on an engine with the word contract (docs/reference/word-contract.md): a message's
// words are padded and absorbed (FIPS 202, sections 4, 5.1 and 6), and its output is squeezed. It
// serves one hash at a time, which can be held at any byte, its state read and written, and
// resumed. Front ends for a stream (hf_keccak_word_stream) and for registers stand on it.
//
// A hash begins with start_i and ends with out_end_i or stop_i; either wipes the state. idle_o is
// high between hashes. While the engine permutes, it may accept the message's next words: this
// module adds to no byte twice between permutations, as rule 5 of the contract requires.
//
// Message bytes need not fill words. A word whose first bytes are valid is added at once if the
// position is at the beginning of a word; otherwise a word is added byte by byte. Without Holds,
// all words of a message but its last are full, and the last has its first bytes, if any; the
// message's last bits are in the byte of in_word_i after these, and tail_byte_i is not read.
//
// A byte of the padding is made ready in a clock of its own, for short paths.

module hf_keccak_word_sponge
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,  // 8, 16, 32 or 64
    parameter  bit          Holds = 1'b1,    // hold_i, resume_i and the window are used
    localparam int unsigned KeepWidth = WordWidth / 8,
    localparam int unsigned AddrWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    // The hash: stable from the clock before start_i or resume_i on until idle_o or held_o.
    input logic [FunctionWidth-1:0] function_i,  // low bits of the function's code

    input  logic       start_i,            // while idle_o: a hash begins
    // The hash ends without output: while no word of the message is offered, now and from now on.
    input  logic       stop_i,
    output logic       idle_o,

    // The message. in_ready_o does not depend on in_valid_i. last_i: it ends with the words offered
    // so far, and `tail_bits_i` bits of tail_byte_i after them. Both stay until squeezing_o.
    input  logic                 in_valid_i,
    output logic                 in_ready_o,
    input  logic [WordWidth-1:0] in_word_i,
    input  logic [KeepWidth-1:0] in_bytes_i,
    input  logic                 last_i,
    input  logic [          2:0] tail_bits_i,
    input  logic [          7:0] tail_byte_i,

    // The output: a word in each clock in which out_valid_o is high. out_ready_i: there is room for
    // one; it stays until a word has come. out_end_i: no further word is required, and out_ready_i
    // is low; it changes only while out_ready_i is low, or in the clock after out_valid_o.
    output logic                 squeezing_o,
    output logic                 out_valid_o,
    input  logic                 out_ready_i,
    input  logic                 out_end_i,
    output logic [WordWidth-1:0] out_word_o,

    // The hash is held when all words offered before are added. position_o: bytes of the block that
    // are absorbed or squeezed. resume_i: it continues, at position_i. Between the two the state is
    // read and written by the window.
    input  logic                 hold_i,
    output logic                 held_o,
    output logic [          7:0] position_o,
    input  logic                 resume_i,
    input  logic [          7:0] position_i,
    input  logic                 resume_squeezing_i,
    input  logic                 window_valid_i,
    output logic                 window_ready_o,
    input  word_op_e             window_op_i,
    input  logic [AddrWidth-1:0] window_addr_i,
    input  logic [WordWidth-1:0] window_word_i,

    // To the engine.
    output logic                 op_valid_o,
    input  logic                 op_ready_i,
    output word_op_e             op_o,
    output logic [AddrWidth-1:0] op_addr_o,
    output logic [KeepWidth-1:0] op_bytes_o,
    output logic [WordWidth-1:0] op_word_o,
    input  logic [WordWidth-1:0] word_i
);

  localparam int unsigned OffsetWidth = $clog2(KeepWidth);
  localparam int unsigned LaneAddrAt = $clog2(LaneWidth / WordWidth);

  typedef enum int unsigned {
    StWipe,
    StIdle,
    StAbsorb,
    StShift,    // the suffix moves to the message's last bit
    StTail,     // the message's last bits and the suffix: the byte in which they begin
    StSpill,    // the suffix's bits in the byte after it
    StFinal,    // the pad's last 1, in the block's last byte
    StSqueeze,
    StHeld
  } state_e;

  // One-hot: a state takes no LUT to decode.
  typedef logic [StHeld:0] states_t;
  states_t state_d, state_q;
  function automatic states_t one_hot(input state_e state);
    return states_t'(1) << state;
  endfunction
  logic permute_d, permute_q;  // before what the state does, the engine permutes
  logic [AddrWidth-1:0] addr_q;  // the word at the position
  logic block_done_q;  // all of the block is squeezed
  logic offered_q;  // an operation was offered in the clock before, and not accepted
  logic stop_q;  // registered, since stop_i has a long path; and until a permutation has begun

  ////////////////////
  // The function   //
  ////////////////////

  // A table takes fewer LUTs than the subtraction. Registered: stable when it is used.
  typedef logic [(1<<FunctionWidth)-1:0][4:0] lane_table_t;
  localparam int unsigned RateAt = $bits(function_info_t) - 5;  // its first field
  function automatic lane_table_t last_lanes();
    for (int unsigned i = 0; i < 1 << FunctionWidth; i++) begin
      last_lanes[i] = 5'(function_info(FunctionWidth'(i)) >> RateAt) - 5'd1;
    end
  endfunction
  localparam lane_table_t LastLanes = last_lanes();

  function_info_t info;
  logic [4:0] last_lane_q;
  logic [AddrWidth-1:0] last_addr;  // the rate's last word
  logic in_last_lane, at_last;  // the position is in its lane; in it
  logic byte_last;  // the position is a word's last byte
  assign info = function_info(function_i);
  logic unused_sponge_info;
  assign unused_sponge_info = ^{info.rate_lanes, info.digest_words, info.suffix_len};
  always_ff @(posedge clk_i) last_lane_q <= LastLanes[function_i];
  if (LaneAddrAt == 0) begin : gen_lane
    assign last_addr = last_lane_q;
    assign at_last   = in_last_lane;
  end else begin : gen_part
    assign last_addr = {last_lane_q, {LaneAddrAt{1'b1}}};
    assign at_last   = in_last_lane && (&addr_q[LaneAddrAt-1:0]);
  end
  if (LaneAddrAt == 0 || Holds) begin : gen_now
    assign in_last_lane = addr_q[AddrWidth-1:LaneAddrAt] == last_lane_q;
  end else begin : gen_before
    // Registered: a lane's last word comes a clock after its first one at the earliest.
    logic in_last_lane_q;
    always_ff @(posedge clk_i) in_last_lane_q <= addr_q[AddrWidth-1:LaneAddrAt] == last_lane_q;
    assign in_last_lane = in_last_lane_q;
  end

  // The message's last bits and the suffix: the byte in which they begin, and the byte after it.
  // The suffix moves a place a clock, which takes fewer LUTs than a shift by a number.
  localparam int unsigned SuffixWidth = $bits(info.suffix);
  logic [2:0] left_q;  // places that are left
  logic move;
  logic [7:0] pad_q;  // the byte of the padding, without the message's bits and the last 1
  logic [SuffixWidth-2:0] spill_q;  // the suffix's bits in the next byte
  logic [7:0] mask_q;  // the message's bits
  logic load_suffix;
  logic hold_read;  // no word is read any more, and none is being read
  logic between;  // no message is absorbed: no suffix yet
  // A byte of the padding: it is made ready; it is offered; it is the block's last; the padding's.
  logic padding, offer_pad_q, block_end_q, pad_end_q;
  logic pad_done, block_end, pad_end;
  assign padding = state_q[StTail] || state_q[StSpill] || state_q[StFinal];
  assign pad_done = offer_pad_q && op_ready_i;
  assign block_end = (at_last && byte_last) || state_q[StFinal];
  // The suffix's last bit is a one.
  assign pad_end = block_end && !(state_q[StTail] && (spill_q != '0 || pad_q[7]));
  assign move = state_q[StShift] && left_q != '0;
  always_ff @(posedge clk_i) begin
    if (load_suffix) left_q <= tail_bits_i;
    else if (move) left_q <= left_q - 3'd1;
    if (between || pad_done) mask_q <= '0;
    else if (move) mask_q <= {mask_q[6:0], 1'b1};
    if (between) spill_q <= '0;
    else if (move) spill_q <= {spill_q[SuffixWidth-3:0], pad_q[7]};
    // The suffix is zero until the message ends.
    if (between) pad_q <= '0;
    else if (load_suffix) pad_q <= 8'(info.suffix);
    else if (move) pad_q <= {pad_q[6:0], 1'b0};
    else if (pad_done) pad_q <= state_q[StTail] ? 8'(spill_q) : '0;
    block_end_q <= padding && block_end;
    pad_end_q   <= padding && pad_end;
    offer_pad_q <= padding && !permute_q && !pad_done && !rst_i;
  end

  ////////////////////
  // Bytes          //
  ////////////////////

  // What is added: the whole of in_word_i, or a byte at the position.
  logic add_byte, word_full, whole;
  logic op_done, next_word;  // the position passes to the next word
  logic [7:0] pad_byte, in_byte;
  logic [7:0] pass;  // bits of the message
  logic [KeepWidth-1:0] byte_at;  // one-hot: the byte at the position
  logic in_done;  // the last byte of in_word_i

  assign op_done = op_valid_o && op_ready_i && !permute_q;
  if (KeepWidth == 1) begin : gen_byte
    assign byte_at = 1'b1;
    assign byte_last = 1'b1;
    assign word_full = 1'b1;
    assign position_o = addr_q;
  end else begin : gen_word
    logic [OffsetWidth-1:0] offset_q;  // bytes of the position's word that are filled
    assign byte_at = KeepWidth'(1) << offset_q;
    assign byte_last = &offset_q;
    assign word_full = &in_bytes_i;
    assign position_o = {addr_q, offset_q};
    always_ff @(posedge clk_i) begin
      if (resume_i) offset_q <= position_i[OffsetWidth-1:0];
      else if (permute_q || state_q[StIdle]) offset_q <= '0;
      else if (state_q[StFinal]) offset_q <= '1;
      else if (op_done && add_byte) offset_q <= offset_q + OffsetWidth'(1);
      else if (op_done && state_q[StAbsorb]) offset_q <= OffsetWidth'($countones(in_bytes_i));
    end
  end

  if (KeepWidth == 1) begin : gen_same
    assign whole   = 1'b0;
    assign in_byte = in_word_i;
    assign in_done = 1'b1;
  end else if (!Holds) begin : gen_whole
    assign whole   = 1'b1;
    assign in_byte = '0;
    assign in_done = 1'b1;
  end else begin : gen_any
    logic [KeepWidth-1:0] taken_q, left, lowest;  // bytes of in_word_i: added; still to be added
    assign left = in_bytes_i & ~taken_q;
    assign lowest = left & ~(left - KeepWidth'(1));
    assign in_done = (left & ~lowest) == '0;
    assign whole = byte_at[0] && taken_q == '0 && (in_bytes_i & (in_bytes_i + KeepWidth'(1))) == '0;
    always_comb begin
      in_byte = '0;
      for (int unsigned b = 0; b < KeepWidth; b++) begin
        in_byte |= in_word_i[8*b+:8] & {8{lowest[b]}};
      end
    end
    always_ff @(posedge clk_i) begin
      if (rst_i || (in_valid_i && in_ready_o) || !state_q[StAbsorb]) taken_q <= '0;
      else if (op_done) taken_q <= taken_q | lowest;
    end
  end

  ////////////////////
  // Control        //
  ////////////////////

  logic reading;  // words of the block are read when there is room
  assign hold_read = Holds && hold_i && !offered_q;
  assign between = state_q[StIdle] || (Holds && state_q[StHeld]);
  assign load_suffix = state_q[StAbsorb] && !permute_q && !in_valid_i && last_i;
  assign reading = state_q[StSqueeze] && !block_done_q && !hold_read;

  // An operation.
  assign add_byte = KeepWidth == 1 || padding || (state_q[StAbsorb] && !whole);
  assign op_valid_o = permute_q || state_q[StWipe] || offer_pad_q ||
      (state_q[StAbsorb] && in_valid_i && in_bytes_i != '0) || (reading && out_ready_i) ||
      (Holds && state_q[StHeld] && window_valid_i);
  always_comb begin
    op_o = WordAdd;
    if (Holds && state_q[StHeld]) op_o = window_op_i;
    if (state_q[StSqueeze]) op_o = WordRead;
    if (state_q[StWipe]) op_o = WordWipe;
    if (permute_q) op_o = WordPermute;
  end
  assign op_addr_o = (Holds && state_q[StHeld]) ? window_addr_i : addr_q;
  always_comb begin
    pad_byte = pad_q;
    pad_byte[7] |= pad_end_q;
    pass = mask_q | {8{state_q[StAbsorb]}};
    op_bytes_o = add_byte ? byte_at : in_bytes_i;
    op_word_o  = '0;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (!Holds) op_word_o[8*b+:8] = in_word_i[8*b+:8] & pass | pad_byte;
      else if (!add_byte) op_word_o[8*b+:8] = in_word_i[8*b+:8];
      else if (state_q[StAbsorb]) op_word_o[8*b+:8] = in_byte;
      else op_word_o[8*b+:8] = tail_byte_i & pass | pad_byte;
      if (!op_bytes_o[b]) op_word_o[8*b+:8] = '0;
    end
    if (Holds && state_q[StHeld]) begin
      op_bytes_o = '1;
      op_word_o  = window_word_i;
    end
  end

  // The position passes on after the last word of the padding as well, where it does not matter.
  assign next_word = op_done && (state_q[StSqueeze] || (add_byte ? byte_last : word_full));
  assign in_ready_o = state_q[StAbsorb] && !permute_q &&
      (in_bytes_i == '0 || (op_ready_i && (whole || in_done)));
  assign out_valid_o = reading && !permute_q && out_ready_i && op_ready_i;
  assign window_ready_o = Holds && state_q[StHeld] && op_ready_i;

  // The next state, as sums of products: yosys makes an enable of a `case`, with a long path.
  logic hold, absorbed, squeezed, paused;
  assign hold = Holds && hold_i;
  assign absorbed = state_q[StAbsorb] && !permute_q && !in_valid_i;  // all that was offered
  assign squeezed = state_q[StSqueeze] && !permute_q && out_end_i;
  assign paused = state_q[StSqueeze] && !permute_q && !out_end_i && !block_done_q && hold_read;
  always_comb begin
    state_d[StWipe] = (state_q[StWipe] && !op_ready_i) || (absorbed && stop_q) ||
        (squeezed && !hold);
    state_d[StIdle] = (state_q[StWipe] && op_ready_i) || (state_q[StIdle] && !start_i && !hold);
    state_d[StAbsorb] = (state_q[StIdle] && start_i) ||
        (state_q[StAbsorb] && !(absorbed && (stop_q || last_i || hold))) ||
        (Holds && state_q[StHeld] && resume_i && !resume_squeezing_i);
    state_d[StShift] = (absorbed && !stop_q && last_i) || (state_q[StShift] && left_q != '0);
    state_d[StTail] = (state_q[StShift] && left_q == '0) || (state_q[StTail] && !pad_done);
    state_d[StSpill] = (state_q[StTail] && pad_done && spill_q != '0 && !pad_end_q) ||
        (state_q[StSpill] && !pad_done);
    state_d[StFinal] = (state_q[StTail] && pad_done && spill_q == '0 && !pad_end_q) ||
        (state_q[StSpill] && pad_done && !pad_end_q) || (state_q[StFinal] && !pad_done);
    state_d[StSqueeze] = (pad_done && pad_end_q) ||
        (state_q[StSqueeze] && !squeezed && !paused) ||
        (Holds && state_q[StHeld] && resume_i && resume_squeezing_i);
    state_d[StHeld] = Holds && ((state_q[StIdle] && !start_i && hold) ||
        (absorbed && !stop_q && !last_i && hold) || (squeezed && hold) || paused ||
        (state_q[StHeld] && !resume_i));

    permute_d = (state_q[StAbsorb] && next_word && at_last) ||
        (pad_done && block_end_q) ||
        (state_q[StSqueeze] && !squeezed && block_done_q);
    if (permute_q) permute_d = !op_ready_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q   <= one_hot(StWipe);
      permute_q <= 1'b0;
      stop_q    <= 1'b0;
    end else begin
      state_q   <= state_d;
      permute_q <= permute_d;
      stop_q    <= (stop_i || stop_q) && state_q[StAbsorb];
    end
    if (permute_q || state_q[StIdle]) begin
      addr_q       <= '0;
      block_done_q <= 1'b0;
    end else if (Holds && state_q[StHeld]) begin
      if (resume_i) addr_q <= AddrWidth'(position_i >> OffsetWidth);
    end else if (state_q[StFinal]) begin
      addr_q <= last_addr;
    end else if (next_word) begin
      addr_q <= AddrWidth'(plus_one(8'(addr_q)));
      if (state_q[StSqueeze] && at_last) block_done_q <= 1'b1;
    end
    offered_q <= op_valid_o && !op_ready_i && !rst_i;
  end

  assign idle_o = state_q[StIdle];
  assign held_o = state_q[StHeld];
  assign squeezing_o = state_q[StSqueeze];
  assign out_word_o = word_i;

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_bad_width
    $fatal(1, "hf_keccak_word_sponge: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
