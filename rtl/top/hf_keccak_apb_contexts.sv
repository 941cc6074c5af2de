// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral on APB4 with contexts: hf_keccak_contexts in front of hf_keccak_apb. Each
// of the Contexts pages of 512 bytes works as a peripheral of its own. Its use is described in
// docs/integrate/contexts.md. There is no AXI4-Stream input.

module hf_keccak_apb_contexts #(
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

    input  logic                 s_apb_psel,
    input  logic                 s_apb_penable,
    input  logic                 s_apb_pwrite,
    input  logic [          2:0] s_apb_pprot,
    input  logic [AddrWidth-1:0] s_apb_paddr,
    input  logic [         31:0] s_apb_pwdata,
    input  logic [          3:0] s_apb_pstrb,
    input  logic [  IdWidth-1:0] s_apb_id_i,     // who accesses: stable as s_apb_paddr is
    output logic                 s_apb_pready,
    output logic [         31:0] s_apb_prdata,
    output logic                 s_apb_pslverr,

    output logic [Contexts-1:0] irq_o  // an interrupt for each context
);

  logic psel, penable, pwrite, pready, irq, failed, unused_ready;
  logic [8:0] paddr;
  logic [31:0] pwdata, prdata;
  logic [3:0] pstrb;
  assign s_apb_pslverr = failed;  // never: errors are in ERROR and OWNER

  hf_keccak_contexts #(
      .Contexts    (Contexts),
      .IdWidth     (IdWidth),
      .PrivilegedId(PrivilegedId),
      .MessageWords(MessageWords),
      .DigestWords (DigestWords)
  ) u_contexts (
      .clk_i,
      .rst_i,
      .s_psel_i   (s_apb_psel),
      .s_penable_i(s_apb_penable),
      .s_pwrite_i (s_apb_pwrite),
      .s_paddr_i  (s_apb_paddr),
      .s_pwdata_i (s_apb_pwdata),
      .s_pstrb_i  (s_apb_pstrb),
      .s_id_i     (s_apb_id_i),
      .s_pready_o (s_apb_pready),
      .s_prdata_o (s_apb_prdata),
      .m_psel_o   (psel),
      .m_penable_o(penable),
      .m_pwrite_o (pwrite),
      .m_paddr_o  (paddr),
      .m_pwdata_o (pwdata),
      .m_pstrb_o  (pstrb),
      .m_pready_i (pready),
      .m_prdata_i (prdata),
      .m_irq_i    (irq),
      .irq_o
  );

  hf_keccak_apb #(
      .Engine         (Engine),
      .StateInBlockRam(StateInBlockRam),
      .MessageWords   (MessageWords),
      .DigestWords    (DigestWords),
      .Stream         (1'b0),
      .Run            (1'b0),  // hf_keccak_contexts has no RUN among the commands that it follows
      .Sampler        (1'b0),
      .Prefix         (1'b0)   // a page would recall another page's copy
  ) u_keccak (
      .clk_i,
      .rst_i,
      .s_apb_psel   (psel),
      .s_apb_penable(penable),
      .s_apb_pwrite (pwrite),
      .s_apb_pprot,
      .s_apb_paddr  (paddr),
      .s_apb_pwdata (pwdata),
      .s_apb_pstrb  (pstrb),
      .s_apb_pready (pready),
      .s_apb_prdata (prdata),
      .s_apb_pslverr(failed),
      .s_axis_tvalid(1'b0),
      .s_axis_tready(unused_ready),
      .s_axis_tdata (32'd0),
      .s_axis_tkeep (4'd0),
      .s_axis_tlast (1'b0),
      .irq_o        (irq)
  );

endmodule
