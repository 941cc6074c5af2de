// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Concurrent error detection of hf_keccak_iterative_words, by parities. With T the parity of a
// whole state, A(t) the state, B(t) the state between theta and chi (rho and pi only move bits),
// and a round in clock t:
//
//   theta     T(B(t)) = T(A(t)), since a column's parity is added to ten bits (FIPS 202, 3.2.1)
//   chi       T(A(t+1)) is the sum of b[x] b[x+1] over all rows (3.2.4: the linear terms cancel,
//             as each bit is added twice), and of the block register, which has iota's constant
//
// so that T(A(t)) + T(A(t+1)) is the sum over all rows of
//
//   b[0] b[1] + b[1] b[2] + b[2] b[3] + b[3] b[4] + b[4] b[0] + b[0] + b[1] + b[2] + b[3] + b[4]
//
// and of the block: one function of five bits for each row finds an odd number of wrong bits in B,
// in chi's results and in the state. One wrong bit of planes_i is ten wrong bits in B, an even
// number. So T(A) is not taken from the state, but from planes_i and the plane that is not in it:
// then that bit is one error there.
//
// A word that is read is compared with the parity of the state's word, and one that is written to
// the buffer with that of its parts. A write must be one to exactly one word.
//
// fault_o is high three clocks after the clock whose result is wrong, and one clock after a wrong
// word_i or write. The state is defined, and checked, from a clear on.

module hf_keccak_parity
  import hf_keccak_pkg::*;
  import hf_keccak_word_pkg::*;
#(
    parameter  int unsigned WordWidth = 32,  // 8, 16, 32 or 64
    localparam int unsigned NumWords = state_words(WordWidth),
    localparam int unsigned AddressWidth = word_address_width(WordWidth)
) (
    input logic clk_i,
    input logic rst_i,

    input logic                  clear_i,         // the state is zero in the next clock
    input logic                  step_i,          // else it changes by a round, or it stays
    input logic [StateWidth-1:0] state_i,         // A
    input logic [  5*LaneWidth-1:0] planes_i,     // parity of planes 0 to 3 of A, as theta uses it
    input logic [StateWidth-1:0] chi_i,           // pi(rho(B)), to which chi is applied
    input logic                  block_parity_i,  // T of what is added to chi's result

    input logic                write_i,       // a word is written to the buffer
    input logic [NumWords-1:0] write_word_i,  // to this one
    input logic [WordWidth-1:0] data_i,       // the word
    input logic                data_parity_i, // its parity

    input  logic                    word_valid_i,
    input  logic [AddressWidth-1:0] word_addr_i,
    input  logic [   WordWidth-1:0] word_i,        // of the reader
    output logic                    word_parity_o, // of word word_addr_i, from the state

    output logic fault_o
);

  localparam int unsigned NumRows = 5 * LaneWidth;
  localparam int unsigned PlaneWords = NumWords / 5;

  // Clocks since the first clear after a reset. The clear itself is checked three clocks later.
  logic [2:0] defined_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) defined_q <= '0;
    else defined_q <= {defined_q[1:0], defined_q[0] || clear_i};
  end

  ////////////////////
  // The state      //
  ////////////////////

  // First registers: after as many LUTs as the state's. A row's function is the sum of two of at
  // most four of its bits.
  state_t chi_in;
  logic [2*NumRows-1:0] row_sum, row_sum_q;
  logic [NumRows/16-1:0] plane_sum_q;
  logic [NumWords-1:0] word_sum_q;
  logic step_1_q, clear_1_q, block_parity_1_q;
  assign chi_in = chi_i;

  always_comb begin
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned z = 0; z < LaneWidth; z++) begin
        row_t b;
        for (int unsigned x = 0; x < 5; x++) b[x] = chi_in[y][x][z];
        row_sum[2*(LaneWidth*y+z)] = (b[0] & b[1]) ^ (b[1] & b[2]) ^ (b[2] & b[3]) ^ (^b[3:0]);
        row_sum[2*(LaneWidth*y+z)+1] = (b[3] & b[4]) ^ (b[4] & b[0]) ^ b[4];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    row_sum_q <= row_sum;
    for (int unsigned i = 0; i < NumRows / 16; i++) plane_sum_q[i] <= ^planes_i[16*i+:16];
    for (int unsigned i = 0; i < NumWords; i++) word_sum_q[i] <= ^state_i[WordWidth*i+:WordWidth];
    step_1_q         <= step_i;
    clear_1_q        <= clear_i;
    block_parity_1_q <= block_parity_i;
  end

  logic [NumRows/32-1:0] rows_sum_q;
  logic step_2_q, clear_2_q, block_parity_2_q;
  logic state_sum_q;  // T(A)
  logic expected_q;  // what it must be

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < NumRows / 32; i++) rows_sum_q[i] <= ^row_sum_q[64*i+:64];
    state_sum_q      <= (^plane_sum_q) ^ (^word_sum_q[NumWords-1-:PlaneWords]);
    step_2_q         <= step_1_q;
    clear_2_q        <= clear_1_q;
    block_parity_2_q <= block_parity_1_q;
    expected_q       <= !clear_2_q &&
        (state_sum_q ^ (step_2_q && ((^rows_sum_q) ^ block_parity_2_q)));
  end

  ////////////////////
  // Words          //
  ////////////////////

  logic read_q, read_parity_q, read_expected_q;
  logic write_fault_q;
  assign word_parity_o = word_sum_q[word_addr_i];

  always_ff @(posedge clk_i) begin
    read_q          <= word_valid_i && !rst_i;
    read_parity_q   <= ^word_i;
    read_expected_q <= word_parity_o;
    write_fault_q   <= !rst_i &&
        (((^write_word_i) ^ write_i) || (write_i && ((^data_i) ^ data_parity_i)));
  end

  assign fault_o = (defined_q[2] && (state_sum_q ^ expected_q)) || write_fault_q ||
      (read_q && (read_parity_q ^ read_expected_q));

endmodule
