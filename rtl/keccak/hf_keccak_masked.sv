// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, section 3.3) on Boolean shares, of any order from 1 to 3: two clocks a
// round, 48 a block, for one message or for two at once. The ports are those of the engine contract
// (docs/reference/contract.md) with Order + 1 shares of a block and of a state, share i in bits
// 1600 i and up, and a port for random bits. A block is the XOR of its shares.
//
// The linear steps are done share by share, chi by hf_keccak_masked_chi. There are two layers of
// registers in a round: after the linear steps, and after chi's products. The second one holds the
// state; its products are added in front of the linear steps.
//
//   Slots  schedule                    a block  states      random bits
//   1      hf_keccak_masked_one_slot   48       are held    in each second clock; it waits for them
//   2      hf_keccak_masked_two_slots  24       return      in every clock; it never waits
//
// rand_i comes directly from registers:
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
// A state that returned and is restored has its own masks, so nothing is added to it but the block;
// the bit of the chain that was kept with it is restored as well.
// From a reset until started_o, fresh bits make the shares of a known state uniform: one slot
// permutes zero 17 times, in 818 clocks; two slots take 804. The argument is in
// docs/engines/keccak-masked.md.

module hf_keccak_masked
  import hf_keccak_pkg::*;
#(
    parameter  int unsigned Order = 1,      // 1, 2 or 3: shares less one
    parameter  bit          Guards = 1'b0,  // with Order = 1
    parameter  int unsigned Slots = 1,      // 1 or 2: messages in flight
    localparam int unsigned Shares = Order + 1,
    localparam int unsigned PlaneWidth = 5 * LaneWidth,
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
    input  logic                         blk_restore_i,  // Slots = 2: has a state that left
    input  logic [Shares*StateWidth-1:0] blk_i,        // Slots = 2: 3 clocks after the handshake

    output logic                         st_valid_o,
    input  logic                         st_ready_i,  // once high, stays high until st_valid_o
    output logic                         st_slot_o,
    output logic [Shares*StateWidth-1:0] st_o,         // Slots = 2: 3 clocks after st_valid_o

    // Slots = 1: the same state from registers. Its shares after theta, rho and pi, a clock after
    // st_valid_o, and with st_valid_o the parities of their columns: five lanes a share.
    output logic [Shares*PlaneWidth-1:0] parity_o,
    output logic [Shares*StateWidth-1:0] linear_o,

    output logic                 started_o,     // blocks are accepted
    input  logic                 rand_valid_i,
    output logic                 rand_ready_o,
    input  logic [RandWidth-1:0] rand_i
);

  ////////////////////
  // Control        //
  ////////////////////

  logic take;  // the block is read
  logic clear;  // the register of the linear steps is cleared
  logic load_products;
  logic restore;  // a state that has returned is loaded; Slots = 2
  logic leave;  // a state leaves, in the clock in which it is complete; Slots = 2
  logic unseeded;  // no random bits have been used yet
  lane_t constant;

  if (Slots == 2) begin : gen_two
    logic unused_ready;
    assign unused_ready = st_ready_i;
    assign load_products = 1'b1;
    hf_keccak_masked_two_slots #(
        .FirstCycles(Guards ? 402 : 0)
    ) u_control (
        .clk_i,
        .rst_i,
        .blk_valid_i,
        .blk_ready_o,
        .blk_slot_o,
        .blk_first_i,
        .blk_last_i,
        .blk_restore_i,
        .st_valid_o,
        .st_slot_o,
        .started_o,
        .rand_valid_i,
        .rand_ready_o,
        .take_o    (take),
        .clear_o   (clear),
        .restore_o (restore),
        .leave_o   (leave),
        .constant_o(constant),
        .unseeded_o(unseeded)
    );
  end else begin : gen_one
    logic unused_two;
    assign unused_two = ^{blk_restore_i, leave};
    assign leave = 1'b0;
    assign blk_slot_o = 1'b0;
    assign st_slot_o = 1'b0;
    assign restore = 1'b0;
    hf_keccak_masked_one_slot #(
        .FirstPermutations(Guards ? 17 : 0)
    ) u_control (
        .clk_i,
        .rst_i,
        .blk_valid_i,
        .blk_ready_o,
        .blk_first_i,
        .blk_last_i,
        .st_valid_o,
        .st_ready_i,
        .started_o,
        .rand_valid_i,
        .rand_ready_o,
        .take_o    (take),
        .clear_o   (clear),
        .chi_o     (load_products),
        .constant_o(constant),
        .unseeded_o(unseeded)
    );
  end

  ////////////////////
  // Datapath       //
  ////////////////////

  typedef state_t [Shares-1:0] shares_t;

  shares_t state;
  shares_t [Shares-1:0] products;  // [i]: those whose sum is share i of the state
  shares_t linear;
  // Synthesis may neither move logic over these registers nor merge them.
  (* keep = "true", dont_touch = "true" *) shares_t linear_q;
  (* keep = "true", dont_touch = "true" *) shares_t block_q;

  // The synchronous reset of the registers is the gate of a block, as in hf_keccak_iterative. It
  // carries iota's constant in share 0.
  always_ff @(posedge clk_i) begin
    if (!take) block_q <= (Shares * StateWidth)'(constant);
    else block_q <= blk_i ^ (Shares * StateWidth)'(constant);
  end

  for (genvar i = 0; i < Shares; i++) begin : gen_share
    hf_keccak_masked_linear #(
        .Shares(Shares)
    ) u_linear (
        .products_i(products[i]),
        .linear_o  (linear[i]),
        .parity_o  (parity_o[PlaneWidth*i+:PlaneWidth])
    );
    always_ff @(posedge clk_i) begin
      if (clear) linear_q[i] <= '0;
      else linear_q[i] <= linear[i];
    end
  end

  // What the rows' products are masked with.
  state_t [Pairs-1:0] masks;
  if (Guards) begin : gen_guards
    localparam int unsigned Distance = 3;  // in slices
    // Share 0 of linear_q in a register of its own: a `clear` of linear_q must not make the guards of
    // the next products zero.
    (* keep = "true", dont_touch = "true" *) state_t guard_q;
    // A bit of the chain's last row in the chi before: with two slots, in the one before that.
    logic kept, keeps;
    assign keeps = guard_q[4][4][LaneWidth-Distance];
    // Zero after a reset: any value does, but an unknown one would stay in a four-state simulation.
    always_ff @(posedge clk_i) begin
      if (unseeded) guard_q <= '0;
      else guard_q <= linear[0];
    end
    if (Slots == 2) begin : gen_kept_two
      logic [1:0] kept_q;
      logic [1:0] left_q;  // of each slot, when its state left
      assign kept = kept_q[1];
      always_ff @(posedge clk_i) begin
        kept_q <= {kept_q[0], restore ? left_q[blk_slot_o] : keeps};
        // In this clock the other slot is shown.
        if (leave) left_q[!blk_slot_o] <= kept_q[0];
        if (unseeded) begin
          kept_q <= '0;
          left_q <= '0;
        end
      end
    end else begin : gen_kept_one
      logic kept_q;
      assign kept = kept_q;
      always_ff @(posedge clk_i) begin
        if (unseeded) kept_q <= 1'b0;
        else if (load_products) kept_q <= keeps;
      end
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
          masks[0][y][4][0] = kept;
        end
      end
    end
  end else begin : gen_fresh
    assign masks = rand_i;
  end

  for (genvar y = 0; y < 5; y++) begin : gen_plane
    plane_t [Shares-1:0] a, b, add;
    plane_t [Shares-1:0][Shares-1:0] product;
    plane_t [Pairs-1:0] random;
    for (genvar i = 0; i < Shares; i++) begin : gen_connect
      assign a[i] = linear_q[i][y];
      assign add[i] = block_q[i][y];
      assign state[i][y] = b[i];
      for (genvar j = 0; j < Shares; j++) begin : gen_product
        assign products[i][j][y] = product[i][j];
      end
    end
    for (genvar p = 0; p < Pairs; p++) begin : gen_random
      assign random[p] = masks[p][y];
    end
    hf_keccak_masked_chi #(
        .Order(Order),
        .Width(LaneWidth)
    ) u_chi (
        .clk_i,
        .enable_i     (load_products),
        .clear_own_i  (1'b0),
        .clear_cross_i(restore),
        .a_i          (a),
        .random_i     (random),
        .add_i        (add),
        .b_o          (b),
        .products_o   (product)
    );
  end

  assign st_o = state;
  assign linear_o = linear_q;

`ifndef HF_NO_PARAMETER_CHECKS
  if (Order < 1 || Order > 3) begin : gen_bad_order
    $fatal(1, "hf_keccak_masked: Order is 1, 2 or 3, not %0d", Order);
  end
  if (Slots < 1 || Slots > 2) begin : gen_bad_slots
    $fatal(1, "hf_keccak_masked: Slots is 1 or 2, not %0d", Slots);
  end
  if (Guards && Order != 1) begin : gen_bad_guards
    $fatal(1, "hf_keccak_masked: Guards is for Order = 1, not %0d", Order);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
