// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// BLAKE-224/256 (Width 256) or BLAKE-384/512 (Width 512), final round, half a round a clock: N = 28
// or 32 clocks a block, one message at a time. These are the BLAKE cores of paper latif-finalists.
// Sections are those of the BLAKE specification.
//
// Schedule, a line a clock (docs/engines/finalists.md has the rules of the ports):
//
//   take     the block in the register begins; a `first` one sets the chaining value and the state
//   0..N-2   halves of rounds: four G on the columns, four on the diagonals (section 2.1.2)
//   N-1      the last half, the chaining value (section 2.1.4), and the next block's state at once;
//            the next block of the message begins in this clock
//   end      last block only: the digest goes from the chaining value to st_o; the next message's
//            first block begins
//
// A block is accepted into the block register nine clocks before it begins. Two words a clock go
// from there into the message memories. Before the last half, a block that is not `last` waits for
// its successor. Before `end`, the next message waits until the previous digest has left. A message
// of b blocks takes N*b + 1 clocks, back to back.
//
// Message words, for the half that is computed in clock t:
//
//   t-3  the half is decided
//   t-2  the two word numbers of each lane
//   t-1  the words, from the lane's own two copies of the message, and their constants
//
// A copy is distributed RAM: words 0 to 7 and 8 to 15 in parallel, for two blocks, the current one
// and the next. A word's constant is that of the lane's other number.
//
// The new chaining value costs no LUT level: of each pair of words v[i] and v[i+8], one is complete
// an addition before the other. Initial values cost only presets: between messages, state and
// message have values from which G makes zero in row a, and a simple value in row b.

module hf_blake
  import hf_blake_pkg::*;
#(
    parameter int unsigned Width = 256,  // 256 or 512
    localparam int unsigned BlockWidth = 2 * Width
) (
    input logic clk_i,
    input logic rst_i,  // synchronous; control only

    input  logic                  blk_valid_i,  // stays high until blk_ready_o
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [           1:0] blk_size_i,   // bit 1 must agree with Width
    input  logic [          63:0] blk_count_i,
    input  logic [BlockWidth-1:0] blk_i,

    output logic             st_valid_o,
    input  logic             st_ready_i,
    output logic             st_slot_o,
    output logic [Width-1:0] st_o
);

  localparam int unsigned WordBits = (Width == 512) ? 64 : 32;
  localparam int unsigned NumHalves = 20;  // halves with different message words
  // The last half, in their second use.
  localparam int unsigned LastHalf = ((Width == 512) ? 31 : 27) - NumHalves;
  localparam int unsigned LoadHalf = LastHalf - 7;  // a block accepted in this half begins in time
  localparam int unsigned HalfBlock = BlockWords / 2;

  typedef logic [WordBits-1:0] word_t;
  typedef word_t [NumLanes-1:0] row_t;  // [lane]
  typedef row_t [3:0] state_t;  // [a, b, c, d]
  typedef row_t [1:0] chain_t;  // h, as rows a and b
  typedef word_t [BlockWords-1:0] block_t;
  typedef logic [NumHalves-1:0] halves_t;
  typedef logic [$clog2(HalfBlock)-1:0] place_t;  // a word's place in its half of the block

  function automatic block_t constants();
    block_t c;
    for (int unsigned i = 0; i < BlockWords; i++) c[i] = word_t'(constant(WordBits, index_t'(i)));
    return c;
  endfunction

  function automatic chain_t initial_chain(input bit whole);
    chain_t chain;
    for (int unsigned i = 0; i < 8; i++) begin
      chain[i/NumLanes][i%NumLanes] = word_t'(initial_word(WordBits, whole, i));
    end
    return chain;
  endfunction

  localparam block_t Constant = constants();
  localparam chain_t [1:0] Initial = {initial_chain(1'b1), initial_chain(1'b0)};
  // Distances of G's rotations; the last of the four first.
  localparam logic [3:0][31:0] Rotation =
      (Width == 512) ? {32'd11, 32'd16, 32'd25, 32'd32} : {32'd7, 32'd8, 32'd12, 32'd16};

  // Words are strings of bytes, the highest first.
  function automatic word_t big_endian(input word_t text);
    word_t word;
    for (int unsigned i = 0; i < WordBits; i += 8) word[i+:8] = text[WordBits-8-i+:8];
    return word;
  endfunction

  function automatic word_t rotr(input word_t a, input int unsigned n);
    return (a >> n) | (a << (WordBits - n));
  endfunction

  // A sum that synthesis does not merge with another into a sum of three operands: two carry chains
  // are smaller than a compressor before one.
  function automatic word_t plus(input word_t a, input word_t b);
    return word_t'(({a, 1'b0} + {b, 1'b0}) >> 1);
  endfunction

  // G (section 2.1.2): {d, c, b, a}. The counter is added to d where it costs no LUT.
  function automatic word_t [3:0] g(input word_t a0, input word_t b0, input word_t c0,
                                    input word_t d0, input word_t counter, input word_t x,
                                    input word_t y);
    word_t a, b, c, d;
    a = plus(a0 + x, b0);
    d = rotr(d0 ^ counter ^ a, Rotation[0]);
    c = c0 + d;
    b = rotr(b0 ^ c, Rotation[1]);
    a = plus(a + y, b);
    d = rotr(d ^ a, Rotation[2]);
    c = c + d;
    b = rotr(b ^ c, Rotation[3]);
    return {d, c, b, a};
  endfunction

  ////////////////////
  // Control        //
  ////////////////////

  halves_t open_d, open_q;  // the half whose words are selected in this clock
  logic again_d, again_q;  // it is that half's second use
  logic load_d, load_q;  // the block register is loaded
  logic write_d, write_q;  // two of its words are written, those at place_q
  place_t place_d, place_q;
  logic full_d, full_q;  // the memories have a block that has not begun
  logic bank_q;  // the bank of the current block in the memories
  logic first_q, final_q;  // the other block is `first`; it is `last`
  logic take_d, take_q;  // the other block begins in this clock
  logic busy_d, busy_q;  // the state is in its halves
  logic last_q;  // the state's block is its message's last
  logic at_last_d, at_last_q;  // the state's last half is next
  logic step_d, step_q;  // a half is computed in this clock
  logic clear_d, clear_q;  // the state is unused after this clock
  logic due_d, due_q;  // the chaining value is a digest that must wait
  logic done_d, done_q;  // it is a digest that leaves in this clock
  logic st_valid_d, st_valid_q;

  logic waits, wraps, ends, drop;
  assign waits = open_q[0] && !again_q;
  assign wraps = open_q[LastHalf] && again_q;
  assign ends  = at_last_q && last_q;
  assign drop  = at_last_q && !step_q && full_q && first_q;

  always_comb begin
    st_valid_d = done_q || (st_valid_q && !st_ready_i);
    done_d = (ends || due_q) && !st_valid_d;
    due_d = (ends || due_q) && st_valid_d;

    take_d = waits && full_q && (clear_q ? !due_d : !last_q && !first_q);
    busy_d = take_q || (busy_q && !ends && !drop);
    at_last_d = busy_d && waits;
    step_d = !at_last_d || last_q || take_d;
    clear_d = !take_d && (!busy_d || (at_last_d && last_q));

    open_d = {open_q[NumHalves-2:0], open_q[NumHalves-1]};
    open_d[0] |= wraps || (waits && !take_d);
    open_d[1] &= !waits || take_d;
    open_d[LastHalf+1] &= !again_q;
    again_d = !wraps && (again_q || open_q[NumHalves-1]);
    load_d  = (load_q && !blk_valid_i) || (again_d && open_d[last_q?LoadHalf+1 : LoadHalf]);
    write_d = (load_q && blk_valid_i) || (write_q && place_q != '1);
    place_d = write_q ? place_q + place_t'(1) : '0;
    full_d  = (write_q && place_q == place_t'(HalfBlock - 2)) || (full_q && !take_d);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      open_q     <= halves_t'(1);
      again_q    <= 1'b0;
      load_q     <= 1'b1;
      write_q    <= 1'b0;
      bank_q     <= 1'b0;
      full_q     <= 1'b0;
      take_q     <= 1'b0;
      busy_q     <= 1'b0;
      at_last_q  <= 1'b0;
      clear_q    <= 1'b1;
      due_q      <= 1'b0;
      done_q     <= 1'b0;
      st_valid_q <= 1'b0;
    end else begin
      open_q     <= open_d;
      again_q    <= again_d;
      load_q     <= load_d;
      write_q    <= write_d;
      bank_q     <= bank_q ^ take_d;
      full_q     <= full_d;
      take_q     <= take_d;
      busy_q     <= busy_d;
      at_last_q  <= at_last_d;
      clear_q    <= clear_d;
      due_q      <= due_d;
      done_q     <= done_d;
      st_valid_q <= st_valid_d;
    end
    step_q  <= step_d;
    place_q <= place_d;
    if (take_q) last_q <= final_q;
  end

  assign blk_ready_o = load_q;
  assign blk_slot_o  = 1'b0;
  assign st_slot_o   = 1'b0;
  assign st_valid_o  = st_valid_q;

  ////////////////////
  // Block          //
  ////////////////////

  block_t block_q;
  logic [63:0] count_q;
  logic whole_q;  // 256 or 512, not 224 or 384
  word_t [1:0] write_words;  // of the block's two halves

  assign write_words = {block_q[{1'b1, place_q}], block_q[{1'b0, place_q}]};

  always_ff @(posedge clk_i) begin
    if (load_q) begin
      for (int unsigned i = 0; i < BlockWords; i++) begin
        block_q[i] <= big_endian(blk_i[WordBits*i+:WordBits]);
      end
      count_q <= blk_count_i;
      whole_q <= blk_size_i[0];
      first_q <= blk_first_i;
      final_q <= blk_last_i;
    end
  end

  ////////////////////
  // Message        //
  ////////////////////

  // Between messages: rows a and b have the bits that both initial values share, and the message is
  // such that G makes row a zero.
  function automatic state_t idle_state();
    state_t idle;
    idle[1:0] = Initial[0] | Initial[1];
    for (int unsigned i = 0; i < NumLanes; i++) begin
      idle[2][i] = Constant[i];
      idle[3][i] = Constant[4+i];
    end
    return idle;
  endfunction

  localparam state_t IdleState = idle_state();

  function automatic word_t idle_word(input int unsigned lane, input bit second);
    word_t a;
    a = word_t'(g(IdleState[0][lane], IdleState[1][lane], IdleState[2][lane], IdleState[3][lane],
                  '0, '0, '0));
    return second ? -a : '0;
  endfunction

  word_t [NumLanes-1:0][1:0] message_q;  // [lane][first, second]

  index_t [NumLanes-1:0][1:0] index_d, index_q;  // numbers of these words, a clock earlier

  always_comb begin
    index_d = '0;
    for (int unsigned half = 0; half < NumHalves; half++) begin
      for (int unsigned lane = 0; lane < NumLanes; lane++) begin
        for (int unsigned part = 0; part < 2; part++) begin
          index_d[lane][part] |= word_index(half_t'(half), lane, 1'(part)) & {4{open_q[half]}};
        end
      end
    end
  end
  always_ff @(posedge clk_i) index_q <= index_d;

  for (genvar lane = 0; lane < NumLanes; lane++) begin : gen_lane
    for (genvar part = 0; part < 2; part++) begin : gen_part
      index_t index;
      word_t [1:0] words;
      assign index = index_q[lane][part];
      for (genvar high = 0; high < 2; high++) begin : gen_memory
        word_t memory_q[BlockWords];
        always_ff @(posedge clk_i) begin
          if (write_q) memory_q[{!bank_q, place_q}] <= write_words[high];
        end
        assign words[high] = memory_q[{bank_q, index[2:0]}];
      end

      always_ff @(posedge clk_i) begin
        if (clear_q) message_q[lane][part] <= idle_word(lane, 1'(part));
        else if (step_q) begin
          message_q[lane][part] <= words[index[3]] ^ Constant[index_q[lane][1-part]];
        end
      end
    end
  end

  ////////////////////
  // State          //
  ////////////////////

  state_t state_d, state_q;
  chain_t chain_q;
  logic [1:0][WordBits-1:0] counter_q;  // in the first half; otherwise zero
  logic begins;  // a message begins in this clock
  assign begins = take_q && !at_last_q;

  word_t [NumLanes-1:0][3:0] lanes;

  always_comb begin
    for (int unsigned i = 0; i < NumLanes; i++) begin
      lanes[i] = g(
        state_q[0][i],
        state_q[1][i],
        state_q[2][i],
        state_q[3][i],
        counter_q[i/2],
        message_q[i][0],
        message_q[i][1]
      );
    end
    for (int unsigned row = 0; row < 4; row++) begin
      for (int unsigned i = 0; i < NumLanes; i++) state_d[row][i] = lanes[from_lane(row, i)][row];
    end
    // After the last half (section 2.1.4), and before a message.
    if (at_last_q) state_d[1:0] ^= state_d[3:2] ^ chain_q;
    if (begins) state_d[1] = '0;
  end

  always_ff @(posedge clk_i) begin
    if (step_q) state_q <= state_d;
    if (take_q || ends) chain_q <= state_d[1:0];
    // Before the first half (section 2.1.2).
    if (clear_q || take_q) state_q[3:2] <= IdleState[3:2];
    // Sets the ones of the initial value; its zeros are already there.
    for (int unsigned row = 0; row < 2; row++) begin
      for (int unsigned lane = 0; lane < NumLanes; lane++) begin
        for (int unsigned i = 0; i < WordBits; i++) begin
          if (clear_q) state_q[row][lane][i] <= IdleState[row][lane][i];
          if ((begins && !whole_q && Initial[0][row][lane][i]) ||
              (begins && whole_q && Initial[1][row][lane][i])) begin
            state_q[row][lane][i] <= 1'b1;
            chain_q[row][lane][i] <= 1'b1;
          end
        end
      end
    end
    counter_q <= '0;
    if (take_q) counter_q <= {word_t'(count_q >> WordBits), word_t'(count_q)};
  end

  ////////////////////
  // Digest         //
  ////////////////////

  chain_t st_q;
  always_ff @(posedge clk_i) if (done_q) st_q <= chain_q;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      st_o[WordBits*i+:WordBits] = big_endian(st_q[i/NumLanes][i%NumLanes]);
    end
  end

  logic unused_size;
  assign unused_size = blk_size_i[1];

`ifndef HF_NO_PARAMETER_CHECKS
  if (Width != 256 && Width != 512) begin : gen_no_width
    $fatal(1, "hf_blake: Width is 256 or 512, not %0d", Width);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
