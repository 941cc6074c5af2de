// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The front ends of a masked core, with two slots one for each share: they get the same control, so
// what they do is the same. With two slots the core never waits for random bits once it has begun.
//
//   FrontsInStep_A   the control of each front end is that of share 0's
//   ReadyStays_M     with two slots ready_o stays high: rand_valid_i does

module hf_masked_fronts_sva #(
    parameter int unsigned Fronts = 2,
    parameter int unsigned Slots = 1,
    parameter int unsigned KeepWidth = 8,
    parameter int unsigned TidWidth = 1
) (
    input logic clk_i,
    input logic rst_i,
    input logic [Fronts-1:0] front_s_ready,
    input logic [Fronts-1:0] front_m_valid,
    input logic [Fronts-1:0] front_m_last,
    input logic [Fronts-1:0][Slots-1:0] front_room,
    input logic [Fronts-1:0][KeepWidth-1:0] front_keep,
    input logic [Fronts-1:0][TidWidth-1:0] front_tid,
    input logic [Fronts-1:0][4:0] front_user,
    input logic [Fronts-1:0] blk_valid,
    input logic [Fronts-1:0] blk_first,
    input logic [Fronts-1:0] blk_last,
    input logic [Fronts-1:0] blk_restore,
    input logic [Fronts-1:0] st_ready,
    input logic ready_o
);

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  typedef struct packed {
    logic ready, valid;
    logic [Slots-1:0] room;
    logic [KeepWidth+TidWidth+5:0] beat;
    logic blk_valid;
    logic [2:0] blk_flags;
    logic st_ready;
  } control_t;

  control_t [Fronts-1:0] control;
  always_comb begin
    for (int unsigned i = 0; i < Fronts; i++) begin
      control[i].ready = front_s_ready[i];
      control[i].valid = front_m_valid[i];
      control[i].room  = front_room[i];
      control[i].beat  = front_m_valid[i] ?
          {front_m_last[i], front_keep[i], front_tid[i], front_user[i]} : '0;
      control[i].blk_valid = blk_valid[i];
      control[i].blk_flags = blk_valid[i] ? {blk_first[i], blk_last[i], blk_restore[i]} : '0;
      control[i].st_ready  = st_ready[i];
    end
  end

  FrontsInStep_A: assert property (@(posedge clk_i) disable iff (off)
    control == {Fronts{control[0]}});
  ReadyStays_M: assert property (@(posedge clk_i) disable iff (off)
    Slots == 2 && ready_o |=> ready_o);

endmodule
