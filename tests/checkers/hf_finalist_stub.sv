// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Not a hash: an engine with the finalists' contract (docs/engines/finalists.md), only for tests of
// the front end. Each block with its count and size is rotated and added to the digest, so that a
// wrong bit, number, flag or order changes it. It accepts blocks at the interval of the engine of
// paper latif-finalists; a digest leaves Extra clocks after that.

module hf_finalist_stub
  import hf_finalist_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Family = FamilyBlake,
    parameter  int unsigned Width = 256,
    parameter  int unsigned Extra = 3,
    localparam int unsigned BlockWidth = block_width(Family, Width)
) (
    input logic clk_i,
    input logic rst_i,

    input  logic                  blk_valid_i,
    output logic                  blk_ready_o,
    output logic                  blk_slot_o,
    input  logic                  blk_first_i,
    input  logic                  blk_last_i,
    input  logic [           1:0] blk_size_i,
    input  logic [          63:0] blk_count_i,
    input  logic [BlockWidth-1:0] blk_i,

    output logic             st_valid_o,
    input  logic             st_ready_i,
    output logic             st_slot_o,
    output logic [Width-1:0] st_o
);

  localparam bit Wide = Width == 512;
  localparam int unsigned Clocks =
      (Family == FamilyBlake) ? (Wide ? 32 : 28) :
      (Family == FamilyGroestl) ? (Wide ? 14 : 10) :
      (Family == FamilyJh) ? 42 : 19;

  logic [31:0] left_q;  // clocks until the block is complete
  logic [Width-1:0] chain_q, chain;
  logic last_q;

  logic [Width-1:0] folded, high;
  if (BlockWidth == Width) begin : gen_one
    assign high = '0;
  end else begin : gen_two
    assign high = blk_i[BlockWidth-1-:Width];
  end
  assign folded = blk_i[Width-1:0] ^ {high[Width-14:0], high[Width-1-:13]};

  assign {blk_slot_o, st_slot_o} = '0;
  assign blk_ready_o = left_q == 0 && !last_q;
  assign chain = blk_first_i ? '0 : chain_q;
  assign st_o = chain_q;
  assign st_valid_o = last_q && left_q == 0;

  always_ff @(posedge clk_i) begin
    if (left_q != 0) left_q <= left_q - 1;
    if (st_valid_o && st_ready_i) last_q <= 1'b0;
    if (blk_valid_i && blk_ready_o) begin
      chain_q <= {chain[Width-8:0], chain[Width-1-:7]} ^ folded ^ Width'({blk_size_i, blk_count_i});
      left_q <= blk_last_i ? Clocks - 1 + Extra : Clocks - 1;
      last_q <= blk_last_i;
    end
    if (rst_i) {left_q, last_q} <= '0;
  end

endmodule
