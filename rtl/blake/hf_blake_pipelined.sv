// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// BLAKE-224/256 (Width 256) or BLAKE-384/512 (Width 512), final round, half a round a pass through a
// loop of nine stages with a message in each: nine slots, N = 28 or 32 clocks a block. A stage is one
// addition or one XOR. Message words wait in block RAM, one for each of the eight that a half takes.
//
// Stages (section 2.1.2; r turns a word), a context a clock further each clock:
//
//   0  b := r(b ^ c)    behind the last half also the chaining value (section 2.1.4), which is the
//                       first half of the next block's state
//   1  t := b + x       x, y: message words, constants added
//   2  a := a + t
//   3  d := r(d ^ a)    in front of the first half also the counter
//   4  c := c + d, a := a + y
//   5  b := r(b ^ c)
//   6  a := a + b
//   7  d := r(d ^ a)
//   8  c := c + d
//
// Time is cut into windows of N clocks, one for each slot in turn, and a slot's frame is the nine
// windows from the end of its own: N passes, one block, or none. In its window a slot's block is read
// from blk_i word by word, from clock N - 17 on, and taken in the last clock; what is not offered in
// clock N - 18 waits for the next window. The order of slots in the loop follows from N and 9 having
// no common divisor.
//
// In a frame without a block the state is zero, and what is behind its last half is the chaining value
// as it was; so nothing is held still. There is such a frame behind each message: its digest leaves
// then (or in a later one, if there is no room), and the next message's block finds a state of zero,
// which is what lets it begin with the initial value at no cost. So does one in place of a message that
// is given up.

module hf_blake_pipelined
  import hf_blake_pkg::*;
#(
    parameter  int unsigned Width = 256,  // 256 or 512
    localparam int unsigned BlockWidth = 2 * Width,
    localparam int unsigned NumStages = 9,
    localparam int unsigned SlotWidth = 4
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,  // stays high until blk_ready_o
    output logic                  blk_ready_o,
    output logic [ SlotWidth-1:0] blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [           1:0] blk_size_i,   // bit 1 is Width's
    input  logic [          63:0] blk_count_i,
    input  logic [BlockWidth-1:0] blk_i,

    output logic                 st_valid_o,
    input  logic                 st_ready_i,
    output logic [SlotWidth-1:0] st_slot_o,
    output logic [    Width-1:0] st_o
);

  if (Width != 256 && Width != 512) begin : gen_no_width
    $fatal(1, "hf_blake_pipelined: Width is 256 or 512, not %0d", Width);
  end

  localparam int unsigned WordBits = (Width == 512) ? 64 : 32;
  localparam half_t LastClock = (Width == 512) ? 5'd31 : 5'd27;  // of a window
  localparam half_t AskClock = LastClock - half_t'(BlockWords + 1);

  typedef logic [WordBits-1:0] word_t;
  typedef word_t [NumLanes-1:0] row_t;  // [lane]
  typedef row_t [1:0] chain_t;  // h, as rows a and b
  typedef logic [SlotWidth-1:0] number_t;
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

  function automatic chain_t initial_chain(input bit whole);
    chain_t chain;
    for (int unsigned i = 0; i < 8; i++) begin
      chain[i/NumLanes][i%NumLanes] = word_t'(initial_word(WordBits, whole, i));
    end
    return chain;
  endfunction

  localparam word_t [BlockWords-1:0] Constant = constants();
  localparam table_t Index = indices();
  localparam chain_t [1:0] Initial = {initial_chain(1'b1), initial_chain(1'b0)};
  localparam int unsigned Turn[4] = '{
      (Width == 512) ? 32 : 16,
      (Width == 512) ? 25 : 12,
      (Width == 512) ? 16 : 8,
      (Width == 512) ? 11 : 7
  };

  function automatic word_t rotr(input word_t a, input int unsigned n);
    return (a >> n) | (a << (WordBits - n));
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

  // A slot in the loop. From stage 6 on it is about the pass to come.
  typedef struct packed {
    number_t number;
    half_t   half;
    logic    live;    // the frame has a block
    logic    last;    // it is its message's last
    logic    due;     // the chaining value is a digest that has not left
    logic    buffer;  // where the block's words are
  } slot_t;

  slot_t [NumStages-1:0] slot_q;

  half_t clock_q;  // of the window
  number_t number_q;  // the window's slot
  logic ask, turn, go_q, room, leave;
  logic st_valid_q;
  assign ask   = clock_q == AskClock;  // its slot is at stage 6
  assign turn  = clock_q == LastClock;  // at stage 5; its frame ends
  assign room  = !st_valid_q || st_ready_i;
  assign leave = slot_q[3].due && room;

  logic open;  // what is at stage 6 may be given the block that is offered
  assign open = slot_q[6].live ? !slot_q[6].last && !blk_first_i : !slot_q[6].due;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < NumStages; i++) slot_q[(i+1)%NumStages] <= slot_q[i];
    slot_q[4].due  <= slot_q[3].due && !leave;
    slot_q[6].half <= slot_q[5].half + half_t'(1);
    if (turn) begin
      slot_q[6] <= '{
          number: number_q,
          half: '0,
          live: go_q,
          last: blk_last_i,
          due: slot_q[5].due || (slot_q[5].live && slot_q[5].last),
          buffer: !slot_q[5].buffer
      };
    end
    if (rst_i) begin
      for (int unsigned i = 0; i < NumStages; i++) begin
        slot_q[i].live <= 1'b0;
        slot_q[i].due  <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      clock_q    <= '0;
      number_q   <= '0;
      go_q       <= 1'b0;
      st_valid_q <= 1'b0;
    end else begin
      clock_q <= turn ? '0 : clock_q + half_t'(1);
      if (turn) number_q <= (number_q == number_t'(NumStages - 1)) ? '0 : number_q + number_t'(1);
      if (ask) go_q <= blk_valid_i && open;
      else if (turn) go_q <= 1'b0;
      st_valid_q <= leave || (st_valid_q && !st_ready_i);
    end
  end

  assign blk_ready_o = go_q && turn;
  assign blk_slot_o  = number_q;
  assign st_valid_o  = st_valid_q;

  ////////////////////
  // Message        //
  ////////////////////

  localparam int unsigned AddrWidth = SlotWidth + 1 + 4;

  word_t write_q;  // the word to write, its place, and where it is
  index_t word_q, write_word_q;
  logic write_buffer_q;
  logic reads_q, write_on_q;

  always_ff @(posedge clk_i) begin
    if (ask) begin
      word_q <= '0;
      write_buffer_q <= !slot_q[6].buffer;
    end else word_q <= word_q + index_t'(1);
    reads_q <= ask || (reads_q && word_q != '1);
    write_on_q <= reads_q;
    write_word_q <= word_q;
    write_q <= big_endian(blk_i[WordBits*word_q+:WordBits]);
  end

  word_t [1:0][NumLanes-1:0] message_q;  // x at stage 1, y at stage 4

  for (genvar part = 0; part < 2; part++) begin : gen_part
    localparam int unsigned Early = (part == 0) ? 6 : 0;  // four stages before its use
    for (genvar lane = 0; lane < NumLanes; lane++) begin : gen_lane
      logic [AddrWidth-1:0] addr_q;
      word_t word;
      word_t constant_q;

      always_ff @(posedge clk_i) begin
        addr_q <= {
          slot_q[Early].number, slot_q[Early].buffer, Index[slot_q[Early].half][lane][part]
        };
        constant_q <= Constant[Index[slot_q[(Early+2)%NumStages].half][lane][1-part]];
        if (!slot_q[(Early+3)%NumStages].live) message_q[part][lane] <= '0;
        else message_q[part][lane] <= word ^ constant_q;
      end

      hf_ram #(
          .Width(WordBits),
          .Depth(1 << AddrWidth)
      ) u_words (
          .clk_i,
          .write_i     (write_on_q),
          .write_addr_i({number_q, write_buffer_q, write_word_q}),
          .write_data_i(write_q),
          .read_addr_i (addr_q),
          .read_data_o (word)
      );
    end
  end

  ////////////////////
  // First block    //
  ////////////////////

  logic first6_q, first7_q;  // the slot at stage 6 or 7 begins a message
  logic whole_q;  // of 256 or 512 bits, not 224 or 384
  logic [63:0] count_q;

  always_ff @(posedge clk_i) begin
    first6_q <= turn && go_q && blk_first_i;
    first7_q <= first6_q;
    if (turn) begin
      whole_q <= blk_size_i[0];
      count_q <= blk_count_i;
    end
  end

  // At the input of each stage. The initial value comes in two steps, so that it is only resets and
  // presets: bits that are set in both, and then those that are in one.
  chain_t [NumStages-1:0] chain_q;
  chain_t chain_made;  // at stage 1

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < NumStages; i++) chain_q[(i+1)%NumStages] <= chain_q[i];
    if (slot_q[1].half == '0) chain_q[2] <= chain_made;
    if (first6_q) chain_q[7] <= Initial[0] & Initial[1];
    for (int unsigned row = 0; row < 2; row++) begin
      for (int unsigned lane = 0; lane < NumLanes; lane++) begin
        for (int unsigned i = 0; i < WordBits; i++) begin
          if (Initial[0][row][lane][i] != Initial[1][row][lane][i] && first7_q &&
              whole_q == Initial[1][row][lane][i]) begin
            chain_q[8][row][lane][i] <= 1'b1;
          end
        end
      end
    end
  end

  ////////////////////
  // State          //
  ////////////////////

  // At the input of each stage, as far as a later one needs them.
  row_t [NumStages-1:0] a_q;
  row_t [NumStages-1:0] b_q;
  row_t [NumStages-1:0] c_q;
  row_t [NumStages-1:0] d_q;
  row_t t_q;  // at stage 2
  row_t fed_q;  // at stage 0: what the chaining value adds to b
  logic [1:0][WordBits-1:0] counter_q;  // at stage 3

  logic between0, between8;  // blocks: behind the last half and in front of the first
  assign between0   = slot_q[0].half == '0;
  assign between8   = slot_q[8].half == '0;
  assign chain_made = {b_q[1], a_q[1]};

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < NumStages; i++) begin
      a_q[(i+1)%NumStages] <= a_q[i];
      b_q[(i+1)%NumStages] <= b_q[i];
      c_q[(i+1)%NumStages] <= c_q[i];
      d_q[(i+1)%NumStages] <= d_q[i];
    end

    for (int unsigned i = 0; i < NumLanes; i++) begin
      // Stage 0; here words go from lane to lane.
      a_q[1][i] <= a_q[0][from_lane(0, i)];
      if (between0) begin
        a_q[1][i] <= a_q[0][from_lane(0, i)] ^ chain_q[0][0][i] ^ c_q[0][from_lane(2, i)];
      end
      b_q[1][i] <= rotr(b_q[0][from_lane(1, i)] ^ c_q[0][from_lane(1, i)], Turn[3]) ^ fed_q[i];
      c_q[1][i] <= between0 ? Constant[i] : c_q[0][from_lane(2, i)];
      d_q[1][i] <= between0 ? Constant[4+i] : d_q[0][from_lane(3, i)];
      // Stages 1 to 8.
      t_q[i] <= b_q[1][i] + message_q[0][i];
      a_q[3][i] <= a_q[2][i] + t_q[i];
      d_q[4][i] <= rotr(d_q[3][i] ^ a_q[3][i] ^ counter_q[i/2], Turn[0]);
      c_q[5][i] <= c_q[4][i] + d_q[4][i];
      a_q[5][i] <= a_q[4][i] + message_q[1][i];
      b_q[6][i] <= rotr(b_q[5][i] ^ c_q[5][i], Turn[1]);
      a_q[7][i] <= a_q[6][i] + b_q[6][i];
      d_q[8][i] <= rotr(d_q[7][i] ^ a_q[7][i], Turn[2]);
      c_q[0][i] <= c_q[8][i] + d_q[8][i];
      fed_q[i] <= between8 ? chain_q[8][1][i] ^ d_q[8][from_lane(3, i)] : '0;
    end

    if (!slot_q[1].live) begin
      t_q    <= '0;
      a_q[2] <= '0;
      b_q[2] <= '0;
      c_q[2] <= '0;
      d_q[2] <= '0;
    end
    if (slot_q[2].live && slot_q[2].half == '0) begin
      counter_q <= {word_t'(count_q >> WordBits), word_t'(count_q)};
    end else counter_q <= '0;
  end

  ////////////////////
  // Digest         //
  ////////////////////

  chain_t st_q;
  always_ff @(posedge clk_i) begin
    if (leave) begin
      st_q <= chain_q[3];
      st_slot_o <= slot_q[3].number;
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      st_o[WordBits*i+:WordBits] = big_endian(st_q[i/NumLanes][i%NumLanes]);
    end
  end

  logic unused_size;
  assign unused_size = blk_size_i[1];

endmodule
