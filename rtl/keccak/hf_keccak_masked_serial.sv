// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] on Boolean shares, some slices a clock, of any order from 1 to 3:
// hf_keccak_serial_shares with Order + 1 of them, for keys and against side channels
// (docs/engines/keccak-masked.md). A block and the state are the XOR of their shares. The ports are
// those of the word contract (docs/reference/word-contract.md) with a word of each share, share i in
// bits WordWidth * i and up, and a port for random bits, which come directly from registers. With
// G = 64 / Slices:
//
//   Order  random bits
//   1      four for each round and for each wipe
//   2, 3   25 Slices for each pair of shares, in each clock of a round, a wipe or a read in which a
//          group of slices is in chi: G + 1
//
// A permutation takes 24 (G + 6) clocks.
//
//   rand_valid_i  the next round, or a wipe, waits for it. With Order = 2 and 3 it stays high once it
//                 is: a pass that has begun does not wait
//   rand_ready_o  high only with rand_valid_i: rand_i is taken
//   started_o     with Order = 1 from 402 (G + 6) clocks after a reset on, if there are always random
//                 bits, which make the shares uniform; before that no operation is accepted. High
//                 with Order = 2 and 3

module hf_keccak_masked_serial
  import hf_keccak_word_pkg::*;
#(
    parameter int unsigned Order = 1,  // 1, 2 or 3: shares less one
    parameter int unsigned Slices = 4,  // 4, 8 or 16, and less than WordWidth
    parameter int unsigned WordWidth = 32,  // of a share: 8, 16, 32 or 64
    parameter int unsigned BlockLanes = 25,  // words are added to lanes below this one only
    // Legal values in place of illegal parameters: the module elaborates, and the check below
    // fails.
    localparam bit OrderLegal = Order >= 1 && Order <= 3,
    localparam int unsigned Shares = OrderLegal ? Order + 1 : 2,
    localparam int unsigned Width = word_width_legal(WordWidth) ? WordWidth : 32,
    localparam bit SlicesLegal = (Slices == 4 || Slices == 8 || Slices == 16) && Slices < Width,
    localparam bit LanesLegal = BlockLanes >= 1 && BlockLanes <= 25,
    localparam int unsigned AddrWidth = word_address_width(Width),
    localparam int unsigned KeepWidth = Width / 8,
    localparam int unsigned GroupBits = SlicesLegal ? Slices : 4,
    localparam int unsigned Pairs = Shares * (Shares - 1) / 2,
    localparam int unsigned RandWidth = (Shares > 2) ? 25 * GroupBits * Pairs : 4
) (
    input logic clk_i,
    input logic rst_i,  // synchronous, active high

    input  logic                    op_valid_i,
    output logic                    op_ready_o,
    input  logic [             1:0] op_i,        // a word_op_e
    input  logic [   AddrWidth-1:0] op_addr_i,
    input  logic [   KeepWidth-1:0] op_bytes_i,
    input  logic [Shares*Width-1:0] op_word_i,
    output logic [Shares*Width-1:0] word_o,

    output logic                 started_o,
    input  logic                 rand_valid_i,
    output logic                 rand_ready_o,
    input  logic [RandWidth-1:0] rand_i
);

  // A wipe takes four fresh bits, and the shares of all 1600 bits become uniform. With fresh bits for
  // every product they are from the first wipe on.
  localparam int unsigned FirstPasses = 402;

  hf_keccak_serial_shares #(
      .Slices     (GroupBits),
      .WordWidth  (Width),
      .BlockRam   (1'b0),
      .BlockLanes (LanesLegal ? BlockLanes : 25),
      .Shares     (Shares),
      .FirstPasses(Shares == 2 ? FirstPasses : 0)
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
      .started_o,
      .rand_valid_i,
      .rand_ready_o,
      .rand_i
  );

`ifndef HF_NO_PARAMETER_CHECKS
  if (!word_width_legal(WordWidth)) begin : gen_bad_width
    $fatal(1, "hf_keccak_masked_serial: WordWidth is 8, 16, 32 or 64, not %0d", WordWidth);
  end
  if (!OrderLegal) begin : gen_bad_order
    $fatal(1, "hf_keccak_masked_serial: Order is 1, 2 or 3, not %0d", Order);
  end
  if (!SlicesLegal) begin : gen_bad_slices
    $fatal(
        1, "hf_keccak_masked_serial: Slices is 4, 8 or 16 and less than WordWidth, not %0d", Slices
    );
  end
  if (!LanesLegal) begin : gen_bad_lanes
    $fatal(1, "hf_keccak_masked_serial: BlockLanes is 1 to 25, not %0d", BlockLanes);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
