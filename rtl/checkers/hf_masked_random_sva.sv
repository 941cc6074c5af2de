// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The random bits of a masked engine: each is used once, and a source that is not connected, or
// that gives the same bits again and again, is seen.
//
//   RandomIsThere_A   with Stays no bits are used before the first ones
//   RandomIsTaken_A   bits that are used are taken, so that no later use has them. With Stays they
//                     are used a clock after used_i
//   RandomChanges_M   the bits of 40 uses in a row are not all the same
//   RandomDiffers_M   words of 64 bits differ from their neighbour, and from the first one: two
//                     generators with the same seed and IV do not
//   RandomStays_M     with Stays there are bits in each clock from the first ones on: the engine does
//                     not wait for them once it has begun

module hf_masked_random_sva #(
    parameter int unsigned Width = 4,
    parameter bit Stays = 1'b0
) (
    input logic clk_i,
    input logic rst_i,
    input logic used_i,
    input logic rand_valid_i,
    input logic rand_ready_o,
    input logic [Width-1:0] rand_i
);

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  logic used, used_q;
  assign used = Stays ? used_q : used_i;
  always_ff @(posedge clk_i) used_q <= used_i && !off;

  logic come_q;  // there were bits since the last reset
  always_ff @(posedge clk_i) come_q <= !off && (rand_valid_i || come_q);

  logic taken;
  assign taken = rand_valid_i && rand_ready_o;

  logic [Width-1:0] last_q;
  logic [5:0] repeats_q;
  always_ff @(posedge clk_i) begin
    if (off) repeats_q <= '0;
    else if (taken) begin
      last_q    <= rand_i;
      repeats_q <= (rand_i == last_q && repeats_q != '1) ? repeats_q + 6'd1 : '0;
    end
  end

  localparam int unsigned Words = Width / 64;
  logic equal;
  always_comb begin
    equal = 1'b0;
    for (int unsigned i = 1; i < Words; i++) begin
      equal |= rand_i[64*i+:64] == rand_i[64*(i-1)+:64] || rand_i[64*i+:64] == rand_i[63:0];
    end
  end

  RandomIsThere_A: assert property (@(posedge clk_i) disable iff (off)
    Stays && used |-> rand_valid_i || come_q);
  RandomIsTaken_A: assert property (@(posedge clk_i) disable iff (off)
    used && (!Stays || rand_valid_i) |-> rand_ready_o);
  RandomChanges_M: assert property (@(posedge clk_i) disable iff (off) repeats_q < 6'd40);
  RandomDiffers_M: assert property (@(posedge clk_i) disable iff (off) taken |-> !equal);
  RandomStays_M: assert property (@(posedge clk_i) disable iff (off)
    Stays && rand_valid_i |=> rand_valid_i);

endmodule
