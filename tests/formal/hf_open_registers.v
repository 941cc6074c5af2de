// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Turns every register into a wire, for proofs of the logic between registers (techmap).

(* techmap_celltype = "$dff $dffe $sdff $sdffe $sdffce" *)
module hf_open_registers #(
    parameter WIDTH = 1,
    parameter CLK_POLARITY = 1,
    parameter EN_POLARITY = 1,
    parameter SRST_POLARITY = 1,
    parameter SRST_VALUE = 0
) (
    input              CLK,
    input              EN,
    input              SRST,
    input  [WIDTH-1:0] D,
    output [WIDTH-1:0] Q
);
  assign Q = D;
endmodule
