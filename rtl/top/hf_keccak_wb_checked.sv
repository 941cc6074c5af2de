// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral on Wishbone B4 with detection of faults, classic cycles, 32 bits wide:
// hf_keccak_wb twice, in lockstep. Its use by software is described in docs/integrate/regs.md, and
// which faults are found in docs/engines/keccak-checked.md.
//
// alarm_o rises at most two clocks after a wrong output, and stays until a reset. While it is high,
// every cycle ends at once, by wb_err and zeros, and nothing of it reaches the peripheral; irq_o is
// high.

module hf_keccak_wb_checked #(
    parameter int unsigned Engine = 0,  // 0: keccak-iterative, 1: keccak-serial, 2: keccak-tiny
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    parameter int unsigned MessageWords = 16,  // message FIFO: 0 or a power of two up to 128
    parameter int unsigned DigestWords = 16,  // digest FIFO: a power of two up to 128
    parameter bit Stream = 1'b1,  // the AXI4-Stream input exists
    parameter bit Run = 1'b1,  // the register RUN exists
    parameter bit Sampler = 1'b0,  // output may be coefficients of ML-KEM and ML-DSA
    parameter bit Prefix = 1'b0  // the state after a prefix may be kept in a copy
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic        wb_cyc,
    input  logic        wb_stb,
    input  logic        wb_we,
    input  logic [ 6:0] wb_adr,    // word address
    input  logic [31:0] wb_dat_w,
    input  logic [ 3:0] wb_sel,
    output logic        wb_ack,
    output logic        wb_err,
    output logic [31:0] wb_dat_r,

    // A message, if CONFIG.stream is set; if unused, tvalid must be low.
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tlast,

    output logic irq_o,
    output logic alarm_o  // a fault was found
);

  // A peripheral's inputs and outputs, [0] the first one's; of the outputs, zero where they are not
  // valid.
  typedef struct packed {
    logic reset;
    logic cyc;
    logic stb;
    logic we;
    logic [6:0] adr;
    logic [31:0] dat_w;
    logic [3:0] sel;
    logic s_tvalid;
    logic [31:0] s_tdata;
    logic [3:0] s_tkeep;
    logic s_tlast;
  } inputs_t;
  typedef struct packed {
    logic ack, err;
    logic [31:0] dat_r;
    logic s_tready, irq;
  } outputs_t;
  inputs_t given;
  inputs_t [1:0] inputs;
  outputs_t [1:0] outputs, compared;
  logic unused_differs;

  always_comb begin
    given.reset = rst_i;
    given.cyc = wb_cyc;
    given.stb = wb_stb;
    given.we = wb_we;
    given.adr = wb_adr;
    given.dat_w = wb_dat_w;
    given.sel = wb_sel;
    given.s_tvalid = s_axis_tvalid;
    given.s_tdata = s_axis_tdata;
    given.s_tkeep = s_axis_tkeep;
    given.s_tlast = s_axis_tlast;

    inputs[0] = given;
    inputs[0].stb = wb_stb && !alarm_o;
    inputs[0].s_tvalid = s_axis_tvalid && !alarm_o;

    compared = outputs;
    for (int unsigned i = 0; i < 2; i++) begin
      if (!outputs[i].ack) compared[i].dat_r = '0;
    end
  end

  hf_kept_wires #(
      .Width($bits(inputs_t))
  ) u_second (
      .wires_i(given),
      .wires_o(inputs[1])
  );

  for (genvar i = 0; i < 2; i++) begin : gen_peripheral
    hf_keccak_wb #(
        .Engine         (Engine),
        .StateInBlockRam(StateInBlockRam),
        .MessageWords   (MessageWords),
        .DigestWords    (DigestWords),
        .Stream         (Stream),
        .Run            (Run),
        .Sampler        (Sampler),
        .Prefix         (Prefix)
    ) u_wb (
        .clk_i,
        .rst_i        (inputs[i].reset),
        .wb_cyc       (inputs[i].cyc),
        .wb_stb       (inputs[i].stb),
        .wb_we        (inputs[i].we),
        .wb_adr       (inputs[i].adr),
        .wb_dat_w     (inputs[i].dat_w),
        .wb_sel       (inputs[i].sel),
        .wb_ack       (outputs[i].ack),
        .wb_err       (outputs[i].err),
        .wb_dat_r     (outputs[i].dat_r),
        .s_axis_tvalid(inputs[i].s_tvalid),
        .s_axis_tready(outputs[i].s_tready),
        .s_axis_tdata (inputs[i].s_tdata),
        .s_axis_tkeep (inputs[i].s_tkeep),
        .s_axis_tlast (inputs[i].s_tlast),
        .irq_o        (outputs[i].irq)
    );
  end

  hf_alarm #(
      .Width($bits(outputs_t))
  ) u_alarm (
      .clk_i,
      .rst_i,
      .first_i (compared[0]),
      .second_i(compared[1]),
      .fault_i (1'b0),
      .differs_o(unused_differs),
      .alarm_o
  );

  assign wb_ack        = outputs[0].ack && !alarm_o;
  assign wb_err        = outputs[0].err || (alarm_o && wb_cyc && wb_stb);
  assign wb_dat_r      = outputs[0].dat_r & {32{!alarm_o}};
  assign s_axis_tready = outputs[0].s_tready && !alarm_o;
  assign irq_o         = outputs[0].irq || alarm_o;

endmodule
