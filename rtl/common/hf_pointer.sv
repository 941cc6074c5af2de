// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A pointer to the rows of a memory that steps through 2^Bits - 1 of them in the order of a linear
// feedback shift register: one LUT for any width. It is for queues whose pointers are only compared
// for equality, or not at all.
//
// Taps: primitive trinomials (R. C. Tausworthe, Math. Comp. 19, 1965).

module hf_pointer #(
    parameter int unsigned Bits = 4  // 2 to 7
) (
    input logic clk_i,
    input logic rst_i,

    input  logic            step_i,
    output logic [Bits-1:0] row_o
);

  localparam int unsigned Tap = (Bits == 5) ? 2 : Bits - 2;

  always_ff @(posedge clk_i) begin
    if (rst_i) row_o <= '0;
    else if (step_i) row_o <= {row_o[Bits-2:0], row_o[Bits-1] ~^ row_o[Tap]};
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Bits < 2 || Bits > 7) begin : gen_bad_bits
    $fatal(1, "hf_pointer: Bits is 2 to 7, not %0d", Bits);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
