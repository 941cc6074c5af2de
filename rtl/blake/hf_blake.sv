// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// BLAKE-224/256 (Width 256) or BLAKE-384/512 (Width 512), final round, half a round a clock: N = 28
// or 32 clocks a block, one message at a time. The BLAKE cores of paper latif-finalists.
//
// Schedule, a line a clock (docs/finalists.md has the rules of the ports):
//
//   take     a block is handed over; a `first` one sets the chaining value and the state
//   0..N-2   halves of rounds: four G on the columns, four on the diagonals (section 2.1.2)
//   N-1      the last half, the chaining value (section 2.1.4), and the next block's state at once;
//            the next block of the message is taken in this clock
//   end      last block only: the digest goes from the chaining value to st_o; the next message's
//            first block is taken
//
// In front of the last half a block that is not `last` waits for its successor, and one that is waits
// for the digest before it to be gone. A message of b blocks takes N*b + 1 clocks, back to back.
//
// The new chaining value costs no LUT level: of each pair of words v[i] and v[i+8] one is known an
// addition before the other. The block register takes what blk_i has in the clock before a handover,
// where the offer already stands, so that message words are chosen from it alone, a clock ahead.

module hf_blake
  import hf_blake_pkg::*;
#(
    parameter  int unsigned Width = 256,  // 256 or 512
    localparam int unsigned BlockWidth = 2 * Width
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,  // stays high until blk_ready_o
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [           1:0] blk_size_i,  // bit 1 is Width's
    input  logic [          63:0] blk_count_i,
    input  logic [BlockWidth-1:0] blk_i,

    output logic             st_valid_o,
    input  logic             st_ready_i,
    output logic             st_slot_o,
    output logic [Width-1:0] st_o
);

  if (Width != 256 && Width != 512) begin : gen_no_width
    $fatal(1, "hf_blake: Width is 256 or 512, not %0d", Width);
  end

  localparam int unsigned WordBits = (Width == 512) ? 64 : 32;
  localparam half_t LastHalf = (Width == 512) ? 5'd31 : 5'd27;

  typedef logic [WordBits-1:0] word_t;
  typedef word_t [NumLanes-1:0] row_t;  // [lane]
  typedef row_t [3:0] state_t;  // [a, b, c, d]
  typedef index_t [31:0][NumLanes-1:0][1:0] table_t;  // [half][lane][first, second]

  function automatic word_t [BlockWords-1:0] constants();
    word_t [BlockWords-1:0] c;
    for (int unsigned i = 0; i < BlockWords; i++) c[i] = word_t'(constant(WordBits, index_t'(i)));
    return c;
  endfunction

  function automatic table_t indices();
    table_t index;
    for (int unsigned half = 0; half < 32; half++) begin
      for (int unsigned lane = 0; lane < NumLanes; lane++) begin
        index[half][lane][0] = word_index(half_t'(half), lane, 1'b0);
        index[half][lane][1] = word_index(half_t'(half), lane, 1'b1);
      end
    end
    return index;
  endfunction

  localparam word_t [BlockWords-1:0] Constant = constants();
  localparam table_t Index = indices();
  localparam int unsigned Turn[4] = '{
      (Width == 512) ? 32 : 16,
      (Width == 512) ? 25 : 12,
      (Width == 512) ? 16 : 8,
      (Width == 512) ? 11 : 7
  };

  function automatic row_t [1:0] initial_chain(input bit whole);
    row_t [1:0] chain;
    for (int unsigned i = 0; i < 8; i++) begin
      chain[i/NumLanes][i%NumLanes] = word_t'(initial_word(WordBits, whole, i));
    end
    return chain;
  endfunction

  // Words are strings of bytes, the highest first.
  function automatic word_t big_endian(input word_t text);
    word_t word;
    for (int unsigned i = 0; i < WordBits; i += 8) word[i+:8] = text[WordBits-8-i+:8];
    return word;
  endfunction

  ////////////////////
  // Control        //
  ////////////////////

  logic take_d, take_q;  // this clock hands a block over
  logic first_q;  // it is a `first` one
  logic busy_d, busy_q;  // the state is in its halves
  logic last_d, last_q;  // the state's block is its message's last
  half_t next_d, next_q;  // the half to compute in the next clock: its words are chosen in this one
  logic load_d, load_q;  // the block register is open: no half takes its words from it any more
  logic done_d, done_q;  // the chaining value is a digest, in this clock
  logic st_valid_d, st_valid_q;

  logic at_last, finish, step;
  assign at_last = busy_q && next_q == '0;
  assign finish  = at_last && (last_q ? !st_valid_q || st_ready_i : take_q);
  assign step    = busy_q && (!at_last || finish);

  always_comb begin
    take_d = blk_valid_i && load_q && (!last_q || !busy_q || finish);

    busy_d = take_q || (busy_q && !finish);
    last_d = take_q ? blk_last_i : last_q;
    next_d = next_q;
    if (take_q) next_d = half_t'(1);
    else if (step && !at_last) next_d = (next_q == LastHalf) ? '0 : next_q + half_t'(1);
    load_d = !take_d && (!busy_d || next_d == LastHalf || next_d == '0);
    done_d = finish && last_q;
    st_valid_d = done_q || (st_valid_q && !st_ready_i);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      take_q     <= 1'b0;
      busy_q     <= 1'b0;
      next_q     <= '0;
      load_q     <= 1'b1;
      done_q     <= 1'b0;
      st_valid_q <= 1'b0;
    end else begin
      take_q     <= take_d;
      busy_q     <= busy_d;
      next_q     <= next_d;
      load_q     <= load_d;
      done_q     <= done_d;
      st_valid_q <= st_valid_d;
    end
    first_q <= blk_first_i;
    last_q  <= last_d;
  end

  assign blk_ready_o = take_q;
  assign blk_slot_o  = 1'b0;
  assign st_slot_o   = 1'b0;
  assign st_valid_o  = st_valid_q;

  ////////////////////
  // Message        //
  ////////////////////

  word_t [BlockWords-1:0] block_q;
  logic [63:0] count_q;
  logic whole_q;  // 256 or 512, not 224 or 384

  always_ff @(posedge clk_i) begin
    if (load_q) begin
      for (int unsigned i = 0; i < BlockWords; i++) begin
        block_q[i] <= big_endian(blk_i[WordBits*i+:WordBits]);
      end
      count_q <= blk_count_i;
      whole_q <= blk_size_i[0];
    end
  end

  // A word and the other one's constant. The constant goes into the leaves of the choice, where a
  // LUT4 has an input left for it.
  function automatic word_t message(input word_t [BlockWords-1:0] block, input index_t of_word,
                                    input index_t of_constant);
    word_t [BlockWords-1:0] added;
    for (int unsigned i = 0; i < BlockWords; i++) added[i] = block[i] ^ Constant[of_constant];
    return added[of_word];
  endfunction

  word_t [NumLanes-1:0][1:0] message_q;  // [lane][first, second]

  always_ff @(posedge clk_i) begin
    if (take_q || step) begin
      for (int unsigned lane = 0; lane < NumLanes; lane++) begin
        for (int unsigned i = 0; i < 2; i++) begin
          message_q[lane][i] <= message(block_q, Index[next_q][lane][i], Index[next_q][lane][1-i]);
        end
      end
    end
  end

  ////////////////////
  // State          //
  ////////////////////

  function automatic word_t rotr(input word_t a, input int unsigned n);
    return (a >> n) | (a << (WordBits - n));
  endfunction

  // G (section 2.1.2): {d, c, b, a}.
  function automatic word_t [3:0] g(input word_t a0, input word_t b0, input word_t c0,
                                    input word_t d0, input word_t x, input word_t y);
    word_t a, b, c, d;
    a = a0 + b0 + x;
    d = rotr(d0 ^ a, Turn[0]);
    c = c0 + d;
    b = rotr(b0 ^ c, Turn[1]);
    a = a + b + y;
    d = rotr(d ^ a, Turn[2]);
    c = c + d;
    b = rotr(b ^ c, Turn[3]);
    return {d, c, b, a};
  endfunction

  state_t state_d, state_q;
  row_t [1:0] chain_q;  // h, as rows a and b

  word_t [NumLanes-1:0][3:0] lanes;

  always_comb begin
    for (int unsigned i = 0; i < NumLanes; i++) begin
      lanes[i] = g(state_q[0][i], state_q[1][i], state_q[2][i], state_q[3][i], message_q[i][0],
                   message_q[i][1]);
    end
    for (int unsigned row = 0; row < 4; row++) begin
      for (int unsigned i = 0; i < NumLanes; i++) state_d[row][i] = lanes[from_lane(row, i)][row];
    end
    // Behind the last half (section 2.1.4), and in front of the first (section 2.1.2).
    if (next_q == '0) begin
      state_d[1:0] ^= state_d[3:2] ^ chain_q;
      for (int unsigned i = 0; i < NumLanes; i++) state_d[2][i] = Constant[i];
      for (int unsigned i = 0; i < NumLanes; i++) begin
        state_d[3][i] = Constant[4+i] ^ word_t'(count_q >> (i < 2 ? 0 : WordBits));
      end
    end
  end

  logic begins;
  assign begins = take_q && first_q;

  always_ff @(posedge clk_i) begin
    if (begins) state_q[1:0] <= initial_chain(whole_q);
    else if (take_q || step) state_q[1:0] <= state_d[1:0];
    if (take_q || step) state_q[3:2] <= state_d[3:2];
    if (begins) chain_q <= initial_chain(whole_q);
    else if (finish) chain_q <= state_d[1:0];
  end

  ////////////////////
  // Digest         //
  ////////////////////

  row_t [1:0] st_q;
  always_ff @(posedge clk_i) if (done_q) st_q <= chain_q;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      st_o[WordBits*i+:WordBits] = big_endian(st_q[i/NumLanes][i%NumLanes]);
    end
  end

  logic unused_size;
  assign unused_size = blk_size_i[1];

endmodule
