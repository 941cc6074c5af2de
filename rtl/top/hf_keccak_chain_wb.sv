// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Chains and trees of hashes on Wishbone B4, classic cycles, 32 bits wide: hf_keccak_chain_apb, whose register
// block begins an access when it is selected and ends it with pready. These correspond to strobe and
// ack. Its use by software is described in docs/integrate/chain.md.

module hf_keccak_chain_wb #(
    parameter int unsigned ValueBytes = 16,  // bytes of a value and of the prefix: 16, 24 or 32
    parameter bit Trees = 1'b0  // whole trees are there
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic        wb_cyc,
    input  logic        wb_stb,
    input  logic        wb_we,
    input  logic [ 5:0] wb_adr,    // word address
    input  logic [31:0] wb_dat_w,
    input  logic [ 3:0] wb_sel,
    output logic        wb_ack,
    output logic        wb_err,
    output logic [31:0] wb_dat_r,

    output logic irq_o
);

  logic selected, ready, failed;
  assign selected = wb_cyc && wb_stb;
  assign wb_ack = ready && !failed;
  assign wb_err = ready && failed;

  hf_keccak_chain_apb #(
      .ValueBytes(ValueBytes),
      .Trees     (Trees)
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
      .s_apb_pready (ready),
      .s_apb_prdata (wb_dat_r),
      .s_apb_pslverr(failed),
      .irq_o
  );

endmodule
