// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Groestl (final round): P and Q as rings of registers with a message in each stage, so as many
// slots as stages. Width 256 is Groestl-224 and -256 (N = 10 rounds), Width 512 Groestl-384 and
// -512 (N = 14). `Registers` selects the registers inside a round (hf_groestl_stages). Depth, the
// number of slots, is three more, and must have no factor in common with N. Sections are those of
// the Groestl specification.
//
// Every N clocks, the N rounds of another slot are complete, always in the same order. That slot is
// shown on blk_slot_o for N clocks and accepts a block in the last of them, or none. Depth and N
// have no common factor, so the slots follow each other N clocks apart, and each has its slot cycle
// every N * Depth clocks: N clocks a block. The slot cycle does one of the following (h is the
// slot's chaining value):
//
//   next block offered       P := P ^ Q ^ h ^ block, Q := block
//   none offered             P := P ^ Q ^ h, the new h, which the slot keeps
//   again none               P := h, or h ^ block and Q := block if a block is offered by then
//   last block done          P := P ^ Q ^ h, the new h: the output step begins
//   output step done         P := P ^ h is the digest, and leaves; P := h if there is no room for
//                            it
//   `first` block            P := initial value ^ block, Q := block
//
// A message of b blocks takes b + 2 slot cycles. Schedule of a slot cycle, clock by clock. Clock 0
// is the clock of the handshake:
//
//   0        the block's handshake, or none
//   3        MixBytes' sums of Q are cleared, if Q is not used
//   5        Q is complete; Q ^ h ^ block is formed, and the block enters Q
//   5        MixBytes' sums of P are cleared, if P is not used
//   6        P, mixed with Q ^ h ^ block in MixBytes' last LUT4: Q is two clocks ahead of P
//   7        the new P is complete: into the memory of chaining values, and to st_o
//
// The memory is a shift register, moved once in N clocks. It holds each slot's P and block as they
// were loaded, whose sum is h. The datapath has no multiplexer, and no gate except at Q's input:
// unused terms are zero by the synchronous reset of a register, driven by copies of a control
// (hf_copy).

module hf_groestl_pipelined
  import hf_groestl_pkg::*;
#(
    parameter  int unsigned Width = 256,  // 256 or 512: the longest digest
    // Registers inside a round, by bit as in hf_groestl_stages.
    parameter  int unsigned Registers = 'hFF,
    localparam int unsigned StateWidth = 2 * Width,
    localparam int unsigned Depth = 3 + $countones(Registers),
    localparam int unsigned SlotWidth = $clog2(Depth)
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic [ SlotWidth-1:0] blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [           1:0] blk_size_i,
    input  logic [          63:0] blk_count_i,  // unused
    input  logic [StateWidth-1:0] blk_i,

    output logic                 st_valid_o,
    input  logic                 st_ready_i,
    output logic [SlotWidth-1:0] st_slot_o,
    output logic [    Width-1:0] st_o
);

  localparam int unsigned Columns = (Width == 256) ? 8 : 16;
  localparam int unsigned NumRounds = (Width == 256) ? 10 : 14;

  typedef column_t [Columns-1:0] state_t;
  typedef logic [SlotWidth-1:0] slot_t;

  ////////////////////
  // Control        //
  ////////////////////

  // The operation of a slot until its next slot cycle.
  typedef enum logic [2:0] {
    KindEmpty,
    KindRun,  // a block
    KindLast,  // its message's last block
    KindKeep,  // none: the next block is late
    KindOut  // the output step
  } kind_e;

  typedef struct packed {
    kind_e kind;
    size_t size;
  } context_t;

  // The operation of a slot cycle, in the clocks after it.
  typedef struct packed {
    logic  turn;
    logic  take;
    logic  first;
    logic  drop_p;
    logic  drop_q;
    logic  leave;
    size_t size;
    slot_t slot;
  } op_t;

  round_t clock_q;  // 0 .. N - 1; a slot cycle in N - 1
  slot_t slot_q;
  context_t [Depth-1:0] context_q;  // by slot; the next slot is at the end
  context_t now, context_d;
  op_t op_d;
  op_t [7:1] op_q;  // op_q[i]: of the slot cycle i clocks ago
  logic turn, take, room;
  logic st_valid_q;

  assign now = context_q[Depth-1];
  assign turn = clock_q == round_t'(NumRounds - 1);
  assign blk_ready_o = turn && !(now.kind == KindLast || now.kind == KindOut);
  assign blk_slot_o = slot_q;
  assign take = blk_valid_i && blk_ready_o;
  assign room = !st_valid_q || st_ready_i;

  always_comb begin
    op_d = '0;
    op_d.turn = turn;
    op_d.take = take;
    op_d.first = take && blk_first_i;
    op_d.size = take ? blk_size_i : now.size;
    op_d.slot = slot_q;
    context_d = now;
    unique case (now.kind)
      KindRun:  context_d.kind = KindKeep;
      KindLast: context_d.kind = KindOut;
      KindKeep: begin
        op_d.drop_p = turn;
        op_d.drop_q = turn;
      end
      KindOut: begin
        op_d.drop_p = turn && !room;
        op_d.drop_q = turn;
        op_d.leave  = turn && room;
        if (room) context_d.kind = KindEmpty;
      end
      default:  context_d.kind = KindEmpty;
    endcase
    if (take) begin
      context_d.kind = blk_last_i ? KindLast : KindRun;
      context_d.size = blk_size_i;
    end
    if (op_d.first) begin
      op_d.drop_p = 1'b1;
      op_d.drop_q = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    clock_q <= turn ? '0 : clock_q + round_t'(1);
    op_q    <= {op_q[6:1], op_d};
    if (turn) begin
      slot_q    <= (slot_q == slot_t'(Depth - 1)) ? '0 : slot_q + slot_t'(1);
      context_q <= {context_q[Depth-2:0], context_d};
    end
    if (op_q[7].leave) st_valid_q <= 1'b1;
    else if (st_ready_i) st_valid_q <= 1'b0;
    if (rst_i) begin
      clock_q <= '0;
      slot_q  <= '0;
      op_q    <= '0;
      for (int unsigned i = 0; i < Depth; i++) context_q[i].kind <= KindEmpty;
      st_valid_q <= 1'b0;
    end
  end

  // The round of the slot before Q's S-box, and two clocks later before P's.
  round_t [Depth-1:0] round_q;
  always_ff @(posedge clk_i) begin
    round_q[Depth-1:1] <= round_q[Depth-2:0];
    round_q[0] <= op_q[4].turn ? '0 : round_q[Depth-1] + round_t'(1);
  end

  // Copies of controls, one for each column.
  logic [Columns-1:0] read, clear_q, clear_p, fresh, no_block, enter, no_turn, move;
  for (genvar j = 0; j < Columns; j++) begin : gen_copies
    hf_copy u_read (
        .clk_i,
        .d_i(clock_q == round_t'(NumRounds - 2)),
        .q_o(read[j])
    );
    hf_copy u_clear_q (
        .clk_i,
        .d_i(op_q[2].drop_q),
        .q_o(clear_q[j])
    );
    hf_copy u_clear_p (
        .clk_i,
        .d_i(op_q[4].drop_p),
        .q_o(clear_p[j])
    );
    hf_copy u_fresh (
        .clk_i,
        .d_i(op_q[3].first),
        .q_o(fresh[j])
    );
    hf_copy u_no_block (
        .clk_i,
        .d_i(!op_q[3].take),
        .q_o(no_block[j])
    );
    hf_copy u_enter (
        .clk_i,
        .d_i(op_q[4].turn),
        .q_o(enter[j])
    );
    hf_copy u_no_turn (
        .clk_i,
        .d_i(!op_q[4].turn),
        .q_o(no_turn[j])
    );
    hf_copy u_move (
        .clk_i,
        .d_i(op_q[6].turn),
        .q_o(move[j])
    );
  end

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

  state_t given_q;  // the block offered in the slot cycle, accepted or not
  state_t block_q;  // the same in its clock, otherwise zero
  state_t [1:0] passed_q;  // the block in the clocks after it
  // The values loaded in the slot cycle before; zero for a `first` block.
  state_t old_p_q, old_block_q;
  state_t add_d, add_q;  // the term that is added to P
  state_t value_q;  // the initial value, or zero
  state_t p_q, q_q;  // after a round
  state_t p_in_d, p_in_q, q_in_d, q_in_q;  // before a round, with its constant

  always_ff @(posedge clk_i) begin
    value_q <= op_q[4].first ? initial_value(op_q[4].size) : '0;
    passed_q <= {passed_q[0], block_q};
  end

  assign add_d = q_q ^ old_p_q ^ old_block_q ^ block_q ^ value_q;

  always_comb begin
    for (int unsigned j = 0; j < Columns; j++) begin
      for (int unsigned i = 0; i < Rows; i++) begin
        p_in_d[j][i] = p_q[j][i];
        q_in_d[j][i] = (q_q[j][i] & {8{!enter[j]}}) ^ block_q[j][i] ^ 8'hFF;
      end
      p_in_d[j][0] ^= {4'(j), round_q[2]};
      q_in_d[j][7] ^= {4'(j), round_q[0]};
    end
  end

  for (genvar j = 0; j < Columns; j++) begin : gen_column
    column_t [Depth-1:0] memory_p_q, memory_block_q;

    always_ff @(posedge clk_i) if (read[j]) given_q[j] <= blk_i[64*j+:64];

    always_ff @(posedge clk_i) begin
      if (move[j]) begin
        memory_p_q     <= {memory_p_q[Depth-2:0], p_q[j]};
        memory_block_q <= {memory_block_q[Depth-2:0], passed_q[1][j]};
      end
    end

    always_ff @(posedge clk_i) begin
      if (fresh[j]) begin
        old_p_q[j]     <= '0;
        old_block_q[j] <= '0;
      end else begin
        old_p_q[j]     <= memory_p_q[Depth-1];
        old_block_q[j] <= memory_block_q[Depth-1];
      end
    end

    always_ff @(posedge clk_i) begin
      if (no_block[j]) block_q[j] <= '0;
      else block_q[j] <= given_q[j];
    end

    always_ff @(posedge clk_i) begin
      if (no_turn[j]) add_q[j] <= '0;
      else add_q[j] <= add_d[j];
    end
  end

  always_ff @(posedge clk_i) begin
    p_in_q <= p_in_d;
    q_in_q <= q_in_d;
  end

  hf_groestl_stages #(
      .Columns(Columns),
      .IsQ(1'b0),
      .Registers(Registers)
  ) u_p (
      .clk_i,
      .clear_i(clear_p),
      .state_i(p_in_q),
      .add_i  (add_q),
      .state_o(p_q)
  );

  hf_groestl_stages #(
      .Columns(Columns),
      .IsQ(1'b1),
      .Registers(Registers)
  ) u_q (
      .clk_i,
      .clear_i(clear_q),
      .state_i(q_in_q),
      .add_i  ('0),
      .state_o(q_q)
  );

  // The digest is the end of P, moved to the front: digests of 224 and 384 bits begin further back.
  localparam int unsigned Short = (Width == 256) ? 224 : 384;
  localparam size_t ShortSize = (Width == 256) ? 2'd0 : 2'd2;

  logic [Width-1:0] st_q;
  logic st_short_q;
  for (genvar j = 0; j < Columns / 2; j++) begin : gen_digest
    logic leave;
    hf_copy u_leave (
        .clk_i,
        .d_i(op_q[6].leave),
        .q_o(leave)
    );
    always_ff @(posedge clk_i) if (leave) st_q[64*j+:64] <= p_q[j+Columns/2];
  end
  always_ff @(posedge clk_i) begin
    if (op_q[7].leave) begin
      st_short_q <= op_q[7].size == ShortSize;
      st_slot_o  <= op_q[7].slot;
    end
  end
  always_comb begin
    st_o = st_q;
    if (st_short_q) st_o[Short-1:0] = st_q[Width-1-:Short];
  end
  assign st_valid_o = st_valid_q;

  logic unused_count;
  assign unused_count = ^blk_count_i;

`ifndef HF_NO_PARAMETER_CHECKS
  if (Width != 256 && Width != 512) begin : gen_no_width
    $fatal(1, "hf_groestl_pipelined: Width is 256 or 512, not %0d", Width);
  end
  if (Registers > 'hFF) begin : gen_no_cuts
    $fatal(1, "hf_groestl_pipelined: Registers is 0 to 255, not %0d", Registers);
  end
  if (Depth % 2 == 0 || Depth % (NumRounds / 2) == 0) begin : gen_no_order
    $fatal(1, "hf_groestl_pipelined: Registers: %0d stages, %0d rounds: a common factor", Depth,
           NumRounds);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
