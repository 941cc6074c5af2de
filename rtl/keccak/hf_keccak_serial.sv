// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600], some slices a clock, with the word contract (docs/reference/word-contract.md,
// docs/engines/keccak-serial.md): hf_keccak_serial_shares with one share, which is the state. With
// G = 64 / Slices, a permutation takes 24 (G + 5) clocks.

module hf_keccak_serial
  import hf_keccak_word_pkg::*;
#(
    parameter int unsigned Slices = 4,  // 1, 2, 4, 8 or 16, and less than WordWidth
    parameter int unsigned WordWidth = 32,  // 8, 16, 32 or 64
    parameter bit BlockRam = 1'b0,  // memories in block RAM: see hf_lane_ram
    parameter int unsigned BlockLanes = 25,  // words are added to lanes below this one only
    // Legal values in place of illegal parameters: the module elaborates, and the check below
    // fails.
    localparam int unsigned Width = word_width_legal(WordWidth) ? WordWidth : 32,
    localparam bit SlicesLegal = $countones(Slices) == 1 && Slices <= 16 && Slices < Width,
    localparam bit LanesLegal = BlockLanes >= 1 && BlockLanes <= 25,
    localparam int unsigned AddrWidth = word_address_width(Width),
    localparam int unsigned KeepWidth = Width / 8
) (
    input logic clk_i,
    input logic rst_i,  // synchronous, active high

    input  logic                 op_valid_i,
    output logic                 op_ready_o,
    input  logic [          1:0] op_i,        // a word_op_e
    input  logic [AddrWidth-1:0] op_addr_i,
    input  logic [KeepWidth-1:0] op_bytes_i,
    input  logic [    Width-1:0] op_word_i,
    output logic [    Width-1:0] word_o
);

  logic unused_started, unused_rand_ready;
  hf_keccak_serial_shares #(
      .Slices    (SlicesLegal ? Slices : 4),
      .WordWidth (Width),
      .BlockRam  (BlockRam),
      .BlockLanes(LanesLegal ? BlockLanes : 25),
      .Shares    (1)
  ) u_shares (
      .clk_i,
      .rst_i,
      .op_valid_i,
      .op_ready_o,
      .op_i,
      .op_addr_i,
      .op_bytes_i,
      .op_word_i,
      .word_o,
      .started_o   (unused_started),
      .rand_valid_i(1'b0),
      .rand_ready_o(unused_rand_ready),
      .rand_i      ('0)
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_bad_width
    $fatal(1, "hf_keccak_serial: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
  if (!SlicesLegal) begin : gen_bad_slices
    $fatal(
        1, "hf_keccak_serial: Slices is 1, 2, 4, 8 or 16 and less than WordWidth, not %0d", Slices
    );
  end
  if (!LanesLegal) begin : gen_bad_lanes
    $fatal(1, "hf_keccak_serial: BlockLanes is 1 to 25, not %0d", BlockLanes);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
