// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, section 3.3), one round a clock, as an engine of the word contract
// (docs/reference/word-contract.md), which has the rules of the ports. Words are added to a buffer
// while the engine permutes, and enter the state through the last chi's own LUT.
//
//   WordWidth        bits of a word: 8, 16, 32 or 64. W = 1600 / WordWidth words
//   StateInBlockRam  words are read out of block RAM where hf_keccak_word_reader has that form
//   Checked          faults of the data are detected by parities (hf_keccak_parity)
//   ControlOnly      word_o is zero: a second control, whose control_o hf_keccak_checked compares
//
//   add      waits 0 clocks for a word that has not been added to, in ascending order, and for the
//            same word again; otherwise W + 8 at most, see below
//   read     waits 0 clocks for the word after the one read before, 5 for another one, 8 for the
//            first one after an operation of another kind
//   permute  waits 0 clocks; 24 clocks after the one before
//   wipe     waits 7 clocks, also while the engine permutes
//
// Schedule of a permutation, a line a clock:
//
//   0        it is accepted; the last word added is in its register
//   1        `take_q`: the buffer goes to the block register, and is cleared
//   2        step 0: the last round of the permutation before, and the block enters
//   3..25    steps 1 to 23: the first 23 rounds. The state waits for its last round, because it is
//            in that one that a block can enter at no cost
//   24       the next permutation may be accepted
//
// A read is what completes the state: it is accepted after a step 0 of its own, in which the words
// added before it enter. The state is `final_q` then, and is copied for the reader. A permutation
// of a final state begins with step 1. A wiped state (`zero_q`) has no last round to wait for: step
// 0 is without iota then, and zero stays zero.
//
// A block cannot be added to a final state. So an add moves that state into the buffer, a word a
// clock, from the add's word on and once around; its word is moved again as the last one, with the
// add. The buffer has the whole state then (`full_q`), and when the engine next takes it, the state
// is cleared first. Until then the reader still has the words after the add's: adds in ascending
// order change one each, as it is read.
//
// What is in the buffer is not read. `data_q` is the word written last, and words after it have not
// been added to (or are in the reader, if the buffer is full). An add to a word before it completes
// the state as a read does, and moves it.

module hf_keccak_iterative_words
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
  import hf_keccak_lockstep_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,  // 8, 16, 32 or 64
    parameter  bit          StateInBlockRam = 1'b1,
    parameter  bit          Checked = 1'b0,
    parameter  bit          ControlOnly = 1'b0,
    // Not for users: the width if it is legal, and what follows from it.
    localparam int unsigned Width = word_width_legal(WordWidth) ? WordWidth : 32,
    localparam int unsigned NumWords = state_words(Width),
    localparam int unsigned AddressWidth = word_address_width(Width),
    localparam int unsigned ControlWidth = words_control_width(Width)
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                    op_valid_i,
    output logic                    op_ready_o,
    input  logic [             1:0] op_i,
    input  logic [AddressWidth-1:0] op_addr_i,
    input  logic [     Width/8-1:0] op_bytes_i,
    input  logic [       Width-1:0] op_word_i,
    output logic [       Width-1:0] word_o,

    output logic                    fault_o,   // with Checked: the data is wrong
    output logic [ControlWidth-1:0] control_o  // all of the control, zero where it is not in use
);

  typedef logic [AddressWidth-1:0] address_t;
  typedef logic [Width-1:0] word_t;

  // op_word_i is zero in the bytes that are not added to.
  logic unused_bytes;
  assign unused_bytes = ^op_bytes_i;

  ////////////////////
  // Operations     //
  ////////////////////

  logic final_q;  // the state is complete, and the buffer is empty
  logic zero_q;  // the state is zero, and there is no round to complete
  logic full_q;  // the buffer has all of the state
  logic open_q;  // words are added to the buffer
  logic moving_q;  // the final state is moved to the buffer
  logic around_q;  // and the add's word has been moved
  logic can_q;  // a step 0 can be prepared in this clock
  address_t last_q;  // the word written last, if
  logic held_q;  // one was: data_q is it
  // Offers that wait are acted on a clock later:
  logic complete_q;  // the state must be completed
  logic miss_q;  // a word is not the reader's
  logic [6:0] wipe_q;  // [n]: a wipe was offered n + 1 clocks ago

  logic add, read, permute, wipe;
  assign add = op_valid_i && op_i == WordAdd;
  assign read = op_valid_i && op_i == WordRead;
  assign permute = op_valid_i && op_i == WordPermute;
  assign wipe = op_valid_i && op_i == WordWipe;

  logic reads, word_valid;  // of the reader
  address_t word_addr;
  word_t word;

  logic above, same;  // relation of an add's word to the one written last
  logic at_word;  // the reader's word is the one
  logic hit;  // and is valid
  always_comb begin  // op_addr_i >= last_q: the tools' carry chain for it is longer
    above = 1'b1;
    for (int unsigned i = 0; i < AddressWidth; i++) begin
      above = (op_addr_i[i] && !last_q[i]) || (above && (op_addr_i[i] || !last_q[i]));
    end
  end
  assign same = held_q && op_addr_i == last_q;
  assign at_word = reads && op_addr_i == word_addr;
  assign hit = word_valid && op_addr_i == word_addr;

  logic add_ready, add_done, moved;
  assign add_ready = (open_q && above && (!full_q || same || hit)) || (around_q && hit);
  assign add_done = add && add_ready;
  assign moved = moving_q && word_valid;

  always_comb begin
    unique case (op_i)
      WordAdd: op_ready_o = add_ready;
      WordRead: op_ready_o = final_q && hit;
      WordPermute: op_ready_o = can_q;
      default: op_ready_o = wipe_q[6];
    endcase
  end
  assign word_o = ControlOnly ? '0 : word;

  logic start;  // a step 0 follows in two clocks
  logic take_q;  // the buffer goes to the block register; the next clock is step 0
  logic abandon;  // a wipe begins
  logic move;  // the state begins to be moved
  logic seek;
  logic finishes;  // the state will be final in the next clock
  logic finished_q;  // it became final
  assign start = can_q && (permute || (complete_q && !final_q));
  assign abandon = wipe_q[0];
  assign move = add && final_q && !moving_q;
  assign seek = move || miss_q || finished_q;

  always_ff @(posedge clk_i) begin
    complete_q <= !rst_i && !final_q && (read || (add && !above));
    miss_q <= !rst_i && !miss_q && !finished_q && !at_word &&
        ((read && final_q) || (add && open_q && full_q && !same));
    wipe_q <= rst_i ? '0 : {wipe_q[5:0], wipe && wipe_q == '0};
    finished_q <= finishes && !rst_i;

    // `start` is late. These three are written without it where it cannot be: no permutation is
    // offered while the state is moved, which is final then.
    open_q <= !rst_i && (abandon || (permute && can_q) ||
        ((open_q || (around_q && hit)) && !(can_q && complete_q && !final_q)));
    moving_q <= !rst_i && !abandon && (move || (moving_q && !(around_q && hit)));
    around_q <= !rst_i && !abandon && (hit ? moving_q && !around_q : around_q);

    if (rst_i || start || abandon) begin
      final_q <= 1'b0;
      full_q  <= 1'b0;
      held_q  <= 1'b0;
      last_q  <= '0;
      // Two controls in lockstep are the same after a reset, whatever was before it.
      zero_q  <= abandon && !rst_i;
    end else begin
      if (finishes) final_q <= 1'b1;
      if (around_q && hit) begin
        final_q <= 1'b0;
        full_q  <= 1'b1;
      end
      if (add_done) begin
        last_q <= op_addr_i;
        held_q <= 1'b1;
      end
    end
  end

  state_t state_q;
  logic write_state_q;  // for the reader: the state is final, or wiped
  always_ff @(posedge clk_i) write_state_q <= finishes || wipe_q[1];

  logic word_taken;
  logic [reader_control_width(Width)-1:0] reader_control;
  assign word_taken = moved || (hit && ((read && final_q) || (add && full_q && above)));

  hf_keccak_word_reader #(
      .WordWidth(Width),
      .StateInBlockRam(StateInBlockRam)
  ) u_reader (
      .clk_i,
      .rst_i,
      .state_i    (state_q),
      .write_i    (write_state_q),
      .seek_i     (seek),
      .seek_addr_i(op_addr_i),
      .stop_i     (take_q || abandon),  // a clock after `start`: no word is read in between
      .reads_o    (reads),
      .valid_o    (word_valid),
      .word_addr_o(word_addr),
      .word_o     (word),
      .take_i     (word_taken),
      .control_o  (reader_control)
  );

  ////////////////////
  // Schedule       //
  ////////////////////

  localparam round_t LastStep = round_t'(NumRounds - 1);
  logic completes_q;  // step 0 completes the state, and no round follows
  logic skip_q;  // step 0 has no round: the state was final
  logic plain_q;  // step 0 is without iota: the state is zero
  logic clear_q;  // the state is cleared
  logic empty_q;  // the buffer is cleared
  logic runs_d, runs_q;  // this clock is a step
  round_t now_d, now_q;  // which one
  logic step_q;  // the state changes

  assign finishes = runs_q && now_q == '0 && completes_q;

  always_comb begin
    runs_d = runs_q && !finishes && now_q != LastStep;
    now_d  = now_q + 1'b1;
    if (take_q) runs_d = 1'b1;
    if (abandon) runs_d = 1'b0;
    if (take_q || !runs_q) now_d = '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      take_q <= 1'b0;
      runs_q <= 1'b0;
      step_q <= 1'b0;
      can_q  <= 1'b1;
    end else begin
      take_q <= start;
      runs_q <= runs_d;
      step_q <= runs_d && !(take_q && skip_q);
      can_q  <= !start && (!runs_d || now_d >= LastStep - 1'b1);
    end
    now_q   <= now_d;
    empty_q <= start || abandon;
    clear_q <= (start && full_q) || abandon;
    if (start) begin
      completes_q <= !permute;
      skip_q      <= final_q;
      plain_q     <= zero_q || full_q;
    end
  end

  ////////////////////
  // Buffer         //
  ////////////////////

  // The word to be written, from its registers.
  localparam int unsigned NumGroups = (NumWords + 7) / 8;
  address_t write_addr;
  word_t old, data_q;
  logic write_q;
  logic [NumGroups-1:0] group_q;
  logic [7:0] of_group_q;
  assign write_addr = moving_q ? word_addr : op_addr_i;

  always_comb begin
    old = '0;
    if (moving_q || full_q) old = word;
    if (same && !moving_q) old = data_q;
  end

  always_ff @(posedge clk_i) begin
    write_q    <= (add_done || moved) && !rst_i;
    group_q    <= NumGroups'(1) << (write_addr >> 3);
    of_group_q <= 8'd1 << write_addr[2:0];
    // Also for an add that is not accepted yet: the word before it is not used any more.
    if (abandon) data_q <= '0;
    else if (add || moving_q) data_q <= old ^ (op_word_i & {Width{!moving_q || (around_q && hit)}});
  end

  logic [NumWords-1:0][Width-1:0] buffer_q;
  logic [NumWords-1:0] write_word;
  if (Checked) begin : gen_kept_write_word
    hf_keccak_word_select #(
        .NumWords(NumWords)
    ) u_select (
        .write_i   (write_q),
        .group_i   (group_q),
        .of_group_i(of_group_q),
        .word_o    (write_word)
    );
  end else begin : gen_write_word
    for (genvar i = 0; i < NumWords; i++) begin : gen_select
      assign write_word[i] = write_q && group_q[i/8] && of_group_q[i%8];
    end
  end

  for (genvar i = 0; i < NumWords; i++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (empty_q) buffer_q[i] <= '0;
      else if (write_word[i]) buffer_q[i] <= data_q;
    end
  end

  ////////////////////
  // Datapath       //
  ////////////////////

  // As in hf_keccak_iterative with ThreeLevels: the block register is zero except in one clock a
  // block, and carries iota's constant.
  localparam lane_t [31:0] Constants = (32 * LaneWidth)'(RoundConstant);  // zero after the last
  state_t block_q, sum, chi_in;
  lane_t iota_next;  // the constant of the next clock's round
  always_comb begin
    iota_next = Constants[now_q];
    if (take_q) iota_next = (plain_q || skip_q) ? '0 : RoundConstant[LastStep];
  end

  always_ff @(posedge clk_i) begin
    if (!take_q) block_q <= state_t'(iota_next);
    else block_q <= state_t'(buffer_q ^ StateWidth'(iota_next));
  end

  plane_t p;  // the parity of four planes, in theta
  assign p = state_q[0] ^ state_q[1] ^ state_q[2] ^ state_q[3];
  always_comb begin
    plane_t r;
    r = theta_effect(state_q[4]);
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) begin
        sum[y][x] = ((state_q[y][x] ^ r[x]) ^ p[(x+4)%5]) ^ rotl(p[(x+1)%5], 1);
      end
    end
  end

  assign chi_in = pi(rho(sum));
  always_ff @(posedge clk_i) begin
    if (clear_q) state_q <= '0;
    else if (step_q) state_q <= chi(chi_in) ^ block_q;
  end

  ////////////////////
  // Faults         //
  ////////////////////

  if (Checked) begin : gen_checked
    logic added_parity;  // of all words in the buffer, and the one in data_q
    logic added_parity_q;
    logic data_parity_q;  // of data_q
    logic old_parity;  // of `old`
    logic block_parity_q;  // of the block register
    logic word_parity;  // of the reader's word, from the state

    always_comb begin
      old_parity = (moving_q || full_q) && word_parity;
      if (same && !moving_q) old_parity = data_parity_q;
    end

    // A word that is moved a second time, with the add, is in it already.
    assign added_parity = (added_parity_q && !empty_q) ^ (add_done && (^op_word_i)) ^
        (moved && !(around_q && hit) && word_parity);
    always_ff @(posedge clk_i) begin
      added_parity_q <= added_parity;
      if (abandon) data_parity_q <= 1'b0;
      else if (add || moving_q) begin
        data_parity_q <= old_parity ^ ((!moving_q || (around_q && hit)) && (^op_word_i));
      end
      block_parity_q <= (take_q && added_parity_q) ^ (^iota_next);
    end

    hf_keccak_parity #(
        .WordWidth(Width)
    ) u_parity (
        .clk_i,
        .rst_i,
        .clear_i       (clear_q),
        .step_i        (step_q),
        .state_i       (state_q),
        .planes_i      (p),
        .chi_i         (chi_in),
        .block_parity_i(block_parity_q),
        .write_i       (write_q),
        .write_word_i  (write_word),
        .data_i        (data_q),
        .data_parity_i (data_parity_q),
        .word_valid_i  (word_valid),
        .word_addr_i   (word_addr),
        .word_i        (word),
        .word_parity_o (word_parity),
        .fault_o       (fault_o)
    );
  end else begin : gen_unchecked
    assign fault_o = 1'b0;
  end

  // What is not reset is masked where it is not used, since it is unknown before its first use.
  assign control_o = {
    reader_control,
    op_ready_o && op_valid_i,
    final_q,
    zero_q && start,
    full_q,
    open_q,
    moving_q,
    around_q,
    can_q,
    last_q,
    held_q,
    complete_q,
    miss_q,
    wipe_q,
    finished_q,
    write_state_q,
    take_q,
    completes_q && runs_q,
    skip_q && take_q,
    plain_q && take_q,
    clear_q,
    empty_q,
    runs_q,
    now_q,
    step_q,
    write_q,
    group_q & {NumGroups{write_q}},
    of_group_q & {8{write_q}},
    iota_next[63],
    iota_next[31],
    iota_next[15],
    iota_next[7],
    iota_next[3],
    iota_next[1:0]
  };

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_no_width
    $fatal(1, "hf_keccak_iterative_words: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
