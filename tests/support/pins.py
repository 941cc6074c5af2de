"""A small design whose pins on ECP5 a router must not exchange."""

UNIT = """
module unit(input clk_i, input rst_i, input [3:0] a_i, output reg [3:0] y_o, output [1:0] both_o);
  reg [39:0] state; reg [15:0] sum; reg [7:0] count; reg [3:0] mem [0:15]; reg [3:0] read, a;
  reg rst;
  always @(posedge clk_i) begin
    rst <= rst_i;
    a <= a_i;
    count <= rst ? 8'd0 : count + 8'd1;
    state <= {state[38:0], state[39] ^ state[7] ^ a[0] ^ read[3]};
    sum <= (sum ^ (state[15:0] & state[31:16])) + {12'd3, a};
    if (count[0]) mem[count[4:1]] <= sum[3:0];
    read <= mem[sum[7:4]];
    y_o <= sum[15:12] ^ sum[3:0] ^ read;
  end
  assign both_o = {2{state[9]}};
endmodule
"""
"""Carry chains, distributed RAM, registers with and without a reset; two outputs of one net."""

WITH_MULTIPLIER = UNIT.replace(
    "y_o <= sum",
    "product <= state[6:0] * state[17:11];\n    y_o <= product[13:10] ^ sum",
).replace("reg rst;", "reg rst; reg [13:0] product;")
"""The same with a multiplier, whose pins the check of a bitstream leaves out."""
