// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Chains and trees of hashes on APB4: hf_keccak_chain_regs and the register block that is generated from
// rtl/regs/hf_keccak_chain_regs.rdl. Its use by software is described in docs/integrate/chain.md.

module hf_keccak_chain_apb
  import hf_keccak_chain_csr_pkg::*;
#(
    parameter int unsigned ValueBytes = 16,  // bytes of a value and of the prefix: 16, 24 or 32
    parameter bit Trees = 1'b0  // whole trees are there
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic        s_apb_psel,
    input  logic        s_apb_penable,
    input  logic        s_apb_pwrite,
    input  logic [ 2:0] s_apb_pprot,
    input  logic [ 7:0] s_apb_paddr,
    input  logic [31:0] s_apb_pwdata,
    input  logic [ 3:0] s_apb_pstrb,
    output logic        s_apb_pready,
    output logic [31:0] s_apb_prdata,
    output logic        s_apb_pslverr,

    output logic irq_o
);

  hf_keccak_chain_regs__in_t  regs_in;
  hf_keccak_chain_regs__out_t regs_out;
  logic bad_access;  // reported in INTR_STATE, and not on the bus
  logic failed, unused_failed;
  assign s_apb_pslverr = 1'b0;
  assign unused_failed = failed;

  hf_keccak_chain_csr_apb u_registers (
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

  hf_keccak_chain_regs #(
      .ValueBytes(ValueBytes),
      .Trees     (Trees)
  ) u_chain (
      .clk_i,
      .rst_i,
      .regs_i      (regs_out),
      .regs_o      (regs_in),
      .bad_access_i(bad_access),
      .irq_o
  );

endmodule
