// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Groestl (final round): P and Q in parallel, one round a clock, one message at a time. Width 256
// is Groestl-224 and -256 (N = 10 rounds of 8 x 8 bytes), Width 512 Groestl-384 and -512 (N = 14
// rounds of 8 x 16). The Groestl cores of paper latif-finalists (N = 10 and 14). Sections are those
// of the Groestl specification.
//
// Schedule, a line a clock (docs/engines/finalists.md has the rules of the ports):
//
//   take     a block is accepted: a `first` one when the engine is idle, others in round N - 2
//   load     first block only: P's state := initial value ^ block, Q's := block
//   0..N-2   rounds of both; the next block is accepted in the clock of round N - 2
//   N-1      the last round; the new chaining value, P ^ Q ^ the old one, and the next block are
//            added after it: no clock is lost
//
// After the last block only the chaining value is added, for the output step: rounds 0 to N - 1 of
// P. In the last of them the digest leaves, and the next message's first block, accepted a clock
// before, is added. Before round N - 1, a block that is not `last` waits for its successor, and the
// output step waits until the previous digest has left. A message of b blocks takes N * (b + 1)
// clocks, back to back.
//
// The block register is zero unless a block waits in it (by the synchronous reset of its
// flip-flops). So the added terms take two LUT4 levels after a round for P and one for Q.
//
// SBoxForm 0: a table, 130 LUT4 a byte. SBoxForm 1: the inverse in GF((2^4)^2), 47
// (hf_groestl_pkg).

module hf_groestl
  import hf_groestl_pkg::*;
#(
    parameter int unsigned Width = 256,  // 256 or 512: the longest digest
    parameter int unsigned SBoxForm = 1,  // 0 table, 1 composite field
    localparam int unsigned StateWidth = 2 * Width
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,  // stays high until blk_ready_o
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [           1:0] blk_size_i,
    input  logic [          63:0] blk_count_i,  // unused
    input  logic [StateWidth-1:0] blk_i,

    output logic             st_valid_o,
    input  logic             st_ready_i,
    output logic             st_slot_o,
    output logic [Width-1:0] st_o
);

  localparam int unsigned Columns = (Width == 256) ? 8 : 16;
  localparam int unsigned NumRounds = (Width == 256) ? 10 : 14;
  localparam round_t LastRound = round_t'(NumRounds - 1);

  typedef column_t [Columns-1:0] state_t;

  ////////////////////
  // Control        //
  ////////////////////

  logic busy_d, busy_q;  // the states are in their rounds, before round round_q
  round_t round_d, round_q;
  logic last_d, last_q;  // the block in them is its message's last
  logic out_d, out_q;  // the states are in the output step
  logic taken_d, taken_q;  // the block register holds a block
  logic first_q, block_last_q;
  size_t block_size_q, size_q, st_size_q;
  logic st_valid_q;

  logic at_last, room, take, load, step, leave;
  always_comb begin
    at_last = busy_q && round_q == LastRound;
    room = !st_valid_q || st_ready_i;
    leave = at_last && out_q && room;

    if (!busy_q) blk_ready_o = !taken_q;
    else if (out_q) blk_ready_o = !taken_q && round_q >= LastRound - round_t'(1);
    else blk_ready_o = !taken_q && !last_q && round_q >= LastRound - round_t'(1);
    take = blk_valid_i && blk_ready_o;

    // The block register is added. Before the output step it is zero.
    load = (!busy_q || at_last) && taken_q && (!out_q || room) || (at_last && !out_q && last_q);
    step = busy_q && !at_last;

    busy_d = load || (busy_q && !leave);
    round_d = round_q;
    if (step) round_d = round_q + round_t'(1);
    if (load) round_d = '0;
    out_d = out_q;
    if (load) out_d = !taken_q;
    else if (leave) out_d = 1'b0;
    last_d = load ? block_last_q && taken_q : last_q;
    taken_d = take || (taken_q && !load);
  end

  always_ff @(posedge clk_i) begin
    busy_q  <= busy_d;
    round_q <= round_d;
    last_q  <= last_d;
    out_q   <= out_d;
    taken_q <= taken_d;
    if (leave) st_valid_q <= 1'b1;
    else if (st_ready_i) st_valid_q <= 1'b0;
    if (take) begin
      first_q      <= blk_first_i;
      block_last_q <= blk_last_i;
      block_size_q <= blk_size_i;
    end
    if (load && taken_q) size_q <= block_size_q;
    if (leave) st_size_q <= size_q;
    if (rst_i) begin
      busy_q     <= 1'b0;
      round_q    <= '0;
      last_q     <= 1'b0;
      out_q      <= 1'b0;
      taken_q    <= 1'b0;
      st_valid_q <= 1'b0;
    end
  end

  assign blk_slot_o = 1'b0;
  assign st_slot_o  = 1'b0;
  assign st_valid_o = st_valid_q;

  ////////////////////
  // Datapath       //
  ////////////////////

  // The digest size as a number of two bytes at the end (section 3.5).
  function automatic state_t initial_value(input size_t size);
    state_t state;
    state = '0;
    if (Width == 256) begin
      state[Columns-1][6] = (size == 0) ? 8'h00 : 8'h01;
      state[Columns-1][7] = (size == 0) ? 8'hE0 : 8'h00;
    end else begin
      state[Columns-1][6] = (size == 2) ? 8'h01 : 8'h02;
      state[Columns-1][7] = (size == 2) ? 8'h80 : 8'h00;
    end
    return state;
  endfunction

  state_t p_q, q_q;
  state_t chain_q;
  state_t block_q;  // zero unless a block waits in it
  state_t p_round, q_round;
  state_t chain_d;
  logic fresh;

  assign fresh = taken_q && first_q;

  // A round of P (part 0) and of Q, byte by byte, because tools unroll only some thousand steps at
  // once.
  for (genvar part = 0; part < 2; part++) begin : gen_part
    localparam bit IsQ = part == 1;
    state_t state, boxed, mixed;
    assign state = IsQ ? q_q : p_q;
    for (genvar j = 0; j < Columns; j++) begin : gen_column
      column_t shifted;
      for (genvar i = 0; i < Rows; i++) begin : gen_row
        byte_t value;
        always_comb begin
          value = state[j][i] ^ {8{IsQ}};
          if (i == (IsQ ? 7 : 0)) value ^= {4'(j), round_q};
        end
        assign boxed[j][i] = (SBoxForm == 0) ? SBox[value] : s_box_composite(value);
        assign shifted[i]  = boxed[(j+shift(IsQ, Columns, i))%Columns][i];
      end
      assign mixed[j] = mix(shifted);
    end
  end
  assign p_round = gen_part[0].mixed;
  assign q_round = gen_part[1].mixed;

  always_comb begin
    chain_d = (p_round ^ q_round ^ chain_q) & {StateWidth{!fresh}};
    if (fresh) chain_d |= initial_value(block_size_q);
  end

  always_ff @(posedge clk_i) begin
    if (take) block_q <= blk_i;
    else if (load) block_q <= '0;
    if (rst_i) block_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      chain_q <= chain_d;
      p_q     <= chain_d ^ block_q;
      q_q     <= block_q;
    end else if (step) begin
      p_q <= p_round;
      q_q <= q_round;
    end
  end

  // The digest is the end of the state, moved to the front: digests of 224 and 384 bits begin
  // further back.
  localparam int unsigned Short = (Width == 256) ? 224 : 384;
  localparam size_t ShortSize = (Width == 256) ? 2'd0 : 2'd2;

  logic [Width-1:0] end_d, st_q;
  assign end_d = Width'({p_round ^ chain_q} >> Width);
  always_ff @(posedge clk_i) if (leave) st_q <= end_d;
  always_comb begin
    st_o = st_q;
    if (st_size_q == ShortSize) st_o[Short-1:0] = st_q[Width-1-:Short];
  end

  logic unused_count;
  assign unused_count = ^blk_count_i;

`ifndef HF_NO_PARAMETER_CHECKS
  if (Width != 256 && Width != 512) begin : gen_no_width
    $fatal(1, "hf_groestl: Width is 256 or 512, not %0d", Width);
  end
  if (SBoxForm > 1) begin : gen_no_s_box
    $fatal(1, "hf_groestl: SBoxForm is 0 or 1, not %0d", SBoxForm);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
