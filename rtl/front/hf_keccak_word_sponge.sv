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
// position is at the beginning of a word; otherwise a word is added byte by byte.

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
  logic at_last;  // the position is in it
  assign info = function_info(function_i);
  logic unused_sponge_info;
  assign unused_sponge_info = ^{info.rate_lanes, info.digest_words, info.suffix_len};
  always_ff @(posedge clk_i) last_lane_q <= LastLanes[function_i];
  if (LaneAddrAt == 0) begin : gen_lane
    assign last_addr = last_lane_q;
  end else begin : gen_part
    assign last_addr = {last_lane_q, {LaneAddrAt{1'b1}}};
  end
  assign at_last = addr_q == last_addr;

  // The message's last bits and the suffix: the byte in which they begin, and the byte after it.
  // The suffix moves a place a clock, which takes fewer LUTs than a shift by a number.
  logic [2:0] moved_q;  // places
  logic [12:0] suffix_q;
  logic [7:0] mask_q;  // the message's bits
  logic spills, exact;  // the suffix ends in the next byte; at the end of this one
  logic load_suffix;
  logic hold_read;  // no word is read any more, and none is being read
  logic between;  // no message is absorbed: no suffix yet
  logic byte_done;  // the suffix's byte is added: zeros remain for StFinal
  always_ff @(posedge clk_i) begin
    if (between || byte_done) begin
      moved_q       <= '0;
      suffix_q[7:0] <= '0;
      mask_q        <= '0;
    end else if (load_suffix) begin
      suffix_q[7:0] <= suffix_q[7:0] | 8'(info.suffix);
    end else if (state_q[StShift] && moved_q != tail_bits_i) begin
      moved_q       <= moved_q + 3'd1;
      suffix_q[7:0] <= {suffix_q[6:0], 1'b0};
      mask_q        <= {mask_q[6:0], 1'b1};
    end
    if (between) suffix_q[12:8] <= '0;
    else if (state_q[StShift] && moved_q != tail_bits_i) suffix_q[12:8] <= suffix_q[11:7];
  end
  // The suffix's last bit is a one.
  assign spills = suffix_q[12:8] != '0;
  assign exact = suffix_q[7] && !spills;

  ////////////////////
  // Bytes          //
  ////////////////////

  // What is added: the whole of in_word_i, or a byte at the position.
  logic add_byte, byte_last, word_full, whole;
  logic next_word;  // the position passes to the next word
  logic [7:0] byte_added, in_byte;
  logic [KeepWidth-1:0] byte_at, final_at;  // one-hot: the byte at the position, a word's last
  logic in_done;  // the last byte of in_word_i

  assign final_at = KeepWidth'(1) << (KeepWidth - 1);
  if (KeepWidth == 1) begin : gen_bytes
    assign byte_at = 1'b1;
    assign byte_last = 1'b1;
    assign word_full = 1'b1;
    assign whole = 1'b1;
    assign in_byte = in_word_i;
    assign in_done = 1'b1;
    assign position_o = addr_q;
  end else begin : gen_words
    logic [OffsetWidth-1:0] offset_q;  // bytes of the position's word that are filled
    logic [KeepWidth-1:0] taken_q, left, lowest;  // bytes of in_word_i: added; still to be added
    logic op_done;
    assign op_done = op_valid_o && op_ready_i;
    assign byte_at = KeepWidth'(1) << offset_q;
    assign byte_last = &offset_q;
    assign word_full = &in_bytes_i;
    assign left = in_bytes_i & ~taken_q;
    assign lowest = left & ~(left - KeepWidth'(1));
    assign in_done = (left & ~lowest) == '0;
    assign whole = offset_q == '0 && taken_q == '0 &&
        (in_bytes_i & (in_bytes_i + KeepWidth'(1))) == '0;
    assign position_o = {addr_q, offset_q};
    always_comb begin
      in_byte = '0;
      for (int unsigned b = 0; b < KeepWidth; b++) begin
        in_byte |= in_word_i[8*b+:8] & {8{lowest[b]}};
      end
    end
    always_ff @(posedge clk_i) begin
      if (resume_i) offset_q <= position_i[OffsetWidth-1:0];
      else if (next_word || permute_q || state_q[StIdle]) offset_q <= '0;
      else if (op_done && (state_q[StAbsorb] || state_q[StTail])) begin
        offset_q <= offset_q + (add_byte ? OffsetWidth'(1) : OffsetWidth'($countones(in_bytes_i)));
      end
      if (rst_i || (in_valid_i && in_ready_o) || !state_q[StAbsorb]) taken_q <= '0;
      else if (op_done && !permute_q) taken_q <= taken_q | lowest;
    end
  end

  ////////////////////
  // Control        //
  ////////////////////

  logic pad_fits;  // the pad's last 1 is in the byte that is added
  always_comb begin
    (* parallel_case *) case (1'b1)
      state_q[StTail]:  pad_fits = at_last && byte_last && !spills && !exact;
      state_q[StSpill]: pad_fits = at_last && byte_last;
      default: pad_fits = state_q[StFinal];
    endcase
  end

  assign hold_read = Holds && hold_i && !offered_q;
  assign between = state_q[StIdle] || (Holds && state_q[StHeld]);
  // The suffix is zero until the message ends, and after the byte in which it begins.
  assign load_suffix = state_q[StAbsorb] && !permute_q && !in_valid_i && last_i;
  assign byte_done = state_q[StTail] && !permute_q && op_ready_i;
  always_comb begin
    byte_added = suffix_q[7:0];
    if (state_q[StAbsorb]) byte_added |= in_byte;
    else byte_added |= tail_byte_i & mask_q;
    if (state_q[StSpill]) byte_added |= 8'(suffix_q[12:8]);
    byte_added[7] |= pad_fits;
  end

  always_comb begin
    state_d = state_q;
    permute_d = permute_q;
    op_valid_o = 1'b0;
    op_o = WordAdd;
    op_addr_o = addr_q;
    op_bytes_o = byte_at;
    add_byte = 1'b1;
    next_word = 1'b0;
    in_ready_o = 1'b0;
    out_valid_o = 1'b0;
    window_ready_o = 1'b0;

    (* parallel_case *) case (1'b1)
      state_q[StWipe]: begin
        op_valid_o = 1'b1;
        op_o = WordWipe;
        if (op_ready_i) state_d = one_hot(StIdle);
      end
      state_q[StIdle]:
      if (start_i) state_d = one_hot(StAbsorb);
      else if (Holds && hold_i) state_d = one_hot(StHeld);

      state_q[StAbsorb]:
      if (!permute_q) begin
        in_ready_o = in_bytes_i == '0 || (op_ready_i && (whole || in_done));
        if (in_valid_i) begin
          op_valid_o = in_bytes_i != '0;
          if (whole) begin
            add_byte = 1'b0;
            op_bytes_o = in_bytes_i;
          end
          next_word = op_valid_o && op_ready_i && (whole ? word_full : byte_last);
          if (next_word && at_last) permute_d = 1'b1;
        end else if (stop_q) state_d = one_hot(StWipe);
        else if (last_i) state_d = one_hot(StShift);
        else if (Holds && hold_i) state_d = one_hot(StHeld);
      end

      state_q[StShift]: if (moved_q == tail_bits_i) state_d = one_hot(StTail);
      state_q[StTail]: begin
        op_valid_o = 1'b1;
        if (op_ready_i) begin
          next_word = byte_last && (spills || exact);
          permute_d = pad_fits || (next_word && at_last);
          state_d   = one_hot(pad_fits ? StSqueeze : spills ? StSpill : StFinal);
        end
      end
      state_q[StSpill]: begin
        op_valid_o = 1'b1;
        if (op_ready_i && !permute_q) begin
          permute_d = pad_fits;
          state_d   = one_hot(pad_fits ? StSqueeze : StFinal);
        end
      end
      state_q[StFinal]: begin
        op_valid_o = 1'b1;
        op_addr_o  = last_addr;
        op_bytes_o = final_at;
        if (op_ready_i && !permute_q) begin
          permute_d = 1'b1;
          state_d   = one_hot(StSqueeze);
        end
      end

      state_q[StSqueeze]:
      if (!permute_q) begin
        if (out_end_i) state_d = one_hot((Holds && hold_i) ? StHeld : StWipe);
        else if (block_done_q) permute_d = 1'b1;
        else if (hold_read) state_d = one_hot(StHeld);
        if (!block_done_q) begin
          op_valid_o = out_ready_i && !hold_read;
          op_o = WordRead;
          out_valid_o = out_ready_i && !hold_read && op_ready_i;
          next_word = out_valid_o;
        end
      end

      state_q[StHeld]:
      if (Holds) begin
        op_valid_o = window_valid_i;
        op_o = window_op_i;
        op_addr_o = window_addr_i;
        op_bytes_o = '1;
        window_ready_o = op_ready_i;
        if (resume_i) state_d = one_hot(resume_squeezing_i ? StSqueeze : StAbsorb);
      end
      default: state_d = one_hot(StWipe);
    endcase

    if (permute_q) begin
      op_valid_o = 1'b1;
      op_o = WordPermute;
      if (op_ready_i) permute_d = 1'b0;
    end
  end

  always_comb begin
    op_word_o = '0;
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      if (!add_byte) op_word_o[8*b+:8] = in_word_i[8*b+:8] & {8{in_bytes_i[b]}};
      else if (op_bytes_o[b]) op_word_o[8*b+:8] = byte_added;
    end
    if (Holds && state_q[StHeld]) op_word_o = window_word_i;
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
