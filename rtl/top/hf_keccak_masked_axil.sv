// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The masked Keccak peripheral on AXI4-Lite: hf_keccak_masked_apb, and in front of it a bridge whose
// register of answers is zero between two of them: the shares of a word must not follow each other
// there. Its use by software is described in docs/integrate/masked.md, what is protected in
// docs/engines/keccak-masked.md.

module hf_keccak_masked_axil
  import hf_stream_pkg::*;
#(
    parameter bit Serial = 1'b1,  // engine: hf_keccak_masked_serial; 0: hf_keccak_masked
    parameter bit StatesInBlockRam = 1'b0,  // of hf_keccak_masked_axis, with Serial = 0
    parameter int unsigned FifoWords = 16  // of a share: a power of two, 2 to 128
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

  hf_keccak_masked_apb #(
      .Serial   (Serial),
      .StatesInBlockRam(StatesInBlockRam),
      .FifoWords(width_legal(FifoWords, 2, 128) ? FifoWords : 16)
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
      .irq_o
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!width_legal(FifoWords, 2, 128)) begin : gen_bad_words
    $fatal(1, "hf_keccak_masked_axil: FifoWords is a power of two, 2 to 128, not %0d", FifoWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
