// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, section 3.3) on Boolean shares, of any order from 1 to 3: two clocks a
// round, 48 a block, one message at a time. The ports are those of the engine contract
// (docs/reference/contract.md) with Order + 1 shares of a block and of a state, share i in bits
// 1600 i and up, and a port for random bits. A block is the XOR of its shares.
//
// The linear steps are done share by share, chi by hf_keccak_masked_chi. There are two layers of
// registers in a round: after the linear steps, and after chi's products. The second one holds the
// state; its products are added in front of the linear steps.
//
// Schedule, a line a clock:
//
//   take     a block is accepted; a `first` block clears the register of the linear steps
//   load     first block only: state := chi(0) ^ block, which is the block
//   linear   pi, rho and theta; in round 23 the message's next block is accepted in this clock
//   chi      chi and iota, and in round 23 that block is added in chi's own LUT
//
// A block that is not `last` waits in the clock `linear` of round 23 for its successor, and a
// `last` block for st_ready_i. After a `last` block st_valid_o is high for one clock and the state
// stays, until `first`. A message of b blocks takes 48 b + 2 clocks, back to back.
//
// Random bits: rand_i is used in the clock `chi` and in `load`, in which rand_ready_o is high; the
// clock before requires rand_valid_i. Once high, rand_valid_i stays high, with the same rand_i,
// until rand_ready_o. rand_i comes directly from registers. Without random bits the engine waits.
//
//   Guards  random bits a chi             Order
//   0       1600 for each pair of shares  1, 2, 3
//   1       4                             1
//
// With Guards = 1 a row's products are masked with share 0 of another row, which keeps the shares
// of all rows jointly uniform (Daemen: "Changing of the Guards", CHES 2017). Rows form a chain. The
// first one gets four fresh bits, and one bit of the last row of the chi before. A row and the one
// before it in the chain are three slices apart, so that no bit of theta's result depends on both.
// A new message's state of zero is masked with what share 0 of the state before would have become.
// After a reset the engine permutes a state of zero 17 times, in 818 clocks, and then accepts the
// first block (started_o): the 1632 fresh bits of that time make the shares uniform. The argument
// is in docs/engines/keccak-masked.md.

module hf_keccak_masked
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Order = 1,      // 1, 2 or 3: shares less one
    parameter  bit          Guards = 1'b0,  // with Order = 1
    localparam int unsigned Shares = Order + 1,
    localparam int unsigned Pairs = Order * (Order + 1) / 2,
    localparam int unsigned RandWidth = Guards ? 4 : StateWidth * Pairs
) (
    input logic clk_i,
    input logic rst_i, // synchronous; control only

    input  logic                         blk_valid_i,  // stays high until blk_ready_o
    output logic                         blk_ready_o,
    output logic                         blk_slot_o,
    input  logic                         blk_first_i,
    input  logic                         blk_last_i,
    input  logic [Shares*StateWidth-1:0] blk_i,

    output logic                         st_valid_o,
    input  logic                         st_ready_i,  // once high, stays high until st_valid_o
    output logic                         st_slot_o,
    output logic [Shares*StateWidth-1:0] st_o,

    output logic                 started_o,     // blocks are accepted
    input  logic                 rand_valid_i,
    output logic                 rand_ready_o,
    input  logic [RandWidth-1:0] rand_i
);

  ////////////////////
  // Control        //
  ////////////////////

  typedef enum int unsigned {
    OpIdle,    // keeps a finished or unused state
    OpLoad,    // state := 0 ^ block
    OpLinear,
    OpChi
  } op_e;

  // One-hot: OpLoad and OpChi drive the enable of all products.
  typedef logic [OpChi:0] ops_t;
  ops_t op_q;
  round_t round_q;
  logic last_q;  // the block in the state is its message's last
  logic st_valid_q;
  logic at_last;  // the last round's chi is next
  logic go;  // this clock's operation ends
  logic take, clear;

  // Permutations of zero after a reset that are still to come; with Guards they make the shares
  // uniform.
  localparam logic [4:0] FirstPermutations = Guards ? 5'd17 : 5'd0;
  logic [4:0] starting_q;
  logic starting;
  assign starting = starting_q != '0;

  assign at_last = op_q[OpLinear] && round_q == round_t'(NumRounds - 1);

  always_comb begin
    take = 1'b0;
    go   = rand_valid_i;
    if (op_q[OpIdle]) begin
      take = blk_valid_i && rand_valid_i && !starting;
    end else if (at_last && !starting) begin
      // A squeeze is in time here. A state that is output is not discarded by a `first`.
      if (last_q) begin
        take = blk_valid_i && !blk_first_i && st_ready_i && rand_valid_i;
        go   = st_ready_i && rand_valid_i;
      end else begin
        take = blk_valid_i && rand_valid_i;
        go   = take;
      end
    end
    clear = (take && blk_first_i) || (op_q[OpIdle] && starting && rand_valid_i);
  end

  logic more_q;  // the block that the last round adds is to be permuted

  always_ff @(posedge clk_i) begin
    st_valid_q <= 1'b0;
    if (rst_i) begin
      op_q    <= ops_t'(1) << OpIdle;
      round_q <= '0;
      more_q  <= 1'b0;
      last_q  <= 1'b0;
      starting_q <= FirstPermutations;
    end else begin
      if (take) last_q <= blk_last_i;
      unique case (1'b1)
        op_q[OpIdle]: begin
          round_q <= '0;
          if (take || clear) op_q <= ops_t'(1) << (clear ? OpLoad : OpLinear);
        end
        op_q[OpLoad]: op_q <= ops_t'(1) << OpLinear;
        op_q[OpLinear]: begin
          if (go) op_q <= ops_t'(1) << (clear ? OpLoad : OpChi);
          if (clear) round_q <= '0;
          more_q <= take || starting;
          if (at_last && go && last_q && !starting) st_valid_q <= 1'b1;
        end
        default: begin
          round_q <= round_q + 5'd1;
          op_q <= ops_t'(1) << OpLinear;
          if (round_q == round_t'(NumRounds - 1)) begin
            round_q <= '0;
            if (starting) starting_q <= starting_q - 5'd1;
            if (!more_q || starting_q == 5'd1) op_q <= ops_t'(1) << OpIdle;
          end
        end
      endcase
    end
  end

  // The state is complete a clock after the last chi.
  logic st_valid2_q;
  always_ff @(posedge clk_i) st_valid2_q <= st_valid_q && !rst_i;

  assign blk_ready_o  = take;
  assign blk_slot_o   = 1'b0;
  assign st_slot_o    = 1'b0;
  assign st_valid_o   = st_valid2_q;
  assign rand_ready_o = op_q[OpLoad] || op_q[OpChi];
  assign started_o    = !starting;

  ////////////////////
  // Datapath       //
  ////////////////////

  typedef state_t [Shares-1:0] shares_t;

  shares_t state;
  // Synthesis may neither move logic over these registers nor merge them.
  (* keep = "true", dont_touch = "true" *) shares_t linear_q;
  (* keep = "true", dont_touch = "true" *) shares_t block_q;

  // The synchronous reset of the registers is the gate of a block, as in hf_keccak_iterative. It
  // carries iota's constant in share 0.
  lane_t constant;
  assign constant = (op_q[OpLinear] && !clear) ? RoundConstant[round_q] : '0;
  always_ff @(posedge clk_i) begin
    if (!take) block_q <= (Shares * StateWidth)'(constant);
    else block_q <= blk_i ^ (Shares * StateWidth)'(constant);
  end

  for (genvar i = 0; i < Shares; i++) begin : gen_share
    always_ff @(posedge clk_i) begin
      if (clear) linear_q[i] <= '0;
      else linear_q[i] <= pi(rho(theta(state[i])));
    end
  end

  // What the rows' products are masked with.
  state_t [Pairs-1:0] masks;
  if (Guards) begin : gen_guards
    localparam int unsigned Distance = 3;  // in slices
    // Share 0 of linear_q, but for a `clear`.
    (* keep = "true", dont_touch = "true" *) state_t guard_q;
    logic kept_q;  // a bit of the chain's last row
    // Zero after a reset: any value does, but an unknown one would stay in a four-state simulation.
    logic clear_guards;
    assign clear_guards = op_q[OpIdle] && starting;
    always_ff @(posedge clk_i) begin
      if (clear_guards) guard_q <= '0;
      else guard_q <= pi(rho(theta(state[0])));
      if (clear_guards) kept_q <= 1'b0;
      else if (op_q[OpLoad] || op_q[OpChi]) kept_q <= guard_q[4][4][LaneWidth-Distance];
    end
    always_comb begin
      for (int unsigned y = 0; y < 5; y++) begin
        for (int unsigned x = 0; x < 5; x++) begin
          // A row of slice z takes the bits of slice z - 3. That of slice 0 begins a plane, and
          // takes those of slice 61 of the plane below, which is that plane's last in the chain.
          masks[0][y][x] = rotl(guard_q[y][x], Distance);
          if (y > 0) masks[0][y][x][0] = guard_q[y-1][x][LaneWidth-Distance];
        end
        if (y == 0) begin
          for (int unsigned x = 0; x < 4; x++) masks[0][y][x][0] = rand_i[x];
          masks[0][y][4][0] = kept_q;
        end
      end
    end
  end else begin : gen_fresh
    assign masks = rand_i;
  end

  for (genvar y = 0; y < 5; y++) begin : gen_plane
    plane_t [Shares-1:0] a, b, add;
    plane_t [Pairs-1:0] random;
    for (genvar i = 0; i < Shares; i++) begin : gen_connect
      assign a[i] = linear_q[i][y];
      assign add[i] = block_q[i][y];
      assign state[i][y] = b[i];
    end
    for (genvar p = 0; p < Pairs; p++) begin : gen_random
      assign random[p] = masks[p][y];
    end
    hf_keccak_masked_chi #(
        .Order(Order),
        .Width(LaneWidth)
    ) u_chi (
        .clk_i,
        .enable_i     (op_q[OpLoad] || op_q[OpChi]),
        .clear_own_i  (1'b0),
        .clear_cross_i(1'b0),
        .a_i          (a),
        .random_i     (random),
        .add_i        (add),
        .b_o          (b)
    );
  end

  assign st_o = state;

`ifndef HF_NO_PARAMETER_CHECKS
  if (Order < 1 || Order > 3) begin : gen_bad_order
    $fatal(1, "hf_keccak_masked: Order is 1, 2 or 3, not %0d", Order);
  end
  if (Guards && Order != 1) begin : gen_bad_guards
    $fatal(1, "hf_keccak_masked: Guards is for Order = 1, not %0d", Order);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
