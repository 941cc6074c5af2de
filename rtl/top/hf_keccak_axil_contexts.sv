// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral with contexts on AXI4-Lite: a bridge in front of hf_keccak_apb_contexts. The
// ID of who accesses is AWUSER of a write, ARUSER of a read.

module hf_keccak_axil_contexts #(
    parameter int unsigned Contexts = 8,  // a power of two up to 64
    parameter int unsigned IdWidth = 4,  // bits of an ID: 1 to 6
    parameter int unsigned PrivilegedId = 0,  // may release contexts of others
    parameter int unsigned Engine = 0,  // 0: keccak-iterative, 1: keccak-serial, 2: keccak-tiny
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    parameter int unsigned MessageWords = 16,  // message FIFO: 0 or a power of two up to 128
    parameter int unsigned DigestWords = 4,  // digest FIFO: 1, 2 or 4
    localparam int unsigned AddrWidth = 9 + $clog2(Contexts)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 s_axil_awvalid,
    output logic                 s_axil_awready,
    input  logic [AddrWidth-1:0] s_axil_awaddr,
    input  logic [          2:0] s_axil_awprot,
    input  logic [  IdWidth-1:0] s_axil_awuser,   // who writes
    input  logic                 s_axil_wvalid,
    output logic                 s_axil_wready,
    input  logic [         31:0] s_axil_wdata,
    input  logic [          3:0] s_axil_wstrb,
    output logic                 s_axil_bvalid,
    input  logic                 s_axil_bready,
    output logic [          1:0] s_axil_bresp,
    input  logic                 s_axil_arvalid,
    output logic                 s_axil_arready,
    input  logic [AddrWidth-1:0] s_axil_araddr,
    input  logic [          2:0] s_axil_arprot,
    input  logic [  IdWidth-1:0] s_axil_aruser,   // who reads
    output logic                 s_axil_rvalid,
    input  logic                 s_axil_rready,
    output logic [         31:0] s_axil_rdata,
    output logic [          1:0] s_axil_rresp,

    output logic [Contexts-1:0] irq_o  // an interrupt for each context
);

  logic psel, penable, pwrite, pready, unused_failed;
  logic [2:0] pprot;
  logic [AddrWidth-1:0] paddr;
  logic [31:0] pwdata, prdata;
  logic [3:0] pstrb;
  logic [IdWidth-1:0] id;
  assign s_axil_bresp = 2'b00;
  assign s_axil_rresp = 2'b00;

  hf_axil_apb #(
      .AddrWidth(AddrWidth),
      .IdWidth  (IdWidth)
  ) u_bridge (
      .clk_i,
      .rst_i,
      .awvalid_i(s_axil_awvalid),
      .awready_o(s_axil_awready),
      .awaddr_i (s_axil_awaddr),
      .awprot_i (s_axil_awprot),
      .awuser_i (s_axil_awuser),
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
      .aruser_i (s_axil_aruser),
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
      .id_o     (id),
      .pready_i (pready),
      .prdata_i (prdata)
  );

  hf_keccak_apb_contexts #(
      .Contexts       (Contexts),
      .IdWidth        (IdWidth),
      .PrivilegedId   (PrivilegedId),
      .Engine         (Engine),
      .StateInBlockRam(StateInBlockRam),
      .MessageWords   (MessageWords),
      .DigestWords    (DigestWords)
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
      .s_apb_id_i   (id),
      .s_apb_pready (pready),
      .s_apb_prdata (prdata),
      .s_apb_pslverr(unused_failed),
      .irq_o
  );

endmodule
