// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// One clock gate. The registers after it keep their value in a clock in which `en_i` is low.
//
//   Style 0  none      clk_o = clk_i, en_o = 1: the registers are always clocked
//   Style 1  enable    clk_o = clk_i, en_o = en_i: the form for FPGAs (the slices' clock enable)
//   Style 2  latch     clk_o = clk_i & latch(en_i), en_o = 1: the form for ASICs; the latch is
//                      transparent while the clock is low, so clk_o has no glitch
//
// A register is written `always_ff @(posedge clk_o) if (en_o) ...` and serves all three.

module hf_clock_gate #(
    parameter  int unsigned Style = 0,
    localparam int unsigned StyleNone = 0,
    localparam int unsigned StyleEnable = 1,
    localparam int unsigned StyleLatch = 2
) (
    input  logic clk_i,
    input  logic en_i,   // in time for the rising edge that it gates
    output logic clk_o,
    output logic en_o
);

  if (Style == StyleNone) begin : gen_none
    logic unused_en;
    assign unused_en = en_i;
    assign clk_o = clk_i;
    assign en_o  = 1'b1;
  end else if (Style == StyleEnable) begin : gen_enable
    assign clk_o = clk_i;
    assign en_o  = en_i;
  end else if (Style == StyleLatch) begin : gen_latch
    logic en_q;
    always_latch if (!clk_i) en_q = en_i;
    assign clk_o = clk_i & en_q;
    assign en_o  = 1'b1;
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Style > StyleLatch) begin : gen_unknown
    $fatal(1, "hf_clock_gate: Style is 0, 1 or 2, not %0d", Style);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
