// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Skein-512 (version 1.3), four rounds a clock with a choice of two sets of rotations: 19 clocks a
// block, one message at a time. The Skein core of paper latif-finalists (N = 19). Sections are
// those of the Skein specification.
//
// Schedule, a line a clock (docs/engines/finalists.md has the rules of the ports):
//
//   take     a block is accepted; a `first` one sets the chaining value, which is the key
//   0..17    a subkey is added, and four rounds (section 3.3)
//   18       the last subkey is added, and the block: the next chaining value (section 3.4). The
//            message's next block is accepted in this clock
//   output   last block only: the same 19 clocks for the output step (section 3.5.3); the digest
//            goes to st_o, and then the next message's first block is accepted
//
// Before 18, a block that is not `last` waits for its successor, and the output step waits until
// the previous digest has left. A message of b blocks takes 19*(b + 1) + 1 clocks, back to back.
//
// Initial 0: the initial value of each digest size is a constant. Initial 1: it is computed, in 19
// more clocks a message (section 3.5.4). The offer of the `first` block begins that computation,
// and the block is accepted at its end.
//
// The key rotates by one word a clock. Sums of key words with the tweak and the subkey's number are
// computed a clock earlier (section 3.3.2). Inputs from the ports are registered in the clock
// before a handshake, in which the offer is already stable.

module hf_skein
  import hf_skein_pkg::*;
#(
    parameter int unsigned Initial = 0  // 0 stored, 1 computed
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,  // stays high until blk_ready_o
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [           1:0] blk_size_i,
    input  logic [          63:0] blk_count_i,
    input  logic [BlockWidth-1:0] blk_i,

    output logic                  st_valid_o,
    input  logic                  st_ready_i,
    output logic                  st_slot_o,
    output logic [BlockWidth-1:0] st_o
);

  localparam bit IsComputed = Initial == 1;

  typedef logic [4:0] subkey_t;  // number of a subkey, 0 .. 18
  localparam subkey_t LastSubkey = subkey_t'(NumSubkeys - 1);

  ////////////////////
  // Control        //
  ////////////////////

  logic begin_d, begin_q;  // this clock begins with the configuration
  logic take_d, take_q;  // a block is accepted in this clock
  logic first_q;  // the block is `first`
  logic busy_d, busy_q;  // the state is in its rounds
  logic config_d, config_q;  // these rounds compute the configuration
  logic last_d, last_q;  // they are those of the message's last block
  logic output_d, output_q;  // or of the output step after it
  subkey_t next_d, next_q;  // the subkey of the next clock, which is computed in this clock
  logic open_d, open_q;  // registers of the next block load from the ports
  logic st_valid_q;

  logic before_end, at_end, finish, turn, done, enter, step, offered;
  assign before_end = busy_q && next_q == LastSubkey;
  assign at_end = busy_q && next_q == '0;
  assign turn = at_end && last_q && !output_q;  // the output step follows
  assign done = at_end && output_q && (!st_valid_q || st_ready_i);
  assign finish = turn || done || (at_end && take_q);
  assign enter = take_q || begin_q || turn;
  assign step = busy_q && (!at_end || finish);

  assign offered = blk_valid_i && open_q && (!output_q || !busy_q || done);
  assign begin_d = IsComputed && offered && blk_first_i && !(busy_q && config_q);
  assign take_d = offered && !begin_d;

  always_comb begin
    busy_d   = enter || (busy_q && !done);
    config_d = begin_q || (config_q && !take_q);
    last_d   = take_q ? blk_last_i : last_q && !begin_q;
    output_d = turn || (output_q && !take_q && !begin_q);
    next_d   = next_q;
    if (enter) next_d = subkey_t'(1);
    else if (step && !at_end) next_d = before_end ? '0 : next_q + subkey_t'(1);
    open_d = !take_d && !begin_d;
    if (busy_d && (next_d != LastSubkey && next_d != '0)) open_d = 1'b0;
    if (busy_d && last_d && !output_d) open_d = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      begin_q    <= 1'b0;
      take_q     <= 1'b0;
      busy_q     <= 1'b0;
      next_q     <= '0;
      open_q     <= 1'b1;
      st_valid_q <= 1'b0;
    end else begin
      begin_q    <= begin_d;
      take_q     <= take_d;
      busy_q     <= busy_d;
      next_q     <= next_d;
      open_q     <= open_d;
      st_valid_q <= done || (st_valid_q && !st_ready_i);
    end
    first_q  <= blk_first_i;
    config_q <= config_d;
    last_q   <= last_d;
    output_q <= output_d;
  end

  assign blk_ready_o = take_q;
  assign blk_slot_o  = 1'b0;
  assign st_slot_o   = 1'b0;
  assign st_valid_o  = st_valid_q;

  ////////////////////
  // Next block     //
  ////////////////////

  block_t next_block_q;
  size_t size_q;
  word_t [2:0] tweak_q;  // tweak of the next clock's subkey; the words rotate every clock

  // Rotated to the words of subkey 1, which follows `begin_q`.
  localparam word_t [2:0] ConfigTurned = {
    ConfigTweak[0], ConfigTweak[0] ^ ConfigTweak[1], ConfigTweak[1]
  };

  tweak_t message_tweak;
  logic bit_pad;
  assign bit_pad = blk_count_i[2:0] != '0;
  assign message_tweak = tweak(TypeMessage, word_t'(blk_count_i[63:3]) + word_t'(bit_pad),
                               blk_first_i, blk_last_i, bit_pad);

  always_ff @(posedge clk_i) begin
    if (before_end && last_q && !output_q) next_block_q <= '0;  // the block of the output step
    else if (open_q) next_block_q <= blk_i;
    if (open_q) size_q <= blk_size_i;
  end

  always_ff @(posedge clk_i) begin
    if (begin_q) tweak_q <= ConfigTurned;
    else if (before_end && last_q && !output_q) begin
      tweak_q <= {OutputTweak[0] ^ OutputTweak[1], OutputTweak};
    end else if (open_q) tweak_q <= {message_tweak[0] ^ message_tweak[1], message_tweak};
    else tweak_q <= {tweak_q[0], tweak_q[2:1]};
  end

  ////////////////////
  // Key            //
  ////////////////////

  block_t state_q;
  block_t block_q;  // the block of the state
  block_t whitened;  // the state with the subkey added
  block_t key_d;
  key_t key_q;
  word_t [NumWords-1:5] sum_q;  // the words of the subkey that are sums

  for (genvar i = 0; i < NumWords; i++) begin : gen_whitened
    assign whitened[i] = state_q[i] + ((i < 5) ? key_q[i] : sum_q[(i<5)?5 : i]);
  end

  always_comb begin
    key_d = key_q[NumWords:1];
    if (next_q == subkey_t'(1)) key_d[NumWords-1] = parity(key_q[NumWords-1:0]);
    if (next_q == '0) key_d = whitened ^ block_q;
    if (!IsComputed && take_q && first_q) key_d = InitialValue[size_q];
  end

  always_ff @(posedge clk_i) begin
    if (begin_q) begin
      key_q[NumWords-1:0] <= '0;
      sum_q <= {word_t'(0), ConfigTweak[1], ConfigTweak[0]};
    end else if (take_q || step) begin
      key_q <= {key_q[0], key_d};
      sum_q[5] <= key_d[5] + tweak_q[0];
      sum_q[6] <= key_d[6] + tweak_q[1];
      sum_q[7] <= key_d[7] + word_t'(next_q);
    end
  end

  ////////////////////
  // State          //
  ////////////////////

  block_t mixes;
  always_comb begin
    mixes = whitened;
    for (int unsigned i = 0; i < 4; i++) mixes = mixed(mixes, i, !next_q[0]);
  end

  always_ff @(posedge clk_i) begin
    if (begin_q) state_q <= config_block(size_q);
    else if (take_q || step) state_q <= (next_q == '0) ? next_block_q : mixes;
    if (begin_q) block_q <= config_block(size_q);
    else if (take_q || turn) block_q <= next_block_q;
  end

  block_t st_q;
  always_ff @(posedge clk_i) if (done) st_q <= key_d;
  assign st_o = st_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (Initial > 1) begin : gen_no_initial
    $fatal(1, "hf_skein: Initial is 0 or 1, not %0d", Initial);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
