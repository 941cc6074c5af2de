// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, section 3.3), one round with two pipeline registers and two messages in
// flight: paper athanasiou-2014. One register is between pi and chi, the other at the end of the
// round. Before the round are the paper's VSX module (block XOR fed-back state, or zero for a first
// block), its register, and a 2-to-1 multiplexer that selects it or the round's own output.
//
// blk_i ---------------v
//     .--> first? 0 -> XOR -> vsx_q --> mux -> theta, rho, pi -> middle_q -> chi, iota -> end_q -.
//     |                                 ^                                                        |
//     '---------------------------------+--------------------------------------------------------'
//
// Schedule of a period, a line a clock, for VsxRegister = 1. A is the slot that leads, B the other.
// rk is round k; its first half is theta, rho, pi, its second half chi and iota.
//
//   clock  state  handshake    VSX     first half  second half  end_q shows
//   0      S1     A            -       B r23       A r23        -
//   1      S2     B            A       -           B r23        A's state: st_o, and into the XOR
//   2      S3     -            B       A r0        -            B's state: likewise
//   3      S2     -            -       B r0        A r0         -
//   4      S3     -            -       A r1        B r0         A after r0
//   ..     ..
//   48     S3     -            -       A r23       B r22        A after r22
//   49 = clock 0 of the next period
//
// A period is 49 clocks for two blocks: 24.5 a block. So the VSX register costs its clock once a
// period and not once a block, because B's follows A's: the round's first half is unused in clock
// 1, its second in clock 2. Without the register (VsxRegister = 0), the XOR and the multiplexer are
// one function of four inputs, S1 is not needed, the halves are never unused, and a period is 48
// clocks:
//
//   clock  state  handshake    XOR and first half  second half  end_q shows
//   0      S2     A            B r23               A r23        -
//   1      S3     B            A r0                B r23        A's state, and into the XOR
//   2      S2     -            B r0                A r0         B's state, and into the XOR
//   3      S3     -            A r1                B r0         A after r0
//   ..     ..
//   47     S3     -            A r23               B r22        A after r22
//
// Handshakes come one clock before their data (docs/reference/contract.md, data delay 1), so that
// signals that reach 1600 bits come from copies of a register. The pipeline rotates and cannot
// wait: a state whose next block is missed is returned (rule 11) in the clock of the missed slot
// cycle. The pure state is on st_o in every case, because the block is added outside the round, so
// a first block follows a finished message without a lost slot cycle. With both slots empty (state
// Idle), the slots are shown alternately, and the one that accepts a block leads, so a message
// begins at once. While the other slot is busy, it waits for its slot cycle.
//
// The paper's states S4 and S5, for a message's last block, do the same as S2 and S3 and are left
// out: `last` is a flag of the slot.
//
// The paper's version select (which [r, c] of five) is also left out. A block comes padded, with
// zeros beyond its rate (hf_keccak_pad), so all 1600 bits are added; a restored state (rule 10)
// needs all of them. Every [r, c] works, including the paper's five.

module hf_keccak_two_stage
  import hf_keccak_pkg::*;
#(
    // The paper's VSX register; 0 saves a clock a period.
    parameter bit          VsxRegister = 1'b1,
    parameter int unsigned RoundConstants = 0  // Kind of hf_keccak_constants: LFSR, mux, ring
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [StateWidth-1:0] blk_i,        // a clock after the handshake

    output logic                  st_valid_o,
    input  logic                  st_ready_i,  // unused: states are returned (rule 11)
    output logic                  st_slot_o,
    output logic [StateWidth-1:0] st_o         // a clock after st_valid_o
);

  localparam int unsigned NumCopies = 32;  // copies of a control that reaches the whole state
  localparam int unsigned Slices = LaneWidth / NumCopies;  // z-slices for each copy

  ////////////////////
  // Control        //
  ////////////////////

  typedef enum logic [1:0] {
    Idle,  // no message in flight
    S1,  // the clock of the VSX register
    S2,
    S3
  } fsm_e;

  localparam logic [5:0] LastCount = 6'(2 * NumRounds - 1);

  fsm_e fsm_d, fsm_q;
  logic [5:0] count_d, count_q;  // 48 clocks of S2 and S3
  logic turn_d, turn_q;  // this clock is a slot cycle
  logic second_d, second_q;  // it is the second one of the period
  logic slot_d, slot_q;
  logic [1:0] busy_q;  // a block is in the round
  logic [1:0] last_q;  // that block is its message's last
  logic take;

  assign take = blk_valid_i && turn_q;

  always_comb begin
    fsm_d = fsm_q;
    count_d = count_q + 6'd1;
    turn_d = 1'b0;
    second_d = 1'b0;
    slot_d = turn_q ? !slot_q : slot_q;
    unique case (fsm_q)
      Idle: begin
        count_d = VsxRegister ? 6'd0 : 6'd1;
        turn_d = 1'b1;
        second_d = take;
        if (take) fsm_d = VsxRegister ? S2 : S3;
      end
      S1: begin
        count_d = '0;
        turn_d = 1'b1;
        second_d = 1'b1;
        fsm_d = S2;
      end
      S2: begin
        turn_d = !VsxRegister && turn_q;
        second_d = turn_d;
        fsm_d = S3;
      end
      default: begin  // S3
        fsm_d = S2;
        if (count_q == LastCount) begin
          count_d = '0;
          turn_d  = 1'b1;
          if (VsxRegister) fsm_d = S1;
        end
      end
    endcase
    if (second_q && !take && !busy_q[!slot_q]) begin
      fsm_d  = Idle;
      turn_d = 1'b1;
    end
  end

  logic start_q, next_q;  // controls of hf_keccak_constants

  always_ff @(posedge clk_i) begin
    fsm_q    <= fsm_d;
    count_q  <= count_d;
    turn_q   <= turn_d;
    second_q <= second_d;
    slot_q   <= slot_d;
    if (turn_q) begin
      busy_q[slot_q] <= take;
      last_q[slot_q] <= blk_last_i;
    end
    // After Idle, the constants are at their beginning, from the period before or the reset.
    start_q <= turn_q && !second_q && fsm_q != Idle;
    next_q  <= fsm_q == S2 && count_q != '0;
    if (rst_i) begin
      fsm_q    <= Idle;
      turn_q   <= 1'b1;
      second_q <= 1'b0;
      slot_q   <= 1'b0;
      busy_q   <= '0;
      start_q  <= 1'b0;
      next_q   <= 1'b0;
    end
  end

  assign blk_ready_o = turn_q;
  assign blk_slot_o  = slot_q;
  assign st_valid_o  = turn_q && busy_q[slot_q] && (last_q[slot_q] || !blk_valid_i);
  assign st_slot_o   = slot_q;

  logic unused_ready;
  assign unused_ready = st_ready_i;

  lane_t constant;
  logic [6:0] constant_bits;

  hf_keccak_constants #(
      .Kind((RoundConstants > 2) ? 0 : RoundConstants)
  ) u_constants (
      .clk_i,
      .rst_i,
      .start_i(start_q),
      .next_i (next_q),
      .bits_o (constant_bits)
  );

  always_comb begin
    constant = '0;
    for (int unsigned j = 0; j < 7; j++) constant[(1<<j)-1] = constant_bits[j];
  end

  // The copies are for slices and not for lanes, because theta and chi work within slices.
  logic [NumCopies-1:0] keep;  // the block is added to the state; low for a first block
  logic [NumCopies-1:0] enter;  // a block enters the round
  logic enter_d;

  for (genvar i = 0; i < NumCopies; i++) begin : gen_copies
    hf_copy u_keep (
        .clk_i,
        .d_i(!(take && blk_first_i)),
        .q_o(keep[i])
    );
    hf_copy u_enter (
        .clk_i,
        .d_i(enter_d),
        .q_o(enter[i])
    );
  end

  ////////////////////
  // Datapath       //
  ////////////////////

  state_t block;
  state_t front;  // the input of the round
  state_t middle_q;  // between pi and chi
  state_t end_q;  // at the end of the round

  assign block = state_t'(blk_i);

  if (VsxRegister) begin : gen_vsx
    logic   take_q;
    state_t vsx_q;

    always_ff @(posedge clk_i) take_q <= take;
    assign enter_d = take_q;

    for (genvar z = 0; z < LaneWidth; z++) begin : gen_slice
      for (genvar i = 0; i < 25; i++) begin : gen_bit
        always_ff @(posedge clk_i) begin
          vsx_q[i/5][i%5][z] <= block[i/5][i%5][z] ^ (end_q[i/5][i%5][z] && keep[z/Slices]);
        end
        assign front[i/5][i%5][z] = enter[z/Slices] ? vsx_q[i/5][i%5][z] : end_q[i/5][i%5][z];
      end
    end
  end else begin : gen_no_vsx
    assign enter_d = take;

    for (genvar z = 0; z < LaneWidth; z++) begin : gen_slice
      for (genvar i = 0; i < 25; i++) begin : gen_bit
        assign front[i/5][i%5][z] = (block[i/5][i%5][z] && enter[z/Slices]) ^
            (end_q[i/5][i%5][z] && keep[z/Slices]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    middle_q    <= pi(rho(theta_split(front)));
    end_q       <= chi(middle_q);
    end_q[0][0] <= chi_plane(middle_q[0])[0] ^ constant;
  end

  assign st_o = end_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (RoundConstants > 2) begin : gen_bad_constants
    $fatal(1, "hf_keccak_two_stage: RoundConstants is 0, 1 or 2, not %0d", RoundConstants);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
