// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// BLAKE-224/256 (Width 256) or BLAKE-384/512 (Width 512), final round: half a round in each pass
// through a loop of nine stages with a message in each. Nine slots, N = 28 or 32 clocks a block. A
// stage is one LUT4 or one addition. A slot's block moves round the loop with it. Sections are
// those of the BLAKE specification.
//
// Stages (section 2.1.2; r rotates a word). A context moves one stage a clock:
//
//   0  b := r(b ^ c)    after the last half also the chaining value (section 2.1.4), which is
//                       the first half of the next block's state
//   1  t := b + x       x, y: message words, constants added
//   2  a := a + t
//   3  d := r(d ^ a)    before the first half also the counter
//   4  c := c + d, a := a + y
//   5  b := r(b ^ c)
//   6  a := a + b
//   7  d := r(d ^ a)
//   8  c := c + d
//
// Message words, a clock each, from the block at stage 7 on for x and at stage 1 for y:
//
//   7, 1  each word that the lane ever takes goes into a separate register, which is zero unless
//         that word is selected: a synchronous reset instead of a multiplexer. So does the constant
//   8, 2  sums of four of these
//   0, 3  the sum of the sums
//
// Time is divided into windows of N clocks, one for each slot cyclically. A slot's frame is the
// nine windows from the end of its window: N passes, one block, or none. A block is accepted in
// the last clock of its slot's window, when the slot is at stage 5: the slot cycle. The order of
// slots in the loop follows because N and 9 have no common divisor. Clock 0 is the slot cycle:
//
//   0        the block's handshake, or none
//   3, 4     at stages 8 and 0 the old chaining value is added
//   5        at stage 1 the new one is complete, and goes into the memory
//   7        it leaves if it is a digest and there is room
//
// The memory of chaining values is a shift register, moved once in a window.
//
// In a frame without a block the state is zero, and the result of its last half is the chaining
// value as it was. So nothing is stalled. Each message is followed by such a frame: its digest
// leaves at the frame's beginning (or at that of a later frame, if there is no room), and the next
// message's block finds a state of zero, so that it can begin with the initial value at no cost. A
// message that is abandoned is also followed by such a frame.

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
    input  logic [           1:0] blk_size_i,   // bit 1 must agree with Width
    input  logic [          63:0] blk_count_i,
    input  logic [BlockWidth-1:0] blk_i,

    output logic                 st_valid_o,
    input  logic                 st_ready_i,
    output logic [SlotWidth-1:0] st_slot_o,
    output logic [    Width-1:0] st_o
);

  localparam int unsigned WordBits = (Width == 512) ? 64 : 32;
  localparam half_t LastClock = (Width == 512) ? 5'd31 : 5'd27;  // last clock of a window
  localparam int unsigned NumHalves = 20;  // halves with different message words

  typedef logic [WordBits-1:0] word_t;
  typedef word_t [NumLanes-1:0] row_t;  // [lane]
  typedef row_t [1:0] chain_t;  // h, as rows a and b
  typedef logic [SlotWidth-1:0] number_t;
  typedef word_t [BlockWords-1:0] block_t;
  typedef index_t [NumLanes-1:0][1:0] indices_t;  // [lane][first, second]

  function automatic block_t constants();
    block_t c;
    for (int unsigned i = 0; i < BlockWords; i++) c[i] = word_t'(constant(WordBits, index_t'(i)));
    return c;
  endfunction

  // The words that the next half takes; after half 31 comes half 0.
  function automatic indices_t [31:0] next_indices();
    indices_t [31:0] index;
    for (int unsigned half = 0; half < 32; half++) begin
      for (int unsigned lane = 0; lane < NumLanes; lane++) begin
        index[half][lane][0] = word_index(half_t'(half + 1), lane, 1'b0);
        index[half][lane][1] = word_index(half_t'(half + 1), lane, 1'b1);
      end
    end
    return index;
  endfunction

  // The words that a lane takes in any half as its first or second word: 13 to 15 of the 16.
  function automatic logic [BlockWords-1:0] words_taken(input int unsigned lane, input bit second);
    logic [BlockWords-1:0] taken;
    taken = '0;
    for (int unsigned half = 0; half < NumHalves; half++) begin
      taken[word_index(half_t'(half), lane, second)] = 1'b1;
    end
    return taken;
  endfunction

  function automatic chain_t initial_chain(input bit whole);
    chain_t chain;
    for (int unsigned i = 0; i < 8; i++) begin
      chain[i/NumLanes][i%NumLanes] = word_t'(initial_word(WordBits, whole, i));
    end
    return chain;
  endfunction

  localparam block_t Constant = constants();
  localparam indices_t [31:0] NextIndex = next_indices();
  localparam chain_t [1:0] Initial = {initial_chain(1'b1), initial_chain(1'b0)};
  // Distances of G's rotations; the last of the four first.
  localparam logic [3:0][31:0] Rotation =
      (Width == 512) ? {32'd11, 32'd16, 32'd25, 32'd32} : {32'd7, 32'd8, 32'd12, 32'd16};

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

  // The control of a slot in the loop. From stage 6 on it belongs to the next pass.
  typedef struct packed {
    half_t half;
    logic  start;  // the half is the frame's first
    logic  idle;   // the frame has no block
    logic  last;   // the block is its message's last
    logic  due;    // the chaining value is a digest that has not left
  } slot_t;

  slot_t [NumStages-1:0] slot_q;

  half_t clock_q;  // clock of the window
  number_t number_q;  // the window's slot
  number_t turned_q;  // the slot that had the last slot cycle
  logic turn_d, turn_q;  // the window's last clock; its slot is at stage 5 and its frame ends
  logic open;  // the slot may accept the offered block
  logic take, room, leave_d, leave_q;
  logic st_valid_q;
  assign turn_d = clock_q == LastClock - half_t'(1);
  assign open = slot_q[5].idle ? !slot_q[5].due : !slot_q[5].last && !blk_first_i;
  assign take = blk_valid_i && blk_ready_o;
  assign room = !st_valid_q || st_ready_i;
  assign leave_d = slot_q[2].start && slot_q[2].due && room;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < NumStages; i++) slot_q[(i+1)%NumStages] <= slot_q[i];
    slot_q[3].due   <= slot_q[2].due && !leave_d;
    slot_q[6].half  <= slot_q[5].half + half_t'(1);
    slot_q[6].start <= 1'b0;
    if (turn_q) begin
      slot_q[6].half  <= '0;
      slot_q[6].start <= 1'b1;
      slot_q[6].idle  <= !take;
      slot_q[6].last  <= blk_last_i;
      slot_q[6].due   <= slot_q[5].due || (!slot_q[5].idle && slot_q[5].last);
    end
    if (rst_i) begin
      for (int unsigned i = 0; i < NumStages; i++) begin
        slot_q[i].idle <= 1'b1;
        slot_q[i].due  <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      clock_q    <= '0;
      turn_q     <= 1'b0;
      number_q   <= '0;
      leave_q    <= 1'b0;
      st_valid_q <= 1'b0;
    end else begin
      clock_q <= turn_q ? '0 : clock_q + half_t'(1);
      turn_q  <= turn_d;
      if (turn_q) number_q <= (number_q == number_t'(NumStages - 1)) ? '0 : number_q + number_t'(1);
      leave_q <= leave_d;
      st_valid_q <= leave_q || (st_valid_q && !st_ready_i);
    end
    if (turn_q) turned_q <= number_q;
  end

  assign blk_ready_o = turn_q && open;
  assign blk_slot_o  = number_q;
  assign st_valid_o  = st_valid_q;

  // Copies of controls: of the slot cycle for each word of a block, of the others for each lane.
  logic [BlockWords-1:0] enter;
  logic [NumLanes-1:0] inside8;  // the slot at stage 8 is not between blocks
  // The slot at stage 0 is between blocks: after a last half, before a first.
  logic [NumLanes-1:0] between0;
  logic [1:0][NumLanes-1:0] move;  // the slot at stage 1 has a new chaining value; for each row
  logic [NumLanes-1:0] idle0, idle1, idle3;  // the slot at this stage is idle

  for (genvar i = 0; i < BlockWords; i++) begin : gen_enter
    hf_copy u_enter (
        .clk_i,
        .d_i(turn_d),
        .q_o(enter[i])
    );
  end

  for (genvar lane = 0; lane < NumLanes; lane++) begin : gen_copies
    hf_copy u_inside8 (
        .clk_i,
        .d_i(!slot_q[7].start),
        .q_o(inside8[lane])
    );
    hf_copy u_between0 (
        .clk_i,
        .d_i(slot_q[8].start),
        .q_o(between0[lane])
    );
    hf_copy u_idle0 (
        .clk_i,
        .d_i(slot_q[8].idle),
        .q_o(idle0[lane])
    );
    hf_copy u_idle1 (
        .clk_i,
        .d_i(slot_q[0].idle),
        .q_o(idle1[lane])
    );
    hf_copy u_idle3 (
        .clk_i,
        .d_i(slot_q[2].idle),
        .q_o(idle3[lane])
    );
    for (genvar row = 0; row < 2; row++) begin : gen_move
      hf_copy u_move (
          .clk_i,
          .d_i(slot_q[0].start),
          .q_o(move[row][lane])
      );
    end
  end

  ////////////////////
  // Message        //
  ////////////////////

  block_t [NumStages-1:0] block_q;
  indices_t [NumStages-1:0] index_q;  // the words of the slot's half
  indices_t [1:0] next_q;  // for the slot at stage 5: if its half is even, or odd

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < NumStages; i++) begin
      block_q[(i+1)%NumStages] <= block_q[i];
      index_q[(i+1)%NumStages] <= index_q[i];
    end
    for (int unsigned i = 0; i < BlockWords; i++) begin
      if (enter[i]) block_q[6][i] <= big_endian(blk_i[WordBits*i+:WordBits]);
    end
    for (int unsigned i = 0; i < 2; i++) next_q[i] <= NextIndex[{slot_q[4].half[4:1], 1'(i)}];
    index_q[6] <= turn_q ? NextIndex[31] : next_q[slot_q[5].half[0]];
  end

  word_t [1:0][NumLanes-1:0] message_q;  // x at stage 1, y at stage 4

  for (genvar part = 0; part < 2; part++) begin : gen_part
    // The stage at which words leave the block.
    localparam int unsigned Stage = (part == 0) ? 7 : 1;
    for (genvar lane = 0; lane < NumLanes; lane++) begin : gen_lane
      localparam logic [BlockWords-1:0] Taken = words_taken(lane, 1'(part));
      // The first word that is never taken.
      localparam logic [BlockWords-1:0] Left = ~Taken & (Taken + 1'b1);
      block_t term;  // a word or zero each; in one place, the constant of the other word
      word_t constant_q;
      word_t [3:0] sums_q;
      logic idle;
      assign idle = (part == 0) ? idle0[lane] : idle3[lane];

      for (genvar i = 0; i < BlockWords; i++) begin : gen_word
        if (Taken[i]) begin : gen_taken
          logic  closed_q;
          word_t word_q;
          always_ff @(posedge clk_i) begin
            closed_q <= index_q[Stage-1][lane][part] != index_t'(i);
            word_q   <= closed_q ? '0 : block_q[Stage][i];
          end
          assign term[i] = word_q;
        end else begin : gen_not_taken
          assign term[i] = Left[i] ? constant_q : '0;
        end
      end

      always_ff @(posedge clk_i) begin
        constant_q <= Constant[index_q[Stage][lane][1-part]];
        for (int unsigned i = 0; i < 4; i++) begin
          sums_q[i] <= term[4*i] ^ term[4*i+1] ^ term[4*i+2] ^ term[4*i+3];
        end
        message_q[part][lane] <= sums_q[0] ^ sums_q[1] ^ sums_q[2] ^ sums_q[3];
        if (idle) message_q[part][lane] <= '0;
      end
    end
  end

  ////////////////////
  // First block    //
  ////////////////////

  logic first6_q, first7_q;  // the slot at stage 6 or 7 begins a message
  logic whole_q;  // of 256 or 512 bits, not 224 or 384
  logic [63:0] count_q;

  always_ff @(posedge clk_i) begin
    first6_q <= take && blk_first_i;
    first7_q <= first6_q;
    if (turn_q) begin
      whole_q <= blk_size_i[0];
      count_q <= blk_count_i;
    end
  end

  // The state at the input of each stage, as far as later stages need it.
  row_t   [NumStages-1:0] a_q;
  row_t   [NumStages-1:0] b_q;
  row_t   [NumStages-1:0] c_q;
  row_t   [NumStages-1:0] d_q;

  ////////////////////
  // Chaining value //
  ////////////////////

  // The memory: the value of the next slot is at its end.
  chain_t [NumStages-1:0] chain_q;

  for (genvar row = 0; row < 2; row++) begin : gen_row
    for (genvar lane = 0; lane < NumLanes; lane++) begin : gen_lane
      always_ff @(posedge clk_i) begin
        if (move[row][lane]) begin
          for (int unsigned i = 1; i < NumStages; i++) begin
            chain_q[i][row][lane] <= chain_q[i-1][row][lane];
          end
          chain_q[0][row][lane] <= (row == 0) ? a_q[1][lane] : b_q[1][lane];
        end
      end
    end
  end

  // The value at the memory's end for the slot at stage 7, then 8, or the initial value. That is
  // loaded in two steps, by resets and presets only: first the bits that are set in both values,
  // then those that are set in one.
  chain_t old7_q, old8_q;

  always_ff @(posedge clk_i) begin
    old7_q <= chain_q[NumStages-1];
    old8_q <= old7_q;
    if (first6_q) old7_q <= Initial[0] & Initial[1];
    for (int unsigned row = 0; row < 2; row++) begin
      for (int unsigned lane = 0; lane < NumLanes; lane++) begin
        for (int unsigned i = 0; i < WordBits; i++) begin
          if (Initial[0][row][lane][i] != Initial[1][row][lane][i] && first7_q &&
              whole_q == Initial[1][row][lane][i]) begin
            old8_q[row][lane][i] <= 1'b1;
          end
        end
      end
    end
  end

  ////////////////////
  // State          //
  ////////////////////

  row_t t_q;  // at stage 2
  row_t old_a_q;  // at stage 0: the old chaining value, row a
  row_t old_b_q, old_d_q;  // the same for row b, and d; zero except between blocks
  logic [1:0][WordBits-1:0] counter_q;  // at stage 3

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < NumStages; i++) begin
      a_q[(i+1)%NumStages] <= a_q[i];
      b_q[(i+1)%NumStages] <= b_q[i];
      c_q[(i+1)%NumStages] <= c_q[i];
      d_q[(i+1)%NumStages] <= d_q[i];
    end

    for (int unsigned i = 0; i < NumLanes; i++) begin
      // Stage 0. Words change lanes here.
      a_q[1][i] <= a_q[0][from_lane(0, i)];
      b_q[1][i] <= old_b_q[i] ^ old_d_q[i] ^
          rotr(b_q[0][from_lane(1, i)] ^ c_q[0][from_lane(1, i)], Rotation[3]);
      c_q[1][i] <= c_q[0][from_lane(2, i)];
      d_q[1][i] <= d_q[0][from_lane(3, i)];
      if (between0[i]) begin
        a_q[1][i] <= a_q[0][from_lane(0, i)] ^ old_a_q[i] ^ c_q[0][from_lane(2, i)];
        c_q[1][i] <= Constant[i];
        d_q[1][i] <= Constant[4+i];
      end
      // Stages 1 to 8.
      t_q[i] <= b_q[1][i] + message_q[0][i];
      a_q[3][i] <= a_q[2][i] + t_q[i];
      d_q[4][i] <= rotr(d_q[3][i] ^ a_q[3][i] ^ counter_q[i/2], Rotation[0]);
      c_q[5][i] <= c_q[4][i] + d_q[4][i];
      a_q[5][i] <= a_q[4][i] + message_q[1][i];
      b_q[6][i] <= rotr(b_q[5][i] ^ c_q[5][i], Rotation[1]);
      a_q[7][i] <= a_q[6][i] + b_q[6][i];
      d_q[8][i] <= rotr(d_q[7][i] ^ a_q[7][i], Rotation[2]);
      c_q[0][i] <= c_q[8][i] + d_q[8][i];
      old_a_q[i] <= old8_q[0][i];
      old_b_q[i] <= inside8[i] ? '0 : old8_q[1][i];
      old_d_q[i] <= inside8[i] ? '0 : d_q[8][from_lane(3, i)];
      if (idle1[i]) begin
        t_q[i]    <= '0;
        a_q[2][i] <= '0;
        b_q[2][i] <= '0;
        c_q[2][i] <= '0;
        d_q[2][i] <= '0;
      end
    end

    if (!slot_q[2].idle && slot_q[2].start) begin
      counter_q <= {word_t'(count_q >> WordBits), word_t'(count_q)};
    end else counter_q <= '0;
  end

  ////////////////////
  // Digest         //
  ////////////////////

  chain_t st_q;
  always_ff @(posedge clk_i) begin
    if (leave_q) begin
      st_q <= chain_q[0];
      st_slot_o <= turned_q;
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      st_o[WordBits*i+:WordBits] = big_endian(st_q[i/NumLanes][i%NumLanes]);
    end
  end

  logic unused_size;
  assign unused_size = blk_size_i[1];

`ifndef HF_NO_PARAMETER_CHECKS
  if (Width != 256 && Width != 512) begin : gen_no_width
    $fatal(1, "hf_blake_pipelined: Width is 256 or 512, not %0d", Width);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
