// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Counts the bytes of a message that ends by itself (RUN.message_bytes), on a counter outside,
// POSITION.message_bytes: the next value, which bytes of a write belong to the message, its end.
//
// Accepted writes are at least three clocks apart, so what is known of the counter, a clock after a
// change, holds for the next one.

module hf_keccak_regs_left #(
    parameter int unsigned Width = 12
) (
    input logic clk_i,

    input  logic             counted_i,
    input  logic [Width-1:0] left_i,    // the counter
    input  logic [      3:0] bytes_i,   // of a write
    output logic [      3:0] kept_o,    // those of the message
    output logic [Width-1:0] next_o,    // the counter after the write
    output logic             none_o     // no byte is left
);

  logic few_q, none_q;  // three bytes are left at most; none
  logic [2:0] count;
  always_ff @(posedge clk_i) begin
    few_q  <= counted_i && left_i[Width-1:2] == '0;
    none_q <= counted_i && left_i == '0;
  end

  always_comb begin
    kept_o = bytes_i;
    for (int unsigned b = 1; b < 4; b++) begin
      logic [1:0] below;  // valid bytes below this one
      below = 2'd0;
      for (int unsigned i = 0; i < b; i++) below += 2'(bytes_i[i]);
      if (few_q && below >= left_i[1:0]) kept_o[b] = 1'b0;
    end
    count  = 3'($countones(bytes_i));
    next_o = (few_q && count >= 3'(left_i[1:0])) ? '0 : left_i - Width'(count);
  end
  assign none_o = none_q;

endmodule
