// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// hf_keccak_masked_axis with its ports in shares, or two of it in lockstep (Checked), or
// hf_keccak_masked_serial_axis (Serial), between plain stream ports: for the stream bench.
// A beat that is offered is split once, at random, as the port's rules require of it. With
// Generator = 0 random bits come from here, and are late at times; not with two slots, or with
// Serial and Order > 1, once they are there.

module hf_masked_shared_axis
  import hf_keccak_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Order = 1,
    parameter  bit          Guards = 1'b1,
    parameter  int unsigned Slots = 1,        // of hf_keccak_masked_axis
    parameter  bit          Generator = 1'b1,
    parameter  int unsigned DataWidth = 64,
    parameter  bit          StatesInBlockRam = 1'b0,  // of hf_keccak_masked_axis
    parameter  bit          Checked = 1'b0,
    parameter  bit          Serial = 1'b0,    // with Guards as it has them: with Order = 1 only
    parameter  int unsigned Slices = 4,
    localparam int unsigned TidWidth = 1,
    localparam int unsigned Shares = Order + 1,
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned Products = Serial ? 25 * Slices : StateWidth,
    localparam int unsigned RandWidth = Guards ? 4 : Products * Order * (Order + 1) / 2
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                 s_axis_tvalid,
    output logic                 s_axis_tready,
    input  logic [DataWidth-1:0] s_axis_tdata,
    input  logic [KeepWidth-1:0] s_axis_tkeep,
    input  logic                 s_axis_tlast,
    input  logic [ TidWidth-1:0] s_axis_tid,
    input  logic [UserWidth-1:0] s_axis_tuser,
    output logic [    Slots-1:0] s_axis_room,

    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic [DataWidth-1:0] m_axis_tdata,
    output logic [KeepWidth-1:0] m_axis_tkeep,
    output logic                 m_axis_tlast,
    output logic [ TidWidth-1:0] m_axis_tid,
    output logic [          4:0] m_axis_tuser,
    input  logic [    Slots-1:0] m_axis_stop,

    output logic        ready_o,
    input  logic        seed_valid_i,
    input  logic [79:0] seed_key_i,

    output logic alarm_o
);

  localparam int unsigned SplitWidth = (Order * DataWidth + 31) / 32 * 32;
  localparam bit NeverWaits = Slots == 2 || (Serial && Order > 1);
  localparam int unsigned FreshWidth = (RandWidth + 31) / 32 * 32;

  logic [SplitWidth-1:0] split_q;
  logic [FreshWidth-1:0] fresh_q;
  logic rand_valid_q, rand_ready;
  logic [Shares-1:0][DataWidth-1:0] s_data, m_data;
  logic [Shares-1:0][KeepWidth-1:0] m_keep;

  always_ff @(posedge clk_i) begin
    if (!s_axis_tvalid || s_axis_tready) begin
      for (int unsigned i = 0; i < SplitWidth / 32; i++) split_q[32*i+:32] <= $urandom;
    end
    if (rand_ready || !rand_valid_q) begin
      for (int unsigned i = 0; i < FreshWidth / 32; i++) fresh_q[32*i+:32] <= $urandom;
      rand_valid_q <= ($urandom & 32'd15) != '0 || (NeverWaits && rand_valid_q);
    end
    if (rst_i) rand_valid_q <= 1'b0;
  end

  always_comb begin
    s_data = {split_q[Order*DataWidth-1:0], s_axis_tdata};
    m_axis_tdata = m_data[0];
    for (int unsigned i = 1; i < Shares; i++) begin
      s_data[0] ^= s_data[i];
      m_axis_tdata ^= m_data[i];
    end
  end
  assign m_axis_tkeep = m_keep[0];

  if (Checked) begin : gen_checked
    hf_keccak_masked_checked_axis #(
        .Order      (Order),
        .Guards     (Guards),
        .SharedPorts(1'b1),
        .Generator  (Generator),
        .DataWidth  (DataWidth)
    ) u_core (
        .clk_i,
        .rst_i,
        .s_axis_tvalid,
        .s_axis_tready,
        .s_axis_tdata(s_data),
        .s_axis_tkeep({Shares{s_axis_tkeep}}),
        .s_axis_tlast,
        .s_axis_tid,
        .s_axis_tuser,
        .s_axis_room,
        .m_axis_tvalid,
        .m_axis_tready,
        .m_axis_tdata(m_data),
        .m_axis_tkeep(m_keep),
        .m_axis_tlast,
        .m_axis_tid,
        .m_axis_tuser,
        .m_axis_stop,
        .ready_o,
        .seed_valid_i,
        .seed_key_i,
        .rand_valid_i(rand_valid_q),
        .rand_ready_o(rand_ready),
        .rand_i      (fresh_q[(Generator?1:RandWidth)-1:0]),
        .split_i     ('0),
        .alarm_o
    );
  end else if (Serial) begin : gen_serial
    hf_keccak_masked_serial_axis #(
        .Order      (Order),
        .Slices     (Slices),
        .SharedPorts(1'b1),
        .Generator  (Generator),
        .DataWidth  (DataWidth)
    ) u_core (
        .clk_i,
        .rst_i,
        .s_axis_tvalid,
        .s_axis_tready,
        .s_axis_tdata(s_data),
        .s_axis_tkeep({Shares{s_axis_tkeep}}),
        .s_axis_tlast,
        .s_axis_tid,
        .s_axis_tuser,
        .s_axis_room,
        .m_axis_tvalid,
        .m_axis_tready,
        .m_axis_tdata(m_data),
        .m_axis_tkeep(m_keep),
        .m_axis_tlast,
        .m_axis_tid,
        .m_axis_tuser,
        .m_axis_stop,
        .ready_o,
        .seed_valid_i,
        .seed_key_i,
        .rand_valid_i(rand_valid_q),
        .rand_ready_o(rand_ready),
        .rand_i      (fresh_q[(Generator?1:RandWidth)-1:0]),
        .split_i     ('0)
    );
    assign alarm_o = 1'b0;
  end else begin : gen_core
    hf_keccak_masked_axis #(
        .Order      (Order),
        .Guards     (Guards),
        .Slots      (Slots),
        .StatesInBlockRam(StatesInBlockRam),
        .SharedPorts(1'b1),
        .Generator  (Generator),
        .DataWidth  (DataWidth)
    ) u_core (
        .clk_i,
        .rst_i,
        .s_axis_tvalid,
        .s_axis_tready,
        .s_axis_tdata(s_data),
        .s_axis_tkeep({Shares{s_axis_tkeep}}),
        .s_axis_tlast,
        .s_axis_tid,
        .s_axis_tuser,
        .s_axis_room,
        .m_axis_tvalid,
        .m_axis_tready,
        .m_axis_tdata(m_data),
        .m_axis_tkeep(m_keep),
        .m_axis_tlast,
        .m_axis_tid,
        .m_axis_tuser,
        .m_axis_stop,
        .ready_o,
        .seed_valid_i,
        .seed_key_i,
        .rand_valid_i(rand_valid_q),
        .rand_ready_o(rand_ready),
        .rand_i      (fresh_q[(Generator?1:RandWidth)-1:0]),
        .split_i     ('0)
    );
    assign alarm_o = 1'b0;
  end

endmodule
