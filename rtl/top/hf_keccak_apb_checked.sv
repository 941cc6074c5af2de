// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral on APB4 with detection of faults: hf_keccak_apb twice, in lockstep. Its use
// by software is described in docs/integrate/regs.md, and which faults are found in
// docs/engines/keccak-checked.md.
//
// alarm_o rises at most two clocks after a wrong output, and stays until a reset. While it is high,
// every access is answered at once, by pslverr and zeros, and nothing of it reaches the peripheral;
// irq_o is high.

module hf_keccak_apb_checked #(
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

    input  logic        s_apb_psel,
    input  logic        s_apb_penable,
    input  logic        s_apb_pwrite,
    input  logic [ 2:0] s_apb_pprot,
    input  logic [ 8:0] s_apb_paddr,
    input  logic [31:0] s_apb_pwdata,
    input  logic [ 3:0] s_apb_pstrb,
    output logic        s_apb_pready,
    output logic [31:0] s_apb_prdata,
    output logic        s_apb_pslverr,

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
    logic reset, psel, penable, pwrite;
    logic [2:0] pprot;
    logic [8:0] paddr;
    logic [31:0] pwdata;
    logic [3:0] pstrb;
    logic s_tvalid;
    logic [31:0] s_tdata;
    logic [3:0] s_tkeep;
    logic s_tlast;
  } inputs_t;
  typedef struct packed {
    logic pready, pslverr;
    logic [31:0] prdata;
    logic s_tready, irq;
  } outputs_t;
  inputs_t given;
  inputs_t [1:0] inputs;
  outputs_t [1:0] outputs, compared;
  logic unused_differs;

  always_comb begin
    given.reset = rst_i;
    given.psel = s_apb_psel;
    given.penable = s_apb_penable;
    given.pwrite = s_apb_pwrite;
    given.pprot = s_apb_pprot;
    given.paddr = s_apb_paddr;
    given.pwdata = s_apb_pwdata;
    given.pstrb = s_apb_pstrb;
    given.s_tvalid = s_axis_tvalid;
    given.s_tdata = s_axis_tdata;
    given.s_tkeep = s_axis_tkeep;
    given.s_tlast = s_axis_tlast;

    inputs[0] = given;
    inputs[0].psel = s_apb_psel && !alarm_o;
    inputs[0].s_tvalid = s_axis_tvalid && !alarm_o;

    compared = outputs;
    for (int unsigned i = 0; i < 2; i++) begin
      if (!outputs[i].pready) compared[i].prdata = '0;
    end
  end

  hf_kept_wires #(
      .Width($bits(inputs_t))
  ) u_second (
      .wires_i(given),
      .wires_o(inputs[1])
  );

  for (genvar i = 0; i < 2; i++) begin : gen_peripheral
    hf_keccak_apb #(
        .Engine         (Engine),
        .StateInBlockRam(StateInBlockRam),
        .MessageWords   (MessageWords),
        .DigestWords    (DigestWords),
        .Stream         (Stream),
        .Run            (Run),
        .Sampler        (Sampler),
        .Prefix         (Prefix)
    ) u_apb (
        .clk_i,
        .rst_i        (inputs[i].reset),
        .s_apb_psel   (inputs[i].psel),
        .s_apb_penable(inputs[i].penable),
        .s_apb_pwrite (inputs[i].pwrite),
        .s_apb_pprot  (inputs[i].pprot),
        .s_apb_paddr  (inputs[i].paddr),
        .s_apb_pwdata (inputs[i].pwdata),
        .s_apb_pstrb  (inputs[i].pstrb),
        .s_apb_pready (outputs[i].pready),
        .s_apb_prdata (outputs[i].prdata),
        .s_apb_pslverr(outputs[i].pslverr),
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

  assign s_apb_pready  = outputs[0].pready || alarm_o;
  assign s_apb_pslverr = outputs[0].pslverr || (alarm_o && s_apb_psel && s_apb_penable);
  assign s_apb_prdata  = outputs[0].prdata & {32{!alarm_o}};
  assign s_axis_tready = outputs[0].s_tready && !alarm_o;
  assign irq_o         = outputs[0].irq || alarm_o;

endmodule
