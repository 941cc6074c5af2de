// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The masked Keccak peripheral on APB4: hf_keccak_masked_regs and the register block that is
// generated from rtl/regs/hf_keccak_masked_regs.rdl. Its use by software is described in
// docs/integrate/masked.md, what is protected in docs/engines/keccak-masked.md.

module hf_keccak_masked_apb
  import hf_keccak_masked_csr_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter bit Serial = 1'b1,  // engine: hf_keccak_masked_serial; 0: hf_keccak_masked
    parameter bit StatesInBlockRam = 1'b0,  // of hf_keccak_masked_axis, with Serial = 0
    parameter int unsigned FifoWords = 16  // of a share: a power of two, 2 to 128
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

    output logic irq_o
);

  hf_keccak_masked_regs__in_t  regs_in;
  hf_keccak_masked_regs__out_t regs_out;
  logic bad_access;  // reported in INTR_STATE, and not on the bus
  logic failed, unused_failed;
  assign s_apb_pslverr = 1'b0;
  assign unused_failed = failed;

  hf_keccak_masked_csr_apb u_registers (
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

  hf_keccak_masked_regs #(
      .Serial   (Serial),
      .StatesInBlockRam(StatesInBlockRam),
      .FifoWords(width_legal(FifoWords, 2, 128) ? FifoWords : 16)
  ) u_masked (
      .clk_i,
      .rst_i,
      .regs_i      (regs_out),
      .regs_o      (regs_in),
      .bad_access_i(bad_access),
      .irq_o
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!width_legal(FifoWords, 2, 128)) begin : gen_bad_words
    $fatal(1, "hf_keccak_masked_apb: FifoWords is a power of two, 2 to 128, not %0d", FifoWords);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
