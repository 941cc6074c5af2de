// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// JH (final round) as a ring of registers with a message in each: `Rounds` rounds in a row of five
// registers each, Depth = 5 * Rounds slots. A stage is one LUT4 level, except for the two bits of
// an S-box that have five inputs. Sections are those of the JH specification.
//
//   wires (P_8 has no LUT)  |  first bit of the S-boxes  |  S-boxes  |  sums of L  |  L
//
// Every N = 42 / Rounds clocks, the 42 rounds of another slot are complete, always in the same
// order. That slot is shown on blk_slot_o for N clocks and accepts a block in the last of them, or
// none. Depth and N have no common factor (42 has no square and no 5), so the slots follow each
// other N clocks apart, and each has its slot cycle every N * Depth clocks: N clocks a block. The
// slot cycle does one of the following in L's last LUT4:
//
//   next block offered   the old block is added to the second half, the new one to the first
//   none offered         the old block is added; then the slot is held, round the ring, until its
//                        next block is added without an old one
//   last block done      the old block is added: the digest, which leaves, or is held if there is
//                        no room
//   `first` block        the slot begins with the digest size (section 5.2): its 42 rounds make
//                        H(0); the block is accepted a slot cycle later
//
// A message of b blocks takes b + 2 slot cycles. Schedule of a slot cycle, clock by clock. Clock 0
// is the clock of the handshake:
//
//   0        the block's handshake, or none
//   3        the sums of L are cleared, if the slot's rounds are not used
//   4        L, mixed with the blocks that are added
//   5        the new state is complete, and on its way to st_o if it is a digest
//
// The memory of blocks is a shift register, moved once in N clocks. A held state comes from a shift
// register in parallel with the ring. The datapath has no multiplexer: unused terms are zero by the
// synchronous reset of a register, driven by copies of a control (hf_copy). Each slot's round
// constant is computed in parallel with it.

module hf_jh_pipelined
  import hf_jh_pkg::*;
#(
    parameter  int unsigned Rounds = 1,  // unrolled: 1, 2, 3, 6 or 7
    localparam int unsigned Depth = 5 * Rounds,
    localparam int unsigned SlotWidth = $clog2(Depth)
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                 blk_valid_i,
    output logic                 blk_ready_o,
    output logic [SlotWidth-1:0] blk_slot_o,
    input  logic                 blk_first_i,
    input  logic                 blk_last_i,
    input  logic [          1:0] blk_size_i,
    input  logic [         63:0] blk_count_i,  // unused
    input  logic [        511:0] blk_i,

    output logic                 st_valid_o,
    input  logic                 st_ready_i,
    output logic [SlotWidth-1:0] st_slot_o,
    output logic [        511:0] st_o
);

  localparam int unsigned Clocks = NumRounds / ((Rounds == 0) ? 1 : Rounds);  // N
  localparam int unsigned Groups = 16;  // groups of cells, each with a copy of the controls
  localparam int unsigned GroupCells = NumCells / Groups;

  typedef logic [SlotWidth-1:0] slot_t;

  ////////////////////
  // Control        //
  ////////////////////

  // The operation of a slot until its next slot cycle.
  typedef enum logic [2:0] {
    KindEmpty,
    KindInitial,  // computes H(0)
    KindRun,  // a block
    KindLast,  // its message's last block
    KindKeep,  // held: the next block is late
    KindOut  // held: no room for its digest
  } kind_e;

  typedef struct packed {
    kind_e kind;
    size_t size;
  } context_t;

  // The operation of a slot cycle, in the clocks after it. `clear` and `hold` belong to any passing
  // slot.
  typedef struct packed {
    logic  turn;
    logic  take;
    logic  start;
    logic  old;
    logic  clear;
    logic  hold;
    logic  leave;
    size_t size;
    slot_t slot;
  } op_t;

  round_t clock_q;  // 0 .. N - 1; a slot cycle in N - 1
  slot_t slot_q;
  context_t [Depth-1:0] context_q;  // by slot; the next slot is at the end
  logic [Depth-1:0] held_q;  // by slot; the slot that passes is at the end
  context_t now, context_d;
  op_t op_d;
  op_t [5:1] op_q;  // op_q[i]: of the slot cycle i clocks ago
  logic turn, take, start, room, held_d;
  logic st_valid_q;

  assign now = context_q[Depth-1];
  assign turn = clock_q == round_t'(Clocks - 1);
  assign blk_ready_o = turn && ((now.kind == KindInitial) ||
      ((now.kind == KindRun || now.kind == KindKeep) && !blk_first_i));
  assign blk_slot_o = slot_q;
  assign take = blk_valid_i && blk_ready_o;
  assign start = turn && blk_valid_i && blk_first_i &&
      (now.kind == KindEmpty || now.kind == KindRun || now.kind == KindKeep);
  assign room = !st_valid_q || st_ready_i;

  always_comb begin
    context_d = now;
    unique case (now.kind)
      KindRun, KindKeep: context_d.kind = KindKeep;
      KindLast, KindOut: context_d.kind = room ? KindEmpty : KindOut;
      default: context_d.kind = KindEmpty;
    endcase
    if (start) context_d.kind = KindInitial;
    if (take) begin
      context_d.kind = blk_last_i ? KindLast : KindRun;
      context_d.size = blk_size_i;
    end
    held_d = held_q[Depth-1];
    if (turn) held_d = context_d.kind == KindKeep || context_d.kind == KindOut;

    op_d.turn = turn;
    op_d.take = take;
    op_d.start = start;
    op_d.old = turn && !start && (now.kind == KindRun || now.kind == KindLast);
    op_d.clear = held_q[Depth-1] || start;
    op_d.hold = held_q[Depth-1] && !start;
    op_d.leave = turn && room && (now.kind == KindLast || now.kind == KindOut);
    op_d.size = start ? blk_size_i : now.size;
    op_d.slot = slot_q;
  end

  always_ff @(posedge clk_i) begin
    clock_q <= turn ? '0 : clock_q + round_t'(1);
    held_q  <= {held_q[Depth-2:0], held_d};
    op_q    <= {op_q[4:1], op_d};
    if (turn) begin
      slot_q    <= (slot_q == slot_t'(Depth - 1)) ? '0 : slot_q + slot_t'(1);
      context_q <= {context_q[Depth-2:0], context_d};
    end
    if (op_q[5].leave) st_valid_q <= 1'b1;
    else if (st_ready_i) st_valid_q <= 1'b0;
    if (rst_i) begin
      clock_q <= '0;
      slot_q  <= '0;
      held_q  <= '0;
      op_q    <= '0;
      for (int unsigned i = 0; i < Depth; i++) context_q[i].kind <= KindEmpty;
      st_valid_q <= 1'b0;
    end
  end

  // Copies of controls, one for each group.
  logic [Groups-1:0] clear, no_hold, no_block, no_old, move, restart;
  for (genvar g = 0; g < Groups; g++) begin : gen_copies
    hf_copy u_clear (
        .clk_i,
        .d_i(op_q[2].clear),
        .q_o(clear[g])
    );
    hf_copy u_no_hold (
        .clk_i,
        .d_i(!op_q[2].hold),
        .q_o(no_hold[g])
    );
    hf_copy u_no_block (
        .clk_i,
        .d_i(!op_q[2].take),
        .q_o(no_block[g])
    );
    hf_copy u_no_old (
        .clk_i,
        .d_i(!op_q[2].old),
        .q_o(no_old[g])
    );
    hf_copy u_move (
        .clk_i,
        .d_i(op_q[3].turn),
        .q_o(move[g])
    );
    hf_copy u_restart (
        .clk_i,
        .d_i(op_q[3].turn),
        .q_o(restart[g])
    );
  end

  ////////////////////
  // Datapath       //
  ////////////////////

  state_t state[Rounds+1];  // before each round, and after the last
  constant_t constant[Rounds+1];

  // Terms that are added after the last round: the block, the old block, the held state. The blocks
  // have two bits in each cell.
  block_t given_q;  // the block offered in the slot cycle, accepted or not
  state_t given, size_value, enter_q, held_state_q;
  state_t [Depth-3:0] passed_q;  // the state in the clocks after the ring's end

  for (genvar j = 0; j < BlockWidth / 64; j++) begin : gen_given
    logic read;
    hf_copy u_read (
        .clk_i,
        .d_i(clock_q == round_t'(Clocks - 2)),
        .q_o(read)
    );
    always_ff @(posedge clk_i) if (read) given_q[64*j+:64] <= blk_i[64*j+:64];
  end

  always_ff @(posedge clk_i) passed_q <= {passed_q[Depth-4:0], state[0]};
  assign given = first_half(given_q);
  assign size_value = op_q[3].start ? before_initial(op_q[3].size) : '0;

  for (genvar i = 0; i < NumCells; i++) begin : gen_cell
    localparam int unsigned Group = i / GroupCells;
    // Bits that were added to the first half are later added to the second.
    logic [Depth-1:0][1:0] memory_q;

    always_ff @(posedge clk_i) begin
      if (move[Group]) memory_q <= {memory_q[Depth-2:0], given[i][3:2]};
    end
    always_ff @(posedge clk_i) begin
      if (no_block[Group]) enter_q[i][3:2] <= size_value[i][3:2];
      else enter_q[i][3:2] <= given[i][3:2];
    end
    always_ff @(posedge clk_i) begin
      if (no_old[Group]) enter_q[i][1:0] <= '0;
      else enter_q[i][1:0] <= memory_q[Depth-1];
    end
    always_ff @(posedge clk_i) begin
      if (no_hold[Group]) held_state_q[i] <= '0;
      else held_state_q[i] <= passed_q[Depth-3][i];
    end
  end

  for (genvar r = 0; r < Rounds && r < 7; r++) begin : gen_round
    state_t wires_q, boxed_d, boxed_q;
    logic [NumCells-1:0][2:0] x_d, x_q;
    constant_t wires_constant_q, x_constant_q, boxed_constant_q, sums_constant_q;
    logic [NumCells-1:0] high_d, high_q;

    always_comb begin
      for (int unsigned i = 0; i < NumCells; i++) begin
        x_d[i]     = wires_q[i][2:0];
        high_d[i]  = s_bit(wires_q[i][3], wires_q[i][1], wires_constant_q[i]);
        boxed_d[i] = s_rest(high_q[i], x_q[i], x_constant_q[i]);
      end
    end

    always_ff @(posedge clk_i) begin
      wires_q          <= state[r];
      wires_constant_q <= constant[r];
      x_q              <= x_d;
      high_q           <= high_d;
      x_constant_q     <= wires_constant_q;
      boxed_q          <= boxed_d;
      boxed_constant_q <= constant_boxes(x_constant_q);
      sums_constant_q  <= boxed_constant_q;
    end

    if (r < Rounds - 1) begin : gen_inner
      state_t sums_q, state_q;
      constant_t constant_q;
      always_ff @(posedge clk_i) begin
        sums_q     <= boxed_q;
        state_q    <= linear(sums_q);
        constant_q <= constant_linear(sums_constant_q);
      end
      assign state[r+1] = state_q;
      assign constant[r+1] = constant_q;
    end else begin : gen_last
      // L in a form that leaves two inputs free. For a pair (a, b), the sums of the clock before
      // hold all terms that need not be separate. Of A3 (bit 0 of a), which no other term needs,
      // only these sums remain.
      state_t mixed, moved, state_q;
      constant_t next, constant_q;
      for (genvar k = 0; k < NumCells / 2; k++) begin : gen_pair
        localparam int unsigned Group = 2 * k / GroupCells;
        cell_t a, b;
        logic [3:1] a_q;
        cell_t b_q;
        logic [4:0] sums_q;
        assign a = boxed_q[2*k];
        assign b = boxed_q[2*k+1];
        always_ff @(posedge clk_i) begin
          if (clear[Group]) begin
            a_q    <= '0;
            b_q    <= '0;
            sums_q <= '0;
          end else begin
            a_q <= a[3:1];
            b_q <= b;
            sums_q <= {
              a[3] ^ a[1] ^ b[2],
              a[3] ^ a[2] ^ a[0] ^ b[1],
              a[3] ^ a[1] ^ b[3] ^ b[0],
              a[2] ^ a[0] ^ b[3],
              a[3] ^ a[0]
            };
          end
        end
        assign mixed[2*k] = {sums_q[4], sums_q[3], sums_q[2] ^ a_q[2], sums_q[1]};
        assign mixed[2*k+1] = b_q ^ {a_q[2], a_q[1], sums_q[0], a_q[3]};
      end

      always_comb begin
        for (int unsigned i = 0; i < NumCells; i++) moved[i] = mixed[permuted(i, NumCells)];
        next = constant_linear(sums_constant_q);
      end
      always_ff @(posedge clk_i) begin
        state_q <= moved ^ enter_q ^ held_state_q;
        for (int unsigned i = 0; i < NumCells; i++) begin
          constant_q[i] <= restart[i/GroupCells] ? FirstConstant[i] : next[i];
        end
      end
      assign state[Rounds] = state_q;
      assign constant[Rounds] = constant_q;
    end
  end

  assign state[0] = state[Rounds];
  assign constant[0] = constant[Rounds];

  logic [DigestWidth-1:0] st_d, st_q;
  size_t st_size_q;
  assign st_d = tail(state[0]);
  for (genvar j = 0; j < DigestWidth / 64; j++) begin : gen_digest
    logic leave;
    hf_copy u_leave (
        .clk_i,
        .d_i(op_q[4].leave),
        .q_o(leave)
    );
    always_ff @(posedge clk_i) if (leave) st_q[64*j+:64] <= st_d[64*j+:64];
  end
  always_ff @(posedge clk_i) begin
    if (op_q[5].leave) begin
      st_size_q <= op_q[5].size;
      st_slot_o <= op_q[5].slot;
    end
  end
  assign st_o = digest(st_q, st_size_q);
  assign st_valid_o = st_valid_q;

  logic unused_count;
  assign unused_count = ^blk_count_i;

`ifndef HF_NO_PARAMETER_CHECKS
  // A slot cycle in less than six clocks would overlap the one before.
  if (Rounds == 0 || Rounds > 7 || NumRounds % Rounds != 0) begin : gen_no_divisor
    $fatal(1, "hf_jh_pipelined: Rounds is 1, 2, 3, 6 or 7, not %0d", Rounds);
  end
  if (!SBoxAgrees) begin : gen_no_s_box
    $fatal(1, "hf_jh_pkg: the two forms of the S-boxes differ");
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
