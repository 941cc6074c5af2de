// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_masked with the plain ports of the engine contract, for the contract bench: a block is
// split into shares at random in each clock, a state's shares are added.
// RandomStalls makes random bits late, with one slot. With two, some blocks are loaded as states
// that return.
//
// What would be multiplied without masks is zero: in the clocks after a reset, whenever it comes.

module hf_masked_plain
  import hf_keccak_pkg::*;
#(
    parameter int unsigned Order = 1,
    parameter bit Guards = 1'b0,
    parameter int unsigned Slots = 1,
    parameter bit RandomStalls = 1'b0,
    localparam int unsigned Shares = Order + 1,
    localparam int unsigned RandWidth = Guards ? 4 : StateWidth * Order * (Order + 1) / 2
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [StateWidth-1:0] blk_i,

    output logic                  st_valid_o,
    input  logic                  st_ready_i,
    output logic                  st_slot_o,
    output logic [StateWidth-1:0] st_o
);

  localparam int unsigned SplitWidth = (Order * StateWidth + 31) / 32 * 32;
  localparam int unsigned FreshWidth = (RandWidth + 31) / 32 * 32;
  logic [SplitWidth-1:0] split_q;
  logic [FreshWidth-1:0] fresh_q;
  logic rand_valid_q, rand_ready, restore_q;
  logic [Shares*StateWidth-1:0] blk, st;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < SplitWidth / 32; i++) split_q[32*i+:32] <= $urandom;
    if (rand_ready || !rand_valid_q) begin
      for (int unsigned i = 0; i < FreshWidth / 32; i++) fresh_q[32*i+:32] <= $urandom;
      rand_valid_q <= !RandomStalls || ($urandom & 32'd3) == '0;
    end
    if (rst_i) rand_valid_q <= 1'b0;
    restore_q <= 1'($urandom);
  end

  always_comb begin
    blk = (Shares * StateWidth)'(split_q[Order*StateWidth-1:0]) << StateWidth;
    blk[StateWidth-1:0] = blk_i;
    st_o = st[StateWidth-1:0];
    for (int unsigned i = 1; i < Shares; i++) begin
      blk[StateWidth-1:0] ^= blk[StateWidth*i+:StateWidth];
      st_o ^= st[StateWidth*i+:StateWidth];
    end
  end

  hf_keccak_masked #(
      .Order (Order),
      .Guards(Guards),
      .Slots (Slots)
  ) u_engine (
      .clk_i,
      .rst_i,
      .blk_valid_i,
      .blk_ready_o,
      .blk_slot_o,
      .blk_first_i,
      .blk_last_i,
      .blk_restore_i(restore_q),
      .blk_i        (blk),
      .st_valid_o,
      .st_ready_i,
      .st_slot_o,
      .st_o         (st),
      .parity_o     (),
      .linear_o     (),
      .started_o    (),
      .rand_valid_i(rand_valid_q),
      .rand_ready_o(rand_ready),
      .rand_i       (fresh_q[RandWidth-1:0])
  );

  logic reset_seen_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (rst_i) reset_seen_q <= 1'b1;
    if (reset_seen_q && u_engine.unseeded && u_engine.load_products) begin
      ZeroWithoutMasks: assert (u_engine.linear_q == '0);
    end
  end

endmodule
