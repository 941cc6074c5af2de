// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The Keccak peripheral on APB4: hf_keccak_regs behind the register block that is generated of
// rtl/regs/hf_keccak_regs.rdl. How software uses it is in docs/integrate/regs.md.

module hf_keccak_apb
  import hf_keccak_csr_pkg::*;
#(
    parameter int unsigned MessageWords = 16,   // its FIFO: 0 (none) or a power of two up to 128
    parameter int unsigned DigestWords  = 16,   // its FIFO: a power of two up to 128; 1: a register
    parameter bit          Stream       = 1'b1  // the AXI4-Stream input is there
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

    // A message, where CONFIG.stream is set; tvalid low where it is not used.
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tlast,

    output logic irq_o
);

  hf_keccak_regs__in_t  regs_in;
  hf_keccak_regs__out_t regs_out;
  logic bad_access;  // told in ERROR, and not by the bus: an answer of OKAY stops no processor
  logic failed, unused_failed;
  assign s_apb_pslverr = 1'b0;
  assign unused_failed = failed;

  hf_keccak_csr_apb u_registers (
      .clk(clk_i),
      .rst(rst_i),
      .s_apb_psel,
      .s_apb_penable,
      .s_apb_pwrite,
      .s_apb_pprot,
      .s_apb_paddr,
      .s_apb_pwdata,
      .s_apb_pstrb,
      .s_apb_pready,
      .s_apb_prdata,
      .s_apb_pslverr(failed),
      .bad_access,
      .hwif_in(regs_in),
      .hwif_out(regs_out)
  );

  hf_keccak_regs #(
      .MessageWords(MessageWords),
      .DigestWords (DigestWords),
      .Stream      (Stream)
  ) u_keccak (
      .clk_i,
      .rst_i,
      .regs_i      (regs_out),
      .regs_o      (regs_in),
      .bad_access_i(bad_access),
      .s_tvalid_i  (s_axis_tvalid),
      .s_tready_o  (s_axis_tready),
      .s_tdata_i   (s_axis_tdata),
      .s_tkeep_i   (s_axis_tkeep),
      .s_tlast_i   (s_axis_tlast),
      .irq_o
  );

endmodule
