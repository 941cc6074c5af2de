// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What hf_keccak_iterative_words leaves when a wipe is accepted: nothing, in any register or memory
// that had a part of the state. Bound to it in a test; with the macro HF_ECP5, block RAM included.

module hf_words_wiped
  import hf_keccak_pkg::*;
#(
    parameter int unsigned Width = 32
) (
    input logic clk_i,
    input logic wiped_i,  // a wipe is accepted
    input logic [StateWidth-1:0] state_i,
    input logic [StateWidth-1:0] block_i,
    input logic [StateWidth-1:0] buffer_i,
    input logic [3:0][Width-1:0] words_i
);

  // The block register has iota's constant.
  localparam logic [StateWidth-1:0] Iota = StateWidth'(64'h8000_0000_8000_808B);

  StateIsWiped: assert property (@(posedge clk_i) !wiped_i || {state_i, buffer_i} == '0);
  BlockIsWiped: assert property (@(posedge clk_i) !wiped_i || (block_i & ~Iota) == '0);
  WordsAreWiped: assert property (@(posedge clk_i) !wiped_i || words_i == '0);

`ifdef HF_ECP5
  for (genvar z = 0; z < LaneWidth; z++) begin : gen_slice
    logic [35:0] row;
    logic [8:0] first;
    assign row = u_reader.gen_slices.gen_slice[z].u_ram.u_ram.mem[0];
    assign first = u_reader.gen_slices.gen_slice[z].u_ram.u_ram.read_q;
    MemoryIsWiped: assert property (@(posedge clk_i) !wiped_i || {row[34:0], first[0]} == '0);
  end
`else
  for (genvar i = 0; i < 1 << ($clog2(1600 / Width) - 3); i++) begin : gen_group
    logic [Width-1:0] first;
    assign first = u_reader.gen_choice.first_word_q[i];
    FirstIsWiped: assert property (@(posedge clk_i) !wiped_i || first == '0);
  end
`endif  // HF_ECP5

endmodule

bind hf_keccak_iterative_words hf_words_wiped #(
    .Width(Width)
) u_wiped (
    .clk_i,
    .wiped_i (wipe && op_ready_o),
    .state_i (state_q),
    .block_i (block_q),
    .buffer_i(buffer_q),
    .words_i ({data_q, u_reader.word_q, u_reader.spare_q, u_reader.second})
);
