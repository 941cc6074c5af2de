// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral with contexts on Wishbone B4, classic cycles, 32 bits wide:
// hf_keccak_apb_contexts, whose select and ready correspond to strobe and ack, as in hf_keccak_wb.
// The ID of who accesses is a tag of the address (TGA_I).

module hf_keccak_wb_contexts #(
    parameter int unsigned Contexts = 8,  // a power of two up to 64
    parameter int unsigned IdWidth = 4,  // bits of an ID: 1 to 6
    parameter int unsigned PrivilegedId = 0,  // may release contexts of others
    parameter int unsigned Engine = 0,  // 0: keccak-iterative, 1: keccak-serial, 2: keccak-tiny
    // keccak-iterative: words of the state are read out of block RAM, on ECP5.
    parameter bit StateInBlockRam = 1'b1,
    parameter int unsigned MessageWords = 16,  // message FIFO: 0 or a power of two up to 128
    parameter int unsigned DigestWords = 4,  // digest FIFO: 1, 2 or 4
    localparam int unsigned AddrWidth = 7 + $clog2(Contexts)
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 wb_cyc,
    input  logic                 wb_stb,
    input  logic                 wb_we,
    input  logic [AddrWidth-1:0] wb_adr,    // word address
    input  logic [         31:0] wb_dat_w,
    input  logic [          3:0] wb_sel,
    input  logic [  IdWidth-1:0] wb_tga,    // who accesses
    output logic                 wb_ack,
    output logic                 wb_err,
    output logic [         31:0] wb_dat_r,

    output logic [Contexts-1:0] irq_o  // an interrupt for each context
);

  logic selected, ready, failed;
  assign selected = wb_cyc && wb_stb;
  assign wb_ack = ready && !failed;
  assign wb_err = ready && failed;

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
      .s_apb_psel   (selected),
      .s_apb_penable(selected),
      .s_apb_pwrite (wb_we),
      .s_apb_pprot  (3'b000),
      .s_apb_paddr  ({wb_adr, 2'b00}),
      .s_apb_pwdata (wb_dat_w),
      .s_apb_pstrb  (wb_sel),
      .s_apb_id_i   (wb_tga),
      .s_apb_pready (ready),
      .s_apb_prdata (wb_dat_r),
      .s_apb_pslverr(failed),
      .irq_o
  );

endmodule
