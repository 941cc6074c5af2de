// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral on AXI4-Lite: hf_keccak_apb after a bridge (hf_axil_apb). Its use by software
// is described in docs/integrate/regs.md.

module hf_keccak_axil #(
    parameter int unsigned Engine = 0,  // 0: keccak-iterative, 1: keccak-serial, 2: keccak-tiny
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    parameter int unsigned MessageWords = 16,  // message FIFO: 0 or a power of two up to 128
    parameter int unsigned DigestWords = 16,  // digest FIFO: a power of two up to 128
    parameter bit Stream = 1'b1,  // the AXI4-Stream input exists
    parameter bit Run = 1'b1,  // the register RUN exists
    parameter bit Sampler = 1'b0,  // output may be coefficients of ML-KEM and ML-DSA
    parameter bit Prefix = 1'b0,  // the state after a prefix may be kept in a copy
    // Bits of a word of a message inside: 32, or 64 with keccak-iterative. Also of s_axis_tdata.
    parameter int unsigned WordWidth = 32
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [ 8:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [ 1:0] s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [ 8:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,

    // A message, if CONFIG.stream is set; if unused, tvalid must be low.
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [WordWidth-1:0] s_axis_tdata,
    input  logic [WordWidth/8-1:0] s_axis_tkeep,
    input  logic        s_axis_tlast,

    output logic irq_o
);

  logic psel, penable, pwrite, pready, unused_failed, unused_id;
  logic [2:0] pprot;
  logic [8:0] paddr;
  logic [31:0] pwdata, prdata;
  logic [3:0] pstrb;
  assign s_axil_bresp = 2'b00;
  assign s_axil_rresp = 2'b00;

  hf_axil_apb #(
      .AddrWidth(9),
      .IdWidth  (1)
  ) u_bridge (
      .clk_i,
      .rst_i,
      .awvalid_i(s_axil_awvalid),
      .awready_o(s_axil_awready),
      .awaddr_i (s_axil_awaddr),
      .awprot_i (s_axil_awprot),
      .awuser_i (1'b0),
      .wvalid_i (s_axil_wvalid),
      .wready_o (s_axil_wready),
      .wdata_i  (s_axil_wdata),
      .wstrb_i  (s_axil_wstrb),
      .bvalid_o (s_axil_bvalid),
      .bready_i (s_axil_bready),
      .arvalid_i(s_axil_arvalid),
      .arready_o(s_axil_arready),
      .araddr_i (s_axil_araddr),
      .arprot_i (s_axil_arprot),
      .aruser_i (1'b0),
      .rvalid_o (s_axil_rvalid),
      .rready_i (s_axil_rready),
      .rdata_o  (s_axil_rdata),
      .psel_o   (psel),
      .penable_o(penable),
      .pwrite_o (pwrite),
      .pprot_o  (pprot),
      .paddr_o  (paddr),
      .pwdata_o (pwdata),
      .pstrb_o  (pstrb),
      .id_o     (unused_id),
      .pready_i (pready),
      .prdata_i (prdata)
  );

  hf_keccak_apb #(
      .Engine         (Engine),
      .StateInBlockRam(StateInBlockRam),
      .MessageWords   (MessageWords),
      .DigestWords    (DigestWords),
      .Stream         (Stream),
      .Run            (Run),
      .Sampler        (Sampler),
      .Prefix         (Prefix),
      .WordWidth      (WordWidth)
  ) u_apb (
      .clk_i,
      .rst_i,
      .s_apb_psel   (psel),
      .s_apb_penable(penable),
      .s_apb_pwrite (pwrite),
      .s_apb_pprot  (pprot),
      .s_apb_paddr  (paddr),
      .s_apb_pwdata (pwdata),
      .s_apb_pstrb  (pstrb),
      .s_apb_pready (pready),
      .s_apb_prdata (prdata),
      .s_apb_pslverr(unused_failed),
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tlast,
      .irq_o
  );

endmodule
